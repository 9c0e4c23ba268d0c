"""
Movement: figures go from space to space, and obstacles stop them.

Rules MOVE-2, MOVE-5 to MOVE-16, EXPLORE-3, EXPLORE-4, EVADE-1, EVADE-8, NEAREST-4, FIRE-1, FIRE-8,
DECIDE-28, DECIDE-30, DECIDE-35. The move *action* is in `turn`; this module serves every effect
that moves a figure.
"""

import enum
from collections.abc import Sequence

from content.games.second_edition.schema.scenario import Moment
from protocol.common.text import Text
from protocol.games.second_edition.events import InvestigatorMoved, MonsterMoved, TokenRemoved
from protocol.games.second_edition.table import (
    DoorId,
    InvestigatorId,
    MonsterId,
    SecondEditionTable,
    SpaceId,
    TokenKind,
)
from server.games.second_edition.rules import (
    adjacency,
    distance,
    evade,
    fire,
    monsters,
    naming,
    powers,
    proposals,
    triggers,
)
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option
from server.rulekit.offers import choose_from

STAY: Option[SpaceId | None] = Option(None, Text("choice/stay"), (), "rest", ends=True)
"""Option to decline an offered movement. Rule GOLDEN-7."""


async def enter(
    play: Play, investigator: InvestigatorId, space: SpaceId, *, is_inner: bool = False
) -> None:
    """
    Move an investigator into a space, resolve its Fire, then run the triggers of entering. FIRE-1.

    The caller checks that the investigator may move there. `is_inner` is True while an outer effect
    still inflicts Damage or Horror (DECIDE-51).
    """
    board = play.table.map.rooms
    left = board.get(play.table.investigators[investigator].space or "")
    play.emit(InvestigatorMoved(investigator, space))
    await fire.enter(play, investigator, is_inner=is_inner)
    # The Fire may have eliminated the investigator, or set off an effect that moved them on.
    if play.table.investigators[investigator].space == space:
        room = play.table.map.rooms[space]
        occurred = [triggers.Occurrence(Moment.SPACE_ENTERED, (space,), investigator)]
        if room != left:
            occurred.append(triggers.Occurrence(Moment.ROOM_ENTERED, (room,), investigator))
        await triggers.run_together(play, occurred, is_inner=is_inner)


async def enter_as_monster(play: Play, monster: MonsterId, space: SpaceId) -> None:
    """Move a monster into a space and resolve its Fire, which may defeat it. Rule FIRE-8."""
    play.emit(MonsterMoved(monster, space))
    await fire.burn_monster(play, monster)


async def place(
    play: Play, investigator: InvestigatorId, space: SpaceId, *, is_inner: bool = False
) -> None:
    """
    Put an investigator into a space without passing through any other.

    Rules MOVE-12 and MOVE-13. Entering the space takes effect (DECIDE-30), without an evade check.
    Nothing happens to an eliminated investigator, or if the space is not on the board (SPACE-2).
    """
    is_out = play.table.investigators[investigator].is_eliminated
    if not is_out and space in play.table.map.rooms:
        await enter(play, investigator, space, is_inner=is_inner)


def is_on_board(play: Play, investigator: InvestigatorId) -> bool:
    """Return True if an investigator can still move and act. Rules CLEAR-4 and DECIDE-148."""
    who = play.table.investigators[investigator]
    return not who.is_eliminated and who.space is not None


def others_here(
    table: SecondEditionTable, investigator: InvestigatorId
) -> tuple[InvestigatorId, ...]:
    """Return the other investigators in an investigator's space, in seat order."""
    space = table.investigators[investigator].space
    return tuple(
        who.investigator_id
        for who in table.investigators.values()
        if who.investigator_id != investigator and space is not None and who.space == space
    )


def next_spaces(play: Play, investigator: InvestigatorId) -> tuple[SpaceId, ...]:
    """
    Return the spaces that an investigator can enter in one step.

    Rules MOVE-2 and MOVE-6 to MOVE-9.
    """
    space = play.table.investigators[investigator].space
    if space is None:
        return ()
    return adjacency.steps(play.table, space, powers.passing(play, investigator))


class Leaving(enum.Enum):
    """Outcome of an attempt to leave a space."""

    TAKEN = enum.auto()
    """The figure moved one space."""
    KEPT = enum.auto()
    """The figure did not move: the evade check blocked it or moved it elsewhere."""
    FORFEITED = enum.auto()
    """The rest of the movement is lost. Rule EVADE-6."""


async def try_to_leave(
    play: Play, investigator: InvestigatorId, space: SpaceId, *, is_inner: bool = False
) -> Leaving:
    """
    Have an investigator evade a monster of their space, if any, then move them one space.

    Rules EVADE-1 and MOVE-14. In games of version 1 a step counts as taken even if the check made
    it impossible.
    """
    outcome = await evade.check(play, investigator)
    if outcome.is_forfeited:
        return Leaving.FORFEITED
    # The check may have moved the figure, or put an obstacle in its way.
    if is_on_board(play, investigator) and space in next_spaces(play, investigator):
        await enter(play, investigator, space, is_inner=is_inner)
        return Leaving.TAKEN
    # A step that was not taken costs no movement; version 1 counted it.
    return Leaving.TAKEN if play.version == 1 else Leaving.KEPT


def step_option(play: Play, investigator: InvestigatorId, space: SpaceId) -> Option[SpaceId]:
    """Return the option of one step; its text says if a monster must be evaded first."""
    is_watched = bool(monsters.here(play.table, play.table.investigators[investigator].space))
    subject = "choice/slip_away" if is_watched else "choice/move_to"
    text = Text(subject, (naming.space(play.table, space),))
    return Option(space, text, (naming.at_space(space),), "move")


async def may_move(
    play: Play, investigator: InvestigatorId, spaces: int, *, is_inner: bool = False
) -> None:
    """
    Offer a move of up to `spaces` spaces, one at a time.

    Rules MOVE-2, MOVE-14 and GOLDEN-6. This is no move action (DECIDE-28); a forfeit loses the rest
    of this movement and nothing else (DECIDE-35).
    """
    left = spaces
    while left and is_on_board(play, investigator):
        ways = next_spaces(play, investigator)
        if not ways:
            return
        chosen: SpaceId | None = await choose_from(
            play,
            play.seat_of(investigator),
            (*(step_option(play, investigator, way) for way in ways), STAY),
            rule="MOVE-14",
            about=Text("about/may_move", (investigator,)),
            prompt=Text("ask/may_move", (investigator, left)),
        )
        if chosen is None:
            return
        left = spaces_left(left, await try_to_leave(play, investigator, chosen, is_inner=is_inner))


def spaces_left(left: int, leaving: Leaving) -> int:
    """
    Return how many spaces of a move are left after an attempt to leave a space. MOVE-1, EVADE-6.

    A step through Secret Passages counts like any other (PASSAGE-3).
    """
    return {Leaving.TAKEN: left - 1, Leaving.KEPT: left, Leaving.FORFEITED: 0}[leaving]


async def may_enter(
    play: Play, investigator: InvestigatorId, door: DoorId, *, is_inner: bool = False
) -> None:
    """
    Offer to move through a door that has just been explored.

    Rules EXPLORE-3 and EXPLORE-4; the Explore token leaves the door first (DECIDE-98). Nothing is
    offered if the investigator is no longer at the door, or no space lies behind it.
    """
    discard_explore_tokens(play, door)
    opened = adjacency.door_at(play.table.map, door)
    space = play.table.investigators[investigator].space
    if opened is None or space not in opened.sides:
        return
    beyond = next((side for side in opened.sides if side != space), None)
    if beyond is not None:
        await may_step(
            play,
            investigator,
            beyond,
            rule="EXPLORE-3",
            subject="may_enter",
            is_inner=is_inner,
        )


async def may_step(
    play: Play,
    investigator: InvestigatorId,
    space: SpaceId,
    *,
    rule: str,
    subject: str,
    is_inner: bool = False,
) -> None:
    """
    Offer a step into one given space, if a way leads to it.

    Rules MOVE-14, GOLDEN-6 and GOLDEN-7. Monsters must be evaded first, and a forfeit loses only
    this step (DECIDE-35).

    Args:
        play: the game.
        investigator: the investigator who may move.
        space: the space to enter.
        rule: the rule that grants the step.
        subject: name of the question in the catalog.
        is_inner: True if an outer effect still inflicts harm (DECIDE-51).
    """
    if space not in next_spaces(play, investigator):
        return
    chosen: SpaceId | None = await choose_from(
        play,
        play.seat_of(investigator),
        (step_option(play, investigator, space), STAY),
        rule=rule,
        about=Text(f"about/{subject}", (investigator,)),
        prompt=Text(f"ask/{subject}", (investigator, naming.space(play.table, space))),
    )
    if chosen is not None:
        await try_to_leave(play, investigator, chosen, is_inner=is_inner)


def discard_explore_tokens(play: Play, door: DoorId) -> None:
    """Remove the Explore tokens from a door. Rule DECIDE-98."""
    doors = play.table.map.doors
    for token in tuple(play.table.tokens.values()):
        is_here = token.at == door or (
            token.at in doors and door in doors and doors[token.at].door == doors[door].door
        )
        if token.kind is TokenKind.EXPLORE and is_here:
            play.emit(TokenRemoved(token.token_id))


async def move_away(
    play: Play,
    investigator: InvestigatorId,
    monster: MonsterId,
    spaces: int,
    *,
    is_inner: bool = False,
) -> None:
    """
    Move an investigator away from a monster; each space increases the distance.

    Rules NEAREST-4 and MOVE-15. The movement is involuntary, so it needs no evade checks (EVADE-8).
    It ends when no space is farther away (DECIDE-105); the investigators choose among equally good
    spaces (DECIDE-103).
    """
    for _ in range(spaces):
        space = play.table.investigators[investigator].space
        # The Fire or the triggers of the space just entered may have removed either of the two.
        if space is None or monster not in play.table.monsters:
            return
        source = play.table.monsters[monster].space
        passing = powers.passing(play, investigator)
        ways = distance.steps_away(play.table, space, source, passing)
        if not await _move_involuntarily(play, investigator, ways, "moved_away", is_inner=is_inner):
            return


async def move_toward(
    play: Play,
    investigator: InvestigatorId,
    goal: SpaceId,
    spaces: int,
    *,
    is_inner: bool = False,
) -> None:
    """
    Move an investigator toward a space; each space decreases the distance.

    Rules NEAREST-3 and MOVE-15. The movement is involuntary, so it needs no evade checks (EVADE-8).
    It ends when no space is nearer (DECIDE-105); the investigators choose among equally good spaces
    (DECIDE-103).
    """
    for _ in range(spaces):
        space = play.table.investigators[investigator].space
        # The Fire or the triggers of the space just entered may have removed the figure.
        if space is None:
            return
        passing = powers.passing(play, investigator)
        ways = distance.steps_toward(play.table, space, goal, passing)
        if not await _move_involuntarily(
            play, investigator, ways, "moved_toward", is_inner=is_inner
        ):
            return


async def _move_involuntarily(
    play: Play,
    investigator: InvestigatorId,
    ways: Sequence[SpaceId],
    subject: str,
    *,
    is_inner: bool,
) -> bool:
    """
    Move an investigator into one of the spaces `ways`, which the group chooses. DECIDE-103.

    Return False if `ways` is empty.
    """
    if not ways:
        return False
    chosen = await proposals.tie(
        play,
        [moved_option(play, way) for way in ways],
        rule="DECIDE-103",
        about=Text(f"about/{subject}", (investigator,)),
        prompt=Text(f"ask/{subject}", (investigator,)),
        worth=lambda way: not fire.burns(play.table, way) and not monsters.here(play.table, way),
    )
    await enter(play, investigator, chosen, is_inner=is_inner)
    return True


def moved_option(play: Play, space: SpaceId) -> Option[SpaceId]:
    """Return the option to be moved to a space."""
    text = Text("choice/to", (naming.space(play.table, space),))
    return Option(space, text, (naming.at_space(space),), "move")

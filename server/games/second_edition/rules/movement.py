"""
Movement: how figures go from space to space, and what stops them.

Rules MOVE-2, MOVE-5 to MOVE-16, EXPLORE-3, EXPLORE-4, EVADE-1, EVADE-8, NEAREST-4, FIRE-1,
FIRE-8, DECIDE-28, DECIDE-30, DECIDE-35. The move *action* is in `turn`; what is here serves every
effect that moves.
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
    triggers,
)
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option
from server.rulekit.offers import choose_from

STAY: Option[SpaceId | None] = Option(None, Text("choice/stay"), (), "rest", ends=True)
"""To decline a movement that is offered. Rule GOLDEN-7."""


async def enter(
    play: Play, investigator: InvestigatorId, space: SpaceId, *, is_inner: bool = False
) -> None:
    """
    Move a figure into a space; Fire there hurts it. Rule FIRE-1.

    Whether it may move is the caller's business. `is_inner` is said of movement while Damage or
    Horror is still being suffered (DECIDE-51).
    """
    board = play.table.map.rooms
    left = board.get(play.table.investigators[investigator].space or "")
    play.emit(InvestigatorMoved(investigator, space))
    await fire.enter(play, investigator, is_inner=is_inner)
    if play.table.investigators[investigator].space == space:
        room = play.table.map.rooms[space]
        occurred = [triggers.Occurrence(Moment.SPACE_ENTERED, (space,), investigator)]
        if room != left:
            occurred.append(triggers.Occurrence(Moment.ROOM_ENTERED, (room,), investigator))
        await triggers.run_together(play, occurred, is_inner=is_inner)


async def enter_as_monster(play: Play, monster: MonsterId, space: SpaceId) -> None:
    """Move a monster into a space; Fire there hurts it, perhaps to its end. Rule FIRE-8."""
    play.emit(MonsterMoved(monster, space))
    await fire.burn_monster(play, monster)


async def place(
    play: Play, investigator: InvestigatorId, space: SpaceId, *, is_inner: bool = False
) -> None:
    """
    Put a figure into a space without passing through any other.

    Rules MOVE-12 and MOVE-13; it counts as entering (DECIDE-30) and calls for no evade check. A
    space that is not on the board, or not any more, nobody comes to (SPACE-2).
    """
    is_out = play.table.investigators[investigator].is_eliminated
    if not is_out and space in play.table.map.rooms:
        await enter(play, investigator, space, is_inner=is_inner)


def is_on_board(play: Play, investigator: InvestigatorId) -> bool:
    """Return whether an investigator can still move and act. Rules CLEAR-4 and DECIDE-148."""
    who = play.table.investigators[investigator]
    return not who.is_eliminated and who.space is not None


def others_here(
    table: SecondEditionTable, investigator: InvestigatorId
) -> tuple[InvestigatorId, ...]:
    """Return the other investigators in somebody's space, in seat order."""
    space = table.investigators[investigator].space
    return tuple(
        who.investigator_id
        for who in table.investigators.values()
        if who.investigator_id != investigator and space is not None and who.space == space
    )


def next_spaces(play: Play, investigator: InvestigatorId) -> tuple[SpaceId, ...]:
    """Return where an investigator can go in one step. Rules MOVE-2 and MOVE-6 to MOVE-9."""
    space = play.table.investigators[investigator].space
    if space is None:
        return ()
    return adjacency.steps(play.table, space, powers.passing(play, investigator))


class Leaving(enum.Enum):
    """Outcome of an attempt to leave a space."""

    TAKEN = enum.auto()
    """One space was moved."""
    KEPT = enum.auto()
    """The check blocked the way, or carried the figure off: no space was moved."""
    FORFEITED = enum.auto()
    """The movement that is left is lost. Rule EVADE-6."""


async def try_to_leave(
    play: Play, investigator: InvestigatorId, space: SpaceId, *, is_inner: bool = False
) -> Leaving:
    """
    Go one space by the investigator's own will: past the monsters first.

    Rules EVADE-1 and MOVE-14. Without a step the movement left is kept; games of version 1 go on
    with a space less.
    """
    outcome = await evade.check(play, investigator)
    if outcome.is_forfeited:
        return Leaving.FORFEITED
    if is_on_board(play, investigator) and space in next_spaces(play, investigator):
        await enter(play, investigator, space, is_inner=is_inner)
        return Leaving.TAKEN
    # A step that was not taken costs no movement; version 1 counted it.
    return Leaving.TAKEN if play.version == 1 else Leaving.KEPT


def step_option(play: Play, investigator: InvestigatorId, space: SpaceId) -> Option[SpaceId]:
    """Offer one step; the words say whether a monster must be evaded for it."""
    is_watched = bool(monsters.here(play.table, play.table.investigators[investigator].space))
    subject = "choice/slip_away" if is_watched else "choice/move_to"
    text = Text(subject, (naming.space(play.table, space),))
    return Option(space, text, (naming.at_space(space),), "move")


async def may_move(
    play: Play, investigator: InvestigatorId, spaces: int, *, is_inner: bool = False
) -> None:
    """
    Offer a move of up to so many spaces, one at a time.

    Rules MOVE-2, MOVE-14 and GOLDEN-6. It is no move action (DECIDE-28); a forfeit in it loses
    what is left of this movement and nothing else (DECIDE-35).
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
        left = after(left, await try_to_leave(play, investigator, chosen, is_inner=is_inner))


def after(left: int, leaving: Leaving) -> int:
    """
    Return how many of the spaces left remain. Rules MOVE-1 and EVADE-6.

    A step through Secret Passages is one space as any other (PASSAGE-3).
    """
    return {Leaving.TAKEN: left - 1, Leaving.KEPT: left, Leaving.FORFEITED: 0}[leaving]


async def may_enter(
    play: Play, investigator: InvestigatorId, door: DoorId, *, is_inner: bool = False
) -> None:
    """
    Offer one space through a door that has just been explored.

    Rules EXPLORE-3 and EXPLORE-4; the Explore token leaves the door before (DECIDE-98). Nothing
    is offered to an investigator who is elsewhere by now, or if there is no space behind the door.
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
    Offer one step into this very space, where there is a way.

    Rules MOVE-14, GOLDEN-6 and GOLDEN-7; among monsters with an evade check, and a forfeit loses
    the step alone (DECIDE-35).

    Args:
        rule: the rule that offers it.
        subject: what the question is called.
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
    """Take the Explore tokens off a door. Rule DECIDE-98."""
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
    Move a figure away from a monster; each space increases the distance.

    Rules NEAREST-4 and MOVE-15; involuntary, so without evade checks (EVADE-8). Where no space
    fits the movement ends (DECIDE-105); among several the investigators choose (DECIDE-103).
    """
    for _ in range(spaces):
        space = play.table.investigators[investigator].space
        # The Fire or the triggers of the space just entered may have removed either of the two.
        if space is None or monster not in play.table.monsters:
            return
        source = play.table.monsters[monster].space
        passing = powers.passing(play, investigator)
        ways = distance.steps_away(play.table, space, source, passing)
        if not await _be_moved(play, investigator, ways, "moved_away", is_inner=is_inner):
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
    Move a figure toward a space; each space brings it nearer.

    Rules NEAREST-3 and MOVE-15; involuntary, so without evade checks (EVADE-8). Where no space
    fits the movement ends (DECIDE-105); among several the investigators choose (DECIDE-103).
    """
    for _ in range(spaces):
        space = play.table.investigators[investigator].space
        if space is None:
            return
        passing = powers.passing(play, investigator)
        ways = distance.steps_toward(play.table, space, goal, passing)
        if not await _be_moved(play, investigator, ways, "moved_toward", is_inner=is_inner):
            return


async def _be_moved(
    play: Play,
    investigator: InvestigatorId,
    ways: Sequence[SpaceId],
    subject: str,
    *,
    is_inner: bool,
) -> bool:
    """Move a figure one space; return whether there was any way. Rule DECIDE-103."""
    if not ways:
        return False
    chosen = await play.agree(
        play.table.standing(),
        [step_away_option(play, way) for way in ways],
        rule="DECIDE-103",
        about=Text(f"about/{subject}", (investigator,)),
        prompt=Text(f"ask/{subject}", (investigator,)),
    )
    await enter(play, investigator, chosen, is_inner=is_inner)
    return True


def step_away_option(play: Play, space: SpaceId) -> Option[SpaceId]:
    """Offer one space that somebody is moved to."""
    text = Text("choice/to", (naming.space(play.table, space),))
    return Option(space, text, (naming.at_space(space),), "move")

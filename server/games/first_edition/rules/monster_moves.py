"""Movement of monsters: the keeper leads them, space by space. K-DECIDE-21."""

from collections.abc import Sequence

from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.first_edition.events import FeatureRemoved, MonsterMoved
from protocol.games.first_edition.table import MonsterId, SpaceId
from protocol.games.first_edition.words import LowerUse
from server.games.first_edition.rules import (
    adjacency,
    combat,
    horror,
    pits,
    places,
    trauma,
)
from server.games.first_edition.rules.play import Play, Refusal, Source, about, chooser
from server.kernel.asks import Option

Step = tuple[MonsterId, SpaceId]


async def lead(
    play: Play, among: Sequence[MonsterId], spaces: int, most: int, source: Source
) -> None:
    """
    Have the keeper lead monsters, each up to a number of spaces. K-DECIDE-21, K-STUN-6.

    One monster goes as far as the keeper wants before the next one begins. A monster passes through
    open doors and locks, and by the links of its class; a barricade it has to break first. By an
    investigator's own card that investigator leads them.

    Args:
        play: the game.
        among: the monsters that may be led.
        spaces: maximum number of spaces of each.
        most: maximum number of monsters; 0 for all of them.
        source: the source of the effect.
    """
    begun: list[MonsterId] = []
    left = 0
    while True:
        options: list[Option[Step | None]] = [
            Option(None, Text("choice/end_leading"), (), "rest", ends=True)
        ]
        refused: list[RefusedChoice] = []
        for monster in among:
            goes_on = left > 0 and monster == begun[-1]
            begins = monster not in begun and (not most or len(begun) < most)
            if monster not in play.table.monsters or not (goes_on or begins):
                continue
            name = places.monster_name(play.table, monster)
            if (reason := stays(play, monster)) is not None:
                refused.append(RefusedChoice(Text("choice/lead", (name,)), *reason))
                continue
            options += _spaces(play, monster)
        if len(options) == 1:
            return
        picked = await play.choose(
            chooser(play, source),
            options,
            rule="K-DECIDE-21",
            about=about(source),
            prompt=Text("ask/lead", (source.card, left or spaces)),
            refused=refused,
        )
        if picked is None:
            return
        monster, space = picked
        if monster not in begun:
            begun.append(monster)
            left = spaces
        left = await _go(play, monster, space, left)
        await trauma.settle(play)


def stays(play: Play, monster: MonsterId) -> Refusal | None:
    """Return why a monster does not move now. K-STUN-6, W-PIT-4."""
    if play.table.monsters[monster].stun:
        return Text("refusal/stunned"), "K-STUN-6"
    if monster in play.table.trapped:
        return Text("refusal/trapped"), "W-PIT-4"
    return None


def _spaces(play: Play, monster: MonsterId) -> list[Option[Step | None]]:
    """Return the spaces into which a monster can be led, or try to be. K-DECIDE-86, K-BARR-4."""
    table, stands = play.table, play.table.monsters[monster]
    name = places.monster_name(table, monster)
    options: list[Option[Step | None]] = []
    links = stands.links
    for space in adjacency.beside(table, stands.space, links):
        is_free = adjacency.barricade_between(table, stands.space, space, links) is None
        text = Text(
            "choice/lead_to" if is_free else "choice/assault", (name, places.name(table, space))
        )
        points = (places.at_monster(monster), places.at_space(space))
        options.append(Option((monster, space), text, points, "move"))
    return options


async def _go(play: Play, monster: MonsterId, space: SpaceId, left: int) -> int:
    """
    Move a monster into an adjacent space, and return the number of spaces left.

    At a barricade a card is drawn: it holds, and the rest of the move is lost, or it breaks, and
    the monster may go on. K-BARR-3, K-BARR-4, K-DECIDE-84.
    """
    table, stands = play.table, play.table.monsters[monster]
    links = stands.links
    barricade = adjacency.barricade_between(table, stands.space, space, links)
    if barricade is not None:
        card = combat.draw_lower(play, stands.class_, LowerUse.BARRICADE)
        if card.lower.breaks:
            play.emit(FeatureRemoved(barricade))
        return left if card.lower.breaks else 0
    await put(play, monster, space)
    return left - 1


async def put(play: Play, monster: MonsterId, space: SpaceId) -> None:
    """
    Move a monster to a space; in another room people see it. K-HORROR-2, W-LIMIT-8.

    One that fell into a pit in this turn stays there. W-PIT-4, W-DECIDE-8, W-DECIDE-9.
    """
    if monster in play.table.trapped:
        return
    before = play.table.monsters[monster].space
    play.emit(MonsterMoved(monster, space))
    await pits.trigger(play, (monster,), space)
    if play.table.room_of(space) != play.table.room_of(before):
        await horror.on_coming(play, monster)

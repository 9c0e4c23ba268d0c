"""Pits: markers whose face nobody knows, from a supply of their own. Section 11."""

from collections.abc import Sequence

from protocol.common.chance import Stream
from protocol.games.first_edition.events import PitPlaced, PitReturned, PitTriggered
from protocol.games.first_edition.table import (
    PIT_SUPPLY,
    FeatureId,
    FirstEditionTable,
    SpaceId,
)
from protocol.games.first_edition.words import FeatureKind
from server.games.first_edition.rules import harm, monsters
from server.games.first_edition.rules.play import Play


def lay_out(play: Play) -> None:
    """Shuffle the supply of an outdoor story, and place its pits. W-PIT-1, W-USE-5, W-SECRET-2."""
    story = play.content.story
    if not story.outdoor:
        return
    pits = play.content.pack.pits.values()
    play.shuffle(PIT_SUPPLY, [pit.id for pit in pits for _ in range(pit.copies)], Stream.SETUP)
    for feature in story.features:
        if feature.kind is FeatureKind.PIT:
            place(play, feature.at)


def place(play: Play, space: SpaceId) -> None:
    """
    Put the top pit of the supply into a space, face down; none if none is left.

    Nobody looks at it, and nothing happens to figures in the space. W-PIT-9, W-PIT-10,
    W-PIT-12, W-DECIDE-11, W-SECRET-1.
    """
    if supply := play.table.piles.get(PIT_SUPPLY):
        play.emit(PitPlaced(space, supply[0]))


def take_back(play: Play, pit: FeatureId) -> None:
    """Shuffle a pit of the board into the supply. W-PIT-7."""
    play.emit(PitReturned(pit))
    play.shuffle(PIT_SUPPLY)


async def trigger(play: Play, figures: Sequence[str], space: SpaceId) -> None:
    """
    Have figures that moved onto a space fall into its pit: all at once. W-PIT-2, W-PIT-13.

    They do not move again in this turn (W-PIT-3, W-PIT-4). The pit is turned up, and each takes the
    full damage (W-PIT-5). One with the arrow is replaced from the supply before it goes back there
    (W-PIT-6 to W-PIT-8, W-DECIDE-10).

    Args:
        play: the game.
        figures: characters and monsters that moved together; they are in the space already.
        space: the space.
    """
    table = play.table
    fallen = tuple(one for one in figures if not _flies(table, one))
    pit = next(iter(table.features_at(space, FeatureKind.PIT)), None)
    if pit is None or not fallen:
        return
    assert pit.handle is not None
    marker = play.content.pack.pits[table.card_of(pit.handle)]
    play.emit(
        PitTriggered(fallen, pit.feature_id, pit.handle, marker.id, marker.damage, marker.renewed)
    )
    people = [one for one in fallen if one not in table.monsters]
    await harm.suffer_together(play, people, damage=marker.damage)
    for one in fallen:
        if one in table.monsters:
            monsters.hurt(play, one, marker.damage)
    # A trauma card on earlier harm may have taken it off the board.
    if pit.feature_id in play.table.features:
        if marker.renewed:
            place(play, space)
        take_back(play, pit.feature_id)


def _flies(table: FirstEditionTable, figure: str) -> bool:
    """Return whether a figure ignores pits. W-FLY-4."""
    monster = table.monsters.get(figure)
    return monster is not None and monster.is_flying

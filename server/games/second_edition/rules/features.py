"""
Features: the square tokens, such as Fire, Darkness and Barricades.

Rules FEATURE-1, FEATURE-2, FIRE-11, DARKNESS-7, LIMIT-1 and DISCARD-3. Fire and Darkness have
chapters of their own. No feature needs a token of the app or a dialogue.
"""

import itertools

from protocol.games.second_edition.events import FeaturePlaced, FeatureRemoved
from protocol.games.second_edition.table import (
    Feature,
    FeatureKind,
    SecondEditionTable,
    SpaceId,
)
from server.games.second_edition.rules import adjacency, supplies
from server.games.second_edition.rules.play import Play


def place(play: Play, kind: FeatureKind, space: SpaceId, against: str | None = None) -> None:
    """
    Put a feature into a space of the board.

    A space holds at most one feature of each kind (FIRE-11, DARKNESS-7), but any number of
    Barricades. Fire and Darkness never run out (LIMIT-1); other kinds are placed only while any are
    left (LIMIT-2).

    Args:
        play: the game.
        kind: the kind of feature.
        space: the space of the feature.
        against: for a Barricade, the door or Secret Passage of its space that it blocks if it can.
    """
    if kind is not FeatureKind.BARRICADE and play.table.has_feature(kind, space):
        return
    if not supplies.is_left(play, supplies.OF_FEATURES.get(kind)):
        return
    blocks = against if against in adjacency.blockable(play.table, space) else None
    first = f"{kind.value}/{space}"
    names = itertools.chain([first], (f"{first}/{number}" for number in itertools.count(2)))
    fresh = next(name for name in names if name not in play.table.features)
    play.emit(FeaturePlaced(Feature(fresh, kind, space, blocks)))


def find(table: SecondEditionTable, kind: FeatureKind, space: SpaceId | None) -> Feature | None:
    """Return the feature of a kind in a space; None if the space has none."""
    found = (f for f in table.features.values() if f.kind is kind and f.space == space)
    return next(found, None)


def remove(play: Play, kind: FeatureKind, space: SpaceId | None) -> None:
    """Discard the features of a kind in a space. Rule DISCARD-3."""
    for feature in tuple(play.table.features.values()):
        if feature.kind is kind and feature.space == space:
            play.emit(FeatureRemoved(feature.feature_id))

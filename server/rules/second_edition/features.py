"""
Features: the square tokens, each used by rules of its own.

Rules FEATURE-1, FEATURE-2, FIRE-11, DARKNESS-7, LIMIT-1 and DISCARD-3. What Fire and Darkness do
stands in their own chapters; no token of the app and no dialogue comes into it.
"""

from protocol.second_edition.events import FeaturePlaced, FeatureRemoved
from protocol.second_edition.table import Feature, FeatureKind, SecondEditionTable, SpaceId
from server.rules.second_edition.play import Play


def place(play: Play, kind: FeatureKind, space: SpaceId) -> None:
    """
    Put a feature into a space of the board, by whatever effect.

    A space holds one of each kind at most (FIRE-11, DARKNESS-7). Fire and Darkness never run out
    (LIMIT-1).
    """
    if not play.table.has_feature(kind, space):
        play.emit(FeaturePlaced(Feature(f"{kind.value}/{space}", kind, space)))


def find(table: SecondEditionTable, kind: FeatureKind, space: SpaceId | None) -> Feature | None:
    """Return the feature of a kind in a space, if there is one."""
    found = (f for f in table.features.values() if f.kind is kind and f.space == space)
    return next(found, None)


def remove(play: Play, kind: FeatureKind, space: SpaceId | None) -> None:
    """Discard the features of a kind that lie in a space. Rule DISCARD-3."""
    for feature in tuple(play.table.features.values()):
        if feature.kind is kind and feature.space == space:
            play.emit(FeatureRemoved(feature.feature_id))

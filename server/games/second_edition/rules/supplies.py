"""
Supplies: the tokens of each kind that are left in the box.

Rules LIMIT-1 to LIMIT-3, TOKEN-3, TOKEN-4, DECIDE-135 and DISCARD-3. Tokens on the board are not in
the box, and discarded tokens return to it, so the number left follows from the table and is not
stored. Cards have decks of their own; `monsters` counts the figures. ID tokens are not counted,
since their numbers continue after the last token of the box (DECIDE-135).
"""

from collections.abc import Mapping

from content.games.second_edition.schema.box import OF_TOKENS, Supply
from protocol.boards.maps import Boundary
from protocol.games.second_edition.table import FeatureKind, SecondEditionTable
from server.games.second_edition.rules.play import Play

OF_FEATURES: Mapping[FeatureKind, Supply] = {
    FeatureKind.BARRICADE: Supply.BARRICADE,
    FeatureKind.SECRET_PASSAGE: Supply.SECRET_PASSAGE,
}
"""Supply of each limited feature. Fire and Darkness never run out. Rule LIMIT-1."""

OF_COVERINGS: Mapping[Boundary, Supply] = {Boundary.WALL: Supply.WALL, Boundary.DOOR: Supply.DOOR}


def is_left(play: Play, supply: Supply | None) -> bool:
    """Return True if a token is left; an unlimited supply always has one. LIMIT-2 and LIMIT-3."""
    if supply is None:
        return True
    return on_board(play.table).count(supply) < play.content.pack.box.count(supply)


def on_board(table: SecondEditionTable) -> tuple[Supply, ...]:
    """Return the supply of each limited token on the board, one entry for each token."""
    return (
        *(OF_TOKENS[token.kind] for token in table.tokens.values()),
        *(OF_FEATURES[f.kind] for f in table.features.values() if f.kind in OF_FEATURES),
        *(OF_COVERINGS[covering.line] for covering in table.coverings),
    )

"""
Naming: the words by which players can type a choice, from the pieces that the choice points at.

The names come from the viewer's own table, so they reveal no secret.
"""

from collections.abc import Iterator

from client.games.cards.speaker import in_game
from client.locale.speaker import Speaker
from protocol.common.asks import Point
from protocol.common.table import GameTable
from protocol.games.cards.table import CardsTable


def pointed_at(base: Speaker, game: GameTable, point: Point) -> Iterator[str]:
    """Yield the names by which a player can type a card or a person that a choice points at."""
    assert isinstance(game, CardsTable)
    speaker, piece = in_game(base, game), point.piece
    if point.kind == "investigator":
        yield speaker.name("character", piece)
    elif piece in game.cards:
        yield speaker.piece(game, piece)
    elif piece in game.hidden_cards and (known := game.known_card(piece)) is not None:
        yield speaker.card(known)

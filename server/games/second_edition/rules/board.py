"""
The board: tiles and tokens as the scenario places them.

Rules TILE-1 to TILE-4, ROOM-3 to ROOM-5, TOKEN-1, TOKEN-6, ACTION-9, DECIDE-25, SECRET-14 and
DISCARD-3.
"""

from content.games.second_edition.schema.box import OF_TOKENS
from content.games.second_edition.schema.scenario import Tile, TokenCard, TokenOption
from protocol.boards.maps import PlacedTile
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    PersonHealth,
    TilePlaced,
    TileRemoved,
    TokenMoved,
    TokenPlaced,
    TokenRemoved,
)
from protocol.games.second_edition.table import SpaceId, Token, TokenId, TokenKind, TokenOffer
from server.games.second_edition.rules import supplies
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.play import Play


def place_tile(play: Play, tile_id: str) -> None:
    """
    Put a tile of the scenario on the board, with everything drawn on it. Rule TILE-4.

    The tile is not placed while the same tile of the pack is on the board under another id: the box
    has one of each (LIMIT-2). Nor is it placed while the board has another tile that the scenario
    lays in the same place.
    """
    tile = tile_card(play, tile_id)
    lie_there = [tile_card(play, placed.tile) for placed in play.table.tiles]
    # `of` is None for a tile with a drawing of its own, of which any number may lie there.
    if any(other.of == tile.of is not None or other.stead == tile.stead for other in lie_there):
        return
    drawing = tuple(tile.drawing.rstrip("\n").split("\n"))
    rooms = tuple(sorted(tile.rooms.items()))
    play.emit(TilePlaced(PlacedTile(tile.id, tile.row, tile.column, drawing, rooms)))


def remove_tile(play: Play, tile_id: str) -> None:
    """Take a tile off the board; it can be placed again. Rule TILE-3."""
    if any(placed.tile == tile_id for placed in play.table.tiles):
        play.emit(TileRemoved(tile_id))


def is_outdoor(play: Play, space: SpaceId) -> bool:
    """Return True if the room of a space has no roof. Rules ROOM-3 to ROOM-5."""
    room = play.table.map.rooms[space]
    return next(found.outdoor for found in play.content.scenario.rooms if found.id == room)


def tile_card(play: Play, tile_id: str) -> Tile:
    return next(tile for tile in play.content.scenario.tiles if tile.id == tile_id)


def token_card(play: Play, token_id: TokenId) -> TokenCard:
    return play.content.scenario.tokens_by_id[token_id]


def place_token(play: Play, token_id: TokenId) -> None:
    """
    Put a token of the scenario on the board, if it is not on it already. Rule TOKEN-1.

    The token is not placed if none of its kind is left (LIMIT-2, TOKEN-3, TOKEN-4), if its space or
    door is not on the board (SPACE-2), or if it shows a person whose token is elsewhere on the
    board (TOKEN-5). Its options without a condition are public: anybody can read them from anywhere
    (ACTION-9).
    """
    card, board = token_card(play, token_id), play.table.map
    persons = [token_card(play, token).person for token in play.table.tokens]
    if card.person is not None and card.person in persons:
        return
    is_left = supplies.is_left(play, OF_TOKENS[card.kind])
    is_there = card.at in board.rooms or card.at in board.doors
    if token_id in play.table.tokens or not is_left or not is_there:
        return
    offers = tuple(
        TokenOffer(Text(option.text), needs_action(card.kind, option))
        for option in card.options
        if option.when is None
    )
    play.emit(TokenPlaced(Token(card.id, card.kind, card.at, offers, card.anonymous)))
    if card.health is not None:
        play.emit(PersonHealth(card.id, max(1, scaled(play, card.health)), 0))


def needs_action(kind: TokenKind, option: TokenOption) -> bool:
    """Return True if an option costs an action. Rules ACTION-5, ACTION-6 and TOKEN-2."""
    return option.action and kind is not TokenKind.SIGHT


def remove_token(play: Play, token_id: TokenId) -> None:
    """Discard a token, if it is on the board. Rules DISCARD-3 and DECIDE-99."""
    if token_id in play.table.tokens:
        play.emit(TokenRemoved(token_id))


def move_token(play: Play, token_id: TokenId, space: SpaceId) -> None:
    """Move a token that is on the board into another space."""
    token = play.table.tokens.get(token_id)
    if token is not None and token.at != space:
        play.emit(TokenMoved(token_id, space))

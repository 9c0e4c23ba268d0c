"""
Naming: the words by which players can type a choice, from the pieces that the choice points at.

The names come from the viewer's own table, so they reveal no secret.
"""

from collections.abc import Iterator

from client.games.first_edition.speaker import in_game
from client.locale.speaker import Speaker
from protocol.common.asks import Point
from protocol.common.table import GameTable
from protocol.games.first_edition.table import FirstEditionTable


def pointed_at(base: Speaker, game: GameTable, point: Point) -> Iterator[str]:
    """
    Yield the names by which a player can type a piece that a choice points at.

    Yield none for a piece that is not on the table. Yield none for the active investigator, who is
    the subject of every choice of a turn.
    """
    assert isinstance(game, FirstEditionTable)
    speaker, piece = in_game(base), point.piece
    match point.kind:
        case "space":
            yield speaker.space(game, piece)
        case "door":
            door = game.map.doors.get(piece)
            yield speaker.say("map.door")
            for space in door.sides if door is not None else ():
                yield speaker.space(game, space)
        case "room":
            yield speaker.room(piece)
        case "lock":
            yield speaker.say("pile.lock")
            yield speaker.room(piece)
        case "investigator" if piece != game.active:
            yield speaker.character(piece)
        case "monster" if piece in game.monsters:
            yield speaker.monster(game, game.monsters[piece])
        case "feature" if (feature := game.features.get(piece)) is not None:
            yield speaker.feature(feature)
            yield speaker.at(game, feature.at)
        case "possession":
            held = [item for who in game.characters() for item in who.items]
            lying = [item for items in game.lying.values() for item in items]
            yield from (speaker.card(one.card) for one in (*held, *lying) if one.piece == piece)
        case "card":
            known = game.known_card(piece) if piece in game.hidden_cards else piece
            spells = [one for who in game.investigators.values() for one in who.spells]
            fronts = (one.card for one in spells if one.handle == piece)
            card = next(fronts, known)
            if card is not None:
                yield speaker.card(card)
        case _:
            pass

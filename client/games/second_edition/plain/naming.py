"""
Naming: the words by which players can type a choice, from the pieces that the choice points at.

A space is called by its map room, a monster by its name, a token by its kind and its place. The
names come from the viewer's own table, so they reveal no secret.
"""

from collections.abc import Iterator

from client.games.second_edition.speaker import in_game
from client.locale.speaker import Speaker
from protocol.common.asks import Point
from protocol.common.table import GameTable
from protocol.games.second_edition.table import Possession, SecondEditionTable, TokenKind


def pointed_at(speaker: Speaker, game: GameTable, point: Point) -> Iterator[str]:
    """Yield the names by which a player can type a piece that a choice points at.

    Yield none for a piece that is not on the table. Yield none for the active investigator, who is
    the subject of every choice of a turn.
    """
    assert isinstance(game, SecondEditionTable)
    piece = point.piece
    match point.kind:
        case "space":
            yield in_game(speaker).space(game, piece)
        case "door":
            yield from _place(speaker, game, piece)
        case "investigator" if piece != game.active:
            # Every choice of a turn is about the active investigator: the name tells nothing, and
            # may have been typed for the question before.
            yield speaker.name("investigator", piece)
        case "monster" if piece in game.monsters:
            yield in_game(speaker).monster(game.monsters[piece])
        case "token" if (token := game.tokens.get(piece)) is not None:
            yield in_game(speaker).token(token)
            if token.kind is TokenKind.PERSON:
                yield speaker.say(f"token.{TokenKind.INTERACT.value}")
            yield from _place(speaker, game, token.at)
        case "feature" if (feature := game.features.get(piece)) is not None:
            yield speaker.say(f"feature.{feature.kind.value}")
            yield from _place(speaker, game, feature.space)
        case "possession":
            held: list[Possession] = [
                one for who in game.investigators.values() for one in who.possessions
            ]
            lying = [one for here in game.lying.values() for one in here]
            for possession in (*held, *lying):
                if possession.possession_id == piece:
                    yield speaker.name("card", possession.face)
        case _:
            pass


def _place(speaker: Speaker, game: SecondEditionTable, where: str) -> Iterator[str]:
    """Yield the map room of a space; for a door, the word for doors and the two rooms beside it."""
    door = game.map.doors.get(where)
    if door is None:
        yield in_game(speaker).space(game, where)
        return
    yield speaker.say("map.door")
    for space in door.sides:
        yield in_game(speaker).space(game, space)

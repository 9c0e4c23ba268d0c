"""
Naming: by which words a choice can be called besides those that it is shown with.

A choice can be called by its kind (`move`, `fight`) and by what it points at: a space by its room,
a monster by its name, a token by what is done with it and where it lies. Only what lies open on the
viewer's own table is looked at.
"""

from collections.abc import Iterator

from client.locale.speaker import Speaker
from client.plain.match import Named
from client.terminal.ascii_fold import folded_words
from protocol.common.asks import Choice, Point
from protocol.games.second_edition.table import Possession, SecondEditionTable, TokenKind


def little_words(speaker: Speaker) -> frozenset[str]:
    """Return the words of the viewer's language that say little, such as articles."""
    return frozenset(folded_words(speaker.say("plain.little_words")))


def named_choice(speaker: Speaker, game: SecondEditionTable | None, choice: Choice) -> Named:
    """Return a choice with all words that it can be called by."""
    kinds = folded_words(speaker.say(f"plain.kinds.{choice.group}")) if choice.group else ()
    also: set[str] = set()
    if game is not None:
        for point in choice.points:
            for text in _pointed_at(speaker, game, point):
                also.update(folded_words(text))
    return Named(speaker.text(choice.text), frozenset(kinds), frozenset(also))


def _pointed_at(speaker: Speaker, game: SecondEditionTable, point: Point) -> Iterator[str]:
    """Yield the names of what a choice points at, if it lies there."""
    piece = point.piece
    match point.kind:
        case "space":
            yield speaker.space(game, piece)
        case "door":
            yield from _place(speaker, game, piece)
        case "investigator" if piece != game.active:
            # Whoever has the turn is in all of it: their name tells nothing, and was perhaps typed
            # for the question before.
            yield speaker.name("investigator", piece)
        case "monster" if piece in game.monsters:
            yield speaker.monster(game.monsters[piece])
        case "token" if (token := game.tokens.get(piece)) is not None:
            yield speaker.token(token)
            if token.kind is TokenKind.PERSON:
                yield speaker.say(f"token.{TokenKind.INTERACT.value}")
            yield from _place(speaker, game, token.at)
        case "feature" if (feature := game.features.get(piece)) is not None:
            yield speaker.say(f"feature.{feature.kind.value}")
            yield from _place(speaker, game, feature.space)
        case "possession":
            yield from _possession(speaker, game, piece)
        case _:
            pass


def _place(speaker: Speaker, game: SecondEditionTable, where: str) -> Iterator[str]:
    """Yield the room that a space lies in, or a door with the rooms that it leads to."""
    door = game.map.doors.get(where)
    if door is None:
        yield speaker.space(game, where)
        return
    yield speaker.say("map.door")
    for space in door.sides:
        yield speaker.space(game, space)


def _possession(speaker: Speaker, game: SecondEditionTable, piece: str) -> Iterator[str]:
    """Yield the face of a possession, wherever it is."""
    held: list[Possession] = [one for who in game.investigators.values() for one in who.possessions]
    lying = [one for here in game.lying.values() for one in here]
    for possession in (*held, *lying):
        if possession.possession_id == piece:
            yield speaker.name("card", possession.face)

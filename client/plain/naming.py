"""
Words that name a choice besides its printed text.

A player can name a choice by its kind (`move`, `fight`), and by the names of the things that the
choice points at, if its game has such names.
"""

from client.locale.speaker import Speaker
from client.plain.game import PlainGame
from client.plain.match import NamedThing
from client.text.ascii_fold import folded_words
from protocol.common.asks import Choice
from protocol.common.table import GameTable


def little_words(speaker: Speaker) -> frozenset[str]:
    """Return the insignificant words of the viewer's language, such as articles."""
    return frozenset(folded_words(speaker.say("plain.little_words")))


def named_choice(
    speaker: Speaker, plain: PlainGame, game: GameTable | None, choice: Choice
) -> NamedThing:
    """Return a choice with all words that name it; `game` is the game's table."""
    key = f"plain.kinds.{choice.group}"
    kinds = folded_words(speaker.say(key)) if speaker.locale.has(key) else ()
    also: set[str] = set()
    if game is not None:
        for point in choice.points:
            for text in plain.pointed_at(speaker, game, point):
                also.update(folded_words(text))
    return NamedThing(speaker.choice(choice), frozenset(kinds), frozenset(also))

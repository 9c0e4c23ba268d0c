"""
Naming: by which words a choice can be called besides those that it is shown with.

A choice can be called by its kind (`move`, `fight`) and by what it points at, as far as its game
gives that a name.
"""

from client.locale.speaker import Speaker
from client.plain.game import PlainGame
from client.plain.match import NamedThing
from client.text.ascii_fold import folded_words
from protocol.common.asks import Choice
from protocol.common.table import GameTable


def little_words(speaker: Speaker) -> frozenset[str]:
    """Return the words of the viewer's language that say little, such as articles."""
    return frozenset(folded_words(speaker.say("plain.little_words")))


def named_choice(
    speaker: Speaker, plain: PlainGame, game: GameTable | None, choice: Choice
) -> NamedThing:
    """Return a choice with all words that it can be called by; `game` is the game's table."""
    key = f"plain.kinds.{choice.group}"
    kinds = folded_words(speaker.say(key)) if speaker.locale.has(key) else ()
    also: set[str] = set()
    if game is not None:
        for point in choice.points:
            for text in plain.pointed_at(speaker, game, point):
                also.update(folded_words(text))
    return NamedThing(speaker.text(choice.text), frozenset(kinds), frozenset(also))

"""Commands: words that are no answers, each with where it makes sense and what it takes."""

import enum
from collections.abc import Callable, Iterable

import attrs

from client.plain.match import NamedThing, fitting
from client.plain.talk import PlayerPlace, Talk


class Takes(enum.Enum):
    """What a command takes after its word."""

    NOTHING = "nothing"
    NUMBERS = "numbers"
    """Nothing, or a number first."""
    NAMES = "names"
    """Nothing, or first a number or the name of something that it offers."""
    WORDS = "words"
    """Anything or nothing."""


def nothing(_: Talk) -> Iterable[str]:
    """Return that nothing can be named after a command."""
    return ()


def no_words(_: Talk, __: str) -> Iterable[str]:
    """Return that a line goes on with no words of the command's own."""
    return ()


def always(_: Talk) -> bool:
    """Return that a command is there."""
    return True


@attrs.frozen
class Command:
    """One word that is no answer, and what it does."""

    name: str
    """Its word in English, and what its words in the catalogs are found under."""
    run: Callable[[Talk, str], None]
    places: frozenset[PlayerPlace]
    """Where it makes sense."""
    takes: Takes = Takes.NOTHING
    is_reading: bool = False
    """Whether it only reads what is known here, so that it needs no connection to the server."""
    is_there: Callable[[Talk], bool] = always
    """Whether there is such a command at all now, such as one for questions in a row."""
    offers: Callable[[Talk], Iterable[str]] = nothing
    """What can be named after it."""
    next_words: Callable[[Talk, str], Iterable[str]] = no_words
    """Words of its own with which a line can go on, by what is typed after the command so far."""

    def accepts(self, talk: Talk, argument: str) -> bool:
        """Return whether a command, where it makes sense, can be followed by that."""
        if not argument or argument[0].isdigit():
            return not argument or self.takes is not Takes.NOTHING
        if self.takes is not Takes.NAMES:
            return self.takes is Takes.WORDS
        names = tuple(NamedThing(name) for name in self.offers(talk))
        # What comes after the first word may say what is done with it.
        return bool(fitting(argument.partition(" ")[0], names))

"""Commands: each word that is not an answer, with its places and its argument."""

import enum
from collections.abc import Callable, Iterable

import attrs

from client.plain.match import NamedThing, fitting
from client.plain.talk import PlayerPlace, Talk


class Takes(enum.Enum):
    """The kind of argument of a command."""

    NOTHING = "nothing"
    NUMBERS = "numbers"
    """No argument, or an argument that begins with a number."""
    NAMES = "names"
    """No argument, or an argument that begins with a number or with a name that the command
    offers."""
    WORDS = "words"
    """Any argument, or none."""


def nothing(_: Talk) -> Iterable[str]:
    return ()


def no_words(_: Talk, __: str) -> Iterable[str]:
    return ()


def always(_: Talk) -> bool:
    return True


@attrs.frozen
class Command:
    """A command word and its action."""

    name: str
    """The English word, which is also part of the command's keys in the catalogs."""
    run: Callable[[Talk, str], None]
    places: frozenset[PlayerPlace]
    """The places where the command is valid."""
    takes: Takes = Takes.NOTHING
    is_reading: bool = False
    """True if the command only reads the model and so needs no connection."""
    is_there: Callable[[Talk], bool] = always
    """Returns whether the command exists now; some exist only for questions in a row."""
    offers: Callable[[Talk], Iterable[str]] = nothing
    """Returns the names that can follow the command."""
    next_words: Callable[[Talk, str], Iterable[str]] = no_words
    """Completes the argument, given the part typed so far."""

    def accepts(self, talk: Talk, argument: str) -> bool:
        if not argument or argument[0].isdigit():
            return not argument or self.takes is not Takes.NOTHING
        if self.takes is not Takes.NAMES:
            return self.takes is Takes.WORDS
        names = tuple(NamedThing(name) for name in self.offers(talk))
        # The words after the name may say what to do with it.
        return bool(fitting(argument.partition(" ")[0], names))

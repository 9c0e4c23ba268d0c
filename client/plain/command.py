"""Commands: each word that is no answer, with the places where it is valid and its argument."""

import enum
from collections.abc import Callable, Iterable

import attrs

from client.plain.match import NamedThing, fitting
from client.plain.talk import PlayerPlace, Talk


class Takes(enum.Enum):
    """The kind of argument of a command."""

    NOTHING = "nothing"
    NUMBERS = "numbers"
    """Nothing, or a number first."""
    NAMES = "names"
    """Nothing, or first a number or the name of something that it offers."""
    WORDS = "words"
    """Anything or nothing."""


def nothing(_: Talk) -> Iterable[str]:
    """Offer no names."""
    return ()


def no_words(_: Talk, __: str) -> Iterable[str]:
    """Offer no words."""
    return ()


def always(_: Talk) -> bool:
    return True


@attrs.frozen
class Command:
    """A command word and its action."""

    name: str
    """The English word, also part of its keys in the catalogs."""
    run: Callable[[Talk, str], None]
    places: frozenset[PlayerPlace]
    """The places where it is valid."""
    takes: Takes = Takes.NOTHING
    is_reading: bool = False
    """True if it only reads the model, so that it needs no connection."""
    is_there: Callable[[Talk], bool] = always
    """Whether the command exists now, such as one for questions in a row."""
    offers: Callable[[Talk], Iterable[str]] = nothing
    """Names that can follow it."""
    next_words: Callable[[Talk, str], Iterable[str]] = no_words
    """Completes its argument, given the part typed so far."""

    def accepts(self, talk: Talk, argument: str) -> bool:
        """Return whether the command takes this argument."""
        if not argument or argument[0].isdigit():
            return not argument or self.takes is not Takes.NOTHING
        if self.takes is not Takes.NAMES:
            return self.takes is Takes.WORDS
        names = tuple(NamedThing(name) for name in self.offers(talk))
        # The words after the name may say what to do with it.
        return bool(fitting(argument.partition(" ")[0], names))

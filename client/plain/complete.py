"""
Completes a line that is being typed.

Candidates are commands, the names that can follow a command, and the words of every choice that
fits the line so far. Words are offered one at a time, in lower case.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from client.plain import commands
from client.plain.command import Command, Takes
from client.plain.match import NamedThing, fitting
from client.plain.naming import little_words
from client.plain.talk import Talk
from client.text.ascii_fold import folded_words

MOST_OFFERED = 100

_LAST = re.compile(r"[^\s,;/]*$")
"""The word before the cursor."""
_WORD = re.compile(r"\w+")


def completions(talk: Talk, typed: str) -> tuple[int, tuple[str, ...]]:
    """
    Return the number of characters to replace before the cursor, and the candidates.

    A single candidate ends with a space if more can follow.

    Args:
        talk: the session of the person who types.
        typed: the line before the cursor.
    """
    match = _LAST.search(typed)
    last = match[0] if match else ""
    before = typed[: len(typed) - len(last)]
    found = _found(talk, before, last)
    if len(found) == 1:
        line = f"{before}{found[0]} "
        command = _command(talk, line.strip())
        is_open = command is not None and command.takes not in {Takes.NOTHING, Takes.NAMES}
        # Free text can follow a command alone, known words any part.
        if (is_open and line.count(" ") == 1) or _found(talk, line, ""):
            found = (f"{found[0]} ",)
    return len(last), found[:MOST_OFFERED]


def _found(talk: Talk, before: str, last: str) -> tuple[str, ...]:
    """Return the candidates for the last word of a line."""
    words = dict.fromkeys(_words(talk, before, last))
    begun = "".join(folded_words(last))
    return tuple(word for word in words if "".join(folded_words(word)).startswith(begun))


def _words(talk: Talk, before: str, last: str) -> Iterator[str]:
    listing = talk.listing()
    named = listing.named if listing is not None else ()
    little = little_words(talk.speaker)
    typed = before.strip()
    if typed in {"", commands.SLASH}:
        # At the empty line of a question, only choices are offered.
        if last or typed or listing is None:
            valid = commands.commands_of(talk).values()
            yield from (talk.word(one.name) for one in valid if talk.place in one.places)
        if not typed:
            # Before the first letter, one word for each choice is enough.
            is_short = not last
            for one in named:
                told = _telling(one.text, little)
                yield from told[:1] if is_short else told
            if not is_short:
                for one in named:
                    yield from sorted(one.kinds)
        return
    command = _command(talk, typed)
    if command is not None:
        names = tuple(NamedThing(name) for name in command.offers(talk))
        argument = commands.split(typed)[1]
        yield from _next_words(names, argument, little)
        yield from command.next_words(talk, argument)
    if not typed.startswith(commands.SLASH):
        # The part before a comma is an answer of its own.
        yield from _next_words(named, re.split("[,;]", before)[-1].strip(), little)


def _command(talk: Talk, typed: str) -> Command | None:
    """Return the command at the beginning of a line if the command is unambiguous and valid."""
    first = commands.split(typed.removeprefix(commands.SLASH))[0]
    whole = commands.whole_command(talk, first)
    short = commands.abbreviated(talk, first, {talk.place})
    found = [whole] if whole is not None else short
    return found[0] if len(found) == 1 and talk.place in found[0].places else None


def _next_words(named: Sequence[NamedThing], typed: str, little: frozenset[str]) -> Iterator[str]:
    """Yield the remaining words of all things that fit the line so far."""
    used = frozenset(folded_words(typed))
    places: Iterable[int] = range(len(named))
    if telling := used - little:
        line = " ".join(sorted(telling))
        places = [at for at, one in enumerate(named) if fitting(line, (one,))]
    for at in places:
        for word in _telling(named[at].text, little):
            if not used & frozenset(folded_words(word)):
                yield word


def _telling(text: str, little: frozenset[str]) -> list[str]:
    """Return the words of a text in lower case, without insignificant words."""
    found = _WORD.findall(text.casefold())
    return [word for word in found if not frozenset(folded_words(word)) <= little]

"""
Parses typed answers: from a line of text to the picks of a question.

A line is a number, several numbers, or words of a choice. A line that fits several choices is
reported as ambiguous, never guessed. Numbers always refer to the printed list.
"""

import re
from collections.abc import Sequence

import attrs

from client.locale.speaker import Speaker
from client.model.tables import TableView
from client.plain.following import follows, in_order
from client.plain.game import plain_at
from client.plain.match import NamedThing, fitting, near, telling
from client.plain.naming import little_words, named_choice
from client.plugs.face import face_of
from client.text.ascii_fold import folded_words
from client.widgets.answering import listed
from protocol.common.asks import Choice, Question
from protocol.common.text import Text

MOST_SHOWN = 6
"""The maximum number of candidates named for an ambiguous line."""
MOST_ECHOED = 40
"""The maximum number of characters that are quoted from a line."""

_COMMAS = re.compile("[,;،、]")


class UnreadableCommand(Exception):
    """A line without a meaning at this moment. The error has a catalog key and its parameters."""

    def __init__(self, key: str, *params: str | int | Sequence[str]) -> None:
        super().__init__(key)
        self.key, self.params = key, params

    def in_words(self, speaker: Speaker) -> str:
        between = speaker.say("say.and_then")
        said = (one if isinstance(one, str | int) else between.join(one) for one in self.params)
        return speaker.say(self.key, *said)


class AmbiguousCommand(UnreadableCommand):
    """A typed line that fits several candidates; the message names the first of them."""

    def __init__(self, fitting: Sequence[str]) -> None:
        super().__init__("plain.ambiguous", named_shortly(fitting))


class UnknownCommand(UnreadableCommand):
    """A typed line that fits nothing; the message names similar candidates, if there are any."""

    def __init__(self, typed: str, close: Sequence[str] = ()) -> None:
        said = typed.strip()[:MOST_ECHOED]
        if close:
            super().__init__("plain.unknown_near", said, tuple(close))
        else:
            super().__init__("plain.unknown", said)


def named_shortly(names: Sequence[str]) -> tuple[str, ...]:
    """Return at most MOST_SHOWN of the names, followed by `…` if there are more."""
    return (*names[:MOST_SHOWN], *(["…"] if len(names) > MOST_SHOWN else []))


def is_number(typed: str) -> bool:
    """Return whether a word is a number in the form that lists use."""
    return typed.isascii() and typed.isdigit()


def are_numbers(line: str) -> bool:
    tokens = _COMMAS.sub(" ", line).split()
    return bool(tokens) and all(map(is_number, tokens))


def place_in(typed: str, most: int) -> int:
    """
    Return the list index of a typed number, which counts from 1.

    Raises:
        UnreadableCommand: the text is no number, or the list has no such number.
    """
    typed = typed.strip()
    if not is_number(typed):
        raise UnreadableCommand("plain.need_number")
    # More digits than any list needs, and fewer than int() refuses.
    number = int(typed[:9])
    if not most:
        raise UnreadableCommand("box.nothing")
    if not 1 <= number <= most:
        raise UnreadableCommand("wrong.number", typed[:9], most)
    return number - 1


def find(typed: str, names: Sequence[str], little: frozenset[str] = frozenset()) -> int:
    """
    Return the index of the name that a number or words mean.

    Raises:
        UnreadableCommand, AmbiguousCommand, UnknownCommand: no name fits, or several do.
    """
    if is_number(typed.strip()):
        return place_in(typed, len(names))
    things = tuple(NamedThing(name) for name in names)
    return _only(typed, things, fitting(typed, things, little), little)


def find_several(
    typed: str, names: Sequence[str], little: frozenset[str] = frozenset()
) -> tuple[int, ...]:
    """
    Return the indexes of all names that a line means, each once.

    The line has numbers or words, with commas or blanks between the names. If all words together
    fit one name, the line means that name only.

    Raises:
        UnreadableCommand, AmbiguousCommand, UnknownCommand: a part fits no name, or several.
    """
    parts = [part for part in _COMMAS.split(typed) if part.strip()]
    if len(parts) == 1 and not fitting(typed, tuple(map(NamedThing, names)), little):
        # If all words are insignificant, the parts stay as typed.
        parts = [word for word in folded_words(typed) if word not in little] or parts
    return tuple(dict.fromkeys(find(part, names, little) for part in parts or [typed]))


def _only(
    typed: str,
    things: Sequence[NamedThing],
    places: Sequence[int],
    little: frozenset[str],
    numbers: Sequence[int] = (),
) -> int:
    numbers = numbers or range(1, len(things) + 1)
    if len(places) == 1:
        return places[0]
    if places:
        raise AmbiguousCommand([f"{numbers[at]} {things[at].text}" for at in places])
    close = near(typed, things, little)
    raise UnknownCommand(typed, [f"{numbers[at]} {things[at].text}" for at in close])


@attrs.frozen
class ListedChoices:
    """The choices of a question as printed, with the words that name each choice."""

    ask_id: int
    question: Question
    choices: tuple[Choice, ...]
    named: tuple[NamedThing, ...]
    numbers: tuple[int, ...]
    """The numbers of the choices, from 1; there may be gaps."""
    little: frozenset[str] = frozenset()
    """Words such as articles, with case and accents removed."""
    none: frozenset[str] = frozenset()
    """Words for choosing nothing, with case and accents removed; empty if the question requires a
    choice."""
    kept: frozenset[int] = frozenset()
    """The numbers of the choices that were in the previous question, too."""
    gone: tuple[int, ...] = ()
    """Numbers that only the previous question used."""
    about: Text | None = None
    """The subject of the question, so that the next question does not repeat the subject."""
    told: Text | None = None
    """The subject of the previous question; None if there was no previous question, or it is the
    same."""

    def fits(self, line: str) -> tuple[int, ...]:
        """Return the indexes of the choices that a line names in words."""
        return fitting(line, self.named, self.little)

    def is_spelled_out(self, line: str) -> bool:
        """Return whether the significant words of a line are all those of exactly one choice."""
        words = telling(folded_words(line), self.little)
        texts = (telling(folded_words(one.text), self.little) for one in self.named)
        return bool(words) and sum(words == text for text in texts) == 1

    def means(self, line: str) -> bool:
        """Return whether a line looks like an answer, even an ambiguous or wrong one."""
        if self._is_none(line) or self._numbers(line) is not None or self.fits(line):
            return True
        parts = self._parts(line) if self._is_many else []
        return bool(parts) and all(is_number(part) or self.fits(part) for part in parts)

    def name(self, place: int) -> str:
        return f"{self.numbers[place]} {self.named[place].text}"

    def picks(self, line: str) -> tuple[str, ...]:
        """
        Return the ids of the choices that a line means.

        Raises:
            UnreadableCommand, AmbiguousCommand, UnknownCommand: no choice fits, or several do.
        """
        at = self._places(line.strip())
        picks = tuple(self.choices[place].choice_id for place in at)
        question = self.question
        match question.faults(picks):
            case None:
                return picks
            case "answer/repeated":
                raise UnreadableCommand("plain.repeated")
            case _ if question.at_least == question.at_most:
                raise UnreadableCommand("plain.exactly", question.at_most, len(picks))
            case _:
                least, most = question.at_least, question.at_most
                raise UnreadableCommand("plain.between", least, most, len(picks))

    @property
    def _is_many(self) -> bool:
        return self.question.at_most > 1

    def _is_none(self, line: str) -> bool:
        is_none = line.strip() == "0" or (frozenset(folded_words(line)) or {""}) <= self.none
        return is_none and not self.question.at_least

    def _numbers(self, line: str) -> list[str] | None:
        """Return the numbers in a line; None if the line has anything else."""
        return _COMMAS.sub(" ", line).split() if are_numbers(line) else None

    def _places(self, line: str) -> list[int]:
        if self._is_none(line):
            return []
        numbers = self._numbers(line)
        if numbers is not None:
            return [self._numbered(number) for number in numbers]
        fits = self.fits(line)
        # Without a comma, words that fit one choice are one pick, not one for each word.
        if not self._is_many or self.is_spelled_out(line) or (fits and not _COMMAS.search(line)):
            return [self._only(line)]
        return [self._place(part) for part in self._parts(line)] or [self._place(line)]

    def _place(self, part: str) -> int:
        if is_number(part.strip()):
            return self._numbered(part)
        return self._only(part)

    def _numbered(self, typed: str) -> int:
        number = place_in(typed, max(self.numbers, default=0)) + 1
        if number not in self.numbers:
            raise UnreadableCommand("plain.no_longer", number)
        return self.numbers.index(number)

    def _only(self, line: str) -> int:
        return _only(line, self.named, self.fits(line), self.little, self.numbers)

    def _parts(self, line: str) -> list[str]:
        """Return the parts between commas; in a line without commas, each significant word."""
        if _COMMAS.search(line):
            return [part for part in _COMMAS.split(line) if part.strip()]
        return [word for word in folded_words(line) if word not in self.little or self.fits(word)]


def list_choices(
    speaker: Speaker, view: TableView, question: Question, before: ListedChoices | None = None
) -> ListedChoices:
    """
    Return the choices of a question in order, with all words that name each choice.

    Args:
        speaker: puts the choices into words.
        view: the table with the open question.
        question: the viewer's part of the question.
        before: the previously printed question. If `question` repeats it, numbers stay the same.
    """
    ask, plain, game = view.ask, plain_at(view), view.table.game
    assert ask is not None
    listing = face_of(view.table.room.ruleset).listing
    was = {} if before is None else dict(zip(before.numbers, before.choices, strict=True))
    kept = frozenset[int]()
    # The same question is printed again.
    if before is not None and (before.ask_id, before.question) == (ask.ask_id, question):
        choices = was
    elif before is not None and follows(before.question, question):
        choices, kept = in_order(was, question, listing)
    else:
        choices = dict(enumerate(listed(question, listing), 1))
    is_next = before is not None and before.ask_id != ask.ask_id
    return ListedChoices(
        ask.ask_id,
        question,
        tuple(choices.values()),
        tuple(named_choice(speaker, plain, game, choice) for choice in choices.values()),
        tuple(choices),
        little_words(speaker),
        frozenset(folded_words(speaker.say("plain.none"))),
        kept,
        tuple(at for at in before.numbers if at not in choices) if before and kept else (),
        ask.about,
        before.about if before is not None and is_next else None,
    )

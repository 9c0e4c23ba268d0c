"""
Typed answers: from a line of text to the picks of a question.

A number, several numbers, or part of a choice's words; what fits more than one choice is said to
be ambiguous and never guessed.
"""

import unicodedata
from collections.abc import Sequence

import attrs

from client.screens.answering import GROUPS
from protocol.common.asks import Choice, Question

MOST_SHOWN = 6
"""How many of the choices that fit are named where a line is ambiguous."""


class UnreadableCommand(Exception):
    """A line that means nothing here: one sentence, by the catalog's key and its parameters."""

    def __init__(self, key: str, *params: str | int) -> None:
        """Say which words of the catalog tell why."""
        super().__init__(key)
        self.key, self.params = key, params


class AmbiguousCommand(UnreadableCommand):
    """A line that means several things."""

    def __init__(self, fitting: Sequence[str]) -> None:
        """Name what fits."""
        named = list(fitting[:MOST_SHOWN]) + (["…"] if len(fitting) > MOST_SHOWN else [])
        super().__init__("plain.ambiguous", "; ".join(named))


def listed(question: Question) -> tuple[Choice, ...]:
    """Return the choices in the order in which they are numbered."""
    order = {group: at for at, group in enumerate(GROUPS)}
    return tuple(sorted(question.choices, key=lambda c: order.get(c.group, len(GROUPS))))


@attrs.frozen
class Listing:
    """A question's choices as they were shown, with their words."""

    question: Question
    choices: tuple[Choice, ...]
    words: tuple[str, ...]
    """Of each choice."""

    def picks(self, line: str) -> tuple[str, ...]:
        """
        Return the choice ids that a line means.

        Raises:
            UnreadableCommand, AmbiguousCommand: it means none, or several.
        """
        at = self._places(line.strip())
        picks = tuple(self.choices[place].choice_id for place in at)
        self._check(picks)
        return picks

    def _places(self, line: str) -> list[int]:
        tokens = line.replace(",", " ").split()
        if tokens == ["0"] and not self.question.at_least:
            return []
        if tokens and all(token.isascii() and token.isdigit() for token in tokens):
            return [self._number(token) for token in tokens]
        parts = [line] if self.question.at_most == 1 else line.split(",")
        return [find(part, self.words) for part in parts]

    def _number(self, token: str) -> int:
        # Longer than any number of choices, and than what int() takes without complaint.
        number = int(token[:9])
        if not 1 <= number <= len(self.choices):
            raise UnreadableCommand("wrong.number", token[:9], len(self.choices))
        return number - 1

    def _check(self, picks: tuple[str, ...]) -> None:
        question = self.question
        match question.faults(picks):
            case None:
                return
            case "answer/repeated":
                raise UnreadableCommand("plain.repeated")
            case _ if question.at_least == question.at_most:
                raise UnreadableCommand("plain.exactly", question.at_most, len(picks))
            case _:
                raise UnreadableCommand(
                    "plain.between", question.at_least, question.at_most, len(picks)
                )


def find(typed: str, texts: Sequence[str]) -> int:
    """
    Return which text is meant: the one that is typed whole, or the only one that fits.

    A text fits if each word typed begins one of its words.

    Raises:
        UnreadableCommand, AmbiguousCommand: none fits, or several.
    """
    wanted = _words(typed)
    if not wanted:
        raise UnreadableCommand("plain.unknown", typed.strip()[:40])
    whole = [at for at, text in enumerate(texts) if _words(text) == wanted]
    if len(whole) == 1:
        return whole[0]
    fitting = [at for at, text in enumerate(texts) if _fits(wanted, _words(text))]
    if not fitting:
        raise UnreadableCommand("plain.unknown", typed.strip()[:40])
    if len(fitting) > 1:
        raise AmbiguousCommand([f"{at + 1} {texts[at]}" for at in fitting])
    return fitting[0]


def _fits(wanted: Sequence[str], words: Sequence[str]) -> bool:
    return all(any(word.startswith(part) for word in words) for part in wanted)


def _words(text: str) -> list[str]:
    """Return the words of a text without case, accents or punctuation, as fingers type them."""
    bare = unicodedata.normalize("NFD", text.casefold())
    kept = (char for char in bare if not unicodedata.combining(char))
    return "".join(char if char.isalnum() else " " for char in kept).split()

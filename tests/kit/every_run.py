"""
Parameters of tests: `make test` tries some of them, and `make test-long` tries the others.

Several parameters often pin one behaviour. The rule is:

- Of a screen, every run looks at 80x24 in each language, at the smallest size in French, whose
  words are longest, and at 120x40 in English (`screens`).
- Of random games, forgeries and other samples by seed, every run takes the first ones (`first`).
- Of combinations, every run takes half, so that each value still occurs (`half_of`).
- Of kept games, every run opens and replays all, and plays on or exports half (`every_second`).
- Of planted faults, which show that a test would see them, every run plants those that each kind of
  viewer or number can show; rules have theirs in `make rules-bite`.
- What is listed is tried whole: each kind of event, message, rule, card, word or key. If the same
  code handles all entries of a list and one of them shows a fault, every run takes those that the
  test names (`some`).

- Of whole games, evenings and programs that are started, every run tries one for each promise; long
  runs try those that show it once more, on more, or from outside.

The only test that pins a rule stays in every run.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
Size = tuple[int, int]
"""Rows and columns."""
LANGUAGES = ("en", "fr")
USUAL, LARGER = (24, 80), (40, 120)


def some(values: Iterable[T], in_every_run: Callable[[T], bool]) -> list[Any]:
    """Return parameters; those for which the function returns False are left to long runs."""
    return [
        value if in_every_run(value) else pytest.param(value, marks=pytest.mark.long)
        for value in values
    ]


def first(count: int, values: Iterable[T]) -> list[Any]:
    """Return parameters; all after the first ones are left to long runs."""
    return [
        value if at < count else pytest.param(value, marks=pytest.mark.long)
        for at, value in enumerate(values)
    ]


def every_second(values: Iterable[T]) -> list[Any]:
    """Return parameters; the second, the fourth and so on are left to long runs."""
    return [
        pytest.param(value, marks=pytest.mark.long) if at % 2 else value
        for at, value in enumerate(values)
    ]


def screens(sizes: Collection[Size]) -> list[Any]:
    """Return parameters `size` and `language`: each combination, with the size in its id."""
    tried = {(USUAL, "en"), (USUAL, "fr"), (LARGER, "en"), (min(sizes), "fr")}
    return [
        pytest.param(
            size,
            language,
            id=f"{size[1]}x{size[0]}-{language}",
            marks=() if (size, language) in tried else pytest.mark.long,
        )
        for size in sizes
        for language in LANGUAGES
    ]


def half_of(first_values: Sequence[Any], second_values: Sequence[Any]) -> list[Any]:
    """Return pairs of parameters; half of them are left to long runs.

    Those of every run lie like the fields of one colour on a chessboard.
    """
    return [
        pytest.param(one, other, marks=pytest.mark.long if (at + place) % 2 else ())
        for at, one in enumerate(first_values)
        for place, other in enumerate(second_values)
    ]

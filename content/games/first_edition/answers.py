"""The keeper's answers to the questions of a story, and what a story is like for each of them."""

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import TypeVar

from content.games.first_edition.schema.story import Story

T = TypeVar("T")

Answers = Mapping[str, str]
"""One option for each question."""
MOST_SETS = 500
"""Maximum number of full sets of answers: all of them are gone through."""


def number_of_sets(story: Story) -> int:
    """Return the number of full sets of answers."""
    return math.prod(len(question.options) for question in story.questions)


def sets_of(story: Story) -> tuple[Answers, ...]:
    """Return every full set of answers, in the order of the questions and their options."""
    return story.answer_sets()


def shown(answers: Answers) -> str:
    """Return answers as authors write them."""
    return "{" + ", ".join(f"{question}: {option}" for question, option in answers.items()) + "}"


def difference(seen: Iterable[tuple[Answers, T]]) -> tuple[Answers, T, Answers, T] | None:
    """
    Return two sets of answers for which different things are seen, each with what is seen; or None.

    They are the two that have most answers in common, so that the question is easily found.

    Args:
        seen: what is seen for each set of answers.
    """
    found = list(seen)
    if all(value == found[0][1] for _, value in found):
        return None
    pairs = ((one, two) for one, two in itertools.combinations(found, 2) if one[1] != two[1])
    one, two = min(pairs, key=lambda pair: _distance(pair[0][0], pair[1][0]))
    return (*one, *two)


def _distance(one: Answers, two: Answers) -> int:
    return sum(one[question] != two[question] for question in one)

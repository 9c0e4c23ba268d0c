"""Words that a server sends: none before what they name is open to whom they are sent to."""

import functools

import pytest

from protocol import messages
from tests.games.first_edition.twins.evenings import Evening, evening

pytestmark = pytest.mark.issue(40)
rule = pytest.mark.rule

OTHERS = ("ann", "ben", "wat")


@functools.cache
def whole() -> Evening:
    """Return an evening that goes on to the last event; the keeper wins."""
    return evening(rounds=20)


def sent_to(one: Evening, name: str, *prefixes: str) -> list[str]:
    """Return the subjects of the words that somebody was sent, in order, by their first part."""
    return [
        subject
        for told in one.clients[name].session.all(messages.Words)
        for subject, _ in told.subjects
        if subject.startswith(prefixes)
    ]


@rule("K-SECRET-5", "K-SECRET-6", "K-SECRET-7", "K-SECRET-8", "K-SECRET-16", "K-SECRET-19")
def test_others_are_sent_no_words_of_what_the_keeper_alone_knows() -> None:
    one = evening(rounds=1)
    hidden = ("objective/", "guide/", "ending/", "clue/", "lock/", "event/", "token/", "mythos/")

    assert [sent_to(one, name, *hidden) for name in OTHERS] == [[], [], []]
    assert sent_to(one, "kim", "objective/", "guide/") == [
        "objective/sitting-up",
        "guide/sitting-up",
    ]


@rule("K-SECRET-16", "K-INFO-8")
def test_the_keeper_is_sent_no_ending_before_the_end() -> None:
    """Nor is one among the words of the objective, which the keeper reads from setup on."""
    one = evening(rounds=1)
    told = [words.subjects for words in one.clients["kim"].session.all(messages.Words)]
    (goal,) = [
        words for part in told for subject, words in part if subject.startswith("objective/")
    ]

    assert [field for field, _ in goal] == ["name", "text"]
    assert sent_to(one, "kim", "ending/") == []


@rule("K-SECRET-6", "K-INFO-8")
@pytest.mark.parametrize("name", ["kim", *OTHERS])
def test_at_the_end_everybody_is_sent_the_ending_that_came(name: str) -> None:
    one = whole()
    hidden = ("guide/",) if name in OTHERS else ()

    assert one.game.ending is not None
    assert sent_to(one, name, "objective/", "ending/", *hidden) == [
        "objective/sitting-up",
        "ending/sitting-up/keeper",
    ]

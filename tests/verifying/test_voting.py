"""Votes and rows of questions: how verifiers judge them."""

from collections.abc import Callable

import pytest

from protocol.common import events
from protocol.event import hidden
from server.kernel.admission.by_table import CHECKS
from tests.kit.tables.playing import Recording, at_card
from tests.verifying.files import File, taken_apart
from tests.verifying.logs import file_of
from tests.verifying.test_passing import verdict, verdict_of

pytestmark = pytest.mark.issue(11)


def voted() -> Recording:
    """Return a game in which hidden votes were shown, and made a majority."""
    recording = at_card("urn")
    for seat, weather in enumerate(("hail", "fog", "hail")):
        recording.answer(seat, weather)
    assert recording.happened(events.VotesShown)
    return recording


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("kind", ["urn", "poll", "march", "packing"])
def test_questions_of_each_kind_are_valid_in_the_middle(kind: str, seat: int) -> None:
    recording = at_card(kind)
    words = {"march": ("rain", "fog"), "packing": ("stake/fox/1", "fog")}.get(kind, ("hail",))
    is_open = recording.ask.has_open_votes
    (recording.vote_for_list if is_open else recording.answer_row)(1, *words)

    assert verdict(recording, seat) == ""


def _keep(file: File, at: int) -> None:
    pass


def _less(file: File, at: int) -> None:
    del file.lines[at].fields[1][0]


def _turned(file: File, at: int) -> None:
    file.lines[at].fields[1].reverse()


def _of_another(file: File, at: int) -> None:
    file.lines[at].fields[0] += 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_keep, ""),
        (_less, "other votes than were given"),
        (_turned, "other votes than were given"),
        (_of_another, "that question is not open"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_all_hidden_votes_are_shown_once_they_are_in(
    change: Callable[[File, int], None], why: str, seat: int
) -> None:
    file = taken_apart(file_of(voted().room, seat=seat))
    [at] = file.of("votes_shown")
    change(file, at)

    said = verdict_of(file.renumbered().sealed())
    assert (why in said) if why else not said


def test_the_votes_are_due_when_all_are_in() -> None:
    file = taken_apart(file_of(voted().room, seat=0))
    [at] = file.of("votes_shown")
    del file.lines[at]

    assert "a votes_shown is due" in verdict_of(file.renumbered().committed_anew().sealed())


_AUDIENCE = list(events.Asked.__annotations__).index("audience")
"""Position of the audience among the fields of a question on the log."""


def _asked_again(recording: Recording, audience: str) -> str:
    """Return the verdict on a log whose last question has another audience."""
    file = taken_apart(file_of(recording.room, seat=0))
    at = file.of("asked")[-1]
    file.lines[at].fields[_AUDIENCE] = audience
    return verdict_of(file.sealed())


def test_only_votes_are_hidden() -> None:
    """Other answers are sealed anyway, each to its giver."""
    assert "nobody votes" in _asked_again(at_card("ballot"), "nobody")
    assert _asked_again(at_card("poll"), "nobody") == ""


def test_an_open_vote_where_votes_are_hidden_is_invalid() -> None:
    """An open vote would be known before all votes are in."""
    recording = at_card("poll")
    recording.vote(0, "hail")

    assert "an open vote where none is asked for" in _asked_again(recording, "nobody")


def test_a_vote_that_was_sealed_is_checked_when_it_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording = at_card("urn")
    monkeypatch.setitem(CHECKS, events.Answered, lambda _table, _answer: None)
    recording.give(events.Answered(0, recording.ask.ask_id, hidden(("nothing",))), 0)
    for seat in (1, 2):
        recording.answer(seat, "hail")

    assert "an answer that was not offered" in verdict(recording, 1)

"""Showing: messages to viewers are made once for all who see the same."""

import random
from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from protocol.brief import segments_of
from protocol.common.table import Observer
from protocol.common.text import subjects_in
from protocol.event import Cut, Stored, cut, cut_for_observer
from protocol.event_contents import shown_strings
from server.lobby.views.showing import Showing
from server.lobby.views.viewer import Viewer
from tests.games.second_edition.simulate import simulate

VIEWERS = (*map(Viewer, (None, 0, 1, 2, 3)), Viewer(observer=Observer("Referee", bytes(32))))


@pytest.fixture(scope="module")
def log() -> tuple[Stored, ...]:
    """Return the first records of a played game of four."""
    return tuple(simulate(5, 4).play().room.log[:400])


def with_audiences(log: Sequence[Stored], rng: random.Random) -> list[Stored]:
    """Return the records with random audiences for each secret."""
    return [_with_audiences(stored, rng) for stored in log]


def _with_audiences(stored: Stored, rng: random.Random) -> Stored:
    parts: Any = codec.unpack_own(stored.public)
    *head, secrets = parts
    mixed = tuple(
        (tuple(sorted(rng.sample(range(4), rng.randint(0, 4)))), commitment)
        for _, commitment in secrets
    )
    return attrs.evolve(stored, public=codec.pack((*head, mixed)))


def as_cut(log: Sequence[Stored], viewer: Viewer, since: int) -> tuple[Cut, ...]:
    """Return what a viewer may see, by the definition in `cut` alone."""
    if viewer.observer is not None:
        return tuple(map(cut_for_observer, log))
    return tuple(cut(one, viewer.seat, since=since) for one in log)


@given(seed=st.integers(0, 2**32), first=st.integers(0, 380), count=st.integers(1, 12))
def test_a_batch_is_to_each_viewer_what_is_cut_for_it(
    log: tuple[Stored, ...], seed: int, first: int, count: int
) -> None:
    """The bytes are equal for random audiences and for any time at which a seat changed hands."""
    rng = random.Random(seed)
    mixed = with_audiences(log[: first + count], rng)
    showing = Showing("room", mixed)
    for viewer in VIEWERS:
        since = rng.choice((0, first, first + 3, len(mixed)))
        [shown] = showing.of_batch(viewer, since, range(first, len(mixed)))
        cuts = as_cut(mixed[first:], viewer, since)
        assert shown.records.cuts == cuts
        assert shown.records.segments == segments_of(cuts)


def test_a_whole_log_is_to_each_viewer_what_is_cut_for_it(log: tuple[Stored, ...]) -> None:
    for viewer in VIEWERS:
        shown = Showing("room", log).one_by_one(viewer, 0, range(len(log)))
        cuts = [one for message in shown for one in message.records.cuts]
        assert tuple(cuts) == as_cut(log, viewer, 0)


def test_the_subjects_of_a_message_are_those_that_a_viewer_can_read(
    log: tuple[Stored, ...],
) -> None:
    for viewer in VIEWERS:
        for shown in Showing("room", log).one_by_one(viewer, 0, range(len(log))):
            strings = [each for one in shown.records.cuts for each in shown_strings(one)]
            assert shown.subjects == tuple(dict.fromkeys(subjects_in(strings)))


def test_viewers_who_see_the_same_are_sent_the_same_message(log: tuple[Stored, ...]) -> None:
    """A spectator and a newly seated player see the same."""
    showing = Showing("room", log)
    [first] = showing.of_batch(Viewer(), 0, range(60, 70))
    [second] = showing.of_batch(Viewer(2), 70, range(60, 70))
    assert first.records is second.records


def test_a_language_has_the_words_of_what_is_named_and_has_some(log: tuple[Stored, ...]) -> None:
    """A reader of a missing language gets English."""
    [shown] = Showing("room", log).of_batch(Viewer(), 0, range(1))
    named = shown.subjects[-1]
    catalogs = {"en": {named: {"name": "A"}, "language": {}}, "fr": {"language": {"zero": "one"}}}
    assert shown.needed(catalogs, "en") == (named,)
    assert shown.needed(catalogs, "fr") == ("language",)
    assert shown.needed(catalogs, "de") == (named,)

"""Limits: token buckets and outboxes count correctly."""

from typing import Any, cast

import pytest

from server.net.limits import Bucket, Limits, PlaceLimits
from server.net.outbox import Backlog, Outbox, Overflow


def test_a_bucket_gives_a_burst_and_then_its_rate() -> None:
    bucket = Bucket(per_second=2, at_once=3)

    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(0.5), bucket.take(0.5)] == [True, False]
    assert [bucket.take(1000) for _ in range(4)] == [True, True, True, False]


def test_an_outbox_gives_payloads_and_streams_in_order() -> None:
    outbox = Outbox(100, 2)
    outbox.put(b"a")
    outbox.put_stream(iter([b"b", b"c"]))
    outbox.put_stream(iter([]))
    outbox.put(b"d")

    assert [outbox.take() for _ in range(5)] == [b"a", b"b", b"c", b"d", None]
    assert outbox.waiting_bytes == 0


def test_an_outbox_refuses_what_is_too_much() -> None:
    outbox = Outbox(5, 1)
    outbox.put(b"abc")
    outbox.put_stream(iter([b"x"]))

    with pytest.raises(Overflow):
        outbox.put(b"def")
    with pytest.raises(Overflow):
        outbox.put_stream(iter([]))
    assert outbox.take() == b"abc"
    outbox.put(b"defgh")
    assert outbox.waiting_bytes == 5


def test_an_outbox_can_be_cleared() -> None:
    outbox = Outbox(5, 1)
    outbox.put(b"abcde")
    outbox.put_stream(iter([b"x"]))

    outbox.clear()

    assert outbox.take() is None
    outbox.put(b"abcde")
    outbox.put_stream(iter([]))


def _noted(backlog: Backlog, size: int, dropped: list[Outbox]) -> Outbox:
    outbox = Outbox(100, 1)

    def drop() -> None:
        dropped.append(outbox)
        outbox.clear()
        backlog.note(outbox, drop)

    outbox.put(bytes(size))
    backlog.note(outbox, drop)
    return outbox


def test_where_too_much_waits_in_all_whoever_holds_most_is_dropped() -> None:
    backlog, dropped = Backlog(10), list[Outbox]()
    greedy = _noted(backlog, 8, dropped)
    _noted(backlog, 2, dropped)
    assert dropped == []

    _noted(backlog, 1, dropped)

    assert dropped == [greedy]
    assert backlog.waiting_bytes == 3


def test_what_was_taken_no_longer_waits_in_all() -> None:
    backlog, dropped = Backlog(10), list[Outbox]()
    first = _noted(backlog, 9, dropped)

    first.take()
    backlog.note(first, lambda: None)
    _noted(backlog, 9, dropped)

    assert dropped == []
    assert backlog.waiting_bytes == 9


@pytest.mark.parametrize("field", ["idle_seconds", "queue_bytes", "queue_bytes_in_all"])
def test_a_limit_of_nothing_is_refused(field: str) -> None:
    """Such a limit would let nobody in."""
    with pytest.raises(ValueError, match=field):
        Limits(**cast("Any", {field: 0}))


@pytest.mark.parametrize("field", ["sessions", "handshakes", "crowded_seconds"])
def test_no_places_are_refused(field: str) -> None:
    """Such a limit would let nobody in."""
    with pytest.raises(ValueError, match=field):
        PlaceLimits(**{field: 0})

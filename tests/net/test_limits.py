"""Limits: buckets, gates and outboxes count right."""

import pytest

from server.net.limits import Bucket, Limits
from server.net.listener import Gate, network_of
from server.net.outbox import Backlog, Outbox, Overflow


def test_a_bucket_gives_a_burst_and_then_its_rate() -> None:
    """Full at first, empty after the burst, refilled by time, never over its size."""
    bucket = Bucket(per_second=2, at_once=3)

    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(0.5), bucket.take(0.5)] == [True, False]
    assert [bucket.take(1000) for _ in range(4)] == [True, True, True, False]


def test_a_gate_counts_in_all() -> None:
    """Whatever the addresses."""
    gate = Gate(Limits(connections=2))

    assert [gate.enter("a"), gate.enter("b"), gate.enter("c")] == [True, True, False]
    gate.leave("a")
    assert gate.enter("c")


def test_a_gate_counts_by_network() -> None:
    """One network cannot take all the room."""
    gate = Gate(Limits(connections_per_address=1))

    assert [gate.enter("a"), gate.enter("a"), gate.enter("b")] == [True, False, True]


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("local", "local"),
    ],
)
def test_an_address_counts_as_its_network(host: str, network: str) -> None:
    """In IPv6 one person has a whole network of addresses."""
    assert network_of(host) == network


def test_an_outbox_gives_payloads_and_streams_in_order() -> None:
    """A stream stands in its place until it is empty."""
    outbox = Outbox(100, 2)
    outbox.put(b"a")
    outbox.put_stream(iter([b"b", b"c"]))
    outbox.put_stream(iter([]))
    outbox.put(b"d")

    assert [outbox.take() for _ in range(5)] == [b"a", b"b", b"c", b"d", None]
    assert outbox.waiting_bytes == 0


def test_an_outbox_refuses_what_is_too_much() -> None:
    """It holds what it held before; taking makes room."""
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
    """Nothing is left, and there is room again."""
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
    """And nobody else, whoever was sent something last."""
    backlog, dropped = Backlog(10), list[Outbox]()
    greedy = _noted(backlog, 8, dropped)
    _noted(backlog, 2, dropped)
    assert dropped == []

    _noted(backlog, 1, dropped)

    assert dropped == [greedy]
    assert backlog.waiting_bytes == 3


def test_what_was_taken_no_longer_waits_in_all() -> None:
    """There is room for others then."""
    backlog, dropped = Backlog(10), list[Outbox]()
    first = _noted(backlog, 9, dropped)

    first.take()
    backlog.note(first, lambda: None)
    _noted(backlog, 9, dropped)

    assert dropped == []
    assert backlog.waiting_bytes == 9


@pytest.mark.parametrize(
    "field", ["connections", "idle_seconds", "queue_bytes", "queue_bytes_in_all"]
)
def test_a_limit_of_nothing_is_refused(field: str) -> None:
    """It would let nobody in."""
    with pytest.raises(ValueError, match=field):
        Limits(**{field: 0})

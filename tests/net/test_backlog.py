"""Backlogs: what piles up while the server stands still is not held against clients."""

import pytest

from protocol.messages import Goodbye, ListTables, Ping, Pong
from server.net.limits import Bucket, Limits
from server.net.standstill import TICK_SECONDS, Standstill
from tests.kit.servers.people import Bench, RawClient, bench

STOOD_STILL = 30
"""Seconds of the standstill."""


def pings(client: RawClient, count: int) -> None:
    """Send pings as one piece of bytes, as they come after a pause."""
    for serial in range(count):
        client.say(Ping(serial))


def stand_still(one: Bench, seconds: float = STOOD_STILL) -> None:
    """Let time pass in which the reactor reads nothing."""
    one.clock.advance(seconds)


def goodbyes(client: RawClient) -> list[str]:
    """Return the codes with which a connection was ended."""
    return [said.code for said in client.said if isinstance(said, Goodbye)]


def settle_after(one: Bench) -> None:
    """Process everything, tens of messages a step."""
    one.network.settle(20)


def test_pings_that_piled_up_while_the_server_stood_still_throw_nobody_out() -> None:
    one = bench()
    client = one.online()
    limits = Limits()
    allowed = int(limits.messages_at_once + STOOD_STILL * limits.messages_per_second) - 1
    one.network.settle(5)

    # They are under way when the reactor stops to look.
    pings(client, allowed)
    stand_still(one)
    settle_after(one)

    assert goodbyes(client) == []
    assert sum(isinstance(said, Pong) for said in client.said) == allowed


def test_a_flood_is_refused_also_after_a_standstill() -> None:
    one = bench()
    client = one.online()
    limits = Limits()
    allowed = int(limits.messages_at_once + STOOD_STILL * limits.messages_per_second)
    one.network.settle(5)

    # The last tick may be some time before the standstill.
    pings(client, allowed + 10 + int(TICK_SECONDS * limits.messages_per_second))
    stand_still(one)
    settle_after(one)

    assert goodbyes(client) == ["limit/messages"]


def test_what_a_standstill_allows_is_over_soon_after() -> None:
    bucket = Bucket(per_second=10, at_once=20)
    assert bucket.take(0.0)

    assert sum(bucket.take(30.0, 30.0) for _ in range(1000)) == 319
    assert sum(bucket.take(100.0, 30.0) for _ in range(1000)) == 20


@pytest.mark.parametrize("seconds", [100.0, 1000.0])
def test_a_standstill_is_no_silence_of_the_client(seconds: float) -> None:
    """While the server stood still, it read no messages of the client."""
    one = bench()
    client = one.online()
    one.network.settle(60)

    stand_still(one, seconds)
    one.network.settle(5)
    was_left = not client.has_ended()
    one.network.settle(20)

    assert was_left
    assert goodbyes(client) == ["limit/idle"]


def test_a_login_that_lay_unread_is_in_time() -> None:
    one = bench()
    client = one.client()

    client.log_in()
    stand_still(one)
    one.network.settle(1)

    assert one.desk.log == ["connected Ann"]


def test_a_client_of_which_enough_waits_is_not_read() -> None:
    """This bounds the memory for the client's messages."""
    one = bench(Limits(unread_bytes=100))
    client = one.online()
    assert client.end is not None
    server = client.end.peer
    assert server is not None
    was_reading: list[bool] = []
    one.desk.on_message = lambda *_: was_reading.append(server.is_reading)

    for serial in range(150):
        client.say(ListTables(serial))
    one.network.settle(5)

    assert False in was_reading
    assert server.is_reading
    assert [message.serial for message in one.desk.heard] == list(range(150))


def test_time_in_which_a_client_was_not_read_is_not_held_against_it() -> None:
    bucket = Bucket(per_second=1, at_once=5)

    taken = [bucket.take(second, held) for second, held in [(0.0, 0.0)] + [(60.0, 60.0)] * 60]

    assert all(taken)


def test_a_standstill_is_counted_from_the_last_tick() -> None:
    one = bench()
    standstill = Standstill(one.clock)
    stand_still(one)
    standstill.enter()
    one.network.settle(10.1)
    before = standstill.seconds()

    stand_still(one, 5)

    assert before == 0
    assert 5 <= standstill.seconds() <= 5 + TICK_SECONDS
    counted = standstill.seconds()
    standstill.leave()
    stand_still(one)
    assert standstill.seconds() == counted
    assert not one.clock.getDelayedCalls()

"""The gate: who gets a place, who is dropped for others, and whose key is known."""

from collections.abc import Callable
from typing import Any
from unittest import mock

import attrs
import pytest
from twisted.internet.task import Clock

from server.net import gate as gate_module
from server.net.addresses import network_of
from server.net.gate import FULL, FULL_HERE, TOO_OFTEN, UNSAID, Gate, Place
from server.net.known_keys import KnownKeys
from server.net.limits import Buckets, PlaceLimits

pytestmark = pytest.mark.issue(13)


@attrs.define
class Street:
    """A gate, and the connections at it by name."""

    limits: PlaceLimits
    clock: Clock = attrs.field(factory=Clock)
    gate: Gate = attrs.field(init=False)
    dropped: list[str] = attrs.field(factory=list)
    places: dict[str, Place] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.gate = Gate(self.limits, self.clock)

    def come(self, name: str, network: str | None = None) -> None:
        """Connect from a network; without one, from a network of its own."""
        place = self.gate.enter(
            name if network is None else network, lambda: self.dropped.append(name)
        )
        self.places[name] = place

    def shake(self, name: str, network: str | None = None) -> None:
        """Connect unless already connected, and complete the TLS handshake."""
        if name not in self.places:
            self.come(name, network)
        self.gate.shook_hands(self.places[name])

    def log_in(self, name: str, key: str = "", network: str | None = None) -> str:
        """Connect, shake hands and log in; return the code of the refusal, or an empty string."""
        self.shake(name, network)
        refusal = self.gate.log_in(self.places[name], (key or name).encode())
        return "" if refusal is None else refusal.code

    def leave(self, name: str) -> None:
        self.gate.leave(self.places.pop(name))

    def meet(self, name: str, network: str | None = None) -> None:
        """Log in with a key and leave again, so that the gate knows the key."""
        assert self.log_in(name, network=network) == ""
        self.leave(name)


def test_one_more_than_may_wait_makes_the_first_go() -> None:
    street = Street(PlaceLimits(handshakes=3))

    for name in "abcde":
        street.come(name)

    assert street.dropped == ["a", "b"]
    assert street.gate.waiting_count == 3


def test_who_has_shaken_hands_makes_way_for_no_silence() -> None:
    street = Street(PlaceLimits())
    street.shake("slow")

    for number in range(1300):
        street.come(f"silent {number}")

    assert "slow" not in street.dropped
    assert len(street.dropped) == 1100


def test_of_those_with_tls_the_address_that_has_most_makes_way() -> None:
    street = Street(PlaceLimits(logins=4))
    street.shake("patient")

    for number in range(50):
        street.shake(f"flood {number}", "flooder")
    street.shake("late")

    assert "patient" not in street.dropped
    assert "late" not in street.dropped
    assert street.dropped == [f"flood {number}" for number in range(48)]


def test_one_address_has_only_so_many_waiting() -> None:
    street = Street(PlaceLimits(waiting_per_address=2))
    street.come("other")
    street.shake("a", "one")

    for name in "bcd":
        street.come(name, "one")

    assert street.dropped == ["a", "b"]


def test_connections_that_a_proxy_has_not_named_count_for_no_address() -> None:
    street = Street(PlaceLimits(handshakes=4, waiting_per_address=1))

    for name in "abcde":
        street.come(name, UNSAID)

    assert street.dropped == ["a"]


@pytest.mark.parametrize("addresses", [1, 5, 199, 1300])
def test_a_flood_of_silence_keeps_nobody_from_logging_in(addresses: int) -> None:
    street = Street(PlaceLimits())
    members = [f"member {number}" for number in range(60)]
    for number in range(1300):
        street.come(f"silent {number}", f"address {number % addresses}")

    for name in members:
        street.come(name, "club")
    for number, name in enumerate(members):
        street.come(f"silent again {number}", f"address {number % addresses}")
        assert street.log_in(name) == ""

    assert street.gate.session_count == 60
    assert not any(name.startswith("member") for name in street.dropped)


def test_who_waits_has_its_time_while_there_is_room() -> None:
    street = Street(PlaceLimits(handshakes=4))
    street.come("a")

    street.clock.advance(100)

    assert street.dropped == []
    assert not street.clock.getDelayedCalls()


def test_once_half_of_those_who_may_wait_do_each_has_five_seconds() -> None:
    street = Street(PlaceLimits(handshakes=4))
    street.come("a")
    street.clock.advance(3)
    street.come("b")

    street.clock.advance(1.9)
    assert street.dropped == []
    street.clock.advance(0.2)

    assert street.dropped == ["a"]
    street.clock.advance(100)
    assert street.dropped == ["a"], "one of four waits: there is room again"


def test_once_half_of_those_with_tls_wait_for_a_login_each_has_five_seconds() -> None:
    street = Street(PlaceLimits(logins=2))
    street.come("a")
    street.clock.advance(4)
    street.shake("a")

    street.clock.advance(1.02)

    assert street.dropped == ["a"]


def test_once_half_of_the_sessions_are_taken_nobody_waits_for_long() -> None:
    street = Street(PlaceLimits(sessions=2))
    street.come("silent")
    street.clock.advance(7)

    assert street.log_in("a") == ""
    street.clock.advance(0.02)

    assert street.dropped == ["silent"]


def test_five_seconds_end_where_rounding_puts_them() -> None:
    """A timer that fires a little early is set again, but not for ever."""
    street = Street(PlaceLimits(handshakes=1))
    street.clock.advance(0.1 + 0.2)
    street.come("a")

    for _ in range(520):
        street.clock.advance(0.01)

    assert street.dropped == ["a"]


def test_a_flood_whose_time_is_up_is_dropped_in_slices() -> None:
    """A turn that dropped all of them would be long."""
    street = Street(PlaceLimits(handshakes=100))
    for number in range(100):
        street.come(f"silent {number}")

    street.clock.advance(5)
    at_once = len(street.dropped)
    for _ in range(5):
        street.clock.advance(0.01)

    assert at_once == 32
    assert 50 < len(street.dropped) <= 100
    assert not street.gate.is_crowded


def test_nobody_who_logged_in_makes_way() -> None:
    street = Street(PlaceLimits(handshakes=2))
    street.log_in("a")

    for number in range(10):
        street.come(f"silent {number}")
    street.clock.advance(100)

    assert "a" not in street.dropped
    assert street.gate.session_count == 1


def test_sessions_are_counted_in_all() -> None:
    street = Street(PlaceLimits(sessions=2))

    assert [street.log_in(name) for name in "abc"] == ["", "", FULL.code]
    street.leave("a")
    assert street.log_in("c") == ""


def test_sessions_are_counted_by_address() -> None:
    street = Street(PlaceLimits(sessions_per_address=1))
    street.log_in("a", network="one")

    assert street.log_in("b", network="one") == FULL_HERE.code
    assert street.log_in("c", network="two") == ""


def test_who_is_refused_waits_on_and_can_be_dropped() -> None:
    """A refused connection that still reads the goodbye takes no session's place."""
    street = Street(PlaceLimits(sessions=1, logins=2))
    street.log_in("a")
    street.log_in("b")

    for name in "cd":
        street.shake(name)

    assert street.dropped == ["b"]


def test_who_made_way_gets_no_session() -> None:
    street = Street(PlaceLimits(logins=1))
    street.shake("a")
    street.shake("b")

    assert street.log_in("a") == FULL.code
    assert street.log_in("b") == ""
    assert street.gate.session_count == 1


def test_the_last_places_are_for_known_keys() -> None:
    street = Street(PlaceLimits(sessions=2, reserved=1))
    for name in ("known", "also known"):
        street.meet(name)
    for name in "ab":
        street.log_in(name)

    assert street.log_in("stranger") == FULL.code
    assert street.log_in("known") == ""
    assert street.log_in("also known") == FULL.code


def test_a_known_key_has_sessions_of_its_own() -> None:
    street = Street(PlaceLimits(sessions_per_address=1, sessions_per_known_key=2))
    street.meet("known", "home")
    street.log_in("stranger", network="club")

    codes = [street.log_in(f"line {n}", "known", "club") for n in range(3)]

    assert codes == ["", "", FULL_HERE.code]
    street.leave("line 0")
    assert street.log_in("line 2", "known", "club") == ""


def test_the_sessions_of_a_key_that_was_a_stranger_go_on_counting_for_the_address() -> None:
    street = Street(PlaceLimits(sessions_per_address=1))
    street.log_in("first", "key", "home")
    street.log_in("second", "key", "home")

    street.leave("first")

    assert street.log_in("stranger", network="home") == ""
    assert street.log_in("another", network="home") == FULL_HERE.code


def test_a_club_that_lost_its_line_is_back_while_the_old_sessions_linger() -> None:
    street = Street(PlaceLimits())
    for number in range(60):
        assert street.log_in(f"old {number}", f"key {number}", "club") == ""

    codes = {street.log_in(f"new {number}", f"key {number}", "club") for number in range(60)}

    assert codes == {""}


def test_logins_of_strangers_have_a_pace_by_address() -> None:
    street = Street(PlaceLimits(address_logins_at_once=2, address_logins_per_second=1))
    street.meet("known", "elsewhere")
    for name in "ab":
        street.meet(name, "one")

    assert street.log_in("c", network="one") == TOO_OFTEN.code
    assert street.log_in("d", network="two") == ""
    assert street.log_in("known", network="one") == ""
    street.clock.advance(1)
    assert street.log_in("c", network="one") == ""


def test_logins_of_a_known_key_have_a_pace_wherever_they_come_from() -> None:
    street = Street(PlaceLimits(key_logins_at_once=2, key_logins_per_second=1))
    street.meet("key")
    codes = [street.log_in(f"line {n}", "key", f"address {n}") for n in range(3)]

    assert codes == ["", "", TOO_OFTEN.code]
    assert street.log_in("other", network="address 2") == ""


def test_a_gate_that_everybody_left_holds_nothing() -> None:
    street = Street(PlaceLimits(handshakes=2))
    street.meet("known")
    for name, key in (("a", "known"), ("b", "b"), ("c", "known")):
        street.log_in(name, key)
    street.shake("d")
    street.come("e")
    place = street.places["a"]
    for name in "abcde":
        street.leave(name)
    street.gate.leave(place)

    gate = street.gate
    queues = (gate._shaking, gate._logging_in)
    held = [each for queue in queues for each in (queue.places, queue.at)]
    assert [len(each) for each in (*held, gate._sessions, gate._sessions_at, gate._own)] == [0] * 7
    assert not street.clock.getDelayedCalls()


# Known keys --------------------------------------------------------------------------------


def test_a_key_is_known_until_it_was_not_seen_for_long() -> None:
    known = KnownKeys(in_all=9, per_network=9, seconds=10)
    known.saw(b"a", "one", 0)
    known.saw(b"b", "one", 0)
    known.saw(b"a", "two", 9)

    assert [known.knows(key, 9) for key in (b"a", b"b", b"c")] == [True, True, False]
    assert [known.knows(key, 10) for key in (b"a", b"b", b"c")] == [True, False, False]
    assert not known.knows(b"a", 19)


def test_an_address_makes_only_so_many_keys_known() -> None:
    known = KnownKeys(in_all=9, per_network=1, seconds=10)
    known.saw(b"a", "one", 0)
    known.saw(b"a", "two", 5)
    known.saw(b"b", "one", 5)
    known.saw(b"c", "two", 5)

    assert [known.knows(key, 5) for key in (b"a", b"b", b"c")] == [True, False, True]
    known.saw(b"b", "one", 15)
    assert known.knows(b"b", 15), "the first was forgotten"


def test_only_so_many_keys_are_known_in_all() -> None:
    known = KnownKeys(in_all=2, per_network=9, seconds=10)
    for key in (b"a", b"b", b"c"):
        known.saw(key, key.decode(), 0)

    assert [known.knows(key, 0) for key in (b"a", b"b", b"c")] == [True, True, False]


def test_no_key_is_in_a_repr() -> None:
    """A key in the log would tell who was here."""
    street = Street(PlaceLimits())
    street.log_in("a", "canary")

    street.log_in("b", "canary")

    shown = repr(street.gate) + "".join(map(repr, street.places.values()))

    assert "canary" not in shown


# Buckets and addresses ---------------------------------------------------------------------


def test_each_name_has_a_bucket() -> None:
    buckets = Buckets[str](per_second=1, at_once=1, most=9)

    assert [buckets.take(name, 0) for name in "aab"] == [True, False, True]
    assert buckets.take("a", 1)


def test_only_so_many_buckets_are_kept() -> None:
    buckets = Buckets[str](per_second=1, at_once=1, most=2)
    for name in "abac":
        buckets.take(name, 0)

    assert len(buckets._buckets) == 2
    assert not buckets.take("a", 0)


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


# Planted faults ----------------------------------------------------------------------------


def drop_newest(gate: Gate, place: Place) -> None:
    """Plant a fault: drop the newest connection, whichever the gate has chosen."""
    newest = next(reversed(gate._shaking.places), place)
    gate.leave(newest)
    newest.drop()


FAULTS: dict[str, tuple[Any, str, Any, Callable[[], None]]] = {
    "the newcomer makes way": (
        Gate,
        "_drop",
        drop_newest,
        test_one_more_than_may_wait_makes_the_first_go,
    ),
    "those with TLS stay among the silent": (
        Gate,
        "shook_hands",
        lambda *_: None,
        test_who_has_shaken_hands_makes_way_for_no_silence,
    ),
    "the first of all makes way": (
        gate_module._Queue,
        "first_of_most",
        lambda queue: next(iter(queue.places)),
        test_of_those_with_tls_the_address_that_has_most_makes_way,
    ),
    "nobody watches the time": (
        Gate,
        "_watch",
        lambda _: None,
        test_once_half_of_those_who_may_wait_do_each_has_five_seconds,
    ),
    "it is never crowded": (
        Gate,
        "is_crowded",
        False,
        test_once_half_of_the_sessions_are_taken_nobody_waits_for_long,
    ),
    "it is always crowded": (
        Gate,
        "is_crowded",
        True,
        test_who_waits_has_its_time_while_there_is_room,
    ),
    "every key is known": (
        KnownKeys,
        "knows",
        lambda *_: True,
        test_the_last_places_are_for_known_keys,
    ),
    "no key is known": (
        KnownKeys,
        "knows",
        lambda *_: False,
        test_a_club_that_lost_its_line_is_back_while_the_old_sessions_linger,
    ),
    "every key has sessions of its own": (
        KnownKeys,
        "knows",
        lambda *_: True,
        test_sessions_are_counted_by_address,
    ),
    "keys are never forgotten": (
        KnownKeys,
        "_forget",
        lambda *_: None,
        test_a_key_is_known_until_it_was_not_seen_for_long,
    ),
    "no pace is kept": (
        Buckets,
        "take",
        lambda *_: True,
        test_logins_of_strangers_have_a_pace_by_address,
    ),
    "no pace of a key is kept": (
        Buckets,
        "take",
        lambda *_: True,
        test_logins_of_a_known_key_have_a_pace_wherever_they_come_from,
    ),
}
"""Planted faults: the object, the attribute, its false value, and the test that fails."""


@pytest.mark.parametrize(("owner", "name", "fault", "sees"), FAULTS.values(), ids=FAULTS)
def test_without_its_guard_the_gate_fails(
    owner: Any, name: str, fault: Any, sees: Callable[[], None]
) -> None:
    with mock.patch.object(owner, name, fault), pytest.raises(AssertionError):
        sees()


# Other limits -------------------------------------------------------------------------------


@pytest.mark.issue(15)
def test_other_limits_hold_from_the_next_login_on() -> None:
    street = Street(PlaceLimits(sessions=1, reserved=1))
    assert street.log_in("ann") == ""
    assert street.log_in("bob") == "limit/connections"

    street.gate.apply_limits(PlaceLimits(sessions=3, reserved=1))
    assert street.log_in("cid") == ""
    street.gate.apply_limits(PlaceLimits(sessions=1, reserved=1))

    assert street.log_in("dan") == "limit/connections"
    assert (street.gate.session_count, street.dropped) == (2, [])


@pytest.mark.issue(15)
def test_other_limits_are_those_of_known_keys_and_buckets_too() -> None:
    """Known keys and buckets keep copies of the limits."""
    street = Street(PlaceLimits())

    street.gate.apply_limits(PlaceLimits(address_logins_at_once=1, known_keys=1, known_seconds=5))

    assert street.log_in("ann", network="here") == ""
    assert street.log_in("bob", network="here") == "limit/logins"
    assert (street.gate._known.in_all, street.gate._known.seconds) == (1, 5)


@pytest.mark.issue(15)
def test_the_same_limits_forgive_nobody() -> None:
    street = Street(PlaceLimits(address_logins_at_once=1))
    assert street.log_in("ann", network="here") == ""

    street.gate.apply_limits(PlaceLimits(address_logins_at_once=1))

    assert street.log_in("bob", network="here") == "limit/logins"

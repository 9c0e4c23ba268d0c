"""Who may open tables: the operator's choice, and delays after wrong passwords."""

import hashlib
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred

from protocol import codec, messages
from protocol.common.table import Settings
from protocol.keys import fingerprint, fingerprint_text
from server.lobby.services.run_detached import run_detached
from server.lobby.tables.opening import KIND
from server.lobby.tables.opening_policy import Chosen, Opening, OpeningDefaults, digest_of
from tests.admin.office import at_once
from tests.kit.servers.house import Client, House
from tests.kit.servers.slow import SlowStore

pytestmark = pytest.mark.issue(15)

PASSWORD = "correct horse"


def name_of(client: Client) -> str:
    """Return the fingerprint of a client's key."""
    return fingerprint_text(fingerprint(client.session.account.key))


def opened(house: House, client: Client, password: str = "") -> str:
    """Ask for a table; return the code of the refusal, empty if it was opened."""
    before = len(client.session.sent)
    client.port.open_table(house.scenario_id(), Settings(), password)
    house.settle()
    for message in client.session.sent[before:]:
        if isinstance(message, messages.Refusal):
            return message.code
        if isinstance(message, messages.TableOpened):
            return ""
    raise AssertionError("no reply")


def house_for(opening: Opening, password: str = "") -> House:
    """Return a server with a policy of opening tables."""
    house = House()
    at_once(house.lobby.openers.choose(opening, password))
    return house


@pytest.fixture(autouse=True)
def _cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace scrypt by a cheap hash that checks the parameters."""
    scrypt = hashlib.scrypt

    def cheap(password: bytes, **how: Any) -> bytes:
        assert (how["n"], how["r"], how["p"]) == (1 << 14, 8, 1)
        return scrypt(password, **{**how, "n": 2})

    monkeypatch.setattr(hashlib, "scrypt", cheap)


def test_the_hash_of_a_password_is_dear(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parameters must stay, or no stored password would open anything."""
    monkeypatch.undo()

    digest = digest_of("open sesame", b"s" * 16)

    assert digest.hex() == "da9591b7c0d1768e2eb873873a9db6291a33efd4eb98a582eccb0d3f4ec35619"


def test_everybody_may_unless_somebody_says_otherwise() -> None:
    house = House()

    assert opened(house, house.client("Ann")) == ""


def test_whoever_was_invited_may() -> None:
    house = House()
    ann, ben = house.client("Ann"), house.client("Ben")
    code = house.open_table(ann)
    at_once(house.lobby.openers.choose(Opening.INVITED))

    assert opened(house, ben) == "table/not_invited"
    house.join(ben, code)
    assert opened(house, ben) == ""


def test_only_those_on_the_list_may() -> None:
    house = House()
    ann = house.client("Ann")
    house.open_table(ann)
    openers = house.lobby.openers
    at_once(openers.choose(Opening.LISTED))

    assert opened(house, ann) == "table/not_listed"
    at_once(openers.list_(name_of(ann)))
    assert opened(house, ann) == ""
    assert at_once(openers.unlist(name_of(ann)))
    assert opened(house, ann) == "table/not_listed"


def test_a_password_is_asked_for_once() -> None:
    house = house_for(Opening.PASSWORD, PASSWORD)
    ann = house.client("Ann")

    assert opened(house, ann) == "table/password"
    assert opened(house, ann, "wrong horse") == "table/wrong_password"
    assert opened(house, ann, PASSWORD) == ""
    assert opened(house, ann) == ""
    house.restart()
    ann = house.client("Ann")
    assert opened(house, ann) == ""
    at_once(house.lobby.openers.choose(Opening.PASSWORD, "another horse"))
    assert opened(house, ann) == "table/password"


def test_a_client_knows_what_to_open_once_it_has_the_password() -> None:
    house = house_for(Opening.PASSWORD, PASSWORD)
    ann = house.client("Ann")
    settings = Settings(takebacks=False)

    ann.port.open_table(house.scenario_id(), settings)
    house.settle()
    asked = ann.model.pending.table
    assert asked is not None
    assert (asked.scenario, asked.settings) == (house.scenario_id(), settings)
    opened(house, ann, PASSWORD)
    assert ann.model.pending.table is None


def test_guesses_are_slowed_by_key() -> None:
    house = house_for(Opening.PASSWORD, PASSWORD)
    ann = house.client("Ann")

    assert [opened(house, ann, f"wrong horse {n}") for n in range(5)] == [
        "table/wrong_password"
    ] * 5
    assert opened(house, ann, PASSWORD) == "table/too_many_guesses"
    house.settle(70)
    assert opened(house, ann, PASSWORD) == ""


def test_guesses_are_slowed_by_address() -> None:
    house = house_for(Opening.PASSWORD, PASSWORD)
    codes = [opened(house, house.client(f"Guest {n}"), "wrong horse") for n in range(24)]
    other = house.client("Ann")
    other.session.network = "192.0.2.99"

    assert "table/too_many_guesses" in codes[20:]
    assert set(codes[:20]) == {"table/wrong_password"}
    assert opened(house, other, PASSWORD) == ""


def test_the_store_has_no_password() -> None:
    house, other = (house_for(Opening.PASSWORD, PASSWORD) for _ in range(2))
    other.entropy.draw(1)
    at_once(other.lobby.openers.choose(Opening.PASSWORD, PASSWORD))
    kept, again = (at_once(_get(one)) for one in (house, other))

    assert PASSWORD.encode() not in kept
    assert kept != again
    assert PASSWORD not in repr(house.lobby.openers)
    assert PASSWORD not in repr(messages.OpenTable(1, Settings(), "x", PASSWORD))


async def _get(house: House) -> bytes:
    found = await house.store.get(KIND, "policy")
    assert found is not None
    return found


def test_a_key_has_so_many_tables() -> None:
    house = House()
    at_once(house.lobby.openers.limit(2, 0))
    ann = house.client("Ann")

    assert [opened(house, ann) for _ in range(3)] == ["", "", "table/too_many_tables"]


def test_an_address_opens_so_many_tables() -> None:
    house = House()
    at_once(house.lobby.openers.limit(0, 2))
    other = house.client("Cat")
    other.session.network = "192.0.2.99"

    codes = [opened(house, house.client(name)) for name in ("Ann", "Ben", "Dan")]
    assert codes == ["", "", "table/too_many_here"]
    assert opened(house, other) == ""


def test_tables_that_are_being_stored_count() -> None:
    for limits, names in (((2, 0), ["Ann"] * 4), ((0, 2), ["Ann", "Ben", "Cat", "Dan"])):
        store = SlowStore()
        house = House(store=store)
        at_once(house.lobby.openers.limit(*limits))
        clients = [house.client(name) for name in names]

        store.clock = house.clock
        for one in clients:
            one.port.open_table(house.scenario_id(), Settings())
        house.settle(10)

        assert sum(len(one.session.all(messages.TableOpened)) for one in clients) == 2
        assert sum(len(one.session.all(messages.Refusal)) for one in clients) == 2


def test_what_operators_choose_at_the_same_moment_all_holds() -> None:
    store = SlowStore()
    house = House(store=store)
    store.clock = house.clock
    openers = house.lobby.openers
    for act in (openers.choose(Opening.INVITED), openers.limit(3, 0), openers.limit(0, 7)):
        run_detached(act)
    house.settle(5)

    chosen = openers.chosen
    assert chosen.opening is Opening.INVITED
    assert (chosen.tables_per_key, chosen.tables_per_address) == (3, 7)


# What the settings say


BY_PASSWORD = OpeningDefaults(Opening.PASSWORD, password=PASSWORD)


def house_with(usual: OpeningDefaults) -> House:
    """Return a server with these defaults in its settings."""
    house = House()
    at_once(house.lobby.openers.apply_settings(usual))
    return house


def test_the_settings_say_who_may() -> None:
    house = house_with(OpeningDefaults(Opening.INVITED))
    ann = house.client("Ann")
    assert opened(house, ann) == "table/not_invited"

    at_once(house.lobby.openers.choose(Opening.EVERYBODY))

    assert opened(house, ann) == ""


def test_who_stands_in_the_settings_may() -> None:
    ann = House().client("Ann")
    house = house_with(OpeningDefaults(Opening.LISTED, listed=(name_of(ann),)))
    ann = house.client("Ann")
    assert opened(house, ann) == ""

    at_once(house.lobby.openers.apply_settings(OpeningDefaults(Opening.LISTED)))

    assert opened(house, ann) == "table/not_listed"


def test_the_password_of_the_settings_is_asked_once() -> None:
    house = house_with(BY_PASSWORD)
    ann = house.client("Ann")
    assert opened(house, ann) == "table/password"
    assert opened(house, ann, PASSWORD) == ""

    house.restart()
    at_once(house.lobby.openers.apply_settings(BY_PASSWORD))
    ann = house.client("Ann")
    assert opened(house, ann) == ""
    at_once(
        house.lobby.openers.apply_settings(attrs.evolve(BY_PASSWORD, password="battery staple"))
    )

    assert opened(house, ann) == "table/password"
    assert opened(house, ann, PASSWORD) == "table/wrong_password"


def test_a_password_that_was_chosen_outdoes_that_of_the_settings() -> None:
    house = house_with(BY_PASSWORD)
    at_once(house.lobby.openers.choose(Opening.PASSWORD, "battery staple"))
    ann, ben = house.client("Ann"), house.client("Ben")
    assert opened(house, ann, PASSWORD) == "table/wrong_password"
    assert opened(house, ann, "battery staple") == ""

    at_once(house.lobby.openers.go_by_settings())

    assert opened(house, ann) == "table/password"
    assert opened(house, ben, PASSWORD) == ""


def test_quotas_are_those_of_the_settings_where_none_is_chosen() -> None:
    house = house_with(OpeningDefaults(tables_per_key=2, tables_per_address=5))
    at_once(house.lobby.openers.limit(0, 1))

    policy = house.lobby.openers.policy
    assert (policy.tables_per_key, policy.tables_per_address) == (2, 1)


def test_what_was_chosen_at_an_earlier_release_is_read() -> None:
    """Earlier releases stored all settings, whichever one was chosen."""
    house = House()
    packed = codec.pack(("listed", 200, 7, b"", b""))
    _ = house.store.put(KIND, "policy", packed)

    house.restart()

    assert house.lobby.openers.chosen == Chosen(Opening.LISTED, 200, 7)


def test_the_password_of_the_settings_is_kept_hashed() -> None:
    house = house_with(BY_PASSWORD)

    kept = [value for (kind, _), value in house.store._values.items() if kind == KIND]

    assert kept
    assert not any(PASSWORD.encode() in value for value in kept)
    assert PASSWORD not in repr(house.lobby.openers)


def test_the_settings_that_were_read_last_hold() -> None:
    house = House()
    openers, hashing = house.lobby.openers, list[Deferred[None]]()

    async def later(work: Callable[[], bytes]) -> bytes:
        hashing.append(Deferred())
        await hashing[-1]
        return work()

    openers.aside = later
    first = Deferred.fromCoroutine(openers.apply_settings(BY_PASSWORD))
    at_once(openers.apply_settings(OpeningDefaults(Opening.PASSWORD)))
    hashing[0].callback(None)

    assert first.called
    assert not openers.policy.password.digest
    assert opened(house, house.client("Ann"), PASSWORD) == "table/password"

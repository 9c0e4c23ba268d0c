"""Observers see all secrets, as late as the table says, and therefore have no seat."""

from collections.abc import Callable

import pytest

from client import locale
from client.settings.table_settings import looking_on
from protocol import messages
from protocol.archive import load
from protocol.common import events
from protocol.common.observers import observer_of, seconds_behind
from protocol.common.table import Observer, RoomTable, Settings, Stage
from protocol.event import Cut, cut, everything, time_of
from protocol.keys import fingerprint
from protocol.messages import encode_message
from server.lobby.views.spectator_delay import SpectatorDelay
from server.lobby.views.viewer import Viewer
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, room_id_of, room_of, seat_all, start_all
from tests.lobby.test_saving import answer_some

pytestmark = pytest.mark.issue(11)

DELAY = 60
SHUT = (events.Chatted.tag, events.SeedsCommitted.tag, events.StandingSet.tag)


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def fingerprint_of(house: House, name: str) -> bytes:
    """Return the fingerprint of somebody's key."""
    return fingerprint(house.client(name).session.account.key)


def observed(house: House, *, delay: int = 0, spectators: bool = False) -> Settings:
    """Return the settings of a table with Rea as its observer."""
    rea = Observer("Rea", fingerprint_of(house, "Rea"), delay)
    return Settings(spectators=spectators, observers=(rea,))


def watching(house: House, host: Client, name: str) -> Client:
    """Return a client that has redeemed the host's invitation to spectate."""
    client = house.client(name)
    client.port.watch(host.session.last(messages.TableOpened).watch_code)
    house.settle()
    return client


def entering(house: House, host: Client, name: str) -> Client:
    """Return a client that has entered the host's table by its id, without an invitation."""
    client = house.client(name)
    client.port.enter(room_id_of(host))
    house.settle()
    return client


def codes(client: Client) -> list[str]:
    """Return the codes of a client's refusals."""
    return [refusal.code for refusal in client.session.all(messages.Refusal)]


def played(house: House, settings: Settings) -> list[Client]:
    """Return two clients in a game of some length, with chat."""
    clients = start_all(house, ["Ada", "Ben"], settings)
    clients[0].port.chat("what nobody else hears")
    answer_some(house, clients, 12)
    return clients


def played_to_its_end(house: House, settings: Settings) -> list[Client]:
    """Return two clients of a finished game, with chat."""
    clients = start_all(house, ["Ada", "Ben"], settings)
    clients[0].port.chat("what nobody else hears")
    for seed, client in enumerate(clients):
        house.bot(client, seed)
    house.settle()
    assert room_of(house, clients[0]).stage is Stage.OVER
    return clients


def seen(client: Client) -> int:
    """Return the number of records that a client holds."""
    return len(client.model.view.records) if client.model.view is not None else 0


def sees_nothing_early(house: House, host: Client, client: Client, delay: int) -> bool:
    """True if a client holds only records older than a delay."""
    assert client.model.view is not None
    now = 1_700_000_000_000 + int(house.clock.seconds() * 1000)
    youngest = max((time_of(c.public) for c in client.model.view.cuts), default=0)
    return youngest <= now - delay * 1000 and seen(client) < len(house.log_of(room_id_of(host)))


@pytest.mark.parametrize("come", [watching, entering])
def test_an_observer_is_sent_all_secrets_but_those_that_stay_shut(
    house: House, come: Callable[[House, Client, str], Client]
) -> None:
    ada, _ = played_to_its_end(house, observed(house))

    rea = come(house, ada, "Rea")

    log, view = house.log_of(room_id_of(ada)), rea.model.view
    assert view is not None
    assert len(view.cuts) == len(log)
    shut = {
        view.records[at].event.tag for at, c in enumerate(view.cuts) if c != everything(log[at])
    }
    assert {events.Chatted.tag, events.SeedsCommitted.tag} <= shut <= {*SHUT}
    assert any(c != cut(log[at], None) for at, c in enumerate(view.cuts))


def test_an_observer_sees_each_record_as_late_as_the_settings_say(house: House) -> None:
    ada, _ = played(house, observed(house, delay=DELAY))
    rea = watching(house, ada, "Rea")

    house.settle(DELAY - 20)
    assert sees_nothing_early(house, ada, rea, DELAY)
    count = len(house.log_of(room_id_of(ada)))
    house.settle(DELAY + 20)
    assert seen(rea) >= count


def test_an_observer_and_a_spectator_wait_for_their_own_delays(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], observed(house, delay=DELAY, spectators=True))
    rea, wat = watching(house, ada, "Rea"), watching(house, ada, "Wat")

    ada.port.chat("now")
    house.settle()

    assert seen(wat) == len(house.log_of(room_id_of(ada)))
    assert sees_nothing_early(house, ada, rea, DELAY)


def test_a_spectator_at_an_observed_table_is_shown_no_secret(house: House) -> None:
    ada, _ = played(house, observed(house, spectators=True))

    wat = watching(house, ada, "Wat")

    assert wat.model.view is not None
    assert not any(shown.openings for shown in wat.model.view.cuts)


def test_whoever_is_on_no_list_is_refused_where_nobody_may_watch(house: House) -> None:
    ada, _ = played_to_its_end(house, observed(house))

    assert codes(watching(house, ada, "Wat")) == ["table/no_spectators"]
    assert codes(entering(house, ada, "Cleo")) == ["table/no_such_table"]


def test_an_observer_is_given_a_seat_in_no_way(house: House) -> None:
    settings = observed(house)
    ada, ben = seat_all(house, ["Ada", "Ben"], settings)
    rea = house.client("Rea")
    rea.port.join(ada.session.last(messages.TableOpened).code)
    house.settle()
    assert codes(rea) == ["table/observer"]

    get_ready(house, [ada, ben])
    ada.port.start()
    house.settle()
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=False)
    house.settle()
    rea.port.join(ada.session.last(messages.InvitationMade).code)
    house.settle()
    assert codes(rea) == ["table/observer", "table/observer"]
    assert not room_of(house, ada).seats[1].key


def test_an_observer_opens_no_such_table(house: House) -> None:
    rea = house.client("Rea")

    rea.port.open_table("core/sluice-house", observed(house))
    house.settle()

    assert codes(rea) == ["table/observer"]
    assert not house.lobby.registry.summaries


@pytest.mark.parametrize("names", [("Rea", "Ria"), ("a/b",), (" Rea",)])
def test_observers_that_cannot_be_are_refused(house: House, names: tuple[str, ...]) -> None:
    key = fingerprint_of(house, "Rea")
    ada = house.client("Ada")

    ada.port.open_table(
        "core/sluice-house", Settings(observers=tuple(Observer(name, key) for name in names))
    )
    house.settle()

    assert codes(ada) == ["table/unfit_observers"]


def test_an_observed_table_takes_no_fixed_setup(house: House) -> None:
    """Other tables may still have to play the house that the observer would see."""
    ada, _ = seat_all(house, ["Ada", "Ben"], observed(house))
    ada.send(messages.MakeSetup(500))
    house.settle()

    ada.send(messages.FixSetup(501, room_id_of(ada), ada.session.last(messages.SetupMade).code))
    house.settle()

    assert codes(ada) == ["setup/observed"]


def test_a_file_of_an_observer_is_a_spectators_cut(house: House) -> None:
    ada, _ = played(house, observed(house, delay=DELAY))
    rea = watching(house, ada, "Rea")
    house.settle(DELAY // 2)

    rea.send(messages.ExportTable(500, room_id_of(ada)))
    house.settle()

    parts = rea.session.all(messages.ExportPart)
    archive = load(b"".join(part.data for part in parts))
    assert len(archive.records) == seen(rea)
    assert (archive.header.seat, archive.header.is_whole) == (-1, False)


def test_that_an_observer_comes_tells_nobody_anything(house: House) -> None:

    def heard(*, is_observed: bool) -> list[list[bytes]]:
        house = House()
        ada, ben = start_all(house, ["Ada", "Ben"], observed(house))
        rea = house.client("Rea")
        if is_observed:
            rea.port.watch(ada.session.last(messages.TableOpened).watch_code)
        house.settle()
        for seed, client in enumerate((ada, ben)):
            house.bot(client, seed)
        house.settle(3)
        return [[encode_message(message) for message in one.session.sent] for one in (ada, ben)]

    assert heard(is_observed=True) == heard(is_observed=False)


# Planted faults ----------------------------------------------------------------------------


def test_a_delay_that_is_ignored_is_seen(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault ignores the delay, so the check `sees_nothing_early` must fail."""
    monkeypatch.setattr(SpectatorDelay, "end", lambda _self, room, _seconds: len(room.log))
    ada, _ = played(house, observed(house, delay=DELAY))

    rea = watching(house, ada, "Rea")

    assert not sees_nothing_early(house, ada, rea, DELAY)


def test_a_seat_that_is_let_observe_is_seen(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault asks the list of observers before the seats."""

    def careless(room: RoomTable, key: bytes) -> Viewer:
        return Viewer(None, observer_of(room.settings, key))

    monkeypatch.setattr("server.kernel.admission.by_table._no_observer", lambda _room, _key: None)
    settings = Settings(observers=(Observer("Ben", fingerprint_of(house, "Ben")),))
    ada, ben = played(house, settings)
    mine = {at for at, c in enumerate(cuts_of(house, ada, ben)) if c.openings}
    monkeypatch.setattr("server.lobby.finished.access.viewer_of", careless)

    again = entering(house, ada, "Ben")

    assert again.model.view is not None
    assert {at for at, shown in enumerate(again.model.view.cuts) if shown.openings} - mine


def test_a_seat_on_the_list_is_shown_as_a_seat_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An observer's key is refused a seat; if one had a seat nevertheless, the seat would count."""
    monkeypatch.setattr("server.kernel.admission.by_table._no_observer", lambda _room, _key: None)
    settings = Settings(observers=(Observer("Ben", fingerprint_of(house, "Ben")),))
    ada, ben = played(house, settings)

    again = entering(house, ada, "Ben")

    assert again.model.view is not None
    assert again.model.view.seat == 1
    assert again.model.view.cuts == cuts_of(house, ada, ben)


def cuts_of(house: House, host: Client, seated: Client) -> list[Cut]:
    """Return the cuts of a log for a person's seat."""
    seat = room_of(house, host).seat_of(seated.session.account.key)
    return [cut(stored, seat) for stored in house.log_of(room_id_of(host))]


def test_an_observer_is_told_their_own_delay() -> None:
    rea = Observer("Rea", fingerprint(b"r" * 32), 300)
    settings = Settings(spectators=True, spectators_delay_seconds=60, observers=(rea,))

    assert seconds_behind(settings, b"r" * 32) == 300
    assert seconds_behind(settings, b"s" * 32) == 60
    assert "5 minutes" in looking_on(locale.load("en"), settings, b"r" * 32)

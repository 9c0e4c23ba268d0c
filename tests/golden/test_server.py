"""Today's server on the folder of an earlier release: identity, tables, seats, invitations."""

from collections.abc import Iterator
from datetime import UTC, datetime

import attrs
import pytest
from twisted.internet.task import Clock

from protocol import messages
from protocol.archive import load
from protocol.audit import audit
from protocol.common.table import Settings, Stage
from protocol.keys import fingerprint, fingerprint_text
from server.identity.certificate import own_certificate
from server.identity.identity import load_identity
from server.lobby.lobby import Lobby
from server.net.handler import Account
from tests.golden.opening import Kept, Opened, key_of
from tests.kit.servers.house import FakeSession

KEPT = Kept("0.1.0")


@attrs.define(eq=False)
class Visit:
    """A logged-in client."""

    lobby: Lobby
    session: FakeSession
    serial: int = 0

    def ask(self, kind: type[messages.ClientMessage], *fields: object) -> messages.ServerMessage:
        """Send a request to the lobby and return its reply."""
        self.serial += 1
        self.lobby.sessions.received(self.session, kind(self.serial, *fields))
        replies = [m for m in self.session.sent if getattr(m, "serial", None) == self.serial]
        return replies[-1]


@attrs.define(eq=False)
class Running:
    """A server started on a copy of the folder."""

    opened: Opened
    lobby: Lobby

    def visit(self, name: str) -> Visit:
        """Log in with a person's key."""
        session = FakeSession(Account(key_of(name).public, name, "en"))
        self.lobby.sessions.connected(session)
        return Visit(self.lobby, session)

    def room_id(self, name: str) -> str:
        room_id: str = KEPT.rooms[name]["room_id"]
        return room_id


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Run one server for all tests; visitors stay connected."""
    opened = Opened.of(KEPT, KEPT.copy_server(tmp_path_factory.mktemp("golden") / "server"))
    opened.offer("lock-house")
    running = Running(opened, opened.lobby(Clock()))
    yield running
    running.lobby.close()
    opened.close()


def rooms_of(name: str) -> dict[str, str]:
    """Return the ids and names of the rooms in which somebody has a seat."""
    key = key_of(name).public.hex()
    rooms = KEPT.rooms.items()
    return {facts["room_id"]: room for room, facts in rooms if key in facts["keys"].values()}


def test_identity_and_certificate_are_those_of_the_folder(running: Running) -> None:
    """Clients have pinned the identity."""
    folder = running.opened.folder
    kept = (KEPT.folder / "server" / "certificate.pem").read_bytes()

    identity = load_identity(folder, bytes)
    certificate = own_certificate(folder, datetime(2025, 1, 1, tzinfo=UTC))

    assert fingerprint_text(fingerprint(identity.public)) == KEPT.facts["server"]
    assert certificate.key_pem + certificate.chain_pem == kept


@pytest.mark.parametrize("name", ["Ann", "Ben", "Cleo", "Dan", "Dee", "Zoe"])
def test_key_has_its_seats(running: Running, name: str) -> None:
    kept = KEPT.facts["summaries"]

    found = {one.room_id: one for one in running.lobby.registry.of_key(key_of(name).public)}

    told = {at: (one.scenario, one.stage.value, one.names) for at, one in found.items()}
    assert told == {
        at: (one["scenario"], one["stage"], tuple(one["names"]))
        for at, one in kept.items()
        if at in rooms_of(name)
    }
    assert all(one.when >= kept[at]["when"] for at, one in found.items())


def test_who_is_waited_for_is_told(running: Running) -> None:
    tables = running.visit("Ann").ask(messages.ListTables)

    assert isinstance(tables, messages.Tables)
    waited = {rooms_of("Ann")[line.room_id] for line in tables.lines if line.is_my_turn}
    assert {"open-any-one", "seat-empty", "product-off"} <= waited
    assert not waited & set(KEPT.named("over", "lobby", "starting"))


@pytest.mark.parametrize("name", ["in-the-middle", "paused", "start-opened", "harrow-light"])
def test_owner_of_a_seat_is_shown_the_room(running: Running, name: str) -> None:
    ann = running.visit("Ann")

    entered = ann.ask(messages.EnterTable, running.room_id(name), -1)

    assert isinstance(entered, messages.Entered)
    shown = [cut for message in ann.session.all(messages.Records) for cut in message.cuts]
    assert entered.seat == 0
    assert len(shown) >= entered.next_sequence >= KEPT.rooms[name]["events"]
    assert ann.session.all(messages.Words)


def test_invitation_to_any_seat_opens(running: Running) -> None:
    joined = running.visit("Eve").ask(messages.JoinTable, KEPT.rooms["lobby"]["code"])

    assert isinstance(joined, messages.Joined)
    assert (joined.room_id, joined.seat) == (running.room_id("lobby"), 2)


def test_invitation_to_a_seat_that_was_given_away_opens(running: Running) -> None:
    joined = running.visit("Fay").ask(messages.JoinTable, KEPT.rooms["seat-empty"]["code"])

    assert isinstance(joined, messages.Joined)
    assert (joined.room_id, joined.seat) == (running.room_id("seat-empty"), 1)


@pytest.mark.parametrize("name", ["in-the-middle", "talked", "unpublished"])
def test_invitation_to_look_on_opens(running: Running, name: str) -> None:
    gus = running.visit("Gus")
    room_id = running.room_id(name)

    joined = gus.ask(messages.WatchTable, KEPT.rooms[name]["watch_code"])
    entered = gus.ask(messages.EnterTable, room_id, -1)

    assert joined == messages.Joined(1, room_id, -1)
    assert isinstance(entered, messages.Entered)
    shown = [cut for message in gus.session.all(messages.Records) for cut in message.cuts]
    assert len(shown) >= KEPT.rooms[name]["events"]
    assert not any(cut.openings for cut in shown)


def test_finished_room_is_exported_to_its_player(running: Running) -> None:
    ben = running.visit("Ben")

    ben.ask(messages.ExportTable, running.room_id("went-back"))

    data = b"".join(part.data for part in ben.session.all(messages.ExportPart))
    report = audit(load(data))
    assert report.is_whole
    assert report.record_count == KEPT.rooms["went-back"]["events"]


def test_campaign_goes_on_where_it_was_left(running: Running) -> None:
    cleo, dan = running.visit("Cleo"), running.visit("Dan")
    opened = cleo.ask(messages.OpenTable, Settings(), "lock-house/first-night")
    assert isinstance(opened, messages.TableOpened)
    dan.ask(messages.JoinTable, opened.code)
    cleo.ask(messages.EnterTable, opened.room_id, -1)

    done = cleo.ask(messages.ContinueCampaign, opened.room_id)

    assert isinstance(done, messages.Done)
    room = running.lobby.registry.hosts[opened.room_id].room.table.room
    assert room.scenario == "lock-house/last-night"
    assert room.legacy is not None
    assert room.stage is Stage.LOBBY

"""A server that grinds the dice: hidden starts, forged consent and copied shares."""

import asyncio
from argparse import Namespace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.defer import Deferred, fail

from client.commands import robots
from client.commands.verify import Verdict
from client.keyring.shares import FILE, KeptShares
from client.locale import load as load_words
from client.model.model import ClientModel
from client.net.ceremony import MOST_UNASKED
from client.terminal.runner import NotReached
from protocol import messages
from protocol.archive import BadArchive, load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import Stage, Table
from protocol.event import CLOCK, Event
from server.kernel.admission.by_table import CHECKS
from server.kernel.errors import Refused
from server.lobby.rooms.host import Decision, RoomHost
from server.lobby.rooms.room_clock import START_SECONDS, missing_at_start
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, room_id_of, room_of, seat_all
from tests.verifying.logs import types, verifier

pytestmark = pytest.mark.issue(36)


def exported(house: House, client: Client) -> bytes:
    """Return the export of a client's table."""
    client.send(messages.ExportTable(client.next_serial(), room_id_of(client)))
    house.settle()
    return b"".join(part.data for part in client.session.all(messages.ExportPart))


def fault_of(data: bytes) -> tuple[int | None, int | None]:
    """Return the first wrong event of a file, according to each of the two verifiers."""
    ours = theirs = None
    try:
        audit(load(data))
    except BadArchive as error:
        ours = error.sequence
    try:
        verifier().verify(data, types())
    except verifier().Wrong as wrong:
        theirs = wrong.args[1]
    return ours, theirs


class Grinding:
    """A server that reads a share, leaves it out of the log, and declares the start failed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
        self.hidden: set[object] = set()
        submit = RoomHost.submit

        def grind(
            host: RoomHost, event: Event | Decision, origin: int, *, key: bytes | None = None
        ) -> Deferred[Table]:
            room = host.room.table.room
            is_opening = isinstance(event, events.ShareOpened) and room.play_seed is not None
            seed = room.play_seed.ref if room.play_seed is not None else None
            if not is_opening or not (len(self.hidden) < times or seed in self.hidden):
                return submit(host, event, origin, key=key)
            self.hidden.add(seed)
            if room.ceremony is not None:
                failed = events.StartFailed(missing_at_start(room))
                _ = submit(host, failed, CLOCK).addErrback(lambda _: None)
            return fail(Refused("start/not_now"))

        monkeypatch.setattr(RoomHost, "submit", grind)


class Refusing:
    """A server that processes some inputs of clients but says that it refused them."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, kinds: set[type[Event]], times: int
    ) -> None:
        self.left = times
        submit = RoomHost.submit

        def refuse(
            host: RoomHost, event: Event | Decision, origin: int, *, key: bytes | None = None
        ) -> Deferred[Table]:
            if type(event) not in kinds or not self.left:
                return submit(host, event, origin, key=key)
            self.left -= 1
            return fail(Refused("start/not_now"))

        monkeypatch.setattr(RoomHost, "submit", refuse)


def start(house: House, clients: list[Client]) -> None:
    """Make all seats ready, and let the host start."""
    get_ready(house, clients)
    clients[0].port.start()
    house.settle()


@pytest.mark.parametrize("has_setup", [False, True])
def test_starts_that_a_server_hid_are_counted_by_what_seats_signed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, has_setup: bool
) -> None:
    """A fixed setup decides the house but not the dice, so its starts count, too."""
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    if has_setup:
        ann.send(messages.MakeSetup(ann.next_serial()))
        house.settle()
        ann.port.fix_setup(ann.session.last(messages.SetupMade).code)
        house.settle()
    ann.port.own_shares.shares = KeptShares(tmp_path / FILE)
    told: list[str] = []
    ann.model.on_change.append(lambda: told.append(ann.model.bar.text))
    server = Grinding(monkeypatch, times=2)
    for _ in range(3):
        start(house, [ann, ben])

    assert len(server.hidden) == 2
    assert room_of(house, ann).stage is Stage.PLAYING
    assert any("asks for your share of chance again" in text for text in told)
    data = exported(house, ann)
    report = audit(load(data))
    assert report.counts.starts_hidden == 2
    assert report.counts.starts_silent == 2
    lines = Verdict(load(data), report).lines("it", load_words("en"))
    assert any(line.startswith("WARNING: a seat opened its share at starts") for line in lines)
    theirs = verifier().verify(data, types())
    assert (theirs.hidden, theirs.silent) == (2, 2)


def test_the_number_outlives_the_client(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The client stores the number of its starts before it sends the share."""
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    ann.port.own_shares.shares = KeptShares(tmp_path / FILE)
    Grinding(monkeypatch, times=1)
    start(house, [ann, ben])
    ann.port.own_shares._last.clear()

    start(house, [ann, ben])

    assert [one.number for one in ann.port.own_shares.shares.opened_at(room_id_of(ann))] == [1, 2]
    assert audit(load(exported(house, ann))).counts.starts_hidden == 1


def test_no_share_is_opened_after_the_third_without_its_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    server = Grinding(monkeypatch, times=100)
    get_ready(house, [ann, ben])
    for _ in range(MOST_UNASKED + 1):
        # Nothing in this lets the player say anything: readiness stays, and the host asks.
        start_again(house, [ann, ben])
    assert len(server.hidden) == MOST_UNASKED
    assert "say again that you are ready" in ann.model.bar.text
    house.settle(START_SECONDS + 1)

    start(house, [ann, ben])

    assert len(server.hidden) == MOST_UNASKED + 1


def start_again(house: House, clients: list[Client]) -> None:
    """Start again as if all seats were ready, though the log says that one was missing."""
    for client in clients:
        allowed = set(client.port.own_shares._allowed)
        client.port.set_ready(True)
        client.port.own_shares._allowed.intersection_update(allowed)
        house.settle()
    clients[0].port.start()
    house.settle()


def test_a_server_gives_no_consent_in_a_players_name(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    get_ready(house, [ann, ben])
    host = house.host_of(ann)
    said = next(e for e in happened_of(house, ann) if isinstance(e, events.ReadySet) and e.seat)
    ben.port.set_ready(False)
    house.settle()

    for forged in (events.ReadySet(1, is_ready=True), said, events.StartRequested(0)):
        refused: list[Any] = []
        _ = host.submit(forged, forged.seat).addErrback(refused.append)
        house.settle()
        assert refused[0].value.code in {"start/signature", "table/not_all_ready"}

    # A server that does not ask itself is found out by both verifiers.
    monkeypatch.setitem(CHECKS, events.ReadySet, lambda _table, _event: None)
    at = len(host.room.log)
    _ = host.submit(said, 1)
    house.settle()
    assert fault_of(exported(house, ann)) == (at, at)


def happened_of(house: House, client: Client) -> list[Event]:
    """Return the events of the table that a client follows, as that client has them."""
    assert client.model.view is not None
    return [record.event for record in client.model.view.records]


def test_a_copied_share_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    get_ready(house, [ann, ben])
    ben.session.hear = None
    ann.port.start()
    house.settle()
    host = house.host_of(ann)
    ceremony = host.room.table.room.ceremony
    assert ceremony is not None
    copied = events.ShareCommitted(1, ceremony.commitments[0])

    refused: list[Any] = []
    _ = host.submit(copied, 1).addErrback(refused.append)
    house.settle()
    assert refused[0].value.code == "start/copied"

    monkeypatch.setitem(CHECKS, events.ShareCommitted, lambda _table, _event: None)
    at = len(host.room.log)
    _ = host.submit(copied, 1)
    house.settle()
    assert fault_of(exported(house, ann)) == (at, at)


def test_a_share_that_was_refused_is_known_to_the_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    ann.port.own_shares.shares = KeptShares(tmp_path / FILE)
    told: list[str] = []
    ann.model.on_change.append(lambda: told.append(ann.model.bar.text))
    Refusing(monkeypatch, {events.ShareOpened}, times=10**6)
    start(house, [ann, ben])
    ann.port.chat("hello?")
    house.settle(START_SECONDS + 1)

    assert room_of(house, ann).stage is Stage.LOBBY
    assert any("This start failed although your share of chance was sent" in text for text in told)


def test_a_bot_gives_no_share_after_the_third(monkeypatch: pytest.MonkeyPatch) -> None:
    """After three starts a client asks its player for consent, and a bot has no player."""
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    ann.port.own_shares.has_player = False
    server = Grinding(monkeypatch, times=100)
    for _ in range(MOST_UNASKED + 2):
        start(house, [ann, ben])
        house.settle(START_SECONDS + 1)

    assert ann.port.own_shares._last[room_id_of(ann)].number == MOST_UNASKED == len(server.hidden)
    start(house, [ann, ben])
    assert ann.port.own_shares.is_held
    assert "say again that you are ready" in ann.model.bar.text

    model, shares = ClientModel("Bot", b"k" * 32), SimpleNamespace(has_player=True)
    gone = SimpleNamespace(model=model, port=SimpleNamespace(own_shares=shares))
    gone.online = gone.close = partial(maybe_failed, NotReached("gone"))
    monkeypatch.setattr(robots, "connect", lambda *_: gone)
    options = Namespace(seed=1, party=0, brain="sensible", role="", verbose=False)
    with pytest.raises(NotReached):
        asyncio.run(robots.play(options, None, "code", None))  # type: ignore[arg-type]  # not used
    assert not shares.has_player


async def maybe_failed(error: Exception) -> None:
    raise error

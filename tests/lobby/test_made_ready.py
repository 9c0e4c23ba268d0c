"""Messages prepared in advance: what followers will be sent is rendered while the store writes."""

from collections.abc import Sequence

import pytest

from protocol import brief
from protocol.brief import Form
from protocol.common import events
from protocol.event import Cut
from server.lobby.views import showing
from server.lobby.views.followers import Followers
from server.lobby.views.showing import Showing
from server.net.scheduling import FairScheduler
from tests.kit.servers.house import Client
from tests.kit.servers.slow import SlowHouse
from tests.kit.servers.tables import assert_same, happened, room_id_of, start_all

pytestmark = pytest.mark.issue(12)


class Told:
    """The messages that clients were sent, and the number of records rendered."""

    def __init__(self, clients: Sequence[Client], monkeypatch: pytest.MonkeyPatch) -> None:
        self.clients = clients
        self.rendered = 0

        def form_of(shown: Cut) -> Form:
            self.rendered += 1
            return brief.form_of(shown)

        monkeypatch.setattr(showing, "form_of", form_of)

    @property
    def messages(self) -> list[int]:
        """Return the number of messages sent to each client."""
        return [len(client.session.sent) for client in self.clients]


@pytest.fixture
def house() -> SlowHouse:
    """Return an empty server on a slow store."""
    return SlowHouse()


@pytest.fixture
def clients(house: SlowHouse) -> list[Client]:
    """Return two clients in a game."""
    return start_all(house, ["Ann", "Ben"])


def test_records_are_rendered_while_the_store_writes(
    house: SlowHouse, clients: list[Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told(clients, monkeypatch)
    before = told.messages
    clients[0].port.chat("hello")
    house.clock.advance(0)
    assert (told.rendered, told.messages) == (1, before)

    house.settle()

    assert told.rendered == 1
    assert all(now > then for now, then in zip(told.messages, before, strict=True))
    assert_same(house, clients)


def test_what_there_is_no_time_for_is_rendered_when_it_is_shown(
    house: SlowHouse, clients: list[Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long turn of the reactor starts no further part."""
    told = Told(clients, monkeypatch)
    clients[0].port.chat("hello")
    with monkeypatch.context() as patched:
        patched.setattr(FairScheduler, "has_time", False)
        house.clock.advance(0)
        assert told.rendered == 0
    house.settle()
    assert told.rendered == 1
    assert_same(house, clients)


def test_a_fault_in_making_ready_stops_nothing(
    house: SlowHouse, clients: list[Client], monkeypatch: pytest.MonkeyPatch
) -> None:

    def fail(_: Showing, __: int) -> None:
        raise ValueError("a fault")

    monkeypatch.setattr(Showing, "prepare", fail)
    clients[0].port.chat("hello")
    house.settle()
    assert len(happened(house, room_id_of(clients[0]), events.Chatted)) == 1
    assert_same(house, clients)


def test_nothing_is_made_ready_where_nobody_follows(
    house: SlowHouse, clients: list[Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    real = Followers.making_ready

    def making_ready(self: Followers, ready: Showing, sequences: range) -> list[int]:
        made.extend(real(self, ready, sequences))
        return made

    monkeypatch.setattr(Followers, "making_ready", lambda *all_of: iter(making_ready(*all_of)))
    ann, ben = clients
    house.lobby.sessions.disconnected(ann.session)
    house.settle()
    assert made
    made.clear()

    house.lobby.sessions.disconnected(ben.session)
    house.settle()

    assert made == []

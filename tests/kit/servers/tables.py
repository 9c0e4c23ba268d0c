"""Tables with which tests of the lobby begin."""

from collections.abc import Sequence
from typing import TypeVar

from protocol import messages
from protocol.common.signed import next_number, ready_statement, start_statement
from protocol.common.table import RoomTable, Settings, Stage
from protocol.event import Event, Record, everything, read
from tests.kit.closing import close_for
from tests.kit.servers.house import Client, House, key_of

E = TypeVar("E", bound=Event)

_MOVES = 3
"""Number of times that a card is offered to somebody else before the group votes on it."""


def seat_all(house: House, names: Sequence[str], settings: Settings | None = None) -> list[Client]:
    """Return the clients of people at one table; the first is its host."""
    clients = [house.client(name) for name in names]
    code = house.open_table(clients[0], settings)
    for client in clients[1:]:
        house.join(client, code)
    return clients


def get_ready(house: House, clients: Sequence[Client]) -> None:
    """Let each client claim a character and become ready."""
    scenarios = clients[0].model.lobby.scenarios
    assert scenarios is not None
    for client, piece in zip(clients, scenarios[0].roster.characters, strict=False):
        client.port.claim((piece,))
        house.settle()
        client.port.set_ready(True)
        house.settle()


def start_all(house: House, names: Sequence[str], settings: Settings | None = None) -> list[Client]:
    """Return the clients of a game that is at its first question."""
    clients = seat_all(house, names, settings)
    get_ready(house, clients)
    clients[0].port.start()
    house.settle()
    assert room_of(house, clients[0]).stage is Stage.PLAYING
    return clients


def start_at_vote(
    house: House, names: Sequence[str], settings: Settings | None = None
) -> list[Client]:
    """Return the clients of a game that is at its first vote."""
    clients = start_all(house, names, settings)
    for _ in range(_MOVES):
        # The first choice leaves all as it is; the next gives the first card to somebody else.
        _answer(house, clients[0], 1)
    for client in clients:
        _answer(house, client, 0)
    ask = room_of(house, clients[0]).ask
    assert ask is not None
    assert ask.has_open_votes
    return clients


def _answer(house: House, client: Client, at: int) -> None:
    """Answer with one of the choices."""
    ask, view = room_of(house, client).ask, client.model.view
    assert ask is not None and view is not None and view.seat is not None  # noqa: PT018 (one thing)
    client.port.answer(ask.ask_id, (ask.questions[view.seat].value.choices[at].choice_id,))
    house.settle()


def room_id_of(client: Client) -> str:
    """Return the id of the table that a client follows."""
    assert client.model.view is not None
    return client.model.view.room_id


def room_of(house: House, client: Client) -> RoomTable:
    """Return the room that a client follows, as the server has it."""
    return house.lobby.registry.hosts[room_id_of(client)].room.table.room


def records_of(house: House, room_id: str) -> list[Record]:
    """Return the whole log of a room."""
    return [read(room_id, everything(stored)) for stored in house.log_of(room_id)]


def happened(house: House, room_id: str, *kinds: type[E]) -> list[E]:
    """Return the events of these kinds on a log."""
    return [r.event for r in records_of(house, room_id) if isinstance(r.event, kinds)]


def secrets_shown(client: Client, after: int) -> list[int]:
    """Return the sequences above `after` of records that a client was sent with openings."""
    return [
        record.sequence
        for message in client.session.all(messages.Records)
        for shown in message.cuts
        if (record := read(message.room_id, shown)).sequence > after and shown.openings
    ]


def first_of(house: House, room_id: str, kind: type[Event]) -> int:
    """Return the sequence of the first event of a kind."""
    return next(r.sequence for r in records_of(house, room_id) if isinstance(r.event, kind))


def assert_same(house: House, clients: Sequence[Client]) -> None:
    """Check that clients hold what the server would cut for them."""
    for client in clients:
        view = client.model.view
        assert view is not None
        room = house.host_of(client).room
        assert view.table == close_for(room.table, view.seat)
        assert view.head == room.head


def ready_message(client: Client) -> messages.SetReady:
    """Return the signed message that makes a client's seat ready."""
    view = client.model.view
    assert view is not None and view.seat is not None  # noqa: PT018 (one thing)
    number = next_number(view.table.room, view.seat)
    said = ready_statement(view.room_id, view.seat, number, is_ready=True)
    signature = key_of(client.model.name).sign(said)
    return messages.SetReady(client.next_serial(), view.room_id, True, number, signature)


def start_message(client: Client) -> messages.StartGame:
    """Return the signed message with which a host starts the game."""
    view = client.model.view
    assert view is not None and view.seat is not None  # noqa: PT018 (one thing)
    number = next_number(view.table.room, view.seat)
    signature = key_of(client.model.name).sign(start_statement(view.room_id, view.seat, number))
    return messages.StartGame(client.next_serial(), view.room_id, number, signature)


def come_back(house: House, name: str, room_id: str) -> Client:
    """Let somebody connect anew and enter their table."""
    again = house.client(name)
    again.port.enter(room_id)
    house.settle()
    return again

"""Simultaneous messages have the same result as messages sent one after another.

Inputs wait for one another, so the table that a handler finds may not be the one on which its input
is folded. Every decision is made at the input's turn, and nothing may depend on the speed of the
store.
"""

import ast
import inspect
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from twisted.internet.defer import Deferred, succeed

from protocol import messages
from protocol.common import events
from protocol.common.signed import next_number, ready_statement
from protocol.event import Event
from server.lobby.requests.handlers import HANDLERS, Needs
from server.lobby.requests.visitor import SeatHolder
from server.lobby.rooms.host import RoomHost
from tests.kit.every_run import first
from tests.kit.servers.house import Client, FakeSession, House, key_of
from tests.kit.servers.slow import SlowHouse
from tests.kit.servers.tables import (
    get_ready,
    happened,
    ready_message,
    records_of,
    room_id_of,
    room_of,
    seat_all,
    start_all,
    start_at_vote,
    start_message,
)

pytestmark = pytest.mark.issue(36)

NAMES = ("Ada", "Ben", "Cleo", "Dan")
MOST_AT_ONCE = 3
"""
Maximum number of messages of one player, each on its own connection: a single one answers them in
turn.
"""
SEEDS = range(6)

Said = list[tuple[int, messages.ClientMessage]]
"""Messages, each with the client that sends it, in the order of their arrival."""


def in_lobby(house: House) -> list[Client]:
    """Return clients before the game, some of them ready."""
    clients = seat_all(house, NAMES)
    get_ready(house, clients)
    return clients


def in_vote(house: House) -> list[Client]:
    """Return clients during a vote."""
    return start_at_vote(house, NAMES)


def unready(client: Client) -> messages.SetReady:
    """Return the message that makes a client's seat unready."""
    view = client.model.view
    assert view is not None and view.seat is not None  # noqa: PT018 (one thing)
    number = next_number(view.table.room, view.seat)
    said = ready_statement(view.room_id, view.seat, number, is_ready=False)
    signature = key_of(client.model.name).sign(said)
    return messages.SetReady(client.next_serial(), view.room_id, False, number, signature)


def of_lobby(rng: Random, house: House, client: Client, setup: str) -> messages.ClientMessage:
    """Return a random message of the lobby."""
    room_id, serial = room_id_of(client), client.next_serial()
    scenarios = client.model.lobby.scenarios
    assert scenarios is not None
    makers: tuple[Callable[[], messages.ClientMessage], ...] = (
        lambda: messages.ClaimCharacters(
            serial, room_id, (rng.choice(scenarios[0].roster.characters[:6]),)
        ),
        lambda: ready_message(client),
        lambda: unready(client),
        lambda: start_message(client),
        lambda: messages.LeaveSeat(serial, room_id),
        lambda: messages.Chat(serial, room_id, f"line {serial}"),
        lambda: messages.ChooseScenario(serial, room_id, house.scenario_id()),
        lambda: messages.SwitchProducts(serial, room_id, ()),
        lambda: messages.FixSetup(serial, room_id, rng.choice((setup, ""))),
        lambda: messages.EmptySeat(serial, room_id, rng.randrange(4)),
        lambda: messages.Invite(serial, room_id, is_to_watch=False),
    )
    return rng.choice(makers)()


def of_vote(rng: Random, house: House, client: Client, _setup: str) -> messages.ClientMessage:
    """Return a random message during a vote."""
    room_id, serial, room = room_id_of(client), client.next_serial(), room_of(house, client)
    assert room.ask is not None
    ask_id, choices = room.ask.ask_id, room.ask.questions[0].value.choices
    checkpoints = list(house.host_of(client).room.table.checkpoints)
    makers: tuple[Callable[[], messages.ClientMessage], ...] = (
        lambda: messages.Vote(serial, room_id, ask_id, (rng.choice(choices[:2]).choice_id,)),
        lambda: messages.Vote(serial, room_id, ask_id, (rng.choice(choices[:2]).choice_id,)),
        lambda: messages.CallTiebreak(serial, room_id, ask_id),
        lambda: messages.CallTiebreak(serial, room_id, ask_id),
        lambda: messages.Chat(serial, room_id, f"line {serial}"),
        lambda: messages.ProposeTakeBack(serial, room_id, rng.choice(checkpoints)),
        lambda: messages.ProposeGiveUp(serial, room_id),
        lambda: messages.ProposeGiveSeat(serial, room_id, rng.randrange(4), to_bot=False),
        lambda: messages.Consent(serial, room_id, rng.randrange(2), rng.random() < 0.9),
        lambda: messages.Invite(serial, room_id, is_to_watch=False),
        lambda: messages.ShareGame(serial, room_id, is_agreed=True),
    )
    return rng.choice(makers)()


def came_of(house: House, begin: Any, kinds: Any, seed: int, *, at_once: bool) -> Any:
    """Return events and replies that follow from messages sent at once or in turn."""
    store: Any = house.store
    if at_once:
        store.clock = None
    clients, rng = begin(house), Random(f"{begin.__name__} {seed}")
    room_id = room_id_of(clients[0])
    clients[0].send(messages.MakeSetup(clients[0].next_serial()))
    house.settle()
    setup = clients[0].session.last(messages.SetupMade).code
    said: Said = [
        (at, kinds(rng, house, clients[at], setup))
        for at in range(len(clients))
        for _ in range(rng.randint(1, MOST_AT_ONCE))
    ]
    rng.shuffle(said)
    before = len(house.log_of(room_id))
    for client in clients:
        # Nobody reacts to what comes of it.
        client.session.hear = None
    sessions = [FakeSession(clients[at].session.account) for at, _ in said]
    for session in sessions:
        house.lobby.sessions.connected(session)
    if at_once:
        store.clock = house.clock
    for session, (_, message) in zip(sessions, said, strict=True):
        house.lobby.sessions.received(session, message)
        if not at_once:
            house.settle(0.5)
    house.settle(8)
    log = [told(one.event) for one in records_of(house, room_id)[before:]]
    replies = [
        [(type(one).__name__, code_of(one)) for one in answered(session)] for session in sessions
    ]
    return said, log, replies


def code_of(message: messages.ServerMessage) -> str:
    """Return the code of a refusal; two codes of seats that were lost count as one."""
    code = getattr(message, "code", "") if isinstance(message, messages.Refusal) else ""
    return "table/no_seat" if code == "table/no_such_table" else code


def answered(session: FakeSession) -> list[Any]:
    """Return the replies on a connection."""
    return [one for one in session.sent if getattr(one, "serial", None) is not None]


def told(event: Event) -> tuple[Any, ...]:
    """Return the content of an event, without random parts."""
    names = ("seat", "characters", "is_ready", "ask_id", "picks", "is_agreed", "proposal", "number")
    return (type(event).__name__, *(repr(getattr(event, name, "")) for name in names))


def difference(seed: int) -> list[Any]:
    """Return the outcomes that differ between messages sent at once and in turn."""
    found = []
    for begin, kinds in ((in_lobby, of_lobby), (in_vote, of_vote)):
        at_once = came_of(SlowHouse(), begin, kinds, seed, at_once=True)
        in_turn = came_of(House(), begin, kinds, seed, at_once=False)
        found += [pair for pair in zip(at_once, in_turn, strict=True) if pair[0] != pair[1]]
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_said_at_once_comes_to_what_is_said_in_turn(seed: int) -> None:
    assert difference(seed) == []


@pytest.mark.long
def test_it_does_so_in_two_hundred_moments() -> None:
    assert [seed for seed in (*range(6, 14), *range(1000, 1200)) if difference(seed)] == []


def decided_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a fault: decide each input before its turn."""
    submit = SeatHolder.submit

    async def early(self: SeatHolder, event: Any) -> Any:
        return await submit(self, event if isinstance(event, Event) else event(self.room))

    monkeypatch.setattr(SeatHolder, "submit", early)


def no_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a fault: read the table while inputs wait."""
    monkeypatch.setattr(RoomHost, "turn", lambda _: succeed(None))


@pytest.mark.parametrize("plant", first(1, [decided_early, no_turns]))
def test_a_decision_before_its_turn_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)

    assert any(difference(seed) for seed in range(40))


# No decision is left ---------------------------------------------------------------------------

AS_SHOWN = {
    messages.AcceptSetup: "whether it needs to be accepted; what is accepted is in the message",
    messages.AnswerInWindow: "held beside the log, for the window that is open",
    messages.SetStops: "on no log",
}
"""Messages whose handlers read the table at the moment of arrival, each with the reason."""


def early_looks(kind: type[messages.ClientMessage]) -> list[int]:
    """Return the lines in which a handler reads the table before its turn."""
    source = inspect.getsource(HANDLERS[kind].function)
    [function] = ast.parse(source).body
    assert isinstance(function, ast.AsyncFunctionDef)
    looks, turns = [], []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            # A decision, which has a room of its own.
            return
        if isinstance(node, ast.Attribute) and node.attr in {"room", "must_be_host"}:
            looks.append(node.lineno)
        if isinstance(node, ast.Attribute) and node.attr == "turn":
            turns.append(node.lineno)
        for child in ast.iter_child_nodes(node):
            visit(child)

    for statement in function.body:
        visit(statement)
    return [line for line in looks if line < min(turns, default=10**6)]


@pytest.mark.parametrize(
    "kind", [kind for kind, one in HANDLERS.items() if one.needs is Needs.SEAT], ids=str
)
def test_no_handler_of_a_seat_looks_at_the_table_before_its_turn(
    kind: type[messages.ClientMessage],
) -> None:
    """The exceptions are handlers in which the player means what they were shown."""
    # The functions behind the finished game's messages only pass the room on.
    allowed = kind in AS_SHOWN or kind is messages.RemoveTable

    assert allowed or early_looks(kind) == []


def test_a_table_that_is_removed_while_it_begins_is_not_removed() -> None:
    house = SlowHouse()
    house.store.clock = None
    clients = in_lobby(house)
    room_id = room_id_of(clients[0])
    house.store.clock = house.clock
    house.lobby.sessions.received(clients[0].session, start_message(clients[0]))
    other = house.client("Ada")
    house.lobby.sessions.received(other.session, messages.RemoveTable(900, room_id))
    house.settle(5)

    assert other.session.last(messages.Refusal).code == "table/already_started"
    assert happened(house, room_id, events.StartRequested)


def test_a_turn_comes_after_what_waits_and_before_what_comes() -> None:
    house = SlowHouse()
    house.store.clock = None
    ada, ben = start_all(house, ["Ada", "Ben"])
    host, done = house.host_of(ada), list[str]()
    house.store.clock = house.clock

    def say(client: Client, words: str) -> None:
        house.lobby.sessions.received(
            client.session, messages.Chat(client.next_serial(), room_id_of(ada), words)
        )

    def in_turn(_: None) -> None:
        done.append("turn")
        say(ada, "second")

    say(ada, "first")
    turn: Deferred[None] = host.turn()
    _ = turn.addCallback(in_turn)
    say(ben, "third")
    assert not done
    house.settle(5)

    words = [one.words.value for one in happened(house, room_id_of(ada), events.Chatted)]
    assert words == [b"first", b"second", b"third"]

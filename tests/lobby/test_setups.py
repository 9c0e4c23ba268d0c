"""Fixed setups: made, fixed, closed and opened, at several tables of one server."""

from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred, fail

from content.games.second_edition.schema.effects import End, OwnResult
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.requirements import AllOf
from protocol import codec, messages
from protocol.archive import Archive, load
from protocol.audit import audit
from protocol.bounds import MAX_SETUPS
from protocol.common import events
from protocol.common.chance import commitment_of_setup
from protocol.common.observers import MAX_DELAY_SECONDS
from protocol.common.table import Settings, Stage
from protocol.invitation import CODE_BYTES, code_text
from protocol.messages import ClientMessage, ServerMessage
from server.admin.tables import act_on_table
from server.admin.vocabulary import CloseTable
from server.lobby.requests.pace import BUDGETS
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.summary import KIND as SUMMARY
from server.lobby.rooms.summary import Summary, _Summary1, _Summary2
from server.lobby.tables import known_setups, setups
from server.lobby.tables.setups import Setup, id_of
from server.storage import StorageError
from tests.games.second_edition.lobby.test_campaigns import ALONE, Saga
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import (
    get_ready,
    happened,
    ready_message,
    records_of,
    room_id_of,
    room_of,
    seat_all,
    start_message,
)
from tests.kit.stores.memory import MemoryStore


@pytest.fixture
def house() -> House:
    """Return a server with an additional scenario that ends as soon as it begins."""
    return Saga()


def asked(house: House, client: Client, message: ClientMessage) -> ServerMessage:
    """Return the reply to a message."""
    client.send(message)
    house.settle(0.2)
    replies = [m for m in client.session.sent if getattr(m, "serial", None) == message.serial]
    return replies[-1]


def made(house: House, owner: Client) -> str:
    """Make a setup; return its code."""
    reply = asked(house, owner, messages.MakeSetup(owner.next_serial()))
    assert isinstance(reply, messages.SetupMade)
    return reply.code


def listed(house: House, owner: Client) -> tuple[messages.SetupLine, ...]:
    """Return the setups of an owner."""
    reply = asked(house, owner, messages.ListSetups(owner.next_serial()))
    assert isinstance(reply, messages.SetupList)
    return reply.lines


def closed(house: House, owner: Client, code: str) -> ServerMessage:
    """Close a setup; return the reply."""
    return asked(house, owner, messages.CloseSetup(owner.next_serial(), code))


def fixed(house: House, host: Client, code: str) -> ServerMessage:
    """Fix a setup at a host's table; return the reply."""
    return asked(house, host, messages.FixSetup(host.next_serial(), room_id_of(host), code))


def code_of(reply: ServerMessage) -> str:
    """Return the code of a refusal."""
    assert isinstance(reply, messages.Refusal), reply
    return reply.code


def begun(
    house: House,
    names: list[str],
    code: str,
    scenario: str = "",
    settings: Settings | None = None,
) -> list[Client]:
    """Return clients in a game with a fixed setup."""
    clients = seat_all(house, names, settings)
    if scenario:
        clients[0].port.choose_scenario(scenario)
    fixed(house, clients[0], code)
    get_ready(house, clients)
    clients[0].port.start()
    house.settle()
    return clients


def exported(house: House, client: Client) -> Archive:
    """Return the export of a client's table."""
    asked(house, client, messages.ExportTable(client.next_serial(), room_id_of(client)))
    parts = [p for p in client.session.all(messages.ExportPart) if p.serial == client.serial]
    return load(b"".join(part.data for part in parts))


def opened_in(house: House, room_id: str) -> list[events.SetupOpened]:
    """Return the openings of a setup on the log of a room, loaded or not."""
    reader = house.client("Reader")
    reader.port.enter(room_id)
    house.settle()
    loading = house.lobby.registry.load(room_id)
    with pytest.raises(StopIteration) as done:
        loading.send(None)
    found = happened(house, room_id, events.SetupOpened)
    house.lobby.registry.release(done.value.value)
    return found


def still_shut(house: House) -> int:
    """Return the number of tables whose setup is not opened."""
    return sum(summary.has_shut_setup for summary in house.lobby.registry.summaries.values())


def one_turn(house: House) -> None:
    """Run the one call that is due next."""
    (due, *_) = [call for call in house.clock.calls if call.getTime() <= house.clock.seconds()]
    house.clock.calls.remove(due)
    due.func()


# Making and listing ------------------------------------------------------------------------


def test_a_setup_has_a_code_and_stands_in_its_owners_list(house: House) -> None:
    ann, ben = house.client("Ann"), house.client("Ben")
    first = made(house, ann)
    house.settle()
    second = made(house, ann)

    lines = listed(house, ann)

    assert [line.code for line in lines] == [second, first]
    assert lines[0].made_at > lines[1].made_at > 1_700_000_000_000
    assert all(
        (line.is_closed, line.table_count, line.running_count) == (False, 0, 0) for line in lines
    )
    assert listed(house, ben) == ()


def test_the_code_does_not_follow_from_what_stands_on_the_log(house: House) -> None:
    """If it did, a spectator could compute the code and play in the same house."""
    clients = seat_all(house, ["Ann", "Ben"])
    code = made(house, clients[0])
    fixed(house, clients[0], code)

    (event,) = happened(house, room_id_of(clients[0]), events.SetupFixed)

    assert event.setup is not None
    assert event.setup.setup_id == id_of(code)
    assert code.replace("-", "") not in event.setup.setup_id
    assert code_of(fixed(house, clients[0], event.setup.setup_id)) == "setup/unknown"
    assert set(attrs.asdict(event.setup)) == {"setup_id", "commitment"}


def test_neither_code_nor_seed_shows_in_what_is_printed(house: House) -> None:
    ann = house.client("Ann")
    code = made(house, ann)
    setup = next(iter(house.lobby.setups._by_id.values()))

    shown = repr((setup, house.lobby.setups, messages.SetupMade(1, code), listed(house, ann)))
    shown += repr((messages.FixSetup(1, "room", code), messages.CloseSetup(1, code)))

    assert code not in shown
    assert repr(setup.seed) not in shown
    assert repr(setup.salt) not in shown


def test_one_key_has_only_so_many(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = house.client("Ann")
    monkeypatch.setattr(setups, "OPEN_PER_KEY", 2)
    monkeypatch.setattr(setups, "PER_KEY", 3)
    codes = [made(house, ann) for _ in range(2)]

    assert code_of(asked(house, ann, messages.MakeSetup(ann.next_serial()))) == "setup/too_many"
    closed(house, ann, codes[0])
    made(house, ann)
    closed(house, ann, codes[1])
    assert code_of(asked(house, ann, messages.MakeSetup(ann.next_serial()))) == "setup/too_many"
    assert made(house, house.client("Ben"))


def test_a_list_has_no_more_lines_than_a_message_may(house: House) -> None:
    ann = house.client("Ann")
    for _ in range(MAX_SETUPS):
        made(house, ann)
        house.settle()
    lines = listed(house, ann)
    assert len(lines) == MAX_SETUPS

    closed(house, ann, lines[0].code)
    newest = made(house, ann)

    again = listed(house, ann)
    assert len(again) == MAX_SETUPS
    assert again[0].code == newest
    assert not any(line.is_closed for line in again)


def test_setups_are_made_no_faster_than_what_is_stored(house: House) -> None:
    ann = house.client("Ann")
    house.settle(60)
    for _ in range(int(BUDGETS[0].at_once) + 5):
        ann.send(messages.MakeSetup(ann.next_serial()))
    house.clock.advance(0)
    house.clock.advance(0)

    assert [one.code for one in ann.session.all(messages.Refusal)] == ["table/too_busy"] * 5


# Fixing ------------------------------------------------------------------------------------


def test_only_the_host_fixes_a_setup(house: House) -> None:
    code = made(house, house.client("Owner"))
    ann, ben = seat_all(house, ["Ann", "Ben"])

    assert code_of(fixed(house, ben, code)) == "table/host_only"
    assert isinstance(fixed(house, ann, code.upper().replace("-", "")), messages.Done)
    assert room_of(house, ann).fixed_setup is not None


def test_a_setup_can_be_taken_back_before_the_game(house: House) -> None:
    (ann,) = seat_all(house, ["Ann"])
    fixed(house, ann, made(house, ann))

    assert isinstance(fixed(house, ann, ""), messages.Done)

    assert room_of(house, ann).fixed_setup is None


def test_everybody_has_to_be_ready_again(house: House) -> None:
    """The seats were ready for another house."""
    clients = seat_all(house, ["Ann", "Ben"])
    get_ready(house, clients)

    fixed(house, clients[0], made(house, clients[0]))

    assert not any(seat.is_ready for seat in room_of(house, clients[0]).seats.values())


@pytest.mark.parametrize("code", ["0000-0000-0000-0000", "no code", "x" * 64])
def test_a_code_of_no_setup_is_refused(house: House, code: str) -> None:
    """The reply must not tell whether the code could be one."""
    (ann,) = seat_all(house, ["Ann"])

    assert code_of(fixed(house, ann, code)) == "setup/unknown"
    assert code_of(closed(house, ann, code)) == "setup/unknown"


def test_tables_with_one_setup_have_one_house(house: House) -> None:
    code = made(house, house.client("Owner"))
    tables = [begun(house, names, code) for names in (["Ann", "Ben"], ["Cid", "Dot"])]
    other = seat_all(house, ["Eve", "Fay"])
    get_ready(house, other)
    other[0].port.start()
    house.settle()

    def laid_out(clients: list[Client]) -> list[object]:
        mixed = happened(house, room_id_of(clients[0]), events.Shuffled)
        return [(one.purpose, one.order.value) for one in mixed]

    assert laid_out(tables[0])
    assert laid_out(tables[0]) == laid_out(tables[1])
    assert laid_out(tables[0]) != laid_out(other)


# Closing -----------------------------------------------------------------------------------


def test_only_its_owner_closes_a_setup_and_only_once(house: House) -> None:
    ann, ben = house.client("Ann"), house.client("Ben")
    code = made(house, ann)

    assert code_of(closed(house, ben, code)) == "setup/not_yours"
    assert isinstance(closed(house, ann, code), messages.Done)
    assert code_of(closed(house, ann, code)) == "setup/closed"
    assert [line.is_closed for line in listed(house, ann)] == [True]


def test_a_closed_setup_can_be_fixed_at_no_table(house: House) -> None:
    """The seed of a closed setup may be known by now."""
    (ann,) = seat_all(house, ["Ann"])
    code = made(house, ann)
    closed(house, ann, code)

    assert code_of(fixed(house, ann, code)) == "setup/closed"


def test_no_game_begins_with_a_setup_that_was_closed_in_the_lobby(house: House) -> None:
    (ann,) = seat_all(house, ["Ann"])
    code = made(house, ann)
    fixed(house, ann, code)
    pieces = ann.model.lobby.scenarios[0].roster.characters[:2]  # type: ignore[index]
    ann.port.claim(pieces)
    ann.port.set_ready(True)
    house.settle()
    closed(house, ann, code)
    before = len(records_of(house, room_id_of(ann)))

    reply = asked(house, ann, start_message(ann))

    assert code_of(reply) == "setup/closed"
    assert len(records_of(house, room_id_of(ann))) == before
    fixed(house, ann, "")
    ann.port.set_ready(True)
    ann.port.start()
    house.settle()
    assert room_of(house, ann).stage is Stage.PLAYING


def test_the_list_counts_the_tables_that_play_it(house: House) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    begun(house, ["Ann", "Ben"], code)
    begun(house, ["Cid", "Dot"], code, ALONE)
    (eve,) = seat_all(house, ["Eve"])
    fixed(house, eve, code)

    (line,) = listed(house, owner)

    assert (line.table_count, line.running_count) == (2, 1)


def test_the_whole_log_is_given_out_once_the_setup_is_open(house: House) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    ann, _ = begun(house, ["Ann", "Ben"], code, ALONE)
    assert room_of(house, ann).stage is Stage.OVER

    before = exported(house, ann)
    closed(house, owner, code)
    house.settle()
    after = exported(house, ann)

    assert not before.header.is_whole
    assert before.header.seat == 0
    assert all(
        not record.event.order.is_open
        for record in before.records
        if isinstance(record.event, events.Shuffled) and not record.event.knowers
    )
    assert after.header.is_whole
    assert audit(after).is_whole


def test_opening_shows_the_seed_that_the_commitment_is_to(house: House) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    ann, ben = begun(house, ["Ann", "Ben"], code, ALONE)

    closed(house, owner, code)
    house.settle()

    (opened,) = happened(house, room_id_of(ann), events.SetupOpened)
    room = room_of(house, ann)
    assert room.fixed_setup is not None
    assert commitment_of_setup(opened.salt, opened.seed) == room.fixed_setup.commitment
    assert ben.model.view is not None
    assert ben.model.view.table.room.opened_setup == opened.seed


def test_a_running_game_is_opened_when_it_is_over(house: House) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    ann, ben = seat_all(house, ["Ann", "Ben"])
    ann.port.choose_scenario(ALONE)
    house.settle()
    fixed(house, ann, code)
    get_ready(house, [ann, ben])
    hear, ben.session.hear = ben.session.hear, None
    ann.port.start()
    house.settle()
    closed(house, owner, code)
    house.settle()
    assert room_of(house, ann).stage is Stage.STARTING

    # The start was let in before the setup was closed, and waits for Ben's share.
    ben.session.hear = hear
    ben.port.enter(room_id_of(ann))
    house.settle()

    kinds = [type(record.event) for record in records_of(house, room_id_of(ann))]

    assert kinds[kinds.index(events.RoomClosed) + 1] is events.SetupOpened


def test_a_game_that_goes_on_is_not_opened(house: House) -> None:
    """The opening would reveal the house to those who still play it."""
    owner = house.client("Owner")
    code = made(house, owner)
    ann, _ = begun(house, ["Ann", "Ben"], code)

    closed(house, owner, code)
    house.settle()

    assert room_of(house, ann).stage is Stage.PLAYING
    assert not happened(house, room_id_of(ann), events.SetupOpened)


@pytest.mark.issue(15)
def test_a_game_that_the_operator_ends_is_opened_then(house: House) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    ann, _ = begun(house, ["Ann", "Ben"], code)
    closed(house, owner, code)
    house.settle()

    _ = Deferred.fromCoroutine(
        act_on_table(house.lobby, CloseTable(room_id_of(ann), "the machine is moved"))
    )
    house.settle()

    assert len(happened(house, room_id_of(ann), events.SetupOpened)) == 1


def test_rooms_that_are_unloaded_are_loaded_in_turn(house: House) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    rooms = []
    for names in (["Ann", "Ben"], ["Cid", "Dot"], ["Eve", "Fay"]):
        clients = begun(house, names, code, ALONE)
        rooms.append(room_id_of(clients[0]))
        for client in clients:
            client.disconnect()
    assert not house.lobby.registry.hosts
    house.lobby.sessions.received(owner.session, messages.CloseSetup(owner.next_serial(), code))
    assert isinstance(owner.session.sent[-1], messages.Done)

    left = [still_shut(house)]
    while left[-1]:
        one_turn(house)
        left.append(still_shut(house))
        assert not house.lobby.registry.hosts

    assert list(dict.fromkeys(left)) == [3, 2, 1, 0]
    assert all(len(opened_in(house, room_id)) == 1 for room_id in rooms)


def test_a_table_whose_settings_keep_its_log_is_not_opened(house: House) -> None:
    """Nobody is ever given the whole log of such a table."""
    owner = house.client("Owner")
    code = made(house, owner)
    ann, _ = begun(house, ["Ann", "Ben"], code, ALONE, Settings(publish=False))

    closed(house, owner, code)
    house.settle()

    assert room_of(house, ann).stage is Stage.OVER
    assert not happened(house, room_id_of(ann), events.SetupOpened)
    assert not exported(house, ann).header.is_whole


# The store ---------------------------------------------------------------------------------


def test_setups_outlive_the_server(house: House) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    ann, _ = begun(house, ["Ann", "Ben"], code)
    room_id, table = room_id_of(ann), room_of(house, ann)

    house.restart()

    assert [line.code for line in listed(house, house.client("Owner"))] == [code]
    again = house.client("Ann")
    again.port.enter(room_id)
    house.settle()
    assert house.lobby.registry.hosts[room_id].room.halted is None
    assert room_of(house, again).draws == table.draws


def test_rooms_that_are_loaded_with_the_server_find_their_setups(house: House) -> None:
    code = made(house, house.client("Owner"))
    settings = Settings(time_limit_seconds=60, by_calendar=True)
    ann, _ = begun(house, ["Ann", "Ben"], code, settings=settings)
    room_id = room_id_of(ann)

    house.restart_after(100)

    assert room_id in house.lobby.registry.hosts


def test_what_the_end_of_the_server_kept_shut_is_opened_at_the_next_start(house: House) -> None:
    """The server stopped between closing the setup and reaching its tables."""
    owner = house.client("Owner")
    code = made(house, owner)
    ann, _ = begun(house, ["Ann", "Ben"], code, ALONE)
    room_id = room_id_of(ann)
    house.lobby.sessions.received(owner.session, messages.CloseSetup(owner.next_serial(), code))
    assert not happened(house, room_id, events.SetupOpened)

    house.restart()
    house.settle()

    assert len(opened_in(house, room_id)) == 1


def test_a_damaged_setup_keeps_no_server_from_starting(house: House) -> None:
    _ = house.store.put(setups.KIND, "0" * 32, b"\xc1")

    house.restart()

    assert made(house, house.client("Ann"))


def test_what_is_stored_of_a_setup_is_what_its_code_finds(house: House) -> None:
    code = made(house, house.client("Ann"))
    values = [v for v in house.store._values.items() if v[0][0] == setups.KIND]

    (((_, key), packed),) = values

    assert key == id_of(code)
    assert codec.decode(packed, Setup).code == code


@pytest.mark.parametrize("form", [_Summary1, _Summary2])
def test_a_summary_of_a_release_is_read(
    house: House, monkeypatch: pytest.MonkeyPatch, form: type
) -> None:
    """If it could not be read, the server would load each room when it starts."""
    ann, _ = seat_all(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    summary = house.lobby.registry.summaries[room_id]
    fields = {**attrs.asdict(summary, recurse=False), "has_alarm": True}
    old = form(**{field.name: fields[field.name] for field in attrs.fields(form)})
    _ = house.store.put(SUMMARY, room_id, codec.encode(old, form))

    read: list[str] = []
    monkeypatch.setattr(Registry, "load", lambda _, room: read.append(room))
    house.restart()

    assert house.lobby.registry.summaries[room_id] == attrs.evolve(
        summary, observers=None, delay_seconds=MAX_DELAY_SECONDS
    )
    assert house.lobby.registry.summaries[room_id].since == summary.when
    assert read == []


def test_a_summary_of_another_version_is_made_again_from_the_log(house: House) -> None:
    ann, _ = seat_all(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    summary = house.lobby.registry.summaries[room_id]
    plain = codec.unpack(codec.encode(summary, Summary))
    assert isinstance(plain, tuple)
    _ = house.store.put(SUMMARY, room_id, codec.pack(plain[:12]))

    house.restart()

    assert house.lobby.registry.summaries[room_id] == summary


# Who knows a setup -------------------------------------------------------------------------


def table_with(house: House, names: list[str], code: str) -> list[Client]:
    """Return clients at a new table with a fixed setup, each with a character."""
    clients = seat_all(house, names)
    fixed(house, clients[0], code)
    scenarios = clients[0].model.lobby.scenarios
    assert scenarios is not None
    for client, piece in zip(clients, scenarios[0].roster.characters, strict=False):
        client.port.claim((piece,))
        house.settle()
    return clients


def readied(house: House, client: Client) -> str:
    """Make a client's seat ready; return the code of the refusal, or an empty string."""
    reply = asked(house, client, ready_message(client))
    return reply.code if isinstance(reply, messages.Refusal) else ""


def accepted(house: House, client: Client) -> ServerMessage:
    """Accept the fixed setup despite knowing it; return the reply."""
    fixed = room_of(house, client).fixed_setup
    commitment = bytes(32) if fixed is None else fixed.commitment
    message = messages.AcceptSetup(client.next_serial(), room_id_of(client), commitment)
    return asked(house, client, message)


def said_since(client: Client, count: int) -> list[ServerMessage]:
    """Return the messages sent to a client after the first `count`, without replies."""
    return [m for m in client.session.sent[count:] if not hasattr(m, "serial")]


def test_nobody_is_dealt_a_setup_that_they_have_played(house: House) -> None:
    code = made(house, house.client("Owner"))
    begun(house, ["Ann", "Ben"], code)
    ann, cid = table_with(house, ["Ann", "Cid"], code)
    counts = len(ann.session.sent), len(cid.session.sent)

    assert readied(house, ann) == "setup/known"
    assert readied(house, cid) == ""

    heard = said_since(cid, counts[1])
    assert not any(isinstance(message, messages.Notice) for message in heard)
    assert code_of(
        asked(house, ann, start_message(ann))
    ) == "table/not_all_ready"  # fmt: skip


def test_what_others_read_is_as_if_somebody_were_not_ready(house: House) -> None:
    code = made(house, house.client("Owner"))
    begun(house, ["Ann", "Ben"], code)
    logs = []
    for tries in (True, False):
        ann, cid = table_with(house, ["Ann", "Cid"], code)
        before = len(records_of(house, room_id_of(cid)))
        if tries:
            readied(house, ann)
        readied(house, cid)
        said = [r.event for r in records_of(house, room_id_of(cid))[before:]]
        # A signature names its table.
        readies = [e for e in said if isinstance(e, events.ReadySet)]
        assert readies == said
        logs.append([(ready.seat, ready.is_ready, ready.number) for ready in readies])

    assert logs[0] == logs[1]


def test_whoever_says_that_they_want_it_plays_it(house: House) -> None:
    code = made(house, house.client("Owner"))
    begun(house, ["Ann", "Ben"], code)
    ann, cid = table_with(house, ["Ann", "Cid"], code)

    assert isinstance(accepted(house, ann), messages.Done)
    assert readied(house, ann) == readied(house, cid) == ""
    ann.port.start()
    house.settle()

    assert room_of(house, ann).stage is Stage.PLAYING
    assert [e.seat for e in happened(house, room_id_of(ann), events.SetupAccepted)] == [0]
    assert cid.model.view is not None
    assert cid.model.view.table.room.seats[0].knows_setup


def test_nothing_is_said_of_somebody_who_does_not_know_it(house: House) -> None:
    owner = house.client("Owner")
    code, other = made(house, owner), made(house, owner)
    begun(house, ["Ann", "Ben"], code)
    ann, cid = table_with(house, ["Ann", "Cid"], code)
    for client in (cid, ann, ann):
        assert isinstance(accepted(house, client), messages.Done)

    assert [e.seat for e in happened(house, room_id_of(ann), events.SetupAccepted)] == [0]
    fixed(house, ann, other)
    assert not room_of(house, ann).seats[0].knows_setup
    assert readied(house, ann) == ""
    fixed(house, ann, "")
    assert code_of(accepted(house, ann)) == "setup/none"


def test_whoever_made_a_setup_does_not_know_it(house: House) -> None:
    """Making a setup shows nobody its house."""
    owner = house.client("Owner")
    code = made(house, owner)

    owner, _ = table_with(house, ["Owner", "Ben"], code)

    assert readied(house, owner) == ""


def test_watching_a_setup_is_knowing_it(house: House) -> None:
    code = made(house, house.client("Owner"))
    ann, _ = begun(house, ["Ann", "Ben"], code, settings=Settings(spectators=True))
    watcher = house.client("Watcher")
    watcher.port.watch(ann.session.last(messages.TableOpened).watch_code)
    house.settle()
    (early,) = seat_all(house, ["Early"], Settings(spectators=True))
    fixed(house, early, code)
    waiting = house.client("Waiting")
    waiting.port.watch(early.session.last(messages.TableOpened).watch_code)
    house.settle()
    house.restart()

    watcher, other, third = table_with(house, ["Watcher", "Waiting", "Cid"], code)

    assert readied(house, watcher) == "setup/known"
    assert readied(house, other) == readied(house, third) == ""


def test_looking_back_on_a_setup_is_knowing_it(house: House) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    ann, ben = begun(house, ["Ann", "Ben"], code, ALONE)
    room_id, eve = room_id_of(ann), house.client("Eve")
    for client in (ann, ben):
        asked(house, client, messages.ShareGame(client.next_serial(), room_id, is_agreed=True))
    # As long as the setup is shut nobody else may open it.
    export = messages.ExportTable(eve.next_serial(), room_id)
    assert code_of(asked(house, eve, export)) == "table/no_such_table"
    known = house.lobby.setups.known
    setup_id = house.lobby.registry.summaries[room_id].setup_id
    assert not known.knows(eve.session.account.key, setup_id)

    closed(house, owner, code)
    house.settle()
    reply = asked(house, eve, messages.ExportTable(eve.next_serial(), room_id))

    assert isinstance(reply, messages.ExportPart)
    assert known.knows(eve.session.account.key, setup_id)


def test_whoever_sees_it_after_they_were_ready_is_not_ready_any_more(house: House) -> None:
    code = made(house, house.client("Owner"))
    playing, _ = begun(house, ["Cid", "Dot"], code, settings=Settings(spectators=True))
    ann, ben = table_with(house, ["Ann", "Ben"], code)
    assert readied(house, ann) == readied(house, ben) == ""
    watcher = house.client("Ben")
    watcher.port.watch(playing.session.last(messages.TableOpened).watch_code)
    house.settle()
    count = len(ann.session.sent)

    reply = asked(house, ann, start_message(ann))

    assert code_of(reply) == "table/not_all_ready"
    assert not room_of(house, ann).seats[1].is_ready
    assert [n.code for n in ben.session.all(messages.Notice)] == ["setup/known"]
    assert not any(isinstance(message, messages.Notice) for message in ann.session.sent[count:])


def test_a_store_that_fails_shows_nothing_that_is_not_kept(house: House) -> None:
    code = made(house, house.client("Owner"))
    ann, _ = begun(house, ["Ann", "Ben"], code, settings=Settings(spectators=True))
    watcher = house.client("Watcher")
    watch_code = ann.session.last(messages.TableOpened).watch_code
    house.store.fail_with = StorageError("full")

    watcher.port.watch(watch_code)
    house.settle()

    assert watcher.session.last(messages.Refusal).code == "table/stopped"
    assert watcher.session.all(messages.Entered) == []
    assert watcher.session.all(messages.Records) == []
    house.store.fail_with = None
    watcher.port.enter(room_id_of(ann))
    house.settle()
    assert watcher.session.all(messages.Entered)


def test_whoever_played_is_known_though_it_could_not_be_kept(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store fails to keep who knows a setup, but the log of the table says who sat there."""
    code = made(house, house.client("Owner"))
    begun(house, ["Ann", "Ben"], code)
    table_with(house, ["Ann", "Cid"], code)
    put = MemoryStore.put

    def full(store: MemoryStore, kind: str, key: str, value: bytes) -> Any:
        return fail(StorageError("full")) if kind == known_setups.KIND else put(
            store, kind, key, value
        )  # fmt: skip

    monkeypatch.setattr(MemoryStore, "put", full)
    playing = begun(house, ["Eve", "Fay"], code)
    assert room_of(house, playing[0]).stage is Stage.PLAYING

    _, fay = table_with(house, ["Gus", "Fay"], code)

    assert readied(house, fay) == "setup/known"


def test_what_is_kept_and_cannot_be_read_keeps_no_server_from_starting(house: House) -> None:
    code = made(house, house.client("Owner"))
    _ = house.store.put(known_setups.KIND, "0 what", b"")

    house.restart()

    (ann,) = table_with(house, ["Ann"], code)
    assert readied(house, ann) == ""


def test_whoever_follows_a_table_when_it_begins_knows_its_setup(house: House) -> None:
    code = made(house, house.client("Owner"))
    ann, ben = seat_all(house, ["Ann", "Ben"], Settings(spectators=True))
    watcher = house.client("Watcher")
    watcher.port.watch(ann.session.last(messages.TableOpened).watch_code)
    house.settle()
    fixed(house, ann, code)
    get_ready(house, [ann, ben])
    ann.port.start()
    house.settle()

    setup_id = house.lobby.registry.summaries[room_id_of(ann)].setup_id
    assert house.lobby.setups.known.knows(watcher.session.account.key, setup_id)


def test_tables_of_before_count_too(house: House) -> None:
    code = made(house, house.client("Owner"))
    begun(house, ["Ann", "Ben"], code)
    kept = [key for key in house.store._values if key[0] == known_setups.KIND]
    assert len(kept) == 2
    for key in kept:
        del house.store._values[key]
    house.restart()

    ann, _ = table_with(house, ["Ann", "Cid"], code)

    assert readied(house, ann) == "setup/known"


# Results -----------------------------------------------------------------------------------


def results(house: House, client: Client, code: str) -> ServerMessage:
    """Return the reply with the results of a setup."""
    return asked(house, client, messages.ListResults(client.next_serial(), code))


def test_whoever_played_it_reads_how_all_came_out_once_it_is_closed(house: House) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    tables = [["Ann", "Ben"], ["Cid", "Dot"], ["Eve", "Fay"]]
    played = [begun(house, names, code, ALONE) for names in tables]
    begun(house, ["Gus", "Hal"], code)
    ann = played[0][0]
    assert code_of(results(house, ann, code)) == "setup/not_closed"
    closed(house, owner, code)
    house.settle()
    for client in played[1]:
        share = messages.ShareGame(client.next_serial(), room_id_of(client), is_agreed=True)
        asked(house, client, share)

    reply = results(house, ann, code)

    assert isinstance(reply, messages.SetupResults)
    assert reply.table_count == 4
    by_name = {line.names[0]: line for line in reply.lines}
    assert reply.lines[0].is_mine
    assert by_name["Ann"].room_id == room_id_of(ann)
    assert by_name["Cid"].room_id == room_id_of(played[1][0])
    assert by_name["Eve"].room_id == by_name["Gus"].room_id == ""
    assert by_name["Eve"].outcome is messages.GameResult.WON
    assert by_name["Gus"].outcome is messages.GameResult.RUNNING
    assert isinstance(results(house, owner, code), messages.SetupResults)


class LostAlone(Saga):
    """A server with a scenario that is won at once, and lost for each investigator."""

    def content(self) -> Pack:
        pack = super().content()
        known = pack.scenarios[ALONE]
        lost = OwnResult(AllOf(()), False, known.prologue)
        step = End(won=True, epilogue=known.prologue, results=(lost,))
        return attrs.evolve(
            pack, scenarios={**pack.scenarios, ALONE: attrs.evolve(known, setup=(step,))}
        )


@pytest.mark.issue(38)
@pytest.mark.rule("WIN-6")
def test_those_who_lost_a_game_that_was_won_read_so_in_the_results() -> None:
    house = LostAlone()
    code = made(house, owner := house.client("Owner"))
    ann, _ = begun(house, ["Ann", "Ben"], code, ALONE)
    begun(house, ["Cid", "Dot"], code, ALONE)
    closed(house, owner, code)
    house.settle()
    house.restart()
    ann.connect()

    reply = results(house, ann, code)

    assert isinstance(reply, messages.SetupResults)
    assert [(line.names[0], line.outcome) for line in reply.lines] == [
        ("Ann", messages.GameResult.LOST),
        ("Cid", messages.GameResult.WON),
    ]


def test_nobody_else_reads_how_they_came_out(house: House) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    begun(house, ["Ann", "Ben"], code, ALONE)
    eve = house.client("Eve")

    codes = [
        code_of(results(house, eve, code)),
        code_of(results(house, eve, code_text(b"x" * CODE_BYTES))),
    ]
    closed(house, owner, code)
    codes.append(code_of(results(house, eve, code)))

    assert codes == ["setup/not_played", "setup/unknown", "setup/not_played"]


def test_the_first_table_that_ends_opens_nothing(house: House) -> None:
    """Only its owner opens a setup."""
    code = made(house, house.client("Owner"))
    ann, _ = begun(house, ["Ann", "Ben"], code, ALONE)
    cid, _ = begun(house, ["Cid", "Dot"], code, ALONE)
    house.settle(60)
    house.restart()
    house.settle(60)

    rooms = [room_id_of(client) for client in (ann, cid)]
    assert not any(happened(house, room, events.SetupOpened) for room in rooms)
    assert still_shut(house) == 2

"""The delay of spectators: it holds on every way to what happens at a table."""

from collections.abc import Callable

import pytest

from protocol import messages
from protocol.archive import load
from protocol.common import events
from protocol.common.table import Settings, Stage
from protocol.common.text import subjects_in
from protocol.event import cut, time_of
from protocol.event_contents import shown_strings
from server.kernel.rule_runner import RuleRunner
from server.storage import StorageError
from tests.kit.servers.failing import FailingStore, Fault
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, room_of, start_all, start_at_vote

DELAY = 300
LATE = Settings(spectators=True, spectators_delay_seconds=DELAY)

Sent = list[tuple[int, messages.ServerMessage]]
"""Messages that a session was sent, each with the wall clock at that moment."""


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def now_of(house: House) -> int:
    """Return the wall clock of a house, in milliseconds since 1970."""
    return 1_700_000_000_000 + int(house.clock.seconds() * 1000)


def watcher(house: House, code: str, name: str = "Wat", *, language: str = "en") -> Client:
    wat = house.client(name, language=language)
    wat.port.watch(code)
    house.settle()
    return wat


def noting(house: House, client: Client) -> Sent:
    """Record what a client is sent from now on, with times."""
    sent: Sent = []
    hear = client.session.hear

    def note(message: messages.ServerMessage) -> None:
        sent.append((now_of(house), message))
        hear(message)

    client.session.hear = note
    return sent


def code_of(host: Client) -> str:
    """Return the code of the invitation to spectate."""
    return host.session.last(messages.TableOpened).watch_code


def seen(client: Client) -> int:
    """Return how many records a client holds."""
    return len(client.model.view.records) if client.model.view is not None else 0


def due(house: House, client: Client) -> int:
    """Return the number of records of a table that are older than the delay."""
    log = house.log_of(room_id_of(client))
    return sum(1 for r in log if time_of(r.public) <= now_of(house) - DELAY * 1000)


def test_whoever_looks_on_sees_each_record_so_much_later(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], LATE)
    wat = watcher(house, code_of(ada))
    sent = noting(house, wat)
    house.bot(ada, 1)
    house.bot(ben, 2)
    house.settle(20)

    house.settle(DELAY + 20)

    times = [
        (at, time_of(shown.public))
        for at, message in sent
        if isinstance(message, messages.Records)
        for shown in message.cuts
    ]
    assert len(times) > 100
    assert {DELAY * 1000 <= at - time < DELAY * 1000 + 200 for at, time in times} == {True}
    assert seen(wat) == due(house, ada)


def test_a_table_is_empty_at_first_for_whoever_looks_on_later(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], LATE)

    wat = watcher(house, code_of(ada))

    assert wat.session.last(messages.Entered).next_sequence == 0
    assert not wat.session.all(messages.Records)
    assert not wat.model.is_catching_up
    house.settle(DELAY)
    assert wat.model.view is not None
    assert wat.model.view.table.room.stage is Stage.PLAYING


def test_seats_wait_for_nothing(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], LATE)

    ada.port.chat("now")
    house.settle()

    assert seen(ben) == len(house.host_of(ada).room.log)


def test_a_seat_that_redeems_a_code_to_look_on_stays_a_seat(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], LATE)

    ben.port.watch(code_of(ada))
    house.settle()

    assert ben.session.last(messages.Entered).seat == 1
    assert seen(ben) == len(house.host_of(ada).room.log)


def test_entering_says_no_more_than_may_be_seen(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], LATE)
    wat = watcher(house, code_of(ada))
    house.settle(DELAY)
    room_id = room_id_of(ada)
    open_now = seen(wat)
    ada.port.chat("not yet for Wat")
    house.settle()

    for after in (open_now - 1, open_now, len(house.host_of(ada).room.log) + 5):
        wat.send(messages.EnterTable(wat.next_serial(), room_id, after))
        house.settle()

    assert wat.session.last(messages.Entered).next_sequence == open_now
    assert [refused.code for refused in wat.session.all(messages.Refusal)] == [
        "table/no_such_record"
    ] * 2
    assert seen(wat) == open_now


def test_whoever_comes_back_finds_what_they_had_and_what_is_due(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], LATE)
    wat = watcher(house, code_of(ada))
    house.settle(DELAY)
    before = seen(wat)
    ada.port.chat("one")
    house.settle(DELAY - 10)
    wat.disconnect()
    ada.port.chat("two")
    house.settle(15)

    again = watcher(house, code_of(ada))

    assert seen(again) == due(house, ada) == before + 1
    house.settle(DELAY)
    assert seen(again) == before + 2


@pytest.mark.long
def test_words_come_no_earlier_than_the_records_that_name_them(house: House) -> None:
    """The words of a subject would tell spectators what was found, even without the record."""
    ada, ben = start_all(house, ["Ada", "Ben"], LATE)
    wat = watcher(house, code_of(ada))
    lobby = subjects(wat)
    house.bot(ada, 1)
    house.bot(ben, 2)

    for _ in range(12):
        house.settle(DELAY / 10)
        log = house.log_of(room_id_of(ada))[: seen(wat)]
        strings = (string for stored in log for string in shown_strings(cut(stored, None)))
        named = set(subjects_in(strings))
        assert subjects(wat) - lobby <= named
    assert subjects(wat) - lobby


def subjects(client: Client) -> set[str]:
    """Return the subjects whose words a client was sent."""
    return {
        subject for words in client.session.all(messages.Words) for subject, _ in words.subjects
    }


def test_a_file_for_whoever_looks_on_ends_where_they_are(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], LATE)
    wat = watcher(house, code_of(ada))
    assert exported(house, wat, room_id_of(ada)) == 0
    house.settle(DELAY)
    ada.port.chat("not yet for Wat")
    house.settle()

    assert exported(house, wat, room_id_of(ada)) == seen(wat)
    assert exported(house, ada, room_id_of(ada)) == len(house.host_of(ada).room.log)


def exported(house: House, client: Client, room_id: str) -> int:
    """Return the number of records in the export of a client."""
    serial = client.next_serial()
    client.send(messages.ExportTable(serial, room_id))
    house.settle()
    parts = [part for part in client.session.all(messages.ExportPart) if part.serial == serial]
    return len(load(b"".join(part.data for part in parts)).records)


def test_going_back_is_seen_in_its_turn(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], LATE)
    wat = watcher(house, code_of(ada))
    house.settle(DELAY)
    ada.port.chat("oops")
    house.settle(10)
    ada.port.propose_take_back(max(room_checkpoints(house, ada)))
    house.settle()
    ben.port.consent(0, is_agreed=True)
    house.settle(DELAY - 5)
    assert wat.model.view is not None
    kinds = [type(record.event) for record in wat.model.view.records]
    assert (events.Chatted in kinds, events.TakenBack in kinds) == (True, False)

    house.settle(10)

    assert wat.model.view.head == house.host_of(ada).room.head


def room_checkpoints(house: House, client: Client) -> list[int]:
    """Return the checkpoints of a table."""
    return list(house.host_of(client).room.table.checkpoints)


def test_a_game_that_is_over_is_held_back_no_longer_than_the_delay(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], LATE)
    wat = watcher(house, code_of(ada))
    house.bot(ada, 1)
    house.bot(ben, 2)
    for _ in range(4000):
        if room_of(house, ada).stage is Stage.OVER:
            break
        house.settle(0.5)
    assert room_of(house, ada).stage is Stage.OVER
    assert wat.model.view is not None
    house.settle(DELAY - 5)
    assert wat.model.view.table.room.stage is not Stage.OVER

    house.settle(10)

    assert wat.model.view.head == house.host_of(ada).room.head
    assert not waiting_for_the_delay(house)


def test_a_server_that_starts_again_holds_back_what_it_held_back(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], LATE)
    room_id = room_id_of(ada)
    house.settle(100)
    code, clock = code_of(ada), house.clock.seconds()

    house.restart()
    house.clock.advance(clock + 1)
    wat = watcher(house, code)
    assert seen(wat) == 0
    house.settle(DELAY - 120)
    assert seen(wat) == 0
    house.settle(30)

    # That both had gone when the server came back is still to be seen.
    assert seen(wat) == len(house.lobby.registry.hosts[room_id].room.log) - 2


def waiting_for_the_delay(house: House) -> list[object]:
    """Return the timers that wait for the end of a delay."""
    timers = house.clock.getDelayedCalls()
    return [t for t in timers if getattr(t.func, "__qualname__", "") == "SpectatorDelay._released"]


def test_there_is_one_timer_for_all_who_look_on_and_none_without_them(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], LATE)
    assert not waiting_for_the_delay(house)
    first, second = watcher(house, code_of(ada), "Wat"), watcher(house, code_of(ada), "Wim")

    house.settle(20)
    assert len(waiting_for_the_delay(house)) == 1
    first.disconnect()
    assert len(waiting_for_the_delay(house)) == 1
    second.port.leave_table()
    house.settle()

    assert not waiting_for_the_delay(house)


def test_a_room_is_unloaded_once_its_last_spectator_leaves(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], LATE)
    room_id, code = room_id_of(ada), code_of(ada)
    wat = watcher(house, code)
    ada.disconnect()
    ben.disconnect()
    house.settle(DELAY / 2)
    assert room_id in house.lobby.registry.hosts
    wat.disconnect()
    house.settle()
    assert room_id not in house.lobby.registry.hosts
    assert not waiting_for_the_delay(house)

    house.settle(DELAY / 2)

    assert seen(watcher(house, code)) > 20


def test_a_wall_clock_that_is_set_back_takes_nothing_away(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], LATE)
    wat = watcher(house, code_of(ada))
    house.settle(DELAY)
    host, before = house.host_of(ada), seen(wat)
    host.followers.delay.now = lambda: now_of(house) - 3_600_000

    wat.send(messages.EnterTable(wat.next_serial(), room_id_of(ada), before - 1))
    ada.port.chat("later")
    house.settle(DELAY)

    assert wat.session.last(messages.Entered).next_sequence == before
    assert seen(wat) == before


def test_whoever_looks_on_later_hears_of_no_fault_by_its_report(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report names the record at which the rule failed."""
    ada, ben = start_at_vote(house, ["Ada", "Ben"], LATE)
    wat = watcher(house, code_of(ada))
    ask = room_of(house, ada).ask
    assert ask is not None
    with monkeypatch.context() as broken:
        broken.setattr(RuleRunner, "follow", lambda *_: 1 / 0)
        ada.port.vote(ask.ask_id, ask.questions[0].value.default)
        house.settle()

    assert ben.session.last(messages.Notice).code == "rule/failed"
    assert not wat.session.all(messages.Notice)


def test_a_store_that_fails_opens_nothing_early() -> None:
    store = FailingStore()
    house = House(store=store)
    ada, _ = start_all(house, ["Ada", "Ben"], LATE)
    wat = watcher(house, code_of(ada))
    stored = len(house.host_of(ada).room.log)
    store.faults.append(Fault(error=StorageError("full")))
    ada.port.chat("lost")
    house.settle(DELAY - 20)
    assert seen(wat) == 0

    house.settle(30)

    assert seen(wat) == stored


# Twins -------------------------------------------------------------------------------------


def nothing(_house: House, _ada: Client, _ben: Client) -> None:
    """Do nothing."""


def everything(house: House, ada: Client, ben: Client) -> None:
    """Chat, leave, come back, and play."""
    ada.port.chat("quickly now")
    ben.port.leave_table()
    house.settle(1)
    ben.port.enter(room_id_of(ada))
    house.settle(1)
    house.bot(ada, 1)
    house.bot(ben, 2)


def told_meanwhile(doing: Callable[[House, Client, Client], None]) -> Sent:
    """Return what a spectator who sends every request is sent before the delay is over."""
    house = House()
    ada, ben = start_all(house, ["Ada", "Ben"], LATE)
    house.settle(10)
    wat = watcher(house, code_of(ada))
    house.settle(DELAY - 20)
    sent = noting(house, wat)
    begin = house.clock.seconds()
    doing(house, ada, ben)
    room_id = room_id_of(ada)
    for at in range(20, DELAY, 20):
        # To the same moments in both, however long it took to begin.
        while house.clock.seconds() < begin + at:
            house.clock.advance(0.05)
        for ask in (
            lambda serial: messages.ExportTable(serial, room_id),
            lambda serial: messages.EnterTable(serial, room_id, -1),
            lambda serial: messages.EnterTable(serial, room_id, 80),
            lambda serial: messages.ChooseLanguage(serial, "fr"),
            lambda serial: messages.Chat(serial, room_id, "let me in"),
            messages.ListTables,
        ):
            wat.send(ask(wat.next_serial()))
    house.settle(10)
    return sent


@pytest.mark.long
def test_what_happens_meanwhile_changes_nothing_for_whoever_looks_on() -> None:
    """One of two games stands still; spectators of both are sent the same at the same moments."""
    still, lively = told_meanwhile(nothing), told_meanwhile(everything)

    assert len(still) > 50
    assert still == lively

"""Timed windows through the lobby, in virtual time.

The same table is played repeatedly, and Ben acts differently in the window each time. Everything
sent to the others is compared with its time, and to Ben himself until the window closes.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import pytest

from client.journal.journal import Journal
from client.model.off_log import Stops
from client.plain.client import PlainClient
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol import codec, messages
from protocol.common import events
from protocol.common.table import Settings
from protocol.event import hidden
from server.lobby.requests.handlers import ANSWERED, HANDLERS, Reply
from server.lobby.requests.visitor import SeatHolder
from tests.games.toy.house import ToyHouse
from tests.games.toy.test_act_or_pass import Table, turn_up
from tests.games.twins.notes import Note, noting
from tests.kit.servers.tables import happened, room_id_of, start_all
from tests.kit.tables.toy_table import Content, Scored, a_deck

pytestmark = pytest.mark.issue(11)

SECONDS = Settings().window_seconds
WAYS: Mapping[str, Mapping[float, str]] = {
    "nothing": {},
    "a pass": {3: "toy/pass"},
    "at once": {0: "toy/dazzle"},
    "late": {8: "toy/dazzle"},
    "a pass after all": {2: "toy/dazzle", 5: "toy/pass", 9: "toy/pass"},
}
"""Choices of Ben in the window, by the seconds since the window opened, for each way to act."""


@attrs.frozen
class Sent:
    """Records sent to three sessions, with their times."""

    ann: list[Note]
    ben: list[Note]
    wat: list[Note]


def flat(notes: list[Note]) -> list[Note]:
    """Split the notes so that each has one record."""
    return [(at, one) for at, said in notes for one in (said if isinstance(said, list) else [said])]


def is_closing(note: Note) -> bool:
    """True if this is the record that closes a window."""
    _, said = note
    if not isinstance(said, tuple):
        return False
    plain = codec.unpack(said[0])
    assert isinstance(plain, tuple)
    return plain[3] == "answered_together"


def until_closed(notes: list[Note]) -> list[Note]:
    """Return the notes up to the closing record, whose secrets are reduced to their lengths."""
    at = next(at for at, note in enumerate(notes) if is_closing(note))
    when, (public, openings) = notes[at]
    return [*notes[:at], (when, (public, [(slot, len(value)) for slot, value in openings]))]


def opened(
    settings: Settings | None = None, kind: str = "flash", *stopping: int
) -> tuple[Table, Sent]:
    """Return a table with a newly opened window, and what is sent from then on."""
    house = ToyHouse(on_shelf=Content(deck=a_deck(kind)))
    ann, ben = start_all(house, ["Ann", "Ben"], settings or Settings(spectators=True))
    for seat in stopping:
        (ann, ben)[seat].port.set_stops(Stops(is_everywhere=True))
    house.settle(0.2)
    wat = house.client("Wat")
    wat.port.watch(ann.session.last(messages.TableOpened).watch_code)
    table = Table(house, ann, ben)
    table.answer(ann, "toy/go")
    sent = Sent(noting(house, ann), noting(house, ben), noting(house, wat))
    turn_up(table, ann)
    return table, sent


def played(way: Mapping[float, str], before: Callable[[Table], None] | None = None) -> Sent:
    """Play a table to the end of its first window; Ann passes early."""
    table, sent = opened()
    if before is not None:
        before(table)
    say_in_window(table, table.ann, "toy/pass")
    for at in range(SECONDS):
        if at in way:
            say_in_window(table, table.ben, way[at])
        table.house.settle(1)
    table.house.settle(2)
    assert table.ask.rule == "TOY-2"
    return Sent(flat(sent.ann), flat(sent.ben), flat(sent.wat))


def say_in_window(table: Table, client: Any, word: str) -> None:
    """Pick the first choice with this subject."""
    pick = next(c.choice_id for c in table.choices(client) if c.text.subject == word)
    client.port.answer(table.ask.ask_id, (pick,))


def leaks(way: str) -> bool:
    """True if what is sent reveals that Ben did this instead of nothing."""
    first, second = played(WAYS["nothing"]), played(WAYS[way])
    return any(
        until_closed(one) != until_closed(other)
        for one, other in (
            (first.ann, second.ann),
            (first.ben, second.ben),
            (first.wat, second.wat),
        )
    )


@pytest.mark.parametrize("way", [way for way in WAYS if way != "nothing"])
def test_nothing_tells_what_is_done_in_a_window_before_it_closes(way: str) -> None:
    """Time, order, size and number of messages are equal for every viewer."""
    assert not leaks(way)


@pytest.mark.parametrize("way", ["a pass", "a pass after all"])
def test_nothing_tells_a_pass_from_silence_after_it(way: str) -> None:
    first, second = played(WAYS["nothing"]), played(WAYS[way])

    assert (first.ann, first.wat) == (second.ann, second.wat)


# Leaks that are planted


async def _acknowledging(holder: SeatHolder, message: messages.AnswerInWindow) -> Reply:
    holder.host.room.hold(message.ask_id, holder.seat, message.picks)
    return None


async def _closing_early(holder: SeatHolder, message: messages.AnswerInWindow) -> Reply:
    holder.host.room.hold(message.ask_id, holder.seat, message.picks)
    said = holder.host.room.holding._answers
    if len(said) == len(holder.room.seats):
        holder.host.clock._submit_detached(holder.host.room.closing())
    return ANSWERED


async def _telling_that_it_came(holder: SeatHolder, message: messages.AnswerInWindow) -> Reply:
    holder.host.room.hold(message.ask_id, holder.seat, message.picks)
    holder.host.clock._submit_detached(events.Chatted(holder.seat, hidden(b"heard")))
    return ANSWERED


@pytest.mark.parametrize("leak", [_acknowledging, _closing_early, _telling_that_it_came])
def test_a_planted_leak_is_seen(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The leaks are an immediate reply, an early closing, and a record of the answer."""
    row = attrs.evolve(HANDLERS[messages.AnswerInWindow], function=leak)
    monkeypatch.setitem(HANDLERS, messages.AnswerInWindow, row)

    assert leaks("a pass")


def test_a_record_of_its_own_length_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plants a record of an answer whose length depends on the choice."""

    def of(picks: tuple[str, ...], at_most: int) -> events.Held:
        del at_most
        (choice_id,) = picks
        return events.Held(choice_id.encode() + bytes(0 if choice_id.endswith(".0") else 4))

    monkeypatch.setattr("protocol.sealing.after_seal", None)
    monkeypatch.setattr(events.Held, "of", of)

    assert leaks("at once")


# What a player has of it


def test_the_window_closes_by_the_clock_with_what_was_said() -> None:
    table, _ = opened()
    say_in_window(table, table.ben, "toy/dazzle")

    table.house.settle(SECONDS - 1)
    assert table.ask.rule == "TOY-20"
    table.house.settle(2)

    assert happened(table.house, room_id_of(table.ann), Scored)[-1] == Scored("fox", 1)


def go_down_and_come_back(table: Table) -> None:
    """Kill the server, restart it, and reconnect both players."""
    house, room_id = table.house, room_id_of(table.ann)
    seconds = house.clock.seconds()
    house.restart()
    house.clock.advance(seconds + 1)
    for client in (table.ann, table.ben):
        client.connect()
        client.port.enter(room_id)


def test_whoever_comes_back_says_theirs_again() -> None:
    """After a restart the window is open again, and everything said in it is lost."""
    table, _ = opened()
    room_id = room_id_of(table.ann)
    say_in_window(table, table.ben, "toy/dazzle")
    table.house.settle(SECONDS - 2)

    go_down_and_come_back(table)
    table.house.settle(SECONDS - 2)
    assert table.ask.rule == "TOY-20"
    table.house.settle(4)

    assert happened(table.house, room_id, Scored)[-1] == Scored("fox", 1)


def test_the_screen_shows_what_is_held_and_how_long() -> None:
    table, _ = opened()
    journal = Journal(lambda: table.ben.model.speaker)
    table.ben.model.followers.append(journal)
    ui = Ui(Desk(table.ben.model, table.ben.port, journal))
    before = ui.draw(24, 80).plain()
    assert "Interrupt, or let it be" in before

    ui.press("1")
    ui.press("enter")
    table.house.settle(0.2)

    assert "So far: " in ui.draw(24, 80).plain()
    assert not table.ben.model.is_answering


def test_plain_mode_says_what_a_window_is_and_what_is_held() -> None:
    table, _ = opened()
    printed: list[str] = []
    lines = PlainClient(table.ben.model, table.ben.port, printed.append)
    lines.update()
    assert any("A window of 10 s" in line for line in printed)

    lines.hear("1")
    lines.hear("2")
    table.house.settle(SECONDS + 1)

    assert [line for line in printed if line.startswith("So far")] == [
        "So far: Dazzle for 1. You may change it until the window closes.",
        "So far: Let it be. You may change it until the window closes.",
    ]
    assert any("The window is closed." in line for line in printed)
    assert not happened(table.house, room_id_of(table.ann), Scored)


@pytest.mark.parametrize("word", ["everywhere", "1"])
def test_a_stop_is_set_in_plain_mode(word: str) -> None:
    """Setting a stop adds no record to the log, and the next window opens."""
    table, _ = opened(Settings(spectators=True, stops=True))
    assert table.ask.rule == "TOY-2"
    length = len(table.house.host_of(table.ann).room.log)
    printed: list[str] = []
    lines = PlainClient(table.ann.model, table.ann.port, printed.append)

    lines.hear(f"reactions {word}")
    table.house.settle(0.2)
    assert len(table.house.host_of(table.ann).room.log) == length
    turn_up(table, table.ben)

    assert table.ask.rule == "TOY-20"
    assert any("You stop the game at" in line for line in printed)


def test_stops_are_set_again_by_whoever_comes_back() -> None:
    """The server keeps stops in memory alone."""
    table, _ = opened(Settings(spectators=True, stops=True))
    table.ann.port.set_stops(Stops(is_everywhere=True))
    table.house.settle(0.2)

    go_down_and_come_back(table)
    table.house.settle(1)
    turn_up(table, table.ben)

    assert table.ask.rule == "TOY-20"

"""
Windows that take several choices, end early, or wait for somebody, through the lobby.

Virtual time. The same table is played repeatedly: what Ben chooses, and how much of it, shows in
nothing that anybody is sent until the window closes.
"""

from collections.abc import Callable, Mapping

import pytest

from client.journal.journal import Journal
from client.model.waiting import Watch, pace_of
from client.plain.words import left_line
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol.common import events
from protocol.common.table import Settings
from protocol.common.text import Text
from tests.games.toy.test_act_or_pass import Table
from tests.games.toy.test_windows import SECONDS, Sent, flat, opened, until_closed
from tests.kit.servers.house import Client
from tests.kit.servers.tables import come_back, happened, records_of, room_id_of
from tests.kit.tables.toy_table import RIDDLE_SECONDS, Scored

pytestmark = pytest.mark.issue(39)

PASS = ("toy/pass",)
ONE, TWO = (1,), (1, 2)
STOPS = Settings(spectators=True, stops=True)
Way = Mapping[float, tuple[str | int, ...]]


def choose(table: Table, client: object, words: tuple[str | int, ...]) -> None:
    """Answer with the choices that have these subjects or numbers, in the open window."""
    choices = table.choices(client)  # type: ignore[arg-type]
    picks = [
        next(c.choice_id for c in choices if word in (c.text.subject, *c.text.params))
        for word in words
    ]
    client.port.answer(table.ask.ask_id, tuple(picks))  # type: ignore[attr-defined]


def played(way: Way, *, stops: bool = False, has_trip: bool = False, ann_at: float = 1) -> Sent:
    """Play a window in which Ann passes, and Ben does things at these seconds."""
    table, sent = opened(STOPS if stops else None, "flurry", *((0,) if stops else ()))
    assert table.ask.kind == "toy/flurry"
    for at in range(3 * SECONDS):
        if at == ann_at:
            choose(table, table.ann, PASS)
        if has_trip and at == 4:
            table.ben.disconnect()
        if has_trip and at == 2 * SECONDS:
            table.ben.connect()
            table.ben.port.enter(room_id_of(table.ann))
            table.house.settle(0.2)
        if at in way and table.ask.kind == "toy/flurry":
            choose(table, table.ben, way[at])
        table.house.settle(1)
    # Who comes back has a new session: what the others are sent has to be the same.
    return Sent(flat(sent.ann), flat(sent.ann if has_trip else sent.ben), flat(sent.wat))


def tells(first: Sent, second: Sent) -> bool:
    """Return whether anybody is sent something else before the window has closed."""
    pairs = ((first.ann, second.ann), (first.ben, second.ben), (first.wat, second.wat))
    return any(until_closed(one) != until_closed(other) for one, other in pairs)


def closed_after(sent: Sent) -> float:
    """Return the seconds from the first note to the closing record, as Ann sees it."""
    return until_closed(sent.ann)[-1][0] - sent.ann[0][0]


@pytest.mark.parametrize("way", [{3: PASS}, {3: ONE}, {3: TWO}, {3: TWO, 5: ONE, 7: PASS}])
def test_nothing_tells_how_many_choices_somebody_made(way: Way) -> None:
    assert not tells(played({}), played(way))


def test_all_of_several_choices_count() -> None:
    table, _ = opened(None, "flurry")
    choose(table, table.ben, TWO)
    assert table.ben.model.held_picks is not None
    assert len(table.ben.model.held_picks) == 2

    table.house.settle(SECONDS + 1)

    assert happened(table.house, room_id_of(table.ann), Scored)[-1] == Scored("fox", 3)


def test_a_record_that_grows_with_the_choices_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def of(picks: tuple[str, ...], at_most: int = 1) -> events.Held:
        del at_most
        return events.Held(b"".join(one.encode().ljust(32, b"\0") for one in picks))

    monkeypatch.setattr(events.Held, "of", of)

    assert tells(played({}), played({3: TWO}))


# An early end


@pytest.mark.parametrize("words", [ONE, TWO])
def test_an_early_end_tells_that_all_were_done_and_not_what_they_chose(
    words: tuple[str | int, ...],
) -> None:
    passing, acting = (played({3: one}, stops=True) for one in (PASS, words))

    assert not tells(passing, acting)
    assert closed_after(acting) < 4


def test_a_window_without_stops_never_ends_early() -> None:
    assert closed_after(played({3: PASS})) >= SECONDS


def test_who_says_nothing_keeps_it_open() -> None:
    assert closed_after(played({}, stops=True)) >= SECONDS


def test_an_end_for_all_who_answered_without_stops_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def is_everybody_done(holding: object, room: object) -> bool:
        del room
        return len(holding._answers) == 2  # type: ignore[attr-defined]

    monkeypatch.setattr("server.kernel.held.Holding.is_everybody_done", is_everybody_done)

    assert tells(played({}), played({3: PASS}))


# Somebody is away


@pytest.mark.parametrize("words", [PASS, TWO])
def test_a_window_waits_for_somebody_who_is_away(words: tuple[str | int, ...]) -> None:
    """It has the rest of its time when they are back, whatever they chose before."""
    silent, chosen = played({}, has_trip=True), played({3: words}, has_trip=True)

    assert not tells(silent, chosen)
    # A whole new window would be at least this long after they are back.
    assert 2 * SECONDS + 5 <= closed_after(chosen) < 2 * SECONDS + SECONDS


def test_it_does_not_pass_while_they_sleep() -> None:
    table, _ = opened()
    table.ben.disconnect()
    table.house.settle(100 * SECONDS)
    assert table.ask.rule == "TOY-20"

    come_back(table.house, "Ben", room_id_of(table.ann))
    table.house.settle(SECONDS + 1)

    assert table.ask.rule == "TOY-2"


# Timers


def riddled(settings: Settings | None = None) -> Table:
    table, _ = opened(settings, "riddle")
    assert (table.ask.rule, table.ask.timer) == ("TOY-22", 0)
    return table


def wait_and_guess(table: Table, seconds: float) -> None:
    table.house.settle(seconds)
    table.answer(table.ann, "toy/pass")


def go_away(table: Table) -> None:
    """Let the time pass while nobody is at the table."""
    for client in (table.ann, table.ben):
        client.disconnect()
    table.house.settle(500)
    for client in (table.ann, table.ben):
        client.connect()
        client.port.enter(room_id_of(client))
    table.house.settle(0.2)


def stay(table: Table) -> None:
    pass


@pytest.mark.parametrize("meanwhile", [stay, go_away])
def test_a_timer_is_over_for_all_its_questions_together(
    meanwhile: Callable[[Table], None],
) -> None:
    table = riddled()
    wait_and_guess(table, 20)
    meanwhile(table)
    wait_and_guess(table, 20)

    table.house.settle(RIDDLE_SECONDS - 45)
    assert table.ask.rule == "TOY-22"
    table.house.settle(6)

    assert table.ask.rule == "TOY-2"
    [out] = [
        one
        for one in records_of(table.house, room_id_of(table.ann))
        if isinstance(one.event, events.TimedOut)
    ]
    assert out.event is not None


def test_a_restarted_server_goes_on_with_the_timer() -> None:
    table = riddled()
    wait_and_guess(table, 20)
    room_id = room_id_of(table.ann)

    table.house.restart_after(300)
    come_back(table.house, "Ann", room_id)
    table.house.settle(RIDDLE_SECONDS - 25)
    assert table.room.timer is not None
    table.house.settle(10)

    assert table.room.timer is None


def watching(client: Client) -> Desk:
    """Return the desk of a client that knows the time of the server from now on."""
    watch = Watch(client.house.clock.seconds)
    watch.begin(client.model.view)
    return Desk(client.model, client.port, Journal(lambda: client.model.speaker), watch=watch)


@pytest.mark.parametrize(
    ("language", "whole", "cut", "alone", "running"),
    [
        (
            *("en", "a minute for the riddle: 30 s left", "a minute fo", " 30 s left"),
            "Time is running: a minute for the riddle",
        ),
        (
            *("fr", "une minute pour l’énigme\u00a0: encore 30 s", "une minu", " encore 30 s"),
            "Le temps court\u00a0: une minute pour l’énigme",
        ),
    ],
)
def test_players_see_the_name_of_the_time_that_is_left(
    language: str, whole: str, cut: str, alone: str, running: str
) -> None:
    """A small screen cuts the name short or leaves it out."""
    table = riddled()
    clients = (table.ann, table.ben)
    for client in clients:
        client.port.set_language(language)
    ann, ben = map(watching, clients)
    wait_and_guess(table, 20)
    table.house.settle(9.8)

    assert cut in Ui(ann).draw(24, 80).plain()
    narrow = Ui(ann).draw(18, 34).plain()
    assert alone in narrow
    assert cut not in narrow
    for desk in (ann, ben):
        assert whole.replace("\u00a0", " ") in Ui(desk).draw(60, 200).plain()
        said = list(left_line(desk.model.speaker, desk.view, desk.watch))
        assert said[0] == running
        assert "30 " in said[1]


def test_the_nearest_end_is_shown_without_the_name_of_a_later_one() -> None:
    table = riddled(Settings(time_limit_seconds=20, spectators=True))
    view = table.ann.model.view
    assert view is not None
    watch = watching(table.ann).watch

    pace = pace_of(watch, view, is_asked=True)
    assert (pace.left and pace.left.count, pace.timer) == (20, None)

    wait_and_guess(table, 15)
    wait_and_guess(table, 15)
    wait_and_guess(table, 15)
    assert pace_of(watch, view, is_asked=True).timer == Text("toy/riddle")

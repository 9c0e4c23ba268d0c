"""Standing passes that lapse, and on groups: the screen, plain mode, and what others can tell."""

from collections.abc import Mapping

import attrs
import pytest

from client.journal.journal import Journal
from client.model import passing
from client.plain.client import PlainClient
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol import messages
from protocol.common.events import PassesLapsed
from protocol.common.standing import StandingPass
from protocol.common.table import Settings
from server.kernel.batch_writer import BatchWriter
from server.kernel.held import SeatStops
from tests.games.toy.house import ToyHouse
from tests.games.toy.test_act_or_pass import Table, turn_up
from tests.games.toy.test_windows import flat
from tests.games.twins.compare import unlike
from tests.games.twins.notes import Note, noting
from tests.kit.servers.tables import happened, room_id_of, start_all
from tests.kit.tables.toy_table import Content, a_deck

pytestmark = pytest.mark.issue(39)

ECHO, KNELL = "toy/after/echo", "toy/after/knell"


def met(*kinds: str) -> Table:
    """Return a table at which each of these kinds of card was turned up, and Ben's turn is next."""
    content = Content(deck=a_deck(*kinds), rounds=9)
    house = ToyHouse(on_shelf=content)
    ann, ben = start_all(house, ["Ann", "Ben"], Settings(spectators=True))
    table = Table(house, ann, ben)
    table.answer(ann, "toy/go")
    while len(table.room.kinds) < len(kinds) or 1 not in table.ask.questions:
        go_on(table)
    return table


def go_on(table: Table) -> None:
    """Turn up a card and pass on its question; at night, keep both omens."""
    if table.ask.rule == "TOY-8":
        for client in (table.ann, table.ben):
            table.answer(client, "toy/keep")
        return
    (seat,) = table.ask.questions
    client = (table.ann, table.ben)[seat]
    words = {word for choice in table.choices(client) for word in choice.text.params}
    if "peek" not in words:
        table.answer(client, "draw")
        return
    turn_up(table, client)
    for other in (table.ann, table.ben):
        if table.choices(other) and table.ask.kind:
            table.answer(other, "toy/pass")


def let_round_end(table: Table) -> None:
    """Have Ben do nothing on the last turn of the day, and both sleep."""
    table.answer(table.ben, "pass")
    for client in (table.ann, table.ben):
        table.answer(client, "toy/keep")


def pass_turn(table: Table) -> None:
    """Have the player whose turn it is do nothing; at night, both keep their omens."""
    is_night = table.ask.rule == "TOY-8"
    for seat in table.ask.waiting_for:
        table.answer((table.ann, table.ben)[seat], "toy/keep" if is_night else "pass")


def standing(table: Table) -> tuple[str, ...]:
    """Return the passes that Ben sees as his."""
    assert table.ben.model.view is not None
    return table.ben.model.view.standing


# The screen


def screen_of(table: Table) -> Ui:
    ben = table.ben
    return Ui(Desk(ben.model, ben.port, Journal(lambda: ben.model.speaker)))


def press(table: Table, ui: Ui, *keys: str) -> str:
    """Press keys; return the screen without line breaks."""
    for key in keys:
        ui.draw(24, 80)
        ui.press(key)
        table.house.settle()
    return " ".join(ui.draw(24, 80).plain().split())


def test_the_menu_asks_until_when_and_one_key_takes_a_pass_back() -> None:
    table = met("echo")
    ui = screen_of(table)

    assert "> [ ] Pass on: echoes" in press(table, ui, "a")
    shown = press(table, ui, "enter")
    assert "> Pass every time on: echoes" in shown
    assert "Pass until the end of the phase on: echoes" in shown
    assert "Pass until the weather changes on: echoes" in shown
    press(table, ui, "down", "down", "enter")
    assert standing(table) == (f"{ECHO}@round",)

    shown = press(table, ui, "a")
    assert "> [x] Pass until the end of the round on: echoes" in shown
    assert "[ ]" not in shown
    press(table, ui, "enter")

    assert standing(table) == ()


def test_the_menu_offers_a_group_once_several_of_its_kinds_were_asked() -> None:
    """A pass on the group hides its kinds; once it is taken back they are offered again."""
    table = met("echo", "knell")
    ui = screen_of(table)

    shown = press(table, ui, "a")
    assert "> [ ] Pass on: all of this sort (echoes, knells)" in shown
    assert "[ ] Pass on: echoes" in shown
    press(table, ui, "enter", "enter")
    assert standing(table) == ("toy/after",)
    shown = press(table, ui, "a")
    assert "[x] Pass every time on: all of this sort (echoes, knells)" in shown
    assert "Pass on: echoes" not in shown

    press(table, ui, "enter")
    assert "[ ] Pass on: knells" in press(table, ui, "a")


def test_a_pass_is_gone_from_the_menu_once_it_has_lapsed() -> None:
    table = met("echo")
    table.ben.port.set_standing((f"{ECHO}@round",))
    table.house.settle()
    let_round_end(table)

    assert standing(table) == ()
    assert "> [ ] Pass on: echoes" in press(table, screen_of(table), "a")


def test_what_lapses_while_the_menu_is_open_is_not_said_again() -> None:
    table = met("echo", "knell")
    table.ben.port.set_standing((ECHO, f"{KNELL}@round"))
    table.house.settle()
    ui = screen_of(table)
    press(table, ui, "a")
    while f"{KNELL}@round" in standing(table):
        pass_turn(table)

    press(table, ui, "enter")

    assert standing(table) == ()
    said = table.room.standing[1].value
    assert said == ()


def test_a_stop_may_be_on_a_group() -> None:
    """Stops are read like passes: a stop on a group is one at each window of it."""
    stops = SeatStops(b"k" * 32, frozenset({"toy/after"}), is_everywhere=False)

    assert stops.stops_at(ECHO)
    assert not stops.stops_at("toy/ambush")
    assert passing.kinds_and_groups(("toy/after/echo", "toy/after/knell", "toy/ambush")) == (
        *("toy", "toy/after", ECHO, KNELL),
        "toy/ambush",
    )
    assert passing.kinds_and_groups((ECHO, KNELL)) == ("toy/after", ECHO, KNELL)
    assert passing.kinds_and_groups((ECHO,)) == (ECHO,)


# Plain mode


def lines_of(table: Table) -> tuple[PlainClient, list[str]]:
    printed: list[str] = []
    lines = PlainClient(table.ben.model, table.ben.port, printed.append)
    lines.update()
    return lines, printed


def test_passes_are_listed_limited_and_taken_back_in_plain_mode() -> None:
    table = met("echo", "knell")
    lines, printed = lines_of(table)

    def hear(line: str) -> str:
        before = len(printed)
        lines.hear(line)
        table.house.settle()
        return "\n".join(printed[before:])

    told = hear("always")
    assert "1. all of this sort (echoes, knells)" in told
    assert "3. knells" in told
    assert "phase, round, weather" in told
    assert "Pass until the end of the round on: echoes" in hear("always 2 round")
    assert standing(table) == (f"{ECHO}@round",)
    told = hear("always")
    assert "1. Pass until the end of the round on: echoes" in told
    assert "2. all of this sort" in told
    assert "Pass every time on: all of this sort" in hear("always 2")
    assert standing(table) == ("toy/after", f"{ECHO}@round")
    assert "Pass until the weather changes on: echoes" in hear("always 2 weather")
    assert standing(table) == ("toy/after", f"{ECHO}@weather")
    hear("always 1")
    hear("always 1")
    assert standing(table) == ()
    assert "number" in hear("always moon")
    assert standing(table) == ()


def test_the_open_question_is_passed_on_for_a_round_in_plain_mode() -> None:
    table = met("echo")
    turn_up(table, table.ben)
    lines, printed = lines_of(table)

    lines.hear("always round")
    table.house.settle()

    assert standing(table) == (f"{ECHO}@round",)
    assert "Pass until the end of the round on: echoes" in printed[-1]


# What others can tell


@attrs.frozen
class Sent:
    """Messages that Ann and a spectator were sent."""

    ann: list[Note]
    wat: list[Note]


WAYS: Mapping[str, tuple[str, ...]] = {
    "for good": (ECHO,),
    "until the round is over": (f"{ECHO}@round",),
    "a group until the round is over": ("toy/after@round",),
    "much at once": ("toy", "toy/after", f"{ECHO}@phase", f"{ECHO}@round", f"{ECHO}@weather"),
}
"""Passes of Ben, of which no echo comes before they lapse."""


def seen(passes: tuple[str, ...]) -> Sent:
    """Return what others are sent while Ben has these passes, over the end of a round."""
    table = met("echo")
    wat = table.house.client("Wat")
    wat.port.watch(table.ann.session.last(messages.TableOpened).watch_code)
    table.house.settle()
    sent = Sent(noting(table.house, table.ann), noting(table.house, wat))
    table.ben.port.set_standing(passes)
    table.house.settle(0.2)
    let_round_end(table)
    table.answer(table.ann, "pass")
    assert happened(table.house, room_id_of(table.ann), PassesLapsed)
    return Sent(flat(sent.ann), flat(sent.wat))


def tells(way: str) -> bool:
    """Return whether what is sent to others tells that Ben passes in this way, not for good."""
    first, second = seen(WAYS["for good"]), seen(WAYS[way])
    assert len(first.ann) > 5
    return bool(unlike(first.ann, second.ann) or unlike(first.wat, second.wat))


@pytest.mark.parametrize("way", [way for way in WAYS if way != "for good"])
def test_nobody_can_tell_what_lapses_or_whether_anything_does(way: str) -> None:
    """Bytes, times, order and number of messages are equal for the others."""
    assert not tells(way)


def test_a_lapse_that_is_written_only_for_passes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted leak: the record would say that somebody's pass has lapsed."""

    def leaking(self: BatchWriter, name: str) -> None:
        said = [one for kinds in self.table.room.standing.values() for one in kinds.value]
        if name == "phase" or any(StandingPass.read(one).lapse == name for one in said):
            self.write(PassesLapsed(name))

    monkeypatch.setattr(BatchWriter, "lapse", leaking)

    assert tells("until the round is over")

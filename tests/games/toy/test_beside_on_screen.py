"""Screens of a question that one seat decides and others may interrupt."""

from collections.abc import Callable

import attrs
import pytest

from client.journal.journal import Journal, all_lines
from client.locale import load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.waiting import Watch
from client.plain.choice import UnreadableCommand
from client.plain.client import PlainClient
from client.plain.settings import read_settings
from client.plain.talk import Environment
from client.plugs.face import GameFace
from client.plugs.lessons import Glance
from client.screens.base.screen import GUARD_SECONDS, Desk
from client.screens.ui import Ui
from client.settings import table_settings
from client.terminal.notifier import Notifier, is_my_turn, title_of
from protocol import messages
from protocol.common.table import MAX_LEAST_SECONDS, Settings
from tests.games.second_edition.client.test_notifier import Terminal
from tests.games.toy.test_act_or_pass import turn_up
from tests.games.toy.test_beside import (
    LEAST,
    PATCHED,
    Feud,
    all_can,
    at_feud,
    ben_can,
    nobody_can,
)
from tests.kit.servers.house import Client
from tests.kit.servers.tables import come_back, room_id_of

pytestmark = pytest.mark.issue(39)

__all__ = ["all_can"]


def journal_of(client: Client, language: str = "en") -> list[str]:
    """Return the lines of a client's journal."""
    view = client.model.view
    assert view is not None
    spoken = client.model.speaker
    speaker = Speaker(load(language), spoken.words)
    return [line.text for line in all_lines(view.records, speaker)]


def screen_of(table: Feud, client: Client) -> Ui:
    """Return the screen of a client, with the clock of the house."""
    watch = Watch(table.house.clock.seconds)
    watch.begin(client.model.view)
    client.model.followers.append(watch)
    desk = Desk(client.model, client.port, Journal(lambda: client.model.speaker), watch=watch)
    desk.now = table.house.clock.seconds
    return Ui(desk)


def drawn(ui: Ui, rows: int = 24, columns: int = 80) -> str:
    """Return the pane of the question, in one line."""
    lines = ui.draw(rows, columns).plain().split("\n")
    return " ".join(" ".join(line.split("│")[0] for line in lines[1:-2]).split())


def press(table: Feud, ui: Ui, *keys: str) -> str:
    """Press keys, each at a drawn frame; return the pane of the question."""
    for key in keys:
        ui.draw(24, 80)
        if ui.desk.view.may_interrupt:
            # Nobody can have meant a key for what has only just come.
            table.house.settle(GUARD_SECONDS)
        ui.press(key)
        table.house.settle(0.1)
    return drawn(ui)


def speak_french(table: Feud) -> None:
    for client in viewers(table):
        client.port.set_language("fr")
    table.house.settle(0.2)


@attrs.frozen
class Typing:
    """A client in plain mode, and what it has printed."""

    lines: PlainClient
    printed: list[str]

    def hear(self, line: str) -> list[str]:
        """Type a line; return what is printed for it."""
        before = len(self.printed)
        self.lines.hear(line)
        return self.printed[before:]


def typing(table: Feud, client: Client, ring: Callable[[], None] = lambda: None) -> Typing:
    printed: list[str] = []
    environment = Environment(now=table.house.clock.seconds, ring=ring)
    lines = PlainClient(client.model, client.port, printed.append, environment=environment)
    lines.update()
    return Typing(lines, printed)


def viewers(table: Feud) -> tuple[Client, ...]:
    return (table.ann, table.ben, table.cid, table.wat)


# The journal


def test_everybody_reads_who_interrupted_whom(all_can: None) -> None:
    table = at_feud()
    table.answer(table.ben, "toy/trip")

    assert ["Ben interrupts Ann." in journal_of(one) for one in viewers(table)] == [True] * 4
    assert "Ben interrompt Ann." in journal_of(table.cid, "fr")


def test_a_game_whose_own_lines_tell_interruptions_has_no_other_line(
    all_can: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = at_feud()
    table.answer(table.ben, "toy/trip")
    face = GameFace("toy", tells_interruptions=True)
    monkeypatch.setattr("client.plugs.face._installed", {"toy": face}.__getitem__)

    assert [line for line in journal_of(table.cid) if "interrupt" in line] == []


def test_a_decision_has_no_line_of_its_own() -> None:
    table = at_feud()
    table.decide(2)
    table.house.settle(10)

    assert table.scored()
    assert [line for line in journal_of(table.wat) if "interrupt" in line] == []


# On the full screen


def test_each_reads_who_decides_and_who_may_interrupt(all_can: None) -> None:
    table = at_feud()
    ann, ben, _, wat = (drawn(screen_of(table, one)) for one in viewers(table))

    assert "Your choice ─ 4 s to interrupt" in ann
    assert ">1 Stride for 1 2 Stride for 2" in ann
    assert "Ann decides ─ 4 s to interrupt" in ben
    assert "You may interrupt Ann. Say nothing to let it be." in ben
    assert " 1 Trip them with fox" in ben
    assert ">" not in ben
    assert "Ann decides ─ 4 s to interrupt" in wat
    assert "Ann decides; Ben, Cid may interrupt." in wat


def test_the_same_in_french(all_can: None) -> None:
    table = at_feud()
    speak_french(table)
    _, ben, _, wat = (drawn(screen_of(table, one)) for one in viewers(table))

    assert "Ann décide ─ 4 s pour interrompre" in ben
    assert "Vous pouvez interrompre Ann. Sans rien dire, vous laissez faire." in ben
    assert "Ann décide ; interruption possible par Ben, Cid." in wat


def test_whoever_has_nothing_to_interrupt_with_reads_so() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PATCHED, ())
        table = at_feud()
        ui = screen_of(table, table.ben)

    assert "Ann decides; Cid may interrupt." in drawn(ui)
    assert "You have nothing to interrupt with." in drawn(ui)
    press(table, ui, "enter")
    assert "You are not asked anything now" in ui.draw(24, 80).plain()


def test_enter_by_habit_interrupts_nobody(all_can: None) -> None:
    table = at_feud()
    ui, before = screen_of(table, table.ben), table.ask.ask_id

    press(table, ui, "enter", "enter", "enter")

    assert "Nothing is chosen. Say nothing to let it be." in ui.draw(24, 80).plain()
    assert table.ask.ask_id == before
    assert not table.scored()


@pytest.mark.parametrize("keys", [("down", "enter"), ("1", "enter"), ("up", "enter")])
def test_whoever_goes_to_a_choice_interrupts_with_it(keys: tuple[str, ...], all_can: None) -> None:
    table = at_feud()
    press(table, screen_of(table, table.ben), *keys)

    assert [one.piece for one in table.scored()] == ["fox"]


@pytest.mark.parametrize("key", ["1", "down", "enter"])
def test_a_key_for_the_question_before_does_nothing_in_one_that_has_just_come(
    key: str, all_can: None
) -> None:
    table = at_feud()
    ui = screen_of(table, table.ben)
    ui.draw(24, 80)
    table.house.settle(GUARD_SECONDS - 0.05)
    ui.press(key)
    assert "The question has just come: look again." in ui.draw(24, 80).plain()
    assert ">" not in drawn(ui)

    table.house.settle(0.1)
    ui.press("enter")
    table.house.settle(0.1)
    assert not table.scored()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Ben interrupted you: your answer does not count any more. You are asked anew."),
        (
            "fr",
            "Interruption par Ben : votre réponse ne compte plus. La question vous est reposée.",
        ),
    ],
)
def test_whoever_was_interrupted_reads_that_their_answer_does_not_count(
    language: str, said: str, all_can: None
) -> None:
    table = at_feud()
    table.ann.port.set_language(language)
    table.house.settle(0.2)
    ui, ann = screen_of(table, table.ann), typing(table, table.ann)
    wat = typing(table, table.wat)
    ui.draw(24, 100)
    press(table, ui, "2", "enter")
    table.answer(table.ben, "toy/trip")

    assert said in ui.draw(24, 100).plain().replace("\u00a0", " ")
    assert said in ann.printed
    assert said not in wat.printed
    # The next decision counts, and nothing is said of the one before.
    press(table, ui, "1", "enter")
    table.house.settle(LEAST + 1)
    assert [one.points for one in table.scored()][-1] == 1
    assert said not in ui.draw(24, 100).plain().replace("\u00a0", " ")


def test_a_choice_is_left_again(all_can: None) -> None:
    table = at_feud()
    ui = screen_of(table, table.ben)

    assert ">1 Trip" in press(table, ui, "down")
    assert "Bksp let it be" in ui.draw(24, 80).plain()
    assert ">" not in press(table, ui, "backspace")
    press(table, ui, "enter")
    assert not table.scored()


def test_a_choice_is_held_until_the_others_had_their_time_and_can_be_changed() -> None:
    table = at_feud()
    ui = screen_of(table, table.ann)

    table.house.settle(1.6 - table.asked_for())
    assert "So far: Stride for 2. It counts in 3 s" in press(table, ui, "2", "enter")
    table.house.settle(1)
    assert "So far: Stride for 1. It counts in 2 s" in press(table, ui, "1", "enter")
    table.house.settle(LEAST)

    assert [one.points for one in table.scored()] == [1]


def test_a_choice_waits_for_whoever_may_interrupt_and_is_away() -> None:
    table = at_feud()
    ui, wat = screen_of(table, table.ann), screen_of(table, table.wat)
    press(table, ui, "2", "enter")
    table.cid.disconnect()
    table.house.settle(20)

    assert "So far: Stride for 2. It waits for Cid, who may interrupt and is away" in drawn(ui)
    assert "Cid (away) may interrupt. No decision counts before Cid is back." in drawn(wat)
    speak_french(table)
    assert "Compte au retour de Cid, qui peut interrompre" in drawn(ui)
    come_back(table.house, "Cid", room_id_of(table.ann))
    table.house.settle(LEAST)
    assert [one.points for one in table.scored()] == [2]


def test_after_the_least_time_nothing_is_held_and_nothing_is_said_of_it() -> None:
    table = at_feud()
    ui = screen_of(table, table.ann)
    table.house.settle(LEAST + 2)

    assert "to interrupt" not in drawn(ui)
    press(table, ui, "1", "enter")
    assert table.scored()


@pytest.mark.parametrize("way", [None, 1, 2])
def test_what_the_others_see_is_equal_whatever_is_held_or_in_a_hand(way: int | None) -> None:
    """Draws the screens of Cid and of a spectator each second, in twins."""

    def seen(can: Callable[[Feud], tuple[str, ...]], decided: int | None) -> list[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(PATCHED, can(at_feud()))
            table = at_feud()
            screens = [screen_of(table, one) for one in (table.cid, table.wat)]
            frames = []
            for second in range(LEAST):
                if second == 1 and decided is not None:
                    table.decide(decided)
                frames += [ui.draw(24, 80).plain() for ui in screens]
                frames += [title_of(one.model) for one in (table.cid, table.wat)]
                table.house.settle(0.9)
        return frames

    assert seen(nobody_can, None) == seen(ben_can, way)


@pytest.mark.parametrize("can", [nobody_can, ben_can])
def test_a_table_waits_for_nobody_who_only_may_interrupt(
    can: Callable[[Feud], tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of tables, `manse notify`, mails, bell and title name only who decides."""
    monkeypatch.setattr(PATCHED, can(at_feud()))
    table = at_feud()
    asked = {}
    for name, client in (("Ann", table.ann), ("Ben", table.ben)):
        client.port.list_tables()
        client.send(messages.ListAwaited(client.next_serial()))
        table.house.settle(0.2)
        (line,) = client.model.lobby.tables or ()
        awaited = client.session.last(messages.Awaited).lines
        asked[name] = line.is_my_turn, len(awaited), is_my_turn(client.model)

    assert asked == {"Ann": (True, 1, True), "Ben": (False, 0, False)}
    assert not table.ben.model.is_awaited
    assert title_of(table.ben.model) == "Manse: waiting for Ann"


def test_the_coach_teaches_nobody_to_answer_who_only_may_interrupt(all_can: None) -> None:
    table = at_feud()
    ann, ben = Glance(table.ann.model.view), Glance(table.ben.model.view)

    assert (ann.ask_id, ben.ask_id) == (table.ask.ask_id, None)
    assert ann.question is not None
    assert ben.question is None


def test_no_bell_rings_for_whoever_may_interrupt(all_can: None) -> None:
    table = at_feud()
    calls = {}
    for name, client in (("Ann", table.ann), ("Ben", table.ben)):
        desk = screen_of(table, client).desk
        desk.prefs = attrs.evolve(desk.prefs, bell=True)
        terminal = Terminal()
        calls[name] = Notifier(desk, terminal), terminal
        calls[name][0].update()
    # The rule asks Ann and Ben anew.
    table.answer(table.cid, "toy/trip")
    for notifier, _ in calls.values():
        notifier.update()
    assert calls["Ben"][1].bells == 0

    # It is Ben's turn.
    table.house.settle(LEAST)
    table.decide(1)
    table.house.settle(0.2)
    for notifier, _ in calls.values():
        notifier.update()
    assert calls["Ben"][1].bells == 1


# The setting of the table


@pytest.mark.parametrize(
    ("language", "typed", "said"),
    [
        ("en", "least 31", "least takes a number of seconds after it, from 0 to 30."),
        ("en", "least", "least takes a number of seconds after it, from 0 to 30."),
        ("en", "window 0", "window takes a number of seconds after it, from 1 to 600."),
        ("en", "interrupt 31", "interrupt takes a number of seconds after it, from 0 to 30."),
        ("fr", "interrompre 99", "Après « interrompre » vient un nombre de secondes, de 0 à 30."),
    ],
)
def test_a_time_outside_the_bounds_is_refused_with_the_bounds(
    language: str, typed: str, said: str
) -> None:
    with pytest.raises(UnreadableCommand) as caught:
        read_settings(typed.split(), load(language))

    told = caught.value.in_words(Speaker(load(language), WordStore({}, language)))
    assert told.replace("\u00a0", " ") == said


@pytest.mark.parametrize("seconds", [0, 30])
def test_a_time_within_the_bounds_is_read(seconds: int) -> None:
    assert read_settings(["least", str(seconds)], load("en")).least_seconds == seconds


def test_the_screen_offers_the_time_from_0_to_30_seconds_and_begins_at_4() -> None:
    settings, seen = Settings(), list[int]()
    for _ in table_settings.LEAST.values:
        seen.append(settings.least_seconds)
        settings = table_settings.LEAST.turned(settings, 1)

    assert seen[0] == 4
    assert (min(seen), max(seen)) == (0, MAX_LEAST_SECONDS)
    assert settings == Settings()


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Time to interrupt: 7 seconds"), ("fr", "Temps pour interrompre : 7 secondes")],
)
def test_everybody_at_the_table_reads_the_time(language: str, said: str) -> None:
    lines = table_settings.lines(load(language), Settings(least_seconds=7), "toy")

    assert said in [line.replace("\u00a0", " ") for line in lines]


# In plain mode


def test_plain_mode_says_who_decides_and_how_to_interrupt(all_can: None) -> None:
    table = at_feud()
    ben = typing(table, table.ben)

    assert ben.printed[-5:] == [
        "Ann decides; Cid may interrupt. a day in the woods",
        "",
        "You may interrupt Ann. What now? Reason: The card feud.",
        "1. Trip them with fox",
        "Type one to interrupt; say nothing to let it be.",
    ]
    assert ben.hear("0") == ["You let it be, unless you choose something before it is decided."]
    assert ben.hear("")[-1] == "Type one to interrupt; say nothing to let it be."
    assert not table.scored()
    ben.hear("1")
    table.house.settle(0.2)
    assert [one.piece for one in table.scored()] == ["fox"]
    assert "Ben interrupts Ann." in ben.printed


def test_plain_mode_prints_no_question_without_a_choice() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PATCHED, ())
        table = at_feud()
    ben = typing(table, table.ben)

    said = "Ann decides; Cid may interrupt. You have nothing to interrupt with."
    assert ben.printed[-1] == f"{said} a day in the woods"
    assert ben.hear("status")[1:3] == [
        f"{said} a day in the woods",
        f"Others can interrupt for at least {LEAST} seconds more.",
    ]


def test_a_list_that_was_printed_since_has_the_numbers(all_can: None) -> None:
    """Nobody has to interrupt, so a number must not by mistake."""
    table = at_feud()
    ben = typing(table, table.ben)
    ben.hear("tables")
    table.house.settle(0.2)
    ben.hear("1")
    table.house.settle(0.2)

    assert not table.scored()


def test_plain_mode_says_what_is_held_and_until_when() -> None:
    table = at_feud()
    ann = typing(table, table.ann)

    assert any(line.startswith("Others may interrupt you.") for line in ann.printed)
    table.house.settle(1.6 - table.asked_for())
    held = ["So far: Stride for 2. It counts in 3 s; until then you may change it."]
    assert ann.hear("2") == held
    assert held[0] in ann.hear("status")
    table.cid.disconnect()
    table.house.settle(1)
    assert ann.hear("1") == [
        "So far: Stride for 1. It waits for Cid, who may interrupt and is away; you may change it."
    ]


def test_plain_mode_rings_only_for_whoever_decides(all_can: None) -> None:
    table = at_feud()
    rung: list[str] = []
    typing(table, table.ben, lambda: rung.append("Ben"))
    typing(table, table.cid, lambda: rung.append("Cid"))
    table.house.settle(LEAST)
    table.decide(1)
    table.house.settle(0.2)
    assert rung == ["Ben"]

    turn_up(table, table.ben)
    assert rung == ["Ben"]

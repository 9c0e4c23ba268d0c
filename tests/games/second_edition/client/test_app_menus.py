"""Journal, inventory, monsters and menus of the printed game's app, on our screens."""

import pytest

from client.games.second_edition.boxes.monsters import monster_menu
from client.games.second_edition.boxes.readings import objective
from client.games.second_edition.keys import OBJECTIVE
from client.games.second_edition.panes.scene import SecondEditionScene
from client.journal.journal import all_lines
from client.keymap.keys import USUAL, Action, Context
from client.locale import load
from client.locale.speaker import Speaker
from client.settings.preferences import Charset
from client.tellers.base import Tone
from protocol.common import events
from protocol.common.text import Text
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import (
    FLOOD,
    Script,
    action_question,
    asked,
    lobby,
    playing,
    words,
)
from tests.games.second_edition.client.stage import OnStage, model_of, play, view_of

rule = pytest.mark.rule


def scene_of(script: Script, seat: int | None = 0) -> SecondEditionScene:
    return SecondEditionScene(
        view_of(script, seat).table, seat, Speaker(load("en"), words()), Charset.BOXES
    )


def shown(script: Script, *keys: str, seat: int | None = 0, columns: int = 120) -> str:
    """Return the screen after some keys."""
    texts: list[str] = []

    async def press(stage: OnStage) -> None:
        await stage.press(*keys)
        texts.append(stage.text)

    play(model_of(script, seat=seat), press, rows=40, columns=columns)
    return texts[0]


def paused() -> Script:
    script = asked()
    script.emit(events.PausedSet(is_paused=True))
    return script


# The journal -------------------------------------------------------------------------------


@rule("APP-3")
def test_the_journal_has_every_text_and_every_choice() -> None:
    script = playing()
    script.emit(
        se.Told(Text("story/prologue")),
        se.OptionChosen("investigator/ada", Text("choice/search")),
        se.OptionChosen(None, Text("choice/end")),
    )

    told = [
        line.text for line in all_lines(view_of(script, 1).records, Speaker(load("en"), words()))
    ]

    assert told[-4].startswith("The river has come up over the road")
    assert told[-3:] == [
        "The door is open.",
        "Ada Lorne: Search the coats",
        "You choose together: End the turn",
    ]


@rule("APP-3")
@rule("APP-9")
@rule("APP-11")
@pytest.mark.parametrize("script", [asked, playing, paused])
@pytest.mark.parametrize("seat", [0, 1, None])
def test_journal_and_objective_open_at_any_time(script: object, seat: int | None) -> None:
    assert callable(script)

    assert "┌ Journal - round 2" in shown(script(), "j", seat=seat)
    text = shown(script(), "o", seat=seat)
    assert "┌ Objective" in text
    assert "Close the sluice gate" in text


@rule("APP-4")
def test_the_journal_has_a_page_for_each_round() -> None:
    latest, earlier = shown(asked(), "j"), shown(asked(), "j", "left")

    assert "Journal - round 2 (3 of 3)" in latest
    assert "== Round 2" in latest
    assert "Journal - round 1 (2 of 3)" in earlier
    box = earlier[earlier.index("┌ Journal") :].split("└")[0]
    assert "Vera Sand moves: Hall (2)" in box
    assert "== Round 2" not in box
    assert "before round 1 (1 of 3)" in shown(asked(), "j", "left", "left", "left")
    assert "round 2 (3 of 3)" in shown(asked(), "j", "left", "right", "right")


@rule("APP-4")
def test_in_plain_mode_a_round_is_asked_for_by_its_number() -> None:
    lines = Console(asked()).type("journal 1")

    assert lines[0] == "Round 1"
    assert "Vera Sand gains: Lantern" in lines
    assert "Ada Lorne’s turn" not in lines


# The inventory -----------------------------------------------------------------------------


@rule("APP-5")
def test_the_inventory_lists_what_was_gained_with_its_text() -> None:
    lines = Console(asked()).type("cards")

    assert lines[lines.index("Vera Sand") :][5:8] == [
        "Lantern",
        "Item, Vera Sand",
        "Once per round, reroll one die of observation.",
    ]
    assert lines.count("Lantern") == 1

    script = asked()
    script.emit(se.PossessionDiscarded("investigator/vera", "p1"))
    assert "Lantern" not in Console(script).type("cards")


# Monsters ----------------------------------------------------------------------------------


@rule("APP-6")
@rule("MONSTER-13")
def test_selecting_a_monster_opens_its_menu_and_again_closes_it() -> None:
    keys = ("m", "down")
    drawer = shown(asked(), *keys, columns=80)
    assert "  Tallyman  1/3  Hall (1)" in drawer
    assert "> Tallyman 1  0/3  Study (1)" in drawer
    assert "* Tallyman 1 (Study (1))" not in drawer

    assert "* Tallyman 1 (Study (1))" in shown(asked(), *keys, "enter", columns=80)
    assert shown(asked(), *keys, "enter", "enter", columns=80) == drawer
    assert "* Tallyman 1 (Study (1))" in shown(asked(), *keys)


@rule("APP-7")
@rule("SECRET-12")
def test_the_menu_of_a_monster_has_all_there_is_to_know() -> None:
    script = asked()
    script.emit(se.Told(Text("story/prologue"), "m1"))

    texts = [text for _, text in monster_menu(scene_of(script), "m1")]

    assert texts[:3] == [
        "* Tallyman (Hall (1))",
        "  Damage 1 of 3, awareness 2, horror 1, brawn 2",
        "  Counts what is owed.",
    ]
    at = texts.index("In force:")
    assert texts[at + 1].startswith("  The river has come up over the road")
    assert texts[-2:] == ["You can now:", "  5 Attack the Tallyman"]
    # Plain mode says the same, without the signs and gaps of a screen.
    lines = [line for text in texts for line in text.split("\n")]
    assert Console(script).type("monsters 1") == [line.strip("* ") for line in lines if line]


@rule("APP-7")
def test_another_monster_shows_nothing_that_is_not_its_own() -> None:
    script = asked()
    script.emit(se.Told(Text("story/prologue"), "m1"))

    other = [text for _, text in monster_menu(scene_of(script), "m2")]
    waiting = [text for _, text in monster_menu(scene_of(script, 1), "m1")]

    assert not {"In force:", "You can now:"} & set(other)
    assert "In force:" in waiting
    assert "You can now:" not in waiting


@rule("APP-7")
@pytest.mark.parametrize(
    "over",
    [
        se.TurnEnded("investigator/ada"),
        se.ActionSpent("investigator/ada", "move"),
        se.DealtWith("m2"),
        se.Told(Text("story/prologue"), "m2"),
    ],
)
def test_a_text_is_in_force_until_something_else_begins(over: se.SecondEditionEvent) -> None:
    script = playing()
    script.emit(se.Told(Text("story/prologue"), "m1"))
    assert script.table.game is not None
    assert "In force:" in [text for _, text in monster_menu(scene_of(script), "m1")]

    script.emit(over)

    assert "In force:" not in [text for _, text in monster_menu(scene_of(script), "m1")]


# The game menu -----------------------------------------------------------------------------


@rule("APP-9")
def test_what_the_game_menu_has_is_listed_in_the_help() -> None:
    there = {binding.action for binding in USUAL.bindings_in(Context.ROOM)}

    assert {Action.JOURNAL, OBJECTIVE, Action.LEAVE, Action.SETTINGS} <= there
    text = shown(asked(), "?")
    assert all(word in text for word in ("the whole journal", "the objective", "the monsters"))


@rule("APP-11")
@rule("APP-12")
def test_the_objective_is_a_text_and_nothing_more() -> None:
    assert [text for _, text in objective(scene_of(asked()))] == [
        "Close the sluice gate before the river does it for you."
    ]
    script = playing()
    script.emit(se.ProgressKept("gate", 2))
    assert objective(scene_of(script)) == objective(scene_of(asked()))
    assert "Nobody knows yet" in objective(scene_of(lobby()))[0][1]


def test_a_timer_that_is_seen_stands_with_the_objective_and_on_the_status_line() -> None:
    script = asked()
    script.emit(se.TimerSet(FLOOD))
    said = "The river rises: 3 rounds left"

    assert objective(scene_of(script))[-1] == ("", said)
    assert said in shown(script).splitlines()[0]
    assert Console(script).type("objective")[-1] == said

    script.emit(se.TimerRemoved("timer1", has_run_out=True))
    assert said not in shown(script).splitlines()[0]
    assert objective(scene_of(script)) == objective(scene_of(asked()))


@rule("APP-13")
@pytest.mark.parametrize("script", [asked, playing, paused, lobby])
@pytest.mark.parametrize("seat", [0, 1, None])
def test_settings_open_at_any_time(script: object, seat: int | None) -> None:
    assert callable(script)

    text = shown(script(), "e", seat=seat)

    assert "┌ Settings" in text
    assert "No time limit for a question" in text
    assert "Spectators: by invitation" in text


@rule("APP-13")
def test_a_setting_is_changed_where_it_is_chosen() -> None:
    lines = ("e", "down", "down", "enter", "enter")
    assert "+ Settings" in shown(asked(), *lines)
    assert "┌" not in shown(asked(), *lines, "escape")
    assert Console(asked()).type("settings")[0] == "Takebacks: allowed if all agree"


def test_the_scripted_question_is_about_the_monster() -> None:
    """Other tests of this file rely on the scripted question."""
    assert any(p.piece == "m1" for c in action_question().choices for p in c.points)
    assert Tone.ACTION in {line.tone for line in all_lines(view_of(asked(), 0).records, _speaker())}


def _speaker() -> Speaker:
    return Speaker(load("en"), words())

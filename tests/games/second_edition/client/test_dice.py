"""Dice are animated without delaying anybody, and are selected in place."""

import itertools
from collections.abc import Callable, Coroutine
from typing import Any

import attrs
import pytest

from client.games.second_edition.panes.dice import Dice, dice_rows, draw_dice
from client.games.second_edition.rolls import FALL_SECONDS, FRAME_SECONDS, STAY_SECONDS, Roll, Rolls
from client.model.model import ClientModel
from client.settings.appearance import Wishes
from client.settings.preferences import Charset, Lines, Preferences
from client.widgets.answering import Answering, CannotDo
from client.widgets.canvas import NARROW, Canvas
from protocol.common.events import TakenBack
from protocol.common.text import Text
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Face, Feature, FeatureKind, Skill
from tests.games.second_edition.client.scripted import (
    ROLLED,
    Script,
    action_question,
    asked,
    changing,
    clues_question,
    playing,
    rerolling,
    throw,
)
from tests.games.second_edition.client.stage import (
    SIZE_IDS,
    SIZES,
    OnStage,
    model_of,
    play,
    same_screen,
)
from tests.games.second_edition.client.test_screens import _said as said
from tests.games.second_edition.client.test_story import model_with
from tests.kit.every_run import screens

Doing = Callable[[OnStage], Coroutine[Any, Any, None]]
ADA = "investigator/ada"
LARGE = "│ * │ │ ? │ │   │ │ ? │ │   │"
"""Dice of the test as drawn once they have come to rest."""


def finish(script: Script) -> None:
    script.emit(se.TestFinished(ADA, 1, is_passed=False))


def on_stage(script: Script, doing: Doing, rows: int = 40, columns: int = 120) -> OnStage:
    """Run a client with a stopped clock while dice are still to fall."""

    async def do(stage: OnStage) -> None:
        stage.stop_clock()
        await doing(stage)

    return play(model_of(script), do, rows=rows, columns=columns)


# The tray ----------------------------------------------------------------------------------


def test_dice_fall_one_after_the_other_and_then_lie() -> None:
    script = asked()

    async def watch(stage: OnStage) -> None:
        throw(script)
        finish(script)
        await stage.arrive(script)
        assert "┌ Dice ─" in stage.text
        assert "Ada Lorne tests observation: 5 dice, 3 successes needed" in stage.text
        assert LARGE not in stage.text
        assert "1 success: failed" not in _tray(stage)
        stage.time += 0.5
        await stage.look()
        halfway = _tray(stage)
        assert "│ * │ │ ? │ " in halfway
        assert "1 success: failed" not in halfway
        stage.time += 0.25
        await stage.look()
        assert LARGE in stage.text
        assert "1 success: failed" in _tray(stage)

    on_stage(script, watch)


def _tray(stage: OnStage) -> str:
    return stage.text.split("┌ Dice")[1].split("└───────")[0]


def test_the_tray_goes_by_itself() -> None:
    script = asked()

    async def watch(stage: OnStage) -> None:
        throw(script)
        finish(script)
        await stage.arrive(script)
        stage.time += FALL_SECONDS + STAY_SECONDS - 0.1
        await stage.look()
        assert "┌ Dice" in stage.text
        stage.time += 0.2
        await stage.look()
        assert "┌ Dice" not in stage.text
        assert not _moves(stage)

    on_stage(script, watch)


def test_a_key_works_at_once_and_puts_the_tray_away() -> None:
    """The first key skips the animation, the next hides the tray; each has its usual effect too."""
    script = asked()

    async def watch(stage: OnStage) -> None:
        throw(script)
        finish(script)
        await stage.arrive(script)
        stage.time += 0.1
        await stage.press("down")
        assert LARGE in stage.text
        assert ">2 " in stage.text
        stage.time += 1
        await stage.press("down")
        assert "┌ Dice" not in stage.text
        await stage.press("enter")

    assert on_stage(script, watch).port.said == [("answer", 0, ("1.3",))]


def test_who_switched_them_off_sees_them_lie() -> None:
    script = asked()

    async def watch(stage: OnStage) -> None:
        stage.terminal.ui.desk.prefs = Preferences(dice=False)
        throw(script)
        finish(script)
        await stage.arrive(script)
        assert LARGE in stage.text
        assert "1 success: failed" in _tray(stage)

    on_stage(script, watch)


def test_dice_of_the_past_do_not_fall() -> None:
    script = asked()

    async def watch(stage: OnStage) -> None:
        assert "┌ Dice" not in stage.text
        throw(script)
        finish(script)
        stage.model.update_table(next_sequence=len(script.stored))
        await stage.arrive(script)
        assert "┌ Dice" not in stage.text

    on_stage(script, watch)


def test_nothing_moves_where_nothing_falls() -> None:

    async def watch(stage: OnStage) -> None:
        assert not _moves(stage)

    on_stage(asked(), watch)


def _moves(stage: OnStage) -> bool:
    """True if the next redraw is due in less than 30 seconds."""
    due = stage.terminal.ui.desk.due
    return due is not None and due < 30


def test_a_falling_die_is_drawn_again_soon() -> None:
    script = asked()

    async def watch(stage: OnStage) -> None:
        throw(script)
        finish(script)
        await stage.arrive(script)
        assert stage.terminal.ui.desk.due == FRAME_SECONDS
        stage.time += FALL_SECONDS + 1
        await stage.look()
        due = stage.terminal.ui.desk.due
        assert due is not None
        assert due > STAY_SECONDS - 2

    on_stage(script, watch)


def test_several_tests_lie_side_by_side() -> None:
    script = asked()

    async def watch(stage: OnStage) -> None:
        for who in (ADA, "investigator/amos", "investigator/vera"):
            script.emit(
                se.TestDeclared(who, Skill.WILL, 0, 1, 2),
                se.DiceShown((Face.SUCCESS, Face.BLANK)),
                se.TestFinished(who, 1, is_passed=True),
            )
        await stage.arrive(script)
        stage.time += 1
        await stage.look()
        tray = _tray(stage)
        assert tray.count("[*]   [ ]") == 3
        assert tray.count("1 success: passed") == 3
        assert "Vera Sand tests will" in tray

    on_stage(script, watch)


def test_what_the_monsters_and_the_story_roll_is_seen_too() -> None:
    script = asked()

    async def watch(stage: OnStage) -> None:
        script.emit(
            se.OppositionRolled((Face.SUCCESS, Face.SUCCESS)),
            se.FeaturePlaced(Feature("b", FeatureKind.BARRICADE, "hall/c")),
            se.BarricadeAssaulted("m1", "b", (Face.SUCCESS,), is_broken=True),
        )
        await stage.arrive(script)
        stage.time += 1
        await stage.look()
        tray = _tray(stage)
        assert "The opposition rolls:" in tray
        assert "2 successes" in tray
        assert "Tallyman hurls itself at the barricade." in tray
        assert "The barricade is broken." in tray

    on_stage(script, watch)


def test_a_test_that_went_back_shows_nothing() -> None:
    rolls, script = Rolls(), playing()
    first = len(script.records)
    throw(script)
    rolls.update(script.records, first, 1.0, 0.0)
    assert rolls.shown == [rolls.test]
    script.emit(TakenBack(max(script.table.checkpoints)))
    rolls.update(script.records, first, 1.0, 0.0)

    assert rolls.test is None
    assert rolls.shown == []


def test_dice_fall_above_the_story_they_lead_to() -> None:
    script = asked()

    async def watch(stage: OnStage) -> None:
        throw(script)
        finish(script)
        script.emit(se.Told(Text("epilogue")))
        await stage.arrive(script)
        assert stage.text.index("┌ Dice") < stage.text.index("┌ Story")
        stage.time += 1
        await stage.press("enter")
        assert "┌ Story" not in stage.text
        assert "┌ Dice" not in stage.text

    on_stage(script, watch)


def _long_story() -> tuple[Script, ClientModel]:
    """Return a game in which a test leads to a story that fills a small screen."""
    script = asked()
    return script, model_with(script, {"epilogue": "The water is in the house. " * 40})


def _story_rows(stage: OnStage) -> list[int]:
    """Return the rows of the screen with the story."""
    return [row for row, line in enumerate(stage.text.split("\n")) if "water is in" in line]


def test_dice_leave_a_story_room_to_be_read() -> None:
    script, model = _long_story()

    async def watch(stage: OnStage) -> None:
        throw(script)
        finish(script)
        script.emit(se.Told(Text("epilogue")))
        stage.stop_clock()
        await stage.arrive(script)
        stage.time += FALL_SECONDS
        await stage.look()
        assert "[*]   [?]   [ ]   [?]   [ ]" in stage.text.split("┌ Story")[0]
        assert "1 success: failed" in stage.text.split("┌ Story")[0]
        assert len(_story_rows(stage)) >= 12

    play(model, watch)


def test_a_story_stays_where_it_is_when_the_dice_go() -> None:
    script, model = _long_story()

    async def watch(stage: OnStage) -> None:
        throw(script)
        finish(script)
        script.emit(se.Told(Text("epilogue")))
        stage.stop_clock()
        await stage.arrive(script)
        before = _story_rows(stage)
        stage.time += FALL_SECONDS + STAY_SECONDS + 1
        await stage.look()
        assert "┌ Dice" not in stage.text
        assert _story_rows(stage) == before

    play(model, watch)


# How they fall -----------------------------------------------------------------------------


def test_a_die_that_falls_changes_with_every_frame() -> None:
    """The face depends on time alone: the same moment shows the same faces."""
    roll = Roll(faces=ROLLED, fresh=tuple(range(5)), changed=5.0)
    moments = [5.0 + 0.001 + FRAME_SECONDS * turn for turn in range(9)]

    falling = frozenset({2})
    faces = [roll.faces_at(falling, now)[2] for now in moments]

    assert all(one is not other for one, other in itertools.pairwise(faces))
    assert faces == [roll.faces_at(falling, now)[2] for now in moments]
    assert set(faces) == set(Face)


def test_they_come_to_rest_from_the_left() -> None:
    roll = Roll(faces=ROLLED, fresh=tuple(range(5)), changed=5.0)

    still = [5 - len(roll.falling(5.0 + 0.05 * turn, 0.0)) for turn in range(20)]

    assert still == sorted(still)
    assert set(still) >= {0, 1, 2, 3, 4, 5}
    assert roll.falling(5.0 + FALL_SECONDS, 0.0) == frozenset()


def test_only_what_is_rolled_again_falls_again() -> None:
    rolls, script = Rolls(), playing()
    throw(script)
    rolls.update(script.records, 0, 1.0, 0.0)
    script.emit(se.DiceShown((*ROLLED[:2], Face.SUCCESS, *ROLLED[3:]), rerolled=(2,)))
    rolls.update(script.records, 0, 3.0, 0.0)

    assert rolls.test is not None
    assert rolls.test.falling(3.0, 0.0) == {2}


def test_the_result_of_dice_that_lie_already_lets_none_fall() -> None:
    rolls, script = Rolls(), playing()
    throw(script)
    rolls.update(script.records, 0, 1.0, 0.0)
    script.emit(se.DiceConverted((1,)))
    finish(script)
    rolls.update(script.records, 0, 20.0, 0.0)

    (roll,) = rolls.shown
    assert roll.falling(20.0, 0.0) == frozenset()
    assert roll.converted == frozenset({1})
    assert roll.successes == 1


def test_dice_that_lay_there_before_fall_at_no_time_of_the_clock() -> None:
    rolls, script = Rolls(), playing()
    throw(script)
    rolls.update(script.records, len(script.records), 0.0, -1.0)

    assert rolls.test is not None
    assert rolls.test.falling(0.0, -1.0) == frozenset()


def test_an_older_roll_is_put_away_before_the_next() -> None:
    rolls, script = Rolls(), playing()
    throw(script)
    finish(script)
    rolls.update(script.records, 0, 1.0, 0.0)
    throw(script)
    rolls.update(script.records, 0, 3.0, 2.0)

    assert rolls.shown == [rolls.test]


# Drawn -------------------------------------------------------------------------------------


@pytest.mark.parametrize("charset", Charset)
def test_large_dice_are_boxes(charset: Charset) -> None:
    dice = Dice(ROLLED, frozenset({1}), frozenset({3}))
    canvas = Canvas(3, 30)

    draw_dice(canvas.pane(), dice, charset, is_large=True)

    middle = canvas.plain().split("\n")[1].replace("|", "│")
    assert middle == "│ * │ │ + │ │   │ │[?]│ │   │"


def test_dice_that_do_not_fit_go_on_below() -> None:
    canvas = Canvas(2, 20)

    draw_dice(canvas.pane(), Dice(ROLLED), Charset.ASCII, is_large=False)

    assert dice_rows(5, 20, is_large=False) == 2
    assert canvas.plain() == " [*]   [?]   [ ]\n [?]   [ ]"


# Chosen ------------------------------------------------------------------------------------


def _answering() -> Answering:
    return Answering(0, clues_question())


def _chosen(answering: Answering) -> str:
    return answering.chosen.choice_id if answering.chosen is not None else ""


def test_where_dice_may_be_changed_the_cursor_begins_on_keeping_them() -> None:
    """Enter alone keeps the dice and pays nothing, like the default answer."""
    assert _chosen(Answering(0, clues_question())) == "5.0"


def test_over_dice_that_can_only_be_rolled_again_it_begins_on_keeping_them_too() -> None:
    """The cursor begins on keeping the dice, although no choice points at a single die."""
    question = attrs.evolve(
        action_question(), choices=action_question().choices[::-1], default=("1.0",)
    )

    assert _chosen(Answering(0, question, is_over_dice=True)) == "1.0"
    assert _chosen(Answering(0, question)) != "1.0"


def test_where_no_dice_lie_the_cursor_begins_on_the_first_choice() -> None:
    """A single Enter must not end a turn, though that is the default answer."""
    question = attrs.evolve(action_question(), default=(action_question().choices[-1].choice_id,))

    assert Answering(0, question).cursor == 0


def test_going_to_a_die_takes_as_many_clues_as_it_needs() -> None:
    answering = _answering()

    way = []
    for _ in range(3):
        answering.move_die(1)
        way.append(_chosen(answering))
    answering.move_die(-1)

    assert way == ["5.1", "5.2", "5.1"]
    assert _chosen(answering) == "5.2"


def test_going_back_from_no_die_begins_at_the_last() -> None:
    answering = _answering()

    answering.move_die(-1)

    assert _chosen(answering) == "5.2"


def test_without_dice_there_is_nothing_to_go_along() -> None:
    answering = Answering(0, action_question())

    with pytest.raises(CannotDo) as refused:
        answering.move_die(1)

    assert refused.value.key == "wrong.no_dice"


def test_many_dice_are_gone_along_in_their_order() -> None:
    script = rerolling()
    ask = script.table.room.ask
    assert ask is not None
    answering = Answering(0, ask.questions[0].value)
    order = []
    for _ in range(5):
        answering.move_die(1)
        chosen = answering.chosen
        assert chosen is not None
        order.append(chosen.points[0].piece)

    # The cursor began on the blank that is listed first.
    assert order == ["3", "4", "0", "1", "2"]


def test_clues_are_spent_by_choosing_dice() -> None:
    assert said(model_of(changing()), "right", "right", "enter") == [("answer", 0, ("5.2",))]


def test_dice_are_marked_to_be_rolled_again() -> None:
    keys = ("right", " ", "left", "left", " ", "enter")

    assert said(model_of(rerolling()), *keys) == [("answer", 0, ("6.3", "6.2"))]


def test_a_die_is_clicked() -> None:
    """The first click moves the cursor to the die, the second one confirms."""

    async def click(stage: OnStage) -> None:
        row, column = stage.place_of("│ * │ │ ? │ │   │ │ ? │")
        for die in (3, 1, 1):
            for end in "Mm":
                await stage.press_raw(f"\x1b[<0;{column + 3 + 6 * die};{row + 1}{end}")

    assert on_stage(changing(), click).port.said == [("answer", 0, ("5.1",))]


def test_the_dice_of_a_question_fall_where_it_is_asked() -> None:
    script = asked()

    async def watch(stage: OnStage) -> None:
        throw(script)
        script.ask({0: clues_question()}, about=Text("ask/test", (1, 3)))
        await stage.arrive(script)
        assert "┌ Dice" not in stage.text
        assert LARGE not in stage.text
        await stage.press("enter")

    assert on_stage(script, watch).port.said == [("answer", 1, ("5.0",))]


def test_those_who_wait_see_the_tray() -> None:
    script = asked()
    model = model_of(script, seat=1)

    async def watch(stage: OnStage) -> None:
        stage.stop_clock()
        throw(script)
        script.ask({0: clues_question()}, about=Text("ask/test", (1, 3)))
        await stage.arrive(script)
        assert "Ada Lorne tests observation" in _tray(stage)

    play(model, watch, rows=40, columns=120)


# As they look ------------------------------------------------------------------------------


@pytest.mark.issue(14)
@pytest.mark.parametrize("size", SIZES, ids=SIZE_IDS)
def test_the_tray_covers_nothing_but_the_map(size: tuple[int, int]) -> None:
    rows, columns = size
    seen: list[list[str]] = []

    async def look(stage: OnStage) -> None:
        stage.stop_clock()
        throw(script)
        finish(script)
        await stage.arrive(script)
        stage.time += 1
        for _ in range(2):
            await stage.look()
            seen.append(stage.text.splitlines())
            stage.time += STAY_SECONDS + 3

    script = asked()
    play(model_of(script), look, rows=rows, columns=columns)

    under, over = seen[1], seen[0]
    changed = [row for row in range(len(over)) if over[row] != under[row]]
    asked_at = next(row for row, line in enumerate(under) if "Your choice" in line)
    assert changed
    if columns < NARROW:
        party_at = next(row for row, line in enumerate(under) if "Party" in line)
        assert asked_at < party_at < min(changed)
        return
    assert max(changed) < asked_at
    wide = under[asked_at].index("│") if "│" in under[asked_at] else columns
    assert all(over[row][wide:] == under[row][wide:] for row in changed)


@pytest.mark.parametrize(("size", "language"), screens(SIZES))
def test_the_tray_looks_as_accepted(size: tuple[int, int], language: str) -> None:
    rows, columns = size
    script = asked()
    model = model_of(script, language=language)

    async def look(stage: OnStage) -> None:
        stage.stop_clock()
        throw(script)
        finish(script)
        await stage.arrive(script)
        stage.time += 1
        await stage.look()
        same_screen(f"dice-{columns}x{rows}-{language}", stage.text)

    play(model, look, rows=rows, columns=columns)


@pytest.mark.parametrize(("size", "language"), screens(SIZES))
@pytest.mark.parametrize(
    ("name", "script", "keys"),
    [("clues", changing, ("right", "right")), ("reroll", rerolling, (" ", "right"))],
)
def test_questions_about_dice_look_as_accepted(
    name: str,
    script: Callable[[], Script],
    keys: tuple[str, ...],
    size: tuple[int, int],
    language: str,
) -> None:
    rows, columns = size

    async def look(stage: OnStage) -> None:
        await stage.press(*keys)
        same_screen(f"dice_{name}-{columns}x{rows}-{language}", stage.text)

    play(model_of(script(), language=language), look, rows=rows, columns=columns)


def test_dice_need_no_more_than_ascii() -> None:

    async def look(stage: OnStage) -> None:
        await stage.press("right")
        assert stage.text.isascii()
        assert "| * | |[?]| |   |" in stage.text

    play(
        model_of(changing()),
        look,
        wishes=Wishes(prefs=Preferences(lines=Lines.ASCII)),
        rows=40,
        columns=120,
    )


def test_over_dice_stands_what_they_are_rolled_for() -> None:
    """The screen names what is at stake, since it decides whether a Clue is worth spending."""

    async def look(stage: OnStage) -> None:
        assert "Ada Lorne faces 0 damage and 2 horror." in stage.text

    play(model_of(changing()), look, rows=24, columns=80)

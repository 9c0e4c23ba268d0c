"""Whole screens of the card game, at three sizes and in both languages."""

from collections.abc import Callable, Sequence
from pathlib import Path

import attrs
import pytest

from client.games.cards.face import FACE
from client.games.cards.panes.graph import name_lines
from client.games.cards.plain.words import map_lines, person_lines
from client.games.cards.speaker import in_game
from client.locale import LANGUAGES, load
from client.locale.speaker import Speaker
from client.model.tables import TableView
from client.plain.game import plain_of
from client.plain.naming import named_choice
from client.screens.ui import Ui
from client.settings.preferences import Charset
from client.widgets.answering import Answering, listed
from protocol.common.asks import Choice, Point, Question, Settle
from protocol.common.text import Text
from protocol.games.cards import events as c
from protocol.games.cards.table import Place, hand_of
from protocol.games.cards.words import RULESET, Skill, Zone
from server.games.cards.rules import rounds
from tests.games.cards.client.stage import (
    ADA,
    ANN,
    BOB,
    HAND,
    REED,
    ROOM,
    Evening,
    acting,
    ask_window,
    begun,
    committing,
    crowded,
    over,
    setting_up,
    ui_of,
    words,
)
from tests.games.screen_files import look_as_accepted

pytestmark = pytest.mark.issue(42)
SNAPSHOTS = Path(__file__).parent / "screens"
SIZES = ((24, 80), (40, 120), (60, 200))
SMALL = SIZES[:1]


@attrs.frozen
class _Case:
    """Screens to compare with a file."""

    evening: Callable[[], Evening]
    seat: int | None = ANN
    keys: tuple[str, ...] = ()
    sizes: tuple[tuple[int, int], ...] = SIZES


CASES = {
    "setup": _Case(setting_up),
    "turn": _Case(acting, keys=("down", "down")),
    "crowded": _Case(crowded, keys=("down",)),
    "crowded_map": _Case(crowded, keys=("z", "end"), sizes=SMALL),
    "crowded_choices": _Case(crowded, keys=("z", "z"), sizes=SMALL),
    "turn_waiting": _Case(acting, BOB, sizes=SMALL),
    "turn_watching": _Case(acting, None, sizes=SMALL),
    "test": _Case(committing),
    "end": _Case(over),
    "cards": _Case(acting, keys=("i",), sizes=SMALL),
    "card": _Case(acting, keys=("i", "enter"), sizes=SMALL),
    "story": _Case(acting, keys=("o",), sizes=SMALL),
    "locations": _Case(acting, keys=("m", "enter"), sizes=SMALL),
    "bag": _Case(acting, keys=("B",), sizes=SMALL),
    "whole_map": _Case(acting, keys=("w",), sizes=SMALL),
}


@pytest.mark.parametrize("name", CASES)
def test_it_looks_as_accepted(name: str) -> None:
    case = CASES[name]

    def make(language: str) -> Ui:
        return ui_of(case.evening(), seat=case.seat, language=language)

    look_as_accepted(SNAPSHOTS / f"{name}.txt", make, case.sizes, case.keys)


@pytest.mark.parametrize("evening", [setting_up, acting, committing])
def test_ascii_alone_is_enough(evening: Callable[[], Evening]) -> None:
    ui = ui_of(evening(), seat=ANN, charset=Charset.ASCII)

    for rows, columns in SIZES:
        assert ui.draw(rows, columns).plain().isascii()


@pytest.mark.rule("C-SECRET-1")
@pytest.mark.parametrize("keys", [(), ("i",)])
def test_a_hand_is_drawn_for_its_owner_alone(keys: tuple[str, ...]) -> None:
    shown = {}
    for seat in (ANN, BOB, None):
        ui = ui_of(setting_up(), seat=seat)
        ui.draw(60, 200)
        for key in keys:
            ui.press(key)
        shown[seat] = "Storm Lamp" in ui.draw(60, 200).plain()

    assert shown == {ANN: True, BOB: False, None: False}


def test_the_own_hand_is_seen_out_of_turn_however_much_is_in_play() -> None:
    evening = acting()
    for _ in range(8):
        evening.emit(c.Laid("card/lamp", Place(Zone.PLAY, REED), REED))
    shown = ui_of(evening, seat=BOB).draw(24, 80).plain()

    assert "Hand (2)" in shown
    assert "Ten Fathoms of Rope" in shown


@pytest.mark.parametrize("size", SIZES)
def test_the_text_of_the_card_under_the_cursor_stands_above_the_journal(
    size: tuple[int, int],
) -> None:
    ui = ui_of(acting(), seat=ANN)
    ui.draw(*size)
    ui.press("3")

    assert "Action: Investigate." in ui.draw(*size).plain()


def test_leaving_the_game_has_to_be_said_twice() -> None:
    ui = ui_of(acting(), seat=ANN)
    ui.draw(24, 80)
    ui.press("6")
    ui.press("enter")

    assert "Are you sure?" in ui.draw(24, 80).plain()


def test_the_values_of_an_investigator_come_first_in_the_waiting_room() -> None:
    speaker = Speaker(load("en"), words("en"))

    first, *_ = speaker.details("character", "card/ada")

    assert first.startswith("Investigator · Unique")


def test_the_waiting_room_tells_each_field_of_a_card_once() -> None:
    speaker = Speaker(load("en"), words("en"))

    told = speaker.details("", "card/act")

    assert "Act · Clues 2 per investigator" in told
    assert "Act · Clues 4 (2 per investigator)" not in told


def test_a_test_that_a_card_calls_for_tells_what_the_card_says() -> None:
    evening = begun()
    evening.emit(c.TestBegan(ADA, Skill.WILLPOWER, 3, "card/squall"))
    ask_window(evening, ANN)

    assert (
        "The Squall: If you fail, take 1 horror." in ui_of(evening, seat=ANN).draw(24, 80).plain()
    )


def test_of_a_game_that_ends_within_a_test_the_result_is_shown_in_its_place() -> None:
    evening = begun()
    evening.emit(c.TestBegan(ADA, Skill.WILLPOWER, 3, "card/long-squall"))
    evening.emit(c.Ended("resolution/none", is_won=False, experience=0))

    screen = ui_of(evening, seat=ANN).draw(24, 80).plain()
    left = "\n".join(line[:46] for line in screen.splitlines())
    assert "You have lost." in left
    assert "tests Willpower" not in left


def test_what_a_card_says_of_its_test_leaves_the_question_half_of_the_rows() -> None:
    evening = begun()
    evening.emit(c.TestBegan(ADA, Skill.WILLPOWER, 3, "card/long-squall"))
    codes = ("card/ada", "card/lamp", "card/rope", "card/nerve", "card/eel", "card/quay")
    uses = [Text("choice/use", (code,)) for code in codes]
    ask_window(evening, ANN, *uses)

    screen = ui_of(evening, seat=ANN).draw(24, 80).plain()
    assert "Ada Lorne tests Willpower against 3." in screen
    assert " 6 Use: " in screen


def test_a_test_tells_what_its_symbols_do_and_its_result() -> None:
    evening = committing()
    evening.emit(c.TokensRevealed(("s1",)), c.TestStep(6, 2, value=1, has_succeeded=False))
    ask_window(evening, ANN)

    screen = ui_of(evening, seat=ANN).draw(24, 80).plain()
    assert "Moth: +1." in screen
    assert "1 against 2: failure by 1." in screen


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("The Quay", ["The Quay"]),
        ("The Ropewalk", ["The", "Ropewalk"]),
        ("Schoolmasters", ["Schoolmas-", "ters"]),
        ("Saint Osyth’s: the Nave", ["Saint", "Osyth’s: ~"]),
        ("Osyth\u00a0: la nef", ["Osyth : la", "nef"]),
    ],
)
def test_a_name_takes_two_lines_of_a_narrow_box(name: str, lines: list[str]) -> None:
    assert name_lines(name, 10) == lines


def test_the_help_explains_the_signs_on_the_map() -> None:
    ui = ui_of(acting(), seat=ANN)
    ui.draw(60, 200)
    ui.press("?")
    ui.press("end")

    assert "!2 two enemies" in ui.draw(60, 200).plain()


def test_a_question_about_a_test_does_not_tell_it_again() -> None:
    screen = ui_of(committing(), seat=ANN).draw(24, 80).plain()

    assert "Ada Lorne tests Intellect against 2." in screen
    assert "tests a skill" not in screen


def test_a_value_per_investigator_is_worked_out_during_the_game() -> None:
    ui = ui_of(acting(), seat=ANN)

    assert "1/4 clues" in ui.draw(24, 80).plain()
    ui.press("o")
    assert "Clues 4 (2 per investigator)" in ui.draw(24, 80).plain()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", [(), ("z",), ("z", "z")])
def test_the_own_location_and_the_cursor_are_seen_at_any_size_of_map(
    keys: tuple[str, ...], size: tuple[int, int], language: str
) -> None:
    ui = ui_of(crowded(), seat=ANN, language=language)
    ui.draw(*size)
    for key in keys:
        ui.press(key)
    here = {"en": "The Quay", "fr": "Le quai"}[language]
    for number in range(1, 10):
        ui.press(str(number))
        screen = ui.draw(*size).plain()
        assert here in screen
        assert f">{number} " in screen


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", [(), ("z",), ("z", "z")])
@pytest.mark.parametrize("gone", ["quay", "steps"])
def test_a_location_that_is_gone_at_the_end_is_nowhere_on_the_screen(
    gone: str, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    evening = acting()
    evening.emit(c.Moved((evening.piece(f"card/{gone}"),), Place(Zone.VICTORY)))
    ui = ui_of(evening, seat=ANN)
    ui.draw(*size)
    for key in keys:
        ui.press(key)

    assert "a card that is gone" not in ui.draw(*size).plain()


def test_plain_mode_leaves_out_a_location_that_is_gone_at_the_end() -> None:
    evening = acting()
    evening.emit(c.Moved((evening.piece("card/quay"),), Place(Zone.VICTORY)))
    view = TableView(ROOM, ANN)
    view.receive(evening.cuts(ANN))
    speaker = in_game(Speaker(load("en", game=RULESET), words("en")), evening.game)

    said = [*person_lines(speaker, view, ADA), *map_lines(speaker, evening.game)]
    assert "a card that is gone" not in " ".join(said)


def test_cards_of_a_hand_are_listed_in_the_same_order_after_each_draw() -> None:
    """The hand is shuffled at each draw; only its owner reads the question."""

    def said(hand: Sequence[str]) -> list[Text]:
        texts = [Text("choice/draw"), *(Text("choice/play_for", (one, 1)) for one in hand)]
        texts += [Text("choice/move", (one,)) for one in ("card/steps", "card/light")]
        choices = tuple(Choice(f"0.{at}", text) for at, text in enumerate(texts))
        return [one.text for one in listed(Question(Text("ask/action"), choices), FACE.listing)]

    assert said(HAND) == said(HAND[::-1])
    assert [text.params[:1] for text in said(HAND)] == [
        *[(), ("card/lamp",), ("card/nerve",), ("card/rope",)],
        *[("card/steps",), ("card/light",)],
    ]


def test_copies_in_a_hand_are_one_choice_unless_several_can_be_picked() -> None:
    choices = tuple(
        Choice(f"0.{at}", Text("choice/commit", (code, 90)), (Point("card", f"h{at}"),))
        for at, code in enumerate(("card/nerve", "card/nerve", "card/rope"))
    )
    once = Question(Text("ask/commit"), choices)
    answering = Answering(1, once, listing=FACE.listing)

    both, rope = listed(once, FACE.listing)
    assert (both.choice_id, rope.choice_id) == ("0.0", "0.2")
    assert [at.piece for at in both.points] == ["h0", "h1"]
    assert [answering.number_of(f"0.{at}") for at in range(3)] == [1, 1, 2]
    assert len(listed(attrs.evolve(once, at_most=2), FACE.listing)) == 3


def test_an_enemy_among_the_own_cards_is_told_as_one() -> None:
    assert "Eel Knot  Enemy · Fight 2" in ui_of(crowded(), seat=ANN).draw(24, 80).plain()


def test_an_engaged_enemy_is_seen_however_much_else_is_in_play() -> None:
    evening = acting()
    for _ in range(8):
        evening.emit(c.Laid("card/lamp", Place(Zone.PLAY, ADA), ADA))

    assert "Eel Knot  Enemy" in ui_of(evening, seat=ANN).draw(24, 80).plain()


def test_each_pile_out_of_play_has_a_heading() -> None:
    evening = acting()
    evening.emit(c.Moved((evening.piece("card/eel"),), Place(Zone.DISCARD, "encounter")))
    lamp, *_ = evening.game.piles[hand_of(ADA)]
    evening.emit(c.Opened(hand_of(ADA), lamp, "card/lamp", Place(Zone.DISCARD, ADA), ADA, ""))
    ui = ui_of(evening, seat=ANN)
    ui.draw(40, 120)
    ui.press("i")

    screen = ui.draw(40, 120).plain()
    assert "Encounter discard pile" in screen
    assert "Discard pile of Ada Lorne" in screen


def test_home_and_end_go_to_the_ends_of_the_list_of_cards() -> None:
    ui = ui_of(acting(), seat=ANN)
    ui.draw(24, 80)
    ui.press("i")
    marked = []
    for key in ("down", "home", "end", "down"):
        ui.press(key)
        box = ui.draw(24, 80).plain().split("┌", 1)[1]
        marked.append(next(line for line in box.split("\n") if "│>" in line.replace(" ", "")))

    _, first, last, after = marked
    assert first != last
    # After the last entry the first one follows.
    assert after == first


@pytest.mark.parametrize("typed", ["skill neutral", "level 0 wild", "draw 1 card"])
def test_the_list_of_cards_is_filtered_by_any_words_on_them(typed: str) -> None:
    ui = ui_of(acting(), seat=ANN)
    ui.draw(24, 80)
    for key in ("i", "/", *typed, "enter"):
        ui.press(key)
    screen = ui.draw(24, 80).plain()
    assert "Nerve" in screen
    assert "Storm Lamp" not in screen.split("┌", 1)[1].split("└", 1)[0]

    ui.press("escape")
    assert "Storm Lamp" in ui.draw(24, 80).plain()


def test_who_may_pass_reads_who_else_is_asked() -> None:
    evening = acting()
    question = Question(Text("ask/window"), (Choice("9", Text("choice/pass"), ends=True),))
    evening.ask(
        {ANN: question, BOB: question},
        about=Text("window/upkeep"),
        settle=Settle.FIRST_OR_ALL_PASS,
        rule="C-BWIN-2",
    )

    assert "Also asked: Bob." in ui_of(evening, seat=ANN).draw(24, 80).plain()
    assert "Also asked: Ann." in ui_of(evening, seat=BOB).draw(24, 80).plain()


def test_a_player_window_says_what_it_is_at() -> None:
    evening = acting()
    question = Question(Text("ask/window"), (Choice("9", Text("choice/pass"), ends=True),))
    evening.ask({ANN: question}, about=Text("window/upkeep"), rule="C-BWIN-2")
    asked = " ".join(
        line[1:47] for line in ui_of(evening, seat=ANN).draw(24, 80).plain().split("\n")
    )

    assert "The upkeep phase begins. Use something now?" in " ".join(asked.split())


def test_the_help_lists_what_is_being_resolved_outermost_first() -> None:
    evening = acting()
    about = Text("about/turn", (ADA,))
    question = Question(Text("ask/window"), (Choice("9", Text("choice/pass"), ends=True),))
    within = (Text("about/test", (ADA,)), about)
    evening.ask({ANN: question}, about=about, within=within, rule="C-BWIN-2")
    ui = ui_of(evening, seat=ANN)
    ui.draw(40, 120)
    ui.press("?")
    screen = ui.draw(40, 120).plain()

    lines = ("outermost first:", "1. Ada Lorne tests a skill", "2. Ada Lorne takes a turn")
    places = [screen.index(line) for line in lines]
    assert places == sorted(places)


def test_a_location_on_the_map_says_how_many_cards_are_attached_to_it() -> None:
    evening = acting()
    evening.emit(c.Laid("card/rope", Place(Zone.ON, evening.piece("card/steps"))))

    assert "+1 card" in ui_of(evening, seat=ANN).draw(60, 200).plain()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cursor_begins_on_no_choice_that_provokes_an_attack(language: str) -> None:
    evening = acting()
    choices = (
        Choice("0.0", Text("choice/draw"), (), "provokes"),
        Choice("0.1", Text("choice/resource"), (), "provokes"),
        Choice("0.2", Text("choice/fight", ("card/eel", 2, 2))),
        Choice("0.3", Text("choice/end_turn"), ends=True),
    )
    question = Question(Text("ask/action", (ADA, 2)), choices)
    evening.ask({ANN: question}, about=Text("about/turn", (ADA,)), rule="C-BTURN-2")
    screen = ui_of(evening, seat=ANN, language=language).draw(40, 120).plain()

    warning = {"en": "(you are attacked first)", "fr": "(vous êtes attaqué d’abord)"}[language]
    assert screen.count(warning) == 2
    assert ">3 " in screen


def test_the_cursor_begins_on_passing_where_a_turn_comes_soon() -> None:
    uses = Choice("0", Text("choice/play_for", ("card/lamp", 2)), (), rounds.EARLY)
    question = Question(Text("ask/window"), (uses, Choice("9", Text("choice/pass"), ends=True)))

    answering = Answering(1, question, listing=FACE.listing, vain=FACE.vain)

    assert answering.choices[answering.cursor].ends


def test_plain_mode_says_that_a_choice_provokes_an_attack() -> None:
    choice = Choice("0.0", Text("choice/draw"), (), "provokes")
    speaker = Speaker(load("en", game=RULESET), words("en"))

    said = named_choice(speaker, plain_of(RULESET), None, choice).text
    assert said.endswith("(you are attacked first)")

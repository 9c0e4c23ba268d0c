"""Whole screens of both roles and of a spectator, at all sizes and in both languages."""

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from client.screens.ui import Ui
from client.settings.preferences import Charset
from tests.games.first_edition.client import wild
from tests.games.first_edition.client.kit import (
    ANN,
    BOB,
    KIM,
    Night,
    acting,
    barred,
    happening,
    lobby,
    matching,
    ordering,
    puzzling,
    rolling,
    stepping,
    ui_of,
)
from tests.games.screen_files import look_as_accepted
from tests.games.second_edition.client.stage import SIZES

pytestmark = pytest.mark.issue(40)
SNAPSHOTS = Path(__file__).parent / "screens"


@attrs.frozen
class _Case:
    """Screens to compare with a file."""

    night: Callable[[], Night]
    seat: int | None
    keys: tuple[str, ...] = ()


CASES = {
    "step_investigator": _Case(stepping, ANN, ("down",)),
    "step_waiting": _Case(stepping, BOB),
    "step_watching": _Case(stepping, None),
    "step_keeper": _Case(stepping, KIM, ("down",)),
    "step_keeper_barred": _Case(barred, KIM),
    "actions_keeper": _Case(acting, KIM),
    "test_investigator": _Case(rolling, ANN),
    "puzzle": _Case(puzzling, ANN, ("down",)),
    "puzzle_order": _Case(ordering, BOB),
    "puzzle_match": _Case(matching, KIM),
    "cards_keeper": _Case(stepping, KIM, ("i", "down", "down")),
    "cards_investigator": _Case(stepping, ANN, ("i",)),
    "guide": _Case(stepping, KIM, ("o",)),
    "clues": _Case(stepping, ANN, ("o",)),
    "monsters_keeper": _Case(stepping, KIM, ("m",)),
    "whole_map": _Case(stepping, ANN, ("w",)),
    "over": _Case(happening, BOB),
    "lobby": _Case(lobby, ANN),
    "wild_step": _Case(wild.stepping, ANN),
    "wild_watching": _Case(wild.stepping, None),
    "wild_map": _Case(wild.stepping, KIM, ("w",)),
    "wild_allies": _Case(wild.talking, ANN, ("down",)),
    "wild_curse": _Case(wild.rolled, KIM, ("down",)),
    "wild_curse_ally": _Case(wild.declared, KIM),
    "wild_cards": _Case(wild.stepping, ANN, ("i", "down")),
    "wild_cards_keeper": _Case(wild.stepping, KIM, ("i",)),
    "wild_goal": _Case(wild.stepping, ANN, ("o",)),
    "wild_goal_keeper": _Case(wild.stepping, KIM, ("o",)),
    "wild_monsters": _Case(wild.stepping, KIM, ("m",)),
    "wild_ritual": _Case(wild.ritual, KIM),
}


@pytest.mark.parametrize("name", CASES)
def test_it_looks_as_accepted(name: str) -> None:
    case = CASES[name]

    def make(language: str) -> Ui:
        return ui_of(case.night(), seat=case.seat, language=language)

    look_as_accepted(SNAPSHOTS / f"{name}.txt", make, SIZES, case.keys)


@pytest.mark.parametrize("night", [stepping, wild.stepping, wild.rolled])
@pytest.mark.parametrize("seat", [KIM, ANN])
def test_ascii_alone_is_enough(seat: int, night: Callable[[], Night]) -> None:
    ui = ui_of(night(), seat=seat, charset=Charset.ASCII)

    for rows, columns in SIZES:
        assert ui.draw(rows, columns).plain().isascii()


@pytest.mark.rule("K-SECRET-15")
def test_the_health_of_a_monster_is_drawn_for_the_keeper_alone() -> None:
    screens = {
        seat: ui_of(stepping(), seat=seat).draw(60, 200).plain() for seat in (KIM, ANN, None)
    }

    assert {seat: "Tallyman 1/3" in screen for seat, screen in screens.items()} == {
        KIM: True,
        ANN: False,
        None: False,
    }


@pytest.mark.rule("K-SECRET-1")
def test_the_hand_is_drawn_for_the_keeper_alone() -> None:
    keys = ((), ("i",), ("o",))
    for seat, is_seen in ((KIM, True), (ANN, False), (None, False)):
        shown = ""
        for pressed in keys:
            ui = ui_of(stepping(), seat=seat)
            ui.draw(60, 200)
            for key in pressed:
                ui.press(key)
            shown += ui.draw(60, 200).plain()
        assert ("A Draught" in shown, "Dread" in shown) == (is_seen, is_seen)


@pytest.mark.rule("K-KEEPER-8")
@pytest.mark.parametrize("size", [(24, 80), (40, 120), (60, 200)])
def test_the_text_of_the_card_under_the_cursor_stands_beside_the_question(
    size: tuple[int, int],
) -> None:
    ui = ui_of(acting(), seat=KIM)
    ui.draw(*size)
    ui.press("1")

    lines = ui.draw(*size).plain().split("\n")

    assert any("Move a monster" in line for line in lines)


@pytest.mark.rule("K-LADDER-1")
def test_a_ladder_of_the_board_is_drawn_at_both_ends() -> None:
    ui = ui_of(stepping(), seat=ANN)
    ui.draw(60, 200)
    ui.press("w")

    screen = ui.draw(60, 200).plain()

    assert all(ends in screen for ends in ("R < ?3", "d & < ?1"))

"""Party panel: what it shows of each investigator in any space."""

import pytest

from client.games.second_edition.panes.party import party_lines
from client.games.second_edition.panes.scene import SecondEditionScene
from protocol.common.asks import Point
from protocol.games.second_edition import events as se
from protocol.games.second_edition.events import HarmTaken
from protocol.games.second_edition.table import Harm
from tests.games.second_edition.client.scripted import Script, asked
from tests.games.second_edition.client.stage import model_of

ADA, VERA = "investigator/ada", "investigator/vera"
WIDTH = 33
"""Columns of the pane on a terminal of 80x24."""


def _lines(
    script: Script, rows: int, *, seat: int | None = 0, lit: tuple[Point, ...] = ()
) -> list[str]:
    model = model_of(script, seat=seat)
    assert model.view is not None
    scene = SecondEditionScene(model.view.table, seat, model.speaker, lit=frozenset(lit))
    lines = party_lines(scene, WIDTH, rows)
    return ["".join(bit.text for bit in line).rstrip() for line in lines]


def _afflicted(*conditions: str) -> Script:
    """Return the game with more Conditions on Vera, who is Wounded."""
    script = asked()
    for condition in conditions:
        script.emit(se.ConditionGained(VERA, condition, ""))
    return script


MANY = ("condition/drenched", "condition/dazed", "condition/poisoned")


def test_every_condition_is_named_where_there_is_room() -> None:
    shown = " ".join(_lines(_afflicted(*MANY), 30))

    assert "WOUNDED," in shown
    assert "DRENCHED" in shown
    assert "POISONED; Lantern" in " ".join(shown.split())


def test_conditions_are_counted_rather_than_cut() -> None:
    text = next(line for line in _lines(_afflicted(*MANY), 8) if "WOUNDED" in line)

    assert text.startswith("   WOUNDED, DRENCHED, DAZED, +1")


def test_where_little_room_is_left_they_stand_beside_the_numbers() -> None:
    text = next(line for line in _lines(_afflicted(*MANY), 6) if "D 0/7 H 0/6 C 2" in line)

    assert text == "   D 0/7 H 0/6 C 2 WOUNDED, +3"


def test_on_a_single_line_they_are_a_number() -> None:
    text = _lines(_afflicted(*MANY), 3)[-1]

    assert text.endswith("D 0/7 H 0/6 C 2 +4")


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_condition_with_a_hidden_back_is_called_by_its_front(seat: int | None) -> None:
    """Even its owner sees only the front, in case somebody looks over their shoulder."""
    text = " ".join(_lines(asked(), 30, seat=seat))

    assert "INSANE" in text
    assert "FIREBUG" not in text.upper()


def test_a_condition_that_is_pointed_at_is_in_brackets() -> None:
    lit = (Point("card", "condition/wounded"),)

    assert "[WOUNDED]" in " ".join(_lines(_afflicted(), 30, lit=lit))


@pytest.mark.issue(38)
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("width", range(20, 60))
def test_no_number_is_cut(width: int, language: str) -> None:
    """In a narrow pane the words are abbreviated to one letter each."""
    model = model_of(asked(), language=language)
    assert model.view is not None
    lines = party_lines(SecondEditionScene(model.view.table, 0, model.speaker), width, 30)
    numbers = [text for line in lines if "/" in (text := "".join(bit.text for bit in line))]

    assert len(numbers) == 3
    assert all(len(line) <= width for line in numbers)


@pytest.mark.issue(38)
def test_harm_is_no_possession() -> None:
    script = asked()
    script.emit(HarmTaken(VERA, Harm.DAMAGE, "d8", "damage/sprain"))
    shown = " ".join(" ".join(_lines(script, 30)).split())

    assert "WOUNDED; Lantern faceup: Sprain" in shown


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (9, ["   WOUNDED; Lantern", "   faceup: Sprain"]),
        # The end of a line that is too long is cut off.
        (8, ["   WOUNDED; Lantern; faceup: Sprain"]),
    ],
)
def test_possessions_stand_before_harm(rows: int, expected: list[str]) -> None:
    script = _afflicted()
    script.emit(HarmTaken(VERA, Harm.DAMAGE, "d8", "damage/sprain"))

    assert _lines(script, rows)[-len(expected) :] == expected

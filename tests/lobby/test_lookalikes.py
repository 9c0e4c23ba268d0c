"""Names that people could mistake for one another are refused at one table."""

import pytest

from protocol.plain_text import name_fault
from server.lobby.rooms.lookalikes import is_confusable

pytestmark = pytest.mark.issue(13)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Anna"),
        ("Anna", "\u0410nn\u0430"),
        ("Paul", "Pau1"),
        ("Paul", "PauI"),
        ("Tom", "Torn"),
        ("Otto", "0tto"),
        ("Zo\u00eb", "Z\u03bf\u00eb"),
        ("Ada", "\uff21da"),
        ("Ada", "\U0001d400da"),
        ("Bq\u0302\u0304\u0306", "Bq\u0302\u0304\u0307"),
    ],
)
def test_names_that_look_the_same_are_confusable(one: str, other: str) -> None:
    assert is_confusable(one, {"Zed", other})
    assert is_confusable(other, {one})


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anna"), ("Ann", "ann"), ("Zoe", "Zo\u00eb"), ("Ann", ""), ("Bot 1", "Bot 2")],
)
def test_names_that_can_be_told_apart_are_not(one: str, other: str) -> None:
    assert not is_confusable(one, {other})


@pytest.mark.parametrize(
    "name", ["\u3164", "Ann\u2800", "An\u034fn", "Ann\ufe0f", "Ann\U000e0101", "A\u115fnn"]
)
def test_a_name_with_what_nobody_sees_is_refused(name: str) -> None:
    """Names with invisible characters would differ and look the same."""
    assert name_fault(name) == "the name has characters that cannot be printed"

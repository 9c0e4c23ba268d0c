"""Matching a typed line against listed things."""

import pytest

from client.plain.match import NamedThing, fitting, near, says
from client.text.ascii_fold import folded_words

LITTLE = frozenset({"the", "to", "with", "a", "l"})
TURN = (
    NamedThing("Go to Hall (2)", frozenset({"move"}), frozenset({"hall", "2"})),
    NamedThing("Go to Hallway", frozenset({"move"}), frozenset({"hallway"})),
    NamedThing("Go through the coats", frozenset({"look"}), frozenset({"search", "hall", "1"})),
    NamedThing("Attack with Iron Poker: Tallyman", frozenset({"fight"}), frozenset({"tallyman"})),
    NamedThing("Attack with bare hands: Tallyman", frozenset({"fight"}), frozenset({"tallyman"})),
    NamedThing("End the turn", frozenset({"turn"})),
)


def test_words_are_compared_as_fingers_type_them() -> None:
    assert folded_words("L’Œil-de-bœuf, ÉTEINT !") == ("l", "oeil", "de", "boeuf", "eteint")


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("go hall", (0,)),
        ("move hall", (0,)),
        ("move to the hall", (0,)),
        ("MOVE HALLW", (1,)),
        ("go ha", (0, 1, 2)),
        ("search", (2,)),
        ("search hall", (2,)),
        ("coats", (2,)),
        ("attack tallyman", (3, 4)),
        ("attack tallyman with poker", (3,)),
        ("attack the tallyman with the iron poker", (3,)),
        ("fight tally bare", (4,)),
        ("turn", (5,)),
        ("end", (5,)),
        ("dance", ()),
        ("go kitchen", ()),
        ("", ()),
        ("...", ()),
        ("the", (2, 5)),
    ],
)
def test_a_line_names_what_all_of_its_words_fit(typed: str, places: tuple[int, ...]) -> None:
    assert fitting(typed, TURN, LITTLE) == places


def test_what_is_typed_whole_is_no_other() -> None:
    assert fitting("hall", (NamedThing("Hall of mirrors"), NamedThing("hall"))) == (1,)
    assert fitting("ha", (NamedThing("Hall of mirrors"), NamedThing("hall"))) == (0, 1)


def test_a_letter_that_says_little_tells_between_two() -> None:
    slides = (NamedThing("a: 1 cell left"), NamedThing("b: 1 cell left"))

    assert fitting("a left", slides, LITTLE) == (0,)
    assert fitting("left", slides, LITTLE) == (0, 1)
    assert fitting("move l’homme", (NamedThing("Move: Homme"),), LITTLE) == (0,)


def test_things_of_one_name_are_never_guessed() -> None:
    assert fitting("tallyman", (NamedThing("Tallyman"), NamedThing("Tallyman"))) == (0, 1)


@pytest.mark.parametrize(
    ("typed", "places"),
    [("go hal kitchen", (0, 1, 2)), ("atack tallymen poker", (3,)), ("serch", (2,)), ("xyzzy", ())],
)
def test_what_is_near_is_found(typed: str, places: tuple[int, ...]) -> None:
    assert near(typed, TURN, LITTLE) == places


def test_a_thing_says_its_own_words_alone() -> None:
    assert says(TURN[5], "End")
    assert says(TURN[0], "hal")
    assert not says(TURN[0], "move")
    assert not says(TURN[2], "search")

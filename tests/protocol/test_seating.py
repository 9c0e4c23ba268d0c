"""Seats by role: how many each role has in a game of so many players."""

import pytest

from protocol.common.roster import Role, Roster

pytestmark = pytest.mark.issue(39)

ANIMALS = Role("animal", fewest=1, most=3, characters=("a", "b", "c"), each=(0, 2, 1, 1))
KEEPER = Role("keeper", fewest=1, most=1, characters=(), each=())
WATCHER = Role("watcher", fewest=0, most=2, characters=(), each=())
ONE_AGAINST_MANY = Roster(2, 4, (ANIMALS, KEEPER))
TOGETHER = Roster(1, 3, (Role("animal", 1, 3, ("a", "b", "c"), (2, 1, 1)),))


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, None),
        (2, {"animal": 1, "keeper": 1}),
        (3, {"animal": 2, "keeper": 1}),
        (4, {"animal": 3, "keeper": 1}),
        (5, None),
    ],
)
def test_each_role_has_what_it_needs_and_the_first_has_the_rest(
    count: int, expected: dict[str, int] | None
) -> None:
    assert ONE_AGAINST_MANY.seating(count) == expected


@pytest.mark.parametrize("wanted", ["", "animal", "keeper"])
def test_the_smallest_game_is_the_same_on_either_side(wanted: str) -> None:
    assert ONE_AGAINST_MANY.smallest_seating(wanted) == {"animal": 1, "keeper": 1}


def test_a_game_for_one_player_needs_nobody_else() -> None:
    assert TOGETHER.smallest_seating() == {"animal": 1}


def test_a_role_that_nobody_has_to_play_is_seated_where_it_is_wanted() -> None:
    roster = Roster(2, 4, (ANIMALS, KEEPER, WATCHER))

    assert roster.smallest_seating() == {"animal": 1, "keeper": 1, "watcher": 0}
    assert roster.smallest_seating("watcher") == {"animal": 1, "keeper": 1, "watcher": 1}


def test_a_party_has_to_have_enough_characters() -> None:
    """One seat would play two animals, and there is only one."""
    few = Role("animal", fewest=1, most=3, characters=("a",), each=(2, 1, 1))

    assert Roster(1, 3, (few,)).smallest_seating() == {}


def test_a_role_that_is_not_there_has_no_seat() -> None:
    assert ONE_AGAINST_MANY.seating(2, "owl") is None
    assert ONE_AGAINST_MANY.smallest_seating("owl") == {}

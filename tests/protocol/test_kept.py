"""Kept facts: worked out once for the same objects, and never for others."""

import pytest

from protocol.boards.kept import Kept


def test_the_same_objects_are_worked_out_once() -> None:
    """Whatever asks for them."""
    asked: list[tuple[int, ...]] = []
    kept = Kept(lambda things: asked.append(things) or len(things))
    things = (1, 2, 3)
    assert [kept(things), kept(things)] == [3, 3]
    assert asked == [things]


def test_equal_objects_are_others() -> None:
    """They are never compared."""
    kept = Kept(list[int])
    one, other = [1], [1]
    assert kept(one) == kept(other)
    assert kept(one) is not kept(other)


def test_an_object_in_the_place_of_one_that_is_gone_is_another() -> None:
    """What is kept holds on to its objects, so that no id comes again."""
    kept = Kept(lambda things: things[0], most=1000)
    assert [kept([number]) for number in range(500)] == list(range(500))


def test_the_oldest_goes_where_there_are_too_many() -> None:
    """It is worked out anew when it comes again."""
    kept = Kept(list[int], most=2)
    things = [[number] for number in range(3)]
    first = kept(things[0])
    for each in things[1:]:
        kept(each)
    assert len(kept) == 2
    assert kept(things[0]) is not first


def test_arguments_by_name_are_refused() -> None:
    """They would not be part of what is compared."""
    with pytest.raises(TypeError):
        Kept(lambda things: things)(things=1)

"""The memo: results are computed once for the same objects, and never used for others."""

import pytest

from protocol.memo import memo


def _copy(things: list[int]) -> list[int]:
    return list(things)


def _least(things: list[int]) -> int:
    return min(things)


def _all(*things: list[int]) -> tuple[list[int], ...]:
    return things


def test_the_same_objects_are_worked_out_once() -> None:
    asked: list[tuple[int, ...]] = []

    def count(things: tuple[int, ...]) -> int:
        asked.append(things)
        return len(things)

    kept = memo()(count)
    things = (1, 2, 3)
    assert [kept(things), kept(things)] == [3, 3]
    assert asked == [things]


def test_equal_objects_are_others() -> None:
    kept = memo()(_copy)
    one, other = [1], [1]
    assert kept(one) == kept(other)
    assert kept(one) is not kept(other)


def test_an_object_in_the_place_of_one_that_is_gone_is_another() -> None:
    kept = memo(most=1000)(_least)
    assert [kept([number]) for number in range(500)] == list(range(500))


def test_the_oldest_goes_where_there_are_too_many() -> None:
    kept = memo(most=2)(_copy)
    things = [[number] for number in range(3)]
    first, second, third = map(kept, things)
    assert kept(things[1]) is second
    assert kept(things[2]) is third
    assert kept(things[0]) is not first
    assert kept(things[1]) is not second


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_each_of_several_objects_counts(count: int) -> None:
    kept = memo()(_all)
    things = [[at] for at in range(count)]
    found = kept(*things)
    assert kept(*things) is found
    assert found == tuple(things)
    for at in range(count):
        others = [*things[:at], [at], *things[at + 1 :]]
        assert kept(*others) is not found
    if count > 1:
        assert kept(*reversed(things)) == tuple(reversed(things))

"""Kept facts: worked out once for the same objects, and never for others."""

from protocol.boards.kept import KeptFacts


def _copy(things: list[int]) -> list[int]:
    return list(things)


def test_the_same_objects_are_worked_out_once() -> None:
    """Whatever asks for them."""
    asked: list[tuple[int, ...]] = []

    def count(things: tuple[int, ...]) -> int:
        asked.append(things)
        return len(things)

    kept = KeptFacts(count)
    things = (1, 2, 3)
    assert [kept(things), kept(things)] == [3, 3]
    assert asked == [things]


def test_equal_objects_are_others() -> None:
    """They are never compared."""
    kept = KeptFacts(_copy)
    one, other = [1], [1]
    assert kept(one) == kept(other)
    assert kept(one) is not kept(other)


def test_an_object_in_the_place_of_one_that_is_gone_is_another() -> None:
    """What is kept holds on to its objects, so that no id comes again."""
    kept = KeptFacts(min, most=1000)
    assert [kept([number]) for number in range(500)] == list(range(500))


def test_the_oldest_goes_where_there_are_too_many() -> None:
    """It is worked out anew when it comes again."""
    kept = KeptFacts(_copy, most=2)
    things = [[number] for number in range(3)]
    first = kept(things[0])
    for each in things[1:]:
        kept(each)
    assert len(kept) == 2
    assert kept(things[0]) is not first

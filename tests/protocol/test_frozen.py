"""Frozen classes that are made quickly: what they make is what attrs makes."""

from typing import Any

import attrs
import pytest

from protocol.frozen import frozen, is_plain

pytestmark = pytest.mark.issue(12)


def declared(declare: Any) -> type:
    """Return a class with every kind of default, declared like this."""

    @declare
    class Made:
        """It has a private field, too."""

        first: int
        _hidden: str = "h"
        listed: list[int] = attrs.field(factory=list)
        last: Any = None

    return Made


QUICK: Any = declared(frozen)
PLAIN: Any = declared(attrs.frozen)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((1,), {}),
        ((1, "x", [3], 4), {}),
        ((1,), {"hidden": "y", "last": 2}),
        ((), {"first": 5, "listed": [1]}),
    ],
)
def test_an_instance_has_the_fields_that_attrs_gives(values: Any, named: Any) -> None:
    """By place, by name or by default; the first one and those after it."""
    for _ in range(2):
        made, expected = QUICK(*values, **named), PLAIN(*values, **named)

        assert type(made) is QUICK
        assert attrs.astuple(made) == attrs.astuple(expected)
        assert repr(made) == repr(expected)


def test_each_instance_has_its_own_default_that_is_made() -> None:
    """A list that two shared would be one."""
    QUICK(0)
    one, other = QUICK(1), QUICK(1)

    assert one.listed is not other.listed
    assert one == other


def test_fields_may_be_called_as_what_makes_them() -> None:
    """A piece has a `kind`: its default must not take the place of the class."""

    @frozen
    class Named:
        kind: int = 1
        draft: int = 2
        become: int = 3
        by_attrs: int = 4
        nothing: int = 5

    for _ in range(2):
        assert attrs.astuple(Named()) == (1, 2, 3, 4, 5)


def test_an_instance_is_frozen() -> None:
    """From the first one on."""
    for _ in range(2):
        made = QUICK(1)

        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            made.first = 2


def test_too_few_and_unknown_fields_are_refused() -> None:
    """A mistake of ours is loud."""
    QUICK(1)

    with pytest.raises(TypeError, match="first"):
        QUICK()
    with pytest.raises(TypeError, match="nothing"):
        QUICK(1, nothing=2)


def test_a_subclass_keeps_its_class() -> None:
    """One that attrs has not seen is made as before, one that it has made by its own fields."""
    QUICK(1)

    class Loose(QUICK):  # type: ignore[misc]  # made in a function
        pass

    @frozen
    class Wider(QUICK):  # type: ignore[misc]  # as above
        more: int = 9

    wider: Any = Wider
    assert type(Loose(1)) is Loose
    assert attrs.astuple(Loose(1, "x")) == (1, "x", [], None)
    assert attrs.astuple(wider(1, more=3)) == (1, "h", [], None, 3)
    assert type(wider(1)) is type(wider(2)) is Wider


def test_what_follows_the_making_follows() -> None:
    """Each time; it sees all fields."""
    seen = []

    @frozen
    class Told:
        number: int

        def __attrs_post_init__(self) -> None:
            seen.append(self.number)

    for number in range(3):
        Told(number)

    assert seen == [0, 1, 2]


def test_what_a_class_checks_is_checked() -> None:
    """Such a class is left to attrs."""

    @frozen
    class Checked:
        size: int = attrs.field(validator=attrs.validators.ge(0))

    assert not is_plain(Checked)
    for _ in range(2):
        with pytest.raises(ValueError, match="-1"):
            Checked(-1)

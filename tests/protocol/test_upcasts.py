"""Upcasts: what was written in an earlier form is read as the newer one, or refused."""

import pytest

from protocol.codec import Plain
from protocol.errors import Malformed
from protocol.event import earlier_kinds, kinds, public_names
from protocol.upcasts import (
    Change,
    Compared,
    Constant,
    EachOf,
    Extended,
    Inserted,
    Kept,
    Mapped,
    Shape,
    joined,
)

STREAMS = ((True, "setup"), (False, "play"))
ROLLED = Change(
    ("draw", "is_setup", "purpose"),
    {"stream": Mapped("is_setup", STREAMS), "number": Kept("draw")},
)
NEWER = ("stream", "number", "purpose")


def test_fields_are_renamed_moved_and_mapped() -> None:
    assert ROLLED.apply((7, True, "test"), NEWER) == ("setup", 7, "test")
    assert ROLLED.apply((0, False, "lot"), NEWER) == ("play", 0, "lot")


def test_constants_stand_where_the_newer_field_stands() -> None:
    change = Change(("a", "b"), {"x": Constant(()), "y": Constant(None)})

    assert change.apply((1, 2), ("a", "x", "b", "y")) == (1, (), 2, None)


def test_an_array_is_extended() -> None:
    change = Change(("a", "b"), {"b": Extended("b", (True, 0))})

    assert change.apply((1, (2, 3)), ("a", "b")) == (1, (2, 3, True, 0))


def test_every_item_of_an_array_gains_a_part() -> None:
    change = Change(("a", "b"), {"b": Inserted("b", 1, "role")})

    assert change.apply((1, ((0, ("x",)), (1, ()))), ("a", "b")) == (
        1,
        ((0, "role", ("x",)), (1, "role", ())),
    )
    assert change.apply((1, ()), ("a", "b")) == (1, ())


def test_items_of_an_array_are_reshaped() -> None:
    ending = Shape(
        "Old", ("name", "group"), {"name": Kept("name"), "ends": Compared("group", "rest")}
    )
    shape = Shape("OldOnes", ("choices",), {"choices": EachOf("choices", ending)})

    reshaped = shape.apply(((("go", "move"), ("stop", "rest")),))

    assert reshaped == ((("go", False), ("stop", True)),)


def test_values_of_another_type_are_not_the_same() -> None:
    """True is not 1."""
    shape = Shape("Old", ("count",), {"is_one": Compared("count", 1)})

    assert shape.apply((1,)) == (True,)
    assert shape.apply((True,)) == (False,)


ITEM = Shape("Old", ("name",), {"name": Kept("name")})


@pytest.mark.parametrize("value", [None, (), ("a", "b"), (1,), ((1,),), ((("a", "b"),),)], ids=repr)
def test_a_value_of_another_shape_is_malformed(value: Plain) -> None:
    with pytest.raises(Malformed):
        Shape("OldOnes", ("items",), {"items": EachOf("items", ITEM)}).apply(value)


def test_one_secret_is_reshaped_once_at_most() -> None:
    change = Change(("a",), {}, {"secret": ITEM})

    assert joined(change, Change(("a",)), ("a",)).secrets == {"secret": ITEM}
    with pytest.raises(TypeError, match="two changes of the secrets"):
        joined(change, change, ("a",))


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        (ROLLED, (7, True)),
        (ROLLED, (7, True, "test", 1)),
        (ROLLED, (7, 1, "test")),
        (ROLLED, (7, None, "test")),
        (Change(NEWER, {"purpose": Extended("purpose", (1,))}), (1, 2, 3)),
        (Change(NEWER, {"purpose": Inserted("purpose", 1, 0)}), (1, 2, 3)),
        (Change(NEWER, {"purpose": Inserted("purpose", 1, 0)}), (1, 2, (3,))),
    ],
)
def test_what_the_earlier_form_never_held_is_malformed(
    change: Change, fields: tuple[Plain, ...]
) -> None:
    with pytest.raises(Malformed):
        change.apply(fields, NEWER)


def test_a_wrong_declaration_is_found() -> None:
    assert ROLLED.faults(NEWER) == []
    assert ROLLED.faults((*NEWER, "faces")) == ["no earlier field 'faces'"]
    assert ROLLED.faults(NEWER[1:]) == ["no newer field 'stream'"]


def test_every_upcast_that_is_declared_fits_the_next_form() -> None:
    for tag, (newer, change) in earlier_kinds().items():
        assert change.faults(public_names(newer)) == [], tag
        assert newer in kinds() or newer in earlier_kinds()


LONGER = Change(("stream", "number", "purpose"), {"purpose": Extended("purpose", (0,))})
RENAMED = Change(("stream", "number", "purpose"), {"row": Kept("stream"), "by": Constant(3)})


@pytest.mark.parametrize(
    ("then", "newest"),
    [(LONGER, NEWER), (RENAMED, ("purpose", "row", "by", "number"))],
)
def test_two_changes_can_be_said_as_one(then: Change, newest: tuple[str, ...]) -> None:
    earliest: tuple[Plain, ...] = (7, True, ("test",))

    between = ROLLED.apply(earliest, NEWER)
    assert joined(ROLLED, then, newest).apply(earliest, newest) == then.apply(between, newest)


def test_two_changes_of_one_value_cannot_be_said_as_one() -> None:
    then = Change(NEWER, {"stream": Extended("stream", (0,))})

    with pytest.raises(TypeError, match="two changes of the field 'stream'"):
        joined(ROLLED, then, NEWER)

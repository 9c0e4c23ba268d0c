"""The codec: each value has one encoding, and every other is refused."""

import enum
from collections.abc import Mapping

import attrs
import msgpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from protocol import codec
from protocol.encoding import strict
from protocol.errors import Malformed, OverLimit, ProtocolError
from tests.protocol.strategies import PLAIN


class Colour(enum.Enum):
    """An enumeration to encode."""

    RED = "red"
    GREEN = "green"


@attrs.frozen
class Leaf:
    """A class to encode."""

    name: str = attrs.field(validator=attrs.validators.max_len(5))
    sizes: tuple[int, ...] = ()


@attrs.frozen
class Tree:
    """A class of classes to encode."""

    colour: Colour
    leaves: tuple[Leaf, ...]
    by_seat: Mapping[int, Leaf]
    note: str | int | None = None
    pair: tuple[int, bytes] = (0, b"")


TREE = Tree(Colour.RED, (Leaf("a", (1, 2)),), {300: Leaf("b"), 2: Leaf("c")}, 7, (1, b"x"))


@given(PLAIN)
def test_every_plain_value_comes_back(value: codec.Plain) -> None:
    again = codec.unpack(codec.pack(value))

    assert again == value
    assert repr(again) == repr(value)


@given(st.binary(max_size=200))
@example(b"\xc7\x00\x05")
@example(b"\x91\xc7\x00\x05")
@example(b"\xd9")
@example(b"\xdd\xff\xff\xff\xff")
def test_any_bytes_are_refused_or_canonical(data: bytes) -> None:
    try:
        value = codec.unpack(data)
    except ProtocolError:
        return

    assert codec.pack(value) == data


@given(PLAIN, st.data())
def test_changed_bytes_are_refused_or_canonical(value: codec.Plain, data: st.DataObject) -> None:
    packed = bytearray(codec.pack(value))
    at = data.draw(st.integers(0, len(packed) - 1))
    packed[at] = data.draw(st.integers(0, 255))

    try:
        again = codec.unpack(bytes(packed))
    except ProtocolError:
        return

    assert codec.pack(again) == bytes(packed)


@settings(max_examples=40)
@given(PLAIN, st.data())
def test_a_truncated_value_is_refused(value: codec.Plain, data: st.DataObject) -> None:
    packed = codec.pack(value)
    end = data.draw(st.integers(0, len(packed) - 1))

    with pytest.raises(ProtocolError):
        codec.unpack(packed[:end])


@settings(max_examples=40)
@given(PLAIN, st.binary(min_size=1, max_size=5))
def test_trailing_bytes_are_refused(value: codec.Plain, more: bytes) -> None:
    with pytest.raises(ProtocolError):
        codec.unpack(codec.pack(value) + more)


@pytest.mark.parametrize(
    "data",
    [
        b"\xcc\x05",
        b"\xcd\x00\x05",
        b"\xd0\x05",
        b"\xd0\xff",
        b"\xd9\x01a",
        b"\xc5\x00\x01a",
        b"\xdc\x00\x01\x05",
        b"\xdd\x00\x00\x00\x01\x05",
    ],
    ids=["uint8", "uint16", "int8", "negative int8", "str8", "bin16", "array16", "array32"],
)
def test_longer_forms_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed, match="canonical"):
        codec.unpack(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\x80",
        b"\x81\x01\x02",
        b"\xca\x00\x00\x00\x00",
        msgpack.packb(1.5),
        msgpack.packb(msgpack.ExtType(5, b"")),
        msgpack.packb(msgpack.ExtType(5, b"abc")),
        msgpack.packb(msgpack.Timestamp(1)),
        b"\xc1",
        b"\xa1\xff",
    ],
    ids=[
        "empty map",
        "map",
        "float32",
        "float64",
        "empty extension",
        "extension",
        "timestamp",
        "never used",
        "not UTF-8",
    ],
)
def test_what_the_encoding_does_not_have_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        codec.unpack(data)
    with pytest.raises(Malformed):
        codec.unpack(b"\x91" + data)


def test_the_deepest_value_is_let_in() -> None:
    data = b"\x91" * codec.MAX_DEPTH + b"\x05"

    assert codec.pack(codec.unpack(data)) == data


@pytest.mark.parametrize("depth", [codec.MAX_DEPTH + 1, 100_000])
def test_over_deep_values_are_refused(depth: int) -> None:
    with pytest.raises(OverLimit):
        codec.unpack(b"\x91" * depth + b"\x05")


def test_wide_arrays_do_not_count_as_deep() -> None:
    value = tuple((n, (n,)) for n in range(1000))

    assert codec.unpack(codec.pack(value)) == value


def test_over_long_values_are_refused() -> None:
    with pytest.raises(OverLimit):
        codec.unpack(b"\xa5hello", max_bytes=5)


@pytest.mark.parametrize("value", [1.5, [1], {}, object(), ((1, [2]),)])
def test_only_plain_values_are_packed(value: object) -> None:
    with pytest.raises(TypeError):
        codec.pack(value)  # type: ignore[arg-type]  # the point of the test


def test_typed_values_come_back() -> None:
    assert codec.decode(codec.encode(TREE, Tree), Tree) == TREE


def test_mappings_are_ordered_by_packed_key() -> None:
    other = attrs.evolve(TREE, by_seat=dict(reversed(list(TREE.by_seat.items()))))

    assert codec.encode(other, Tree) == codec.encode(TREE, Tree)


@pytest.mark.parametrize(
    "plain",
    [
        (),
        ("red", (), ()),
        ("blue", (), (), None, (0, b"")),
        ("red", (("toolong",),), (), None, (0, b"")),
        ("red", (("toolong", ()),), (), None, (0, b"")),
        ("red", ((1, ()),), (), None, (0, b"")),
        ("red", (("a", (True,)),), (), None, (0, b"")),
        ("red", (), ((2, ("a", ())), (1, ("b", ()))), None, (0, b"")),
        ("red", (), ((1, ("a", ())), (1, ("b", ()))), None, (0, b"")),
        ("red", (), ((1,),), None, (0, b"")),
        ("red", (), (), b"", (0, b"")),
        ("red", (), (), None, (0,)),
        (True, (), (), None, (0, b"")),
    ],
)
def test_another_shape_is_refused(plain: codec.Plain) -> None:
    with pytest.raises(Malformed):
        codec.from_plain(plain, Tree)


def test_unions_of_one_kind_cannot_be_declared() -> None:
    """Nothing on the wire would tell them apart."""
    with pytest.raises(TypeError):
        strict.reader(tuple[Leaf | Tree, ...])(((),))


@pytest.mark.issue(10)
@pytest.mark.parametrize("number", [2**53 + 1, -(2**53) - 1, 2**64 - 1])
def test_a_number_that_not_every_language_can_hold_is_refused(number: int) -> None:
    assert codec.from_plain((number > 0) * 2**53, int) == (number > 0) * 2**53
    with pytest.raises(Malformed, match="hold"):
        codec.from_plain((number,), tuple[int, ...])

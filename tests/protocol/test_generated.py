"""Generated converters agree with the slow definition and with the strict reader."""

import enum
import traceback
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NewType

import attrs
import pytest

import protocol.games.second_edition.events  # noqa: F401 (declares the kinds)
from protocol import codec
from protocol.common.asks import Choice, Point, Question
from protocol.common.text import Text
from protocol.encoding import forms
from protocol.encoding.generated import MAX_WITHIN
from protocol.errors import BadCommitment, ImpossibleValue, Malformed, ProtocolError
from protocol.event import (
    Event,
    Record,
    Stored,
    declared_fields,
    event,
    kinds,
    read_own,
    read_whole,
)
from protocol.messages import message_kinds
from server.kernel.room import Room
from tests.games.second_edition.simulate import simulate
from tests.kit.terminals.forged import Forger
from tests.protocol.readers.slow_forms import slow_form

pytestmark = pytest.mark.issue(12)
VALUES = 12
"""Number of values tried for each type."""


class Mood(enum.Enum):
    """An enumeration of texts."""

    GLAD = "glad"
    SAD = "sad"


class Size(enum.Enum):
    """An enumeration of numbers."""

    ONE = 1
    TWO = 2


Name = NewType("Name", str)


@attrs.frozen
class Branch:
    """A class that holds itself."""

    name: Name
    leaves: tuple[tuple[int, bytes], ...] = ()
    branches: tuple["Branch", ...] = ()
    first: "Branch | None" = None


@attrs.frozen
class Nothing:
    """A class without fields."""


TYPES = (
    *(bool, int, bytes, str, None, Name, Mood, Size, Nothing, Branch),
    *(Mood | None, Size | str, Mood | int | None, Branch | Mood | None, tuple[int, ...] | str),
    Branch | Mood | Size | bytes | None,
    *(tuple[Mood, ...], tuple[tuple[Size, ...], ...], tuple[str, Mood, tuple[int, Size]]),
    *(Mapping[int, str], Mapping[str, Branch], Mapping[Mood, tuple[Mood, ...]]),
    Mapping[str, Mapping[int, Size | None]],
)
"""Types put together in every way."""


def types_of_ours() -> list[Any]:
    """Return the types of all event fields and messages."""
    hints = [
        field.hint
        for kind in kinds().values()
        if kind.__module__.startswith("protocol.")
        for field in declared_fields(kind)
    ]
    return [*dict.fromkeys(map(_Hint, hints)), *map(_Hint, message_kinds().values())]


@attrs.frozen
class _Hint:
    of: Any

    def __str__(self) -> str:
        return getattr(self.of, "__name__", repr(self.of))


def values_of(of: Any) -> Iterator[Any]:
    """Yield random values of a type, except those that other rules refuse."""
    forger = Forger(Random(repr(of)), ("a", "zz", "b" * 40))
    with attrs.validators.disabled():
        for _ in range(VALUES):
            try:
                yield forger.make(of)
            except (ImpossibleValue, ProtocolError):
                continue


@pytest.mark.parametrize("hint", [*map(_Hint, TYPES), *types_of_ours()], ids=str)
def test_a_generated_writer_writes_the_form_and_both_readers_read_it(hint: _Hint) -> None:
    for value in values_of(hint.of):
        plain = codec.writer(hint.of)(value)

        assert plain == slow_form(value, hint.of)
        assert codec.pack(plain) == codec.pack(slow_form(value, hint.of))
        with attrs.validators.disabled():
            ours, strict = codec.own_reader(hint.of)(plain), codec.from_plain(plain, hint.of)
        assert ours == strict == value
        assert repr(ours) == repr(strict)


def test_keys_of_a_mapping_ascend_by_their_bytes() -> None:
    written = codec.to_plain({-1: "x", 300: "y", 2: "z", -300: "w"}, Mapping[int, str])

    assert written == ((2, "z"), (300, "y"), (-300, "w"), (-1, "x"))
    assert codec.to_plain({"zz": 1, "a": 2, "b" * 40: 3}, Mapping[str, int]) == (
        ("a", 2),
        ("zz", 1),
        ("b" * 40, 3),
    )


@pytest.mark.parametrize("value", [("a",), ("a", 1, 2), ()])
def test_a_tuple_of_another_length_is_not_written(value: Any) -> None:
    with pytest.raises(ValueError, match="unpack"):
        codec.to_plain(value, tuple[str, int])


def test_where_mappings_are_is_known() -> None:
    assert forms.holds_mappings(tuple[str | Mapping[str, int], ...])
    assert not forms.holds_mappings(Branch)


# How deep -----------------------------------------------------------------------------------


def nested(count: int) -> Text:
    """Return `count` nested texts."""
    text = Text("innermost")
    for _ in range(count - 1):
        text = Text("outer", (text,))
    return text


def test_texts_nest_only_so_deep() -> None:
    codec.to_plain(nested(MAX_WITHIN), Text)
    codec.to_plain(Question(Text("a"), (), then=(Question(nested(MAX_WITHIN - 2), ()),)), Question)

    with pytest.raises(ValueError, match="too deep"):
        codec.to_plain(nested(MAX_WITHIN + 1), Text)
    with pytest.raises(ValueError, match="too deep"):
        codec.to_plain(Question(nested(MAX_WITHIN), ()), Question)
    with pytest.raises(ValueError, match="too deep"):
        codec.to_plain(
            Question(Text("a"), (), then=(Question(nested(MAX_WITHIN - 1), ()),)), Question
        )


class Deepest:
    """Visitor that returns the greatest depth of a type's form under the writer's nesting limit."""

    def __init__(self, left: int = MAX_WITHIN) -> None:
        self.left = left

    def scalar(self, _of: type) -> int:
        return 0

    def nothing(self) -> int:
        return 0

    def enumeration(self, _of: type) -> int:
        return 0

    def union(self, by_kind: Mapping[type, Any]) -> int:
        return max(forms.made_of(of, self) for of in by_kind.values())

    def sequence(self, of: Any) -> int:
        return 1 + forms.made_of(of, self)

    def record(self, arguments: tuple[Any, ...]) -> int:
        return 1 + max(forms.made_of(of, self) for of in arguments)

    def mapping(self, key: Any, of: Any) -> int:
        return 1 + self.record((key, of))

    def structure(self, of: type) -> int:
        if not forms.holds_itself(of):
            return 1 + max(forms.made_of(hint, self) for _, hint in forms.fields_of(of))
        if not self.left:
            return 0
        within = Deepest(self.left - 1)
        return 1 + max(forms.made_of(hint, within) for _, hint in forms.fields_of(of))


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.tag)
def test_no_record_nests_too_deep_to_be_read(kind: type[Event]) -> None:
    for field in declared_fields(kind):
        around = 2 if field.to is None else 0
        assert around + forms.made_of(field.hint, Deepest()) <= codec.MAX_DEPTH


# Our own records ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def room() -> Room:
    """Return a finished game of three."""
    return simulate(2, 3).play().room


def test_a_class_that_can_hold_itself_is_known() -> None:
    assert forms.holds_itself(Text)
    assert forms.holds_itself(Question)
    assert not forms.holds_itself(Point)
    assert not forms.holds_itself(Choice)


def test_our_own_records_are_read_as_strictly_read_ones(room: Room) -> None:
    for stored in room.log:
        ours, strict = read_own(room.room_id, stored), read_whole(room.room_id, stored)
        assert ours == strict
        assert repr(ours) == repr(strict)


def test_a_changed_opening_of_our_own_is_refused(room: Room) -> None:
    tried = 0
    for stored in room.log[:200]:
        if len(stored.openings) > 1:
            changed = stored.openings[:-1] + bytes([stored.openings[-1] ^ 1])
            with pytest.raises(BadCommitment):
                read_own(room.room_id, Stored(stored.public, changed))
            tried += 1
    assert tried > 10


@pytest.mark.issue(37)
def test_every_flipped_bit_of_no_openings_is_refused(room: Room) -> None:
    stored = next(one for one in room.log if one.openings == codec.pack(()))
    for bit in range(8):
        changed = bytes([stored.openings[0] ^ 1 << bit])
        with pytest.raises(Malformed):
            read_own(room.room_id, Stored(stored.public, changed))


def test_a_damaged_record_of_our_own_raises_what_the_strict_reader_says(room: Room) -> None:
    chance, refused = Random(12), 0
    for stored in room.log[::5]:
        at, by = chance.randrange(len(stored.public)), chance.randrange(1, 256)
        public = bytearray(stored.public)
        public[at] ^= by
        damaged = Stored(bytes(public), stored.openings)
        said = refusal(read_own, room.room_id, damaged)
        if said is not None:
            refused += 1
            assert said == refusal(read_whole, room.room_id, damaged)
    assert refused > 20


@event("test/felt")
class Felt(Event):
    """An event with an enumeration."""

    mood: Mood


def test_an_error_of_our_own_log_names_no_value() -> None:
    """The value could be a secret, and tracebacks end up in log files."""
    public = codec.pack((0, 0, -1, "test/felt", ("furious",), ()))

    with pytest.raises(Malformed) as caught:
        read_own("room", Stored(public, codec.pack(())))

    assert "furious" not in "".join(traceback.format_exception(caught.value))


def refusal(
    read: Callable[[str, Stored], Record], room_id: str, stored: Stored
) -> tuple[type[ProtocolError], str] | None:
    """Return kind and message of the protocol error that a reader raises, or None."""
    try:
        read(room_id, stored)
    except ProtocolError as error:
        return type(error), str(error)
    return None

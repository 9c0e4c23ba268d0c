"""Sealing: the record returned with the bytes equals the one that a reader decodes from them."""

from collections.abc import Callable, Mapping
from typing import Any
from unittest import mock

import pytest

from protocol import sealing
from protocol.codec import Plain, pack
from protocol.common.text import Text
from protocol.encoding import packing
from protocol.errors import Malformed
from protocol.event import (
    EACH,
    Event,
    Record,
    Stored,
    declared_fields,
    event,
    hidden,
    openings_of,
    read_whole,
)
from protocol.event_contents import secrets_of
from protocol.sealing import seal
from server.kernel.room import Room
from tests.games.second_edition.simulate import simulate
from tests.kit import sealing as tests_sealing
from tests.kit.sealing import SHARE, NotAsRead, ReadingBack, read_back, shape_of
from tests.protocol.kinds import Dealt, Moved, Party, Shared
from tests.protocol.readers.slow_forms import slow_form

pytestmark = pytest.mark.issue(12)


@event("test/listed")
class Listed(Event):
    """An event with a public mapping."""

    by_name: Mapping[str, int]


def sealed(happened: Event) -> tuple[Stored, Record]:
    """Seal an event as a room would."""
    return seal(
        happened,
        room_id="room",
        sequence=5,
        time=1,
        origin=2,
        knowers=Party(),
        new_salt=lambda: b"s" * 32,
    )


WRONG: dict[str, Callable[[], Event]] = {
    "a number for a text": lambda: Moved(7, "hall", 1),  # type: ignore[arg-type]
    "a truth for a number": lambda: Moved("ann", "hall", True),
    "a list for a tuple": lambda: Shared([1, 2], hidden("x")),  # type: ignore[arg-type]
    "bytes in a secret": lambda: Shared((1,), hidden(b"x")),  # type: ignore[arg-type]
    "bytes for each": lambda: Dealt(1, {0: hidden(b"zero")}, "end"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_value_of_a_wrong_type_is_found_by_the_tests(wrong: str) -> None:
    with pytest.raises((Malformed, NotAsRead)):
        sealed(WRONG[wrong]())


RIGHT = (Moved("ann", "hall", 1), Shared((1,), hidden("x")), Dealt(1, {0: hidden("0")}, "end"))


@pytest.mark.parametrize("wrong", WRONG)
def test_it_is_found_after_a_thousand_right_ones_of_its_kind(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few records of a known shape are read back, but a wrong type is another shape."""
    monkeypatch.setattr(sealing, "after_seal", ReadingBack())
    for _ in range(1000):
        for happened in RIGHT:
            sealed(happened)

    with pytest.raises((Malformed, NotAsRead)):
        sealed(WRONG[wrong]())


def test_a_wrong_type_deep_in_a_record_is_another_shape() -> None:
    deep: dict[object, object] = {
        "a": (Moved("ann", "hall", 1),),
        "b": (hidden((Text("ask/it", (1, "x")),)),),
    }
    same = {"c": (Moved("ben", "cellar", 2),), "d": (hidden((Text("ask/that", (2, "y")),)),)}
    others: tuple[dict[object, object], ...] = (
        {**deep, "a": [Moved("ann", "hall", 1)]},
        {**deep, "a": (Moved("ann", "hall", True),)},
        {**deep, "b": (hidden((Text("ask/it", (1, b"x")),)),)},  # type: ignore[arg-type]  # wrong
        {**deep, "b": (hidden([Text("ask/it", (1, "x"))]),)},
        {**deep, 1: ()},
    )

    assert shape_of(deep) == shape_of(same)
    assert len({shape_of(deep), *map(shape_of, others)}) == 1 + len(others)


def test_one_in_a_few_of_the_same_shape_is_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading back finds values that are wrong although their types are right."""
    reading = mock.Mock(side_effect=tests_sealing.read_back)
    monkeypatch.setattr(tests_sealing, "read_back", reading)
    monkeypatch.setattr(sealing, "after_seal", ReadingBack())

    for _ in range(1 + 3 * SHARE):
        sealed(RIGHT[0])

    assert reading.call_count == 1 + 3


def test_a_shape_that_was_wrong_is_wrong_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that sees a fault must not hide it from the next."""
    monkeypatch.setattr(sealing, "after_seal", ReadingBack())

    for _ in range(2):
        with pytest.raises(Malformed):
            sealed(WRONG["a number for a text"]())


@pytest.mark.parametrize("wrong", WRONG)
def test_it_is_reading_back_that_finds_it(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without reading back, as on a server, the bytes are written."""
    monkeypatch.setattr(sealing, "after_seal", None)

    stored, record = sealed(WRONG[wrong]())

    with pytest.raises((Malformed, NotAsRead)):
        read_back("room", stored, record)


def test_what_the_encoding_does_not_have_is_never_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server refuses it, too, since nobody could read such a log."""
    monkeypatch.setattr(sealing, "after_seal", None)

    with pytest.raises(TypeError, match="float"):
        sealed(Moved("ann", "hall", 1.5))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [1.5, [1], {1: 2}, {1}, bytearray(b"x"), (1, (2.5,)), (1, [2]), Ellipsis, 1 << 64],
    ids=repr,
)
def test_nor_is_it_in_public_or_in_a_secret(wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "after_seal", None)

    for happened in (Moved(wrong, "hall"), Shared((1,), hidden(wrong))):
        with pytest.raises((TypeError, ValueError)):
            sealed(happened)


@pytest.mark.parametrize("distance", [0xCB, 0xCBCB, 0xCB << 40])
def test_what_only_looks_like_a_float_is_written(distance: int) -> None:
    stored, record = sealed(Moved("\u02cb", "hall", distance))

    assert b"\xcb" in stored.public
    assert read_whole("room", stored) == record


def test_a_mapping_has_the_order_of_the_log_and_is_nobody_elses() -> None:
    given = {"zz": 1, "a": 2}
    stored, record = sealed(Listed(given))
    given["b"] = 3

    assert list(record.event.by_name) == ["a", "zz"]  # type: ignore[attr-defined]
    assert read_whole("room", stored) == record


def test_an_event_without_mappings_and_secrets_is_its_record() -> None:
    happened = Moved("ann", "hall", 1)

    assert sealed(happened)[1].event is happened


@pytest.mark.parametrize(
    ("happened", "packs"), [(Moved("ann", "hall", 1), 1), (Shared((1,), hidden("x")), 4)]
)
def test_sealing_packs_each_part_once_and_unpacks_nothing(
    happened: Event, packs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack_one = mock.Mock(side_effect=packing._pack)
    monkeypatch.setattr(sealing, "after_seal", None)
    monkeypatch.setattr(packing, "_pack", pack_one)
    monkeypatch.setattr(packing, "_unpack", None)

    sealed(happened)

    assert pack_one.call_count == packs


@pytest.fixture(scope="module")
def room() -> Room:
    """Return a finished game of four."""
    return simulate(3, 4).play().room


def test_the_bytes_of_a_game_are_those_of_the_slow_definition(room: Room) -> None:
    for stored in room.log[::3]:
        record = read_whole(room.room_id, stored)
        assert pack(slow_record(record)) == stored.public
        values = [slow_form(value, hint) for value, hint in hidden_values(record.event)]
        assert [pack(value) for value in values] == [one.value for one in openings_of(stored)]


def slow_record(record: Record) -> Plain:
    """Return the public part of a record by the slow definition."""
    happened = record.event
    fields = [
        tuple(sorted(value)) if field.to == EACH else slow_form(value, field.hint)
        for field in declared_fields(type(happened))
        for value in (getattr(happened, field.name),)
        if field.to in {None, EACH}
    ]
    secrets = tuple((one.audience, one.commitment) for one in secrets_of(happened))
    head = (record.sequence, record.time, record.origin, happened.tag)
    return (*head, tuple(fields), secrets)


def hidden_values(happened: Event) -> list[tuple[Any, Any]]:
    """Return the values of an event's secrets by slot, each with its type."""
    found = []
    for field in declared_fields(type(happened)):
        value = getattr(happened, field.name)
        if field.to == EACH:
            found += [(value[seat].value, field.hint) for seat in sorted(value)]
        elif field.to is not None:
            found.append((value.value, field.hint))
    return found

"""
Records in brief: how records travel on one connection, without what both ends know already.

Of a record's public bytes the sequence follows from its place, and the time is said once for all
that share it. Origin and tag, its *kind*, are named by a number once they were sent. Of a question
that is shown, a part (such as a choice) that was sent a moment ago on the same connection is named
by how many parts ago that was. A reader joins all this to the very bytes that were hashed.

What a frame holds, and so how long it is, depends on nothing but what was sent on its connection:
what a viewer may not see is not there to be compared with. Parts are compared whole, and only those
of questions, which rules write and nobody else.
"""

import functools
import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from protocol import codec
from protocol.bounds import MAX_CUTS
from protocol.commitments import Opening
from protocol.common.events import Asked
from protocol.errors import Malformed, OverLimit
from protocol.event import Cut
from protocol.messages import BriefRecord, BriefRecords, Records, ServerMessage

WINDOW = 64
"""How many parts back one can be named."""
MIN_PART, MAX_PART = 8, 512
"""Bytes of a part that is remembered."""
MAX_KINDS = 128
"""How many kinds have a number on one connection."""
MAX_SPLIT = 16 * 1024
"""Bytes of a question that is split; a longer one is sent whole, and fits a frame as it is."""
MAX_JOINED = 1 << 20
"""Bytes of values in one message, once all parts are joined."""


@attrs.frozen
class Parts:
    """A packed question in parts."""

    whole: bytes = attrs.field(repr=False)
    """All of it, as it is sent whole."""
    parts: tuple[bytes, ...] = attrs.field(repr=False)
    """Joined they are the question, packed."""


Kind = int
"""Origin and tag of a record, by their place among all that this process has sent."""

Segment = bytes | Parts | Kind
Segments = tuple[Segment, ...]
"""What comes after the room in a message of records: bytes, between them kinds and questions."""


# Writing -----------------------------------------------------------------------------------


def segments_of(cuts: Iterable[Cut]) -> Segments:
    """Return records as they are sent."""
    return joined_spans([_of_cut(one) for one in cuts])


def _of_cut(shown: Cut) -> tuple[int, int, list[Segment]]:
    head: Any = codec.unpack_own(shown.public)
    sequence, time, origin, tag, *_ = head
    openings = [
        (opening_start(slot, one), value_form(tag, one.value, codec.unpack_own(one.value)))
        for slot, one in shown.openings
    ]
    kind = kind_of(origin, tag)
    return sequence, time, record_form(kind, rest_of(shown.public, sequence, time, kind), openings)


_sent_kinds: list[bytes] = []
"""Each kind as it is sent without a number."""


@functools.cache
def kind_of(origin: int, tag: str) -> Kind:
    """Return the kind of our own records with this origin and tag, of which there are few."""
    _sent_kinds.append(codec.pack(codec.pack(origin) + codec.pack(tag)))
    return len(_sent_kinds) - 1


def rest_of(public: bytes, sequence: int, time: int, kind: Kind) -> bytes:
    """Return, packed, what comes after its kind in the public bytes of our own record."""
    numbers = codec.pack_known(sequence) + codec.pack_known(time)
    before = 1 + len(numbers) + len(_sent_kinds[kind]) - _BIN_HEAD
    return codec.pack_known(public[before:])


_BIN_HEAD = 2
"""Bytes before those of a short byte string."""


def opening_start(slot: int, opening: Opening) -> bytes:
    """Return how an opening begins that is sent."""
    return b"\x93" + codec.pack_known(slot) + codec.pack_known(opening.salt)


def value_form(tag: str, value: bytes, plain: codec.Plain) -> bytes | Parts:
    """Return a value as it is sent that a record of this kind opens, packed and as it is plain."""
    whole = codec.pack_known(value)
    if tag != Asked.tag or len(value) > MAX_SPLIT:
        return whole
    return Parts(whole, tuple([_one_of_all(part) for part in _split(plain)]))


@functools.lru_cache(maxsize=2048)
def _one_of_all(part: bytes) -> bytes:
    """Return the same object for the same part, which every connection remembers."""
    return part


def record_form(
    kind: Kind, rest: bytes, openings: Sequence[tuple[bytes, bytes | Parts]]
) -> list[Segment]:
    """Return a record as it is sent: what `rest_of` says, and openings, each start and value."""
    form: list[Segment] = [b"\x93", kind, rest + codec.array_head(len(openings))]
    for start_and_value in openings:
        form += start_and_value
    return form


def joined_spans(records: Sequence[tuple[int, int, Sequence[Segment]]]) -> Segments:
    """Return records, each with sequence, time and form, as they are sent."""
    if records[0][1] == records[-1][1]:
        # So it is of a batch: times never go back.
        spans = [records]
    else:
        spans = [list(span) for _, span in itertools.groupby(records, key=_time)]
    found: list[Segment] = []
    # Bytes that follow one another are one.
    told = codec.pack_known(records[0][0]) + codec.array_head(len(spans))
    for span in spans:
        told += b"\x92" + codec.pack_known(_time(span[0])) + codec.array_head(len(span))
        for _, _, form in span:
            for segment in form:
                if isinstance(segment, bytes):
                    told += segment
                else:
                    found += (told, segment)
                    told = b""
    return (*found, told) if told else tuple(found)


def _time(record: tuple[int, int, Sequence[Segment]]) -> int:
    return record[1]


def _split(question: codec.Plain) -> Iterator[bytes]:
    """Yield a question packed in parts; those too short to be remembered go with the next one."""
    waiting = b""
    for before, part in _pieces(question):
        waiting += before
        if MIN_PART <= len(part) <= MAX_PART:
            if waiting:
                yield waiting
            yield part
            waiting = b""
        else:
            waiting += part
    if waiting:
        yield waiting


def _pieces(question: Any) -> Iterator[tuple[bytes, bytes]]:
    """Yield what is likely to come again in other questions, packed, and what stands before it."""
    prompt, choices, refused, *others = question
    yield codec.array_head(3 + len(others)), codec.pack_known(prompt)
    before = codec.array_head(len(choices))
    for choice_id, *choice in choices:
        # The id is new in each question, the rest of a choice is not.
        before += codec.array_head(1 + len(choice)) + codec.pack_known(choice_id)
        yield before, _items(choice)
        before = b""
    before += codec.array_head(len(refused))
    for each in refused:
        yield before, codec.pack_known(each)
        before = b""
    yield before, _items(others)


def _items(few: Sequence[codec.Plain]) -> bytes:
    """Return what follows the head of a packed array with these items."""
    return codec.pack_known(tuple(few))[len(codec.array_head(len(few))) :]


_TAG = b"\x94" + codec.pack(BriefRecords.tag)
_SAME_ROOM = codec.pack("")
_COUNTED = 256
"""Where counting begins anew: more than can be named, and numbers that take no memory."""
_NUMBERS = tuple(map(codec.pack, range(_COUNTED)))
_NEXT_NUMBER = codec.array_head(1)


def _whole(segment: Kind | Parts) -> bytes:
    return _sent_kinds[segment] if isinstance(segment, int) else segment.whole


class BriefWriter:
    """What was sent on one connection, as far as it need not be sent again."""

    def __init__(self) -> None:
        """Begin a connection."""
        self._room = ""
        self._numbers: dict[bytes, int] = {}
        """The parts that can be named, the oldest first, each with its number, by `_COUNTED`."""
        self._count = 0
        self._kinds = bytearray()
        """For each kind its number here, counted from 1; 0 for none."""
        self._kind_count = 0

    def payload(
        self, room_id: str, segments: Segments, bodies: dict[bytes, bytes] | None = None
    ) -> bytes:
        """
        Return the payload of a message that is sent next.

        Args:
            room_id: the room of its records.
            segments: what `segments_of` says of them.
            bodies: what was made of these segments on other connections, by the numbers that kinds
                have there. What leans on nothing else is taken from there, or put there.
        """
        room = _SAME_ROOM if room_id == self._room else codec.pack_known(room_id)
        self._room = room_id
        if bodies is None:
            return b"".join((_TAG, room, *self._told(segments)))
        numbers = bytes(self._kinds)
        body = bodies.get(numbers)
        if body is None:
            body = b"".join(self._told(segments))
            if numbers == self._kinds and Parts not in map(type, segments):
                bodies[numbers] = body
        return b"".join((_TAG, room, body))

    def _told(self, segments: Segments) -> list[bytes]:
        """Return segments as they are sent here next."""
        kinds, known = self._kinds, len(self._kinds)
        return [
            each
            if isinstance(each, bytes)
            else _NUMBERS[kinds[each] - 1]
            if isinstance(each, int) and each < known and kinds[each]
            else self._said(each)
            for each in segments
        ]

    def _said(self, segment: Kind | Parts) -> bytes:
        return self._first_told(segment) if isinstance(segment, int) else self._named(segment)

    def whole(self, room_id: str, segments: Segments) -> bytes:
        """Return the payload of a message that may be sent at any time: it leans on no other."""
        self._room = ""
        told = [each if isinstance(each, bytes) else _whole(each) for each in segments]
        return b"".join((_TAG, codec.pack(room_id), *told))

    def _first_told(self, kind: Kind) -> bytes:
        """Return a kind that had no number here before; it has one from now on, if possible."""
        kinds = self._kinds
        if kind < len(kinds) and kinds[kind]:
            return _NUMBERS[kinds[kind] - 1]
        if self._kind_count == MAX_KINDS:
            return _sent_kinds[kind]
        if kind >= len(kinds):
            kinds.extend(bytes(kind + 1 - len(kinds)))
        self._kind_count += 1
        kinds[kind] = self._kind_count
        return _NEXT_NUMBER + _sent_kinds[kind]

    def _named(self, question: Parts) -> bytes:
        told = [codec.array_head(len(question.parts))]
        for part in question.parts:
            number = self._numbers.get(part)
            if number is not None:
                told.append(_NUMBERS[(self._count - number) % _COUNTED])
                continue
            told.append(codec.pack_known(part))
            if MIN_PART <= len(part) <= MAX_PART:
                self._numbers[part] = self._count
                self._count = (self._count + 1) % _COUNTED
                if len(self._numbers) > WINDOW:
                    del self._numbers[next(iter(self._numbers))]
        return b"".join(told)


# Reading -----------------------------------------------------------------------------------


class BriefReader:
    """What came on one connection, as far as it may be named again."""

    def __init__(self) -> None:
        """Begin a connection."""
        self._room = ""
        self._parts: deque[bytes] = deque(maxlen=WINDOW)
        self._kinds: list[bytes] = []

    def read(self, message: ServerMessage) -> ServerMessage:
        """
        Return a message as it was meant: records with all that was left out.

        Raises:
            Malformed: it names what never came.
            OverLimit: it is too long once it is whole.
        """
        if not isinstance(message, BriefRecords):
            return message
        self._room = message.room_id or self._room
        if not self._room:
            raise Malformed("records of the same room as those before, where there were none")
        if sum(len(span.records) for span in message.spans) > MAX_CUTS:
            raise OverLimit(f"more than {MAX_CUTS} records in one message")
        timed = [(span.time, one) for span in message.spans for one in span.records]
        left = MAX_JOINED
        cuts = []
        for sequence, (time, record) in enumerate(timed, message.first):
            openings = []
            for one in record.openings:
                value = one.value if isinstance(one.value, bytes) else self._joined(one.value, left)
                left -= len(value)
                openings.append((one.slot, Opening(one.salt, value)))
            cuts.append(Cut(self._public(sequence, time, record), tuple(openings)))
        return Records(self._room, tuple(cuts))

    def _public(self, sequence: int, time: int, record: BriefRecord) -> bytes:
        kind = self._kind(record.kind)
        return b"".join((b"\x96", codec.pack(sequence), codec.pack(time), kind, record.rest))

    def _kind(self, told: bytes | int | tuple[bytes]) -> bytes:
        if isinstance(told, bytes):
            return told
        if isinstance(told, int):
            if not 0 <= told < len(self._kinds):
                raise Malformed(f"kind {told}, of {len(self._kinds)}")
            return self._kinds[told]
        if len(self._kinds) == MAX_KINDS:
            raise OverLimit(f"more than {MAX_KINDS} kinds with a number")
        self._kinds.extend(told)
        return told[0]

    def _joined(self, told: tuple[bytes | int, ...], most: int) -> bytes:
        parts = []
        for each in told:
            part = self._part(each) if isinstance(each, int) else each
            most -= len(part)
            if most < 0:
                raise OverLimit(f"records with more than {MAX_JOINED} bytes of values")
            parts.append(part)
            if isinstance(each, bytes) and MIN_PART <= len(each) <= MAX_PART:
                self._parts.append(each)
        return b"".join(parts)

    def _part(self, ago: int) -> bytes:
        if not 0 < ago <= len(self._parts):
            raise Malformed(f"a part that came {ago} parts ago, of {len(self._parts)}")
        return self._parts[-ago]

"""
Records in brief: how records travel on one connection, without what both ends know already.

Of a record's public bytes the sequence follows from its place, and the time is said once for all
that share it. Origin and tag, its *kind*, are named by a number once they were sent, and so are
the subjects in what everybody sees of it. Of a question that is shown, a part (such as a choice)
that was sent a moment ago on the same connection is named by how many parts ago that was. A reader
joins all this to the very bytes that were hashed.

What a frame holds, and so how long it is, depends on nothing but what was sent on its connection:
what a viewer may not see is not there to be compared with. All is compared whole, and only kinds,
subjects and parts of questions, which packs and rules write and nobody else.
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
from protocol.event_contents import subjects_of_plain
from protocol.messages import BriefRecord, BriefRecords, Numbered, Records, ServerMessage

WINDOW = 64
"""How many parts back one can be named."""
MIN_PART, MAX_PART = 8, 512
"""Bytes of a part that is remembered."""
MAX_NUMBERS = 255
"""How many kinds and subjects have a number on one connection; then the oldest loses it."""
MAX_NAMED = 512
"""Bytes of what a number can stand for."""
MAX_KNOWN = 1 << 14
"""How many kinds and subjects this process has a place for; others are sent whole each time."""
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


Known = int
"""The kind of a record, or a subject, by its place among all that this process has sent."""

Segment = bytes | Parts | Known
Segments = tuple[Segment, ...]
"""What comes after the room in a message of records: bytes, between them what has a number, and
questions."""


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
    rest = rest_of(shown.public, sequence, time, kind, subjects_of_plain(head[3:5]))
    return sequence, time, record_form(kind, rest, openings)


_places: dict[bytes, Known] = {}
"""The place of all that this process has sent and that may have a number, packed."""
_sent_whole: list[bytes] = []
"""By place, how it is sent without a number."""


def _placed(packed: bytes) -> Known:
    """Return the place of something; a new one where it has none yet."""
    place = _places.get(packed)
    if place is None:
        place = _places[packed] = len(_sent_whole)
        _sent_whole.append(codec.pack(packed))
    return place


@functools.cache
def kind_of(origin: int, tag: str) -> Known:
    """Return the kind of our own records with this origin and tag, of which there are few."""
    return _placed(codec.pack(origin) + codec.pack(tag))


@functools.lru_cache(maxsize=2048)
def _packed_name(subject: str) -> bytes:
    """Return how a subject stands in a record; empty where a number would save nothing."""
    packed = codec.pack(subject)
    return packed if MIN_PART <= len(packed) <= MAX_NAMED else b""


def rest_of(
    public: bytes, sequence: int, time: int, kind: Known, subjects: Iterable[str]
) -> list[Segment]:
    """
    Return, as it is sent, what comes after its kind in the public bytes of our own record.

    Args:
        public: its public bytes.
        sequence: its sequence.
        time: its time.
        kind: its kind.
        subjects: what in it may be subjects; those that do not stand there are passed over.
    """
    numbers = codec.pack_known(sequence) + codec.pack_known(time)
    rest = public[1 + len(numbers) + len(_sent_whole[kind]) - _BIN_HEAD :]
    pieces: list[bytes | Known] = [rest]
    for subject in subjects:
        name = _packed_name(subject)
        if name and name in rest and (name in _places or len(_places) < MAX_KNOWN):
            pieces = list(_split_at(pieces, name, _placed(name)))
    if len(pieces) == 1:
        return [_packed_bytes(rest)]
    told = [piece if isinstance(piece, int) else _packed_bytes(piece) for piece in pieces]
    return [codec.array_head(len(told)), *told]


def _split_at(
    pieces: Iterable[bytes | Known], name: bytes, place: Known
) -> Iterator[bytes | Known]:
    """Yield pieces with this place wherever they hold the name."""
    for piece in pieces:
        if isinstance(piece, int):
            yield piece
            continue
        for number, between in enumerate(piece.split(name)):
            if number:
                yield place
            if between:
                yield between


_BIN_HEAD = 2
"""Bytes before those of a short byte string."""
_BIN_HEADS = tuple([codec.pack(bytes(length))[:_BIN_HEAD] for length in range(256)])


def _packed_bytes(value: bytes) -> bytes:
    """Return a byte string packed; most are short."""
    length = len(value)
    return _BIN_HEADS[length] + value if length < len(_BIN_HEADS) else codec.pack_known(value)


def opening_start(slot: int, opening: Opening) -> bytes:
    """Return how an opening begins that is sent."""
    return b"\x93" + codec.pack_known(slot) + _packed_bytes(opening.salt)


def value_form(tag: str, value: bytes, plain: codec.Plain) -> bytes | Parts:
    """Return a value as it is sent that a record of this kind opens, packed and as it is plain."""
    whole = _packed_bytes(value)
    if tag != Asked.tag or len(value) > MAX_SPLIT:
        return whole
    return Parts(whole, tuple([_one_of_all(part) for part in _split(plain)]))


@functools.lru_cache(maxsize=2048)
def _one_of_all(part: bytes) -> bytes:
    """Return the same object for the same part, which every connection remembers."""
    return part


def record_form(
    kind: Known, rest: Sequence[Segment], openings: Sequence[tuple[bytes, bytes | Parts]]
) -> list[Segment]:
    """Return a record as it is sent: what `rest_of` says, and openings, each start and value."""
    form: list[Segment] = [b"\x93", kind, *rest, codec.array_head(len(openings))]
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
_NUMBERS = tuple(map(codec.pack, range(MAX_NUMBERS)))
_NEXT_NUMBER = codec.array_head(1)


def _whole(segment: Known | Parts) -> bytes:
    return _sent_whole[segment] if isinstance(segment, int) else segment.whole


Numbers = tuple[bytes, int]
"""What has a number on a connection: for each place its number, counted from 1, 0 for none; and how
many were given a number, by `MAX_NUMBERS`."""
Bodies = dict[Numbers, tuple[bytes, Numbers]]
"""A message as it is sent where this has a number, and what has one after it."""


class BriefWriter:
    """What was sent on one connection, as far as it need not be sent again."""

    def __init__(self) -> None:
        """Begin a connection."""
        self._room = ""
        self._parts: deque[bytes] = deque(maxlen=WINDOW)
        """The parts that can be named."""
        self._numbers: Numbers = b"", 0

    def payload(self, room_id: str, segments: Segments, bodies: Bodies | None = None) -> bytes:
        """
        Return the payload of a message that is sent next.

        Args:
            room_id: the room of its records.
            segments: what `segments_of` says of them.
            bodies: what was made of these segments on other connections. What leans on nothing but
                numbers is taken from there, or put there.
        """
        room = _SAME_ROOM if room_id == self._room else codec.pack_known(room_id)
        self._room = room_id
        made = None if bodies is None else bodies.get(self._numbers)
        if made is None:
            before = self._numbers
            made = b"".join(self._told(segments)), self._numbers
            if bodies is not None and Parts not in map(type, segments):
                bodies[before] = made
        body, self._numbers = made
        return b"".join((_TAG, room, body))

    def _told(self, segments: Segments) -> list[bytes]:
        """Return segments as they are sent here next."""
        numbers, known = self._numbers[0], len(self._numbers[0])
        for each in segments:
            if isinstance(each, int) and not (each < known and numbers[each]):
                return self._first_told(segments)
        return [
            each
            if isinstance(each, bytes)
            else _NUMBERS[numbers[each] - 1]
            if isinstance(each, int)
            else self._named(each)
            for each in segments
        ]

    def whole(self, room_id: str, segments: Segments) -> bytes:
        """Return the payload of a message that may be sent at any time: it leans on no other."""
        self._room = ""
        told = [each if isinstance(each, bytes) else _whole(each) for each in segments]
        return b"".join((_TAG, codec.pack(room_id), *told))

    def _first_told(self, segments: Segments) -> list[bytes]:
        """Return segments as above; what has no number yet is given one."""
        numbers, count = bytearray(self._numbers[0]), self._numbers[1]
        told = []
        for each in segments:
            if isinstance(each, bytes):
                told.append(each)
            elif not isinstance(each, int):
                told.append(self._named(each))
            elif each < len(numbers) and numbers[each]:
                told.append(_NUMBERS[numbers[each] - 1])
            else:
                _give_number(numbers, each, count)
                count = (count + 1) % MAX_NUMBERS
                told.append(_NEXT_NUMBER + _sent_whole[each])
        self._numbers = bytes(numbers), count
        return told

    def _named(self, question: Parts) -> bytes:
        told, kept = [codec.array_head(len(question.parts))], self._parts
        for part in question.parts:
            try:
                # There are so few that looking at each takes no longer than their mapping would,
                # which would take eight times the memory.
                told.append(_NUMBERS[len(kept) - kept.index(part)])
            except ValueError:
                told.append(_packed_bytes(part))
                if MIN_PART <= len(part) <= MAX_PART:
                    kept.append(part)
        return b"".join(told)


def _give_number(numbers: bytearray, place: Known, number: int) -> None:
    """Give what is known at a place a number; whatever has had it loses it."""
    oldest = numbers.find(number + 1)
    if oldest >= 0:
        numbers[oldest] = 0
    if place >= len(numbers):
        numbers.extend(bytes(place + 1 - len(numbers)))
    numbers[place] = number + 1


# Reading -----------------------------------------------------------------------------------


class BriefReader:
    """What came on one connection, as far as it may be named again."""

    def __init__(self) -> None:
        """Begin a connection."""
        self._room = ""
        self._parts: deque[bytes] = deque(maxlen=WINDOW)
        self._named: list[bytes] = []
        """Kinds and subjects, by their numbers."""
        self._count = 0
        """How many came, by `MAX_NUMBERS`."""

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
            public = self._public(sequence, time, record, left)
            left -= len(public)
            openings = []
            for one in record.openings:
                value = one.value if isinstance(one.value, bytes) else self._joined(one.value, left)
                left -= len(value)
                openings.append((one.slot, Opening(one.salt, value)))
            cuts.append(Cut(public, tuple(openings)))
        return Records(self._room, tuple(cuts))

    def _public(self, sequence: int, time: int, record: BriefRecord, most: int) -> bytes:
        parts = [b"\x96", codec.pack(sequence), codec.pack(time), self._known(record.kind)]
        rest = (record.rest,) if isinstance(record.rest, bytes) else record.rest
        for each in rest:
            parts.append(self._known(each))
            most -= len(parts[-1])
            if most < 0:
                raise OverLimit(f"records with more than {MAX_JOINED} bytes")
        return b"".join(parts)

    def _known(self, told: Numbered) -> bytes:
        """Return what is said: itself, by the number it has, or as it is given the next number."""
        if isinstance(told, bytes):
            return told
        if isinstance(told, int):
            if not 0 <= told < len(self._named):
                raise Malformed(f"number {told}, of {len(self._named)}")
            return self._named[told]
        if len(told[0]) > MAX_NAMED:
            raise OverLimit(f"a number for {len(told[0])} bytes, of {MAX_NAMED} at most")
        self._named[self._count : self._count + 1] = told
        self._count = (self._count + 1) % MAX_NUMBERS
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

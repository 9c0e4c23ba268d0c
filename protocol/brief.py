"""
Brief records: compression of records on one connection.

There are two functions between `cut` and the socket. `form_of` renders the view of one record, once
for all viewers who see the same; `BriefWriter.payload` writes several forms, `joined`, for one
connection. `BriefReader.read` is their inverse.

The sequence of a record follows from its position. Records of one time share a single copy of it.
Origin and tag, the *kind* of a record, are sent by a number after their first occurrence; so are
the subjects in its public fields. A part of a question (such as a choice) that was sent recently on
the connection is sent as its distance in parts. The reader restores exactly the bytes that were
hashed.

Compression must not leak secrets by the length of frames, as CRIME did. So the contents of a frame
depend only on what the connection was sent before: secrets of others are not there to be matched.
Matches are of whole items, and only of kinds, subjects and parts of questions, which packs and
rules write; text of players is never matched.
"""

import functools
import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import attrs

from protocol import codec
from protocol.bounds import MAX_CUTS
from protocol.commitments import Opening
from protocol.common.events import Asked
from protocol.errors import Malformed, OverLimit
from protocol.event import Cut
from protocol.event_contents import subjects_of_plain
from protocol.memo import memo
from protocol.messages import BriefRecord, BriefRecords, Numbered, Records, ServerMessage
from protocol.values import frozen

WINDOW = 64
"""Number of the most recent parts that both ends remember, and so the maximum distance of a
reference."""
MIN_PART, MAX_PART = 8, 512
"""Minimum and maximum bytes of a part that is remembered."""
MAX_NUMBERS = 255
"""Maximum number of kinds and subjects with a number on one connection. A new one takes the number
of the oldest."""
MAX_NAMED = 512
"""Maximum length, in bytes, of a kind or subject that is assigned a number."""
MAX_KNOWN = 1 << 14
"""
Maximum number of subjects that this process indexes, many times the number in its packs. Further
subjects are sent whole each time, so the length of a message would then reveal to a client that
other clients were sent many subjects.
"""
MAX_SPLIT = 16 * 1024
"""Maximum bytes of a question that is split; a longer question is sent whole, and still fits a
frame."""
MAX_JOINED = 1 << 20
"""Maximum bytes of restored records in one message. Without this limit, a few numbers could expand
to any length."""


@frozen
class Parts:
    """A packed question, split into the parts that connections remember."""

    whole: bytes = attrs.field(repr=False)
    """Encoding of the question if it is sent whole."""
    parts: tuple[bytes, ...] = attrs.field(repr=False)
    """Parts; joined they are the packed question."""


Known = int
"""Index of a kind or subject in the list of all that this process has sent."""
_QUESTION: Known = 0
"""Index of the placeholder for a question."""


class Segments(NamedTuple):
    """The body of a message of records, or a part of it, with gaps that each connection fills."""

    literals: tuple[bytes, ...]
    """Fixed bytes before, between and after the gaps."""
    between: tuple[Known, ...]
    """Contents of the gaps, which each connection sends by a number or whole."""
    questions: tuple[tuple[int, Parts], ...] = ()
    """Questions with their indexes in `between`."""


# Writing -----------------------------------------------------------------------------------


class Form(NamedTuple):
    """The view of one record, before it is compressed for a connection."""

    sequence: int
    time: int
    segments: Segments
    subjects: Mapping[str, None]
    """Subjects that the viewer can read in the record, in order of appearance, without
    duplicates."""
    size: int
    """Approximate size of the record in a message, in bytes."""


def form_of(shown: Cut) -> Form:
    """Render one viewer's cut of our own record."""
    sequence, time, tag, kind, rest, subjects = _public_part(shown.public)
    size = len(shown.public) + 64
    last = rest.literals[-1] + codec.array_head(len(shown.openings))
    literals, between = [b"\x93", *rest.literals[:-1]], [kind, *rest.between]
    questions = []
    for slot, one in shown.openings:
        plain = codec.unpack_own(one.value)
        subjects = {**subjects, **subjects_of_plain((plain,))}
        size += len(one.salt) + len(one.value) + 16
        last += b"\x93" + codec.pack_known(slot) + _packed_bytes(one.salt)
        whole = _packed_bytes(one.value)
        if tag != Asked.tag or len(one.value) > MAX_SPLIT:
            last += whole
        else:
            parts = Parts(whole, tuple([_one_of_all(part) for part in _split(plain)]))
            questions.append((len(between), parts))
            literals.append(last)
            between.append(_QUESTION)
            last = b""
    segments = Segments((*literals, last), tuple(between), tuple(questions))
    return Form(sequence, time, segments, subjects, size)


# Viewers with other visible secrets follow at once, and share the public bytes.
@memo(most=32)
def _public_part(public: bytes) -> tuple[int, int, str, Known, Segments, Mapping[str, None]]:
    head: Any = codec.unpack_own(public)
    sequence, time, origin, tag, *_ = head
    subjects = subjects_of_plain(head[3:5])
    kind = _kind_of(origin, tag)
    return sequence, time, tag, kind, _rest_of(public, sequence, time, kind, subjects), subjects


def joined(forms: Sequence[Form]) -> Segments:
    """Join the views of consecutive records into one body; records of equal time share one time."""
    if forms[0].time == forms[-1].time:
        # Times never decrease, so all records in between have this time, too. Usual for a batch.
        spans = [forms]
    else:
        spans = [list(span) for _, span in itertools.groupby(forms, key=lambda form: form.time)]
    literals: list[bytes] = []
    between: list[Known] = []
    questions: list[tuple[int, Parts]] = []
    last = codec.pack_known(forms[0].sequence) + codec.array_head(len(spans))
    for span in spans:
        last += b"\x92" + codec.pack_known(span[0].time) + codec.array_head(len(span))
        for form in span:
            one = form.segments
            literals.append(last + one.literals[0])
            literals += one.literals[1:-1]
            last = one.literals[-1]
            if one.questions:
                questions += [(len(between) + at, parts) for at, parts in one.questions]
            between += one.between
    return Segments((*literals, last), tuple(between), tuple(questions))


def segments_of(cuts: Iterable[Cut]) -> Segments:
    """Render consecutive cuts of our own records as one body."""
    return joined([form_of(one) for one in cuts])


_places: dict[bytes, Known] = {}
"""Indexes of all kinds and subjects that this process has sent, by their packed form."""
_sent_whole: list[bytes] = [b""]
"""Encodings sent for kinds and subjects without a number, by index."""


def _placed(packed: bytes) -> Known:
    """
    Return the index of a packed kind or subject in this process's list of all that it has sent.

    A new kind or subject is added to the list.
    """
    place = _places.get(packed)
    if place is None:
        place = _places[packed] = len(_sent_whole)
        _sent_whole.append(codec.pack(packed))
    return place


@functools.cache
def _kind_of(origin: int, tag: str) -> Known:
    """
    Return the index of a kind of record (see `_placed`).

    The cache has no bound, since there are few kinds.
    """
    return _placed(codec.pack(origin) + codec.pack(tag))


_names: dict[str, bytes] = {}
"""
Packed form of each subject, for at most `MAX_KNOWN` subjects; empty bytes for a subject that is too
short or too long for a number.
"""


def _rest_of(
    public: bytes, sequence: int, time: int, kind: Known, subjects: Iterable[str]
) -> Segments:
    """
    Return the segments of the part of a record that follows its kind.

    Args:
        public: public bytes of a record that this program wrote.
        sequence: sequence of the record.
        time: time of the record.
        kind: kind of the record.
        subjects: subjects that may be in it, in order of appearance; absent ones are skipped.
    """
    numbers = codec.pack_known(sequence) + codec.pack_known(time)
    # Behind the head of the array, sequence, time and kind, which are sent apart.
    rest = public[1 + len(numbers) + len(_sent_whole[kind]) - _BIN_HEAD :]
    literals: list[bytes] = []
    between: list[Known] = []
    count = 0
    for subject in subjects:
        name = _names.get(subject)
        if name is None:
            packed = codec.pack(subject)
            name = packed if MIN_PART <= len(packed) <= MAX_NAMED else b""
            if len(_names) < MAX_KNOWN:
                _names[subject] = name
        if not name:
            continue
        # A match inside other bytes does no harm: the reader joins the pieces to the same bytes.
        before, found, after = rest.partition(name)
        if found and (name in _places or len(_places) < MAX_KNOWN):
            count += bool(before)
            literals.append(_packed_bytes(before) if before else b"")
            between.append(_placed(name))
            rest = after
    if not between:
        return Segments((_packed_bytes(rest),), ())
    if rest:
        count += 1
        rest = _packed_bytes(rest)
    literals[0] = codec.array_head(count + len(between)) + literals[0]
    return Segments((*literals, rest), tuple(between))


_BIN_HEAD = 2
"""Length of the packed head of a short byte string."""
_BIN_HEADS = tuple([codec.pack(bytes(length))[:_BIN_HEAD] for length in range(256)])


def _packed_bytes(value: bytes) -> bytes:
    """Pack a byte string. Short ones, which are most, take their head from a table."""
    try:
        return _BIN_HEADS[len(value)] + value
    except IndexError:
        return codec.pack_known(value)


@functools.lru_cache(maxsize=2048)
def _one_of_all(part: bytes) -> bytes:
    """Intern a part: all connections remember the same object."""
    return part


def _split(question: codec.Plain) -> Iterator[bytes]:
    """Yield the parts of a packed question; parts too short to remember are joined to the next."""
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
    """Split a question into pairs: bytes that are new each time, and bytes that often recur."""
    prompt, choices, refused, *others = question
    yield codec.array_head(3 + len(others)), codec.pack_known(prompt)
    before = codec.array_head(len(choices))
    for choice_id, *choice in choices:
        # The id of a choice is new in each question; the rest of it often recurs.
        before += codec.array_head(1 + len(choice)) + codec.pack_known(choice_id)
        yield before, _items(choice)
        before = b""
    before += codec.array_head(len(refused))
    for each in refused:
        yield before, codec.pack_known(each)
        before = b""
    yield before, _items(others)


def _items(few: Sequence[codec.Plain]) -> bytes:
    """Return the packed items of an array without its head."""
    return codec.pack_known(tuple(few))[len(codec.array_head(len(few))) :]


_TAG = b"\x94" + codec.pack(BriefRecords.tag)
_SAME_ROOM = codec.pack("")
_NUMBERS = tuple(map(codec.pack, range(MAX_NUMBERS)))
_BY_NUMBER = (None, *_NUMBERS)
"""
Encodings sent for items with a number, by the number, from 1. Entry 0 stands for an item without a
number.
"""
_NEXT_NUMBER = codec.array_head(1)


Numbers = tuple[bytes, int]
"""
State of the numbers on a connection: one byte for each index (0 for none), and the count of numbers
given.
"""
Bodies = dict[Numbers, tuple[bytes, Numbers]]
"""
Encoded bodies of one message, by the state of a connection's numbers before the message, each with
the state after it.
"""


class BriefWriter:
    """Compression state of one connection: what the peer already has."""

    def __init__(self) -> None:
        self._room = ""
        self._parts: dict[bytes, int] = {}
        """Remembered parts, oldest first, with their serial numbers modulo `MAX_NUMBERS`."""
        self._count = 0
        self._numbers: Numbers = b"", 0

    def payload(self, room_id: str, segments: Segments, bodies: Bodies | None = None) -> bytes:
        """
        Return the payload of the next message on the connection.

        Args:
            room_id: room of the records.
            segments: segments of the records.
            bodies: cache of the bodies of these segments, shared by connections. Its key is the
                numbers that a connection has given to kinds and subjects. Bodies with questions are
                not cached.
        """
        # A client usually follows one table.
        room = _SAME_ROOM if room_id == self._room else codec.pack_known(room_id)
        self._room = room_id
        made = None if bodies is None else bodies.get(self._numbers)
        if made is None:
            before = self._numbers
            numbers = self._all_numbers()
            names: list[Any] = [
                *map(_BY_NUMBER.__getitem__, map(numbers.__getitem__, segments.between))
            ]
            for at, question in segments.questions:
                names[at] = self._named(question)
            if None in names:
                self._give_numbers(segments.between, names)
            made = b"".join(_joined(segments.literals, names)), self._numbers
            # Parts of questions are remembered by each connection for itself.
            if bodies is not None and not segments.questions:
                bodies[before] = made
        body, self._numbers = made
        return b"".join((_TAG, room, body))

    def _all_numbers(self) -> bytes:
        """Return the connection's number of each kind and subject: a byte by index, 0 for none."""
        numbers = self._numbers[0]
        return numbers + bytes(len(_sent_whole) - len(numbers))

    def _give_numbers(self, between: tuple[Known, ...], names: list[bytes | None]) -> None:
        """
        Give a number to each kind and subject that has none on this connection.

        Args:
            between: the indexes of the kinds and subjects in the gaps of a message.
            names: encodings of the items in these gaps; each None is replaced by one with a number.
        """
        numbers, count = bytearray(self._all_numbers()), self._numbers[1]
        for at, name in enumerate(names):
            if name is not None:
                continue
            place = between[at]
            if numbers[place]:
                names[at] = _BY_NUMBER[numbers[place]]
                continue
            # Round robin: the reader knows the next number without being told.
            number = count % MAX_NUMBERS + 1
            if count >= MAX_NUMBERS:
                oldest = numbers.index(number)
                numbers[oldest] = 0
                # It may occur later in this message, where the reader has its new meaning already.
                for later in range(at + 1, len(between)):
                    if between[later] == oldest:
                        names[later] = None
            numbers[place] = number
            count += 1
            names[at] = _NEXT_NUMBER + _sent_whole[place]
        self._numbers = bytes(numbers), count

    def whole(self, room_id: str, segments: Segments) -> bytes:
        """Return the payload of a message that does not depend on earlier ones."""
        # The next message must not refer to this one, which may be sent out of order.
        self._room = ""
        names = [_sent_whole[place] for place in segments.between]
        for at, question in segments.questions:
            names[at] = question.whole
        return b"".join((_TAG, codec.pack(room_id), *_joined(segments.literals, names)))

    def _named(self, question: Parts) -> bytes:
        encoded, kept = [codec.array_head(len(question.parts))], self._parts
        for part in question.parts:
            count = kept.get(part)
            if count is not None:
                # Unambiguous modulo MAX_NUMBERS, since only the last WINDOW parts are kept.
                encoded.append(_NUMBERS[(self._count - count) % MAX_NUMBERS])
                continue
            encoded.append(_packed_bytes(part))
            if MIN_PART <= len(part) <= MAX_PART:
                kept[part] = self._count
                self._count = (self._count + 1) % MAX_NUMBERS
                if len(kept) > WINDOW:
                    del kept[next(iter(kept))]
        return b"".join(encoded)


def _joined(literals: tuple[bytes, ...], names: list[bytes]) -> list[bytes]:
    """Interleave literals and the contents of the gaps between them."""
    pieces = [b""] * (len(literals) + len(names))
    pieces[::2] = literals
    pieces[1::2] = names
    return pieces


# Reading -----------------------------------------------------------------------------------


class BriefReader:
    """Decompression state of one connection."""

    def __init__(self) -> None:
        self._room = ""
        self._parts: deque[bytes] = deque(maxlen=WINDOW)
        self._named: list[bytes] = []
        """Kinds and subjects by their numbers, which count from 0 here."""
        self._count = 0
        """Number of the next kind or subject."""

    def read(self, message: ServerMessage) -> ServerMessage:
        """
        Restore a message: `BriefRecords` become `Records`; all others are returned as they are.

        Raises:
            Malformed: it refers to something that was never sent.
            OverLimit: the restored message is too long.
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
            # Checked on the way: a small message could expand to gigabytes.
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

    def _known(self, given: Numbered) -> bytes:
        """Return the bytes of an item, sent literally, by number, or with a new number."""
        if isinstance(given, bytes):
            return given
        if isinstance(given, int):
            if not 0 <= given < len(self._named):
                raise Malformed(f"number {given}, of {len(self._named)}")
            return self._named[given]
        if len(given[0]) > MAX_NAMED:
            raise OverLimit(f"a number for {len(given[0])} bytes, of {MAX_NAMED} at most")
        # Appends the first `MAX_NUMBERS` times, then replaces the oldest.
        self._named[self._count : self._count + 1] = given
        self._count = (self._count + 1) % MAX_NUMBERS
        return given[0]

    def _joined(self, given: tuple[bytes | int, ...], most: int) -> bytes:
        parts = []
        for each in given:
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

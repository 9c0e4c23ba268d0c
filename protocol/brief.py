"""
Records in brief: how records travel on one connection, without what both ends know already.

Between `cut` and the socket stand two functions: `form_of` renders what a viewer may see of one
record, once for all who see the same, and `BriefWriter.payload` writes forms, `joined`, for one
connection. `BriefReader.read` is their inverse.

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
"""How many parts back one can be named."""
MIN_PART, MAX_PART = 8, 512
"""Bytes of a part that is remembered."""
MAX_NUMBERS = 255
"""How many kinds and subjects have a number on one connection; then the oldest loses it."""
MAX_NAMED = 512
"""Bytes of what a number can stand for."""
MAX_KNOWN = 1 << 14
"""How many subjects this process has a place for, many times what its packs name. Others are sent
whole each time; so beyond that a length does tell that more than these were sent to somebody."""
MAX_SPLIT = 16 * 1024
"""Bytes of a question that is split; a longer one is sent whole, and fits a frame as it is."""
MAX_JOINED = 1 << 20
"""Bytes of values in one message, once all parts are joined."""


@frozen
class Parts:
    """A packed question in parts."""

    whole: bytes = attrs.field(repr=False)
    """All of it, as it is sent whole."""
    parts: tuple[bytes, ...] = attrs.field(repr=False)
    """Joined they are the question, packed."""


Known = int
"""The kind of a record, or a subject, by its place among all that this process has sent."""
_QUESTION: Known = 0
"""A place for nothing: a question stands there."""


class Segments(NamedTuple):
    """What comes after the room in a message of records, or a part of it."""

    literals: tuple[bytes, ...]
    """Bytes that are always the same: before, between and after what is sent in several ways."""
    between: tuple[Known, ...]
    questions: tuple[tuple[int, Parts], ...] = ()
    """Questions, each behind its position in `between`."""


# Writing -----------------------------------------------------------------------------------


class Form(NamedTuple):
    """What a viewer is sent of one record, the same on every connection."""

    sequence: int
    time: int
    segments: Segments
    subjects: Mapping[str, None]
    """Those that the viewer can read in it, in order of appearance, each once."""
    size: int
    """Bytes that it takes, about."""


def form_of(shown: Cut) -> Form:
    """Render what `cut` shows of our own record."""
    sequence, time, tag, kind, rest, public_subjects = _public_part(shown.public)
    subjects = dict(public_subjects)
    size = len(shown.public) + 64
    last = rest.literals[-1] + codec.array_head(len(shown.openings))
    literals, between = [b"\x93", *rest.literals[:-1]], [kind, *rest.between]
    questions = []
    for slot, one in shown.openings:
        plain = codec.unpack_own(one.value)
        subjects |= subjects_of_plain((plain,))
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


# A record is rendered for one set of visible secrets after another; its public bytes stay the same.
@memo(most=32)
def _public_part(public: bytes) -> tuple[int, int, str, Known, Segments, Mapping[str, None]]:
    head: Any = codec.unpack_own(public)
    sequence, time, origin, tag, *_ = head
    subjects = subjects_of_plain(head[3:5])
    kind = _kind_of(origin, tag)
    return sequence, time, tag, kind, _rest_of(public, sequence, time, kind, subjects), subjects


def joined(forms: Sequence[Form]) -> Segments:
    """Return the segments of several records that follow one another."""
    if forms[0].time == forms[-1].time:
        # All of a batch share their time, and times never go back.
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
    """Return records as they are sent."""
    return joined([form_of(one) for one in cuts])


_places: dict[bytes, Known] = {}
"""The place of all that this process has sent and that may have a number, packed."""
_sent_whole: list[bytes] = [b""]
"""By place, how it is sent without a number."""


def _placed(packed: bytes) -> Known:
    """Return the place of something; a new one where it has none yet."""
    place = _places.get(packed)
    if place is None:
        place = _places[packed] = len(_sent_whole)
        _sent_whole.append(codec.pack(packed))
    return place


@functools.cache
def _kind_of(origin: int, tag: str) -> Known:
    """Return the kind of our own records with this origin and tag, of which there are few."""
    return _placed(codec.pack(origin) + codec.pack(tag))


_names: dict[str, bytes] = {}
"""What `_name` returned, of as many subjects as may have a place."""


def _name(subject: str) -> bytes:
    """Return how a subject stands in a record; empty where a number would save nothing."""
    packed = codec.pack(subject)
    name = packed if MIN_PART <= len(packed) <= MAX_NAMED else b""
    if len(_names) < MAX_KNOWN:
        _names[subject] = name
    return name


def _rest_of(
    public: bytes, sequence: int, time: int, kind: Known, subjects: Iterable[str]
) -> Segments:
    """
    Return, as it is sent, what comes after its kind in the public bytes of our own record.

    Args:
        public: its public bytes.
        sequence: its sequence.
        time: its time.
        kind: its kind.
        subjects: what in it may be subjects, in order of appearance; those that do not stand there
            are passed over.
    """
    numbers = codec.pack_known(sequence) + codec.pack_known(time)
    rest = public[1 + len(numbers) + len(_sent_whole[kind]) - _BIN_HEAD :]
    literals: list[bytes] = []
    between: list[Known] = []
    count = 0
    for subject in subjects:
        name = _names.get(subject)
        if name is None:
            name = _name(subject)
        if not name:
            continue
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
"""Bytes before those of a short byte string."""
_BIN_HEADS = tuple([codec.pack(bytes(length))[:_BIN_HEAD] for length in range(256)])


def _packed_bytes(value: bytes) -> bytes:
    """Return a byte string packed; most are short."""
    try:
        return _BIN_HEADS[len(value)] + value
    except IndexError:
        return codec.pack_known(value)


@functools.lru_cache(maxsize=2048)
def _one_of_all(part: bytes) -> bytes:
    """Return the same object for the same part, which every connection remembers."""
    return part


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
_BY_NUMBER = (None, *_NUMBERS)
"""By a number counted from 1, how it is sent; nothing for 0."""
_NEXT_NUMBER = codec.array_head(1)


Numbers = tuple[bytes, int]
"""What has a number on a connection: for each place its number, counted from 1, 0 for none; and how
many were given one so far."""
Bodies = dict[Numbers, tuple[bytes, Numbers]]
"""A message as it is sent where this has a number, and what has one after it."""


class BriefWriter:
    """What was sent on one connection, as far as it need not be sent again."""

    def __init__(self) -> None:
        """Begin a connection."""
        self._room = ""
        self._parts: dict[bytes, int] = {}
        """The parts that can be named, the oldest first, each with its number, by `MAX_NUMBERS`."""
        self._count = 0
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
            if bodies is not None and not segments.questions:
                bodies[before] = made
        body, self._numbers = made
        return b"".join((_TAG, room, body))

    def _told(self, segments: Segments) -> list[bytes]:
        """Return segments as they are sent here next."""
        numbers = self._all_numbers()
        names: list[Any] = [
            *map(_BY_NUMBER.__getitem__, map(numbers.__getitem__, segments.between))
        ]
        for at, question in segments.questions:
            names[at] = self._named(question)
        if None in names:
            self._give_numbers(segments.between, names)
        return _joined(segments.literals, names)

    def _all_numbers(self) -> bytes:
        """Return the numbers of all places there are by now."""
        numbers = self._numbers[0]
        return numbers + bytes(len(_sent_whole) - len(numbers))

    def _give_numbers(self, between: tuple[Known, ...], names: list[bytes | None]) -> None:
        """Fill in how those are sent that had no number yet; they are given one."""
        numbers, count = bytearray(self._all_numbers()), self._numbers[1]
        for at, name in enumerate(names):
            if name is not None:
                continue
            place = between[at]
            if numbers[place]:
                names[at] = _BY_NUMBER[numbers[place]]
                continue
            number = count % MAX_NUMBERS + 1
            if count >= MAX_NUMBERS:
                oldest = numbers.index(number)
                numbers[oldest] = 0
                _forget(between, names, oldest, at)
            numbers[place] = number
            count += 1
            names[at] = _NEXT_NUMBER + _sent_whole[place]
        self._numbers = bytes(numbers), count

    def whole(self, room_id: str, segments: Segments) -> bytes:
        """Return the payload of a message that may be sent at any time: it leans on no other."""
        self._room = ""
        names = [_sent_whole[place] for place in segments.between]
        for at, question in segments.questions:
            names[at] = question.whole
        return b"".join((_TAG, codec.pack(room_id), *_joined(segments.literals, names)))

    def _named(self, question: Parts) -> bytes:
        told, kept = [codec.array_head(len(question.parts))], self._parts
        for part in question.parts:
            count = kept.get(part)
            if count is not None:
                told.append(_NUMBERS[(self._count - count) % MAX_NUMBERS])
                continue
            told.append(_packed_bytes(part))
            if MIN_PART <= len(part) <= MAX_PART:
                kept[part] = self._count
                self._count = (self._count + 1) % MAX_NUMBERS
                if len(kept) > WINDOW:
                    del kept[next(iter(kept))]
        return b"".join(told)


def _forget(
    between: tuple[Known, ...], names: list[bytes | None], place: Known, after: int
) -> None:
    """Take away how a place is sent, after one that has taken its number."""
    for at in range(after + 1, len(between)):
        if between[at] == place:
            names[at] = None


def _joined(literals: tuple[bytes, ...], names: list[bytes]) -> list[bytes]:
    """Return bytes in turn: one, what stands between it and the next, and so on."""
    told = [b""] * (len(literals) + len(names))
    told[::2] = literals
    told[1::2] = names
    return told


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

"""
Batches: what is too much for one frame, said in several.

A single record always fits, because the kernel makes none larger than `MAX_RECORD_BYTES`.
"""

from collections.abc import Iterable, Iterator, Mapping

from protocol import codec
from protocol.bounds import MAX_CUTS, MAX_PART_BYTES, MAX_SUBJECTS
from protocol.errors import OverLimit
from protocol.event import Cut, Stored, everything
from protocol.messages import ExportPart, Records, Words

MAX_RECORD_BYTES = 60 * 1024
"""Bytes that one record with all its openings may have on the wire. Law of the kernel."""


def cut_bytes(shown: Cut) -> int:
    """Return how many bytes a cut takes in a message."""
    return len(codec.encode(shown, Cut))


def check_record(stored: Stored) -> None:
    """Raise OverLimit for a record that would not fit into a frame; ask before storing it."""
    length = cut_bytes(everything(stored))
    if length > MAX_RECORD_BYTES:
        raise OverLimit(f"a record of {length} bytes; the limit is {MAX_RECORD_BYTES}")


def records_in_batches(room_id: str, cuts: Iterable[Cut]) -> Iterator[Records]:
    """Yield the messages that carry these records in order, each within a frame."""
    batch: list[Cut] = []
    length = 0
    for shown in cuts:
        more = cut_bytes(shown)
        if batch and (length + more > MAX_RECORD_BYTES or len(batch) == MAX_CUTS):
            yield Records(room_id, tuple(batch))
            batch, length = [], 0
        batch.append(shown)
        length += more
    if batch:
        yield Records(room_id, tuple(batch))


def words_in_batches(language: str, subjects: Mapping[str, Mapping[str, str]]) -> Iterator[Words]:
    """Yield the messages that carry these words, each within a frame; a subject may be split."""
    batch: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    length = 0
    for subject, fields in subjects.items():
        for field, template in fields.items():
            line = (subject, ((field, template),))
            more = len(codec.pack(line))
            if batch and (length + more > MAX_RECORD_BYTES or len(batch) == MAX_SUBJECTS):
                yield Words(language, tuple(batch))
                batch, length = [], 0
            batch.append(line)
            length += more
    if batch:
        yield Words(language, tuple(batch))


def export_in_parts(serial: int, room_id: str, data: bytes) -> Iterator[ExportPart]:
    """Yield the messages that carry a file; an empty one is one empty part."""
    count = max(1, -(-len(data) // MAX_PART_BYTES))
    for index in range(count):
        piece = data[index * MAX_PART_BYTES : (index + 1) * MAX_PART_BYTES]
        yield ExportPart(serial, room_id, index, index == count - 1, piece)

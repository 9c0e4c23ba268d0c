"""
A cache file: the records that one table has sent to one player, in one language.

A file is a sequence of parts, each with its length and a checksum: first a header, then records
with the words that they need. Parts are appended as they arrive. If a crash or a full disk left a
part incomplete, the next opening removes that part. The file is not trusted: the client checks its
records like records from the server, and asks the server whether its log begins with them.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs

from protocol import codec
from protocol.bounds import WordsBySubject
from protocol.errors import ProtocolError
from protocol.event import Cut

try:
    import fcntl
except ImportError:  # not on every platform
    fcntl = None  # type: ignore[assignment]

MAGIC = "manse table 1"
MAX_PART_BYTES = 4 << 20
MOST_BYTES = 32 << 20
"""The size in bytes at which a file stops growing."""
_LENGTH_BYTES = 4
_CHECK_BYTES = 16
_FILE_MODE = 0o600


Fields = tuple[tuple[str, str], ...]
"""Words of one subject, by field."""
WordsByLanguage = tuple[tuple[str, WordsBySubject], ...]


class InUse(OSError):
    """The file is open in another client of this player, or cannot be locked here."""


@attrs.frozen
class About:
    """The header of a file: its format, and the table and seat of its records."""

    magic: str
    room_id: str
    seat: int


@attrs.frozen
class Part:
    """A part of a file: consecutive records, and the words that earlier parts lack."""

    first: int
    cuts: tuple[Cut, ...] = attrs.field(repr=False)
    words: WordsByLanguage = attrs.field(repr=False)

    @property
    def following(self) -> int:
        """The sequence after the last record."""
        return self.first + len(self.cuts)


@attrs.define(eq=False)
class TableFile:
    """An open cache file, locked against other clients."""

    path: Path
    room_id: str
    _handle: int
    seat: int = attrs.field(default=-1, init=False)
    """The seat for which the records were cut; -1 while the file is empty."""
    following: int = attrs.field(default=0, init=False)
    """The sequence after the last record in the file."""
    _parts: tuple[bytes, ...] = attrs.field(default=(), init=False, repr=False)
    _size: int = attrs.field(default=0, init=False)
    _told: dict[tuple[str, str], Fields] = attrs.field(factory=dict, init=False, repr=False)
    """The words in the file, by language and subject."""

    @classmethod
    def open(cls, path: Path, room_id: str) -> "TableFile":
        """Open a file, or create a missing file. Empty a file that has no records of this table.

        Raises:
            InUse: another client has the file open, or the platform cannot lock files.
            OSError: the file cannot be read or written.
        """
        handle = os.open(path, os.O_RDWR | os.O_CREAT, _FILE_MODE)
        try:
            # Without locks, two clients could write to one file.
            if fcntl is None:
                raise InUse(str(path))
            # Not waiting, since the other client keeps its lock while it follows the table.
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise InUse(str(path)) from error
            opened = cls(path, room_id, handle)
            opened._read()
        except OSError:
            os.close(handle)
            raise
        return opened

    def _read(self) -> None:
        """Find the complete parts, and truncate the file after them."""
        # Bounded: somebody may have put a huge file in its place.
        size = min(os.fstat(self._handle).st_size, MOST_BYTES + MAX_PART_BYTES)
        read = bytearray()
        # os.read may return less than it was asked for.
        while len(read) < size and (more := os.read(self._handle, size - len(read))):
            read += more
        data = bytes(read)
        found = list(_parts(data))
        # Only the ends are decoded now; `parts` decodes the rest for a table that is entered.
        about = _decoded(found[0], About) if found else None
        last = _decoded(found[-1], Part) if len(found) > 1 else None
        is_ours = about is not None and (about.magic, about.room_id) == (MAGIC, self.room_id)
        # A header without records is of no use either.
        if about is None or last is None or not is_ours:
            self.empty()
            return
        self.seat, self.following = about.seat, last.following
        self._parts = tuple(found[1:])
        self._size = sum(_LENGTH_BYTES + _CHECK_BYTES + len(part) for part in found)
        if self._size < len(data):
            # Or old bytes could remain behind a shorter part, and end the reading there.
            os.ftruncate(self._handle, self._size)

    def parts(self) -> Iterator[Part]:
        """
        Yield the parts that the file had when it was opened. Must be called only once.

        Raises:
            ProtocolError: a part is malformed.
        """
        found, self._parts = self._parts, ()
        for packed in found:
            part: Part = codec.decode(packed, Part, max_bytes=MAX_PART_BYTES)
            self._note(part.words)
            yield part

    def add(self, seat: int, first: int, cuts: Iterable[Cut], words: WordsByLanguage) -> None:
        """Append the records that the file lacks.

        Nothing is written if records before these are missing, if the file is full, or if the
        records are too large for one part.

        Args:
            seat: the seat for which the server cut the records.
            first: the sequence of the first record.
            cuts: the records as the server sent them.
            words: the words of the subjects that the records name. Words that the file has already
                are not written again.

        Raises:
            OSError: the records could not be written; the file is unchanged.
        """
        fresh = tuple(cuts)[self.following - first :] if first <= self.following else ()
        # A full file stays useful: it is a beginning, and the server sends the rest.
        if not fresh or self._size > MOST_BYTES:
            return
        # A server may have changed the words of a subject: those are written again.
        untold = tuple(
            (
                language,
                tuple(line for line in lines if self._told.get((language, line[0])) != line[1]),
            )
            for language, lines in words
        )
        packed = codec.encode(Part(self.following, fresh, untold), Part)
        # Written, it could not be read back.
        if len(packed) > MAX_PART_BYTES:
            return
        about = codec.encode(About(MAGIC, self.room_id, seat), About)
        data = (b"" if self._size else _framed(about)) + _framed(packed)
        # Not O_APPEND: after a failed write the position must be that of `_size`.
        os.lseek(self._handle, self._size, os.SEEK_SET)
        try:
            left = data
            # os.write may write less than it was given.
            while left:
                left = left[os.write(self._handle, left) :]
        except OSError:
            # Half a part would hide everything that is appended later.
            os.ftruncate(self._handle, self._size)
            raise
        self._size += len(data)
        self.seat, self.following = seat, self.following + len(fresh)
        self._note(untold)

    def _note(self, words: WordsByLanguage) -> None:
        for language, lines in words:
            self._told.update({(language, subject): fields for subject, fields in lines})

    def empty(self) -> None:
        os.ftruncate(self._handle, 0)
        self.seat, self.following, self._size = -1, 0, 0
        self._parts, self._told = (), {}

    def close(self) -> None:
        """Close the file, and remove an empty file."""
        if self._handle < 0:
            return
        if not self._size:
            # While the lock is held, so that no other client has opened it.
            self.path.unlink(missing_ok=True)
        os.close(self._handle)
        self._handle = -1


def _framed(packed: bytes) -> bytes:
    return len(packed).to_bytes(_LENGTH_BYTES, "big") + _check(packed) + packed


def _check(packed: bytes) -> bytes:
    return hashlib.blake2b(packed, digest_size=_CHECK_BYTES).digest()


def _parts(data: bytes) -> Iterator[bytes]:
    """Yield the parts of a file up to the first incomplete part."""
    at = 0
    while at + _LENGTH_BYTES + _CHECK_BYTES <= len(data):
        length = int.from_bytes(data[at : at + _LENGTH_BYTES], "big")
        begin = at + _LENGTH_BYTES + _CHECK_BYTES
        packed = data[begin : begin + length]
        if len(packed) < length or _check(packed) != data[at + _LENGTH_BYTES : begin]:
            return
        yield packed
        at = begin + length


def _decoded(packed: bytes, of: type) -> Any:
    """Decode bytes to a value of type `of`; return None if the bytes encode no such value."""
    try:
        return codec.decode(packed, of, max_bytes=MAX_PART_BYTES)
    except ProtocolError:
        return None

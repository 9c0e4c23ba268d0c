"""
Table files: what one table has shown to one player, in one language.

A file is a row of parts, each with its length and a checksum: first what the file is about, then
records with the words that they need. Parts are appended as they come; what a crash or a full disk
left of the last one is cut off at the next opening. Nothing here is believed: records are checked
as if the server sent them, and the server is asked whether they are the beginning of its log.
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
"""A file is not continued beyond this."""
_LENGTH_BYTES = 4
_CHECK_BYTES = 16
_FILE_MODE = 0o600


Fields = tuple[tuple[str, str], ...]
"""The words of one subject."""
WordsByLanguage = tuple[tuple[str, WordsBySubject], ...]
"""Words by the language that they are in."""


class InUse(OSError):
    """Another client of this player keeps the same table."""


@attrs.frozen
class About:
    """What a file is about."""

    magic: str
    room_id: str
    seat: int


@attrs.frozen
class Part:
    """Records in the order of their sequences, with what they need besides earlier parts."""

    first: int
    cuts: tuple[Cut, ...] = attrs.field(repr=False)
    words: WordsByLanguage = attrs.field(repr=False)

    @property
    def following(self) -> int:
        """The sequence after the last record."""
        return self.first + len(self.cuts)


@attrs.define(eq=False)
class TableFile:
    """An open file. No two clients have the same one open."""

    path: Path
    room_id: str
    _handle: int
    seat: int = attrs.field(default=-1, init=False)
    """The seat that was shown this; -1 while the file is empty."""
    following: int = attrs.field(default=0, init=False)
    """The sequence after the last record that is kept."""
    _parts: tuple[bytes, ...] = attrs.field(default=(), init=False, repr=False)
    _size: int = attrs.field(default=0, init=False)
    _told: dict[tuple[str, str], Fields] = attrs.field(factory=dict, init=False, repr=False)
    """The words in it, by language and subject."""

    @classmethod
    def open(cls, path: Path, room_id: str) -> "TableFile":
        """
        Open a file, or make one; what is no file of this table is emptied.

        Raises:
            InUse: another client has it open, or it cannot be known.
            OSError: it cannot be read or written.
        """
        handle = os.open(path, os.O_RDWR | os.O_CREAT, _FILE_MODE)
        try:
            _lock(handle, path)
            opened = cls(path, room_id, handle)
            opened._read()
        except OSError:
            os.close(handle)
            raise
        return opened

    def _read(self) -> None:
        """Find the parts that are whole, and cut off what comes after them."""
        data = _all_of(self._handle)
        found = list(_parts(data))
        about = _decoded(found[0], About) if found else None
        last = _decoded(found[-1], Part) if len(found) > 1 else None
        is_ours = about is not None and (about.magic, about.room_id) == (MAGIC, self.room_id)
        if about is None or last is None or not is_ours:
            self.empty()
            return
        self.seat, self.following = about.seat, last.following
        self._parts = tuple(found[1:])
        self._size = sum(_LENGTH_BYTES + _CHECK_BYTES + len(part) for part in found)
        if self._size < len(data):
            os.ftruncate(self._handle, self._size)

    def parts(self) -> Iterator[Part]:
        """
        Yield what was found at the opening, once.

        Raises:
            ProtocolError: a part has another form.
        """
        found, self._parts = self._parts, ()
        for packed in found:
            part: Part = codec.decode(packed, Part, max_bytes=MAX_PART_BYTES)
            self._note(part.words)
            yield part

    def add(self, seat: int, first: int, cuts: Iterable[Cut], words: WordsByLanguage) -> None:
        """
        Append records; those that the file has already, or that leave a gap, are passed over.

        Args:
            seat: that was shown them.
            first: the sequence of the first.
            cuts: the records, as they were sent.
            words: of the subjects that they name; those in the file are not written again.

        Raises:
            OSError: they could not be written; the file is as it was.
        """
        fresh = tuple(cuts)[self.following - first :] if first <= self.following else ()
        if not fresh or self._size > MOST_BYTES:
            return
        untold = tuple((language, self._untold(language, lines)) for language, lines in words)
        packed = codec.encode(Part(self.following, fresh, untold), Part)
        if len(packed) > MAX_PART_BYTES:
            return
        about = codec.encode(About(MAGIC, self.room_id, seat), About)
        self._append((b"" if self._size else _framed(about)) + _framed(packed))
        self.seat, self.following = seat, self.following + len(fresh)
        self._note(untold)

    def _untold(self, language: str, lines: WordsBySubject) -> WordsBySubject:
        """Return the words that the file does not have yet."""
        return tuple(line for line in lines if self._told.get((language, line[0])) != line[1])

    def _note(self, words: WordsByLanguage) -> None:
        for language, lines in words:
            self._told.update({(language, subject): fields for subject, fields in lines})

    def _append(self, data: bytes) -> None:
        os.lseek(self._handle, self._size, os.SEEK_SET)
        try:
            left = data
            while left:
                left = left[os.write(self._handle, left) :]
        except OSError:
            os.ftruncate(self._handle, self._size)
            raise
        self._size += len(data)

    def empty(self) -> None:
        """Throw away all that is in it."""
        os.ftruncate(self._handle, 0)
        self.seat, self.following, self._size = -1, 0, 0
        self._parts, self._told = (), {}

    def close(self) -> None:
        """Let go of the file; one with nothing in it is removed."""
        if self._handle < 0:
            return
        if not self._size:
            self.path.unlink(missing_ok=True)
        os.close(self._handle)
        self._handle = -1


def _lock(handle: int, path: Path) -> None:
    if fcntl is None:
        raise InUse(str(path))
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise InUse(str(path)) from error


def _all_of(handle: int) -> bytes:
    size = min(os.fstat(handle).st_size, MOST_BYTES + MAX_PART_BYTES)
    read = bytearray()
    while len(read) < size and (more := os.read(handle, size - len(read))):
        read += more
    return bytes(read)


def _framed(packed: bytes) -> bytes:
    return len(packed).to_bytes(_LENGTH_BYTES, "big") + _check(packed) + packed


def _check(packed: bytes) -> bytes:
    return hashlib.blake2b(packed, digest_size=_CHECK_BYTES).digest()


def _parts(data: bytes) -> Iterator[bytes]:
    """Yield what stands in a file, up to the first part that is not whole."""
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
    """Return a value; None where these bytes are none of that type."""
    try:
        return codec.decode(packed, of, max_bytes=MAX_PART_BYTES)
    except ProtocolError:
        return None

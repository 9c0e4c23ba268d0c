"""
Archives: a game's log as a file, for replaying and for checking.

A file is a sequence of frames (`protocol.frames`): a header, one frame for each record, the words
of every subject that the records name, and a seal with the server's signature. Each record has the
head of the chain after it, so a reader can name the first event that is wrong.

There are two kinds. A *cut* holds what one viewer may know of a game, which may still be running. A
*whole* file holds every secret of a finished game, so that all of chance can be computed again.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from protocol import codec
from protocol.bounds import MAX_TIME, TIME, WordsBySubject, check_room
from protocol.commitments import Opening, first_head, next_head
from protocol.common.events import RoomOpened
from protocol.common.table import know_game
from protocol.errors import ImpossibleValue, ProtocolError, UnknownGame, UnknownTag, laws_later
from protocol.event import Cut, Record, read
from protocol.frames import LENGTH_BYTES, LIMIT_AFTER_LOGIN, encode_frame
from protocol.keys import WeakKey, check_key, is_signed
from protocol.values import frozen

MAGIC = "manse archive 1"
FILE_SUFFIX = ".manse"
MAX_FILE_BYTES = 256 * 1024 * 1024
"""Maximum length of a file, in bytes; `load` refuses longer ones."""

_LABEL = b"manse archive seal 1"
_KINDS_OF_FAULT = {
    ImpossibleValue.code: "game",
    UnknownGame.code: "unknown_game",
    UnknownTag.code: "unknown_kind",
}
"""Kinds of `BadArchive`, by the code of the error raised while a record is read."""


class BadArchive(Exception):
    """
    Fault of an archive, with the first event that is wrong.

    Args:
        reason: a sentence in English.
        sequence: sequence of the first wrong event; None if no event is to blame.
        kind: key of the fault, under which clients find words in their own language.
    """

    def __init__(self, reason: str, sequence: int | None = None, kind: str = "damaged") -> None:
        where = "" if sequence is None else f"event {sequence}: "
        super().__init__(where + reason)
        self.reason, self.sequence, self.kind = reason, sequence, kind


Signer = Callable[[bytes], bytes]
"""Function that signs a message, such as `SigningKey.sign`."""


@frozen
class Header:
    """First frame of a file: the signing server, the room, the viewer and the number of records."""

    magic: str
    room_id: str = attrs.field(validator=check_room)
    is_whole: bool
    seat: int = attrs.field(validator=attrs.validators.ge(-1))
    """Seat of the viewer; -1 for a spectator, and for a whole file."""
    since: int = attrs.field(validator=attrs.validators.ge(0))
    """First sequence whose secrets the viewer may know; 0 in a whole file."""
    exported_at: int = attrs.field(validator=TIME)
    """Milliseconds since 1970."""
    server: bytes
    """The server's public key."""
    record_count: int = attrs.field(validator=attrs.validators.ge(0))


@frozen
class Line:
    """One record in a file, with the openings of the secrets that the viewer may know."""

    public: bytes
    openings: tuple[tuple[int, Opening], ...]
    head: bytes
    """Head of the chain after this record."""


@frozen
class WordsOf:
    """Words in one language; a file may split them over several frames."""

    language: str
    subjects: WordsBySubject


@frozen
class Archive:
    """Contents of a file, after its chain, its openings and its signature were checked."""

    header: Header
    cuts: tuple[Cut, ...]
    records: tuple[Record, ...]
    words: tuple[WordsOf, ...]
    head: bytes


def write(
    header: Header, cuts: Iterable[Cut], words: Iterable[WordsOf], *, sign: Signer
) -> Iterator[bytes]:
    """
    Yield the frames of a file.

    Args:
        header: must have the true number of records.
        cuts: the records from event 0 on, as `protocol.event.cut` made them for the viewer in the
            header.
        words: words in chunks, each of which fits a frame.
        sign: signs with the key whose public half is in the header.
    """
    digest = hashlib.sha256(_LABEL)

    def frame(value: object, of: type) -> bytes:
        framed = encode_frame(codec.encode(value, of))
        digest.update(framed)
        return framed

    yield frame(header, Header)
    head = first_head(header.room_id)
    for cut in cuts:
        head = next_head(head, cut.public)
        yield frame(Line(cut.public, cut.openings, head), Line)
    for chunk in words:
        yield frame(chunk, WordsOf)
    # Not hashed: it signs everything that comes before it.
    yield encode_frame(codec.pack(("seal", sign(digest.digest()))))


def load_for_audit(data: bytes) -> Archive:
    """
    Read a file as `load` does, but accept values that only a law of the game forbids.

    An audit (`protocol.audit`) checks the laws of the game after the rules of all logs.
    `docs/verify/verify.py` knows no laws; if `load` refused such a value early, the two verifiers
    could blame different records.
    """
    with laws_later():
        return load(data)


def load(data: bytes) -> Archive:
    """
    Read a file and check its chain, sequences, openings and signature.

    Raises:
        BadArchive: names the first thing that is wrong.
    """
    frames = _Frames(data)
    header = _header(frames)
    head = first_head(header.room_id)
    cuts: list[Cut] = []
    records: list[Record] = []
    for sequence in range(header.record_count):
        line: Line = frames.next(Line, sequence)
        head = next_head(head, line.public)
        if line.head != head:
            raise BadArchive("it is not the one that was chained here", sequence, "chain")
        cut = Cut(line.public, line.openings)
        try:
            record = read(header.room_id, cut)
            if isinstance(record.event, RoomOpened):
                # The kinds of the game's own events are declared when it is imported.
                know_game(record.event.ruleset)
        except ProtocolError as error:
            kind = _KINDS_OF_FAULT.get(error.code, "damaged")
            raise BadArchive(str(error), sequence, kind) from error
        if record.sequence != sequence:
            raise BadArchive(f"event {record.sequence} stands in its place", sequence, "chain")
        if not 0 <= record.time <= MAX_TIME:
            raise BadArchive("a time that there is not", sequence, "time")
        records.append(record)
        cuts.append(cut)
    words = tuple(_words(frames, header.record_count))
    return Archive(header, tuple(cuts), tuple(records), words, head)


def _header(frames: "_Frames") -> Header:
    header: Header = frames.next(Header, None)
    try:
        check_key(header.server)
    except WeakKey as error:
        raise BadArchive(f"its signer is nobody: {error}", kind="signer") from error
    # A whole file is nobody's view. Other values would mislead readers that look at them first.
    if header.is_whole and (header.seat, header.since) != (-1, 0):
        raise BadArchive("it begins with what no file of ours begins with")
    return header


def _words(frames: "_Frames", last: int) -> Iterator[WordsOf]:
    while True:
        # The signature covers everything in front of the seal, which is the last frame.
        before = frames.digest()
        payload = frames.payload(None)
        plain = _plain(payload, None)
        if isinstance(plain, tuple) and plain[:1] == ("seal",):
            signature = plain[1] if len(plain) == 2 else b""
            server = frames.server
            if not isinstance(signature, bytes) or not is_signed(server, before, signature):
                raise BadArchive(
                    "the server's signature is not on what stands here", kind="signature"
                )
            if not frames.is_empty:
                raise BadArchive("something follows the end of the file", last, "trailing")
            return
        try:
            yield codec.from_plain(plain, WordsOf)
        except ProtocolError as error:
            raise BadArchive(f"its words cannot be read: {error}") from error


def _plain(payload: bytes, sequence: int | None) -> codec.Plain:
    try:
        return codec.unpack(payload)
    except ProtocolError as error:
        raise BadArchive(str(error), sequence) from error


class _Frames:
    """Reads frames one by one and hashes all that were read."""

    def __init__(self, data: bytes) -> None:
        if len(data) > MAX_FILE_BYTES:
            raise BadArchive(f"{len(data)} bytes are more than any game has", kind="too_long")
        self._data = data
        self._at = 0
        self._digest = hashlib.sha256(_LABEL)
        self.server = b""
        """The server's public key; empty until the header is read."""

    @property
    def is_empty(self) -> bool:
        return self._at == len(self._data)

    def digest(self) -> bytes:
        return self._digest.digest()

    def payload(self, sequence: int | None) -> bytes:
        start = self._at + LENGTH_BYTES
        length = int.from_bytes(self._data[self._at : start], "big")
        # The same limit as on the wire, so readers of either need no larger buffer.
        if start > len(self._data) or not 0 < length <= LIMIT_AFTER_LOGIN:
            if self._at == 0:
                raise BadArchive("this is no file of an exported game", kind="no_game")
            raise BadArchive("the file ends or is damaged here", sequence, "cut_short")
        end = start + length
        if end > len(self._data):
            if self._at == 0:
                raise BadArchive(
                    "this is no file of an exported game, or little is left of it", kind="no_game"
                )
            raise BadArchive("the file ends here", sequence, "cut_short")
        self._digest.update(self._data[self._at : end])
        self._at = end
        return self._data[start:end]

    def next(self, of: type, sequence: int | None) -> Any:
        plain = _plain(self.payload(sequence), sequence)
        if of is Header:
            # Before its shape is checked: a header of another version may have other fields.
            magic = plain[0] if isinstance(plain, tuple) and plain else None
            if isinstance(magic, str) and magic != MAGIC:
                raise BadArchive(
                    f"it is of another kind or version: {magic[:40]!r}", kind="version"
                )
        try:
            value = codec.from_plain(plain, of)
        except ProtocolError as error:
            raise BadArchive(str(error), sequence) from error
        if isinstance(value, Header):
            self.server = value.server
        return value

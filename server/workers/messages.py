"""
What a server and its worker processes say to each other, over the pipes between them.

Both ends are the same program of the same user, and nobody else has an end of these pipes: so each
message is a pickle. It holds every secret of a table.
"""

import pickle
import struct
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import attrs

from protocol.event import Event, Stored

_LENGTH: Final = struct.Struct(">I")
"""What comes before a message: its length."""


@attrs.frozen
class Pack:
    """To a worker: content that rooms may need, as `server.packs.compiled` keeps it."""

    body: bytes = attrs.field(repr=False)


@attrs.frozen
class Loaded:
    """Asks a worker to say `Ready` once it has dealt with all that came before."""


@attrs.frozen
class Ready:
    """From a worker: it takes rooms now."""


@attrs.frozen
class Copy:
    """To a worker: a room as it is now."""

    room_id: str
    rest: bytes = attrs.field(repr=False)
    """Its last rest point, as `server.kernel.snapshot` writes it."""
    tail: tuple[Stored, ...] = attrs.field(repr=False)
    """All records behind that."""
    recalled: dict[int, Stored] = attrs.field(repr=False)
    """Earlier records that it may need, by sequence."""


@attrs.frozen
class Drop:
    """To a worker: it need keep the copy of this room no longer."""

    room_id: str


@attrs.frozen
class Input:
    """To a worker: what follows from this at a room?"""

    serial: int
    room_id: str
    head: bytes
    """Of the log before it. A copy that has another is of no use."""
    happened: Event = attrs.field(repr=False)
    time: int
    origin: int


@attrs.frozen
class Save:
    """To a worker: what is the last rest point of its copy of this room, as bytes?"""

    serial: int
    room_id: str
    head: bytes
    """Of the log at that rest point."""


@attrs.frozen
class Saved:
    """From a worker: that rest point, as `server.kernel.snapshot` writes it."""

    serial: int
    body: bytes = attrs.field(repr=False)


@attrs.frozen
class Written:
    """From a worker: what follows from an input."""

    serial: int
    records: tuple[Stored, ...] = attrs.field(repr=False)


@attrs.frozen
class Behind:
    """From a worker: its copy of that room, if there is one, stands elsewhere."""

    serial: int
    why: str = ""
    """Where in the program the last copy could not be made, if so."""


@attrs.frozen
class Declined:
    """From a worker: that was refused, or failed. The server finds out which by itself."""

    serial: int


ToWorker: TypeAlias = Pack | Loaded | Copy | Drop | Input | Save
FromWorker: TypeAlias = Ready | Written | Behind | Saved | Declined


def packed(message: ToWorker | FromWorker) -> bytes:
    """Return a message as it is sent."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


class Inbox:
    """What came through a pipe and is no whole message yet."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._came = bytearray()

    def whole(self, chunk: bytes) -> Iterator[Any]:
        """Take more bytes in; yield each message that they complete."""
        self._came += chunk
        while len(self._came) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._came)
            end = _LENGTH.size + length
            if len(self._came) < end:
                return
            body = bytes(self._came[_LENGTH.size : end])
            del self._came[:end]
            yield pickle.loads(body)  # noqa: S301 (our own program wrote it; see above)

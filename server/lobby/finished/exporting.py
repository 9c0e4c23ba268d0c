"""Export requests: streams files to clients, interleaved with the other messages of a session."""

import itertools
from collections.abc import Callable, Iterator, MutableMapping
from weakref import WeakValueDictionary

import attrs
from twisted.logger import Logger

from protocol import messages
from protocol.common.table import RoomTable
from server.kernel.errors import Refused
from server.lobby.finished.access import Access
from server.lobby.finished.export import (
    PART_BYTES,
    ArchiveMaker,
    ExportRequest,
    Part,
    send_parts,
)
from server.lobby.finished.sharing import SharedGames
from server.lobby.requests.handlers import ANSWERED, Needs, Reply, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.replies import Replies
from server.lobby.requests.visitor import RoomVisitor, Visitor
from server.lobby.rooms.host import RoomHost
from server.lobby.services.one_by_one import OneByOne
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.setups import Setups
from server.lobby.views.followers import catalogs_of
from server.lobby.views.streams import taken
from server.lobby.views.viewer import Viewer
from server.storage import StorageError


@attrs.frozen(eq=False)
class _SentPack:
    """A pack that is being sent; it is in memory once, for all its readers."""

    packed: bytes = attrs.field(repr=False)

    def parts(self, message: messages.ExportPack) -> Iterator[messages.ExportPart]:
        """Yield the pack as replies to a request; each part is made on demand."""
        # An empty pack still has one part.
        last = max(0, len(self.packed) - 1) // PART_BYTES
        for index in range(last + 1):
            part = self.packed[index * PART_BYTES : (index + 1) * PART_BYTES]
            yield messages.ExportPart(message.serial, message.room_id, index, index == last, part)


@attrs.frozen(eq=False)
class Exports:
    """Makes export files and streams them to their askers."""

    services: LobbyServices
    sign: Callable[[bytes], bytes] = attrs.field(repr=False)
    """Signs with the server's identity."""
    public: bytes
    """Public half of the server's identity."""
    replies: Replies
    _packs: MutableMapping[bytes, _SentPack] = attrs.field(
        factory=WeakValueDictionary, init=False, repr=False
    )
    """
    The packs that are being sent, by hash, until the last reply is sent or its session has ended.
    """
    _reading: OneByOne = attrs.field(factory=OneByOne, init=False, repr=False)
    """Serialises reads of packs: many requests at one moment must not each read a copy."""
    _log = Logger()

    def begin(
        self, visitor: Visitor, message: messages.ExportTable, host: RoomHost, viewer: Viewer
    ) -> None:
        """Begin to stream the file that this viewer may read; its parts are the reply."""
        asked = ExportRequest.of(host.room, viewer.seat, end_of_export(host, viewer))
        self.begin_as(visitor, message, host, asked)

    def begin_as(
        self, visitor: Visitor, message: messages.ExportTable, host: RoomHost, asked: ExportRequest
    ) -> None:
        """Begin to stream the file of a given request; its parts are the reply."""
        maker = ArchiveMaker(
            asked,
            catalogs_of(self.services.shelf, host.room),
            now=self.services.now(),
            sign=self.sign,
            public=self.public,
        )
        run_detached(self._send(visitor, message, asked, maker))

    async def _send(
        self,
        visitor: Visitor,
        message: messages.ExportTable,
        asked: ExportRequest,
        maker: ArchiveMaker,
    ) -> None:
        session, index = visitor.session, itertools.count()

        async def send(parts: Iterator[Part]) -> None:
            said = (
                messages.ExportPart(message.serial, asked.room_id, next(index), is_last, data)
                for is_last, data in parts
            )
            await taken(session, said, self.services.clock)

        try:
            await send_parts(maker, asked, self.services.store, send)
        except StorageError as error:
            self._log.error("room {room}: {why}", room=asked.room_id, why=str(error))
            self.replies.refuse(visitor, message, Refused("table/unreadable"))
        except Exception:  # noqa: BLE001 (every request gets its reply)
            self._log.failure("a file could not be made")
            self.replies.refuse(visitor, message, Refused("server/error"))

    def begin_pack(self, visitor: Visitor, message: messages.ExportPack, host: RoomHost) -> None:
        """Begin to stream the pack of a game; its parts are the reply."""
        run_detached(self._send_pack(visitor, message, host.room.table.room))

    async def _send_pack(
        self, visitor: Visitor, message: messages.ExportPack, room: RoomTable
    ) -> None:
        try:
            sent = await self._pack(room.content_hash)
        except StorageError as error:
            self._log.error("the pack of room {room}: {why}", room=room.room_id, why=str(error))
            self.replies.refuse(visitor, message, Refused("table/unreadable"))
        except Exception:  # noqa: BLE001 (every request gets its reply)
            self._log.failure("a pack could not be read")
            self.replies.refuse(visitor, message, Refused("server/error"))
        else:
            if sent is None:
                self.replies.refuse(visitor, message, Refused("table/unreadable"))
            else:
                visitor.session.stream(sent.parts(message))

    async def _pack(self, digest: bytes) -> _SentPack | None:
        """Return a pack to send; None if the store does not have it. StorageError: unreadable."""
        async with self._reading:
            sent = self._packs.get(digest)
            if sent is None:
                read = await self.services.shelf.files_of(digest, self.services.store)
                if read is None:
                    return None
                sent = self._packs[digest] = _SentPack(read)
            return sent


def end_of_export(host: RoomHost, viewer: Viewer) -> int:
    """Return the sequence of the first record that the file of a viewer leaves out."""
    return host.followers.end_for(viewer)


@handles(messages.ExportTable, needs=Needs.ROOM, cost=Cost.MADE | Cost.LOADING)
async def export_table(
    visitor: RoomVisitor,
    message: messages.ExportTable,
    exports: Exports,
    access: Access,
    shared: SharedGames,
    setups: Setups,
) -> Reply:
    room = visitor.host.room
    is_seated = visitor.room.seat_of(visitor.key) is not None
    is_open = not is_seated and shared.is_open(room.room_id)
    viewer = None if is_open else access.viewer(visitor)
    # Before anything is sent: everybody who is shown a setup knows it from then on.
    await setups.known.note(visitor.room, [visitor.key])
    if viewer is None:
        exports.begin_as(visitor.visitor, message, visitor.host, ExportRequest.whole(room))
    else:
        exports.begin(visitor.visitor, message, visitor.host, viewer)
    return ANSWERED


@handles(messages.ExportPack, needs=Needs.ROOM, cost=Cost.MADE | Cost.LOADING)
async def export_pack(
    visitor: RoomVisitor, message: messages.ExportPack, exports: Exports, shared: SharedGames
) -> Reply:
    """Send a game's pack, the whole scenario, to anybody who may have the whole log."""
    shared.refuse_unopened(visitor.room, visitor.key)
    exports.begin_pack(visitor.visitor, message, visitor.host)
    return ANSWERED

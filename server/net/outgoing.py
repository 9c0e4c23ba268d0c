"""
Outgoing messages of one session: encoded, queued while the socket is full, and written in order.

A frame is written at once if nothing is queued before it. Streams make their next message only when
the socket has room, as background work of the scheduler. A reader whose queue exceeds the limits is
dropped.
"""

from collections.abc import Callable, Iterable

import attrs

from protocol.brief import BriefWriter, segments_of
from protocol.frames import encode_frame
from protocol.messages import Records, ServerMessage
from server.net.context import SessionContext
from server.net.handler import PackedRecords
from server.net.outbox import Outbox, Overflow
from server.net.scheduling import Party


@attrs.define(eq=False)
class Outgoing:
    """Sends messages while the session is open."""

    context: SessionContext
    party: Party
    """The scheduler's queue in which stream messages are made."""
    write: Callable[[bytes], None]
    """Writes a frame to the transport; may call back `pause`, `resume` or `send`."""
    when_too_slow: Callable[[str], None]
    """Called with the reason when the queue exceeds the limits; drops the connection."""
    when_broken: Callable[[], None]
    """Called in the handler of an exception that a stream raised; ends the session."""
    is_open: bool = attrs.field(default=False, init=False)
    _is_paused: bool = attrs.field(default=False, init=False)
    """True while the buffer of the transport is full."""
    _is_writing: bool = attrs.field(default=False, init=False)
    """True while a frame is being written; messages sent meanwhile are queued behind it."""
    _is_scheduled: bool = attrs.field(default=False, init=False)
    """True if the scheduler was asked to make the next message of a stream."""
    _outbox: Outbox = attrs.field(init=False)
    _brief: BriefWriter = attrs.field(factory=BriefWriter, init=False)

    @_outbox.default
    def _new_outbox(self) -> Outbox:
        return Outbox(self.context.limits.queue_bytes, self.context.limits.queue_streams)

    def send(self, message: ServerMessage) -> None:
        if self.is_open:
            frame = encode_frame(self._payload(message, is_whole=self._outbox.has_streams))
            if self._outbox or self._is_writing or not self._can_write:
                self._queue(lambda: self._outbox.put(frame))
            else:
                # The transport may call back while it writes; later frames wait behind this one.
                self._is_writing = True
                try:
                    self.write(frame)
                finally:
                    self._is_writing = False
                if self._outbox:
                    self._pump()

    def stream(self, messages: Iterable[ServerMessage]) -> None:
        if self.is_open:
            frames = (encode_frame(self._payload(one, is_whole=True)) for one in messages)
            self._queue(lambda: self._outbox.put_stream(frames))

    def pause(self) -> None:
        """Stop writing: the buffer of the transport is full."""
        self._is_paused = True

    def resume(self) -> None:
        """Resume writing: the buffer of the transport has room."""
        self._is_paused = False
        self._pump()

    def close(self) -> None:
        """Send nothing more, and drop all queued messages."""
        self.is_open = False
        self._outbox.clear()
        self._note_backlog()

    @property
    def _can_write(self) -> bool:
        return self.is_open and not self._is_paused

    def _payload(self, message: ServerMessage, *, is_whole: bool) -> bytes:
        """
        Encode a message; with `is_whole`, without references to earlier messages.

        A stream message is made later than messages that are queued behind it. So neither it nor
        any message queued while the stream waits may refer to earlier messages.
        """
        if not isinstance(message, Records):
            return self.context.encoding.payload(message)
        room_id, bodies = message.room_id, None
        if isinstance(message, PackedRecords):
            segments, bodies = message.segments, message.bodies
        else:
            segments = segments_of(message.cuts)
        if is_whole:
            return self._brief.whole(room_id, segments)
        return self._brief.payload(room_id, segments, bodies)

    def _queue(self, put: Callable[[], None]) -> None:
        try:
            put()
        except Overflow as overflow:
            self.when_too_slow(str(overflow))
        else:
            self._pump()

    def _pump(self) -> None:
        """Write queued frames while the socket has room. Not reentrant: `write` may call back."""
        if self._is_writing:
            return
        self._is_writing = True
        try:
            while self._can_write:
                if self._outbox.has_stream_next:
                    if not self._is_scheduled:
                        self._is_scheduled = True
                        self.context.scheduler.background(self.party, self._stream_on)
                    return
                frame = self._outbox.take()
                if frame is None:
                    return
                self.write(frame)
        finally:
            self._is_writing = False
            self._note_backlog()

    def _stream_on(self) -> None:
        """Make and write the next message of a stream."""
        self._is_scheduled = False
        # `resume` schedules the stream again.
        if not self._can_write:
            return
        try:
            frame = self._outbox.take()
        except Exception:  # noqa: BLE001 (a stream that raises is the handler's fault)
            self.when_broken()
            return
        if frame is not None:
            self.write(frame)
        self._pump()

    def _note_backlog(self) -> None:
        slow = "what waits for all is too much"
        self.context.backlog.note(self._outbox, lambda: self.when_too_slow(slow))

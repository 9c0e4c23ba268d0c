"""Builds a room from its whole log, read strictly."""

from collections.abc import Sequence

from protocol.event import Stored, read_own, read_whole
from server.kernel.chance import Entropy, MakeChance, seeded
from server.kernel.game import Library
from server.kernel.kept_log import KeptLog
from server.kernel.rest_point import Folding, RestPoint, repeated_end
from server.kernel.room import Room


def resume(
    room_id: str,
    log: Sequence[Stored],
    library: Library,
    entropy: Entropy,
    *,
    make_chance: MakeChance = seeded,
    from_start: bool = False,
) -> Room:
    """
    Build a room from its log, and replay the inputs after the last checkpoint.

    Args:
        from_start: compare everything from event 0 on, as a verifier does; in a branch, everything
            after the records of its source.

    Raises:
        TruncatedLog: the log ends inside a batch.
        Diverged: only with `from_start`. Otherwise the room is `halted` at the end of the log.
        ProtocolError: the log is malformed.
    """
    room = Room(room_id, library, entropy, make_chance=make_chance)
    first = RestPoint.first(room_id)
    folding = Folding(first, room.chances_of, read=read_whole)
    folding.add(room_id, log)
    if from_start:
        source = folding.now.table.room.source
        begin = 0 if source is None else repeated_end(source)
        folding = Folding(first, room.chances_of)
        folding.add(room_id, log[:begin])
        tail = [(stored, read_own(room_id, stored)) for stored in log[begin:]]
        room.replay(folding.now, KeptLog(log[:begin]), tail, from_start=True)
    else:
        room.replay(folding.rest, KeptLog(log[: folding.rest.end]), folding.tail)
    return room

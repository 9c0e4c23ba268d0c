"""
Branches of a finished game: replays the game from one of its checkpoints with new choices.

The whole log of a finished game opens its seeds, so its reader could predict the chance of the
source. A branch therefore has seeds of its own, and shuffles every unknown pile, as going back
does. A branch writes nothing on the source's log.
"""

from protocol.archive import Archive
from protocol.common.chance import Stream
from protocol.values import evolve
from server.kernel.chance import NO_CHANCES, SEED_BYTES, Chances, Entropy, seeded
from server.kernel.game import Library
from server.kernel.kept_log import KeptLog
from server.kernel.replaying import stored_of
from server.kernel.rest_point import CHECKPOINTS, RestPoint
from server.kernel.room import Room


class CannotBranch(Exception):
    """The log cannot be branched at the requested event."""


class SecretsAreShut(CannotBranch):
    """The file does not open all secrets of its log."""


class NoCheckpoint(CannotBranch):
    """The log has no checkpoint at or before the requested event."""


def checkpoint_before(archive: Archive, last: int) -> int:
    """
    Return the sequence of the last checkpoint at or before event `last`.

    NoCheckpoint: there is none.
    """
    rests = [r.sequence for r in archive.records if isinstance(r.event, CHECKPOINTS)]
    found = [sequence for sequence in rests if sequence <= last]
    if not found:
        raise NoCheckpoint
    return found[-1]


def branched(archive: Archive, last: int, library: Library, entropy: Entropy) -> Room:
    """
    Return a room at the last checkpoint at or before an event of a log.

    Args:
        archive: a file that was checked.
        last: sequence of the event; the length of the log means its end.
        library: the ruleset and the content of that game.
        entropy: the source of the branch's own chance.

    Raises:
        CannotBranch: the log cannot be branched there; its subclasses say why.
        RuleFailed: today's rules cannot continue from there.
    """
    if not archive.header.is_whole:
        raise SecretsAreShut
    end = checkpoint_before(archive, last) + 1
    rest, log = RestPoint.first(archive.header.room_id), []
    for cut, record in zip(archive.cuts[:end], archive.records, strict=False):
        # Talk may be shut; no record that follows opens it.
        log.append(stored_of(cut))
        rest = rest.after(log[-1], record, NO_CHANCES)
    # Not the source's seeds: its reader knows them.
    keys = {stream: entropy.draw(SEED_BYTES) for stream in Stream}
    room = Room(archive.header.room_id, library, entropy)
    room.branch_off(evolve(rest, chances=Chances.made(keys, seeded)), KeptLog(log))
    return room

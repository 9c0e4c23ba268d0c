"""Removal of a room from the store, with everything that is stored beside its log."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from server.identity import invitations
from server.lobby.rooms import snapshots, summary
from server.net.scheduling import FairScheduler
from server.storage import Store

AGAIN = "again"
"""Namespace in the store: id of the table that follows each finished one, by finished room."""

SHARED = "shared"
"""Namespace in the store: agreements to share finished games, by room."""

GAME_NOTES = "game notes"
"""Namespace in the store: notes on finished games, by room."""

_AT_ONCE = 100


async def invitations_by_room(
    store: Store, scheduler: FairScheduler
) -> Mapping[str, Sequence[str]]:
    """Return the store keys of all invitations, by room."""
    found = defaultdict[str, list[str]](list)
    for at, (key, stored) in enumerate(await store.scan(invitations.KIND)):
        if at % _AT_ONCE == 0:
            await scheduler.time()
        target = invitations.target_of(stored)
        if target is not None:
            found[target.room_id].append(key)
    return found


async def remove_room(store: Store, room_id: str, codes: Sequence[str]) -> None:
    """
    Remove a room with its log and all that is stored beside the log, in one transaction.

    Args:
        store: the store of the room.
        room_id: the id of a room that is not loaded.
        codes: the store keys of its invitations.

    Raises:
        StorageError: nothing was removed.
    """
    beside = [(kind, room_id) for kind in (AGAIN, SHARED, GAME_NOTES)]
    gone = [*beside, *((invitations.KIND, key) for key in codes)]
    await store.remove(room_id, [(summary.KIND, room_id), (snapshots.KIND, room_id), *gone])

"""Removing a room from the store, with everything that is kept for it beside its log."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from server.identity import invitations
from server.lobby.rooms import snapshots, summary
from server.net.scheduling import FairScheduler
from server.storage import Store

AGAIN = "again"
"""The namespace in the store of the tables at which people played again, by the first one."""

SHARED = "shared"
"""The namespace in the store of who agreed to show a finished game to all, by its room."""

GAME_NOTES = "game notes"
"""The namespace in the store of the notes kept with a finished game, by its room."""

_AT_ONCE = 100


async def invitations_by_room(
    store: Store, scheduler: FairScheduler
) -> Mapping[str, Sequence[str]]:
    """Return the keys of all invitations by the room that they lead to."""
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
    Remove a room with its log and all that is kept for it beside it, at once.

    Args:
        store: where it is.
        room_id: nobody may be at it.
        codes: the keys of its invitations.

    Raises:
        StorageError: all of it is still there.
    """
    beside = [(kind, room_id) for kind in (AGAIN, SHARED, GAME_NOTES)]
    gone = [*beside, *((invitations.KIND, key) for key in codes)]
    await store.remove(room_id, [(summary.KIND, room_id), (snapshots.KIND, room_id), *gone])

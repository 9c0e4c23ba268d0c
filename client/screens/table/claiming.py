"""The next step in the waiting room: what the viewer has to choose, and who starts the game."""

from client.keymap.keys import Action
from client.model.possible import impossible
from client.model.roles import missing_in_words
from client.screens.base.screen import Desk
from client.screens.table.pieces import PieceList
from protocol.common.table import Seat


def next_claim(
    desk: Desk, pieces: PieceList, mine: Seat, *, begins_with_one_more: bool
) -> tuple[str, ...]:
    """
    Return what is wrong with the viewer's claims, with the key that mends it.

    Returns:
        a catalog key and its parameters; empty if the viewer can play with these characters.
    """
    fewest, most = desk.model.counts_wanted(desk.view.table.room, mine)
    claimed = pieces.claimed(mine)
    if len(claimed) > most:
        return ("waiting_room.too_many",)
    if len(claimed) >= fewest:
        return ()
    if most > fewest:
        return "waiting_room.choose_several", str(fewest), str(most)
    is_alone = len(desk.view.table.room.seats) == 1
    if not claimed:
        if fewest > 1 and not is_alone:
            return "waiting_room.choose_few", str(fewest)
        return ("waiting_room.choose_alone" if fewest > 1 else "waiting_room.choose",)
    here = pieces.free_character(mine)
    if here and begins_with_one_more:
        names = desk.speaker.names("character", claimed)
        return "waiting_room.second_begins", names, desk.speaker.name("character", here)
    return ("waiting_room.second",) if is_alone else ("waiting_room.second_few", str(fewest))


def ready_step(desk: Desk, pieces: PieceList, mine: Seat, *, is_alone: bool) -> tuple[str, ...]:
    """Return how to get ready, and that more characters may be claimed before."""
    fewest, most = desk.model.counts_wanted(desk.view.table.room, mine)
    key = "waiting_room.begin" if is_alone else "waiting_room.be_ready"
    if pieces.is_exchange(mine):
        own = desk.speaker.names("character", pieces.claimed(mine))
        other = desk.speaker.name("character", pieces.free_character(mine))
        return f"{key}_or_other", own, other
    if len(pieces.claimed(mine)) < most:
        return f"{key}_or_more", str(fewest), str(most)
    return (key,)


def missing_step(desk: Desk) -> tuple[str, ...]:
    """Return which roles are missing, with the key for a bot if the viewer can seat one."""
    missing = missing_in_words(desk.model, desk.view.table.room)
    if not missing:
        return ()
    if desk.model.is_host and Action.BOT not in impossible(desk.model):
        return "waiting_room.role_missing_bot", missing
    return "waiting_room.role_missing", missing


def start_step(desk: Desk) -> tuple[str, ...]:
    """Return what is still missing for a ready player, or who starts the game."""
    unready = [seat.name for seat in desk.view.table.room.seats.values() if not seat.is_ready]
    if missing := missing_step(desk):
        return missing
    if unready:
        return "waiting_room.unready", ", ".join(unready)
    return ("waiting_room.start" if desk.model.is_host else "waiting_room.host_starts",)

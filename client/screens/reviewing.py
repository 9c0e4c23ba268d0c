"""Looking back on a table's game in a replay of its own, which the table takes no notice of."""

from functools import partial

from client.journal.replay_model import replayed
from client.locale.faults import fault_in
from client.screens.replay import ReplayScreen
from client.screens.screen import CannotDo, Desk
from protocol.archive import Archive, BadArchive, load


def review(desk: Desk, room_id: str) -> None:
    """Ask for a table's game, as far as the player may have it. CannotDo without a line."""
    if not desk.model.is_online:
        raise CannotDo("error.offline")
    desk.port.fetch_game(room_id)


def take_fetched(desk: Desk) -> None:
    """Open the game that has come, if one has."""
    fetched, desk.model.fetched = desk.model.fetched, None
    if fetched is None:
        return
    try:
        archive = load(fetched.data)
    except BadArchive as error:
        desk.model.tell(fault_in(error, desk.model.locale), is_wrong=True)
        return
    if not archive.records:
        desk.model.tell(desk.say("replay.nothing_yet"))
        return
    game = replayed(archive)
    if not archive.header.is_whole:
        # Of a game that goes on, what has just happened is looked for.
        game.go_to(len(archive.records) - 1)
    leave, reword = partial(_close, desk), partial(_reword, desk, archive)
    desk.aside = ReplayScreen(desk, game, leave, reword)


def _close(desk: Desk) -> None:
    desk.aside = None


def _reword(desk: Desk, archive: Archive) -> None:
    """Have the words of the game at hand in the language that is spoken."""
    for chunk in archive.words:
        if chunk.language == desk.model.locale.language:
            desk.model.words.add(chunk.language, chunk.subjects)

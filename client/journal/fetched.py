"""Opens a game that was fetched from the server as a replay."""

import attrs

from client.journal.replay_model import ReplayModel, replayed
from client.locale.faults import fault_in
from client.model.model import ClientModel
from protocol.archive import Archive, BadArchive, load


@attrs.frozen(eq=False)
class ReplayedGame:
    """A replay, and the archive from which the replay was read."""

    model: ClientModel
    archive: Archive
    replay: ReplayModel

    def reword(self) -> None:
        """Load the words of the archive in the client's current language."""
        for chunk in self.archive.words:
            if chunk.language == self.model.locale.language:
                self.model.words.add(chunk.language, chunk.subjects)


def read_fetched(model: ClientModel, data: bytes) -> ReplayedGame | None:
    """Read a fetched file as a replay.

    Returns:
        The replay; None if the file has a fault or no events, which the message bar then states.
    """
    try:
        archive = load(data)
    except BadArchive as error:
        model.tell(fault_in(error, model.locale), is_wrong=True)
        return None
    if not archive.records:
        model.tell(model.locale.say("replay.nothing_yet"))
        return None
    game = replayed(archive)
    if not archive.header.is_whole:
        # In an unfinished game people want to see what has just happened.
        game.go_to(len(archive.records) - 1)
    return ReplayedGame(model, archive, game)

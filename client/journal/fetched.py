"""A game that was fetched from a server, opened to be looked back on."""

import attrs

from client.journal.replay_model import ReplayModel, replayed
from client.locale.faults import fault_in
from client.model.model import ClientModel
from protocol.archive import Archive, BadArchive, load


@attrs.frozen(eq=False)
class FetchedGame:
    """A game, and all that was told of it."""

    model: ClientModel
    archive: Archive
    replay: ReplayModel

    def reword(self) -> None:
        """Have the words of the game at hand in the language that is spoken."""
        for chunk in self.archive.words:
            if chunk.language == self.model.locale.language:
                self.model.words.add(chunk.language, chunk.subjects)


def take_fetched(model: ClientModel) -> FetchedGame | None:
    """Return the game that has come; None for none, or one that cannot be read, which is told."""
    fetched, model.fetched = model.fetched, None
    if fetched is None:
        return None
    try:
        archive = load(fetched.data)
    except BadArchive as error:
        model.tell(fault_in(error, model.locale), is_wrong=True)
        return None
    if not archive.records:
        model.tell(model.locale.say("replay.nothing_yet"))
        return None
    game = replayed(archive)
    if not archive.header.is_whole:
        # Of a game that goes on, what has just happened is looked for.
        game.go_to(len(archive.records) - 1)
    return FetchedGame(model, archive, game)

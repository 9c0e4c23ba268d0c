"""Opens a game that was fetched from the server as a replay."""

from collections.abc import Callable

import attrs

from client.journal.replay_model import ReplayModel, replayed
from client.locale.faults import fault_in
from client.model.hindsight import LookedBack
from client.model.model import ClientModel
from protocol.archive import Archive, BadArchive, load


def _nothing() -> None: ...


@attrs.define(eq=False)
class ReplayedGame:
    """A replay, and the archive from which the replay was read."""

    model: ClientModel
    archive: Archive
    replay: ReplayModel
    _cancel: Callable[[], None] = attrs.field(default=_nothing, init=False)
    """Cancels looking back; does nothing before and after."""

    def close(self) -> None:
        """Stop looking back: the player has left the replay."""
        self._cancel()

    def reword(self) -> None:
        """Load the words of the archive in the client's current language."""
        for chunk in self.archive.words:
            if chunk.language == self.model.locale.language:
                self.model.words.add(chunk.language, chunk.subjects)

    def look_back(self, data: bytes, known: Callable[[], None]) -> None:
        """
        Look back on a finished game, if this client can; `known` is called once there is hindsight.

        Args:
            data: the file of the game.
            known: called only if the game has hindsight.
        """
        later, header = self.model.look_back, self.archive.header
        if later is None or not header.is_whole:
            return

        def done(looked: LookedBack) -> None:
            if looked.problem:
                self.model.tell(self.model.locale.say(f"hindsight.{looked.problem}"))
            elif looked.found:
                # Before the journal is written anew, which asks for these words.
                self.archive = attrs.evolve(
                    self.archive, words=(*self.archive.words, *looked.words)
                )
                self.reword()
                self.replay.hindsight = looked.found
                known()

        self._cancel = later(data, self.replay.tables[-1].room.ruleset, done)


def read_fetched(model: ClientModel, data: bytes) -> ReplayedGame | None:
    """Read a fetched file as a replay.

    Returns:
        The replay; None if the file has a fault or no events, which the message bar then states.
    """
    try:
        archive = load(data)
        if not archive.records:
            model.tell(model.locale.say("replay.nothing_yet"))
            return None
        game = replayed(archive)
    except BadArchive as error:
        model.tell(fault_in(error, model.locale), is_wrong=True)
        return None
    if not archive.header.is_whole:
        # In an unfinished game people want to see what has just happened.
        game.go_to(len(archive.records) - 1)
    return ReplayedGame(model, archive, game)

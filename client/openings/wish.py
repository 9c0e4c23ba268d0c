"""Wishes of a player who is alone, and the error for a wish that the server cannot fulfil."""

import attrs

from client.model.lobby import SOLO, Launch


class NotOffered(Exception):
    """The server has nothing that fits the player's wish. The text is a sentence for them."""


@attrs.frozen
class Wish:
    """Game, role or scenario that a player wants; without fields, the first that is offered."""

    game: str = ""
    role: str = ""
    pack: str = ""
    """Id of the pack that the scenario is from; empty for any pack."""
    is_anew: bool = False
    """True to open a new table although an older game is unfinished."""

    @property
    def launch(self) -> Launch:
        """The command that finds the same table again."""
        game = f" --game {self.game.replace('_', '-')}" if self.game else ""
        role = f" --as {self.role}" if self.role else ""
        return attrs.evolve(SOLO, command=f"{SOLO.command}{game}{role}")

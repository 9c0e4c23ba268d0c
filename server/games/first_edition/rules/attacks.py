"""Attacks of monsters: step 5 of the keeper's turn. Section 14."""

from protocol.games.first_edition.events import KeeperStepBegan
from protocol.games.first_edition.table import KeeperStep
from server.games.first_edition.rules.play import Play


async def step(play: Play) -> None:
    """Go on to the next step of the keeper's turn."""
    play.emit(KeeperStepBegan(KeeperStep.EVENT))

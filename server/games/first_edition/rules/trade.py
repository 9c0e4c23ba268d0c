"""Trading: step 1 of the keeper's turn. K-KEEPER-2, K-KEEPER-3, K-DECIDE-41."""

from protocol.games.first_edition.events import KeeperStepBegan
from protocol.games.first_edition.table import KeeperStep
from server.games.first_edition.rules.play import Play


async def step(play: Play) -> None:
    """Go on to the next step of the keeper's turn."""
    play.emit(KeeperStepBegan(KeeperStep.STUN))

"""Steps about the scenario: doom, acts, locations, the end."""

from typing import Annotated

from content.games.cards.schema.kinds import ONE, Amount, Phrase, ResolutionId
from content.games.cards.schema.steps.base import Step
from content.games.cards.schema.targets import Cards, TheCard
from content.reading.meanings import Role
from content.reading.parts import part


@part(Step, "doom")
class Doom(Step):
    """Place doom on the agenda, or on a card. C-BDOOM-1."""

    number: Amount = ONE
    card: Cards = TheCard.AGENDA
    advances: bool = False
    """True if the agenda may advance by it at once. C-BDOOM-3."""


@part(Step, "advance")
class Advance(Step):
    """The act or the agenda advances. C-BACTS-3, C-BDOOM-6."""

    card: Annotated[TheCard, Role.SHORT]
    keeps_doom: bool = False
    """True if the doom in play stays. C-DECIDE-57."""


@part(Step, "take_out")
class TakeOut(Step):
    """Locations are removed from the game; everybody there goes elsewhere. C-DECIDE-28."""

    card: Cards
    to: Cards | None = None


@part(Step, "reveal_location", inline="card")
class RevealLocation(Step):
    """Locations are revealed."""

    card: Cards


@part(Step, "remember", inline="phrase")
class Remember(Step):
    """The players remember a phrase. C-REM-1."""

    phrase: Phrase


@part(Step, "resolution", inline="id")
class Resolution(Step):
    """The scenario ends with a resolution. C-BEND-1."""

    id: ResolutionId


@part(Step, "end_turn", inline="yes")
class EndTurn(Step):
    """The turn ends at once. C-TIME-3."""

    yes: bool


@part(Step, "haunt", inline="card")
class Haunt(Step):
    """Resolve each Haunted ability of locations. C-BKEY-27."""

    card: Cards

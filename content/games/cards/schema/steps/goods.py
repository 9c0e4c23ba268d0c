"""Steps about what investigators have: resources, cards in hand, clues, harm, actions."""

from typing import Annotated

from content.games.cards.schema.kinds import NONE, ONE, Amount, CardId
from content.games.cards.schema.steps.base import Step
from content.games.cards.schema.targets import Cards, Filter, People, TheCard, Who
from content.reading.meanings import Role
from content.reading.parts import part
from protocol.games.cards.words import Trauma


@part(Step, "resources")
class Resources(Step):
    """Investigators gain resources, or lose them if the number is negative. C-BACT-2."""

    number: Annotated[Amount, Role.SHORT]
    who: People = Who.YOU


@part(Step, "draw")
class Draw(Step):
    """Investigators draw cards, all at once. C-DRAW-1."""

    number: Annotated[Amount, Role.SHORT]
    who: People = Who.YOU
    on: Cards | None = None
    """The card on or beneath which the cards lie face down, instead of in the deck. C-LOOK-2."""


@part(Step, "discard_hand")
class DiscardHand(Step):
    """Investigators discard cards from their hands."""

    number: Amount = ONE
    all: bool = False
    """True for every card that fits, weaknesses too. C-WEAK-2."""
    who: People = Who.YOU
    at_random: bool = False
    of: Filter = Filter()


@part(Step, "basic_weakness", inline="who")
class BasicWeakness(Step):
    """Investigators shuffle a random basic weakness of the pool into their decks. C-POOL-1."""

    who: People


@part(Step, "swap_weakness")
class SwapWeakness(Step):
    """A weakness in the deck of an investigator is swapped for its follow-up. C-POOL-5."""

    out: CardId
    """The weakness that leaves the deck."""
    by: CardId
    """The one that is shuffled in."""
    who: People = Who.YOU


@part(Step, "heal")
class Heal(Step):
    """Take damage or horror off cards; off your own if none is named. C-HEAL-1, C-BDMG-13."""

    damage: Amount = NONE
    horror: Amount = NONE
    card: Cards = TheCard.YOU
    in_addition: bool = False
    """True if it adds to what the effect heals before, as one instance of healing. C-HEAL-3."""


@part(Step, "harm")
class Harm(Step):
    """Deal damage and horror to investigators, who assign it. C-BDMG-1, C-BDMG-14."""

    damage: Amount = NONE
    horror: Amount = NONE
    who: People = Who.YOU
    is_direct: bool = False


@part(Step, "damage")
class Damage(Step):
    """Deal damage, or horror, to cards, such as enemies. C-BDMG-10."""

    card: Cards
    number: Amount = ONE
    horror: Amount = NONE


@part(Step, "discover")
class Discover(Step):
    """Discover clues at your location, or at another. C-BLOC-6."""

    number: Amount = ONE
    at: Cards = TheCard.HERE
    who: People = Who.YOU


@part(Step, "put")
class Put(Step):
    """Put tokens on cards, or take them off if the number is negative."""

    token: str
    number: Amount = ONE
    card: Cards = TheCard.THIS


@part(Step, "take_clues")
class TakeClues(Step):
    """Investigators lose clues to the place where they are, or to the pool."""

    number: Amount
    who: People = Who.YOU
    to_pool: bool = False


@part(Step, "actions")
class Actions(Step):
    """Investigators gain actions, or lose them. C-XACT-4."""

    number: Amount
    who: People = Who.YOU


@part(Step, "trauma")
class GiveTrauma(Step):
    """Investigators suffer trauma. C-BCAMP-16."""

    kind: Trauma
    number: Amount = ONE
    who: People = Who.YOU


@part(Step, "defeat", inline="who")
class Defeat(Step):
    """Investigators are defeated. C-BDMG-17."""

    who: People


@part(Step, "resign", inline="who")
class Resign(Step):
    """Investigators resign. C-BACT-13."""

    who: People

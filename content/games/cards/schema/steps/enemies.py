"""Steps about enemies and moves, and about encounter cards."""

from content.games.cards.schema.kinds import ONE, Amount, CardId
from content.games.cards.schema.steps.base import Step
from content.games.cards.schema.targets import Cards, Filter, People, Who
from content.reading.parts import part


@part(Step, "move")
class Move(Step):
    """Investigators move to a location. C-BACT-14."""

    to: Cards
    who: People = Who.YOU


@part(Step, "move_enemy")
class MoveEnemy(Step):
    """Enemies move to a location, or one step toward "you". C-BENEMY-32, C-NEAR-4."""

    card: Cards
    to: Cards | None = None


@part(Step, "engage")
class Engage(Step):
    """An investigator engages enemies. C-ENG-1."""

    card: Cards
    who: People = Who.YOU


@part(Step, "disengage", inline="card")
class Disengage(Step):
    """Enemies are engaged with nobody."""

    card: Cards


@part(Step, "evade_now", inline="card")
class EvadeNow(Step):
    """Evade enemies automatically, without a test. C-AUTO-10 to C-AUTO-12."""

    card: Cards


@part(Step, "attack")
class Attack(Step):
    """Enemies attack an investigator. C-BENEMY-16."""

    card: Cards
    who: People = Who.YOU


@part(Step, "spawn")
class Spawn(Step):
    """A set-aside enemy, or the topmost discarded one that fits, spawns. C-SPAWN-1."""

    id: CardId | None = None
    discarded: Filter | None = None
    at: Cards | None = None
    """The location where it spawns; else its own instruction says."""
    engaged_with: People | None = None


@part(Step, "encounter")
class DrawEncounter(Step):
    """
    Investigators draw encounter cards, one after another. C-BENC-14, C-BABIL-37.

    Or one resolves what is no draw of theirs: the Revelation of a card, a card of somebody else.
    """

    number: Amount = ONE
    who: People = Who.YOU
    deck: str = ""
    """The further deck of the scenario that they draw from. C-BSPEC-5."""
    revelation_of: Cards | None = None
    """Only the Revelation of this card is resolved: nothing is drawn. C-BENC-15."""
    takes_over: bool = False
    """True if you resolve the card whose draw the ability answers."""


@part(Step, "explore")
class Explore(Step):
    """Explore: draw until a connected location that fits, or a treachery. C-BSPEC-1."""

    deck: str
    of: Filter = Filter()

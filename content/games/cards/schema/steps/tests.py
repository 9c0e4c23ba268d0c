"""Steps that are actions or tests, and steps inside of tests."""

from content.games.cards.schema.kinds import NONE, Amount, Deed
from content.games.cards.schema.steps.base import Effect, Step
from content.games.cards.schema.targets import Cards, Filter, People, Who
from content.reading.parts import part
from protocol.games.cards.words import Skill


@part(Step, "test")
class Test(Step):
    """Investigators test a skill, one after another. C-BTEST-2."""

    skill: Skill
    difficulty: Amount
    success: Effect = ()
    failure: Effect = ()
    who: People = Who.YOU


@part(Step, "fight")
class Fight(Step):
    """Fight an enemy: the action, or an attack that no action is spent for. C-BACT-9."""

    skill: Skill | None = None
    """Tested in place of combat. C-BTEST-18."""
    base: int | None = None
    plus: Amount = NONE
    damage: Amount = NONE
    """Added to the 1 damage of an attack. C-BACT-20."""
    of: Filter = Filter()
    card: Cards | None = None
    """The enemy, if it is not to be chosen."""
    success: Effect = ()
    failure: Effect = ()


@part(Step, "evade")
class Evade(Step):
    """Evade an enemy by a test. C-BACT-11, C-ENG-3, C-ENG-4."""

    skill: Skill | None = None
    base: int | None = None
    plus: Amount = NONE
    of: Filter | None = None
    """Which enemies; those engaged with you if it is left out."""
    automatic: bool = False
    """True if the test succeeds by itself. C-AUTO-1."""
    success: Effect = ()
    failure: Effect = ()


@part(Step, "investigate")
class Investigate(Step):
    """Investigate your location. C-BACT-7."""

    skill: Skill | None = None
    base: int | None = None
    plus: Amount = NONE
    clues: Amount = NONE
    """Added to the 1 clue."""
    instead: bool = False
    """True if success does what `success` says and discovers no clue. C-TEST-17."""
    success: Effect = ()
    failure: Effect = ()


@part(Step, "act")
class TakeAction(Step):
    """Take an action of a kind, in any way that there is. C-AOO-6, C-DESIG-3."""

    deed: Deed
    who: People = Who.YOU


@part(Step, "play")
class PlayCard(Step):
    """Play a card from your hand for all that it costs: an action too, unless it is Fast."""

    of: Filter = Filter()


@part(Step, "as_if")
class AsIfThere(Step):
    """Do something as if you were at another location. C-ASIF-1 to C-ASIF-8."""

    at: Cards
    do: Effect
    engaged: bool = False
    """As if engaged with each enemy there, too, and with no others. C-DECIDE-55."""


@part(Step, "succeed", inline="yes")
class Succeed(Step):
    """The test that is going on succeeds by itself, or fails. C-DECIDE-11."""

    yes: bool


@part(Step, "twice", inline="yes")
class Twice(Step):
    """The results of success are resolved twice. C-TEST-10."""

    yes: bool

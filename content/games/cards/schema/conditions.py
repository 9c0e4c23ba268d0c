"""Conditions: questions that cards ask about the table, answered with yes or no."""

from content.games.cards.schema.kinds import ONE, Amount, Deed, PhraseName, Stat
from content.games.cards.schema.targets import Cards, Filter, People
from content.reading.parts import part
from protocol.games.cards.words import Phase, Skill


class Condition:
    """A question about the table."""


@part(Condition, "all", inline="of")
class AllOf(Condition):
    """All of these hold."""

    of: tuple[Condition, ...]


@part(Condition, "any", inline="of")
class AnyOf(Condition):
    """At least one of these holds."""

    of: tuple[Condition, ...]


@part(Condition, "not", inline="of")
class Not(Condition):
    """This does not hold."""

    of: Condition


@part(Condition, "is")
class Is(Condition):
    """The card fits. Of several cards, at least one."""

    card: Cards
    a: Filter


@part(Condition, "exists")
class Exists(Condition):
    """So many cards in play fit."""

    of: Filter
    least: Amount = ONE
    most: Amount | None = None


@part(Condition, "has")
class Has(Condition):
    """So many tokens of a kind lie on a card."""

    card: Cards
    token: str
    least: Amount = ONE
    most: Amount | None = None


@part(Condition, "stat")
class StatIs(Condition):
    """A value of an investigator, or of a card, is within bounds."""

    stat: Stat
    of: People | None = None
    card: Cards | None = None
    least: Amount | None = None
    most: Amount | None = None


@part(Condition, "phase", inline="phase")
class InPhase(Condition):
    """It is this phase."""

    phase: Phase


@part(Condition, "your_turn", inline="yes")
class YourTurn(Condition):
    """It is your turn, or it is not."""

    yes: bool


@part(Condition, "in_test")
class InTest(Condition):
    """A skill test is going on, before its token is revealed."""

    yours: bool | None = None
    deed: Deed | None = None
    skill: Skill | None = None
    here: bool = False
    """Its tester is at your location."""
    target: Filter | None = None


@part(Condition, "hand")
class HandIs(Condition):
    """Number of cards in an investigator's hand."""

    of: People
    least: int = 0
    most: int = 99


@part(Condition, "engaged", inline="who")
class IsEngaged(Condition):
    """An investigator is engaged with an enemy."""

    who: People


@part(Condition, "remembered", inline="phrase")
class IsRemembered(Condition):
    """The players were told to remember this. C-REM-2."""

    phrase: PhraseName


@part(Condition, "round")
class RoundIs(Condition):
    """Number of the round."""

    least: int = 0
    most: int = 99


@part(Condition, "margin")
class MarginIs(Condition):
    """By how much the test succeeded or failed. C-TEST-6."""

    least: int = 0
    most: int = 99


@part(Condition, "shown")
class IsShown(Condition):
    """One of these chaos tokens is resolved in the test, or was revealed by the effect. C-TOK-6."""

    tokens: tuple[str, ...]


@part(Condition, "icon", inline="skill")
class IconIs(Condition):
    """The icon that was named as a cost is this one. C-WILD-4."""

    skill: Skill


@part(Condition, "done", inline="yes")
class IsDone(Condition):
    """The steps before were carried out in full, or not. C-BABIL-11."""

    yes: bool

"""Steps that say how an effect goes on, and steps about what was going to happen."""

from content.games.cards.schema.conditions import Condition
from content.games.cards.schema.kinds import Amount
from content.games.cards.schema.modifiers import Modifier
from content.games.cards.schema.occurrences import On
from content.games.cards.schema.steps.base import Effect, Step
from content.games.cards.schema.targets import Cards, People, Who
from content.reading.parts import part
from protocol.games.cards.words import Until


@part(Step, "cancel", inline="yes")
class Cancel(Step):
    """Cancel the occurrence that the ability answers. C-BABIL-30, C-BABIL-15."""

    yes: bool


@part(Step, "reduce")
class Reduce(Step):
    """Less of what the ability answers happens: damage, horror or any amount. C-BDMG-21."""

    number: Amount
    token: str = ""


@part(Step, "move_harm", inline="to")
class MoveHarm(Step):
    """The harm that is dealt is assigned to this card, as far as it goes."""

    to: Cards


@part(Step, "if")
class If(Step):
    """Go on by whether a condition holds."""

    that: Condition
    do: Effect = ()
    else_: Effect = ()


@part(Step, "may")
class May(Step):
    """Whoever the text addresses may do it. C-BABIL-12."""

    do: Effect
    who: People = Who.YOU


@part(Step, "either")
class Either(Step):
    """Each of these investigators chooses one of the ways. C-BABIL-23, C-CHOICE-7."""

    ways: tuple[Effect, ...]
    who: People = Who.YOU
    must_matter: bool | None = None
    """Whether only ways that change something are offered; by default on scenario cards.
    C-DECIDE-21."""


@part(Step, "must")
class Must(Step):
    """Do it if it can be done in full; else do the other thing. C-BABIL-31, C-BABIL-40."""

    do: Effect
    else_: Effect = ()


@part(Step, "for")
class ForEach(Step):
    """Each of these investigators in turn is "you" of the steps. C-BABIL-37."""

    who: People
    do: Effect


@part(Step, "times")
class Times(Step):
    """Do it so many times; the number is counted once, at the beginning. C-BABIL-33."""

    number: Amount
    do: Effect


@part(Step, "choose")
class ChooseStep(Step):
    """Choose cards or investigators, which the steps after it call `they`."""

    card: Cards | None = None
    who: People | None = None


@part(Step, "lasting")
class LastingStep(Step):
    """Something is given for a while. C-BABIL-20."""

    until: Until
    gives: tuple[Modifier, ...]
    card: Cards | None = None
    """The cards that get it; else the investigator "you"."""
    number: Amount | None = None
    """A number that is fixed now, for `fixed` in what is given."""


@part(Step, "later")
class Later(Step):
    """A delayed effect. C-BABIL-21."""

    on: On
    do: Effect
    until: Until = Until.ROUND
    card: Cards | None = None
    """The cards that it calls `they`."""

"""Modifiers: what constant abilities and lasting effects give while they hold. Section 2.15."""

from content.games.cards.schema.conditions import Condition
from content.games.cards.schema.costs import Cost
from content.games.cards.schema.kinds import (
    NONE,
    Amount,
    CardClass,
    Deed,
    Keyword,
    Slot,
    Stat,
    TraitName,
)
from content.games.cards.schema.targets import Filter, People, Who
from content.reading.parts import part
from protocol.games.cards.words import Word


class Modifier:
    """One thing that is given."""

    @property
    def about(self) -> Word | None:
        """The value that is changed, or what cannot be done; None for the other modifiers."""
        return None


class How(Word):
    """Ways to change a value, in the order in which they apply. C-BABIL-18, C-BABIL-19."""

    SET = "set"
    """The value that the others work on."""
    ADD = "add"
    DOUBLE = "double"
    HALVE = "halve"
    """Rounded up."""


@part(Modifier, "skill")
class SkillModifier(Modifier):
    """Change values of investigators."""

    stat: Stat
    of: People = Who.YOU
    by: Amount = NONE
    how: How = How.ADD
    deed: Deed | None = None
    """Only in tests of this kind."""
    in_test: bool = False
    """Only in skill tests."""

    @property
    def about(self) -> Word:
        return self.stat


@part(Modifier, "stat")
class StatModifier(Modifier):
    """Change values of cards."""

    of: Filter
    stat: Stat
    by: Amount = NONE
    how: How = How.ADD

    @property
    def about(self) -> Word:
        return self.stat


@part(Modifier, "keyword")
class KeywordModifier(Modifier):
    """Cards gain a keyword, or lose it. C-BABIL-27."""

    of: Filter
    keyword: Keyword
    loses: bool = False


@part(Modifier, "trait")
class TraitModifier(Modifier):
    """Cards gain a trait, or lose it."""

    of: Filter
    trait: TraitName
    loses: bool = False


@part(Modifier, "blank", inline="of")
class Blank(Modifier):
    """The text boxes of cards are blank. C-BABIL-26, C-BABIL-38."""

    of: Filter


class Thing(Word):
    """Things that a card can forbid. C-BABIL-2."""

    MOVE = "move"
    ENTER = "enter"
    FIGHT = "fight"
    EVADE = "evade"
    ENGAGE = "engage"
    DISCOVER = "discover"
    INVESTIGATE = "investigate"
    PLAY = "play"
    DRAW = "draw"
    GAIN_RESOURCES = "gain-resources"
    HEAL = "heal"
    DAMAGE = "damage"
    HORROR = "horror"
    READY = "ready"
    ATTACK = "attack"
    COMMIT = "commit"
    LEAVE_PLAY = "leave-play"


@part(Modifier, "cannot")
class Cannot(Modifier):
    """Something cannot be done: by investigators, or with cards. C-BABIL-2."""

    do: Thing
    of: People | None = None
    card: Filter | None = None
    where: Filter | None = None
    """Only from a location that fits, for moves, or into one, for entering. C-BLOC-11."""

    @property
    def about(self) -> Word:
        return self.do


@part(Modifier, "cost")
class CostModifier(Modifier):
    """Cards that you play cost more or less."""

    of: Filter
    by: Amount


@part(Modifier, "additional_cost")
class AdditionalCost(Modifier):
    """Something costs more than usual. C-ADD-1."""

    deed: Deed
    """The action, or what an effect would do of the kind."""
    cost: tuple[Cost, ...]
    where: Filter | None = None
    """Only at a location that fits, for moves only to leave one; or with a card that fits."""
    to: Filter | None = None
    """For moves: only to enter a location that fits."""


@part(Modifier, "slot")
class SlotModifier(Modifier):
    """You have additional slots. C-BPLAY-9."""

    slot: Slot
    number: int = 1


@part(Modifier, "extra_action")
class ExtraActionModifier(Modifier):
    """You have an additional action in each turn. C-XACT-1."""

    only: tuple[Deed, ...] = ()
    traits: tuple[TraitName, ...] = ()
    """Only for abilities of cards with one of these traits."""


@part(Modifier, "no_action", inline="deed")
class NoAction(Modifier):
    """The next such action costs no action; for lasting effects, which end with it. C-AOO-1."""

    deed: Deed


@part(Modifier, "connects")
class Connects(Modifier):
    """Locations are connected beside what their symbols say. C-BLOC-12."""

    source: Filter
    to: Filter
    both: bool = False


@part(Modifier, "token")
class TokenModifier(Modifier):
    """Chaos tokens of a kind count otherwise in tests of "you"."""

    tokens: tuple[str, ...]
    by: Amount


@part(Modifier, "result")
class ResultModifier(Modifier):
    """An attack deals more damage, or an investigation discovers more clues. C-BACT-20."""

    deed: Deed
    by: Amount


@part(Modifier, "skip_doom", inline="yes")
class SkipDoom(Modifier):
    """No doom is placed at the beginning of the mythos phase. C-BMYTH-1."""

    yes: bool


@part(Modifier, "commit")
class CommitModifier(Modifier):
    """You may commit more cards: to the tests of others, or from beneath this card. C-EX-121."""

    number: int = 0
    beneath: bool = False
    """To your tests those beneath this card, where they lie again afterwards. C-COMMIT-8."""


@part(Modifier, "icons")
class IconsModifier(Modifier):
    """Cards committed to tests have more wild icons. C-COMMIT-5."""

    of: Filter
    by: int = 1


@part(Modifier, "while")
class While(Modifier):
    """Give something while a condition holds."""

    if_: Condition
    gives: tuple[Modifier, ...]


@part(Modifier, "of_class")
class OfClass(Modifier):
    """Cards count as cards of a class too."""

    of: Filter
    class_: CardClass

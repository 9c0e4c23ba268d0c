"""Steps of an encounter: texts, skill tests, harm, gains and losses, and movement."""

from typing import Annotated

import attrs

from content.games.second_edition.schema.effects.base import Effect, Number, Step, Who
from content.games.second_edition.schema.kinds import (
    MODIFIER,
    ONE_UP,
    ConditionId,
    DoorName,
    ItemId,
    Place,
    SpellId,
    StoryText,
    Trait,
)
from content.games.second_edition.schema.targets import Anybody, AnyMonster, Which
from content.reading.meanings import Role
from content.reading.parts import part
from protocol.games.second_edition.table import Harm, Skill


@part(Step, "say")
class Say(Step):
    """
    Tell everybody this text of the pack.

    The short form is the text alone: `say: cellar/knock`.
    """

    text: Annotated[StoryText, Role.SHORT]
    values: tuple[Number, ...] = ()
    """Numbers shown in the text, in place of `{2}`, `{3}` and so on, for all to read."""


@attrs.frozen
class Threshold:
    """An effect of a test that is resolved at this number of successes or more."""

    at_least: int
    effect: Effect


@part(Step, "test")
class SkillTest(Step):
    """Test a skill. Rules TEST-1 to TEST-14."""

    skill: Skill
    modifier: Annotated[Number, MODIFIER] = 0
    difficulty: Number = 1
    """Number of successes needed to pass."""
    hidden: str | None = None
    """The name of a test of unknown difficulty. Successes of all tests with this name add up.
    TEST-16."""
    passed: Effect = ()
    """The effect resolved if the test is passed."""
    failed: Effect = ()
    """The effect resolved if the test is failed."""
    thresholds: tuple[Threshold, ...] = ()
    """Thresholds, in place of `passed` and `failed`. The effect of the highest threshold reached is
    resolved."""
    against: Annotated[Number, ONE_UP] | None = None
    """A number of dice, in place of `difficulty`. The keeper rolls the dice, and their successes
    are the difficulty."""
    who: Anybody = Who.ACTOR
    """The investigators who make the test. Each makes a test of their own and is the actor of its
    effects."""


@part(Step, "negate")
class Negate(Step):
    """Suffer harm, reduced by 1 for each success of a test. Rules NEGATE-1 to NEGATE-4."""

    skill: Skill
    modifier: Annotated[Number, MODIFIER] = 0
    damage: Number = 0
    horror: Number = 0
    facedown: bool = False
    who: Anybody = Who.ACTOR


@part(Step, "suffer")
class Suffer(Step):
    """Suffer Damage and Horror. Rule DAMAGE-1."""

    damage: Number = 0
    horror: Number = 0
    facedown: bool = False
    who: Anybody = Who.ACTOR


@part(Step, "heal")
class Heal(Step):
    """Discard Damage and Horror. Rule DAMAGE-9."""

    damage: Number = 0
    horror: Number = 0
    who: Anybody = Who.ACTOR


@part(Step, "change_limits")
class ChangeLimits(Step):
    """
    Change the health and sanity of somebody for the rest of the game; each stays at least 1.

    Somebody who has suffered as much as the new limit becomes Wounded or Insane. Rules WOUNDED-1
    and INSANE-1.
    """

    health: Annotated[Number, MODIFIER] = 0
    """A number added to the health; may be negative."""
    sanity: Annotated[Number, MODIFIER] = 0
    """A number added to the sanity; may be negative."""
    who: Anybody = Who.ACTOR


@part(Step, "turn_facedown")
class TurnFacedown(Step):
    """Turn faceup cards of one kind facedown; the actor chooses which."""

    harm: Harm
    count: Annotated[Number, ONE_UP] = 1
    who: Anybody = Who.ACTOR


@part(Step, "turn_faceup")
class TurnFaceup(Step):
    """Turn facedown cards faceup at random. Rule DAMAGE-8."""

    harm: Harm
    count: Annotated[Number, ONE_UP] = 1
    who: Anybody = Who.ACTOR


@part(Step, "look_at_facedown")
class LookAtFacedown(Step):
    """
    Investigators look at their own facedown cards of this kind. Rule SECRET-2.

    Nobody else sees these cards.
    """

    harm: Harm
    who: Anybody = Who.ACTOR


@part(Step, "turn_this_facedown", inline="value")
class TurnThisFacedown(Step):
    """Turn facedown the Damage or Horror card that this step is written on."""

    value: bool = True


@part(Step, "discard_this", inline="value")
class DiscardThis(Step):
    """Discard the Damage, Horror, Item, Spell or Condition card that this step is written on."""

    value: bool = True


@part(Step, "flip_this", inline="value")
class FlipThis(Step):
    """
    Flip the two-sided Item, Spell or Condition that this step is written on.

    The back of a Spell or a Condition is resolved at once, before the next step. Rules SPELL-3 and
    TWOSIDED-3.
    """

    value: bool = True


@part(Step, "gain_clues")
class GainClues(Step):
    """Gain Clues. Rule CLUE-1."""

    count: Number = 1
    who: Anybody = Who.ACTOR


@part(Step, "spend_clues", inline="count")
class SpendClues(Step):
    """The actor spends Clues. Guard this step by the requirement `has_clues`."""

    count: Annotated[Number, ONE_UP]


@part(Step, "gain_item")
class GainItem(Step):
    """
    Somebody gains this item, if a copy is left. DECIDE-125.

    The short form is the name alone: `gain_item: item/lamp`.
    """

    item: Annotated[ItemId, Role.BRINGS, Role.SHORT]
    who: Anybody = Who.ACTOR


@part(Step, "gain_spell")
class GainSpell(Step):
    """
    Somebody gains a random copy of this Spell, if one is left. Rules SPELL-1, DECIDE-125.

    The short form is the name alone: `gain_spell: spell/wither`.
    """

    spell: Annotated[SpellId, Role.BRINGS, Role.SHORT]
    who: Anybody = Who.ACTOR


@part(Step, "gain_random_item")
class GainRandomItem(Step):
    """Somebody gains a random item of a deck, with the given trait if any is given. DECIDE-131."""

    deck: str = "common"
    """The deck of the item: `common` or `unique`."""
    trait: Trait | None = None
    who: Anybody = Who.ACTOR
    fresh: bool = False
    """Whether the item must be new to the game: no copy has left its deck, and no step of this kind
    has given it before."""


@part(Step, "lose_item", inline="item")
class LoseItem(Step):
    """The holder of this item discards it. Rule DISCARD-1."""

    item: Annotated[ItemId, Role.ASKS]


@part(Step, "drop_random_item", inline="value")
class DropRandomItem(Step):
    """The actor drops a random item. Rule RANDOM-3."""

    value: bool = True


@part(Step, "become")
class Become(Step):
    """Gain an open Condition. Rules CONDITION-1 and CONDITION-3."""

    condition: Annotated[ConditionId, Role.BRINGS]
    who: Anybody = Who.ACTOR


@part(Step, "recover")
class Recover(Step):
    """Discard an open Condition."""

    condition: ConditionId
    who: Anybody = Who.ACTOR


@part(Step, "flip_condition")
class FlipCondition(Step):
    """
    Flip a two-sided Condition of the investigators who have it.

    Each back is resolved at once, for its owner. Rule TWOSIDED-3. Nothing happens to a Condition
    whose back is face up already.
    """

    condition: ConditionId
    who: Anybody = Who.ACTOR


@part(Step, "damage_monster")
class DamageMonster(Step):
    """Monsters suffer damage; by default the monster of the current entry. Rule ATTACK-11."""

    amount: Number = 0
    weapon: bool = False
    """Whether the damage value of the weapon used in the attack is added."""
    successes: bool = False
    """Whether the result of the last test in this effect is added."""
    which: AnyMonster = Which.THIS


@part(Step, "forfeit", inline="value")
class Forfeit(Step):
    """The actor forfeits the action for which the evade check was made. Rule EVADE-6."""

    value: bool = True


@part(Step, "lose_actions", inline="count")
class LoseActions(Step):
    """The actor, if active, loses further actions of the turn."""

    count: Annotated[Number, ONE_UP]


@part(Step, "gain_actions", inline="count")
class GainActions(Step):
    """The actor, if active, can perform further actions this turn. Rule TURN-2."""

    count: Annotated[Number, ONE_UP]


@part(Step, "may_move")
class MayMove(Step):
    """The actor may move some spaces: intentional movement. Rule MOVE-14."""

    spaces: Annotated[Number, ONE_UP] = 1


@part(Step, "move_away", inline="spaces")
class MoveAway(Step):
    """The actor is moved some spaces away from the monster. Rules MOVE-15 and NEAREST-4."""

    spaces: Annotated[Number, ONE_UP]


@attrs.frozen
class Toward:
    """Movement of an investigator toward a given space, without a choice."""

    space: Place
    spaces: Number = 1


@part(Step, "place_investigator")
class PlaceInvestigator(Step):
    """Put figures into a space, or move them toward one. Rules MOVE-12, MOVE-13 and MOVE-15."""

    space: Place | None = None
    """The place where the figures are put: a space, a room, or a word for a space."""
    who: Anybody = Who.ACTOR
    toward: Toward | None = None
    """Movement toward a space, in place of `space`."""


@part(Step, "may_enter", inline="door")
class MayEnter(Step):
    """The actor may move one space through this door. Rules EXPLORE-3 and EXPLORE-4."""

    door: DoorName

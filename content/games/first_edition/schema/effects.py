"""
Effects: everything that cards, monsters and stories do, as data.

An effect is a list of steps, resolved in order. In YAML a step is a mapping with one key, such as
`suffer: {horror: 1}`. Each step concerns an investigator, the *actor*, unless its key `who` names
others; a step about a monster means *this* one, unless it names others.
"""

import enum
from collections.abc import Mapping
from typing import Annotated

import attrs

from content.games.first_edition.schema.kinds import (
    MODIFIER,
    ONE_UP,
    AllyId,
    CounterName,
    ItemId,
    MonsterId,
    Place,
    PlainText,
    PuzzleId,
    RoomId,
    SpellId,
    StoryCardId,
    TokenId,
)
from content.games.first_edition.schema.requirements import Requirement
from content.games.first_edition.schema.targets import Anybody, AnyMonster, Which, Who
from content.reading.meanings import Bounds, Role
from content.reading.parts import part
from protocol.games.first_edition.words import (
    ActionType,
    Attribute,
    FeatureKind,
    Keyword,
    Side,
    StoryDeck,
    TestKind,
    TraumaKind,
)


class Step:
    """One thing that an effect does."""


Effect = tuple[Step, ...]
"""Steps in order."""
_Count = Annotated[int, Bounds(0, 99)]


@part(Step, "suffer")
class Suffer(Step):
    """Deal damage, horror or both. K-DAMAGE-1, K-DAMAGE-2."""

    damage: _Count = 0
    horror: _Count = 0
    who: Anybody = Who.ACTOR


@part(Step, "heal")
class Heal(Step):
    """Heal damage, horror or both. K-DAMAGE-7."""

    damage: _Count = 0
    horror: _Count = 0
    who: Anybody = Who.ACTOR


@part(Step, "kill")
class Kill(Step):
    """Kill investigators outright. K-TRAUMA-19."""

    who: Anybody = Who.ACTOR


@part(Step, "stun")
class Stun(Step):
    """Give investigators stun tokens. K-STUN-1."""

    count: Annotated[int, ONE_UP] = 1
    who: Anybody = Who.ACTOR


@part(Step, "unstun")
class Unstun(Step):
    """Take stun tokens from investigators."""

    count: Annotated[int, ONE_UP] = 1
    who: Anybody = Who.ACTOR


@part(Step, "test")
class Test(Step):
    """Have investigators take an attribute test, each with its own result. K-TEST-1."""

    attribute: Attribute
    modifier: Annotated[int, MODIFIER] = 0
    passed: Effect = ()
    failed: Effect = ()
    who: Anybody = Who.ACTOR


class Result(enum.Enum):
    """Result of a test that no die decides."""

    PASSED = "passed"
    """The test is passed."""
    FAILED = "failed"
    """The test is failed."""


@part(Step, "automatic")
class Automatic(Step):
    """Have the next test of investigators pass or fail without a roll. K-DECIDE-33."""

    result: Result
    """Result of that test."""
    tests: tuple[TestKind, ...] = ()
    """The kinds of test that count; any if left out."""
    who: Anybody = Who.ACTOR


@part(Step, "move")
class Move(Step):
    """Have the keeper move investigators; no evade test is taken. K-EVADE-10."""

    spaces: _Count = 0
    """Maximum number of spaces, where the keeper leads them; 0 to put them at `to`."""
    to: Place | None = None
    placed: bool = False
    """Whether they are placed at `to` instead of moved: no pit opens. W-PIT-11."""
    over_pits: bool = False
    """Whether they ignore pits on the way. W-PIT-15."""
    unhindered: bool = False
    """Whether no evade test is taken, although an investigator's card moves them. W-MOVED-1."""
    who: Anybody = Who.ACTOR


@part(Step, "skill_points")
class SkillPoints(Step):
    """Give investigators skill points, or take them."""

    add: Annotated[int, Bounds(-9, 9)]
    who: Anybody = Who.ACTOR


@part(Step, "lose_item")
class LoseItem(Step):
    """Have investigators discard items of their choice, or one item; it leaves the game."""

    count: Annotated[int, ONE_UP] = 1
    item: ItemId | None = None
    keyword: Keyword | None = None
    drop: bool = False
    """Whether the items are dropped in the room instead. K-ACT-5."""
    who: Anybody = Who.ACTOR


@part(Step, "gain")
class Gain(Step):
    """Give investigators an item or a spell that nobody has."""

    item: ItemId | None = None
    spell: SpellId | None = None
    who: Anybody = Who.ACTOR


@part(Step, "take", inline="at")
class Take(Step):
    """Let the actor take items that lie face up in another place. K-DECIDE-39."""

    at: Place
    """The place. All of its room counts."""


@part(Step, "cure")
class Cure(Step):
    """Discard trauma cards of investigators. K-TRAUMA-14."""

    kind: TraumaKind | None = None
    """Both kinds if left out."""
    who: Anybody = Who.ACTOR


@part(Step, "move_monster")
class MoveMonster(Step):
    """Have the keeper move monsters. K-DECIDE-21."""

    spaces: Annotated[int, ONE_UP]
    which: AnyMonster = Which.ALL
    most: _Count = 1
    """Maximum number of monsters, which the keeper chooses; 0 for all of them."""


@part(Step, "place_monster")
class PlaceMonster(Step):
    """Put monsters on the board. K-DECIDE-22, K-SUPPLY-5, K-SUPPLY-6."""

    kind: MonsterId
    at: Place
    count: Annotated[int, ONE_UP] = 1
    token: TokenId | None = None
    """The token under it, if none on the board has it; drawn if left out. W-DECIDE-37."""


@part(Step, "remove_monster")
class RemoveMonster(Step):
    """Take monsters off the board; they are not killed."""

    which: AnyMonster = Which.THIS
    most: _Count = 0


@part(Step, "strike")
class Strike(Step):
    """Deal damage to the target of an attack, and add the bonus of the weapon."""

    damage: _Count


@part(Step, "hurt_monster")
class HurtMonster(Step):
    """Deal damage to monsters, without any bonus. K-MONSTER-1."""

    damage: Annotated[int, ONE_UP]
    which: AnyMonster = Which.THIS
    most: _Count = 0


@part(Step, "heal_monster")
class HealMonster(Step):
    """Heal damage of monsters."""

    damage: Annotated[int, ONE_UP]
    which: AnyMonster = Which.THIS
    most: _Count = 0


@part(Step, "kill_monster")
class KillMonster(Step):
    """Kill monsters without damage; it fails against named ones. K-DECIDE-56."""

    which: AnyMonster = Which.THIS
    most: _Count = 0


@part(Step, "stun_monster")
class StunMonster(Step):
    """Give monsters stun tokens. K-STUN-1."""

    count: Annotated[int, ONE_UP] = 1
    which: AnyMonster = Which.THIS
    most: _Count = 0


@part(Step, "attack")
class Attack(Step):
    """Have monsters attack at once, as in the keeper's step 5. K-MATTACK-1."""

    which: AnyMonster = Which.ALL
    most: _Count = 1


@part(Step, "special_attack")
class SpecialAttack(Step):
    """Have this monster make its special attack. K-MATTACK-5."""


@part(Step, "draw")
class Draw(Step):
    """Have the keeper draw cards. K-TRAUMA-5."""

    mythos: _Count = 0
    trauma: _Count = 0


@part(Step, "threat", inline="add")
class Threat(Step):
    """Give the keeper threat, or take it; the keeper never has less than none."""

    add: Annotated[int, Bounds(-99, 99)]


@part(Step, "count")
class Count(Step):
    """Change a counter of the story, or the keeper's tokens of one name. K-DECIDE-105."""

    of: CounterName
    add: Annotated[int, Bounds(-99, 99)] = 1


class Tally(Count):
    """
    Count that an effect was resolved, for the tools of authors.

    No pack can write it, and it is not a reason to offer the effect.
    """


@part(Step, "time", inline="add")
class Time(Step):
    """Put time tokens on the event deck, which may resolve the event. K-EVENT-2."""

    add: Annotated[int, ONE_UP]


@part(Step, "place")
class PlaceFeature(Step):
    """Put a feature or a marker on the board."""

    kind: FeatureKind
    at: Place


@part(Step, "remove")
class RemoveFeature(Step):
    """Take features or markers of a kind away from a place."""

    kind: FeatureKind
    at: Place


@part(Step, "spread_fire")
class SpreadFire(Step):
    """Have the keeper set a room on fire that is beside a campfire or a burning room. K-CAMP-2."""


@part(Step, "unlock", inline="room")
class Unlock(Step):
    """Discard the lock of a room."""

    room: RoomId


@part(Step, "say", inline="text")
class Say(Step):
    """Show a text to all."""

    text: PlainText


@part(Step, "when")
class When(Step):
    """Resolve one of two effects."""

    holds: Requirement
    then: Effect = ()
    otherwise: Effect = ()


@attrs.frozen
class EffectChoice:
    """One option of a choice."""

    text: PlainText
    effect: Effect = ()
    when: Requirement | None = None
    """A requirement. The option is offered only if the requirement holds."""


class By(enum.Enum):
    """The side that makes a choice."""

    ACTOR = "actor"
    KEEPER = "keeper"


@part(Step, "choose")
class Choose(Step):
    """Let somebody choose how the effect continues."""

    prompt: PlainText
    options: tuple[EffectChoice, ...]
    by: By = By.ACTOR


@part(Step, "for_each")
class ForEach(Step):
    """Resolve an effect for several investigators, each in turn the actor, in seat order."""

    effect: Effect
    who: Anybody


@part(Step, "one_of", inline="ways")
class OneOf(Step):
    """Resolve one of several effects, picked at random; a way may be empty."""

    ways: tuple[Effect, ...]


@part(Step, "curse")
class Curse(Step):
    """Give each of these characters one curse token. W-CURSE-1."""

    who: Anybody = Who.ACTOR


@part(Step, "uncurse")
class Uncurse(Step):
    """Discard curse tokens. W-CURSE-6."""

    count: Annotated[int, ONE_UP] = 1
    who: Anybody = Who.ACTOR


@part(Step, "place_ally")
class PlaceAlly(Step):
    """Put an ally on the board, with its story cards. W-ALLY-3."""

    ally: AllyId
    at: Place


@part(Step, "remove_ally", inline="ally")
class RemoveAlly(Step):
    """Take an ally off the board; it is not killed."""

    ally: AllyId


@part(Step, "talk", inline="ally")
class Talk(Step):
    """Turn up the next story card of an ally, and resolve it. W-DECIDE-32."""

    ally: AllyId


@part(Step, "deal")
class Deal(Step):
    """Deal the top card of a deck of the story to each of these, or to a room. W-DECIDE-50."""

    deck: StoryDeck
    who: Anybody = Who.ACTOR
    room: RoomId | None = None
    """The room that gets the card; nobody else does then."""


@part(Step, "turn_up")
class TurnUp(Step):
    """Turn up the cards of one kind of these, and resolve each. W-DECIDE-50."""

    deck: StoryDeck
    who: Anybody = Who.ACTOR
    room: Place | None = None
    """The rooms whose cards are turned up, instead of those of characters."""


@part(Step, "discard_card", inline="card")
class DiscardCard(Step):
    """Take a card of the story that lies face up out of the game. W-DECIDE-50."""

    card: StoryCardId


@part(Step, "keeper_explores")
class KeeperExplores(Step):
    """Have the keeper explore a room of his choice in which a monster of his is. W-DECIDE-49."""

    which: AnyMonster = Which.ALL


@part(Step, "ritual")
class Ritual(Step):
    """Have the keeper try the ritual puzzle. W-STORY-8, W-DECIDE-48."""

    puzzle: PuzzleId
    """The puzzle that the keeper tries."""
    actions: Annotated[int, ONE_UP]
    """Number of puzzle actions."""
    solved: Effect = ()


@part(Step, "another_action")
class AnotherAction(Step):
    """Allow the actor one more action in this turn. W-SPELL-2, W-SPELL-3."""

    types: tuple[ActionType, ...] = ()
    """Types that it can have, other than those already taken; any if left out."""


@part(Step, "reveal", inline="is_so")
class Reveal(Step):
    """Reveal the objective. K-GOAL-3."""

    is_so: Annotated[bool, Role.SHORT] = True


@part(Step, "win", inline="side")
class Win(Step):
    """End the game; this side wins."""

    side: Side


Costs = Mapping[CounterName, Annotated[int, ONE_UP]]
"""Tokens of the keeper, by name. K-DECIDE-105."""

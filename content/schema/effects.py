"""
Effects: what cards, monsters, tokens and events do, as data.

An effect is a list of steps, resolved in order. In YAML a step is a mapping with one key, such as
`suffer: {horror: 1}`. Each step concerns an investigator, the *actor*, unless it says `who`; a step
that deals with a monster means the one whose entry is being resolved.
"""

import enum
from collections.abc import Mapping

import attrs

from content.schema import targets
from content.schema.expressions import Expression
from content.schema.registry import part
from content.schema.requirements import Requirement
from content.schema.targets import Anybody, AnyMonster, Which
from protocol.second_edition.table import FeatureKind, Harm, Skill


class Step:
    """One thing that an effect does."""


PASSAGE = "passage"
"""What a Secret Passage is called where a door could be named."""

Who = targets.Who
"""Whom a step concerns, in a word."""

Effect = tuple[Step, ...]
"""Steps in the order in which they are resolved."""


@attrs.frozen
class Amount:
    """
    A number that can differ by game: the sum of its parts, of which most have one.

    An author writes `{base: 2, each: 1}`, a list of five, or an expression; a plain number of the
    schema (`Number`) stays a plain number.
    """

    base: int = 0
    each: int = 0
    """Added once for each investigator at the start. DECIDE-150."""
    listed: tuple[int, ...] = ()
    """For one to five investigators at the start. DECIDE-150."""
    formula: Expression | None = None


Number = int | Amount
"""A number of the content: the same in every game, or not."""


@part(Step, "say", inline="text")
class Say(Step):
    """Tell everybody this text of the pack."""

    text: str


@attrs.frozen
class Threshold:
    """What comes of a test with at least so many successes."""

    at_least: int
    effect: Effect


@part(Step, "test")
class SkillTest(Step):
    """Test a skill. Rules TEST-1 to TEST-14."""

    skill: Skill
    modifier: Number = 0
    difficulty: Number = 1
    hidden: str | None = None
    """For a test of unknown difficulty: its name, under which successes add up. TEST-16."""
    passed: Effect = ()
    failed: Effect = ()
    thresholds: tuple[Threshold, ...] = ()
    """In place of passed and failed: of those that the result comes to, the highest."""
    against: Number | None = None
    """In place of the difficulty: the keeper rolls so many dice, and its successes are what is
    needed."""
    who: Anybody = Who.ACTOR
    """Who makes the test, each their own, and is the actor of what comes of it."""


@part(Step, "negate")
class Negate(Step):
    """Suffer this, less one for each success of a test. Rules NEGATE-1 to NEGATE-4."""

    skill: Skill
    modifier: Number = 0
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
    """Discard so many Damage and Horror. Rule DAMAGE-9."""

    damage: Number = 0
    horror: Number = 0
    who: Anybody = Who.ACTOR


@part(Step, "turn_facedown")
class TurnFacedown(Step):
    """Turn faceup cards facedown: of this kind, so many of the actor's choice."""

    harm: Harm
    count: Number = 1
    who: Anybody = Who.ACTOR


@part(Step, "turn_faceup")
class TurnFaceup(Step):
    """Turn facedown cards faceup at random. Rule DAMAGE-8."""

    harm: Harm
    count: Number = 1
    who: Anybody = Who.ACTOR


@part(Step, "turn_this_facedown", inline="value")
class TurnThisFacedown(Step):
    """Turn the Damage or Horror card whose text this is facedown."""

    value: bool = True


@part(Step, "discard_this", inline="value")
class DiscardThis(Step):
    """Discard the card (Damage, Horror, Item or Spell) whose text this is."""

    value: bool = True


@part(Step, "flip_this", inline="value")
class FlipThis(Step):
    """
    Flip the two-sided Item or Spell whose text this is.

    The back of a Spell is resolved at once, before the next step. Rules SPELL-3 and TWOSIDED-3.
    """

    value: bool = True


@part(Step, "gain_clues")
class GainClues(Step):
    """Gain Clues. Rule CLUE-1."""

    count: Number = 1
    who: Anybody = Who.ACTOR


@part(Step, "spend_clues", inline="count")
class SpendClues(Step):
    """The actor spends so many Clues; use it behind a requirement `has_clues`."""

    count: Number


@part(Step, "gain_item")
class GainItem(Step):
    """
    Somebody gains this item, if a copy is left. DECIDE-125.

    In short only its name is written: `gain_item: item/lamp`.
    """

    item: str
    who: Anybody = Who.ACTOR


@part(Step, "gain_spell")
class GainSpell(Step):
    """
    Somebody gains a random copy of this Spell, if one is left. Rules SPELL-1, DECIDE-125.

    In short only its name is written: `gain_spell: spell/wither`.
    """

    spell: str
    who: Anybody = Who.ACTOR


@part(Step, "gain_random_item")
class GainRandomItem(Step):
    """Somebody gains a random item of a deck, with a trait if one is named. DECIDE-131."""

    deck: str = "common"
    """`common` or `unique`."""
    trait: str | None = None
    who: Anybody = Who.ACTOR
    fresh: bool = False
    """Whether only one will do of which no copy is out, and that no such step has given before."""


@part(Step, "lose_item", inline="item")
class LoseItem(Step):
    """Whoever has this item discards it. Rule DISCARD-1."""

    item: str


@part(Step, "drop_random_item", inline="value")
class DropRandomItem(Step):
    """The actor drops a random item. Rule RANDOM-3."""

    value: bool = True


@part(Step, "become")
class Become(Step):
    """Gain an open Condition. Rules CONDITION-1 and CONDITION-3."""

    condition: str
    who: Anybody = Who.ACTOR


@part(Step, "recover")
class Recover(Step):
    """Discard an open Condition."""

    condition: str
    who: Anybody = Who.ACTOR


@part(Step, "damage_monster")
class DamageMonster(Step):
    """The monster suffers damage. Rule ATTACK-11."""

    amount: Number = 0
    weapon: bool = False
    """Add the damage value of the weapon attacked with."""
    successes: bool = False
    """Add the result of the last test of this effect."""
    which: AnyMonster = Which.THIS


@part(Step, "forfeit", inline="value")
class Forfeit(Step):
    """The actor forfeits the action that the check was made for. Rule EVADE-6."""

    value: bool = True


@part(Step, "lose_actions", inline="count")
class LoseActions(Step):
    """The actor, if active, loses so many further actions of the turn."""

    count: Number


@part(Step, "may_move")
class MayMove(Step):
    """The actor may move up to so many spaces: intentional movement. Rule MOVE-14."""

    spaces: Number = 1


@part(Step, "move_away", inline="spaces")
class MoveAway(Step):
    """The actor is moved so many spaces away from the monster. Rules MOVE-15 and NEAREST-4."""

    spaces: Number


@attrs.frozen
class Toward:
    """Movement toward a space, not of one's own will."""

    space: str
    spaces: Number = 1


@part(Step, "place_investigator")
class PlaceInvestigator(Step):
    """Put figures into a space, or move them toward one. Rules MOVE-12, MOVE-13 and MOVE-15."""

    space: str | None = None
    """A space, a room, or a word for a space (`targets.PLACES`)."""
    who: Anybody = Who.ACTOR
    toward: Toward | None = None
    """In place of the space."""


@part(Step, "may_enter", inline="door")
class MayEnter(Step):
    """The actor may move one space through this door. Rules EXPLORE-3 and EXPLORE-4."""

    door: str


@part(Step, "place_tile", inline="tile")
class PlaceTile(Step):
    """Put a tile of the scenario on the board. Rule TILE-4."""

    tile: str


@part(Step, "clear_board", inline="value")
class ClearBoard(Step):
    """
    Take everything off the board. Rules CLEAR-1 to CLEAR-4.

    Tiles, tokens, features, monsters and figures are set aside and can be placed again; what lies
    about is discarded (DECIDE-147). Place tiles and then figures next: without a space nobody can
    do much (DECIDE-148).
    """

    value: bool = True


@part(Step, "place_wall", inline="door")
class PlaceWall(Step):
    """Cover this door with a Wall token: it is a wall. Rule WALL-3."""

    door: str


@part(Step, "remove_wall", inline="door")
class RemoveWall(Step):
    """Discard the Wall token of this door, if one lies there: it is a door again."""

    door: str


@part(Step, "place_door", inline="door")
class PlaceDoor(Step):
    """Place a Door token of the scenario; once both spaces beside its wall lie there. DOOR-3."""

    door: str


@part(Step, "remove_door", inline="door")
class RemoveDoor(Step):
    """Discard a Door token, if it is on the board: it is a wall again."""

    door: str


@part(Step, "place_token", inline="token")
class PlaceToken(Step):
    """Put a token of the scenario on the board. Rule TOKEN-1."""

    token: str


@part(Step, "remove_token", inline="token")
class RemoveToken(Step):
    """Discard a token, if it is on the board. DECIDE-99."""

    token: str


@part(Step, "place_feature")
class PlaceFeature(Step):
    """
    Put a feature (a square token) into a space. Rules FEATURE-1, FIRE-11 and DARKNESS-7.

    A space holds one of each kind at most, where there is one already nothing happens; but it can
    hold several Barricades.
    """

    feature: FeatureKind
    at: str
    """A space; `actor` for the actor's own; `random` for a random space on the board."""
    against: str | None = None
    """For a Barricade: the door of that space that it blocks at first, or `passage` for its Secret
    Passage; else it stands free. Rule BARRICADE-1."""


@part(Step, "remove_feature")
class RemoveFeature(Step):
    """Discard a feature, where there is one. Rule DISCARD-3."""

    feature: FeatureKind
    at: str
    """A space; `actor` for the actor's own; `all` for every space."""


@part(Step, "spawn")
class Spawn(Step):
    """A monster appears. Rules MONSTER-6 and DECIDE-134."""

    kind: str | None = None
    at: str = "actor"
    """A space, a room, or a word for a space (`targets.PLACES`)."""
    count: Number = 1
    unique: bool = False
    """Whether it is one of its own, of whom the story tells; it bears a number even as the first of
    its kind. Rule MONSTER-8."""
    trait: str | None = None
    """In place of the kind: any with this trait, at random among those that are left."""
    name: str | None = None
    """Of the scenario's `monsters`, by which other steps know it as long as it is on the board."""
    fresh: bool = False
    """Whether only a kind will do that has not come in this game."""
    health: Number | None = None
    """In place of its card's."""


@part(Step, "objective", inline="text")
class SetObjective(Step):
    """Reveal or change the objective. Rules WIN-2 and WIN-4."""

    text: str


@part(Step, "count")
class Count(Step):
    """Change a counter."""

    counter: str
    add: Number = 0
    to: Number | None = None
    """Set it to this first."""


@part(Step, "set", inline="values")
class SetCounters(Step):
    """Set counters. All numbers are worked out before any of them is set."""

    values: Mapping[str, Number]
    """Counter -> what it stands at from now on."""


@part(Step, "when")
class When(Step):
    """Do one thing or the other."""

    holds: Requirement
    then: Effect = ()
    otherwise: Effect = ()


@attrs.frozen
class EffectChoice:
    """One way that an effect can go on."""

    text: str
    effect: Effect = ()
    when: Requirement | None = None
    """Offered only where this holds."""


class By(enum.Enum):
    """Who chooses."""

    ACTOR = "actor"
    GROUP = "group"
    """The investigators decide together. Rule CONFLICT-1."""
    VOTE = "vote"
    """Everybody votes unseen; then the votes are shown. Chance settles a tie."""
    SECRET = "secret"  # noqa: S105  # a way of choosing
    """The actor, and nobody else is told what."""


@part(Step, "choose")
class Choose(Step):
    """Somebody chooses how it goes on. Rules INTERACT-3 and CONFLICT-1."""

    prompt: str
    options: tuple[EffectChoice, ...]
    by: By = By.ACTOR


@part(Step, "for_each")
class ForEach(Step):
    """Resolve an effect for several investigators, each in turn the actor, in seat order."""

    who: Anybody
    effect: Effect


@attrs.frozen
class Way:
    """One way that chance can take. In short, only its effect is written."""

    effect: Effect
    weight: int = 1
    """How likely it is beside the others."""
    when: Requirement | None = None
    """It is left out where this does not hold."""


@part(Step, "one_of", inline="ways")
class OneOf(Step):
    """Resolve one of these, picked at random. Rule RANDOM-1."""

    ways: tuple[Way, ...]


@part(Step, "draw", inline="deck")
class Draw(Step):
    """Resolve one card of a deck of the scenario, picked at random. Rule RANDOM-1."""

    deck: str


@part(Step, "deal")
class Deal(Step):
    """
    Set a counter to a number that nobody learns, each equally likely. Rule RANDOM-1.

    It is dealt from a pile that lies facedown, never picked in view of all.
    """

    counter: str
    from_: int
    to: int
    fresh: bool = False
    """Whether what the counter was dealt before is left out, until all have come."""


@part(Step, "return", inline="value")
class Return(Step):
    """End the named effect that is being resolved, else the whole effect."""

    value: bool = True


@part(Step, "start_timer", inline="timer")
class StartTimer(Step):
    """Start a timer of the scenario, or start it again."""

    timer: str


@part(Step, "stop_timer", inline="timer")
class StopTimer(Step):
    """Stop a timer, if it runs; its effect does not come."""

    timer: str


@part(Step, "attempt")
class Attempt(Step):
    """The actor attempts a puzzle of the scenario, of any type. Rules PUZZLE-1 to PUZZLE-10."""

    puzzle: str
    skill: Skill
    solved: Effect = ()
    unsolved: Effect = ()


@part(Step, "call", inline="effect")
class Call(Step):
    """Resolve a named effect of the scenario, then go on."""

    effect: str


@attrs.frozen
class OwnResult:
    """How the game ends for an investigator of whom this holds."""

    when: Requirement
    won: bool
    text: str
    """The reason; `{0}` in it is the investigator."""


@part(Step, "end")
class End(Step):
    """The game ends. Rules WIN-3 and WIN-5."""

    won: bool
    epilogue: str
    results: tuple[OwnResult, ...] = ()
    """The first that holds for an investigator is how it ended for them. Rules WIN-6 and WIN-7."""

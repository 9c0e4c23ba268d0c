"""
The events of the second edition: everything that can happen on its table.

One class for each thing a player at a real table would do with their hands. Each says who may know
what: all that is not declared secret is open to all. Cards are named where they are turned up;
before that there are only handles.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

import attrs

from protocol import codec
from protocol.common.events import Disclosure
from protocol.common.maps import Covering, PlacedTile
from protocol.common.table import GameEvent, Handle, Legacy
from protocol.common.text import Text
from protocol.event import EVERYBODY, NOBODY, Sealed, event, secret
from protocol.second_edition.table import (
    INSANE_DECK,
    Attempt,
    CardId,
    CodePuzzle,
    Condition,
    Ending,
    Face,
    FaceupCard,
    Feature,
    FeatureId,
    Guess,
    Harm,
    Investigator,
    InvestigatorId,
    LockPuzzle,
    Monster,
    MonsterId,
    MythosStep,
    OpenTest,
    Phase,
    Possession,
    PossessionId,
    SecondEditionTable,
    Skill,
    SlidePuzzle,
    SpaceId,
    Timer,
    Token,
    TokenId,
    deck,
    facedown_pile,
    spell_deck,
)

K = TypeVar("K")
V = TypeVar("V")
Game = SecondEditionTable


class SecondEditionEvent(GameEvent):
    """An event of this ruleset: folds a `SecondEditionTable`."""


def _with(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    return {**mapping, key: value}


def _without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    return {k: v for k, v in mapping.items() if k != key}


def _with_monster(table: Game, monster: MonsterId, **changes: Any) -> Game:
    changed = attrs.evolve(table.monsters[monster], **changes)
    return attrs.evolve(table, monsters=_with(table.monsters, monster, changed))


def _hushed(table: Game) -> Game:
    """Return the table with no monster's text in force any more: what it was about is over."""
    if all(monster.in_force is None for monster in table.monsters.values()):
        return table
    quiet = {key: attrs.evolve(m, in_force=None) for key, m in table.monsters.items()}
    return attrs.evolve(table, monsters=quiet)


# Setup and the board -----------------------------------------------------------------------


@event("se/supply_laid_out")
class SupplyLaidOut(SecondEditionEvent):
    """The faceup decks lie ready. Rule SETUP-4."""

    supply: Mapping[CardId, int]

    def fold(self, table: Game) -> Game:
        """Lay them out."""
        return attrs.evolve(table, supply=self.supply)


@event("se/backs_laid_out")
class BacksLaidOut(SecondEditionEvent):
    """What the two-sided Items say on their backs is there to be read. Rules SECRET-9, TWOSIDED-2.

    The backs of Spells are not among them (SECRET-4).
    """

    backs: Mapping[CardId, CardId]

    def fold(self, table: Game) -> Game:
        """Lay them open."""
        return attrs.evolve(table, backs=self.backs)


@event("se/investigator_joined")
class InvestigatorJoined(SecondEditionEvent):
    """An investigator takes part. Rules SETUP-8 and INVESTIGATOR-3."""

    investigator: InvestigatorId
    seat: int
    health: int
    sanity: int
    skills: Mapping[Skill, int]

    def fold(self, table: Game) -> Game:
        """Add the card; the figure is placed later."""
        card = Investigator(self.investigator, self.seat, self.health, self.sanity, self.skills)
        return attrs.evolve(
            table, investigators=_with(table.investigators, self.investigator, card)
        )


@event("se/tile_placed")
class TilePlaced(SecondEditionEvent):
    """A map tile came into play. Rules TILE-1 and TILE-4."""

    tile: PlacedTile

    def fold(self, table: Game) -> Game:
        """Extend the board."""
        return attrs.evolve(table, tiles=(*table.tiles, self.tile))


@event("se/tile_removed")
class TileRemoved(SecondEditionEvent):
    """A map tile left play. Rule TILE-3."""

    tile: str

    def fold(self, table: Game) -> Game:
        """Take it off the board."""
        return attrs.evolve(table, tiles=tuple(t for t in table.tiles if t.tile != self.tile))


@event("se/covering_placed")
class CoveringPlaced(SecondEditionEvent):
    """A Wall token was placed on a door, or a Door token on a wall. Rules WALL-3 and DOOR-3."""

    covering: Covering

    def fold(self, table: Game) -> Game:
        """Cover what is drawn there."""
        return attrs.evolve(table, coverings=(*table.coverings, self.covering))


@event("se/covering_removed")
class CoveringRemoved(SecondEditionEvent):
    """A Wall or Door token was discarded: what is drawn there counts again. Rule DISCARD-3."""

    covering: str

    def fold(self, table: Game) -> Game:
        """Take it away."""
        left = tuple(c for c in table.coverings if c.covering != self.covering)
        return attrs.evolve(table, coverings=left)


@event("se/token_placed")
class TokenPlaced(SecondEditionEvent):
    """A token was placed. Rule TOKEN-1."""

    token: Token

    def fold(self, table: Game) -> Game:
        """Put it there."""
        return attrs.evolve(table, tokens=_with(table.tokens, self.token.token_id, self.token))


@event("se/token_moved")
class TokenMoved(SecondEditionEvent):
    """A token was moved to another space."""

    token: TokenId
    at: SpaceId

    def fold(self, table: Game) -> Game:
        """Put it there."""
        moved = attrs.evolve(table.tokens[self.token], at=self.at)
        return attrs.evolve(table, tokens=_with(table.tokens, self.token, moved))


@event("se/token_removed")
class TokenRemoved(SecondEditionEvent):
    """A token was discarded. Rules DISCARD-3 and DECIDE-99."""

    token: TokenId

    def fold(self, table: Game) -> Game:
        """Take it away."""
        return attrs.evolve(table, tokens=_without(table.tokens, self.token))


@event("se/feature_placed")
class FeaturePlaced(SecondEditionEvent):
    """A square token was placed. Rules FEATURE-1, FIRE-11 and DARKNESS-7."""

    feature: Feature

    def fold(self, table: Game) -> Game:
        """Put it there."""
        features = _with(table.features, self.feature.feature_id, self.feature)
        return attrs.evolve(table, features=features)


@event("se/barricade_shifted")
class BarricadeShifted(SecondEditionEvent):
    """A Barricade was moved in its space. Rules BARRICADE-2, BARRICADE-3 and BARRICADE-8."""

    feature: FeatureId
    against: str | None
    """The door that it blocks now, or the Secret Passage by its id; None where it stands free."""

    def fold(self, table: Game) -> Game:
        """Shift it."""
        shifted = attrs.evolve(table.features[self.feature], against=self.against)
        return attrs.evolve(table, features=_with(table.features, self.feature, shifted))


@event("se/barricade_assaulted")
class BarricadeAssaulted(SecondEditionEvent):
    """A monster tried to break a Barricade, and rolled this. Rules BARRICADE-10 to BARRICADE-14."""

    monster: MonsterId
    feature: FeatureId
    faces: tuple[Face, ...]
    """As they lie: nothing changes them. DECIDE-86."""
    is_broken: bool
    """Whether that is enough; then the Barricade is discarded next. Rule BARRICADE-15."""

    def fold(self, table: Game) -> Game:
        """Nothing lies differently."""
        return table


@event("se/feature_removed")
class FeatureRemoved(SecondEditionEvent):
    """A square token was discarded. Rule DISCARD-3."""

    feature: FeatureId

    def fold(self, table: Game) -> Game:
        """Take it away."""
        return attrs.evolve(table, features=_without(table.features, self.feature))


@event("se/investigator_moved")
class InvestigatorMoved(SecondEditionEvent):
    """A figure was moved one space, or placed somewhere. Rules MOVE-2 and MOVE-12."""

    investigator: InvestigatorId
    space: SpaceId | None
    """None: the figure was removed from the board."""

    def fold(self, table: Game) -> Game:
        """Put the figure there."""
        return table.with_investigator(self.investigator, space=self.space)


# Phases, turns, actions --------------------------------------------------------------------


@event("se/phase_began")
class PhaseBegan(SecondEditionEvent):
    """A phase began; with an Investigator phase, a round. Rules ROUND-1 and ROUND-2."""

    phase: Phase
    round_number: int

    def fold(self, table: Game) -> Game:
        """Turn the page; a new round resets what counts by round (DECIDE-29)."""
        table = _hushed(table)
        people = dict(table.investigators)
        if self.phase is Phase.INVESTIGATOR:
            people = {
                key: attrs.evolve(
                    who, has_taken_turn=False, move_actions=0, performed=(), quenches=0, used=()
                )
                for key, who in people.items()
            }
        return attrs.evolve(
            table,
            phase=self.phase,
            round_number=self.round_number,
            step=None,
            active=None,
            actions_left=0,
            done=(),
            investigators=people,
        )


@event("se/mythos_step_began")
class MythosStepBegan(SecondEditionEvent):
    """A step of the Mythos phase began. Rule MYTHOS-1."""

    step: MythosStep

    def fold(self, table: Game) -> Game:
        """Name the step."""
        table = _hushed(table)
        return attrs.evolve(table, step=self.step, done=())


@event("se/dealt_with")
class DealtWith(SecondEditionEvent):
    """One event, activation or check of this step is over."""

    item: str

    def fold(self, table: Game) -> Game:
        """Tick it off."""
        table = _hushed(table)
        return attrs.evolve(table, done=(*table.done, self.item))


@event("se/turn_began")
class TurnBegan(SecondEditionEvent):
    """An investigator's turn began. Rules TURN-1 and TURN-2."""

    investigator: InvestigatorId
    actions: int

    def fold(self, table: Game) -> Game:
        """Make them active."""
        return attrs.evolve(table, active=self.investigator, actions_left=self.actions)


@event("se/turn_ended")
class TurnEnded(SecondEditionEvent):
    """The active investigator's turn is over. Rule TURN-4."""

    investigator: InvestigatorId

    def fold(self, table: Game) -> Game:
        """Nobody is active; actions left are lost."""
        table = _hushed(table)
        table = attrs.evolve(table, active=None, actions_left=0)
        return table.with_investigator(self.investigator, has_taken_turn=True)


@event("se/action_spent")
class ActionSpent(SecondEditionEvent):
    """One action of the turn was spent. Rule ACTION-1."""

    investigator: InvestigatorId
    action: str
    """`move`, `explore`, `search`, `interact`, `trade`, `attack`, `push`, `steal`, `set_fire`,
    `component`."""

    def fold(self, table: Game) -> Game:
        """One action fewer; a move action is counted for the round (DECIDE-27)."""
        table = _hushed(table)
        table = attrs.evolve(table, actions_left=table.actions_left - 1)
        who = table.investigators[self.investigator]
        return table.with_investigator(
            self.investigator,
            move_actions=who.move_actions + (self.action == "move"),
            performed=(*who.performed, self.action),
        )


@event("se/actions_lost")
class ActionsLost(SecondEditionEvent):
    """An effect took actions of this turn away. They were not performed."""

    investigator: InvestigatorId
    count: int

    def fold(self, table: Game) -> Game:
        """So many actions fewer."""
        return attrs.evolve(table, actions_left=table.actions_left - self.count)


@event("se/action_forfeited")
class ActionForfeited(SecondEditionEvent):
    """The action comes to nothing. Rules FORFEIT-1 and FORFEIT-2. It was spent before."""

    investigator: InvestigatorId
    action: str

    def fold(self, table: Game) -> Game:
        """It was not performed: the last one of its name."""
        performed = table.investigators[self.investigator].performed
        if self.action not in performed:
            return table
        last = len(performed) - 1 - performed[::-1].index(self.action)
        left = performed[:last] + performed[last + 1 :]
        return table.with_investigator(self.investigator, performed=left)


@event("se/power_used")
class PowerUsed(SecondEditionEvent):
    """An ability or a card was used that can be used once in a round (DECIDE-29)."""

    investigator: InvestigatorId
    source: str
    """The investigator's own id for the ability on their card, else the card."""

    def fold(self, table: Game) -> Game:
        """Remember it until the round is over."""
        used = (*table.investigators[self.investigator].used, self.source)
        return table.with_investigator(self.investigator, used=used)


# Fire --------------------------------------------------------------------------------------


@event("se/fire_fought")
class FireFought(SecondEditionEvent):
    """An investigator can put out so many Fires more this round. Rules FIRE-4 and FIRE-5."""

    investigator: InvestigatorId
    successes: int

    def fold(self, table: Game) -> Game:
        """Add the successes to those that are left."""
        quenches = table.investigators[self.investigator].quenches + self.successes
        return table.with_investigator(self.investigator, quenches=quenches)


@event("se/fire_put_out")
class FirePutOut(SecondEditionEvent):
    """A Fire was discarded for one of the successes at fighting it. Rules FIRE-5 and FIRE-6."""

    investigator: InvestigatorId
    feature: FeatureId

    def fold(self, table: Game) -> Game:
        """Take the Fire away, and one success."""
        table = attrs.evolve(table, features=_without(table.features, self.feature))
        quenches = table.investigators[self.investigator].quenches - 1
        return table.with_investigator(self.investigator, quenches=quenches)


# Story -------------------------------------------------------------------------------------


@event("se/told")
class Told(SecondEditionEvent):
    """The story went on, for all to read. Rule APP-3."""

    text: Text
    monster: MonsterId | None = None
    """Whose menu shows it as long as it is in force. Rule APP-7."""

    def fold(self, table: Game) -> Game:
        """Show it in the monster's menu, if it is about one; nothing lies differently."""
        if self.monster is None or self.monster not in table.monsters:
            return table
        return _with_monster(_hushed(table), self.monster, in_force=self.text)


@event("se/option_chosen")
class OptionChosen(SecondEditionEvent):
    """An option that the story offered was chosen, for all to read. Rule APP-3."""

    investigator: InvestigatorId | None
    """Who chose; None where the investigators did together."""
    text: Text

    def fold(self, table: Game) -> Game:
        """Nothing lies differently."""
        return table


@event("se/votes_shown")
class VotesShown(SecondEditionEvent):
    """Everybody has voted on how the story goes on, and the votes lie open."""

    votes: Mapping[InvestigatorId, Text]
    """One for each player, by the first of their investigators."""

    def fold(self, table: Game) -> Game:
        """Nothing lies differently."""
        return table


@event("se/told_privately")
class ToldPrivately(SecondEditionEvent):
    """A line that is one investigator's alone. Rule DECIDE-144. Comes to each at a fixed point."""

    investigator: InvestigatorId
    text: Sealed[Text] = secret(to="investigator")

    def fold(self, table: Game) -> Game:
        """Nothing lies differently."""
        return table


@event("se/objective_set")
class ObjectiveSet(SecondEditionEvent):
    """The objective was revealed, or changed. Rules WIN-2 and WIN-4."""

    objective: Text

    def fold(self, table: Game) -> Game:
        """Write it down."""
        return attrs.evolve(table, objective=self.objective)


@event("se/chapter_began")
class ChapterBegan(SecondEditionEvent):
    """A chapter of the story began, for all to read. Rule APP-3."""

    chapter: Text

    def fold(self, table: Game) -> Game:
        """Write it down."""
        return attrs.evolve(table, chapter=self.chapter)


@event("se/counter_set")
class CounterSet(SecondEditionEvent):
    """The scenario remembers a number. Its name tells nothing; the number is sealed."""

    counter: str
    """Opaque: `c1`, `c2` … in the order of the scenario's declarations."""
    value: Sealed[int] = secret(to=NOBODY)

    def fold(self, table: Game) -> Game:
        """Write it down."""
        return attrs.evolve(table, counters=_with(table.counters, self.counter, self.value))


@event("se/timer_set")
class TimerSet(SecondEditionEvent):
    """A timer that everybody sees was started, or a round or turn of it is over."""

    timer: Timer

    def fold(self, table: Game) -> Game:
        """Lay it there, or change what is left."""
        return attrs.evolve(table, timers=_with(table.timers, self.timer.timer_id, self.timer))


@event("se/timer_removed")
class TimerRemoved(SecondEditionEvent):
    """A timer that everybody sees has run out, or was stopped."""

    timer: str
    has_run_out: bool

    def fold(self, table: Game) -> Game:
        """Take it away."""
        return attrs.evolve(table, timers=_without(table.timers, self.timer))


@event("se/progress_kept")
class ProgressKept(SecondEditionEvent):
    """Successes were kept on a test of unknown difficulty. Rules TEST-16 and DECIDE-113."""

    test: str
    total: int

    def fold(self, table: Game) -> Game:
        """Write the sum down."""
        return attrs.evolve(table, progress=_with(table.progress, self.test, self.total))


# Tests -------------------------------------------------------------------------------------


@event("se/test_declared")
class TestDeclared(SecondEditionEvent):
    """A skill is tested. Rules TEST-1 to TEST-7."""

    __test__ = False  # not a test case, whatever its name suggests to a test runner

    investigator: InvestigatorId
    skill: Skill
    modifier: int
    difficulty: int | None
    pool: int

    def fold(self, table: Game) -> Game:
        """Open the test."""
        test = OpenTest(self.investigator, self.skill, self.modifier, self.difficulty, self.pool)
        return attrs.evolve(table, test=test)


@event("se/opposition_rolled")
class OppositionRolled(SecondEditionEvent):
    """The keeper rolled against a test; the successes are its difficulty."""

    faces: tuple[Face, ...]
    """As they lie: nothing changes them."""

    def fold(self, table: Game) -> Game:
        """Nothing lies differently."""
        return table


@event("se/dice_shown")
class DiceShown(SecondEditionEvent):
    """The dice of the test lie there. Rule DICE-1. After a reroll, as they lie now."""

    faces: tuple[Face, ...]
    rerolled: tuple[int, ...] = ()
    """Positions of the dice that were rolled again; converted ones lose their Clue (DECIDE-109)."""

    def fold(self, table: Game) -> Game:
        """Lay the dice down."""
        assert table.test is not None
        converted = tuple(at for at in table.test.converted if at not in self.rerolled)
        test = attrs.evolve(table.test, faces=self.faces, converted=converted)
        return attrs.evolve(table, test=test)


@event("se/dice_converted")
class DiceConverted(SecondEditionEvent):
    """Investigations were turned into successes. Rule CLUE-4."""

    dice: tuple[int, ...]
    """Positions in the roll."""

    def fold(self, table: Game) -> Game:
        """Turn them."""
        assert table.test is not None
        converted = tuple(sorted({*table.test.converted, *self.dice}))
        return attrs.evolve(table, test=attrs.evolve(table.test, converted=converted))


@event("se/test_finished")
class TestFinished(SecondEditionEvent):
    """The test has its result. Rules TEST-9 and TEST-11."""

    __test__ = False

    investigator: InvestigatorId
    successes: int
    is_passed: bool | None
    """None where nothing can be passed, as for a test that negates."""

    def fold(self, table: Game) -> Game:
        """Take the dice away."""
        return attrs.evolve(table, test=None)


# Clues and possessions ---------------------------------------------------------------------


@event("se/clues_gained")
class CluesGained(SecondEditionEvent):
    """An investigator took Clues. Rule CLUE-1."""

    investigator: InvestigatorId
    count: int

    def fold(self, table: Game) -> Game:
        """Add them."""
        clues = table.investigators[self.investigator].clues + self.count
        return table.with_investigator(self.investigator, clues=clues)


@event("se/clues_spent")
class CluesSpent(SecondEditionEvent):
    """An investigator spent Clues. Rules CLUE-4, CLUE-5, SPEND-1, DISCARD-3."""

    investigator: InvestigatorId
    count: int

    def fold(self, table: Game) -> Game:
        """Take them away."""
        clues = table.investigators[self.investigator].clues - self.count
        return table.with_investigator(self.investigator, clues=clues)


@event("se/possession_gained")
class PossessionGained(SecondEditionEvent):
    """An investigator took a card from its deck. Rules ITEM-2, SPELL-1 and LIMIT-2."""

    investigator: InvestigatorId
    possession: Possession

    def fold(self, table: Game) -> Game:
        """One copy fewer in the deck, one more in the play area; of a Spell, this very copy."""
        card = self.possession.card
        if self.possession.handle:
            table = table.drawn(spell_deck(card), self.possession.handle)
        has = (*table.investigators[self.investigator].possessions, self.possession)
        table = attrs.evolve(
            table,
            supply=_with(table.supply, card, table.supply[card] - 1),
            next_possession=table.next_possession + 1,
        )
        return table.with_investigator(self.investigator, possessions=has)


def _taken(table: Game, who: InvestigatorId, possession: PossessionId) -> tuple[Game, Possession]:
    has = table.investigators[who].possessions
    card = next(p for p in has if p.possession_id == possession)
    return table.with_investigator(who, possessions=tuple(p for p in has if p != card)), card


def _returned(table: Game, possession: Possession) -> Game:
    card = possession.card
    copies = table.supply.get(card, 0) + 1
    table = attrs.evolve(table, supply=_with(table.supply, card, copies))
    return table.put(spell_deck(card), possession.handle) if possession.handle else table


@event("se/possession_given")
class PossessionGiven(SecondEditionEvent):
    """A possession changed hands. Rule TRADE-2."""

    giver: InvestigatorId
    receiver: InvestigatorId
    possession: PossessionId

    def fold(self, table: Game) -> Game:
        """Hand it over."""
        table, card = _taken(table, self.giver, self.possession)
        has = table.investigators[self.receiver].possessions
        return table.with_investigator(self.receiver, possessions=(*has, card))


@event("se/possession_taken")
class PossessionTaken(SecondEditionEvent):
    """A possession was stolen. Rule STEAL-4."""

    victim: InvestigatorId
    thief: InvestigatorId
    possession: PossessionId

    def fold(self, table: Game) -> Game:
        """Hand it over, as if it were given."""
        return PossessionGiven(self.victim, self.thief, self.possession).fold(table)


@event("se/possession_dropped")
class PossessionDropped(SecondEditionEvent):
    """A possession was put down. Rule DROP-1."""

    investigator: InvestigatorId
    possession: PossessionId
    space: SpaceId

    def fold(self, table: Game) -> Game:
        """Lay it in the space."""
        table, card = _taken(table, self.investigator, self.possession)
        lying = (*table.lying.get(self.space, ()), card)
        return attrs.evolve(table, lying=_with(table.lying, self.space, lying))


@event("se/possession_picked_up")
class PossessionPickedUp(SecondEditionEvent):
    """A possession was picked up. Rules DROP-2 and DROP-3."""

    investigator: InvestigatorId
    possession: PossessionId
    space: SpaceId

    def fold(self, table: Game) -> Game:
        """Take it from the space."""
        lying = table.lying[self.space]
        card = next(p for p in lying if p.possession_id == self.possession)
        rest = tuple(p for p in lying if p != card)
        table = attrs.evolve(table, lying=_with(table.lying, self.space, rest))
        has = table.investigators[self.investigator].possessions
        return table.with_investigator(self.investigator, possessions=(*has, card))


@event("se/possession_discarded")
class PossessionDiscarded(SecondEditionEvent):
    """A possession went back to its deck, which for a Spell is mixed next. Rule DISCARD-1."""

    investigator: InvestigatorId
    possession: PossessionId

    def fold(self, table: Game) -> Game:
        """Put it back."""
        return _returned(*_taken(table, self.investigator, self.possession))


@event("se/possession_flipped")
class PossessionFlipped(SecondEditionEvent):
    """A two-sided possession was flipped. Rules TWOSIDED-3, ITEM-4, SPELL-3 and DECIDE-126."""

    investigator: InvestigatorId
    possession: PossessionId
    handle: Handle
    """Of a Spell: its copy; empty for an Item."""
    turned_to: CardId | None
    """The back, for all to read; None where its front lies up again."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return which copy of a Spell it is, where its back lies up."""
        if not self.handle or self.turned_to is None:
            return ()
        return ((self.handle, self.turned_to),)

    def fold(self, table: Game) -> Game:
        """Turn it, where it lies."""
        has = tuple(
            attrs.evolve(one, turned_to=self.turned_to)
            if one.possession_id == self.possession
            else one
            for one in table.investigators[self.investigator].possessions
        )
        return table.with_investigator(self.investigator, possessions=has)


@event("se/lying_discarded")
class LyingDiscarded(SecondEditionEvent):
    """A possession that lay about went back to its deck. Rules DISCARD-1 and DECIDE-147."""

    space: SpaceId
    possession: PossessionId

    def fold(self, table: Game) -> Game:
        """Put it back."""
        lying = table.lying[self.space]
        card = next(p for p in lying if p.possession_id == self.possession)
        rest = tuple(p for p in lying if p != card)
        table = attrs.evolve(table, lying=_with(table.lying, self.space, rest))
        return _returned(table, card)


# Damage and Horror -------------------------------------------------------------------------


@event("se/harm_taken")
class HarmTaken(SecondEditionEvent):
    """An investigator took the top card of a deck. Rules DAMAGE-1, DAMAGE-2, SECRET-2."""

    investigator: InvestigatorId
    harm: Harm
    handle: Handle
    card: CardId | None
    """The front where it is taken faceup; None where it stays facedown."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return which card it is, if it lies faceup."""
        return () if self.card is None else ((self.handle, self.card),)

    def fold(self, table: Game) -> Game:
        """Move the card from the deck to the play area, one way up or the other."""
        table = table.drawn(deck(self.harm), self.handle)
        if self.card is None:
            return table.put(facedown_pile(self.investigator, self.harm), self.handle)
        return _lay_faceup(table, self.investigator, self.harm, self.handle, self.card)


def _lay_faceup(table: Game, who: InvestigatorId, harm: Harm, handle: Handle, card: CardId) -> Game:
    investigator = table.investigators[who]
    cards = (*investigator.faceup_cards(harm), FaceupCard(handle, card))
    return table.with_investigator(who, faceup=_with(investigator.faceup, harm, cards))


def _lift_faceup(table: Game, who: InvestigatorId, harm: Harm, handle: Handle) -> Game:
    investigator = table.investigators[who]
    cards = tuple(c for c in investigator.faceup_cards(harm) if c.handle != handle)
    return table.with_investigator(who, faceup=_with(investigator.faceup, harm, cards))


@event("se/harm_turned_faceup")
class HarmTurnedFaceup(SecondEditionEvent):
    """A facedown card was turned up. Rule DAMAGE-8."""

    investigator: InvestigatorId
    harm: Harm
    handle: Handle
    card: CardId

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return which card it is."""
        return ((self.handle, self.card),)

    def fold(self, table: Game) -> Game:
        """Turn it."""
        table = table.drawn(facedown_pile(self.investigator, self.harm), self.handle)
        return _lay_faceup(table, self.investigator, self.harm, self.handle, self.card)


@event("se/harm_turned_facedown")
class HarmTurnedFacedown(SecondEditionEvent):
    """A faceup card was turned down; the facedown ones are mixed next. Rule DECIDE-58."""

    investigator: InvestigatorId
    harm: Harm
    handle: Handle

    def fold(self, table: Game) -> Game:
        """Turn it."""
        table = _lift_faceup(table, self.investigator, self.harm, self.handle)
        return table.put(facedown_pile(self.investigator, self.harm), self.handle)


@event("se/harm_discarded")
class HarmDiscarded(SecondEditionEvent):
    """A card went back to its deck, which is shuffled next. Rules DAMAGE-9 and DISCARD-2."""

    investigator: InvestigatorId
    harm: Harm
    handle: Handle

    def fold(self, table: Game) -> Game:
        """Put it under the deck."""
        pile = facedown_pile(self.investigator, self.harm)
        if self.handle in table.piles.get(pile, ()):
            table = table.drawn(pile, self.handle)
        else:
            table = _lift_faceup(table, self.investigator, self.harm, self.handle)
        return table.put(deck(self.harm), self.handle)


@event("se/harm_prevented")
class HarmPrevented(SecondEditionEvent):
    """Some of what was coming was negated. Rules NEGATE-1 to NEGATE-3."""

    investigator: InvestigatorId
    harm: Harm
    count: int

    def fold(self, table: Game) -> Game:
        """Nothing lies differently: what is prevented is never suffered."""
        return table


@event("se/became_wounded")
class BecameWounded(SecondEditionEvent):
    """An investigator became Wounded. Rules WOUNDED-1 and WOUNDED-2."""

    investigator: InvestigatorId
    card: CardId

    def fold(self, table: Game) -> Game:
        """Give them the Condition."""
        has = (*table.investigators[self.investigator].conditions, Condition(self.card))
        return table.with_investigator(self.investigator, is_wounded=True, conditions=has)


@event("se/became_insane")
class BecameInsane(SecondEditionEvent):
    """An investigator lost their mind. Rules INSANE-1, INSANE-2 and INSANE-5 to INSANE-7."""

    investigator: InvestigatorId
    card: CardId
    """The front, which is the same for all."""
    handle: Handle
    """Of the copy; empty where none was left (DECIDE-61)."""
    back: Sealed[CardId] = secret(to="investigator")
    """What it made them; only they may read it. Rule SECRET-6. Empty where none was left."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return which copy it is, where its back can be read."""
        return ((self.handle, self.back.value),) if self.handle and self.back.is_open else ()

    def fold(self, table: Game) -> Game:
        """Give them the Condition."""
        if self.handle:
            table = table.drawn(INSANE_DECK, self.handle)
        condition = Condition(self.card, self.handle, self.back)
        has = (*table.investigators[self.investigator].conditions, condition)
        return table.with_investigator(self.investigator, is_insane=True, conditions=has)


@event("se/condition_gained")
class ConditionGained(SecondEditionEvent):
    """An investigator gained an open Condition. Rules CONDITION-1 and CONDITION-2."""

    investigator: InvestigatorId
    card: CardId

    def fold(self, table: Game) -> Game:
        """Take a copy from the supply."""
        table = attrs.evolve(
            table, supply=_with(table.supply, self.card, table.supply[self.card] - 1)
        )
        has = (*table.investigators[self.investigator].conditions, Condition(self.card))
        return table.with_investigator(self.investigator, conditions=has)


@event("se/condition_discarded")
class ConditionDiscarded(SecondEditionEvent):
    """An investigator lost an open Condition. Rule DISCARD-1."""

    investigator: InvestigatorId
    card: CardId

    def fold(self, table: Game) -> Game:
        """Put it back."""
        table = attrs.evolve(
            table, supply=_with(table.supply, self.card, table.supply[self.card] + 1)
        )
        has = table.investigators[self.investigator].conditions
        left = tuple(c for c in has if c.card != self.card)
        return table.with_investigator(self.investigator, conditions=left)


@event("se/investigator_eliminated")
class InvestigatorEliminated(SecondEditionEvent):
    """An investigator is out of the game. Rules ELIMINATED-1 to ELIMINATED-5."""

    investigator: InvestigatorId
    countdown: int
    """The round whose Investigator phase is now the last (DECIDE-66, DECIDE-67)."""

    def fold(self, table: Game) -> Game:
        """Remove the figure; what was dropped lies there already."""
        table = attrs.evolve(table, countdown=self.countdown)
        return table.with_investigator(self.investigator, is_eliminated=True, space=None)


# Monsters ----------------------------------------------------------------------------------


@event("se/monster_spawned")
class MonsterSpawned(SecondEditionEvent):
    """A monster appeared. Rules MONSTER-6, MONSTER-7, MONSTER-10."""

    monster: Monster

    def fold(self, table: Game) -> Game:
        """Place it."""
        return attrs.evolve(
            table,
            monsters=_with(table.monsters, self.monster.monster_id, self.monster),
            next_monster=table.next_monster + 1,
        )


@event("se/monster_moved")
class MonsterMoved(SecondEditionEvent):
    """A monster moved one space, or was placed somewhere."""

    monster: MonsterId
    space: SpaceId

    def fold(self, table: Game) -> Game:
        """Put it there."""
        return _with_monster(table, self.monster, space=self.space)


@event("se/monster_damaged")
class MonsterDamaged(SecondEditionEvent):
    """A monster suffered damage. Rules ATTACK-11 and SECRET-12."""

    monster: MonsterId
    amount: int

    def fold(self, table: Game) -> Game:
        """Write it down."""
        damage = table.monsters[self.monster].damage + self.amount
        return _with_monster(table, self.monster, damage=damage)


@event("se/monster_healed")
class MonsterHealed(SecondEditionEvent):
    """A monster lost some of its damage by an effect. Rule MONSTER-11."""

    monster: MonsterId
    amount: int

    def fold(self, table: Game) -> Game:
        """Write it down."""
        damage = table.monsters[self.monster].damage - self.amount
        return _with_monster(table, self.monster, damage=damage)


@event("se/monster_corrected")
class MonsterCorrected(SecondEditionEvent):
    """By everybody's consent a monster has suffered so much. Rule APP-8 and DECIDE-49."""

    monster: MonsterId
    damage: int

    def fold(self, table: Game) -> Game:
        """Write it down."""
        return _with_monster(table, self.monster, damage=self.damage)


@event("se/monster_discarded")
class MonsterDiscarded(SecondEditionEvent):
    """A monster left the board. Rules MONSTER-11, MONSTER-12, ATTACK-12."""

    monster: MonsterId
    is_defeated: bool

    def fold(self, table: Game) -> Game:
        """Take it away."""
        return attrs.evolve(table, monsters=_without(table.monsters, self.monster))


# Puzzles -----------------------------------------------------------------------------------


def _with_puzzle(table: Game, puzzle: str, **changes: Any) -> Game:
    """Return the table with one puzzle changed by a step, which the attempt counts."""
    changed = attrs.evolve(table.puzzles[puzzle], **changes)
    attempt = table.attempt and attrs.evolve(table.attempt, made=table.attempt.made + 1)
    return attrs.evolve(table, puzzles=_with(table.puzzles, puzzle, changed), attempt=attempt)


@event("se/attempt_began")
class AttemptBegan(SecondEditionEvent):
    """An investigator begins to work on a puzzle. Rules PUZZLE-1 and PUZZLE-2."""

    investigator: InvestigatorId
    puzzle: str
    steps: int

    def fold(self, table: Game) -> Game:
        """Open the attempt."""
        attempt = Attempt(self.investigator, self.puzzle, self.steps)
        return attrs.evolve(table, attempt=attempt)


@event("se/steps_added")
class StepsAdded(SecondEditionEvent):
    """The attempt may take more steps. Rule PUZZLE-3."""

    count: int

    def fold(self, table: Game) -> Game:
        """Allow them."""
        assert table.attempt is not None
        allowed = table.attempt.allowed + self.count
        return attrs.evolve(table, attempt=attrs.evolve(table.attempt, allowed=allowed))


@event("se/attempt_ended")
class AttemptEnded(SecondEditionEvent):
    """The attempt is over: the puzzle is solved, or was left. Rules PUZZLE-6 and PUZZLE-9."""

    def fold(self, table: Game) -> Game:
        """Close the attempt; the puzzle stays as it is (PUZZLE-10)."""
        return attrs.evolve(table, attempt=None)


@event("se/code_laid_out")
class CodeLaidOut(SecondEditionEvent):
    """A code puzzle stands there. Its code is dealt from hidden piles. Rules CODE-1 to CODE-3."""

    puzzle: CodePuzzle

    def fold(self, table: Game) -> Game:
        """Set it up."""
        return attrs.evolve(table, puzzles=_with(table.puzzles, self.puzzle.puzzle_id, self.puzzle))


@event("se/code_guessed")
class CodeGuessed(SecondEditionEvent):
    """Somebody proposed a code and was answered. Rules CODE-5 to CODE-9 and DECIDE-120."""

    puzzle: str
    guess: Guess
    is_solved: bool

    def fold(self, table: Game) -> Game:
        """Write guess and answer down."""
        puzzle = table.puzzles[self.puzzle]
        assert isinstance(puzzle, CodePuzzle)
        guesses = (*puzzle.guesses, self.guess)
        return _with_puzzle(table, self.puzzle, guesses=guesses, is_solved=self.is_solved)


@event("se/slide_laid_out")
class SlideLaidOut(SecondEditionEvent):
    """A slide puzzle lies there, mixed. Rules SLIDE-1, SLIDE-2 and DECIDE-121."""

    puzzle: SlidePuzzle

    def fold(self, table: Game) -> Game:
        """Set it up."""
        return attrs.evolve(table, puzzles=_with(table.puzzles, self.puzzle.puzzle_id, self.puzzle))


@event("se/slide_swapped")
class SlideSwapped(SecondEditionEvent):
    """Two pieces of a picture changed places. Rules SLIDE-3 and SLIDE-4."""

    puzzle: str
    places: tuple[int, int]
    """Row by row, from 0."""
    is_solved: bool

    def fold(self, table: Game) -> Game:
        """Swap them."""
        puzzle = table.puzzles[self.puzzle]
        assert isinstance(puzzle, SlidePuzzle)
        one, other = self.places
        pieces = list(puzzle.pieces)
        pieces[one], pieces[other] = pieces[other], pieces[one]
        return _with_puzzle(table, self.puzzle, pieces=tuple(pieces), is_solved=self.is_solved)


@event("se/lock_laid_out")
class LockLaidOut(SecondEditionEvent):
    """A lock puzzle stands there. Rules LOCK-1, LOCK-2 and DECIDE-123."""

    puzzle: LockPuzzle

    def fold(self, table: Game) -> Game:
        """Set it up."""
        return attrs.evolve(table, puzzles=_with(table.puzzles, self.puzzle.puzzle_id, self.puzzle))


@event("se/lock_slid")
class LockSlid(SecondEditionEvent):
    """A piece of a lock was slid. Rules LOCK-3 to LOCK-6 and DECIDE-122."""

    puzzle: str
    piece: int
    by: int
    """Cells to the right or down; to the left or up where it is below 0."""
    is_solved: bool

    def fold(self, table: Game) -> Game:
        """Slide it."""
        puzzle = table.puzzles[self.puzzle]
        assert isinstance(puzzle, LockPuzzle)
        pieces = list(puzzle.pieces)
        pieces[self.piece] = pieces[self.piece].slid(self.by)
        return _with_puzzle(table, self.puzzle, pieces=tuple(pieces), is_solved=self.is_solved)


# The end -----------------------------------------------------------------------------------


@event("se/back_shown")
class BackShown(SecondEditionEvent):
    """The result is final, and an Insane back is shown to all. Rule DECIDE-64."""

    investigator: InvestigatorId
    back: Disclosure
    card: CardId
    """What it says, once more in plain sight, so that its words come along."""

    def __attrs_post_init__(self) -> None:
        """Refuse another card than the one disclosed."""
        if codec.encode(self.card, str) != self.back.value:
            raise ValueError("the card named is not the one disclosed")

    def fold(self, table: Game) -> Game:
        """Open the back."""
        ref = (self.back.sequence, self.back.slot)
        value = codec.decode(self.back.value, str)
        has = tuple(
            attrs.evolve(c, back=c.back.opened(value).seen_by((EVERYBODY,)))
            if c.back is not None and c.back.ref == ref
            else c
            for c in table.investigators[self.investigator].conditions
        )
        return table.with_investigator(self.investigator, conditions=has)


@event("se/game_ended")
class GameEnded(SecondEditionEvent):
    """The investigators have won or lost. Rules WIN-3, WIN-5, DECIDE-71."""

    ending: Ending

    def fold(self, table: Game) -> Game:
        """Write the result down."""
        return attrs.evolve(
            table, ending=self.ending, phase=Phase.OVER, step=None, active=None, actions_left=0
        )


@event("se/campaign_kept")
class CampaignKept(SecondEditionEvent):
    """The result is final, and this is what the campaign goes on with, for all to see."""

    legacy: Legacy

    def fold(self, table: Game) -> Game:
        """Write it down."""
        return attrs.evolve(table, legacy=self.legacy)

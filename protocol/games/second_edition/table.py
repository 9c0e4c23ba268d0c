"""
The table of the second edition: board, investigators, monsters, tokens, cards.

Everything here is open to all but what is `Sealed` and the cards in piles. What a card, monster or
investigator *can do* is content and stays on the server; what lies here is what a player at a
real table would see lying there.
"""

import enum
from collections.abc import Mapping
from typing import Any

import attrs

from protocol.boards.maps import Covering, Map, PlacedTile, compose
from protocol.common.table import GameEnd, GameTable, Handle, Legacy, register_game
from protocol.common.text import Text
from protocol.event import Sealed
from protocol.memo import memo
from protocol.values import evolve, frozen

InvestigatorId = str
MonsterId = str
SpaceId = str
DoorId = str
TokenId = str
FeatureId = str
PossessionId = str
CardId = str

RULESET = "second_edition"
INVESTIGATOR = "investigator"
"""The one role of a seat; logs from before roles are read with it."""


class Skill(enum.Enum):
    """The six skills. Rule SKILL-1."""

    STRENGTH = "strength"
    AGILITY = "agility"
    OBSERVATION = "observation"
    LORE = "lore"
    INFLUENCE = "influence"
    WILL = "will"


class Face(enum.Enum):
    """What a die shows. Rule DICE-1."""

    SUCCESS = "success"
    INVESTIGATION = "investigation"
    BLANK = "blank"


class Harm(enum.Enum):
    """The two kinds of card an investigator suffers."""

    DAMAGE = "damage"
    HORROR = "horror"


class Phase(enum.Enum):
    """The phases of a round. Rule ROUND-1."""

    SETUP = "setup"
    INVESTIGATOR = "investigator"
    MYTHOS = "mythos"
    OVER = "over"


class MythosStep(enum.Enum):
    """The steps of the Mythos phase. Rule MYTHOS-1."""

    EVENT = "event"
    MONSTER = "monster"
    HORROR = "horror"


class TokenKind(enum.Enum):
    """What a token offers. Rule TOKEN-1."""

    EXPLORE = "explore"
    SEARCH = "search"
    INTERACT = "interact"
    SIGHT = "sight"
    PERSON = "person"


class FeatureKind(enum.Enum):
    """The square tokens, used by rules of their own. Rules FEATURE-1 and FEATURE-2."""

    BARRICADE = "barricade"
    DARKNESS = "darkness"
    FIRE = "fire"
    SECRET_PASSAGE = "secret_passage"  # noqa: S105  # a square token


@frozen
class FaceupCard:
    """A Damage or Horror card that lies faceup in front of somebody."""

    handle: Handle
    card: CardId


@frozen
class Possession:
    """An Item or a Spell that somebody has or that lies in a space. Rule POSSESSION-1."""

    possession_id: PossessionId
    card: CardId
    """Its front."""
    handle: Handle = ""
    """Of a Spell: which copy it is, and so what its back says. Rules SPELL-1 and DECIDE-128."""
    turned_to: CardId | None = None
    """Its back, while that lies up; None while the front does. Rule TWOSIDED-3."""

    @property
    def face(self) -> CardId:
        """The side that lies up: its name, its effects. Rule ITEM-4."""
        return self.card if self.turned_to is None else self.turned_to


@frozen
class Condition:
    """A Condition card in front of somebody."""

    card: CardId
    """Its front."""
    handle: Handle = ""
    """Of one with several backs: which copy it is. Rule CONDITION-4."""
    back: Sealed[CardId] | None = None
    """What an Insane Condition says on its back; its owner's alone. Rule SECRET-6."""
    turned_to: CardId | None = None
    """Its back, while that lies up for all to read; None while the front does. Rule TWOSIDED-3."""

    @property
    def face(self) -> CardId:
        """The side that lies up: its name, its effects."""
        return self.card if self.turned_to is None else self.turned_to


@frozen
class Investigator:
    """One investigator: card, figure and what lies in front of them."""

    investigator_id: InvestigatorId
    seat: int
    health: int
    sanity: int
    skills: Mapping[Skill, int]
    space: SpaceId | None = None
    """None while the figure is off the board. Rule CLEAR-4."""
    clues: int = 0
    faceup: Mapping[Harm, tuple[FaceupCard, ...]] = attrs.field(factory=dict)
    possessions: tuple[Possession, ...] = ()
    conditions: tuple[Condition, ...] = ()
    is_wounded: bool = False
    is_insane: bool = False
    is_eliminated: bool = False
    move_actions: int = 0
    """Move actions performed this round. Rules WOUNDED-5 and DECIDE-27."""
    has_taken_turn: bool = False
    performed: tuple[str, ...] = ()
    """The actions performed this round, in order; what was forfeited is not among them."""
    quenches: int = 0
    """How many Fires they may still put out this round. Rules FIRE-5 and DECIDE-84."""
    used: tuple[str, ...] = ()
    """Abilities and cards used this round that can be used once in each."""

    def faceup_cards(self, harm: Harm) -> tuple[FaceupCard, ...]:
        """Return the faceup cards of one kind."""
        return self.faceup.get(harm, ())


@frozen
class Monster:
    """One monster on the board. Rules MONSTER-1, SECRET-11, SECRET-12."""

    monster_id: MonsterId
    kind: str
    number: int
    """Of its ID token; 0 for the first of its kind, if not unique. Rules MONSTER-7, MONSTER-8."""
    space: SpaceId
    health: int
    awareness: int
    horror_rating: int
    brawn: int
    damage: int = 0
    abilities: tuple[str, ...] = ()
    """What the back of its token says, by name. Rules MONSTER-4 and SECRET-11."""
    in_force: Text | None = None
    """The text of the attack, evade check, horror check or activation that is being resolved."""


@frozen
class TokenOffer:
    """What somebody reads who opens a token to examine it. Rules ACTION-9 and DECIDE-25."""

    text: Text
    needs_action: bool
    """Whether it has the action icon. Rule ACTION-5."""


@frozen
class Token:
    """A token of the scenario, on a space or a door."""

    token_id: TokenId
    kind: TokenKind
    at: str
    """A space, or for most Explore tokens a door."""
    offers: tuple[TokenOffer, ...] = ()
    """The options it always has; those that come and go stand in questions only."""
    is_anonymous: bool = False
    """For a person: a black silhouette rather than somebody with a name. Rule TOKEN-6."""


@frozen
class Feature:
    """A square token in a space. Rule FEATURE-1."""

    feature_id: FeatureId
    kind: FeatureKind
    space: SpaceId
    against: str | None = None
    """For a Barricade: the door that it blocks, or the Secret Passage by its id; None where it
    stands free. DECIDE-92."""


@frozen
class OpenTest:
    """The skill test being made. Rule TEST-2."""

    investigator: InvestigatorId
    skill: Skill
    modifier: int
    difficulty: int | None
    """None where none was declared or it is hidden. Rules TEST-10 and SECRET-16."""
    pool: int
    faces: tuple[Face, ...] = ()
    converted: tuple[int, ...] = ()
    """Positions of dice turned into successes by Clues."""


@frozen
class Guess:
    """One guess at a code, with its answer. Rules CODE-7 to CODE-9."""

    pieces: tuple[str, ...]
    successes: int
    investigations: int


@frozen
class CodePuzzle:
    """A code puzzle as everybody sees it. The code itself is dealt from hidden piles."""

    puzzle_id: str
    length: int
    pieces: tuple[str, ...]
    """The distinct pieces that can be part of the code. Rule CODE-3."""
    guesses: tuple[Guess, ...] = ()
    is_solved: bool = False


@frozen
class SlidePuzzle:
    """A slide puzzle as it lies there. How the picture looks is not known before it is solved."""

    puzzle_id: str
    columns: int
    """How many pieces lie beside one another."""
    pieces: tuple[tuple[str, ...], ...]
    """The pieces in the order in which they lie now, row by row; each is a drawing in lines."""
    is_solved: bool = False


@frozen
class LockPiece:
    """A piece of a lock. Rules LOCK-2 and LOCK-4."""

    row: int
    column: int
    """Its upper left cell, from 0."""
    length: int
    is_upright: bool

    def cells(self) -> tuple[tuple[int, int], ...]:
        """Return the cells that it covers, as rows and columns."""
        down, across = (1, 0) if self.is_upright else (0, 1)
        return tuple((self.row + k * down, self.column + k * across) for k in range(self.length))

    def slid(self, by: int) -> "LockPiece":
        """Return the piece so many cells further along itself."""
        if self.is_upright:
            return evolve(self, row=self.row + by)
        return evolve(self, column=self.column + by)


@frozen
class LockPuzzle:
    """A lock puzzle as it lies there. Rules LOCK-1 and LOCK-6."""

    puzzle_id: str
    rows: int
    columns: int
    pieces: tuple[LockPiece, ...]
    """The first is the special piece."""
    is_solved: bool = False


Puzzle = CodePuzzle | SlidePuzzle | LockPuzzle


@frozen
class PuzzleAttempt:
    """The attempt at a puzzle that is going on. Rules PUZZLE-2 to PUZZLE-4 and PUZZLE-11."""

    investigator: InvestigatorId
    puzzle: str
    allowed: int
    """Puzzle steps in all, those added included."""
    made: int = 0

    @property
    def left(self) -> int:
        """How many puzzle steps are left."""
        return self.allowed - self.made


class TimerUnit(enum.Enum):
    """What a timer counts."""

    ROUNDS = "rounds"
    TURNS = "turns"


@frozen
class RunningTimer:
    """A timer of the scenario that everybody sees."""

    timer_id: str
    text: Text
    unit: TimerUnit
    left: int
    """How many of them, the one that is going on included; at the end of the last it runs out."""


@frozen
class InvestigatorResult:
    """How it ended for one investigator, and why."""

    investigator: InvestigatorId
    has_won: bool
    reason: Text


@frozen
class Ending:
    """How the game ended. Rules WIN-3, WIN-5, DECIDE-71."""

    is_won: bool
    """The common result."""
    epilogue: Text
    results: tuple[InvestigatorResult, ...]


_map_of = memo(most=256)(compose)
"""Maps of equal tiles are one object all the same (`compose`), whichever tables they lie on."""


@memo()
def _numbers_in(memory: tuple[Sealed[Mapping[str, int]], ...]) -> Mapping[str, int]:
    numbers: dict[str, int] = {}
    for changes in memory:
        numbers.update(changes.value)
    return numbers


@frozen
class SecondEditionTable(GameTable):
    """All pieces of one game."""

    phase: Phase = Phase.SETUP
    step: MythosStep | None = None
    round_number: int = 0
    active: InvestigatorId | None = None
    """Whose turn it is. Rule TURN-5."""
    actions_left: int = 0
    tiles: tuple[PlacedTile, ...] = ()
    coverings: tuple[Covering, ...] = ()
    """Wall and Door tokens, in the order in which they were placed. Rules WALL-3 and DOOR-3."""
    investigators: Mapping[InvestigatorId, Investigator] = attrs.field(factory=dict)
    """In the order in which they joined, by seat."""
    monsters: Mapping[MonsterId, Monster] = attrs.field(factory=dict)
    """In the order in which they appeared."""
    next_monster: int = 1
    tokens: Mapping[TokenId, Token] = attrs.field(factory=dict)
    features: Mapping[FeatureId, Feature] = attrs.field(factory=dict)
    """In the order in which they were placed."""
    lying: Mapping[SpaceId, tuple[Possession, ...]] = attrs.field(factory=dict)
    """Possessions on the board. Rule DROP-1."""
    supply: Mapping[CardId, int] = attrs.field(factory=dict)
    """Copies left of each Item, Spell and open Condition. Rules SETUP-4 and LIMIT-2."""
    backs: Mapping[CardId, CardId] = attrs.field(factory=dict)
    """The backs of two-sided Items, by their fronts: open to all. Rules SECRET-9, DECIDE-129."""
    next_possession: int = 1
    objective: Text | None = None
    chapter: Text | None = None
    """Of the story, where it has chapters."""
    counters: Mapping[str, Sealed[int]] = attrs.field(factory=dict)
    """What the scenario of a log of version 1 remembers, each number sealed to everybody."""
    memory: tuple[Sealed[Mapping[str, int]], ...] = ()
    """What the scenario remembers, sealed to everybody: the numbers that changed, oldest first."""
    timers: Mapping[str, RunningTimer] = attrs.field(factory=dict)
    """Those that run and are seen, in the order in which they were first started."""
    progress: Mapping[str, int] = attrs.field(factory=dict)
    """Successes gathered on tests of unknown difficulty. Rules TEST-16 and DECIDE-113."""
    puzzles: Mapping[str, Puzzle] = attrs.field(factory=dict)
    attempt: PuzzleAttempt | None = None
    test: OpenTest | None = None
    countdown: int | None = None
    """The round whose Investigator phase is the last. Rules ELIMINATED-5 and DECIDE-66."""
    done: tuple[str, ...] = ()
    """What this phase has seen to already: the monsters activated or the investigators who
    checked, the Mythos events told. Empty again in the next step."""
    ending: Ending | None = None
    legacy: Legacy | None = None
    """What is left to the next scenario of the campaign, once the result is final."""

    def remembered(self, name: str) -> int | None:
        """
        Return a number that the scenario remembers; None where it remembers none.

        SealedError where the memory is sealed: only the rules may look.
        """
        numbers = _numbers_in(self.memory)
        if name in numbers:
            return numbers[name]
        number = self.counters.get(name)
        return None if number is None else number.value

    def came_out(self) -> GameEnd | None:
        """See `GameTable.came_out`."""
        return None if self.ending is None else GameEnd(self.ending.is_won, self.round_number)

    def left_over(self) -> Legacy | None:
        """Return what the game leaves to the next one of its campaign, once it is over."""
        return self.legacy

    @property
    def map(self) -> Map:
        """The board's map."""
        return _map_of(self.tiles, self.coverings)

    def spaces_with(self, kind: FeatureKind) -> tuple[SpaceId, ...]:
        """Return the spaces that hold a feature of a kind, sorted."""
        return tuple(sorted({f.space for f in self.features.values() if f.kind is kind}))

    def has_feature(self, kind: FeatureKind, space: SpaceId | None) -> bool:
        """Return whether a space holds a feature of a kind."""
        # In a plain loop: a generator for `any` takes longer than a few features do.
        for feature in self.features.values():
            if feature.kind is kind and feature.space == space:
                return True
        return False

    def facedown_count(self, investigator: InvestigatorId, harm: Harm) -> int:
        """Return how many facedown cards of a kind lie in front of an investigator."""
        return len(self.piles.get(facedown_pile(investigator, harm), ()))

    def harm_count(self, investigator: InvestigatorId, harm: Harm) -> int:
        """Return how many cards of a kind an investigator has. Rule DECIDE-50."""
        faceup = self.investigators[investigator].faceup_cards(harm)
        return len(faceup) + self.facedown_count(investigator, harm)

    def standing(self) -> tuple[InvestigatorId, ...]:
        """Return the investigators who are not eliminated, in order."""
        everybody = self.investigators.values()
        return tuple([one.investigator_id for one in everybody if not one.is_eliminated])

    def with_investigator(
        self, investigator: InvestigatorId, **changes: Any
    ) -> "SecondEditionTable":
        """Return the table with fields of one investigator changed."""
        changed = evolve(self.investigators[investigator], **changes)
        return evolve(self, investigators={**self.investigators, investigator: changed})


def deck(harm: Harm) -> str:
    """Return the name of the Damage or the Horror deck among the piles."""
    return f"deck/{harm.value}"


def copies_deck(card: CardId) -> str:
    """
    Return the name of a pile: the copies of one Spell or two-sided Condition.

    Nobody knows their backs. Rules SECRET-4 and SECRET-8.
    """
    return f"deck/{card}"


INSANE_DECK = "deck/insane"
"""The pile of Insane Conditions that this many players can get."""


def facedown_pile(investigator: InvestigatorId, harm: Harm) -> str:
    """Return the name of an investigator's facedown cards among the piles."""
    return f"facedown/{harm.value}/{investigator}"


register_game(RULESET, SecondEditionTable)

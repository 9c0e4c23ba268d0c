"""
The table of the second edition: board, investigators, monsters, tokens, cards.

Everything here is public except `Sealed` values and the cards in piles. The abilities of cards,
monsters and investigators are content and stay on the server: the table has what a player would see
on a real table.
"""

import enum
from collections.abc import Mapping
from typing import Any

import attrs

from protocol.boards.maps import Covering, Map, PlacedTile, compose
from protocol.common.table import GameEnd, GameTable, Handle, Legacy, RoomTable, register_game
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
"""Name of the only role. In logs from before roles, every seat has this role."""


class Skill(enum.Enum):
    """The six skills. Rule SKILL-1."""

    STRENGTH = "strength"
    AGILITY = "agility"
    OBSERVATION = "observation"
    LORE = "lore"
    INFLUENCE = "influence"
    WILL = "will"


class Face(enum.Enum):
    """The faces of a die. Rule DICE-1."""

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
    """Kind of a token. Rule TOKEN-1."""

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
    """A faceup Damage or Horror card of an investigator."""

    handle: Handle
    card: CardId


@frozen
class Possession:
    """An Item or a Spell, of an investigator or in a space. Rule POSSESSION-1."""

    possession_id: PossessionId
    card: CardId
    """Front of the card."""
    handle: Handle = ""
    """For a Spell: handle of the copy, which determines the back. Rules SPELL-1 and DECIDE-128."""
    turned_to: CardId | None = None
    """Back of the card while the back is face up; else None. Rule TWOSIDED-3."""

    @property
    def face(self) -> CardId:
        """The side that is face up, whose name and effects apply. Rule ITEM-4."""
        return self.card if self.turned_to is None else self.turned_to


@frozen
class Condition:
    """A Condition of an investigator."""

    card: CardId
    """Front of the card."""
    handle: Handle = ""
    """Handle of the copy, if the Condition has several backs. Rule CONDITION-4."""
    back: Sealed[CardId] | None = None
    """Back of an Insane Condition, known to its owner only. Rule SECRET-6."""
    turned_to: CardId | None = None
    """Back of the card while the back is face up for all; else None. Rule TWOSIDED-3."""

    @property
    def face(self) -> CardId:
        """The side that is face up, whose name and effects apply."""
        return self.card if self.turned_to is None else self.turned_to


@frozen
class Investigator:
    """One investigator: card, figure, cards and possessions."""

    investigator_id: InvestigatorId
    seat: int
    health: int
    sanity: int
    skills: Mapping[Skill, int]
    space: SpaceId | None = None
    """Space of the figure; None while the figure is off the board. Rule CLEAR-4."""
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
    """Actions performed this round, in order, without forfeited ones."""
    quenches: int = 0
    """Number of Fires that the investigator may still put out this round. Rules FIRE-5 and
    DECIDE-84."""
    used: tuple[str, ...] = ()
    """Once-per-round abilities and cards already used this round."""

    def faceup_cards(self, harm: Harm) -> tuple[FaceupCard, ...]:
        """Return the faceup cards of one kind."""
        return self.faceup.get(harm, ())


@frozen
class Monster:
    """One monster on the board. Rules MONSTER-1, SECRET-11, SECRET-12."""

    monster_id: MonsterId
    kind: str
    number: int
    """Number of the monster's ID token; 0 for the first monster of its kind. Rules MONSTER-7 and
    MONSTER-8."""
    space: SpaceId
    health: int
    awareness: int
    horror_rating: int
    brawn: int
    damage: int = 0
    abilities: tuple[str, ...] = ()
    """Names of the abilities on the back of the monster's token. Rules MONSTER-4 and SECRET-11."""
    in_force: Text | None = None
    """Text of the attack, evade check, horror check or activation being resolved."""


@frozen
class TokenOffer:
    """An option shown to players who examine a token. Rules ACTION-9 and DECIDE-25."""

    text: Text
    needs_action: bool
    """True if the option has the action icon. Rule ACTION-5."""


@frozen
class Token:
    """A token of the scenario, on a space or a door."""

    token_id: TokenId
    kind: TokenKind
    at: str
    """Id of a space, or for most Explore tokens of a door."""
    offers: tuple[TokenOffer, ...] = ()
    """Permanent options of the token; other options are in questions only."""
    is_anonymous: bool = False
    """For a person: true if the token shows a black silhouette without a name. Rule TOKEN-6."""


@frozen
class Wellbeing:
    """The health of a person who can be hurt, and their damage so far."""

    health: int
    damage: int


@frozen
class Feature:
    """A square token in a space. Rule FEATURE-1."""

    feature_id: FeatureId
    kind: FeatureKind
    space: SpaceId
    against: str | None = None
    """For a Barricade: the door that the Barricade blocks, or the id of the Secret Passage; None if
    it blocks neither. DECIDE-92."""


@frozen
class OpenTest:
    """The skill test being made. Rule TEST-2."""

    investigator: InvestigatorId
    skill: Skill
    modifier: int
    difficulty: int | None
    """Number of successes needed; None if there is no number or it is hidden. Rules TEST-10 and
    SECRET-16."""
    pool: int
    faces: tuple[Face, ...] = ()
    converted: tuple[int, ...] = ()
    """Indexes of the dice that Clues turned into successes."""


@frozen
class Guess:
    """One guess at a code, with its answer. Rules CODE-7 to CODE-9."""

    pieces: tuple[str, ...]
    successes: int
    investigations: int


@frozen
class CodePuzzle:
    """Public state of a code puzzle. The code itself is dealt from hidden piles."""

    puzzle_id: str
    length: int
    pieces: tuple[str, ...]
    """Distinct pieces that the code may have. Rule CODE-3."""
    guesses: tuple[Guess, ...] = ()
    is_solved: bool = False


@frozen
class SlidePuzzle:
    """State of a slide puzzle. The picture is not known before it is solved."""

    puzzle_id: str
    columns: int
    """Number of pieces in a row."""
    pieces: tuple[tuple[str, ...], ...]
    """Pieces in their present order, row by row; each is a drawing in lines."""
    is_solved: bool = False


@frozen
class LockPiece:
    """A piece of a lock. Rules LOCK-2 and LOCK-4."""

    row: int
    column: int
    """Column of the piece's upper left cell, from 0."""
    length: int
    is_upright: bool

    def cells(self) -> tuple[tuple[int, int], ...]:
        """Return the cells that the piece covers, as rows and columns."""
        down, across = (1, 0) if self.is_upright else (0, 1)
        return tuple((self.row + k * down, self.column + k * across) for k in range(self.length))

    def slid(self, by: int) -> "LockPiece":
        """Return the piece moved along its length by `by` cells; negative is left or up."""
        if self.is_upright:
            return evolve(self, row=self.row + by)
        return evolve(self, column=self.column + by)


@frozen
class LockPuzzle:
    """State of a lock puzzle. Rules LOCK-1 and LOCK-6."""

    puzzle_id: str
    rows: int
    columns: int
    pieces: tuple[LockPiece, ...]
    """The pieces; the first is the special piece."""
    is_solved: bool = False


Puzzle = CodePuzzle | SlidePuzzle | LockPuzzle


@frozen
class PuzzleAttempt:
    """The current attempt at a puzzle. Rules PUZZLE-2 to PUZZLE-4 and PUZZLE-11."""

    investigator: InvestigatorId
    puzzle: str
    allowed: int
    """Number of puzzle steps in all, including added ones."""
    made: int = 0

    @property
    def left(self) -> int:
        """Number of puzzle steps left."""
        return self.allowed - self.made


class TimerUnit(enum.Enum):
    """Unit of a timer."""

    ROUNDS = "rounds"
    TURNS = "turns"


@frozen
class RunningTimer:
    """A visible timer of the scenario."""

    timer_id: str
    text: Text
    unit: TimerUnit
    left: int
    """Rounds or turns left, including the current one; the timer runs out at the end of the
    last."""


@frozen
class InvestigatorResult:
    """Result of one investigator and its reason."""

    investigator: InvestigatorId
    has_won: bool
    reason: Text


@frozen
class Ending:
    """End of the game. Rules WIN-3, WIN-5, DECIDE-71."""

    is_won: bool
    """True if the group won. Single investigators can have other results."""
    epilogue: Text
    results: tuple[InvestigatorResult, ...]


_map_of = memo(most=256)(compose)
"""Cached `compose`: finds the board of the same tiles by identity, which is cheaper than
`compose`'s own lookup by equality."""


@memo()
def _numbers_in(memory: tuple[Sealed[Mapping[str, int]], ...]) -> Mapping[str, int]:
    numbers: dict[str, int] = {}
    # Later changes win.
    for changes in memory:
        numbers.update(changes.value)
    return numbers


@frozen
class SecondEditionTable(GameTable):
    """State of one game of the second edition."""

    has_settings = ("takebacks", "as_proposed")

    phase: Phase = Phase.SETUP
    step: MythosStep | None = None
    round_number: int = 0
    active: InvestigatorId | None = None
    """Investigator whose turn it is; None between turns. Rule TURN-5."""
    actions_left: int = 0
    tiles: tuple[PlacedTile, ...] = ()
    coverings: tuple[Covering, ...] = ()
    """Wall and Door tokens, in the order of placement. Rules WALL-3 and DOOR-3."""
    investigators: Mapping[InvestigatorId, Investigator] = attrs.field(factory=dict)
    """Investigators by id, in the order of joining, by seat."""
    monsters: Mapping[MonsterId, Monster] = attrs.field(factory=dict)
    """Monsters by id, in the order of appearance."""
    next_monster: int = 1
    tokens: Mapping[TokenId, Token] = attrs.field(factory=dict)
    persons: Mapping[TokenId, Wellbeing] = attrs.field(factory=dict)
    """Persons on the board who can be hurt, by their tokens."""
    features: Mapping[FeatureId, Feature] = attrs.field(factory=dict)
    """Features by id, in the order of placement."""
    lying: Mapping[SpaceId, tuple[Possession, ...]] = attrs.field(factory=dict)
    """Possessions on the board, by space. Rule DROP-1."""
    supply: Mapping[CardId, int] = attrs.field(factory=dict)
    """Remaining copies of each Item, Spell and open Condition. Rules SETUP-4 and LIMIT-2."""
    backs: Mapping[CardId, CardId] = attrs.field(factory=dict)
    """Backs of two-sided Items by their fronts, which are public. Rules SECRET-9, DECIDE-129."""
    next_possession: int = 1
    objective: Text | None = None
    chapter: Text | None = None
    """Chapter of the story; None if it has no chapters."""
    counters: Mapping[str, Sealed[int]] = attrs.field(factory=dict)
    """Memory of the scenario on logs of version 1: numbers, which no seat may read."""
    memory: tuple[Sealed[Mapping[str, int]], ...] = ()
    """Memory of the scenario: changed numbers, oldest first, which no seat may read."""
    timers: Mapping[str, RunningTimer] = attrs.field(factory=dict)
    """Running visible timers, in the order of their first start."""
    progress: Mapping[str, int] = attrs.field(factory=dict)
    """Successes collected in tests of unknown difficulty. Rules TEST-16 and DECIDE-113."""
    puzzles: Mapping[str, Puzzle] = attrs.field(factory=dict)
    attempt: PuzzleAttempt | None = None
    test: OpenTest | None = None
    countdown: int | None = None
    """Round with the last Investigator phase; None before an elimination. Rules ELIMINATED-5 and
    DECIDE-66."""
    done: tuple[str, ...] = ()
    """Things done in this step: monsters activated, investigators who checked, Mythos events told.
    Emptied by the next step."""
    ending: Ending | None = None
    legacy: Legacy | None = None
    """State for the next scenario of the campaign; None before the result is final."""

    def remembered(self, name: str) -> int | None:
        """
        Return a number of the scenario's memory; None if it does not exist.

        SealedError if the memory is sealed here: only rules may read it.
        """
        numbers = _numbers_in(self.memory)
        if name in numbers:
            return numbers[name]
        # Logs of version 1 keep each number in a record of its own.
        number = self.counters.get(name)
        return None if number is None else number.value

    def results_of(self, seat: int | None) -> list[InvestigatorResult]:
        """Return the results of the investigators of a seat; empty before the end."""
        results = () if self.ending is None else self.ending.results
        own = {who.investigator_id for who in self.investigators.values() if who.seat == seat}
        return [result for result in results if result.investigator in own]

    def came_out(self) -> GameEnd | None:
        if self.ending is None:
            return None
        return GameEnd((INVESTIGATOR,) if self.ending.is_won else (), self.round_number)

    def has_won(self, room: RoomTable, seat: int) -> bool:
        """
        Return whether a seat has won with all of its investigators. Rule WIN-6.

        A seat without investigators has the common result.
        """
        own = self.results_of(seat)
        return all(result.has_won for result in own) if own else super().has_won(room, seat)

    def left_over(self) -> Legacy | None:
        return self.legacy

    @property
    def map(self) -> Map:
        """The board's map."""
        return _map_of(self.tiles, self.coverings)

    def spaces_with(self, kind: FeatureKind) -> tuple[SpaceId, ...]:
        """Return the spaces with a feature of a kind, sorted."""
        return tuple(sorted({f.space for f in self.features.values() if f.kind is kind}))

    def has_feature(self, kind: FeatureKind, space: SpaceId | None) -> bool:
        """Return whether a space has a feature of a kind."""
        # A plain loop, since creating a generator for `any` costs more than looking at a few.
        for feature in self.features.values():
            if feature.kind is kind and feature.space == space:
                return True
        return False

    def facedown_count(self, investigator: InvestigatorId, harm: Harm) -> int:
        """Return the number of facedown cards of a kind that an investigator has."""
        return len(self.piles.get(facedown_pile(investigator, harm), ()))

    def harm_count(self, investigator: InvestigatorId, harm: Harm) -> int:
        """Return the number of cards of a kind that an investigator has. Rule DECIDE-50."""
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
"""Pile of the Insane Conditions that fit the number of players."""


def facedown_pile(investigator: InvestigatorId, harm: Harm) -> str:
    """Return the name of an investigator's facedown cards among the piles."""
    return f"facedown/{harm.value}/{investigator}"


register_game(RULESET, SecondEditionTable)

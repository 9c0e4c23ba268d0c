"""Stories: a board, questions to the keeper, objectives, and what lies where for each answer."""

import enum
import itertools
from collections.abc import Mapping
from typing import Annotated

import attrs

from content.games.first_edition.schema.cards import Modifier, Trigger
from content.games.first_edition.schema.effects import Effect
from content.games.first_edition.schema.kinds import (
    ActionId,
    AllyId,
    CharacterId,
    Exploration,
    ItemId,
    Kind,
    LockId,
    MonsterId,
    MythosId,
    NewCounter,
    OptionId,
    PlainText,
    PlayerNumbers,
    QuestionId,
    RoomId,
    SpaceId,
    TokenId,
)
from content.games.first_edition.schema.requirements import Requirement
from content.reading.meanings import Bounds, Declares, Names
from protocol.games.first_edition.words import FeatureKind, Side, StoryDeck, TaleKind


@attrs.frozen
class LaidTile:
    """A tile and its place on the board. K-MAP-1."""

    id: Annotated[str, Declares(Kind.TILE)]
    """The id of the tile. Its spaces are `<id>/<letter>`."""
    row: Annotated[int, Bounds(0, 500)]
    column: Annotated[int, Bounds(0, 999)]
    drawing: str
    """The drawing of the tile, a block of lines; `/`, `\\\\` and `X` are corners that can be
    crossed."""
    rooms: Mapping[str, RoomId]
    """The room of each space, by the letter of the space. K-MAP-2."""


@attrs.frozen
class Room:
    """A room of the board."""

    id: Annotated[str, Declares(Kind.ROOM)]
    outdoor: bool = False
    """Whether it is outdoors: walls border one side of it at most. W-OUT-2, W-DECIDE-1."""


class LinkKind(enum.Enum):
    """The kinds of link. K-DECIDE-86."""

    LADDER = "ladder"
    DUCT = "duct"
    UNDER = "under"
    """Below a covered bridge, for boats and flying monsters. W-DECIDE-16."""


@attrs.frozen
class BoardLink:
    """Spaces that count as adjacent for the movement of some figures."""

    kind: LinkKind
    spaces: tuple[SpaceId, ...]


@attrs.frozen
class LaidFeature:
    """A feature or marker on the board at the start. K-DECIDE-61."""

    kind: FeatureKind
    at: Annotated[str, Names(Kind.PLACE)]
    """Its space; for fire and darkness the room."""


@attrs.frozen
class TokenRow:
    """The token under a monster, if the keeper gave these answers. W-DECIDE-37."""

    token: TokenId
    when: Mapping[QuestionId, OptionId] = attrs.field(factory=dict)


@attrs.frozen
class LaidMonster:
    """A monster on the board at the start. K-DECIDE-61."""

    kind: MonsterId
    at: SpaceId
    tokens: tuple[TokenRow, ...] = ()
    """Its token, one for each full set of answers; drawn if left out. W-DECIDE-37."""

    def token_for(self, answers: Mapping[str, str]) -> str | None:
        """Return the token for a full set of answers; None if it is drawn."""
        return next((row.token for row in self.tokens if fits(row.when, answers)), None)


@attrs.frozen
class QuestionOption:
    """One answer to a question."""

    id: Annotated[str, Declares(Kind.OPTION)]
    """A word, unique in the story. Its words are the text of `<story>/<option>`."""


@attrs.frozen
class StoryQuestion:
    """A question that the keeper answers in setup. K-DECIDE-5."""

    id: Annotated[str, Declares(Kind.QUESTION)]
    """A word, unique in the story. Its words are the text of `<story>/<question>`."""
    options: tuple[QuestionOption, ...]
    by_vote: bool = False
    """Whether the investigators answer it in secret instead. W-DECIDE-47."""


@attrs.frozen
class Tale:
    """A story card of an ally. W-CARD-8."""

    id: Annotated[str, Declares(Kind.TALE)]
    kind: TaleKind
    effect: Effect = ()
    keep: bool = False
    """Whether it stays with the investigator who heard it, instead of being discarded."""


@attrs.frozen
class StoryAlly:
    """An ally of the story, with its story cards from the top. W-CARD-7, W-DECIDE-32."""

    ally: AllyId
    at: SpaceId | None = None
    """Its space at the start; left out if an effect brings it later."""
    tales: tuple[Tale, ...] = ()
    open_to_keeper: bool = False
    """Whether the keeper knows its story cards from the start. W-SECRET-9."""


class Knowers(enum.Enum):
    """Viewers who know a story card while it is face down."""

    NOBODY = "nobody"
    KEEPER = "keeper"
    OWNER = "owner"
    """The keeper, and the player of the investigator who has it. W-SECRET-11."""


@attrs.frozen
class StoryCard:
    """A delusion, trail, mania or find. W-CARD-9."""

    id: Annotated[str, Declares(Kind.STORY_CARD)]
    effect: Effect = ()
    """Effect when it is turned up."""
    modifiers: tuple[Modifier, ...] = ()
    """Effects on its owner while it lies face up: face down, a test would tell what it is."""
    trigger: Trigger | None = None
    """The moment of its owner at which it is turned up; only effects do it if left out."""
    keep: bool = False
    """Whether it stays before its owner after it was turned up."""
    copies: Annotated[int, Bounds(1, 9)] = 1


@attrs.frozen
class StoryCards:
    """A deck of the story. W-DECIDE-50."""

    deck: StoryDeck
    cards: tuple[StoryCard, ...]
    """Its cards; the deck is shuffled in setup. W-SECRET-10."""
    knowers: Knowers | None = None
    """Who knows a card of it that lies face down. If left out: a find nobody, a trail the keeper,
    others the keeper and the owner. W-SECRET-10, W-SECRET-11."""
    rooms: tuple[RoomId, ...] = ()
    """Rooms that get one card each in setup. A room can be named several times."""
    each_ally: bool = False
    """Whether each ally gets a card when it comes."""

    @property
    def known_to(self) -> Knowers:
        """Who knows a card that lies face down. W-DECIDE-49, W-SECRET-10, W-SECRET-11."""
        usual = {StoryDeck.FIND: Knowers.NOBODY, StoryDeck.TRAIL: Knowers.KEEPER}
        return self.knowers or usual.get(self.deck, Knowers.OWNER)


class OnLastEvent(enum.Enum):
    """Winner when the last event is resolved. K-GOAL-5."""

    KEEPER = "keeper"
    INVESTIGATORS = "investigators"
    NONE = "none"


@attrs.frozen
class Ending:
    """An ending for one cause, in place of the usual one of its side."""

    side: Side
    """The side that wins."""
    when: Requirement
    """The cause. The first ending of the side whose cause holds is read."""
    text: PlainText
    """The ending, a text such as `ending/flood/drowned`."""


@attrs.frozen
class Objective:
    """The secret objective of the keeper. K-CARD-2."""

    id: Annotated[str, Declares(Kind.OBJECTIVE)]
    """A subject such as `objective/flood`. Its words are the name, and the text that is read when
    it is revealed. The guide of the keeper is the text of `guide/flood`; the endings, which nobody
    reads before the game is over, are those of `ending/flood/keeper` and
    `ending/flood/investigator`."""
    option: OptionId
    """The answer that selects it."""
    investigators_win: Requirement
    keeper_wins: Requirement
    on_last_event: OnLastEvent
    targets: tuple[MonsterId, ...] = ()
    """Monsters whose death is a condition of it; they cannot be killed automatically.
    K-MONSTER-10."""
    endings: tuple[Ending, ...] = ()
    """Endings for single causes; the usual ones are read in all other cases."""

    def usual_ending(self, side: Side) -> str:
        """Return the subject of the usual ending of a side."""
        return f"ending/{self.id.partition('/')[2]}/{side.value}"


@attrs.frozen
class PlacementRow:
    """Exploration cards of one room, top first, if the keeper gave these answers. K-DECIDE-5."""

    room: RoomId
    cards: tuple[Exploration, ...]
    when: Mapping[QuestionId, OptionId] = attrs.field(factory=dict)
    """Answers by question; always if left out. A room has the cards of all its rows in order."""


@attrs.frozen
class LockRow:
    """The lock of a room, if the keeper gave these answers."""

    room: RoomId
    lock: LockId
    when: Mapping[QuestionId, OptionId] = attrs.field(factory=dict)


@attrs.frozen
class StoryClue:
    """A clue. K-DECIDE-38."""

    id: Annotated[str, Declares(Kind.CLUE)]
    number: Annotated[int, Bounds(1, 9)]
    """Its number; the last clue has number 1."""
    effect: Effect = ()


@attrs.frozen
class StoryEvent:
    """An event card. K-CARD-7."""

    id: Annotated[str, Declares(Kind.EVENT)]
    time: Annotated[int, Bounds(1, 9)]
    """The number of time tokens at which it is resolved. K-EVENT-2."""
    effect: Effect = ()


@attrs.frozen
class Deed:
    """An action of the story. K-ACT-2."""

    id: Annotated[str, Declares(Kind.DEED)]
    effect: Effect
    requires: Requirement | None = None
    """Condition for the investigator; otherwise the action is refused with a reason."""
    room: RoomId | None = None
    """The room in which it is performed; anywhere if left out."""
    once: bool = False
    """Whether it can be performed only once in the game."""


@attrs.frozen
class KeeperStart:
    """Threat and cards of the keeper at the start. K-DECIDE-6."""

    threat: PlayerNumbers = (0,)
    mythos: Annotated[int, Bounds(0, 2)] = 0
    trauma: Annotated[int, Bounds(0, 9)] = 0


class Exhaustion(enum.Enum):
    """Course of the game after the last event. K-DECIDE-66."""

    END = "end"
    CONTINUE = "continue"


@attrs.frozen
class Counter:
    """A public number of the story, or a kind of token of the keeper. K-DECIDE-105."""

    id: NewCounter
    """A word, unique in the story. Its words are the name of `<story>/<counter>`."""
    start: Annotated[int, Bounds(0, 99)] = 0
    most: Annotated[int, Bounds(1, 99)] | None = None
    is_token: bool = False
    """Whether it is a token of the keeper, which keeper actions can cost."""


@attrs.frozen
class Story:
    """One story. K-CARD-1."""

    id: Annotated[str, Declares(Kind.SCENARIO)]
    minutes: Annotated[int, Bounds(1, 999)]
    difficulty: Annotated[int, Bounds(1, 5)]
    intro: PlainText
    """The opening text, which is read aloud. K-DECIDE-4."""
    tiles: tuple[LaidTile, ...]
    rooms: tuple[Room, ...]
    start: SpaceId
    """Space in which investigators enter the board. K-SETUP-10."""
    questions: tuple[StoryQuestion, ...]
    objectives: tuple[Objective, ...]
    placement: tuple[PlacementRow, ...]
    clues: tuple[StoryClue, ...]
    events: tuple[StoryEvent, ...]
    """The event cards, first to last; the deck is not shuffled. K-EVENT-4."""
    mythos: tuple[MythosId, ...]
    """The mythos deck. K-DECIDE-11."""
    actions: tuple[ActionId, ...]
    """The keeper's actions, which lie open. K-DECIDE-62."""
    monsters: tuple[LaidMonster, ...] = ()
    links: tuple[BoardLink, ...] = ()
    features: tuple[LaidFeature, ...] = ()
    locks: tuple[LockRow, ...] = ()
    deeds: tuple[Deed, ...] = ()
    counters: tuple[Counter, ...] = ()
    keeper_start: KeeperStart = KeeperStart()
    event_exhaustion: Exhaustion = Exhaustion.END
    events_hidden_from_keeper: bool = False
    evade_once_per_turn: bool = False
    corpses: Annotated[int, Bounds(0, 20)] = 8
    """Number of corpse markers. K-DECIDE-10."""
    investigators: tuple[CharacterId, ...] = ()
    """The investigators that can be chosen; all of the pack if left out."""
    most_investigators: Annotated[int, Bounds(1, 4)] = 4
    variants: bool = True
    """Whether the players are asked for variants before the game. K-SETUP-11."""
    outdoor: bool = False
    """Whether the rules of the outdoors replace others here. W-USE-5, W-CARD-1."""
    submerged: tuple[SpaceId, ...] = ()
    """Spaces under water. W-WATER-1."""
    boat_key: ItemId | None = None
    """The item that one needs to use the boat; anybody can if left out. W-DECIDE-13."""
    hidden_actions: tuple[ActionId, ...] = ()
    """Keeper actions that others learn at their first use. W-KACTION-1, W-DECIDE-43."""
    action_picks: Annotated[int, Bounds(0, 20)] = 0
    """Number of hidden actions that the keeper picks in setup; 0 for all. W-DECIDE-44."""
    allies: tuple[StoryAlly, ...] = ()
    decks: tuple[StoryCards, ...] = ()
    """Decks of the story, at most one of each kind. W-DECIDE-50, W-DECIDE-53."""

    def subject_of(self, id_: str) -> str:
        """Return the subject of the words of a question, an option or a counter."""
        return f"{self.id.partition('/')[2]}/{id_}"

    @property
    def fewest_investigators(self) -> int:
        """The least number of investigators: outdoors a lone player leads two. W-PLAYER-1, 2."""
        return 2 if self.outdoor else 1

    @property
    def all_actions(self) -> tuple[str, ...]:
        """The keeper's actions, those that lie open and those that are hidden."""
        return (*self.actions, *self.hidden_actions)

    @property
    def votes(self) -> tuple[StoryQuestion, ...]:
        """The questions that the investigators answer in secret. W-DECIDE-47."""
        return tuple(question for question in self.questions if question.by_vote)

    @property
    def voted_objectives(self) -> tuple[Objective, ...]:
        """The objectives that the investigators choose in secret. W-STORY-4, W-DECIDE-47."""
        options = {one.id for question in self.votes for one in question.options}
        return tuple(objective for objective in self.objectives if objective.option in options)

    @property
    def is_objective_voted(self) -> bool:
        """Whether the investigators choose the objective in secret. W-STORY-4, W-DECIDE-47."""
        return bool(self.voted_objectives)

    @property
    def is_open_to_keeper(self) -> bool:
        """
        Whether the keeper is told the answers to all questions, and knows all cards of the story.

        If not, no side is told all that differs between two setups. W-DECIDE-47, W-SECRET-10.
        """
        return not self.votes and all(deck.known_to is not Knowers.NOBODY for deck in self.decks)

    @property
    def guide(self) -> str:
        """The subject of the guide of a keeper who does not know the objective."""
        return f"guide/{self.id.partition('/')[2]}"

    def answer_sets(self) -> tuple[Mapping[str, str], ...]:
        """Return every full set of answers, in the order of the questions and their options."""
        names = [question.id for question in self.questions]
        options = [[option.id for option in question.options] for question in self.questions]
        return tuple(dict(zip(names, one, strict=True)) for one in itertools.product(*options))

    def objective_of(self, answers: Mapping[str, str]) -> Objective:
        """Return the objective that a full set of answers, by question, selects. K-SETUP-3."""
        chosen = set(answers.values())
        return next(objective for objective in self.objectives if objective.option in chosen)

    def cards_under(self, room: str, answers: Mapping[str, str]) -> tuple[str, ...]:
        """Return the exploration cards of a room, top first, for a full set of answers."""
        rows = (row for row in self.placement if row.room == room and fits(row.when, answers))
        return tuple(card for row in rows for card in row.cards)

    def lock_of(self, room: str, answers: Mapping[str, str]) -> str | None:
        """Return the lock of a room for a full set of answers; None if it has none."""
        rows = (row for row in self.locks if row.room == room and fits(row.when, answers))
        return next((row.lock for row in rows), None)


def fits(when: Mapping[str, str], answers: Mapping[str, str]) -> bool:
    """Return whether answers agree with the ones that a row asks for."""
    return all(answers.get(question) == option for question, option in when.items())


def side_on_last_event(objective: Objective) -> Side | None:
    """Return the side that wins on the last event; None if nobody does."""
    if objective.on_last_event is OnLastEvent.NONE:
        return None
    is_keeper = objective.on_last_event is OnLastEvent.KEEPER
    return Side.KEEPER if is_keeper else Side.INVESTIGATORS

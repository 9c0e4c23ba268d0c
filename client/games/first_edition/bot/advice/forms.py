"""The forms of advice: what a story's module can say, about cards and about its objectives."""

import enum
from collections.abc import Mapping

import attrs

from protocol.games.first_edition.table import AllyId, CardId, RoomId, SpaceId
from protocol.games.first_edition.words import FeatureKind

# Conditions


class Fact(enum.Enum):
    """Number that anybody can count on the table."""

    COUNTER = enum.auto()
    """The amount of a counter of the story: its id."""
    ON_BOARD = enum.auto()
    """Monsters of a kind on the board, or in the room `within`."""
    KILLED = enum.auto()
    """Monsters of a kind that were killed."""
    FEATURE = enum.auto()
    """Features or markers of a kind such as `corpse`, on the board or in the room `within`."""
    PEOPLE = enum.auto()
    """Investigators in a room."""
    CARRIED = enum.auto()
    """Copies of an item that investigators carry, all over the board or in the room `within`."""
    LYING = enum.auto()
    """Copies of an item that lie face up, all over the board or in the room `within`."""
    FOUND = enum.auto()
    """A clue that was found."""
    RESOLVED = enum.auto()
    """An event that was resolved."""
    DONE = enum.auto()
    """A deed that can be done once, and was done."""
    TOLD = enum.auto()
    """A text that was read aloud, such as `six-rooms/first-column`."""
    ANSWERED = enum.auto()
    """
    An option that the keeper chose, which the keeper alone knows, or one that the investigators
    chose in secret, which they alone know.
    """
    TALKED = enum.auto()
    """Story cards that an ally has told."""
    UNTOLD = enum.auto()
    """Story cards that an ally on the board has yet to tell."""
    TOLD_TALE = enum.auto()
    """A story card of an ally, or a card of the story, that was turned up."""
    ALLY = enum.auto()
    """An ally on the board, or in the room `within`."""
    ALLY_GONE = enum.auto()
    """An ally that was killed, or has left."""
    STORY_CARD = enum.auto()
    """
    Copies of a card of the story (delusion, trail, mania or find) in play and face up, or known to
    the seat. With `within` those of one owner: a room, an investigator or an ally.
    """
    CURSES = enum.auto()
    """Curse tokens of an investigator or an ally; of all investigators, if the id is empty."""


@attrs.frozen
class Seen:
    """A condition on the open table: `Seen(Fact.COUNTER, "candle", at_least=3)`."""

    fact: Fact
    id: str
    at_least: int | None = None
    """The least amount; 1 if no amount is given."""
    at_most: int | None = None
    within: RoomId = ""


@attrs.frozen
class Either:
    """Alternatives: all conditions of at least one set must hold."""

    of: tuple[tuple[Seen, ...], ...]


Condition = Seen | Either


@attrs.frozen
class Answer:
    """A choice that a card offers."""

    worth: float
    """Choices of which nothing is said have 20 points."""
    when: tuple[Condition, ...] = ()
    otherwise: float = 5.0
    """Points while not all conditions hold."""


# Cards


class Use(enum.Enum):
    """When an investigator should use the printed action of a card."""

    AT_ONCE = 30.0
    """Whenever it can be used."""
    AGAINST_MONSTERS = 55.0
    """While a monster is in the room."""
    AGAINST_CURSES = 50.0
    """While an investigator or an ally in the room is cursed."""
    SIDELINE = 12.0
    """If there is nothing better to do with an action, and the mind is sound."""


class Moment(enum.Enum):
    """When the keeper should play a mythos card, or lay it face down."""

    ANY = enum.auto()
    ALONE = enum.auto()
    """The victim is alone in the room."""
    BESIDE_MONSTER = enum.auto()
    """A monster is in the victim's space."""
    MONSTER_NEAR = enum.auto()
    """A monster could reach the victim soon, with at most three steps."""
    BEFORE_EXPLORING = enum.auto()
    """The victim's room has exploration cards."""
    WEAK_BODY = enum.auto()
    """The victim has lost half of his health, or more."""
    WEAK_MIND = enum.auto()
    """The victim has lost half of his sanity, or more."""


@attrs.frozen
class Strike:
    """Use of a mythos card."""

    worth: float
    moment: Moment = Moment.ANY
    otherwise: float = 4.0
    """Points at any other moment; the card is kept if they are below 10, but for a full hand."""


class Power(enum.Enum):
    """Main effect of a keeper action, which decides its usual points."""

    MOVES = enum.auto()
    DRAWS_MYTHOS = enum.auto()
    DRAWS_TRAUMA = enum.auto()
    BRINGS_MONSTER = enum.auto()
    HEALS_MONSTERS = enum.auto()
    DARKENS = enum.auto()
    BURNS = enum.auto()
    HARMS = enum.auto()
    """Hurts investigators, or hinders them."""
    COUNTS = enum.auto()
    """Changes a counter. An objective for which that matters says so."""
    CURSES = enum.auto()
    """Gives investigators curse tokens."""
    DIGS = enum.auto()
    """Places pits."""
    LEADS_PEOPLE = enum.auto()
    """Moves investigators, away from cards and into pits."""
    LEADS_ALLIES = enum.auto()
    """Moves allies, towards monsters if they are prey."""
    HURTS_ALLIES = enum.auto()
    EXPLORES = enum.auto()
    """Turns up finds in the room of a monster."""
    RITUAL = enum.auto()
    """Takes puzzle actions in the ritual, which bots solve by themselves."""


@attrs.frozen
class Cards:
    """Advice on cards: those of the box, or a story's own."""

    openers: Mapping[CardId, CardId] = attrs.field(factory=dict)
    """Items that open locks and obstacles."""
    healing: Mapping[CardId, tuple[int, int]] = attrs.field(factory=dict)
    """
    Damage and horror that the printed action of an item, trait or spell heals. It is used when
    somebody near has them.
    """
    uses: Mapping[CardId, Use] = attrs.field(factory=dict)
    """When other printed actions are used."""
    mythos: Mapping[CardId, Strike] = attrs.field(factory=dict)
    actions: Mapping[CardId, Power] = attrs.field(factory=dict)
    """Main effects of keeper actions."""


# Investigators


@attrs.frozen
class Task:
    """A deed of the story that investigators should do."""

    worth: float
    room: RoomId = ""
    """Room of the task; empty if it can be done anywhere, so that nobody walks for it."""
    brings: CardId = ""
    """Item that the task needs. Its holder does the task; without a holder, somebody fetches it."""
    when: tuple[Condition, ...] = ()
    """Conditions: what must come before, or what must be lacking. It is due while all hold."""
    people: int = 1
    """How many go there at the same time, the nearest first."""
    allies: Mapping[CardId, tuple[Condition, ...]] = attrs.field(factory=dict)
    """Conditions by ally. It is done in the room of the first ally whose conditions hold."""


@attrs.frozen
class Lead:
    """The destination of an ally; without one it is led to an investigator who can talk with it."""

    room: RoomId
    worth: float = 40.0
    """Talking has 35 points, if advice does not say otherwise."""
    when: tuple[Condition, ...] = ()


@attrs.frozen
class Guard:
    """A room that should be held."""

    worth: float
    people: int = 1
    """How many should be there, the nearest first; 4 for everybody."""
    when: tuple[Condition, ...] = ()


@attrs.frozen
class Hint:
    """A reason to explore a room, or not to."""

    room: RoomId
    worth: float
    """Additional points while the room has cards to explore."""
    when: tuple[Condition, ...] = ()
    """Such as the text that says where something is."""


@attrs.frozen
class Goals:
    """Plan of the investigators for one objective, or for an unknown objective."""

    deeds: Mapping[CardId, Task] = attrs.field(factory=dict)
    kills: Mapping[CardId, float] = attrs.field(factory=dict)
    """Points for attacking monsters of these kinds; -100 for those to be let alone."""
    guards: Mapping[RoomId, Guard] = attrs.field(factory=dict)
    avoids: Mapping[RoomId, float] = attrs.field(factory=dict)
    """Points that being in a room costs."""
    takes: Mapping[CardId, float] = attrs.field(factory=dict)
    """Points of items that are wanted; usual ones have 15 to 60. -1 for those to be left."""
    carries: Mapping[CardId, RoomId] = attrs.field(factory=dict)
    """Items that must be in a room, all at the same time: their holders go there."""
    burns: bool = False
    """True if corpses are to be dragged to a hearth and burnt."""
    drags_to: RoomId = ""
    """The room to which corpses are to be dragged; empty if they are to be left."""
    blocks: Mapping[RoomId, float] = attrs.field(factory=dict)
    """Points for moving a barricade before a door that leads to a room."""
    talks: Mapping[CardId, Answer] = attrs.field(factory=dict)
    """Points of talking with an ally that has something left to say; 35 if nothing is said here."""
    leads: Mapping[CardId, Lead] = attrs.field(factory=dict)
    """Destinations of allies in their phase."""
    protects: Mapping[CardId, float] = attrs.field(factory=dict)
    """Points more for whatever helps an ally in danger; 15 if nothing is said here."""
    answers: Mapping[str, Answer] = attrs.field(factory=dict)
    """Choices that cards offer, by the subject of their words."""


# The keeper


@attrs.frozen
class Act:
    """A keeper action that an objective wants."""

    worth: float
    """Points. The keeper saves threat for 70 and more; usual actions have 10 to 65."""
    enough: Seen | None = None
    """Condition that reduces the action to 8 points once it holds."""
    when: tuple[Condition, ...] = ()
    """Conditions; the action has 8 points until all of them hold."""


@attrs.frozen
class Scheme:
    """Plan of the keeper for one objective."""

    acts: Mapping[CardId, Act] = attrs.field(factory=dict)
    """Keeper actions with other points than the usual ones."""
    leads: Mapping[CardId, SpaceId | RoomId | FeatureKind] = attrs.field(factory=dict)
    """
    Destination of each kind of monster: a space, a room or any feature of a kind. The monsters stay
    there; all others hunt investigators.
    """
    prey: Mapping[CardId | RoomId | AllyId, float] = attrs.field(factory=dict)
    """
    Additional steps that a monster goes for a victim with this item, in this room, or with this id.
    An ally that is not listed has 3 steps less than an investigator; at -99 it is spared.
    """
    unheard: float = 0.0
    """Additional steps that an ally is worth while nobody has talked with it."""
    finds: float = 3.0
    """
    How many steps more a room with a find of the keeper is worth than a victim: the nearest monster
    goes there, and stays until the room is explored. -99 to let them lie.
    """
    mythos: Mapping[CardId, float] = attrs.field(factory=dict)
    """Points for mythos cards that matter more than usual, or less."""
    answers: Mapping[str, Answer] = attrs.field(factory=dict)
    """Choices that cards offer, by the subject of their words."""


# Stories


@attrs.frozen
class Sign:
    """Public fact that betrays an objective before it is revealed."""

    objective: CardId
    when: tuple[Condition, ...]
    is_sure: bool = False
    """True if it proves the objective, so that even corpses are burnt for it."""


@attrs.frozen
class Advice:
    """All that bots know about one story."""

    story: str
    """Such as `manor/six-rooms`."""
    goals: Mapping[CardId, Goals] = attrs.field(factory=dict)
    """Plans of the investigators by objective, known or guessed."""
    schemes: Mapping[CardId, Scheme] = attrs.field(factory=dict)
    """Plans of the keeper by objective, known or suspected."""
    blind: Scheme = Scheme()
    """The keeper's scheme while the investigators' secret objective is not known to him."""
    suspicions: tuple[Sign, ...] = ()
    """Signs that betray the secret objective to the keeper. The first one seen counts."""
    picks: Mapping[CardId, Answer] = attrs.field(factory=dict)
    """
    Points of hidden keeper actions that can be taken from a pool; others have 20 to 60. Conditions
    with `Fact.ANSWERED` see what the keeper answers in the same setup.
    """
    signs: tuple[Sign, ...] = ()
    """The first that is seen counts."""
    hints: tuple[Hint, ...] = ()
    """Rooms to search before the last clue is found."""
    meanwhile: Goals = Goals()
    """Plan of the investigators until a sign betrays the objective."""
    cards: Cards = Cards()
    """The story's own cards."""
    boat_key: CardId | None = None
    """The item needed for rowing; empty if none is needed, None if there is no boat."""
    votes: Mapping[str, float] = attrs.field(factory=dict)
    """
    How often the investigators choose an option in secret, by its subject, as compared with options
    that are not named, which have 1.
    """

"""
The table: what lies in front of the players, as the fold of the events.

It has two parts. The *room* holds seats, presence, the open question and the draw counter; rules
cannot read it. The *game* holds what one ruleset needs. All of it is frozen: folding an event
returns a new table, so that whoever holds the old one can go back to it.
"""

import enum
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Self, TypeVar

import attrs

from protocol.bounds import BYTES_32
from protocol.common.asks import Audience, Question, Settle
from protocol.common.checkpoints import with_one
from protocol.common.padded import Padded
from protocol.common.proposals import AIMS, Aim
from protocol.common.text import Text
from protocol.errors import UnknownGame
from protocol.event import Event, Record, Sealed
from protocol.plugs import PLACES, UnknownGameError, lineage, plug
from protocol.values import evolve, frozen

Handle = str
"""The opaque name of a hidden card; new whenever the card is mixed among others."""

MAX_LEGACY = 4096
"""Bytes that a game leaves open to the next one of its campaign."""
LOG_VERSION = 2
"""Of the logs that are begun today: by which habits their rooms draw, mix and name."""
MAX_OBSERVERS = 8
"""Observers of one table."""


class Stage(enum.Enum):
    """How far a room has come."""

    LOBBY = "lobby"
    STARTING = "starting"
    PLAYING = "playing"
    OVER = "over"


@frozen
class Observer:
    """Somebody without a seat to whom the secrets of a game are open, as all at the table know."""

    name: str = attrs.field(validator=[attrs.validators.min_len(1), attrs.validators.max_len(40)])
    """What the table calls them."""
    fingerprint: bytes = attrs.field(validator=BYTES_32)
    """Of their public key."""
    delay_seconds: int = attrs.field(
        default=0, validator=[attrs.validators.ge(0), attrs.validators.le(86400)]
    )
    """How much later than the seats they see each record."""


@frozen
class Settings:
    """What the host fixed when the table was opened."""

    spectators: bool = False
    """Whether people without a seat may watch what is open to all."""
    time_limit_seconds: int = attrs.field(
        default=0, validator=[attrs.validators.ge(0), attrs.validators.le(7 * 86400)]
    )
    """How long a question waits before its default is taken; 0 for ever."""
    secrets_go_along: bool = True
    """Whether somebody who is given a seat learns what it was told before."""
    publish: bool = True
    """Whether the whole log is opened to all once the result is final."""
    takebacks: bool = True
    """Whether somebody may propose to go back to a checkpoint."""
    spectators_delay_seconds: int = attrs.field(
        default=0, validator=[attrs.validators.ge(0), attrs.validators.le(3600)]
    )
    """How much later than the seats people without one see each record."""
    stops: bool = False
    """Whether a timed window opens only if somebody has a stop there; each opens otherwise."""
    window_seconds: int = attrs.field(
        default=10, validator=[attrs.validators.ge(1), attrs.validators.le(600)]
    )
    """How long each timed window is open."""
    observers: tuple[Observer, ...] = attrs.field(
        default=(), validator=attrs.validators.max_len(MAX_OBSERVERS)
    )
    """To whom all secrets are open but talk, seeds and standing passes; none of them has a seat."""
    by_calendar: bool = False
    """Whether a time limit runs on while nobody is here and while the server is down."""


MAX_WITHHELD = 2
"""Starts that may fail for want of one seat's share before the host may empty it."""


@frozen
class Seat:
    """One chair at the table and who sits in it."""

    seat: int
    name: str
    key: bytes
    """The Ed25519 public key that the seat belongs to."""
    is_bot: bool = False
    is_ready: bool = False
    is_present: bool = False
    role: str = ""
    """As claimed; empty before the game for the first of the game's roles."""
    characters: tuple[str, ...] = ()
    """Whom this seat claimed to play, by id."""
    since: int = 0
    """The first sequence whose secrets its present owner may see."""
    withheld: int = 0
    """How many starts have failed for want of this seat's share."""
    prepared: Sealed[Padded] | None = None
    """What the seat has prepared for the game, in the game's own bytes."""
    brought: Sealed[Padded] | None = None
    """What the last game of the campaign left to whoever sits here, in the game's own bytes."""
    knows_setup: bool = False
    """Whether its owner said that they know the fixed setup, and want it all the same."""


@frozen
class OpenAsk:
    """The question on the table."""

    ask_id: int
    rule: str
    """The id of the rule that asks."""
    about: Text
    """What it is about, in words that all may read."""
    settle: Settle
    questions: Mapping[int, Sealed[Question]]
    """By seat; each seat can read its own."""
    voters: tuple[tuple[str, int], ...]
    """For votes: the pieces among which a hidden would fall, each with its seat."""
    asked_at: int
    """Milliseconds since 1970."""
    answered: tuple[int, ...] = ()
    votes: Mapping[int, tuple[str, ...]] = attrs.field(factory=dict)
    """By seat what it is for, as far as all may read it."""
    within: tuple[Text, ...] = ()
    """What is being resolved, outermost first."""
    kind: str = ""
    """What seats may pass on for good, by a subject that names it; empty where they cannot."""
    seconds: int = 0
    """For UNLESS_OBJECTED: how long somebody may object; for WINDOW: how long it is open."""
    audience: Audience = Audience.ALL
    """For votes: who may read one before all are in."""
    ballots: Mapping[int, Sealed[tuple[str, ...]]] = attrs.field(factory=dict)
    """By seat the votes that nobody else may read yet."""
    lot_wanted_by: tuple[int, ...] = ()
    """For votes: the seats, ascending, that want a lot drawn since the last vote."""

    @property
    def has_open_votes(self) -> bool:
        """Whether the seats vote, and all may read each vote as it is given."""
        return self.settle.is_vote and self.audience is Audience.ALL

    @property
    def has_ballots(self) -> bool:
        """Whether the seats vote, and nobody may read a vote before all are in."""
        return self.settle.is_vote and self.audience is Audience.NOBODY

    @property
    def decision(self) -> tuple[str, ...] | None:
        """What enough of the seats asked voted for; None as long as too few agree."""
        asked = len(self.questions)
        enough = asked if self.settle is Settle.AGREE else asked // 2 + 1
        counts = Counter(self.votes.values())
        return next((picks for picks, count in counts.items() if count >= enough), None)

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that have not answered yet."""
        return tuple(
            seat for seat in self.questions if seat not in self.answered and seat not in self.votes
        )


@frozen
class Proposal:
    """Something that needs agreement: going back, giving a seat away, a correction."""

    proposal_id: int
    kind: str
    """`take_back`, `give_seat`, `correct` or `give_up`."""
    by: int
    """The seat that proposes."""
    checkpoint: int = -1
    """For `take_back`: the sequence of the checkpoint."""
    seat: int = -1
    """For `give_seat`: which one."""
    name: str = ""
    key: bytes = b""
    is_bot: bool = False
    piece: str = ""
    """For `correct`: what on the table is not as it should be."""
    amount: int = 0
    """For `correct`: what it should say."""
    consents: tuple[int, ...] = ()

    @classmethod
    def of(cls, aim: Aim, proposal_id: int, by: int) -> "Proposal":
        """Return a seat's proposal of an aim, as the log has it; nobody else has agreed yet."""
        fields: dict[str, Any] = attrs.asdict(aim)
        return cls(proposal_id, aim.kind, by, **fields)

    @property
    def aim(self) -> Aim | None:
        """What it is for; None for a kind that there is not."""
        kind: Any = AIMS.get(self.kind)
        if kind is None:
            return None
        aim: Aim = kind(*(getattr(self, field.name) for field in attrs.fields(kind)))
        return aim


@frozen
class Ceremony:
    """The start: everybody commits to their share of chance, then everybody opens it."""

    commitments: Mapping[int, bytes] = attrs.field(factory=dict)
    shares: Mapping[int, bytes] = attrs.field(factory=dict)


@frozen
class Legacy:
    """What a finished game leaves to the next one of its campaign, open to all."""

    campaign: str
    shared: bytes = attrs.field(validator=attrs.validators.max_len(MAX_LEGACY))
    """In the game's own bytes."""


@frozen
class FixedSetup:
    """A setup that several tables play, known by a commitment until its owner closes it."""

    setup_id: str
    commitment: bytes = attrs.field(validator=BYTES_32)
    """To the seed of the house (`protocol.common.chance.commitment_of_setup`)."""


@frozen
class Branch:
    """Where on another log a branch begins."""

    room_id: str
    head: bytes
    """Of the chain after that record."""
    sequence: int = attrs.field(validator=attrs.validators.ge(1))
    """Of the last record that the branch repeats: a checkpoint."""


@frozen
class RoomTable:
    """Seats and everything else that rules cannot read."""

    room_id: str = ""
    ruleset: str = ""
    scenario: str = ""
    """The pack and scenario, `core/name`."""
    content_hash: bytes = b""
    products_off: tuple[str, ...] = ()
    """Parts of the content that are switched off at this table. Rule APP-18."""
    legacy: Legacy | None = None
    """What the game begins with, where it goes on with a campaign."""
    settings: Settings = Settings()
    stage: Stage = Stage.LOBBY
    host: int = 0
    seats: Mapping[int, Seat] = attrs.field(factory=dict)
    ceremony: Ceremony | None = None
    version: int = 1
    """By which habits the room draws, mixes and names."""
    fixed_setup: FixedSetup | None = None
    opened_setup: bytes | None = None
    """The seed of the fixed setup, once its owner has closed it."""
    play_seed: Sealed[bytes] | None = None
    house_seed: Sealed[bytes] | None = None
    draws: Mapping[str, int] = attrs.field(factory=dict)
    """The next number of each row of draws; a number is never used again."""
    ask: OpenAsk | None = None
    next_ask_id: int = 0
    proposal: Proposal | None = None
    next_proposal_id: int = 0
    proposed_at: int = 0
    """When the last proposal was made, in milliseconds since 1970; 0 where none was."""
    is_paused: bool = False
    """Whether the game stands still until somebody resumes it."""
    kinds: tuple[str, ...] = ()
    """Every kind of question that was asked so far, ascending."""
    standing: Mapping[int, Sealed[tuple[str, ...]]] = attrs.field(factory=dict)
    """By seat, the kinds of question on which it passes for good; sealed to that seat."""
    operator_reason: bytes = b""
    """
    Why whoever runs the server has paused the game, or has ended it; in UTF-8, empty for neither.

    No seat ends such a pause, which stands beside `is_paused`.
    """
    source: Branch | None = None
    """The log that this one branches off; None for a game of its own."""

    @property
    def is_paused_by_operator(self) -> bool:
        """Whether the game stands still until whoever runs the server lets it go on."""
        return bool(self.operator_reason) and self.stage is not Stage.OVER

    @property
    def stands_still(self) -> bool:
        """Whether nobody can answer for now, whoever has paused the game."""
        return self.is_paused or self.is_paused_by_operator

    def seat_of(self, key: bytes) -> int | None:
        """Return the seat that belongs to a key, if any."""
        return next((s.seat for s in self.seats.values() if s.key == key), None)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return the seats that have claimed this character, or this role."""
        seats = self.seats.values()
        return tuple(s.seat for s in seats if knower in s.characters or knower == s.role != "")

    @property
    def steward(self) -> int:
        """The seat that may propose to give seats away: the host, or who is left without one."""
        host = self.seats.get(self.host)
        if host is not None and host.is_present:
            return self.host
        present = (s.seat for s in self.seats.values() if s.is_present and not s.is_bot)
        return min(present, default=self.host)

    def with_seat(self, seat: Seat) -> "RoomTable":
        """Return the room with one seat put in place."""
        return evolve(self, seats=dict(sorted({**self.seats, seat.seat: seat}.items())))


@frozen
class Look:
    """Where somebody who looked at a hidden card was told which it is."""

    cards: Sealed[tuple[str, ...]]
    index: int


@frozen
class HiddenCard:
    """Where a hidden card's identity is: a place in a sealed order."""

    order: Sealed[tuple[str, ...]]
    index: int
    looks: tuple[Look, ...] = ()
    """Where else it stands, for those who looked at it since."""


G = TypeVar("G", bound="GameTable")


@frozen
class GameEnd:
    """How a game came out by its own rules."""

    is_won: bool
    rounds: int
    """The round in which it ended; 0 in a game that counts none."""


@frozen
class GameTable:
    """What the table of every ruleset has: piles of hidden cards."""

    piles: Mapping[str, tuple[Handle, ...]] = attrs.field(factory=dict)
    """Each pile's handles, top first. A facedown zone in front of somebody is a pile too."""
    hidden_cards: Mapping[Handle, HiddenCard] = attrs.field(factory=dict)
    """Where each handle's card is written down."""
    is_chat_open: bool = True
    """Whether people may talk at the table while they play."""

    def seats_of(self, room: RoomTable, knower: str) -> tuple[int, ...]:
        """
        Return the seats that know what a character, a role or a side knows, ascending.

        Both ends ask it before they fold an event: the server to seal, an audit to check. As a rule
        characters stay with those who claimed them; a game in which they change hands says here
        who has them now.
        """
        return room.seats_of(knower)

    def came_out(self) -> GameEnd | None:
        """Return how the game came out; None before its end, and of a game that was cut short."""
        return None

    def left_over(self) -> Legacy | None:
        """Return what the game leaves to the next one of its campaign, once it is over."""
        return None

    def left_to_seats(self) -> Mapping[int, Sealed[Padded]]:
        """Return what it leaves to each seat beside that, sealed to the seat."""
        return {}

    def card_of(self, handle: Handle) -> str:
        """Return which card a handle is. SealedError where that is sealed."""
        hidden = self.hidden_cards[handle]
        known = self.known_card(handle)
        return hidden.order.value[hidden.index] if known is None else known

    def known_card(self, handle: Handle) -> str | None:
        """Return which card a handle is, as far as it is open here. KeyError for no handle."""
        hidden = self.hidden_cards[handle]
        places = (
            (hidden.order, hidden.index),
            *((look.cards, look.index) for look in hidden.looks),
        )
        # A forged log may have more handles than cards.
        told = (cards.value[at] for cards, at in places if cards.is_open and at < len(cards.value))
        return next(told, None)

    def is_unknown(self, handle: Handle) -> bool:
        """Return whether no seat may know which card a handle is."""
        hidden = self.hidden_cards[handle]
        return not hidden.order.audience and not hidden.looks

    def with_pile(self, pile: str, handles: tuple[Handle, ...]) -> Self:
        """Return the table with one pile replaced."""
        return evolve(self, piles={**self.piles, pile: handles})

    def drawn(self, pile: str, handle: Handle) -> Self:
        """Return the table with a card taken out of a pile."""
        return self.with_pile(pile, tuple(h for h in self.piles[pile] if h != handle))

    def put(self, pile: str, handle: Handle) -> Self:
        """Return the table with a card put under a pile. Mix the pile next (DECIDE-58)."""
        return self.with_pile(pile, (*self.piles.get(pile, ()), handle))

    def mixed(self, pile: str, handles: tuple[Handle, ...], order: Sealed[tuple[str, ...]]) -> Self:
        """Return the table after a pile was shuffled: all its handles are new."""
        gone = set(self.piles.get(pile, ()))
        cards = {
            handle: hidden for handle, hidden in self.hidden_cards.items() if handle not in gone
        }
        cards.update({handle: HiddenCard(order, index) for index, handle in enumerate(handles)})
        return evolve(self, hidden_cards=cards, piles={**self.piles, pile: handles})

    def relaid(
        self,
        pile: str,
        places: tuple[int, ...],
        handles: tuple[Handle, ...],
        order: Sealed[tuple[str, ...]],
    ) -> Self:
        """Return the table after other cards were laid at some places, with new handles."""
        fresh = dict(zip(places, handles, strict=False))
        old = self.piles.get(pile, ())
        gone = {handle for place, handle in enumerate(old) if place in fresh}
        cards = {
            handle: hidden for handle, hidden in self.hidden_cards.items() if handle not in gone
        }
        cards.update({handle: HiddenCard(order, index) for index, handle in enumerate(handles)})
        lying = tuple(fresh.get(place, handle) for place, handle in enumerate(old))
        return evolve(self, hidden_cards=cards, piles={**self.piles, pile: lying})

    def looked_at(self, pile: str, places: tuple[int, ...], cards: Sealed[tuple[str, ...]]) -> Self:
        """Return the table after somebody looked at the cards at some places."""
        at = {place: index for index, place in enumerate(places)}
        hidden_cards = dict(self.hidden_cards)
        for place, handle in enumerate(self.piles.get(pile, ())):
            if place in at and handle in hidden_cards:
                hidden = hidden_cards[handle]
                hidden_cards[handle] = evolve(hidden, looks=(*hidden.looks, Look(cards, at[place])))
        return evolve(self, hidden_cards=hidden_cards)


@frozen
class Table:
    """All that lies there."""

    room: RoomTable = RoomTable()
    game: GameTable | None = None
    checkpoints: Mapping[int, GameTable] = attrs.field(factory=dict)
    """The game at the latest checkpoints, by sequence."""

    def with_room(self, **changes: Any) -> "Table":
        """Return the table with fields of the room changed."""
        return Table(evolve(self.room, **changes), self.game, self.checkpoints)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return the seats that know what a character, a role or a side knows."""
        return (
            self.room.seats_of(knower)
            if self.game is None
            else self.game.seats_of(self.room, knower)
        )

    @property
    def is_chat_open(self) -> bool:
        """Whether people may talk at the table now: a game that is played may forbid it."""
        is_played = self.game is not None and self.room.stage is Stage.PLAYING
        return not is_played or self.game is None or self.game.is_chat_open

    def with_checkpoint(self, sequence: int) -> "Table":
        """Return the table with this moment kept as a checkpoint."""
        if self.game is None:
            return self
        return Table(self.room, self.game, with_one(self.checkpoints, sequence, self.game))


class RoomEvent(Event):
    """An event about seats and people, folding a `RoomTable`; rules never see it."""

    __slots__ = ()

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table after this event."""
        return Table(self.fold(table.room), table.game, table.checkpoints)


class GameEvent(Event):
    """An event of one ruleset's game, folding its `GameTable`; it comes from rules only."""

    __slots__ = ()

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table after this event."""
        assert table.game is not None, "a game event before the game"
        return Table(table.room, self.fold(table.game), table.checkpoints)

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return what this event says of hidden cards: handles, each with its card. For audits."""
        return ()


class TableEvent(Event):
    """An event that moves room and game together."""

    __slots__ = ()

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table after this event."""
        raise NotImplementedError


_GAMES: dict[str, Callable[[], GameTable]] = {}


def register_game(ruleset: str, empty: Callable[[], GameTable]) -> None:
    """Say how the empty table of a ruleset is made."""
    _GAMES[ruleset] = empty


def know_game(ruleset: str) -> None:
    """
    Declare the table and the kinds of events of a game, before its records are read.

    Raises:
        UnknownGame: there is no game of this name here.
    """
    try:
        # Also where the table is known: who imported it needed no events.
        plug("protocol", ruleset, "events")
    except UnknownGameError:
        if ruleset not in _GAMES:
            raise UnknownGame(ruleset) from None


def empty_game(ruleset: str) -> GameTable:
    """
    Return the empty table of a ruleset: its own, or that of the game that it extends.

    Raises:
        KeyError: no table is registered for it.
    """
    # Tests register rulesets that have no place.
    names = lineage(ruleset) if ruleset in PLACES else (ruleset,)
    return _GAMES[next((name for name in names if name in _GAMES), ruleset)]()


def claims_stand(ruleset: str) -> bool:
    """Return whether every character stays with who claimed it, in a game that is known here."""
    return type(empty_game(ruleset)).seats_of is GameTable.seats_of


def fold(table: Table, record: Record) -> Table:
    """Return the table after one record. The only way tables change, at both ends."""
    folded: Table = record.event.fold_table(table, record)
    return folded

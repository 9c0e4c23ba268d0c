"""
The table: the state of a room, as the fold of its events.

It has two parts. The *room* has seats, presence, the open question and the numbers of draws; rules
cannot read it. The *game* has the state of one ruleset. Both are frozen: folding an event returns a
new table and leaves the old one valid, so going back is keeping a reference.
"""

import enum
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self, TypeVar

import attrs

from protocol.bounds import BYTES_32, ROOM_ID
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
"""Opaque name of a hidden card. Each shuffle gives new ones, so cards cannot be tracked."""

MAX_LEGACY = 4096
"""Maximum bytes of public state that a game passes on in its campaign."""
LOG_VERSION = 4
"""Version of new logs. It decides details of draws, names and signatures."""
SIGNED_VERSION = 3
"""The first version of logs in which seats sign their readiness and each opening of a share."""
MAX_OBSERVERS = 8
"""Maximum number of observers of one table."""
MAX_LEAST_SECONDS = 30
"""Maximum of the setting `least_seconds`."""
MAX_WINDOW_SECONDS = 600
"""Maximum of the setting `window_seconds`."""


class Stage(enum.Enum):
    """Stage of a room."""

    LOBBY = "lobby"
    STARTING = "starting"
    PLAYING = "playing"
    OVER = "over"


class LaidReady(enum.Enum):
    """Tables at which interruptions are laid ready before their moment."""

    BY_CALENDAR = "by_calendar"
    """Those whose limits run by the calendar."""
    ALWAYS = "always"
    NEVER = "never"


@frozen
class Observer:
    """A person without a seat who sees all secrets of a game; all at the table know of it."""

    name: str = attrs.field(validator=[attrs.validators.min_len(1), attrs.validators.max_len(40)])
    """Name of the observer at the table."""
    fingerprint: bytes = attrs.field(validator=BYTES_32)
    """Fingerprint of the observer's public key."""
    delay_seconds: int = attrs.field(
        default=0, validator=[attrs.validators.ge(0), attrs.validators.le(86400)]
    )
    """Delay in seconds with which the observer sees each record."""


@frozen
class Settings:
    """Settings of a table, fixed by the host when it is opened."""

    spectators: bool = False
    """True if people without a seat may watch the public records."""
    time_limit_seconds: int = attrs.field(
        default=0, validator=[attrs.validators.ge(0), attrs.validators.le(7 * 86400)]
    )
    """Seconds until a question takes its default; 0 for no limit."""
    secrets_go_along: bool = True
    """True if a new owner of a seat learns the earlier secrets of the seat."""
    publish: bool = True
    """True if the whole log is published when the game is over."""
    takebacks: bool = True
    """True if a seat may propose to go back to a checkpoint."""
    spectators_delay_seconds: int = attrs.field(
        default=0, validator=[attrs.validators.ge(0), attrs.validators.le(3600)]
    )
    """Delay in seconds with which spectators see each record."""
    stops: bool = False
    """True if a timed window opens only if a seat has a stop for it; false if every window
    opens."""
    window_seconds: int = attrs.field(
        default=10, validator=[attrs.validators.ge(1), attrs.validators.le(MAX_WINDOW_SECONDS)]
    )
    """Seconds for which a timed window is open."""
    observers: tuple[Observer, ...] = attrs.field(
        default=(), validator=attrs.validators.max_len(MAX_OBSERVERS)
    )
    """People without a seat who see all secrets except talk, seeds and standing passes."""
    by_calendar: bool = False
    """True if time limits also run while nobody is present and while the server is down."""
    as_proposed: bool = False
    """True if orders and ties are resolved as the rules propose, without a question."""
    bots_wait: bool = True
    """True if bots wait until everybody at the table has read the texts shown to them."""
    least_seconds: int = attrs.field(
        default=4, validator=[attrs.validators.ge(0), attrs.validators.le(MAX_LEAST_SECONDS)]
    )
    """Least age, in seconds, at which the answer of the seat that decides settles a question that
    others may interrupt. So the others have time, and need not say that they pass."""
    laid_ready: LaidReady = LaidReady.BY_CALENDAR
    """Whether interruptions are laid ready in advance, in games whose rules provide for it."""
    strict_windows: bool = False
    """True if every seat is asked that public facts do not rule out, at all moments at which it may
    do something; false if those are asked that can, which tells the others that they can."""
    hands: bool = False
    """True if players may show cards of their hands to everybody; false if hands are private."""

    @property
    def lays_ready(self) -> bool:
        """True if interruptions are laid ready at this table."""
        return self.laid_ready is LaidReady.ALWAYS or (
            self.laid_ready is LaidReady.BY_CALENDAR and self.by_calendar
        )


MAX_WITHHELD = 2
"""Number of failed starts for lack of a seat's share after which the host may empty the seat."""


@frozen
class Seat:
    """One seat and its owner."""

    seat: int
    name: str
    key: bytes
    """Ed25519 public key of the owner."""
    is_bot: bool = False
    is_ready: bool = False
    is_present: bool = False
    role: str = ""
    """Claimed role; empty if none is claimed before the game."""
    characters: tuple[str, ...] = ()
    """Ids of the claimed characters."""
    since: int = 0
    """First sequence whose secrets the present owner may see."""
    withheld: int = 0
    """Number of starts that failed for lack of this seat's share."""
    prepared: Sealed[Padded] | None = None
    """Preparation of the seat for the game, in the game's own encoding; None if there is none."""
    brought: Sealed[Padded] | None = None
    """State that the owner has from the last game of the campaign, in the game's own encoding; None
    if there is none."""
    knows_setup: bool = False
    """True if the owner declared that they know the fixed setup and play nevertheless."""


@frozen
class OpenAsk:
    """The open question, with the answers and votes so far."""

    ask_id: int
    rule: str
    """Id of the rule that asks the question."""
    about: Text
    """Public description of the question."""
    settle: Settle
    questions: Mapping[int, Sealed[Question]]
    """Questions by seat; each seat can read its own."""
    voters: tuple[tuple[str, int], ...]
    """For votes: characters whose seats may be drawn to break a tie, each with its seat."""
    asked_at: int
    """Time of the question, in milliseconds since 1970."""
    answered: tuple[int, ...] = ()
    votes: Mapping[int, tuple[str, ...]] = attrs.field(factory=dict)
    """Publicly visible votes, by seat."""
    within: tuple[Text, ...] = ()
    """Effects being resolved, outermost first."""
    kind: str = ""
    """Subject of the kind of question, for standing passes; empty if the seats cannot pass it."""
    seconds: int = 0
    """For UNLESS_OBJECTED and WINDOW: seconds for which the question is open."""
    audience: Audience = Audience.ALL
    """Viewers who may read a vote before all seats have voted."""
    ballots: Mapping[int, Sealed[tuple[str, ...]]] = attrs.field(factory=dict)
    """Sealed votes, by seat."""
    lot_wanted_by: tuple[int, ...] = ()
    """For votes: seats, ascending, that asked for a tiebreak after the last vote."""
    decides: int = -1
    """For BESIDE: the seat that decides; the other asked seats may interrupt. -1 for all others."""
    timer: int = -1
    """Id of the timer under which the question was asked; -1 for none."""

    def is_held(self, seat: int) -> bool:
        """Return True if the server holds the answer of a seat, which may change it meanwhile."""
        return self.settle is Settle.WINDOW or seat == self.decides

    def may_interrupt(self, seat: int) -> bool:
        """Return True if a seat may interrupt the one that decides, and need not answer."""
        return self.settle is Settle.BESIDE and seat in self.questions and seat != self.decides

    @property
    def has_open_votes(self) -> bool:
        """True for a vote with public votes."""
        return self.settle.is_vote and self.audience is Audience.ALL

    @property
    def has_ballots(self) -> bool:
        """True for a vote with sealed votes."""
        return self.settle.is_vote and self.audience is Audience.NOBODY

    @property
    def decision(self) -> tuple[str, ...] | None:
        """The answer that enough seats voted for; None if there is no such answer."""
        asked = len(self.questions)
        enough = asked if self.settle is Settle.AGREE else asked // 2 + 1
        counts = Counter(self.votes.values())
        # At most one answer can have enough votes, so the order does not matter.
        return next((picks for picks, count in counts.items() if count >= enough), None)

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """Seats that have neither answered nor voted; nobody waits for those that may interrupt."""
        asked = (self.decides,) if self.settle is Settle.BESIDE else self.questions
        return tuple(seat for seat in asked if seat not in self.answered and seat not in self.votes)


@frozen
class OpenTimer:
    """A time limit over all questions that the rules ask until they close it."""

    timer_id: int
    name: Text
    """Public name of the activity that this time limits."""
    seconds: int


@frozen
class Proposal:
    """An open proposal: going back, giving a seat away, a correction, or ending the game."""

    proposal_id: int
    kind: str
    """`take_back`, `give_seat`, `correct` or `give_up`."""
    by: int
    """Seat of the proposer."""
    checkpoint: int = -1
    """For `take_back`: sequence of the checkpoint."""
    seat: int = -1
    """For `give_seat`: the seat."""
    name: str = ""
    key: bytes = b""
    is_bot: bool = False
    piece: str = ""
    """For `correct`: id of the piece."""
    amount: int = 0
    """For `correct`: the corrected number."""
    consents: tuple[int, ...] = ()

    @classmethod
    def of(cls, aim: Aim, proposal_id: int, by: int) -> "Proposal":
        """Return a new proposal by a seat, in the form that it has on the log."""
        fields: dict[str, Any] = attrs.asdict(aim)
        return cls(proposal_id, aim.kind, by, **fields)

    @property
    def aim(self) -> Aim | None:
        """Content of the proposal; None if the kind is unknown."""
        # The log has one class with the fields of all kinds; a forged log may have any kind.
        kind: Any = AIMS.get(self.kind)
        if kind is None:
            return None
        aim: Aim = kind(*(getattr(self, field.name) for field in attrs.fields(kind)))
        return aim


@frozen
class Ceremony:
    """The start of a game: all seats commit to their share of chance, then all open it."""

    commitments: Mapping[int, bytes] = attrs.field(factory=dict)
    shares: Mapping[int, bytes] = attrs.field(factory=dict)


@frozen
class Opened:
    """The last opening of a share of chance by one key, from the signed statement."""

    number: int = 0
    """Number of starts of this table at which the key opened a share, according to the key."""
    before: bytes = b""
    """Id of the previous start at which the key opened a share; empty for none."""
    start: bytes = b""
    """Id of this start (`protocol.common.signed.start_id`)."""
    on_log: int = 0
    """Number of starts counted in `number` that are on the log; less than `number` if some were
    hidden."""


@frozen
class Legacy:
    """Public state that a finished game passes on to the next one of its campaign."""

    campaign: str
    shared: bytes = attrs.field(validator=attrs.validators.max_len(MAX_LEGACY))
    """Public state, in the game's own encoding."""


@frozen
class FixedSetup:
    """A setup that several tables play. Its seed is sealed until its owner closes it."""

    setup_id: str
    commitment: bytes = attrs.field(validator=BYTES_32)
    """Commitment to the seed of the setup (`protocol.common.chance.commitment_of_setup`)."""


@frozen
class Branch:
    """The point of another log at which a branch begins."""

    room_id: str = attrs.field(validator=ROOM_ID)
    head: bytes
    """Head of the chain after the last repeated record."""
    sequence: int = attrs.field(validator=attrs.validators.ge(1))
    """Sequence of the last record that the branch repeats: a checkpoint."""


@frozen
class RoomTable:
    """State of the room, which rules cannot read."""

    room_id: str = ""
    ruleset: str = ""
    scenario: str = ""
    """Pack and scenario, `core/name`."""
    content_hash: bytes = b""
    products_off: tuple[str, ...] = ()
    """Products that are switched off at this table."""
    legacy: Legacy | None = None
    """State of the campaign with which the game begins; None without a campaign."""
    settings: Settings = Settings()
    stage: Stage = Stage.LOBBY
    host: int = 0
    seats: Mapping[int, Seat] = attrs.field(factory=dict)
    # None except while a start is going on.
    ceremony: Ceremony | None = None
    version: int = 1
    """Version of the log; decides details of draws, names and signatures."""
    fixed_setup: FixedSetup | None = None
    opened_setup: bytes | None = None
    """Seed of the fixed setup; None until its owner has closed it."""
    play_seed: Sealed[bytes] | None = None
    house_seed: Sealed[bytes] | None = None
    draws: Mapping[str, int] = attrs.field(factory=dict)
    """Next number of a draw, by purpose; numbers are never reused."""
    ask: OpenAsk | None = None
    next_ask_id: int = 0
    timer: OpenTimer | None = None
    next_timer_id: int = 0
    proposal: Proposal | None = None
    next_proposal_id: int = 0
    proposed_at: int = 0
    """Time of the last proposal, in milliseconds since 1970; 0 if there was none."""
    is_paused: bool = False
    """True if the game is paused until somebody resumes it."""
    kinds: tuple[str, ...] = ()
    """Kinds of all questions asked so far, ascending."""
    standing: Mapping[int, Sealed[tuple[str, ...]]] = attrs.field(factory=dict)
    """Kinds of question on which a seat passes, by seat; sealed to that seat. `KIND` is passed
    always, `KIND@LAPSE` until the passes of that name lapse."""
    lapsed: Mapping[str, int] = attrs.field(factory=dict)
    """Sequence of the record by which the passes of a name last lapsed, by name."""
    operator_reason: bytes = b""
    """
    Reason, in UTF-8, why the operator has paused or ended the game; empty if the operator did
    neither. Seats cannot end such a pause, which is independent of `is_paused`.
    """
    source: Branch | None = None
    """The log that this log branches from; None if this log is no branch."""
    stated: Mapping[bytes, int] = attrs.field(factory=dict)
    """Number of the last statement that each key signed: readiness, or a request to start."""
    opened: Mapping[bytes, Opened] = attrs.field(factory=dict)
    """The last opening of a share by each key."""
    host_votes: tuple[int, ...] = ()
    """Seats, ascending, that vote to replace the host, who is away."""
    is_apart: bool = False
    """True if nobody may have seats of two roles in the game, one after the other."""
    past_roles: Mapping[bytes, tuple[str, ...]] = attrs.field(factory=dict)
    """If roles are kept apart: roles in which each key has had a seat since the start."""

    def with_past_role(self, key: bytes, role: str) -> "RoomTable":
        """Return the room with a role noted for a key, if the roles are kept apart."""
        if not self.is_apart or not key:
            return self
        roles = tuple(sorted({*self.past_roles.get(key, ()), role}))
        return evolve(self, past_roles=dict(sorted({**self.past_roles, key: roles}.items())))

    def with_stated(self, seat: int, number: int) -> "RoomTable":
        """Return the room with the number of a seat's latest signed statement, unless it is 0."""
        key = self.seats[seat].key
        return evolve(self, stated={**self.stated, key: number}) if number else self

    @property
    def is_paused_by_operator(self) -> bool:
        """
        True if the operator has paused the game.

        In a game that is over, `operator_reason` is the reason for which the operator ended it.
        """
        return bool(self.operator_reason) and self.stage is not Stage.OVER

    @property
    def stands_still(self) -> bool:
        """True if the game is paused, by seats or by the operator."""
        return self.is_paused or self.is_paused_by_operator

    def seat_of(self, key: bytes) -> int | None:
        """Return the seat of a key; None if it has none."""
        return next((s.seat for s in self.seats.values() if s.key == key), None)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return the seats that have claimed this character, or this role."""
        # Seats without a role have an empty one, which must not match an empty knower.
        seats = self.seats.values()
        return tuple(s.seat for s in seats if knower in s.characters or knower == s.role != "")

    def with_seat(self, seat: Seat) -> "RoomTable":
        """Return the room with one seat added or replaced."""
        # Ascending by number, as the audiences on the log must be.
        return evolve(self, seats=dict(sorted({**self.seats, seat.seat: seat}.items())))


@frozen
class Look:
    """One look at a hidden card: the sealed cards seen in that look, and the index of this card."""

    cards: Sealed[tuple[str, ...]]
    index: int


@frozen
class HiddenCard:
    """Identity of a hidden card: a sealed order of cards, and the card's index in it."""

    order: Sealed[tuple[str, ...]]
    index: int
    looks: tuple[Look, ...] = ()
    """
    Looks at the card since the order of its pile was last sealed, by a shuffle or an arrangement.
    """


G = TypeVar("G", bound="GameTable")


@frozen
class Score:
    """One number of a result."""

    name: str
    """Subject of the name of the number, in the words of the game."""
    side: str
    """Side that has the score; empty if it belongs to no side."""
    value: int


@frozen
class GameEnd:
    """Result of a game by its own rules. Everybody who sees the end of the game may know it."""

    winners: tuple[str, ...]
    """Sides that won, which are names of roles; empty if nobody won."""
    rounds: int
    """Round in which the game ended; 0 in a game without rounds."""
    scores: tuple[Score, ...] = ()
    """Scores in the order in which they count: the first one decides between two results."""


@frozen
class GameTable:
    """State that all rulesets have: piles of hidden cards."""

    lapses: ClassVar[tuple[str, ...]] = ()
    """
    Names of the lapses of standing passes in this game, such as `round`: those that its rules give
    to `Game.lapse`. Clients offer them in this order.
    """
    usual_settings: ClassVar[Settings] = Settings()
    """Settings that a table of the game has unless its host chooses others."""
    has_settings: ClassVar[tuple[str, ...]] = ("takebacks",)
    """Names of the settings that have an effect in the game, of those that not every game has:
    `takebacks`, `strict_windows`, `hands`, `stops`, `window_seconds`, `least_seconds`, `laid_ready`
    and `as_proposed`."""
    observer_delay_seconds: ClassVar[int] = 0
    """Usual delay of an observer in the game."""
    awaited_role: ClassVar[str] = ""
    """Role for whose absent people all time of a table stands still; empty for none."""
    piles: Mapping[str, tuple[Handle, ...]] = attrs.field(factory=dict)
    """Handles of each pile, top first. Facedown cards in front of a player are a pile, too."""
    hidden_cards: Mapping[Handle, HiddenCard] = attrs.field(factory=dict)
    """Hidden cards by handle, each with its sealed identity."""
    is_chat_open: bool = True
    """True if players may chat during the game."""

    def seats_of(self, room: RoomTable, knower: str) -> tuple[int, ...]:
        """
        Return the seats that know the secrets of a character, a role or a side, ascending.

        Both ends call it before they fold an event: the server to seal, an audit to check. By
        default characters belong to the seats that claimed them. A game in which they change hands
        overrides it.
        """
        return room.seats_of(knower)

    def came_out(self) -> GameEnd | None:
        """Return the result; None before the end, and for a game that was cut short."""
        return None

    def side_of(self, room: RoomTable, seat: int) -> str:
        """
        Return the side of a seat: its role. A game in which roles share a side overrides it.

        A game whose seats are all on one side is co-operative: that side wins or loses.
        """
        return room.seats[seat].role

    def has_won(self, room: RoomTable, seat: int) -> bool:
        """
        Return whether the game is over and won for a seat: by default, if its side has won.

        A game in which a seat can lose although its side wins overrides it.
        """
        end = self.came_out()
        return end is not None and self.side_of(room, seat) in end.winners

    def left_over(self) -> Legacy | None:
        """Return the public state for the next game of the campaign; None before the end."""
        return None

    def left_to_seats(self) -> Mapping[int, Sealed[Padded]]:
        """Return the secret state of each seat for the next game, sealed to the seat."""
        return {}

    def card_of(self, handle: Handle) -> str:
        """Return the card of a handle. SealedError if it is sealed."""
        hidden = self.hidden_cards[handle]
        known = self.known_card(handle)
        return hidden.order.value[hidden.index] if known is None else known

    def known_card(self, handle: Handle) -> str | None:
        """Return the card of a handle; None if it is sealed. KeyError for an unknown handle."""
        hidden = self.hidden_cards[handle]
        # A forged log may have more handles than cards.
        if hidden.order.is_open and hidden.index < len(hidden.order.value):
            return hidden.order.value[hidden.index]
        # Seats that were shown the card know it, too, not only those that know the order.
        for look in hidden.looks:
            if look.cards.is_open and look.index < len(look.cards.value):
                return look.cards.value[look.index]
        return None

    def is_unknown(self, handle: Handle) -> bool:
        """Return whether no seat may know the card of a handle."""
        hidden = self.hidden_cards[handle]
        return not hidden.order.audience and not hidden.looks

    def with_pile(self, pile: str, handles: tuple[Handle, ...]) -> Self:
        """Return the table with one pile replaced."""
        return evolve(self, piles={**self.piles, pile: handles})

    def drawn(self, pile: str, handle: Handle) -> Self:
        """Return the table with a card removed from a pile."""
        return self.with_pile(pile, tuple(h for h in self.piles[pile] if h != handle))

    def put(self, pile: str, handle: Handle) -> Self:
        """Return the table with a card put under a pile, which has to be shuffled next."""
        return self.with_pile(pile, (*self.piles.get(pile, ()), handle))

    def mixed(self, pile: str, handles: tuple[Handle, ...], order: Sealed[tuple[str, ...]]) -> Self:
        """Return the table with a shuffled pile, all of whose handles are new."""
        gone = set(self.piles.get(pile, ()))
        cards = {
            handle: hidden for handle, hidden in self.hidden_cards.items() if handle not in gone
        }
        cards.update({handle: HiddenCard(order, index) for index, handle in enumerate(handles)})
        # The old handles are forgotten: nothing on the table may refer to them any more.
        return evolve(self, hidden_cards=cards, piles={**self.piles, pile: handles})

    def relaid(
        self,
        pile: str,
        places: tuple[int, ...],
        handles: tuple[Handle, ...],
        order: Sealed[tuple[str, ...]],
    ) -> Self:
        """Return the table with the cards at some places of a pile replaced, with new handles."""
        # Not strict: folding is total, and laws refuse a log with other numbers of them.
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
        """Record that some seats looked at the cards at some places of a pile."""
        at = {place: index for index, place in enumerate(places)}
        hidden_cards = dict(self.hidden_cards)
        for place, handle in enumerate(self.piles.get(pile, ())):
            # Folding is total: a forged log may look at places without a hidden card.
            if place in at and handle in hidden_cards:
                hidden = hidden_cards[handle]
                hidden_cards[handle] = evolve(hidden, looks=(*hidden.looks, Look(cards, at[place])))
        return evolve(self, hidden_cards=hidden_cards)


@frozen
class Table:
    """State of a room and, once it has begun, of its game: the fold of a log."""

    room: RoomTable = RoomTable()
    game: GameTable | None = None
    checkpoints: Mapping[int, GameTable] = attrs.field(factory=dict)
    """Game tables at the latest checkpoints, by sequence."""

    def with_room(self, **changes: Any) -> "Table":
        """Return the table with fields of the room changed."""
        return Table(evolve(self.room, **changes), self.game, self.checkpoints)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return the seats that know the secrets of a character, a role or a side."""
        return (
            self.room.seats_of(knower)
            if self.game is None
            else self.game.seats_of(self.room, knower)
        )

    @property
    def sides(self) -> tuple[str, ...]:
        """Sides of the seats, each once, by its lowest seat; none before the game."""
        game, room = self.game, self.room
        return (
            () if game is None else tuple(dict.fromkeys(game.side_of(room, s) for s in room.seats))
        )

    @property
    def is_chat_open(self) -> bool:
        """True if chat is allowed now; a running game may forbid it."""
        is_played = self.game is not None and self.room.stage is Stage.PLAYING
        return not is_played or self.game is None or self.game.is_chat_open

    def with_checkpoint(self, sequence: int) -> "Table":
        """Return the table with its game added to the checkpoints."""
        if self.game is None:
            return self
        return Table(self.room, self.game, with_one(self.checkpoints, sequence, self.game))


class RoomEvent(Event):
    """An event about seats and people. It folds a `RoomTable`; rules never see it."""

    __slots__ = ()

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        return Table(self.fold(table.room), table.game, table.checkpoints)


class GameEvent(Event):
    """An event of one ruleset. It folds its `GameTable`; only rules emit it."""

    __slots__ = ()

    of: ClassVar[type[GameTable]] = GameTable
    """Class of the tables that it folds. A forged log may hold an event of another game, whose
    fields may even have the same names."""

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        assert isinstance(table.game, self.of), "an event before the game, or of another game"
        return Table(table.room, self.fold(table.game), table.checkpoints)

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the hidden cards that this event reveals, as pairs of handle and card."""
        return ()


class TableEvent(Event):
    """An event that folds room and game together."""

    __slots__ = ()

    def fold_table(self, table: Table, record: Record) -> Table:
        raise NotImplementedError


_GAMES: dict[str, Callable[[], GameTable]] = {}


def register_game(ruleset: str, empty: Callable[[], GameTable]) -> None:
    """Register the factory of the empty table of a ruleset."""
    _GAMES[ruleset] = empty


def know_game(ruleset: str) -> None:
    """
    Import the table and the events of a game; must come before its records are read.

    Raises:
        UnknownGame: a game of this name is not installed.
    """
    try:
        # Also if the table is registered already: its importer may not have imported the events.
        plug("protocol", ruleset, "events")
    except UnknownGameError:
        if ruleset not in _GAMES:
            raise UnknownGame(ruleset) from None


def empty_game(ruleset: str) -> GameTable:
    """
    Return the empty table of a ruleset: its own, or the table of the game that it extends.

    Raises:
        KeyError: no table is registered for it.
    """
    # Tests register rulesets that have no place.
    names = lineage(ruleset) if ruleset in PLACES else (ruleset,)
    return _GAMES[next((name for name in names if name in _GAMES), ruleset)]()


def table_class(ruleset: str) -> type[GameTable]:
    """Return the class of a game's table; `GameTable` if no table is registered for the game."""
    try:
        return type(empty_game(ruleset))
    except KeyError:
        return GameTable


def claims_stand(ruleset: str) -> bool:
    """
    Return whether characters always belong to the seats that claimed them.

    Raises:
        KeyError: no table is registered for the ruleset.
    """
    # Only a game in which characters change hands overrides it.
    return type(empty_game(ruleset)).seats_of is GameTable.seats_of


def fold(table: Table, record: Record) -> Table:
    """Return the table after one record. Tables change in no other way, at both ends."""
    folded: Table = record.event.fold_table(table, record)
    return folded

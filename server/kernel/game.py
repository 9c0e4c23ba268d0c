"""
The Game handle: everything that a rule can reach.

Through the handle a rule reads table and content, emits events, draws from chance and asks people.
The handle dies with its procedure, so an abandoned coroutine cannot change the game.
"""

import contextlib
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

from protocol.common.asks import Reason
from protocol.common.chance import Stream
from protocol.common.events import Disclosure, Player
from protocol.common.roster import Roster
from protocol.common.table import (
    FixedSetup,
    GameEvent,
    GameTable,
    Handle,
    Legacy,
    RoomTable,
    Seat,
    Table,
)
from protocol.common.text import Text
from protocol.event import Sealed
from protocol.plugs import plug
from protocol.values import frozen
from server.kernel.asking import Asking
from server.kernel.asks import Ask, Picks
from server.kernel.steps import Steps
from server.kernel.timers import Timer

T = TypeVar("T")
U = TypeVar("U")
TableT = TypeVar("TableT", bound=GameTable)
ContentT = TypeVar("ContentT")


class EventSink(Protocol):
    """Interface of the batch writer that the handle calls."""

    table: Table
    """The working table of the room, in which a game has begun."""

    def emit(self, happened: GameEvent) -> None:
        """Append an event to the log and fold it at once."""

    @property
    def next_sequence(self) -> int:
        """The sequence that the next event will have."""

    @property
    def version(self) -> int:
        """The version of the log."""

    def roll(self, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Roll dice, log the faces and return them."""

    def pick(self, purpose: str, bound: int, stream: Stream) -> int:
        """Pick a number below `bound`, log it and return it."""

    def pick_secretly(self, purpose: str, bound: int) -> int:
        """Pick a number below `bound`; log both the number and the bound sealed."""

    def deal(self, purpose: str, names: Sequence[str]) -> int:
        """Draw one of these names, log the draw sealed, and return the position of the name."""

    def shuffle(
        self, pile: str, items: Sequence[str], stream: Stream, knowers: tuple[int, ...] = ()
    ) -> None:
        """Shuffle a pile made of these items and log it; the knowers learn the order."""

    def look_at(self, pile: str, handles: Sequence[Handle], knowers: tuple[int, ...]) -> None:
        """Show some seats the cards of a pile with these handles."""

    def arrange(self, pile: str, handles: Sequence[Handle], knowers: tuple[int, ...]) -> None:
        """Put these cards of a pile into a new order, which the knowers learn."""

    def disclose(self, sealed: Sealed[Any]) -> Disclosure:
        """Return the opening of a logged secret."""

    def prepared(self, seat: int) -> bytes | None:
        """Return the preparation that a seat made before the start; None if it made none."""

    def brought(self, seat: int) -> bytes | None:
        """Return the state that a seat brought from its campaign; None if it brought none."""

    @property
    def legacy(self) -> Legacy | None:
        """State that the last game of a campaign left to this one; None outside a campaign."""

    def set_chat(self, *, is_open: bool) -> None:
        """Open or close the chat of the table; a change is logged."""

    def lapse(self, name: str) -> None:
        """Log that the standing passes with this lapse end."""

    def open_timer(self, name: Text, seconds: int) -> None:
        """Open a timer, under which all questions are asked from now on, and log it."""

    def close_timer(self) -> None:
        """Close the open timer, and log it."""


MOVED_ON = "this game has moved on without the rule that still holds it"


class _Dead:
    """Sink of a handle whose procedure ended or was abandoned; every use raises."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(MOVED_ON)


class Game(Asking, Generic[TableT, ContentT]):
    """Handle of one game: everything that rules can use."""

    def __init__(
        self,
        sink: EventSink,
        content: ContentT,
        players: tuple[Player, ...],
        worked_out: dict[str, Any] | None = None,
    ) -> None:
        self._sink = sink
        self.table: TableT
        """The current table. A rule may keep ids across an await, but no parts of the table."""
        self.content = content
        self.players = players
        """The players who started the game, by seat."""
        self.under_way: set[str] = set()
        """Names of procedures in progress that must not run inside themselves; set by rules."""
        self.noted: dict[str, int] = {}
        """Numbers that the rules changed but have not logged yet."""
        self.shared: dict[str, Any] = {}
        """Objects that the rules of one procedure share while it runs, by name; set by rules."""
        self.worked_out: dict[str, Any] = {} if worked_out is None else worked_out
        """Caches of the rules, by name; set by rules. The room keeps them from one procedure to the
        next, so each must know for which table it is valid."""
        self._chain: tuple[Text, ...] = ()
        self.open_timer: Timer | None = None
        """The timer under which questions are asked now."""
        self.refresh()

    def rebind(self, sink: EventSink) -> None:
        """Attach the handle to the writer of a new batch. Only the room calls this method."""
        self._sink = sink
        self.refresh()

    def refresh(self) -> None:
        """Read the table again after the room wrote an event. Only the room calls this method."""
        # An attribute, not a property: rules read it several times per event.
        self.table = self._sink.table.game  # type: ignore[assignment]  # the ruleset's own class

    def kill(self) -> None:
        """Disable this handle: every later use raises. Only the room calls this method."""
        # A class change, not a flag: no method has to ask whether its game is dead.
        self._sink = cast("EventSink", _Dead())
        self.__class__ = _DeadGame

    def emit(self, happened: GameEvent) -> None:
        """Append an event to the log and fold it into the table."""
        self._sink.emit(happened)
        self.refresh()

    async def pause(self) -> None:
        """Let the server serve other rooms if this answer takes long. The table stays as it is."""
        # Reading the sink makes a dead handle raise here too.
        _ = self._sink.version
        await _PAUSE

    async def through(self, steps: Steps[T]) -> T:
        """Run all steps of some work with a pause after each; return the result of the work."""
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            await self.pause()

    # State from before the start

    def prepared(self, seat: int) -> bytes | None:
        """Return the checked preparation of a seat; None if it made none."""
        return self._sink.prepared(seat)

    def brought(self, seat: int) -> bytes | None:
        """Return what the campaign's last game left to a seat's owner in private, or None."""
        return self._sink.brought(seat)

    @property
    def legacy(self) -> Legacy | None:
        """Public state that the campaign's last game left to this one; None outside a campaign."""
        return self._sink.legacy

    # People

    @property
    def is_as_proposed(self) -> bool:
        """True if the table's settings accept every proposed order and tie without asking."""
        return self._sink.table.room.settings.as_proposed

    @property
    def is_by_calendar(self) -> bool:
        """
        True if the time limits of the table run by the calendar, whoever is present.

        People answer over days there, so a rule asks them and waits instead of opening a window.
        """
        return self._sink.table.room.settings.by_calendar

    @property
    def least_seconds(self) -> int:
        """
        The table's least age of a question that one seat decides and others may interrupt.

        It is 0 in a practice game, where one person has all seats and nobody has to be quick.
        """
        room = self._sink.table.room
        return 0 if room.source is not None else room.settings.least_seconds

    def is_bot(self, seat: int) -> bool:
        """Return whether a bot has a seat now, which is never waited for."""
        return self._sink.table.room.seats[seat].is_bot

    @property
    def is_setup_fixed(self) -> bool:
        """True if the table plays a fixed setup, which others play too: nobody chooses in it."""
        return self._sink.table.room.fixed_setup is not None

    @property
    def lays_ready(self) -> bool:
        """True if the settings have interruptions laid ready in advance."""
        return self._sink.table.room.settings.lays_ready

    @property
    def has_strict_windows(self) -> bool:
        """True if the settings have all seats asked that public facts do not rule out."""
        return self._sink.table.room.settings.strict_windows

    @property
    def shows_hands(self) -> bool:
        """True if the settings let players show cards of their hands."""
        return self._sink.table.room.settings.hands

    def set_chat(self, *, is_open: bool) -> None:
        """
        Open or close the chat of the table, until the next call or the end of the game.

        The moment must not depend on secrets, since everybody sees it.
        """
        self._sink.set_chat(is_open=is_open)
        self.refresh()

    def lapse(self, name: str) -> None:
        """
        End all standing passes that last until this: a phase, a round, or something that happens.

        The record is public and is written whether anybody has such a pass or not, once some seat
        has set any pass. It must follow from public facts: a lapse that comes only if a card in
        some hand says so would tell the card. Logs before version 4 have no such records, and no
        passes that lapse.

        Args:
            name: one of `GameTable.lapses`.

        Raises:
            ValueError: the table has no such name.
        """
        if name not in self.table.lapses:
            raise ValueError(f"{name} is none of the lapses of {type(self.table).__name__}")
        self._sink.lapse(name)

    def seat_of(self, character: str) -> int:
        """
        Return the seat that has this character now: the first one, if several have it.

        Raises:
            KeyError: no seat has it.
        """
        # Looked up each time: in some games characters die, are replaced, or change hands.
        seats = self._sink.table.seats_of(character)
        if not seats:
            raise KeyError(character)
        return seats[0]

    @property
    def chain(self) -> tuple[Text, ...]:
        """Effects being resolved now, outermost first."""
        return self._chain

    @contextlib.contextmanager
    def within(self, text: Text) -> Iterator[None]:
        """
        Mark every question asked inside the block as caused by this effect.

        Args:
            text: the effect, in words that everybody at the table may read.
        """
        before = self._chain
        self._chain = (*before, text)
        try:
            yield
        finally:
            self._chain = before

    @contextlib.contextmanager
    def timer(self, name: Text, seconds: int) -> Iterator[Timer]:
        """
        Limit the time of all questions asked inside the block together.

        The time runs while somebody is at the table, and starts over after a pause. When it is
        over, the open question takes its default, and so does each further question of the block,
        without being asked. A loop that asks ends by `timer.is_over`. The table's own time limit
        still holds for each question. Questions with seconds of their own keep these.

        Timers do not nest. Opening and closing must follow from public facts, since everybody sees
        it.

        Args:
            name: the subject of the time, in words that everybody at the table may read.
            seconds: the time of all questions together.
        """
        self._sink.open_timer(name, seconds)
        self.refresh()
        self.open_timer = timer = Timer()
        try:
            yield timer
        except Exception:
            # Not where the procedure was abandoned: nothing may be written then.
            self._close_timer()
            raise
        self._close_timer()

    def _close_timer(self) -> None:
        self.open_timer = None
        self._sink.close_timer()
        self.refresh()

    # Chance

    @property
    def next_sequence(self) -> int:
        """The sequence that the next event will have; every event on the log changes it."""
        return self._sink.next_sequence

    @property
    def version(self) -> int:
        """The version of the log, fixed when the game began."""
        return self._sink.version

    def roll(self, purpose: str, count: int, *, sides: int) -> tuple[int, ...]:
        """Roll dice publicly; return faces from 0 to sides - 1."""
        # No draw by itself moves anything on the table of the game.
        return self._sink.roll(purpose, count, sides)

    def pick(self, purpose: str, options: Sequence[T], stream: Stream = Stream.PLAY) -> T:
        """
        Pick one option at random, publicly; all options are equally likely. Rule RANDOM-2.

        Neither the options nor their order may depend on secrets: everybody learns the number of
        options.
        """
        return options[self._sink.pick(purpose, len(options), stream)]

    def pick_secretly(self, purpose: str, options: Sequence[T]) -> T:
        """
        Pick one option at random in secret.

        The options may depend on secrets: nobody learns their number.
        """
        return options[self._sink.pick_secretly(purpose, len(options))]

    def deal(self, purpose: str, options: Sequence[T], name: Callable[[T], str] = str) -> T:
        """
        Draw one option in secret, from the chance of the setup, which no player can influence.

        Args:
            purpose: purpose of the draw; draws of one purpose form a sequence.
            options: what can be drawn, each equally likely.
            name: returns the name of an option, which is unique and the same in every game.
        """
        return options[self._sink.deal(purpose, [name(option) for option in options])]

    def shuffle(
        self,
        pile: str,
        items: Sequence[str] | None = None,
        stream: Stream = Stream.PLAY,
        *,
        knowers: Sequence[int] = (),
    ) -> None:
        """
        Shuffle a pile, so that nobody can follow a card through the shuffle.

        A pile that some seats know is a hand. Shuffle a hand whenever a card was put into it: all
        its handles are new then, so when a card is played from the hand, nobody else can tell when
        it came into the hand.

        Args:
            pile: the name of the pile; part of the purpose of the draw.
            items: contents of a new pile; None for the cards that the pile has now.
            stream: PLAY if a player's act caused the shuffle.
            knowers: the seats that learn the order of the cards.
        """
        if items is None:
            table = self.table
            items = tuple(table.card_of(handle) for handle in table.piles[pile])
        # Sorted, so that the record does not depend on the order of the caller.
        self._sink.shuffle(pile, items, stream, tuple(sorted(knowers)))
        self.refresh()

    def look_at(self, pile: str, handles: Sequence[Handle], knowers: Sequence[int]) -> None:
        """
        Let some seats look at cards of a pile, whose order stays; everybody sees the places.

        Going back leaves these cards in place: it shuffles only cards that nobody knows.
        """
        self._sink.look_at(pile, handles, tuple(sorted(knowers)))
        self.refresh()

    def arrange(self, pile: str, handles: Sequence[Handle], knowers: Sequence[int]) -> None:
        """
        Put some cards of a pile into a given order, among the places that they hold together.

        The cards get new handles, so that nobody else can tell whether the order changed. Everybody
        sees the places.

        Args:
            pile: the pile in which the cards lie.
            handles: handles of the cards, in their new order from the top.
            knowers: the seats that learn the order.
        """
        self._sink.arrange(pile, handles, tuple(sorted(knowers)))
        self.refresh()

    def disclose(self, sealed: Sealed[Any]) -> Disclosure:
        """Return the opening of a secret, for an event that reveals the secret to more seats."""
        return self._sink.disclose(sealed)


class _DeadGame(Game[Any, Any]):
    """A handle whose procedure ended or was abandoned; even reading from it raises."""

    def __getattribute__(self, name: str) -> Any:
        if name == "table":
            raise RuntimeError(MOVED_ON)
        return super().__getattribute__(name)


Procedure = Coroutine[Ask[Any] | None, Picks[Any] | None, None]
"""A running rule, which the room drives: the rule yields a question, or None to pause."""


class _Pause:
    """Awaitable on which a procedure pauses."""

    def __await__(self) -> Generator[None, object, None]:
        """Yield None to the room, which resumes the procedure later."""
        yield


_PAUSE = _Pause()


@frozen
class Correction:
    """A number on the table that players may correct by agreement."""

    subject: str
    """Id of the piece that has the number, as on the log."""
    stands: int
    """Present amount of the number."""
    least: int
    most: int
    event_for: Callable[[int], GameEvent]
    """Makes the event that sets a new amount."""

    def allows(self, amount: int) -> bool:
        """Return True if an amount is within the bounds and differs from the present one."""
        return self.least <= amount <= self.most and amount != self.stands


def correction_of(
    corrections: Iterable[Correction], subject: str, amount: int
) -> Correction | None:
    """Return the offered correction that allows this amount of a subject; None if there is none."""
    fitting = (one for one in corrections if one.subject == subject and one.allows(amount))
    return next(fitting, None)


class Ruleset(Protocol):
    """Interface of the rules of one game."""

    name: str

    def roster(self, content: Any) -> Roster:
        """Return the possible players of a scenario: numbers of seats, roles and characters."""

    def informed_roles(self, content: Any) -> tuple[str, ...] | None:
        """
        Return the roles that are told all that a fixed setup hides in a scenario.

        Somebody who knows the setup may have a seat of such a role, and of no other.

        Returns:
            The roles; empty if no role is told all of it; None if somebody who knows it may have
                any seat.
        """

    def start_fault(self, content: Any, players: tuple[Player, ...]) -> str | None:
        """
        Return why a game of these players cannot start, beyond the limits of the roster.

        Returns:
            The code of a refusal, whose words are the text `refusal/CODE`; None if the game can
                start.
        """

    def prepared_fault(
        self, content: Any, seat: Seat, prepared: bytes | None
    ) -> tuple[Reason, ...]:
        """
        Return why a seat cannot play with its preparation, rule by rule; empty if it can.

        The room asks when the seat prepares, and again when the seat gets ready, since the seat may
        have claimed other characters by then. Only the seat sees the reasons, `MAX_REASONS` at
        most: those that a player should mend first come first.

        Args:
            content: the content of the scenario.
            seat: the seat as it is at the table now.
            prepared: the preparation of the seat; None if it made none.
        """

    def corrections(self, table: GameTable) -> tuple[Correction, ...]:
        """Return the corrections that players may agree on at this table."""

    def unknown_piles(self, table: GameTable) -> tuple[str, ...]:
        """
        Return the piles whose order nobody knows and on which no answer depends.

        After going back the room shuffles exactly these piles, so that nobody profits from what was
        seen in the abandoned part of the game.
        """

    def next_procedure(self, game: "Game[Any, Any]") -> "Procedure | None":
        """
        Return the next procedure, by the table alone; None when the game is over.

        The room calls this method at every checkpoint, so that it can be rebuilt there.
        """


def ruleset_of(game: str) -> Ruleset:
    """Return the rules of a game. UnknownGameError: no game of this name is installed."""
    ruleset: Ruleset = plug("server", game, "plug").RULESET
    return ruleset


class Library(Protocol):
    """Rulesets and content for a room."""

    def ruleset(self, name: str) -> Ruleset:
        """Return the ruleset of this name. LookupError: no ruleset has this name."""

    def content(self, room: RoomTable) -> Any:
        """Return the content that the room's first events pinned. LookupError: it is missing."""

    def setup_seed(self, setup: FixedSetup) -> bytes | None:
        """Return the seed of a fixed setup; None if this library does not know the setup."""

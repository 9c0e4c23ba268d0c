"""
The Game handle: everything that a rule can reach.

Through the handle a rule reads table and content, emits events, draws from chance and asks people.
The handle dies with its procedure, so an abandoned coroutine cannot change the game.
"""

import contextlib
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Generic, Protocol, TypeVar, cast

from protocol.common.asks import Audience, Reason, RefusedChoice, Settle
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
from server.kernel.asks import Ask, Option, Picks, Prompt
from server.kernel.steps import Steps
from server.kernel.timers import Timer

T = TypeVar("T")
U = TypeVar("U")
TableT = TypeVar("TableT", bound=GameTable)
ContentT = TypeVar("ContentT")


@frozen
class Interruption(Generic[U]):
    """What a seat chose to interrupt the one that decides."""

    seat: int
    value: U


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


class Game(Generic[TableT, ContentT]):
    """Handle of one game: everything that rules can use."""

    def __init__(self, sink: EventSink, content: ContentT, players: tuple[Player, ...]) -> None:
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

        The record is public and is written whether anybody has such a pass or not. It must follow
        from public facts: a lapse that comes only if a card in some hand says so would tell the
        card. Logs before version 4 have no such records, and no passes that lapse.

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
        # Asked anew each time: in some games characters die, are replaced, or change hands.
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

    async def ask(self, question: Ask[T]) -> Picks[T]:
        """Ask any question. The methods below are shorter for the usual kinds."""
        return await question

    async def choose(
        self,
        seat: int,
        options: Sequence[Option[T]],
        *,
        rule: str,
        about: Text,
        prompt: Text,
        refused: Sequence[RefusedChoice] = (),
    ) -> T:
        """Have one seat choose exactly one option."""
        ask = Ask(rule, about, {seat: Prompt(prompt, tuple(options), tuple(refused))})
        return (await ask)[seat][0]

    async def choose_some(
        self,
        seat: int,
        options: Sequence[Option[T]],
        *,
        rule: str,
        about: Text,
        prompt: Text,
        at_least: int,
        at_most: int,
        is_ordered: bool = False,
        can_repeat: bool = False,
        default: tuple[int, ...] | None = None,
    ) -> tuple[T, ...]:
        """
        Have one seat choose from `at_least` to `at_most` options.

        A time-out takes the options at the positions in `default`, or the first `at_least` options
        if `default` is None.
        """
        question = Prompt(
            prompt,
            tuple(options),
            at_least=at_least,
            at_most=at_most,
            is_ordered=is_ordered,
            can_repeat=can_repeat,
            default=default,
        )
        return (await Ask(rule, about, {seat: question}))[seat]

    async def agree(
        self,
        voters: Sequence[str],
        options: Sequence[Option[T]],
        *,
        rule: str,
        about: Text,
        prompt: Text,
        settle: Settle = Settle.AGREE,
        audience: Audience = Audience.ALL,
    ) -> T:
        """
        Have the seats of these characters decide together. Rules CONFLICT-1 to CONFLICT-3.

        A single option is taken without asking.

        Args:
            voters: the characters whose seats vote. If too few votes agree, a lot among these
                characters decides.
            options: the choices, the same for all seats.
            rule: the rule that asks.
            about: subject of the question, in words that all seats may read.
            prompt: the question to each seat.
            settle: whether all votes have to agree, or a MAJORITY is enough.
            audience: who may read a vote before all votes are in.
        """
        if len(options) == 1:
            return options[0].value
        put = Prompt(prompt, tuple(options))
        (decided,) = await self._vote(voters, put, settle, audience, rule, about)
        return decided

    async def agree_on_list(
        self,
        voters: Sequence[str],
        options: Sequence[Option[T]],
        *,
        rule: str,
        about: Text,
        prompt: Text,
        at_least: int,
        at_most: int,
        settle: Settle = Settle.AGREE,
        audience: Audience = Audience.ALL,
    ) -> tuple[T, ...]:
        """
        Have the seats of these characters agree on an ordered list of options.

        Two lists agree if they hold the same options in the same order. A single option is asked
        for, too; all else is as in `agree`.
        """
        put = Prompt(prompt, tuple(options), at_least=at_least, at_most=at_most, is_ordered=True)
        return await self._vote(voters, put, settle, audience, rule, about)

    async def _vote(
        self,
        voters: Sequence[str],
        put: Prompt[T],
        settle: Settle,
        audience: Audience,
        rule: str,
        about: Text,
    ) -> tuple[T, ...]:
        asked = tuple((voter, self.seat_of(voter)) for voter in voters)
        seats = sorted(dict.fromkeys(seat for _, seat in asked))
        prompts = dict.fromkeys(seats, put)
        # One seat cannot disagree: its question is a plain one, without votes.
        if len(seats) > 1:
            picks = await Ask(rule, about, prompts, settle, asked, audience=audience)
        else:
            picks = await Ask(rule, about, prompts, Settle.EACH, asked)
        # All seats have the same decision by now.
        return picks[min(picks)]

    async def any_one(
        self, prompts: Mapping[int, Prompt[T]], *, rule: str, about: Text
    ) -> tuple[int, tuple[T, ...]]:
        """Ask several seats; the first answer counts. Return that seat and its choices."""
        picks = await Ask(rule, about, prompts, Settle.ANY_ONE)
        seat = min(picks)
        return seat, picks[seat]

    async def each(self, prompts: Mapping[int, Prompt[T]], *, rule: str, about: Text) -> Picks[T]:
        """Ask several seats, each in secret; return all answers together."""
        return await Ask(rule, about, prompts, Settle.EACH)

    async def each_in_row(
        self, rows: Mapping[int, Sequence[Prompt[T]]], *, rule: str, about: Text
    ) -> Mapping[int, tuple[tuple[T, ...], ...]]:
        """
        Ask several seats a row of questions each; each seat answers in secret at its own pace.

        The other seats see only who has answered the whole row. Rows may differ in length.

        Returns:
            The chosen values by seat, question by question.
        """
        prompts = {}
        for seat, row in rows.items():
            # Each value carries the place of its question: the picks of a row come in one list.
            first, *then = [prompt.in_row(at) for at, prompt in enumerate(row)]
            prompts[seat] = first.followed_by(then)
        picks = await Ask(rule, about, prompts, Settle.EACH)
        return {
            seat: tuple(
                tuple(value for place, value in picks[seat] if place == at)
                for at in range(len(row))
            )
            for seat, row in rows.items()
        }

    async def first_to_act(
        self, prompts: Mapping[int, Prompt[T]], *, rule: str, about: Text, kind: str = ""
    ) -> tuple[int, T] | None:
        """
        Ask several seats whether they act; the first seat that acts settles the question.

        Args:
            prompts: the questions by seat; in each, exactly one option passes: the one with `ends`
                set.
            rule: the rule that asks.
            about: subject of the question, in words that all seats may read.
            kind: subject on which a seat can pass once and for all; empty if it cannot.

        Returns:
            The seat that acted, and its choice; None if all seats passed.
        """
        return await self._act_or_pass(prompts, Settle.FIRST_OR_ALL_PASS, rule, about, kind)

    async def unless_objected(
        self,
        prompts: Mapping[int, Prompt[T]],
        *,
        rule: str,
        about: Text,
        seconds: int,
        kind: str = "",
    ) -> tuple[int, T] | None:
        """
        Ask several seats whether they object; no objection within `seconds` counts as passing.

        The time runs while all seats that have not passed yet are present. All else is as in
        `first_to_act`.
        """
        settle = Settle.UNLESS_OBJECTED
        return await self._act_or_pass(prompts, settle, rule, about, kind, seconds)

    async def window(
        self,
        prompts: Mapping[int, Prompt[T]],
        *,
        rule: str,
        about: Text,
        kind: str,
        at_most: int = 1,
    ) -> dict[int, tuple[T, ...]]:
        """
        Open a timed window: each asked seat may interrupt, and nobody learns who considered it.

        Seats, moment and kind must follow from public facts, or the question itself would reveal a
        secret. As a rule every holder of hidden cards is asked, independent of what the cards are.

        Args:
            prompts: the questions by seat; in each, exactly one option passes: the one with `ends`
                set.
            rule: the rule that asks.
            about: subject of the question, in words that all seats may read.
            kind: subject of the window, which catalogs name in words; seats may set stops for it.
            at_most: number of options that each seat may choose, unless it passes. It must follow
                from public facts, since the size of the record shows it.

        Returns:
            The choices of each seat that did not pass.
        """
        choices = {seat: prompt.to_pass_or_act(at_most) for seat, prompt in prompts.items()}
        picks = await Ask(rule, about, choices, Settle.WINDOW, kind=kind)
        acts = {seat: [one for one in chosen if not one.ends] for seat, chosen in picks.items()}
        return {seat: tuple(one.value for one in chosen) for seat, chosen in acts.items() if chosen}

    async def beside(
        self,
        decider: int,
        prompt: Prompt[T],
        others: Mapping[int, Prompt[U]],
        *,
        rule: str,
        about: Text,
    ) -> T | Interruption[U]:
        """
        Have one seat decide, while others may interrupt it.

        Who interrupts settles the question at once; the rule then asks anew. The decision waits
        until the question has the least age of the table's settings, so that nobody has to say that
        they let it be.

        Whom a rule asks must follow from public facts. Who has nothing to interrupt with is asked
        all the same, with a prompt that has no options.

        Args:
            decider: the seat that decides.
            prompt: its question, which takes exactly one option. A time-out takes the default.
            others: the questions to the seats that may interrupt, each with one option at most.
            rule: the rule that asks.
            about: subject of the question, in words that all seats may read.

        Returns:
            The value that the decider chose, or the interruption.
        """
        prompts: dict[int, Prompt[T | Interruption[U]]] = {
            seat: put.to_interrupt(partial(Interruption[U], seat)) for seat, put in others.items()
        }
        if decider in prompts:
            raise ValueError(f"{rule} would let a seat interrupt itself")
        prompts[decider] = cast("Prompt[T | Interruption[U]]", prompt)
        asked = dict(sorted(prompts.items()))
        picks = await Ask(rule, about, asked, Settle.BESIDE, decides=decider)
        ((value,),) = picks.values()
        return value

    async def _act_or_pass(
        self,
        prompts: Mapping[int, Prompt[T]],
        settle: Settle,
        rule: str,
        about: Text,
        kind: str,
        seconds: int = 0,
    ) -> tuple[int, T] | None:
        choices = {seat: prompt.to_pass_or_act() for seat, prompt in prompts.items()}
        picks = await Ask(rule, about, choices, settle, kind=kind, seconds=seconds)
        acts = [(seat, option.value) for seat, (option,) in picks.items() if not option.ends]
        return acts[0] if acts else None

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

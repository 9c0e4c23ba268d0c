"""
The Game handle: everything that a rule can reach.

Through it a rule reads table and content, emits events, draws from chance and asks people. The
handle ends with its procedure, so an abandoned coroutine cannot change the game.
"""

import contextlib
import functools
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

from protocol.common.asks import Audience, RefusedChoice, Settle
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

T = TypeVar("T")
TableT = TypeVar("TableT", bound=GameTable)
ContentT = TypeVar("ContentT")


class EventSink(Protocol):
    """The room's side of the handle, which writes the log."""

    table: Table
    """The working table of the room, whose game has begun."""

    def emit(self, happened: GameEvent) -> None:
        """Put an event on the log and fold it at once."""

    @property
    def next_sequence(self) -> int:
        """The sequence of the event that is written next."""

    @property
    def version(self) -> int:
        """The version of the log."""

    def roll(self, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Roll dice and log them."""

    def pick(self, purpose: str, bound: int, stream: Stream) -> int:
        """Pick a number under the bound and log it."""

    def pick_secretly(self, purpose: str, bound: int) -> int:
        """Pick a number under the bound and log both sealed."""

    def deal(self, purpose: str, names: Sequence[str]) -> int:
        """Draw one of these names, log the draw sealed, and return the position of the name."""

    def shuffle(
        self, pile: str, items: Sequence[str], stream: Stream, knowers: tuple[int, ...] = ()
    ) -> None:
        """Mix a pile of these items and log it; some seats may know the order."""

    def look_at(self, pile: str, handles: Sequence[Handle], knowers: tuple[int, ...]) -> None:
        """Show some seats the cards of a pile with these handles."""

    def arrange(self, pile: str, handles: Sequence[Handle], knowers: tuple[int, ...]) -> None:
        """Lay these cards of a pile at their places in this order, which some seats know."""

    def disclose(self, sealed: Sealed[Any]) -> Disclosure:
        """Return the opening of a secret on the log."""

    def prepared(self, seat: int) -> bytes | None:
        """Return what a seat prepared before the start; None for nothing."""

    def brought(self, seat: int) -> bytes | None:
        """Return what a seat brought along from its campaign; None for nothing."""

    @property
    def legacy(self) -> Legacy | None:
        """State that a campaign hands to its next game; None outside a campaign."""

    def set_chat(self, *, is_open: bool) -> None:
        """Open or close the talk at the table, and log it if that is a change."""


MOVED_ON = "this game has moved on without the rule that still holds it"


class _Dead:
    """The sink of a handle whose procedure is over or was abandoned."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(MOVED_ON)


class Game(Generic[TableT, ContentT]):
    """One game, as rules see it."""

    def __init__(self, sink: EventSink, content: ContentT, players: tuple[Player, ...]) -> None:
        """Join the room's sink with the content of the scenario and the people who play."""
        self._sink = sink
        self.table: TableT
        """The table as it is now. A rule may keep ids across an await, but no parts of it."""
        self.content = content
        self.players = players
        """Everybody who started the game, by seat."""
        self.under_way: set[str] = set()
        """Names of procedures under way that must not nest in themselves; chosen by the rules."""
        self.noted: dict[str, int] = {}
        """Numbers that the rules have changed but not logged yet."""
        self._chain: tuple[Text, ...] = ()
        self.refresh()

    def rebind(self, sink: EventSink) -> None:
        """Continue on a new batch. For the room alone."""
        self._sink = sink
        self.refresh()

    def refresh(self) -> None:
        """Read the table again. For the room alone, after it has written an event."""
        # An attribute, not a property: rules read it several times per event.
        self.table = self._sink.table.game  # type: ignore[assignment]  # the ruleset's own class

    def kill(self) -> None:
        """End this handle: every later use raises. For the room alone."""
        # A class change, not a flag: no method has to ask whether its game is dead.
        self._sink = cast("EventSink", _Dead())
        self.__class__ = _DeadGame

    def emit(self, happened: GameEvent) -> None:
        """Write an event to the log and fold it into the table."""
        self._sink.emit(happened)
        self.refresh()

    async def pause(self) -> None:
        """Let other rooms be served if this answer has taken long; this table does not change."""
        # Reading the sink makes a dead handle raise here too.
        _ = self._sink.version
        await _PAUSE

    async def through(self, steps: Steps[T]) -> T:
        """Run all steps of some work with a pause after each; return its result."""
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            await self.pause()

    # State from before the start

    def prepared(self, seat: int) -> bytes | None:
        """Return what a seat prepared, as `prepared_fault` checked it; None for nothing."""
        return self._sink.prepared(seat)

    def brought(self, seat: int) -> bytes | None:
        """Return what the campaign's last game left to the seat's owner alone; None for nothing."""
        return self._sink.brought(seat)

    @property
    def legacy(self) -> Legacy | None:
        """Public state that a campaign hands to its next game; None outside a campaign."""
        return self._sink.legacy

    # People

    @property
    def is_as_proposed(self) -> bool:
        """True if the table takes orders and ties as the rules propose them, unasked."""
        return self._sink.table.room.settings.as_proposed

    def set_chat(self, *, is_open: bool) -> None:
        """
        Open or close the talk at the table, until this is called again or the game is over.

        The moment must not depend on secrets, since everybody sees it.
        """
        self._sink.set_chat(is_open=is_open)
        self.refresh()

    def seat_of(self, character: str) -> int:
        """Return the seat that claimed this character."""
        return self._seats[character]

    @functools.cached_property
    def _seats(self) -> dict[str, int]:
        """Seat that claimed each character first."""
        return {one: player.seat for player in self.players[::-1] for one in player.characters}

    @property
    def chain(self) -> tuple[Text, ...]:
        """Effects being resolved now, outermost first."""
        return self._chain

    @contextlib.contextmanager
    def within(self, text: Text) -> Iterator[None]:
        """
        Mark every question asked inside as caused by this effect.

        Args:
            text: the effect, in words that everybody at the table may read.
        """
        before = self._chain
        self._chain = (*before, text)
        try:
            yield
        finally:
            self._chain = before

    async def ask(self, question: Ask[T]) -> Picks[T]:
        """Ask any question. The methods below are shorter for the usual ones."""
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

        A time-out takes the options at the positions in `default`; the first `at_least` for None.
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

        A single option is taken without asking, since nothing is open.

        Args:
            voters: the characters among which a lot is drawn where too few agree.
            options: the choices, which are the same for all.
            rule: the rule that asks.
            about: what the question is about, in words for all.
            prompt: the question to each seat.
            settle: whether all have to agree, or a MAJORITY is enough.
            audience: who may read a vote before all are in.
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
        Have the seats of these characters decide together on some options in their order.

        Two lists agree if they hold the same options in the same order. The rest is as in `agree`.
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
        if len(seats) > 1:
            picks = await Ask(rule, about, prompts, settle, asked, audience=audience)
        else:
            picks = await Ask(rule, about, prompts, Settle.EACH, asked)
        return picks[min(picks)]

    async def any_one(
        self, prompts: Mapping[int, Prompt[T]], *, rule: str, about: Text
    ) -> tuple[int, tuple[T, ...]]:
        """Ask several seats; the first answer counts. Return that seat and its choices."""
        picks = await Ask(rule, about, prompts, Settle.ANY_ONE)
        seat = min(picks)
        return seat, picks[seat]

    async def each(self, prompts: Mapping[int, Prompt[T]], *, rule: str, about: Text) -> Picks[T]:
        """Ask several seats, each in secret; all answers come back at once."""
        return await Ask(rule, about, prompts, Settle.EACH)

    async def each_in_row(
        self, rows: Mapping[int, Sequence[Prompt[T]]], *, rule: str, about: Text
    ) -> Mapping[int, tuple[tuple[T, ...], ...]]:
        """
        Ask several seats a row of questions each, in secret and each at its own pace.

        The others see only who has answered the whole row. Rows may differ in length.

        Returns:
            The chosen values by seat, question by question.
        """
        prompts = {}
        for seat, row in rows.items():
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
        Ask several seats whether they do something: the first who does settles it.

        Args:
            prompts: the questions by seat; exactly one option of each ends it, which is to pass.
            rule: the rule that asks.
            about: what the question is about, in words for all.
            kind: the subject of what seats may pass on for good; empty where they cannot.

        Returns:
            The seat that did something, and its choice; None where all passed.
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
        Let something stand unless a seat objects within `seconds`; otherwise as `first_to_act`.

        The time runs while all seats that have not passed yet are present.
        """
        settle = Settle.UNLESS_OBJECTED
        return await self._act_or_pass(prompts, settle, rule, about, kind, seconds)

    async def window(
        self, prompts: Mapping[int, Prompt[T]], *, rule: str, about: Text, kind: str
    ) -> dict[int, T]:
        """
        Open a timed window: each seat asked may interrupt, and nobody learns who thought of it.

        Seats, moment and kind must follow from public facts, or the question itself would tell a
        secret: as a rule every holder of hidden cards is asked, whatever the cards are.

        Args:
            prompts: the questions by seat; exactly one option of each ends it, which is to pass.
            rule: the rule that asks.
            about: what the question is about, in words for all.
            kind: the subject of the window, whose words name it; seats may have stops at it.

        Returns:
            The choice of each seat that did not pass.
        """
        choices = {seat: prompt.to_pass_or_act() for seat, prompt in prompts.items()}
        picks = await Ask(rule, about, choices, Settle.WINDOW, kind=kind)
        return {seat: option.value for seat, (option,) in picks.items() if not option.ends}

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
        """The sequence of the next event; it changes whenever anything at all happens."""
        return self._sink.next_sequence

    @property
    def version(self) -> int:
        """The version of the log with which this game was begun."""
        return self._sink.version

    def roll(self, purpose: str, count: int, *, sides: int) -> tuple[int, ...]:
        """Roll dice in view of all; faces from 0 to sides - 1."""
        # No draw by itself moves anything on the table of the game.
        return self._sink.roll(purpose, count, sides)

    def pick(self, purpose: str, options: Sequence[T], stream: Stream = Stream.PLAY) -> T:
        """
        Pick one of several at random, in view of all: each equally likely. Rule RANDOM-2.

        Neither the options nor their order may depend on secrets: all learn how many there are.
        """
        return options[self._sink.pick(purpose, len(options), stream)]

    def pick_secretly(self, purpose: str, options: Sequence[T]) -> T:
        """Pick one of several that may depend on secrets; nobody learns how many there are."""
        return options[self._sink.pick_secretly(purpose, len(options))]

    def deal(self, purpose: str, options: Sequence[T], name: Callable[[T], str] = str) -> T:
        """
        Draw one of several in secret, from the chance of the setup, which no player's act changes.

        Args:
            purpose: the purpose of the draw; draws of one purpose follow each other.
            options: what can be drawn, each equally likely.
            name: returns the name of an option, which no other has and which is the same in every
                game.
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
        Mix a pile, so that nobody can follow a card in it.

        A pile that some seats know is a hand. Mix a hand whenever a card was put into it: all its
        handles are new then, so that nobody else can tell from a played card when that card came.

        Args:
            pile: the name of the pile; part of the purpose of the draw.
            items: what a new pile is made of; None for the cards that are in it now.
            stream: PLAY if a player's act caused the shuffle.
            knowers: the seats that are told in which order the cards lie.
        """
        if items is None:
            table = self.table
            items = tuple(table.card_of(handle) for handle in table.piles[pile])
        self._sink.shuffle(pile, items, stream, tuple(sorted(knowers)))
        self.refresh()

    def look_at(self, pile: str, handles: Sequence[Handle], knowers: Sequence[int]) -> None:
        """
        Let some seats look at cards of a pile, whose order stays; all see at which places.

        Going back leaves these cards where they are; only cards that nobody knows are mixed.
        """
        self._sink.look_at(pile, handles, tuple(sorted(knowers)))
        self.refresh()

    def arrange(self, pile: str, handles: Sequence[Handle], knowers: Sequence[int]) -> None:
        """
        Lay some cards of a pile, at the places that they have together, in a given order.

        The cards get new handles, so that nobody else can tell whether the order has changed. All
        see at which places they lie.

        Args:
            pile: the pile in which the cards lie.
            handles: handles of the cards, in their new order from the top.
            knowers: the seats that know the order.
        """
        self._sink.arrange(pile, handles, tuple(sorted(knowers)))
        self.refresh()

    def disclose(self, sealed: Sealed[Any]) -> Disclosure:
        """Return what opens a secret, for an event that shows it to more people."""
        return self._sink.disclose(sealed)


class _DeadGame(Game[Any, Any]):
    """A handle whose procedure is over or was abandoned; even reading from it raises."""

    def __getattribute__(self, name: str) -> Any:
        if name == "table":
            raise RuntimeError(MOVED_ON)
        return super().__getattribute__(name)


Procedure = Coroutine[Ask[Any] | None, Picks[Any] | None, None]
"""A rule in progress, as the room drives it: it asks, or pauses (None)."""


class _Pause:
    """Awaitable that makes a procedure pause."""

    def __await__(self) -> Generator[None, object, None]:
        """Yield None to the room, which resumes the procedure later."""
        yield


_PAUSE = _Pause()


@frozen
class Correction:
    """A number on the table that players may correct if everybody agrees."""

    subject: str
    """Id of the piece with the number, as on the log."""
    stands: int
    """Its present amount."""
    least: int
    most: int
    event_for: Callable[[int], GameEvent]
    """Makes the event that sets a new amount."""

    def allows(self, amount: int) -> bool:
        """Return whether an amount is within the bounds and differs from the present one."""
        return self.least <= amount <= self.most and amount != self.stands


def correction_of(
    corrections: Iterable[Correction], subject: str, amount: int
) -> Correction | None:
    """Return the correction that sets a subject to an amount; None where none is offered."""
    fitting = (one for one in corrections if one.subject == subject and one.allows(amount))
    return next(fitting, None)


class Ruleset(Protocol):
    """One game's rules, as the kernel knows them."""

    name: str

    def roster(self, content: Any) -> Roster:
        """Return who can play a scenario: how many seats, in which roles, as which characters."""

    def start_fault(self, content: Any, players: tuple[Player, ...]) -> str | None:
        """
        Return why a game of these players cannot start, beyond what the roster says.

        Returns:
            The code of a refusal, whose words are the text `refusal/CODE`; None if it can.
        """

    def prepared_fault(self, content: Any, seat: Seat, prepared: bytes | None) -> Text | None:
        """
        Return why a seat cannot play with what it has prepared; None where it can.

        Asked when the seat prepares, and again when it gets ready: by then it may have claimed
        other characters. The reason goes to the seat alone.

        Args:
            content: the content of the scenario.
            seat: the seat as it is at the table now.
            prepared: what the seat has prepared; None for nothing.
        """

    def corrections(self, table: GameTable) -> tuple[Correction, ...]:
        """Return the corrections that players may agree on at this table."""

    def unknown_piles(self, table: GameTable) -> tuple[str, ...]:
        """
        Return the piles whose order nobody knows and on which no answer depends.

        After going back these piles alone are mixed, so that nobody can use what was learnt of
        them.
        """

    def next_procedure(self, game: "Game[Any, Any]") -> "Procedure | None":
        """
        Return the next procedure, by the table alone; None when the game is over.

        Called at every checkpoint, so that a room can be rebuilt there.
        """


def ruleset_of(game: str) -> Ruleset:
    """Return the rules of a game, found by its name. UnknownGameError: it is not installed here."""
    ruleset: Ruleset = plug("server", game, "plug").RULESET
    return ruleset


class Library(Protocol):
    """Rulesets and content for a room."""

    def ruleset(self, name: str) -> Ruleset:
        """Return the ruleset of this name. LookupError: there is none."""

    def content(self, room: RoomTable) -> Any:
        """Return what the rules read, as pinned by the room's first events."""

    def setup_seed(self, setup: FixedSetup) -> bytes | None:
        """Return the seed of a fixed setup, if it is known here."""

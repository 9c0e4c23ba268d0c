"""Bench: a single game of any ruleset, whose dice, draws and answers a test supplies.

Events are sealed and folded as in a room, without chance or network. A test supplies dice and
answers in advance. A missing one is an error, except that shuffles keep the given order and picks
take the first.
"""

import itertools
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any

from protocol.common.asks import Settle
from protocol.common.chance import Stream
from protocol.common.events import (
    Asked,
    Dealt,
    Disclosure,
    Picked,
    PickedSecretly,
    Player,
    Rolled,
    SecretDeal,
    SecretPick,
    Settled,
    Shuffled,
    TimerClosed,
    TimerOpened,
    row_of,
)
from protocol.common.table import (
    LOG_VERSION,
    GameEvent,
    GameTable,
    Legacy,
    Seat,
    Stage,
    Table,
    fold,
)
from protocol.common.text import Text
from protocol.event import Event, Record, Sealed, Stored, hidden, openings_of
from protocol.sealing import seal
from server.kernel.asks import Ask, Option, Prompt
from server.kernel.game import Game

TIME_OVER: Any = object()
"""The answer by which the time of the open timer is over."""

Answer = str | int | Callable[[Option[Any]], bool] | tuple[Any, ...] | dict[int, Any] | EllipsisType


class Unanswered(AssertionError):
    """A rule asked a question for which the test supplied no answer."""


class Bench:
    """Game on the bench, which is also its own event sink."""

    def __init__(self, content: Any, players: tuple[Player, ...], game_table: GameTable) -> None:
        empty = Table(game=game_table)
        self.players = players
        # Rules ask the table who has a character, so its seats must have claimed them.
        claimed = {
            one.seat: Seat(
                one.seat, f"Player {one.seat}", b"", role=one.role, characters=one.characters
            )
            for one in self.players
        }
        self._table = empty.with_room(stage=Stage.PLAYING, version=LOG_VERSION, seats=claimed)
        self.game: Game[Any, Any] = Game(self, content, self.players)
        self.log: list[Event] = []
        self.stored: list[Stored] = []
        self.open: Ask[Any] | None = None
        """The question that waits when `run` came back before the end."""
        self.asked: list[Ask[Any]] = []
        self.chains: list[tuple[Text, ...]] = []
        """For each question, the effects that were being resolved."""
        self._dice: list[int] = []
        self._picks: list[int] = []
        self._orders: dict[str, list[tuple[str, ...]]] = {}
        self._mint = itertools.count()

    # What the test gives

    def give_faces(self, *faces: int) -> None:
        """Supply the next dice, as faces from 0."""
        self._dice += faces

    def give_picks(self, *positions: int) -> None:
        """Supply the next random picks, as positions."""
        self._picks += positions

    def give_order(self, pile: str, order: Sequence[str]) -> None:
        """Supply the result of the next shuffle of a pile, top first; further calls queue up."""
        self._orders.setdefault(pile, []).append(tuple(order))

    # The sink

    @property
    def table(self) -> Table:
        """Table, which a test may change without the rules."""
        return self._table

    @table.setter
    def table(self, table: Table) -> None:
        self._table = table
        self.game.refresh()

    def check_event(self, happened: object) -> None:
        """Check the words of an event; a game overrides it."""

    def check_ask(self, ask: Ask[Any]) -> None:
        """Check the words of a question; a game overrides it."""

    def emit(self, happened: GameEvent) -> None:
        self._write(happened)

    def _write(self, happened: Event) -> Record:
        self.check_event(happened)
        stored, record = seal(
            happened,
            room_id="bench",
            sequence=len(self.stored),
            time=0,
            origin=-1,
            knowers=self,
            new_salt=lambda: next(self._mint).to_bytes(32, "big"),
        )
        self.stored.append(stored)
        self.log.append(record.event)
        self.table = fold(self.table, record)
        return record

    def all_seats(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        return self.table.seats_of(knower)

    version = LOG_VERSION

    def _number(self, stream: Stream, purpose: str) -> int:
        return self.table.room.draws.get(row_of(self.version, stream, purpose), 0)

    def roll(self, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Take supplied dice."""
        if len(self._dice) < count:
            raise Unanswered(f"{count} dice are rolled for {purpose}, {len(self._dice)} given")
        faces = tuple(self._dice[:count])
        del self._dice[:count]
        number = self._number(Stream.PLAY, purpose)
        self._write(Rolled(Stream.PLAY, number, purpose, sides, faces))
        return faces

    def pick(self, purpose: str, bound: int, stream: Stream) -> int:
        """Take the next supplied pick, else the first."""
        result = self._picks.pop(0) if self._picks else 0
        number = self._number(stream, purpose)
        self._write(Picked(stream, number, purpose, bound, result))
        return result

    def pick_secretly(self, purpose: str, bound: int) -> int:
        """Take the next supplied pick, else the first."""
        result = self._picks.pop(0) if self._picks else 0
        number = self._number(Stream.PLAY, purpose)
        choice = hidden(SecretPick(bound, result))
        self._write(PickedSecretly(Stream.PLAY, number, purpose, (), choice))
        return result

    def deal(self, purpose: str, names: Sequence[str]) -> int:
        """Take the next supplied position, else the first."""
        position = self._picks.pop(0) if self._picks else 0
        number = self._number(Stream.DEAL, purpose)
        choice = hidden(SecretDeal(tuple(sorted(names)), names[position]))
        self._write(Dealt(number, purpose, (), choice))
        return position

    def shuffle(
        self, pile: str, items: Sequence[str], stream: Stream, knowers: tuple[int, ...] = ()
    ) -> None:
        """Use the order supplied for the pile, else the order of `items`."""
        given = self._orders.get(pile)
        purpose = f"shuffle {pile}"
        order = given.pop(0) if given else tuple(items)
        assert sorted(order) == sorted(items), f"the order given for {pile} has other cards"
        handles = tuple(f"h{next(self._mint)}" for _ in order)
        number = self._number(stream, purpose)
        self._write(Shuffled(stream, number, purpose, pile, handles, knowers, hidden(order)))

    def disclose(self, sealed: Sealed[Any]) -> Disclosure:
        """Open a secret of this log."""
        sequence, slot = sealed.ref
        opening = openings_of(self.stored[sequence])[slot]
        return Disclosure(sequence, slot, opening.salt, opening.value)

    def look_at(self, pile: str, handles: Sequence[str], knowers: tuple[int, ...]) -> None:
        """Fail: no game on a bench has a rule that looks at hidden cards."""
        raise AssertionError(pile, handles, knowers)

    def arrange(self, pile: str, handles: Sequence[str], knowers: tuple[int, ...]) -> None:
        """Fail: no game on a bench has a rule that arranges hidden cards."""
        raise AssertionError(pile, handles, knowers)

    def prepared(self, seat: int) -> bytes | None:
        """Fail: this game has no preparations."""
        raise AssertionError(seat)

    def brought(self, seat: int) -> bytes | None:
        """Fail: players bring nothing to this game."""
        raise AssertionError(seat)

    @property
    def legacy(self) -> Legacy | None:
        """Fail: the content of this game already includes the legacy."""
        raise AssertionError

    def set_chat(self, *, is_open: bool) -> None:
        """Fail: chat is always open in this game."""
        raise AssertionError(is_open)

    def lapse(self, name: str) -> None:
        """Fail: standing passes of this game do not lapse."""
        raise AssertionError(name)

    def open_timer(self, name: Text, seconds: int) -> None:
        """Open a timer. No clock runs here: it is over at the answer `TIME_OVER`."""
        self._write(TimerOpened(self.table.room.next_timer_id, name, seconds))

    def close_timer(self) -> None:
        """Close the open timer."""
        assert self.table.room.timer is not None
        self._write(TimerClosed(self.table.room.timer.timer_id))

    # Running

    def run(self, procedure: Any, *answers: Answer) -> Any:
        """Drive a rule, answering its questions in order.

        An answer is the position of an option, a part of its text's subject (or of a parameter, or
        of its points), a predicate on the option, or a tuple of those for several picks. Every
        asked seat gives the same answer; a dict {seat: answer} gives each its own, and a seat that
        is not in it passes (in a window) or does not interrupt. A row of questions takes a tuple of
        answers. An answer without a seat is that of who decides, where others may interrupt.

        Returns:
            What the rule returned. If answers run out, `open` holds the question that waits and
            `Unanswered` is raised, unless the last answer is `...`, which stops there.
        """
        todo: list[Any] = list(answers)
        sent: Any = None
        self.open = None
        while True:
            try:
                ask = procedure.send(sent)
            except StopIteration as done:
                if todo and todo != [...]:
                    raise Unanswered(f"answers left over: {todo}") from None
                return done.value
            if ask is None:
                # A pause, in which a server would serve others.
                sent = None
                continue
            timer = self.game.open_timer
            if timer is not None and timer.is_over:
                timer.count_unasked()
                sent = ask.defaults()
                continue
            self.asked.append(ask)
            self.chains.append(self.game.chain)
            self.check_event(self.game.chain)
            self.check_ask(ask)
            if todo and todo[0] is ...:
                self.open = ask
                return None
            if not todo:
                raise Unanswered(f"{ask.rule} asks {describe(ask)}")
            answer = todo.pop(0)
            if answer is TIME_OVER:
                assert timer is not None, f"{ask.rule} asks without a timer"
                timer.is_over = True
            sent = self._answer(ask, answer)

    def put(self, ask: Ask[Any]) -> int:
        """Log that a question is asked; return its id."""
        ask_id = self.table.room.next_ask_id
        questions = {seat: hidden(p.question(ask_id)) for seat, p in ask.prompts.items()}
        timer = -1 if self.table.room.timer is None else self.table.room.timer.timer_id
        self._write(
            Asked(
                *(ask_id, ask.rule, ask.about, ask.settle, ask.voters, questions),
                kind=ask.kind,
                timer=timer,
            )
        )
        return ask_id

    def _answer(self, ask: Ask[Any], answer: Any) -> dict[int, tuple[Any, ...]]:
        ask_id = self.put(ask)
        if answer is TIME_OVER:
            self._write(Settled(ask_id))
            return dict(ask.defaults())
        picks = {}
        for seat, prompt in ask.prompts.items():
            if not isinstance(answer, dict) and _is_for_another(ask, seat, answer):
                continue
            if isinstance(answer, dict) and seat not in answer:
                if ask.settle is Settle.WINDOW:
                    picks[seat] = tuple(prompt.options[at].value for at in prompt.default_places)
                continue
            given = answer[seat] if isinstance(answer, dict) else answer
            # A row of questions takes a row of answers.
            rows = zip(prompt.row, given, strict=True) if prompt.then else [(prompt, given)]
            picks[seat] = tuple(value for one, said in rows for value in _values(ask, one, said))
        assert picks, describe(ask)
        self._write(Settled(ask_id))
        return picks

    def offered(self) -> list[str]:
        """Return the text subjects of the options in the open question."""
        assert self.open is not None
        return [o.text.subject for p in self.open.prompts.values() for o in p.options]

    @property
    def next_sequence(self) -> int:
        return len(self.stored)

    def happened(self, kind: type[Event]) -> list[Any]:
        """Return the events of one kind in order."""
        return [event for event in self.log if isinstance(event, kind)]


def _values(ask: Ask[Any], prompt: Prompt[Any], given: Any) -> list[Any]:
    """Return the values of one question's answer."""
    chosen = given if isinstance(given, tuple) else (given,)
    assert prompt.at_least <= len(chosen) <= prompt.at_most, describe(ask)
    return [_find(ask, prompt.options, one).value for one in chosen]


def _is_for_another(ask: Ask[Any], seat: int, answer: Any) -> bool:
    """True if an answer that names no seat is another seat's."""
    if ask.settle is Settle.BESIDE:
        return seat != ask.decides
    if ask.settle is not Settle.ANY_ONE or len(ask.prompts) == 1:
        return False

    def fits(prompt: Prompt[Any]) -> bool:
        try:
            _find(ask, prompt.options, answer)
        except Unanswered:
            return False
        return True

    return not fits(ask.prompts[seat]) and any(map(fits, ask.prompts.values()))


def _find(ask: Ask[Any], options: Sequence[Option[Any]], answer: Any) -> Option[Any]:
    if isinstance(answer, bool):
        raise TypeError("an answer is a position, a word or a predicate")
    if isinstance(answer, int):
        return options[answer]
    if callable(answer):
        fitting = [o for o in options if answer(o)]
    else:
        # Several spaces in one choice are gone where that is said.
        near = [o for o in options if "_far" in answer or not o.text.subject.endswith("_far")]
        fitting = [o for o in near if answer in _words(o)]
    if len(fitting) != 1:
        raise Unanswered(f"{answer!r} fits {len(fitting)} of {describe(ask)}")
    return fitting[0]


def _words(option: Option[Any]) -> str:
    return " ".join([repr(option.text), *(point.piece for point in option.points)])


def describe(ask: Ask[Any]) -> str:
    return "; ".join(
        f"seat {seat}: {[(o.text.subject, o.text.params) for o in prompt.options]}"
        f" refused {[(r.text.subject, r.rule) for r in prompt.refused]}"
        for seat, prompt in ask.prompts.items()
    )

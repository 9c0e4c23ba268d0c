"""
A driver of games in one process: the real kernel and rules, without network or store.

The driver opens the table, fills the seats and answers every question until the game is over.
Subclasses choose the answers and may watch each batch.
"""

import functools
import hashlib
import itertools
import random
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from content.plugs.kind import LoadedPack, kind_of
from protocol.common import events
from protocol.common.asks import Question, Settle
from protocol.common.lots import COUNTED_VERSION, is_enough_for_lot
from protocol.common.roster import Role, Roster
from protocol.common.table import (
    LOG_VERSION,
    FixedSetup,
    OpenAsk,
    RoomTable,
    Settings,
    Stage,
    table_class,
)
from protocol.event import CLOCK, Event
from protocol.keys import SigningKey
from server.authoring.seat_keys import bound, signed
from server.kernel.admission.by_table import answer_of
from server.kernel.batch_writer import Batch
from server.kernel.game import Ruleset, ruleset_of
from server.kernel.room import Room

MAX_INPUTS = 20_000
"""Maximum number of inputs; a longer game counts as hanging."""


class Hangs(Exception):
    """The driver cannot end a game: it asks nothing, or takes more than MAX_INPUTS answers."""


@functools.cache
def player_key(seat: int) -> SigningKey:
    """Return the key of the player in a seat."""
    return SigningKey.from_seed(hashlib.sha256(b"player %d" % seat).digest())


@attrs.frozen
class PackLibrary:
    """Library for the kernel: one pack, and the rules of its game."""

    pack: LoadedPack

    def ruleset(self, name: str) -> Ruleset:
        return ruleset_of(name)

    def setup_seed(self, setup: FixedSetup) -> bytes | None:  # noqa: ARG002 (as the kernel asks)
        """Return None: no setup is fixed in these games."""
        return None

    def content(self, room: RoomTable) -> Any:
        """Return the room's scenario without switched-off products, with the campaign's legacy."""
        kind = kind_of(self.pack.game)
        return kind.content(self.pack, room.scenario, room.products_off, room.legacy)


@attrs.define
class SeededEntropy:
    """Deterministic entropy from a seed."""

    seed: int
    count: int = 0

    def draw(self, count: int) -> bytes:
        self.count += 1
        return hashlib.shake_256(f"{self.seed}/{self.count}".encode()).digest(count)


@attrs.define(eq=False)
class Driver:
    """
    One game in progress.

    A subclass implements `answer`, and `after_batch` if it watches the batches.
    """

    room: Room
    rng: random.Random
    players: int
    pack: LoadedPack
    scenario: str
    off: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    """The products that are switched off."""
    time: int = attrs.field(default=1_000_000, kw_only=True)
    settings: Settings = attrs.field(factory=lambda: Settings(least_seconds=0), kw_only=True)
    """Settings of the table. Nobody is present at it but those for whom all time of the game waits,
    so only questions without an age end."""

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        """Return the picks with which a seat answers."""
        raise NotImplementedError

    def close_window(self) -> None:
        """Answer for every asked seat, then close the timed window."""
        ask = self.room.table.room.ask
        assert ask is not None
        for seat, question in ask.questions.items():
            picks = self.answer(seat, question.value)
            if question.value.faults_in_window(picks) is not None:
                # Blind choices may exclude each other here: the first of them counts.
                picks = picks[:1]
            self.room.hold(ask.ask_id, seat, picks)
        # The window stays open for its full time, as at a real table.
        self.time += 1000 * ask.seconds
        self.give(self.room.closing(), CLOCK)

    def interrupt_or_decide(self, ask: OpenAsk) -> None:
        """Answer for the first seat that interrupts, or else for the one that decides."""
        others = [
            seat
            for seat, one in ask.questions.items()
            if ask.may_interrupt(seat) and one.value.choices
        ]
        for seat in (*sorted(others), ask.decides):
            if picks := self.answer(seat, ask.questions[seat].value):
                self.give(answer_of(self.room.table.room, seat, ask.ask_id, picks), seat)
                return

    def after_batch(self, event: Event, origin: int, batch: Batch) -> None:
        """
        Handle the batch of an input.

        The method does nothing here; subclasses may override it.
        """

    def signed(self, event: Event) -> Event:
        """Return an input signed by its seat; unchanged if inputs of its kind are not signed."""
        keys = {key.public: key for key in map(player_key, range(self.players))}
        return signed(self.room.table.room, event, keys)

    def give(self, event: Event, origin: int) -> None:
        """Submit an input to the room, signed by its seat, and commit its batch at once."""
        # In milliseconds: every input comes a second after the one before it.
        self.time += 1000
        event = self.signed(event)
        batch = self.room.receive(event, time=self.time, origin=origin)
        self.room.commit()
        self.after_batch(event, origin, batch)

    def open(self) -> None:
        """Open the table, seat everybody, and start."""
        self.open_table()
        self.sit_down()
        self.start()

    def open_table(self) -> None:
        """Open the table, with the products in `off` switched off."""
        opened = events.RoomOpened(
            self.room.room_id,
            self.pack.game,
            self.scenario,
            self.pack.digest,
            self.settings,
            LOG_VERSION,
            source=None,
        )
        self.give(opened, 0)
        if self.off:
            self.give(events.ProductsSwitched(self.off), 0)

    def sit_down(self) -> None:
        """Fill all seats, have each claim its characters, and mark it as ready."""
        for seat in range(self.players):
            key = player_key(seat).public
            self.give(events.SeatTaken(seat, f"Player {seat + 1}", key, is_bot=False), seat)
        roster = self.roster()
        seats = self.seats_by_role()
        for role in roster.roles:
            each = role.count_for(self.players)
            names = self.characters(role, each * len(seats[role.name]))
            for at, seat in enumerate(seats[role.name]):
                characters = tuple(names[at * each : (at + 1) * each])
                # With a single role nobody chooses: all seats have it.
                if len(roster.roles) > 1:
                    self.give(events.RoleClaimed(seat, role.name), seat)
                if role.name == table_class(self.pack.game).awaited_role:
                    self.give(events.PresenceChanged(seat, is_present=True), seat)
                if characters:
                    self.give(events.CharactersClaimed(seat, characters), seat)
                self.give(events.ReadySet(seat, is_ready=True), seat)

    def seats_by_role(self) -> dict[str, range]:
        """
        Return the seats of each role.

        Raises:
            ValueError: the scenario is not for so many players.
        """
        counts = self.roster().seating(self.players)
        if counts is None:
            raise ValueError(f"{self.scenario} is not for {self.players} players")
        ends = itertools.accumulate(counts.values())
        return {
            name: range(end - count, end)
            for (name, count), end in zip(counts.items(), ends, strict=True)
        }

    def characters(self, role: Role, count: int) -> Sequence[str]:
        """
        Return `count` characters of a role, to be dealt out seat by seat.

        Raises:
            ValueError: the role has fewer characters.
        """
        if count > len(role.characters):
            found = len(role.characters)
            raise ValueError(f"there are {found} to be played, and {count} are needed")
        # Sorted, so that the seed alone decides.
        return self.rng.sample(sorted(role.characters), count)

    def roster(self) -> Roster:
        """Return the roster of the scenario with the products in `off` switched off."""
        content = kind_of(self.pack.game).content(self.pack, self.scenario, self.off)
        return self.room.ruleset.roster(content)

    def start(self) -> None:
        """Start the game, with a share of chance from each seat."""
        self.give(events.StartRequested(0), 0)
        shares = [self.rng.randbytes(32) for _ in range(self.players)]
        # All commit before anybody opens, as at a real table.
        for seat, share in enumerate(shares):
            self.give(bound(self.room.table.room, seat, share), seat)
        for seat, share in enumerate(shares):
            self.give(events.ShareOpened(seat, share), seat)

    def next_seat(self, waiting: Sequence[int], questions: Mapping[int, Any]) -> int:  # noqa: ARG002 (for others)
        """Return the seat that answers next: here a random one of `waiting`."""
        return self.rng.choice(waiting)

    def step(self) -> None:
        """
        Take the open question one input further.

        Usually one seat answers or votes. A tied open vote goes one step nearer to a lot; a window
        stays open for its full time and is then closed.

        Raises:
            Hangs: no question is open.
        """
        ask = self.room.table.room.ask
        if ask is None:
            raise Hangs("nothing is asked, and the game is not over")
        # A tied open vote waits for somebody to call the tiebreak.
        if ask.has_open_votes and not ask.waiting_for:
            self.ask_for_lot(ask)
            return
        if ask.settle is Settle.WINDOW:
            self.close_window()
            return
        if ask.settle is Settle.BESIDE:
            self.interrupt_or_decide(ask)
            return
        seat = self.next_seat(ask.waiting_for, ask.questions)
        row = ask.questions[seat].value.row
        picks = tuple(pick for question in row for pick in self.answer(seat, question))
        if ask.has_open_votes:
            self.give(events.Voted(seat, ask.ask_id, picks), seat)
        else:
            self.give(answer_of(self.room.table.room, seat, ask.ask_id, picks), seat)

    def ask_for_lot(self, ask: OpenAsk) -> None:
        """
        Bring an open vote one step nearer to a lot.

        A seat calls the lot if enough of the people who are present want one. Otherwise one more
        seat says that it wants a lot.
        """
        room = self.room.table.room
        people = [s for s in ask.questions if room.seats[s].is_present and not room.seats[s].is_bot]
        seats = sorted(people or ask.questions)
        is_counted = room.version >= COUNTED_VERSION
        for seat in seats:
            if not is_counted or is_enough_for_lot(room, ask, seat):
                self.give(events.TiebreakCalled(seat, ask.ask_id), seat)
                return
        seat = next(seat for seat in seats if seat not in ask.lot_wanted_by)
        self.give(events.LotWanted(seat, ask.ask_id), seat)

    def play_on(self) -> None:
        """
        Answer until the game is over.

        Raises:
            Hangs: no question is open, or the game took more than MAX_INPUTS answers.
        """
        for _ in range(MAX_INPUTS):
            if self.room.table.room.stage is Stage.OVER:
                return
            self.step()
        ask = self.room.table.room.ask
        where = "nothing" if ask is None else f"{ask.rule}: {ask.about}"
        raise Hangs(f"hangs after {MAX_INPUTS} answers at {where}")

"""Whole games of the toy, played from seeds and recorded step by step."""

import functools
import hashlib
import random
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import pytest

from protocol.common import events
from protocol.common.asks import Question, Settle
from protocol.common.lots import COUNTED_VERSION, is_enough_for_lot
from protocol.common.patience import away
from protocol.common.standing import StandingPass, in_force, lapses_of, with_groups
from protocol.common.table import (
    LOG_VERSION,
    FixedSetup,
    OpenAsk,
    Proposal,
    RoomTable,
    Settings,
    Stage,
    Table,
)
from protocol.event import CLOCK, Cut, Event, Record, Stored, cut, everything, hidden, read
from protocol.keys import SigningKey
from server.authoring.seat_keys import bound, signed
from server.kernel.admission.by_table import answer_of, voices
from server.kernel.batch_writer import Batch
from server.kernel.chance import MakeChance, seeded
from server.kernel.errors import Refused
from server.kernel.game import Ruleset
from server.kernel.room import Room
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy import ToyRules
from tests.kit.tables.toy_table import PIECES, RULESET, Content, ToyTable, a_deck

ROOM_ID = "room-of-the-toy"
NOON = 1_700_000_000_000


class SeededEntropy:
    """Deterministic entropy that can continue from any position."""

    def __init__(self, seed: int = 0, position: int = 0) -> None:
        self.seed = seed
        self.position = position

    def draw(self, count: int) -> bytes:
        """Return the next `count` bytes of the stream."""
        self.position += 1
        return hashlib.shake_256(f"{self.seed}/{self.position}".encode()).digest(count)


@attrs.frozen
class Shelf:
    """The library of the toy."""

    on_shelf: Content = attrs.field(factory=Content)
    setup_seeds: Mapping[str, bytes] = attrs.field(factory=dict)

    def ruleset(self, name: str) -> Ruleset:
        return {RULESET: ToyRules()}[name]

    def setup_seed(self, setup: FixedSetup) -> bytes | None:
        return self.setup_seeds.get(setup.setup_id)

    def content(self, room: RoomTable) -> Content:
        return self.on_shelf


@attrs.frozen
class Step:
    """One input, and the state of the room after it."""

    happened: Event
    time: int
    origin: int
    batch: Batch
    table: Table
    head: bytes
    position: int
    """Position in the stream of entropy."""


@functools.lru_cache(maxsize=20_000)
def _opened(stored: Stored) -> Record:
    """Read a record with all its secrets open; cached, since many tests read the same games."""
    return read(ROOM_ID, everything(stored))


@attrs.define
class Recording:
    """A room, and all inputs that were given to it."""

    shelf: Shelf = Shelf()
    seed: int = 0
    make_chance: MakeChance = seeded
    steps: list[Step] = attrs.field(factory=list)
    entropy: Any = None
    room: Room = attrs.field(init=False)
    time: int = NOON

    def __attrs_post_init__(self) -> None:
        self.entropy = self.entropy or SeededEntropy(self.seed)
        self.room = Room(ROOM_ID, self.shelf, self.entropy, make_chance=self.make_chance)

    def give(self, happened: Event, origin: int, *, time: int | None = None) -> Step:
        """Give the room an input, signed by its seat, and commit what follows."""
        self.time += 1000
        happened = self.signed(happened)
        time = self.time if time is None else time
        batch = self.room.receive(happened, time=time, origin=origin)
        self.room.commit()
        position = getattr(self.entropy, "position", 0)
        step = Step(happened, time, origin, batch, self.room.table, self.room.head, position)
        self.steps.append(step)
        return step

    def signed(self, happened: Event) -> Event:
        """Return an input signed by its seat; unchanged if it is of a kind that is not signed."""
        return signed(self.table.room, happened, keys())

    def bound(self, seat: int, attempt: int = 0) -> events.ShareCommitted:
        """Return the commitment of a seat to its share."""
        return bound(self.table.room, seat, share_of(seat, attempt))

    def restart(self) -> None:
        """Rebuild the room from its log."""
        log = list(self.room.log)
        self.room = resume(ROOM_ID, log, self.shelf, self.entropy, make_chance=self.make_chance)

    @property
    def table(self) -> Table:
        return self.room.table

    @property
    def game(self) -> ToyTable:
        assert isinstance(self.table.game, ToyTable)
        return self.table.game

    @property
    def ask(self) -> OpenAsk:
        assert self.table.room.ask is not None
        return self.table.room.ask

    @property
    def log(self) -> list[Stored]:
        return list(self.room.log)

    @property
    def records(self) -> list[Record]:
        """Records of the room, with all secrets open."""
        return [_opened(stored) for stored in self.room.log]

    def happened(self, *kinds: type[Event]) -> list[Any]:
        """Return the events of these kinds, in order."""
        return [r.event for r in self.records if isinstance(r.event, kinds)]

    def boundaries(self) -> list[int]:
        """Return the length of the log after each step."""
        return [step.batch.first + len(step.batch.stored) for step in self.steps]

    # A few words for tests

    def question(self, seat: int) -> Question:
        """Return the open question of a seat."""
        return self.ask.questions[seat].value

    def choice(self, seat: int, *words: str | int) -> str:
        """Return the id of the one choice whose text has these words."""
        fitting = [
            c.choice_id
            for part in self.question(seat).row
            for c in part.choices
            if set(words) <= {c.text.subject, *c.text.params, *(p.piece for p in c.points)}
        ]
        assert len(fitting) == 1, (words, self.question(seat))
        return fitting[0]

    def answer(self, seat: int, *words: str | int) -> Step:
        """Answer with the one choice whose text has these words."""
        picks = (self.choice(seat, *words),)
        return self.give(answer_of(self.table.room, seat, self.ask.ask_id, picks), seat)

    def say_in_window(self, seat: int, *words: str | int, is_done: bool = False) -> None:
        """Say in the open window the one choice whose text has these words."""
        picks = (self.choice(seat, *words),)
        self.room.hold(self.ask.ask_id, seat, picks, is_done=is_done)

    def close_window(self) -> Step:
        """Close the open window once its time is over."""
        time = self.room.last_time + self.ask.seconds * 1000
        self.time = max(self.time, time)
        return self.give(self.room.closing(), CLOCK, time=time)

    def decide(self, seat: int, *words: str | int, after: int | None = None) -> Step:
        """Decide beside others, `after` milliseconds; None for the least time of the table."""
        self.room.hold(self.ask.ask_id, seat, (self.choice(seat, *words),))
        decision = self.room.decision()
        assert decision is not None
        least = 1000 * self.table.room.settings.least_seconds if after is None else after
        self.time = max(self.time, self.room.last_time + least)
        return self.give(decision, seat, time=self.room.last_time + least)

    def answer_row(self, seat: int, *words: str) -> Step:
        """Answer with the choices that each have one of these words."""
        picks = tuple(self.choice(seat, word) for word in words)
        return self.give(answer_of(self.table.room, seat, self.ask.ask_id, picks), seat)

    def stand(self, seat: int, *kinds: str) -> Step:
        """Set the kinds of question on which a seat always passes."""
        return self.give(events.StandingSet(seat, hidden(kinds)), seat)

    def vote(self, seat: int, *words: str | int) -> Step:
        """Vote for the one choice whose text has these words."""
        picks = (self.choice(seat, *words),)
        return self.give(events.Voted(seat, self.ask.ask_id, picks), seat)

    def vote_for_list(self, seat: int, *words: str) -> Step:
        """Vote for the choices that each have one of these words, in this order."""
        picks = tuple(self.choice(seat, word) for word in words)
        return self.give(events.Voted(seat, self.ask.ask_id, picks), seat)

    def propose_back(self, seat: int, checkpoint: int) -> Step:
        """Propose to go back to a checkpoint."""
        proposal_id = self.table.room.next_proposal_id
        return self.give(
            events.Proposed(Proposal(proposal_id, "take_back", seat, checkpoint=checkpoint)), seat
        )

    def propose_gift(self, by: int, seat: int, key: bytes, name: str = "Zoe") -> Step:
        """Propose to give a seat to another key; all seats but its owner are present."""
        for there in self.table.room.seats.values():
            if there.is_present == (there.seat == seat):
                self.give(events.PresenceChanged(there.seat, not there.is_present), there.seat)
        proposal_id = self.table.room.next_proposal_id
        gift = Proposal(proposal_id, "give_seat", by, seat=seat, name=name, key=key)
        return self.give(events.Proposed(gift), by)

    def consent(self, seat: int, *, is_agreed: bool = True) -> Step:
        """Give a seat's consent or refusal to the open proposal."""
        proposal = self.table.room.proposal
        assert proposal is not None
        return self.give(events.Consented(seat, proposal.proposal_id, is_agreed), seat)


@functools.cache
def signing_key(seat: int) -> SigningKey:
    """Return the private key of a seat's first owner."""
    return SigningKey.from_seed(bytes([seat + 1]) * 32)


def key_of(seat: int) -> bytes:
    """Return the public key of a seat's first owner."""
    return signing_key(seat).public


@functools.cache
def keys() -> Mapping[bytes, SigningKey]:
    """Return the keys of the first owners of all seats, by public key."""
    return {key_of(seat): signing_key(seat) for seat in range(10)}


def share_of(seat: int, attempt: int = 0) -> bytes:
    """Return a seat's share of chance."""
    return hashlib.sha256(f"share/{seat}/{attempt}".encode()).digest()


def opened(recording: Recording, settings: Settings | None = None) -> Recording:
    scenario = events.RoomOpened(
        ROOM_ID, RULESET, "toy/plain", b"\1" * 32, settings or Settings(), LOG_VERSION, None
    )
    recording.give(scenario, 0)
    return recording


def seated(recording: Recording, seats: int) -> Recording:
    """Seat `seats` people with their characters, and return the recording."""
    for seat in range(seats):
        recording.give(events.SeatTaken(seat, f"Player {seat}", key_of(seat), is_bot=False), seat)
    for seat in range(seats):
        pieces = PIECES[:2] if seats == 1 else (PIECES[seat],)
        recording.give(events.CharactersClaimed(seat, pieces), seat)
    return recording


def ready(recording: Recording) -> Recording:
    """Make all seats ready, and return the recording."""
    for seat in recording.table.room.seats:
        recording.give(events.ReadySet(seat, is_ready=True), seat)
    return recording


def committed(recording: Recording, attempt: int = 0) -> Recording:
    """Start, commit to all shares, and return the recording."""
    host = recording.table.room.host
    recording.give(events.StartRequested(host), host)
    for seat in recording.table.room.seats:
        recording.give(recording.bound(seat, attempt), seat)
    return recording


def started(recording: Recording, attempt: int = 0) -> Recording:
    """Complete the start up to the first question, and return the recording."""
    committed(recording, attempt)
    for seat in recording.table.room.seats:
        recording.give(events.ShareOpened(seat, share_of(seat, attempt)), seat)
    return recording


def begin(
    seats: int = 3,
    content: Content | None = None,
    *,
    seed: int = 0,
    settings: Settings | None = None,
    **more: Any,
) -> Recording:
    """Return a game whose first turn has just begun."""
    recording = Recording(Shelf(content or Content()), seed, **more)
    opened(recording, settings)
    seated(recording, seats)
    ready(recording)
    started(recording)
    recording.answer(0, "toy/go")
    return recording


def at_card(kind: str, seats: int = 3) -> Recording:
    """Return a game in which the first piece has just turned up a card of this kind."""
    recording = begin(seats, Content(deck=a_deck(kind)))
    recording.answer(0, "peek")
    handle = recording.game.hand("bear")[0]
    recording.answer(0, handle)
    return recording


def refused(recording: Recording, happened: Event, origin: int = 0) -> str:
    """Return the code of a refusal, after checking that it changed nothing."""
    before, happened = facts(recording.room), recording.signed(happened)
    with pytest.raises(Refused) as caught:
        recording.room.receive(happened, time=recording.time + 5000, origin=origin)
    assert facts(recording.room) == before
    return caught.value.code


@attrs.define
class Policy:
    """A player who gives random valid inputs."""

    seed: int
    noise: float = 0.15
    """Probability of another input in place of an answer."""
    backs: int = 2
    """Maximum number of times that the table goes back."""
    gifts: int = 1
    """Maximum number of seats that are given away."""
    chance: random.Random = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def next_input(self, table: Table) -> tuple[Event, int]:
        """Return the next random input, and its origin."""
        room = table.room
        if room.proposal is not None and self.chance.random() < 0.5:
            said = self._consent(table)
            if said is not None:
                return said
        if self.chance.random() < self.noise:
            return self._something_else(table)
        return self._answer(table)

    def _consent(self, table: Table) -> tuple[Event, int] | None:
        proposal = table.room.proposal
        assert proposal is not None
        left = [seat for seat in voices(table.room) if seat not in proposal.consents]
        if not left or (proposal.checkpoint >= 0 and proposal.checkpoint not in table.checkpoints):
            return None
        seat = self.chance.choice(left)
        is_agreed = self.chance.random() < 0.8
        return events.Consented(seat, proposal.proposal_id, is_agreed), seat

    def _something_else(self, table: Table) -> tuple[Event, int]:
        room = table.room
        seat = self.chance.choice(list(room.seats))
        what = self.chance.choice(("chat", "presence", "back", "gift", "time", "stand"))
        is_window = room.ask is not None and room.ask.settle is Settle.WINDOW
        if what == "stand" and room.stage is Stage.PLAYING and room.kinds and not is_window:
            lapses = ("", *lapses_of(room, table.game))
            passes = (
                StandingPass(name, self.chance.choice(lapses)).written
                for name in sorted(with_groups(room.kinds))
                if self.chance.random() < 0.5
            )
            kinds = tuple(sorted(passes))
            if kinds != in_force(room, seat):
                return events.StandingSet(seat, hidden(kinds)), seat
        if what == "presence":
            is_present = not room.seats[seat].is_present
            return events.PresenceChanged(seat, is_present), seat
        if what == "back" and self.backs:
            self.backs -= 1
            checkpoint = self.chance.choice(list(table.checkpoints)[-4:])
            return events.Proposed(
                Proposal(room.next_proposal_id, "take_back", seat, checkpoint=checkpoint)
            ), seat
        if what == "gift" and self.gifts and len(room.seats) > 1:
            self.gifts -= 1
            given = self.chance.choice([s for s in room.seats if s != room.host])
            key = self.chance.randbytes(32)
            gift = Proposal(
                room.next_proposal_id, "give_seat", room.host, seat=given, name="New", key=key
            )
            return events.Proposed(gift), room.host
        is_limited = room.settings.time_limit_seconds > 0
        if what == "time" and is_limited and room.ask is not None and not room.ask.seconds:
            return events.TimedOut(room.ask.ask_id), CLOCK
        words = self.chance.randbytes(8).hex()
        return events.Chatted(seat, hidden(f"chat {words}".encode())), seat

    def _answer(self, table: Table) -> tuple[Event, int]:
        ask = table.room.ask
        assert ask is not None
        if ask.settle is Settle.WINDOW:
            return self._close_window(table, ask)
        if ask.settle is Settle.BESIDE:
            return self._interrupt_or_decide(table, ask)
        if not ask.has_open_votes:
            seat = self.chance.choice(ask.waiting_for)
            picks = self._picks(ask.questions[seat].value)
            return answer_of(table.room, seat, ask.ask_id, picks), seat
        seat = self.chance.choice(list(ask.questions))
        if not ask.waiting_for and self.chance.random() < 0.5:
            is_counted = table.room.version >= COUNTED_VERSION
            if not is_counted or is_enough_for_lot(table.room, ask, seat):
                return events.TiebreakCalled(seat, ask.ask_id), seat
            if seat not in ask.lot_wanted_by:
                return events.LotWanted(seat, ask.ask_id), seat
        return events.Voted(seat, ask.ask_id, self._picks(ask.questions[seat].value)), seat

    def _close_window(self, table: Table, ask: OpenAsk) -> tuple[Event, int]:
        """Return the input that closes a window; a seat's coming while one that it asks is away."""
        if absent := away(table.room):
            return events.PresenceChanged(absent[0], is_present=True), absent[0]
        # What can be said whatever somebody holds: a twin of theirs says the same.
        common = {s: self.chance.choice(q.value.choices[:2]) for s, q in ask.questions.items()}
        said = {
            seat: hidden(events.Held.of((choice.choice_id,), ask.questions[seat].value.at_most))
            for seat, choice in common.items()
        }
        return events.AnsweredTogether(ask.ask_id, said), CLOCK

    def _interrupt_or_decide(self, table: Table, ask: OpenAsk) -> tuple[Event, int]:
        """Return an interruption or the decision; if somebody is absent, their coming."""
        for seat in ask.questions:
            if not table.room.seats[seat].is_present:
                return events.PresenceChanged(seat, is_present=True), seat
        able = [s for s, q in ask.questions.items() if s != ask.decides and q.value.choices]
        seat = self.chance.choice([ask.decides, *able])
        choice = self.chance.choice(ask.questions[seat].value.choices)
        return events.Answered(seat, ask.ask_id, hidden((choice.choice_id,))), seat

    def _picks(self, question: Question) -> tuple[str, ...]:
        return tuple(pick for part in question.row for pick in self._part(part))

    def _part(self, question: Question) -> tuple[str, ...]:
        ids = [choice.choice_id for choice in question.choices]
        count = self.chance.randint(question.at_least, min(question.at_most, len(ids)))
        return tuple(self.chance.sample(ids, count))


def play(recording: Recording, policy: Policy, *, seats: int = 3) -> Recording:
    """Play a game to its end from its current state, and return the recording."""
    if not recording.room.log:
        goes_along = policy.chance.random() < 0.5
        limit = 600 * (policy.seed % 2 == 0)
        opened(recording, Settings(secrets_go_along=goes_along, time_limit_seconds=limit))
        seated(recording, seats)
        ready(recording)
    if recording.table.room.stage is Stage.LOBBY:
        if policy.chance.random() < 0.5:
            committed(recording, attempt=7)
            recording.give(events.StartFailed((0,)), CLOCK)
            recording.give(events.ReadySet(0, is_ready=True), 0)
        started(recording)
    while recording.table.room.stage is not Stage.OVER:
        happened, origin = policy.next_input(recording.table)
        # A clock that goes back now and then.
        time = recording.time + policy.chance.randint(-3000, 3000)
        if isinstance(happened, events.AnsweredTogether):
            assert recording.table.room.ask is not None
            window = 1000 * recording.table.room.ask.seconds
            time = recording.time = max(time, recording.room.last_time + window)
        ask = recording.table.room.ask
        if isinstance(happened, events.Answered) and ask is not None and ask.decides == origin:
            least = 1000 * recording.table.room.settings.least_seconds
            time = recording.time = max(time, recording.room.last_time + least)
        recording.give(happened, origin, time=time)
        assert len(recording.steps) < 1000, "this game does not end"
    recording.give(events.Chatted(0, hidden(b"well played")), 0)
    return recording


GAMES: dict[tuple[int, int], Recording] = {}


def a_game(seed: int, seats: int = 3) -> Recording:
    """Return a finished random game; cached, so it must not be changed."""
    if (seed, seats) not in GAMES:
        GAMES[seed, seats] = play(Recording(seed=seed), Policy(seed), seats=seats)
    return GAMES[seed, seats]


def cuts_for(recording: Recording, seat: int | None) -> list[Cut]:
    """Return the log as a seat's present owner, or a spectator, is sent it."""
    since = 0 if seat is None else recording.table.room.seats[seat].since
    return [cut(stored, seat, since=since) for stored in recording.room.log]


def viewers(recording: Recording) -> Iterator[int | None]:
    """Yield every seat, and None for a spectator."""
    yield from recording.table.room.seats
    yield None


def facts(room: Room) -> Mapping[str, Any]:
    """Return the whole state of a room, for comparison with another."""
    running = room._runner.running
    ask = running and running.ask
    return {
        "table": room.table,
        "head": room.head,
        "log": list(room.log),
        "halted": repr(room.halted),
        "time": room._state.time,
        "answers": running and dict(running.answers),
        "ask": ask and (ask.rule, ask.about, dict(ask.prompts), ask.settle, ask.voters),
        "keys": {s: getattr(c, "_key", None) for s, c in room._state.chances.of.items()},
    }

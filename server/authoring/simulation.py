"""
Games of bots in one process: the real kernel and the real rules, without network or store.

A bot is shown what its seat would be sent, and nothing else.
"""

import hashlib
import random
from collections.abc import Mapping

import attrs

from client.brain import BRAINS, RANDOM, Brain
from client.tables import TableView
from content.schema.pack import Content
from protocol.common import events as on
from protocol.common.asks import Settle
from protocol.common.table import RoomTable, Settings, Stage
from protocol.event import Event, cut, everything, hidden, read
from protocol.second_edition.events import Told
from protocol.second_edition.table import SecondEditionTable
from server.authoring.marks import Mark, Marked
from server.kernel.game import Ruleset
from server.kernel.room import Room
from server.rules.second_edition.ruleset import SecondEdition

MAX_INPUTS = 20_000
"""A game that takes more inputs hangs."""
SECONDS_FOR_AN_ANSWER = 7
WORDS_IN_A_MINUTE = 180
"""How fast a table decides and reads: what the estimated length is made of."""


@attrs.frozen
class Played:
    """What became of one game."""

    seed: int
    players: int
    has_won: bool = False
    epilogue: str = ""
    rounds: int = 0
    events: int = 0
    """Records on the log."""
    answers: int = 0
    minutes: float = 0.0
    """Estimated, for people."""
    seen: Mapping[Mark, int] = attrs.field(factory=dict)
    fault: str = ""
    """Why it did not come to its end, if so."""


@attrs.frozen
class _Library:
    content_: Content

    def ruleset(self, name: str) -> Ruleset:
        assert name == SecondEdition.name
        return SecondEdition()

    def content(self, _room: RoomTable) -> Content:
        return self.content_


@attrs.define
class _Entropy:
    """Entropy that comes out the same each time."""

    seed: int
    count: int = 0

    def draw(self, count: int) -> bytes:
        self.count += 1
        return hashlib.shake_256(f"{self.seed}/{self.count}".encode()).digest(count)


def play(marked: Marked, seed: int, players: int, brain_name: str) -> Played:
    """Return what becomes of a game: the same each time for one seed."""
    game = _Game.of(marked, seed, players, BRAINS[brain_name])
    try:
        game.play()
    except Exception as error:  # noqa: BLE001 (whatever a scenario brings about is what is looked for)
        cause = error.__cause__ or error
        return attrs.evolve(game.result(), fault=f"{type(cause).__name__}: {cause}")
    return game.result()


@attrs.define(eq=False)
class _Game:
    """One game in progress."""

    marked: Marked
    seed: int
    players: int
    brain: Brain
    room: Room
    rng: random.Random
    views: tuple[TableView, ...]
    places: set[Mark] = attrs.field(factory=set)
    answers: int = 0
    time: int = 1_000_000

    @classmethod
    def of(cls, marked: Marked, seed: int, players: int, brain: Brain) -> "_Game":
        """Return a game that is about to begin."""
        room = Room(f"room-{seed}", _Library(marked.content), _Entropy(seed))
        views = tuple(TableView(room.room_id, seat) for seat in range(players))
        return cls(marked, seed, players, brain, room, random.Random(seed), views)

    @property
    def table(self) -> SecondEditionTable:
        """The table of the game."""
        game = self.room.table.game
        assert isinstance(game, SecondEditionTable)
        return game

    def give(self, happened: Event, origin: int) -> None:
        """Give the room an input."""
        self.time += 1000
        batch = self.room.receive(happened, time=self.time, origin=origin)
        self.room.commit()
        if self.brain is not RANDOM:
            for view in self.views:
                view.receive(tuple(cut(stored, view.seat) for stored in batch.stored))
        if isinstance(self.room.table.game, SecondEditionTable):
            self.places.update(Mark("tile", placed.tile) for placed in self.table.tiles)
            self.places.update(Mark("token", token) for token in self.table.tokens)

    def play(self) -> None:
        """Play to the end."""
        self._open()
        for _ in range(MAX_INPUTS):
            if self.room.table.room.stage is Stage.OVER:
                return
            self._step()
        ask = self.room.table.room.ask
        raise RuntimeError(
            f"hangs after {MAX_INPUTS} answers at {'nothing' if ask is None else ask.rule}"
        )

    def _open(self) -> None:
        content, room_id = self.marked.content, self.room.room_id
        opened = on.RoomOpened(
            room_id, "second_edition", content.scenario.id, content.pack.digest, Settings()
        )
        self.give(opened, 0)
        for seat in range(self.players):
            key = hashlib.sha256(b"player %d" % seat).digest()
            self.give(on.SeatTaken(seat, f"Player {seat}", key, is_bot=False), seat)
        each = self.room.ruleset.pieces_each(self.players)
        pieces = self.rng.sample(sorted(content.pack.investigators), each * self.players)
        for seat in range(self.players):
            self.give(on.PiecesClaimed(seat, tuple(pieces[seat * each : (seat + 1) * each])), seat)
            self.give(on.ReadySet(seat, is_ready=True), seat)
        self.give(on.StartRequested(0), 0)
        shares = [self.rng.randbytes(32) for _ in range(self.players)]
        for seat, share in enumerate(shares):
            self.give(on.ShareCommitted(seat, hashlib.sha256(share).digest()), seat)
        for seat, share in enumerate(shares):
            self.give(on.ShareOpened(seat, share), seat)

    def _step(self) -> None:
        """Answer the open question from one seat, chosen by the die."""
        ask = self.room.table.room.ask
        if ask is None:
            raise RuntimeError("nothing is asked, and the game is not over")
        if ask.settle is Settle.AGREE and not ask.waiting_for:
            self.give(on.LotCalled(min(ask.questions), ask.ask_id), min(ask.questions))
            return
        seat = self.rng.choice(ask.waiting_for)
        picks = self.brain(self.views[seat], ask.questions[seat].value, self.rng)
        self.answers += 1
        if ask.settle is Settle.AGREE:
            self.give(on.Voted(seat, ask.ask_id, picks[0]), seat)
        else:
            self.give(on.Answered(seat, ask.ask_id, hidden(picks)), seat)

    def result(self) -> Played:
        """Return what became of it so far."""
        made = Played(self.seed, self.players, events=len(self.room.log), answers=self.answers)
        if not isinstance(self.room.table.game, SecondEditionTable):
            return made
        ending, marks = self.table.ending, self.marked.seen(self.table)
        return attrs.evolve(
            made,
            has_won=ending is not None and ending.is_won,
            epilogue="" if ending is None else ending.epilogue.subject,
            rounds=self.table.round_number,
            minutes=self._minutes(),
            # The marks themselves are no part of the game.
            events=made.events - sum(marks.values()),
            seen={**dict.fromkeys(sorted(self.places), 1), **marks},
        )

    def _minutes(self) -> float:
        words = self.marked.content.pack.catalogs.get("en", {})
        # What does not even hold the word is not worth reading.
        told = [stored for stored in self.room.log if b"told" in stored.public]
        read_aloud = sum(
            len(words.get(record.event.text.subject, {}).get("text", "").split())
            for record in (read(self.room.room_id, everything(stored)) for stored in told)
            if isinstance(record.event, Told)
        )
        return self.answers * SECONDS_FOR_AN_ANSWER / 60 + read_aloud / WORDS_IN_A_MINUTE

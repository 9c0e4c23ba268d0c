"""
Games of bots in one process: the real kernel and the real rules, without network or store.

A bot sees only what a client in its seat would receive.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from client.bots.brains import RANDOM
from client.model.tables import TableView
from client.plugs.brains import Brain
from content.plugs.kind import LoadedPack, Mark, MarkedScenario
from protocol.common.asks import Question
from protocol.common.table import GameEvent, RoomTable, Score
from protocol.event import Event, cut, read_own
from server.authoring.bot_brains import BotBrains
from server.authoring.driver import Driver, PackLibrary, SeededEntropy
from server.kernel.batch_writer import Batch
from server.kernel.room import Room

SECONDS_FOR_AN_ANSWER = 7
WORDS_IN_A_MINUTE = 180
"""Assumed pace of players, from which the length of a game is estimated."""


@attrs.frozen
class Played:
    """The result of one game."""

    seed: int
    players: int
    sides: tuple[str, ...] = ()
    """The sides of the seats; a co-operative game has one."""
    winners: tuple[str, ...] = ()
    """The sides that won."""
    scores: tuple[Score, ...] = ()
    epilogue: str = ""
    plot: str = ""
    """What it was about, if the scenario has several such."""
    rounds: int = 0
    events: int = 0
    """Number of records on the log."""
    answers: int = 0
    minutes: float = 0.0
    """Estimated length at a table of people."""
    seen: Mapping[Mark, int] = attrs.field(factory=dict)
    fault: str = ""
    """Reason why the game did not end; empty if it ended."""


@attrs.frozen
class Trial:
    """A scenario for bots to play, with marks that count its parts."""

    pack: LoadedPack
    scenario: str
    marked: MarkedScenario


@attrs.frozen
class MarkedLibrary(PackLibrary):
    """A library that returns one marked scenario as the content of every room."""

    marked: Any

    def content(self, _: RoomTable) -> Any:
        return self.marked


def play(trial: Trial, seed: int, players: int, bots: BotBrains) -> Played:
    """
    Play one game and return its result; the same arguments always give the same result.

    An exception ends the game and becomes the fault of the result.
    """
    game = _Game.of(trial, seed, players, bots)
    try:
        game.play()
    except Exception as error:  # noqa: BLE001 (whatever a scenario brings about is what is looked for)
        cause = error.__cause__ or error
        return attrs.evolve(game.result(), fault=f"{type(cause).__name__}: {cause}")
    return game.result()


@attrs.define(eq=False)
class _Game(Driver):
    """One game in progress."""

    marked: MarkedScenario
    seed: int
    bots: BotBrains
    views: tuple[TableView, ...]
    brains: dict[int, Brain] = attrs.field(factory=dict)
    """Brains by seat, once the roles have their seats."""
    places: set[Mark] = attrs.field(factory=set)
    answers: int = 0

    @classmethod
    def of(cls, trial: Trial, seed: int, players: int, bots: BotBrains) -> "_Game":
        """Return a game that has not begun."""
        library = MarkedLibrary(trial.pack, trial.marked.content)
        room = Room(f"room-{seed}", library, SeededEntropy(seed))
        views = tuple(TableView(room.room_id, seat) for seat in range(players))
        rng = random.Random(seed)
        return cls(room, rng, players, trial.pack, trial.scenario, trial.marked, seed, bots, views)

    def after_batch(self, event: Event, origin: int, batch: Batch) -> None:  # noqa: ARG002 (its results count)
        """Fold the batch into the bots' views, and record the scenario's parts on the table."""
        if not self.bots.are_all_random:
            for view in self.views:
                # A random bot looks at nothing, so that no view has to be folded for it.
                if self.brains.get(view.seat or 0) is not RANDOM:
                    view.receive(tuple(cut(stored, view.seat) for stored in batch.stored))
        if (table := self.room.table.game) is not None:
            self.places.update(self.marked.on_table(table))

    def sit_down(self) -> None:
        for role, seats in self.seats_by_role().items():
            self.brains.update(dict.fromkeys(seats, self.bots.brain(role)))
        super().sit_down()

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        self.answers += 1
        return self.brains[seat](self.views[seat], question, self.rng)

    def play(self) -> None:
        self.open()
        self.play_on()

    def result(self) -> Played:
        """Return the result so far."""
        made = Played(self.seed, self.players, events=len(self.room.log), answers=self.answers)
        table = self.room.table.game
        if table is None:
            return made
        outcome = self.marked.outcome(table)
        words = self.pack.catalogs.get("en", {})
        read_aloud = sum(
            len(words.get(subject, {}).get("text", "").split()) for subject in self._told()
        )
        return attrs.evolve(
            made,
            sides=self.room.table.sides,
            winners=outcome.winners,
            scores=outcome.scores,
            epilogue=outcome.ending,
            plot=outcome.plot,
            rounds=outcome.rounds,
            minutes=(self.answers * SECONDS_FOR_AN_ANSWER / 60 + read_aloud / WORDS_IN_A_MINUTE),
            seen={**dict.fromkeys(sorted(self.places), 1), **self.marked.seen(table)},
        )

    def _told(self) -> Iterator[str]:
        """Yield the catalog subject of each text on the log that was told to players."""
        for stored in self.room.log:
            # Decoding is slow, so records without the tag of such an event are skipped.
            if b"told" not in stored.public:
                continue
            event = read_own(self.room.room_id, stored).event
            text = self.marked.told(event) if isinstance(event, GameEvent) else None
            if text is not None:
                yield text.subject

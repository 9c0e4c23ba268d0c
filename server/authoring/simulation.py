"""
Games of bots in one process: the real kernel and the real rules, without network or store.

A bot is shown what its seat would be sent, and nothing else.
"""

import random
from collections.abc import Mapping

import attrs

from client.bots.brains import BRAINS, RANDOM
from client.games.brains import Brain
from client.model.tables import TableView
from content.games.second_edition.schema.pack import Content
from protocol.common.asks import Question
from protocol.common.table import RoomTable
from protocol.event import Event, cut, read_own
from protocol.games.second_edition.events import Told
from protocol.games.second_edition.table import SecondEditionTable
from server.authoring.driver import Driver, PackLibrary, SeededEntropy
from server.authoring.marks import Mark, Marked
from server.kernel.batch_writer import Batch
from server.kernel.room import Room

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
class _Library(PackLibrary):
    """A library in which the scenario is the one with marks."""

    marked: Content

    def content(self, _: RoomTable) -> Content:
        """Return the scenario with its marks."""
        return self.marked


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
class _Game(Driver):
    """One game in progress."""

    marked: Marked
    seed: int
    brain: Brain
    views: tuple[TableView, ...]
    places: set[Mark] = attrs.field(factory=set)
    answers: int = 0

    @classmethod
    def of(cls, marked: Marked, seed: int, players: int, brain: Brain) -> "_Game":
        """Return a game that is about to begin."""
        pack, scenario = marked.content.pack, marked.content.scenario.id
        room = Room(f"room-{seed}", _Library(pack, marked.content), SeededEntropy(seed))
        views = tuple(TableView(room.room_id, seat) for seat in range(players))
        rng = random.Random(seed)
        return cls(room, rng, players, pack, scenario, marked, seed, brain, views)

    def took(self, happened: Event, origin: int, batch: Batch) -> None:  # noqa: ARG002 (its results count)
        """Show it to those who look, and note what lies on the table."""
        if self.brain is not RANDOM:
            for view in self.views:
                view.receive(tuple(cut(stored, view.seat) for stored in batch.stored))
        if isinstance(self.room.table.game, SecondEditionTable):
            self.places.update(Mark("tile", placed.tile) for placed in self.game.tiles)
            self.places.update(Mark("token", token) for token in self.game.tokens)

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        """Answer as the bot does."""
        self.answers += 1
        return self.brain(self.views[seat], question, self.rng)

    def play(self) -> None:
        """Play to the end."""
        self.open()
        self.play_on()

    def result(self) -> Played:
        """Return what became of it so far."""
        made = Played(self.seed, self.players, events=len(self.room.log), answers=self.answers)
        if not isinstance(self.room.table.game, SecondEditionTable):
            return made
        ending, marks = self.game.ending, self.marked.seen(self.game)
        return attrs.evolve(
            made,
            has_won=ending is not None and ending.is_won,
            epilogue="" if ending is None else ending.epilogue.subject,
            rounds=self.game.round_number,
            minutes=self._minutes(),
            seen={**dict.fromkeys(sorted(self.places), 1), **marks},
        )

    def _minutes(self) -> float:
        words = self.marked.content.pack.catalogs.get("en", {})
        # What does not even hold the word is not worth reading.
        told = [stored for stored in self.room.log if b"told" in stored.public]
        read_aloud = sum(
            len(words.get(record.event.text.subject, {}).get("text", "").split())
            for record in (read_own(self.room.room_id, stored) for stored in told)
            if isinstance(record.event, Told)
        )
        return self.answers * SECONDS_FOR_AN_ANSWER / 60 + read_aloud / WORDS_IN_A_MINUTE

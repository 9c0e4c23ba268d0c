"""Whole games of the outing in process, and the moments of their logs, for tests of laws."""

import functools
import random
from collections.abc import Callable
from typing import Any

import attrs

from protocol.archive import load
from protocol.common.asks import Question
from protocol.common.laws import GameLaws, laws_of
from protocol.common.table import Table
from protocol.event import Event, Record
from protocol.games.first_edition.words import RULESET
from server.authoring.driver import Driver, PackLibrary, SeededEntropy
from server.kernel.room import Room
from tests.games.first_edition.outing_pack import outing
from tests.games.second_edition.simulate import at_random
from tests.verifying.logs import file_of


class Walk(Driver):
    """A game whose seats answer at random."""

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        return at_random(question, self.rng)


@functools.cache
def walked(story: str, seed: int, players: int) -> Room:
    """Return a finished game. It is cached: do not change it."""
    room = Room(f"room-{seed}", PackLibrary(outing()), SeededEntropy(seed))
    walk = Walk(room, random.Random(seed), players, outing(), story)
    walk.open()
    walk.play_on()
    return walk.room


@functools.cache
def file_for(story: str, seed: int, players: int, seat: int | None = None) -> bytes:
    """Return the log of a game: the whole one, or what a seat was shown."""
    return file_of(walked(story, seed, players), seat)


@functools.cache
def records(story: str, seed: int, players: int) -> tuple[Record, ...]:
    return load(file_for(story, seed, players)).records


@attrs.frozen
class Moment:
    """A record of an honest log, and what laws know before it."""

    laws: GameLaws
    table: Table
    record: Record

    @property
    def game(self) -> Any:
        return self.table.game

    def is_lawful(self, *events: Event) -> bool:
        """Return whether these events could stand here."""
        record, table = self.record, self.table
        for event in events:
            table = self.laws.follow(table, attrs.evolve(record, event=event))
        return True


def moment(
    log: tuple[str, int, int], kind: type[Event], fits: Callable[[Any, Any], bool] | None = None
) -> Moment:
    """
    Return the moment of the first fitting record of a kind.

    Args:
        log: story, seed and number of players.
        kind: the kind of record.
        fits: takes the event and the table of the game before it; all fit if left out.
    """
    laws, table = laws_of(RULESET), Table()
    assert laws is not None
    for record in records(*log):
        if isinstance(record.event, kind) and (fits is None or fits(record.event, table.game)):
            return Moment(laws, table, record)
        table = laws.follow(table, record)
    raise AssertionError(f"no such record: {kind}")

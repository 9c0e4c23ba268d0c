"""Forged games: a server cheats once in an honest game, and the game ends there.

A game is played once. Each forgery continues from the last rest point before its moment, and so
does the check. The honest records before it are verified once, as a whole.
"""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

import attrs

from content.games.second_edition.schema.pack import Pack
from protocol.common import events
from protocol.common.events import Asked, Dealt, Picked, PickedSecretly, Rolled, Shuffled
from protocol.common.proposals import Correct
from protocol.common.table import GameEvent, Proposal, Stage
from protocol.event import OPERATOR, Event, Record, Stored, read_own
from server.kernel.errors import LogError, Refused, RuleFailed
from server.kernel.kept_log import KeptLog
from server.kernel.replaying import MOST_STEPS
from server.kernel.rest_point import RestPoint
from server.kernel.room import Room
from server.kernel.steps import StepBudget
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.random_games import scenario_of
from tests.games.second_edition.simulate import CoreLibrary, SeededEntropy, Simulation, simulate
from tests.kit.tables.cheating import (
    CHEATS,
    DRAWS,
    TWISTS,
    admitting,
    cheating,
    drawing_again,
    leaving_out_an_effect,
    twisting,
)

EFFECT, CORRECTION = "effect left out", "correction that the rules refuse"
KINDS = (*CHEATS, *(f"{name} again" for name in DRAWS), *TWISTS, EFFECT, CORRECTION)
FRESH = 9_000_000
"""First seed for the entropy of forgeries, so high that no handle equals one of the game."""


_OF_DRAWS = {
    "shuffle": Shuffled,
    "deal": Dealt,
    "pick": Picked,
    "pick_secretly": PickedSecretly,
    "roll": Rolled,
}
_NEEDS: Mapping[str, type[Event]] = {
    **{kind: _OF_DRAWS[name] for kind, (name, _) in CHEATS.items()},
    **{f"{name} again": _OF_DRAWS[name] for name in DRAWS},
    **dict.fromkeys(TWISTS, Asked),
}
"""
Class of the event that each kind of forgery changes; all other kinds change any event of the game.
"""


@attrs.frozen
class Moment:
    """Situation in an honest game right before one of its inputs."""

    rest: RestPoint
    end: int
    """Number of records on the log."""
    event: Event
    origin: int
    time: int


@attrs.frozen
class Forged:
    """Game in which the server cheated once."""

    kind: str
    game: "Honest"
    moment: Moment
    room: Room
    at: int
    """Sequence of the forged record."""


@attrs.define(eq=False)
class Honest(Simulation):
    """Honest game that records the moments at which a server could cheat."""

    moments: list[Moment] = attrs.field(factory=list)
    pairs: list[tuple[Stored, Record]] = attrs.field(factory=list)
    """Records of the log, each as stored and as read."""

    def give(self, happened: Event, origin: int) -> None:
        """Record the moment, then give the room the input."""
        if self.room.table.room.stage in {Stage.STARTING, Stage.PLAYING}:
            end, time = len(self.room.log), self.time + 1000
            moment = Moment(self.room.rest, end, self.signed(happened), origin, time)
            self.moments.append(moment)
        super().give(happened, origin)

    @classmethod
    def played(cls, seed: int, pack: Pack | None = None) -> "Honest":
        """Play a game to its end, with a house scenario or the first one of a pack."""
        made = simulate(seed, seed % 4 + 1, pack=pack or house())
        game = cls(made.room, made.rng, made.players, made.pack, made.scenario)
        if pack is None:
            game.scenario = scenario_of(seed)
        game.play()
        stored = list(game.room.log)
        game.pairs = [(one, read_own(game.room.room_id, one)) for one in stored]
        return game

    @property
    def library(self) -> CoreLibrary:
        return CoreLibrary(self.pack)

    def at(self, moment: Moment, seed: int) -> Room:
        """Return a new room restored at a moment."""
        room = Room(self.room.room_id, self.library, SeededEntropy(FRESH + seed))
        end = moment.rest.end
        log = KeptLog(stored for stored, _ in self.pairs[:end])
        room.replay(moment.rest, log, self.pairs[end : moment.end])
        assert room.halted is None
        return room

    def moments_for(self, kind: str) -> list[Moment]:
        """Return the moments at which a kind of forgery may be possible."""
        ends = [*(moment.end for moment in self.moments[1:]), len(self.pairs)]
        wanted = _NEEDS.get(kind, GameEvent)
        return [
            moment
            for moment, end in zip(self.moments, ends, strict=True)
            if kind == CORRECTION
            or any(isinstance(record.event, wanted) for _, record in self.pairs[moment.end : end])
        ]


def forge(game: Honest, kind: str, moment: Moment, turn: int) -> Forged | None:
    """Cheat once at a moment, and have the operator end the game.

    Return None if the forgery is impossible there: the input leads to no call that this kind
    forges, or the rules fail on the forged result.
    """
    room = game.at(moment, turn)
    event = _correction(room) if kind == CORRECTION else moment.event
    if event is None:
        return None
    try:
        if kind == CORRECTION:
            with admitting(event):
                room.receive(event, time=moment.time, origin=0)
            at = moment.end
        else:
            with _way(kind, turn) as done:
                room.receive(event, time=moment.time, origin=moment.origin)
            if not done:
                return None
            at = done[0]
        room.commit()
        if kind in TWISTS:
            at = _sequence_of(room, moment.end, at)
        if room.table.room.stage is not Stage.OVER:
            room.receive(events.OperatorClosed(b"enough"), time=moment.time, origin=OPERATOR)
            room.commit()
    except (Refused, RuleFailed):
        return None
    return Forged(kind, game, moment, room, at)


def _way(kind: str, turn: int) -> AbstractContextManager[list[int]]:
    if kind in CHEATS:
        return cheating(kind, turn)
    if kind in TWISTS:
        return twisting(kind, turn)
    if kind == EFFECT:
        return leaving_out_an_effect(turn)
    return drawing_again(kind.removesuffix(" again"), turn)


def _correction(room: Room) -> Event | None:
    """Return a proposal of a correction above the allowed maximum, None if none is possible."""
    table = room.table
    offered = () if table.game is None else room.ruleset.corrections(table.game)
    if not offered or table.room.proposal is not None:
        return None
    wrong = Correct(offered[0].subject, offered[0].most + 1)
    return events.Proposed(Proposal.of(wrong, table.room.next_proposal_id, 0))


def _sequence_of(room: Room, begin: int, ask_id: int) -> int:
    records = (read_own(room.room_id, stored) for stored in room.log[begin:])
    asked = (r for r in records if isinstance(r.event, events.Asked) and r.event.ask_id == ask_id)
    return next(record.sequence for record in asked)


def first_wrong(forged: Forged) -> int | None:
    """Return the sequence of the first record that honest rules would not write.

    Only the records after the rest point are replayed.
    """
    game, moment = forged.game, forged.moment
    begin = moment.rest.end
    more = forged.room.log[moment.end :]
    tail: Sequence[tuple[Stored, Record]] = [
        *game.pairs[begin : moment.end],
        *((stored, read_own(game.room.room_id, stored)) for stored in more),
    ]
    room = Room(game.room.room_id, game.library, SeededEntropy(3))
    log = KeptLog(stored for stored, _ in game.pairs[:begin])
    try:
        room.replay(moment.rest, log, tail, from_start=True, budget=StepBudget(MOST_STEPS))
    except LogError as error:
        return error.sequence
    return None


MOST_TRIES = 20
"""Number of random moments at which one forgery is tried."""


def forgeries(game: Honest, rng: random.Random) -> Iterator[Forged]:
    """Yield forgeries at random moments, cycling through the kinds; some may repeat."""
    moments = {kind: found for kind in KINDS if (found := game.moments_for(kind))}
    for kind in itertools.cycle(moments):
        tried = (rng.choice(moments[kind]) for _ in range(MOST_TRIES))
        made = (forge(game, kind, moment, rng.randrange(3)) for moment in tried)
        if (forged := next((one for one in made if one is not None), None)) is not None:
            yield forged

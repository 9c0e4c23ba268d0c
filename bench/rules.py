"""Rows about rules alone: a room without network, store or players, compared with plain msgpack."""

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import msgpack

from bench.rows import Row
from client.bots.brains import SENSIBLE
from client.plugs.brains import Brain
from protocol.event import Event, Stored
from server.system.garbage import THRESHOLDS
from tests.games.second_edition.simulate import Simulation, core, simulate

NAMES: Final = ("rules_events_s", "intro_game_ms")
PLAYERS: Final = 4


def rows(names: Sequence[str], rounds: int) -> Iterable[Row]:
    with collected_by_plan():
        if "rules_events_s" in names:
            yield _rules(rounds)
        if "intro_game_ms" in names:
            yield _intro(rounds)


@contextmanager
def collected_by_plan() -> Iterator[None]:
    """During the block, collect garbage by the plan of a server, with all content loaded."""
    core()
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time that `work` takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


Inputs = Sequence[tuple[Event, int]]


def _played(seed: int, scenario: str, brain: Brain | None) -> Simulation:
    played = simulate(seed, PLAYERS, brain=brain)
    played.scenario = scenario
    return played.play()


def _again(seed: int, inputs: Inputs) -> int:
    """
    Give a new room all inputs of a game, and return the number of its events.

    Unlike the game itself, this repetition contains neither the players' thinking nor the notes
    that a simulation takes for tests.
    """
    new = simulate(seed, PLAYERS)
    for happened, origin in inputs:
        new.time += 1000
        new.room.receive(happened, time=new.time, origin=origin)
        new.room.commit()
    return len(new.room.log)


def packed_plainly(log: Sequence[Stored]) -> None:
    """Unpack and pack each record of a log by msgpack alone."""
    for stored in log:
        msgpack.packb(msgpack.unpackb(stored.public, use_list=False), use_bin_type=True)


def _beside(
    rounds: int, games: Sequence[tuple[int, Simulation]]
) -> tuple[list[float], list[float]]:
    """Return the CPU seconds of each round, of our code and of msgpack, which take turns."""
    ours, plain = list[float](), list[float]()
    for _ in range(rounds):
        for seed, game in games:
            ours.append(cpu_seconds(lambda: _again(seed, game.inputs)))  # noqa: B023 (called at once)
            log = tuple(game.room.log)
            plain.append(cpu_seconds(lambda: packed_plainly(log)))  # noqa: B023 (called at once)
    return ours, plain


def _rules(rounds: int) -> Row:
    """Measure all scenarios with random players, because these reach more of the rules."""
    games = [(at, _played(at, name, None)) for at, name in enumerate(core().scenarios)]
    ours, plain = _beside(rounds, games)
    events = rounds * sum(len(game.room.log) for _, game in games)
    what = "rules alone, all scenarios, four players at random"
    beside = "plain msgpack unpacks and packs the records"
    return Row("rules_events_s", events / sum(ours), "1/s", what, events / sum(plain), beside)


def _intro(rounds: int) -> Row:
    scenario = next(iter(core().scenarios))
    games = [(at, _played(at, scenario, SENSIBLE)) for at in range(3)]
    ours, plain = _beside(rounds, games)
    events = statistics.mean(len(game.room.log) for _, game in games)
    return Row(
        "intro_game_ms",
        1000 * statistics.mean(ours),
        "ms",
        f"the rules of an introductory game of four sensible bots, {events:.0f} events on average",
        1000 * statistics.mean(plain),
        "plain msgpack unpacks and packs the records",
    )

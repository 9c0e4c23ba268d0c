"""
Many games at once: `manse content play`.

Games are distributed to processes by their seeds, so that the report does not depend on the number
of processes. Ctrl-C stops them; the games finished by then are reported.
"""

import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

import attrs

from content.plugs.kind import LoadedPack, kind_of
from server.authoring.bot_brains import BotBrains
from server.authoring.report import sides_of
from server.authoring.simulation import Played, Trial, play
from server.packs.sources import PackFiles

_AT_ONCE = 4
"""Number of games submitted to a process at a time."""
_TOLD_EVERY, _LOGGED_EVERY = 0.5, 10.0
"""Seconds between two lines of progress, on a terminal and in a file."""


@attrs.frozen
class Order:
    """A batch of games to play: scenario, seeds, numbers of players, bots."""

    files: PackFiles
    scenario: str
    games: int
    """Total number of games."""
    players: tuple[int, ...]
    bots: BotBrains
    seed: int
    jobs: int

    def deals(self) -> tuple[tuple[int, int], ...]:
        """Return the seed and the number of players of each game, in order."""
        # Numbers of players take turns, so that games stopped early are spread evenly.
        return tuple(
            (self.seed + at, self.players[at % len(self.players)]) for at in range(self.games)
        )


def trial_of(pack: LoadedPack, scenario: str) -> Trial:
    """Prepare a scenario for bots, with marks that count how often games reach each part."""
    return Trial(pack, scenario, kind_of(pack.game).marked(pack, scenario))


def run(order: Order, trial: Trial) -> tuple[list[Played], bool]:
    """
    Play all games, with progress on standard error.

    Returns:
        The games in the order of their seeds, and True if all were played.
    """
    found: list[Played] = []
    # One job plays here: a process would cost its start and change nothing.
    alone = (play(trial, seed, players, order.bots) for seed, players in order.deals())
    source = alone if order.jobs == 1 else _together(order)
    told, every = 0.0, _TOLD_EVERY if sys.stderr.isatty() else _LOGGED_EVERY
    is_whole = True
    try:
        for game in source:
            found.append(game)
            if time.monotonic() - told > every:
                told = time.monotonic()
                _tell(len(found), order.games, found)
    except KeyboardInterrupt:
        is_whole = False
    finally:
        source.close()
    _tell(len(found), order.games, found)
    sys.stderr.write("\n" if is_whole else "\nstopped\n")
    # Processes finish in any order, and the report must not depend on it.
    return sorted(found, key=lambda game: game.seed), is_whole


def _tell(done: int, games: int, found: Sequence[Played]) -> None:
    sides = sides_of(found)
    wins = Counter(side for game in found for side in game.winners)
    won = ", ".join(f"{wins[side]} won by {side}" for side in sides)
    if len(sides) < 2:
        won = f"{wins.total()} won"
    faults = sum(bool(game.fault) for game in found)
    more = f", {faults} did not end" if faults else ""
    start = "\r" if sys.stderr.isatty() else ""
    end = "" if sys.stderr.isatty() else "\n"
    sys.stderr.write(f"{start}{done} of {games} games, {won}{more}{end}")
    sys.stderr.flush()


_trial: Trial | None = None
"""The scenario, in a process of the pool."""


def _begin(files: PackFiles, scenario: str) -> None:
    global _trial  # noqa: PLW0603 (what a process of the pool is set up with)
    # Ctrl-C reaches every process of the group; only the parent acts on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _trial = trial_of(files.load(), scenario)


def _play_some(deals: Sequence[tuple[int, int]], bots: BotBrains) -> list[Played]:
    assert _trial is not None
    return [play(_trial, seed, players, bots) for seed, players in deals]


def _together(order: Order) -> Generator[Played, None, None]:
    deals = order.deals()
    parts = [deals[at : at + _AT_ONCE] for at in range(0, len(deals), _AT_ONCE)]
    pool = ProcessPoolExecutor(
        order.jobs,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin,
        initargs=(order.files, order.scenario),
    )
    try:
        left: set[Future[list[Played]]] = {
            pool.submit(_play_some, part, order.bots) for part in parts
        }
        while left:
            done, left = wait(left, return_when=FIRST_COMPLETED)
            for future in done:
                yield from future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)

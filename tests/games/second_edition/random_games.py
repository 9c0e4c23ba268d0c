"""Random games: every legal move is made sooner or later.

Each game follows from its scenario and its seed. Players answer at random and also chat,
disconnect, propose to go back or to correct a monster, hand seats over, and run out of time. All
laws are checked after every event.

python -m tests.games.second_edition.random_games house/embers 1234

plays one game again and prints the result.
"""

import hashlib
import sys
from collections.abc import Callable

import attrs

from content.games.second_edition.schema.pack import Content
from protocol.common import events
from protocol.common.table import Settings, Stage, Table
from protocol.event import CLOCK, Event
from server.kernel.errors import RuleFailed
from tests.games.second_edition.coverage import Tally, note, noting_effects
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.invariants import Watch
from tests.games.second_edition.simulate import MAX_INPUTS, Simulation, simulate
from tests.kit.tables.meddling import (
    come_and_go,
    hand_over,
    listening,
    propose,
    run_out_of_time,
    stand_still,
    take_back,
    talk,
)

MEDDLING = 0.02
"""Probability of another input before the next answer."""


@attrs.frozen
class Played:
    """Game played to its end or to its first fault."""

    game: Simulation
    tally: Tally
    faults: list[str]


def scenarios() -> tuple[str, ...]:
    """Return the scenarios that random games use."""
    return tuple(sorted(house().scenarios))


def scenario_of(seed: int) -> str:
    """Return the scenario for a seed; each scenario comes with every number of players."""
    every = scenarios()
    return every[seed // 5 % len(every)]


def play(scenario: str, seed: int) -> Played:
    """Play one game; stop at the first fault."""
    game = simulate(seed, seed % 5 + 1, pack=house())
    # Only then may its questions run out of time.
    game.settings = Settings(time_limit_seconds=600)
    game.scenario = scenario
    products = sorted(house().products)
    game.off = tuple(product for product in products if game.rng.random() < 0.2)
    pack = house().without(game.off)
    played = Played(game, Tally(), [])
    watch = Watch(Content(pack, pack.scenarios[scenario]))

    def look(before: Table, happened: Event, after: Table) -> None:
        note(played.tally, happened)
        played.faults.extend(
            f"event {len(game.room.log)}+ {happened}: {fault}"
            for fault in watch.faults(before, happened, after)
        )

    with listening(look), noting_effects(played.tally):
        try:
            _go_through(game, played.faults)
        except RuleFailed as failed:
            played.faults.append(str(failed))
    return played


def _go_through(game: Simulation, faults: list[str]) -> None:
    game.open_table()
    _fuss(game)
    game.sit_down()
    _start(game)
    for _ in range(MAX_INPUTS):
        if faults or game.room.table.room.stage is Stage.OVER:
            return
        if game.rng.random() < MEDDLING:
            game.rng.choice(MEDDLERS)(game)
        else:
            game.step()
    faults.append(f"the game hangs at {game.room.table.room.ask}")


def replay_line(scenario: str, seed: int) -> str:
    """Return the command that plays a game again."""
    return f"python -m tests.games.second_edition.random_games {scenario} {seed}"


# Before the game -----------------------------------------------------------------------------


def _fuss(game: Simulation) -> None:
    """Have a stranger sit down and leave, and choose the scenario again."""
    key = hashlib.sha256(b"passer-by").digest()
    game.give(events.SeatTaken(0, "Passer-by", key, is_bot=False), 0)
    game.give(events.SeatLeft(0), 0)
    game.give(events.ScenarioChosen(game.scenario, game.pack.digest), 0)


def _start(game: Simulation) -> None:
    """Start the game; in one of ten games a first start fails and is repeated."""
    if game.rng.random() < 0.1:
        game.give(events.StartRequested(0), 0)
        game.give(events.StartFailed(tuple(range(game.players))), CLOCK)
        for seat in range(game.players):
            game.give(events.ReadySet(seat, is_ready=True), seat)
    game.start()


# Meanwhile -----------------------------------------------------------------------------------


def _correct(game: Simulation) -> None:
    monsters = game.game.monsters
    if not monsters:
        return
    monster = monsters[game.rng.choice(sorted(monsters))]
    amounts = [n for n in range(monster.health + 1) if n != monster.damage]
    propose(game, kind="correct", piece=monster.monster_id, amount=game.rng.choice(amounts))


MEDDLERS: tuple[Callable[[Simulation], None], ...] = (
    *(talk, come_and_go, run_out_of_time, stand_still, take_back, _correct, hand_over),
)


def main(arguments: list[str]) -> int:
    """Play one game again and print the result."""
    scenario, seed = arguments
    played = play(scenario, int(seed))
    sys.stdout.write("\n".join([*played.faults, f"{len(played.game.room.log)} events\n"]))
    return bool(played.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

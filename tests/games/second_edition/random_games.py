"""Random games: every legal move is made sooner or later.

Each game follows from its scenario and its seed. Players answer at random and also chat,
disconnect, propose to go back or to correct a monster, hand seats over, and run out of time. All
laws are checked after every event.

python -m tests.games.second_edition.random_games house/embers 1234

plays one game again and prints the result.
"""

import contextlib
import hashlib
import sys
from collections.abc import Callable, Iterator
from unittest import mock

import attrs

from content.games.second_edition.schema.pack import Content
from protocol.common import events
from protocol.common import table as table_module
from protocol.common.table import Proposal, Settings, Stage, Table
from protocol.event import CLOCK, Event, Record, hidden
from server.kernel import batch_writer as writer
from server.kernel.admission import by_table
from server.kernel.errors import RuleFailed
from tests.games.second_edition.coverage import Tally, note, noting_effects
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.invariants import Watch
from tests.games.second_edition.simulate import MAX_INPUTS, Simulation, simulate

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


@contextlib.contextmanager
def listening(look: Callable[[Table, Event, Table], None]) -> Iterator[None]:
    """Call a function with each event folded inside the context.

    It receives the tables before and after the event too.
    """
    folding = table_module.fold

    def fold(table: Table, record: Record) -> Table:
        after = folding(table, record)
        look(table, record.event, after)
        return after

    with mock.patch.object(writer, "fold", fold):
        yield


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


def _talk(game: Simulation) -> None:
    seat = game.rng.randrange(game.players)
    game.give(events.Chatted(seat, hidden(b"well, well")), seat)


def _come_and_go(game: Simulation) -> None:
    seat = game.rng.randrange(game.players)
    is_present = game.room.table.room.seats[seat].is_present
    game.give(events.PresenceChanged(seat, not is_present), seat)


def _run_out_of_time(game: Simulation) -> None:
    ask = game.room.table.room.ask
    assert ask is not None
    game.give(events.TimedOut(ask.ask_id), CLOCK)


def _stand_still(game: Simulation) -> None:
    game.give(events.PausedSet(is_paused=True), CLOCK)
    # It went back to the last checkpoint; what the rules do from there may be the end.
    if game.room.table.room.stage is Stage.PLAYING:
        game.give(events.PausedSet(is_paused=False), 0)


def _take_back(game: Simulation) -> None:
    checkpoints = sorted(game.room.table.checkpoints)
    if checkpoints:
        _propose(game, kind="take_back", checkpoint=game.rng.choice(checkpoints[-3:]))


def _correct(game: Simulation) -> None:
    monsters = game.game.monsters
    if not monsters:
        return
    monster = monsters[game.rng.choice(sorted(monsters))]
    amounts = [n for n in range(monster.health + 1) if n != monster.damage]
    _propose(game, kind="correct", piece=monster.monster_id, amount=game.rng.choice(amounts))


def _hand_over(game: Simulation) -> None:
    """Give a seat away, and have somebody sit down there."""
    seat, host = game.rng.randrange(game.players), game.room.table.room.host
    assert host is not None
    _propose(game, by=host, kind="give_seat", seat=seat, name="Somebody")
    if not game.room.table.room.seats[seat].key:
        game.give(events.SeatFilled(seat, "Somebody", game.rng.randbytes(32)), seat)


def _propose(game: Simulation, *, by: int | None = None, **what: object) -> None:
    """Make a proposal; the others usually agree."""
    who = game.rng.randrange(game.players) if by is None else by
    number = game.room.table.room.next_proposal_id
    proposal = Proposal(number, by=who, **what)  # type: ignore[arg-type]  # fields by name
    game.give(events.Proposed(proposal), who)
    for seat in range(game.players):
        open_one = game.room.table.room.proposal
        if open_one is None or open_one.proposal_id != number or seat == who:
            continue
        if seat in by_table.voices(game.room.table.room):
            agrees = game.rng.random() < 0.9
            game.give(events.Consented(seat, number, is_agreed=agrees), seat)


MEDDLERS: tuple[Callable[[Simulation], None], ...] = (
    *(_talk, _come_and_go, _run_out_of_time, _stand_still, _take_back, _correct, _hand_over),
)


def main(arguments: list[str]) -> int:
    """Play one game again and print the result."""
    scenario, seed = arguments
    played = play(scenario, int(seed))
    sys.stdout.write("\n".join([*played.faults, f"{len(played.game.room.log)} events\n"]))
    return bool(played.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""
Random games: every legal move is made sooner or later.

Each game follows from its pack and its seed. Players answer at random and also chat, leave and come
back, propose to go back, give seats away, and run out of time. Invariants are checked after every
event.

python -m tests.games.cards.random_games 1234

plays one game of the bundled pack again and prints the result.
"""

import random
import sys
from collections.abc import Callable

import attrs

from content.games.cards.schema.pack import Content, Pack
from protocol.common.asks import Question
from protocol.common.events import TakenBack
from protocol.common.table import Settings, Stage, Table
from protocol.event import Event
from protocol.games.cards.table import CardsTable
from server.authoring.driver import MAX_INPUTS, Driver
from server.kernel.errors import RuleFailed
from tests.games.cards.invariants import Look, faults
from tests.games.cards.simulate import Simulation, at_random, core, simulate
from tests.kit.tables.meddling import (
    come_and_go,
    hand_over,
    listening,
    run_out_of_time,
    stand_still,
    take_back,
    talk,
)

MEDDLING = 0.02
"""Probability of another input before the next answer."""


def talk_if_allowed(game: Driver) -> None:
    """Talk, unless Peril has closed the chat. C-DECIDE-30."""
    if game.room.table.is_chat_open:
        talk(game)


MEDDLERS: tuple[Callable[[Driver], None], ...] = (
    *(talk_if_allowed, come_and_go, run_out_of_time, stand_still, take_back, hand_over),
)


@attrs.frozen
class Played:
    """Game played to its end or to its first fault."""

    game: Simulation
    faults: list[str]


def play(
    seed: int,
    pack: Pack | None = None,
    look: Callable[[Event], None] | None = None,
    *,
    scenario: str = "",
    policy: Callable[[Question, random.Random], tuple[str, ...]] = at_random,
) -> Played:
    """
    Play one game, of any number of players that the scenario has; stop at the first fault.

    The scenario is the easiest one if none is named.
    """
    pack = pack or core()
    chosen = pack.scenarios[scenario or next(iter(pack.scenarios))]
    most = min(chosen.most, len(pack.investigators))
    game = simulate(seed, seed % most + 1, pack=pack, scenario=chosen.id)
    game.policy = policy
    # Only then may its questions run out of time.
    game.settings = Settings(least_seconds=0, time_limit_seconds=600)
    content = Content(pack, chosen)
    played = Played(game, [])

    def check(before: Table, event: Event, after: Table) -> None:
        if look is not None:
            look(event)
        if isinstance(before.game, CardsTable) and isinstance(after.game, CardsTable):
            # What was taken back need not agree with what it goes back to.
            is_back = isinstance(event, TakenBack)
            last = after.game if is_back else before.game
            found = faults(Look(last, after.game, content, event))
            played.faults.extend(f"at {event}: {fault}" for fault in found)

    with listening(check):
        try:
            _go_through(game, played.faults)
        except RuleFailed as failed:
            played.faults.append(str(failed))
    return played


def _go_through(game: Simulation, found: list[str]) -> None:
    game.open()
    for _ in range(MAX_INPUTS):
        if found or game.room.table.room.stage is Stage.OVER:
            return
        if game.rng.random() < MEDDLING:
            game.rng.choice(MEDDLERS)(game)
        else:
            game.step()
    found.append(f"the game hangs at {game.room.table.room.ask}")


if __name__ == "__main__":
    again = play(int(sys.argv[1]))
    sys.stdout.write("\n".join([*again.faults, f"{len(again.game.room.log)} events\n"]))
    sys.exit(bool(again.faults))

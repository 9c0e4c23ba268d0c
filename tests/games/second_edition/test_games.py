"""Games of bots from start to end, with every invariant checked after every event."""

import collections
import random
from collections.abc import Callable

import pytest

from client.bots.brains import SENSIBLE
from client.bots.weighing import MEMORY
from content.games.second_edition.schema.pack import Content, Pack
from protocol.common.table import Table, fold
from protocol.event import Event, cut, everything, read
from protocol.games.second_edition import events as se
from server.kernel.batch_writer import Batch
from tests.games.second_edition.invariants import Watch
from tests.games.second_edition.simulate import (
    CoreLibrary,
    SeededEntropy,
    Simulation,
    core,
    scenario_id,
    simulate,
)
from tests.games.second_edition.spellbook import spellbook
from tests.kit.closing import close_for
from tests.kit.tables.meddling import listening
from tests.kit.tables.resuming import resume


def watched(seed: int, players: int, pack: Pack | None = None) -> Simulation:
    """Play a game at random, checking every event."""
    pack = pack or core()
    watch = Watch(Content(pack, pack.scenarios[scenario_id()]))
    wrong: list[str] = []

    def look(before: Table, happened: Event, after: Table) -> None:
        wrong.extend(f"{happened}: {fault}" for fault in watch.faults(before, happened, after))

    with listening(look):
        played = simulate(seed, players, pack=pack).play()
    assert wrong == [], f"seed {seed}"
    return played


SAMPLE = 2
"""Number of random games in every run, out of a thousand."""
WON, LOST = 1, 4
"""
Seeds of a game that sensible bots won, and of one that they lost, when this test was written: they
are played first.
"""


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_a_game_of_random_choices_ends_with_every_invariant_kept(seed: int) -> None:
    played = watched(seed, seed % 5 + 1)

    assert played.game.ending is not None


@pytest.mark.parametrize(
    "seed",
    [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 20))],
)
def test_a_game_with_spells_ends_with_every_invariant_kept(seed: int) -> None:
    """The games must include flipped and discarded copies."""
    played = watched(seed, seed % 5 + 1, spellbook())

    events = [read(played.room.room_id, everything(stored)).event for stored in played.room.log]
    assert played.game.ending is not None
    assert any(isinstance(event, se.PossessionFlipped) and event.handle for event in events)


@pytest.mark.long
@pytest.mark.parametrize("block", range(50))
def test_a_thousand_random_games_end(block: int) -> None:
    """Each test plays twenty games; those of the ordinary run are among them."""
    for seed in range(block * 20, 20 + block * 20):
        assert watched(seed, seed % 5 + 1).game.ending is not None


GROUPS = ((101, 1), (102, 3))
"""Seeds and numbers of players."""


@pytest.mark.parametrize(
    ("seed", "players"), [pytest.param(*GROUPS[0], marks=pytest.mark.long), GROUPS[1]]
)
def test_a_room_rebuilt_from_some_batch_boundaries_is_the_room_that_lived(
    seed: int, players: int
) -> None:
    """The boundaries are some at the start, the last ones, and four in between."""
    check_rebuilt(seed, players, lambda count: [*range(0, 40, 5), *range(40, count, count // 4)])


@pytest.mark.long
@pytest.mark.parametrize(("seed", "players"), GROUPS)
def test_a_room_rebuilt_from_most_batch_boundaries_is_the_room_that_lived(
    seed: int, players: int
) -> None:
    """Every seventh boundary is tried; tests of the kernel try every one."""
    check_rebuilt(seed, players, lambda count: [*range(40), *range(40, count, 7)])


def check_rebuilt(seed: int, players: int, choose: Callable[[int], list[int]]) -> None:
    """Rebuild a room at some batch boundaries and at the last five, and compare.

    Open questions and partial answers are included.

    Args:
        choose: returns indexes, given the number of boundaries.
    """
    lived: list[tuple[int, Table, bytes]] = []
    played = simulate(seed, players)
    played.on_batch = lambda _: lived.append(
        (len(played.room.log), played.room.table, played.room.head)
    )
    played.play()
    log = list(played.room.log)
    chosen = [*map(lived.__getitem__, choose(len(lived))), *lived[-5:]]

    for length, table, head in chosen:
        room = resume(f"room-{seed}", log[:length], CoreLibrary(), SeededEntropy(7))

        assert room.halted is None
        assert (room.table, room.head) == (table, head)


def test_a_finished_log_is_what_the_rules_would_write_again() -> None:
    played = simulate(77, 4).play()

    again = resume(
        "room-77", list(played.room.log), CoreLibrary(), SeededEntropy(8), from_start=True
    )

    assert again.table == played.room.table


VIEWERS = (0, 1, 2, None)


@pytest.fixture(scope="module")
def fold_faults() -> dict[int | None, list[int]]:
    """Return where a viewer's fold differs from the server's cut, in one game.

    For each viewer, the log lengths at which it differs: checked after one batch in twenty and at
    the end.
    """
    shown = dict.fromkeys(VIEWERS, Table())
    faults: dict[int | None, list[int]] = {viewer: [] for viewer in VIEWERS}
    played, rng = simulate(55, len(VIEWERS) - 1), random.Random(1)

    def compare() -> None:
        for viewer in VIEWERS:
            if shown[viewer] != close_for(played.room.table, viewer):
                faults[viewer].append(len(played.room.log))

    def look(batch: Batch) -> None:
        for viewer in VIEWERS:
            for stored in batch.stored:
                shown[viewer] = fold(shown[viewer], read("room-55", cut(stored, viewer)))
        if rng.random() < 0.05:
            compare()

    played.on_batch = look
    played.play()
    compare()
    return faults


@pytest.mark.parametrize("seat", VIEWERS)
def test_what_a_client_folds_is_what_the_server_would_cut(
    seat: int | None, fold_faults: dict[int | None, list[int]]
) -> None:
    assert fold_faults[seat] == []


@pytest.mark.long
def test_sensible_bots_win_and_lose() -> None:
    """The ten games include both results."""
    results = set[bool]()
    for seed in sorted(range(10), key=lambda seed: seed not in {WON, LOST}):
        ending = simulate(seed, seed % 5 + 1, brain=SENSIBLE).play().game.ending
        assert ending is not None
        results.add(ending.is_won)
        if len(results) == 2:
            return

    pytest.fail(f"ten games that all ended alike: {results}")


@pytest.mark.long
def test_three_hundred_games_of_sensible_bots_end() -> None:
    """At every number of players both wins and losses occur."""
    results = collections.Counter[tuple[int, bool]]()
    for seed in range(300):
        played = simulate(seed, seed % 5 + 1, brain=SENSIBLE).play()
        assert played.game.ending is not None
        results[played.players, played.game.ending.is_won] += 1

    assert len(results) == 2 * 5


@pytest.mark.long
@pytest.mark.issue(38)
def test_bots_hand_nothing_to_and_fro() -> None:
    """Only a bot's own turns count.

    In other turns the driver makes bots answer, unlike real ones.
    """
    for seed in range(40):
        scenario = [*core().scenarios][seed % len(core().scenarios)]
        given: dict[str, int] = {}
        active: list[str] = []

        def look(batch: Batch, given: dict[str, int] = given, who: list[str] = active) -> None:
            for at, stored in enumerate(batch.stored, batch.first):
                event = read(f"room-{seed}", everything(stored)).event  # noqa: B023 (called at once)
                if isinstance(event, se.TurnBegan):
                    who[:] = [event.investigator]
                elif isinstance(event, se.PossessionGiven):
                    before = given.get(event.possession, -MEMORY)
                    assert at - before >= MEMORY or event.giver not in who
                    given[event.possession] = at

        game = simulate(seed, seed % 4 + 2, brain=SENSIBLE, on_batch=look)
        game.scenario = scenario
        game.play()

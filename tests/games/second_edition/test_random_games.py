"""Five thousand random games in which every feature of the rules must come up.

`make test-long` plays them all, in chunks shared by the workers. Each chunk stores its tally, and
whichever ends last checks the sum.
"""

import json
import os
from collections import Counter
from pathlib import Path

import attrs
import pytest

from protocol.common.events import Asked
from protocol.event import everything, read
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import SecondEditionTable
from tests.games.second_edition.coverage import EXCEPTIONS, Tally, expected, unused
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.random_games import (
    Played,
    play,
    replay_line,
    scenario_of,
    scenarios,
)

SAMPLE = 20
"""Number of games with which every scenario is played by every number of players."""
EVERY_RUN = 4
"""Number of games in every run of the tests: each scenario once."""
GAMES, CHUNK = 5000, 50


def _played(seed: int) -> Played:
    """Play a game; fail if it breaks a law or does not end."""
    scenario = scenario_of(seed)
    played = play(scenario, seed)
    if played.faults:
        pytest.fail("\n".join([*played.faults, f"again: {replay_line(scenario, seed)}"]))
    assert played.game.game.ending is not None, replay_line(scenario, seed)
    return played


@pytest.mark.parametrize("seed", range(EVERY_RUN))
def test_a_game_at_random_ends_and_breaks_no_law(seed: int) -> None:
    """The games are a sample of the five thousand."""
    _played(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(GAMES // CHUNK))
def test_five_thousand_games_break_no_law_and_leave_nothing_out(
    chunk: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each kind of event, choice, refusal, step and requirement occurs in at least one game."""
    tally = Tally()
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        tally += _played(seed).tally
    kept = _folder(tmp_path_factory)
    _keep(kept / f"{chunk}.json", tally)

    together = _together(kept)
    if together is not None:
        assert sorted(expected() - together.keys()) == []
        assert sorted(EXCEPTIONS.keys() & together.keys()) == [], "no exceptions any more"


def _folder(factory: pytest.TempPathFactory) -> Path:
    """Return a folder of this run, shared by all workers."""
    base = factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = run / "random-games"
    folder.mkdir(exist_ok=True)
    return folder


def _keep(file: Path, tally: Tally) -> None:
    # Renamed when complete, so that nobody reads half a file.
    part = file.with_suffix(".part")
    part.write_text(json.dumps(tally), encoding="utf-8")
    part.rename(file)


def _together(folder: Path) -> Tally | None:
    """Return the tally of all games, None if some are missing."""
    files = sorted(folder.glob("*.json"))
    if len(files) < GAMES // CHUNK:
        return None
    together = Tally()
    for file in files:
        together.update(Counter(json.loads(file.read_text(encoding="utf-8"))))
    return together


@pytest.mark.long
def test_the_house_has_everything_that_a_pack_can_have() -> None:
    """The house uses each field of the schema and each member of its enumerations."""
    assert unused(house()) == []


def test_the_games_are_of_every_scenario_with_every_number_of_players() -> None:
    """Otherwise the coverage of some rules would be a matter of luck."""
    games = {(scenario_of(seed), seed % 5 + 1) for seed in range(SAMPLE)}

    assert games == {(scenario, players) for scenario in scenarios() for players in range(1, 6)}


def test_a_game_comes_out_the_same_again() -> None:
    """Scenario and seed alone reproduce a game."""
    one, other = play("house/ways", 12), play("house/ways", 12)

    assert one.game.room.head == other.game.room.head
    assert one.tally == other.tally


def test_a_fault_stops_the_game_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault in a rule is found at its event."""
    monkeypatch.setattr(se.CluesGained, "fold", _lose_clues)

    played = play("house/embers", 3)

    assert "nothing_is_below_zero" in played.faults[0]
    assert "CluesGained" in played.faults[0]
    assert played.game.game.ending is None


def _lose_clues(event: se.CluesGained, table: SecondEditionTable) -> SecondEditionTable:
    return table.with_investigator(event.investigator, clues=-1)


def test_what_came_up_is_what_stands_on_the_log() -> None:
    """The tally counts the recorded events, without omission."""
    played = play("house/company", 4)

    log = [read(played.game.room.room_id, everything(s)).event for s in played.game.room.log]
    events = Counter(f"event {event.tag}" for event in log)

    assert {k: n for k, n in played.tally.items() if k.startswith("event ")} == events
    asked = next(event for event in log if isinstance(event, Asked))
    assert played.tally[f"subject {asked.about.subject}"]


def test_what_a_pack_leaves_out_is_found() -> None:
    without = attrs.evolve(house(), abilities={}, spells={})

    assert {"cards.SpellCard.backs", "monsters.Passable.walls"} <= set(unused(without))

"""Bots play a scenario and report on it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import attrs
import pytest

from content.games.second_edition.marks import Marked, mark
from content.games.second_edition.schema.effects import Call
from content.games.second_edition.schema.pack import Pack
from content.plugs.kind import Mark
from protocol.games.second_edition.table import RULESET
from server.authoring import playing, report, simulation, starter
from server.authoring.bot_brains import BotBrains
from server.authoring.cli import main
from server.authoring.simulation import Played, Trial
from server.packs import sources


def loaded(folder: str) -> Pack:
    pack = sources.find(folder).load()
    assert isinstance(pack, Pack)
    return pack


def trial(marked: Marked) -> Trial:
    return Trial(marked.content.pack, marked.content.scenario.id, marked)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("packs") / "harbour"
    starter.begin(str(where), RULESET)
    return where


@pytest.fixture(scope="module")
def pack(folder: Path) -> Pack:
    return loaded(str(folder))


@pytest.fixture(scope="module")
def marked(pack: Pack) -> Marked:
    """Return the scenario of the pack with a counter on every part."""
    return mark(pack, pack.scenarios["harbour/first-night"])


def test_every_part_is_counted(marked: Marked) -> None:
    assert set(marked.everything) >= {
        Mark("mythos event", "damp"),
        Mark("trigger", "flood"),
        Mark("named effect", "open-cellar"),
        Mark("token option", "token/desk: first-night/desk-option"),
        Mark("ending", "first-night/won"),
        Mark("tile", "cellar"),
        Mark("token", "token/valve"),
    }


@pytest.mark.parametrize("bots", ["random", "sensible"])
def test_a_seed_gives_a_game(marked: Marked, bots: str) -> None:
    game = simulation.play(trial(marked), 7, 2, BotBrains(bots))

    assert game.fault == ""
    assert game.epilogue.startswith("first-night/")
    assert game == simulation.play(trial(marked), 7, 2, BotBrains(bots))


def test_counting_changes_nothing(pack: Pack, marked: Marked) -> None:
    scenario = pack.scenarios["harbour/first-night"]
    plain = Marked(attrs.evolve(marked.content, pack=pack, scenario=scenario), {})

    with_marks, without = (
        simulation.play(trial(which), 3, 3, BotBrains("random")) for which in (marked, plain)
    )

    places = {mark: 1 for mark in with_marks.seen if mark.kind in {"tile", "token"}}
    assert attrs.evolve(with_marks, seen=places) == without


def test_a_game_tells_what_it_came_through(marked: Marked) -> None:
    game = simulation.play(trial(marked), 9, 1, BotBrains("random"))

    assert game.seen[Mark("ending", game.epilogue)] == 1
    assert game.seen[Mark("tile", "hall")] == 1
    assert game.minutes > 0


def test_a_scenario_that_raises_is_told_with_its_seed(marked: Marked) -> None:
    content = marked.content
    broken = attrs.evolve(content.scenario, setup=(Call("nowhere"),))
    bad = Marked(attrs.evolve(content, scenario=broken), marked.counters)

    game = simulation.play(trial(bad), 7, 1, BotBrains("random"))

    assert (game.seed, game.epilogue) == (7, "")
    assert game.fault.startswith("KeyError")


def test_too_few_investigators_are_a_fault(marked: Marked) -> None:
    """A party that cannot be seated is reported as any other fault."""
    few = attrs.evolve(marked.content.pack, investigators={})
    bad = Marked(attrs.evolve(marked.content, pack=few), marked.counters)

    fault = simulation.play(trial(bad), 1, 1, BotBrains("random")).fault
    assert fault == "ValueError: harbour/first-night is not for 1 players"


SIDE = "investigator"


def played(seed: int, players: int, **parts: Any) -> Played:
    """Return the record of a game of five rounds; `parts` replaces fields."""
    usual = Played(seed, players, sides=(SIDE,), rounds=5, events=100, answers=50, minutes=10.0)
    return attrs.evolve(usual, **parts)


def test_a_report_counts_by_players() -> None:
    games = [
        played(1, 1, winners=(SIDE,), epilogue="a/won", rounds=4),
        played(2, 1, epilogue="a/lost", rounds=8),
        played(3, 2, winners=(SIDE,), epilogue="a/won"),
    ]

    found = report.report("x/a", "random", (), games)

    one, two = found.parties
    assert (one.players, one.games, one.wins, one.win_rates) == (1, 2, {SIDE: 1}, {SIDE: 50.0})
    assert one.nobody == 1
    assert one.rounds == report.Spread(4, 6.0, 8)
    assert one.endings == {"a/won": 1, "a/lost": 1}
    assert (two.games, two.win_rates) == (1, {SIDE: 100.0})


def test_a_report_names_what_never_came() -> None:
    owl, fox, elk = (Mark("mythos event", name) for name in ("owl", "fox", "elk"))
    games = [played(n, 1, seen={owl: 1, **({fox: 2} if n == 0 else {})}) for n in range(200)]

    found = report.report("x/a", "random", (owl, fox, elk), games)

    assert found.never == (elk,)
    assert found.rare == ((fox, 1),)


def test_games_that_did_not_end_are_kept_apart() -> None:
    found = report.report("x/a", "random", (), [played(1, 1), played(2, 1, fault="KeyError: 'x'")])

    assert [party.games for party in found.parties] == [1]
    assert list(report.lines(found))[-1] == "Seed 2 with 1 player did not end: KeyError: 'x'"


@pytest.mark.usefixtures("warm_judge")
def test_play_tells_a_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", f"{folder}/first-night", "--games", "4", "--players", "1-2"]) == 0

    told = capsys.readouterr()
    assert told.out.startswith("harbour/first-night: 4 games of sensible bots\n")
    assert "4 of 4 games, " in told.err


@pytest.mark.usefixtures("warm_judge")
def test_a_report_is_an_object_for_a_script(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["play", str(folder), "--games", "2", "--players", "3", "--random", "--json"]

    assert main(arguments) == 0

    told = json.loads(capsys.readouterr().out)
    assert (told["scenario"], told["bots"]) == ("harbour/first-night", "random")
    assert [(party["players"], party["games"]) for party in told["players"]] == [(3, 2)]
    assert {"kind", "id"} == set().union(*map(set, told["never"]), {"kind", "id"})


@pytest.mark.parametrize("given", ["0", "9", "3-1", "x", "1-x"])
def test_a_number_of_players_that_makes_no_sense_is_refused(given: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["play", "core", "--players", given])

    assert caught.value.code == 2


@pytest.mark.long
def test_processes_change_nothing(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["play", str(folder), "--games", "10", "--random", "--json"]
    main(arguments)
    alone = capfd.readouterr().out

    main([*arguments, "--jobs", "2"])

    assert capfd.readouterr().out == alone


@pytest.mark.long
def test_an_interrupt_ends_it_and_tells_what_was_played(folder: Path) -> None:
    command = [sys.executable, "-m", "server.authoring", "play", str(folder), "--games", "100000"]
    with subprocess.Popen(
        [*command, "--random", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
    ) as process:
        assert process.stderr is not None
        assert "games" in process.stderr.readline()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)

    assert process.returncode == 130
    assert "harbour/first-night: " in out
    assert err.endswith("stopped\n")


def test_the_deals_are_by_seed() -> None:
    order = playing.Order(sources.PackFiles("x", {}), "x/a", 5, (1, 2), BotBrains(), 10, 1)

    assert order.deals() == ((10, 1), (11, 2), (12, 1), (13, 2), (14, 1))

"""Authors' tools with a game of two sides: `content play`, `balance` and scripted plays."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest
import yaml

from client.model.tables import TableView
from content.plugs.kind import Mark, WinBounds, kind_of
from content.reading.files import TESTS, read_files
from protocol.common.asks import Question
from protocol.common.table import Score
from server.authoring import cli, report
from server.authoring.balance import is_balanced, page
from server.authoring.scripted import play, words_of
from server.authoring.scripts import scripts_of
from server.authoring.simulation import Played
from server.packs import sandbox
from server.packs.sources import PackFiles
from tests.games.woods.house import woods_pack
from tests.games.woods.protocol.table import ANIMAL, KEEPER, RULESET

pytestmark = pytest.mark.issue(39)

PACK = Path(__file__).parent / "content" / "packs" / "woods"
SIDES = (ANIMAL, KEEPER)


@pytest.fixture(autouse=True)
def _judged_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use packs unjudged: the woods are not registered in the sandbox."""
    monkeypatch.setattr(sandbox, "judged", lambda name: PackFiles(RULESET, read_files(Path(name))))


def games(*winners: str, players: int = 2) -> list[Played]:
    """Return finished games by who won; an empty name stands for nobody."""
    return [
        Played(
            seed,
            players,
            sides=SIDES,
            winners=(winner,) if winner else (),
            scores=(Score("score/berries", ANIMAL, seed), Score("score/fallen", KEEPER, 5)),
            epilogue=f"woods/won_by_{winner or 'nobody'}",
            rounds=7,
        )
        for seed, winner in enumerate(winners)
    ]


def reported(played: Sequence[Played]) -> report.Report:
    return report.report("woods/night", "sensible", (), played)


MANY = games(*([KEEPER] * 5), *([ANIMAL] * 3), "", "")


def test_a_report_counts_wins_by_side_and_games_that_nobody_won() -> None:
    found = reported(MANY)

    (party,) = found.parties
    assert party.wins == {ANIMAL: 3, KEEPER: 5}
    assert party.win_rates == {ANIMAL: 30.0, KEEPER: 50.0}
    assert party.nobody == 2
    assert [(one.name, one.side, one.value.mean) for one in party.scores] == [
        ("score/berries", ANIMAL, 4.5),
        ("score/fallen", KEEPER, 5),
    ]


def test_a_report_counts_wins_by_plot_and_parts_by_kind() -> None:
    owl, fox = Mark("animal", "owl"), Mark("animal", "fox")
    played = [
        attrs.evolve(game, plot="hunt" if game.seed % 2 else "feast", seen={owl: 1})
        for game in MANY
    ]
    found = report.report("woods/night", "sensible", (owl, fox), played)

    assert found.plots == (
        report.Plot("feast", 5, {ANIMAL: 1, KEEPER: 3}),
        report.Plot("hunt", 5, {ANIMAL: 2, KEEPER: 2}),
    )
    assert found.parts == (("animal", 1, 2),)
    assert "       5  hunt: won by animal 2, keeper 2" in [*report.lines(found)]
    text = "\n".join(page(woods_pack(), [found], (), "manse …"))
    assert "| Plot | Games | Won by `animal` | Won by `keeper` |" in text
    assert "| `feast` | 5 | 20 % | 60 % |" in text
    assert "Came up in some game: animal 1 of 2." in text
    assert report.as_json(found)["parts"] == [{"kind": "animal", "reached": 1, "all": 2}]


def test_a_report_is_read_by_side() -> None:
    lines = [" ".join(line.split()) for line in report.lines(reported(MANY))]

    assert lines[2:4] == [
        "players games animal keeper nobody rounds answers events minutes",
        "2 10 30.0% 50.0% 20.0% 7 (7–7) 0 (0–0) 0 (0–0) 0 (0–0)",
    ]
    assert "2 score/berries (animal): 4 (0–9)" in lines
    told = report.as_json(reported(MANY))["players"][0]
    assert (told["wins"], told["nobody"]) == ({ANIMAL: 3, KEEPER: 5}, 2)
    assert "win_rate" not in told


@pytest.mark.parametrize(
    ("bounds", "is_well"),
    [
        ((), True),
        ((WinBounds(30, 40, side=ANIMAL), WinBounds(40, 50, side=KEEPER)), True),
        ((WinBounds(30, 40, side=ANIMAL), WinBounds(51, 60, side=KEEPER)), False),
        ((WinBounds(31, 40, side=ANIMAL),), False),
        ((WinBounds(90, 95, (3, 4), side=ANIMAL), WinBounds(20, 30, side=ANIMAL)), True),
    ],
)
def test_each_side_has_bounds(bounds: tuple[WinBounds, ...], *, is_well: bool) -> None:
    assert is_balanced(reported(MANY), bounds) is is_well


def test_the_page_tells_bounds_and_wins_by_side() -> None:
    bounds = (WinBounds(20, 60, (2, 3), ANIMAL), WinBounds(10, 90, (), ANIMAL))
    other = WinBounds(30, 70, side=KEEPER)

    text = "\n".join(page(woods_pack(), [reported(MANY)], (*bounds, other), "manse …"))

    assert (
        "With 2 to 3 players `animal` should win between 20 % and 60 % of the time; "
        "with any other number, not below 10 % or above 90 %.\n\n"
        "`keeper` should win between 30 % and 70 % of the time."
    ) in text
    assert "| Players | Games | Won by `animal` | Won by `keeper` | Won by nobody |" in text
    assert "| 2 | 10 | 30 % | 50 % | 20 % |" in text
    assert "| 2 | `score/berries` | `animal` | 4 (0–9) |" in text


def test_bots_play_it_and_say_who_won(capsys: pytest.CaptureFixture[str]) -> None:
    status = cli.main(["play", f"{PACK}/night", "--games", "6", "--players", "3", "--json"])

    told = capsys.readouterr()
    (party,) = json.loads(told.out)["players"]
    assert status == 0
    assert set(party["wins"]) == set(SIDES)
    assert sum(party["wins"].values()) + party["nobody"] == 6
    assert "6 of 6 games, " in told.err
    assert " won by animal, " in told.err


def test_each_role_has_a_brain_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games end if bots at random have the one role whose own brain cannot play."""

    def fail(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
        raise NotImplementedError

    monkeypatch.setattr("client.plugs.brains._brains_of", lambda _: {ANIMAL: fail})
    ends = {}
    for bots in ("animal=random,keeper=sensible", "keeper=random", "sensible,animal=random"):
        play_one = ["play", f"{PACK}/night", "--games", "1", "--players", "2", "--json"]
        ends[bots] = cli.main([*play_one, "--bots", bots]) == 0

    capsys.readouterr()
    assert list(ends.values()) == [True, False, True]


def test_a_page_of_balance_names_the_brains(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["balance", str(PACK), "--games", "1", "--bots", "keeper=random"])

    told = capsys.readouterr().out
    assert "How bots (`keeper=random`) fare" in told
    assert " --games 1 --bots keeper=random\n" in told


@pytest.mark.long
def test_its_balance_is_by_side_and_by_its_own_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    status = cli.main(["balance", str(PACK), "--games", "8"])

    told = capsys.readouterr().out
    assert "`keeper` should win between 5 % and 95 % of the time." in told
    assert (
        told.count("| Players | Games | Won by `animal` | Won by `keeper` | Won by nobody |") == 2
    )
    assert status == 0


def faults(tmp_path: Path, won: object) -> tuple[str, ...]:
    """Return the differences of a game that the animals win from what a play expects."""
    (tmp_path / TESTS).mkdir()
    choices = ["woods/lay clearing/glade", *["woods/walk clearing/brook"] * 2] * 7
    written = {"id": "a", "players": 3, "scenario": "night", "choices": choices}
    text = yaml.safe_dump([{**written, "expect": {"won": won}}])
    (tmp_path / TESTS / "a.yaml").write_text(text)
    pack = woods_pack()
    (script,) = scripts_of(str(tmp_path), kind_of(RULESET).dice)
    return play(pack, "woods/night", script, words_of(pack)).faults


@pytest.mark.parametrize(
    ("won", "said"),
    [
        (ANIMAL, ()),
        (KEEPER, ("won: expected keeper, came animal",)),
        ("nobody", ("won: expected nobody, came animal",)),
        ("animals", ("won: 'animals' is no result of this game; did you mean 'animal'?",)),
        (
            True,
            ("won: 'true' is no result of this game; known: animal, keeper, nobody",),
        ),
    ],
)
def test_a_play_says_which_side_wins(tmp_path: Path, won: object, said: tuple[str, ...]) -> None:
    assert faults(tmp_path, won) == said

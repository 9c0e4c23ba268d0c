"""Names of games, roles and brains on the command line: read before anything starts."""

import json
from pathlib import Path

import pytest

from commands.speaking import LANGUAGES
from protocol.plugs import games
from server.authoring.bot_brains import BotBrains, brains_in
from server.authoring.cli import main as content
from server.commands import demo
from server.system.command_line import parser_for
from server.system.game_option import typed

pytestmark = pytest.mark.issue(39)

READ = brains_in(parser_for("content", []).words)


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a command said when it refused, without no-break spaces."""
    told = capsys.readouterr()
    assert told.out == ""
    return told.err.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_demonstration_of_an_unknown_game_lists_those_there_are(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        demo.main(["--game", "chess", "--language", language])

    assert caught.value.code == 2
    said = refused(capsys)
    assert "'chess'" in said or "« chess »" in said
    assert typed(games()[0]) in said


@pytest.mark.parametrize("name", [games()[0], typed(games()[0])])
def test_a_game_is_named_with_a_hyphen_or_as_packs_name_it(name: str, tmp_path: Path) -> None:
    assert content(["schema", str(tmp_path), "--game", name]) == 0
    assert (tmp_path / "shared.schema.json").exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("random", BotBrains("random")),
        ("keeper=random", BotBrains("sensible", {"keeper": "random"})),
        (
            "investigator=sensible,keeper=random",
            BotBrains("sensible", {"investigator": "sensible", "keeper": "random"}),
        ),
        ("random, keeper=sensible", BotBrains("random", {"keeper": "sensible"})),
    ],
)
def test_brains_are_named_for_all_or_for_each_role(text: str, expected: BotBrains) -> None:
    assert READ(text) == expected
    assert READ(str(expected)) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "owlish", "keeper=owlish", "=random", "keeper=random,keeper=sensible", "a=,random"),
        *("random,sensible", "random,keeper=random,sensible"),
    ],
)
@pytest.mark.parametrize("tool", ["play", "balance"])
def test_brains_that_make_no_sense_are_refused(
    tool: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        content([tool, "core", "--bots", text])

    assert caught.value.code == 2
    assert "random, sensible" in refused(capsys)


@pytest.mark.parametrize(
    ("tool", "language"), [(["play", "core/night-train"], "en"), (["balance", "core"], "fr")]
)
def test_a_role_that_a_scenario_lacks_is_refused_with_those_it_has(
    tool: list[str], language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        content([*tool, "--bots", "keeper=random", "--language", language])

    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert "keeper" in said
    assert "investigator" in said


def test_a_brain_for_the_only_role_is_a_brain_for_all(capsys: pytest.CaptureFixture[str]) -> None:
    games = []
    for bots in ("random", "sensible,investigator=random"):
        arguments = ["play", "core/harrow-light", "--games", "1", "--players", "1", "--json"]
        assert content([*arguments, "--bots", bots]) == 0
        games.append(json.loads(capsys.readouterr().out))

    first, second = games
    assert (first.pop("bots"), second.pop("bots")) == ("random", "investigator=random")
    assert first == second

"""Runs the commands of docs/authoring.md as written and checks that its pack is good."""

import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from content.games.second_edition.json_schema import files
from server.authoring.cli import main

PAGE: Final = Path(__file__).parents[4] / "docs" / "authoring.md"
COMMANDS: Final = re.findall(r"^\$ manse content (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("games", [2, pytest.param(10, marks=pytest.mark.long)])
def test_the_commands_of_the_page_work(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
    games: int,
) -> None:
    """The commands run in order in an empty folder; two games are played instead of ten."""
    if games < 10:
        request.getfixturevalue("warm_judge")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(PAGE.parents[1]))
    assert sum("--games 10" in command for command in COMMANDS) == 2

    statuses = [
        main(shlex.split(command.replace("--games 10", f"--games {games}"))) for command in COMMANDS
    ]

    assert statuses == [0] * len(COMMANDS)
    assert "Nothing to mend." in capsys.readouterr().err
    assert {path.name for path in (tmp_path / "harbour" / ".schema").iterdir()} == set(files())


def test_the_page_uses_every_tool() -> None:
    assert {command.split()[0] for command in COMMANDS} == {
        *("new", "list", "check", "words", "map", "play", "test", "schema")
    }


def test_the_line_for_an_editor_names_a_schema() -> None:
    (name,) = re.findall(r"\$schema=\S*/(\S+)$", PAGE.read_text("utf-8"), re.MULTILINE)

    assert name in files()

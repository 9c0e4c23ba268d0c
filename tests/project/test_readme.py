"""The commands that README.md tells people to type exist."""

import re
from pathlib import Path
from typing import Final

from commands.main import COMMANDS

ROOT: Final = Path(__file__).parents[2]


def commands() -> list[list[str]]:
    """Return the command lines of README.md: in code blocks after `$`, and in running text."""
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    typed = re.findall(r"^\$ (.*)", "\n".join(blocks), re.MULTILINE)
    flowing = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.findall(r"`((?:make|manse) [^`]+)`", flowing)
    return [line.split() for line in (*typed, *prose)]


def test_the_two_commands_come_first() -> None:
    """A new user types `make play`, a new developer `make test`."""
    assert commands()[:2] == [["make", "play"], ["make", "test"]]


def test_make_targets_exist() -> None:
    explained = re.findall(
        r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    )

    named = [line[1] for line in commands() if line[0] == "make"]

    assert [name for name in named if name not in explained] == []


def test_each_subcommand_in_the_readme_exists() -> None:
    named = [line[1] for line in commands() if Path(line[0]).name == "manse"]

    assert named
    assert [name for name in named if name not in {*COMMANDS, "--help", "--version"}] == []

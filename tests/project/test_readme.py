"""The commands that README.md tells people to type exist."""

import codecs
import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from commands.main import COMMANDS
from deploy.building import CONTAINERFILE
from tests.deploy.operating_page import FOLLOWED
from tests.project.test_locales import MADE

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


# Systems ------------------------------------------------------------------------------------

README: Final = (ROOT / "README.md").read_text("utf-8")
WHERE: Final = README.partition("\n## Where it runs\n")[2].partition("\n## ")[0]


def needed() -> str:
    """Return the lowest version of Python that pyproject.toml admits, as in `3.11`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (found,) = re.findall(r"^>=(\d+\.\d+)$", project["requires-python"])
    return str(found)


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("README.md", r"Python (\d\.\d+) or newer"),
        ("docs/operating.md", r"Python (\d\.\d+) or newer"),
        ("Makefile", r"Python (\d\.\d+) or newer"),
        ("requirements/lock", r"--python-version (\d\.\d+)"),
        ("deploy/Containerfile", r"PYTHON=python:(\d\.\d+)-slim"),
    ],
)
def test_the_python_that_is_named_is_the_one_that_is_needed(name: str, pattern: str) -> None:
    """Each of these files names the version that pyproject.toml demands."""
    named = re.findall(pattern, (ROOT / name).read_text("utf-8"))

    assert set(named) == {needed()}


@pytest.mark.issue(38)
def test_make_setup_takes_the_pythons_that_are_admitted() -> None:
    text = (ROOT / "requirements" / "setup").read_text("utf-8")
    major, minor = needed().split(".")

    assert f"sys.version_info < ({major}, {minor})" in text
    (tried,) = re.findall(r"for python in ((?:python3\.\d+ )+)", text)
    assert min(int(name.rpartition(".")[2]) for name in tried.split()) == int(minor)


@pytest.mark.issue(38)
def test_what_is_said_to_be_tried_is_what_tests_try() -> None:
    """The table names the tested encodings, and what `make test-deploy` follows."""
    codings = {codecs.lookup(coding).name for coding, *_ in MADE.values()} | {"ascii", "utf-8"}
    (said,) = re.findall(r"^\| encodings \| (.*), for", WHERE, re.MULTILINE)
    assert {codecs.lookup(name).name for name in re.split(r", | and ", said)} == codings
    assert (ROOT / "docs" / "operating.md").read_text("utf-8").startswith(FOLLOWED)
    assert f"`{CONTAINERFILE}`" in WHERE
    assert WHERE.count("`make test-deploy`") == 2

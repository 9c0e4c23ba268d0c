"""docs/review.md works as written: its commands are run and its lists are complete."""

import io
import json
import re
import shlex
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from client.commands.replays import json_lines, viewpoint_named
from client.keymap.key_names import NAMES
from client.keymap.keys import USUAL, Context
from client.locale import load as locale_of
from client.model.viewpoints import seen_from
from protocol.archive import load
from protocol.event_contents import secrets_of
from tests.games.second_edition.simulate import simulate
from tests.project.entries import named
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(17)

PAGE: Final = (Path(__file__).parents[4] / "docs" / "review.md").read_text("utf-8")
TYPED: Final = re.findall(r"^\$ (.*)", PAGE, re.MULTILINE)
OURS: Final = [line for line in TYPED if line.startswith("manse ")]
JQ: Final = [line for line in TYPED if line.startswith("jq ")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a recorded game and its JSON records."""
    folder = tmp_path_factory.mktemp("evening")
    (folder / "evening.manse").write_bytes(file_of(simulate(2, 2).play().room))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run(next(line for line in OURS if "--jsonl" in line)) == 0
    return folder


def run(line: str) -> int:
    """Run one of our commands as typed."""
    _, command, *arguments = shlex.split(line)
    return named(command)(arguments)


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Enter that folder, without a terminal or personal settings."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.setenv("TERM", "dumb")
    return folder


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "evening.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("line", [line for line in OURS if "--jsonl" not in line])
def test_what_is_typed_works(
    line: str, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if line.endswith(" evening.html"):
        # The whole page takes long; other tests write one.
        line = line.replace("--html", "--html --to 20")

    # What asks something is left at once.
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert run(line) == 0

    printed = capsys.readouterr()
    written = here / line.split()[-1]
    assert printed.err == ""
    assert printed.out or (written.suffix != ".manse" and written.stat().st_size > 0)


def test_the_keys_are_those_of_the_replay() -> None:
    table = PAGE.split("| Key |")[1].split("\n\n")[0]
    told = set(re.findall(r"`([^`]+)`", table))
    names = {key: name for name, key in NAMES.items()}
    bound = {
        names.get(binding.keys[0], binding.keys[0])
        for binding in USUAL.bindings
        if Context.REPLAY in binding.contexts and Context.ROOM not in binding.contexts
    }

    assert bound <= told
    # Notes are kept, people talk, look back and go to either end, at a table too.
    assert told - bound == {"home", "end", "d", "c", "R", "T"}


def test_every_field_of_a_record_is_described(folder: Path) -> None:
    table = PAGE.split("| Field |")[1].split("\n\n")[0]
    told = re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE)

    assert all(list(record) == [*told[:5], *told[5:]] for record in records(folder))
    assert {str(record["origin"]) for record in records(folder)} <= {"rules", "clock", "1", "2"}


def test_a_record_tells_who_may_know_a_secret(folder: Path) -> None:
    secrets = [
        field
        for record in records(folder)
        for field in record["fields"].values()
        if isinstance(field, dict) and "known_to" in field
    ]

    assert any("value" in secret for secret in secrets)


@pytest.mark.parametrize("view", ["1", "table"])
def test_records_have_the_secrets_of_their_viewpoint_and_no_other(view: str, here: Path) -> None:
    """A view opens fewer values than the whole file."""
    archive = load((here / "evening.manse").read_bytes())
    opened = {
        sealed.ref
        for record in seen_from(archive, viewpoint_named(archive, view)).records
        for sealed in secrets_of(record.event)
        if sealed.is_open
    }

    written = map(json.loads, json_lines(archive, locale_of("en"), None, view).splitlines())

    assert sum(_open_in(record["fields"]) for record in written) == len(opened)
    assert len(opened) < sum(_open_in(record["fields"]) for record in records(here))


def _open_in(value: Any) -> int:
    """Count the secrets with a value, at any depth."""
    if isinstance(value, list):
        return sum(map(_open_in, value))
    if not isinstance(value, dict):
        return 0
    return ({"known_to", "value"} == set(value)) + sum(map(_open_in, value.values()))


def _kinds(found: list[dict[str, Any]]) -> list[str]:
    counts = Counter(record["kind"] for record in found)
    return sorted(f"{count} {kind}" for kind, count in counts.items())


def _clues(found: list[dict[str, Any]]) -> list[str]:
    return sorted(
        f"{record['round']} {record['fields']['investigator']} {record['fields']['count']}"
        for record in found
        if record["kind"] == "se/clues_gained"
    )


def _votes(found: list[dict[str, Any]]) -> list[str]:
    return sorted(
        json.dumps(
            [record["event"], record["fields"]["seat"], record["fields"]["picks"]],
            separators=(",", ":"),
        )
        for record in found
        if record["kind"] == "voted/2"
    )


TWINS: Final = (_kinds, _clues, _votes)
"""Functions that compute the result of each jq example in Python, in the order of the examples."""


def test_the_examples_have_twins() -> None:
    """The examples for jq have Python equivalents for machines without jq."""
    assert len(JQ) == len(TWINS)


@pytest.mark.parametrize(("line", "twin"), list(zip(JQ, TWINS, strict=True)))
def test_the_examples_for_jq_find_what_python_finds(line: str, twin: Any, here: Path) -> None:
    expected = twin(records(here))
    if shutil.which("jq") is None:
        # The twin reads the fields that the example names; that much is seen without jq.
        return

    ended = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)

    assert sorted(found.strip() for found in ended.stdout.splitlines()) == expected

"""The independent verifier as a program: its output, its length and its speed."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.second_edition.random_games import play, scenario_of
from tests.verifying.files import taken_apart
from tests.verifying.logs import GOLDEN, ROOT, file_of, types, verifier

PROGRAM = ROOT / "docs" / "verify" / "verify.py"
MOST_LINES = 415
"""Maximum number of lines of the program."""
MOST_CALLS = 1150
"""Maximum number of Python and C calls per event; 874 when this was written."""
GAME = GOLDEN / "with-talk.manse"

pytestmark = pytest.mark.issue(10)


def run(*arguments: Path) -> "subprocess.CompletedProcess[str]":
    """Run the program outside of the project."""
    command = [sys.executable, "-I", str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def types_file(tmp_path: Path) -> Path:
    path = tmp_path / "types.json"
    path.write_text(json.dumps(types()), encoding="utf-8")
    return path


def test_it_says_what_it_checked(types_file: Path) -> None:
    done = run(GAME, types_file)

    assert done.returncode == 0
    assert done.stdout.startswith("OK: 129 events")
    assert "checked: what every game shares; its laws and rules are left to `manse verify`" in (
        done.stdout
    )


def test_it_names_the_first_wrong_event(types_file: Path, tmp_path: Path) -> None:
    file = taken_apart(GAME.read_bytes())
    at = file.of("share_opened")[0]
    file.lines[at].fields[1] = b"?" * 32
    path = tmp_path / "forged.manse"
    path.write_bytes(file.sealed())

    done = run(path, types_file)

    assert done.returncode == 1
    assert done.stdout.startswith(f"WRONG: event {at}: ")


@pytest.mark.issue(36)
@pytest.mark.parametrize("word", ["--help", "-h"])
def test_it_says_how_it_is_used(word: str) -> None:
    done = subprocess.run(
        [sys.executable, "-I", str(PROGRAM), word], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0
    assert "python verify.py GAME.manse [types.json]" in done.stdout
    assert not done.stderr


@pytest.mark.issue(36)
def test_it_finds_the_types_of_its_repository(tmp_path: Path) -> None:
    assert run(GAME).stdout.startswith("OK: 129 events")

    copied = tmp_path / "verify.py"
    copied.write_bytes(PROGRAM.read_bytes())
    command = [sys.executable, "-I", str(copied), str(GAME)]
    alone = subprocess.run(command, capture_output=True, text=True, check=False)
    assert alone.returncode == 2
    assert str(tmp_path / "types.json") in alone.stderr
    (tmp_path / "types.json").write_text(json.dumps(types()), encoding="utf-8")
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_it_says_that_nothing_was_checked(types_file: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "none.manse", types_file).returncode == 2
    assert run().returncode == 2


def test_it_needs_nothing_of_ours() -> None:
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    found = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }

    assert found - sys.stdlib_module_names == {"cryptography"}


def test_it_can_be_read_in_an_evening() -> None:
    source = PROGRAM.read_text(encoding="utf-8")
    lines = dict(enumerate(source.splitlines(), 1))
    assert max(map(len, lines.values())) <= 100
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(
            node
        ):
            for at in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1):
                del lines[at]

    assert len([line for line in lines.values() if line.strip()]) <= MOST_LINES


def test_verifying_an_event_takes_few_calls() -> None:
    """Calls are counted, since times differ between machines."""
    data = file_of(play(scenario_of(14), 14).game.room)
    events = len(taken_apart(data).lines)
    calls = 0

    def seen(_frame: object, what: str, _argument: object) -> None:
        nonlocal calls
        calls += what in {"call", "c_call"}

    program = verifier()
    sys.setprofile(seen)
    try:
        program.verify(data, types())
    finally:
        sys.setprofile(None)

    assert calls / events < MOST_CALLS


@pytest.mark.issue(36)
def test_it_checks_each_bound_that_a_record_can_have() -> None:
    file = types()
    todo = [
        field["type"] for part in ("events", "earlier") for k in file[part] for field in k["fields"]
    ]
    todo += [{"is": "class", "name": name} for name in ("Header", "Line", "WordsOf", "Public")]
    seen, known = set(), {"is", "of", "from", "to", "name", "at_least", "at_most", "pattern"}
    while todo:
        of = todo.pop()
        assert of.keys() <= known
        inner = [of[key] for key in ("of", "from", "to") if key in of]
        todo += [one for each in inner for one in (each if isinstance(each, list) else [each])]
        if of["is"] == "class" and of["name"] not in seen:
            seen.add(of["name"])
            todo += [field["type"] for field in file["classes"][of["name"]]["fields"]]
    assert len(seen) > 20

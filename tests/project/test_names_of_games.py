"""
No code names a game but that in its own folders.

What is read is the source: names, imports and strings. Docstrings and comments may give an example,
and words that people read are data.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from protocol.plugs import PLACES

ROOT: Final = Path(__file__).parents[2]
CODE: Final = ("commands", "protocol", "content", "server", "client", "bench")
ITS_OWN_WORDS: Final = ("investigator", "mythos", "sanity", "horror")
"""What no other game need have."""

ALLOWED: Final = {
    ("protocol/plugs.py", "second_edition"): "the one line of the game",
    ("protocol/common/events/start.py", "investigator"): "the only role on logs without roles",
    ("client/screens/table/waiting.py", "investigators"): "the key of a client's words",
    ("client/widgets/style.py", "horror"): "the colours of one theme, which settings name",
    ("bench/rules.py", "second_edition"): "what is measured is a long game with much content",
    ("bench/screens.py", "second_edition"): "what is measured is a long game with much content",
}
"""By file and word, with the reason."""

TESTS_TO_MOVE: Final = {
    "tests": 1,
    "tests/golden": 2,
    "tests/lobby": 2,
    "tests/project": 5,
    "tests/protocol": 6,
    "tests/server": 1,
    "tests/verifying": 3,
}
"""How many files of a folder name a game outside of `tests/games`. May only shrink."""

pytestmark = pytest.mark.issue(11)


def words_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each name and each string of code with its line, docstrings left out."""
    docs = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=word, lineno=line) | ast.Attribute(attr=word, lineno=line):
                yield line, word
            case ast.arg(arg=word, lineno=line) | ast.keyword(arg=str(word), lineno=line):
                yield line, word
            case ast.FunctionDef(name=word, lineno=line) | ast.ClassDef(name=word, lineno=line):
                yield line, word
            case ast.AsyncFunctionDef(name=word, lineno=line):
                yield line, word
            case ast.ImportFrom(module=str(word), lineno=line) | ast.alias(name=word, lineno=line):
                yield line, word
            case ast.Constant(value=str(word), lineno=line) if id(node) not in docs:
                yield line, word


def named(root: Path, path: Path, words: tuple[str, ...]) -> dict[str, int]:
    """Return the words of a file in which these occur, each with its first line."""
    spelt = "|".join(f"{re.escape(word).replace('_', '[_ -]?')}s?" for word in words)
    pattern = re.compile(rf"(?<![a-z])(?:{spelt})(?![a-z])", re.IGNORECASE)
    found: dict[str, int] = {}
    tree = ast.parse((root / path).read_text("utf-8"))
    for line, text in words_of(tree):
        spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)
        for word in pattern.findall(spaced):
            found.setdefault(word.lower(), line)
    return found


def outside_games(root: Path, folder: str) -> Iterator[Path]:
    """Yield the modules below a folder that belong to no game."""
    for path in sorted((root / folder).rglob("*.py")):
        parts = path.relative_to(root).parts
        if parts[1] != "games" or len(parts) == 3:
            yield path.relative_to(root)


def faults(root: Path) -> list[str]:
    """List where code outside the folders of a game names it."""
    return [
        f"{path}:{line}: names {word!r}"
        for folder in CODE
        for path in outside_games(root, folder)
        for word, line in named(root, path, (*games(), *ITS_OWN_WORDS)).items()
        if (str(path), word) not in ALLOWED
    ]


def games() -> tuple[str, ...]:
    """Return the games that come along."""
    return tuple(game for game, place in PLACES.items() if not place.package.startswith("tests."))


def files_of_tests_that_name_a_game() -> Counter[str]:
    """Count for each folder of tests the files that name a game."""
    own = Path(__file__).relative_to(ROOT)
    files = (p for p in outside_games(ROOT, "tests") if p != own and p.parts[1] != "games")
    return Counter(
        str(path.parent)
        for path in files
        if any(game in (ROOT / path).read_text("utf-8") for game in games())
    )


def test_no_code_names_a_game_that_is_not_its_own() -> None:
    """But for what is listed, with the reason."""
    assert faults(ROOT) == []


def test_what_is_listed_is_still_there() -> None:
    """The list may only shrink."""
    words = (*games(), *ITS_OWN_WORDS)

    gone = [key for key in ALLOWED if key[1] not in named(ROOT, Path(key[0]), words)]

    assert gone == []


def test_no_further_tests_name_a_game() -> None:
    """Those that do are moved to `tests/games`, one after another."""
    found = files_of_tests_that_name_a_game()

    assert {folder: n for folder, n in found.items() if n > TESTS_TO_MOVE.get(folder, 0)} == {}


@pytest.mark.parametrize(
    "text",
    [
        "from content.games.second_edition import loader",
        "import protocol.games.second_edition.events",
        "game = 'second_edition'",
        "title = 'The Second Edition'",
        "class SecondEditionDesk: pass",
        "def investigators(): pass",
        "x.mythos_phase",
        "f(sanity=1)",
        "def f(horror): pass",
    ],
)
def test_a_game_that_is_named_is_found(tmp_path: Path, text: str) -> None:
    """In imports, names and strings."""
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "app.py").write_text(text, "utf-8")

    assert len(faults(tmp_path)) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("server/process/app.py", '"""Such as the second edition."""  # or its investigators'),
        ("server/games/second_edition/plug.py", "NAME = 'second_edition'"),
        ("server/process/app.py", "game = 'first_edition'"),
    ],
)
def test_words_and_a_games_own_folder_are_left_alone(tmp_path: Path, path: str, text: str) -> None:
    """Docstrings and comments may give an example."""
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text, "utf-8")

    assert faults(tmp_path) == []

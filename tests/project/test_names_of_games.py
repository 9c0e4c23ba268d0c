"""No code names a game, except in the game's own folders.

The tests read names, imports and strings. Docstrings and comments may give an example, and words
for people are data.
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
"""Words that no other game needs."""

COMMON: Final = ("cards",)
"""Names of games that are plain English words: these are looked for in paths alone."""

ALLOWED: Final = {
    ("protocol/plugs.py", "second_edition"): "the one line of the game",
    ("protocol/plugs.py", "first_edition"): "the one line of the game",
    **{
        ("protocol/plugs.py", game): "the one line of the game" for game in COMMON if game in PLACES
    },
    ("protocol/common/events/start.py", "investigator"): "the only role on logs without roles",
    ("bench/cards.py", "cards"): "what is measured is the rules of this game alone",
    ("bench/cards.py", "investigators"): "what is measured is the rules of this game alone",
    ("bench/cards.py", "investigator"): "what is measured is the rules of this game alone",
    ("bench/rules.py", "second_edition"): "what is measured is a long game with much content",
    ("bench/screens.py", "second_edition"): "what is measured is a long game with much content",
}
"""Reasons for allowed names, by file and word."""

LIBRARIES: Final = ("content/language", "protocol/boards", "client/boards", "server/rulekit")
"""Packages that games share. They name no game, and no word of its schema."""

WORDS_OF_LIBRARIES: Final = {
    "English and Python, in which any code is written": """
        a add after all alone alway among another any any_of at at_least base beside between body
        both box by call cannot character choice clas code column constant count doe done
        drawn each else end entry extreme family first fits found free from goal ha here holds id if
        in is is_done is_drawn item kind later layout least leave left level limit lower margin may
        memory more most n name named none not number of on once one_of only opened order origin
        other out owner parity passed phrase place placed put range reference remember remembered
        right round row say seen set shown source spot start text that then they thing this time
        title to told top twice type under upper value way where which within without x
    """,
    "a board: tiles are drawn, spaces lie beside each other, figures stand in them": """
        door drawing farthest figure grid impassable link map_room near nearest position reach room
        side space tile toward wall
    """,
    "a scenario language: packs hold scenarios, effects are made of steps, names have a scope": """
        card content counter effect pack product scenario scope step
    """,
    "rules: somebody acts, chooses and resolves; decks hide their cards": """
        action actor back choose deal deck discard draw event game hidden move option
        prompt question resolve secret turn weight
    """,
}
"""Words of schemas that a library may use, by reason."""

TESTS_TO_MOVE: Final = {
    "tests": 1,
    "tests/golden": 2,
    "tests/kit/servers": 1,
    "tests/lobby": 1,
    "tests/project": 5,
    "tests/protocol": 6,
    "tests/server": 1,
    "tests/verifying": 3,
}
"""Number of files that name a game outside of `tests/games`, by folder. May only shrink."""

pytestmark = pytest.mark.issue(11)


def words_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each name and each string of code with its line, except docstrings."""
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
    """Return which of these words occur in a file, each with its first line."""
    plain = [word for word in words if word not in COMMON]
    spelt = "|".join(f"{re.escape(word).replace('_', '[_ -]?')}s?" for word in plain)
    pattern = re.compile(rf"(?<![a-z])(?:{spelt})(?![a-z])", re.IGNORECASE)
    common = [word for word in words if word in COMMON]
    found: dict[str, int] = {}
    source = (root / path).read_text("utf-8")
    # Most files have none of the words, not even in a comment.
    if not pattern.search(spaced(source)) and not any(map(source.__contains__, common)):
        return found
    for line, text in words_of(ast.parse(source)):
        for word in pattern.findall(spaced(text)):
            found.setdefault(word.lower(), line)
        for word in common:
            if is_path_of(word, text):
                found.setdefault(word, line)
    return found


def is_path_of(game: str, text: str) -> bool:
    """Return whether a text is a path, or a dotted name, of a game's folder."""
    return re.search(rf"games[./]{game}\b", text) is not None


def spaced(text: str) -> str:
    """Return a text with the words of its names in CamelCase set apart by underscores."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)


def outside_games(root: Path, folder: str) -> Iterator[Path]:
    """Yield the modules below a folder that belong to no game."""
    for path in sorted((root / folder).rglob("*.py")):
        parts = path.relative_to(root).parts
        if parts[1] != "games" or len(parts) == 3:
            yield path.relative_to(root)


def faults(root: Path) -> list[str]:
    """List the places where code outside a game's folders names the game."""
    return [
        f"{path}:{line}: names {word!r}"
        for folder in CODE
        for path in outside_games(root, folder)
        for word, line in named(root, path, (*games(), *ITS_OWN_WORDS)).items()
        if (str(path), word) not in ALLOWED
    ]


def spelt(name: str) -> str:
    """Return a name in snake case."""
    return spaced(name).lower().strip("_")


def words_of_schemas(root: Path) -> frozenset[str]:
    """Return the classes, fields, members and keys of the schema of every game."""
    found: set[str] = set()
    for path in root.glob("content/games/*/schema/**/*.py"):
        for made in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(made, ast.ClassDef):
                continue
            found.add(made.name)
            for line in made.body:
                match line:
                    case ast.AnnAssign(target=ast.Name(id=name)):
                        found.add(name)
                    case ast.Assign(targets=[ast.Name(id=name)]):
                        found.add(name)
            for decorator in made.decorator_list:
                match decorator:
                    case ast.Call(args=[_, ast.Constant(value=str(key))]):
                        found.add(key)
    return frozenset(map(spelt, found))


def words_in_libraries(root: Path) -> dict[str, str]:
    """Return the words of schemas that the shared libraries use, each with one place."""
    words = {form: word for word in words_of_schemas(root) for form in (word, f"{word}s")}
    found: dict[str, str] = {}
    for library in LIBRARIES:
        for path in sorted((root / library).rglob("*.py")):
            for line, text in words_of(ast.parse(path.read_text("utf-8"))):
                parts = re.findall("[a-z]+", spelt(text))
                for at in range(len(parts)):
                    for end in range(at + 1, min(at + 5, len(parts) + 1)):
                        if (word := words.get("_".join(parts[at:end]))) is not None:
                            found.setdefault(word, f"{path.relative_to(root)}:{line}")
    return found


def games() -> tuple[str, ...]:
    """Return the bundled games."""
    return tuple(game for game, place in PLACES.items() if not place.package.startswith("tests."))


def files_of_tests_that_name_a_game() -> Counter[str]:
    """Count the files that name a game, for each folder of tests."""
    own = Path(__file__).relative_to(ROOT)
    files = (p for p in outside_games(ROOT, "tests") if p != own and p.parts[1] != "games")
    return Counter(
        str(path.parent)
        for path in files
        if any(names(game, (ROOT / path).read_text("utf-8")) for game in games())
    )


def names(game: str, source: str) -> bool:
    """Return whether the source of a test names a game."""
    return is_path_of(game, source) if game in COMMON else game in source


def test_no_code_names_a_game_that_is_not_its_own() -> None:
    assert faults(ROOT) == []


def test_what_is_listed_is_still_there() -> None:
    """An entry whose file no longer has the word must leave the list."""
    words = (*games(), *ITS_OWN_WORDS)

    gone = [key for key in ALLOWED if key[1] not in named(ROOT, Path(key[0]), words)]

    assert gone == []


def test_no_library_uses_a_word_of_a_game() -> None:
    known = " ".join(WORDS_OF_LIBRARIES.values()).split()

    found = words_in_libraries(ROOT)
    # Fields that hold several things are called by the plural.
    used = {word if word in known else word.removesuffix("s"): found[word] for word in found}

    assert {word: place for word, place in used.items() if word not in known} == {}
    assert sorted(set(known) - used.keys()) == []
    assert len(set(known)) == len(known)


def test_a_word_of_a_game_in_a_library_is_found(tmp_path: Path) -> None:
    (tmp_path / "content/games/chess/schema").mkdir(parents=True)
    (tmp_path / "content/games/chess/schema/steps.py").write_text(
        '@part(Step, "castle")\nclass BlackKing:\n    checkmate: int\n    ROOK = 1\n', "utf-8"
    )
    (tmp_path / "server/rulekit").mkdir(parents=True)
    (tmp_path / "server/rulekit/moves.py").write_text(
        "def castles(black_king_side, rook_file):\n    return 'a checkmate', RookFile\n", "utf-8"
    )

    assert sorted(words_in_libraries(tmp_path)) == ["black_king", "castle", "checkmate", "rook"]


def test_no_further_tests_name_a_game() -> None:
    """Tests of one game belong in `tests/games`."""
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
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "app.py").write_text(text, "utf-8")

    assert len(faults(tmp_path)) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("server/process/app.py", '"""Such as the second edition."""  # or its investigators'),
        ("server/games/second_edition/plug.py", "NAME = 'second_edition'"),
        ("server/process/app.py", "game = 'third_edition'"),
    ],
)
def test_words_and_a_games_own_folder_are_left_alone(tmp_path: Path, path: str, text: str) -> None:
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text, "utf-8")

    assert faults(tmp_path) == []

"""The commands about rulebooks: they run over every game that has a catalogue."""

import subprocess
from pathlib import Path

import pytest

import tests.games
from tests.games.rulebook import bites, books, catalogue
from tests.games.rulebook.__main__ import main
from tests.games.rulebook.bites import Bite, MutationRun, Result, Rules

pytestmark = pytest.mark.issue(39)

BOOK = """
from tests.games.rulebook.books import Book

BOOK = Book(game="{game}", package="tests.games.woods.server", sizes={{"rules": 1}})
"""
CATALOGUE = '{section}:\n  {section}-1: {{later: no wind yet, says: "Kites fly."}}\n'


def add_game(folder: Path, game: str, text: str) -> None:
    rules = folder / game / "rules"
    rules.mkdir(parents=True)
    for package in (rules.parent, rules):
        (package / "__init__.py").write_text("", "utf-8")
    (rules / "book.py").write_text(BOOK.format(game=game), "utf-8")
    (rules / "catalogue.yaml").write_text(text, "utf-8")


@pytest.fixture
def two_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with two games that have a catalogue, and one that has only rules."""
    monkeypatch.setattr(books, "GAMES", tmp_path)
    monkeypatch.setattr(tests.games, "__path__", [*tests.games.__path__, str(tmp_path)])
    add_game(tmp_path, "heath", CATALOGUE.format(section="HEATH"))
    add_game(tmp_path, "moor", CATALOGUE.format(section="MOOR"))
    unlisted = tmp_path / "fen" / "server"
    unlisted.mkdir(parents=True)
    (unlisted / "__init__.py").write_text("", "utf-8")
    return tmp_path


def make_due(folder: Path, game: str) -> None:
    """Make the one rule of a game due, which no test pins and for which no fault was planted."""
    text = f'{game.upper()}:\n  {game.upper()}-1: {{since: 2, says: "Kites fly."}}\n'
    (folder / game / "rules" / "catalogue.yaml").write_text(text, "utf-8")


@pytest.mark.usefixtures("two_games")
def test_the_rules_of_every_game_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0

    told = capsys.readouterr().out.splitlines()
    assert [line for line in told if line.endswith(":")] == ["heath:", "moor:"]
    ours = [path.parent.name for path in books.ROOT.glob("server/games/*/__init__.py")]
    without = [f"{game}: no catalogue" for game in sorted(["fen", *ours])]
    heath, moor, *others = told[-2 - len(without) :]
    assert heath.startswith("heath: 0 of 0 rules pinned; marks that bite 0 of 0")
    assert moor.startswith("moor: 0 of 0 rules pinned; marks that bite 0 of 0")
    assert others == without


def test_a_fault_in_any_game_fails_all(two_games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_due(two_games, "moor")

    assert main(["rules"]) == 1
    assert "MOOR-1 has no test: Kites fly." in capsys.readouterr().out
    assert main(["check"]) == 1
    told = capsys.readouterr().out
    assert "MOOR-1 has no result: `make rules-bite GAME=moor`" in told
    assert "heath: every rule that is due has a result" in told
    assert "moor: 1 results missing" in told
    assert main(["check", "--game", "heath"]) == 0
    assert "moor" not in capsys.readouterr().out


def test_what_tests_pin_is_made_due_in_every_game(
    two_games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    test = "import pytest\n\n@pytest.mark.rule('MOOR-1')\ndef test_kites() -> None: ..."
    (two_games / "moor" / "rules" / "test_kites.py").write_text(test, "utf-8")
    monkeypatch.setattr(catalogue, "TESTS", two_games)
    heath, moor = (two_games / game / "rules" / "catalogue.yaml" for game in ("heath", "moor"))
    assert main(["rules"]) == 1
    assert "put off (no wind yet): `make rules-due`" in capsys.readouterr().out

    assert main(["due"]) == 0

    told = capsys.readouterr().out.splitlines()
    assert told[:5] == ["moor:", "MOOR-1", "", "heath: 0 rules made due", "moor: 1 rules made due"]
    assert heath.read_text("utf-8") == CATALOGUE.format(section="HEATH")
    assert moor.read_text("utf-8") == 'MOOR:\n  MOOR-1: {since: 1, says: "Kites fly."}\n'
    assert main(["rules"]) == 0


def test_faults_are_planted_where_rules_changed_in_any_game(
    two_games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is planted or stored for a game whose results are all valid."""
    planted = []

    def bite(rules: Rules, todo: list[str]) -> dict[str, Bite]:
        planted.append((rules.book.game, *todo))
        return {id_: Bite(rules.digests(id_), "fly:1 1 -> 2") for id_ in todo}

    monkeypatch.setattr(bites, "bite", bite)
    make_due(two_games, "moor")

    assert main(["bite"]) == 0

    assert planted == [("moor", "MOOR-1")]
    assert bites.load(books.book_of("moor").bites).bites.keys() == {"MOOR-1"}
    assert bites.load(books.book_of("heath").bites) == Result("", {})
    assert "moor: marks that bite 1 of 1" in capsys.readouterr().out


def test_rules_are_named_after_their_game(two_games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = []

    def bite(rules: Rules, todo: list[str]) -> dict[str, Bite]:
        planted.append((rules.book.game, *todo))
        return {id_: Bite(rules.digests(id_), "fly:1 1 -> 2") for id_ in todo}

    monkeypatch.setattr(bites, "bite", bite)
    make_due(two_games, "moor")

    assert main(["bite", "--game", "moor", "MOOR-1"]) == 0

    assert planted == [("moor", "MOOR-1")]


@pytest.mark.usefixtures("two_games")
def test_every_fault_is_planted_in_every_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = []

    def mutation_run(rules: Rules, sample: int | None, seed: int) -> MutationRun:
        runs.append((rules.book.game, sample, seed))
        return MutationRun(planted=4, by_marks=2)

    monkeypatch.setattr(bites, "mutation_run", mutation_run)

    assert main(["bite", "--all", "--sample", "4", "--seed", "2"]) == 0

    assert runs == [("heath", 4, 2), ("moor", 4, 2)]
    told = capsys.readouterr().out
    assert "heath: mutation run: 100.0 % of 4 faults seen" in told
    assert "moor: mutation run: 100.0 % of 4 faults seen" in told


@pytest.mark.usefixtures("two_games")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["rules", "--game", "bog"], "bog is not a game here; these have one: heath, moor"),
        (["check", "--game", "fen"], "fen has no catalogue; these have one: heath, moor"),
        (["bite", "MOOR-1"], "ids are those of one game: name it with --game"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)

    assert ended.value.code == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("rules", "rules"),
        ("rules-due GAME=moor", "due --game moor"),
        ("rules-bite", "bite"),
        ("rules-check", "check"),
        ("mutants", "bite --all"),
        ("mutants SAMPLE=9 SEED=2 GAME=moor", "bite --game moor --all --sample 9 --seed 2"),
    ],
)
def test_make_names_no_game_by_itself(words: str, command: str) -> None:
    told = subprocess.run(
        ["make", "--dry-run", *words.split()],
        cwd=books.ROOT,
        check=True,
        capture_output=True,
        text=True,
    )

    called = told.stdout.split("tests.games.rulebook ")[1]
    assert " ".join(called.split()) == command

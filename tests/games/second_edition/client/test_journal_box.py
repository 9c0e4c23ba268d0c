"""Journal box: pages by round, search that ignores case and accents, and export."""

import datetime as dt
import stat
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from client.text.printable import printable
from client.text.searching import find_all
from protocol.common.events import Chatted
from protocol.event import hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Phase
from tests.games.second_edition.client.scripted import Script, asked
from tests.games.second_edition.client.stage import (
    SIZES,
    OnStage,
    model_of,
    play,
    same_screen,
)
from tests.kit.every_run import screens

Doing = Callable[[OnStage], Coroutine[Any, Any, None]]
DAY = dt.datetime(2027, 1, 31, 23, 30, tzinfo=dt.UTC)


def on_stage(
    doing: Doing, script: Script | None = None, rows: int = 40, columns: int = 120
) -> OnStage:
    """Run a client while a player reads the journal."""
    return play(model_of(script or asked()), doing, rows=rows, columns=columns)


def _box(stage: OnStage) -> str:
    """Return the screen from the title of the journal box on."""
    return stage.text.split("┌ Journal")[1]


# Finding -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "text", "hits"),
    [
        ("gate", "The Gate is shut; a gate, no gatepost.", ["Gate", "gate", "gate"]),
        ("ecluse", "Fermez l’écluse.", ["écluse"]),
        ("L'ÉCLUSE", "Fermez l’écluse.", ["l’écluse"]),
        ("strasse", "Die Straße", ["Straße"]),
        ("oeil", "Un ŒIL, un œil", ["ŒIL", "œil"]),
        ("  is shut ", "The gate is shut.", ["is shut"]),
        ("aa", "aaaa", ["aa", "aa"]),
        ("", "anything", []),
        ("\u0301", "anything", []),
        ("chat :", "chat\u00a0: non", ["chat :"]),
    ],
)
def test_a_word_is_found_as_fingers_type_it(wanted: str, text: str, hits: list[str]) -> None:
    shown = printable(text)

    assert [shown[first:end] for first, end in find_all(wanted, shown)] == hits


def test_letters_of_every_width_are_found_where_they_stand() -> None:
    """Folding changes the length of some letters; the hits still have the right position."""
    shown = printable("ﬁne \u4f60\u597d I\u0307stanbul ESSE")

    assert [shown[a:b] for a, b in find_all("esse", shown)] == ["ESSE"]
    assert [shown[a:b] for a, b in find_all("\u597d", shown)] == ["\u597d"]


# Searching ---------------------------------------------------------------------------------


def test_a_search_goes_through_all_rounds() -> None:

    async def search(stage: OnStage) -> None:
        await stage.press("j", "left", "left", "/", "ada", "enter")
        assert "- before round 1 (1 of 3) - “ada”: 1 of " in _box(stage)
        await stage.press("N")
        assert "- round 2 (3 of 3)" in _box(stage)
        last = _box(stage).split("“ada”: ")[1].split(" ─")[0]
        assert last.split(" of ")[0] == last.split(" of ")[1]
        await stage.press("n")
        assert "- before round 1 (1 of 3) - “ada”: 1 of " in _box(stage)

    on_stage(search)


def test_enter_is_said_to_search_while_a_word_is_typed() -> None:

    async def search(stage: OnStage) -> None:
        await stage.press("j", "/")
        assert stage.text.split("\n")[-1] == "Enter search  Esc close"

    on_stage(search)


def test_what_is_found_is_lit_even_where_its_line_was_broken() -> None:
    script = asked()
    script.emit(Chatted(1, hidden(b"so " * 30 + b"find me here and find me there")), origin=1)

    async def search(stage: OnStage) -> None:
        await stage.press("j", "/", "find me", "enter")
        lit = _lit(stage)
        assert "".join(lit["search.here"]).replace(" ", "") == "findme"
        assert "".join(lit["search"]).replace(" ", "") == "findme"

    on_stage(search, script, rows=24, columns=80)


def _lit(stage: OnStage) -> dict[str, list[str]]:
    """Return the highlighted texts on the screen, by style."""
    canvas = stage.terminal.ui._canvas
    assert canvas is not None
    lit: dict[str, list[str]] = {"search": [], "search.here": []}
    for row in range(canvas.rows):
        for style, text in canvas.line(row):
            for name, texts in lit.items():
                if f"class:{name}" in style.split():
                    texts.append(text)
    return lit


def test_a_hit_that_is_far_down_is_scrolled_to() -> None:
    script = asked()
    for number in range(80):
        script.emit(Chatted(1, hidden(f"line {number}".encode())), origin=1)

    async def search(stage: OnStage) -> None:
        await stage.press("j", "home", "/", "line 57", "enter")
        assert "> Bob: line 57" in _box(stage)
        await stage.press("/", "line 3", "enter")
        assert "> Bob: line 3 " in _box(stage)

    on_stage(search, script, rows=24, columns=80)


def test_escape_leaves_the_search_first() -> None:

    async def search(stage: OnStage) -> None:
        await stage.press("j", "/", "ada", "enter", "escape")
        assert "“ada”" not in stage.text
        assert "┌ Journal" in stage.text
        assert _lit(stage) == {"search": [], "search.here": []}
        await stage.press("escape")
        assert "┌ Journal" not in stage.text

    on_stage(search)


def test_a_word_that_is_nowhere_is_said_to_be() -> None:

    async def search(stage: OnStage) -> None:
        await stage.press("j", "/", "ada", "enter", "/", "zeppelin", "enter")
        assert "“ada”: " in _box(stage)
        assert "! “zeppelin” is nowhere in the journal." in stage.text
        await stage.press("escape")
        assert "is nowhere" not in stage.text
        await stage.press("n")
        assert "“ada”: 1 of " in _box(stage)

    on_stage(search)


def test_without_a_search_there_is_no_next_place() -> None:

    async def search(stage: OnStage) -> None:
        await stage.press("j", "n")
        assert "! You are not searching for anything; / begins a search." in stage.text

    on_stage(search)


def test_what_happens_meanwhile_is_found_too() -> None:
    script = asked()

    async def search(stage: OnStage) -> None:
        await stage.press("j", "/", "lantern", "enter")
        assert "“lantern”: 1 of 1" in _box(stage)
        script.emit(Chatted(1, hidden(b"my lantern!")), origin=1)
        await stage.arrive(script)
        assert "“lantern”: 1 of 2" in _box(stage)
        await stage.press("n")
        assert "“lantern”: 2 of 2" in _box(stage)

    on_stage(search, script)


def test_the_journal_goes_on_while_it_is_open() -> None:
    script = asked()

    async def read(stage: OnStage) -> None:
        await stage.press("j")
        script.emit(se.PhaseBegan(Phase.INVESTIGATOR, 3))
        await stage.arrive(script)
        assert "- round 3 (4 of 4)" in _box(stage)

    on_stage(read, script)


def test_private_lines_are_marked() -> None:

    async def read(stage: OnStage) -> None:
        await stage.press("j", "left")
        await stage.press("end")
        assert "│ # For Ada Lorne alone: The water knows your name." in _box(stage)

    on_stage(read)


def test_a_replay_is_searched_as_far_as_one_is() -> None:

    async def search(stage: OnStage) -> None:
        await stage.press("pagedown", "j", "/", "ada", "enter")
        assert "“ada”: " in _box(stage)
        assert "round 2" not in _box(stage)

    play(model_of(None), search, rows=40, columns=120, replay=asked())


@pytest.mark.parametrize(("size", "language"), screens(SIZES))
def test_a_search_looks_as_accepted(size: tuple[int, int], language: str) -> None:
    rows, columns = size

    async def look(stage: OnStage) -> None:
        await stage.press("j", "left", "/", "tallyman" if language == "en" else "compteur", "enter")
        same_screen(f"journal_search-{columns}x{rows}-{language}", stage.text)

    play(model_of(asked(), language=language), look, rows=rows, columns=columns)


# Keeping -----------------------------------------------------------------------------------


def _keeping(folder: Path) -> Doing:
    async def keep(stage: OnStage) -> None:
        desk = stage.terminal.ui.desk
        desk.wall, desk.folder = lambda: DAY, folder
        await stage.press("j", "s")
        assert "Journal kept: the-sluice-house-2027-01-31" in stage.text
        assert f".md, in {folder}" in stage.text

    return keep


def test_the_journal_is_kept_in_a_file(tmp_path: Path) -> None:
    on_stage(_keeping(tmp_path), rows=40, columns=200)

    (path,) = tmp_path.iterdir()
    text = path.read_text(encoding="utf-8")
    assert path.name == "the-sluice-house-2027-01-31.md"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert text.startswith("# The Sluice House, 2027-01-31\n")
    assert "The water knows your name." in text
    assert "For your eyes alone" in text


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    for _ in range(3):
        on_stage(_keeping(tmp_path), rows=40, columns=200)

    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "the-sluice-house-2027-01-31-2.md",
        "the-sluice-house-2027-01-31-3.md",
        "the-sluice-house-2027-01-31.md",
    ]


def test_a_link_that_leads_nowhere_is_not_followed(tmp_path: Path) -> None:
    """A dangling symlink must not decide where the file is written."""
    there = tmp_path / "there"
    (tmp_path / "the-sluice-house-2027-01-31.md").symlink_to(there)

    on_stage(_keeping(tmp_path), rows=40, columns=200)

    assert not there.exists()
    assert (tmp_path / "the-sluice-house-2027-01-31-2.md").exists()


def test_where_it_cannot_be_written_it_says_so(tmp_path: Path) -> None:

    async def keep(stage: OnStage) -> None:
        desk = stage.terminal.ui.desk
        desk.folder = tmp_path / "missing"
        await stage.press("j", "s")
        assert "cannot be written: there is no such file or folder" in stage.text
        assert "┌ Journal" in stage.text

    on_stage(keep, rows=40, columns=200)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("L’Écluse d’Aldersyke !", "lecluse-daldersyke"),
        ("../../etc/passwd", "etc-passwd"),
        ("\u6c34", "manse"),
        ("a" * 300, "a" * 60),
        ("CON", "con"),
    ],
)
def test_any_name_makes_a_file_s_name(tmp_path: Path, name: str, stem: str) -> None:
    """A file named after a scenario stays in the chosen folder, whatever the scenario is called."""
    model = model_of(asked())
    model.words.add("en", (("scenario/sluice", (("name", name),)),))

    async def keep(stage: OnStage) -> None:
        desk = stage.terminal.ui.desk
        desk.wall, desk.folder = lambda: DAY, tmp_path
        await stage.press("j", "s")

    play(model, keep)

    assert [path.name for path in tmp_path.iterdir()] == [f"{stem}-2027-01-31.md"]

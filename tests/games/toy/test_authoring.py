"""Author's tools with a pack of the toy, which they know through its plug alone."""

import json
from pathlib import Path
from shutil import copytree

import pytest

from content.plugs import packs
from content.reading.files import read_files
from content.reading.mistakes import ContentErrors
from server.authoring import cli
from server.packs import sandbox
from server.packs.judge import judge, packed
from server.packs.sources import PackFiles

PACK = Path(__file__).parent / "pack"

pytestmark = pytest.mark.issue(11)


@pytest.fixture(autouse=True)
def _judged_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge packs in this process: the toy is not registered in the sandbox."""

    def judged(name: str) -> PackFiles:
        files = read_files(Path(name))
        remarks = judge("folder", "toy", packed(files))
        if remarks:
            raise ContentErrors([remark.as_mistake() for remark in remarks])
        return PackFiles("toy", files)

    monkeypatch.setattr(sandbox, "judged", judged)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """Return a pack that can be changed."""
    return Path(copytree(PACK, tmp_path / "toy"))


def test_a_pack_says_which_game_it_is_for() -> None:
    assert packs.load("toy", read_files(PACK)).game == "toy"


def test_a_pack_of_a_game_that_is_not_installed_is_refused(pack: Path) -> None:
    """The error names the game at the line that names it."""
    (pack / "pack.yaml").write_text("game: chess\n")

    (remark,) = packs.remarks("toy", read_files(pack))

    assert remark.file == "pack.yaml"
    assert "chess" in remark.reason


def test_a_mistake_in_a_pack_is_told_with_its_place(pack: Path) -> None:
    """The checks are the toy's own and those of words, shared by all games."""
    (pack / "scenarios" / "plain.yaml").write_text("rounds: 3\nkinds: [storm, flood]\n")
    words = (pack / "words" / "fr" / "toy.yaml").read_text()
    (pack / "words" / "fr" / "toy.yaml").write_text(words.replace("toy/keep:", "toy/kept:"))

    remarks = packs.remarks("toy", read_files(pack))

    assert {remark.file for remark in remarks} >= {"scenarios/plain.yaml", "words/en/toy.yaml"}
    (flood,) = [remark for remark in remarks if "flood" in remark.reason]
    assert (flood.line, flood.column, flood.key) == (2, 16, "kinds[1]")


def test_editors_are_told_what_stands_in_a_file(tmp_path: Path) -> None:
    """The schemas are made from the toy's classes and the marks on their fields."""
    assert cli.main(["schema", str(tmp_path), "--game", "toy"]) == 0

    shared = json.loads((tmp_path / "shared.schema.json").read_text("utf-8"))
    rounds = shared["definitions"]["Deck"]["properties"]["rounds"]
    assert (rounds["minimum"], rounds["maximum"]) == (1, 9)


def test_its_map_is_what_the_game_draws(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The toy has a deck in place of a board."""
    assert cli.main(["map", f"{pack}/plain"]) == 0
    assert "a storm" in capsys.readouterr().out


def test_bots_play_it_and_say_what_came_up(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = cli.main(["play", f"{pack}/plain", "--games", "6", "--json"])

    told = json.loads(capsys.readouterr().out)
    assert status == 0
    assert sum(line["games"] for line in told["players"]) == 6
    assert sum(line["endings"]["toy/plain"] for line in told["players"]) == 6
    assert told["faults"] == []


def test_a_pack_to_begin_with_can_be_played(tmp_path: Path) -> None:
    """`manse content new --game toy` writes the pack."""
    folder = tmp_path / "glen"

    assert cli.main(["new", str(folder), "--game", "toy"]) == 0

    assert packs.load("glen", read_files(folder)).id == "glen"


@pytest.mark.issue(40)
def test_a_note_is_told_and_nothing_is_to_be_mended(
    pack: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A note says what the pack is like."""
    (pack / "scenarios" / "plain.yaml").write_text("rounds: 3\nkinds: [storm]\n")
    files = read_files(pack)
    monkeypatch.setattr(sandbox, "remarks_on", lambda _: packs.remarks("toy", files))

    assert cli.main(["check", str(pack)]) == 0
    told = capsys.readouterr()
    assert told.out == "scenarios/plain.yaml:1:1: toy/plain: all cards are of one kind\n"
    assert told.err == "Nothing to mend.\n"

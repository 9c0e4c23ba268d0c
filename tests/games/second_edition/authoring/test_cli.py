"""`manse content`: create, check and draw packs from a command line."""

import json
from pathlib import Path

import pytest

from content.reading.words import LANGUAGES
from protocol.plain_text import clean
from server.authoring.cli import main
from tests.games.second_edition.authoring.test_zips import zipped
from tests.games.second_edition.content.packs import FILES, TINY, edited

pytestmark = pytest.mark.usefixtures("warm_judge")
CELLAR = "scenarios/cellar.yaml"


def written(folder: Path, files: dict[str, bytes]) -> str:
    for name, data in files.items():
        (folder / "tiny" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tiny" / name).write_bytes(data)
    return str(folder / "tiny")


@pytest.mark.long
def test_a_new_pack_is_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "harbour-lights"

    assert main(["new", str(folder)]) == 0
    assert f"{folder}/scenarios/first-night.yaml\n" in capsys.readouterr().out
    assert main(["check", str(folder)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["Harbour", "har bour", "core", "hä", "-x"])
def test_a_name_that_is_no_id_is_refused(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name becomes a part of the ids in the new pack."""
    assert main(["new", str(tmp_path / name)]) == 1
    assert "call it by small letters, digits and hyphens" in capsys.readouterr().out
    assert not (tmp_path / name).exists()


def test_what_is_there_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(tmp_path)]) == 1
    told = capsys.readouterr().out

    assert "is there already" in told or "call it by" in told
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()

    assert main(["new", str(tmp_path / "file" / "pack")]) == 1
    assert "cannot be written" in capsys.readouterr().out


def test_a_mistake_is_a_line_that_can_be_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path, edited(CELLAR, "difficulty: 1", "difficulty: 9"))

    assert main(["check", folder]) == 1
    told = capsys.readouterr()
    assert told.out == f"{CELLAR}:3:13: difficulty: 9 is out of bounds; 1 to 5 is allowed\n"
    assert told.err == "1 to mend before it can be played; the rest is looked at then.\n"


def test_a_remark_is_an_object_for_a_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path, edited(CELLAR, "    repeats: true\n", ""))

    assert main(["check", "--json", folder]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "file": CELLAR,
        "line": 86,
        "column": 1,
        "key": "mythos",
        "reason": "no event repeats; a long game runs out of them",
        "level": "finding",
    }


def test_the_pack_that_comes_along_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--json", "core"])

    assert '"mistake"' not in capsys.readouterr().out


def test_the_whole_map_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", f"{TINY}/cellar"]) == 0

    assert capsys.readouterr().out == (
        "\n"
        "+-----+---+-----+\n"
        "|     :   1     |\n"
        "|  a  : b =  c  |\n"
        "|     :   |     |\n"
        "+-----+---+-----+\n"
        "\n"
        "Tiles and their spaces:\n"
        "  hall (row 0, column 0)\n"
        "    hall/a   Hall\n"
        "    hall/b   Hall\n"
        "  cellar (row 0, column 10)\n"
        "    cellar/c   Cellar (outdoor)\n"
        "Doors:\n"
        "  hall/1                   cellar/c — hall/b\n"
        "Tokens:\n"
        "  token/hatch                      explore   hall/1               Hatch\n"
        "  token/chest                      search    hall/b               Chest\n"
        "  token/man                        person    cellar/c             Old man\n"
        "Investigators start in hall/a.\n"
    )


def test_the_map_is_an_object_for_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", str(TINY), "--json", "--language", "fr"]) == 0

    drawn = json.loads(capsys.readouterr().out)
    assert drawn["scenario"] == "tiny/cellar"
    assert drawn["spaces"]["cellar/c"] == {"room": "room/cellar", "name": "Cave"}
    assert drawn["tokens"][0]["at"] == "hall/1"
    assert {"one": "hall/a", "other": "hall/b", "line": "border", "door": None} in drawn["edges"]


def test_tiles_that_take_turns_are_drawn_one_after_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = """\
  - id: crypt
    instead_of: cellar
    row: 0
    column: 10
    rooms: {d: room/cellar}
    drawing: |
      +-----+
      =     |
      =  d  |
      |     |
      +-----+
codes:
"""
    folder = written(tmp_path, edited(CELLAR, "codes:\n", turns))

    assert main(["map", folder]) == 0
    told = capsys.readouterr().out
    assert "|  a  : b =  c  |" in told
    assert "|  a  : b =  d  |" in told


def test_the_map_of_a_zip_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tiny.zip"
    path.write_bytes(zipped(FILES))

    assert main(["map", f"{path}/cellar"]) == 0
    assert capsys.readouterr().out.startswith("\n+-----+---+")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (f"{TINY}/celler", "no scenario 'celler'; did you mean 'cellar'?"),
        ("core/", "say which scenario; "),
        ("nowhere/first", "no pack is here"),
        ("nowhere.zip/first", "cannot be read: No such file or directory"),
    ],
)
def test_what_is_not_there_is_told(
    name: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["map", name])
    told = capsys.readouterr().out

    assert (status == 1 and reason in told) or (status == 0 and name == "core/")


def test_a_pack_with_mistakes_is_not_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path, edited(CELLAR, "difficulty: 1", "difficulty: 9"))

    assert main(["map", folder]) == 1
    assert "9 is out of bounds" in capsys.readouterr().out


def test_what_a_pack_says_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(
        tmp_path, {**FILES, "items.yaml": b'- {"id\\e[2J": "\\e]0;x\\a", deck: "\\e[1m"}'}
    )

    assert main(["check", folder]) == 1
    told = capsys.readouterr().out
    assert all(clean(line) == line for line in told.splitlines())


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("items.YAML", "items.yaml"),
        ("items.yaml.txt", "items.yaml"),
        ("words/en/more.json", "more.yaml"),
        ("scenarios/attic", "attic.yaml"),
    ],
)
@pytest.mark.parametrize("is_zip", [False, True])
def test_a_file_that_is_left_out_for_its_ending_is_named(
    tmp_path: Path, name: str, called: str, is_zip: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {**FILES, name: b"[]", "README.md": b"", "map.png": b"", "LICENSE": b""}
    pack = written(tmp_path, files)
    if is_zip:
        (tmp_path / "tiny.zip").write_bytes(zipped(files))
        pack = str(tmp_path / "tiny.zip")

    assert main(["check", pack]) == 1
    told = f"{name}:1:1: left out: its name does not end in .yaml; call it {called}\n"
    assert capsys.readouterr().out == told


@pytest.mark.issue(38)
def test_a_text_cut_off_by_a_comment_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = dict(FILES)
    for language in LANGUAGES:
        files[f"words/{language}/words.yaml"] += (
            b"\nroom/one: {name: One}  # of three\nroom/two: {name: 'Two # two'}\n"
            b"room/three:\n  name: Room #3\nroom/four:\n  name: Room#4\n"
        )

    main(["check", written(tmp_path, files)])
    told = [line for line in capsys.readouterr().out.splitlines() if "ends before the #" in line]
    assert [line.partition(": ")[2].partition(":")[0] for line in told] == ["room/three.name"] * 2


@pytest.mark.issue(38)
def test_a_mistake_does_not_hide_among_missing_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        **edited("scenarios/cellar.yaml", "place_tile: hall", "place_tile: hal"),
        **dict.fromkeys((f"words/{language}/words.yaml" for language in LANGUAGES), b"{}"),
    }
    assert main(["check", written(tmp_path, files)]) == 1
    told = capsys.readouterr().out.splitlines()

    assert any("there is no tile 'hal'" in line for line in told)
    (line,) = [line for line in told if "no words for" in line]
    assert "more subjects; `manse content words` writes stubs" in line

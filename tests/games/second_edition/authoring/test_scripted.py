"""`manse content test`: scripted plays of a pack pass, or report where they deviate."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from content.plugs import packs
from content.plugs.kind import LoadedPack, kind_of
from content.reading.files import TESTS, digest_of, read_files
from content.reading.mistakes import ContentErrors
from protocol.common.text import Catalog
from protocol.plugs import games
from server.authoring.cli import main
from server.authoring.scripted import play as play_script
from server.authoring.scripted import words_of
from server.authoring.scripts import scripts_of
from server.authoring.verdict import as_json
from server.packs.zips import read_zip
from tests.games.second_edition.authoring.test_zips import zipped

pytestmark = [pytest.mark.issue(16), pytest.mark.usefixtures("warm_judge")]

WINS, WAITS = "the-valve-is-shut", "whoever-waits-drowns"
PLAYS = f"{TESTS}/first-night.yaml"


@pytest.fixture
def pack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return the folder of a starter pack with two plays."""
    folder = tmp_path / "harbour"
    assert main(["new", str(folder)]) == 0
    capsys.readouterr()
    return folder


def changed(pack: Path, play: str, **parts: Any) -> None:
    """Change fields of a play; None removes a field."""
    path = pack / PLAYS
    plays = yaml.safe_load(path.read_text("utf-8"))
    for one in plays:
        if one["id"] == play:
            one.update(parts)
            for key in [key for key, value in one.items() if value is None]:
                del one[key]
    path.write_text(yaml.safe_dump(plays, sort_keys=False), "utf-8")


@functools.cache
def loaded() -> tuple[LoadedPack, Mapping[str, Catalog]]:
    """Return the starter pack without its plays, and all of its words."""
    files = {
        name: data.replace(b"NAME/", b"harbour/")
        for name, data in kind_of(games()[0]).starter().items()
        if not name.startswith(TESTS)
    }
    pack = packs.load("harbour", files)
    return pack, words_of(pack)


def verdict_on(pack: Path, play: str) -> dict[str, Any]:
    made, words = loaded()
    scripts = scripts_of(str(pack), kind_of(made.game).dice)
    script = next(script for script in scripts if script.id == play)
    return as_json(play_script(made, "harbour/first-night", script, words))


def test_the_plays_of_a_new_pack_pass(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(pack)]) == 0

    told = capsys.readouterr()
    verdicts = [line.partition(": ")[2] for line in told.out.splitlines()]
    assert verdicts == [f"{WINS}: passed", f"{WAITS}: passed"]
    assert told.err == "2 plays, 0 failed.\n"


def test_the_same_script_gives_the_same_game(pack: Path) -> None:
    made, words = loaded()
    changed(pack, WAITS, characters=None)
    games_ = []
    for seed in (5, 5, 6):
        changed(pack, WAITS, seed=seed)
        script = scripts_of(str(pack), kind_of(made.game).dice)[1]
        games_.append(play_script(made, "harbour/first-night", script, words).asked)

    assert games_[0] == games_[1] != games_[2]


@pytest.mark.parametrize(
    ("expect", "fault"),
    [
        ({"ending": "harbour/lost"}, "ending: expected harbour/lost, came first-night/won"),
        ({"won": False}, "won: expected false, came true"),
        ({"rounds": {"at_least": 7}}, "rounds: expected 7 to 1000000, came 3"),
        ({"seen": ["flood"]}, "seen: never came through flood"),
        ({"unseen": ["token/valve"]}, "unseen: came through token/valve"),
        (
            {"unseen": ["token/valves"]},
            "nothing of the scenario is called 'token/valves'; did you mean 'token/valve'?",
        ),
    ],
)
def test_a_play_that_ends_otherwise_fails(pack: Path, expect: dict[str, Any], fault: str) -> None:
    changed(pack, WINS, expect=expect)

    assert verdict_on(pack, WINS)["faults"] == [fault]


def test_a_choice_that_is_never_offered_is_told_with_what_was(pack: Path) -> None:
    changed(
        pack,
        WINS,
        choices=["choice/take_turn investigator/ben-okoro", "Search the disk"],
        expect={},
    )

    told = verdict_on(pack, WINS)

    assert told["faults"] == [
        "the game was over before all choices were made",
        "never offered: 'Search the disk' (line 10)",
    ]
    assert told["at"]["prompt"].startswith("Ben Okoro")
    assert told["at"]["offered"][0] == "Search the desk [first-night/desk-option token/desk]"
    assert any(line.startswith("Unlock the door: ") for line in told["at"]["refused"])


def test_what_was_offered_is_printed(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(pack, WINS, choices=["Search the disk"])

    assert main(["test", str(pack)]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{PLAYS}:1:1: {WINS}: failed"
    assert any("[choice/carries_instead item/lantern" in line for line in lines)


def test_a_choice_that_means_several_is_told(pack: Path) -> None:
    """A choice that fits several options is an error: the result would depend on their order."""
    changed(pack, WINS, choices=["choice/take_turn"])

    (fault, _) = verdict_on(pack, WINS)["faults"]

    assert fault.startswith("'choice/take_turn' means several: ")


def test_choices_are_known_by_their_words_in_either_language(pack: Path) -> None:
    plays = yaml.safe_load((pack / PLAYS).read_text("utf-8"))
    words = yaml.safe_load((pack / "words/fr/first-night.yaml").read_text("utf-8"))
    french = words["first-night/desk-option"].upper()
    choices = [french if one == "Search the desk" else one for one in plays[0]["choices"]]
    changed(pack, WINS, choices=choices)

    assert verdict_on(pack, WINS)["passed"]


@pytest.mark.parametrize("face", ["success", "blank", "investigation"])
def test_dice_fall_as_the_script_says(pack: Path, face: str) -> None:
    changed(pack, WINS, other_dice=face)

    assert verdict_on(pack, WINS)["passed"] is (face == "success")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"dice": ["sucess"]}, "no die shows 'sucess'; did you mean 'success'?"),
        ({"expects": {}}, "unknown key 'expects'; did you mean 'expect'?"),
        ({"expect": None}, "add the missing 'expect'"),
        ({"choices": [{"a": "b"}]}, "expected a choice, by its words or its ids"),
        ({"players": 9}, "9 is out of bounds"),
    ],
)
def test_a_script_that_cannot_be_read_is_told(
    pack: Path, parts: dict[str, Any], reason: str
) -> None:
    changed(pack, WINS, **parts)

    with pytest.raises(ContentErrors) as caught:
        verdict_on(pack, WINS)

    (error,) = caught.value.errors
    assert (error.file, reason in error.reason) == (PLAYS, True)


@pytest.mark.parametrize(
    ("characters", "reason"),
    [
        (["investigator/ben-okoro"], "characters: 2 are played, and 1 are named"),
        (
            ["investigator/ben-okoro", "investigator/eve-heart"],
            (
                "characters: nobody is called 'investigator/eve-heart'; "
                "did you mean 'investigator/eve-hart'?"
            ),
        ),
    ],
)
def test_characters_that_cannot_be_played_are_told(
    pack: Path, characters: list[str], reason: str
) -> None:
    changed(pack, WINS, characters=characters)

    assert verdict_on(pack, WINS)["faults"][0] == reason


def test_plays_that_are_not_there_are_told(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(pack), "--only", "the-valve"]) == 1
    assert f"no play is called 'the-valve'; did you mean '{WINS}'?" in capsys.readouterr().out
    (pack / PLAYS).unlink()
    (pack / TESTS).rmdir()
    assert main(["test", str(pack)]) == 1
    assert "no plays are here; write some into tests/NAME.yaml" in capsys.readouterr().out


def test_plays_are_no_part_of_the_pack(pack: Path) -> None:
    files = read_files(pack)
    plays = {PLAYS: (pack / PLAYS).read_bytes()}

    assert not any(name.startswith(TESTS) for name in files)
    for whole in ({**files, **plays}, {f"harbour/{n}": d for n, d in {**files, **plays}.items()}):
        assert digest_of(read_zip("harbour", zipped(whole))[1]) == digest_of(files)

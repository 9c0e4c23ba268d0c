"""`manse verify` replays a log in a child process, and says whether it did."""

import json
import subprocess
from pathlib import Path

import pytest

from client.keyring.identity import HOME_VARIABLE
from client.locale import load as load_words
from protocol.archive import load
from server.commands.verify import main as verify
from server.kernel.room import Room
from server.packs import player, playing
from tests.kit import warm
from tests.project.fair_game import pack_files, zipped
from tests.project.switched_game import switched
from tests.project.test_fair_play import GAME
from tests.project.test_fair_play import PACK as ZIP

AT_HAND = "tests.kit.packs_at_hand"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Move the player's own folder to a temporary one."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C")
    # `test_fair_play` and `test_played_again` begin the child as players do.
    monkeypatch.setattr(playing, "subprocess", warm.subprocess_with(warm.PLAYER, AT_HAND))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_game_is_played_again_with_its_pack(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(["--language", language, "--pack", str(ZIP), str(GAME)]) == 0

    said = load_words(language).say("verify.played_again").replace("\u00a0", " ")
    assert said in capsys.readouterr().out


def test_it_tells_scripts_which_of_the_three_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(["--json", "--pack", str(ZIP), str(GAME)]) == 0

    told = json.loads(capsys.readouterr().out)
    assert told["checked"] == ["shared", "laws", "rules"]
    assert told["rules"] == {"outcome": "same"}


def test_without_its_pack_a_game_is_not_played_again(capsys: pytest.CaptureFixture[str]) -> None:
    digest = load(GAME.read_bytes()).records[0].event.content_hash  # type: ignore[attr-defined]  # RoomOpened

    assert verify([str(GAME)]) == 0
    printed = capsys.readouterr().out
    assert (
        "the pack of this game is not here. manse export --pack ZIP fetches the one with the hash "
        f"{digest.hex()} from its server; name its folder or zip with --pack." in printed
    )
    assert verify(["--rules", str(GAME)]) == 1
    assert "the pack of this game is not here" in capsys.readouterr().err


def test_it_is_left_out_where_nobody_wants_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(["--no-rules", "--json", "--pack", "/nowhere.zip", str(GAME)]) == 0

    told = json.loads(capsys.readouterr().out)
    assert told["checked"] == ["shared", "laws"]
    assert told["rules"] == {"outcome": "not_asked"}


@pytest.mark.parametrize("content", [b"", b"PK\3\4 no zip"])
def test_a_pack_that_cannot_be_read_is_named(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the child opens zips."""
    path = tmp_path / "pack.zip"
    path.write_bytes(content)

    assert verify(["--pack", str(path), str(GAME)]) == 0
    assert verify(["--rules", "--pack", str(tmp_path / "none.zip"), str(GAME)]) == 1

    printed = capsys.readouterr()
    assert "Not played again by the rules: the pack cannot be read." in printed.out
    assert "Not played again by the rules: the pack cannot be read." in printed.err


def test_a_run_that_takes_too_much_is_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(playing, "subprocess", subprocess)
    too_much = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28)); "
    monkeypatch.setattr(playing, "PLAYER", f"{too_much}x = bytearray(1 << 29)")
    assert verify(["--pack", str(ZIP), str(GAME)]) == 0
    assert "it takes more than 240 seconds, 1024 MiB or" in capsys.readouterr().out

    monkeypatch.setattr(
        playing, "PLAYER", "import sys; sys.stdin.read(); sys.stdout.close()\nwhile 1: pass"
    )
    monkeypatch.setattr(playing, "SECONDS", 0.2)
    assert verify(["--rules", "--pack", str(ZIP), str(GAME)]) == 1
    assert "it takes more than" in capsys.readouterr().err


def test_byte_strings_reach_the_child_whole() -> None:
    parts = [b"", b"abc", b"\0" * 9]

    assert player.unframed(player.framed(*parts)) == parts


@pytest.mark.issue(36)
@pytest.mark.parametrize("release", ["0.1.0", ""])
def test_rules_that_are_not_here_are_those_of_a_release(release: str) -> None:
    told = playing._result({"outcome": "other_rules", "version": 1, "release": release})

    said = told.in_words(load_words("en"))

    assert "this release does not have those of a log of version 1" in said
    assert ("Release 0.1.0 is the last one that has them." in said) == bool(release)


@pytest.mark.issue(36)
@pytest.mark.parametrize("to_bundled", [False, True])
def test_a_game_whose_host_chose_another_pack_is_played_again(
    to_bundled: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, pack = tmp_path / "switched.manse", tmp_path / "harbour.zip"
    game.write_bytes(switched(to_bundled=to_bundled))
    pack.write_bytes(zipped(pack_files()))

    assert verify(["--json", "--pack", str(pack), str(game)]) == 0
    assert json.loads(capsys.readouterr().out)["rules"] == {"outcome": "same"}
    assert verify([str(game)]) == 0
    said = capsys.readouterr().out
    assert ("had chosen one of another pack" in said) == to_bundled
    assert ("the pack of this game is not here" in said) != to_bundled


@pytest.mark.issue(36)
def test_a_lack_of_memory_is_no_fault_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:

    def exhausted(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Room, "_replay_input", exhausted)
    with pytest.raises(MemoryError):
        player.result(GAME.read_bytes(), [("zip", ZIP.read_bytes())])

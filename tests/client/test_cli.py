"""The player's commands: their arguments, and their messages for wrong ones."""

import io
import json
import re
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from client.commands import cli
from client.commands.config import main as config
from client.commands.verify import main as verify
from client.keyring.identity import HOME_VARIABLE
from client.model.remembered import Remembered, recall, remember
from client.terminal.runner import PinnedTrust, Start
from protocol.common import events
from protocol.invitation import DEFAULT_PORT, Address, Invitation, code_text
from tests.protocol.archives import ASKED, ROLLED, archive, finished_log
from tests.protocol.test_archive import changing

INVITATION = Invitation(Address("example.org"), code_text(b"0123456789"), b"f" * 32)

COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "play": cli.play,
    "join": cli.join,
    "watch": cli.watch,
    "bot": cli.bot,
    "config": config,
    "export": cli.export,
    "replay": cli.replay,
    "verify": verify,
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Move the player's own folder to a temporary one."""
    folder = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(folder))
    monkeypatch.setenv("LANG", "C")
    monkeypatch.setenv("LC_ALL", "C")
    return folder


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return the file of a finished game."""
    path = tmp_path / "game.manse"
    path.write_bytes(archive(finished_log()))
    return path


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_a_command_is_for(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        COMMANDS[name](["--help"])

    printed = capsys.readouterr().out
    assert caught.value.code == 0
    assert printed.startswith(f"usage: manse {name}")
    assert f"  manse {name} " in printed.partition("examples:")[2]


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("play", ["--server", "a b"], "not an address"),
        ("play", ["--server", "host:99999"], "not a port"),
        ("play", ["--name", "a/b"], "--name"),
        ("play", ["--language", "de"], "invalid choice"),
        ("play", ["--fingerprint", "abc"], "fingerprint"),
        ("join", [], "INVITATION"),
        ("join", ["host"], "three parts"),
        ("join", ["host/abc/def"], "Ask for the whole line"),
        ("watch", ["host/abc"], "three parts"),
        ("bot", [], "--open"),
        ("bot", [str(INVITATION), "--open", "core/x"], "either"),
        ("bot", [str(INVITATION), "--games", "2"], "--games"),
        ("bot", ["--open", "core/x", "--party", "0"], "1 to 999"),
        ("export", ["out.manse"], "--last"),
        ("export", ["--last", "room", "out.manse"], "--last"),
        ("replay", [], "FILE"),
        ("replay", ["x.manse", "--to", "-1"], "from 0"),
        ("replay", ["x.manse", "out.md"], "--markdown"),
        ("verify", [], "FILE"),
    ],
)
def test_a_command_line_without_sense_is_refused(
    name: str, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        COMMANDS[name](arguments)

    assert caught.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "kept", "address"),
    [
        ([], "", Address("127.0.0.1", DEFAULT_PORT)),
        ([], "example.org:99", Address("example.org", 99)),
        ([], "not an address", Address("127.0.0.1", DEFAULT_PORT)),
        (["--server", "other.org"], "example.org:99", Address("other.org", DEFAULT_PORT)),
    ],
)
def test_play_goes_to_the_last_server(
    arguments: list[str],
    kept: str,
    address: Address,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remember(home, Remembered(kept, "", "Ann"))
    starts: list[Start] = []
    monkeypatch.setattr(cli, "_run", lambda *_: 0)
    original = cli._start

    def start(*given: object, **named: object) -> Start:
        starts.append(original(*given, **named))  # type: ignore[arg-type]
        return starts[-1]

    monkeypatch.setattr(cli, "_start", start)

    assert cli.play(arguments) == 0

    assert starts[0].address == address
    assert starts[0].name == "Ann"


def test_what_is_remembered_survives_nonsense(home: Path) -> None:
    assert recall(home) == Remembered()
    remember(home, Remembered("host:1", "room", "Ann"))
    assert recall(home) == Remembered("host:1", "room", "Ann")

    for text in ("", "[]", '{"server": 5}', "\xff", '{"server": "host:2"}'):
        (home / "last.json").write_text(text, "latin-1")
        assert recall(home) in {Remembered(), Remembered("host:2")}


def test_a_bot_has_a_key_of_its_own_for_each_run(home: Path, tmp_path: Path) -> None:
    """A bot must not be taken for the person on whose machine it runs."""
    address = Address("example.org")
    passing = Start(address, "Bot", "en", b"f" * 32, home, has_fresh_key=True, keeps_no_server=True)
    staying = Start(address, "Bot", "en", b"f" * 32, tmp_path / "bot", keeps_no_server=True)

    assert passing.key().public != passing.key().public
    assert staying.key().public == staying.key().public
    assert isinstance(passing.trust(), PinnedTrust)
    assert not home.exists()


# Files -------------------------------------------------------------------------------------


def test_verify_says_what_it_checked(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify([str(game)]) == 0

    printed = capsys.readouterr().out
    assert "a whole game, with every secret open" in printed
    assert "3 draws were computed again from the seeds: 1 of the setup, 0 of the deal" in printed
    assert "Checked: what every game shares, and the laws of this game too." in printed
    assert "0 of 2 shares of chance came from seats that the server itself ran" in printed
    assert printed.endswith("OK\n")


def test_verify_says_that_the_server_could_have_chosen_the_dice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bots.manse"
    path.write_bytes(archive(finished_log(changing(events.SeatTaken, is_bot=True))))

    assert verify([str(path)]) == 0

    printed = capsys.readouterr().out
    assert "2 of 2 shares of chance came from seats that the server itself ran" in printed
    assert "the server could have chosen the dice" in printed


def test_verify_says_that_a_cut_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = finished_log()
    log.stored = log.stored[: ASKED + 1]
    path = tmp_path / "cut.manse"
    path.write_bytes(archive(log, seat=1, is_whole=False))

    assert verify([str(path)]) == 0

    printed = capsys.readouterr().out
    assert "what seat 2 knew" in printed
    assert "still going on" in printed
    assert "3 draws could only be counted, since their seeds are not open here" in printed


def test_verify_speaks_json(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(["--json", str(game)]) == 0

    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["kind"], told["checked"]) == (True, "whole", ["shared", "laws"])
    assert told["draws"]["play"] == {"computed": 2, "sealed": 0, "pending": 0}
    assert told["server_could"]["shares"] == 2


@pytest.mark.parametrize("as_json", [False, True])
def test_verify_names_the_first_wrong_event(
    game: Path, as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(game.read_bytes())
    at = data.index(b"\xa4test") + 1
    data[at] ^= 1
    game.write_bytes(bytes(data))

    assert verify([str(game), *(["--json"] if as_json else [])]) == 1

    printed = capsys.readouterr()
    if as_json:
        assert json.loads(printed.out)["event"] == ROLLED
    else:
        assert f"WRONG: event {ROLLED}:" in printed.err


@pytest.mark.parametrize("command", [verify, cli.replay])
def test_a_file_that_is_not_there_is_one_line(
    command: Callable[[list[str]], int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command([str(tmp_path / "none.manse")]) == 1
    assert command([str(tmp_path)]) == 1

    assert "cannot be read: there is no such file or folder" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"# Notes\n", b"\0\0\0\7notes"])
def test_a_file_of_another_kind_is_said_to_be_one(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(content)

    assert verify([str(path)]) == 1

    assert "not an exported game" in capsys.readouterr().err


def test_a_replay_prints_the_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.manse"
    path.write_bytes(archive(finished_log()))

    assert cli.replay(["--plain", "--to", "3", str(path)]) == 0

    printed = capsys.readouterr().out
    assert "Ann sat down." in printed
    assert "Bob: hello" in printed
    assert "Ann starts the game." not in printed


def test_a_replay_writes_the_journal_as_markdown(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "evening.md"

    assert cli.replay(["--markdown", str(game)]) == 0
    printed = capsys.readouterr().out
    assert cli.replay(["--markdown", str(game), str(out)]) == 0
    assert cli.replay(["--markdown", str(game), str(out)]) == 1

    assert printed.startswith("# ")
    assert out.read_text(encoding="utf-8") == printed
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert f"{out} exists" in capsys.readouterr().err


def test_a_replay_writes_the_game_as_a_page(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "evening.html"

    assert cli.replay(["--html", str(game), str(out)]) == 0
    assert cli.replay(["--html", str(game), str(out)]) == 1
    with pytest.raises(SystemExit):
        cli.replay(["--html", "--markdown", str(game)])

    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert "--markdown, --html and --jsonl" in capsys.readouterr().err


class _Terminal(io.StringIO):
    """A terminal that remembers what was written to it."""

    def isatty(self) -> bool:
        return True


def test_a_page_says_how_far_it_is(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    errors = _Terminal()
    monkeypatch.setattr(sys, "stderr", errors)
    out = game.with_suffix(".html")

    assert cli.replay(["--html", str(game), str(out)]) == 0

    told = [int(one) for one in re.findall(r"drawn: (\d+) %", errors.getvalue())]
    assert told == sorted(set(told))
    assert len(told) > 1
    assert errors.getvalue().endswith(" \r")


def test_a_page_says_nothing_to_a_pipe(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.replay(["--html", str(game), str(tmp_path / "evening.html")]) == 0
    assert capsys.readouterr().err == ""


def test_a_file_that_exists_is_said_before_the_page_is_drawn(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawing the page of a long game takes half a minute."""
    out = tmp_path / "evening.html"
    out.touch()

    def never(*_: object, **__: object) -> str:
        raise AssertionError

    monkeypatch.setattr("client.commands.replays.page", never)

    assert cli.replay(["--html", str(game), str(out)]) == 1


def test_a_broken_file_is_not_replayed(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game.write_bytes(game.read_bytes()[:-1])

    assert cli.replay(["--plain", str(game)]) == 1

    assert "WRONG" in capsys.readouterr().err


def test_an_export_overwrites_nothing(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = game.read_bytes()

    assert cli.export(["--last", str(game)]) == 1

    assert "--force" in capsys.readouterr().err
    assert game.read_bytes() == before


@pytest.mark.issue(38)
def test_a_name_in_decomposed_form_is_composed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some systems send typed letters decomposed."""
    starts: list[Start] = []
    original = cli._start
    monkeypatch.setattr(cli, "_run", lambda *_: 0)

    def start(*given: object, **named: object) -> Start:
        starts.append(original(*given, **named))  # type: ignore[arg-type]
        return starts[-1]

    monkeypatch.setattr(cli, "_start", start)

    assert cli.play(["--name", "Zoe\u0301"]) == 0
    assert starts[0].name == "Zo\u00e9"


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("\U0001f469\u200d\U0001f680", "made of several characters"),
        ("\u2764\ufe0f", "made of several characters"),
        ("a\x07", "cannot be printed"),
        ("x" * 99, "at most"),
        ("a/b", "slash"),
        ("a  b", "two in a row"),
        ("e" + "\u0323" * 9, "marks"),
    ],
)
def test_a_refused_name_is_told_why(
    name: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.play(["--name", name])

    assert reason in " ".join(capsys.readouterr().err.split())

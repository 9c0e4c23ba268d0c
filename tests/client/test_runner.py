"""The client's process against a server's process: TLS over the loopback interface."""

import json
import os
import pty
import signal
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import attrs
import pytest

from client.keyring.identity import KEY_FILE, KNOWN_FILE
from protocol.keys import fingerprint_text
from server.commands import child
from server.commands.child import ServerChild, ServerDied
from tests.kit import warm
from tests.kit.compiled import with_packs
from tests.kit.terminals.on_pty import CLIENT

_IMPORTS = (
    *CLIENT,
    "client.commands.export",
    "client.commands.replays",
    "client.commands.robots",
    "client.commands.sessions",
    "client.commands.verify",
)
_RUN = (
    "import sys; from client.commands import cli, verify; name = sys.argv[1];"
    "run = verify.main if name == 'verify' else getattr(cli, name);"
    "sys.exit(run(sys.argv[2:]))"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerChild]:
    """Run one server for all tests of this module."""
    home = with_packs(tmp_path_factory.mktemp("home"))
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("MANSE_HOME", str(home))
        patch.setattr(child, "subprocess", warm.with_servers())
        server = stack.enter_context(ServerChild(home / "server"))
        # What is started here by tests is started as ever.
        patch.undo()
        yield server


@attrs.frozen
class Player:
    """A player with a folder of their own."""

    home: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """Return the environment of the player's programs."""
        return {**os.environ, "MANSE_HOME": str(self.home), "LC_ALL": "C.UTF-8"}

    def popen(self, *arguments: str) -> warm.Piped:
        return warm.piped(_IMPORTS, _RUN, *arguments, env=self.environment)

    def run(self, *arguments: str, lines: Sequence[str] = (), status: int = 0) -> tuple[str, str]:
        """Run a command to its end; return its standard output and standard error."""
        process = self.popen(*arguments)
        printed, complaints = process.communicate("".join(f"{li}\n" for li in lines), timeout=90)
        assert process.returncode == status, complaints
        return printed, complaints


@pytest.fixture
def player(tmp_path: Path) -> Player:
    return Player(tmp_path / "home")


def test_a_table_is_opened_left_and_found_again(
    server: ServerChild, player: Player, tmp_path: Path
) -> None:
    lines = ("open 1", "claim 1 2", "ready", "start", "1", "party", "who")
    printed, _ = player.run(
        "play", "--server", server.address, "--name", "Ann", "--plain", lines=lines
    )
    assert "Connected to Manse as Ann." in printed
    assert "manse join " + server.address in printed
    assert "The game begins." in printed
    assert "Waiting for Ann" in printed
    assert "\x1b" not in printed

    listed, _ = player.run("play", "--list", "--json")
    (table,) = json.loads(listed)["tables"]
    assert (table["stage"], table["is_my_turn"]) == ("playing", True)

    plain, _ = player.run("play", "--list")
    title = "Second Edition: What the Marsh Is Owed"
    assert plain == f"{table['table']}  {title}: in play (Ann), your turn\n"

    path = tmp_path / "ann.manse"
    exported, _ = player.run("export", "--last", str(path), "--json")
    assert json.loads(exported)["kind"] == "cut"
    again, _ = player.run("export", table["table"][:6], str(path), "--force")
    assert "what seat 1 knew" in again
    assert "OK" in player.run("verify", str(path))[0]
    assert "The game begins." in player.run("replay", "--plain", str(path))[0]


def test_a_bot_plays_alone_to_the_end(server: ServerChild, player: Player, tmp_path: Path) -> None:
    path = tmp_path / "game.manse"
    reach = ("--server", server.address, "--fingerprint", server.fingerprint)

    printed, _ = player.run(
        *("bot", "--open", "core/sluice-house", "--party", "1", "--seed", "3", "--json"),
        *("--verbose", "--export", str(path), *reach),
    )

    told = json.loads(printed.splitlines()[-1])
    assert told["export"]["kind"] == "whole"
    assert told["export"]["head"] == told["head"]
    assert "Round 2" in printed
    assert player.run("verify", str(path))[0].endswith("OK\n")
    assert not (player.home / KEY_FILE).exists()


def test_a_spectator_sees_what_lies_open(
    server: ServerChild, player: Player, tmp_path: Path
) -> None:
    printed, _ = player.run("play", "--server", server.address, "--plain", lines=("open 1 watch",))
    invitation = next(line for line in printed.splitlines() if line.startswith("manse watch"))

    seen, _ = Player(tmp_path / "other").run("watch", invitation, "--plain")

    assert "You are watching." in seen


def test_the_language_is_switched_in_play(server: ServerChild, player: Player) -> None:
    lines = ("open 1", "lobby", "language fr", "lobby", "réglages", "aide")
    arguments = ("play", "--server", server.address, "--plain", "--language", "en")

    printed, _ = player.run(*arguments, lines=lines)

    english, french = printed.split("Manse parle maintenant français.")
    assert "Ada Whitlock" in english
    assert "Takebacks: allowed if all agree" not in french
    assert "Retours : si tous sont d’accord" in french.replace("\N{NO-BREAK SPACE}", " ")
    assert "<" not in french


def test_an_unknown_code_is_told(server: ServerChild, player: Player) -> None:
    invitation = f"{server.address}/0000-0000-0000-0000/{server.fingerprint}"

    for arguments in (("bot",), ("join", "--plain"), ("watch", "--plain")):
        printed, complaints = player.run(*arguments, invitation, status=1)
        assert "is unknown here" in complaints
        assert printed == ""


def test_a_server_that_is_not_there_is_told(player: Player) -> None:
    _, complaints = player.run("play", "--server", "127.0.0.1:1", "--plain", status=1)

    assert complaints.startswith("manse: Cannot reach the server at 127.0.0.1:1")
    assert "manse serve" in complaints


def test_a_folder_that_cannot_be_written_is_told(server: ServerChild, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = tmp_path / "file" / "home"

    _, complaints = Player(nowhere).run("play", "--server", server.address, "--plain", status=1)

    assert "MANSE_HOME names another folder" in complaints
    with pytest.raises(ServerDied, match="MANSE_HOME names another folder"):
        ServerChild(nowhere).__enter__()


def test_another_server_than_the_invited_one_is_refused(
    server: ServerChild, player: Player
) -> None:
    stranger = fingerprint_text(b"f" * 32)
    invitation = f"{server.address}/0000-0000-0000-0000/{stranger}"

    _, complaints = player.run("join", invitation, "--plain", status=1)

    assert "not the one that the invitation names" in complaints


def test_a_server_whose_identity_changed_is_refused(server: ServerChild, player: Player) -> None:
    player.home.mkdir(mode=0o700)
    known = player.home / KNOWN_FILE
    known.write_text(f"{server.address} {fingerprint_text(b'f' * 32)}\n")

    _, complaints = player.run("play", "--server", server.address, "--plain", status=1)

    assert "not the one you met there before" in complaints


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_cleanly(server: ServerChild, player: Player, number: int) -> None:
    process = player.popen("play", "--server", server.address, "--plain")
    assert process.stdout.readline().startswith("Connected")

    process.send_signal(number)
    _, complaints = process.communicate(timeout=30)

    assert process.returncode == 128 + number
    assert not complaints


SHOWS_CURSOR = b"\x1b[?25h"
"""The last bytes sent to a terminal after drawing a line."""


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("end", "status"), [(b"\x03", 130), (b"\x04", 0), (b"qui\t\r", 0), (signal.SIGTERM, 143)]
)
def test_a_terminal_is_left_as_it_was(
    server: ServerChild, player: Player, tmp_path: Path, end: bytes | int, status: int
) -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    complaints = tmp_path / "complaints"
    with complaints.open("wb") as file:
        process = warm.start(
            _IMPORTS,
            _RUN,
            *("play", "--server", server.address, "--plain"),
            env={**player.environment, "TERM": "xterm"},
            files=(theirs, theirs, file.fileno()),
        )
    shown = b""
    while b"open to begin" not in shown or not shown.endswith(SHOWS_CURSOR):
        shown += os.read(ours, 1000)
    assert termios.tcgetattr(theirs) != before

    if isinstance(end, bytes):
        os.write(ours, end)
    else:
        process.send_signal(end)

    assert process.wait(30) == status
    assert complaints.read_bytes() == b""
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


def test_a_reader_that_has_gone_ends_it(server: ServerChild, player: Player) -> None:
    process = player.popen("play", "--server", server.address, "--plain")
    process.stdout.readline()
    process.stdout.close()

    process.stdin.write("help\n" * 200)
    process.stdin.flush()
    process.wait(30)

    assert process.returncode != 0
    with suppress(BrokenPipeError):
        process.stdin.close()
    process.stderr.close()

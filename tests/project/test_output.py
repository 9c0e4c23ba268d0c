"""Output of commands reaches any standard output, or the command ends with a sentence."""

import argparse
import errno
import io
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, cast

import pytest

from commands import main as command
from commands.signs import SIGNS
from commands.speaking import LANGUAGES
from commands.streams import STATUS_BROKEN_PIPE, STATUS_HANGUP, STATUS_OUTPUT_LOST
from server.commands import demo
from server.packs import playing
from tests.kit import warm
from tests.kit.compiled import with_packs
from tests.kit.every_run import first
from tests.protocol.archives import archive, finished_log

CODINGS: Final = ("ascii", "iso-8859-1", "cp1252", "gb18030", "utf-8")
SPOKEN: Final = (("en", "ascii"), ("en", "cp1252"), *(("fr", coding) for coding in CODINGS))
"""
Languages and encodings. English has few signs beyond ASCII, French has them in every sentence.
"""
_MANSE: Final = "import sys; from commands.main import main; sys.exit(main())"
_FULL: Final = Path("/dev/full")

RUNS: Final[tuple[tuple[tuple[str, ...], int], ...]] = (
    (("--help",), 0),
    (("--version",), 0),
    (("help", "play"), 0),
    (("jouër",), 2),
    *(((name, "--help"), 0) for name in command.COMMANDS),
    *(((name, "--bogus"), 2) for name in command.COMMANDS),
    (("play", "--server", "é b"), 2),
    (("play", "--name", "œ/œ"), 2),
    (("join", "hôte/abc"), 2),
    (("watch", "hôte/abc"), 2),
    (("bot", "hôte/abc"), 2),
    (("export", "--last", "GAME"), 1),
    (("verify", "GAME"), 0),
    (("verify", "--json", "GAME"), 0),
    (("verify", "évaporé…"), 1),
    (("replay", "--plain", "GAME"), 0),
    (("replay", "--step", "GAME"), 0),
    (("replay", "--markdown", "GAME"), 0),
    (("replay", "--html", "GAME"), 0),
    (("replay", "--jsonl", "GAME"), 0),
    (("replay", "--plain", "--view", "Œil", "GAME"), 1),
    (("stats", "GAME"), 0),
    (("stats", "--json", "GAME"), 0),
    (("config",), 0),
    (("config", "--json"), 0),
    (("config", "set", "theme", "light"), 0),
    (("config", "thème"), 2),
    (("serve", "--check", "--folder", "FOLDER"), 0),
    (("admin", "--folder", "FOLDER", "state"), 3),
    (("store", "check", "--folder", "FOLDER"), 1),
    (("solo", "--practice", "évaporé…", "--at", "3"), 1),
    (("content", "new", "NEW/new"), 0),
    (("content", "check", "évaporé…"), 1),
)
"""Command lines that need no server and no terminal, with their exit status."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Move the player's own folder to a temporary one."""
    monkeypatch.setenv("MANSE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MANSE_LANGUAGE", raising=False)
    monkeypatch.setattr(playing, "subprocess", warm.subprocess_with(warm.PLAYER))
    return tmp_path


class _Streams:
    """Standard streams of a command that runs in this process."""

    def __init__(self, coding: str, out: io.RawIOBase | io.BytesIO | None = None) -> None:
        self.out = io.BytesIO() if out is None else out
        self.errors = io.BytesIO()
        self.coding = coding

    def run(
        self, arguments: tuple[str, ...], language: str, monkeypatch: pytest.MonkeyPatch
    ) -> int:
        """Run a command; return its exit status."""
        buffer = self.out if isinstance(self.out, io.BytesIO) else io.BufferedWriter(self.out)
        monkeypatch.setenv("MANSE_LANGUAGE", language)
        monkeypatch.setattr(sys, "stdin", io.StringIO("2\nfin\n"))
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer, self.coding))
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(self.errors, self.coding))
        try:
            return command.main([*arguments])
        except SystemExit as ended:
            return cast("int", ended.code)


def given(arguments: tuple[str, ...], folder: Path, number: int = 0) -> tuple[str, ...]:
    """Return a command line with real paths."""
    game, store, new = folder / "game.manse", folder / "server", folder / str(number)
    if not game.exists():
        game.write_bytes(archive(finished_log()))
        store.mkdir()
    new.mkdir(exist_ok=True)
    paths = {"GAME": str(game), "FOLDER": str(store), "NEW/new": str(new / "new")}
    return tuple(paths.get(each, each) for each in arguments)


@pytest.mark.parametrize(("arguments", "status"), RUNS, ids=lambda value: str(value)[:50])
def test_every_command_works_in_every_encoding(
    arguments: tuple[str, ...], status: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_document = not {"--json", "--html", "--jsonl", "--markdown"}.isdisjoint(arguments)
    for number, (language, coding) in enumerate(SPOKEN):
        streams = _Streams(coding)

        ended = streams.run(given(arguments, home, number), language, monkeypatch)

        assert isinstance(streams.out, io.BytesIO)
        told = streams.out.getvalue()
        said = streams.errors.getvalue().decode(coding)
        assert ended == status, said
        assert "Traceback" not in said
        assert told or said
        told.decode("utf-8" if is_document else coding)


def test_signs_are_replaced_as_on_the_screen() -> None:
    assert "Hôtel…’ œ\u202f€ 東 e\u0301".encode("ascii", SIGNS) == b"Hotel...' oe EUR ?? e"
    assert "\udcff".encode("utf-8", SIGNS) == b"?"


# Lost output -------------------------------------------------------------------------------

PRINTING: Final = tuple(
    arguments
    for arguments, status in RUNS
    if status == 0 and arguments[0] != "content" and arguments[-1] != "light"
)


@pytest.mark.skipif(not _FULL.exists(), reason="the system has no full device")
@pytest.mark.parametrize("arguments", PRINTING, ids=lambda value: str(value)[:50])
def test_a_full_disk_is_one_sentence(
    arguments: tuple[str, ...], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with io.FileIO(_FULL, "w") as full:
        streams = _Streams("utf-8", full)

        ended = streams.run(given(arguments, home), "en", monkeypatch)

    said = streams.errors.getvalue().decode()
    assert ended == STATUS_OUTPUT_LOST
    assert said == (
        "manse: the output could not be written: there is no room left for it on the disk\n"
    )


@pytest.mark.parametrize("arguments", PRINTING, ids=lambda value: str(value)[:50])
def test_a_closed_pipe_ends_a_command_in_silence(
    arguments: tuple[str, ...], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with io.FileIO(writer, "w") as pipe:
        streams = _Streams("utf-8", pipe)

        ended = streams.run(given(arguments, home), "en", monkeypatch)

    assert (ended, streams.errors.getvalue()) == (STATUS_BROKEN_PIPE, b"")


class _LostTerminal(io.RawIOBase):
    """A terminal whose window is closed after the command has started."""

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.EIO, "Input/output error")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lost_terminal_is_told_where_that_can_be_read(
    language: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = _Streams("utf-8", _LostTerminal())

    ended = streams.run(given(("verify", "GAME"), home), language, monkeypatch)

    said = streams.errors.getvalue().decode()
    assert ended == STATUS_HANGUP
    assert said.count("\n") == 1
    assert "terminal" in said


@pytest.fixture
def solo(home: Path) -> dict[str, str]:
    """Return the environment of a solo game."""
    folder = home / "alone"
    folder.mkdir()
    environment = {**os.environ, "MANSE_HOME": str(with_packs(folder)), "MANSE_LANGUAGE": "fr"}
    return {**environment, "PYTHONIOENCODING": "iso-8859-1"}


@pytest.mark.long
def test_a_game_is_read_and_told_in_the_encoding_of_its_terminal(solo: dict[str, str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _MANSE, "solo", "--plain"],
        env=solo,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="iso-8859-1",
    ) as process:
        assert process.stdin is not None and process.stdout is not None  # noqa: PT018 (one thing)
        process.stdin.write("dire l\xe9t\xe9\n")
        process.stdin.flush()
        # Whoever quits at once does not see their own line come back from the server.
        assert any("l\xe9t\xe9" in line for line in process.stdout)
        _, errors = process.communicate("quitter\n", timeout=120)

    assert (process.returncode, errors) == (0, "")


@pytest.mark.long
@pytest.mark.skipif(not _FULL.exists(), reason="the system has no full device")
@pytest.mark.parametrize("arguments", first(1, [("serve", "--port", "0"), ("solo", "--plain")]))
def test_a_program_that_goes_on_ends_where_the_disk_is_full(
    arguments: tuple[str, ...], solo: dict[str, str]
) -> None:
    with _FULL.open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-c", _MANSE, *arguments],
            env=solo,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )

    said = ended.stderr.decode("iso-8859-1")
    assert ended.returncode == STATUS_OUTPUT_LOST, said
    (line,) = said.splitlines()
    assert line.startswith("manse: la sortie n'a pas pu être écrite")


LONG: Final = pytest.mark.long


@pytest.mark.parametrize(
    "closed",
    [*(pytest.param(one, marks=LONG) for one in ("<&-", ">&-", "2>&-")), "<&- >&- 2>&-"],
)
def test_closed_streams_are_as_good_as_none(closed: str, home: Path) -> None:
    """A command in the background may be started with closed streams."""
    (arguments,) = {given(("replay", "--step", "GAME"), home)}
    ended = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-c", _MANSE, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, b"")


# The demonstration -------------------------------------------------------------------------

_STAYS: Final = "import time; time.sleep(60)"
_FALLS: Final = "import sys; sys.exit(1)"


class _Server:
    """A stand-in for a server, for bots that send nothing to it."""

    address = "127.0.0.1:1"
    fingerprint = ""

    def __init__(self, ends_after: float) -> None:
        self._end = time.monotonic() + ends_after

    @property
    def has_ended(self) -> bool:
        return time.monotonic() > self._end


@pytest.fixture
def invitation() -> str:
    """Return an invitation to a table."""
    from tests.client.test_cli import INVITATION  # noqa: PLC0415

    return str(INVITATION)


@pytest.mark.parametrize("ends", ["host", "guest", "server"])
def test_a_demonstration_ends_with_any_of_its_processes(
    ends: str, invitation: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it went on, somebody would wait for a game that cannot end."""
    said = f"print({invitation!r}, flush=True); "
    host = said + (_FALLS if ends == "host" else _STAYS)
    guest = _FALLS if ends == "guest" else _STAYS
    monkeypatch.setattr(
        demo,
        "command_of",
        lambda _, *arguments: [sys.executable, "-c", host if "--open" in arguments else guest],
    )
    server = _Server(0.3 if ends == "server" else 60)
    options = argparse.Namespace(seed=None, language="en", scenario="core/sluice-house")
    started = time.monotonic()

    assert demo._play(server, options, [[], []], home, home / "log") != 0  # type: ignore[arg-type]

    assert time.monotonic() - started < 30


def test_a_demonstration_reads_its_bots_in_any_environment(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "iso-8859-1")
    code = "print('la partie est pr\\xeate', flush=True)"
    monkeypatch.setattr(demo, "command_of", lambda *_: [sys.executable, "-c", code])
    options = argparse.Namespace(seed=None, language="fr", scenario="core/sluice-house")

    assert demo._play(_Server(60), options, [[]], home, home / "log") == 0  # type: ignore[arg-type]

    assert "la partie est pr\xeate" in capsys.readouterr().out

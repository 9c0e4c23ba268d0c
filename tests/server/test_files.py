"""Files after a whole game: in the right places, private, and without secrets.

Everything is real: a server that logs all it can, two bots, and the commands that read their file.
Each has a home, a folder for temporary files and a working directory of its own, and a umask of 0.
"""

import base64
import contextlib
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import attrs
import pytest

from protocol.archive import load
from tests.kit.compiled import with_copies

ROOT: Final = Path(__file__).parents[2]
PATIENCE_SECONDS: Final = 120
_OWN: Final = ("home", "tmp", "cwd")
STARTED_BY: Final = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""Variables of our own environment that the commands need."""

pytestmark = [
    pytest.mark.issue(13),
    pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX"),
]


@attrs.frozen
class Somebody:
    """A user whose commands find and make everything below one folder."""

    folder: Path
    has_folder_named: bool = True
    """True if MANSE_HOME says where files go; otherwise the platform does."""

    @property
    def draws(self) -> Path:
        """The file of everything that the user's commands drew; only the test reads it."""
        return self.folder.with_suffix(".draws")

    def environment(self) -> Mapping[str, str]:
        """Return the environment of the user's commands."""
        for path in (self.folder, *(self.folder / name for name in _OWN)):
            path.mkdir(mode=0o700, exist_ok=True)
        found = {name: os.environ[name] for name in STARTED_BY if name in os.environ}
        return {
            **found,
            "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp"),
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "LC_ALL": "C.UTF-8",
            **({"MANSE_HOME": str(self.folder / "manse")} if self.has_folder_named else {}),
        }

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start a command of `manse`."""
        command = [sys.executable, "-m", "tests.server.recorded", str(self.draws), *arguments]
        return subprocess.Popen(
            command,
            cwd=self.folder / "cwd" if self.environment() else None,
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> str:
        """Run a command of `manse` to its end, and return what it printed."""
        process = self.start(*arguments)
        told, complained = process.communicate("", timeout=PATIENCE_SECONDS)
        assert process.returncode == 0, complained
        return told


@attrs.frozen
class Evening:
    """A finished game, and the files that it left."""

    folder: Path
    code: str
    """Code of the invitation."""
    printed: Mapping[str, str]
    """Standard error of the server and of the first bot."""
    room_id: str

    def canaries(self, owner: str) -> list[bytes]:
        """Return what the commands of one owner drew, except the id of the room."""
        lines = (self.folder / f"{owner}.draws").read_text().split()
        return [bytes.fromhex(line) for line in lines if line != self.room_id]


@contextlib.contextmanager
def serving(owner: Somebody, *options: str) -> Iterator[tuple["subprocess.Popen[str]", str, str]]:
    """Serve on a free port; yield the process, its address and its fingerprint."""
    fixed = ("--host", "127.0.0.1", "--port", "0", "--json", "--stop-with-stdin")
    server = owner.start("serve", *fixed, *options)
    try:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        yield server, f"{told['host']}:{told['port']}", told["fingerprint"]
    finally:
        if server.poll() is None:
            server.kill()
            server.communicate()


def play(folder: Path) -> Evening:
    """Let two bots play a game on a server that logs all it can, and look at its file."""
    host, first, second = (Somebody(folder / name) for name in ("host", "first", "second"))
    assert host.environment()
    # Where nothing is named, another test has the packs compiled.
    (host.folder / "manse").mkdir(mode=0o700)
    with_copies(host.folder / "manse")
    path = first.folder / "cwd" / "game.manse"
    with serving(host, "--verbose") as (server, address, fingerprint):
        reach = ("--server", address, "--fingerprint", fingerprint)
        opened = ("--open", "core/sluice-house", "--party", "2", "--export", str(path))
        one = first.start("bot", *opened, *reach, "--json", "--verbose", "--seed", "1")
        assert one.stdout is not None
        invitation = ""
        while not invitation:
            line = one.stdout.readline()
            assert line, one.communicate()[1]
            with contextlib.suppress(ValueError, KeyError, TypeError):
                invitation = json.loads(line)["invitation"]
        two = second.start("bot", invitation, "--json", "--seed", "2")
        _, told_second = two.communicate("", timeout=PATIENCE_SECONDS)
        _, told_first = one.communicate("", timeout=PATIENCE_SECONDS)
        assert (one.returncode, two.returncode) == (0, 0), told_first + told_second
        _, log = server.communicate("", timeout=PATIENCE_SECONDS)
    first.run("verify", str(path))
    first.run("replay", "--markdown", str(path), str(path.with_suffix(".md")))
    first.run("config", "set", "theme", "dark")
    code = invitation.split("/")[1]
    room_id = load(path.read_bytes()).header.room_id
    return Evening(folder, code, {"host": log, "first": told_first}, room_id)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """Return a game that is played once for all tests."""
    return play(tmp_path_factory.mktemp("evening"))


def below(folder: Path) -> list[Path]:
    """Return everything below a folder."""
    return sorted(path for path in folder.rglob("*") if path.suffix != ".draws")


def open_to_others(paths: Iterable[Path]) -> dict[str, str]:
    """Return the paths that others may read or write, with their modes."""
    modes = {path: stat.S_IMODE(path.lstat().st_mode) for path in paths}
    return {str(path): oct(mode) for path, mode in modes.items() if mode & 0o077}


def forms(canary: bytes) -> list[bytes]:
    """Return the forms that a secret could have in a file."""
    base32 = base64.b32encode(canary).rstrip(b"=")
    base64s = (base64.b64encode(canary), base64.urlsafe_b64encode(canary))
    hexes = canary.hex()
    return [
        *(canary, hexes.encode(), hexes.upper().encode(), base32, base32.lower()),
        *(text.rstrip(b"=") for text in base64s),
        repr(canary)[2:-1].encode(),
    ]


def places(canaries: Iterable[bytes], paths: Iterable[Path]) -> set[Path]:
    """Return the files that contain one of these secrets in any form."""
    wanted = [form for canary in canaries for form in forms(canary)]
    files = {path: path.read_bytes() for path in paths if path.is_file()}
    return {path for path, data in files.items() if any(form in data for form in wanted)}


# Where -------------------------------------------------------------------------------------


@pytest.mark.long
def test_files_are_written_only_where_they_belong(evening: Evening) -> None:
    found = {
        str(path.relative_to(evening.folder))
        for path in below(evening.folder)
        if path.relative_to(evening.folder).parts[1:2] != ("manse",)
    }
    users = {f"{who}/{part}" for who in ("host", "first", "second") for part in _OWN}

    assert found - users == {"host", "first", "second"} | {
        "first/cwd/game.manse",
        "first/cwd/game.md",
    }


def test_below_the_folder_of_ours_are_only_known_names(evening: Evening) -> None:
    """A new kind of file has to be added here, after considering who may read it."""
    names = {
        "host": {"server", "cache"},
        "first": {"client.log", "config.toml", ".config.toml.lock"},
        "second": {"client.log"},
    }
    folders = {who: evening.folder / who / "manse" for who in names}
    found = {who: {path.name for path in folder.iterdir()} for who, folder in folders.items()}

    assert found == names
    kept = {path.name for path in (folders["host"] / "server").iterdir()}
    assert {name for name in kept if not name.startswith("rooms.sqlite")} == {
        "identity.pem",
        "certificate.pem",
    }
    assert {path.suffix for path in (folders["host"] / "cache").iterdir()} == {".pack"}


def test_files_are_for_their_owner_alone_whatever_the_umask(evening: Evening) -> None:
    assert below(evening.folder)
    assert open_to_others(below(evening.folder)) == {}


def test_where_nothing_is_named_files_lie_where_the_platform_keeps_them(tmp_path: Path) -> None:
    one = Somebody(tmp_path / "one", has_folder_named=False)
    # Each game that is offered has its pack compiled.
    settings = tmp_path.with_suffix(".toml")
    settings.write_text('[server]\ngames = ["cards"]\n', "utf-8")
    with serving(one, "--config", str(settings)) as (server, _, __):
        server.communicate("", timeout=PATIENCE_SECONDS)
    one.run("config", "set", "theme", "dark")

    home = one.folder / "home"
    files = {str(path.parent.relative_to(home)) for path in below(home) if path.is_file()}

    assert files == {".cache/manse", ".config/manse", ".local/share/manse/server"}
    assert not [*below(one.folder / "tmp"), *below(one.folder / "cwd")]
    assert {path.suffix for path in (home / ".cache" / "manse").iterdir()} == {".pack"}
    assert open_to_others(below(tmp_path)) == {}


def test_a_file_that_others_may_read_is_found(tmp_path: Path) -> None:
    """Without this control, the test of modes could miss such a file."""
    path = tmp_path / "file"
    path.touch()
    path.chmod(0o640)

    assert open_to_others(below(tmp_path)) == {str(path): "0o640"}


# What --------------------------------------------------------------------------------------


@pytest.mark.parametrize("owner", ["host", "first", "second"])
def test_secrets_stand_nowhere_but_in_the_database_and_with_their_owner(
    evening: Evening, owner: str
) -> None:
    canaries = evening.canaries(owner)
    own = evening.folder / owner / "manse"
    server = evening.folder / "host" / "manse" / "server"
    allowed = {
        *(path for path in below(server) if path.name.startswith("rooms.sqlite")),
        *(path for path in (own / "server").glob("*.pem")),
        evening.folder / "first" / "cwd" / "game.manse",
    }

    found = places(canaries, below(evening.folder))

    assert len(canaries) >= (300 if owner == "host" else 2)
    assert found <= allowed
    assert server / "rooms.sqlite" in found


def test_no_secret_is_in_a_log(evening: Evening) -> None:
    logs = "".join(evening.printed.values()).encode()
    owners = ("host", "first", "second")
    canaries = [each for owner in owners for each in evening.canaries(owner)]
    files = (evening.folder / "host" / "manse" / "server").glob("*.pem")
    lines = [line for path in files for line in path.read_bytes().split() if len(line) > 32]

    assert b"#info]" in logs
    assert [each for each in canaries for form in forms(each) if form in logs] == []
    assert [line for line in lines if line in logs] == []
    assert evening.code.encode() not in logs
    assert evening.code.replace("-", "").encode() not in logs


def test_the_code_of_an_invitation_is_in_no_file(evening: Evening) -> None:
    """The server stores its hash, and clients forget it."""
    code = evening.code.encode()
    texts = (code, code.replace(b"-", b""))
    files = {path: path.read_bytes() for path in below(evening.folder) if path.is_file()}

    assert [path for path, data in files.items() if any(text in data for text in texts)] == []


@pytest.mark.parametrize("form", range(8))
def test_a_secret_in_a_file_is_found_in_each_form(tmp_path: Path, form: int) -> None:
    """Without this control, the search could miss what it looks for."""
    canary = bytes(range(200, 232))
    path = tmp_path / "log"
    path.write_bytes(b"before " + forms(canary)[form] + b" after")

    assert places([canary], below(tmp_path)) == {path}
    assert places([bytes(32)], below(tmp_path)) == set()

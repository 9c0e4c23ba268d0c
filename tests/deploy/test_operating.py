"""Follows docs/operating.md command by command, in a folder that stands for a machine.

The page's paths lie below that folder. `tests.deploy.service_manager` replaces systemd, with
another user if the tests run as root. Ports are free ones, and the page's releases are commits of
this checkout with other version numbers. `test_booted.py` types the page under a real systemd,
where one is available.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs
import pytest

from deploy.checking import bare
from protocol.invitation import DEFAULT_PORT
from server.process.app import Config
from tests.deploy.containerfile import base_python
from tests.deploy.operating_page import (
    FOLLOWED,
    NEW,
    OLD,
    PAGE,
    ROOT,
    SCENARIO,
    Block,
    make_repository,
    of_releases,
    sections,
    told_by,
)
from tests.deploy.service_manager import USER, Manager
from tests.deploy.settings_file import with_settings

_OWN: Final = re.compile(r"(?<![\w/.:])/(?=(?:etc|opt|srv|usr/local|var)/)")
_PATIENCE_SECONDS: Final = 60.0

pytestmark = pytest.mark.issue(15)


def free_port() -> int:
    """Return a port on which nobody listens now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@attrs.frozen
class Machine:
    """A folder that stands for a machine, with the commands that the page needs."""

    root: Path
    repository: Path
    port: int = attrs.field(factory=free_port)
    metrics: int = attrs.field(factory=free_port)
    said: list[str] = attrs.field(factory=list)
    """The output of each command."""

    @property
    def manager(self) -> Manager:
        """Return the stand-in for systemd."""
        return Manager(self.root)

    @property
    def folder(self) -> Path:
        return self.root / "var" / "lib" / "manse"

    def prepare(self) -> None:
        """Create the folders that every system has, and the commands of systemd."""
        for name in ("etc/systemd/system", "opt", "srv", "usr/local/bin", "var/lib", "run", "root"):
            (self.root / name).mkdir(parents=True)
        # Only root may give files to root.
        names = () if os.geteuid() == 0 else ("chown",)
        for name in ("systemctl", "journalctl", "useradd", *names):
            path = self.root / "usr" / "local" / "bin" / name
            path.write_text(
                f"#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} "
                f'-m tests.deploy.service_manager {name} "$@"\n',
                "utf-8",
            )
            path.chmod(0o755)

    def environment(self) -> dict[str, str]:
        """Return a command's environment, with its own programs first in the path."""
        user = USER if os.geteuid() == 0 else None
        paths = (f"{self.root}/usr/local/bin", str(Path(base_python(user)).parent))
        kept = bare(os.environ, self.root / "root")
        return kept | {
            "PATH": ":".join((*paths, "/usr/bin", "/bin")),
            "LC_ALL": "C.UTF-8",
            "MANSE_TEST_MACHINE": str(self.root),
            "MANSE_TEST_SERVE": f"--host 127.0.0.1 --port {self.port}",
        }

    def here(self, text: str) -> str:
        """Replace the paths, ports and source in a text of the page by those of this machine."""
        text = text.replace("…", str(self.repository)).replace("9470", str(self.metrics))
        text = of_releases(text)
        text = text.replace("play.example.org:4470", f"127.0.0.1:{self.port}")
        return _OWN.sub(f"{self.root}/", text)

    def follow(self, block: Block) -> None:
        """Run a block's commands, or apply its settings to the existing file."""
        if block.kind == "toml":
            file = self.folder / "serve.toml"
            file.write_text(with_settings(file.read_text("utf-8"), self.here(block.text)), "utf-8")
            return
        for _, command in block.commands:
            self.run(command)

    def run(self, command: str) -> str:
        """Run a command of the page as a shell does, and return what it printed."""
        if "FINGERPRINT" in command:
            command = command.replace("FINGERPRINT", self.said[-1].strip())
        done = subprocess.run(
            ["bash", "-ec", self.here(command)],
            cwd=self.root,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}\n{self.log()}"
        self.said.append(done.stdout)
        return done.stdout

    def log(self) -> str:
        """Return the service's output so far."""
        journal = self.manager.journal
        return journal.read_text("utf-8") if journal.exists() else ""

    def tables(self) -> list[str]:
        """Return the ids of the unfinished tables."""
        listed = self.run("manse admin tables --json --folder /var/lib/manse")
        return sorted(table["room_id"] for table in json.loads(listed))

    def open_table(self) -> None:
        """Let a bot open a table with the player's key and leave before anybody joins."""
        before, until = len(self.tables()), time.monotonic() + _PATIENCE_SECONDS
        bot = subprocess.Popen(
            [
                *(f"{self.root}/usr/local/bin/manse", "bot", "--open", SCENARIO, "--party", "2"),
                *("--server", f"127.0.0.1:{self.port}"),
                *("--identity", self.environment()["MANSE_HOME"]),
            ],
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        try:
            while len(self.tables()) == before:
                assert bot.poll() is None, bot.stderr and bot.stderr.read().decode()
                assert time.monotonic() < until
                time.sleep(0.2)
        finally:
            bot.terminate()
            bot.communicate()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with the page's two releases."""
    make_repository(tmp_path / "repository")
    return tmp_path / "repository"


@pytest.fixture
def scratch() -> Iterator[Path]:
    """Yield a folder that other users can enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_the_page_has_what_an_operator_does() -> None:
    found = sections(PAGE)

    assert list(found) == [
        *("Install", "Start at boot", "Let friends in", "Watch it", "Back up"),
        *("Restore on another machine", "Update", "Roll back"),
        *("What to do when", "In a container"),
    ]
    assert [title for title, blocks in found.items() if not blocks] == ["What to do when"]
    assert FOLLOWED.count("checkout NEW") == FOLLOWED.count("checkout OLD") == 1


def test_every_line_of_a_block_is_a_command() -> None:
    blocks = [block for each in sections(PAGE).values() for block in each if block.kind != "toml"]

    assert {block.kind for block in blocks} == {"console"}
    assert [block for block in blocks if len(block.commands) != len(block.text.splitlines())] == []


def test_the_numbers_are_the_real_ones() -> None:
    assert f"below {attrs.fields(Config).disk_low_mb.default} MB nobody can open a table" in PAGE
    assert f"TCP port {DEFAULT_PORT} " in PAGE
    assert f"--publish {DEFAULT_PORT}:{DEFAULT_PORT} " in PAGE


def test_a_drained_server_stays_ended() -> None:
    """The unit restarts the server only after a failure, and a drain ends it without one."""
    unit = (ROOT / "deploy" / "manse.service").read_text("utf-8")

    assert "\nRestart=on-failure\n" in unit


@pytest.mark.long
def test_the_page_can_be_followed(repository: Path, scratch: Path) -> None:
    page = sections(FOLLOWED)
    older, newer = (told_by(repository, release) for release in (OLD, NEW))
    machine = Machine(scratch / "one", repository)
    machine.prepare()
    other = Machine(scratch / "two", repository)
    try:
        for title in ("Install", "Start at boot", "Let friends in"):
            for block in page[title]:
                machine.follow(block)
        assert older in machine.said
        assert "cannot be used" not in machine.log()
        assert ("systemd made up" in machine.log()) == (os.geteuid() == 0)
        machine.open_table()
        opened = machine.tables()
        for title in ("Watch it", "Back up"):
            for block in page[title]:
                machine.follow(block)
        assert any("\nmanse_tables " in said for said in machine.said)

        machine.run("systemctl stop manse")
        restore_on(other, machine, page["Restore on another machine"])
        assert other.tables() == opened
        other.run("systemctl stop manse")
        machine.run("systemctl start manse")

        for block in page["Update"]:
            machine.follow(block)
        assert machine.said[-1] == newer
        assert machine.tables() == opened
        machine.open_table()

        for block in page["Roll back"]:
            machine.follow(block)
        assert machine.said[-1] == older
        assert machine.tables() == opened
    finally:
        for each in (machine, other):
            if each.manager.pid() is not None:
                each.manager.stop()


def restore_on(other: Machine, machine: Machine, blocks: list[Block]) -> None:
    """Follow the page's section on restoring, on a new machine that has Manse and the backup."""
    other.prepare()
    (other.root / "opt" / "manse").symlink_to(machine.root / "opt" / "manse")
    program = "usr/local/bin/manse"
    (other.root / program).symlink_to(machine.root / "opt" / "manse" / ".venv" / "bin" / "manse")
    shutil.copytree(machine.root / "srv", other.root / "srv", dirs_exist_ok=True)
    for block in blocks:
        other.follow(block)

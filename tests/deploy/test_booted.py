"""Types docs/operating.md on machines that are empty but for `/usr`, under a real systemd.

Every command before *In a container* is typed as it stands: root's with an umask of 077, the others
by a user who is neither root nor the service's user. The machines see only the host's `/usr`;
`play.example.org` is the machine itself, and pip installs from a folder. Commands that cannot run
here are skipped; the summary of the test run names them.
"""

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from deploy.building import LOCK
from server.system.own_program import STATUS_BAD_SETTINGS
from tests.deploy.booted import (
    FRIEND,
    Failed,
    Machine,
    booted,
    clear,
    left,
    python,
    unified,
    why_not,
)
from tests.deploy.operating_page import (
    FOLLOWED,
    NEW,
    OLD,
    ROOT,
    SCENARIO,
    Block,
    make_repository,
    of_releases,
    sections,
    told_by,
)
from tests.deploy.settings_file import with_settings
from tests.kit.left_out import LEFT_OUT

REASON: Final = why_not()
FOLDER: Final = "var/lib/manse"
SETTINGS: Final = f"{FOLDER}/serve.toml"
OFFLINE: Final = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/mnt/wheels"}
HOST: Final = (
    f"manse bot --open {SCENARIO} --party 2 --seed 1 --server play.example.org:4470"
    f" --identity /home/{FRIEND}/.local/share/manse"
)
"""A bot with the friend's key that opens a table."""
RELOAD: Final = "systemctl reload manse"
RELOADED: Final = "settings and certificate were read again"
"""The log line of the service after a reload."""
_PATIENCE_SECONDS: Final = 60.0

pytestmark = [
    pytest.mark.issue(37),
    pytest.mark.long,
    pytest.mark.skipif(
        REASON is not None,
        reason=f"nothing of docs/operating.md was typed under a real systemd: {REASON}",
    ),
]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that replaces the network: the repository and the locked packages."""
    folder = tmp_path_factory.mktemp("shared")
    make_repository(folder / "manse")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder / "wheels")]
    how = ("--require-hashes", "--only-binary=:all:", "--no-deps", f"--python-version={python()}")
    lock = ("--requirement", str(ROOT / LOCK))
    done = subprocess.run([*pip, *how, *lock], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def boot(tmp_path: Path, shared: Path) -> Iterator[Callable[[str], "Operator"]]:
    """Yield a function that boots a machine; every machine ends with the test."""
    with ExitStack() as stack:

        def start(name: str) -> Operator:
            (tmp_path / name).mkdir()
            return Operator(stack.enter_context(booted(tmp_path / name, shared, OFFLINE)))

        yield start
    assert left() == []


class Operator:
    """Types the page's commands on a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.said: list[str] = []
        """The output of each command."""
        self.expected: list[str] = []
        """Parts of journal lines that must be there."""

    def follow(self, blocks: list[Block]) -> None:
        """Type a section's commands and apply its settings."""
        for block in blocks:
            if block.kind == "toml":
                self.change(partial(with_settings, block=block.text))
            for is_roots, command in block.commands:
                self.type(command, "root" if is_roots else FRIEND)

    def type(self, command: str, user: str = "root") -> str:
        """Type a command of the page. Raises `Failed` with what the service logged."""
        if "FINGERPRINT" in command:
            command = command.replace("FINGERPRINT", self.said[-1].strip())
        count = self.machine.journal().count(RELOADED) if command == RELOAD else 0
        try:
            printed = self.machine.run(of_releases(command.replace("…", "/mnt/manse")), user)
        except Failed as error:
            error.add_note(self.machine.journal())
            raise
        self.said.append(printed)
        if command == RELOAD:
            # The signal is sent, but the server may read the file only after the next change of it.
            self.wait(lambda: self.machine.journal().count(RELOADED) > count, "nothing was read")
        return printed

    def change(self, edit: Callable[[str], str]) -> None:
        """Edit the settings file."""
        file = self.machine.root / SETTINGS
        file.write_text(edit(file.read_text("utf-8")), "utf-8")

    def expect(self, *parts: str) -> None:
        """Check that the journal has lines with these parts."""
        journal = self.machine.journal()
        assert [part for part in parts if part not in journal] == []
        self.expected += parts

    def shown(self, *names: str) -> list[str]:
        """Return properties of the service as systemd reports them."""
        options = " ".join(f"--property={name}" for name in names)
        lines = self.machine.run(f"systemctl show manse {options}").splitlines()
        values = dict(line.split("=", 1) for line in lines)
        return [values[name] for name in names]

    def main_pid(self) -> str:
        """Return the process id of the service."""
        return self.shown("MainPID")[0]

    def status_of_service(self) -> dict[str, str]:
        """Return the kernel's status fields of the service's process."""
        text = self.machine.run(f"cat /proc/{self.main_pid()}/status")
        return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)

    def wait(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait until a condition holds. Raises AssertionError with the journal on timeout."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while not is_so():
            assert time.monotonic() < until, f"{what}\n{self.machine.journal()}"
            time.sleep(0.2)

    def tables(self) -> list[str]:
        """Return the ids of the unfinished tables."""
        listed = self.machine.run("manse admin tables --json --folder /var/lib/manse")
        return sorted(table["room_id"] for table in json.loads(listed))

    def open_table(self) -> None:
        """Let a bot of the user FRIEND open a table, and stop the bot before anybody joins."""
        before = len(self.tables())
        with self.machine.running(HOST, FRIEND):
            self.wait(lambda: len(self.tables()) > before, "no table was opened")

    def play(self) -> None:
        """Let two bots of the user FRIEND play a game to its end."""
        with self.machine.running(HOST, FRIEND) as process:
            assert process.stdout is not None
            invitation = process.stdout.readline().strip()
            self.machine.run(f"manse bot {invitation} --seed 2", FRIEND)
            assert process.wait(_PATIENCE_SECONDS) == 0


def test_the_page_is_typed(
    boot: Callable[[str], Operator], shared: Path, record_property: Callable[[str, object], None]
) -> None:
    page = sections(FOLLOWED)
    old, new = (told_by(shared / "manse", release) for release in (OLD, NEW))
    home = boot("home")
    home.follow(page["Install"])
    try_without_user(home, page["Start at boot"])
    for title in ("Start at boot", "Let friends in"):
        home.follow(page[title])
    assert old in home.said
    home.play()
    look_at_limits(home, record_property)
    reload_badly(home)
    start_badly(home)
    forget_the_owner(home)
    kill(home)
    home.open_table()
    opened = home.tables()
    assert len(opened) == 1
    for title in ("Watch it", "Back up"):
        home.follow(page[title])
    assert any("\nmanse_tables " in said for said in home.said)
    home.type("systemctl stop manse")
    assert home.shown("Result", "ExecMainStatus") == ["success", "0"]

    other = boot("other")
    # Installed there as above; its environment names no path but its own.
    for name in ("opt", "srv", "usr/local/bin"):
        source, copy = home.machine.root / name, other.machine.root / name
        shutil.copytree(source, copy, symlinks=True, dirs_exist_ok=True)
    other.follow(page["Restore on another machine"])
    assert other.tables() == opened
    other.type("systemctl stop manse")

    home.type("systemctl start manse")
    home.follow(page["Update"])
    assert home.said[-1] == new
    assert home.tables() == opened
    home.open_table()
    home.follow(page["Roll back"])
    assert home.said[-1] == old
    assert home.tables() == opened
    assert home.shown("NRestarts", "Result") == ["0", "success"]
    # The service did nothing that its unit forbids, and could read all that it needed.
    assert faults(home) == faults(other) == []


def try_without_user(home: Operator, blocks: list[Block]) -> None:
    """Start and stop the unit where nobody created its user; systemd makes one up."""
    for _, command in blocks[0].commands:
        if not command.startswith("useradd"):
            home.type(command)
    assert home.status_of_service()["Uid"].split()[0] not in home.machine.run(
        "cut -d: -f3 /etc/passwd"
    )
    home.expect("systemd made up")
    home.type("systemctl stop manse")


def look_at_limits(home: Operator, record_property: Callable[[str, object], None]) -> None:
    """Check that the kernel enforces the unit's limits."""
    status, pid = home.status_of_service(), home.main_pid()
    limits = home.machine.run(f"cat /proc/{pid}/limits")
    user = home.machine.run("id --user manse").strip()
    assert status["Uid"].split() == [user] * 4
    assert status["CapBnd"] == "0" * 16
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert re.search(r"^Max core file size +0 +0 ", limits, re.MULTILINE)
    assert re.search(r"^Max open files +4096 +4096 ", limits, re.MULTILINE)
    controllers = home.machine.run("cat /sys/fs/cgroup/cgroup.controllers").split()
    missing = [name for name in ("memory", "pids") if name not in controllers]
    if missing:
        record_property(LEFT_OUT, f"MemoryMax and TasksMax: no controller of {missing} for cgroup2")
    # Bytecode is kept, though root alone may read what root makes.
    assert home.machine.run("find /opt/manse/server -name '*.pyc' | head -n 1")


def reload_badly(home: Operator) -> None:
    """Reload with a mistake in the settings, which must change nothing; then without it."""
    pid, file = home.main_pid(), home.machine.root / SETTINGS
    good = file.read_text("utf-8")
    home.change(lambda text: text.replace("\n[server]\n", "\n[server]\nnme = 1\n"))
    with pytest.raises(Failed, match=r"Job for manse.service failed"):
        home.machine.run(RELOAD)
    home.expect("there is no setting server.nme", "Control process exited", "Reload failed")
    assert home.main_pid() == pid
    home.change(lambda _: good)
    home.type(RELOAD)
    assert home.main_pid() == pid


def start_badly(home: Operator) -> None:
    """Start with a mistake in the settings, after which systemd must not try again."""
    file = home.machine.root / SETTINGS
    good = file.read_text("utf-8")
    home.type("systemctl stop manse")
    home.change(lambda text: text.replace("\n[server]\n", "\n[server]\nnme = 1\n"))
    with pytest.raises(Failed, match=r"Job for manse.service failed"):
        home.machine.run("systemctl start manse")
    wanted = ["failed", "failed", "0", str(STATUS_BAD_SETTINGS)]
    assert home.shown("ActiveState", "SubState", "NRestarts", "ExecMainStatus") == wanted
    home.expect("status=78/CONFIG", "Failed with result 'exit-code'", "Failed to start")
    home.change(lambda _: good)
    home.type("systemctl start manse")


def forget_the_owner(home: Operator) -> None:
    """Give the settings file to root; the check by root must report the wrong owner."""
    home.type("chown root /var/lib/manse/serve.toml")
    with pytest.raises(Failed, match=r"serve\.toml belongs to another user than the folder"):
        home.machine.run("manse serve --check --folder /var/lib/manse")
    home.type("chown --reference /var/lib/manse/ /var/lib/manse/serve.toml")


def kill(home: Operator) -> None:
    """Kill the server; systemd must restart it."""
    pid = home.main_pid()
    home.type("systemctl kill --signal=KILL --kill-whom=main manse")
    home.wait(
        lambda: home.shown("ActiveState", "NRestarts") == ["active", "1"], "not started again"
    )
    assert home.main_pid() != pid
    home.expect("Failed with result 'signal'")
    home.type("systemctl reset-failed manse")


def test_nothing_is_left_of_a_machine(tmp_path: Path) -> None:
    for name in ("failed", "mute", "killed", "empty"):
        (tmp_path / name).mkdir()
    with pytest.raises(Failed, match="a test failed"):
        fail_on(tmp_path / "failed", tmp_path / "empty")
    with (
        pytest.raises(Failed, match="it did not boot"),
        booted(tmp_path / "mute", tmp_path / "missing"),
    ):
        pass
    assert left() == []

    script = (
        "import sys, time; from pathlib import Path; from tests.deploy.booted import booted\n"
        "with booted(Path(sys.argv[1]), Path(sys.argv[2])) as machine:\n"
        "    print(machine.pid, flush=True)\n    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "killed"), str(tmp_path / "empty")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        root = Machine(int(process.stdout.readline())).root
        assert root.exists()
        process.kill()
    until, hierarchy = time.monotonic() + _PATIENCE_SECONDS, unified()
    assert hierarchy is not None
    while root.exists() or list(hierarchy.glob(f"manse-test-{process.pid}-*")):
        assert time.monotonic() < until
        time.sleep(0.05)
        # The next machine would do so too.
        clear(hierarchy)


def fail_on(folder: Path, shared: Path) -> None:
    """Boot a machine, start a service on it, and fail."""
    with booted(folder, shared) as machine:
        machine.run("systemd-run --quiet sleep 600")
        assert machine.root.exists()
        machine.run("echo a test failed; exit 1")


def faults(operator: Operator) -> list[str]:
    """Return the journal's lines that look like unexpected faults."""
    signs = re.compile(r"fail|Traceback|Error|cannot|Unknown|Ignor|made up|warn", re.IGNORECASE)
    lines = operator.machine.journal().splitlines()
    return [
        line
        for line in lines
        if signs.search(line) and not any(part in line for part in operator.expected)
    ]

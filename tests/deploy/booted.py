"""
A machine with a real systemd, made of namespaces: its root is empty but for the host's `/usr`.

`boot.sh` mounts the root and becomes the first process of the machine. The kernel kills this first
process when the test's process ends for any reason, and with it all other processes and mounts of
the machine.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import attrs

BOOT: Final = Path(__file__).with_name("boot.sh")
SYSTEMD: Final = Path("/usr/lib/systemd/systemd")
TOOLS: Final = (
    *("bash", "curl", "git", "make", "mount", "nsenter", "pivot_root", "pkill", "setpriv"),
    *("unshare", "useradd"),
)
NAMESPACES: Final = ("mount", "pid", "cgroup", "ipc", "uts", "net")
PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
FRIEND: Final = "friend"
"""A user of the machine who is neither root nor the service's user."""
_CGROUP: Final = "manse-test-"
_BOOT_SECONDS: Final = 60.0
_COMMAND_SECONDS: Final = 180.0
_END_SECONDS: Final = 10.0


class Failed(Exception):
    """A command of the machine failed, or it did not boot; the message has the output."""


@attrs.frozen
class Machine:
    """A booted machine."""

    pid: int
    """Number of the booted machine's first process, on the machine of the tests."""
    settings: Mapping[str, str] = attrs.field(factory=dict)
    """Environment variables of every command."""

    @property
    def root(self) -> Path:
        """The machine's root folder, as the host's root user reaches it."""
        return Path(f"/proc/{self.pid}/root")

    def run(self, command: str, user: str = "root") -> str:
        """Run a command line as a logged-in user and return its output.

        Root has an umask of 077, as some administrators set it. Raises `Failed`.
        """
        home = "/root" if user == "root" else f"/home/{user}"
        given = {"HOME": home, "PATH": PATH, "LC_ALL": "C.UTF-8", **self.settings}
        own = () if user == "root" else become(user)
        script = f"umask {'077' if user == 'root' else '022'}; cd {home}; {command}"
        done = subprocess.run(
            [*self._entered(), *own, "bash", "-ec", script],
            env=given,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_COMMAND_SECONDS,
            check=False,
        )
        if done.returncode:
            raise Failed(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    @contextmanager
    def running(self, command: str, user: str) -> Iterator[subprocess.Popen[str]]:
        """Run a command line in the background, and end it on leaving the context."""
        process = subprocess.Popen(
            [*self._entered(), *become(user), "bash", "-c", f"cd; exec {command}"],
            env={"HOME": f"/home/{user}", "PATH": PATH, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            yield process
        finally:
            # It is a child of nsenter, which passes no signal on.
            with suppress(Failed):
                self.run(f"pkill -KILL --uid {user}")
            process.communicate(timeout=_END_SECONDS)

    def journal(self) -> str:
        """Return the log of the service, with what systemd logged about it."""
        return self.run("journalctl --no-pager --unit manse")

    def _entered(self) -> tuple[str, ...]:
        return ("nsenter", f"--target={self.pid}", *(f"--{name}" for name in NAMESPACES), "--")


def become(user: str) -> tuple[str, ...]:
    """Return a command prefix that switches to a user of the machine without PAM."""
    return ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--")


def why_not() -> str | None:
    """Return the reason why this computer cannot boot a test machine; None if it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root of a Linux can make it"
    missing = [tool for tool in TOOLS if shutil.which(tool, path=PATH) is None]
    if missing or not SYSTEMD.exists():
        return f"not installed: {', '.join([*missing, *([] if SYSTEMD.exists() else ['systemd'])])}"
    if not Path("/bin").is_symlink():
        return "/bin and /lib are not part of /usr"
    if python() is None:
        return "/usr has no Python 3.11 with venv"
    if unified() is None:
        return "no cgroup2 is mounted for writing"
    options = (*(f"--{name}" for name in NAMESPACES), "--fork")
    tried = subprocess.run(
        ["unshare", *options, "mount", "-t", "sysfs", "-o", "ro", "sysfs", "/mnt"],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"no namespaces: {tried.stderr.strip()}" if tried.returncode else None


def python() -> str | None:
    """Return the version of the Python that `make setup` takes in `/usr`, as in `3.11`."""
    for name in ("python3.14", "python3.13", "python3.12", "python3.11", "python3"):
        script = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
        with suppress(FileNotFoundError):
            done = subprocess.run(
                [f"/usr/bin/{name}", "-c", script], capture_output=True, text=True, check=False
            )
            if done.returncode == 0 and int(done.stdout.split(".")[1]) >= 11:
                return done.stdout.strip()
    return None


def unified() -> Path | None:
    """Return the mount point of cgroup2, or None if it is not writable."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
    found = [Path(at) for _, at, kind, how, *_ in mounts if kind == "cgroup2" and "rw" in how]
    return found[0] if found else None


@contextmanager
def booted(
    folder: Path, shared: Path, settings: Mapping[str, str] | None = None
) -> Iterator[Machine]:
    """
    Boot a machine; at the end, stop it and remove all that it has left on the host.

    Args:
        folder: empty folder for its root.
        shared: folder that it sees read-only at `/mnt`.
        settings: environment variables of its commands.
    """
    hierarchy = unified()
    assert hierarchy is not None
    clear(hierarchy)
    cgroup = hierarchy / f"{_CGROUP}{os.getpid()}-{folder.name}"
    cgroup.mkdir()
    # `unshare` ends with this process, and its child with it: then the kernel ends all others.
    inner = ("unshare", *(f"--{name}" for name in NAMESPACES), "--fork", "--kill-child")
    script = 'echo $$ >"$0" && exec "$@"'
    command = ("setpriv", "--pdeathsig", "KILL", *inner, "sh", str(BOOT), str(folder), str(shared))
    try:
        with (folder.parent / f"{folder.name}.boot").open("w+") as said:
            outer = subprocess.Popen(
                ["sh", "-c", script, str(cgroup / "cgroup.procs"), *command],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )
            try:
                yield _up(outer, settings or {}, Path(said.name))
            finally:
                outer.kill()
                outer.wait(_END_SECONDS)
    finally:
        _wait_empty(cgroup)
        clear(hierarchy)


def _up(outer: subprocess.Popen[bytes], settings: Mapping[str, str], said: Path) -> Machine:
    """Wait until the machine has booted. Raises `Failed`."""
    until, state = time.monotonic() + _BOOT_SECONDS, "nothing"
    while time.monotonic() < until and outer.poll() is None:
        children = Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text("ascii").split()
        if children and Path(f"/proc/{children[0]}/exe").readlink() == SYSTEMD:
            machine = Machine(int(children[0]), settings)
            try:
                state = machine.run("systemctl is-system-running || true").strip()
            except Failed as error:
                state = str(error)
            if state == "running":
                machine.run(f"useradd --create-home --user-group {FRIEND}")
                return machine
        time.sleep(0.1)
    raise Failed(f"it did not boot: {state}\n{said.read_text('utf-8')}")


def _wait_empty(cgroup: Path) -> None:
    """Wait until no process is left in a cgroup."""
    until = time.monotonic() + _END_SECONDS
    while "populated 1" in (cgroup / "cgroup.events").read_text("ascii"):
        assert time.monotonic() < until, f"{cgroup} still has processes"
        time.sleep(0.02)


def clear(hierarchy: Path) -> None:
    """Remove empty cgroups of ended machines, including those of killed tests."""
    for top in hierarchy.glob(f"{_CGROUP}*"):
        for each in (*sorted(top.rglob("*/"), reverse=True), top):
            with suppress(OSError):
                each.rmdir()


def left() -> Sequence[str]:
    """Return what remains of this process's machines: cgroups, and mounts below them."""
    hierarchy = unified()
    assert hierarchy is not None
    groups = [str(path) for path in hierarchy.glob(f"{_CGROUP}{os.getpid()}-*")]
    mounts = Path("/proc/self/mounts").read_text("utf-8").splitlines()
    return groups + [line for line in mounts if line.startswith("manse ")]

"""Stand-ins for `systemctl` and `journalctl`: enough of systemd to run one of our units.

They create the state and cache folders for the unit's user, start the unit's command as that user,
wait until the service reports ready, and stop it as systemd does. The service gets no home but the
unit's, as under systemd. `useradd` does nothing. The unit's limits and sandboxing are ignored.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import attrs

USER: Final = 64999
"""The user of the service, instead of one that systemd makes up."""
READY_SECONDS: Final = 60.0


@attrs.frozen
class Manager:
    """A stand-in for systemd on a test machine."""

    machine: Path
    """The folder that stands for the machine's root."""

    @property
    def _pid(self) -> Path:
        return self.machine / "run" / "manse.pid"

    @property
    def journal(self) -> Path:
        """The file that receives the service's output."""
        return self.machine / "run" / "journal"

    def settings(self) -> dict[str, str]:
        """Read the unit file from the folder where systemd looks for it."""
        text = (self.machine / "etc/systemd/system/manse.service").read_text("utf-8")
        pairs = (line.partition("=") for line in text.splitlines() if not line.startswith("#"))
        return {name: given for name, _, given in pairs if given}

    def pid(self) -> int | None:
        """Return the process id of the service, or None if it does not run."""
        if not self._pid.exists():
            return None
        pid = int(self._pid.read_text("utf-8"))
        state = Path(f"/proc/{pid}/stat")
        try:
            return None if state.read_text("utf-8").rpartition(")")[2].split()[0] == "Z" else pid
        except FileNotFoundError:
            return None

    def start(self) -> int:
        """Start the service and wait until it reports ready. Returns the exit status."""
        if self.pid() is not None:
            return 0
        unit = self.settings()
        assert unit["Type"] == "notify"
        user = USER if os.geteuid() == 0 and unit["DynamicUser"] == "yes" else None
        own_folder(self.machine / "var" / "lib" / unit["StateDirectory"], user)
        own_folder(self.machine / "var" / "cache" / unit["CacheDirectory"], user)
        command, *given = (
            text.replace("%S", f"{self.machine}/var/lib").replace("%C", f"{self.machine}/var/cache")
            for text in (unit["ExecStart"], *unit["Environment"].split())
        )
        command = command.replace("/opt/", f"{self.machine}/opt/")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            # A name that is no file's, which any user reaches.
            told.bind(f"\0{self.machine}/notify/{os.getpid()}")
            told.settimeout(READY_SECONDS)
            self.journal.parent.mkdir(exist_ok=True)
            with self.journal.open("ab") as journal:
                service = subprocess.Popen(
                    # Other programs of this machine may have the usual port.
                    [*command.split(), *os.environ["MANSE_TEST_SERVE"].split()],
                    cwd="/",
                    # No home but the unit's: systemd knows none without libnss-systemd.
                    env={
                        "PATH": "/usr/bin:/bin",
                        **dict(one.split("=", 1) for one in given),
                        "NOTIFY_SOCKET": f"@{self.machine}/notify/{os.getpid()}",
                    },
                    user=user,
                    group=user,
                    extra_groups=None if user is None else [],
                    umask=int(unit["UMask"], 8),
                    stdin=subprocess.DEVNULL,
                    stdout=journal,
                    stderr=journal,
                    start_new_session=True,
                )
            self._pid.write_text(str(service.pid), "utf-8")
            return 0 if said_ready(told, service) else 1

    def stop(self) -> int:
        """Stop the service as systemd does. Returns 1 if it had to be killed."""
        pid = self.pid()
        if pid is None:
            return 0
        os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + float(self.settings()["TimeoutStopSec"])
        while time.monotonic() < until:
            if self.pid() is None:
                return 0
            time.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        return 1

    def reload(self) -> int:
        """Run the unit's reload command."""
        text = (self.machine / "etc/systemd/system/manse.service").read_text("utf-8")
        for line in text.splitlines():
            if not line.startswith("ExecReload="):
                continue
            command = line.partition("=")[2].replace("$MAINPID", str(self.pid()))
            command = command.replace("%S", f"{self.machine}/var/lib")
            command = command.replace("/opt/", f"{self.machine}/opt/")
            status = subprocess.run(command.split(), check=False).returncode
            if status:
                return status
        return 0

    def obey(self, arguments: list[str]) -> int:
        """Carry out a `systemctl` command line. Returns the exit status."""
        match [word for word in arguments if word != "--now"]:
            case ["daemon-reload"]:
                return 0
            case ["is-active", "manse"]:
                print("inactive" if self.pid() is None else "active")
                return 3 if self.pid() is None else 0
            case ["start" | "enable", "manse"]:
                return self.start()
            case ["stop", "manse"]:
                return self.stop()
            case ["restart", "manse"]:
                return self.stop() or self.start()
            case ["reload", "manse"]:
                return self.reload()
        print(f"systemctl: {arguments} is not known here", file=sys.stderr)
        return 2


def own_folder(folder: Path, user: int | None) -> None:
    """Create the state folder and give it, with its contents, to the given user."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if user is None or folder.stat().st_uid == user:
        return
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user, user)


def said_ready(told: socket.socket, service: "subprocess.Popen[bytes]") -> bool:
    """Wait until a service reports ready or exits. Returns True if it is ready."""
    told.settimeout(0.1)
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until and service.poll() is None:
        try:
            if b"READY=1" in told.recv(4096).split(b"\n"):
                return True
        except TimeoutError:
            continue
    return False


def main(arguments: list[str]) -> int:
    """Run one of the stand-in commands for the machine that the environment names."""
    name, *rest = arguments
    manager = Manager(Path(os.environ["MANSE_TEST_MACHINE"]))
    if name in {"useradd", "chown"}:
        # The user of the tests has a number alone, as one that systemd makes up.
        return 0
    if name == "journalctl":
        print(manager.journal.read_text("utf-8"))
        return 0
    return manager.obey(rest)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

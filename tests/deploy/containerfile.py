"""Runs the steps of a Containerfile without a container engine, in a folder instead of the root.

Paths below `/build`, `/opt` and `/var` are moved below that folder; the base image is the Python of
this machine. If the tests run as root, steps of another user run as that user; otherwise all of
them run as the user who runs the tests.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

from deploy.checking import bare

_OWN: Final = re.compile(r"(?<![\w/])/(?=(?:build|opt|var)\b)")
_PYTHONS: Final = ("/usr/local/bin/python3", "/usr/bin/python3")
_ENOUGH: Final = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))"


@attrs.frozen
class Step:
    """An instruction of the Containerfile with its arguments."""

    word: str
    rest: str


@attrs.frozen
class Image:
    """The result of the steps, and the settings for running it."""

    root: Path
    environment: Mapping[str, str]
    user: int | None
    """The user id of the process; None if this process may not change to another."""
    command: Sequence[str]
    health: Sequence[str]

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the container's command with further arguments."""
        return subprocess.Popen(
            [*self.command, *arguments],
            cwd="/",
            env=self.environment,
            user=self.user,
            group=self.user,
            extra_groups=None if self.user is None else [],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command as in the running container."""
        return subprocess.run(
            command,
            cwd="/",
            env=self.environment,
            user=self.user,
            group=self.user,
            extra_groups=None if self.user is None else [],
            capture_output=True,
            text=True,
            check=False,
        )


def steps(text: str) -> list[Step]:
    """Parse a Containerfile that has one instruction per line, as ours has."""
    lines = (line.strip() for line in text.splitlines())
    found = (line.partition(" ") for line in lines if line and not line.startswith("#"))
    return [Step(word, rest.strip()) for word, _, rest in found]


def build(text: str, context: Path, root: Path) -> Image:
    """Run the steps of a file in a folder. Raises CalledProcessError if one fails."""
    user = int(value(text, "USER").partition(":")[0]) if os.geteuid() == 0 else None
    python = base_python(user)
    folder = root
    environment = bare(os.environ, root)
    environment["PATH"] = f"{Path(python).parent}:/usr/local/bin:/usr/bin:/bin"
    for step in steps(text):
        rest = _OWN.sub(f"{root}/", step.rest)
        match step.word:
            case "FROM":
                folder = root
            case "WORKDIR":
                folder = Path(rest)
                folder.mkdir(parents=True, exist_ok=True)
            case "COPY":
                _copy(rest, context, folder)
            case "RUN":
                _run(rest, folder, environment)
            case "ENV":
                name, _, given = rest.partition("=")
                environment[name] = given
    entry = json.loads(value(text, "ENTRYPOINT")) + json.loads(value(text, "CMD"))
    health = json.loads(value(text, "HEALTHCHECK").partition("CMD ")[2])
    shutil.rmtree(root / "build")
    programs = root / "opt" / "manse" / "bin"
    return Image(root, environment, user, _found(entry, programs), _found(health, programs))


def value(text: str, word: str) -> str:
    """Return the arguments of the last instruction of a kind."""
    return [step.rest for step in steps(text) if step.word == word][-1]


def base_python(user: int | None) -> str:
    """Return a Python that can make environments and that the container's user can run."""
    own = str(getattr(sys, "_base_executable", sys.executable))
    for python in (*_PYTHONS, own):
        if not Path(python).exists():
            continue
        tried = subprocess.run(
            [python, "-c", _ENOUGH], user=user, cwd="/", capture_output=True, check=False
        )
        if tried.returncode == 0:
            return python
    raise FileNotFoundError("no Python here that another user can run and that has venv")


def _found(command: Sequence[str], programs: Path) -> list[str]:
    return [str(programs / command[0]), *command[1:]]


def _copy(rest: str, context: Path, folder: Path) -> None:
    *sources, target = rest.split()
    if sources[0].startswith("--from="):
        # Both stages lie in one folder here.
        assert sources[1:] == [target]
        return
    goal = folder / target
    for name in sources:
        if (context / name).is_dir():
            shutil.copytree(context / name, goal, dirs_exist_ok=True)
        else:
            copy = goal / Path(name).name if len(sources) > 1 or target.endswith("/") else goal
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(context / name, copy)


def _run(command: str, folder: Path, environment: Mapping[str, str]) -> None:
    if os.geteuid():
        # Only root can give a folder away.
        command = re.sub(r" -([og]) \d+", "", command)
    subprocess.run(["sh", "-ec", command], cwd=folder, env=environment, umask=0o022, check=True)

"""
Checks that the built files work in an environment without any other part of Manse.

Each archive is installed by pip into a new environment, as by `pipx install FILE`, far away from
the checkout. Pip downloads the dependencies from its configured index.
"""

import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from deploy.building import CHECKSUMS, Built, digest

_VERIFIED: Final = "OK"
"""The last line of `manse demo` if the log of its game was verified."""
_OURS: Final = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")


class Unfit(Exception):
    """A built file does not work; the text holds the command and its output."""


def check(built: Built, named: str, tell: Callable[[str], None], *, newest: bool) -> None:
    """
    Install and try each archive in an empty environment.

    Args:
        named: the release and commit that `manse --version` has to print.
        tell: receives a line for each successful check.
        newest: whether to install the wheel with the newest versions of all dependencies too. If
            not, only the locked versions are used, which do not change by themselves.

    Raises:
        Unfit: a checksum is wrong, an installation fails, or a command fails.
    """
    check_sums(built.checksums)
    tell(f"the checksums of {CHECKSUMS}")
    locked = pins(built.lock.read_text("utf-8"))
    ways = [("the wheel", built.wheel, locked), ("the source archive", built.sdist, locked)]
    if newest:
        ways.append(("the wheel with the newest of what it depends on", built.wheel, ""))
    for place, (name, archive, constraints) in enumerate(ways):
        with tempfile.TemporaryDirectory() as scratch:
            programs = install(Path(scratch), archive, constraints)
            # The source archive becomes the same wheel, so one game with locked versions is enough.
            try_out(programs, Path(scratch), named, plays=place != 1)
        tell(f"{name}: it installs, names its commit, and serves{' and plays' * (place != 1)}")


def check_sums(path: Path) -> None:
    """Compare every file in a list of checksums. Raise Unfit if a file has changed."""
    for line in path.read_text("utf-8").splitlines():
        wanted, _, name = line.partition("  ")
        if digest(path.with_name(name)) != wanted:
            raise Unfit(f"{name} is not the file that {path.name} names")


def pins(lock: str) -> str:
    """Return the versions of a lock without their hashes, as constraints for pip."""
    return "\n".join(re.findall(r"^([\w.-]+==[^\\\n]+?) *\\?$", lock, re.MULTILINE)) + "\n"


def install(folder: Path, archive: Path, constraints: str) -> Path:
    """Install an archive into an empty environment; return the folder of its programs."""
    venv.create(folder / "venv", with_pip=True, symlinks=True)
    programs = folder / "venv" / "bin"
    file = folder / "constraints.txt"
    file.write_text(constraints, "utf-8")
    # Said by the environment, so that what the archive is built with keeps to it too.
    run(
        [str(programs / "python"), "-m", "pip", "install", "--quiet", str(archive)],
        folder,
        PIP_CONSTRAINT=str(file),
    )
    return programs


def try_out(programs: Path, folder: Path, named: str, *, plays: bool) -> None:
    """Try the installed command: its version, `serve --check` and, with `plays`, a game of bots."""
    manse = str(programs / "manse")
    said = run([manse, "--version"], folder)
    if said != f"manse {named}\n":
        raise Unfit(f"manse --version says {said!r}, not {named}")
    run([manse, "serve", "--check"], folder)
    if plays:
        story = run([manse, "demo", "--language", "en"], folder)
        if story.splitlines()[-1] != _VERIFIED:
            raise Unfit(f"manse demo did not end with a game that was verified:\n{story}")


def run(command: Sequence[str], folder: Path, **settings: str) -> str:
    """Run a program in a folder and return its output. Raise Unfit if the program fails."""
    done = subprocess.run(  # noqa: S603 (programs that were just installed)
        command,
        cwd=folder,
        env=bare(os.environ, folder) | settings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Unfit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def bare(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return an environment without variables of another Python, with a folder as its home."""
    kept = {name: value for name, value in environment.items() if name not in _OURS}
    # The `manse` of the environment that runs this check must not be found.
    programs = str(Path(sys.executable).parent)
    path = os.pathsep.join(
        each for each in kept.get("PATH", "").split(os.pathsep) if each != programs
    )
    return kept | {"PATH": path, "HOME": str(folder), "MANSE_HOME": str(folder / "manse")}

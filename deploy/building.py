"""
Builds the files of a release from the tracked files.

The same commit gives the same bytes anywhere, if it is built with the locked tools: every file in
an archive has the mode that git knows and the time of the commit (`SOURCE_DATE_EPOCH`), and files
are sorted by name. Archives contain nothing about the machine, its user or its clock.
"""

import fnmatch
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

import attrs

from commands.release import BUILT

CHECKSUMS: Final = "SHA256SUMS"
CONTAINERFILE: Final = PurePosixPath("deploy/Containerfile")
LOCK: Final = PurePosixPath("requirements/run.txt")
EPOCH: Final = "SOURCE_DATE_EPOCH"
_EXECUTABLE: Final = "100755"
_UMASK: Final = 0o022


@attrs.frozen
class Built:
    """The files of a release."""

    wheel: Path
    sdist: Path
    context: Path
    """The sources of the container: `deploy/Containerfile` and the files that it copies."""
    lock: Path
    """The pinned dependencies with hashes, in the format of pip."""
    checksums: Path
    """The SHA-256 of each of the other files, in the format of `sha256sum --check`."""


def build(root: Path, folder: Path, epoch: int) -> Built:
    """
    Write the files of a release into a folder, which must be empty or missing.

    Args:
        root: a checkout, whose untracked files are left out.
        folder: the folder for the files of the release.
        epoch: seconds since 1970, the time of every file in the archives.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "source"
        export(root, source)
        note_commit(root, source)
        version = version_of(source)
        sdist = _sdist(source, folder, epoch)
        wheel = _wheel(sdist, Path(scratch) / "unpacked", folder, epoch)
        context = folder / f"manse-{version}-container.tar.gz"
        pack(context, source, context_of(source), epoch)
        lock = folder / f"manse-{version}-requirements.txt"
        shutil.copyfile(source / LOCK, lock)
    made = (wheel, sdist, context, lock)
    lines = sorted(f"{digest(path)}  {path.name}\n" for path in made)
    checksums = folder / CHECKSUMS
    checksums.write_text("".join(lines), "utf-8")
    return Built(wheel, sdist, context, lock, checksums)


def export(root: Path, target: Path) -> None:
    """
    Copy the tracked files of a checkout in their current state, with the modes of git.

    If there is no repository, copy all files that git would not ignore.
    """
    found = _tracked(root) if (root / ".git").exists() else _not_ignored(root)
    for name, is_executable in found:
        copy = target / name
        copy.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        shutil.copyfile(root / name, copy)
        copy.chmod(0o755 if is_executable else 0o644)


def note_commit(root: Path, source: Path) -> None:
    """Write the commit of a checkout into a copy of the checkout, for `manse --version`."""
    if (commit := commit_of(root)) and (source / "commands").is_dir():
        (source / "commands" / BUILT).write_text(f"{commit}\n", "ascii")


def commit_of(root: Path) -> str:
    """Return the commit of a checkout; empty if there is no repository."""
    return git(root, "rev-parse", "HEAD").strip() if (root / ".git").exists() else ""


def version_of(root: Path) -> str:
    """Return the version that a checkout declares."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def time_of_commit(root: Path) -> int:
    """Return `SOURCE_DATE_EPOCH`, else the time of the last commit, else of pyproject.toml."""
    if told := os.environ.get(EPOCH):
        return int(told)
    if (root / ".git").exists():
        return int(git(root, "log", "-1", "--format=%ct"))
    return int((root / "pyproject.toml").stat().st_mtime)


def context_of(source: Path) -> list[Path]:
    """Return the Containerfile, and the files that it copies from its context, sorted."""
    text = (source / CONTAINERFILE).read_text("utf-8")
    lines = re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE)
    tops = [
        source / CONTAINERFILE,
        *(source / name for line in lines for name in line.split()[:-1]),
    ]
    files = (path for top in tops for path in (top.rglob("*") if top.is_dir() else (top,)))
    return sorted({path.relative_to(source) for path in files if path.is_file()})


def pack(archive: Path, folder: Path, names: Iterable[Path], epoch: int) -> None:
    """Write files of a folder into a tar archive whose bytes depend only on names and contents."""
    with (
        archive.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=epoch) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name in names:
            path = folder / name
            # A new entry has no owner: nothing of this machine gets into the archive.
            entry = tarfile.TarInfo(name.as_posix())
            entry.size, entry.mtime = path.stat().st_size, epoch
            entry.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            with path.open("rb") as file:
                tar.addfile(entry, file)


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def git(root: Path, *arguments: str) -> str:
    """Run git on a checkout and return its output. Raise OSError if git fails."""
    # The build runs the code of the checkout anyway, so another user may own it.
    done = subprocess.run(  # noqa: S603 (git, and arguments of ours)
        ["git", "-c", f"safe.directory={root}", "-C", str(root), *arguments],  # noqa: S607 (git is found as for the caller)
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise OSError(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout


def _tracked(root: Path) -> list[tuple[str, bool]]:
    """Return each existing tracked file, and whether it is executable."""
    entries = git(root, "ls-files", "--stage", "-z").split("\0")
    parts = [entry.partition("\t") for entry in entries if entry]
    # A tracked file may be deleted in the checkout and not yet in git.
    return [
        (name, head.split()[0] == _EXECUTABLE) for head, _, name in parts if (root / name).is_file()
    ]


def _not_ignored(root: Path) -> list[tuple[str, bool]]:
    """Return each file without an ignored name in its path, and whether it is executable."""
    ignored = [line.strip("/") for line in (root / ".gitignore").read_text("utf-8").splitlines()]
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return [
        (str(path.relative_to(root)), bool(path.stat().st_mode & 0o100))
        for path in files
        if not any(
            fnmatch.fnmatch(part, each) for part in path.relative_to(root).parts for each in ignored
        )
    ]


def _sdist(source: Path, folder: Path, epoch: int) -> Path:
    """Build the source archive, and rewrite it because setuptools records the time and the user."""
    with tempfile.TemporaryDirectory() as scratch:
        made = _backend("build_sdist", source, Path(scratch), epoch)
        shutil.unpack_archive(made, scratch)
        (unpacked,) = (path for path in Path(scratch).iterdir() if path.is_dir())
        names = sorted(path.relative_to(scratch) for path in unpacked.rglob("*") if path.is_file())
        pack(folder / made.name, Path(scratch), names, epoch)
        return folder / made.name


def _wheel(sdist: Path, scratch: Path, folder: Path, epoch: int) -> Path:
    """Build the wheel from the source archive, like an installation from that archive."""
    shutil.unpack_archive(sdist, scratch)
    (source,) = scratch.iterdir()
    return _backend("build_wheel", source, folder, epoch)


def _backend(hook: str, source: Path, folder: Path, epoch: int) -> Path:
    """Call a hook of the build backend in a separate process; return the file that it made."""
    script = (
        "import sys\n"
        "from setuptools import build_meta\n"
        "print(getattr(build_meta, sys.argv[1])(sys.argv[2]))\n"
    )
    command = [sys.executable, "-c", script, hook, str(folder)]
    said = _run(command, source, {**os.environ, EPOCH: str(epoch)})
    return folder / said.splitlines()[-1]


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(  # noqa: S603 (our own interpreter)
        command,
        cwd=folder,
        env=environment,
        # Modes of files that the build writes must not depend on the caller.
        umask=_UMASK,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise OSError(f"{command[-2]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout

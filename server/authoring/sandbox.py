"""
Checks packs from strangers in a child process, which may crash without harm to the server.

Nothing but the child's output is used. If it takes too long or too much, the pack
is refused like any other that is over a limit.
"""

import json
import subprocess
from pathlib import Path

from content.reading.files import read_files
from content.reading.mistakes import ContentErrors
from content.reading.remarks import Level, Remark
from server.authoring import judge
from server.authoring.packs import PackFiles, find, game_with, zip_bytes
from server.own_program import command_of

SECONDS = 60
"""How long the child may take by the clock on the wall."""

JUDGE = "import sys; from server.authoring.judge import main; sys.exit(main())"


def remarks_on(name: str) -> tuple[Remark, ...]:
    """
    Return all that is to be said about a pack, read by a child process within limits.

    Args:
        name: a folder, a zip, or the id of a pack that comes along.
    """
    path = Path(name)
    try:
        if name.endswith(".zip") and not path.is_dir():
            return in_child("zip", path.stem, zip_bytes(path))
        if game_with(name) is not None:
            return in_child("folder", name, judge.packed(find(name).files))
        where = path.resolve()
        return in_child("folder", where.name, judge.packed(read_files(where)))
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)


def judged(name: str) -> PackFiles:
    """
    Return the files of a pack in which a child found no mistake.

    Raises:
        ContentErrors: it found some, or could not read it.
    """
    mistakes = [r for r in remarks_on(name) if r.level == Level.MISTAKE.value]
    if mistakes:
        raise ContentErrors(remark.as_mistake() for remark in mistakes)
    return find(name)


def in_child(kind: str, name: str, data: bytes) -> tuple[Remark, ...]:
    """Let the child judge a pack."""
    try:
        done = subprocess.run(  # noqa: S603 (our own program)
            command_of(JUDGE, kind, name.replace("\0", "")),
            input=data,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return (_refused(name, f"takes longer than {SECONDS} seconds to read"),)
    last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    if done.returncode < 0 or last.startswith("MemoryError"):
        most = f"{judge.CPU_SECONDS} seconds or {judge.MEMORY_BYTES >> 20} MiB"
        return (_refused(name, f"takes more than {most} to read"),)
    if done.returncode:
        return (Remark(name, 1, 1, "", f"cannot be read: {last}"),)
    return tuple(Remark(**json.loads(line)) for line in done.stdout.splitlines())


def _refused(name: str, reason: str) -> Remark:
    return Remark(name, 1, 1, "", f"{reason}; make it smaller")

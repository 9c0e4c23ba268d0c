"""
Checks packs from strangers in a child process, which may crash without harm to the server.

Nothing but the child's output is used. If it takes too long or too much, the pack
is refused like any other that is over a limit.
"""

import json
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import attrs

from content.reading.gaps import Gap, with_stubs
from content.reading.mistakes import ContentErrors
from content.reading.remarks import Level, Remark
from server.packs import judge
from server.packs.sources import PackFiles, find, from_zip, zip_bytes
from server.system.own_program import command_of

SECONDS = 60
"""Wall-clock seconds that the child may take."""

JUDGE = "import sys; from server.packs.judge import main; sys.exit(main())"


def remarks_on(name: str) -> tuple[Remark, ...]:
    """
    Return the remarks on a pack, read by a child process within limits.

    Args:
        name: a folder, a zip, or the id of a bundled pack.
    """
    try:
        return _remarks(raw_pack(name))
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)


def judged(name: str, was_judged: Callable[[PackFiles], bool] = lambda _: False) -> PackFiles:
    """
    Return the files of a pack in which a child found no mistake: the very bytes that it was given.

    Args:
        name: a folder, or a zip.
        was_judged: whether these files were found to be without a mistake before; then no child
            is asked. A zip is opened by no other process than a child, until that has read it.

    Raises:
        ContentErrors: it found some, or could not read it.
    """
    if not name.endswith(".zip") and was_judged(found := find(name)):
        return found
    raw = raw_pack(name)
    _raise_mistakes(_remarks(raw))
    return _files_of(raw)


def _raise_mistakes(remarks: Iterable[Remark]) -> None:
    mistakes = [remark for remark in remarks if remark.level == Level.MISTAKE.value]
    if mistakes:
        raise ContentErrors(remark.as_mistake() for remark in mistakes)


def draft(name: str) -> tuple[PackFiles, tuple[Gap, ...]]:
    """
    Return the files of a pack with stubs for the words that it lacks, and these gaps.

    Args:
        name: as for `judged`, and trusted no more.

    Raises:
        ContentErrors: a child found other mistakes in it, or could not read it.
    """
    raw = raw_pack(name)
    gaps = _gaps(raw)
    if not gaps:
        return judged(name), ()
    files = _files_of(raw)
    whole = {**files.files, **with_stubs(files.files, gaps)}
    _raise_mistakes(in_child("folder", files.pack_id, judge.packed(whole)))
    return PackFiles(files.pack_id, whole), gaps


def gaps_of(name: str) -> tuple[PackFiles, tuple[Gap, ...]]:
    """Return the files of a pack, and its gaps as a child tells them. ContentErrors as `find`."""
    raw = raw_pack(name)
    return _files_of(raw), _gaps(raw)


@attrs.frozen
class RawPack:
    """A pack as read from the disk, not parsed or unzipped, and as the child gets it."""

    kind: str
    """`folder` or `zip`."""
    name: str
    data: bytes


def raw_pack(name: str) -> RawPack:
    """Read a pack from the disk without parsing it. ContentErrors if it cannot be read."""
    path = Path(name)
    if name.endswith(".zip") and not path.is_dir():
        return RawPack("zip", path.stem, zip_bytes(path))
    found = find(name)
    return RawPack("folder", found.pack_id, judge.packed(found.files))


def _files_of(raw: RawPack) -> PackFiles:
    """Return the files of a pack; of a zip, once a child has read it."""
    if raw.kind == "zip":
        return from_zip(raw.name, raw.data)
    return PackFiles(raw.name, dict(judge.unpacked(raw.data)))


def _gaps(raw: RawPack) -> tuple[Gap, ...]:
    """Return the words that a pack lacks, as a child tells them; nothing where it cannot."""
    done = _asked(raw.kind, raw.name, raw.data, "words")
    if isinstance(done, Remark) or done.returncode:
        return ()
    read = (json.loads(line) for line in done.stdout.splitlines())
    return tuple(
        Gap(**{**gap, "fields": tuple(gap["fields"]), "slots": tuple(gap["slots"])}) for gap in read
    )


def _remarks(raw: RawPack) -> tuple[Remark, ...]:
    return in_child(raw.kind, raw.name, raw.data)


def in_child(kind: str, name: str, data: bytes) -> tuple[Remark, ...]:
    """Let the child judge a pack."""
    done = _asked(kind, name, data)
    if isinstance(done, Remark):
        return (done,)
    last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    if done.returncode < 0 or last.startswith("MemoryError"):
        most = f"{judge.CPU_SECONDS} seconds or {judge.MEMORY_BYTES >> 20} MiB"
        return (_refused(name, f"takes more than {most} to read"),)
    if done.returncode:
        return (Remark(name, 1, 1, "", f"cannot be read: {last}"),)
    return tuple(Remark(**json.loads(line)) for line in done.stdout.splitlines())


def _asked(
    kind: str, name: str, data: bytes, *what: str
) -> "subprocess.CompletedProcess[bytes] | Remark":
    """Run the child on a pack; return its result, or a remark if it takes too long."""
    try:
        return subprocess.run(  # noqa: S603 (our own program)
            command_of(JUDGE, kind, name.replace("\0", ""), *what),
            input=data,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return _refused(name, f"takes longer than {SECONDS} seconds to read")


def _refused(name: str, reason: str) -> Remark:
    return Remark(name, 1, 1, "", f"{reason}; make it smaller")

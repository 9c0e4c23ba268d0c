"""Checks untrusted packs in a child process, which may crash without harm to the server.

The child's output alone decides whether a pack passes. If the child exceeds its time or memory, the
pack is refused like any other over a limit.
"""

import json
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import attrs

from content.reading.files import names_below
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
        found = _remarks(raw_pack(name))
        path = Path(name)
        return (*found, *judge.remarks_on_names(names_below(path))) if path.is_dir() else found
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)


def judged(name: str, was_judged: Callable[[PackFiles], bool] = lambda _: False) -> PackFiles:
    """
    Return the files of a pack as a child read them, if the child found no mistake in them.

    Args:
        name: a folder, or a zip.
        was_judged: returns True if these files passed before; then no child runs. A zip is always
            read by a child first.

    Raises:
        ContentErrors: the child found mistakes, or could not read the pack.
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
    Return the files of a pack with stubs for its missing words, and these gaps.

    Args:
        name: a folder, or a zip; as untrusted as in `judged`.

    Raises:
        ContentErrors: a child found other mistakes in the pack, or could not read it.
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
    """
    Return the files of a pack, and the gaps that a child reports.

    Raises:
        ContentErrors: the pack cannot be read, or it is a zip in which the child found mistakes.
    """
    raw = raw_pack(name)
    gaps = _gaps(raw)
    if raw.kind == "zip" and not gaps:
        # Or the child could not read it, and nobody else may open it.
        _raise_mistakes(_remarks(raw))
    return _files_of(raw), gaps


@attrs.frozen
class RawPack:
    """A pack as read from the disk, not parsed or unzipped; the child receives it in this form."""

    kind: str
    """`folder` or `zip`."""
    name: str
    data: bytes


def raw_pack(name: str) -> RawPack:
    """
    Read a pack from the disk without parsing it.

    Raises:
        ContentErrors: it cannot be read.
    """
    path = Path(name)
    if name.endswith(".zip") and not path.is_dir():
        return RawPack("zip", path.stem, zip_bytes(path))
    found = find(name)
    return RawPack("folder", found.pack_id, judge.packed(found.files))


def _files_of(raw: RawPack) -> PackFiles:
    """Return the files of a raw pack. The caller lets a child read a zip first."""
    if raw.kind == "zip":
        return from_zip(raw.name, raw.data)
    return PackFiles(raw.name, dict(judge.unpacked(raw.data)))


def _gaps(raw: RawPack) -> tuple[Gap, ...]:
    """Return the missing words that a child reports; none if the child fails."""
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
    """Return the remarks of the child on a pack; one remark if it exceeds a limit or fails."""
    done = _asked(kind, name, data)
    if isinstance(done, Remark):
        return (done,)
    last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    # A signal ended it, as at the limit of CPU time, or it had no memory left.
    if done.returncode < 0 or last.startswith("MemoryError"):
        most = f"{judge.CPU_SECONDS} seconds or {judge.MEMORY_BYTES >> 20} MiB"
        return (_refused(name, f"takes more than {most} to read"),)
    if done.returncode:
        return (Remark(name, 1, 1, "", f"cannot be read: {last}"),)
    return tuple(Remark(**json.loads(line)) for line in done.stdout.splitlines())


def _asked(
    kind: str, name: str, data: bytes, *what: str
) -> "subprocess.CompletedProcess[bytes] | Remark":
    """Run the child on a pack. Return the finished process, or a remark if it takes too long."""
    try:
        return subprocess.run(  # noqa: S603 (our own program)
            # An argument of a process cannot hold a NUL.
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

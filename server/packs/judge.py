"""
The child process that checks a stranger's pack, within limits that the operating system enforces.

The pack comes on the standard input. The process writes its remarks, or the gaps of the pack, to
the standard output, one JSON object a line. Whatever the pack does to the parser, the process gets
no more CPU time and memory than the limits allow, and writes nothing to files.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping

import attrs

from content.plugs import packs
from content.reading.files import left_out
from content.reading.gaps import Gap
from content.reading.mistakes import ContentErrors, Place
from content.reading.remarks import Remark
from protocol import codec
from server.packs.sources import from_zip
from server.packs.zips import names_in

CPU_SECONDS = 30
MEMORY_BYTES = 1 << 30
"""Maximum bytes of the child's address space, most of which the interpreter uses."""


def main() -> int:
    """
    Judge the pack on the standard input, as the arguments specify.

    The arguments are `folder` or `zip`, the name of the pack, and `words` to get only its gaps.

    Returns:
        0 once everything is written.
    """
    kind, name, *what = sys.argv[1:]
    data = sys.stdin.buffer.read()
    # Before anything of the pack is parsed.
    limit()
    for said in gaps(kind, name, data) if what else judge(kind, name, data):
        sys.stdout.write(json.dumps(attrs.asdict(said), ensure_ascii=True) + "\n")
    sys.stdout.flush()
    return 0


def judge(kind: str, name: str, data: bytes) -> tuple[Remark, ...]:
    """Return the remarks on a pack: mistakes, findings, and files that a zip has in vain."""
    try:
        pack_id, files = files_in(kind, name, data)
        found = packs.remarks(pack_id, files)
        return (*found, *remarks_on_names(names_in(data))) if kind == "zip" else found
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)


def remarks_on_names(names: Iterable[str]) -> Iterator[Remark]:
    """Yield a finding for each file that is left out because of its ending."""
    for name, reason in left_out(names):
        yield Remark.of_finding(Place(name, 1, 1, ""), "", reason)


def gaps(kind: str, name: str, data: bytes) -> tuple[Gap, ...]:
    """Return the missing words of a pack; none if the pack cannot be read."""
    try:
        return packs.gaps(*files_in(kind, name, data))
    except ContentErrors:
        return ()


def files_in(kind: str, name: str, data: bytes) -> tuple[str, Mapping[str, bytes]]:
    """
    Return the id and the files of a pack from the bytes that `packed` made, or from a zip.

    Raises:
        ContentErrors: the zip cannot be read.
    """
    if kind == "zip":
        found = from_zip(name, data)
        return found.pack_id, found.files
    return name, dict(unpacked(data))


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return files as bytes for the child; each file is a value, since values are bounded."""
    parts = [codec.encode(pair, tuple[str, bytes]) for pair in sorted(files.items())]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def unpacked(data: bytes) -> list[tuple[str, bytes]]:
    """Return the files in bytes that `packed` made."""
    found, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        found.append(codec.decode(data[at + 4 : at + 4 + size], tuple[str, bytes]))
        at += 4 + size
    return found


def limit(cpu_seconds: int = CPU_SECONDS, memory_bytes: int = MEMORY_BYTES) -> None:
    """Set the limits of this process, on systems that have them."""
    try:
        import resource  # noqa: PLC0415 (not on every system)
    except ImportError:
        return
    for which, most in (
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_AS, memory_bytes),
        # No byte of any file: the child answers on a pipe.
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(which)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (least, least))


if __name__ == "__main__":
    sys.exit(main())

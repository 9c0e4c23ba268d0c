"""
The child process that plays a stranger's log again, within limits of the operating system.

The process reads the file and the packs from its input, and writes the result to its output as one
JSON object: the outcome, then the parameters of its words or the fields of the difference.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from content.plugs import packs
from content.reading.files import digest_of
from content.reading.mistakes import ContentErrors
from protocol.archive import load
from protocol.common.events import RoomOpened
from server.kernel.errors import TooManySteps
from server.kernel.replaying import OtherRules, play_again
from server.packs.judge import files_in, limit
from server.packs.shelf import PackShelf
from server.system.entropy import SystemEntropy

CPU_SECONDS = 240
MEMORY_BYTES = 1 << 30
"""Bytes of address space."""

_LENGTH_BYTES = 8


def main() -> int:
    """
    Play the log on the input, write the result to the output, and return 0.

    The arguments are the kinds of the packs that follow the log.
    """
    file, *others = unframed(sys.stdin.buffer.read())
    limit(CPU_SECONDS, MEMORY_BYTES)
    json.dump(result(file, list(zip(sys.argv[1:], others, strict=True))), sys.stdout)
    sys.stdout.flush()
    return 0


def result(file: bytes, others: Sequence[tuple[str, bytes]]) -> dict[str, Any]:
    """
    Return the result of playing a log again.

    Args:
        file: a whole file that was audited.
        others: the kind and the bytes of each pack beside the bundled ones.
    """
    archive = load(file)
    opened = archive.records[0].event
    assert isinstance(opened, RoomOpened)
    try:
        files = _files_of(opened.content_hash, others)
        if files is None:
            return {"outcome": "no_pack", "hash": opened.content_hash.hex()}
        shelf = PackShelf()
        # Its files are pinned by their hash, its id by the scenario.
        shelf.add(packs.load(opened.scenario.partition("/")[0], files))
    except ContentErrors as errors:
        return {"outcome": "bad_pack", "reason": str(errors)}
    try:
        found = play_again(archive, shelf, SystemEntropy())
    except OtherRules as other:
        return {"outcome": "other_rules", "version": other.version, "release": other.release}
    except TooManySteps:
        return {"outcome": "too_much"}
    if found is None:
        return {"outcome": "same"}
    return {"outcome": "differs", **attrs.asdict(found)}


def _files_of(digest: bytes, others: Sequence[tuple[str, bytes]]) -> Mapping[str, bytes] | None:
    """
    Return the files of the pack with this hash, bundled packs included; None if there is none.

    Raises:
        ContentErrors: a named pack cannot be used.
    """
    named = [files for _, files in (files_in(kind, "pack", data) for kind, data in others)]
    every = (*named, *(files for _, files in packs.base_packs()))
    return next((files for files in every if digest_of(files) == digest), None)


def framed(*parts: bytes) -> bytes:
    """Return several byte strings as one, for the child's input."""
    return b"".join(len(part).to_bytes(_LENGTH_BYTES, "big") + part for part in parts)


def unframed(data: bytes) -> list[bytes]:
    """Return the byte strings in the result of `framed`."""
    found, at = [], 0
    while at < len(data):
        begin = at + _LENGTH_BYTES
        at = begin + int.from_bytes(data[at:begin], "big")
        found.append(data[begin:at])
    return found

"""
The child process that plays a stranger's log again, within limits of the operating system.

The process reads the file and the packs from its input, and writes the result to its output as one
JSON object: the outcome, then the parameters of its words or the fields of the difference.
"""

import json
import sys
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import attrs

from content.plugs import packs
from content.reading.files import digest_of
from content.reading.mistakes import ContentErrors
from protocol.archive import Archive, load
from protocol.common.events import CampaignContinued, RoomOpened, ScenarioChosen
from protocol.common.table import FixedSetup, RoomTable
from server.kernel.errors import ContentNeeded, TooManySteps
from server.kernel.game import Ruleset
from server.kernel.replaying import OtherRules, play_again
from server.packs.judge import files_in, limit
from server.packs.shelf import PackShelf
from server.system.entropy import SystemEntropy

CPU_SECONDS = 240
MEMORY_BYTES = 1 << 30
"""Maximum bytes of the child's address space."""

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
    played = list(packs_of(archive))[-1]
    try:
        library = library_of(archive, others)
    except ContentErrors as errors:
        return {"outcome": "bad_pack", "reason": str(errors)}
    if played not in library.shelf.packs:
        return {"outcome": "no_pack", "hash": played.hex()}
    try:
        found = play_again(archive, library, SystemEntropy())
    except ContentNeeded as needed:
        return {"outcome": "no_earlier_pack", "hash": needed.digest.hex()}
    except OtherRules as other:
        return {"outcome": "other_rules", "version": other.version, "release": other.release}
    except TooManySteps:
        return {"outcome": "too_much"}
    if found is None:
        return {"outcome": "same"}
    return {"outcome": "differs", **attrs.asdict(found)}


@attrs.frozen
class KnownPacks:
    """A library that reports the content that it lacks."""

    shelf: PackShelf

    def ruleset(self, name: str) -> Ruleset:
        return self.shelf.ruleset(name)

    def content(self, room: RoomTable) -> Any:
        if room.content_hash not in self.shelf.packs:
            raise ContentNeeded(room.content_hash)
        return self.shelf.content(room)

    def setup_seed(self, setup: FixedSetup) -> bytes | None:
        return self.shelf.setup_seed(setup)


def library_of(archive: Archive, others: Sequence[tuple[str, bytes]]) -> KnownPacks:
    """
    Return a library with those packs of a log that are at hand.

    Args:
        archive: the log.
        others: the kind and the bytes of each pack beside the bundled ones.

    Raises:
        ContentErrors: a pack cannot be used.
    """
    named, shelf = packs_of(archive), PackShelf()
    for digest, files in _files_of(named, others).items():
        # Its files are pinned by their hash, its id by the scenario.
        shelf.add(packs.load(named[digest], files))
    return KnownPacks(shelf)


def packs_of(archive: Archive) -> Mapping[bytes, str]:
    """
    Return the ids of the packs that a log names, by hash; the pack that was played comes last.

    The host may choose a scenario of another pack before the game. Seats may have claimed roles and
    characters of the earlier pack by then, so that pack is needed too.
    """
    named: dict[bytes, str] = {}
    for record in archive.records:
        if isinstance(record.event, RoomOpened | ScenarioChosen | CampaignContinued):
            digest = record.event.content_hash
            # Moved to the end: the pack named last is the one that was played.
            named.pop(digest, None)
            named[digest] = record.event.scenario.partition("/")[0]
    return named


def _files_of(
    digests: Collection[bytes], others: Sequence[tuple[str, bytes]]
) -> Mapping[bytes, Mapping[str, bytes]]:
    """
    Return the files of the available packs, by hash, including bundled packs.

    Raises:
        ContentErrors: a named pack cannot be used.
    """
    named = [files for _, files in (files_in(kind, "pack", data) for kind, data in others)]
    every = (*named, *(files for _, files in packs.base_packs()))
    found = {digest_of(files): files for files in every}
    return {digest: found[digest] for digest in digests if digest in found}


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

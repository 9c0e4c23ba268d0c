"""Comparison of what a viewer was sent in two games, by byte and by time.

Commitments, salts, signatures and invitation codes are random in both games, so they are blanked
and their sizes kept. `test_entropy` tests that they are random.
"""

import functools
from collections.abc import Iterator, Sequence

import attrs

from protocol import codec, messages
from protocol.archive import Archive, load
from protocol.event import Cut
from protocol.messages import ServerMessage, encode_message
from tests.kernel.twins import blank

Heard = tuple[float, ServerMessage | str]
"""Message or line, with the virtual time in seconds."""


@attrs.frozen
class Difference:
    """First difference between what two viewers were sent."""

    at: int
    """Number of equal messages before the difference."""
    reason: str


def difference(first: Sequence[Heard], second: Sequence[Heard]) -> Difference | None:
    """Return the first difference that reveals different secrets, or None."""
    return unlike(blanked(first), blanked(second)) or _repeated(first, second)


def unlike(
    mine: Sequence[tuple[float, object]], theirs: Sequence[tuple[float, object]]
) -> Difference | None:
    """Return the first difference between two lists of blanked, timed messages."""
    for at, (one, other) in enumerate(zip(mine, theirs, strict=False)):
        if one != other:
            return Difference(at, _where(one, other))
    if len(mine) != len(theirs):
        return Difference(min(len(mine), len(theirs)), "one of them was sent more")
    return None


def _where(one: tuple[float, object], other: tuple[float, object]) -> str:
    if one[0] != other[0]:
        return f"at {one[0]} s and at {other[0]} s"
    first, second = one[1], other[1]
    if isinstance(first, tuple) and isinstance(second, tuple):
        for mine, theirs in zip(first, second, strict=False):
            if mine != theirs:
                return f"{str(mine)[:400]}\n{str(theirs)[:400]}"
        return f"{len(first)} and {len(second)} parts"
    return f"{str(first)[:400]}\n{str(second)[:400]}"


def blanked(heard: Sequence[Heard]) -> list[tuple[float, object]]:
    """Return timed messages with random values blanked and their sizes kept."""
    return list(_blanked(heard))


def _blanked(heard: Sequence[Heard]) -> Iterator[tuple[float, object]]:
    files: list[bytes] = []
    for time, message in heard:
        if isinstance(message, messages.ExportPart):
            files.append(message.data)
            if message.is_last:
                yield time, (message.serial, *_blanked_file(files))
                files.clear()
        else:
            yield time, message if isinstance(message, str) else _blanked_message(message)


def _blanked_message(message: ServerMessage) -> object:
    match message:
        case messages.Records():
            return (message.room_id, *map(_blanked_cut, message.cuts))
        case messages.InvitationMade():
            return message.room_id, message.seat, message.is_to_watch, len(message.code)
        case _:
            return encode_message(message)


def _blanked_cut(shown: Cut) -> object:
    return _blank(shown.public), tuple((slot, o.value) for slot, o in shown.openings)


@functools.lru_cache(maxsize=20_000)
def _blank(public: bytes) -> bytes:
    """Blank a record. The result is cached for all viewers."""
    return blank(public)


# Commitments ---------------------------------------------------------------------------------


def _repeated(first: Sequence[Heard], second: Sequence[Heard]) -> Difference | None:
    """Return the first commitment that is the same in both games, or None.

    Salts are random. A commitment that recurs in another game has a predictable salt, so its value
    can be found by trial.
    """
    mine = _commitments(first)
    for place, commitment in _commitments(second).items():
        if mine.get(place) == commitment:
            return Difference(place[1], f"the commitment {place[2]} of record {place[1]} again")
    return None


def _commitments(heard: Sequence[Heard]) -> dict[tuple[str, int, int], bytes]:
    """Return the commitments of the records shown, by room, sequence and slot."""
    return {
        (message.room_id, sequence, slot): commitment
        for _, message in heard
        if isinstance(message, messages.Records)
        for shown in message.cuts
        for sequence, slot, commitment in _secrets(shown.public)
    }


@functools.lru_cache(maxsize=20_000)
def _secrets(public: bytes) -> tuple[tuple[int, int, bytes], ...]:
    plain = codec.unpack(public)
    assert isinstance(plain, tuple)
    sequence = codec.from_plain(plain[0], int)
    secrets = codec.from_plain(plain[5], tuple[tuple[tuple[int, ...], bytes], ...])
    return tuple((sequence, slot, commitment) for slot, (_, commitment) in enumerate(secrets))


def _blanked_file(parts: list[bytes]) -> tuple[object, ...]:
    archive = _loaded(b"".join(parts))
    if archive.header.is_whole:
        # Everything is open in it by then, to everybody who sat there.
        return "the whole game", len(archive.cuts)
    shown = map(_blanked_cut, archive.cuts)
    return (archive.header, *map(len, parts), *shown, *archive.words)


@functools.lru_cache(maxsize=200)
def _loaded(data: bytes) -> Archive:
    """Load an archive. The result is cached, as each twin is compared with the first game's."""
    return load(data)

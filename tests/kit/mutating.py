"""Mutated bytes, and the number of them that a test run tries."""

import os
import random
from typing import Final

from protocol.codec import Plain, pack, unpack

LONG: Final = 100_000
"""Number of mutations in one run of the long tests; MANSE_MUTATIONS sets another number."""

_PIECES: Final = (
    b"\xff",
    b"\x00",
    b"\x90",
    b"\xdd",
    b"\xc7\x00\x05",
    b"\x81",
    b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
)
"""Bytes that begin something else in msgpack, or that the encoding does not have."""


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Return bytes with a few of them changed, cut out, repeated or added."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(changed) + 1)
        end = min(len(changed), at + dice.randint(1, 6))
        match dice.randrange(5):
            case 0 if at < len(changed):
                changed[at] ^= 1 << dice.randrange(8)
            case 1:
                del changed[at:end]
            case 2:
                changed[at:at] = changed[at:end]
            case 3:
                changed[at:at] = dice.randbytes(end - at)
            case _:
                changed[at:end] = dice.choice(_PIECES)
    return bytes(changed)


def revalued(payload: bytes, dice: random.Random) -> bytes:
    """Return a packed value with some parts replaced; it stays canonical."""
    return pack(_revalued(unpack(payload), dice))


def _revalued(value: Plain, dice: random.Random) -> Plain:
    if isinstance(value, tuple) and value:
        at = dice.randrange(len(value))
        # The tag of a message, which stands first, changes seldom: little lies behind that.
        at = at or dice.randrange(len(value))
        return (*value[:at], _revalued(value[at], dice), *value[at + 1 :])
    match value:
        case bool() | None:
            return dice.choice([True, False, None])
        case int():
            return dice.choice([value + 1, -1, 0, 2**53, 2**63, dice.randrange(300)])
        case str():
            return dice.choice([value[:-1], value + "é", "", value * 3, "\u202e" + value])
        case bytes():
            return dice.choice([value[:-1], value + b"\0", b"", dice.randbytes(len(value))])
        case _:
            return (None,)


def reframed(frames: list[bytes], dice: random.Random) -> list[bytes]:
    """Return payloads with one or two of them mutated; each stays one payload."""
    changed = list(frames)
    for _ in range(dice.randint(1, 2)):
        at = dice.randrange(len(changed))
        mutate = dice.choice([mutated, revalued, revalued])
        # What was mutated before can be packed no more.
        changed[at] = mutate(frames[at], dice) or b"\xc0"
    return changed


def long_rounds(percent: int, *, runs: int = 1) -> int:
    """
    Return the number of mutations that a long test tries in one run.

    Args:
        percent: the test's part of all mutations.
        runs: the number of runs over which the test spreads them, each with a seed of its own.
    """
    return int(os.environ.get("MANSE_MUTATIONS", LONG)) * percent // 100 // runs

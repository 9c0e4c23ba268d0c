"""What this game leaves to its campaign: the numbers of the campaign's counters, as bytes."""

from protocol import codec

MAX_CARRIED = 64
"""Numbers that a campaign carries over."""


def packed(numbers: tuple[int, ...]) -> bytes:
    """Return the bytes of some numbers, in the order of the campaign's counters."""
    return codec.encode(numbers, tuple[int, ...])


def numbers_in(shared: bytes) -> tuple[int, ...]:
    """Return the numbers that a game left. Malformed for bytes of something else."""
    numbers: tuple[int, ...] = codec.decode(shared, tuple[int, ...])
    return numbers

"""Encoding of a campaign's state: the numbers of its counters."""

from protocol import codec

MAX_CARRIED = 64
"""Maximum number of values that a campaign carries over."""


def packed(numbers: tuple[int, ...]) -> bytes:
    """Encode numbers, in the order of the campaign's counters."""
    return codec.encode(numbers, tuple[int, ...])


def numbers_in(shared: bytes) -> tuple[int, ...]:
    """Decode the numbers. Malformed if `shared` is not their encoding."""
    numbers: tuple[int, ...] = codec.decode(shared, tuple[int, ...])
    return numbers

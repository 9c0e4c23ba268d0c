"""Chunks: splits records into messages that fit a frame."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from protocol.bounds import MAX_CUTS

T = TypeVar("T")

MAX_RECORDS_BYTES = 60 * 1024
"""Maximum bytes of records in one message."""


def chunks_of(weighed: Iterable[tuple[int, T]]) -> Iterator[tuple[T, ...]]:
    """
    Yield records in messages that fit a frame.

    Args:
        weighed: each record with its approximate size in bytes. Only shown bytes count: otherwise
            the end of a message would reveal the length of other players' secrets.
    """
    chunk: list[T] = []
    size = 0
    for weight, shown in weighed:
        # A record above the limit still gets a message of its own.
        if chunk and (size + weight > MAX_RECORDS_BYTES or len(chunk) >= MAX_CUTS):
            yield tuple(chunk)
            chunk, size = [], 0
        chunk.append(shown)
        size += weight
    if chunk:
        yield tuple(chunk)

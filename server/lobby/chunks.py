"""Chunks: the records that are shown to a session, in messages that fit a frame."""

from collections.abc import Iterable, Iterator

from protocol.bounds import MAX_CUTS
from protocol.event import Cut

MAX_RECORDS_BYTES = 60 * 1024
"""Bytes of records in one message."""


def chunks_of(cuts: Iterable[Cut]) -> Iterator[tuple[Cut, ...]]:
    """
    Yield what is shown in messages that fit a frame.

    Only what is shown has a weight here: else where a message ends would tell how long the secrets
    of others are.
    """
    chunk: list[Cut] = []
    size = 0
    for shown in cuts:
        openings = sum(len(one.salt) + len(one.value) + 16 for _, one in shown.openings)
        weight = len(shown.public) + openings + 64
        if chunk and (size + weight > MAX_RECORDS_BYTES or len(chunk) >= MAX_CUTS):
            yield tuple(chunk)
            chunk, size = [], 0
        chunk.append(shown)
        size += weight
    if chunk:
        yield tuple(chunk)

"""
Records that are read once per process, by whoever reads the same bytes.

All clients of a test server read each record, and many tests begin with the same game. Records are
frozen, so that all readers may have the same one. What is refused is read again each time.
"""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from protocol import event
from protocol.event import Cut, Record

MOST: Final = 4096
"""Maximum number of kept records. Each full collection of garbage walks them."""

_known = functools.lru_cache(MOST)(event.read)
_remembering = True


def remember() -> None:
    """Keep what was read; to be called before others import the reader."""
    event.read = _read


@contextmanager
def reading_each_time() -> Iterator[None]:
    """Let each client read for itself, where costs are counted."""
    global _remembering  # noqa: PLW0603 (importers hold the function)
    _remembering = False
    try:
        yield
    finally:
        _remembering = True


def _read(room_id: str, shown: Cut) -> Record:
    return _known(room_id, shown) if _remembering else _known.__wrapped__(room_id, shown)

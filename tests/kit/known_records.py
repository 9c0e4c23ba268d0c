"""
Records that are read once per process, whoever is sent them.

In most tests several clients follow one table, and twin games have most of their bytes in common;
a program of a player reads each record once. What a record is read as depends on its bytes and on
the kinds that are declared, and is frozen.
"""

import functools
from typing import Any, Final

from client.model import tables
from protocol import archive

_MOST: Final = 20_000
"""Maximum number of records that are kept; an evening has some two thousand."""


def remember_read() -> None:
    """Let clients, and readers of files, keep what they read."""
    readers: tuple[Any, ...] = (tables, archive)
    for module in readers:
        module.read = functools.lru_cache(maxsize=_MOST)(module.read)

"""
Our server as `bench.soak` runs it: a normal server that reports what it holds.

SIGUSR2 requests a report: a line of JSON in the file that MANSE_SOAK names. With
MANSE_SOAK_TRACE=N, the report also has the bytes that Python holds, and the lines of code whose
memory has grown most since the Nth report. Tracing makes the server several times slower.
"""

import ctypes
import gc
import json
import os
import signal
import sys
import threading
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar, Final

from twisted.internet import reactor as twisted_reactor

from server.commands.cli import serve

FILE: Final = "MANSE_SOAK"
TRACE: Final = "MANSE_SOAK_TRACE"
_MOST: Final = 30
"""The number of types, and of lines of code, in a report."""

_reactor: Any = twisted_reactor


def held() -> dict[str, Any]:
    """Return a report of the memory and the objects of this process."""
    # Garbage that waits for a collection would look like growth.
    gc.collect()
    objects = gc.get_objects()
    # Those that were frozen after loading are not among them, and grow no more.
    kinds = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in objects)
    return {
        "descriptors": len(os.listdir("/proc/self/fd")),  # noqa: PTH208 (names alone are counted)
        "threads": threading.active_count(),
        "delayed_calls": len(_reactor.getDelayedCalls()),
        "objects": len(objects),
        "blocks": sys.getallocatedblocks(),
        **_of_the_allocator(),
        "kinds": dict(kinds.most_common(_MOST)),
    }


_MALLINFO2: Final = (
    *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
    *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
)


class _Mallinfo2(ctypes.Structure):
    """glibc's figures of its heap, in bytes."""

    _fields_: ClassVar = [(name, ctypes.c_size_t) for name in _MALLINFO2]


def _of_the_allocator() -> dict[str, int]:
    """
    Return the used and the free size of the C library's heap.

    Objects of more than 512 bytes and those of OpenSSL are in this heap. The result is empty if the
    library does not report the sizes.
    """
    mallinfo2 = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo2 is None:
        return {}
    mallinfo2.restype = _Mallinfo2
    told = mallinfo2()
    return {
        "heap_used_kib": (told.uordblks + told.hblkhd) // 1024,
        "heap_free_kib": told.fordblks // 1024,
    }


def main(argv: list[str]) -> int:
    """Serve; return the exit status."""
    times = 0
    path, taken = Path(os.environ[FILE]), list[tracemalloc.Snapshot]()
    warm = int(os.environ.get(TRACE, "0"))
    if warm:
        tracemalloc.start()

    def write(*_: object) -> None:
        nonlocal times
        times += 1
        told = held()
        if tracemalloc.is_tracing() and times >= warm:
            taken.append(tracemalloc.take_snapshot())
            grown = taken[-1].compare_to(taken[0], "lineno")[:_MOST]
            told["grown"] = [[one.size_diff, str(one.traceback)] for one in grown]
            told["traced_kib"] = sum(one.size for one in taken[-1].traces) // 1024
            del taken[1:]
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")

    # Not in the middle of whatever runs: in a turn of its own.
    signal.signal(signal.SIGUSR2, lambda *_: _reactor.callFromThread(write))
    return serve(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

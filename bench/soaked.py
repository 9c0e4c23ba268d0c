"""
Our server as `bench.soak` runs it: as ever, but it writes down what it holds whenever it is asked.

SIGUSR2 asks. A line of JSON for each time goes to the file that MANSE_SOAK names. With
MANSE_SOAK_TRACE set, the lines of code that hold the most more memory than at the first time are
written beside it; that makes the server several times slower.
"""

import gc
import json
import os
import signal
import sys
import threading
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any, Final

from twisted.internet import reactor as twisted_reactor

from server.cli import serve

FILE: Final = "MANSE_SOAK"
TRACE: Final = "MANSE_SOAK_TRACE"
_MOST: Final = 30
"""Types, and lines of code, that are named."""

_reactor: Any = twisted_reactor


def held() -> dict[str, Any]:
    """Return what this process holds now."""
    gc.collect()
    objects = gc.get_objects()
    # Those that were frozen after loading are not among them, and grow no more.
    kinds = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in objects)
    return {
        "descriptors": len(os.listdir("/proc/self/fd")),  # noqa: PTH208 (names alone are counted)
        "threads": threading.active_count(),
        "delayed_calls": len(_reactor.getDelayedCalls()),
        "objects": len(objects),
        "kinds": dict(kinds.most_common(_MOST)),
    }


def main(argv: list[str]) -> int:
    """Serve. Returns the exit status."""
    path, first = Path(os.environ[FILE]), list[tracemalloc.Snapshot]()
    if os.environ.get(TRACE):
        tracemalloc.start(12)

    def write(*_: object) -> None:
        told = held()
        if tracemalloc.is_tracing():
            first.append(now := tracemalloc.take_snapshot())
            grown = now.compare_to(first[0], "traceback")[:_MOST]
            told["grown"] = [[one.size_diff, *one.traceback.format(4)] for one in grown]
            del first[1:]
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")

    # Not in the middle of whatever runs: in a turn of its own.
    signal.signal(signal.SIGUSR2, lambda *_: _reactor.callFromThread(write))
    return serve(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

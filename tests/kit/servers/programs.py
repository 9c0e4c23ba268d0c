"""Test programs with a reactor of their own; they report in lines of JSON."""

import json
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from twisted.internet.defer import Deferred


def tell(**facts: object) -> None:
    """Print a line of JSON."""
    print(json.dumps(facts), flush=True)  # noqa: T201 (a line for the test)


def run(main: Callable[[Path], Coroutine[Any, Any, None]], reactor: Any) -> None:
    """Run `main` on the folder that the command line names, then stop the reactor."""

    def begin() -> None:
        done = Deferred.fromCoroutine(main(Path(sys.argv[1])))
        _ = done.addErrback(lambda failure: tell(step="failed", why=failure.getTraceback()))
        _ = done.addBoth(lambda _: reactor.stop())

    reactor.callWhenRunning(begin)
    reactor.run()

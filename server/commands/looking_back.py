"""
The commands `manse play`, `join`, `watch` and `replay` of an installation with rules and content.

They are the client's. Here they are given the function that looks back on finished games, which
the client, knowing no rules, cannot do itself.
"""

import subprocess
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from client.commands import cli
from client.model.hindsight import LookedBack

if TYPE_CHECKING:
    from twisted.python.failure import Failure


def play(argv: list[str]) -> int:
    """Open the lobby of a server."""
    return cli.play(argv, look_back_later)


def join(argv: list[str]) -> int:
    """Take the seat that an invitation offers."""
    return cli.join(argv, look_back_later)


def watch(argv: list[str]) -> int:
    """Watch the table of an invitation."""
    return cli.watch(argv, look_back_later)


def replay(argv: list[str]) -> int:
    """Show an exported game, or convert it to a document."""
    return cli.replay(argv, look_back)


def look_back(data: bytes, ruleset: str, packs: Sequence[str]) -> LookedBack:
    """Look back on an audited file, in a child process."""
    # Loaded only when it is needed.
    from server.packs import remembering  # noqa: PLC0415 (so that --help is quick)

    return remembering.look_back(data, ruleset, packs)


def look_back_later(
    data: bytes, ruleset: str, done: Callable[[LookedBack], None]
) -> Callable[[], None]:
    """
    Look back on a fetched game while the client goes on, and call `done` with the result.

    The end of the client ends the child process, and so does the function that is returned; then
    `done` is not called.
    """
    from twisted.internet import reactor  # noqa: PLC0415 (the same)
    from twisted.internet.threads import deferToThread  # noqa: PLC0415 (the same)

    from server.packs import remembering  # noqa: PLC0415 (the same)

    children: list[subprocess.Popen[bytes]] = []
    is_over = threading.Event()

    def started(child: "subprocess.Popen[bytes]") -> None:
        # In this order: the client may end at the same time, in its own thread.
        children.append(child)
        if is_over.is_set():
            child.kill()

    def end() -> None:
        is_over.set()
        for child in children:
            child.kill()

    def cancel() -> None:
        if not is_over.is_set():
            loop.removeSystemEventTrigger(trigger)
            end()

    def looked_back(found: LookedBack) -> None:
        if not is_over.is_set():
            cancel()
            done(found)

    def failed(_: "Failure") -> None:
        looked_back(LookedBack(problem="no_process"))

    # Twisted does not declare the type.
    loop: Any = reactor
    # The reactor waits for its threads when it stops.
    trigger = loop.addSystemEventTrigger("before", "shutdown", end)
    looking = deferToThread(remembering.look_back, data, ruleset, (), started)
    _ = looking.addCallbacks(looked_back, failed)
    return cancel

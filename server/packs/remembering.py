"""
Looks back on exported games, in a child process with limits.

File and pack come from strangers. The child is `server.packs.rememberer`; only its output is used.
"""

import subprocess
from collections.abc import Callable, Sequence

from client.model.hindsight import LookedBack
from content.reading.mistakes import ContentErrors
from protocol import codec
from protocol.errors import ProtocolError
from server.kernel.hindsight import has_hindsight
from server.packs.player import framed
from server.packs.playing import SECONDS
from server.packs.rememberer import Remembered
from server.packs.sandbox import raw_pack
from server.system.own_program import command_of

REMEMBERER = "import sys; from server.packs.rememberer import main; sys.exit(main())"


def _unwatched(_: "subprocess.Popen[bytes]") -> None: ...


def look_back(
    data: bytes,
    ruleset: str,
    packs: Sequence[str],
    started: Callable[["subprocess.Popen[bytes]"], None] = _unwatched,
) -> LookedBack:
    """
    Return the hindsight on a finished game; none in a game whose rules have none to give.

    Args:
        data: the file, which was audited.
        ruleset: the game of the file, which may be a stranger's word.
        packs: folders or zips of packs, beside the bundled ones.
        started: given the child, which it may kill, now or later.
    """
    if not has_hindsight(ruleset):
        return LookedBack()
    try:
        raw = [raw_pack(name) for name in packs]
        with subprocess.Popen(  # noqa: S603 (our own program)
            command_of(REMEMBERER, *(pack.kind for pack in raw)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as child:
            try:
                started(child)
                input_ = framed(data, *(pack.data for pack in raw))
                output, _ = child.communicate(input_, timeout=SECONDS)
            finally:
                child.kill()
        told = codec.decode(output, Remembered)
    except ContentErrors:
        return LookedBack(problem="bad_pack")
    except (subprocess.TimeoutExpired, ProtocolError):
        # A child that failed has written nothing, or half.
        return LookedBack(problem="too_much")
    except OSError:
        return LookedBack(problem="no_process")
    problem = "" if told.outcome == "found" else told.outcome
    return LookedBack(told.found, told.words, problem)

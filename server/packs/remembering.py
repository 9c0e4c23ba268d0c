"""
Looks back on exported games, in a child process with limits.

File and pack come from strangers. The child is `server.packs.rememberer`; only its output is used.
"""

import subprocess
from collections.abc import Sequence

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


def look_back(data: bytes, ruleset: str, packs: Sequence[str]) -> LookedBack:
    """
    Return the hindsight on a finished game; none in a game whose rules have none to give.

    Args:
        data: the file, which was audited.
        ruleset: the game of the file, which may be a stranger's word.
        packs: folders or zips of packs, beside the bundled ones.
    """
    if not has_hindsight(ruleset):
        return LookedBack()
    try:
        raw = [raw_pack(name) for name in packs]
        done = subprocess.run(  # noqa: S603 (our own program)
            command_of(REMEMBERER, *(pack.kind for pack in raw)),
            input=framed(data, *(pack.data for pack in raw)),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        told = codec.decode(done.stdout, Remembered)
    except ContentErrors:
        return LookedBack(problem="bad_pack")
    except (subprocess.TimeoutExpired, ProtocolError):
        # A child that failed has written nothing, or half.
        return LookedBack(problem="too_much")
    problem = "" if told.outcome == "found" else told.outcome
    return LookedBack(told.found, told.words, problem)

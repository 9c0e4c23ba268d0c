"""
Plays the log of an exported game again, in a child process with limits.

File and pack come from strangers. The child, `server.packs.player`, bounds the steps of the rules,
its time and its memory, and can write no file; only its output is used.
"""

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from client.commands.played_again import Outcome, PlayedAgain
from content.reading.mistakes import ContentErrors
from protocol.difference import Difference
from server.kernel.replaying import MOST_STEPS
from server.packs import player
from server.packs.sandbox import raw_pack
from server.system.own_program import command_of

SECONDS = 300
"""Wall-clock seconds that the child may take."""

PLAYER = "import sys; from server.packs.player import main; sys.exit(main())"


def play_again(data: bytes, packs: Sequence[str]) -> PlayedAgain:
    """
    Play the log of a whole file again, in a child.

    A child that fails, or takes too long, yields `Outcome.TOO_MUCH`.

    Args:
        data: the file, which was audited.
        packs: folders or zips of packs, beside the bundled ones.
    """
    try:
        raw = [raw_pack(name) for name in packs]
    except ContentErrors as errors:
        return PlayedAgain(Outcome.BAD_PACK, (str(errors),))
    try:
        done = subprocess.run(  # noqa: S603 (our own program)
            command_of(PLAYER, *(pack.kind for pack in raw)),
            input=player.framed(data, *(pack.data for pack in raw)),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return _too_much()
    if done.returncode:
        return _too_much()
    return _result(json.loads(done.stdout))


def _too_much() -> PlayedAgain:
    limits = (player.CPU_SECONDS, player.MEMORY_BYTES >> 20, MOST_STEPS)
    return PlayedAgain(Outcome.TOO_MUCH, limits)


def _result(told: dict[str, Any]) -> PlayedAgain:
    outcome = Outcome(told.pop("outcome"))
    if outcome is Outcome.DIFFERS:
        return PlayedAgain(outcome, difference=Difference(**told))
    if outcome is Outcome.TOO_MUCH:
        return _too_much()
    return PlayedAgain(outcome, tuple(told.values()))

"""
The command `manse verify` of an installation that has rules and content.

The client checks what all games share and the laws of each game; this command also plays the log
again.
"""

from collections.abc import Sequence

from client.commands import verify
from client.commands.played_again import PlayedAgain


def main(argv: list[str]) -> int:
    """Verify one file; return the result of `client.commands.verify.main`."""
    return verify.main(argv, _play_again)


def _play_again(data: bytes, packs: Sequence[str]) -> PlayedAgain:
    # Loaded only when a log is played.
    from server.packs.playing import play_again  # noqa: PLC0415 (so that --help is quick)

    return play_again(data, packs)

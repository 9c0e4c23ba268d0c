"""
The command `manse tutorial`: a first round in the real client, with the coach's advice.

The server is started as by `manse solo`, in a separate folder, with the tutorial's pack beside the
core. Tables of the tutorial are not listed among other games.
"""

import os
import sys
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from content.plugs.packs import bundled
from protocol.plugs import games
from server.commands.solo import add_client, for_client, play_beside
from server.system.command_line import parser_for
from server.system.own_program import command_of

PACK = "tutorial"
"""
Id of the tutorial pack, which has one scenario. The tutorial plays the first game that has such a
pack.
"""
WANTS_GAME = 3
"""Exit status of the client if the player goes on to a real game."""
FOLDER = "tutorial"
"""Name of the server's folder."""
_SOLO: Final = "from server.commands.solo import main; sys.exit(main(sys.argv[1:]))"


def main(argv: list[str]) -> int:
    """Play the tutorial, then a real game if the player wants one. Returns the exit status."""
    parser = parser_for("tutorial", argv)
    add_client(parser)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args(argv)
    arguments = [*for_client(options), *(["--again"] if options.again else [])]
    found = tutorial_pack()
    (file,) = (found / "scenarios").iterdir()
    scenario = f"{PACK}/{file.name.removesuffix('.yaml')}"
    with resources.as_file(found) as pack:
        status = play_beside(parser, FOLDER, [str(pack)], [*arguments, "--tutorial", scenario])
    if status == WANTS_GAME:
        # `manse solo` replaces this process: a process can install only one reactor.
        command = command_of(_SOLO, *for_client(options))
        # `execv` discards what is still in the buffers.
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(command[0], command)  # noqa: S606 (our own program)
    return status


def tutorial_pack() -> Traversable:
    found = (bundled(game) / PACK for game in games())
    return next(folder for folder in found if folder.is_dir())

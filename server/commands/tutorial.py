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
from server.commands.solo import add_client, add_side, for_client, for_side, play_beside
from server.system.command_line import parser_for
from server.system.game_option import typed
from server.system.own_program import command_of

PACK = "tutorial"
"""Id of the tutorial pack of a game."""
WANTS_GAME = 3
"""Exit status of the client if the player goes on to a real game."""
FOLDER = "tutorial"
"""Name of the server's folder. The tutorial of each game but the first has a folder of its own."""
_SOLO: Final = "from server.commands.solo import main; sys.exit(main(sys.argv[1:]))"


def main(argv: list[str]) -> int:
    """Play the tutorial, then a real game if the player wants one. Returns the exit status."""
    parser = parser_for("tutorial", argv)
    add_client(parser)
    add_side(parser)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args(argv)
    folders = tutorial_packs()
    game = options.game or next(iter(folders))
    if game not in folders:
        said = parser.word("no_tutorial", typed(game), ", ".join(map(typed, folders)))
        parser.error(said)
    arguments = [*for_client(options), *for_side(options), *(["--again"] if options.again else [])]
    folder = FOLDER if game == next(iter(folders)) else f"{FOLDER}-{typed(game)}"
    with resources.as_file(folders[game]) as pack:
        arguments += ["--tutorial", PACK]
        status = play_beside(parser, folder, [str(pack)], arguments, game=game)
    if status == WANTS_GAME:
        # `manse solo` replaces this process: a process can install only one reactor.
        command = command_of(_SOLO, *for_client(options), *for_side(options))
        # `execv` discards what is still in the buffers.
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(command[0], command)  # noqa: S606 (our own program)
    return status


def tutorial_packs() -> dict[str, Traversable]:
    """Return the tutorial pack of each game that has one."""
    found = {game: bundled(game) / PACK for game in games()}
    return {game: folder for game, folder in found.items() if folder.is_dir()}

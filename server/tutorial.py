"""
The command `manse tutorial`: a first round in the real client, with a coach beside it.

The server is one like that of `manse solo`, in a folder of its own, with the tutorial's pack beside
the core. Its tables are not listed among other games.
"""

from importlib import resources
from importlib.resources.abc import Traversable

from protocol.plugs import games
from server import solo
from server.cli import parser_for
from server.solo import add_client, for_client, play_beside

PACK = "tutorial"
"""The pack that is played, of the first game that has one; it has one scenario."""
WANTS_GAME = 3
"""The exit status of the client whose player goes on to a real game."""
FOLDER = "tutorial"
"""Of its server, beside those of other servers."""


def main(argv: list[str]) -> int:
    """Play the tutorial, then a real game if that is wanted. Returns the exit status."""
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
    return solo.main(for_client(options)) if status == WANTS_GAME else status


def tutorial_pack() -> Traversable:
    """Return the folder of the tutorial's pack."""
    packs = resources.files("content") / "packs"
    found = (packs / game / PACK for game in games())
    return next(folder for folder in found if folder.is_dir())

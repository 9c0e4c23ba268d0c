"""
The command `manse tutorial`: a first round in the real client, with a coach beside it.

The server is one like that of `manse solo`, in a folder of its own, with the tutorial's pack beside
the core. Its tables are not listed among other games.
"""

from importlib import resources
from importlib.resources.abc import Traversable

from protocol.plugs import games
from server.cli import parser_for
from server.solo import add_client, for_client, play_beside

PACK = "tutorial"
"""The pack that is played, of the first game that has one; it has one scenario."""
FOLDER = "tutorial"
"""Of its server, beside those of other servers."""


def main(argv: list[str]) -> int:
    """Play the tutorial until the player leaves. Returns the exit status."""
    parser = parser_for("tutorial", argv)
    add_client(parser)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args(argv)
    arguments = [*for_client(options), *(["--again"] if options.again else [])]
    found = tutorial_pack()
    (file,) = (found / "scenarios").iterdir()
    scenario = f"{PACK}/{file.name.removesuffix('.yaml')}"
    with resources.as_file(found) as pack:
        return play_beside(parser, FOLDER, [str(pack)], [*arguments, "--tutorial", scenario])


def tutorial_pack() -> Traversable:
    """Return the folder of the tutorial's pack."""
    packs = resources.files("content") / "packs"
    found = (packs / game / PACK for game in games())
    return next(folder for folder in found if folder.is_dir())

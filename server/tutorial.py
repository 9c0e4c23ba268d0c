"""
The command `manse tutorial`: a first round in the real client, with a coach beside it.

The server is one like that of `manse solo`, in a folder of its own, with the tutorial's pack beside
the core. Nothing of it turns up among other games.
"""

from importlib import resources

from server.cli import parser_for
from server.solo import add_client, for_client, play_beside

SCENARIO = "tutorial/practice-house"
"""What is played."""
FOLDER = "tutorial"
"""Of its server, beside those of other servers."""


def main(argv: list[str]) -> int:
    """Play the tutorial until the player leaves. Returns the exit status."""
    parser = parser_for("tutorial", argv)
    add_client(parser)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args(argv)
    arguments = [*for_client(options), *(["--again"] if options.again else [])]
    packs = resources.files("content") / "packs" / "second_edition"
    with resources.as_file(packs / "tutorial") as pack:
        return play_beside(parser, FOLDER, [str(pack)], [*arguments, "--tutorial", SCENARIO])

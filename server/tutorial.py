"""
The command `manse tutorial`: a first round in the real client, with a coach beside it.

The server is one like that of `manse solo`, in a folder of its own, with the tutorial's pack beside
the core. Nothing of it turns up among other games.
"""

import argparse
import sys
from importlib import resources

from server.child import ServerChild, ServerDied
from server.cli import default_folder

SCENARIO = "tutorial/practice-house"
"""What is played."""
FOLDER = "tutorial"
"""Of its server, beside those of other servers."""

DESCRIPTION = (
    "Learn to play, in about ten minutes: a small game on this machine, in the client that you "
    "will play with, which explains the game as it comes up and the keys as you need them. Leave "
    "whenever you like; it goes on where you stopped."
)
EXAMPLES = """
examples:
  manse tutorial                       on a full screen
  manse tutorial --plain               line by line, for screen readers and slow lines
  manse tutorial --language fr         in French
  manse tutorial --again               from the beginning, whatever was begun before

Afterwards: manse solo plays whole evenings alone, manse serve and manse play with friends.
"""


def main(argv: list[str]) -> int:
    """Play the tutorial until the player leaves. Returns the exit status."""
    options = _parser().parse_args(argv)
    folder = default_folder().with_name(FOLDER)
    # The client is loaded while the server starts.
    from client.cli import play  # noqa: PLC0415 (so that --help is quick)

    try:
        with (
            resources.as_file(resources.files("content") / "packs" / "tutorial") as pack,
            ServerChild(folder, [str(pack)]) as server,
        ):
            arguments = ["--server", server.address, "--fingerprint", server.fingerprint]
            arguments += ["--plain"] if options.plain else []
            arguments += ["--language", options.language] if options.language else []
            arguments += ["--no-edit"] if options.no_edit else []
            arguments += ["--again"] if options.again else []
            return play([*arguments, "--tutorial", SCENARIO])
    except ServerDied as died:
        print(f"manse tutorial: {died}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manse tutorial",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--plain", action="store_true", help="lines instead of a full screen")
    parser.add_argument("--language", choices=("en", "fr"), help="default: your environment's")
    parser.add_argument("--no-edit", action="store_true", help="with --plain: bare lines")
    parser.add_argument("--again", action="store_true", help="begin anew, whatever went before")
    return parser

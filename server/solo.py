"""
The command `manse solo`: a server on this machine alone, and the client that plays on it.

The server is a process of its own, as it would be for friends: TLS on the loopback interface, a
database file, the same rooms. It ends with the client; the game is kept.
"""

import argparse
import sys

from server.child import ServerChild, ServerDied
from server.cli import default_folder

DESCRIPTION = (
    "Play alone on this machine: starts a server that nobody else can reach, and the client. "
    "With one player at the table you lead two investigators. Leave whenever you like; the game "
    "is kept and offered again."
)


def main(argv: list[str]) -> int:
    """Play until the player leaves. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="manse solo", description=DESCRIPTION)
    parser.add_argument("--plain", action="store_true", help="lines instead of a full screen")
    parser.add_argument("--no-edit", action="store_true", help="with --plain: bare lines")
    parser.add_argument("--language", default=None, help="en or fr (default: your environment's)")
    parser.add_argument(
        "--pack",
        action="append",
        default=[],
        metavar="PACK",
        help="a folder or zip of scenarios to offer beside the core pack; may be repeated",
    )
    options = parser.parse_args(argv)
    # The client is loaded while the server starts.
    from client.cli import play  # noqa: PLC0415 (so that --help is quick)

    try:
        with ServerChild(default_folder().with_name("solo"), options.pack) as server:
            arguments = ["--server", server.address, "--fingerprint", server.fingerprint]
            arguments += ["--plain"] if options.plain else []
            arguments += ["--no-edit"] if options.no_edit else []
            arguments += ["--language", options.language] if options.language else []
            return play([*arguments, "--solo"])
    except ServerDied as died:
        print(f"manse solo: {died}", file=sys.stderr)
        return 1

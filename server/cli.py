"""The command `manse serve`: a server for friends, until it is told to stop."""

import argparse
import contextlib
import os
import sys
from pathlib import Path

import platformdirs

from protocol.invitation import DEFAULT_PORT

EXAMPLES = """
examples:
  manse serve                          listen on every network of this machine
  manse serve --public-address play.example.org:4470
                                       the address that invitations carry
  manse serve --host 127.0.0.1 --port 0 --json
                                       on this machine alone, on any free port, for a script

Friends need the address and one invitation: start `manse play` on your own machine, open a table,
and send them the line that it shows. Everything that the server must not lose lies in its folder;
keep a copy of it, above all of identity.pem, which your friends' clients know this server by.
"""


def serve(argv: list[str]) -> int:
    """Run a server until Ctrl-C or a signal ends it. Returns the exit status."""
    options = _parser().parse_args(argv)
    if (options.certificate is None) != (options.certificate_key is None):
        return _fail("--certificate and --certificate-key go together")
    os.umask(0o077)
    # Only now: choosing a reactor, and reading all of the server, takes a moment.
    from server.serving import run  # noqa: PLC0415 (so that --help is quick)

    return run(options, sys.stdout)


def default_folder() -> Path:
    """Return where a server keeps its things unless told otherwise."""
    home = os.environ.get("MANSE_HOME")
    base = Path(home) if home else platformdirs.user_data_path("manse", appauthor=False)
    return base / "server"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manse serve",
        description="Run a server for you and your friends. Ctrl-C stops it; games go on where "
        "they stood when it is started again.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on (default: all)")  # noqa: S104
    parser.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        help="port to listen on; 0 takes any free one (default: %(default)s)",
    )
    parser.add_argument("--public-address", default="", help="HOST:PORT for invitations")
    parser.add_argument("--name", default="Manse", help="what the server is called")
    parser.add_argument(
        "--folder",
        type=Path,
        default=default_folder(),
        help="where everything is kept (default: %(default)s)",
    )
    parser.add_argument(
        "--pack",
        action="append",
        default=[],
        metavar="PACK",
        help="a folder or zip of scenarios to offer beside the core pack; may be repeated",
    )
    parser.add_argument("--certificate", type=Path, help="your own certificate chain, PEM")
    parser.add_argument("--certificate-key", type=Path, help="its private key, PEM")
    parser.add_argument("--json", action="store_true", help="say where it listens as one JSON line")
    parser.add_argument("--stop-with-stdin", action="store_true", help="stop when its input ends")
    parser.add_argument("--verbose", action="store_true", help="log what happens, not just faults")
    return parser


def _port(text: str) -> int:
    with contextlib.suppress(ValueError):
        if 0 <= int(text) <= 65535:
            return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port: a number from 0 to 65535")


def _fail(reason: str) -> int:
    print(f"manse serve: {reason}", file=sys.stderr)
    return 2

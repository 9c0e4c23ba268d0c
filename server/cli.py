"""The command `manse serve`: a server for friends, until it is told to stop."""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import platformdirs

from commands.parser import Parser
from commands.parser import parser_for as parser_in
from commands.speaking import HOME_VARIABLE, language_for, words_of
from protocol.invitation import DEFAULT_PORT
from server.net.addresses import Network, network_named


def serve(argv: list[str]) -> int:
    """Run a server until Ctrl-C or a signal ends it. Returns the exit status."""
    parser = _parser(argv)
    options = parser.parse_args(argv)
    if (options.certificate is None) != (options.certificate_key is None):
        parser.error(parser.word("together"))
    os.umask(0o077)
    # Only now: choosing a reactor, and reading all of the server, takes a moment.
    from server.serving import run  # noqa: PLC0415 (so that --help is quick)

    return run(options, sys.stdout, parser.words)


def parser_for(command: str, argv: Sequence[str]) -> Parser:
    """Return the parser of a command, in the language that these arguments are read in."""
    return parser_in(command, words_of("server", language_for(argv)))


def default_folder() -> Path:
    """Return where a server keeps its things unless told otherwise."""
    home = os.environ.get(HOME_VARIABLE)
    base = Path(home) if home else platformdirs.user_data_path("manse", appauthor=False)
    return base / "server"


def cache_folder() -> Path:
    """Return where packs are kept as they were after reading; it can be deleted at any time."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home) / "cache"
    return platformdirs.user_cache_path("manse", appauthor=False)


def _parser(argv: Sequence[str]) -> Parser:
    parser = parser_for("serve", argv)
    parser.add_argument("--host", default="0.0.0.0")  # noqa: S104
    parser.add_argument("--port", type=_port(parser), default=DEFAULT_PORT)
    parser.add_argument("--public-address", default="", metavar="HOST:PORT")
    parser.add_argument("--name", default="Manse")
    parser.add_argument("--folder", type=Path, default=default_folder())
    parser.add_argument("--pack", action="append", default=[], metavar="PACK")
    parser.add_argument("--certificate", type=Path, metavar="FILE")
    parser.add_argument("--certificate-key", type=Path, metavar="FILE")
    proxy = _network(parser)
    parser.add_argument("--proxy", type=proxy, action="append", default=[], metavar="NETWORK")
    parser.add_argument("--new-identity", action="store_true")
    parser.add_argument("--new-database", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--stop-with-stdin", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_language()
    parser.set_defaults(cache=cache_folder())
    return parser


def _port(parser: Parser) -> Callable[[str], int]:
    """Return what reads a port."""

    def read(text: str) -> int:
        with contextlib.suppress(ValueError):
            if 0 <= int(text) <= 65535:
                return int(text)
        raise argparse.ArgumentTypeError(parser.word("bad_port", text))

    return read


def _network(parser: Parser) -> Callable[[str], Network]:
    """Return what reads an address, or a network of them."""

    def read(text: str) -> Network:
        with contextlib.suppress(ValueError):
            return network_named(text)
        raise argparse.ArgumentTypeError(parser.word("bad_proxy", text))

    return read

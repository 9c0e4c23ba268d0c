"""The command `manse serve`: runs a server for friends until a signal stops it."""

import argparse
import contextlib
import gc
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from commands.faults import why_refused
from commands.parser import Parser
from protocol.common.visible import visible
from server.net.addresses import Network, network_named
from server.process.configuration import OPTIONS, given_by, place_of_file, template
from server.system.command_line import cache_folder, default_folder, parser_for
from server.system.core_dumps import forbid_core_dumps

_SHOWN: Final = 80
"""Maximum characters of an invalid argument that an error quotes."""


def serve(argv: list[str]) -> int:
    """
    Write the configuration, check it, or run a server until a signal ends it.

    Returns:
        The exit status.
    """
    parser = _parser(argv)
    options = options_of(parser, argv)
    if (options.certificate is None) != (options.certificate_key is None):
        parser.error(parser.word("together"))
    if options.write_config:
        words = parser.words
        path = options.config or place_of_file(given_by(options), default_folder())
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Never overwrites a file that an operator has edited.
            with path.open("x", encoding="utf-8") as file:
                file.write(template(words))
        except OSError as error:
            why = why_refused(error, words.say)
            print(visible(words.say("serve.not_written", path, why)), file=sys.stderr)
            return 1
        print(visible(words.say("serve.wrote_config", path)))
        return 0
    # Only now: choosing a reactor, and reading all of the server, takes a moment (as for --help).
    if options.check:
        from server.process import checking  # noqa: PLC0415 (see above)

        return checking.run(options, sys.stdout, parser.words)
    # Every file that the server makes is for its own user alone.
    os.umask(0o077)
    forbid_core_dumps()
    # While code and packs are loaded next to nothing is garbage, and all would be looked through
    # several times; `server.system.garbage.freeze` does so once, and has Python go on collecting.
    gc.disable()
    try:
        from server.process.serving import run  # noqa: PLC0415 (see above)

        return run(options, sys.stdout, parser.words)
    finally:
        gc.enable()


def options_of(parser: Parser, argv: Sequence[str]) -> argparse.Namespace:
    """Parse a command line; settings without an option are None, so that the file decides."""
    return parser.parse_args(argv, argparse.Namespace(**dict.fromkeys(OPTIONS)))


def _parser(argv: Sequence[str]) -> Parser:
    parser = parser_for("serve", argv)
    text = _text(parser)
    usual = {name: setting.default for name, setting in OPTIONS.items()}
    parser.add_argument("--config", type=Path, metavar="FILE")
    parser.add_argument("--host", type=text("host"), default=usual["host"])
    parser.add_argument("--port", type=_port(parser), default=usual["port"])
    public = text("public_address")
    parser.add_argument(
        "--public-address", type=public, default=usual["public_address"], metavar="HOST:PORT"
    )
    parser.add_argument("--name", type=text("name"), default=usual["name"])
    parser.add_argument("--folder", type=Path, default=default_folder())
    parser.add_argument("--pack", action="append", default=[], metavar="PACK")
    # Of earlier releases: a unit that still says it starts, with a warning (`configuration.GONE`).
    parser.add_argument("--workers", help=argparse.SUPPRESS)
    parser.add_argument("--certificate", type=Path, metavar="FILE")
    parser.add_argument("--certificate-key", type=Path, metavar="FILE")
    proxy = _network(parser)
    parser.add_argument("--proxy", type=proxy, action="append", default=[], metavar="NETWORK")
    parser.add_argument("--new-identity", action="store_true")
    parser.add_argument("--new-database", action="store_true")
    parser.add_argument("--write-config", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--stop-with-stdin", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--log-json", action="store_true")
    parser.add_language()
    parser.set_defaults(cache=cache_folder())
    return parser


def _text(parser: Parser) -> Callable[[str], Callable[[str], str]]:
    """
    Return a function that returns the argparse type of an option whose value is a text.

    The type checks a text in the same way as the configuration file does.
    """

    def reading(option: str) -> Callable[[str], str]:
        kind = OPTIONS[option].kind

        def read(text: str) -> str:
            try:
                checked: str = kind.read(text, Path())
            except ValueError as error:
                key, params = kind.allowed
                told = parser.words.say(key, *params)
                raise argparse.ArgumentTypeError(f"'{text[:_SHOWN]}': {told}") from error
            return checked

        return read

    return reading


def _port(parser: Parser) -> Callable[[str], int]:
    """Return the argparse type of a port."""

    def read(text: str) -> int:
        with contextlib.suppress(ValueError):
            if 0 <= int(text) <= 65535:
                return int(text)
        raise argparse.ArgumentTypeError(parser.word("bad_port", text))

    return read


def _network(parser: Parser) -> Callable[[str], Network]:
    """Return the argparse type of an address or a network."""

    def read(text: str) -> Network:
        with contextlib.suppress(ValueError):
            return network_named(text)
        raise argparse.ArgumentTypeError(parser.word("bad_proxy", text))

    return read

"""
The command `manse solo`: a server for this machine alone, and the client that plays on it.

The server is a separate process, as for a game with friends: TLS on the loopback interface, a
database file, the same rooms. The server ends with the client; the game is kept.
"""

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from commands.own_folders import SOLO
from commands.parser import Parser
from server.commands.child import ServerChild, ServerDied, ServerInUse
from server.system.command_line import default_folder, parser_for
from server.system.game_option import add_game

MAX_EVENT = 2**31
"""Maximum of `--at`; no log has as many events."""


def main(argv: list[str]) -> int:
    """Play until the player leaves. Returns the exit status."""
    parser = parser_for("solo", argv)
    add_client(parser)
    add_side(parser)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--pack", action="append", default=[], metavar="PACK")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--export", metavar="FILE", type=Path)
    parser.add_argument("--practice", metavar="FILE", type=Path)
    parser.add_argument("--at", metavar="N", type=parser.count(MAX_EVENT))
    options = parser.parse_args(argv)
    if (options.practice is None) is not (options.at is None):
        parser.error(parser.word("at_alone"))
    if options.practice is not None:
        if options.game or options.role:
            parser.error(parser.word("practice_alone"))
        # Imported late: only practice games run without a server.
        from server.commands.practice import practise  # noqa: PLC0415

        return practise(parser, options)
    if options.list or options.export is not None:
        return _listed_or_exported(parser, options)
    arguments = [*for_client(options), "--solo", *(["--again"] if options.again else [])]
    arguments += for_side(options)
    is_pack_opened = bool(options.pack)
    return play_beside(
        parser, SOLO, options.pack, arguments, game=options.game, is_pack_opened=is_pack_opened
    )


def _listed_or_exported(parser: Parser, options: argparse.Namespace) -> int:
    """Print the tables of the server of `manse solo`, or export the last game on it."""
    from client.commands import cli  # noqa: PLC0415 (so that --help is quick)

    language = ["--language", options.language] if options.language else []
    if options.list:
        return play_beside(
            parser, SOLO, options.pack, ["--solo", "--list", *language], command=cli.play
        )
    arguments = ["--solo", "--last", str(options.export), *language]
    return play_beside(parser, SOLO, options.pack, arguments, command=cli.export)


def _id_of(pack: str) -> str:
    """Return the id of a pack; the file's name if the pack cannot be read any more."""
    # Imported late: most people play without a pack of their own, and its reader is slow to load.
    from content.reading.mistakes import ContentErrors  # noqa: PLC0415
    from server.packs import sources  # noqa: PLC0415

    with contextlib.suppress(ContentErrors):
        return sources.find(pack).pack_id
    return Path(pack).stem


def add_client(parser: Parser) -> None:
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--no-edit", action="store_true")
    parser.add_language()


def for_client(options: argparse.Namespace) -> list[str]:
    """Return the client's options as arguments of `manse play`."""
    arguments = ["--plain"] if options.plain else []
    arguments += ["--no-edit"] if options.no_edit else []
    return arguments + (["--language", options.language] if options.language else [])


def add_side(parser: Parser) -> None:
    """Add the options for the game and the role that the player wants."""
    add_game(parser)
    parser.add_argument("--as", metavar="ROLE", type=str.casefold, dest="role")


def for_side(options: argparse.Namespace) -> list[str]:
    """Return the options of `add_side` as arguments of `manse play`."""
    arguments = ["--game", options.game] if options.game else []
    return arguments + (["--as", options.role] if options.role else [])


def play_beside(
    parser: Parser,
    folder: str,
    packs: Sequence[str],
    arguments: Sequence[str],
    *,
    game: str | None = None,
    is_pack_opened: bool = False,
    command: Callable[[list[str]], int] | None = None,
) -> int:
    """
    Start a server for this machine alone, and play until the client ends.

    Args:
        parser: parser of the command. Its words explain faults; its word `running` says that
            another process has the game open.
        folder: name of the server's folder, next to those of other servers.
        packs: additional packs.
        arguments: further arguments of the client's command.
        game: the game that is played; None for the first, or whichever is unfinished.
        is_pack_opened: True if the client opens a game of the first additional pack.
        command: the client's command; None for `manse play`, which looks back on finished games.

    Returns:
        The exit status.
    """

    def load_client() -> None:
        from client.commands.loading import load  # noqa: PLC0415 (see `meanwhile`)

        load(is_plain="--plain" in arguments, game=game or "")

    home = default_folder().with_name(folder)
    try:
        # The server starts slower than the client loads, so the client loads meanwhile.
        with ServerChild(home, packs, parser.words, meanwhile=load_client) as server:
            from server.commands.looking_back import play  # noqa: PLC0415 (the server starts first)

            reach = ["--server", server.address, "--fingerprint", server.fingerprint]
            # Only now: the server had a child process with limits read the pack.
            opened = ["--pack", _id_of(packs[0])] if is_pack_opened else []
            return (command or play)([*reach, *arguments, *opened])
    except ServerDied as died:
        from client.terminal.console import tell  # noqa: PLC0415 (only for a fault)

        why = parser.word("running") if isinstance(died, ServerInUse) else str(died)
        tell(f"{parser.prog}: {why}", sys.stderr)
        return 1

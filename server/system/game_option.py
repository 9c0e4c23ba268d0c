"""The option `--game` of the server's commands, and names of games as they are typed."""

import argparse

from commands.parser import Parser
from protocol.plugs import games


def add_game(parser: Parser, *, is_required: bool = False) -> None:
    """
    Add the option `--game`, whose value is the name of an installed game.

    Args:
        parser: parser of a command or tool.
        is_required: True if the command takes the first game without the option, False if None.
    """

    def read(text: str) -> str:
        name = text.casefold().replace("-", "_")
        if name not in games():
            known = ", ".join(map(typed, games()))
            raise argparse.ArgumentTypeError(parser.word("no_game", text, known))
        return name

    usual = typed(games()[0]) if is_required else None
    parser.add_argument("--game", metavar="GAME", type=read, default=usual)


def typed(game: str) -> str:
    """Return the name of a game as it is typed."""
    return game.replace("_", "-")

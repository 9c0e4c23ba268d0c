"""
Parser and default folders of the server's commands.

This module imports nothing of the server: `manse solo` starts one before it has loaded anything
else.
"""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from commands import own_folders
from commands.parser import Parser
from commands.parser import parser_for as parser_in
from commands.speaking import HOME_VARIABLE, language_for, words_of
from protocol.plugs import games


def parser_for(command: str, argv: Sequence[str]) -> Parser:
    """Return the parser of a command, in the language of these arguments."""
    return parser_in(command, words_of("server", language_for(argv)))


def add_game(parser: Parser, *, is_required: bool = False) -> None:
    """
    Add the option `--game`, whose value is the name of an installed game.

    Args:
        parser: parser of a command or tool.
        is_required: True if the command takes the first game without the option, False if None.
    """

    def read(text: str) -> str:
        name = text.replace("-", "_")
        if name not in games():
            known = ", ".join(map(typed, games()))
            raise argparse.ArgumentTypeError(parser.word("no_game", text, known))
        return name

    usual = typed(games()[0]) if is_required else None
    parser.add_argument("--game", metavar="GAME", type=read, default=usual)


def typed(game: str) -> str:
    """Return the name of a game as it is typed."""
    return game.replace("_", "-")


def default_folder() -> Path:
    home = os.environ.get(HOME_VARIABLE)
    base = Path(home) if home else own_folders.data_folder()
    return base / "server"


def cache_folder() -> Path:
    """
    Return the folder of the cache of parsed packs, which can be deleted at any time.

    May raise NoHome.
    """
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home) / "cache"
    return own_folders.cache_folder()

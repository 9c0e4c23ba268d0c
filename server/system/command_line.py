"""
What the server's commands share: their parser, and where things are kept unless told otherwise.

It imports nothing of the server: `manse solo` starts one before it has loaded anything else.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from commands import own_folders
from commands.parser import Parser
from commands.parser import parser_for as parser_in
from commands.speaking import HOME_VARIABLE, language_for, words_of


def parser_for(command: str, argv: Sequence[str]) -> Parser:
    """Return the parser of a command, in the language that these arguments are read in."""
    return parser_in(command, words_of("server", language_for(argv)))


def default_folder() -> Path:
    """Return where a server keeps its things unless told otherwise."""
    home = os.environ.get(HOME_VARIABLE)
    base = Path(home) if home else own_folders.data_folder()
    return base / "server"


def cache_folder() -> Path:
    """Return where packs are kept as they were after reading; it can be deleted at any time."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home) / "cache"
    return own_folders.cache_folder()

"""
Parser and default folders of the server's commands.

This module imports nothing of the server: `manse solo` starts one before it has loaded anything
else.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from commands import own_folders
from commands.parser import Parser
from commands.parser import parser_for as parser_in
from commands.speaking import HOME_VARIABLE, language_for, words_of
from protocol.plugs import set_aside_faulty


def parser_for(command: str, argv: Sequence[str]) -> Parser:
    """Return the parser of a command, in the language of these arguments."""
    parser = parser_in(command, words_of("server", language_for(argv)))
    parser.tell_faulty(set_aside_faulty("protocol", "content", "server", "client"))
    return parser


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

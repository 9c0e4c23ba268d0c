"""Imports the modules of a table in advance, while the client waits for the server's reply."""

import importlib
import os

from client.plugs.face import face_of
from client.settings.appearance import has_screen
from protocol.plugs import games

_EVERYBODY = (
    "client.commands.cli",
    "client.commands.sessions",
    "client.net.tls",
    "twisted.internet.asyncioreactor",
)
_IN_LINES = "client.plain.terminal"
_ON_SCREEN = "client.terminal.app"


def load(*, is_plain: bool, game: str = "") -> None:
    """
    Import the modules that `manse play` needs at a table.

    Args:
        is_plain: whether to import the modules of plain mode, even if there is a screen.
        game: the game that is played; empty for the first.
    """
    shown = _IN_LINES if is_plain or not has_screen(os.environ) else _ON_SCREEN
    for name in (*_EVERYBODY, shown):
        importlib.import_module(name)
    face_of(game or games()[0])

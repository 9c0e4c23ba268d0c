"""Loading: all that a player needs is imported while there is time, before anything is asked."""

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


def load(*, is_plain: bool) -> None:
    """
    Import what `manse play` needs at a table, where something else has to be waited for anyway.

    Args:
        is_plain: whether lines are wanted in place of the full screen.
    """
    shown = _IN_LINES if is_plain or not has_screen(os.environ) else _ON_SCREEN
    for name in (*_EVERYBODY, shown):
        importlib.import_module(name)
    # Whoever begins a game alone begins with a scenario of the first one.
    face_of(games()[0])

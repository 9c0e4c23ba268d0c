"""What comes after a finished game: another one, with the same people."""

from collections.abc import Callable

from client.model.model import ClientModel
from client.net.client_port import ClientPort


def play_again(model: ClientModel, port: ClientPort, leave: Callable[[], None]) -> None:
    """
    Go to the next table of those who played; after the tutorial leave it for a real game.

    Args:
        model: at a table whose game is over.
        port: of the same player.
        leave: ends the client.
    """
    if model.is_tutorial:
        model.wants_game = True
        leave()
    else:
        port.play_again()

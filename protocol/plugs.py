"""
Plugs: where each game is found, by its name.

A game has a folder in each layer (`protocol`, `content`, `server`, `client`), and nothing outside
of those folders names it but the line in `PLACES`. A folder is imported when its game is first
met, so that a command loads only the games that it needs.
"""

import importlib
import importlib.resources
import importlib.util
import sys
from importlib.resources.abc import Traversable
from types import ModuleType

PLACES: dict[str, str] = {
    "second_edition": "{layer}.games.second_edition",
}
"""By the name of a game, as `room_opened` has it: its package in a layer."""


class UnknownGameError(LookupError):
    """No game of this name is installed here."""

    def __init__(self, game: str) -> None:
        """Keep the name, which may be a stranger's."""
        super().__init__(f"no game {game!r} is installed here")
        self.game = game


def games() -> tuple[str, ...]:
    """Return the names of all games, in the order of `PLACES`."""
    return tuple(PLACES)


def plug(layer: str, game: str, part: str) -> ModuleType:
    """
    Import a part of a game.

    Args:
        layer: `protocol`, `content`, `server` or `client`.
        game: a name that may come from a stranger; only those of `PLACES` are looked for.
        part: the module in the game's folder, such as `events` or `face`.

    Raises:
        UnknownGameError: there is no game of this name here.
    """
    name = f"{_package(layer, game)}.{part}"
    # Rules are asked for in each batch; that a part is there already is told at once here.
    return sys.modules.get(name) or importlib.import_module(name)


def part_of(layer: str, game: str, part: str) -> ModuleType | None:
    """Import a part that a game need not have; None where it has none, or is not installed."""
    try:
        return plug(layer, game, part)
    except UnknownGameError:
        return None
    except ModuleNotFoundError as problem:
        # What the part itself fails to import is a fault.
        place = f"{_package(layer, game)}.{part}"
        if problem.name is None or not f"{place}.".startswith(f"{problem.name}."):
            raise
        return None


def folder(layer: str, game: str) -> Traversable:
    """
    Return a game's folder in a layer, for what lies there and is no module.

    Raises:
        UnknownGameError: there is no game of this name here.
    """
    return importlib.resources.files(_package(layer, game))


def _package(layer: str, game: str) -> str:
    if game not in PLACES:
        raise UnknownGameError(game)
    return PLACES[game].format(layer=layer)


def has_plug(layer: str, game: str, part: str) -> bool:
    """Return whether a game is installed here and has this part, which it may do without."""
    if game not in PLACES:
        return False
    return importlib.util.find_spec(f"{PLACES[game].format(layer=layer)}.{part}") is not None

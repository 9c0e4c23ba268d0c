"""
Plugs: finds the modules of each game by the game's name.

A game has a package in each layer (`protocol`, `content`, `server`, `client`). Nothing outside of
these packages names the game except its line in `PLACES`, or its entry point if it is installed as
a distribution of its own. A package is imported when its game is first used, so each command loads
only the games that it needs.

An expansion is a game of its own that *extends* another. It has only the modules in which it
differs; the extended game supplies every part that it lacks.
"""

import importlib
import importlib.metadata
import importlib.resources
import importlib.util
import sys
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import NamedTuple


class Place(NamedTuple):
    """Location of a game's packages."""

    package: str
    """Dotted name of the game's package; `{layer}` in it stands for the name of the layer."""
    extends: str = ""
    """Name of the game from which missing parts are taken; empty for none."""


PLACES: dict[str, Place] = {
    "second_edition": Place("{layer}.games.second_edition"),
    "first_edition": Place("{layer}.games.first_edition"),
}
"""Places by name of the game. The name is on every log (`room_opened`) and never changes."""

GROUP = "manse.games"
"""
Entry points of games that are distributions of their own. An entry point has the name of the game;
its value is the dotted name of the package that holds a package for each layer.
"""
for _found in sorted(importlib.metadata.entry_points(group=GROUP)):
    # Only named here: nothing of a game is imported before it is used.
    PLACES.setdefault(_found.name, Place(f"{_found.value}.{{layer}}"))


class UnknownGameError(LookupError):
    """No game of this name is installed."""

    def __init__(self, game: str) -> None:
        super().__init__(f"no game {game!r} is installed here")
        self.game = game
        """The name that was looked up; it may come from a stranger."""


def games() -> tuple[str, ...]:
    """Return the names of all games: those in `PLACES`, bundled ones first."""
    return tuple(PLACES)


def lineage(game: str) -> tuple[str, ...]:
    """
    Return a game, the game that it extends, and so on: the order in which parts are looked up.

    Raises:
        UnknownGameError: a game of this name is not installed.
    """
    if game not in PLACES:
        raise UnknownGameError(game)
    extended = PLACES[game].extends
    return (game, *lineage(extended)) if extended else (game,)


def plug(layer: str, game: str, part: str) -> ModuleType:
    """
    Import a part of a game.

    Args:
        layer: `protocol`, `content`, `server` or `client`.
        game: a name, which may come from a stranger: only names in `PLACES` are ever imported.
        part: name of a module in the game's package, such as `events` or `face`.

    Raises:
        UnknownGameError: a game of this name is not installed.
        ModuleNotFoundError: neither the game nor one that it extends has this part.
    """
    names = _candidates(layer, game, part)
    # The ruleset is looked up in each batch, and almost always loaded already.
    loaded = sys.modules.get(names[0])
    if loaded is not None:
        return loaded
    # If no candidate exists, the error names the game's own module.
    return importlib.import_module(next(filter(_exists, names), names[0]))


def part_of(layer: str, game: str, part: str) -> ModuleType | None:
    """Import an optional part of a game; None if the game lacks it or is not installed."""
    return plug(layer, game, part) if has_plug(layer, game, part) else None


def has_plug(layer: str, game: str, part: str) -> bool:
    """Return whether a game is installed and has this part, or extends a game that has it."""
    try:
        return any(map(_exists, _candidates(layer, game, part)))
    except UnknownGameError:
        return False


def folders(layer: str, game: str) -> tuple[Traversable, ...]:
    """
    Return the folders of a game in a layer, for data files: its own, then the extended game's.

    Raises:
        UnknownGameError: a game of this name is not installed.
    """
    packages = [PLACES[name].package.format(layer=layer) for name in lineage(game)]
    return tuple(importlib.resources.files(package) for package in filter(_exists, packages))


def _candidates(layer: str, game: str, part: str) -> list[str]:
    """Return the names of the modules that may be this part, in order of precedence."""
    return [f"{PLACES[name].package.format(layer=layer)}.{part}" for name in lineage(game)]


def _exists(module: str) -> bool:
    """Return True if a module can be found. It is not executed, but its packages are imported."""
    if module in sys.modules:
        return True
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError as error:
        # Only a missing package of the module's own path means "not there". An import that fails
        # inside of such a package is a bug in it, and must not look like a part that is optional.
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        return False

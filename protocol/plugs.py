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
from collections.abc import Callable
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Place(NamedTuple):
    """Location of a game's packages."""

    package: str
    """Dotted name of the game's package; `{layer}` in it stands for the name of the layer."""
    extends: str = ""
    """Name of the game from which missing parts are taken; empty for none."""


PLACES: dict[str, Place] = {
    "second_edition": Place("{layer}.games.second_edition"),
    "first_edition": Place("{layer}.games.first_edition"),
    "cards": Place("{layer}.games.cards"),
}
"""Places by name of the game. The name is on every log (`room_opened`) and never changes."""

GROUP = "manse.games"
"""
Entry points of games that are distributions of their own. An entry point has the name of the game;
its value is the dotted name of the package that holds a package for each layer.
"""
INSTALLED: dict[str, str] = {}
"""Packages of the games that are distributions of their own, by name of the game."""
for _found in sorted(importlib.metadata.entry_points(group=GROUP)):
    if _found.name not in PLACES:
        PLACES[_found.name] = Place(f"{_found.value}.{{layer}}")
        INSTALLED[_found.name] = _found.value

PARTS: dict[str, tuple[str, ...]] = {
    "protocol": ("events", "laws"),
    "content": ("plug",),
    "server": ("plug",),
    "client": ("keys", "styles", "face", "bot"),
}
"""Modules of a game that the code of each layer imports."""


class UnknownGameError(LookupError):
    """No game of this name is installed."""

    def __init__(self, game: str) -> None:
        super().__init__(f"no game {game!r} is installed here")
        self.game = game
        """The name that was looked up; it may come from a stranger."""


def games() -> tuple[str, ...]:
    """Return the names of all games: those in `PLACES`, bundled ones first."""
    return tuple(PLACES)


class FaultyGame(NamedTuple):
    """A game that cannot be imported."""

    game: str
    package: str
    fault: str


_FAULTY: list[FaultyGame] = []
"""Games that were set aside and not reported yet."""


def set_aside_faulty(*layers: str) -> list[FaultyGame]:
    """
    Import the installed games in some layers; return those that raised, now or before, each once.

    They count as not installed from then on, so that the others can be played.
    """
    for game in INSTALLED:
        for layer in layers:
            for part in PARTS[layer]:
                part_of(layer, game, part)
    faulty, _FAULTY[:] = [*_FAULTY], []
    return faulty


def _imported(game: str, imports: Callable[[], T]) -> T:
    """
    Return what an import of a game's modules returns; set the game aside if it raises.

    Only a game of a distribution of its own, which may be built for another release: a bundled game
    that raises is a bug of ours.

    Raises:
        UnknownGameError: the game raised.
    """
    try:
        return imports()
    except Exception as error:
        if game not in INSTALLED:
            raise
        del PLACES[game]
        fault = f"{type(error).__name__}: {error}"
        _FAULTY.append(FaultyGame(game, INSTALLED[game], fault))
        raise UnknownGameError(game) from error


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
    found = _imported(game, lambda: next(filter(_exists, names), ""))
    # If no candidate exists, the error names the game's own module.
    if not found:
        return importlib.import_module(names[0])
    return _imported(game, lambda: importlib.import_module(found))


def part_of(layer: str, game: str, part: str) -> ModuleType | None:
    """Import an optional part of a game; None if the game lacks it or is not installed."""
    try:
        return plug(layer, game, part) if has_plug(layer, game, part) else None
    except UnknownGameError:
        return None


def has_plug(layer: str, game: str, part: str) -> bool:
    """Return whether a game is installed and has this part, or extends a game that has it."""
    try:
        names = _candidates(layer, game, part)
        return _imported(game, lambda: any(map(_exists, names)))
    except UnknownGameError:
        return False


def folders(layer: str, game: str) -> tuple[Traversable, ...]:
    """
    Return the folders of a game in a layer, for data files: its own, then the extended game's.

    Raises:
        UnknownGameError: a game of this name is not installed.
    """
    packages = [PLACES[name].package.format(layer=layer) for name in lineage(game)]
    return _imported(game, lambda: tuple(map(importlib.resources.files, filter(_exists, packages))))


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

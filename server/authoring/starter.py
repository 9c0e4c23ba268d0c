"""Starter packs: small, complete, in both languages, with comments that explain them."""

import re
from collections.abc import Mapping
from pathlib import Path

from content.plugs import packs
from content.plugs.kind import kind_of
from content.reading.files import TESTS, read_files
from content.reading.mistakes import ContentError, ContentErrors
from protocol.plugs import folders

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_MARK = b"NAME/"
"""Placeholder of the id of the pack in the bundled files."""


def begin(folder: str, game: str, on: str = "") -> tuple[str, ...]:
    """
    Write a small pack into a new folder, which gives the pack its id.

    Args:
        folder: the folder, which must not exist yet.
        game: the game that the pack is for.
        on: the bundled pack of the game that the new pack builds on; empty for none.

    Returns:
        The files that were written, by name inside the folder.

    Raises:
        ContentErrors: the folder exists, its name is no id, it cannot be written, or the game has
            no pack to build on.
    """
    where = Path(folder)
    name = where.resolve().name
    if not _NAME.fullmatch(name) or packs.game_with(name) is not None:
        raise _fault(folder, "call it by small letters, digits and hyphens, such as harbour-lights")
    files = _starter_on(game, on) if on else kind_of(game).starter()
    try:
        # It must not exist, so that nothing of an author is overwritten.
        where.mkdir(parents=True)
        for way, data in files.items():
            target = where / way
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.replace(_MARK, f"{name}/".encode()))
    except FileExistsError as error:
        raise _fault(folder, "is there already; name a folder that is not") from error
    except OSError as error:
        raise _fault(folder, f"cannot be written: {error.strerror or error}") from error
    return tuple(sorted(files))


def _starter_on(game: str, base: str) -> Mapping[str, bytes]:
    """
    Return the files of a starter that builds on a bundled pack of a game.

    Raises:
        ContentErrors: the game has no such starter.
    """
    for content in folders("content", game):
        folder = content / f"starter_on_{base}"
        if base == kind_of(game).base and folder.is_dir():
            plays = {f"{TESTS}/{name}": data for name, data in read_files(folder / TESTS).items()}
            return {**read_files(folder), **plays}
    raise _fault("--on", f"{game} has no starter that builds on {base[:80]!r}")


def _fault(folder: str, reason: str) -> ContentErrors:
    return ContentErrors([ContentError(folder, 1, 1, "", reason)])

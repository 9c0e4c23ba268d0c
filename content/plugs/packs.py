"""Packs of every game: each is loaded by the game that it names."""

import functools
from collections.abc import Iterator, Mapping

from content.plugs.kind import ContentKind, LoadedPack, kind_of
from content.reading.files import PACK_FILE, read_files, shipped
from content.reading.gaps import Gap
from content.reading.mistakes import ContentError, ContentErrors, suggestion
from content.reading.pack_file import read_pack_file
from content.reading.remarks import Remark
from content.reading.words import catalogs_of
from protocol.common.text import Catalog
from protocol.plugs import games, has_plug

SHARED = "shared"
"""The folder, beside those of the games, of the words that belong to no game."""


def game_of(files: Mapping[str, bytes]) -> str:
    """
    Return the game that a pack is for; by default the oldest game.

    Raises:
        ContentErrors: `pack.yaml` cannot be read, or the game is not installed.
    """
    game = read_pack_file(files).game or games()[0]
    if game not in games():
        reason = f"no game {game[:80]!r} is installed here; {suggestion(game, games())}"
        raise ContentErrors([ContentError(PACK_FILE, 1, 1, "game", reason)])
    return game


def load(pack_id: str, files: Mapping[str, bytes]) -> LoadedPack:
    """Load a pack. ContentErrors: it cannot be used; has everything that must be mended."""
    return kind_of(game_of(files)).load(pack_id, files)


def remarks(pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
    """Return the mistakes and findings in the files of a pack, by file and line."""
    try:
        game = game_of(files)
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)
    return kind_of(game).remarks(pack_id, files)


def gaps(pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
    """Return the words that a pack names and lacks. ContentErrors if its game is not installed."""
    return kind_of(game_of(files)).gaps(pack_id, files)


def base_packs() -> Iterator[tuple[ContentKind, Mapping[str, bytes]]]:
    """Yield each game that has a bundled base pack, with the files of that pack."""
    for game in _with_content():
        kind = kind_of(game)
        if kind.base:
            yield kind, base_files(game)


def base_files(game: str) -> Mapping[str, bytes]:
    """Return the files of the base pack that is bundled for a game."""
    return read_files(shipped(game) / kind_of(game).base)


def game_with(pack_id: str) -> str | None:
    """Return the game with a bundled base pack of this id, or None."""
    return next((g for g in _with_content() if pack_id and kind_of(g).base == pack_id), None)


def _with_content() -> list[str]:
    """Return the games that have packs."""
    return [game for game in games() if has_plug("content", game, "plug")]


@functools.cache
def shared_words() -> Mapping[str, Catalog]:
    """
    Return the words that belong to no game, by language.

    Raises:
        ContentErrors: the files are not valid words.
    """
    return catalogs_of(read_files(shipped(SHARED)))

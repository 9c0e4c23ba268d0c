"""Packs of every game: each is loaded by the game that it names."""

import functools
from collections.abc import Collection, Iterator, Mapping
from importlib.resources.abc import Traversable

from content.plugs.kind import ContentKind, LoadedPack, kind_of
from content.reading.files import BASE, PACK_FILE, read_files, shipped
from content.reading.gaps import Gap
from content.reading.mistakes import ContentError, ContentErrors, Place, suggestion
from content.reading.pack_file import read_pack_file
from content.reading.remarks import Level, Remark
from content.reading.words import catalogs_of
from protocol.common.text import Catalog
from protocol.plugs import folders, games, has_plug

_SCENARIOS = "scenarios/"
_CAMPAIGNS = "campaigns.yaml"
SHARED = "shared"
"""The folder of the words that belong to no game. It is beside the folders of the games."""


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
    """Load a pack. ContentErrors, with all mistakes, if the pack cannot be used."""
    _check_base(files)
    return kind_of(game_of(files)).load(pack_id, files)


def completed(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """
    Return the files of a pack, with the files of the bundled pack that it builds on in `base/`.

    Those files are part of the pack from then on: they are kept, hashed and exported with it, so
    that a game continues with the cards that it began with. Scenarios and campaigns stay with the
    bundled pack. If the pack has files in `base/`, it is returned unchanged.

    Raises:
        ContentErrors: there is no such bundled pack, it is older than the pack demands, or the pack
            does not say which version it was written for.
    """
    said = read_pack_file(files)
    if not said.builds_on or _has_base(files):
        return files
    game = game_of(files)
    base = kind_of(game).base
    if said.builds_on != base:
        reason = f"{game} has no bundled pack {said.builds_on[:80]!r} to build on"
        raise _fault("builds_on", f"{reason}; {suggestion(said.builds_on, [base])}")
    lent = base_files(game)
    version = read_pack_file(lent).version
    if not said.written_for:
        reason = f"the version of {base!r} is missing; write 'written_for: {version}'"
        raise _fault("builds_on", reason)
    # It may name cards that this older bundled pack lacks.
    if said.written_for > version:
        reason = f"needs version {said.written_for} of {base!r}, here is {version}; update Manse"
        raise _fault("written_for", reason)
    taken = {
        f"{BASE}/{name}": data
        for name, data in lent.items()
        # Campaigns name scenarios, and the ids of scenarios begin with their pack.
        if name != _CAMPAIGNS and not name.startswith(_SCENARIOS)
    }
    return {**files, **taken}


def _has_base(files: Mapping[str, bytes]) -> bool:
    return any(name.startswith(f"{BASE}/") for name in files)


def _check_base(files: Mapping[str, bytes]) -> None:
    """Raise ContentErrors if a pack builds on a pack whose files it lacks."""
    if read_pack_file(files).builds_on and not _has_base(files):
        raise _fault("builds_on", "the files of the pack that this one builds on are missing")


def _fault(key: str, reason: str) -> ContentErrors:
    return ContentErrors([ContentError(PACK_FILE, 1, 1, key, reason)])


def remarks(pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
    """
    Return the mistakes in the files of a pack; if there are none, the findings and notes.

    Findings about files in `base/` are left out. The first remark may be a finding about the
    version of the base pack for which the pack was written.
    """
    try:
        _check_base(files)
        found = kind_of(game_of(files)).remarks(pack_id, files)
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)
    if not _has_base(files):
        return found
    # The bundled pack has its own linter; its author is not the one who reads this.
    own = [
        remark
        for remark in found
        if not remark.file.startswith(f"{BASE}/") or remark.level == Level.MISTAKE.value
    ]
    said = read_pack_file(files)
    base = files.get(f"{BASE}/{PACK_FILE}")
    version = read_pack_file({} if base is None else {PACK_FILE: base}).version
    # Older versions still work: what packs may use is removed only in a newer version.
    if said.written_for < version:
        reason = (
            f"was written for version {said.written_for} of {said.builds_on!r}, and here is "
            f"{version}; look whether all is as you want it, then write 'written_for: {version}'"
        )
        place = Place(PACK_FILE, 1, 1, "written_for")
        own = [Remark.of_finding(place, said.builds_on, reason), *own]
    return tuple(own)


def gaps(pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
    """
    Return the words that a pack names and lacks.

    Raises:
        ContentErrors: `pack.yaml` cannot be read, or its game is not installed.
    """
    return kind_of(game_of(files)).gaps(pack_id, files)


def base_packs(
    among: Collection[str] = (),
) -> Iterator[tuple[ContentKind, Mapping[str, bytes]]]:
    """Yield each game that has a bundled base pack, with the files of that pack.

    Args:
        among: the games to look at; no other is imported. Empty: all.
    """
    for game in games_with_base(among):
        yield kind_of(game), base_files(game)


def games_with_base(among: Collection[str] = ()) -> list[str]:
    """Return the games, of these or of all, that have a bundled base pack."""
    return [game for game in _with_content(among) if kind_of(game).base]


def base_files(game: str) -> Mapping[str, bytes]:
    """Return the files of the base pack that is bundled for a game."""
    return read_files(bundled(game) / kind_of(game).base)


def bundled(game: str) -> Traversable:
    """
    Return the folder of the packs that are bundled for a game.

    A game that is a distribution of its own has them in the folder `packs` of its content package.
    """
    own = (folder / "packs" for folder in folders("content", game))
    return next((folder for folder in own if folder.is_dir()), shipped(game))


def game_with(pack_id: str) -> str | None:
    """Return the game with a bundled base pack of this id, or None."""
    return next((g for g in _with_content() if pack_id and kind_of(g).base == pack_id), None)


def _with_content(among: Collection[str] = ()) -> list[str]:
    """Return the games, of these or of all, with a content plug, which can have packs."""
    return [game for game in among or games() if has_plug("content", game, "plug")]


@functools.cache
def shared_words() -> Mapping[str, Catalog]:
    """
    Return the words that belong to no game, by language.

    Raises:
        ContentErrors: the files are not valid words.
    """
    return catalogs_of(read_files(shipped(SHARED)))

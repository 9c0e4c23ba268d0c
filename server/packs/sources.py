"""
Packs as an author names them: a folder, a zip, or the id of a bundled pack such as `core`.

`PACK/SCENARIO` names a scenario of a pack; if the pack has only one, `PACK` suffices.
"""

from collections.abc import Mapping
from pathlib import Path

import attrs

from content.plugs import packs
from content.plugs.kind import LoadedPack, kind_of
from content.reading.files import open_plain, read_files
from content.reading.mistakes import ContentError, ContentErrors, suggestion
from server.packs.zips import MAX_ZIP_BYTES, read_zip


@attrs.frozen
class PackFiles:
    """The files of a pack that has not been parsed."""

    pack_id: str
    files: Mapping[str, bytes]

    def load(self) -> LoadedPack:
        """Load the pack. ContentErrors: it cannot be used."""
        return packs.load(self.pack_id, self.files)


def game_with(name: str) -> str | None:
    """Return the game whose bundled base pack has this name; None for a folder or another name."""
    return None if Path(name).is_dir() else packs.game_with(name)


def is_pack(name: str) -> bool:
    """Return True if a name means a whole pack, False if it means a scenario in a pack."""
    return Path(name).is_dir() or name.endswith(".zip") or game_with(name) is not None


def find(name: str) -> PackFiles:
    """
    Return the files of a pack.

    Args:
        name: a folder, a file that ends in `.zip`, or the id of a bundled pack.

    Raises:
        ContentErrors: there is no such pack, or it is over a limit.
    """
    path = Path(name)
    if name.endswith(".zip") and not path.is_dir():
        return from_zip(path.stem, zip_bytes(path))
    if (game := game_with(name)) is not None:
        return PackFiles(name, packs.base_files(game))
    where = path.resolve()
    return PackFiles(where.name, packs.completed(read_files(where)))


def from_zip(name: str, data: bytes) -> PackFiles:
    """
    Return the files of a pack in a zip of this name.

    Raises:
        ContentErrors: the zip is no pack, or over a limit.
    """
    pack_id, files = read_zip(name, data)
    return PackFiles(pack_id, packs.completed(files))


def zip_bytes(path: Path) -> bytes:
    """
    Return the bytes of a zip, truncated one byte above the limit, so that its length shows it.

    Raises:
        ContentErrors: the file cannot be read.
    """
    try:
        with open_plain(path) as file:
            return file.read(MAX_ZIP_BYTES + 1)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise ContentErrors([ContentError(str(path), 1, 1, "", reason)]) from error


def split(name: str) -> tuple[str, str]:
    """Return the pack and the scenario of `PACK/SCENARIO`; the scenario may be empty."""
    trimmed = name.rstrip("/")
    if is_pack(trimmed):
        return trimmed, ""
    pack, _, scenario = trimmed.rpartition("/")
    return (pack, scenario) if pack else (scenario, "")


def scenario_of(pack: LoadedPack, short: str) -> str:
    """
    Return the id of a scenario by its short name; an empty name stands for the only scenario.

    Raises:
        ContentErrors: there is no such scenario, or the name is ambiguous.
    """
    ids = [entry.id for entry in kind_of(pack.game).scenarios(pack)]
    known = [id_.partition("/")[2] for id_ in ids]
    if not short and len(known) == 1:
        return ids[0]
    if short in known:
        return f"{pack.id}/{short}"
    advice = suggestion(short, known)
    reason = f"no scenario {short!r}; {advice}" if short else f"say which scenario; {advice}"
    raise ContentErrors([ContentError(pack.id, 1, 1, "", reason)])

"""
Packs as an author names them: a folder, a zip, or `core` for the one that comes along.

`PACK/SCENARIO` names a scenario of one; where the pack has one only, `PACK` will do.
"""

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

import attrs

from content.games.second_edition.loader import load_source, read_files
from content.games.second_edition.schema.pack import Pack
from content.reading.mistakes import ContentError, ContentErrors, suggestion
from server.authoring.zips import MAX_ZIP_BYTES, read_zip

CORE = "core"


@attrs.frozen
class PackFiles:
    """The files of a pack that has not been looked at."""

    pack_id: str
    files: Mapping[str, bytes]

    def load(self) -> Pack:
        """Load it. ContentErrors where it cannot be used."""
        return load_source(self.pack_id, self.files).pack


def is_pack(name: str) -> bool:
    """Return whether a name is that of a pack, rather than of a scenario in one."""
    return Path(name).is_dir() or name.endswith(".zip") or name == CORE


def find(name: str) -> PackFiles:
    """
    Return the files of a pack.

    Args:
        name: a folder, a file that ends in `.zip`, or `core`.

    Raises:
        ContentErrors: there is none, or it is over a limit.
    """
    path = Path(name)
    if name.endswith(".zip") and not path.is_dir():
        return PackFiles(*read_zip(path.stem, zip_bytes(path)))
    if name == CORE and not path.is_dir():
        packs = resources.files("content") / "packs" / "second_edition"
        return PackFiles(CORE, read_files(packs / CORE))
    where = path.resolve()
    return PackFiles(where.name, read_files(where))


def zip_bytes(path: Path) -> bytes:
    """Return what is in a zip, one byte more than is allowed at most. ContentErrors if unread."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_ZIP_BYTES + 1)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise ContentErrors([ContentError(str(path), 1, 1, "", reason)]) from error


def split(name: str) -> tuple[str, str]:
    """Return the pack and the scenario that `PACK/SCENARIO` names; the latter may be empty."""
    trimmed = name.rstrip("/")
    if is_pack(trimmed):
        return trimmed, ""
    pack, _, scenario = trimmed.rpartition("/")
    return (pack, scenario) if pack else (scenario, "")


def scenario_of(pack: Pack, short: str) -> str:
    """
    Return the id of a scenario by its short name; of the only one where nothing is named.

    Raises:
        ContentErrors: there is no such scenario, or it is not clear which is meant.
    """
    known = [id_.partition("/")[2] for id_ in pack.scenarios]
    if not short and len(known) == 1:
        return next(iter(pack.scenarios))
    if short in known:
        return f"{pack.id}/{short}"
    advice = suggestion(short, known)
    reason = f"no scenario {short!r}; {advice}" if short else f"say which scenario; {advice}"
    raise ContentErrors([ContentError(pack.id, 1, 1, "", reason)])

"""A tiny valid pack, and variants that differ from it in one place."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from content.games.second_edition.loader import load_pack
from content.games.second_edition.schema.pack import Pack
from content.reading.files import read_files
from content.reading.mistakes import ContentError, ContentErrors

TINY: Final = Path(__file__).parent / "tiny"

FILES: Final[Mapping[str, bytes]] = read_files(TINY)


def edited(file: str, old: str, new: str) -> dict[str, bytes]:
    """Return the files of the tiny pack with one unique text replaced."""
    text = FILES[file].decode()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    return {**FILES, file: text.replace(old, new).encode()}


def load(files: Mapping[str, bytes]) -> Pack:
    return load_pack(TINY, read=lambda _folder: files)


def mistakes_in(files: Mapping[str, bytes]) -> tuple[ContentError, ...]:
    """Return the errors that loading reports; none if the pack is valid."""
    try:
        load(files)
    except ContentErrors as errors:
        return errors.errors
    return ()

"""A tiny pack, and variants that differ from it in one place. Each word of it is its subject."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from content.games.first_edition.loader import load_source
from content.games.first_edition.schema.pack import Pack
from content.reading.files import read_files
from content.reading.mistakes import ContentErrors
from content.reading.names import SUBJECT
from content.reading.words import LANGUAGES
from protocol.games.first_edition.words import Side

TINY: Final = Path(__file__).parent / "tiny"
FILES: Final[Mapping[str, bytes]] = read_files(TINY)
HOUSE: Final = "scenarios/house.yaml"
OF_STORY: Final = (
    *(f"house/{word}" for word in ("goal", "flood", "swarm", "place", "shelf", "well", "blood")),
    "house/intro",
    *("guide/flood", "guide/swarm"),
    *(f"ending/{goal}/{side.value}" for goal in ("flood", "swarm") for side in Side),
)
"""Subjects that no file of the tiny pack writes, because the loader makes them of ids."""


def pack(**files: str) -> dict[str, bytes]:
    """
    Return the files of the tiny pack, some of them replaced, with words for all subjects.

    The file of a keyword has the same name, or is the story of this name.
    """
    changed = {
        f"{name}.yaml" if f"{name}.yaml" in FILES else f"scenarios/{name}.yaml": text.encode()
        for name, text in files.items()
    }
    return worded({**FILES, **changed})


def edited(file: str, *changes: tuple[str, str]) -> dict[str, bytes]:
    """Return the files of the tiny pack with unique texts of one file replaced."""
    text = FILES[file].decode()
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        text = text.replace(old, new)
    return worded({**FILES, file: text.encode()})


def worded(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files with words for each subject in them."""
    found = {word for data in files.values() for word in SUBJECT.findall(data.decode())}
    spaces = {f"house/{letter}" for letter in "abcd"}
    subjects = sorted({*found, *OF_STORY} - spaces)
    fields = ("name", "text")
    words = "".join(
        f"{subject}: {{{', '.join(f'{field}: {subject}' for field in fields)}}}\n"
        for subject in subjects
    )
    return {**files, **{f"words/{language}/all.yaml": words.encode() for language in LANGUAGES}}


def load(files: Mapping[str, bytes]) -> Pack:
    """Return the tiny pack. ContentErrors if it cannot be used."""
    return load_source("tiny", files).pack


def mistakes_in(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the messages of all mistakes; none if the pack is valid."""
    try:
        load(files)
    except ContentErrors as errors:
        return tuple(map(str, errors.errors))
    return ()

"""
House pack: a small scenario whose cards use the vocabulary, for random games.

The real loader reads its files. Nobody reads its words, so each subject has its id as its name in
both languages.
"""

import functools
from pathlib import Path

from content.games.cards.loader import gaps, load_source
from content.games.cards.schema.pack import Pack
from content.reading.files import read_files
from content.reading.words import LANGUAGES

FOLDER = Path(__file__).parent / "house"


@functools.cache
def house() -> Pack:
    """Return the house pack. It is cached."""
    files = dict(read_files(FOLDER))
    head = "language: {name: none, zero: many}\n"
    bare = {**files, **{f"words/{language}/all.yaml": head.encode() for language in LANGUAGES}}
    missing = sorted({gap.subject for gap in gaps("house", bare)})
    words = "".join(f"{one}: {{name: {one}, text: {one}}}\n" for one in missing)
    worded = {f"words/{one}/all.yaml": (head + words).encode() for one in LANGUAGES}
    return load_source("house", {**files, **worded}).pack

"""House pack: small scenarios that use every feature of the rules, for random games.

The real loader reads its files. Nobody reads its words, so each subject simply has its id as its
name in both languages.
"""

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from content.games.second_edition.loader import load_pack
from content.games.second_edition.schema.pack import Pack
from content.reading.files import Folder, read_files
from content.reading.names import SUBJECT
from content.reading.words import LANGUAGES

FOLDER = Path(__file__).parent / "house"
BY_RULES = ("condition/insane", "trait/light_source")
"""Subjects that the loader wants words for although no file of the pack names them."""


@functools.cache
def house() -> Pack:
    """Return the house pack. It is cached."""
    return load_pack(FOLDER, read=_with_words)


def _with_words(folder: Folder) -> Mapping[str, bytes]:
    files = dict(read_files(folder))
    written = {word for data in files.values() for word in _subjects(data.decode())}
    lines = [f"{subject}: {{name: {subject}, text: {subject}}}" for subject in sorted(written)]
    words = "\n".join(["language: {name: none, zero: many}", *lines, ""]).encode()
    return {**files, **{f"words/{language}/all.yaml": words for language in LANGUAGES}}


def _subjects(text: str) -> set[str]:
    return {*BY_RULES, *re.findall(rf"\b{SUBJECT.pattern}", text)}

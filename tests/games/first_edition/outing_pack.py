"""
The outing: a small pack with everything of the outdoors, in two stories.

Each word of it is its subject. It builds on the bundled pack, of which it uses people, items and
combat cards.
"""

import functools
from pathlib import Path

from content.games.first_edition.schema.pack import Pack
from content.plugs import packs
from content.reading.files import read_files
from content.reading.names import SUBJECT
from content.reading.words import LANGUAGES
from tests.kit.compiled import kept

OUTING = Path(__file__).parent / "outing"
BY_THE_LAKE, TURNED_ROUND = "outing/by-the-lake", "outing/turned-round"
_COMPOSED = (
    *(f"by-the-lake/{word}" for word in ("purpose", "drown", "starve", "days")),
    *(f"turned-round/{word}" for word in ("aim", "bury", "burn", "hour", "early", "late")),
    "guide/turned-round",
    *(f"guide/test-{goal}" for goal in ("drown", "starve", "bury", "burn")),
    *(
        f"ending/test-{goal}/{side}"
        for goal in ("drown", "starve", "bury", "burn")
        for side in ("keeper", "investigator")
    ),
)
"""Subjects that the loader makes of ids."""


def files(**changed: tuple[str, str]) -> dict[str, bytes]:
    """
    Return the files of the pack, with words for all its subjects in every language.

    Args:
        changed: texts of a story to replace, old and new, by the name of its file with `_` for `-`.
    """
    own = dict(read_files(OUTING))
    for name, (old, new) in changed.items():
        file = f"scenarios/{name.replace('_', '-')}.yaml"
        assert own[file].decode().count(old) == 1, old
        own[file] = own[file].replace(old.encode(), new.encode())
    text = "\n".join(data.decode() for data in own.values())
    spaces = {f"{tile}/{letter}" for tile in ("shore", "hut") for letter in "abcd"}
    subjects = sorted({*SUBJECT.findall(text), *_COMPOSED} - spaces)
    words = "".join(f"{one}: {{name: {one}, text: {one}}}\n" for one in subjects).encode()
    own.update((f"words/{language}/all.yaml", words) for language in LANGUAGES)
    return own


@functools.cache
def outing() -> Pack:
    """Return the pack."""
    pack = kept("outing", packs.completed(files()))
    assert isinstance(pack, Pack)
    return pack

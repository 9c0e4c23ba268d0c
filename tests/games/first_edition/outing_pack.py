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


@functools.cache
def outing() -> Pack:
    """Return the pack, with words for all its subjects in every language."""
    own = dict(read_files(OUTING))
    text = "\n".join(data.decode() for data in own.values())
    spaces = {f"{tile}/{letter}" for tile in ("shore", "hut") for letter in "abcd"}
    subjects = sorted({*SUBJECT.findall(text), *_COMPOSED} - spaces)
    words = "".join(f"{one}: {{name: {one}, text: {one}}}\n" for one in subjects).encode()
    own.update((f"words/{language}/all.yaml", words) for language in LANGUAGES)
    pack = packs.load("outing", packs.completed(own))
    assert isinstance(pack, Pack)
    return pack

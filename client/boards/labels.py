"""
Labels: the names of the spaces of a board, in several lengths.

No name is ever cut. If the full name does not fit, the label is the short name that the pack gives
the map room. If the short name does not fit either, the label is a code of a few letters, unique to
the map room. The legend explains the codes.
"""

import functools
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

import attrs

from client.locale.speaker import Speaker
from client.text.ascii_fold import folded_words
from client.text.printable import width_of
from protocol.boards.maps import Map, PlacedTile

_SHORT = 3
"""The maximum number of letters in a code."""


@attrs.frozen
class Label:
    """The name of one space, in every length in which the map can draw the name."""

    name: str
    """The full name of the space, as choices show it."""
    room: str
    number: str
    """
    A blank and the number of the space within its map room; empty if the room has only one space.
    """
    short: str
    """The code of the map room, without the number of the space."""
    agreed: str = ""
    """The short name that the pack gives the map room; empty if there is none."""

    @property
    def code(self) -> str:
        """The code of the space's map room, followed by the number of the space."""
        return self.short + self.number.strip()

    @property
    def forms(self) -> tuple[str, ...]:
        """All forms of the name, from the full name to the code."""
        # The second form keeps the number and drops the brackets around it.
        agreed = (self.agreed + self.number,) if self.agreed else ()
        return (self.name, self.room + self.number, *agreed, self.code)

    def within(self, width: int) -> str:
        """Return the first of `forms` that fits in `width` cells; empty if none does."""
        return next((form for form in self.forms if width_of(form) <= width), "")


def labels(
    tiles: Sequence[PlacedTile], board: Map, speaker: Speaker, kind: str = "room"
) -> Mapping[str, Label]:
    """
    Return the label of each space.

    Args:
        tiles: the tiles of the board, in the order of placement.
        board: the board that these tiles make up.
        speaker: names the map rooms.
        kind: the kind under which the words of map rooms are stored.
    """
    # In the order in which they were found, so that no room changes its short form.
    found_rooms = tuple(dict.fromkeys(room for tile in tiles for _, room in tile.rooms))
    names = tuple(speaker.name(kind, room) for room in found_rooms)
    agreed = {room: speaker.short_name(kind, room) for room in found_rooms}
    called = tuple(agreed[room] or name for room, name in zip(found_rooms, names, strict=True))
    codes = dict(zip(found_rooms, _codes(called), strict=True))
    # In the order of the board, as everywhere else where the spaces of a room are numbered.
    spaces: dict[str, list[str]] = {}
    for space, room in board.rooms.items():
        spaces.setdefault(room, []).append(space)
    return {
        space: Label(
            name if len(here) == 1 else speaker.say("space.part", name, number),
            name,
            f" {number}" if len(here) > 1 else "",
            codes[room],
            agreed[room],
        )
        for room, name in zip(found_rooms, names, strict=True)
        for here in (spaces[room],)
        for number, space in enumerate(here, 1)
    }


@functools.lru_cache(maxsize=16)
def _codes(names: tuple[str, ...]) -> tuple[str, ...]:
    """Give each name a unique code. Names that are added at the end never change earlier codes."""
    found: list[str] = []
    taken: set[str] = set()
    for at, name in enumerate(names):
        # Compared without accents and capitals: some terminals show none.
        free = (code for code in _candidates(name) if "".join(folded_words(code)) not in taken)
        # The dash parts this number from that of a space, which may follow it.
        found.append(next(free, f"R{at + 1}-"))
        taken.add("".join(folded_words(found[-1])))
    return tuple(found)


def _candidates(name: str) -> Iterator[str]:
    """Yield possible codes for a name, the easiest to recognise first."""
    composed = unicodedata.normalize("NFC", name)
    # Wide letters would make a code wider than its number of characters.
    letters = "".join(
        char for char in composed if char in " -'’" or (char.isalpha() and width_of(char) == 1)
    )
    words = letters.replace("’", " ").replace("'", " ").replace("-", " ").split()
    # Articles and prepositions say nothing: "Hall of Mirrors" becomes HM.
    heads = [word for word in words if len(word) > _SHORT or not word.islower()] or words
    if not heads:
        return
    if len(heads) > 1:
        yield "".join(word[0] for word in heads[:_SHORT]).upper()
    for word in (word for word in heads if len(word) >= _SHORT):
        yield word[:_SHORT].capitalize()
    for word in heads:
        yield from ((word[:2] + char).capitalize() for char in word[2:])

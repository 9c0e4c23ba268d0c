"""
Rooms: what is written into the spaces of a board, as long as there is room for it.

No name is ever cut. One that does not fit gives way to the short name that the pack has for its
room; where that does not fit either, to a code of a few letters that no other room has. The legend
says which room a code is.
"""

import functools
import unicodedata
from collections.abc import Iterator, Mapping

import attrs

from client.locale.speaker import Speaker
from client.text.ascii_fold import folded_words
from client.text.printable import width_of
from protocol.games.second_edition.table import SecondEditionTable

_SHORT = 3
"""Letters of a short form at most."""


@attrs.frozen
class Label:
    """What can be written into a space."""

    name: str
    """As in every choice."""
    room: str
    number: str
    """Which space of its room it is, with a blank before it; empty where there is but one."""
    short: str
    """The short form of its room, as the first part of a code."""
    agreed: str = ""
    """The short name that the pack has for its room, if any."""

    @property
    def code(self) -> str:
        """The short form, with the number."""
        return self.short + self.number.strip()

    @property
    def forms(self) -> tuple[str, ...]:
        """All that it can be called, the longest first."""
        # Of a long name the number is kept, without brackets.
        agreed = (self.agreed + self.number,) if self.agreed else ()
        return (self.name, self.room + self.number, *agreed, self.code)

    def within(self, width: int) -> str:
        """Return the longest form that so many cells hold; empty for none."""
        return next((form for form in self.forms if width_of(form) <= width), "")


def labels(game: SecondEditionTable, speaker: Speaker) -> Mapping[str, Label]:
    """Return what each space is called."""
    board = game.map
    # In the order in which they were found, so that no room changes its short form.
    found_rooms = tuple(dict.fromkeys(room for tile in game.tiles for _, room in tile.rooms))
    names = tuple(speaker.name("room", room) for room in found_rooms)
    agreed = {room: speaker.short_name("room", room) for room in found_rooms}
    called = tuple(agreed[room] or name for room, name in zip(found_rooms, names, strict=True))
    codes = dict(zip(found_rooms, _codes(called), strict=True))
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
    """Give each name a short form of its own, the same however many names come after it."""
    found: list[str] = []
    taken: set[str] = set()
    for at, name in enumerate(names):
        free = (code for code in _candidates(name) if _looks(code) not in taken)
        # A sign after the number, so that the number of a space can follow it.
        found.append(next(free, f"R{at + 1}-"))
        taken.add(_looks(found[-1]))
    return tuple(found)


def _looks(code: str) -> str:
    """Return a short form without marks and capitals, for where some terminals show none."""
    return "".join(folded_words(code))


def _candidates(name: str) -> Iterator[str]:
    """Yield short forms of a name, the most telling first."""
    letters = "".join(char for char in unicodedata.normalize("NFC", name) if _is_plain(char))
    words = letters.replace("’", " ").replace("'", " ").replace("-", " ").split()
    heads = [word for word in words if len(word) > _SHORT or not word.islower()] or words
    if not heads:
        return
    if len(heads) > 1:
        yield "".join(word[0] for word in heads[:_SHORT]).upper()
    for word in (word for word in heads if len(word) >= _SHORT):
        yield _cased(word[:_SHORT])
    for word in heads:
        yield from (_cased(word[:2] + char) for char in word[2:])


def _is_plain(char: str) -> bool:
    """Whether a character can be part of a short form, or parts words."""
    is_letter = char.isalpha() and width_of(char) == 1
    return is_letter or char in " -'’"


def _cased(code: str) -> str:
    return code[0].upper() + code[1:].lower()

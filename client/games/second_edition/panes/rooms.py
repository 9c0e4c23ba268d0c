"""
Rooms: what is written into the spaces of a board, as long as there is room for it.

A name that does not fit is cut, and one of which too little would be left gives way to a short
form of a few letters that no other room has; the legend says which room that is.
"""

import functools
import itertools
import unicodedata
from collections.abc import Iterator, Mapping

import attrs

from client.locale.speaker import Speaker
from client.text.ascii_fold import folded_words
from client.text.printable import clip, width_of
from protocol.games.second_edition.table import SecondEditionTable

LEAST_CUT = 6
"""A name cut shorter than this says nothing, the mark of the cut included."""
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
    """The short form of its room."""
    least: int = LEAST_CUT
    """Cells that the room's name is given at least where it is cut, so that it is no other's."""

    @property
    def code(self) -> str:
        """The short form, with the number."""
        return self.short + self.number.strip()

    def within(self, width: int) -> str:
        """Return the longest form that so many cells hold; empty for none."""
        if width_of(self.name) <= width:
            return self.name
        # Of a long name the number is kept, without brackets.
        rest = width - width_of(self.number)
        if rest >= self.least or width_of(self.room) <= rest:
            return clip(self.room, rest) + self.number
        return self.code if width_of(self.code) <= width else ""


def labels(game: SecondEditionTable, speaker: Speaker) -> Mapping[str, Label]:
    """Return what each space is called."""
    board = game.map
    # In the order in which they were found, so that no room changes its short form.
    found_rooms = tuple(dict.fromkeys(room for tile in game.tiles for _, room in tile.rooms))
    names = tuple(speaker.name("room", room) for room in found_rooms)
    codes = dict(zip(found_rooms, _codes(names), strict=True))
    least = dict(zip(found_rooms, _least(names), strict=True))
    spaces: dict[str, list[str]] = {}
    for space, room in board.rooms.items():
        spaces.setdefault(room, []).append(space)
    return {
        space: Label(
            name if len(here) == 1 else speaker.say("space.part", name, number),
            name,
            f" {number}" if len(here) > 1 else "",
            codes[room],
            least[room],
        )
        for room, name in zip(found_rooms, names, strict=True)
        for here in (spaces[room],)
        for number, space in enumerate(here, 1)
    }


@functools.lru_cache(maxsize=16)
def _least(names: tuple[str, ...]) -> tuple[int, ...]:
    """Return for each name how many cells tell it from the others, where it has to be cut."""
    return tuple(
        max((_told_apart(name, other) for other in names if other != name), default=LEAST_CUT)
        for name in names
    )


def _told_apart(name: str, other: str) -> int:
    alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(name, other, strict=False))
    # As much as is alike, the letter that is not, and the mark of the cut.
    return max(LEAST_CUT, width_of("".join(one for one, _ in alike)) + 2)


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

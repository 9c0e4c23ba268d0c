"""
Lookalike names: keeps players from impersonating others at their table by similar letters.

Two names are confusable when their skeletons are equal (UTS #39, section 4): each character is
replaced by the prototype of all characters that look like it. The Unicode data are a file beside
this module; a library would bring the same data in thirty times the size.

Names are compared when somebody sits down, and never when a log is read: the data change with
Unicode, and the seats of old tables must stay valid.
"""

import functools
import unicodedata
from collections.abc import Mapping
from importlib import resources
from typing import Final

from protocol.common.events import SeatFilled, SeatFilledKnowing, SeatTaken
from protocol.common.table import RoomTable
from protocol.event import Event
from server.kernel.errors import Refused

_DATA: Final = "confusables.txt"
_MARKS_SHOWN: Final = 2
"""Maximum number of combining marks that a client shows on one letter."""


def must_look_like_nobody(room: RoomTable, happened: Event) -> None:
    """Refuse an input that seats somebody under a name that looks like another seat's."""
    if isinstance(happened, SeatTaken | SeatFilled | SeatFilledKnowing):
        others = {seat.name for seat in room.seats.values() if seat.seat != happened.seat}
        if is_confusable(happened.name, others):
            raise Refused("table/name_looks_taken")


def is_confusable(name: str, others: set[str]) -> bool:
    """Return True if a name looks like one of the others."""
    return skeleton(name) in {skeleton(other) for other in others if other}


def skeleton(name: str) -> str:
    """Return the skeleton of a name; names that look the same have equal skeletons."""
    # Only the first marks of a letter count: no client shows more.
    shown, marks = "", 0
    for char in unicodedata.normalize("NFC", name):
        marks = marks + 1 if unicodedata.category(char).startswith("M") else 0
        if marks <= _MARKS_SHOWN:
            shown += char
    stands_for, letters = _prototypes(), unicodedata.normalize("NFD", shown)
    shape = "".join(stands_for.get(letter, letter) for letter in letters)
    return unicodedata.normalize("NFD", shape)


@functools.cache
def _prototypes() -> Mapping[str, str]:
    """Return the prototype of each character that looks like another."""
    text = resources.files(__package__).joinpath(_DATA).read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {char: prototype for prototype, alike in rows for char in alike}

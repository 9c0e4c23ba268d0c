"""
Names that look the same: at one table nobody can pass for somebody else by a letter.

Two names are confusable when their skeletons are equal (UTS #39, section 4): each character is
replaced by the one that stands for all that look like it. The data of Unicode lie beside this
module; a library would bring the same, thirty times as large.

It is asked when somebody sits down and never when a log is read: the data change with Unicode, and
whoever sits at an old table stays there.
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
"""Of the marks on one letter, how many a client shows."""


def must_look_like_nobody(room: RoomTable, happened: Event) -> None:
    """Refuse that somebody sits down whose name looks like that of another seat."""
    if isinstance(happened, SeatTaken | SeatFilled | SeatFilledKnowing):
        others = {seat.name for seat in room.seats.values() if seat.seat != happened.seat}
        if is_confusable(happened.name, others):
            raise Refused("table/name_looks_taken")


def is_confusable(name: str, others: set[str]) -> bool:
    """Return whether a name looks like one of others."""
    return skeleton(name) in {skeleton(other) for other in others if other}


def skeleton(name: str) -> str:
    """Return what a name looks like: equal for names that cannot be told apart."""
    stands_for = _prototypes()
    letters = unicodedata.normalize("NFD", _as_shown(name))
    shape = "".join(stands_for.get(char, char) for char in letters)
    return unicodedata.normalize("NFD", shape)


def _as_shown(name: str) -> str:
    """Return a name without the marks that no client shows."""
    kept, marks = "", 0
    for char in unicodedata.normalize("NFC", name):
        marks = marks + 1 if unicodedata.category(char).startswith("M") else 0
        if marks <= _MARKS_SHOWN:
            kept += char
    return kept


@functools.cache
def _prototypes() -> Mapping[str, str]:
    """Return for each character that looks like another which one stands for both."""
    text = resources.files(__package__).joinpath(_DATA).read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {char: prototype for prototype, alike in rows for char in alike}

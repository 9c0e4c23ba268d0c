"""
What people type: which text may stand in a name or a line of chat.

Such text is shown on other people's terminals, so nothing in it may move a cursor, change a
colour, turn the direction of writing or look like nothing at all.
"""

import unicodedata

import attrs

from protocol.common.events import MAX_NAME
from protocol.common.visible import INVISIBLE

_JOINERS = "\u200c\u200d"
"""Invisible, but without them several scripts and many pictures cannot be written."""

_MAX_MARKS = 4
"""Marks that may stand on one letter; more would climb into the lines above."""


def is_plain(text: str) -> bool:
    """Return whether text may be shown to others: one line, printable, normal form C."""
    return (
        unicodedata.is_normalized("NFC", text)
        and all(char.isprintable() or char in _JOINERS for char in text)
        and not _has_too_many_marks(text)
    )


def check_plain(_: object, attribute: "attrs.Attribute[str]", value: str) -> None:
    """Validate a field of an attrs class: ValueError unless `is_plain`."""
    if not is_plain(value):
        raise ValueError(f"{attribute.name} has characters that cannot be printed")


def clean(text: str) -> str:
    """
    Return text as near to what was typed as `is_plain` allows; for what people paste.

    What is clean stays as it is.
    """
    spaced = " ".join(text.split())
    kept = "".join(char for char in spaced if char.isprintable() or char in _JOINERS)
    normal = unicodedata.normalize("NFC", kept)
    if _has_too_many_marks(normal):
        normal = "".join(c for c in normal if not unicodedata.category(c).startswith("M"))
    # Where something between two blanks is gone, both are there.
    return " ".join(normal.split())


def name_fault(name: str) -> str | None:
    """Return what is wrong with a person's name, as a sentence, or None if it will do."""
    if not name:
        return "the name is empty"
    if len(name) > MAX_NAME:
        return f"the name is longer than {MAX_NAME} characters"
    if not is_plain(name) or any(char in _JOINERS or char in INVISIBLE for char in name):
        return "the name has characters that cannot be printed"
    if "/" in name:
        # Every text string on the log that has a slash may be a key whose words are sent along.
        return "the name has a slash in it"
    if name != name.strip() or "  " in name:
        return "the name begins or ends with a space, or has two in a row"
    if unicodedata.category(name[0]).startswith("M"):
        return "the name begins with a mark that belongs on a letter"
    return None


def _has_too_many_marks(text: str) -> bool:
    run = 0
    for char in text:
        run = run + 1 if unicodedata.category(char).startswith("M") else 0
        if run > _MAX_MARKS:
            return True
    return False

"""
Plain text: the characters allowed in names and chat.

Such text is shown on other people's terminals. Nothing in it may move a cursor, change a colour,
reverse the direction of writing or be invisible.
"""

import unicodedata

import attrs

from protocol.common.events import MAX_NAME
from protocol.common.visible import INVISIBLE

_JOINERS = "\u200c\u200d"
"""Invisible, but without them several scripts and many pictures cannot be written."""

_MAX_MARKS = 4
"""Most marks on one letter; more would cover the lines above."""


def is_plain(text: str) -> bool:
    """Return whether text is one printable line in normal form C, without stacks of marks."""
    return (
        unicodedata.is_normalized("NFC", text)
        and all(char.isprintable() or char in _JOINERS for char in text)
        and not _has_too_many_marks(text)
    )


def check_plain(_: object, attribute: "attrs.Attribute[str]", value: str) -> None:
    """Validate that a field is plain text; an attrs validator."""
    if not is_plain(value):
        raise ValueError(f"{attribute.name} has characters that cannot be printed")


def clean(text: str) -> str:
    """
    Return the plain text nearest to a text that somebody pasted.

    Plain text is returned unchanged.
    """
    # Line breaks and tabs separate words, so they become blanks before they are dropped.
    spaced = " ".join(text.split())
    kept = "".join(char for char in spaced if char.isprintable() or char in _JOINERS)
    normal = unicodedata.normalize("NFC", kept)
    if _has_too_many_marks(normal):
        # All of them: a few left over would spell another word.
        normal = "".join(c for c in normal if not unicodedata.category(c).startswith("M"))
    # Two blanks are left where a character between them was dropped.
    return " ".join(normal.split())


def name_fault(name: str) -> str | None:
    """Return a sentence about what is wrong with a person's name; None if it is valid."""
    if not name:
        return "the name is empty"
    if len(name) > MAX_NAME:
        return f"the name is longer than {MAX_NAME} characters"
    if not is_plain(name) or any(char in _JOINERS or char in INVISIBLE for char in name):
        return "the name has characters that cannot be printed"
    if "/" in name:
        # Every text on the log that has a slash is looked up as a key of the catalog.
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

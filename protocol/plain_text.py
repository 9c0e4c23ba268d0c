"""
Plain text: the characters allowed in names and chat.

Such text is shown on other people's terminals. Nothing in it may move a cursor, change a colour,
reverse the direction of writing or be invisible.
"""

import unicodedata
from collections.abc import Collection, Mapping

import attrs

from protocol.common.events import MAX_NAME
from protocol.common.visible import INVISIBLE

_JOINERS = "\u200c\u200d"
"""Invisible joiners, without which several scripts and many emoji cannot be written."""

_AS_PICTURE = "\ufe0f"
"""Variation selector after a character that displays the character as an emoji."""
_MAX_MARKS = 4
"""Maximum number of marks on one letter; more marks would cover the lines above."""


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

    Plain text is unchanged, except that each run of blanks becomes one, and none is left at the
    ends.
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


_NAME_FAULTS: Mapping[str, str] = {
    "empty": "the name is empty",
    "long": f"the name is longer than {MAX_NAME} characters",
    "marks": "the name has too many marks on a letter, or begins with one",
    "joined": "the name has a sign made of several characters, some of them invisible",
    "unprintable": "the name has characters that cannot be printed",
    # Every text on the log that has a slash is looked up as a key of the catalog.
    "slash": "the name has a slash in it",
    "spaces": "the name begins or ends with a space, or has two in a row",
}


def composed(text: str) -> str:
    """Return a typed text in normal form C: some systems send letters and marks separately."""
    return unicodedata.normalize("NFC", text)


def name_fault(name: str) -> str | None:
    """Return a sentence that explains why a person's name is invalid; None if it is valid."""
    kind = kind_of_name_fault(name)
    return None if kind is None else _NAME_FAULTS[kind]


def kind_of_name_fault(name: str) -> str | None:
    """Return the kind of fault in a person's name, as a key of words; None if the name is valid."""
    has_picture = any(unicodedata.category(char) == "So" for char in name)
    # The first fault is told, so exact ones come before `unprintable`, which covers them.
    faults = {
        "empty": not name,
        "long": len(name) > MAX_NAME,
        # A mark at the beginning would combine with the character printed before the name.
        "marks": _has_too_many_marks(name) or unicodedata.category(name[:1] or " ")[0] == "M",
        "joined": has_picture and _has_any(name, f"{_JOINERS}{_AS_PICTURE}"),
        "unprintable": not is_plain(name) or _has_any(name, {*_JOINERS, *INVISIBLE}),
        "slash": "/" in name,
        "spaces": name != name.strip() or "  " in name,
    }
    return next((kind for kind, is_so in faults.items() if is_so), None)


def _has_any(text: str, chars: Collection[str]) -> bool:
    return any(char in chars for char in text)


def _has_too_many_marks(text: str) -> bool:
    run = 0
    for char in text:
        run = run + 1 if unicodedata.category(char).startswith("M") else 0
        if run > _MAX_MARKS:
            return True
    return False

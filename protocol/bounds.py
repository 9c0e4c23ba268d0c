"""
Bounds of messages: lengths, sizes, counts, and the validators that enforce them.

A validator's ValueError becomes Malformed when a message is read.
"""

import re
from typing import Any

from attrs.validators import and_, deep_iterable, ge, le, max_len, min_len

MAX_ID = 64
"""Maximum number of characters in an id of a room, a scenario or a choice, and in a code."""
MAX_INTEGER = 2**53
"""Largest absolute value of an integer. A double represents all integers up to this value
exactly."""

ROOM = f"[0-9a-z-]{{0,{MAX_ID}}}"
"""Regular expression of a whole room id; an empty id means no room."""

ID: Any = max_len(MAX_ID)
"""The validator of an id."""
COUNT: Any = and_(ge(0), le(MAX_INTEGER))
"""The validator of a number that is not negative."""

MAX_TIME = 2**47
"""
Latest time of a record, in milliseconds since 1970: in the year 6429, which calendar libraries can
still represent.
"""
TIME: Any = and_(ge(0), le(MAX_TIME))
"""The validator of a time in milliseconds since 1970."""

MAX_ITEMS_OF_CLIENT = 1024
"""Maximum number of items in all arrays of one client message together."""
MAX_ITEMS_OF_SERVER = 16 * 1024
"""
Maximum number of items in all arrays of one server message together: one for every four bytes of a
full frame.
"""
MAX_KINDS = 64
"""Maximum number of kinds of question for which a seat can pass in advance."""
MAX_PICKS = 64
"""Maximum number of choices that one answer may contain."""
MAX_CHARACTERS = 64
"""Maximum number of characters in a roster, and of characters that a seat claims."""
MAX_ROLES = 8
"""Maximum number of roles that a game has."""
MAX_PRODUCTS = 64
"""Maximum number of products in the content of a scenario, and of products that a table switches
off."""
MAX_LINES = 32
"""Maximum number of lines in one list of tables or scenarios; the server sends the newest lines."""
MAX_SETUPS = 64
"""Maximum number of lines in one list of fixed setups; the server sends open setups first, then the
newest."""
MAX_SEATS = 8
"""Maximum number of seats of one table that a list may name."""
MAX_CUTS = 4096
"""Maximum number of records in one `Records`."""
MAX_SUBJECTS = 1024
"""Maximum number of subjects in one `Words`."""
MAX_TEMPLATE = 8000
"""Maximum number of characters in one template of `Words`."""
MAX_PART_BYTES = 48 * 1024
"""Maximum number of bytes in one `ExportPart`."""
MAX_ANNOUNCEMENT = 200
"""Maximum number of characters in one announcement."""
MAX_PASSWORD = 100
"""Maximum number of characters in the password that opens tables."""
MAX_MAIL_ADDRESS = 254
"""Maximum number of characters in an address for mail."""
MAX_REASON = 500
"""Maximum number of characters in a reason, a sentence in plain English."""
MAX_REASONS = 16
"""Maximum number of reasons, each with its rule, in one refusal."""
MAX_LANGUAGE = 16
"""Maximum number of characters in the name of a language, such as `fr`."""

LANGUAGE = "[a-z]{2,3}(-[A-Za-z0-9]{2,8})?"
"""Regular expression of a whole language name."""

WordsBySubject = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""Pairs of a subject and its fields; a field is a pair of name and template."""

SEAT: Any = and_(ge(-1), le(MAX_SEATS))
"""The validator of a seat; -1 means none."""
AFTER: Any = and_(ge(-1), le(MAX_INTEGER))
"""The validator of a sequence; -1 means before the first record."""
BYTES_32: Any = and_(min_len(32), max_len(32))
"""The validator of a hash or a share of chance."""

NONE_OR_32: Any = max_len(32)
SIGNATURE: Any = max_len(64)
NOT_NEGATIVE: Any = ge(0)


def ids(most: int) -> Any:
    """Return the validator of a tuple of at most `most` ids."""
    return deep_iterable(member_validator=max_len(MAX_ID), iterable_validator=max_len(most))


def is_language(name: str) -> bool:
    """Return whether a text is the name of a language, such as `fr` or `pt-BR`."""
    return re.fullmatch(LANGUAGE, name) is not None


def check_language(_: object, __: object, value: str) -> None:
    """Validate the name of a language; an attrs validator."""
    if not is_language(value):
        raise ValueError("that is no name of a language")


def check_room(_: object, __: object, value: str) -> None:
    """
    Validate a room id; an attrs validator.

    Clients name files after rooms, so an id from a hostile server must not be a path.
    """
    if re.fullmatch(ROOM, value) is None:
        raise ValueError("that is no id of a room")


def check_words(_: object, __: object, value: WordsBySubject) -> None:
    """Validate the number of subjects and the lengths of templates; an attrs validator."""
    if len(value) > MAX_SUBJECTS:
        raise ValueError("too many subjects")
    for _subject, fields in value:
        if any(len(template) > MAX_TEMPLATE for _, template in fields):
            raise ValueError("a template is too long")


ROOM_ID: Any = and_(ID, check_room)
"""The validator of a room id."""

"""Enumerations whose members are looked up often, in a dict or a set."""

import enum


class KeyEnum(enum.Enum):
    """
    An enumeration whose members are hashed by identity.

    Each of them is one object, so that they are equal where they are the same. `enum.Enum` hashes
    their names by a function in Python, which takes longer than the rest of looking a member up.
    """

    __hash__ = object.__hash__

"""
Names of files after ids that somebody else chose: rooms, games and packs.

Every such name is made here, so that no id leaves the folder that its file belongs into.
"""

import hashlib
import re
from typing import Final

_HARMLESS: Final = re.compile("[0-9a-z][0-9a-z-]{7,63}")
"""Ids that are used as file names unchanged: no separator or dot, one case (some disks ignore
case), and longer than the device names of Windows."""
_HASHED: Final = "id-"
"""Prefix of the names of hashed ids; no other file name has this prefix."""
_DIGITS: Final = 32


def file_stem(identifier: str) -> str:
    """
    Return a file name, without its suffix, for an id.

    A harmless id is its own name; any other is hashed, so two ids never share a name.
    """
    if _HARMLESS.fullmatch(identifier) and not identifier.startswith(_HASHED):
        return identifier
    # An id may hold half a surrogate pair, which UTF-8 cannot.
    data = identifier.encode("utf-8", "surrogatepass")
    return _HASHED + hashlib.sha256(data).hexdigest()[:_DIGITS]

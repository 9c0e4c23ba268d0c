"""Reads the data in an exported page."""

import base64
import json
import re
import zlib
from typing import Any


def shown_by(document: str) -> dict[str, Any]:
    """Return the game data that the script of a page reads."""
    found = re.search(r'id="game">([^<]*)<', document)
    assert found
    packed = base64.b64decode(found[1])
    game: dict[str, Any] = json.loads(zlib.decompress(packed, -zlib.MAX_WBITS))
    return game

"""Compiles gettext catalogs, from which argparse takes its words, as `msgfmt` does."""

import struct
from collections.abc import Mapping

_MAGIC = 0x950412DE
_HEADER = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n>1;\n"


def compiled(messages: Mapping[str, str]) -> bytes:
    """Return the bytes of a `.mo` file: singular and plural of a message are joined by NUL."""
    pairs = sorted({"": _HEADER, **messages}.items())
    texts = [[side.encode() + b"\0" for side in pair] for pair in pairs]
    count = len(texts)
    at = 28 + 16 * count
    tables: tuple[list[bytes], list[bytes]] = ([], [])
    data = b""
    for side in (0, 1):
        for pair in texts:
            tables[side].append(struct.pack("<II", len(pair[side]) - 1, at + len(data)))
            data += pair[side]
    head = struct.pack("<IIIIIII", _MAGIC, 0, count, 28, 28 + 8 * count, 0, at)
    return head + b"".join(tables[0]) + b"".join(tables[1]) + data

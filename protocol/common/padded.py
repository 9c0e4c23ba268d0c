"""Bytes of a game that are kept for one seat, padded so that their length tells nothing."""

from typing import Self

import attrs
from attrs.validators import and_, max_len, min_len

from protocol.values import frozen

PADDED_BYTES = 4096
"""How long all of them are."""
MAX_CONTENT = PADDED_BYTES - 1
"""Bytes that fit in beside the mark at their end."""

_MARK = b"\x80"


@frozen
class Padded:
    """
    Bytes of a game: their content, the byte 128, then zeros up to the one length of all.

    Where no byte 128 stands before the zeros, the content is all that does.
    """

    data: bytes = attrs.field(
        validator=and_(min_len(PADDED_BYTES), max_len(PADDED_BYTES)), repr=False
    )

    @classmethod
    def of(cls, content: bytes) -> Self:
        """Return the bytes padded. ValueError for more than `MAX_CONTENT`."""
        if len(content) > MAX_CONTENT:
            raise ValueError(f"{len(content)} bytes; {MAX_CONTENT} are the most")
        return cls((content + _MARK).ljust(PADDED_BYTES, b"\0"))

    @property
    def content(self) -> bytes:
        """The bytes without what pads them; where the mark is missing, all before the zeros."""
        return self.data.rstrip(b"\0").removesuffix(_MARK)

"""Data of a game for one seat, padded so that its length reveals nothing."""

from typing import Self

import attrs
from attrs.validators import and_, max_len, min_len

from protocol.values import frozen

PADDED_BYTES = 4096
"""Length in bytes of all padded data."""
MAX_CONTENT = PADDED_BYTES - 1
"""Maximum bytes of content: the end mark takes one byte."""

_MARK = b"\x80"


@frozen
class Padded:
    """
    Data of a game: the content, the byte 128, then zeros up to the fixed length.

    Without a byte 128 in front of the zeros the content is everything before them.
    """

    data: bytes = attrs.field(
        validator=and_(min_len(PADDED_BYTES), max_len(PADDED_BYTES)), repr=False
    )

    @classmethod
    def of(cls, content: bytes) -> Self:
        """Pad some content. ValueError if it is longer than `MAX_CONTENT`."""
        if len(content) > MAX_CONTENT:
            raise ValueError(f"{len(content)} bytes; {MAX_CONTENT} are the most")
        # The mark tells content that ends with zeros from padding.
        return cls((content + _MARK).ljust(PADDED_BYTES, b"\0"))

    @property
    def content(self) -> bytes:
        """The content without its padding."""
        return self.data.rstrip(b"\0").removesuffix(_MARK)

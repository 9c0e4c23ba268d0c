"""Parts of readings: paragraphs, and rows of a list with a text about each."""

import attrs

Paragraph = tuple[str, str]
"""Style and text."""
HEAD = "class:title"


@attrs.frozen
class Row:
    """One row of a list to read."""

    key: str
    """Identifies the row, so that the cursor stays on it when other rows come and go."""
    text: str
    sides: tuple[tuple[Paragraph, ...], ...] = ()
    """The sides of the text about the row, such as both sides of a card; none for a heading."""
    indent: int = 0
    about: tuple[str, str] | None = None
    """The kind and name under which notes on the row are stored; None if it takes no notes."""

    @property
    def is_head(self) -> bool:
        return not self.sides

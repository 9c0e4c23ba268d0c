"""Parts of readings: paragraphs, and rows of a list with the text about each."""

import attrs

Paragraph = tuple[str, str]
"""Style and text."""
HEAD = "class:title"
"""The style of a heading."""


@attrs.frozen
class Row:
    """One line of the list."""

    key: str
    """Identity, so that the cursor stays on it when others come and go."""
    text: str
    sides: tuple[tuple[Paragraph, ...], ...] = ()
    """Sides of the text about it, such as both of a card; none for a heading."""
    indent: int = 0
    about: tuple[str, str] | None = None
    """Kind and name under which notes on it are kept; None if it takes no notes."""

    @property
    def is_head(self) -> bool:
        """Whether it is a heading."""
        return not self.sides

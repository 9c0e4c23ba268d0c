"""What readings are made of: paragraphs, and the rows of a list with what is read about each."""

import attrs

Paragraph = tuple[str, str]
"""Style and text."""
HEAD = "class:title"
"""The style of a heading."""


@attrs.frozen
class Row:
    """One line of the list."""

    key: str
    """What it is, so that the cursor stays on it when others come and go."""
    text: str
    sides: tuple[tuple[Paragraph, ...], ...] = ()
    """What is read about it, each side of it; none for a heading, on which no cursor stands."""
    indent: int = 0
    about: tuple[str, str] | None = None
    """Kind and name of what a note on it belongs to, the same all through a game; None where no
    note can be written."""

    @property
    def is_head(self) -> bool:
        """Whether it is a heading."""
        return not self.sides

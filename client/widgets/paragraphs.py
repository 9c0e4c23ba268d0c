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
    """Text about it, side by side; none for a heading, which the cursor skips."""
    indent: int = 0
    about: tuple[str, str] | None = None
    """Kind and name of what a note on it belongs to, the same all through a game; None where no
    note can be written."""

    @property
    def is_head(self) -> bool:
        """Whether it is a heading."""
        return not self.sides

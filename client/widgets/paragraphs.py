"""Parts of readings: paragraphs, and rows of a list with a text about each."""

from collections.abc import Sequence

import attrs

from client.text.searching import has_words

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

    def has_words(self, wanted: str) -> bool:
        """Return whether the row or its text has each of some words, or words that begin so."""
        return has_words(wanted, [self.text, *(text for side in self.sides for _, text in side)])


def filtered(rows: Sequence[Row], wanted: str) -> list[Row]:
    """Return the rows that have some words, and the headings above them."""
    found = list[Row]()
    for row in rows:
        if row.is_head and found and found[-1].is_head:
            found.pop()
        if row.is_head or row.has_words(wanted):
            found.append(row)
    return found[:-1] if found and found[-1].is_head else found

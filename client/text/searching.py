"""Searching: words in lines of text, whatever their case and accents, as fingers type them."""

from client.text.ascii_fold import ascii_fold, fold_with_places
from client.text.printable import printable


def find_all(wanted: str, text: str) -> list[tuple[int, int]]:
    """
    Return where a word stands in a text, from the left, no two of them overlapping.

    Args:
        wanted: as somebody typed it; blanks at its ends do not count.
        text: printable already.

    Returns:
        The first character and the one after the last, of each place.
    """
    word = ascii_fold(printable(wanted).strip())
    searched, places = fold_with_places(text)
    found, at = [], searched.find(word) if word else -1
    while at >= 0:
        end = at + len(word)
        found.append((places[at], places[end - 1] + 1))
        at = searched.find(word, end)
    return found

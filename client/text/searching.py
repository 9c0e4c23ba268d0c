"""Searches lines of text regardless of case and accents."""

from collections.abc import Iterable

from client.text.ascii_fold import ascii_fold, fold_with_places, folded_words
from client.text.printable import printable


def find_all(wanted: str, text: str) -> list[tuple[int, int]]:
    """
    Return the places of a word in a text, from the left, without overlaps.

    Args:
        wanted: the word as typed; blanks at its ends do not count.
        text: the text, already printable.

    Returns:
        Start and end of each place.
    """
    word = ascii_fold(printable(wanted).strip())
    searched, places = fold_with_places(text)
    found, at = [], searched.find(word) if word else -1
    while at >= 0:
        end = at + len(word)
        found.append((places[at], places[end - 1] + 1))
        at = searched.find(word, end)
    return found


def has_words(wanted: str, texts: Iterable[str]) -> bool:
    """Return whether some texts have each of the typed words, or words that begin so."""
    searched = folded_words(" ".join(texts))
    return all(any(one.startswith(word) for one in searched) for word in folded_words(wanted))

"""
Finds the named things that a typed line means.

Words are compared without case, accents or punctuation. A typed word fits a thing if the typed word
is a prefix of a word of the thing. The program never guesses: if several things fit equally well,
all of them are returned and the caller reports the ambiguity.
"""

import difflib
from collections.abc import Iterable, Sequence

import attrs

from client.text.ascii_fold import folded_words

MOST_NEAR = 3
"""The maximum number of similar things named if no thing fits."""
_LEAST_LIKENESS = 0.7
"""The minimum similarity of a misspelled word to the intended word, from 0 to 1."""
_MOST_WORDS = 12
"""The maximum number of words of a line that are used to find similar things."""

_WHOLE, _BEGUN = 0, 1


@attrs.frozen
class NamedThing:
    """A thing with the words that can be typed for the thing."""

    text: str
    kinds: frozenset[str] = frozenset()
    """Words for the thing's kind, such as `move`. A kind typed in full counts as much as the
    thing's own words."""
    also: frozenset[str] = frozenset()
    """Other words for the thing, such as the place where it happens."""


def telling(words: Sequence[str], little: frozenset[str]) -> tuple[str, ...]:
    """Return the significant words; all words if none is significant."""
    return tuple(word for word in words if word not in little) or tuple(words)


def fitting(
    typed: str, things: Sequence[NamedThing], little: frozenset[str] = frozenset()
) -> tuple[int, ...]:
    """
    Return the indexes of the things that a line fits best: none, one, or several equally good.

    Args:
        typed: the line, all of whose significant words must fit. A single letter may be the name of
            a piece: the letter excludes no thing, but decides between two.
        things: the candidates.
        little: insignificant words such as articles, with case and accents removed.
    """
    words = folded_words(typed)
    wanted = telling(words, little)
    if not wanted:
        return ()
    # All words of one thing mean this thing, even if they begin other things too.
    whole = [
        at for at, one in enumerate(things) if telling(folded_words(one.text), little) == wanted
    ]
    if len(whole) == 1:
        return tuple(whole)
    # Left out of `wanted`, since a single letter excludes nothing.
    letters = [word for word in words if word not in wanted and len(word) == 1]
    costs = {
        at: (
            *cost,
            *(_WHOLE if letter in folded_words(one.text) else _BEGUN for letter in letters),
        )
        for at, one in enumerate(things)
        if (cost := _costs(wanted, one)) is not None
    }
    return tuple(
        at
        for at, cost in costs.items()
        # Unless another fits at least as well in every word, and better in one.
        if not any(
            other != cost and all(its <= mine for its, mine in zip(other, cost, strict=True))
            for other in costs.values()
        )
    )


def _costs(wanted: Sequence[str], thing: NamedThing) -> tuple[int, ...] | None:
    """Return the cost of each typed word for a thing (0 for a whole word); None for no match."""
    own = folded_words(thing.text)
    costs = []
    for word in wanted:
        if word in own or word in thing.kinds:
            costs.append(_WHOLE)
        elif any(one.startswith(word) for one in (*own, *thing.kinds, *thing.also)):
            costs.append(_BEGUN)
        else:
            return None
    return tuple(costs)


def says(thing: NamedThing, word: str) -> bool:
    """Return whether a word is a prefix of a word of the thing's own text."""
    folded = folded_words(word)
    return len(folded) == 1 and any(one.startswith(folded[0]) for one in folded_words(thing.text))


def near(
    typed: str, things: Sequence[NamedThing], little: frozenset[str] = frozenset()
) -> tuple[int, ...]:
    """Return the indexes of things that are similar to a line that fits none.

    Only the things with the most fitting or similar words are returned, at most MOST_NEAR.
    """
    wanted = telling(folded_words(typed), little)[:_MOST_WORDS]
    known = sorted({word for one in things for word in _all_words(one)})
    # What each typed word is a prefix of, or similar to.
    meant = [
        {
            *(one for one in known if one.startswith(word)),
            *difflib.get_close_matches(word, known, n=3, cutoff=_LEAST_LIKENESS),
        }
        for word in dict.fromkeys(wanted)
    ]
    scores = {
        at: sum(1 for alike in meant if not alike.isdisjoint(_all_words(one)))
        for at, one in enumerate(things)
    }
    best = sorted((at for at, score in scores.items() if score), key=lambda at: -scores[at])
    return tuple(at for at in best[:MOST_NEAR] if scores[at] == scores[best[0]])


def _all_words(thing: NamedThing) -> Iterable[str]:
    return (*folded_words(thing.text), *thing.kinds, *thing.also)

"""
Brains of bots: how a game provides its brains, and the random brain for any game.

The module `bot` in a game's folder has the game's brains by role as `BRAINS`. If the game's rules
require a preparation, `PREPARERS` has the functions that write the preparation for a bot, by role.
`STOPS` has the kinds of timed window at which bots stop the game, by role; without it they stop at
none.

`pick_random` depends only on its arguments: the same question and generator give the same answer.
"""

import functools
import math
import random
from collections.abc import Callable, Mapping

from client.model.tables import TableView
from protocol.common.asks import Question
from protocol.plugs import part_of

Brain = Callable[[TableView, Question, random.Random], tuple[str, ...]]
"""
Returns the ids of the choices to pick, as an answer that `Question.faults` accepts.

In a question that the seat may only interrupt, no choices let it be: the bot then says nothing.
"""

Preparer = Callable[[TableView, random.Random], bytes]
"""
Returns the preparation of the viewer's seat in the game's own encoding, at most `MAX_CONTENT`
bytes. The bot calls this function if the rules refused the current preparation. The rules may
refuse the result too.
"""


def brain_of(ruleset: str, role: str = "") -> Brain:
    """Return the brain of a role: the role's own, the game's default, or the random brain."""
    brains = _brains_of(ruleset)
    return brains.get(role, brains.get("", pick_random))


def preparer_of(ruleset: str, role: str = "") -> Preparer | None:
    """Return the preparer of a role; None if the game has none."""
    preparers = _preparers_of(ruleset)
    return preparers.get(role, preparers.get(""))


def stops_of(ruleset: str, role: str = "") -> tuple[str, ...]:
    """Return the kinds of window at which a bot in a role stops the game, ascending."""
    stops: Mapping[str, tuple[str, ...]] = getattr(part_of("client", ruleset, "bot"), "STOPS", {})
    return tuple(sorted(stops.get(role, stops.get("", ()))))


@functools.lru_cache(maxsize=32)
def _brains_of(ruleset: str) -> Mapping[str, Brain]:
    part = part_of("client", ruleset, "bot")
    if part is None:
        return {}
    brains: Mapping[str, Brain] = part.BRAINS
    return brains


@functools.lru_cache(maxsize=32)
def _preparers_of(ruleset: str) -> Mapping[str, Preparer]:
    preparers: Mapping[str, Preparer] = getattr(part_of("client", ruleset, "bot"), "PREPARERS", {})
    return preparers


MOST_DRAWS = 100
"""Number of random answers after which a bot passes, if the rules of a window refuse all of them.
"""


def pick_random(_view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """
    Return a random legal answer. Every legal answer has the same probability.

    In a timed window that takes several choices the pass stands alone, and two choices about the
    same thing exclude each other. Where legal answers are rare there, the answer is to pass.
    """
    is_window = question.at_least == 1 < question.at_most and len(question.passing) == 1
    for _ in range(MOST_DRAWS):
        picks = _drawn(question, rng)
        if not is_window or question.faults_in_window(picks) is None:
            return picks
    return question.passing


def _drawn(question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return random picks, whose number is legal."""
    ids = [choice.choice_id for choice in question.choices]
    most = question.at_most
    if not question.can_repeat:
        most = min(most, len(ids))
    counts = range(question.at_least, most + 1) if ids else range(1)
    ways = [_ways(question, len(ids), count) for count in counts]
    # The number of answers of each size is its weight, so all answers are equally likely.
    at = rng.randrange(sum(ways))
    for count, many in zip(counts, ways, strict=True):
        if at < many:
            if not question.can_repeat:
                picks = rng.sample(range(len(ids)), count)
                return tuple(ids[at] for at in (picks if question.is_ordered else sorted(picks)))
            if question.is_ordered:
                return tuple(rng.choice(ids) for _ in range(count))
            # Stars and bars: every multiset of this size is equally likely.
            bars = sorted(rng.sample(range(len(ids) + count - 1), count)) if count else []
            return tuple(ids[bar - at] for at, bar in enumerate(bars))
        at -= many
    raise AssertionError("no number of picks is legal")


def _ways(question: Question, size: int, count: int) -> int:
    if not count:
        return 1
    if question.can_repeat:
        return size**count if question.is_ordered else math.comb(size + count - 1, count)
    return math.perm(size, count) if question.is_ordered else math.comb(size, count)

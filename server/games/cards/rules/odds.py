"""
Odds of the test that goes on: how likely it succeeds as it stands, or with one card more.

They follow from what everybody sees, and from the card in the own hand. What players may still do
after the commits, and choices about tokens, are not in them.
"""

import functools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from content.games.cards.schema.modifiers import IconsModifier
from content.games.cards.schema.steps import AnotherToken, If, Step, Succeed
from protocol.games.cards.table import Card, InvestigatorId, Place
from protocol.games.cards.words import FAIL, Zone
from server.games.cards.rules import conditions, skill_tests, values
from server.games.cards.rules.plans import Plan
from server.games.cards.rules.play import Play, Source, as_of

WHOLE = 100
"""Odds are in percent, rounded down; 0 and 100 are certain."""


def odds(play: Play, plan: Plan, icons: int = 0) -> int:
    """
    Return the odds of success as the test stands, in percent; 0 and 100 are certain.

    Args:
        play: the game.
        plan: the test.
        icons: matching icons that count besides those of the committed cards.
    """
    if plan.automatic is not None:
        return WHOLE if plan.automatic else 0
    worth = skill_tests.value_now(play, plan) + icons
    return _percent(_bag(play, plan.tester), worth, skill_tests.difficulty(play, plan))


Bag = tuple[tuple[float, bool, int], ...]
"""Of each kind of token what it adds, whether another one follows it, and how many are there."""


@functools.lru_cache(1024)
def _percent(bag: Bag, worth: int, needed: int) -> int:
    passing = sum(
        (
            chance
            for by, chance in _sums(bag).items()
            if by != -math.inf and max(0, worth + by) >= needed
        ),
        Fraction(0),
    )
    return max(1, int(passing * WHOLE)) if passing else 0


def with_card(play: Play, plan: Plan, who: InvestigatorId, handle: str) -> int:
    """Return the odds if an investigator commits a card."""
    code = skill_tests.code_of(play, handle)
    if not (
        skill_tests.does_something(play, plan, handle)
        or play.content.counts_icons
        or values.given(play, IconsModifier)
    ):
        return odds(play, plan, values.matching(play, code, plan.skill))
    # Only a table on which it is committed shows what else it changes.
    table, piece = play.table.new_piece()
    card = Card(piece, code, Place(Zone.COMMITTED, who), owner=who)
    return odds(as_of(play, table.with_new_card(card)), plan)


def token_sums(play: Play, who: InvestigatorId) -> dict[float, Fraction]:
    """
    Return the chance of each sum of token modifiers in a test of an investigator.

    An automatic failure is minus infinity, an automatic success infinity. Tokens that have another
    one revealed are followed to the end of the chain (C-BBAG-11); from an empty bag comes nothing
    (C-BBAG-12).
    """
    return _sums(_bag(play, who))


def _bag(play: Play, who: InvestigatorId) -> Bag:
    found = values.found_on(play)
    if ("bag", who) not in found:
        numbers = Counter(play.table.bag)
        found["bag", who] = tuple(
            (*_effect_of(play, who, token), n) for token, n in numbers.items()
        )
    known: Bag = found["bag", who]
    return known


@functools.lru_cache(256)
def _sums(bag: Bag) -> dict[float, Fraction]:
    """Return the chance of each sum of token modifiers. It is cached: do not change it."""
    more = [at for at, (_, has_another, _) in enumerate(bag) if has_another]
    # The sum follows from how many of each chaining token have come: no order is kept apart. All
    # chains of one length have the same number of ways, so that whole numbers do.
    found: dict[float, Fraction] = {}
    chains, ways, size = {(0,) * len(more): 1}, 1, sum(number for _, _, number in bag)
    while chains:
        longer: Counter[tuple[int, ...]] = Counter()
        ended: Counter[float] = Counter()
        for came, count in chains.items():
            so_far = sum(bag[token][0] * n for token, n in zip(more, came, strict=True))
            if not size:
                ended[so_far] += count
            gone = dict(zip(more, came, strict=True))
            for token, (worth, _, number) in enumerate(bag):
                left = count * (number - gone.get(token, 0))
                if token in gone and left:
                    at = more.index(token)
                    longer[*came[:at], came[at] + 1, *came[at + 1 :]] += left
                elif left:
                    ended[so_far + worth] += left
        ways *= max(1, size)
        for by, number in ended.items():
            found[by] = found.get(by, Fraction(0)) + Fraction(number, ways)
        chains, size = longer, size - 1
    return found


def _effect_of(play: Play, who: InvestigatorId, token: str) -> tuple[float, bool]:
    """Return what a token adds to the value, and whether it has another one revealed."""
    if token == FAIL:
        return -math.inf, False
    found = skill_tests.symbol_of(play, who, token)
    if found is None:
        return skill_tests.modifier_of(play, who, token), token in skill_tests.FIXED
    entry, source = found
    steps = list(_unfolded(play, entry.effect, source))
    results = [step.yes for step in steps if isinstance(step, Succeed)]
    if results:
        return math.inf if all(results) else -math.inf, False
    has_another = entry.another or any(isinstance(step, AnotherToken) for step in steps)
    return skill_tests.modifier_of(play, who, token), has_another


def _unfolded(play: Play, effect: Sequence[Step], source: Source) -> Iterator[Step]:
    """Yield what a symbol does in ST.4, by the conditions as they are now."""
    for step in effect:
        if isinstance(step, If):
            holds = conditions.holds(play, step.that, source)
            yield from _unfolded(play, step.do if holds else step.else_, source)
        else:
            yield step

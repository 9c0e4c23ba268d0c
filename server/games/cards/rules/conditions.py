"""Conditions of cards: whether they hold now."""

from collections.abc import Callable
from typing import Any

from content.games.cards.schema import conditions as c
from content.games.cards.schema.targets import Choose, Each, TheCard
from protocol.games.cards.table import hand_of
from server.games.cards.rules import targets, tokens, values
from server.games.cards.rules.play import Play, Source, as_of


def holds(play: Play, condition: c.Condition | None, source: Source) -> bool:
    """Return whether a condition holds; no condition always does."""
    return condition is None or _KINDS[type(condition)](play, condition, source)


def _all(play: Play, one: c.AllOf, source: Source) -> bool:
    return all(holds(play, part, source) for part in one.of)


def _any(play: Play, one: c.AnyOf, source: Source) -> bool:
    return any(holds(play, part, source) for part in one.of)


def _not(play: Play, one: c.Not, source: Source) -> bool:
    return not holds(play, one.of, source)


def _meant(play: Play, which: Any, source: Source) -> tuple[str, ...]:
    """Return the cards that a target means, without asking anybody."""
    if isinstance(which, TheCard):
        return targets.named(play, which, source)
    assert isinstance(which, Choose | Each)
    return tuple(card.piece for card in targets.candidates(play, which.of, source))


def _is(play: Play, one: c.Is, source: Source) -> bool:
    seen = _seen(play, one.card, source)
    pieces = _meant(seen, one.card, source)
    return any(targets.fits(seen, seen.table.cards[piece], one.a, source) for piece in pieces)


def _seen(play: Play, which: Any, source: Source) -> Play:
    """Return the game in which a card is looked at: as it was, if it has left. C-DECIDE-51."""
    one = source.occurrence
    if one is not None and one.before is not None and which in (TheCard.THAT, TheCard.CAUSE):
        piece = one.card if which is TheCard.THAT else one.cause
        if piece not in play.table.cards:
            return as_of(play, one.before)
    return play


def _exists(play: Play, one: c.Exists, source: Source) -> bool:
    count = len(targets.candidates(play, one.of, source))
    most = count if one.most is None else values.number(play, one.most, source)
    return values.number(play, one.least, source) <= count <= most


def _has(play: Play, one: c.Has, source: Source) -> bool:
    seen = _seen(play, one.card, source)
    pieces = _meant(seen, one.card, source)
    count = sum(seen.table.cards[piece].count(one.token) for piece in pieces)
    most = count if one.most is None else values.number(play, one.most, source)
    return values.number(play, one.least, source) <= count <= most


def _stat(play: Play, one: c.StatIs, source: Source) -> bool:
    if one.of is not None:
        people = targets.people_now(play, one.of, source)
        found = [targets.person_stat(play, who, one.stat) for who in people]
    else:
        seen = _seen(play, one.card, source)
        cards = [seen.table.cards[piece] for piece in _meant(seen, one.card, source)]
        stats = [values.stat(seen, card, one.stat) for card in cards]
        found = [value for value in stats if value is not None]
    least = None if one.least is None else values.number(play, one.least, source)
    most = None if one.most is None else values.number(play, one.most, source)
    return any(
        (least is None or value >= least) and (most is None or value <= most) for value in found
    )


def _phase(play: Play, one: c.InPhase, source: Source) -> bool:
    del source
    return play.table.phase is one.phase


def _your_turn(play: Play, one: c.YourTurn, source: Source) -> bool:
    return (play.table.active == source.you) is one.yes


def _in_test(play: Play, one: c.InTest, source: Source) -> bool:
    table, test = play.table, play.table.test
    if test is None or test.step > 2:
        return False
    if one.yours is not None and one.yours is not (test.tester == source.you):
        return False
    if one.deed is not None and test.deed != one.deed.value:
        return False
    if one.skill is not None and test.skill is not one.skill:
        return False
    if one.here and table.here(test.tester) != table.here(source.you):
        return False
    if one.target is None:
        return True
    target = table.cards.get(test.target)
    return target is not None and targets.fits(play, target, one.target, source)


def _hand(play: Play, one: c.HandIs, source: Source) -> bool:
    counts = [
        len(play.table.piles.get(hand_of(who), ()))
        for who in targets.people_now(play, one.of, source)
    ]
    return any(one.least <= count <= one.most for count in counts)


def _engaged(play: Play, one: c.IsEngaged, source: Source) -> bool:
    people = targets.people_now(play, one.who, source)
    enemies = targets.candidates(play, targets.ENEMIES, source)
    return any(who in targets.engaged_with(play, card) for card in enemies for who in people)


def _remembered(play: Play, one: c.IsRemembered, source: Source) -> bool:
    del source
    return one.phrase in play.table.remembered


def _round(play: Play, one: c.RoundIs, source: Source) -> bool:
    del source
    return one.least <= play.table.round_number <= one.most


def _margin(play: Play, one: c.MarginIs, source: Source) -> bool:
    answers = source.occurrence
    margin = (
        values.margin(play) if play.table.test is not None or answers is None else answers.amount
    )
    return one.least <= margin <= one.most


def _shown(play: Play, one: c.IsShown, source: Source) -> bool:
    del source
    return any(shown.token in one.tokens and shown.is_resolved for shown in tokens.shown(play))


def _icon(play: Play, one: c.IconIs, source: Source) -> bool:
    """C-WILD-4."""
    del play
    return source.icon is one.skill


def _done(play: Play, one: c.IsDone, source: Source) -> bool:
    """C-BABIL-11."""
    del play
    return source.is_done is one.yes


_KINDS: dict[type, Callable[[Play, Any, Source], bool]] = {
    c.AllOf: _all,
    c.AnyOf: _any,
    c.Not: _not,
    c.Is: _is,
    c.Exists: _exists,
    c.Has: _has,
    c.StatIs: _stat,
    c.InPhase: _phase,
    c.YourTurn: _your_turn,
    c.InTest: _in_test,
    c.HandIs: _hand,
    c.IsEngaged: _engaged,
    c.IsRemembered: _remembered,
    c.RoundIs: _round,
    c.MarginIs: _margin,
    c.IsShown: _shown,
    c.IconIs: _icon,
    c.IsDone: _done,
}

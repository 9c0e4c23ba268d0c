"""The laws of the woods, to which an audit holds a log."""

import pytest

from protocol.common.laws import LawBroken, laws_of
from protocol.event import ROOM, Record, hidden
from tests.games.woods.protocol.events import AnimalCame, RoundEnded, SnareLaid, Walked
from tests.games.woods.protocol.table import ANIMALS, CLEARINGS, KEEPER, RULESET, WoodsTable

pytestmark = pytest.mark.issue(39)

BADGER, CRANE, DEER = ANIMALS[:3]
BROOK, GLADE = CLEARINGS[:2]


def after(*happened: AnimalCame | SnareLaid | Walked | RoundEnded) -> WoodsTable:
    """Return the table of badger and crane in a round, after some events."""
    table = WoodsTable()
    begun = (AnimalCame(BADGER, 1), AnimalCame(CRANE, 2), SnareLaid(KEEPER, hidden(GLADE)))
    for event in (*begun, *happened):
        table = event.fold(table)
    return table


def is_lawful(table: WoodsTable, event: Walked | RoundEnded) -> bool:
    """Return whether an event may follow."""
    laws = laws_of(RULESET)
    assert laws is not None
    try:
        laws.check(table, Record(9, 0, ROOM, event))
    except LawBroken:
        return False
    return True


def test_every_animal_that_is_left_walks_once_in_a_round() -> None:
    both = Walked(((BADGER, BROOK), (CRANE, GLADE)))
    badger, crane, deer = (Walked(((who, BROOK),)) for who in (BADGER, CRANE, DEER))

    assert is_lawful(after(), both)
    assert is_lawful(after(both), RoundEnded())
    assert is_lawful(after(badger), crane)
    assert is_lawful(after(both, RoundEnded(), SnareLaid(KEEPER, hidden(BROOK))), both)
    assert not is_lawful(after(badger), badger)
    assert not is_lawful(after(badger), both)
    assert not is_lawful(after(), deer)
    assert not is_lawful(after(badger), RoundEnded())


def test_who_comes_in_the_middle_of_a_round_need_not_walk_in_it() -> None:
    both = Walked(((BADGER, BROOK), (CRANE, GLADE)))

    assert is_lawful(after(both, AnimalCame(DEER, 1)), RoundEnded())
    assert not is_lawful(after(both, AnimalCame(DEER, 1)), Walked(((DEER, BROOK),)))

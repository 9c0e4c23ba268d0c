"""Packs at random are other than the house, in every field of the schema."""

from collections import Counter
from collections.abc import Iterable

import attrs
import pytest

from content.games.second_edition.schema import cards
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.walk import parts_in
from tests.games.second_edition.coverage import _named, unused
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.twins.packs import SHARES, fields_to_vary, made

pytestmark = pytest.mark.issue(10)

EVERY = range(4 * SHARES)
"""The packs that change every field together; a field's turn comes in each row of `SHARES`."""
SAMPLE = range(2)


def never_varied(numbers: Iterable[int]) -> list[str]:
    """Return the fields that are as in the house in all of these packs."""
    varied = {name for number in numbers for name in made(number).varied}
    return sorted({*fields_to_vary()} - varied)


def never_used(numbers: Iterable[int]) -> list[str]:
    """Return the fields, and the words of enumerations, that none of these packs uses."""
    first, *others = (set(unused(made(number).pack)) for number in numbers)
    return sorted(first.intersection(*others))


@pytest.mark.long
def test_packs_at_random_change_every_field_of_the_schema() -> None:
    """Those of the scenarios, of cards of each kind, monsters, puzzles, steps and requirements."""
    assert never_varied(EVERY) == []


def test_packs_at_random_use_all_of_the_schema_together() -> None:
    """Each class, each field, and each word of the enumerations."""
    assert never_used(SAMPLE) == []


def test_packs_at_random_change_half_of_their_shares_and_more() -> None:
    """What the loader refuses is undone, and the rest stays."""
    shares = {name for number in SAMPLE for name in fields_to_vary()[number % SHARES :: SHARES]}

    assert len(shares - {*never_varied(SAMPLE)}) > len(shares) / 2


def test_what_is_said_to_be_changed_is_other_than_in_the_house() -> None:
    """The values that stand in the field, in all places together."""
    pack = made(1)

    same = [n for n in pack.varied if _values(pack.pack, n) == _values(house(), n)]

    assert same == []


def _values(pack: Pack, name: str) -> Counter[str]:
    return Counter(
        repr(getattr(part, field.name))
        for part in parts_in(pack)
        for field in attrs.fields(type(part))
        if f"{_named(type(part))}.{field.name}" == name
    )


def test_a_pack_at_random_is_the_same_again() -> None:
    """Its number is all that is needed to see it once more."""
    assert made.__wrapped__(1).pack.digest == made(1).pack.digest


def test_a_class_that_no_pack_uses_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: the schema has something new that the house lacks."""
    new = attrs.make_class("Charm", ["colour"])
    new.__module__ = cards.__name__
    monkeypatch.setattr(cards, "Charm", new, raising=False)

    assert never_used(SAMPLE) == ["cards.Charm.colour"]
    assert "cards.Charm.colour" in never_varied(SAMPLE)

"""Random packs differ from the house in every field of the schema."""

from collections.abc import Collection, Iterable

import attrs
import pytest

from content.games.second_edition.schema import cards
from tests.games.second_edition.coverage import unused
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.twins.packs import (
    SHARES,
    fields_of_texts,
    fields_to_vary,
    made,
    share,
    values_of,
)

pytestmark = pytest.mark.issue(10)

EVERY = range(4 * SHARES)
"""
Numbers of the packs that together change every field; each row of `SHARES` packs changes each field
once.
"""
SAMPLE = (1, 2)


def never_varied(numbers: Iterable[int]) -> list[str]:
    """Return the fields that these packs should change but never do."""
    varied = {name for number in numbers for name in made(number).varied}
    return sorted({name for number in numbers for name in share(number)} - varied)


def never_used(numbers: Iterable[int]) -> list[str]:
    """Return the fields and enumeration members that none of these packs uses."""
    first, *others = (set(unused(made(number).pack)) for number in numbers)
    return sorted(first.intersection(*others))


def same_as_in_the_house(number: int, names: Collection[str]) -> list[str]:
    """Return the fields with the same values in a pack as in the house."""
    one, other = values_of(made(number).pack, names), values_of(house(), names)
    return sorted(name for name in names if one[name] == other[name])


@pytest.mark.long
def test_packs_at_random_change_every_field_of_the_schema() -> None:
    """The fields are those of scenarios, cards, monsters, puzzles, steps and requirements."""
    assert frozenset().union(*map(share, EVERY)) == fields_to_vary()
    assert never_varied(EVERY) == []


@pytest.mark.long
def test_packs_at_random_change_every_part_that_is_written_as_text() -> None:
    texts = fields_of_texts()

    same = [set(same_as_in_the_house(number, texts)) for number in EVERY]

    assert len(texts) > 12
    assert set.intersection(*same) == set()


@pytest.mark.long
def test_packs_at_random_use_all_of_the_schema_together() -> None:
    assert never_used(SAMPLE) == []


@pytest.mark.parametrize("number", SAMPLE)
def test_a_pack_at_random_changes_most_of_its_share(number: int) -> None:
    assert len(share(number) & made(number).varied) > 0.8 * len(share(number))


@pytest.mark.parametrize("number", SAMPLE)
def test_what_is_said_to_be_changed_is_other_than_in_the_house(number: int) -> None:
    assert same_as_in_the_house(number, made(number).varied) == []


def test_a_pack_at_random_is_the_same_again() -> None:
    """The number of a pack alone reproduces it."""
    assert made.__wrapped__(1).pack.digest == made(1).pack.digest


def test_a_class_that_no_pack_uses_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plants a class in the schema that the house lacks."""
    new = attrs.make_class("Charm", ["metal"])
    new.__module__ = cards.__name__
    monkeypatch.setattr(cards, "Charm", new, raising=False)

    assert never_used(SAMPLE) == ["cards.Charm.metal"]
    assert "cards.Charm.metal" in never_varied(SAMPLE)

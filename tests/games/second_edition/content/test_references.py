"""The tables of references fit the schema, so that no field that names something is forgotten."""

import typing
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from content.games.second_edition.checks import CHECKS, INT_BOUNDS
from content.games.second_edition.schema import (
    board_steps,
    box,
    campaigns,
    cards,
    counters,
    decks,
    effects,
    monster_steps,
    monsters,
    products,
    puzzles,
    requirements,
    scenario,
    shared,
    targets,
    timers,
)
from content.language.references import (
    DECLARES,
    FREE,
    REFERS,
    SHARED,
    Kind,
    NamedReference,
    named_in,
)
from content.language.walk import parts_in
from content.reading import formulas
from content.reading.parts import kinds_of

PLAIN = {
    (campaigns.Campaign, "counters"),
    (cards.ItemCard, "deck"),
    (effects.GainRandomItem, "deck"),
    (effects.SkillTest, "hidden"),
    (scenario.Tile, "drawing"),
    (scenario.Tile, "doors"),
    (shared.PackTile, "drawing"),
    (puzzles.Slide, "picture"),
}
"""The text fields that name nothing."""

BY_CHECKS: set[tuple[type, str]] = {(scenario.Trigger, "of")}
"""The text fields of which a check says what they name."""

MODULES = (
    *(board_steps, box, campaigns, cards, counters, decks, effects, formulas),
    *(monster_steps, monsters, products, puzzles, requirements, scenario, shared, targets),
    timers,
)


def is_of(module: str, made: type) -> bool:
    """Return whether a class is declared in a module, or in one of a package."""
    return f"{made.__module__}.".startswith(f"{module}.")


def classes() -> Iterator[type]:
    """Yield the classes of the schema."""
    for module in MODULES:
        for value in vars(module).values():
            if isinstance(value, type) and attrs.has(value) and is_of(module.__name__, value):
                yield value


def holds_text(type_: Any) -> bool:
    """Return whether texts are among the leaves of a type."""
    return type_ is str or any(holds_text(inner) for inner in typing.get_args(type_))


def test_every_text_field_is_in_one_table() -> None:
    """A new field must say whether it names something."""
    fields = {
        (cls, name)
        for cls in classes()
        for name, type_ in typing.get_type_hints(cls).items()
        if name in {field.name for field in attrs.fields(cls)} and holds_text(type_)
    }

    tables: list[set[tuple[type, str]]] = [
        set(DECLARES),
        set(REFERS),
        set(SHARED),
        PLAIN,
        BY_CHECKS,
    ]
    assert set.union(*tables) - fields == {(scenario.Scenario, "effects")} - fields
    assert fields == set.union(*tables) & fields
    assert sum(len(table) for table in tables) == len(set.union(*tables))


@pytest.mark.parametrize("table", [DECLARES, REFERS, FREE, INT_BOUNDS])
def test_tables_name_fields_that_exist(table: dict[tuple[type, str], object]) -> None:
    """A field that was renamed is not left behind."""
    for cls, name in table:
        assert name in {field.name for field in attrs.fields(cls)}


def test_checks_are_of_the_schema() -> None:
    """Each check is of a class that is read."""
    assert set(CHECKS) <= set(classes())


def test_every_step_and_requirement_is_a_part() -> None:
    """A class that no key stands for could never be written."""
    for family in (effects.Step, requirements.Requirement):
        made = set(kinds_of(family))
        assert {cls for cls in classes() if issubclass(cls, family)} == made


def test_names_are_found_at_any_depth() -> None:
    """In options of choices in branches of tests."""
    step = effects.When(
        requirements.Not(requirements.HasItem("item/a")),
        otherwise=(
            effects.Choose("p/q", (effects.EffectChoice("p/r", (effects.PlaceToken("token/t"),)),)),
        ),
    )

    assert list(named_in((step,))) == [
        NamedReference(Kind.ITEM, "item/a"),
        NamedReference(Kind.TEXT, "p/q"),
        NamedReference(Kind.TEXT, "p/r"),
        NamedReference(Kind.TOKEN, "token/t"),
    ]


def test_free_words_name_nothing() -> None:
    """`random` is no space, and digits are no subjects."""
    spawn = effects.Spawn("monster/rat", "random")
    code = puzzles.Code("c", 3, ("1", "rune/moon"))

    assert list(named_in(spawn)) == [NamedReference(Kind.MONSTER, "monster/rat")]
    assert list(named_in(code)) == [NamedReference(Kind.NAME, "rune/moon")]


def test_absent_names_name_nothing() -> None:
    """An optional field that was left out."""
    assert list(named_in(requirements.Monsters(at_least=1))) == []


def test_parts_are_found_in_mappings() -> None:
    """The attacks of a monster are by option."""
    entry = monsters.Entry("a/b", (effects.Forfeit(),))

    assert list(parts_in({cards.WeaponKind.HEAVY: (entry,)})) == [entry, effects.Forfeit()]

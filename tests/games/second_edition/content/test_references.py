"""Text fields of the schema: each is marked as a name, a declaration or neither."""

from collections.abc import Iterable, Iterator

import attrs

from content.games.second_edition.checks import CHECKS
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
from content.games.second_edition.schema.kinds import Kind
from content.language.references import NamedReference, named_in
from content.language.walk import parts_in
from content.reading import formulas
from content.reading.meanings import Declares, Leaf, Names, find, leaves
from content.reading.parts import kinds_of

PLAIN = {
    (campaigns.Campaign, "counters"),
    (formulas.Variable, "name"),
    (scenario.Tile, "rooms"),
    (cards.ItemCard, "deck"),
    (effects.GainRandomItem, "deck"),
    (effects.SkillTest, "hidden"),
    (scenario.Tile, "drawing"),
    (scenario.Tile, "doors"),
    (shared.PackTile, "drawing"),
    (puzzles.Slide, "picture"),
}
"""Text fields that refer to nothing."""

BY_CHECKS: set[tuple[type, str]] = {(scenario.Trigger, "of")}
"""Text fields that refer to something which a check, not their type, determines."""

MODULES = (
    *(board_steps, box, campaigns, cards, counters, decks, effects, formulas),
    *(monster_steps, monsters, products, puzzles, requirements, scenario, shared, targets),
    timers,
)


def is_of(module: str, made: type) -> bool:
    return f"{made.__module__}.".startswith(f"{module}.")


def classes() -> Iterator[type]:
    for module in MODULES:
        for value in vars(module).values():
            if isinstance(value, type) and attrs.has(value) and is_of(module.__name__, value):
                yield value


def unmarked(leaves: Iterable[Leaf]) -> bool:
    """True if some text in a field is not marked as a name or a declaration."""
    return any(
        leaf.type_ is str and not find(Names, leaf.marks) and not find(Declares, leaf.marks)
        for leaf in leaves
    )


def test_every_text_field_is_marked() -> None:
    fields = {
        (cls, name) for cls in classes() for name, found in leaves(cls).items() if unmarked(found)
    }

    assert fields == PLAIN | BY_CHECKS


def test_checks_are_of_the_schema() -> None:
    assert set(CHECKS) <= set(classes())


def test_every_step_and_requirement_is_a_part() -> None:
    """A class without a key could never be written in a pack."""
    for family in (effects.Step, requirements.Requirement):
        made = set(kinds_of(family))
        assert {cls for cls in classes() if issubclass(cls, family)} == made


def test_names_are_found_at_any_depth() -> None:
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
    spawn = effects.Spawn("monster/rat", "random")
    code = puzzles.Code("c", 3, ("1", "rune/moon"))

    assert list(named_in(spawn)) == [NamedReference(Kind.MONSTER, "monster/rat")]
    assert list(named_in(code)) == [NamedReference(Kind.NAME, "rune/moon")]


def test_absent_names_name_nothing() -> None:
    assert list(named_in(requirements.Monsters(at_least=1))) == []


def test_parts_are_found_in_mappings() -> None:
    """A monster has a mapping of attacks by option."""
    entry = monsters.Entry("a/b", (effects.Forfeit(),))

    assert list(parts_in({cards.WeaponKind.HEAVY: (entry,)})) == [entry, effects.Forfeit()]

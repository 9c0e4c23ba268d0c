"""Everything that one scenario can bring into play: from its setup to items and monsters."""

from collections.abc import Iterator
from typing import Any

from content.games.second_edition.references import BY_RULES
from content.games.second_edition.schema import effects, requirements
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Moment, Scenario, Trigger
from content.language.reach import Reached
from content.language.references import NamedReference, named_by
from content.language.walk import parts_in
from content.reading import formulas
from content.reading.meanings import Role


def counters_asked(reached: Reached) -> frozenset[str]:
    """Return the names that reachable parts read: counters, and numbers that all games have."""
    return frozenset(
        [
            *(part.name for part in reached.of(requirements.CounterWithin)),
            *(part.name for part in reached.of(formulas.Variable)),
            *(part.of for part in reached.of(Trigger) if part.on is Moment.COUNTER_REACHED),
        ]
    )


def reach(pack: Pack, scenario: Scenario) -> Reached:
    """Return all that a scenario can bring into play, cards dealt by rules included."""
    reached = Reached(
        {
            *(NamedReference(Kind.ITEM, item) for item in scenario.starting_items),
            *(NamedReference(Kind.SPELL, spell) for spell in scenario.starting_spells),
        }
    )
    roots: list[Any] = [
        *(scenario.setup, scenario.triggers, scenario.mythos, pack.events_of(scenario)),
        # Any investigator can be chosen, and any card of harm or insanity dealt.
        *(tuple(pack.investigators.values()), tuple(pack.harms.values())),
        tuple(pack.insane.values()),
        *(_meant(pack, scenario, named) for named in reached.named),
    ]
    # Rules deal these by themselves; no step of a pack has to bring them.
    for id_ in sorted(BY_RULES & pack.conditions.keys()):
        reached.named.add(NamedReference(Kind.CONDITION, id_))
        roots.append(pack.conditions[id_])
    _follow(pack, scenario, roots, reached)
    return reached


def reach_by_clearing(pack: Pack, scenario: Scenario) -> list[Reached]:
    """
    Return what comes into play on each board: the first one, and the one after each clearing.

    A named effect that clears the board begins a board of its own, and is not followed from another
    board. Things that triggers and mythos events bring can come on every board. The cards of the
    pack are left out; they bring no tokens.
    """
    clearing = [
        name
        for name, effect in scenario.effects.items()
        if any(isinstance(part, effects.ClearBoard) for part in parts_in(effect))
    ]
    # A named effect that clears the board begins a new board, and is followed by itself.
    shut = frozenset(NamedReference(Kind.EFFECT, name) for name in clearing)
    found = []
    for first in (scenario.setup, *(scenario.effects[name] for name in clearing)):
        roots = [first, scenario.triggers, scenario.mythos, pack.events_of(scenario)]
        found.append(Reached())
        _follow(pack, scenario, roots, found[-1], shut)
    return found


def _follow(
    pack: Pack,
    scenario: Scenario,
    roots: list[Any],
    reached: Reached,
    shut: frozenset[NamedReference] = frozenset(),
) -> None:
    reached.follow(
        roots,
        lambda part: brought(pack, part),
        lambda named: _meant(pack, scenario, named),
        shut,
    )


def brought(pack: Pack, part: Any) -> Iterator[NamedReference]:
    """Yield references to the things that one part brings into play."""
    yield from named_by(part, Role.BRINGS)
    # These two bring anything with a trait, so the pack has to be searched.
    if isinstance(part, effects.Spawn):
        if part.name is not None:
            yield NamedReference(Kind.FIGURE, part.name)
        for monster in pack.monsters.values():
            if monster.id == part.kind or part.trait in monster.traits:
                yield NamedReference(Kind.MONSTER, monster.id)
    if isinstance(part, effects.GainRandomItem):
        for item in pack.items.values():
            if item.deck == part.deck and (part.trait is None or part.trait in item.traits):
                yield NamedReference(Kind.ITEM, item.id)


def _meant(pack: Pack, scenario: Scenario, named: NamedReference) -> Any:
    """Return the definitions that a reference names; empty if its kind has no definitions."""
    if named.kind is Kind.TOKEN:
        return tuple(token for token in scenario.tokens if token.id == named.id)
    if named.kind is Kind.CONDITION:
        return pack.conditions.get(named.id, ())
    groups: dict[Any, Any] = {
        Kind.EFFECT: scenario.effects,
        Kind.DECK: scenario.decks,
        Kind.TIMER: scenario.timers,
        Kind.MONSTER: pack.monsters,
        Kind.ITEM: pack.items,
        Kind.SPELL: pack.spells,
    }
    return groups[named.kind][named.id] if named.kind in groups else ()

"""
Reach: all that one scenario can bring into play, over every choice and every draw.

It is found by following references: from the setup, the triggers and the mythos events through the
tokens, tiles and named effects that these bring, to the items, monsters and conditions of the pack.
"""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from content.games.second_edition.schema import effects, requirements
from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Moment, Scenario, Trigger
from content.language.references import BY_RULES, Kind, NamedReference
from content.language.walk import parts_in
from content.reading import formulas

_BRINGS: dict[type, Callable[[Any], NamedReference]] = {
    effects.PlaceToken: lambda step: NamedReference(Kind.TOKEN, step.token),
    effects.PlaceTile: lambda step: NamedReference(Kind.TILE, step.tile),
    effects.PlaceDoor: lambda step: NamedReference(Kind.DOOR_TOKEN, step.door),
    effects.Call: lambda step: NamedReference(Kind.EFFECT, step.effect),
    effects.GainItem: lambda step: NamedReference(Kind.ITEM, step.item),
    effects.GainSpell: lambda step: NamedReference(Kind.SPELL, step.spell),
    effects.Become: lambda step: NamedReference(Kind.CONDITION, step.condition),
    effects.Attempt: lambda step: NamedReference(Kind.PUZZLE, step.puzzle),
    effects.Count: lambda step: NamedReference(Kind.COUNTER, step.counter),
    effects.Deal: lambda step: NamedReference(Kind.COUNTER, step.counter),
    effects.Draw: lambda step: NamedReference(Kind.DECK, step.deck),
    effects.StartTimer: lambda step: NamedReference(Kind.TIMER, step.timer),
}
"""The steps that bring something into play."""


@attrs.define
class Reached:
    """What one scenario can bring into play."""

    named: set[NamedReference]
    parts: list[Any]
    """Every part that can come up."""

    def has(self, kind: Kind, id_: str) -> bool:
        """Return whether something can come into play."""
        return NamedReference(kind, id_) in self.named

    def of(self, type_: type) -> Iterator[Any]:
        """Yield the parts of one class that can come up."""
        return (part for part in self.parts if isinstance(part, type_))


def counters_asked(reached: Reached) -> frozenset[str]:
    """Return the counters whose number something that can come up depends on."""
    return frozenset(
        [
            *(part.name for part in reached.of(requirements.CounterWithin)),
            *(part.name for part in reached.of(formulas.Variable)),
            *(part.of for part in reached.of(Trigger) if part.on is Moment.COUNTER_REACHED),
        ]
    )


def reach(pack: Pack, scenario: Scenario) -> Reached:
    """Follow the references of a scenario from what comes by itself."""
    items = {NamedReference(Kind.ITEM, item) for item in scenario.starting_items}
    spells = {NamedReference(Kind.SPELL, spell) for spell in scenario.starting_spells}
    reached = Reached(items | spells, [])
    todo: list[Any] = [
        *(scenario.setup, scenario.triggers, scenario.mythos, pack.events_of(scenario)),
        *(tuple(pack.investigators.values()), tuple(pack.harms.values())),
        *(tuple(pack.insane.values()),),
        *(_meant(pack, scenario, named) for named in reached.named),
    ]
    for id_ in sorted(BY_RULES & pack.conditions.keys()):
        reached.named.add(NamedReference(Kind.CONDITION, id_))
        todo.append(pack.conditions[id_])
    _follow(pack, scenario, todo, reached)
    return reached


def reach_by_clearing(pack: Pack, scenario: Scenario) -> list[Reached]:
    """
    Return what can come into play before the board is cleared, and after each time that it is.

    The named effects that clear the board divide a scenario: each is followed by itself, and none
    is followed into another. What triggers and mythos events bring can come at any time. The cards
    of the pack are left out; they bring no tokens.
    """
    clearing = [name for name, effect in scenario.effects.items() if _clears(effect)]
    shut = frozenset(NamedReference(Kind.EFFECT, name) for name in clearing)
    found = []
    for first in (scenario.setup, *(scenario.effects[name] for name in clearing)):
        todo = [first, scenario.triggers, scenario.mythos, pack.events_of(scenario)]
        found.append(Reached(set(), []))
        _follow(pack, scenario, todo, found[-1], shut)
    return found


def _clears(effect: Effect) -> bool:
    return any(isinstance(part, effects.ClearBoard) for part in parts_in(effect))


def _follow(
    pack: Pack,
    scenario: Scenario,
    todo: list[Any],
    reached: Reached,
    shut: frozenset[NamedReference] = frozenset(),
) -> None:
    """Note what can come up from there; of what is shut, that it is named alone."""
    while todo:
        for part in parts_in(todo.pop()):
            reached.parts.append(part)
            for named in brought(pack, part):
                if named not in reached.named:
                    reached.named.add(named)
                    if named not in shut:
                        todo.append(_meant(pack, scenario, named))


def brought(pack: Pack, part: Any) -> Iterator[NamedReference]:
    """Yield what one part brings into play."""
    if isinstance(part, effects.SetCounters):
        yield from (NamedReference(Kind.COUNTER, name) for name in part.values)
    if (brings := _BRINGS.get(type(part))) is not None:
        yield brings(part)
    if isinstance(part, effects.Spawn):
        yield from _spawned(pack, part)
    if isinstance(part, effects.GainRandomItem):
        for item in pack.items.values():
            if item.deck == part.deck and (part.trait is None or part.trait in item.traits):
                yield NamedReference(Kind.ITEM, item.id)


def _spawned(pack: Pack, step: effects.Spawn) -> Iterator[NamedReference]:
    if step.name is not None:
        yield NamedReference(Kind.FIGURE, step.name)
    for monster in pack.monsters.values():
        if monster.id == step.kind or step.trait in monster.traits:
            yield NamedReference(Kind.MONSTER, monster.id)


def _meant(pack: Pack, scenario: Scenario, named: NamedReference) -> Any:
    """Return what is in force once something has come into play."""
    if named.kind is Kind.EFFECT:
        return scenario.effects[named.id]
    if named.kind is Kind.TOKEN:
        return tuple(token for token in scenario.tokens if token.id == named.id)
    if named.kind is Kind.DECK:
        return scenario.decks[named.id]
    if named.kind is Kind.TIMER:
        return scenario.timers[named.id]
    if named.kind is Kind.MONSTER:
        return pack.monsters[named.id]
    if named.kind is Kind.ITEM:
        return pack.items[named.id]
    if named.kind is Kind.SPELL:
        return pack.spells[named.id]
    if named.kind is Kind.CONDITION:
        return pack.conditions.get(named.id, ())
    return ()

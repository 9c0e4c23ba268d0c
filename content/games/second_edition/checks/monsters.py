"""
Checks of steps about monsters, beyond their types.

A step that means "the monster" is a mistake where no monster is current. A monster is current in
the entries of a monster, in the triggers of a monster's moment, and in a named effect, which may be
called from either.
"""

from typing import Any

from content.games.second_edition.checks.registry import checks, is_nothing
from content.games.second_edition.references import ABOUT
from content.games.second_edition.schema import (
    effects,
    monster_steps,
    monsters,
    requirements,
    scenario,
    targets,
)
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.numbers import OF_MONSTER
from content.games.second_edition.schema.targets import Which, Who
from content.language.walk import parts_in
from content.reading.formulas import Variable
from content.reading.sheet import Complaint

NO_MONSTER = "no monster is dealt with here"


_FROM_SOMETHING = (
    *(requirements.Near, requirements.Within, requirements.AdjacentTo),
    *(targets.AllWithin, targets.AllAdjacent, targets.MonstersWithin, targets.MonstersAdjacent),
)
"""Requirements and targets that count spaces from a thing, which may be the current monster."""


@checks(
    *_FROM_SOMETHING,
    *(effects.MoveAway, monster_steps.RemoveMonster, monster_steps.PlaceMonster),
    monster_steps.Activate,
)
def _root(step: Any, fault: Complaint) -> None:
    """Report a step outside monsters and scenarios that means "the monster": none is current."""
    # In a scenario `check_context` decides, since it sees where the step is used.
    if fault.root not in {monsters.MonsterCard, scenario.Scenario} and _means_it(step):
        fault("", f"{NO_MONSTER}; say which, or leave the step out")


def _means_it(part: Any) -> bool:
    """Return whether a part means the current monster."""
    if isinstance(part, Variable):
        return part.name in OF_MONSTER
    if isinstance(part, effects.MoveAway) or getattr(part, "which", None) is Which.THIS:
        return True
    if getattr(part, "who", None) is Who.WITHIN_RANGE:
        return True
    if isinstance(part, _FROM_SOMETHING):
        return part.of == "monster"
    if isinstance(part, requirements.Monsters):
        return part.adjacent_to == "monster"
    places = (getattr(part, name, None) for name in ("at", "space", "to"))
    return isinstance(part, effects.Step) and "monster" in places


def check_context(made: scenario.Scenario, fault: Complaint) -> None:
    """Report parts of a scenario that mean "the monster" although none is current."""
    without_monster: list[tuple[str, str, Any]] = [
        ("setup", "setup", made.setup),
        *(("tokens", repr(token.id), token) for token in made.tokens),
        *(("mythos", repr(event.id), event) for event in made.mythos),
        *(
            ("triggers", repr(trigger.id), trigger)
            for trigger in made.triggers
            if ABOUT.get(trigger.on) is not Kind.MONSTERS
        ),
    ]
    for field, name, value in without_monster:
        if any(_means_it(part) for part in parts_in(value)):
            fault(field, f"{name}: {NO_MONSTER}, but a step means it; say which")


@checks(effects.Spawn)
def _spawn(step: effects.Spawn, fault: Complaint) -> None:
    if (step.kind is None) is (step.trait is None):
        fault("kind", "say what appears; write a kind or a trait, not both")
    if is_nothing(step.count):
        fault("count", "no monster appears; write a count")
    if step.name is not None and step.count != 1:
        fault("count", "a name is that of one monster; leave the count out")
    if step.fresh and step.kind is not None:
        fault("fresh", "'fresh' is for kinds at random; write a trait in place of the kind")
    if step.health is not None and is_nothing(step.health):
        fault("health", "a monster has at least 1 health")


@checks(monsters.Activation)
def _activation(activation: monsters.Activation, fault: Complaint) -> None:
    if activation.flees and is_nothing(activation.spaces):
        fault("spaces", "it flees no space; write how many")


@checks(monster_steps.HealMonster, monster_steps.MoveMonster)
def _amount(step: monster_steps.HealMonster | monster_steps.MoveMonster, fault: Complaint) -> None:
    _root(step, fault)
    field = "amount" if isinstance(step, monster_steps.HealMonster) else "spaces"
    if is_nothing(getattr(step, field)):
        fault(field, "that does nothing; write a number")
    if isinstance(step, monster_steps.MoveMonster) and step.away_from and step.toward != "nearest":
        fault("away_from", "it goes toward something or away; write one of the two")


@checks(effects.DamageMonster)
def _damage_monster(step: effects.DamageMonster, fault: Complaint) -> None:
    _root(step, fault)
    if step.weapon and fault.root is not monsters.MonsterCard:
        fault("weapon", "nobody attacks here; this stands in monsters.yaml only")
    if is_nothing(step.amount) and not (step.weapon or step.successes):
        fault("amount", "no damage is done; write amount, weapon: true or successes: true")

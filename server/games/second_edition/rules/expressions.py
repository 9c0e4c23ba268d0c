"""
Expressions: numbers that authors write as sums and comparisons, computed from the table.

Players never see a value, only the effects that depend on it. All numbers are whole. Quotients are
rounded down, and a division by 0 gives 0.
"""

import operator
from collections.abc import Callable
from typing import Any, assert_never

from content.reading.formulas import (
    MOST,
    Chain,
    ConstantNumber,
    Expression,
    Extreme,
    Negative,
    Operator,
    Relation,
    Variable,
)
from protocol.games.second_edition.table import InvestigatorId, Monster
from protocol.values import frozen
from server.games.second_edition.rules import counters
from server.games.second_edition.rules.play import Play, Source


@frozen
class View:
    """The context in which an expression or a requirement is evaluated."""

    play: Play
    investigator: InvestigatorId | None = None
    """Investigator whom the expression concerns; None if there is none."""
    successes: int = 0
    """Result of the last test in the effect."""
    source: Source | None = None
    """Source of the effect; None if there is none."""


def value(expression: Expression, view: View) -> int:
    """Return the value of an expression now, cut to the range from -`MOST` to `MOST`."""
    number = _VALUES[type(expression)](expression, view)
    return number if -MOST <= number <= MOST else max(-MOST, min(MOST, number))


def compare(left: int, relation: Relation, right: int) -> bool:
    """Return True if a relation holds between two numbers."""
    return _RELATIONS[relation](left, right)


_RELATIONS: dict[Relation, Callable[[int, int], bool]] = {
    Relation.EQUAL: operator.eq,
    Relation.UNEQUAL: operator.ne,
    Relation.LESS: operator.lt,
    Relation.AT_MOST: operator.le,
    Relation.MORE: operator.gt,
    Relation.AT_LEAST: operator.ge,
}


def _variable(expression: Variable, view: View) -> int:
    built_in = _BUILT_IN.get(expression.name)
    if built_in is not None:
        return built_in(view)
    return counters.value(view.play, expression.name, view.investigator)


def _chain(expression: Chain, view: View) -> int:
    result = value(expression.first, view)
    for link in expression.links:
        result = joined(result, link.operator, value(link.operand, view))
    return result


def joined(left: int, operator: Operator, right: int) -> int:
    """Apply an operator; division rounds down, and yields 0 for a divisor of 0."""
    match operator:
        case Operator.PLUS:
            return left + right
        case Operator.MINUS:
            return left - right
        case Operator.TIMES:
            return left * right
        case Operator.BY:
            return left // right if right else 0
        case _:
            assert_never(operator)


def _extreme(expression: Extreme, view: View) -> int:
    found = [value(one, view) for one in expression.of]
    return max(found) if expression.is_greatest else min(found)


_VALUES: dict[type, Callable[[Any, View], int]] = {
    ConstantNumber: lambda expression, _view: expression.value,
    Variable: _variable,
    Negative: lambda expression, view: -value(expression.of, view),
    Chain: _chain,
    Extreme: _extreme,
}


def _clues(view: View) -> int:
    who = view.investigator
    return 0 if who is None else view.play.table.investigators[who].clues


def _of_monster(number: Callable[[Monster], int]) -> Callable[[View], int]:
    """Return a function that reads `number` of the effect's monster; 0 if it is off the board."""

    def read(view: View) -> int:
        monster = None if view.source is None else view.source.monster
        found = view.play.table.monsters.get(monster or "")
        return 0 if found is None else number(found)

    return read


def _weapon_damage(view: View) -> int:
    """Return the damage value of the weapon alone, without what other cards add to it."""
    weapon = None if view.source is None else view.source.weapon
    return 0 if weapon is None else weapon.damage


_BUILT_IN: dict[str, Callable[[View], int]] = {
    "investigators": lambda view: len(view.play.table.investigators),
    "standing": lambda view: len(view.play.table.standing()),
    "round": lambda view: view.play.table.round_number,
    "clues": _clues,
    "successes": lambda view: view.successes,
    "monsters": lambda view: len(view.play.table.monsters),
    "monster.health": _of_monster(lambda monster: monster.health),
    "monster.damage": _of_monster(lambda monster: monster.damage),
    "monster.awareness": _of_monster(lambda monster: monster.awareness),
    "monster.horror": _of_monster(lambda monster: monster.horror_rating),
    "monster.brawn": _of_monster(lambda monster: monster.brawn),
    "weapon.damage": _weapon_damage,
}

"""
Numbers and requirements as authors write them: as texts, lists and mappings.

A number may be the same in every game, a list for one to five investigators, or an expression; a
requirement may be a comparison.
"""

import functools
from collections.abc import Callable
from typing import Any

from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.monsters import MonsterCard
from content.games.second_edition.schema.numbers import BUILT_IN, OF_MONSTER, OF_WEAPON
from content.games.second_edition.schema.requirements import (
    AllOf,
    AnyOf,
    Comparison,
    Not,
    Requirement,
)
from content.games.second_edition.schema.scenario import Scenario
from content.reading import expressions
from content.reading.expressions import BadExpression, Conditions, Named
from content.reading.formulas import Expression
from content.reading.meanings import Marks, Role
from content.reading.mistakes import ContentError
from content.reading.schema import MakesReaders, Read
from content.reading.sheet import Sheet
from content.reading.typed import BROKEN, is_integer, list_reader, read_int, scalar_in
from content.reading.yaml_subset import Fields, Listing, Node, Scalar

MOST_PLAYERS = 5
"""Length of a list of numbers: one for each number of investigators. Rule SETUP-1."""

_CONDITIONS = Conditions(Requirement, AllOf, AnyOf, Not, Comparison)


def read_number(text: str) -> tuple[Expression, tuple[Named, ...]]:
    """Read a number, and return it with the names in it. BadExpression if it cannot be read."""
    return expressions.read_number(text, _CONDITIONS)


def read_condition(text: str) -> tuple[Requirement, tuple[Named, ...]]:
    """Read a condition, and return it with the names in it. BadExpression if it cannot be read."""
    return expressions.read_condition(text, _CONDITIONS)


def amount_reader(readers: MakesReaders, _marks: Marks) -> Read:
    """Return the reader of a number whose result is an `Amount`, even for a plain number."""
    read_whole = _number_reader(readers, readers.schema.default_bounds)
    read_fields = _fields_reader(readers)

    def read(node: Node, sheet: Sheet) -> Any:
        if isinstance(node, Fields):
            return read_fields(node, sheet)
        found = read_whole(node, sheet)
        return Amount(found) if isinstance(found, int) else found

    return read


def number_reader(readers: MakesReaders, marks: Marks) -> Read:
    """Return the reader of a number: an int if it is the same in every game, else an `Amount`."""
    bounds = readers.schema.bounds_of(marks)
    return _number_reader(readers, bounds, has_flags=Role.FLAG in marks)


def requirement_reader(readers: MakesReaders, _marks: Marks) -> Read:
    """Return the reader of a requirement: a mapping with one key, or a comparison."""
    read_part = readers.of_family(Requirement)

    def read(node: Node, sheet: Sheet) -> Any:
        if isinstance(node, Scalar):
            return _read_expression(node, sheet, read_condition, "a requirement")
        return read_part(node, sheet)

    return read


def _number_reader(
    readers: MakesReaders, bounds: tuple[int, int], *, has_flags: bool = False
) -> Read:
    """
    Return the reader of a number.

    Args:
        readers: makes the readers of the schema.
        bounds: the least and the greatest whole number.
        has_flags: true if yes and no may be written for 1 and 0.
    """
    read_list = list_reader(functools.partial(read_int, bounds=bounds))
    read_fields = _fields_reader(readers)

    def read(node: Node, sheet: Sheet) -> Any:
        if isinstance(node, Fields):
            return read_fields(node, sheet)
        if isinstance(node, Listing):
            listed = read_list(node, sheet)
            if listed is not BROKEN and len(listed) != MOST_PLAYERS:
                sheet.fault(node, f"{len(listed)} numbers; write five, for 1 to 5 investigators")
                listed = BROKEN
            return BROKEN if listed is BROKEN else Amount(listed=listed)
        if is_integer(node.text):
            return read_int(node, sheet, bounds)
        if node.text in {"true", "false"}:
            # Where no flag is meant, `read_int` reports the mistake.
            return int(node.text == "true") if has_flags else read_int(node, sheet, bounds)
        formula = _read_expression(node, sheet, read_number, "a number")
        return BROKEN if formula is BROKEN else Amount(formula=formula)

    return read


def _fields_reader(readers: MakesReaders) -> Read:
    return readers.of_object(Amount, {"listed": (), "formula": None})


def _read_expression(
    node: Node,
    sheet: Sheet,
    parse: Callable[[str], tuple[Any, tuple[Named, ...]]],
    expected: str,
) -> Any:
    """
    Read the expression in a text, and note a reference to each counter that it names.

    If the text cannot be read, report the mistake and return `BROKEN`.
    """
    if (scalar := scalar_in(node, sheet, expected)) is None:
        return BROKEN
    try:
        made, names = parse(scalar.text)
    except BadExpression as bad:
        place = sheet.place_in(scalar, bad.offset)
        sheet.errors.append(ContentError.at(place, f"expected {expected}: {bad.reason}"))
        return BROKEN
    # Names are checked here and not by the parser, which knows no game and no place.
    for named in names:
        if (reason := _out_of_place(named.name, sheet.root)) is not None:
            place = sheet.place_in(scalar, named.offset)
            sheet.errors.append(ContentError.at(place, f"{named.name!r}: {reason}"))
        elif named.name not in BUILT_IN:
            sheet.refer(Kind.VALUE, named.name, sheet.place_in(scalar, named.offset))
    return made


def _out_of_place(name: str, root: type | None) -> str | None:
    """Return why entries of the class `root` cannot use the number `name`; None if they can."""
    if name in OF_MONSTER and root not in {MonsterCard, Scenario}:
        return "no monster is dealt with here"
    if name in OF_WEAPON and root is not MonsterCard:
        return "nobody attacks here; this stands in monsters.yaml only"
    return None

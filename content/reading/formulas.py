"""
Formulas: numbers that are worked out while the game is played.

What authors write as text, such as `2 * investigators + tide / 2`, is read by
`content.reading.expressions` into these. Only brackets nest, so what is read is never deep.
"""

import enum

import attrs

MOST = 1_000_000
"""Largest absolute value of a number in a formula."""


class Expression:
    """A whole number, worked out from the table."""


@attrs.frozen
class ConstantNumber(Expression):
    """This number; yes is 1 and no is 0."""

    value: int


@attrs.frozen
class Variable(Expression):
    """A number that the game knows by this name."""

    name: str


@attrs.frozen
class Negative(Expression):
    """The same number below zero."""

    of: Expression


class Operator(enum.Enum):
    """An operator between two numbers. A quotient is rounded down; division by 0 gives 0."""

    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    BY = "/"


@attrs.frozen
class Link:
    """An operator in a chain, and the number after it."""

    operator: Operator
    operand: Expression


@attrs.frozen
class Chain(Expression):
    """Numbers joined by operators of one precedence, from left to right."""

    first: Expression
    links: tuple[Link, ...]


@attrs.frozen
class Extreme(Expression):
    """The least of several numbers, or the greatest."""

    is_greatest: bool
    of: tuple[Expression, ...]


class Relation(enum.Enum):
    """How two numbers are compared."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="

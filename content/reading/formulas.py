"""
Formulas: numbers that are computed while the game is played.

`content.reading.expressions` parses the texts of authors, such as `2 * investigators + tide / 2`,
into these classes. A sum of many numbers is one flat `Chain`, and the parser limits how deep
brackets and signs nest, so a formula is never deep.
"""

import enum

import attrs

MOST = 1_000_000
"""Largest absolute value of a number in a formula."""


class Expression:
    """A whole number, computed from the table."""


@attrs.frozen
class ConstantNumber(Expression):
    """A constant; yes is 1 and no is 0."""

    value: int


@attrs.frozen
class Variable(Expression):
    """A number that the game knows by name."""

    name: str


@attrs.frozen
class Negative(Expression):
    """A number with its sign changed."""

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
    """The comparisons of two numbers."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="

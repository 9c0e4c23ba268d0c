"""
Parser of expressions and comparisons, which authors write as text for numbers and requirements.

    2 * investigators + tide / 2
    tide >= 12 and not (told = 1 or round < 3)

From the loosest to the closest: `or`, `and`, `not`, the comparisons, `+ -`, `* /`, the minus sign,
then numbers, names, brackets, `min(…)` and `max(…)`. Whole numbers only; `/` rounds down.
"""

import re
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import attrs

from content.reading.formulas import (
    MOST,
    Chain,
    ConstantNumber,
    Expression,
    Extreme,
    Link,
    Negative,
    Operator,
    Relation,
    Variable,
)

MAX_LENGTH = 500
"""Maximum number of characters in an expression."""
MAX_DEPTH = 20
"""Maximum levels of nested brackets and signs."""

KEYWORDS = frozenset(["and", "or", "not", "min", "max", "true", "false"])
"""Words that cannot be used as names of numbers."""

NAME = re.compile(r"[a-z][a-z0-9_]*(?:-[a-z][a-z0-9_]*)*")
"""
Pattern of a name in an expression: `sea-level` is one name; `tide-1` is the name `tide`, less one.
"""

_PART_OF = re.compile(rf"{NAME.pattern}(?:\.{NAME.pattern})?")
"""
Pattern of a name, or of a number of a named thing, such as `monster.health`. Ids never have a full
stop.
"""
_TOKEN = re.compile(rf"[0-9]+|{_PART_OF.pattern}|!=|<=|>=|[-+*/()<>=,]")
_SPACE = re.compile(r"\s*")
_ADVICE = {
    "==": "write '=' to compare",
    "=>": "write '>='",
    "=<": "write '<='",
    "<>": "write '!='",
    "!": "write 'not' or '!='",
    "&": "write 'and'",
    "|": "write 'or'",
    "%": "there is no remainder",
    "≥": "write '>='",
    "≤": "write '<='",
    "≠": "write '!='",
    "×": "write '*'",
    "·": "write '*'",
    "÷": "write '/'",
    "\N{MINUS SIGN}": "write '-'",
    "\N{EN DASH}": "write '-'",
}

_USUAL = "an expression has numbers, names in small letters and the signs + - * / ( ) < = >"
_MISWRITTEN = ("==", "=>", "=<", "<>")
"""Misspelled operators, which would otherwise be read as two signs."""

P = TypeVar("P")
C = TypeVar("C")


@attrs.frozen
class Conditions(Generic[C]):
    """The classes of a game that conditions are read into."""

    family: type[C]
    """The base class of all conditions. Numbers are not of this class."""
    all_of: Callable[[tuple[C, ...]], C]
    any_of: Callable[[tuple[C, ...]], C]
    negation: Callable[[C], C]
    comparison: Callable[[Expression, Relation, Expression], C]


class BadExpression(Exception):
    """A text that is not an expression. `offset` is the position of the mistake, in characters."""

    def __init__(self, offset: int, reason: str) -> None:
        self.offset, self.reason = offset, reason
        super().__init__(reason)


@attrs.frozen
class Named:
    """A name in an expression, with its position."""

    name: str
    offset: int


@attrs.frozen
class _Token:
    text: str
    """The characters of the token; empty at the end of the text."""
    offset: int


def read_number(text: str, conditions: Conditions[C]) -> tuple[Expression, tuple[Named, ...]]:
    """
    Parse the text of a number; return the expression, and the names in it.

    Args:
        text: the text of the author.
        conditions: the classes of conditions; a condition in place of a number is a mistake.

    Raises:
        BadExpression: the text is no number.
    """
    reader = _ExpressionReader(text, conditions)
    start = reader.next
    found = reader.whole()
    return reader.number(found, start), tuple(reader.names)


def read_condition(text: str, conditions: Conditions[C]) -> tuple[C, tuple[Named, ...]]:
    """
    Parse the text of a condition; return the condition, and the names in it.

    Raises:
        BadExpression: the text is no condition.
    """
    reader = _ExpressionReader(text, conditions)
    start = reader.next
    found = reader.whole()
    return reader.condition(found, start), tuple(reader.names)


class _ExpressionReader(Generic[C]):
    """Reads one text from left to right, a method for each precedence."""

    def __init__(self, text: str, conditions: Conditions[C]) -> None:
        if len(text) > MAX_LENGTH:
            raise BadExpression(0, f"longer than {MAX_LENGTH} characters; use a counter")
        self.conditions = conditions
        self.names: list[Named] = []
        self._tokens = _tokens(text)
        self._depth = 0
        self.next = next(self._tokens)

    def _take(self) -> _Token:
        taken = self.next
        if taken.text:
            self.next = next(self._tokens)
        return taken

    def _accepts(self, text: str) -> bool:
        if self.next.text != text:
            return False
        self._take()
        return True

    def _deeper(self, read: Callable[[], P]) -> P:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BadExpression(self.next.offset, f"nested deeper than {MAX_DEPTH}; use a counter")
        found = read()
        self._depth -= 1
        return found

    def number(self, found: Expression | C, at: _Token) -> Expression:
        """Return `found` if it is a number; else raise BadExpression with the position `at`."""
        if not isinstance(found, Expression):
            raise BadExpression(at.offset, "this is a comparison, no number")
        return found

    def condition(self, found: Expression | C, at: _Token) -> C:
        """
        Return `found` as a condition; a name alone means that its number is not 0.

        Args:
            found: a number or a condition.
            at: its position in the text, for the error.

        Raises:
            BadExpression: `found` is a number other than a single name.
        """
        if isinstance(found, self.conditions.family):
            return found
        if isinstance(found, Variable):
            return self.conditions.comparison(found, Relation.UNEQUAL, ConstantNumber(0))
        reason = "this is a number; compare it, as in 'tide >= 3'"
        raise BadExpression(at.offset, reason)

    def whole(self) -> Expression | C:
        """Read the whole text."""
        found = self._either()
        if self.next.text:
            raise BadExpression(self.next.offset, _unexpected(self.next))
        return found

    def _either(self) -> Expression | C:
        return self._joined("or", self._both, self.conditions.any_of)

    def _both(self) -> Expression | C:
        return self._joined("and", self._negated, self.conditions.all_of)

    def _joined(
        self,
        word: str,
        inner: Callable[[], Expression | C],
        made: Callable[[tuple[C, ...]], C],
    ) -> Expression | C:
        start = self.next
        found = inner()
        if self.next.text != word:
            return found
        parts = [self.condition(found, start)]
        while self._accepts(word):
            start = self.next
            parts.append(self.condition(inner(), start))
        return made(tuple(parts))

    def _negated(self) -> Expression | C:
        if not self._accepts("not"):
            return self._compared()
        start = self.next
        return self.conditions.negation(self.condition(self._deeper(self._negated), start))

    def _compared(self) -> Expression | C:
        start = self.next
        found = self._sum()
        if self.next.text not in _RELATIONS:
            return found
        left = self.number(found, start)
        relation = _RELATIONS[self._take().text]
        start = self.next
        right = self.number(self._sum(), start)
        if self.next.text in _RELATIONS:
            raise BadExpression(self.next.offset, "compare twice and join with 'and'")
        return self.conditions.comparison(left, relation, right)

    def _sum(self) -> Expression | C:
        return self._chained("+-", self._product)

    def _product(self) -> Expression | C:
        return self._chained("*/", self._signed)

    def _chained(self, operators: str, inner: Callable[[], Expression | C]) -> Expression | C:
        start = self.next
        found = inner()
        # The end has an empty text, which every string contains.
        if not self.next.text or self.next.text not in operators:
            return found
        first, links = self.number(found, start), []
        while self.next.text and self.next.text in operators:
            operator = Operator(self._take().text)
            start = self.next
            links.append(Link(operator, self.number(inner(), start)))
        return Chain(first, tuple(links))

    def _signed(self) -> Expression | C:
        if not self._accepts("-"):
            return self._atom()
        start = self.next
        return Negative(self.number(self._deeper(self._signed), start))

    def _atom(self) -> Expression | C:
        token = self._take()
        if token.text == "(":
            found = self._deeper(self._either)
            self._close(token)
            return found
        if token.text in {"min", "max"}:
            opened = self.next
            if not self._accepts("("):
                raise BadExpression(token.offset, f"write '{token.text}(…, …)'")
            compared = [self._argument()]
            while self._accepts(","):
                compared.append(self._argument())
            self._close(opened)
            if len(compared) < 2:
                raise BadExpression(token.offset, f"{token.text!r} compares at least two numbers")
            return Extreme(token.text == "max", tuple(compared))
        if token.text in {"true", "false"}:
            return ConstantNumber(int(token.text == "true"))
        if token.text.isdigit():
            if len(token.text) > 9 or int(token.text) > MOST:
                raise BadExpression(token.offset, f"numbers go up to {MOST}")
            return ConstantNumber(int(token.text))
        if token.text in KEYWORDS or not _PART_OF.fullmatch(token.text):
            raise BadExpression(token.offset, _unexpected(token))
        if self.next.text == "(":
            raise BadExpression(token.offset, f"{token.text!r} is no function; there are min, max")
        self.names.append(Named(token.text, token.offset))
        return Variable(token.text)

    def _argument(self) -> Expression:
        start = self.next
        return self.number(self._deeper(self._sum), start)

    def _close(self, opened: _Token) -> None:
        if not self._accepts(")"):
            if self.next.text:
                raise BadExpression(self.next.offset, _unexpected(self.next))
            reason = "this bracket is not closed; inside {…} or […] put quotes around it all"
            raise BadExpression(opened.offset, reason)


_RELATIONS = {relation.value: relation for relation in Relation}


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while True:
        space = _SPACE.match(text, at)
        at = space.end() if space is not None else at
        if at == len(text):
            break
        found = _TOKEN.match(text, at)
        if found is None or text.startswith(_MISWRITTEN, at):
            meant = (said for sign, said in _ADVICE.items() if text.startswith(sign, at))
            raise BadExpression(at, f"{text[at]!r} cannot stand here; {next(meant, _USUAL)}")
        yield _Token(found.group(), at)
        at = found.end()
    while True:
        yield _Token("", at)


def _unexpected(token: _Token) -> str:
    if not token.text:
        return "something is missing at the end"
    return f"{token.text[:40]!r} cannot stand here"

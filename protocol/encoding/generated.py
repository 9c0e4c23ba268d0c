"""
Generated converters: a writer for each type, and a reader for values that we wrote ourselves.

Both are compiled from Python source when a type is first used; the walk over types
(`encoding.forms`) makes the source. Readers have a function for each class and each tuple of fixed
types; writers have one for each such tuple and each recursive class. Everything else is an
expression inside of these. For

    class Choice:
        choice_id: str
        text: Text
        points: tuple[Point, ...]

the writer is as follows: texts are recursive, points are not.

    def write_2(value):
        return (
            value.choice_id,
            write_1(value.text),
            tuple([(each.kind, each.piece) for each in value.points]) if value.points else (),
        )

The writer trusts that a value has its type; the reader trusts that a plain value came from the
writer. `protocol.encoding.strict` reads everything else.

Writers refuse values of recursive classes that are nested deeper than `MAX_WITHIN`.
"""

import enum
import functools
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from protocol.encoding.forms import fields_of, holds_itself, made_of
from protocol.encoding.packing import Plain, pack

MAX_WITHIN = 8
"""Maximum depth of nested values of recursive classes, such as texts in texts. This keeps every
type below `protocol.encoding.packing.MAX_DEPTH`."""

Expression = Callable[[str], str]
"""
Function that turns the source of a value into the source of its converted form. The value is a name
or an attribute, so repeating it is cheap and has no effects.
"""


@functools.cache
def writer(of: Any) -> Callable[[Any], Plain]:
    """Return the writer of a type, which makes plain values. TypeError if the type has no form."""
    return _WRITERS.function(made_of(of, _WRITERS))


@functools.cache
def own_reader(of: Any) -> Callable[[Plain], Any]:
    """Return the reader of a type for output of its writer; undefined for any other input."""
    return _READERS.function(made_of(of, _READERS))


def fields_writer(fields: Iterable[tuple[str, Any]]) -> Callable[[Any], tuple[Plain, ...]]:
    """
    Return a writer of some fields of a value, given by name and type, as one tuple.

    A field whose type is None holds a mapping with numbers as keys; only the keys are written,
    ascending.
    """
    forms = [
        f"tuple(sorted(value.{name}))" if of is None else made_of(of, _WRITERS)(f"value.{name}")
        for name, of in fields
    ]
    return _WRITERS.function(lambda _value: _tuple(forms))


def _same(value: str) -> str:
    return value


def _is_same(expression: Expression) -> bool:
    return expression("value") == "value"


class _Generator:
    """Makes an `Expression` for each type; owns the functions and constants that it names."""

    def __init__(self) -> None:
        self._scope: dict[str, Any] = {"Enum": enum.Enum, "NoneType": types.NoneType}
        self._functions: dict[Any, str] = {}
        """Names of the functions for classes and tuples."""

    def function(self, expression: Expression) -> Callable[[Any], Any]:
        """Compile an expression to a function."""
        name = self._new_name()
        self._compile(name, f"return {expression('value')}")
        return self._scope[name]  # type: ignore[no-any-return]  # compiled just now

    def scalar(self, _of: type) -> Expression:
        return _same

    def nothing(self) -> Expression:
        return _same

    def _named(self, of: Any, body: Callable[[], str], parameters: str = "value") -> str:
        """Return the name of the function for a class or tuple; compile it on first use."""
        if of not in self._functions:
            # Named before its body is made, since the body of a recursive class calls it.
            name = self._functions[of] = self._new_name()
            self._compile(name, body(), parameters)
        return self._functions[of]

    def _new_name(self) -> str:
        return self._constant(None)

    def _constant(self, value: object) -> str:
        """Bind a value to a new name of the generated code, and return the name."""
        name = f"name_{len(self._scope)}"
        self._scope[name] = value
        return name

    def _compile(self, name: str, body: str, parameters: str = "value") -> None:
        source = f"def {name}({parameters}):\n {body}"
        # The source has our own names and names of fields only, never a value.
        exec(compile(source, f"<{type(self).__name__}>", "exec"), self._scope)  # noqa: S102 (above)


class _Writers(_Generator):
    def __init__(self) -> None:
        super().__init__()
        self._left = ""
        """Expression for the nesting budget that the function being made passes on to others."""

    def record(self, arguments: tuple[Any, ...]) -> Expression:
        return self._counting(arguments, "left", lambda: self._record(arguments))

    def structure(self, of: type) -> Expression:
        if holds_itself(of):
            return self._counting(of, "left - 1", lambda: self._structure(of))
        forms = [(name, made_of(hint, self)) for name, hint in fields_of(of)]
        return lambda value: _tuple([form(f"{value}.{name}") for name, form in forms])

    def _counting(self, of: Any, passed: str, body: Callable[[], str]) -> Expression:
        """
        Return a call of the generated function for a type; the call passes on the nesting budget.

        Args:
            of: the type.
            passed: the budget as an expression, for calls inside the function.
            body: makes the source of the function.
        """
        # Restored afterwards: the budget belongs to the function whose body is being made.
        before, self._left = self._left, passed
        called = self._named(of, body, f"value, left={MAX_WITHIN}")
        self._left = before
        return lambda value: f"{called}({', '.join(filter(None, (value, self._left)))})"

    def enumeration(self, _of: type[enum.Enum]) -> Expression:
        # Not `.value`, which is a property and slower.
        return lambda value: f"{value}._value_"

    def sequence(self, of: Any) -> Expression:
        each = made_of(of, self)("each")
        if each == "each":
            return lambda value: f"tuple({value})"
        # Many are empty, and a comprehension over nothing still costs a call.
        return lambda value: f"(tuple([{each} for each in {value}]) if {value} else ())"

    def mapping(self, key: Any, of: Any) -> Expression:
        pair = f"({made_of(key, self)('key')}, {made_of(of, self)('each')})"
        # Sorted by packed keys, as the strict reader demands: one encoding for each mapping.
        by = self._constant(_packed_key)
        return lambda value: (
            f"(tuple(sorted([{pair} for key, each in {value}.items()], key={by}))"
            f" if {value} else ())"
        )

    def union(self, by_kind: Mapping[type, Any]) -> Expression:
        forms = {kind: made_of(of, self) for kind, of in by_kind.items()}
        others = [form for form in forms.values() if not _is_same(form)]
        if not others:
            return _same
        # Members that are written as they are need one look-up of the type, and no call.
        same = self._constant(frozenset(kind for kind in forms if _is_same(forms[kind])))
        if tuple not in forms:
            return lambda value: f"({value} if type({value}) in {same} else {value}._value_)"
        write = forms[tuple]
        if len(others) == 1:
            return lambda value: f"({value} if type({value}) in {same} else {write(value)})"
        return lambda value: (
            f"({value} if type({value}) in {same}"
            f" else {value}._value_ if isinstance({value}, Enum) else {write(value)})"
        )

    def _record(self, arguments: tuple[Any, ...]) -> str:
        names = [f"item_{at}" for at in range(len(arguments))]
        forms = [made_of(of, self)(name) for name, of in zip(names, arguments, strict=True)]
        return f"{_tuple(names)} = value; return {_tuple(forms)}"

    def _structure(self, of: type) -> str:
        forms = [made_of(hint, self)(f"value.{name}") for name, hint in fields_of(of)]
        refused = "if not left: raise ValueError('nested too deep')"
        return f"{refused}\n return {_tuple(forms)}"


class _Readers(_Generator):
    def record(self, arguments: tuple[Any, ...]) -> Expression:
        return self._call(arguments, lambda: self._made("", arguments))

    def structure(self, of: type) -> Expression:
        return self._call(of, lambda: self._structure(of))

    def _call(self, of: Any, body: Callable[[], str]) -> Expression:
        called = self._named(of, body)
        return lambda value: f"{called}({value})"

    def enumeration(self, of: type[enum.Enum]) -> Expression:
        members = self._constant({member.value: member for member in of})
        return lambda value: f"{members}[{value}]"

    def sequence(self, of: Any) -> Expression:
        each = made_of(of, self)("each")
        return _same if each == "each" else lambda value: f"tuple([{each} for each in {value}])"

    def mapping(self, key: Any, of: Any) -> Expression:
        pair = f"{made_of(key, self)('key')}: {made_of(of, self)('each')}"
        return lambda value: f"{{{pair} for key, each in {value}}}"

    def union(self, by_kind: Mapping[type, Any]) -> Expression:
        def read(value: str) -> str:
            source = value
            for kind, form in forms.items():
                if not _is_same(form):
                    source = f"({form(value)} if type({value}) is {kind.__name__} else {source})"
            return source

        forms = {kind: made_of(of, self) for kind, of in by_kind.items()}
        return read

    def _structure(self, of: type) -> str:
        return self._made(self._constant(of), [hint for _, hint in fields_of(of)])

    def _made(self, of: str, hints: Iterable[Any]) -> str:
        """
        Return a function body that unpacks `value`, converts each item, and passes all to `of`.

        With an empty `of` the body returns a tuple.
        """
        forms = [made_of(hint, self)(f"item_{at}") for at, hint in enumerate(hints)]
        names = [f"item_{at}" for at in range(len(forms))]
        return f"{_tuple(names)} = value; return {of}{_tuple(forms)}"


def _tuple(items: Iterable[str]) -> str:
    return f"({''.join(f'{item}, ' for item in items)})"


def _packed_key(pair: tuple[Plain, Plain]) -> bytes:
    return pack(pair[0])


_WRITERS = _Writers()
_READERS = _Readers()

"""
Faults: small changes of a function of the rules, one at a time.

A function belongs to the rules that its docstring names; `EVADE-2 to EVADE-4` names three. A rule
that no function names belongs to the functions of the modules whose docstrings name it.
"""

import ast
import builtins
import copy
import functools
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from tests.games.rulebook.books import Book

_ID = re.compile(r"\b((?:[A-Z]-)?[A-Z]+)-(\d+)(?: to (?:\1-)?(\d+))?")
Def = ast.FunctionDef | ast.AsyncFunctionDef


@attrs.frozen
class Function:
    """A function of the rules, at the top of its module or in a class there."""

    package: str
    """Package of the rules."""
    chapter: str
    """Module in the package, such as `clues`."""
    name: str
    """Name of the function; for a method, the name of the class comes first."""
    node: Def = attrs.field(eq=False, repr=False)
    names: frozenset[str] = attrs.field(repr=False)
    """Rule ids in the docstring of the function."""
    is_named_by_module: frozenset[str] = attrs.field(repr=False)
    """Rule ids in the docstring of the module."""

    @property
    def called(self) -> str:
        """Module and name, such as `clues.gain`."""
        return f"{self.chapter}.{self.name}"

    @property
    def module(self) -> str:
        return f"{self.package}.{self.chapter}"

    @functools.cached_property
    def digest(self) -> str:
        """Digest of the code and its rule ids, independent of docstrings, annotations and names.

        Names are numbered by first occurrence, so a mere renaming leaves the stored results valid.
        Builtins keep theirs: `min` is not `max`.
        """
        bare = copy.deepcopy(self.node)
        bare.decorator_list, bare.returns = [], None
        if ast.get_docstring(bare) is not None:
            del bare.body[0]
        numbers: dict[str, int] = {}
        for part in ast.walk(bare):
            if isinstance(part, ast.arg):
                part.annotation = None
            for field in ("id", "attr", "arg", "name"):
                name = getattr(part, field, None)
                if isinstance(name, str) and not hasattr(builtins, name):
                    setattr(part, field, str(numbers.setdefault(name, len(numbers))))
        said = ast.dump(bare) + " ".join(sorted(self.names | self.is_named_by_module))
        return hashlib.sha256(said.encode()).hexdigest()[:16]


def ids_in(text: str | None) -> frozenset[str]:
    """Return the rule ids in a docstring; `EVADE-2 to EVADE-4` names three."""
    found = set()
    for section, first, last in _ID.findall(text or ""):
        found |= {f"{section}-{n}" for n in range(int(first), int(last or first) + 1)}
    return frozenset(found)


def functions(book: Book, folder: Path | None = None) -> list[Function]:
    """Return every function in the rules of a game, or in another folder, by file and line."""
    found: list[Function] = []
    folder = book.source if folder is None else folder
    for file in sorted(folder.rglob("*.py")):
        parts = file.relative_to(folder).with_suffix("").parts
        if parts[-1] != "__init__":
            source = file.read_text("utf-8")
            found += _functions_in(source, book.package, ".".join(parts))
    return found


def _functions_in(source: str, package: str, module: str) -> Iterator[Function]:
    tree = ast.parse(source)
    of_module = ids_in(ast.get_docstring(tree))
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        before = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for one in inner:
            if isinstance(one, Def):
                ids = ids_in(ast.get_docstring(one))
                yield Function(package, module, before + one.name, one, ids, of_module)


# Changes -------------------------------------------------------------------------------------

_OTHER: Mapping[type[ast.AST], type[Any]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
_BY_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}
_NOTHING: Mapping[str, tuple[str, ...]] = {
    "bool": ("True", "False"),
    "int": ("0",),
    "tuple": ("()",),
    "list": ("[]",),
}
"""Results in place of a call, by the return type that the called function declares."""
_ASKING = ("choose", "agree")
"""Methods that ask for a choice. Their second argument has the options."""


@attrs.frozen
class Fault:
    """Function with one change."""

    function: Function
    line: int
    change: str
    """Code before and after, such as `1 -> 2`."""
    node: Def = attrs.field(eq=False, repr=False)

    def __str__(self) -> str:
        return f"{self.function.called}:{self.line} {self.change}"

    @property
    def places(self) -> frozenset[tuple[str, int]]:
        """Module and lines of the changed statement, without the statements inside it."""
        statements = [part for part in ast.walk(self.function.node) if isinstance(part, ast.stmt)]
        changed = max((one for one in statements if one.lineno <= self.line), key=_line_of)
        inside = [one.lineno for one in ast.walk(changed) if isinstance(one, ast.stmt)][1:]
        last = min([line - 1 for line in inside], default=changed.end_lineno or self.line)
        lines = range(changed.lineno, max(last, changed.lineno) + 1)
        return frozenset((self.function.module, line) for line in lines)


Change = Callable[[ast.AST], ast.expr | None]
"""Changes a node in place, or returns its replacement."""


@attrs.frozen
class Planter:
    """Generator of faults in the functions of one game's rules."""

    returned: Mapping[str, str]
    """Declared return types by function name, for names with a single declared type."""
    stand_ins: Mapping[str, type]

    @classmethod
    def of(cls, book: Book, known: Iterable[Function]) -> "Planter":
        declared: dict[str, set[str]] = {}
        for one in known:
            returns = "" if one.node.returns is None else ast.unparse(one.node.returns)
            module = one.module.rpartition(".")[2]
            # Calls name a function alone or behind its module.
            for name in (one.node.name, f"{module}.{one.node.name}"):
                declared.setdefault(name, set()).add(returns)
        returned = {name: types.pop() for name, types in declared.items() if len(types) == 1}
        return cls(returned, book.stand_ins)

    def faults(self, function: Function) -> Iterator[Fault]:
        """Yield the possible faults of a function, in line order."""
        places = sorted(self._places(function.node), key=lambda place: place[1])
        for at, line, change in places:
            planted = copy.deepcopy(function.node)
            nodes = list(ast.walk(planted))
            before = ast.unparse(_shown(nodes[at]))
            now = change(nodes[at]) or nodes[at]
            planted = _InPlaceOf(nodes[at], now).visit(planted)
            after = ast.unparse(ast.fix_missing_locations(_shown(now)))
            yield Fault(function, line, f"{_short(before)} -> {_short(after)}", planted)

    def _places(self, node: Def) -> Iterator[tuple[int, int, Change]]:
        """Yield each change with its line and the index of its node in `ast.walk`."""
        skipped = {id(part) for part in _unchanged(node)}
        for at, part in enumerate(ast.walk(node)):
            if id(part) not in skipped:
                for change in _changes(part):
                    yield at, _line_of(part), change
                if isinstance(part, ast.Await) and isinstance(part.value, ast.Call):
                    for given in self._undone(part.value.func):
                        yield at, part.lineno, functools.partial(_given, given)
                if isinstance(part, ast.Expr):
                    skipped.add(id(part.value))

    def _undone(self, function: ast.expr) -> tuple[str, ...]:
        """Return stand-ins for an awaited call, by its return type; none if it asks a question."""
        if isinstance(function, ast.Attribute) and function.attr in _ASKING:
            return ()
        declared = self.returned.get(ast.unparse(function), "")
        if declared.endswith("| None"):
            return ("None",)
        if declared in self.stand_ins:
            return (f"{declared}()",)
        return _NOTHING.get(declared.partition("[")[0], ())


def _shown(node: ast.AST) -> ast.AST:
    """Return the part of a changed node to print: the condition of an `if`, else all of it."""
    return node.test if isinstance(node, ast.If | ast.IfExp) else node


def _short(code: str) -> str:
    return " ".join(code.split())[:100]


@attrs.frozen
class _InPlaceOf(ast.NodeTransformer):
    old: ast.AST
    new: ast.AST

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def _line_of(node: ast.AST) -> int:
    """Return the line of a node; for a comprehension, that of its target."""
    place = node.target if isinstance(node, ast.comprehension) else node
    assert isinstance(place, ast.expr | ast.stmt)
    return place.lineno


def _unchanged(node: Def) -> Iterator[ast.AST]:
    """Yield nodes that are never changed: docstring, decorators, arguments, annotations.

    So is `strict` of a `zip`, which only checks.
    """
    kept = [*node.decorator_list, node.args, *([] if node.returns is None else [node.returns])]
    if ast.get_docstring(node) is not None:
        kept.append(node.body[0])
    for part in kept:
        yield from ast.walk(part)
    for part in ast.walk(node):
        if isinstance(part, ast.AnnAssign):
            yield from ast.walk(part.annotation)
        if isinstance(part, ast.keyword) and part.arg == "strict":
            yield part.value


def _changes(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare() if type(node.ops[0]) in _OTHER:
            yield _other_comparison
        case ast.BoolOp() | ast.BinOp() if type(node.op) in _OTHER:
            yield _other_operator
        case ast.UnaryOp(op=ast.Not()):
            yield _double_negation
        case ast.Constant(value=bool()):
            yield _flipped
        case ast.Constant(value=int()):
            yield _one_more
        case ast.If() | ast.IfExp() if not isinstance(node.test, ast.UnaryOp):
            yield _negated
        case ast.UnaryOp(op=ast.USub()):
            yield _sign_lost
        case ast.comprehension(ifs=[_, *_]):
            yield _unfiltered
        case ast.Name(id="min" | "max" | "any" | "all", ctx=ast.Load()):
            yield _other_name
        case _:
            yield from _changes_of_calls(node)


def _changes_of_calls(node: ast.AST) -> Iterator[Change]:
    """Yield changes of a call: drop it, use a question's first option, or use another seat."""
    match node:
        case ast.Expr(value=ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom()):
            yield _left_out
        case ast.Await(value=ast.Call(func=ast.Attribute(attr=name))) if name in _ASKING:
            yield _first_unasked
        case ast.Call(func=ast.Attribute(attr="seat_of")):
            yield _another_seat


def _other_comparison(node: ast.AST) -> None:
    assert isinstance(node, ast.Compare)
    node.ops[0] = _OTHER[type(node.ops[0])]()


def _other_operator(node: ast.AST) -> None:
    assert isinstance(node, ast.BoolOp | ast.BinOp)
    node.op = _OTHER[type(node.op)]()


def _double_negation(node: ast.AST) -> None:
    assert isinstance(node, ast.UnaryOp)
    node.operand = ast.UnaryOp(ast.Not(), node.operand)


def _flipped(node: ast.AST) -> None:
    assert isinstance(node, ast.Constant)
    node.value = not node.value


def _one_more(node: ast.AST) -> None:
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, int)
    node.value += 1


def _negated(node: ast.AST) -> None:
    assert isinstance(node, ast.If | ast.IfExp)
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _left_out(node: ast.AST) -> None:
    assert isinstance(node, ast.Expr)
    node.value = ast.Constant(None)


def _given(code: str, _node: ast.AST) -> ast.expr:
    return ast.parse(code, mode="eval").body


def _first_unasked(node: ast.AST) -> ast.expr:
    """Return the expression of a question's first option, which replaces the question."""
    assert isinstance(node, ast.Await)
    assert isinstance(node.value, ast.Call)
    given = {word.arg: word.value for word in node.value.keywords}
    options = node.value.args[1] if len(node.value.args) > 1 else given["options"]
    return ast.Attribute(ast.Subscript(options, ast.Constant(0), ast.Load()), "value", ast.Load())


def _another_seat(node: ast.AST) -> ast.expr:
    assert isinstance(node, ast.expr)
    return ast.BinOp(node, ast.BitXor(), ast.Constant(1))


def _sign_lost(node: ast.AST) -> ast.expr:
    assert isinstance(node, ast.UnaryOp)
    return node.operand


def _unfiltered(node: ast.AST) -> None:
    assert isinstance(node, ast.comprehension)
    node.ifs = []


def _other_name(node: ast.AST) -> None:
    assert isinstance(node, ast.Name)
    node.id = _BY_NAME[node.id]

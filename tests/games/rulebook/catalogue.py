"""Catalogue of a game: each rule in a sentence of our own, and the tests that pin it.

`catalogue.yaml` lists rules and, where a game has them, decisions and worked examples. A test pins
an entry by its mark, `@pytest.mark.rule("EVADE-2")`. Marks are read from the source, so nothing has
to be imported or collected.
"""

import ast
import functools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import attrs

from tests.games.rulebook.books import GAMES, TESTS, Book
from tests.kit import reading_yaml

RULES = "rules"
"""Kind of the entries in sections for which the book gives no other kind."""


@attrs.frozen
class Rule:
    """One entry of the catalogue."""

    id: str
    says: str
    later: str | None = None
    """Reason why the rule is not due yet; None if the rule is due."""
    unbitten: str | None = None
    """Reason why the rule's tests can see no fault in the rules; None if they can."""

    @property
    def section(self) -> str:
        """Part of the id before the number, such as `EVADE`."""
        return self.id.rpartition("-")[0]


@attrs.frozen
class Mark:
    """One `@pytest.mark.rule(…)` in the source of a test."""

    id: str
    where: str
    """File and line of the mark."""


Catalogue = Mapping[str, Rule]


def read(data: str) -> Catalogue:
    """Return the entries by id, in file order.

    Raises:
        ValueError: an entry is malformed.
    """
    rules: dict[str, Rule] = {}
    for section, entries in reading_yaml.safe(data).items():
        for number, (id_, entry) in enumerate(entries.items(), start=1):
            if id_ != f"{section}-{number}":
                raise ValueError(f"{id_} stands where {section}-{number} should")
            if entry.keys() - {"unbitten"} not in ({"since", "says"}, {"later", "says"}):
                raise ValueError(f"{id_} has {', '.join(entry)}; it takes says, and since or later")
            if not entry["says"] or not entry.get("later", "due"):
                raise ValueError(f"{id_} says nothing")
            rules[id_] = Rule(id_, entry["says"], entry.get("later"), entry.get("unbitten"))
    return rules


def load(book: Book) -> Catalogue:
    return read(book.catalogue.read_text(encoding="utf-8"))


_LATER = re.compile(
    r"""^( +(\S+): \{)later: (?:"(?:[^"\\]|\\.)*"|'[^']*'|[^,'"][^,]*)(?=, )""", re.MULTILINE
)
"""Start of an entry that is put off, up to its reason."""


def made_due(data: str, ids: Collection[str]) -> str:
    """Return a catalogue in which the given entries are due; nothing else of it changes.

    Raises:
        ValueError: an entry is not written as `ID: {later: reason, says: sentence}` on one line.
    """
    changed = _LATER.sub(lambda m: f"{m[1]}since: 1" if m[2] in ids else m[0], data)
    wanted = {
        id_: attrs.evolve(rule, later=None) if id_ in ids else rule
        for id_, rule in read(data).items()
    }
    wrong = [id_ for id_, rule in read(changed).items() if rule != wanted[id_]]
    if wrong:
        raise ValueError(f"not written as `ID: {{later: …, says: …}}`: {' '.join(wrong)}")
    return changed


# Marks ---------------------------------------------------------------------------------------


def marks(book: Book, rules: Catalogue) -> list[Mark]:
    """Return the marks in a game's own tests, and those marks in shared tests that name its rules.

    Shared tests, such as those of the lobby, may pin rules of several games.
    """
    sections = {rule.section for rule in rules.values()}
    return [
        mark
        for file in sorted(TESTS.rglob("test_*.py"))
        if file.is_relative_to(book.tests) or not file.is_relative_to(GAMES)
        for mark in marks_in(file.read_text(encoding="utf-8"), str(file.relative_to(TESTS.parent)))
        if file.is_relative_to(book.tests) or mark.id.rpartition("-")[0] in sections
    ]


@functools.cache
def marks_in(source: str, file: str) -> tuple[Mark, ...]:
    """Return the marks on the tests of one file, also those made through an alias.

    Only decorators of a test or of one of its parameters count; skipped tests pin nothing.
    """
    # Most files have none, and reading them takes longest.
    return tuple(_marks_in(ast.parse(source), file)) if "pytest.mark.rule" in source else ()


def _marks_in(tree: ast.Module, file: str) -> Iterator[Mark]:
    names = {"pytest.mark.rule", *_aliases(tree)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        if any(_is_left_out(decorator) for decorator in node.decorator_list):
            continue
        for decorator in node.decorator_list:
            for call in ast.walk(decorator):
                if isinstance(call, ast.Call) and ast.unparse(call.func) in names:
                    where = f"{file}:{call.lineno}"
                    yield from (Mark(id_, where) for id_ in _ids(call))


def _aliases(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file assigns the mark to, such as `rule = pytest.mark.rule`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "pytest.mark.rule":
            yield from (ast.unparse(target) for target in node.targets)


def _is_left_out(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(called) in {"pytest.mark.skip", "pytest.mark.skipif", "pytest.mark.xfail"}


def _ids(call: ast.Call) -> tuple[str, ...]:
    """Return the ids of a mark.

    A tuple may be given with a star, so that long lists of ids can be wrapped. An argument that is
    no string literal is returned as its source, which `faults` reports as unknown.
    """
    words: list[ast.expr] = []
    for word in (*call.args, *(keyword.value for keyword in call.keywords)):
        if isinstance(word, ast.Starred) and isinstance(word.value, ast.Tuple):
            words += word.value.elts
        else:
            words.append(word)
    if not words:
        return (ast.unparse(call),)
    return tuple(
        word.value
        if isinstance(word, ast.Constant) and isinstance(word.value, str)
        else ast.unparse(word)
        for word in words
    )


# Checks --------------------------------------------------------------------------------------


def faults(rules: Catalogue, found: Iterable[Mark]) -> list[str]:
    """Return a line for each disagreement between catalogue and marks."""
    found = list(found)
    pinned = {mark.id for mark in found}
    return [
        *(
            f"{rule.id} has no test: {rule.says}"
            for rule in rules.values()
            if rule.later is None and rule.id not in pinned
        ),
        *(
            f"{mark.where} marks {mark.id}, which is not in the catalogue"
            for mark in found
            if mark.id not in rules
        ),
        *(
            f"{mark.where} pins {mark.id}, put off ({rules[mark.id].later}): `make rules-due`"
            for mark in found
            if mark.id in rules and rules[mark.id].later is not None
        ),
    ]


# Printing ------------------------------------------------------------------------------------


def kind_of(book: Book, rule: Rule) -> str:
    """Return the kind of an entry, such as `rules`."""
    return book.kinds.get(rule.section, RULES)


def report(book: Book, rules: Catalogue, found: Iterable[Mark]) -> list[str]:
    """Return lines that count pinned, due and existing entries, by section and by kind.

    The last lines count the entries that are put off, by reason.
    """
    pinned = {mark.id for mark in found}
    sections = list(dict.fromkeys(rule.section for rule in rules.values()))
    of_section = {s: [r for r in rules.values() if r.section == s] for s in sections}
    of_kind = {k: [r for r in rules.values() if kind_of(book, r) == k] for k in book.sizes}
    lines = [f"{'':13} pinned/due/all"]
    lines += [_line(name, those, pinned) for name, those in of_section.items()]
    lines += ["", *(_line(name, those, pinned) for name, those in of_kind.items())]
    put_off = Counter(rule.later for rule in rules.values() if rule.later is not None)
    if put_off:
        lines += ["", f"put off {put_off.total():>5}"]
        lines += [f"{count:>13}  {reason}" for reason, count in put_off.most_common()]
    return lines


def _line(name: str, those: Sequence[Rule], pinned: set[str]) -> str:
    due = [rule for rule in those if rule.later is None]
    have = sum(rule.id in pinned for rule in those)
    missing = " ".join(rule.id for rule in due if rule.id not in pinned)
    return f"{name:13} {have:>6}/{len(due)}/{len(those)}  {missing}".rstrip()

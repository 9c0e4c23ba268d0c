"""Log calls in our code: literal formats, and values by name; ruff has no such rule."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
CODE: Final = ("commands", "protocol", "content", "server", "client")
LEVELS: Final = frozenset({"debug", "info", "warn", "error", "critical", "failure", "emit"})

pytestmark = pytest.mark.issue(13)


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of Twisted's loggers, all of which are called `_log`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=logger, attr=level)) if level in LEVELS:
                name = logger.attr if isinstance(logger, ast.Attribute) else ast.unparse(logger)
                if name == "_log" or name.startswith("Logger("):
                    yield node


def loggers(tree: ast.AST) -> Iterator[ast.Name]:
    """Yield the names to which a logger is assigned."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name() as name], value=ast.Call(func=ast.Name("Logger"))):
                yield name


def faults(tree: ast.AST) -> list[str]:
    """Return the calls in a module that may turn a stranger's words into a format."""
    found = [
        f"{call.lineno}: the format is no string that is written out"
        for call in calls(tree)
        if not (call.args and isinstance(call.args[0], ast.Constant))
    ]
    found += [
        f"{node.lineno}: a logger by another name"
        for node in loggers(tree)
        if ast.unparse(node) != "_log"
    ]
    return found


def test_every_format_of_the_log_is_written_out() -> None:
    """A stranger's words are logged as values, which are never read as a format."""
    sources = {path: path.read_text("utf-8") for one in CODE for path in (ROOT / one).rglob("*.py")}
    # No other source names a logger or makes one.
    trees = {
        path: ast.parse(text)
        for path, text in sources.items()
        if "_log" in text or "Logger" in text
    }

    assert {str(path): told for path, tree in trees.items() if (told := faults(tree))} == {}
    assert sum(len([*calls(tree)]) for tree in trees.values()) >= 30


@pytest.mark.parametrize(
    "source",
    [
        "self._log.info(line, why=why)",
        "_log.warn(f'{name} came')",
        "_log.error('{} came'.format(name))",
        "self._log.failure('a ' + name)",
        "_log.debug('%s came' % name)",
        "_log.critical()",
        "Logger().info(line)",
        "log = Logger()",
    ],
)
def test_a_format_that_is_made_is_found(source: str) -> None:
    assert len(faults(ast.parse(source))) == 1


@pytest.mark.parametrize(
    "source", ["self._log.info('{who} came', who=name)", "_log = Logger()", "print(line)"]
)
def test_a_format_that_is_written_out_is_none(source: str) -> None:
    assert faults(ast.parse(source)) == []

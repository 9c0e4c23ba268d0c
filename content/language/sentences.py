"""
Documentation of fields and words, for the reference page and for editors.

A field is documented by the string below it in its class. For keys that mean the same in every
class, a game adds descriptions by key.
"""

import ast
import enum
import functools
import inspect
import itertools
import textwrap
import types
from collections.abc import Mapping

import attrs


@attrs.frozen
class Sentences:
    """Documentation that one game adds for keys and words without a string of their own."""

    by_key: Mapping[str, str] = types.MappingProxyType({})
    """Sentences by key, as authors write the key. Documentation below a field takes precedence."""
    by_word: Mapping[str, Mapping[str, str]] = types.MappingProxyType({})
    """Sentences by enumeration and word, for words without documentation."""

    def on_field(self, cls: type, field: str) -> str | None:
        """Return the documentation of a field, or None."""
        return member_docs(cls).get(field) or self.by_key.get(field.removesuffix("_"))

    def on_word(self, member: enum.Enum) -> str | None:
        """Return the documentation of a word, or None."""
        own = member_docs(type(member)).get(member.name)
        return own or self.by_word.get(type(member).__name__, {}).get(str(member.value))


@functools.cache
def member_docs(cls: type) -> Mapping[str, str]:
    """Return the documentation below each field of a class, or member of an enumeration."""
    # Python keeps no documentation of fields, so it is read from the source.
    # Slow, and so never part of loading a pack: only pages and schemas need it.
    tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    body = next(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)).body
    found: dict[str, str] = {}
    for field, below in itertools.pairwise(body):
        match field, below:
            case (
                ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=text)),
            ):
                found[name] = str(text)
    return found

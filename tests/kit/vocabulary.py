"""Vocabulary: which fields and words of a game's schema a pack never uses."""

import enum
import importlib
import pkgutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import attrs

from content.language.walk import parts_in


def modules_of(package: ModuleType) -> tuple[ModuleType, ...]:
    """Return all modules of a package."""
    return tuple(
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    )


def unused(
    made: Any,
    schema: Collection[ModuleType],
    *,
    words: Collection[type[enum.Enum]] = (),
    but: Collection[type] = (),
    left: Collection[str] = (),
) -> list[str]:
    """
    Return the fields a pack leaves at their defaults, and the enum members it never uses.

    Args:
        made: the pack.
        schema: the modules whose classes packs can contain.
        words: further enums.
        but: classes of the modules that packs cannot contain.
        left: fields and members that need not be used.
    """
    fields: set[str] = set()
    used: set[str] = set()
    for part in parts_in(made):
        for field in attrs.fields(type(part)):
            value = getattr(part, field.name)
            if value != _usual(field):
                fields.add(f"{named(type(part))}.{field.name}")
            used.update(_words(value))
    classes = [one for one in classes_of(schema) if one not in but]
    every = fields_of(classes)
    members = {
        _word(member) for one in (*classes, *words) if issubclass(one, enum.Enum) for member in one
    }
    return sorted(every - fields - {*left}) + sorted(members - used - {*left})


def fields_of(classes: Iterable[type]) -> set[str]:
    """Return the fields of classes, each after the name of its class."""
    return {
        f"{named(one)}.{field.name}"
        for one in classes
        if attrs.has(one)
        for field in attrs.fields(one)
    }


def _usual(field: Any) -> Any:
    usual = field.default
    return usual.factory() if isinstance(usual, attrs.Factory) else usual  # type: ignore[arg-type]


def _words(value: Any) -> Iterator[str]:
    """Yield the enum members in a value, at any depth, keys of mappings included."""
    if isinstance(value, enum.Enum):
        yield _word(value)
    elif isinstance(value, tuple | Mapping):
        for inner in value:
            yield from _words(inner)


def _word(member: enum.Enum) -> str:
    return f"{named(type(member))}.{member.value}"


def named(made: type) -> str:
    """Return module and name of a class, since two modules may use one name."""
    return f"{made.__module__.rpartition('.')[2]}.{made.__name__}"


def classes_of(schema: Collection[ModuleType]) -> Iterator[type]:
    """Yield the classes that modules declare."""
    for module in schema:
        for made in vars(module).values():
            if isinstance(made, type) and made.__module__ == module.__name__:
                yield made

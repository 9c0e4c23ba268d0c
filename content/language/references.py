"""
References: the things that the values of a pack name, and whether they exist.

Which fields name something is marked at the fields (`content.reading.meanings`). A game adds its
`Naming`: which kinds stand for several others, and what exists although no file declares it.
"""

import enum
import functools
import types
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import attrs

from content.language.walk import parts_in
from content.reading.files import BASE
from content.reading.meanings import Names, Role, find, leaves
from content.reading.mistakes import ContentError, suggestion
from content.reading.sheet import Reference, Sheet
from content.reading.words import Wordings, check_named

_NOTHING: Mapping[Any, Any] = types.MappingProxyType({})


@attrs.frozen
class NamedReference:
    """A kind and an id that a value names."""

    kind: enum.Enum
    id: str


@attrs.frozen
class NamingField:
    """A field of a class that names things: by its text, its items, its keys or its values."""

    name: str
    names: Names
    roles: frozenset[Role]
    in_keys: bool

    def named_by(self, owner: Any) -> Iterator[NamedReference]:
        """Yield the references in this field of an object; words that are no ids are left out."""
        value = getattr(owner, self.name)
        if isinstance(value, str):
            value = (value,)
        elif isinstance(value, Mapping) and not self.in_keys:
            value = value.values()
        # An optional field that is left out names nothing.
        for id_ in value or ():
            if id_ not in self.names.free:
                yield NamedReference(self.names.kind, id_)


@functools.cache
def naming_fields(cls: type) -> tuple[NamingField, ...]:
    """Return the fields of an attrs class that name something."""
    # Compiled once for each class: the linter asks this for every part of a pack.
    return tuple(
        NamingField(
            field, names, frozenset(m for m in leaf.marks if isinstance(m, Role)), leaf.in_keys
        )
        for field, found in leaves(cls).items()
        for leaf in found
        if (names := find(Names, leaf.marks)) is not None
    )


def named_in(root: Any, role: Role | None = None) -> Iterator[NamedReference]:
    """Yield the references in a value at any depth; with a role, those in its fields only."""
    for owner in parts_in(root):
        yield from named_by(owner, role)


def named_by(owner: Any, role: Role | None = None) -> Iterator[NamedReference]:
    """Yield the references in the fields of one object, but not in nested objects."""
    cls: type = type(owner)
    for field in naming_fields(cls):
        if role is None or role in field.roles:
            yield from field.named_by(owner)


@attrs.frozen
class Naming:
    """Facts about the kinds of a game's references that the marks at the fields do not tell."""

    words: Collection[enum.Enum]
    """Kinds of references to words. The value of such a kind is the field that the subject must
    have."""
    any_of: Mapping[enum.Enum, tuple[enum.Enum, ...]] = _NOTHING
    """The kinds that a reference of a general kind can name, by general kind."""
    always: Mapping[enum.Enum, Collection[str]] = _NOTHING
    """Ids that every pack has without declaring them, by kind."""
    by_pack: Collection[enum.Enum] = ()
    """Kinds of scenarios that files of the whole pack may name, too. Each scenario into which the
    naming entry can come must have the thing (`check_reached`)."""
    not_lent: Collection[enum.Enum] = ()
    """Kinds that stay with the bundled pack, whose files in `base/` may name them all the same."""


def check_words(sheet: Sheet, wordings: Wordings, naming: Naming) -> Iterator[ContentError]:
    """Yield a mistake for each subject that the pack names and that has no words."""
    for reference in sheet.references:
        if reference.kind in naming.words:
            yield from check_named(reference.kind.value, reference.id, reference.place, wordings)


def check_references(sheet: Sheet, naming: Naming) -> Iterator[ContentError]:
    """Yield a mistake for each reference to a thing that does not exist, words left out."""
    # An id of a scenario is known inside its file alone, so each use carries its scope.
    of_scenario = sheet.kinds.of_scenario
    for reference in sheet.references:
        if reference.kind in naming.words:
            continue
        if reference.kind in of_scenario and not reference.scope:
            if reference.kind in naming.by_pack:
                continue
            reason = f"a {reference.kind.value} belongs to one scenario; only it can name it"
            if (always := naming.always.get(reference.kind)) is not None:
                reason += f"; {suggestion(reference.id, always)}"
            yield ContentError.at(reference.place, reason)
        elif (missing := _missing(reference, sheet, naming)) is not None:
            yield ContentError.at(reference.place, missing)


def check_reached(
    sheet: Sheet, naming: Naming, reached: Mapping[str, Mapping[str, Collection[str]]]
) -> Iterator[ContentError]:
    """
    Yield a mistake for each thing that an entry names and that one of its scenarios lacks.

    Args:
        sheet: the references of the whole pack, and the declarations of the scenarios.
        naming: its `by_pack` are the kinds that are checked.
        reached: the entries that can come into a scenario, by the scenario's id, by its file.
    """
    for reference in sheet.references:
        if reference.scope or reference.kind not in naming.by_pack:
            continue
        # The path of keys begins with the id of the entry that holds the reference.
        entry = reference.place.key.partition(".")[0]
        for file, scenarios in reached.items():
            for scenario, entries in scenarios.items():
                if entry not in entries:
                    continue
                missing = _missing(attrs.evolve(reference, scope=file), sheet, naming)
                if missing is None:
                    continue
                place, reason = reference.place, f"it comes into {scenario}: {missing}"
                if place.file.startswith(f"{BASE}/"):
                    # The author of the scenario cannot mend a card of the bundled pack.
                    named = (r.place for r in sheet.references if r.id == entry)
                    place = next((at for at in named if at.file == file), place)
                    reason = f"{entry} does not fit this scenario: {missing}"
                yield ContentError.at(place, reason)


def _missing(reference: Reference, sheet: Sheet, naming: Naming) -> str | None:
    """Return the mistake if a reference names nothing or several things; None if it names one."""
    known: list[str] = list(naming.always.get(reference.kind, ()))
    meant: list[enum.Enum] = []
    for kind in naming.any_of.get(reference.kind, (reference.kind,)):
        if kind in naming.not_lent and reference.place.file.startswith(f"{BASE}/"):
            return None
        scope = reference.scope if kind in sheet.kinds.of_scenario else ""
        # Where something could not be read, what seems to be missing may be there. One mistake
        # in a file would otherwise hide among complaints about everything that it declares.
        if (scope, kind) in sheet.incomplete:
            return None
        declared = sheet.declared.get((scope, kind), {})
        known.extend(declared)
        # A general kind, such as a place, may find the id among several kinds.
        meant.extend([kind] if reference.id in declared else [])
    if len(meant) > 1:
        both = " and ".join(f"a {kind.value}" for kind in meant)
        return f"{reference.id!r} is {both}; rename one of them"
    if reference.id in known:
        return None
    advice = suggestion(reference.id, known)
    declaring = (
        f" (this is an id of the kind {kind.value})"
        for (scope, kind), declared in sheet.declared.items()
        if scope in {"", reference.scope} and reference.id in declared
    )
    return (
        f"there is no {reference.kind.value} {reference.id[:80]!r}{next(declaring, '')}; {advice}"
    )

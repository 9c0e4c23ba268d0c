"""Random changes to fields of the schema.

The files of a pack are walked as trees by the types of the schema, visiting every place where a
field is or could be. A change puts another value of the type there: an enumeration member, a
number, an id of the same kind, a reordered list, a part from elsewhere, or nothing. Changes that
the loader refuses are undone.
"""

import enum
import functools
import itertools
import random
import re
import types
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, cast

import attrs

from content.games.second_edition.loader import FILE_CLASSES, LIST_FILES
from content.games.second_edition.reader_schema import SCHEMA
from content.games.second_edition.references import ABOUT, KINDS, NAMING
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.numbers import BUILT_IN
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.schema.scenario import Trigger
from content.reading.meanings import Declares, Names, mark_of, marks_of, short_of
from content.reading.mistakes import ContentError
from content.reading.parts import parts_of
from content.reading.typed import key_of
from tests.kit.vocabulary import named

Tree = Any
"""YAML value: mappings, lists and scalars."""


WRITTEN = 0.7
"""
Probability that a field is changed where the pack has it already, rather than wherever it could be.
"""
BESIDE = 0.3
"""Probability that a field beside a changed one is changed, too."""
FEW = 6
"""Number of changes for each one that is undone, if a mistake is near none of them."""


class ABSENT:
    """Marks a field that is not written; a class, since its copies are identical."""


@attrs.frozen(eq=False)
class Place:
    """Place where a field is or could be written."""

    owner: type
    field: str
    type_: Any
    """Type of the field, without None."""
    holder: dict[str, Tree]
    key: str
    is_needed: bool
    """True if the field has no default."""
    file: str
    path: str
    """Path of keys inside the file, as the loader writes it."""

    @property
    def name(self) -> str:
        """Name of the field, as in `tests.games.second_edition.coverage`."""
        return f"{named(self.owner)}.{self.field}"

    def is_same(self, other: "Place") -> bool:
        return self.holder is other.holder and self.key == other.key

    @property
    def value(self) -> Tree:
        return self.holder.get(self.key, ABSENT)

    @property
    def kind(self) -> Kind | None:
        """Kind of thing whose name stands in this place, if any."""
        way = (self.owner, self.field)
        if way == (Trigger, "of"):
            moments = [moment for moment in ABOUT if moment.value == self.holder["on"]]
            return ABOUT[moments[0]] if moments else None
        names, declares = mark_of(Names, *way), mark_of(Declares, *way)
        # Sorts such as traits are declared wherever they are written.
        if declares is not None and declares.kind in KINDS.of_sort:
            return cast("Kind", declares.kind)
        return None if names is None else cast("Kind", names.kind)

    @property
    def is_free(self) -> bool:
        """True if the word in this place is a free word that names nothing."""
        names = mark_of(Names, self.owner, self.field)
        return isinstance(self.value, str) and names is not None and self.value in names.free

    @property
    def pool(self) -> tuple[object, str]:
        """Key that is equal for places whose values may be exchanged."""
        kind = self.kind
        scope = self.file if kind in KINDS.of_scenario or self.file.startswith("scenarios/") else ""
        if kind is not None and kind not in {Kind.TEXT, Kind.NAME}:
            return (kind, str(self.type_)), scope
        return (str(self.type_) if _is_family(self.type_) else self.name), scope


@attrs.frozen(eq=False)
class Change:
    """Value that was put into a place."""

    place: Place
    before: Tree
    after: Tree

    def undo(self) -> None:
        """Restore the earlier value."""
        _put(self.place, self.before)

    def has_in_it(self, error: ContentError) -> bool:
        """True if an error is inside the new value."""
        return error.file == self.place.file and error.key.startswith(self.place.path)

    def is_beside(self, error: ContentError) -> bool:
        """True if an error is in the same object of the file as this place."""
        beside = self.place.path.rpartition(".")[0]
        return error.file == self.place.file and bool(beside) and error.key.startswith(beside)

    def is_named_by(self, error: ContentError) -> bool:
        """True if an error names this place, or something that the change added or removed."""
        before, after = repr(self.before), repr(self.after)
        ways = [f"'{part}'" for part in self.place.path.split(".")]
        named = re.findall("'[^']+'", error.reason)
        return any(name in ways or (name in before) is not (name in after) for name in named)

    def is_in(self, error: ContentError) -> bool:
        """True if an error is about a part that contains this change."""
        return error.file == self.place.file and self.place.path.startswith(error.key)


def _put(place: Place, value: Tree) -> None:
    if value is ABSENT:
        place.holder.pop(place.key, None)
    else:
        place.holder[place.key] = value


def unshared(node: Tree) -> Tree:
    """Return a copy without shared parts."""
    if isinstance(node, dict):
        return {key: unshared(value) for key, value in node.items()}
    return [unshared(item) for item in node] if isinstance(node, list) else node


# Where fields stand --------------------------------------------------------------------------


def places(file: str, tree: Tree) -> Iterator[Place]:
    made = FILE_CLASSES["scenario.yaml" if file.startswith("scenarios/") else file]
    if file in LIST_FILES:
        yield from _places(tuple[made, ...], tree, file, "")  # type: ignore[valid-type]  # data
    else:
        yield from _places(made, tree, file, "")


def _places(type_: Any, node: Tree, file: str, path: str) -> Iterator[Place]:
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin is tuple and isinstance(node, list):
        for at, item in enumerate(node):
            id_ = item.get("id") if isinstance(item, dict) else None
            inner = f"{path}.{id_}" if isinstance(id_, str) else f"{path}[{at}]"
            yield from _places(arguments[0], item, file, inner.lstrip("."))
    elif isinstance(node, dict):
        for one in arguments if origin in {typing.Union, types.UnionType} else [type_]:
            yield from _in_mapping(one, node, file, path)
    elif (short := short_of(type_)) is not None:
        yield from _places(_hints(type_)[short], node, file, path)


def _in_mapping(type_: Any, node: dict[str, Tree], file: str, path: str) -> Iterator[Place]:
    if typing.get_origin(type_) is not None:
        for key, item in node.items():
            inner = f"{path}.{key}".lstrip(".")
            yield from _places(typing.get_args(type_)[1], item, file, inner)
    elif _is_family(type_):
        ((key, item),) = node.items()
        part, inner = parts_of(type_)[key], f"{path}.{key}".lstrip(".")
        if part.inline is None:
            yield from _of_object(part.made, item, file, inner)
        else:
            hint = _hints(part.made)[part.inline]
            where = Place(part.made, part.inline, hint, node, key, True, file, inner)
            yield from _and_within(where)
    elif attrs.has(type_):
        yield from _of_object(type_, node, file, path)


@functools.cache
def _hints(made: type) -> Mapping[str, Any]:
    """Return the types of the fields of a class, without None."""
    return {name: _only(type_) for name, type_ in typing.get_type_hints(made).items()}


def _of_object(made: type, node: Tree, file: str, path: str) -> Iterator[Place]:
    for field in attrs.fields(made) if isinstance(node, dict) else ():
        key, is_needed = key_of(field), field.default is attrs.NOTHING
        inner, type_ = f"{path}.{key}".lstrip("."), _hints(made)[field.name]
        yield from _and_within(Place(made, field.name, type_, node, key, is_needed, file, inner))


def _and_within(place: Place) -> Iterator[Place]:
    yield place
    if place.value is not ABSENT:
        yield from _places(place.type_, place.value, place.file, place.path)


def _only(type_: Any) -> Any:
    """Return the type of a field without None."""
    arguments = [one for one in typing.get_args(type_) if one is not types.NoneType]
    is_union = typing.get_origin(type_) in {typing.Union, types.UnionType}
    return arguments[0] if is_union and len(arguments) == 1 else type_


def _is_family(type_: Any) -> bool:
    return isinstance(type_, type) and bool(parts_of(type_))


def _declared(place: Place) -> enum.Enum | None:
    """Return the kind of the declaration in this place, if any."""
    declares = mark_of(Declares, place.owner, place.field)
    return None if declares is None else declares.kind


def _has_ids(place: Place) -> bool:
    """True if others refer to the value in this place by its id."""
    value = place.value
    inner = value if isinstance(value, list) else [value]
    is_known = any(isinstance(one, dict) and "id" in one for one in inner)
    return is_known or (_declared(place) not in {None, *KINDS.of_sort} and value is not ABSENT)


def _renamed(node: Tree) -> Tree:
    """Return a copy in which each thing has a new id."""
    if isinstance(node, dict):
        copied = {key: _renamed(value) for key, value in node.items()}
        return {**copied, "id": f"{node['id']}-more"} if "id" in node else copied
    if isinstance(node, list):
        return [_renamed(item) for item in node]
    return node


# Other values --------------------------------------------------------------------------------


@attrs.define
class Varying:
    """Changes the files of one pack at random."""

    rng: random.Random
    trees: Mapping[str, Tree]
    fixed: Collection[str] = ()
    """The fields that are not changed."""
    changes: list[Change] = attrs.field(factory=list, init=False)
    ids: dict[tuple[enum.Enum, str], dict[str, None]] = attrs.field(factory=dict, init=False)
    """Names by kind, and by file for those of one scenario."""

    def vary(self, names: Collection[str]) -> None:
        """Change each of these fields in one place."""
        by_name: dict[str, list[Place]] = {}
        pools: dict[object, list[Tree]] = {}
        self.ids.clear()
        for file, tree in self.trees.items():
            for place in places(file, tree):
                by_name.setdefault(place.name, []).append(place)
                if place.value is not ABSENT and not place.is_free:
                    pools.setdefault(place.pool, []).append(place.value)
                self._note_ids(place)
        beside: dict[int, list[Place]] = {}
        for place in itertools.chain(*by_name.values()):
            beside.setdefault(id(place.holder), []).append(place)
        for name in names:
            if name in by_name:
                every = by_name[name]
                written = [place for place in every if place.value is not ABSENT]
                likely = written if written and self.rng.random() < WRITTEN else every
                place = self.rng.choice(likely)
                self._change(place, pools.get(place.pool, []))
                if self.rng.random() < BESIDE:
                    # Some fields replace others.
                    other = self.rng.choice(beside[id(place.holder)])
                    self._change(other, pools.get(other.pool, []))

    def _change(self, place: Place, pool: list[Tree]) -> None:
        if place.name in self.fixed:
            return
        before = place.value
        been = [before, *(one.before for one in self.changes if one.place.is_same(place))]
        found = [value for value in self._others(place, pool) if value not in been]
        if found:
            after = unshared(self.rng.choice(found))
            _put(place, after)
            self.changes.append(Change(place, before, after))

    def _note_ids(self, place: Place) -> None:
        kind = _declared(place)
        if kind is not None and place.value is not ABSENT:
            ids = [place.value] if isinstance(place.value, str) else list(place.value)
            scope = place.file if kind in KINDS.of_scenario else ""
            self.ids.setdefault((kind, scope), {}).update(dict.fromkeys(ids))

    def _named(self, place: Place) -> list[str]:
        """Return the ids that a place may name."""
        if place.kind is None:
            return []
        names = mark_of(Names, place.owner, place.field)
        kinds = NAMING.any_of.get(place.kind, (place.kind,))
        found = [
            id_ for one in kinds for at in ("", place.file) for id_ in self.ids.get((one, at), ())
        ]
        return [*found, *sorted(() if names is None else names.free)]

    def undo(self, errors: Collection[ContentError]) -> bool:
        """Undo the changes that cause errors; return False if there are none left.

        If no change is near an error, undo a few random ones.
        """
        gone = {id(one): one for error in errors for one in self._causes(error)}
        if not gone:
            few = self.rng.sample(self.changes, -(-len(self.changes) // FEW))
            gone = {id(one): one for one in few}
        for change in reversed(self.changes):
            if id(change) in gone:
                change.undo()
        self.changes = [change for change in self.changes if id(change) not in gone]
        return bool(gone)

    def _causes(self, error: ContentError) -> list[Change]:
        """Return the changes that most likely cause an error."""
        near = [change for change in self.changes if change.has_in_it(error)]
        near = near or [change for change in self.changes if change.is_beside(error)]
        near = near or [change for change in self.changes if change.is_named_by(error)]
        around = [change for change in self.changes if change.is_in(error)]
        return near or self.rng.sample(around, -(-len(around) // 2))

    def kept(self) -> frozenset[str]:
        """Return the fields whose changes are still there and differ from the original."""
        holders = {id(p.holder) for file, tree in self.trees.items() for p in places(file, tree)}
        first: dict[tuple[int, str], Change] = {}
        for change in self.changes:
            first.setdefault((id(change.place.holder), change.place.key), change)
        return frozenset(
            change.place.name
            for (holder, _), change in first.items()
            if holder in holders and change.place.value != change.before
        )

    def _others(self, place: Place, pool: list[Tree]) -> Iterator[Tree]:
        """Yield values that fit a place."""
        if _has_ids(place):
            yield from self._with_more(place.value)
            return
        yield from map(_renamed, self.rng.sample(pool, min(len(pool), 3)))
        named = self._named(place)
        if named and isinstance(place.value, list):
            yield [*place.value, self.rng.choice(named)]
        elif named and isinstance(place.value, dict):
            yield {**place.value, self.rng.choice(sorted(place.value)): self.rng.choice(named)}
        elif named and place.type_ is str:
            yield from self.rng.sample(named, min(len(named), 3))
        if not place.is_needed and place.value is not ABSENT:
            yield ABSENT
        yield from self._of_type(place, place.type_)

    def _of_type(self, place: Place, type_: Any) -> Iterator[Tree]:
        origin, arguments = typing.get_origin(type_), typing.get_args(type_)
        if origin in {typing.Union, types.UnionType}:
            for one in arguments:
                yield from self._of_type(place, one)
        elif origin is tuple and isinstance(place.value, list):
            yield from self._lists(place.value)
        elif origin is not None and issubclass(origin, Mapping) and isinstance(place.value, dict):
            yield from self._mappings(place.value)
        elif isinstance(type_, type) and issubclass(type_, enum.Enum):
            yield from (member.value for member in type_)
        elif type_ in _PLAIN:
            yield from _PLAIN[type_](self, place)

    def _with_more(self, value: Tree) -> Iterator[Tree]:
        """Yield the value reordered, with another id, or with one more entry."""
        if isinstance(value, list) and value:
            yield [*value[1:], value[0]]
            one = self.rng.choice(value)
            yield [*value, _renamed(one) if isinstance(one, dict) else f"{one}-more"]
        elif isinstance(value, dict) and "id" in value:
            yield _renamed(value)
        elif value:
            yield {**value, "more": self.rng.choice([_renamed(one) for one in value.values()])}

    def _lists(self, value: list[Tree]) -> Iterator[Tree]:
        yield self.rng.sample(value, len(value))
        if value:
            yield [*value, self.rng.choice(value)]
            yield value[1:]

    def _mappings(self, value: dict[str, Tree]) -> Iterator[Tree]:
        values = list(value.values())
        yield dict(zip(value, self.rng.sample(values, len(values)), strict=True))
        if values:
            yield {**value, "more": self.rng.choice(values)}

    def _integers(self, place: Place) -> Iterator[Tree]:
        low, high = SCHEMA.bounds_of(marks_of(place.owner, place.field))
        now = int(place.value) if str(place.value).lstrip("-").isdigit() else 1
        yield from (number for number in (now - 1, now + 1, now + 2) if low <= number <= high)

    def _amounts(self, _place: Place) -> Iterator[Tree]:
        yield {"base": self.rng.randrange(1, 3), "each": 1}
        yield [1, 1, 2, 2, 3]
        yield self._expression()

    def _texts(self, place: Place) -> Iterator[Tree]:
        names = mark_of(Names, place.owner, place.field)
        if names is not None and names.kind is Kind.TEXT:
            yield f"story/other-{self.rng.randrange(9)}"
        elif isinstance(place.value, str) and names is None:
            yield f"{place.value}-too"

    def _requirements(self, _place: Place) -> Iterator[Tree]:
        relation = self.rng.choice(("=", "!=", "<", "<=", ">", ">="))
        yield f"{self._expression()} {relation} {self._expression()}"

    def _expression(self) -> str:
        """Return an expression with a small value."""
        name = self.rng.choice(sorted(BUILT_IN))
        number = self.rng.randrange(1, 4)
        ways = (f"{name} + {number}", f"{number} * {name}", f"{name} / {number}", name)
        more = (f"{number} - {name}", f"-{name} + 4", f"max({name}, {number})")
        return self.rng.choice((*ways, *more, f"min({name} - 1, {number})"))


_PLAIN: Mapping[Any, Callable[[Varying, Place], Iterator[Tree]]] = {
    int: Varying._integers,
    bool: lambda _self, place: iter([place.value is not True]),
    str: Varying._texts,
    Amount: Varying._amounts,
    Requirement: Varying._requirements,
}

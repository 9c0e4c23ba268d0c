"""The sheet: mistakes, places and declared names, collected while a pack is read."""

import enum
from typing import Any

import attrs

from content.reading.mistakes import ContentError, Place
from content.reading.names import Kinds
from content.reading.yaml_subset import Fields, Node, Scalar


@attrs.frozen
class Reference:
    """One use of an id, with its position."""

    kind: enum.Enum
    id: str
    place: Place
    scope: str
    """The file of the scenario that uses the id; empty if a file of the whole pack does."""


def printable(text: str) -> str:
    """Return a text from a stranger in a form that is safe to show on a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


@attrs.define
class Sheet:
    """Mistakes, declarations and references, collected while one pack is read."""

    kinds: Kinds = attrs.field(factory=Kinds, repr=False)
    """The kinds of the game that the pack is for."""
    file: str = ""
    """The file being read."""
    scope: str = ""
    """The scenario file being read; empty while a file of the whole pack is read."""
    root: type | None = None
    """The class of the entry being read: some steps make sense in some entries only."""
    path: list[str] = attrs.field(factory=list)
    """The path of keys to the node that is being read."""
    errors: list[ContentError] = attrs.field(factory=list)
    references: list[Reference] = attrs.field(factory=list)
    declared: dict[tuple[str, enum.Enum], dict[str, Place]] = attrs.field(factory=dict)
    """The place of each declared id, by scope and kind."""
    incomplete: set[tuple[str, enum.Enum]] = attrs.field(factory=set)
    """Scopes and kinds whose declarations may be incomplete, because something could not be
    read."""
    keys: dict[tuple[str, str], Place] = attrs.field(factory=dict)
    """The places of the keys of scenarios, by file and key."""
    values: dict[tuple[str, str], Place] = attrs.field(factory=dict)
    """Place where each word of an enumeration first occurs, by scope and word."""
    parts: dict[int, tuple[Any, Node, str]] = attrs.field(factory=dict, repr=False)
    """Each object that was read, with its node and file, by the identity of the object."""
    kept: dict[str, str] = attrs.field(factory=dict)
    """Texts that the checks of one file store for the checks of later files, by id."""

    cut: list[Place] = attrs.field(factory=list)
    """The places of texts for players in which a `#` begins a comment and cuts the text."""

    def place(self, node: Node, field: str | None = None) -> Place:
        """Return the place of a node, or of its key `field`."""
        keys = self.path
        if field is not None:
            keys = [*keys, field]
            if isinstance(node, Fields) and field in node.keys:
                node = node.keys[field]
        # Keys are words of a stranger, and places are printed on terminals.
        # An index follows its list without a full stop: `steps[2]`.
        return Place(
            node.file or self.file,
            node.line,
            node.column,
            printable(".".join(keys)).replace(".[", "["),
        )

    def note(self, part: Any, node: Node) -> None:
        """Note the node that an object was read from."""
        self.parts[id(part)] = part, node, node.file or self.file

    def place_of(self, part: Any, *keys: str) -> Place | None:
        """Return the place of an object, or of what its keys lead to; None if it was not read."""
        if id(part) not in self.parts:
            return None
        _, node, file = self.parts[id(part)]
        at = node
        for key in keys:
            if isinstance(node, Fields) and key in node.keys:
                at, node = node.keys[key], node.values[key]
        return Place(file, at.line, at.column)

    def place_in(self, node: Scalar, offset: int) -> Place:
        """Return the place of a character of a text; or of the text, if its quote spans lines."""
        before = node.text[:offset]
        if node.style == "|":
            line, column = before.count("\n"), len(before) - (before.rfind("\n") + 1)
            return attrs.evolve(
                self.place(node), line=node.line + 1 + line, column=node.indent + column + 1
            )
        if not node.is_one_line:
            return self.place(node)
        # An opening quote comes before the first character.
        return attrs.evolve(self.place(node), column=node.column + len(node.style) + offset)

    def fault(self, node: Node, reason: str, field: str | None = None) -> None:
        """Note a mistake at a node, or at its key `field`."""
        self.errors.append(ContentError.at(self.place(node, field), reason))

    def scope_of(self, kind: enum.Enum) -> str:
        """Return the scope of things of a kind: the current scenario, or the pack."""
        return self.scope if kind in self.kinds.of_scenario else ""

    def declare(self, kind: enum.Enum, id_: str, place: Place) -> None:
        """
        Note the declaration of an id.

        A second declaration is a mistake, except for kinds such as traits (`Kinds.of_sort`).
        """
        known = self.declared.setdefault((self.scope_of(kind), kind), {})
        if kind in self.kinds.of_sort:
            known.setdefault(id_, place)
            return
        if (reason := self.kinds.id_fault(kind, id_)) is not None:
            self.errors.append(ContentError.at(place, reason))
        # Once only: a second declaration is a mistake, and its missing name would be another.
        elif kind in self.kinds.named and id_ not in known:
            self.refer_name(id_, place)
        if id_ in known:
            first = known[id_]
            reason = f"{id_!r} a second time; the first stands in {first.file}:{first.line}"
            self.errors.append(ContentError.at(place, reason))
            return
        known[id_] = place

    def miss(self, *kinds: enum.Enum) -> None:
        """Note that ids of these kinds may be missing, because a declaration could not be read."""
        self.incomplete.update((self.scope_of(kind), kind) for kind in kinds)

    def refer(self, kind: enum.Enum, id_: str, place: Place) -> None:
        """Note a reference to an id."""
        self.references.append(Reference(kind, id_, place, self.scope_of(kind)))

    def refer_name(self, subject: str, place: Place) -> None:
        """Note that players are shown the name of a subject."""
        if self.kinds.name is not None:
            self.refer(self.kinds.name, subject, place)

    def turn_to(self, file: str, scope: str, root: type) -> None:
        """Begin another file, with its scope and the class of its entries."""
        self.file, self.scope, self.root = file, scope, root
        self.path.clear()


@attrs.frozen
class Complaint:
    """The function by which a check reports mistakes in the object that it checks."""

    sheet: Sheet
    node: Node

    @property
    def root(self) -> type | None:
        """The class of the top-level entry that contains the object."""
        return self.sheet.root

    def __call__(self, _field: str, reason: str) -> None:
        """Note a mistake in a field, or in the whole object if the field is empty."""
        self.sheet.fault(self.node, reason, _field or None)


class InlineComplaint(Complaint):
    """Complaint about a part that is written as its only field."""

    def __call__(self, _field: str, reason: str) -> None:
        """Note a mistake at the value, since the field has no key."""
        self.sheet.fault(self.node, reason)

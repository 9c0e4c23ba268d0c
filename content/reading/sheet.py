"""The sheet on which everything is noted that is found while a pack is read."""

import attrs

from content.games.second_edition.references import (
    NAMED,
    OF_SCENARIO,
    OF_SORT,
    PLAIN_ID,
    PREFIXES,
    SUBJECT,
    Kind,
)
from content.reading.mistakes import ContentError, Place
from content.reading.yaml_subset import Fields, Node, Scalar


@attrs.frozen
class Reference:
    """Somewhere, something is named."""

    kind: Kind
    id: str
    place: Place
    scope: str
    """The file of the scenario that it belongs to; empty for what belongs to the pack."""


def printable(text: str) -> str:
    """Return a text of a stranger so that it can be shown on a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


@attrs.define
class Sheet:
    """What is found while one pack is read."""

    file: str = ""
    """The file being read."""
    scope: str = ""
    """The same for a scenario; empty for the files of the pack."""
    root: type | None = None
    """The class of the entry being read: some steps make sense in some entries only."""
    path: list[str] = attrs.field(factory=list)
    """The keys down to what is being read."""
    errors: list[ContentError] = attrs.field(factory=list)
    references: list[Reference] = attrs.field(factory=list)
    declared: dict[tuple[str, Kind], dict[str, Place]] = attrs.field(factory=dict)
    """By scope and kind: what there is and where it stands."""
    incomplete: set[tuple[str, Kind]] = attrs.field(factory=set)
    """Of which scope and kind something may be missing because it could not be read."""
    keys: dict[tuple[str, str], Place] = attrs.field(factory=dict)
    """By file and key: where the keys of a scenario stand."""
    values: dict[tuple[str, str], Place] = attrs.field(factory=dict)
    """By scope and value: where one of several given values was first written."""
    drawings: dict[str, str] = attrs.field(factory=dict)
    """Of the pack's tiles, by id: what scenarios lay is looked at by these."""

    def place(self, node: Node, field: str | None = None) -> Place:
        """Return the place of a node, or of what stands in it under a key."""
        keys = self.path
        if field is not None:
            keys = [*keys, field]
            if isinstance(node, Fields) and field in node.keys:
                node = node.keys[field]
        return Place(
            self.file, node.line, node.column, printable(".".join(keys)).replace(".[", "[")
        )

    def place_in(self, node: Scalar, offset: int) -> Place:
        """Return the place of a character of a text, or of the text where that cannot be told."""
        before = node.text[:offset]
        if node.style == "|":
            line, column = before.count("\n"), len(before) - (before.rfind("\n") + 1)
            return attrs.evolve(
                self.place(node), line=node.line + 1 + line, column=node.indent + column + 1
            )
        if not node.is_one_line:
            return self.place(node)
        return attrs.evolve(self.place(node), column=node.column + len(node.style) + offset)

    def fault(self, node: Node, reason: str, field: str | None = None) -> None:
        """Note a mistake."""
        self.errors.append(ContentError.at(self.place(node, field), reason))

    def scope_of(self, kind: Kind) -> str:
        """Return where things of a kind belong, seen from here."""
        return self.scope if kind in OF_SCENARIO else ""

    def declare(self, kind: Kind, id_: str, place: Place) -> None:
        """Note that something exists; once only, but for sorts such as traits."""
        known = self.declared.setdefault((self.scope_of(kind), kind), {})
        if kind in OF_SORT:
            known.setdefault(id_, place)
            return
        if (reason := _id_fault(kind, id_)) is not None:
            self.errors.append(ContentError.at(place, reason))
        elif kind in NAMED and id_ not in known:
            self.refer(Kind.NAME, id_, place)
        if id_ in known:
            first = known[id_]
            reason = f"{id_!r} a second time; the first stands in {first.file}:{first.line}"
            self.errors.append(ContentError.at(place, reason))
            return
        known[id_] = place

    def miss(self, *kinds: Kind) -> None:
        """Note that something of these kinds could not be read."""
        self.incomplete.update((self.scope_of(kind), kind) for kind in kinds)

    def refer(self, kind: Kind, id_: str, place: Place) -> None:
        """Note that something is named."""
        self.references.append(Reference(kind, id_, place, self.scope_of(kind)))

    def turn_to(self, file: str, scope: str, root: type) -> None:
        """Go on with another file."""
        self.file, self.scope, self.root = file, scope, root
        self.path.clear()


def _id_fault(kind: Kind, id_: str) -> str | None:
    if (prefixes := PREFIXES.get(kind)) is not None:
        shape = " or ".join(f"{prefix}/…" for prefix in prefixes)
        is_good = id_.partition("/")[0] in prefixes and bool(SUBJECT.fullmatch(id_))
    elif kind is Kind.SCENARIO:
        shape, is_good = "a subject", bool(SUBJECT.fullmatch(id_))
    elif kind in {Kind.SPACE, Kind.DOOR}:
        return None  # made of the tile's id, which was looked at
    else:
        shape, is_good = "one word", bool(PLAIN_ID.fullmatch(id_))
    if is_good:
        return None
    return f"{id_[:80]!r} is no id; write {shape} of small letters, digits and hyphens"


@attrs.frozen
class Complaint:
    """How a check tells a mistake in the object it was given."""

    sheet: Sheet
    node: Node

    @property
    def root(self) -> type | None:
        """The class of the entry in which the object stands."""
        return self.sheet.root

    def __call__(self, _field: str, reason: str) -> None:
        """Note a mistake in a field; in the whole object where the field is empty."""
        self.sheet.fault(self.node, reason, _field or None)


class InlineComplaint(Complaint):
    """The same for a part that is written as its one field."""

    def __call__(self, _field: str, reason: str) -> None:
        """Note a mistake."""
        self.sheet.fault(self.node, reason)

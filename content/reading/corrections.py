"""
Corrections: fields of entries and words that a later version of a pack replaces.

They are applied to the nodes of the files, before these are read as values. So whatever is made of
an entry follows by itself: its checks, its findings, the text written from its data. What a
correction brings keeps its place in the file of corrections, where its mistakes are told.
"""

import re
import types
from collections.abc import Iterator, Mapping

import attrs

from content.reading.files import BASE
from content.reading.meanings import Marks
from content.reading.mistakes import ContentError, Place, suggestion
from content.reading.names import Kinds
from content.reading.schema import MakesReaders, Read, Schema
from content.reading.sheet import Sheet
from content.reading.typed import BROKEN, Readers, entry_name
from content.reading.yaml_subset import Fields, Listing, Node, Scalar, read_yaml

CORRECTIONS = "corrections.yaml"
_BASE = f"{BASE}/"

History = Mapping[str, Mapping[str, str]]
"""The version that corrected each field, by the id of the entry, then by the path of the field."""

_NONE: Mapping[str, Node] = types.MappingProxyType({})
_NO_WORDS: Mapping[str, Mapping[str, Node]] = types.MappingProxyType({})
_VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}")


@attrs.frozen(kw_only=True)
class Correction:
    """What one version of a pack corrects in some entries."""

    version: str
    """The version that introduced it, such as "1.2"."""
    of: tuple[str, ...]
    """The ids of the cards and scenarios, or subjects of words."""
    fields: Mapping[str, Node] = _NONE
    """New values, by the path of the field; nothing after the colon takes the field out."""
    words: Mapping[str, Mapping[str, Node]] = _NO_WORDS
    """New words, by language, then by field."""


def _as_written(_: MakesReaders, __: Marks) -> Read:
    return lambda node, sheet: node  # noqa: ARG005 (as the reader asks)


_READ = Readers(Schema(Kinds(), own={(Scalar, Listing, Fields): _as_written})).of(Correction)


@attrs.frozen
class Change:
    """What stands at a path of an entry from a version on."""

    version: str
    path: str
    node: Node
    place: Place

    @property
    def parts(self) -> list[str]:
        """The keys, indexes and ids of the path."""
        return self.path.split(".")

    def overlaps(self, other: "Change") -> bool:
        """Return whether two changes name the same field, or one of them a part of the other's."""
        return all(mine == theirs for mine, theirs in zip(self.parts, other.parts, strict=False))


@attrs.frozen
class Corrections:
    """The corrections of a pack and of the pack that it builds on."""

    sheet: Sheet
    changes: dict[tuple[str, str], list[Change]] = attrs.field(factory=dict)
    """By the id of the entry, and the language of words; the language is empty for fields."""
    seen: set[tuple[str, str]] = attrs.field(factory=set)
    """The entries and words that were read."""

    def read(self, name: str, data: bytes) -> None:
        """Read a file of corrections."""
        node, errors = read_yaml(name, data)
        self.sheet.errors.extend(errors)
        self.sheet.turn_to(name, "", Correction)
        if not isinstance(node, Listing):
            if node is not None:
                reason = "expected a list; begin each correction with '- version: …'"
                self.sheet.fault(node, reason)
            return
        for index, entry in enumerate(node.items):
            self.sheet.path.append(entry_name(entry, index))
            made = _READ(entry, self.sheet)
            if made is not BROKEN:
                self._note(made, entry)
            self.sheet.path.pop()

    def _note(self, correction: Correction, entry: Node) -> None:
        if not _VERSION.fullmatch(correction.version):
            reason = "a version is written in numbers, such as 1.2"
            self.sheet.fault(entry, reason, "version")
        for id_ in correction.of:
            for language, fields in {"": correction.fields, **correction.words}.items():
                noted = self.changes.setdefault((id_, language), [])
                for path, node in fields.items():
                    change = Change(correction.version, path, node, self.sheet.place(node))
                    if not all(change.parts):
                        reason = f"{path[:80]!r} names no field; write it like 'abilities.0.limit'"
                        self.sheet.errors.append(ContentError.at(change.place, reason))
                        continue
                    for other in filter(change.overlaps, noted):
                        reason = (
                            f"version {other.version} corrects {other.path!r} of {id_} in "
                            f"{other.place.file}:{other.place.line}; join the two"
                        )
                        self.sheet.errors.append(ContentError.at(change.place, reason))
                    noted.append(change)

    def apply(self, node: Node, id_: str, language: str = "") -> Node:
        """Return the node of an entry, or of the words of a subject, with what corrects it."""
        self.seen.add((id_, language))
        for change in self.changes.get((id_, language), ()):
            # Words that a pack writes anew are no longer those that the bundled pack corrects.
            if not change.place.file.startswith(_BASE) or self.sheet.file.startswith(_BASE):
                node = self._replaced(node, change.parts, change)
        return node

    def apply_to_words(self, node: Node, language: str) -> Node:
        """Return the node of a file of words with what corrects its subjects."""
        if not isinstance(node, Fields) or not self.changes:
            return node
        values = {
            subject: self.apply(_with_fields(value), subject, language)
            for subject, value in node.values.items()
        }
        return attrs.evolve(node, values=values)

    def _replaced(self, node: Node, parts: list[str], change: Change) -> Node:
        """Return a node with the change at a path below it."""
        first, *rest = parts
        if isinstance(node, Listing):
            items = list(node.items)
            at = _position(items, first)
            if at > len(items) - bool(rest):
                return self._missing(node, change, first, [str(n) for n in range(len(items))])
            new = self._replaced(items[at], rest, change) if rest else change.node
            return attrs.evolve(node, items=(*items[:at], new, *items[at + 1 :]))
        values = dict(node.values) if isinstance(node, Fields) else {}
        if not isinstance(node, Fields) or (rest and first not in values):
            return self._missing(node, change, first, list(values))
        new = change.node
        if rest:
            values[first] = self._replaced(values[first], rest, change)
        elif isinstance(new, Scalar) and not new.text and not new.style:
            if values.pop(first, None) is None:
                return self._missing(node, change, first, list(values))
        else:
            values[first] = new
        key = Scalar(first, new.line, new.column, file=new.file)
        return attrs.evolve(node, keys={**node.keys, first: key}, values=values)

    def _missing(self, node: Node, change: Change, part: str, known: list[str]) -> Node:
        reason = f"nothing stands at {part!r} of {change.path!r}; {suggestion(part, known)}"
        self.sheet.errors.append(ContentError.at(change.place, reason))
        return node

    def unused(self) -> Iterator[ContentError]:
        """Yield a mistake for each correction of something that the pack does not have."""
        for (id_, language), changes in self.changes.items():
            # The bundled pack may correct what it does not lend.
            own = [change for change in changes if not change.place.file.startswith(_BASE)]
            if own and (id_, language) not in self.seen:
                known = [one for one, of in self.seen if of == language]
                what = f"words in {language!r} for" if language else "card or scenario"
                reason = f"there is no {what} {id_[:80]!r}; {suggestion(id_, known)}"
                yield ContentError.at(own[0].place, reason)

    def history(self) -> History:
        """Return what was corrected in which version."""
        found: dict[str, dict[str, str]] = {}
        for id_, change in self.all():
            found.setdefault(id_, {})[change.path] = change.version
        return found

    def all(self) -> Iterator[tuple[str, Change]]:
        """Yield each change with the id of its entry, the paths of words with their language."""
        for (id_, language), changes in self.changes.items():
            for change in changes:
                path = f"words.{language}.{change.path}" if language else change.path
                yield id_, attrs.evolve(change, path=path)


def in_order(versions: Mapping[str, str]) -> list[str]:
    """Return the versions of a history, each once, from the oldest."""
    return sorted(set(versions.values()), key=lambda one: [int(n) for n in one.split(".")])


def _position(items: list[Node], part: str) -> int:
    """Return the index of the item that a part of a path names: by its index, or by its id."""
    known = [(str(at), entry_name(item, at)) for at, item in enumerate(items)]
    found = (at for at, names in enumerate(known) if part in names)
    return next(found, len(items) + (part != str(len(items))))


def _with_fields(value: Node) -> Node:
    """Return the words of a subject as fields: a text alone is its field `text`."""
    if not isinstance(value, Scalar):
        return value
    key = Scalar("text", value.line, value.column, file=value.file)
    return Fields({"text": key}, {"text": value}, value.line, value.column, value.file)

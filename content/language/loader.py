"""
Reading the files of a pack: from bytes to values of a game's schema, or to all their mistakes.

Bytes become nodes (`content.reading.yaml_subset`), and nodes values (`content.reading.typed`, with
the game's checks for each object). Checks across files come afterwards: here that references
are known and that ids fit their files, in the game everything else.
"""

import functools
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from content.language.references import Naming, check_references, check_words
from content.reading.corrections import CORRECTIONS, Corrections
from content.reading.files import BASE, PACK_FILE
from content.reading.gaps import Gap, gaps_in
from content.reading.mistakes import ContentError, Place, suggestion
from content.reading.names import SUBJECT
from content.reading.schema import Read
from content.reading.sheet import Sheet
from content.reading.typed import BROKEN, Readers, entry_name
from content.reading.words import LANGUAGES, Wordings, check_parity, read_words
from content.reading.yaml_subset import Listing, Node, read_yaml

_BASE = f"{BASE}/"
_FEW = 3
"""Maximum number of missing words listed one by one if there are other mistakes, too."""
SCENARIO_FILE = "scenario.yaml"
"""The key in `PackFiles.classes` of the class of the files in `scenarios`."""


@attrs.frozen
class Entries:
    """A file that is a list of entries of one class; or a folder of such files."""

    made: type
    field: str
    """The field of the pack that holds the entries."""
    kind: Any
    given: Mapping[str, Any] = types.MappingProxyType({})
    """Fields of the entries that the file implies."""


@attrs.frozen(eq=False)
class PackFiles:
    """The files that a pack of one game may have."""

    readers: Readers
    naming: Naming
    lists: Mapping[str, Entries]
    """The files that hold a list of entries, by name. A folder of such files can replace each."""
    objects: Mapping[str, type]
    """The files that hold one object, each with its class."""
    scenario: type
    missed: tuple[Any, ...]
    """Kinds whose declarations may be incomplete when a scenario cannot be read."""
    with_name: frozenset[str]
    """The first parts of the subjects that need a name."""
    first: frozenset[str]
    """Lists read first, because the checks of other files need their entries."""
    finished: Callable[[Any, Sheet], Any]
    """Returns a scenario completed with the parts that it takes from the lists."""
    can_correct: bool = False
    """True if a pack may have a file of corrections."""

    @property
    def classes(self) -> Mapping[str, type]:
        """The class of each file, by the file's name; for a list, the class of its entries."""
        made = {name: entries.made for name, entries in self.lists.items()}
        return {**made, **self.objects, SCENARIO_FILE: self.scenario}

    @functools.cached_property
    def compiled(self) -> Mapping[str, Read]:
        """The reader of each file, by the file's name; for a list, the reader of its entries."""
        return {
            name: self.readers.of_object(
                cls, self.lists[name].given if name in self.lists else types.MappingProxyType({})
            )
            for name, cls in self.classes.items()
        }

    def list_of(self, name: str) -> str | None:
        """Return the name of the list that a file holds or contributes to; None for other files."""
        folder, slash, rest = name.partition("/")
        whole = f"{folder}.yaml" if slash and rest.endswith(".yaml") and "/" not in rest else name
        return whole if whole in self.lists else None

    def read(self, pack_id: str, files: Mapping[str, bytes]) -> "Reading":
        """Read all files of a pack, collecting the mistakes in them."""
        reading = Reading(self, pack_id)
        corrections = (f"{_BASE}{CORRECTIONS}", CORRECTIONS) if self.can_correct else ()
        for name in corrections:
            if name in files:
                reading.corrections.read(name, files[name])

        # The files of the pack that this one builds on come first: where both have the same id,
        # the mistake is told where the author can mend it.
        def order(name: str) -> tuple[bool, bool, str]:
            own = name.removeprefix(_BASE)
            return (name == own, self.list_of(own) not in self.first, name)

        for name in sorted(files, key=order):
            # It was read when the game of the pack was chosen.
            if name.removeprefix(_BASE) != PACK_FILE and name not in corrections:
                reading.read(name, files[name])
        # Words of the pack replace words of the pack that it builds on.
        reading.wordings = {
            language: {**reading.base_wordings[language], **own}
            for language, own in reading.wordings.items()
        }
        return reading


@attrs.define
class Reading:
    """The parts of one pack that have been read so far."""

    files: PackFiles
    pack_id: str
    sheet: Sheet = attrs.field(init=False)
    corrections: Corrections = attrs.field(init=False)
    lists: dict[str, dict[str, Any]] = attrs.field(init=False)
    """The entries read so far: by field of the pack, then by id."""
    objects: dict[str, Any] = attrs.field(factory=dict)
    """The objects read so far, by file; files that cannot be read are missing."""
    scenarios: dict[str, Any] = attrs.field(factory=dict)
    """The scenarios read so far, by file."""
    wordings: Wordings = attrs.field(factory=lambda: {language: {} for language in LANGUAGES})
    base_wordings: Wordings = attrs.field(factory=lambda: {language: {} for language in LANGUAGES})
    """The words of the pack that this pack builds on."""
    has_all_words: bool = True
    """True if every file of words could be read."""

    def __attrs_post_init__(self) -> None:
        self.sheet = Sheet(self.files.readers.schema.kinds)
        self.corrections = Corrections(self.sheet)
        self.lists = {entries.field: {} for entries in self.files.lists.values()}

    def read(self, name: str, data: bytes) -> None:
        """Read one file: add its content and its mistakes."""
        own = name.removeprefix(_BASE)
        parts = own.split("/")
        read: Callable[[str, Node | None], None]
        if self.files.list_of(own) is not None:
            read = self._read_list
        elif own in self.files.objects:
            read = self._read_object
        elif len(parts) == 2 and parts[0] == "scenarios" and name.endswith(".yaml"):
            read = self._read_scenario
        elif len(parts) == 3 and parts[:2] in [["words", language] for language in LANGUAGES]:
            read = self._read_words
        else:
            lists = self.files.lists
            known = [PACK_FILE, *lists, *self.files.objects, "scenarios/<name>.yaml"]
            known += [CORRECTIONS] * self.files.can_correct
            known += [file.replace(".yaml", "/<name>.yaml") for file in lists]
            known += [f"words/{language}/<name>.yaml" for language in LANGUAGES]
            reason = f"a pack has no such file; {suggestion(name, known)}"
            self.sheet.errors.append(ContentError(name, 1, 1, "", reason))
            return
        # A node beside mistakes is read on, so that one run reports everything.
        node, errors = read_yaml(name, data)
        self.sheet.errors.extend(errors)
        read(name, node)

    def _read_list(self, name: str, node: Node | None) -> None:
        file = self.files.list_of(name.removeprefix(_BASE))
        assert file is not None
        entries, read, sheet = self.files.lists[file], self.files.compiled[file], self.sheet
        sheet.turn_to(name, "", entries.made)
        if not isinstance(node, Listing):
            sheet.miss(entries.kind, *sheet.kinds.of_sort)
            if node is not None:
                sheet.fault(node, "expected a list; begin each card with '- id: …'")
            return
        for index, entry in enumerate(node.items):
            name = entry_name(entry, index)
            sheet.path.append(name)
            made = read(self.corrections.apply(entry, name), sheet)
            if made is BROKEN:
                # Its traits may be lost with it, so that a use of one is no mistake.
                sheet.miss(*sheet.kinds.of_sort)
            else:
                # The first of two with one id stays; the sheet has the second as a mistake.
                self.lists[entries.field].setdefault(made.id, made)
            sheet.path.pop()

    def _read_object(self, name: str, node: Node | None) -> None:
        own = name.removeprefix(_BASE)
        self.sheet.turn_to(name, "", self.files.objects[own])
        made = BROKEN if node is None else self.files.compiled[own](node, self.sheet)
        if made is not BROKEN:
            self.objects[own] = made

    def _read_scenario(self, name: str, node: Node | None) -> None:
        sheet = self.sheet
        # A scenario is a scope of its own: its ids are known in its file alone.
        sheet.turn_to(name, name, self.files.scenario)
        scenario: Any = BROKEN
        if node is not None:
            node = self.corrections.apply(node, entry_name(node, 0))
            scenario = self.files.compiled[SCENARIO_FILE](node, sheet)
        if scenario is BROKEN:
            sheet.miss(*self.files.missed)
        else:
            self.scenarios[name] = self.files.finished(scenario, sheet)

    def _read_words(self, name: str, node: Node | None) -> None:
        self.sheet.turn_to(name, "", str)
        if node is None:
            self.has_all_words = False
            return
        own = name.removeprefix(_BASE)
        wordings = self.wordings if own == name else self.base_wordings
        language = own.split("/")[1]
        node = self.corrections.apply_to_words(node, language)
        read_words(node, self.sheet, wordings[language], self.files.with_name)

    def places(self, kind: Any, scope: str = "") -> Mapping[str, Place]:
        """Return the place of each declared id of a kind, in the scope of a scenario or pack."""
        return self.sheet.declared.get((scope, kind), {})

    def check(self) -> None:
        """Add the mistakes in ids, references and words to the sheet."""
        errors = self.sheet.errors
        errors.extend(self.corrections.unused())
        errors.extend(self._wrong_ids())
        errors.extend(check_references(self.sheet, self.files.naming))
        # Without all words, each subject of the unreadable file would be reported as missing.
        if self.has_all_words:
            missing = list(check_words(self.sheet, self.wordings, self.files.naming))
            # A mistake must not hide among the words that are not written yet.
            if errors and len(missing) > _FEW:
                reason = f"and {len(missing) - 1} more subjects; `manse content words` writes stubs"
                missing = [attrs.evolve(missing[0], reason=f"{missing[0].reason}; {reason}")]
            errors.extend(missing)
            errors.extend(check_parity(self.wordings))

    def _wrong_ids(self) -> Iterator[ContentError]:
        """Yield a mistake for each scenario whose id does not match its pack and file."""

        def short(file: str) -> str:
            return file.removeprefix("scenarios/").removesuffix(".yaml")

        wrong = {
            file: (scenario.id, expected)
            for file, scenario in self.scenarios.items()
            if scenario.id != (expected := f"{self.pack_id}/{short(file)}")
        }
        # Where all have the id of another pack its folder was renamed: one message for all.
        packs = {id_.partition("/")[0] for id_, _ in wrong.values()}
        is_renamed = (
            len(packs) == 1
            and len(wrong) == len(self.scenarios)
            and all(id_.partition("/")[2] == short(file) for file, (id_, _) in wrong.items())
        )
        for file, (_, expected) in wrong.items():
            reason = f"the id of this file's scenario is {expected!r}"
            if is_renamed:
                (pack,) = packs
                reason = (
                    f"the folder of this pack is called {self.pack_id!r} now; call it {pack!r} "
                    f"again, or write '{self.pack_id}/…' in the ids of its scenarios and their "
                    "words"
                )
            yield ContentError.at(self.sheet.keys[file, "id"], reason)
            if is_renamed:
                return

    def gaps(self) -> tuple[Gap, ...]:
        """Return the words that the pack names and lacks; empty if the words cannot be read."""
        if not self.has_all_words:
            return ()
        named = (
            (reference.id, reference.kind.value, reference.place.file)
            for reference in self.sheet.references
            if reference.kind in self.files.naming.words and SUBJECT.fullmatch(reference.id)
        )
        return tuple(gaps_in(named, self.wordings))

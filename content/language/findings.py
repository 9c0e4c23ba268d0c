"""Findings of a linter: parts of a pack that are well formed, but probably not intended."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

import attrs

from content.language.reach import Reached
from content.reading.mistakes import Place
from content.reading.sheet import Sheet
from content.reading.words import Wordings

P = TypeVar("P")
S = TypeVar("S")


CUT = "the text ends before the #, which begins a comment; put a text with a # in quotes"


@attrs.frozen
class Finding:
    """One finding that the author should look at."""

    where: str
    """The id of the pack or of the scenario."""
    subject: str
    """The id, or the key of a field, that the finding is about."""
    reason: str
    is_asked: bool = attrs.field(default=False, eq=False, repr=False)
    """True if the author fixes the finding where the subject is used, false where it is
    declared."""
    part: Any = attrs.field(default=None, eq=False, repr=False)
    """The object that is wrong, if the finding is about less than its subject."""
    keys: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)
    """The keys that lead from `part` to the value that is wrong; empty if no single one is."""

    def __str__(self) -> str:
        return f"{self.where}: {self.subject}: {self.reason}"


OfScenario = Callable[[P, S, Reached], Iterator[Finding]]
OfPack = Callable[[P, Mapping[str, Reached]], Iterator[Finding]]


@attrs.frozen
class Linter(Generic[P, S]):
    """The checks of a game's linter, in the order of their findings."""

    _of_scenario: list[OfScenario[P, S]] = attrs.field(factory=list)
    _of_pack: list[OfPack[P]] = attrs.field(factory=list)

    def scenario(self, check: OfScenario[P, S]) -> OfScenario[P, S]:
        """Register a check that is called for each scenario, with the scenario's reach."""
        self._of_scenario.append(check)
        return check

    def pack(self, check: OfPack[P]) -> OfPack[P]:
        """Register a check that is called once for the pack, with the reach of every scenario."""
        self._of_pack.append(check)
        return check

    def findings(
        self, pack: P, scenarios: Mapping[str, S], reached: Mapping[str, Reached]
    ) -> Iterator[Finding]:
        """Yield the findings of all checks: scenario by scenario, then those about the pack."""
        for id_, scenario in scenarios.items():
            for check in self._of_scenario:
                yield from check(pack, scenario, reached[id_])
        for check_pack in self._of_pack:
            yield from check_pack(pack, reached)


@attrs.frozen
class Locator:
    """Finds the places in a pack's files where findings can be fixed."""

    sheet: Sheet
    wordings: Wordings
    files: Mapping[str, str]
    """The file of each scenario, by its id."""
    stands_in: Mapping[str, str]
    """For a missing subject: the key of a scenario where an author would look for the subject."""
    general: tuple[str, ...]
    """Keys of a scenario at which findings without a place of their own are shown."""

    def locate(self, finding: Finding) -> Place:
        """Return the most precise known place of a finding."""
        if (place := self.sheet.place_of(finding.part, *finding.keys)) is not None:
            return place
        scope = self.files.get(finding.where, "")
        declared, named = self._declared(finding, scope), self._named(finding, scope)
        # A finding is mended at its declaration or at its use; the other is second best.
        first, second = (named, declared) if finding.is_asked else (declared, named)
        # Else the key that the subject belongs to, or the scenario or file of that name.
        keys = (finding.subject, self.stands_in.get(finding.subject, ""), *self.general)
        general = [self.sheet.keys[scope, key] for key in keys if (scope, key) in self.sheet.keys]
        general.append(Place(scope or f"{finding.subject}.yaml"))
        return next(itertools.chain(first, second, general))

    def _declared(self, finding: Finding, scope: str) -> Iterator[Place]:
        """Yield the places where the subject is declared, in the scenario first."""
        # For a finding about the pack itself both scopes are the same.
        for wanted in dict.fromkeys((scope, "")):
            for (of, _), known in self.sheet.declared.items():
                if of == wanted and finding.subject in known:
                    yield known[finding.subject]
        for wordings in self.wordings.values():
            if finding.subject in wordings:
                yield wordings[finding.subject].place

    def _named(self, finding: Finding, scope: str) -> Iterator[Place]:
        """Yield the places that refer to the subject of a finding, or to a word of the subject."""
        words = finding.subject.split()
        for wanted in dict.fromkeys((scope, "")):
            for reference in self.sheet.references:
                if reference.id in words and wanted in {reference.scope, reference.place.file}:
                    yield reference.place
            for word in words:
                if (wanted, word) in self.sheet.values:
                    yield self.sheet.values[wanted, word]

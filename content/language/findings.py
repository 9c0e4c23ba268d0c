"""Findings of a linter: what is well formed, and yet probably not meant."""

from collections.abc import Iterator, Mapping

import attrs

from content.reading.mistakes import Place
from content.reading.sheet import Sheet
from content.reading.words import Wordings


@attrs.frozen
class Finding:
    """One thing that the author should look at."""

    where: str
    """The id of the pack or of the scenario."""
    subject: str
    """What it is about: an id, or the key of a field."""
    reason: str
    is_asked: bool = attrs.field(default=False, eq=False, repr=False)
    """True if it is mended where something is named, rather than where it is declared."""

    def __str__(self) -> str:
        return f"{self.where}: {self.subject}: {self.reason}"


@attrs.frozen
class Locator:
    """Finds the places where findings are mended."""

    sheet: Sheet
    wordings: Wordings
    files: Mapping[str, str]
    """The file of each scenario, by its id."""
    stands_in: Mapping[str, str]
    """For subjects that are missing: the key of a scenario where an author would look for them."""
    general: tuple[str, ...]
    """Keys of a scenario for findings about nothing that stands anywhere."""

    def locate(self, finding: Finding) -> Place:
        """Return the best place that is known for a finding."""
        scope = self.files.get(finding.where, "")
        declared, named = self._declared(finding, scope), self._named(finding, scope)
        first, second = (named, declared) if finding.is_asked else (declared, named)
        return next(iter((*first, *second, *self._general(finding, scope))))

    def _declared(self, finding: Finding, scope: str) -> Iterator[Place]:
        """Yield where the subject is declared, in the scenario first."""
        for wanted in dict.fromkeys((scope, "")):
            for (of, _), known in self.sheet.declared.items():
                if of == wanted and finding.subject in known:
                    yield known[finding.subject]
        for wordings in self.wordings.values():
            if finding.subject in wordings:
                yield wordings[finding.subject].place

    def _named(self, finding: Finding, scope: str) -> Iterator[Place]:
        """Yield where the subject, or a word of it, is named."""
        words = finding.subject.split()
        for wanted in dict.fromkeys((scope, "")):
            for reference in self.sheet.references:
                if reference.id in words and wanted in {reference.scope, reference.place.file}:
                    yield reference.place
            for word in words:
                if (wanted, word) in self.sheet.values:
                    yield self.sheet.values[wanted, word]

    def _general(self, finding: Finding, scope: str) -> Iterator[Place]:
        """Yield the key that the subject belongs to, then the scenario or the file of that name."""
        for key in (finding.subject, self.stands_in.get(finding.subject, ""), *self.general):
            if scope and (scope, key) in self.sheet.keys:
                yield self.sheet.keys[scope, key]
        yield Place(scope or f"{finding.subject}.yaml")

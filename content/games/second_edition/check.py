"""
Checking a pack: all that is to be said about it, each with its place and what to do.

Mistakes keep a pack from being loaded; findings of the linter do not, and are looked for once there
are no mistakes. Either stands at a line of a file.
"""

import enum
from collections.abc import Iterator, Mapping

import attrs

from content.games.second_edition.findings import Finding
from content.games.second_edition.lint import lint
from content.games.second_edition.loader import Source, load_source
from content.reading.mistakes import ContentError, ContentErrors, Place


class Level(enum.Enum):
    """How bad it is."""

    MISTAKE = "mistake"
    """The pack cannot be used."""
    FINDING = "finding"
    """It can, but the author should look."""


@attrs.frozen(order=True)
class Remark:
    """One thing to be said about a pack."""

    file: str
    line: int
    column: int
    key: str
    """The way to it inside the file; of a finding, what it is about."""
    reason: str
    """What is wrong and what to do."""
    level: str = Level.MISTAKE.value

    @classmethod
    def of_mistake(cls, error: ContentError) -> "Remark":
        """Return a mistake as a remark."""
        return cls(error.file, error.line, error.column, error.key, error.reason)

    def as_mistake(self) -> ContentError:
        """Return it as a mistake again."""
        return ContentError(self.file, self.line, self.column, self.key, self.reason)

    @classmethod
    def of_finding(cls, finding: Finding, source: Source) -> "Remark":
        """Return a finding at the place where it is mended."""
        place = locate(finding, source)
        level = Level.FINDING.value
        return cls(place.file, place.line, place.column, finding.subject, finding.reason, level)

    def __str__(self) -> str:
        key = f"{self.key}: " if self.key else ""
        return f"{self.file}:{self.line}:{self.column}: {key}{self.reason}"


def check(pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
    """Return all that is to be said about the files of a pack, by file and line."""
    try:
        source = load_source(pack_id, files)
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)
    return tuple(sorted(Remark.of_finding(finding, source) for finding in lint(source.pack)))


def locate(finding: Finding, source: Source) -> Place:
    """Return where a finding is mended: the best that is known of what it is about."""
    scope = _file_of(finding.where, source)
    places = (*_asking(finding, scope, source), *_declared(finding, scope, source))
    if not finding.is_asked:
        places = (*_declared(finding, scope, source), *_asking(finding, scope, source))
    return next(iter((*places, *_general(finding, scope, source))))


def _file_of(where: str, source: Source) -> str:
    """Return the file of the scenario with this id; empty for the pack itself."""
    short = where.partition("/")[2]
    return f"scenarios/{short}.yaml" if short and where in source.pack.scenarios else ""


def _declared(finding: Finding, scope: str, source: Source) -> Iterator[Place]:
    """Yield where the subject is brought into being, in the scenario first."""
    for wanted in dict.fromkeys((scope, "")):
        for (of, _), known in source.sheet.declared.items():
            if of == wanted and finding.subject in known:
                yield known[finding.subject]
    for wordings in source.wordings.values():
        if finding.subject in wordings:
            yield wordings[finding.subject].place


def _asking(finding: Finding, scope: str, source: Source) -> Iterator[Place]:
    """Yield where the subject, or a word of it, is named."""
    words = finding.subject.split()
    for wanted in dict.fromkeys((scope, "")):
        for reference in source.sheet.references:
            if reference.id in words and wanted in {reference.scope, reference.place.file}:
                yield reference.place
        for word in words:
            if (wanted, word) in source.sheet.values:
                yield source.sheet.values[wanted, word]


_STANDS_IN = {"end": "triggers"}
"""The key of a scenario where one would look for what is missing."""


def _general(finding: Finding, scope: str, source: Source) -> Iterator[Place]:
    """Yield the key that the subject belongs to, else the scenario or the file of that name."""
    keys = source.sheet.keys
    for key in (finding.subject, _STANDS_IN.get(finding.subject, ""), "tokens", "id"):
        if scope and (scope, key) in keys:
            yield keys[scope, key]
    yield Place(scope or f"{finding.subject}.yaml")

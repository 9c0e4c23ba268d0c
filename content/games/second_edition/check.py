"""
Checks a pack: every mistake and every finding, with its place and what to do about it.

Mistakes keep a pack from being loaded; findings of the linter do not, and are looked for once there
are no mistakes. Either stands at a line of a file.
"""

from collections.abc import Iterator, Mapping

from content.games.second_edition.lint import lint
from content.language.findings import Finding
from content.language.loader import PackSource, load_source
from content.reading.mistakes import ContentErrors, Place
from content.reading.remarks import Remark


def check(pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
    """Return all that is to be said about the files of a pack, by file and line."""
    try:
        source = load_source(pack_id, files)
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)
    return tuple(sorted(_remark(finding, source) for finding in lint(source.pack)))


def _remark(finding: Finding, source: PackSource) -> Remark:
    return Remark.of_finding(locate(finding, source), finding.subject, finding.reason)


def locate(finding: Finding, source: PackSource) -> Place:
    """Return where a finding is mended: the best that is known of what it is about."""
    scope = _file_of(finding.where, source)
    places = (*_asking(finding, scope, source), *_declared(finding, scope, source))
    if not finding.is_asked:
        places = (*_declared(finding, scope, source), *_asking(finding, scope, source))
    return next(iter((*places, *_general(finding, scope, source))))


def _file_of(where: str, source: PackSource) -> str:
    """Return the file of the scenario with this id; empty for the pack itself."""
    short = where.partition("/")[2]
    return f"scenarios/{short}.yaml" if short and where in source.pack.scenarios else ""


def _declared(finding: Finding, scope: str, source: PackSource) -> Iterator[Place]:
    """Yield where the subject is brought into being, in the scenario first."""
    for wanted in dict.fromkeys((scope, "")):
        for (of, _), known in source.sheet.declared.items():
            if of == wanted and finding.subject in known:
                yield known[finding.subject]
    for wordings in source.wordings.values():
        if finding.subject in wordings:
            yield wordings[finding.subject].place


def _asking(finding: Finding, scope: str, source: PackSource) -> Iterator[Place]:
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


def _general(finding: Finding, scope: str, source: PackSource) -> Iterator[Place]:
    """Yield the key that the subject belongs to, else the scenario or the file of that name."""
    keys = source.sheet.keys
    for key in (finding.subject, _STANDS_IN.get(finding.subject, ""), "tokens", "id"):
        if scope and (scope, key) in keys:
            yield keys[scope, key]
    yield Place(scope or f"{finding.subject}.yaml")

"""Checks a pack: every mistake and every finding, with its place and what to do about it."""

from collections.abc import Iterator, Mapping

from content.games.cards import lint
from content.games.cards.loader import PackSource, load_source
from content.language.findings import CUT, Locator
from content.reading.mistakes import ContentErrors
from content.reading.remarks import Remark


def check(pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
    """
    Return the mistakes in the files of a pack; if there are none, the findings and notes.

    Findings are ordered by file and line, those about texts that a `#` cut short come after them.
    """
    try:
        source = load_source(pack_id, files)
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)
    locator = locator_of(source)
    found = [
        Remark.of_finding(locator.locate(finding), finding.subject, finding.reason)
        for finding in lint.findings(source.pack)
    ]
    cut = [Remark.of_finding(place, place.key, CUT) for place in source.sheet.cut]
    notes = [
        Remark.of_note(locator.locate(note), note.subject, note.reason)
        for note in lint.notes(source.pack)
    ]
    return (*sorted(found), *cut, *sorted(notes), *_corrected(source))


def _corrected(source: PackSource) -> Iterator[Remark]:
    """Yield a note for each field that was corrected, with the version. C-AUTH-5."""
    for id_, change in source.corrections.all():
        reason = f"{change.path} is corrected since version {change.version}"
        yield Remark.of_note(change.place, id_, reason)


def locator_of(source: PackSource) -> Locator:
    """Return the locator that finds the places of findings in a pack."""
    return Locator(
        source.sheet,
        source.wordings,
        {id_: f"scenarios/{id_.partition('/')[2]}.yaml" for id_ in source.pack.scenarios},
        stands_in={},
        general=("bags", "id"),
    )

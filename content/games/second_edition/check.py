"""
Checks a pack: every mistake and every finding, with its place and what to do about it.

Mistakes keep a pack from being loaded. Findings of the linter do not; the linter runs once there
are no mistakes.
"""

from collections.abc import Mapping

from content.games.second_edition.lint import lint
from content.games.second_edition.loader import PackSource, load_source
from content.language.findings import CUT, Locator
from content.reading.mistakes import ContentErrors
from content.reading.remarks import Remark


def check(pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
    """
    Return the mistakes in the files of a pack; if there are none, the findings.

    They are ordered by file and line. Findings about texts that a `#` cut short come last.
    """
    try:
        source = load_source(pack_id, files)
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)
    locator = locator_of(source)
    return tuple(
        sorted(
            Remark.of_finding(locator.locate(finding), finding.subject, finding.reason)
            for finding in lint(source.pack)
        )
    ) + tuple(Remark.of_finding(place, place.key, CUT) for place in source.sheet.cut)


def locator_of(source: PackSource) -> Locator:
    """Return the locator that finds the places of findings in a pack."""
    return Locator(
        source.sheet,
        source.wordings,
        {id_: f"scenarios/{id_.partition('/')[2]}.yaml" for id_ in source.pack.scenarios},
        stands_in={"end": "triggers"},
        general=("tokens", "id"),
    )

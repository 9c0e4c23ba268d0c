"""
Checks a pack: every mistake and every finding, with its place and what to do about it.

Mistakes keep a pack from being loaded. Findings of the linter do not; the linter runs once there
are no mistakes.

    python -m content.games.first_edition.check FOLDER
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from content.games.first_edition.evidence import evidence
from content.games.first_edition.lint import lint
from content.games.first_edition.loader import PackSource, load_source
from content.language.findings import CUT, Locator
from content.reading.files import read_files
from content.reading.mistakes import ContentErrors
from content.reading.remarks import Level, Remark


def check(pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
    """
    Return the mistakes in the files of a pack; if there are none, the findings and notes.

    Findings are ordered by file and line, those about texts that a `#` cut short come after them.
    Notes say after which clue the objectives of a story are told apart.
    """
    try:
        source = load_source(pack_id, files)
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)
    locator = locator_of(source)
    found = [
        Remark.of_finding(locator.locate(finding), finding.subject, finding.reason)
        for finding in lint(source.pack)
    ]
    cut = [Remark.of_finding(place, place.key, CUT) for place in source.sheet.cut]
    notes = [
        Remark.of_note(locator.locate(note), note.subject, note.reason)
        for story in source.pack.scenarios.values()
        for note in evidence(story)
    ]
    return (*sorted(found), *cut, *notes)


def locator_of(source: PackSource) -> Locator:
    """Return the locator that finds the places of findings in a pack."""
    return Locator(
        source.sheet,
        source.wordings,
        {id_: f"scenarios/{id_.partition('/')[2]}.yaml" for id_ in source.pack.scenarios},
        stands_in={},
        general=("placement", "id"),
    )


def main(arguments: Sequence[str]) -> int:
    """Print the remarks on the pack in a folder; return 1 if there are any but notes."""
    folder = Path(arguments[0]).resolve()
    found = check(folder.name, read_files(folder))
    for remark in found:
        sys.stdout.write(f"{remark}\n")
    return 1 if any(remark.level != Level.NOTE.value for remark in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Checks a pack: every mistake and every finding, with its place and what to do about it."""

from collections.abc import Mapping

from content.games.cards.loader import load_source
from content.language.findings import CUT
from content.reading.mistakes import ContentErrors
from content.reading.remarks import Remark


def check(pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
    """Return the mistakes in the files of a pack; if there are none, the findings and notes."""
    try:
        source = load_source(pack_id, files)
    except ContentErrors as errors:
        return tuple(Remark.of_mistake(error) for error in errors.errors)
    return tuple(Remark.of_finding(place, place.key, CUT) for place in source.sheet.cut)

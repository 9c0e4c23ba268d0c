"""The bundled pack: it is sound for all answers, and the linter finds nothing."""

from content.games.first_edition.check import check
from content.games.first_edition.loader import BASE
from content.reading.files import read_files, shipped
from content.reading.remarks import Level
from protocol.games.first_edition.words import RULESET


def test_manor_has_no_mistakes_and_no_findings() -> None:
    remarks = check(BASE, read_files(shipped(RULESET) / BASE))

    assert [str(one) for one in remarks if one.level != Level.NOTE.value] == []

"""How verifiers judge going back when somebody agreed for absent players.

The kernel wrote `kept/absence.manse.xz` when `agreed_for_absent` was new. The file is never made
again: later readers must say the same of it.
"""

import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.archive import load
from protocol.common import events
from protocol.common.absence import ABSENCE_MS
from protocol.common.table import Stage
from protocol.event import CLOCK, OPERATOR
from protocol.validity import judge
from tests.verifying.files import File, Line, taken_apart
from tests.verifying.logs import types, verifier
from tests.verifying.test_table import refused_at

KEPT = lzma.decompress((Path(__file__).parent / "kept" / "absence.manse.xz").read_bytes())

pytestmark = pytest.mark.issue(15)


def test_both_verifiers_accept_it() -> None:
    assert judge(load(KEPT)).room.stage is Stage.OVER
    verifier().verify(KEPT, types())


def test_it_is_read_as_it_was_written() -> None:
    found = [one for one in load(KEPT).records if isinstance(one.event, events.AgreedForAbsent)]

    assert [(one.origin, one.event) for one in found] == [
        (0, events.AgreedForAbsent(0, (1, 2))),
        (OPERATOR, events.AgreedForAbsent(1, (1, 2))),
    ]
    assert judge(load(KEPT)).counts.absences == 2


def _field(place: int, value: object) -> Callable[[File, int], None]:
    def forge(file: File, at: int) -> None:
        file.lines[at].fields[place] = value

    return forge


def _origin(origin: int) -> Callable[[File, int], None]:
    def forge(file: File, at: int) -> None:
        file.lines[at].public[2] = origin

    return forge


def _early(file: File, at: int) -> None:
    """Date the record before so that a day is not quite over."""
    for line in file.lines[at - 1 : at]:
        line.public[1] = file.lines[at].public[1] - ABSENCE_MS + 1


def _others_here(file: File, at: int) -> None:
    """Have an absent player come back just before."""
    file.lines.insert(
        at, Line([0, file.lines[at - 1].public[1], 1, "presence_changed", [1, True], []], [])
    )


FORGERIES: dict[str, Callable[[File, int], None]] = {
    "for another proposal": _field(0, 7),
    "for fewer": _field(1, [1]),
    "for more": _field(1, [0, 1, 2]),
    "for nobody": _field(1, []),
    "by who is away": _origin(1),
    "by the clock": _origin(CLOCK),
    "before the day is over": _early,
    "while one of them is here": _others_here,
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_nobody_may_agree_to_is_refused(name: str) -> None:
    file = taken_apart(KEPT)
    at = file.of("agreed_for_absent")[0]
    tag = file.lines[at - 1].tag

    FORGERIES[name](file, at)

    assert tag == "proposed"
    assert refused_at(file) == next(
        n for n, line in enumerate(file.lines) if line.tag == "agreed_for_absent"
    )

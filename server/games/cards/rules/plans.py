"""Plans: a skill test before it begins, and what its steps find out. Section 2.7."""

from collections.abc import Awaitable, Callable

import attrs

from content.games.cards.schema.kinds import Deed
from protocol.common.text import Text
from protocol.games.cards.table import InvestigatorId, PieceId
from protocol.games.cards.words import Skill
from server.games.cards.rules.play import Play, Source

Result = Callable[[], Awaitable[None]]
"""One result of a test, which is carried out in ST.7."""


@attrs.define(eq=False)
class Plan:
    """A test before it begins, and what its steps find."""

    tester: InvestigatorId
    skill: Skill
    difficulty: Callable[[], int]
    """Worked out whenever it is looked at."""
    source: Source
    target: PieceId = ""
    deed: Deed | None = None
    base: int = -1
    """Base value of the skill; -1 for the printed one."""
    plus: int = 0
    success: tuple[tuple[Text | str, Result], ...] = ()
    """Results of success, each with its name. C-TEST-8."""
    failure: tuple[tuple[Text | str, Result], ...] = ()
    automatic: bool | None = None
    """True if the test succeeds by itself, False if it fails. C-AUTO-1, C-DECIDE-11."""
    beneath: dict[PieceId, PieceId] = attrs.field(factory=dict)
    """Committed cards that lay beneath another one, each with that one. C-COMMIT-8."""
    times: int = 1
    """Number of times that the results of success are resolved. C-TEST-10."""


def current(play: Play) -> Plan | None:
    """Return the plan of the test that is going on."""
    plan: Plan | None = play.shared.get("test")
    return plan

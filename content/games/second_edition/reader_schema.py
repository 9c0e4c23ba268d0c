"""The schema of this game, as `content.reading.schema.Schema` for the reader of packs."""

# Before the checks, which import them in another order: the page lists steps as they are declared.
from content.games.second_edition.schema import board_steps, monster_steps  # isort: skip  # noqa: F401

from content.games.second_edition.checks import CHECKS
from content.games.second_edition.expressions import (
    amount_reader,
    number_reader,
    requirement_reader,
)
from content.games.second_edition.references import KINDS
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.schema.targets import WhichMonsters, Whom
from content.reading.schema import Schema
from content.reading.typed import Readers

SCHEMA = Schema(
    kinds=KINDS,
    within={Kind.TILE: (Kind.SPACE, Kind.DOOR, Kind.SPOT)},
    checks=CHECKS,
    default_bounds=(0, 99),
    called={Whom: "choice of investigators", WhichMonsters: "choice of monsters"},
    own={
        (Amount,): amount_reader,
        (int, Amount): number_reader,
        (Requirement,): requirement_reader,
    },
)
READERS = Readers(SCHEMA)

"""The schema of this game, as `content.reading.schema.Schema` for the reader of packs."""

from content.games.first_edition.checks import CHECKS
from content.games.first_edition.references import KINDS
from content.games.first_edition.schema.kinds import Kind
from content.games.first_edition.schema.targets import WhichMonsters, Whom
from content.reading.schema import Schema
from content.reading.typed import Readers

SCHEMA = Schema(
    kinds=KINDS,
    within={Kind.TILE: (Kind.SPACE, Kind.DOOR, Kind.PLACE)},
    checks=CHECKS,
    default_bounds=(0, 99),
    called={Whom: "choice of investigators", WhichMonsters: "choice of monsters"},
)
READERS = Readers(SCHEMA)

"""The schema of this game, as `content.reading.schema.Schema` for the reader of packs."""

from content.games.cards.checks import CHECKS
from content.games.cards.references import KINDS
from content.games.cards.schema.targets import Which, Whom
from content.reading.schema import Schema
from content.reading.typed import Readers

SCHEMA = Schema(
    kinds=KINDS,
    checks=CHECKS,
    default_bounds=(0, 99),
    called={Which: "choice of cards", Whom: "choice of investigators"},
)
READERS = Readers(SCHEMA)

"""The schema of this game, as `content.reading.schema.Schema` for the reader of packs."""

from content.games.second_edition.checks import CHECKS, DEFAULT_BOUNDS, INT_BOUNDS
from content.games.second_edition.expressions import (
    amount_reader,
    number_reader,
    requirement_reader,
)
from content.games.second_edition.schema.board_steps import RemoveTile
from content.games.second_edition.schema.effects import (
    Amount,
    GainItem,
    GainSpell,
    Say,
    SetObjective,
    Way,
)
from content.games.second_edition.schema.requirements import Happened, Requirement, TimerLeft
from content.games.second_edition.schema.targets import WhichMonsters, Whom
from content.language.references import (
    BY_KEY,
    DECLARES,
    FREE,
    KINDS,
    NAMED_BY_RULES,
    REFERS,
    SHARED,
    Kind,
)
from content.reading.schema import Schema
from content.reading.typed import Readers

SCHEMA = Schema(
    kinds=KINDS,
    declares=DECLARES,
    sorts=SHARED,
    refers=REFERS,
    by_key=BY_KEY,
    free=FREE,
    shown_as=NAMED_BY_RULES,
    within={Kind.TILE: (Kind.SPACE, Kind.DOOR, Kind.SPOT)},
    checks=CHECKS,
    bounds=INT_BOUNDS,
    default_bounds=DEFAULT_BOUNDS,
    short={
        GainItem: "item",
        GainSpell: "spell",
        Say: "text",
        SetObjective: "text",
        RemoveTile: "tile",
        Happened: "event",
        TimerLeft: "name",
        Way: "effect",
    },
    called={Whom: "choice of investigators", WhichMonsters: "choice of monsters"},
    own={
        (Amount,): amount_reader,
        (int, Amount): number_reader,
        (Requirement,): requirement_reader,
    },
)
READERS = Readers(SCHEMA)

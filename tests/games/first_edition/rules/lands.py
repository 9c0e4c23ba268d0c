"""Lands: drawn boards for the chapters of the outdoors."""

from typing import Any

from content.games.first_edition.schema.story import Exhaustion, LaidTile, Room
from protocol.games.first_edition.words import FeatureKind
from server.games.first_edition.rules import monster_moves
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.worlds import world

POND = """
+~~~~~+~~~~~+~~~~~+
|     !     !     |
|  a  !  w  !  c  |
|     !     !     |
+--.--+--~--+--.--+
|     :     :     |
|  d  :  e  :  f  |
|     :     :     |
+-----+-----+-----+
"""
"""A pond with barriers around it, and a way around it by the shore."""
MEADOW, WATER, SHORE, WOOD = "room/meadow", "room/water", "room/shore", "room/wood"
POND_ROOMS = {"a": MEADOW, "d": MEADOW, "w": WATER, "e": SHORE, "c": WOOD, "f": WOOD}

BRIDGE = """
+-----+-----!!-----+
|  r  |  p  !!  q  |
+-----+--.--++--.--+
      |  m   :  n  |
      +------+-----+
"""
"""Two sides of a covered bridge, p and q, with a way around; r is behind a wall of p."""
BOAT = FeatureKind.BOAT


def land(**given: Any) -> Bench:
    """Return a world by the pond, whose water is submerged; the arguments are those of worlds."""
    fields = {
        "outdoor": True,
        "tiles": (LaidTile("pond", 0, 0, POND.strip("\n"), POND_ROOMS),),
        "rooms": tuple(Room(room, outdoor=room != SHORE) for room in (MEADOW, WATER, SHORE, WOOD)),
        "start": "pond/a",
        "submerged": ("pond/w",),
        "event_exhaustion": Exhaustion.CONTINUE,
        **given.pop("story", {}),
    }
    return world(**given, story=fields)


def bridge(**given: Any) -> Bench:
    """Return a world beside a bridge, in which everybody starts in p."""
    fields = {
        "tiles": (LaidTile("bridge", 0, 0, BRIDGE.strip("\n"), dict.fromkeys("rpqmn", MEADOW)),),
        "rooms": (Room(MEADOW),),
        "start": "bridge/p",
    }
    return world(**given, story=fields)


def lead_to(bench: Bench) -> set[str]:
    """Return the spaces into which the keeper can lead the only monster now."""
    monster = bench.monster().monster_id
    bench.run(monster_moves.lead(bench.game, (monster,), 1, 1, Source("action/any")), ...)
    if bench.open is None:
        return set()
    options = bench.open.prompts[KIM].options
    return {point.piece for one in options for point in one.points if point.kind == "space"}

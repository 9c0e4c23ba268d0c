"""Snapshots of whole games of every scenario restore the tables."""

import pytest

from protocol.values import evolve
from server.kernel import snapshot
from server.kernel.chance import seeded
from server.kernel.packed import LIVE_AT_MOST, parted, with_packed
from server.kernel.rest_point import RestPoint
from server.kernel.snapshot import difference
from tests.games.second_edition.simulate import core, simulate

CODE = b"today's code"
PACKED_BYTES = 600
"""Maximum bytes of a packed checkpoint in a game of three, as the mean of the game."""


def packed(rest: RestPoint) -> RestPoint:
    """Return a rest point with all but its latest checkpoints packed."""
    table = with_packed(rest.table)
    return rest if table is rest.table else packed(evolve(rest, table=table))


EVERY_RUN = {"core/sluice-house", "core/rooms-at-wicken-end"}
"""Scenarios of which a game is played in every run."""


@pytest.mark.parametrize(
    "scenario",
    [
        one if one in EVERY_RUN else pytest.param(one, marks=pytest.mark.long)
        for one in sorted(core().scenarios)
    ],
)
@pytest.mark.rule("APP-14")
def test_table_comes_back_from_its_snapshot(scenario: str) -> None:
    """Some rest points of a game and its end are restored with everything in order.

    Packed checkpoints must be small enough that a table hardly grows with the game.
    """
    played = simulate(7, 3)
    played.scenario = scenario
    ends: set[int] = set()
    compared = 0

    def look(_: object = None) -> None:
        nonlocal compared
        rest = played.room.rest
        if rest.end not in ends and len(ends) % 20 == 0:
            compared += 1
            data = snapshot.save(rest, CODE)
            again = snapshot.load(data, played.room.room_id, lambda _: CODE, seeded)
            assert difference(again, rest) == ""
            assert again == rest
            assert snapshot.save(again, CODE) == data
            assert difference(packed(rest), rest) == ""
        ends.add(rest.end)

    played.on_batch = look
    played.play()
    assert compared >= 3
    deltas, live = parted(packed(played.room.rest).table.checkpoints)
    assert len(live) <= LIVE_AT_MOST
    assert len(deltas) > 20
    assert sum(map(len, deltas.values())) / len(deltas) < PACKED_BYTES

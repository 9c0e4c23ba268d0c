"""Snapshots of whole games of every scenario: tables come back as they were."""

import pytest

from server.kernel import snapshot
from server.kernel.chance import seeded
from server.kernel.snapshot import difference
from tests.games.second_edition.simulate import core, simulate

CODE = b"today's code"


@pytest.mark.parametrize("scenario", sorted(core().scenarios))
@pytest.mark.rule("APP-14")
def test_table_comes_back_from_its_snapshot(scenario: str) -> None:
    """At some of the rest points of a game, and at the end, with everything in its order."""
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
        ends.add(rest.end)

    played.on_batch = look
    played.play()
    assert compared >= 3

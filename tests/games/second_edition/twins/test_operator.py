"""Operator actions reveal no secret: twins are paused and closed alike."""

import pytest

from protocol.common import events
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.simulate import core
from tests.games.second_edition.twins.games import Spec, play_first
from tests.games.second_edition.twins.twin import knowers, play_twin
from tests.kit.every_run import first

pytestmark = pytest.mark.issue(15)

SPECS = (
    Spec("house", "house/company", 0, 3, steps=40, has_operator=True),
    Spec("house", "house/embers", 3, 2, steps=40, has_operator=True),
    Spec("core", "core/sluice-house", 2, 2, steps=40, has_operator=True),
)


@pytest.mark.parametrize("spec", first(1, SPECS), ids=str)
def test_a_pause_and_an_end_by_the_operator_tell_no_secret(spec: Spec) -> None:
    first = play_first(spec, house() if spec.source == "house" else core())
    kinds = [type(record.event) for record in first.records]
    assert kinds.count(events.OperatorPaused) == kinds.count(events.OperatorResumed) > 2
    assert events.OperatorClosed in kinds[-9:]

    twins = [play_twin(first, knower, 1) for knower in knowers(first)]

    assert [twin.leaks for twin in twins if twin.leaks] == []
    pauses = [
        number
        for number, given in enumerate(first.inputs)
        if isinstance(given.happened, events.OperatorResumed)
    ]
    assert max(twin.inputs for twin in twins) > pauses[1]
    assert all(twin.comparisons for twin in twins)

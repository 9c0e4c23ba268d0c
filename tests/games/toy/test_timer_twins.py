"""Twin tables with timers, through the lobby: what somebody holds or picks shows in nothing."""

from collections.abc import Mapping

import pytest

from protocol import messages
from protocol.common import events
from protocol.common.table import Settings
from tests.games.toy.house import ToyHouse
from tests.games.toy.test_act_or_pass import Table, turn_up
from tests.games.toy.test_twins import twins
from tests.games.twins.compare import unlike
from tests.games.twins.notes import Note, noting
from tests.kit.servers.tables import happened, room_id_of, start_all
from tests.kit.tables.toy_table import RIDDLE_SECONDS, WEATHERS, Content, ToyTable, a_deck

pytestmark = pytest.mark.issue(39)

SEEDS = (0, 3)
"""Seeds of games in which a timer runs out."""
RIDDLES = a_deck("riddle")
SLOWLY = 9.0
"""Seconds between two actions, so that the time of some riddles runs out."""
Way = Mapping[float, int]
"""Wrong answers by the seconds since the riddle was put: 0 for a pass, others for a weather."""


def sent(way: Way, *faults: str) -> list[list[Note]]:
    """Return what Ben and a spectator are sent of a riddle that Ann never solves."""
    house = ToyHouse(on_shelf=Content(deck=RIDDLES, faults=faults))
    ann, ben = start_all(house, ["Ann", "Ben"], Settings(spectators=True))
    wat = house.client("Wat")
    wat.port.watch(ann.session.last(messages.TableOpened).watch_code)
    table = Table(house, ann, ben)
    table.answer(ann, "toy/go")
    notes = [noting(house, ben), noting(house, wat)]
    turn_up(table, ann)
    game = house.host_of(ann).room.table.game
    assert isinstance(game, ToyTable)
    wrong = ["toy/pass", *(weather for weather in WEATHERS if weather != game.weather)]
    for at in range(RIDDLE_SECONDS + 2):
        if at in way:
            table.answer(ann, wrong[way[at]])
            house.settle(0.8)
        else:
            house.settle(1)
    assert len(happened(house, room_id_of(ann), events.TimerClosed)) == 1
    return notes


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("viewer", [1, None], ids=["seat", "spectator"])
def test_what_somebody_holds_shows_in_nothing(viewer: int | None, seed: int) -> None:
    first, second = twins(seed, viewer, deck=RIDDLES, pause=SLOWLY)

    assert "timed_out" in repr(first)
    assert unlike(first, second) is None


@pytest.mark.parametrize("way", [{3: 1, 40: 2}, {3: 3, 40: 0}, {3: 2, 40: 2}])
def test_what_somebody_picks_shows_in_nothing(way: Way) -> None:
    """Only that they picked something, and when."""
    assert sent(way) == sent(dict.fromkeys(way, 0))


def test_a_time_that_hangs_on_a_card_is_seen() -> None:
    assert any(
        unlike(*twins(seed, None, "leak/seconds", deck=RIDDLES, pause=SLOWLY)) for seed in SEEDS
    )


def test_a_question_that_names_the_last_pick_is_seen() -> None:
    assert sent({3: 1, 40: 2}, "leak/guess") != sent({3: 0, 40: 0}, "leak/guess")

"""While the person in the awaited role is away, no time of a table runs, in virtual time."""

import attrs
import pytest

from protocol.common import events
from protocol.common.patience import age_ms, is_running
from protocol.common.table import OpenTimer, RoomTable, Settings
from protocol.common.text import Text
from tests.games.woods.content.schema import Content
from tests.games.woods.protocol.events import Walked
from tests.games.woods.table import Party, a_game, told
from tests.kit.servers.house import Client
from tests.kit.servers.tables import come_back, happened, records_of, room_id_of, room_of

pytestmark = pytest.mark.issue(40)

LIMIT = 60
KIM = 0
"""Seat of the keeper."""


def at_a_walk(settings: Settings, *, tricks: int = 0) -> Party:
    """Return a game in which the animals are asked, and with a trick the keeper beside them."""
    party = a_game(settings, Content(tricks=tricks))
    party.answer(party.kim, "glade")
    return party


def rule_asked(party: Party) -> str:
    ask = room_of(party.house, party.others[0]).ask
    assert ask is not None
    return ask.rule


def walked(client: Client) -> int:
    return len(told(client, Walked))


def timed_out(party: Party) -> int:
    return len(happened(party.house, room_id_of(party.others[0]), events.TimedOut))


def test_the_limit_of_a_plain_question_waits_for_the_keeper() -> None:
    party = at_a_walk(Settings(time_limit_seconds=LIMIT))
    assert rule_asked(party) == "WOODS-2"
    party.house.settle(LIMIT / 2)
    party.kim.disconnect()
    party.house.settle(10 * LIMIT)
    assert timed_out(party) == 0

    come_back(party.house, "Kim", room_id_of(party.kim))
    party.house.settle(LIMIT / 2 - 2)
    assert timed_out(party) == 0
    party.house.settle(3)
    assert timed_out(party) == 1


def test_by_the_calendar_the_limit_of_a_plain_question_runs_on() -> None:
    party = at_a_walk(Settings(time_limit_seconds=LIMIT, by_calendar=True))
    party.kim.disconnect()
    party.house.settle(LIMIT + 1)

    assert timed_out(party) == 1


def test_without_a_least_time_no_decision_counts_while_the_keeper_is_away() -> None:
    party = at_a_walk(Settings(least_seconds=0), tricks=1)
    ann, _ = party.others
    party.kim.disconnect()
    party.house.settle(1)
    party.answer(ann, "brook")
    party.house.settle(100)
    assert (rule_asked(party), walked(ann)) == ("WOODS-8", 0)

    come_back(party.house, "Kim", room_id_of(party.kim))
    assert walked(ann) == 1


def test_no_decision_counts_after_the_least_time_either_while_the_keeper_is_away() -> None:
    party = at_a_walk(Settings(least_seconds=2), tricks=1)
    ann, _ = party.others
    party.house.settle(10)
    party.kim.disconnect()
    party.house.settle(1)
    party.answer(ann, "brook")
    party.house.settle(100)

    assert walked(ann) == 0


def test_once_a_bot_has_the_keepers_seat_the_whole_limit_runs() -> None:
    """What was waited before the seat changed hands does not count: nobody kept the house."""
    party = at_a_walk(Settings(time_limit_seconds=LIMIT))
    ann, ben = party.others
    party.house.settle(1)
    party.kim.disconnect()
    party.house.settle(LIMIT - 5)
    ann.port.propose_give_seat(KIM, to_bot=True)
    party.house.settle(0.2)
    for client in (ben, come_back(party.house, "Kim", room_id_of(ann))):
        proposal = room_of(party.house, ann).proposal
        assert proposal is not None
        client.port.consent(proposal.proposal_id, is_agreed=True)
        party.house.settle(0.2)
    seat = room_of(party.house, ann).seats[KIM]
    assert (seat.is_bot, timed_out(party)) == (True, 0)

    party.house.settle(LIMIT - 5)
    assert timed_out(party) == 0
    party.house.settle(6)
    assert timed_out(party) == 1


def test_a_timer_waits_for_the_keeper_at_a_table_by_calendar_too() -> None:
    party = at_a_walk(Settings(time_limit_seconds=LIMIT, by_calendar=True))
    party.house.settle(1)
    party.kim.disconnect()
    party.house.settle(1)
    room = room_of(party.house, party.others[0])
    records = records_of(party.house, room_id_of(party.others[0]))
    assert not is_running(under_a_timer(room), timer=0)
    assert is_running(room)

    latest = records[-1].time
    waited = age_ms(under_a_timer(room), reversed(records), latest, timer=0)
    assert age_ms(under_a_timer(room), reversed(records), latest + 9000, timer=0) == waited


def under_a_timer(room: RoomTable) -> RoomTable:
    """Return a room with a timer that no record of its log has opened: the woods have none."""
    assert room.ask is not None
    timer = OpenTimer(0, Text("woods/about_walks"), LIMIT)
    return attrs.evolve(room, timer=timer, ask=attrs.evolve(room.ask, timer=0))

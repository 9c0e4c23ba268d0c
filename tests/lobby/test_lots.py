"""Tiebreaks by lot: nobody can force one alone while other voters are present."""

import pytest

from protocol.common import events
from tests.kit.servers.house import Client, House
from tests.kit.servers.slow import SlowHouse
from tests.kit.servers.tables import happened, room_id_of, room_of, start_at_vote

pytestmark = pytest.mark.issue(14)


def differing(house: House, *names: str) -> list[Client]:
    """Return clients whose first votes differ."""
    clients = start_at_vote(house, names)
    ask = room_of(house, clients[0]).ask
    assert ask is not None
    for seat, client in enumerate(clients):
        choices = ask.questions[seat].value.choices
        client.port.vote(ask.ask_id, (choices[min(seat, 1)].choice_id,))
    house.settle()
    return clients


def call(house: House, client: Client) -> None:
    """Ask for a tiebreak."""
    ask = room_of(house, client).ask
    assert ask is not None
    client.port.call_tiebreak(ask.ask_id)
    house.settle()


def lots(house: House, client: Client) -> tuple[int, int]:
    """Return how often a tiebreak was asked for, and how often it was called."""
    wanted, called = (
        happened(house, room_id_of(client), kind)
        for kind in (events.LotWanted, events.TiebreakCalled)
    )
    return len(wanted), len(called)


def test_two_people_both_have_to_want_it() -> None:
    house = House()
    ada, ben = differing(house, "Ada", "Ben")

    call(house, ada)
    call(house, ada)
    assert lots(house, ada) == (1, 0)
    call(house, ben)

    assert lots(house, ada) == (1, 1)


def test_of_three_two_are_enough() -> None:
    house = House()
    ada, _, cleo = differing(house, "Ada", "Ben", "Cleo")

    call(house, ada)
    call(house, cleo)

    assert lots(house, ada) == (1, 1)


def test_who_is_away_is_not_waited_for() -> None:
    house = House()
    ada, ben = differing(house, "Ada", "Ben")
    ben.disconnect()
    house.settle()

    call(house, ada)

    assert lots(house, ada) == (0, 1)


def test_a_new_vote_is_a_new_matter() -> None:
    """The earlier call was for a lot among other votes."""
    house = House()
    ada, ben = differing(house, "Ada", "Ben")
    call(house, ada)
    ask = room_of(house, ada).ask
    assert ask is not None
    ada.port.vote(ask.ask_id, ask.votes[0])
    house.settle()

    call(house, ben)

    assert lots(house, ada) == (2, 0)


@pytest.mark.issue(36)
def test_calls_of_the_same_moment_count_one_another() -> None:
    house = SlowHouse()
    house.store.clock = None
    clients = differing(house, "Ada", "Ben", "Cleo", "Dan", "Eve")
    ask = room_of(house, clients[0]).ask
    assert ask is not None
    house.store.clock = house.clock

    for client in clients:
        client.port.call_tiebreak(ask.ask_id)
    house.settle(5)

    assert lots(house, clients[0]) == (2, 1)

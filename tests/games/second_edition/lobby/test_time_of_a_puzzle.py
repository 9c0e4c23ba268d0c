"""The time of a puzzle through the lobby, in virtual time."""

import random
from collections.abc import Callable

import attrs
import pytest

from content.games.second_edition.schema.pack import Pack
from protocol.common.events import TimedOut, TimerClosed
from protocol.games.second_edition.events import AttemptEnded
from tests.games.every import Person
from tests.games.second_edition.house_pack import house
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import happened, room_id_of, room_of, start_all

pytestmark = pytest.mark.issue(39)

SECONDS = 60
"""The seconds of the coffer in the scenario."""


@attrs.define(eq=False)
class EmbersHouse(House):
    """Server of the pack for tests, with the scenario that has a puzzle with a time."""

    def content(self) -> Pack:
        return house()

    def scenario_id(self) -> str:
        return "house/embers"


@attrs.define(eq=False)
class Attempt:
    """A table at which somebody has just begun to work on the coffer."""

    house: House
    clients: list[Client]

    def is_open(self) -> bool:
        return room_of(self.house, self.clients[0]).timer is not None

    def ended(self) -> int:
        return len(happened(self.house, room_id_of(self.clients[0]), AttemptEnded))

    def slide(self) -> None:
        """Slide the first piece that can be slid: one step does not open the coffer."""
        for client in self.clients:
            view = client.model.view
            question = None if view is None else view.my_question()
            if view is not None and view.ask is not None and question is not None:
                pick = next(
                    c for c in question.choices if c.text.subject.startswith("choice/slide")
                )
                client.port.answer(view.ask.ask_id, (pick.choice_id,))
                self.house.settle(0.2)
                return


def begun() -> Attempt:
    """Play at random until somebody works on the coffer."""
    # The first of these seeds finds it at once.
    for seed in range(9, 40):
        house = EmbersHouse()
        clients = start_all(house, ["Ann", "Ben"])
        people = [Person(c.model, c.port, random.Random(seed + at)) for at, c in enumerate(clients)]
        for _ in range(60):
            for person in people:
                person.act()
                house.settle(0.1)
                if room_of(house, clients[0]).timer is not None:
                    return Attempt(house, clients)
    raise AssertionError("nobody finds the coffer")


def go_away(attempt: Attempt) -> None:
    """Let the time pass while nobody is at the table."""
    for client in attempt.clients:
        client.disconnect()
    attempt.house.settle(500)
    for client in attempt.clients:
        client.connect()
        client.port.enter(room_id_of(client))
    attempt.house.settle(0.2)


def stay(_attempt: Attempt) -> None:
    pass


@pytest.mark.parametrize("meanwhile", [stay, go_away])
def test_an_attempt_ends_after_the_seconds_of_its_puzzle(
    meanwhile: Callable[[Attempt], None],
) -> None:
    """An answer does not start them again, and none pass while nobody is here."""
    attempt = begun()
    before = attempt.ended()
    attempt.house.settle(20)
    attempt.slide()
    meanwhile(attempt)

    attempt.house.settle(SECONDS - 25)
    assert attempt.is_open()
    attempt.house.settle(6)

    assert not attempt.is_open()
    assert attempt.ended() == before + 1
    room_id = room_id_of(attempt.clients[0])
    assert len(happened(attempt.house, room_id, TimedOut)) == 1
    assert len(happened(attempt.house, room_id, TimerClosed)) == 1

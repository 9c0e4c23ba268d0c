"""Tables of the woods: players in their roles, who answer with a clearing."""

from collections.abc import Sequence
from typing import TypeVar

import attrs

from protocol import messages
from protocol.common.table import Settings
from protocol.event import Event
from tests.games.woods.content.schema import Content
from tests.games.woods.house import WoodsHouse
from tests.games.woods.protocol.table import KEEPER, WoodsTable
from tests.kit.servers.house import Client
from tests.kit.servers.tables import room_of, seat_all

E = TypeVar("E", bound=Event)


@attrs.define(eq=False)
class Party:
    """Keeper and some animals at one table."""

    house: WoodsHouse
    kim: Client
    """Client of the keeper, who is the host."""
    others: tuple[Client, ...]

    @property
    def game(self) -> WoodsTable:
        game = self.house.host_of(self.kim).room.table.game
        assert isinstance(game, WoodsTable)
        return game

    def get_ready(self, client: Client, *characters: str) -> None:
        """Claim characters, if any, and be ready."""
        if characters:
            client.port.claim(characters)
            self.house.settle()
        client.port.set_ready(is_ready=True)
        self.house.settle()

    def start(self) -> None:
        self.kim.port.start()
        self.house.settle()

    def answer(self, client: Client, clearing: str) -> None:
        """Lay the snare in a clearing, or walk there."""
        view = client.model.view
        question = view.my_question() if view is not None else None
        assert view is not None
        assert view.ask is not None
        assert question is not None
        (pick,) = [
            choice.choice_id
            for choice in question.choices
            if choice.text.params == (f"clearing/{clearing}",)
        ]
        client.port.answer(view.ask.ask_id, (pick,))
        self.house.settle(0.2)

    def refusal(self, client: Client) -> str:
        """Return the code of the last refusal, empty if none."""
        refused = client.session.all(messages.Refusal)
        return refused[-1].code if refused else ""

    def ready(self, client: Client) -> bool:
        view = client.model.view
        assert view is not None
        assert view.seat is not None
        return room_of(self.house, self.kim).seats[view.seat].is_ready


def a_party(
    names: Sequence[str] = ("Ann", "Ben"),
    settings: Settings | None = None,
    content: Content | None = None,
) -> Party:
    """Return a seated party; its host is the keeper."""
    house = WoodsHouse(on_shelf=content or Content())
    kim, *others = seat_all(house, ["Kim", *names], settings)
    kim.port.claim_role(KEEPER)
    house.settle()
    return Party(house, kim, tuple(others))


def a_game(settings: Settings | None = None, content: Content | None = None) -> Party:
    """Return a game of Kim, Ann with the badger and Ben with the crane, at its first question."""
    party = a_party(settings=settings, content=content)
    begin(party)
    return party


def begin(party: Party) -> None:
    """Let the keeper, Ann with the badger and Ben with the crane start their game."""
    party.get_ready(party.kim)
    for client, animal in zip(party.others, ("animal/badger", "animal/crane"), strict=True):
        party.get_ready(client, animal)
    party.start()


def told(client: Client, kind: type[E]) -> list[E]:
    """Return the events of a kind that a client has received, with secrets sealed."""
    view = client.model.view
    assert view is not None
    return [record.event for record in view.records if isinstance(record.event, kind)]

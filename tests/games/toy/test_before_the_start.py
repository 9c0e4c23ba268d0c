"""Preparations of seats and the legacy of a campaign, through lobby and client."""

import random

import attrs
import pytest

from protocol import messages
from protocol.common import events
from protocol.common.padded import Padded
from protocol.common.table import RoomTable, Stage
from server.lobby.lobby import Lobby
from server.lobby.services.seams import ScenarioCard
from server.packs.shelf import PackShelf
from tests.games.every import Person
from tests.games.toy.house import SCENARIO, ToyHouse, toy_pack
from tests.kit.servers.house import Client
from tests.kit.servers.tables import happened, room_id_of, room_of, seat_all
from tests.kit.tables.toy import CAMPAIGN
from tests.kit.tables.toy_table import PIECES, Content, ToyTable

pytestmark = pytest.mark.issue(11)
NEXT = "toy/next"


class _Shelf(PackShelf):
    """Shelf with two scenarios of one campaign."""

    def scenarios(self) -> tuple[ScenarioCard, ...]:
        after = {SCENARIO: "", NEXT: SCENARIO}
        return tuple(
            attrs.evolve(card, campaign=CAMPAIGN, after=after[card.scenario])
            for card in super().scenarios()
        )


class Saga(ToyHouse):
    """Server with a campaign of two parts."""

    def _new_lobby(self) -> Lobby:
        lobby = super()._new_lobby()
        pack, content = toy_pack(), Content(rounds=1)
        shelf = _Shelf()
        shelf.add(attrs.evolve(pack, decks={SCENARIO: content, NEXT: content}))
        around = attrs.evolve(lobby.services, shelf=shelf)
        return Lobby(around, sign=self.identity.sign, public=self.identity.public)


def sat_down(house: ToyHouse, *names: str) -> list[Client]:
    """Return people at one table, each with a piece."""
    clients = seat_all(house, names)
    for client, piece in zip(clients, PIECES, strict=False):
        client.port.claim((piece,))
        house.settle()
    return clients


def played(house: ToyHouse, clients: list[Client]) -> ToyTable:
    """Play a table to its end; return the game."""
    for client in clients:
        client.port.set_ready(True)
        house.settle()
    clients[0].port.start()
    house.settle()
    people = [Person(client.model, client.port, random.Random(1)) for client in clients]
    for _ in range(60):
        for person in people:
            person.act()
            house.settle(0.1)
    table = house.host_of(clients[0]).room.table
    assert table.room.stage is Stage.OVER
    assert isinstance(table.game, ToyTable)
    return table.game


def brought(room: RoomTable) -> dict[str, bytes]:
    """Return what each seat brought from the campaign, by player name."""
    seats = room.seats.values()
    return {seat.name: seat.brought.value.content for seat in seats if seat.brought is not None}


def test_a_client_prepares_and_its_seat_alone_reads_it() -> None:
    house = ToyHouse(on_shelf=Content(has_wishes=True))
    ann, ben = sat_down(house, "Ann", "Ben")

    ben.port.prepare(Padded.of(b"rain"))
    house.settle()

    for client, is_open in ((ben, True), (ann, False)):
        assert client.model.view is not None
        prepared = client.model.view.table.room.seats[1].prepared
        assert prepared is not None
        assert prepared.is_open is is_open


def test_the_reason_of_the_rules_reaches_the_client_in_its_language() -> None:
    """Only the refused client is sent the words of the reason, which belong to the game."""
    house = ToyHouse(on_shelf=Content(has_wishes=True))
    ann = house.client("Ann", language="fr")
    house.open_table(ann)

    ann.port.prepare(Padded.of(b"snow"))
    house.settle()

    refused = ann.session.last(messages.Refusal)
    assert refused.code == "prepared/unfit"
    assert ann.model.words_for(refused) == "Souhaitez l’un de ceux-ci : fog, hail, rain, sun"
    assert not happened(house, room_id_of(ann), events.Prepared)


def test_a_campaign_goes_on_with_what_it_left_to_each_by_their_key() -> None:
    """Seats may be taken in another order, and a stranger has no legacy."""
    house = Saga()
    first = sat_down(house, "Ann", "Ben")
    game = played(house, first)
    left = {seat: own.value.content for seat, own in game.own.items()}
    ann, ben = first
    for client in first:
        client.port.leave_table()
    zoe = house.client("Zoe")
    code = house.open_table(ann)
    for client in (zoe, ben):
        house.join(client, code)

    ann.port.continue_campaign()
    house.settle()

    room = room_of(house, ann)
    assert room.scenario == NEXT
    assert room.legacy == game.legacy
    assert brought(room) == {"Ann": left[0], "Ben": left[1]}


def test_who_sits_down_after_the_campaign_went_on_brings_theirs_too() -> None:
    """The legacy is given once, for the game that the table continues."""
    house = Saga()
    first = sat_down(house, "Ann", "Ben")
    game = played(house, first)
    ann, ben = first
    for client in first:
        client.port.leave_table()
    code = house.open_table(ann)
    ann.port.continue_campaign()
    house.settle()
    assert list(brought(room_of(house, ann))) == ["Ann"]

    house.join(ben, code)
    house.join(ben, code)

    assert brought(room_of(house, ann))["Ben"] == game.own[1].value.content
    assert len(happened(house, room_id_of(ann), events.BroughtAlong)) == 2

"""Playing again: everybody keeps the role of the last game."""

import pytest

from protocol.common.table import Stage
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.games.woods.results import finished
from tests.kit.servers.tables import room_of

pytestmark = pytest.mark.issue(39)


@pytest.mark.parametrize("first", ["kim", "ann"])
def test_people_keep_their_roles_whoever_opens_the_next_table(first: str) -> None:
    party = finished("animal")
    ann, ben = party.others
    clients = [party.kim, ann, ben] if first == "kim" else [ann, party.kim, ben]

    for client in clients:
        client.port.play_again()
        party.house.settle(0.5)

    room = room_of(party.house, party.kim)
    assert room.stage is Stage.LOBBY
    roles = {seat.name: seat.role for seat in room.seats.values()}
    assert roles["Kim"] == KEEPER
    assert {roles["Ann"], roles["Ben"]} <= {ANIMAL, ""}


def test_who_took_the_role_at_the_next_table_keeps_it() -> None:
    party = finished("animal")
    ann, _ = party.others
    ann.port.play_again()
    party.house.settle(0.5)
    ann.port.claim_role(KEEPER)
    party.house.settle(0.5)

    party.kim.port.play_again()
    party.house.settle(0.5)

    room = room_of(party.house, party.kim)
    assert {seat.name: seat.role for seat in room.seats.values()} == {"Ann": KEEPER, "Kim": ""}

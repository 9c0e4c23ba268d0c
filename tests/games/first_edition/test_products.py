"""The products of the first edition at a table: switched, and what is left without them."""

import pytest

from protocol import messages
from protocol.common.table import Stage
from protocol.games.first_edition.words import KEEPER
from tests.games.first_edition.house import SCENARIO, RoomsHouse
from tests.kit.servers.house import Client
from tests.kit.servers.tables import room_of, seat_all

rule = pytest.mark.rule

OUTDOORS = "product/outdoors"
HESTER = "investigator/hester-quill"
NORA = "investigator/nora-voss"


def settled(house: RoomsHouse, *clients: Client) -> None:
    for client in clients:
        client.port.set_ready(is_ready=True)
        house.settle()


@rule("W-DECIDE-55", "W-USE-2", "W-EX-22")
def test_the_outdoors_are_on_and_the_host_can_switch_them_off() -> None:
    house = RoomsHouse()
    ann, kim = seat_all(house, ["Ann", "Kim"])
    line = ann.model.scenario(SCENARIO)
    assert line is not None
    assert [one.product for one in line.products] == [OUTDOORS]
    assert room_of(house, ann).products_off == ()
    assert HESTER in ann.model.characters(room_of(house, ann))

    ann.port.switch_products((OUTDOORS,))
    house.settle()
    assert room_of(house, ann).products_off == (OUTDOORS,)
    assert HESTER not in ann.model.characters(room_of(house, ann))
    ann.port.claim((HESTER,))
    house.settle()
    assert ann.session.last(messages.Refusal).code == "table/no_such_piece"

    kim.port.claim_role(KEEPER)
    ann.port.claim((NORA,))
    house.settle()
    settled(house, ann, kim)
    ann.port.start()
    house.settle()
    assert room_of(house, ann).stage is Stage.PLAYING


@rule("W-CARD-14", "W-USE-7")
@pytest.mark.parametrize(("language", "mark"), [("en", "Product: Under Open Sky")])
def test_the_reading_of_an_investigator_names_the_product(language: str, mark: str) -> None:
    house = RoomsHouse()
    (ann,) = seat_all(house, ["Ann"])
    speaker = ann.model.speaker
    assert speaker.reading("character", HESTER)[-1] == mark
    assert mark not in speaker.details("character", HESTER)
    assert speaker.reading("character", NORA) == speaker.details("character", NORA)

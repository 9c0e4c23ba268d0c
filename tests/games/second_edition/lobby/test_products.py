"""Products: a table does not use the parts of products that its host has switched off."""

import attrs
import pytest

from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.products import Product
from protocol import messages
from protocol.common import events
from protocol.common.table import Stage
from protocol.games.second_edition.events import SupplyLaidOut
from tests.games.second_edition.simulate import core, scenario_id
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, happened, room_id_of, room_of, seat_all

rule = pytest.mark.rule

PEOPLE = "product/people"
THINGS = "product/things"
HOUSE = "product/house"
OTHER = "core/other-house"
GONE = tuple(core().investigators)[:2]
LEFT = tuple(core().investigators)[2:]


class Shop(House):
    """Server with a pack in parts: some investigators, some Items, and a second scenario."""

    def content(self) -> Pack:
        things = tuple(core().items)[:2]
        parts = (
            Product(PEOPLE, GONE),
            Product(THINGS, things),
            Product(HOUSE, (OTHER,)),
        )
        known = core().scenarios[scenario_id()]
        return attrs.evolve(
            core(),
            products={part.id: part for part in parts},
            scenarios={**core().scenarios, OTHER: attrs.evolve(known, id=OTHER)},
        )


@pytest.fixture
def shop() -> Shop:
    return Shop()


def switched(shop: Shop, host: Client, *off: str) -> tuple[str, ...]:
    """Let the host switch products off; return those that are off."""
    host.port.switch_products(off)
    shop.settle()
    return room_of(shop, host).products_off


@rule("SETUP-5")
@rule("APP-18")
def test_each_product_is_switched_by_itself_before_the_game(shop: Shop) -> None:
    ann, ben = seat_all(shop, ["Ann", "Ben"])
    get_ready(shop, [ann, ben])
    line = ben.model.scenario(scenario_id())
    assert line is not None
    assert [product.product for product in line.products] == [PEOPLE, THINGS, HOUSE]

    assert switched(shop, ann, THINGS) == (THINGS,)
    assert switched(shop, ann, THINGS, PEOPLE) == (PEOPLE, THINGS)
    assert switched(shop, ann, PEOPLE) == (PEOPLE,)

    assert ben.model.view is not None
    assert ben.model.view.table.room.products_off == (PEOPLE,)
    assert not any(seat.is_ready for seat in room_of(shop, ann).seats.values())


@rule("APP-19")
@rule("SETUP-5")
def test_investigators_of_a_product_that_is_off_cannot_be_played(shop: Shop) -> None:
    ann, ben = seat_all(shop, ["Ann", "Ben"])
    get_ready(shop, [ann, ben])
    assert room_of(shop, ann).seats[0].characters == GONE[:1]
    switched(shop, ann, PEOPLE)

    assert ann.model.characters(room_of(shop, ann)) == LEFT
    ben.port.claim(GONE[1:])
    shop.settle()
    assert ben.session.last(messages.Refusal).code == "table/no_such_piece"
    for client in (ann, ben):
        client.port.set_ready(True)
        shop.settle()
    ann.port.start()
    shop.settle()
    assert ann.session.last(messages.Refusal).code == "table/choose_first"

    ann.port.claim(LEFT[:1])
    ben.port.claim(LEFT[1:2])
    shop.settle()
    for client in (ann, ben):
        client.port.set_ready(True)
        shop.settle()
    ann.port.start()
    shop.settle()
    assert room_of(shop, ann).stage is Stage.PLAYING


@rule("APP-19")
def test_the_cards_of_a_product_that_is_off_are_in_no_deck(shop: Shop) -> None:
    ann, ben = seat_all(shop, ["Ann", "Ben"])
    switched(shop, ann, THINGS)
    get_ready(shop, [ann, ben])
    ann.port.start()
    shop.settle()

    (laid,) = happened(shop, room_id_of(ann), SupplyLaidOut)
    pack = core()
    everything = {*pack.items, *pack.conditions, *pack.spells}
    assert laid.supply.keys() == everything - set(tuple(pack.items)[:2])


@rule("APP-19")
def test_a_scenario_of_a_product_that_is_off_cannot_be_chosen(shop: Shop) -> None:
    """A product cannot be switched off while its scenario is chosen."""
    (ann,) = seat_all(shop, ["Ann"])

    assert switched(shop, ann, HOUSE) == (HOUSE,)
    ann.port.choose_scenario(OTHER)
    shop.settle()
    assert ann.session.last(messages.Refusal).code == "table/product_off"

    switched(shop, ann)
    ann.port.choose_scenario(OTHER)
    shop.settle()
    assert room_of(shop, ann).scenario == OTHER
    assert switched(shop, ann, HOUSE) == ()
    assert ann.session.last(messages.Refusal).code == "table/product_needed"


def test_only_what_there_is_can_be_switched_and_only_by_the_host(shop: Shop) -> None:
    ann, ben = seat_all(shop, ["Ann", "Ben"])

    switched(shop, ben, THINGS)
    assert ben.session.last(messages.Refusal).code == "table/host_only"
    switched(shop, ann, "product/nothing")
    assert ann.session.last(messages.Refusal).code == "table/no_such_product"
    get_ready(shop, [ann, ben])
    ann.port.start()
    shop.settle()
    assert switched(shop, ann, THINGS) == ()
    assert ann.session.last(messages.Refusal).code == "table/already_started"
    assert not happened(shop, room_id_of(ann), events.ProductsSwitched)


@rule("APP-19")
def test_a_game_that_comes_back_has_the_same_products_off(shop: Shop) -> None:
    ann, ben = seat_all(shop, ["Ann", "Ben"])
    switched(shop, ann, THINGS)
    get_ready(shop, [ann, ben])
    ann.port.start()
    shop.settle()

    room_id = room_id_of(ann)
    shop.restart()
    again = shop.client("Ann")
    again.port.enter(room_id)
    shop.settle()

    assert room_of(shop, again).products_off == (THINGS,)
    assert again.model.view is not None
    assert again.model.view.table.room.products_off == (THINGS,)

"""Roles in the waiting room: which are missing, how one is chosen, and who has a full one."""

import attrs
import pytest

from client.locale import LANGUAGES, load
from client.screens.table.proposals import give_items
from client.screens.ui import Ui
from protocol.common.table import Seat
from tests.games.woods.house import WoodsHouse
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.games.woods.table import Party, a_party
from tests.games.woods.test_seats_on_screen import Plain, roles, screen_of
from tests.kit.servers.tables import room_of, seat_all

pytestmark = pytest.mark.issue(39)


def without_keeper() -> Party:
    """Return three animals, all of them ready."""
    house = WoodsHouse()
    kim, *others = seat_all(house, ["Kim", "Ann", "Ben"])
    party = Party(house, kim, tuple(others))
    for client, animal in zip((kim, *others), ("badger", "crane", "deer"), strict=True):
        party.get_ready(client, f"animal/{animal}")
    return party


def go_to(ui: Ui, line: str) -> None:
    """Move the cursor to a line of the list."""
    for _ in range(8):
        if line in ui.draw(24, 80).plain():
            return
        ui.press("down")
    raise AssertionError(line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_role_is_named_and_nobody_is_invited_to_start(language: str) -> None:
    party = without_keeper()
    party.kim.model.locale = load(language)
    keeper = party.kim.model.speaker.name("role", KEEPER)
    ui = screen_of(party.kim)

    drawn = " ".join(ui.draw(24, 80).plain().split())

    lacks = party.kim.model.locale.say("waiting_room.role_missing", keeper)
    assert " ".join(lacks.split()).rstrip(".") in drawn
    assert "to start" not in drawn
    ui.press("enter")
    party.house.settle()
    assert not party.refusal(party.kim)
    assert keeper in ui.desk.model.bar.text


def test_who_is_not_the_host_hears_of_no_key_for_a_bot() -> None:
    ann, _ = without_keeper().others

    drawn = screen_of(ann).draw(24, 80).plain()

    assert "Somebody has to play: Keeper." in drawn


def test_plain_lines_name_a_missing_role() -> None:
    party = without_keeper()
    host = Plain(party.kim)

    assert host.type("lobby").endswith("Somebody has to play: Keeper; bot adds a bot.")
    assert host.type("start") == "Somebody has to play: Keeper; bot adds a bot."
    assert Plain(party.others[0]).type("lobby").endswith("Somebody has to play: Keeper.")


def test_enter_on_another_role_chooses_it_and_is_ready_on_the_own_one() -> None:
    house = WoodsHouse()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    party = Party(house, ann, (ben,))
    ann.port.claim(("animal/badger", "animal/crane"))
    house.settle()
    ui = screen_of(ann)
    ui.draw(24, 80)

    go_to(ui, "> [ ] Keeper")
    assert "Press Enter to play this role: Keeper." in ui.draw(24, 80).plain()
    ui.press("enter")
    house.settle()

    assert roles(ann)[0] == KEEPER
    assert not party.ready(ann)
    assert "Press Enter when you are ready." in ui.draw(24, 80).plain()
    ui.press("enter")
    house.settle()
    assert roles(ann)[0] == KEEPER
    assert party.ready(ann)


def test_the_first_enter_of_a_keeper_who_comes_back_keeps_the_role() -> None:
    house = WoodsHouse()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    ann.port.claim_role(KEEPER)
    house.settle()
    ui = screen_of(ann)
    ui.draw(24, 80)

    ui.press("enter")
    house.settle()

    assert roles(ann)[0] == KEEPER
    assert Party(house, ann, (ben,)).ready(ann)


def test_a_full_role_stands_with_who_has_it_and_is_not_asked_for() -> None:
    house = WoodsHouse()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    ann.port.claim_role(KEEPER)
    house.settle()
    ui = screen_of(ben)
    assert "[-] Keeper (Ann)" in ui.draw(24, 80).plain()

    go_to(ui, "> [-] Keeper")
    ui.press("enter")
    house.settle()

    assert "As many have that role as may" in ui.draw(24, 80).plain()
    assert room_of(house, ben).seats[1].role in {"", ANIMAL}


def test_plain_lines_say_why_a_bot_gets_no_role() -> None:
    house = WoodsHouse()
    (ann,) = seat_all(house, ["Ann"])
    host = Plain(ann)
    host.type("bot keeper")

    assert host.type("bot keeper") == "As many have that role as may; choose another."
    assert host.type("bot witch") == "“witch” is no role of this game. The roles: Animal, Keeper"
    assert roles(ann) == ["", KEEPER]


def test_nobody_with_company_hears_that_they_are_alone() -> None:
    house = WoodsHouse()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    ann.port.claim_role(KEEPER)
    house.settle()
    ui = screen_of(ben)

    assert "with so few at the table, you play 2." in " ".join(ui.draw(40, 120).plain().split())
    assert "With so few at the table, you play 2" in Plain(ben).type("lobby")
    ben.port.claim(("animal/badger",))
    house.settle()
    lines = ui.draw(40, 120).plain(), Plain(ben).type("lobby")
    assert all("With so few at the table, you play 2 characters: choose" in one for one in lines)
    # The keeper plays no animal, and is told of none.
    assert "lone" not in Plain(ann).type("claim")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seat_to_give_is_named_with_its_role(language: str) -> None:
    party = a_party()
    party.get_ready(party.kim)
    for client, animal in zip(party.others, ("badger", "crane"), strict=True):
        party.get_ready(client, f"animal/{animal}")
    view = party.kim.model.view
    assert view is not None
    model = party.kim.model
    model.locale = load(language)
    ui = screen_of(party.kim)
    seats = view.table.room.seats
    keeper = model.speaker.name("role", KEEPER)

    def offered(seat: Seat) -> list[str]:
        return [item.text for item in give_items(ui.desk, seat, is_apart=False)]

    kim, empty = seats[0], attrs.evolve(seats[0], name="")
    assert f"({keeper})" in offered(kim)[0]
    assert offered(empty) == [
        model.locale.say("propose.give_empty", model.locale.say("place.empty_of", keeper))
    ]
    assert model.speaker.name("character", "animal/badger") in offered(seats[1])[0]

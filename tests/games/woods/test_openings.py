"""Tables that open for one player: which game, which role, and the bots that it needs."""

import argparse
import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from client.commands.robots import CannotPlay, _sit_down
from client.model.lobby import Launch
from client.openings.solo import SoloOpening
from client.openings.tutorial import tutorials
from client.openings.wish import NotOffered, Wish
from client.plugs.face import GameFace
from client.plugs.lessons import Lesson, is_asked
from client.teaching.again import play_again
from protocol.common.table import Settings, Stage
from tests.games.club import Club
from tests.games.woods.house import SCENARIO, WoodsHouse
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_of

pytestmark = pytest.mark.issue(39)


def opened(house: House, client: Client, wish: Wish) -> SoloOpening:
    """Have a client ask for the lists and then for a table."""
    client.port.list_tables()
    house.settle()
    opening = SoloOpening(client.model, client.port, wish=wish)
    opening.begin()
    house.settle(1)
    return opening


def alone(wish: Wish) -> tuple[WoodsHouse, Client, SoloOpening]:
    house = WoodsHouse()
    ann = house.client("Ann")
    return house, ann, opened(house, ann, wish)


def refused(wish: Wish) -> str:
    """Return what a player is told whose wish cannot be met."""
    house, ann, opening = alone(wish)
    assert ann.model.view is None
    assert opening.is_over
    assert isinstance(opening.fault, NotOffered)
    del house
    return str(opening.fault)


def test_the_keeper_has_a_bot_of_the_other_side() -> None:
    house, ann, opening = alone(Wish("woods", KEEPER))

    seats = room_of(house, ann).seats
    assert opening.is_over
    assert (seats[0].role, seats[0].is_bot) == (KEEPER, False)
    assert [(seat.is_bot, len(seat.characters)) for seat in list(seats.values())[1:]] == [(True, 2)]
    assert seats[1].is_ready


@pytest.mark.parametrize(("language", "typed"), [("en", "keeper"), ("fr", "garde")])
def test_a_role_is_wanted_by_its_name_in_the_players_language(language: str, typed: str) -> None:
    house = WoodsHouse()
    ann = house.client("Ann", language=language)
    opening = opened(house, ann, Wish("woods", typed))

    assert opening.fault is None
    assert room_of(house, ann).seats[0].role == KEEPER
    assert ann.model.launch.command == f"manse solo --game woods --as {KEEPER}"


def test_without_a_wish_the_first_role_is_played_and_the_game_can_begin() -> None:
    house, ann, opening = alone(Wish())

    assert opening.is_over
    assert len(room_of(house, ann).seats) == 2


def test_the_same_wish_finds_the_same_table_again() -> None:
    house, ann, _ = alone(Wish("woods", KEEPER))
    first = room_of(house, ann).room_id
    ann.port.leave_table()
    house.settle()

    opened(house, ann, Wish("woods", KEEPER))
    assert room_of(house, ann).room_id == first
    assert len(room_of(house, ann).seats) == 2

    ann.port.leave_table()
    house.settle()
    opened(house, ann, Wish("woods", KEEPER, is_anew=True))
    assert room_of(house, ann).room_id != first


def test_a_table_of_another_role_is_not_taken_for_it() -> None:
    house, ann, _ = alone(Wish("woods", KEEPER))
    first = room_of(house, ann).room_id
    ann.port.leave_table()
    house.settle()

    opened(house, ann, Wish("woods", ANIMAL))
    room = room_of(house, ann)
    assert room.room_id != first
    assert room.seats[0].role in {"", ANIMAL}
    assert room.stage is Stage.LOBBY


def test_what_is_not_there_is_refused_with_what_there_is() -> None:
    assert refused(Wish("owls")) == "No game is called 'owls' here; there are: woods"
    assert refused(Wish("woods", "owl")) == "woods has no role 'owl'; its roles: animal, keeper"
    assert refused(Wish(role="owl")) == "woods has no role 'owl'; its roles: animal, keeper"
    assert refused(Wish("woods", pack="harbour")) == "The pack harbour is not for the game woods."


def test_a_role_in_a_pack_without_scenarios_leads_to_the_lobby() -> None:
    _, ann, opening = alone(Wish(role=KEEPER, pack="harbour"))

    assert ann.model.view is None
    assert (opening.is_over, opening.fault) == (True, None)


def test_who_plays_again_has_the_same_role_and_bots_in_the_others() -> None:
    house, ann, _ = alone(Wish("woods", KEEPER))
    first = room_of(house, ann).room_id
    ann.port.set_ready(is_ready=True)
    house.settle()
    ann.port.start()
    for _ in range(100):
        house.settle(1)
        view = ann.model.view
        assert view is not None
        if view.table.room.stage is Stage.OVER:
            break
        question = view.my_question()
        if question is not None and view.ask is not None:
            ann.port.answer(view.ask.ask_id, (question.choices[0].choice_id,))

    play_again(ann.model, ann.port, leave=lambda: None)
    house.settle(1)

    room = room_of(house, ann)
    assert room.room_id != first
    assert [seat.role for seat in room.seats.values()] == [KEEPER, ANIMAL]
    assert room.seats[1].is_ready


def test_the_command_that_is_told_at_leaving_finds_the_table() -> None:
    assert Wish("second_edition", "keeper").launch == Launch(
        "manse solo --game second-edition --as keeper", is_solo=True
    )


def test_a_role_has_a_tutorial_where_it_has_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    _, ann, _ = alone(Wish())
    lines = ann.model.lobby.scenarios or ()

    def taught(*roles: str) -> list[str]:
        lessons = {role: (Lesson("choose", is_asked),) for role in roles}
        face = GameFace("woods", lessons=lessons)
        monkeypatch.setattr("client.openings.tutorial.face_of", lambda _: face)
        return sorted(tutorials(lines))

    assert taught(KEEPER) == [KEEPER]
    assert taught(KEEPER, ANIMAL) == [ANIMAL, KEEPER]
    assert taught("") == [ANIMAL, KEEPER]
    assert taught() == []


def test_a_table_for_one_player_has_the_usual_settings_of_its_game() -> None:
    house, ann, _ = alone(Wish("woods", KEEPER))

    assert room_of(house, ann).settings == Settings(takebacks=False)


def test_a_table_that_a_bot_opens_has_the_usual_settings_of_its_game() -> None:
    house = WoodsHouse()
    ann = house.client("Ann")
    ann.model.address = "haunted.example:4470"

    async def until(_: object) -> None:
        house.settle()

    options = argparse.Namespace(open=SCENARIO, json=True, role="", at_once=False)
    client: Any = SimpleNamespace(model=ann.model, port=ann.port, until=until)
    with contextlib.suppress(StopIteration, CannotPlay):
        _sit_down(client, options, None).send(None)

    assert room_of(house, ann).settings == Settings(takebacks=False)


def test_a_role_of_another_game_names_the_games_that_have_it() -> None:
    house = Club()
    ann = house.client("Ann")

    fault = opened(house, ann, Wish("toy", KEEPER)).fault

    assert str(fault) == "toy has no role 'keeper'; these games have one: woods (--game)"

"""Plugs of the toy: it is found by its name in each layer."""

import pytest

from client.plugs.face import GameFace, face_of
from protocol.messages import TableOpened
from protocol.plugs import UnknownGameError, plug
from tests.games.toy.house import SCENARIO, ToyHouse
from tests.kit.servers.tables import room_of
from tests.kit.tables.toy import ToyRules

pytestmark = pytest.mark.issue(11)


def test_its_rules_are_found() -> None:
    assert isinstance(plug("server", "toy", "plug").RULESET, ToyRules)


def test_its_face_is_found() -> None:
    assert face_of("toy") is plug("client", "toy", "face").FACE


def test_what_its_face_does_not_bring_suits_any_game() -> None:
    assert face_of("toy").readings == GameFace("toy").readings
    assert face_of("toy").lessons_for() == ()


def test_a_game_without_a_place_is_not_looked_for() -> None:
    """The name may come from a stranger's log."""
    with pytest.raises(UnknownGameError):
        plug("server", "tests.games.toy", "plug")


def test_a_table_plays_the_game_that_its_scenario_is_of() -> None:
    house = ToyHouse()
    ann = house.client("Ann")

    house.open_table(ann)

    assert ann.session.all(TableOpened)
    assert room_of(house, ann).scenario == SCENARIO
    assert room_of(house, ann).ruleset == "toy"

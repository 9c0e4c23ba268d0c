"""Another game with the same people, as seen by players and spectators in plain mode."""

import pytest

from protocol import messages
from protocol.common.table import Settings
from tests.games.second_edition.lobby.test_reviews_in_lines import Typist
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, room_id_of, seat_all

pytestmark = pytest.mark.issue(38)


def test_all_come_to_the_next_table_and_nothing_else_is_said() -> None:
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"], Settings(spectators=True))
    room_id, wat = room_id_of(ann), house.client("Wat")
    wat.port.watch(ann.session.last(messages.TableOpened).watch_code)
    house.settle()
    get_ready(house, [ann, ben])
    ann.port.start()
    house.settle()
    people = [Typist(house, one) for one in (ann, ben)]
    for one in people:
        one.type("1")
    watching = at_a_table(house, wat)
    first, second = people
    first.type("concede agree")
    second.type("agree")
    assert "Type again to follow the players" in watching.read()
    assert "have not opened another table" in watching.type("again")

    said = first.type("again")
    assert "Ann sat down." in said
    assert_clean(said)
    for one in (second, watching):
        said = one.read()
        assert said.splitlines() == [
            "Another table is waiting for the same people: play again leads there."
        ]
    said = second.type("again")
    assert "Ben sat down." in said
    assert_clean(said)
    # With two at the table each plays one: what Ann read when she was alone holds no more.
    said = first.read()
    assert said.splitlines() == ["Ben sat down.", "Choose whom you play: claim NUMBER."]
    assert watching.read() == ""
    said = watching.type("again")
    assert "You are watching" in said or "only watch" in said
    assert_clean(said)
    assert room_id_of(wat) == room_id_of(ann) == room_id_of(ben) != room_id


def at_a_table(house: House, client: Client) -> Typist:
    code = next(iter(client.port.entry._watch_codes.values()))
    typist = Typist(house, client)
    client.port.watch(code)
    typist.read()
    return typist


def assert_clean(said: str) -> None:
    """Assert that no line is about the last table, the list of tables or presence."""
    for stray in ("You have no table", "is here", "is away", "enter NUMBER", "only players"):
        assert stray not in said

"""The salt of every secret is a canary: the tests search all that a session is sent for it.

A salt is random, used once, and goes wherever its secret goes: into records, words, refusals and
files.
"""

from collections.abc import Iterable
from functools import cache

import pytest

from protocol import messages
from protocol.common.table import Settings
from protocol.event import Stored, cut, everything
from protocol.messages import encode_message
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, start_all
from tests.lobby.test_saving import answer_some

pytestmark = pytest.mark.issue(13)


def salts(log: Iterable[Stored], seat: int | None) -> set[bytes]:
    """Return the canaries that a seat may know so far."""
    cuts = (cut(stored, seat) for stored in log)
    return {opening.salt for one in cuts for _, opening in one.openings}


def planted(log: Iterable[Stored]) -> set[bytes]:
    """Return the canaries of all secrets of a room."""
    cuts = (everything(stored) for stored in log)
    return {opening.salt for one in cuts for _, opening in one.openings}


def found(canaries: Iterable[bytes], data: bytes) -> set[bytes]:
    """Return the canaries within some bytes, as bytes or in hexadecimal."""
    return {one for one in canaries if one in data or one.hex().encode() in data}


def sent_to(client: Client) -> bytes:
    """Return all that a session was sent, encoded."""
    return b"".join(encode_message(message) for message in client.session.sent)


@cache
def evening() -> tuple[list[Stored], dict[int | None, Client]]:
    """Return the log of a game of some length, and its followers, each with an export."""
    house = House()
    ada, ben = start_all(house, ["Ada", "Ben"], Settings(spectators=True))
    wat = house.client("Wat")
    wat.port.watch(ada.session.last(messages.TableOpened).watch_code)
    house.settle()
    answer_some(house, [ada, ben], 25)
    for client in (ada, ben, wat):
        client.send(messages.ExportTable(900, room_id_of(client)))
        # What is refused is told, too.
        client.send(messages.StartGame(901, room_id_of(client)))
    house.settle()
    return house.log_of(room_id_of(ada)), {0: ada, 1: ben, None: wat}


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_viewer_is_sent_the_secrets_of_their_seat_and_no_others(seat: int | None) -> None:
    log, clients = evening()
    everywhere = planted(log)

    assert len(everywhere) > 100
    assert found(everywhere, sent_to(clients[seat])) == salts(log, seat)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_file_before_the_end_has_no_more_than_the_asker_was_sent(seat: int | None) -> None:
    log, clients = evening()
    parts = clients[seat].session.all(messages.ExportPart)
    data = b"".join(part.data for part in parts)

    assert data
    assert found(planted(log), data) == salts(log, seat)


def test_each_seat_has_secrets_that_the_other_has_not() -> None:
    """If both knew the same, the search would find nothing, or nothing that is forbidden."""
    log, _ = evening()
    ada, ben, all_of_it = salts(log, 0), salts(log, 1), planted(log)

    assert ada - ben
    assert ben - ada
    assert all_of_it - ada - ben
    assert not salts(log, None)

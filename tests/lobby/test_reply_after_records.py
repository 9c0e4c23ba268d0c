"""The reply to an input follows its records, also on a session that still reads older ones."""

from collections.abc import Iterable, Iterator

import attrs
import pytest

from client.model.model import ClientModel
from client.plain.client import PlainClient
from protocol import messages
from protocol.messages import ServerMessage
from tests.kit.servers.house import Client, FakeSession, House
from tests.kit.servers.tables import room_id_of, seat_all

pytestmark = pytest.mark.issue(39)


@attrs.define(eq=False)
class LateEnd(FakeSession):
    """A connection that takes the records of a stream at once, and its end when told to."""

    streams: list[Iterator[ServerMessage]] = attrs.field(factory=list)

    def stream(self, messages_of: Iterable[ServerMessage]) -> None:
        stream = iter(messages_of)
        for message in stream:
            self.send(message)
            if isinstance(message, messages.Records):
                break
        self.streams.append(stream)

    def end_streams(self, house: House) -> None:
        while self.streams:
            for message in self.streams.pop(0):
                self.send(message)
            house.settle()


@pytest.fixture
def house() -> House:
    """Return a server with Ada at her table."""
    return House()


@pytest.fixture
def here(house: House) -> Client:
    """Return the client with which Ada has opened the table."""
    (ada,) = seat_all(house, ["Ada"])
    return ada


@pytest.fixture
def late(house: House, here: Client) -> tuple[Client, LateEnd]:
    """Return a second client of Ada that has all records, and whose stream has not ended."""
    session = LateEnd(here.session.account)
    client = Client(house, session, ClientModel("Ada", here.model.key))
    client.connect()
    client.port.enter(room_id_of(here))
    house.settle()
    assert session.streams
    assert not client.model.is_catching_up
    return client, session


def test_a_script_that_leaves_at_once_sees_what_it_said(
    house: House, late: tuple[Client, LateEnd]
) -> None:
    client, session = late
    printed: list[tuple[str, bool]] = []
    plain = PlainClient(
        client.model, client.port, lambda line: printed.append((line, plain.is_done))
    )
    plain.update()

    plain.hear("say good morning")
    plain.hear("quit")
    house.settle()
    session.end_streams(house)

    assert ("Ada: good morning", False) in printed
    assert plain.is_done


def test_a_reply_comes_after_the_records_of_its_input(
    house: House, late: tuple[Client, LateEnd]
) -> None:
    client, session = late
    before = len(session.sent)

    client.port.chat("good morning")
    house.settle()
    session.end_streams(house)

    kinds = (messages.Records, messages.Done)
    told = [message for message in session.sent[before:] if isinstance(message, kinds)]
    assert [isinstance(message, messages.Done) for message in told] == [False, True]


def test_whoever_stops_following_still_gets_the_reply(
    house: House, here: Client, late: tuple[Client, LateEnd]
) -> None:
    client, session = late
    client.port.chat("good morning")
    house.settle()
    assert client.model.sent

    house.host_of(here).followers.unfollow(session)
    house.settle()

    assert not client.model.sent

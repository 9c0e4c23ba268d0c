"""The table of message handlers: complete, without duplicates, bound to the lobby's services."""

from typing import Any

import attrs
import pytest

from protocol import messages
from protocol.vocabulary import ClientMessage, message_kinds
from server.lobby.requests.handlers import HANDLERS, Handler, Needs, bind, handles
from server.lobby.requests.pace import FREE
from server.lobby.requests.visitor import RoomVisitor, SeatHolder, Visitor
from tests.kit.servers.house import House
from tests.kit.servers.tables import seat_all

pytestmark = pytest.mark.issue(35)

OF_THE_NETWORK = {messages.Ping}
"""Messages that a session answers without the lobby."""


def test_every_message_of_a_client_has_a_handler() -> None:
    said = {kind for kind in message_kinds().values() if issubclass(kind, ClientMessage)}

    assert set(HANDLERS) == said - OF_THE_NETWORK


def test_a_message_with_two_handlers_is_refused() -> None:
    """The second declaration raises, so at the start of the server."""

    async def again(*_: Any) -> None:
        pass

    with pytest.raises(ValueError, match="two handlers for Chat"):
        handles(messages.Chat, needs=Needs.SEAT)(again)


def test_a_handler_is_given_the_collaborators_that_it_names() -> None:

    @attrs.frozen
    class Other:
        """A class that no handler names."""

    async def handler(_visitor: Visitor, _message: messages.Chat, house: House) -> Any:
        return house

    house = House()
    bound = bind({messages.Chat: Handler(Needs.SERVER, FREE, handler)}, [Other(), house])
    with pytest.raises(StopIteration) as end:
        bound[messages.Chat].function(None, None).__await__().send(None)
    assert end.value.value is house
    with pytest.raises(LookupError, match="house"):
        bind({messages.Chat: Handler(Needs.SERVER, FREE, handler)}, [Other()])


@pytest.mark.parametrize("kind", HANDLERS)
def test_who_asks_is_what_the_handler_needs(kind: type[ClientMessage]) -> None:
    handler = HANDLERS[kind]
    of_room = issubclass(kind, messages.RoomMessage)
    asker, message = list(handler.function.__annotations__.values())[:2]

    wanted = {Needs.SERVER: Visitor, Needs.ROOM: RoomVisitor, Needs.SEAT: SeatHolder}
    assert asker is wanted[handler.needs]
    assert message is kind
    assert of_room or handler.needs is Needs.SERVER


def test_a_message_without_a_handler_is_refused() -> None:
    house = House()
    (ada,) = seat_all(house, ["Ada"])
    house.lobby.sessions.received(ada.session, messages.Ping(1000))

    assert ada.session.last(messages.Refusal).code == "table/unknown_input"

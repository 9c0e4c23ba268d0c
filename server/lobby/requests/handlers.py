"""
The table of requests: one handler for each kind of client message.

A handler is a function in the module of its subject, declared with `@handles`. Its first two
parameters are the visitor and the message. The others are its collaborators, which `bind` finds by
their types. A handler raises `Refused`, or carries out the request and returns the reply: None
stands for `Done`, and ANSWERED for a reply that was sent already.
"""

import enum
import functools
import inspect
import typing
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, Literal, TypeVar

import attrs

from protocol import messages
from server.lobby.requests.pace import FREE, Cost

F = TypeVar("F", bound=Callable[..., Awaitable[object]])


class Needs(enum.Enum):
    """Precondition of a handler, which also decides the type of the handler's first argument."""

    SERVER = "server"
    """No precondition; the handler takes a `Visitor`."""
    ROOM = "room"
    """The room is loaded; the handler takes a `RoomVisitor`."""
    SEAT = "seat"
    """The room is loaded and the sender has a seat in it; the handler takes a `SeatHolder`."""


class Answered(enum.Enum):
    """Value that a handler returns if it has already sent its reply."""

    ANSWERED = "answered"


ANSWERED: Final = Answered.ANSWERED
Reply = messages.ServerMessage | Literal[Answered.ANSWERED] | None


@attrs.frozen
class Handler:
    """A row of the table of requests."""

    needs: Needs
    cost: Cost
    function: Callable[..., Awaitable[Reply]]
    is_private: bool = False
    """True if nobody else may learn that such a message came, not even by a count."""


HANDLERS: Final[dict[type[messages.ClientMessage], Handler]] = {}
"""Handlers by kind of message; importing the modules of `SUBJECTS` fills the table."""


def handles(
    kind: type[messages.ClientMessage],
    *,
    needs: Needs,
    cost: Cost = FREE,
    is_private: bool = False,
) -> Callable[[F], F]:
    """
    Declare the handler of a kind of message.

    Args:
        kind: the class of the messages, without its subclasses.
        needs: the precondition of the handler.
        cost: the budgets that a message uses.
        is_private: whether metrics leave such messages out.

    Raises:
        ValueError: the kind has a handler already.
    """

    def declare(function: F) -> F:
        if kind in HANDLERS:
            raise ValueError(f"two handlers for {kind.__name__}")
        HANDLERS[kind] = Handler(needs, cost, typing.cast("Any", function), is_private)
        return function

    return declare


def bind(
    handlers: Mapping[type[messages.ClientMessage], Handler], collaborators: Iterable[object]
) -> dict[type[messages.ClientMessage], Handler]:
    """
    Bind each handler to its collaborators, found by the types of its parameters.

    Raises:
        LookupError: a handler names an unknown collaborator.
    """
    by_type = {type(one): one for one in collaborators}

    def bound(handler: Handler) -> Handler:
        function = handler.function
        types = typing.get_type_hints(function)
        # The first two parameters are the visitor and the message.
        names = list(inspect.signature(function).parameters)[2:]
        missing = [name for name in names if types[name] not in by_type]
        if missing:
            raise LookupError(f"{function.__name__} names {missing}, which the lobby has not")
        given = {name: by_type[types[name]] for name in names}
        return attrs.evolve(handler, function=functools.partial(function, **given))

    return {kind: bound(handler) for kind, handler in handlers.items()}

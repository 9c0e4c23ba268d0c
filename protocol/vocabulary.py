"""
The vocabulary: how kinds of message are declared, encoded and told apart.

What the messages are stands in `protocol.messages`. Each side decodes only what the other side
may say.
"""

import enum
from collections.abc import Callable, Mapping
from typing import ClassVar, Literal, TypeVar, cast, dataclass_transform, overload

import attrs

from protocol import codec
from protocol.bounds import COUNT, ID, MAX_ID, MAX_ITEMS_OF_CLIENT, MAX_ITEMS_OF_SERVER
from protocol.errors import Malformed, UnknownTag
from protocol.frames import LIMIT_AFTER_LOGIN
from protocol.values import frozen

C = TypeVar("C", bound=type)


class Sender(enum.Enum):
    """Which end said something."""

    CLIENT = "client"
    SERVER = "server"


class Message:
    """Something said. Subclasses are declared with `@message`."""

    tag: ClassVar[str]
    side: ClassVar[Sender]
    """Who may say it."""


_KINDS: dict[str, type[Message]] = {}
_MAX_ITEMS: Mapping[Sender, int] = {
    Sender.CLIENT: MAX_ITEMS_OF_CLIENT,
    Sender.SERVER: MAX_ITEMS_OF_SERVER,
}


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def with_fields(cls: C) -> C:
    """Give a message that is not declared for itself its fields."""
    return frozen(cls)


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def message(tag: str) -> Callable[[C], C]:
    """
    Declare a kind of message: a frozen attrs class registered under a stable tag.

    Args:
        tag: never changes and is never used for anything else, not even by the other side.
    """

    def declare(cls: C) -> C:
        if tag in _KINDS:
            raise ValueError(f"two kinds of message with the tag {tag!r}")
        cls.tag = tag  # type: ignore[attr-defined]  # C is bound to type; Message declares it
        declared = frozen(cls)
        _KINDS[tag] = cast("type[Message]", declared)
        return declared

    return declare


def message_kinds() -> Mapping[str, type[Message]]:
    """Return every declared kind of message by tag, in the order of declaration."""
    return dict(_KINDS)


@with_fields
class ClientMessage(Message):
    """What a client says; always answered."""

    side = Sender.CLIENT

    serial: int = attrs.field(validator=COUNT)
    """Chosen by the client; the reply echoes it."""


@with_fields
class RoomMessage(ClientMessage):
    """What a client says about one room."""

    room_id: str = attrs.field(validator=ID)


class ServerMessage(Message):
    """What a server says."""

    side = Sender.SERVER


def encode_message(said: Message) -> bytes:
    """Turn a message into the payload of a frame: with the fields of the kind that has its tag."""
    kind = _KINDS.get(said.tag, type(said))
    fields = cast("tuple[codec.Plain, ...]", codec.to_plain(said, kind))
    return codec.pack((said.tag, *fields))


@overload
def decode_message(payload: bytes, side: Literal[Sender.CLIENT]) -> ClientMessage: ...
@overload
def decode_message(payload: bytes, side: Literal[Sender.SERVER]) -> ServerMessage: ...
def decode_message(payload: bytes, side: Sender) -> Message:
    """
    Read the payload of a frame.

    Args:
        payload: as it arrived.
        side: who said it; what the other side says is refused.

    Raises:
        Malformed, UnknownTag, OverLimit: it is no message of that side.
    """
    plain = codec.unpack(payload, max_bytes=LIMIT_AFTER_LOGIN, max_items=_MAX_ITEMS[side])
    if not isinstance(plain, tuple) or not plain or not isinstance(plain[0], str):
        raise Malformed("a message is an array that begins with its tag")
    kind = _KINDS.get(plain[0])
    if kind is None:
        raise UnknownTag(f"a message of the unknown kind {plain[0][:MAX_ID]!r}")
    if kind.side is not side:
        raise UnknownTag(
            f"{plain[0]!r} is not for the {side.value} to say", code="protocol/wrong_direction"
        )
    return cast("Message", codec.from_plain(plain[1:], kind))

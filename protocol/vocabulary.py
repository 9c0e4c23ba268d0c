"""
The vocabulary: declaring, encoding and decoding kinds of message.

The messages themselves are in `protocol.messages`. Each side decodes only kinds that the other side
may send.
"""

import enum
from collections.abc import Callable, Mapping
from typing import ClassVar, Literal, TypeVar, cast, dataclass_transform, overload

import attrs

from protocol import codec
from protocol.bounds import COUNT, MAX_ID, MAX_ITEMS_OF_CLIENT, MAX_ITEMS_OF_SERVER, ROOM_ID
from protocol.errors import Malformed, UnknownTag
from protocol.frames import LIMIT_AFTER_LOGIN
from protocol.values import frozen

C = TypeVar("C", bound=type)


class Sender(enum.Enum):
    """The end that sends a message."""

    CLIENT = "client"
    SERVER = "server"


class Message:
    """A message. Subclasses are declared with `@message`."""

    tag: ClassVar[str]
    side: ClassVar[Sender]
    """End that may send the message: client or server."""


_KINDS: dict[str, type[Message]] = {}
_MAX_ITEMS: Mapping[Sender, int] = {
    Sender.CLIENT: MAX_ITEMS_OF_CLIENT,
    Sender.SERVER: MAX_ITEMS_OF_SERVER,
}


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def with_fields(cls: C) -> C:
    """Make a frozen attrs class of a base class of messages. Such a base class has no tag."""
    return frozen(cls)


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def message(tag: str) -> Callable[[C], C]:
    """
    Declare a kind of message: a frozen attrs class registered under a stable tag.

    Args:
        tag: is never changed and never reused, not even by the other side.
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
    """A message from a client. It is always replied to; `AnswerInWindow` only if it is refused."""

    side = Sender.CLIENT

    serial: int = attrs.field(validator=COUNT)
    """Number chosen by the client, repeated in the reply."""


@with_fields
class RoomMessage(ClientMessage):
    """A message from a client about one room."""

    room_id: str = attrs.field(validator=ROOM_ID)


class ServerMessage(Message):
    """A message from a server."""

    side = Sender.SERVER


def encode_message(said: Message) -> bytes:
    """Return the frame payload of a message: an array of its tag and its fields."""
    kind = _KINDS.get(said.tag, type(said))
    fields = cast("tuple[codec.Plain, ...]", codec.to_plain(said, kind))
    return codec.pack((said.tag, *fields))


@overload
def decode_message(payload: bytes, side: Literal[Sender.CLIENT]) -> ClientMessage: ...
@overload
def decode_message(payload: bytes, side: Literal[Sender.SERVER]) -> ServerMessage: ...
def decode_message(payload: bytes, side: Sender) -> Message:
    """
    Parse a frame payload.

    Args:
        payload: the bytes received.
        side: the end that sent it; kinds of the other side are refused.

    Raises:
        Malformed, UnknownTag, OverLimit: it is not a message of that side.
    """
    # Bounds of the whole before anything is built, then the shape, then the bounds of each field.
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

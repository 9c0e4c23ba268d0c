"""Shared encoding: every message is encoded as it would be alone."""

from protocol.messages import Done, Pong, encode_message
from server.net.shared_encoding import SharedEncoding


def test_each_message_has_its_own_payload() -> None:
    shared = SharedEncoding()
    for said in (Done(1), Pong(1), Done(1), Done(1), Done(2), Pong(2)):
        for _ in range(2):
            assert shared.payload(said) == encode_message(said)


def test_what_is_said_again_is_not_encoded_again() -> None:
    shared, said = SharedEncoding(), Done(1)
    assert shared.payload(said) is shared.payload(said)

"""Mutated input: a reader of mutated bytes goes on, or raises ProtocolError.

It never raises another error, never loops, and never holds more than one permitted frame.
"""

import contextlib
import random

import pytest

from protocol.errors import ProtocolError
from protocol.frames import LENGTH_BYTES, LIMIT_AFTER_LOGIN, FrameDecoder, encode_frame
from protocol.login import ServerLogin
from protocol.messages import Sender, decode_message, encode_message
from tests.kit.mutating import long_rounds, mutated
from tests.protocol.test_login import EXPORTER, IDENTITY, client, server
from tests.protocol.test_messages import SAMPLES


def _read(stream: bytes, side: Sender, dice: random.Random) -> int:
    """Read a stream of messages in slices; return the number of readable ones."""
    decoder = FrameDecoder(LIMIT_AFTER_LOGIN)
    count = 0
    try:
        while stream:
            size = dice.choice([1, 7, 64, len(stream)])
            for payload in decoder.feed(stream[:size]):
                decode_message(payload, side)  # type: ignore[call-overload]  # either side
                count += 1
            stream = stream[size:]
            assert decoder.waiting_bytes <= LENGTH_BYTES + LIMIT_AFTER_LOGIN
    except ProtocolError:
        return count
    return count


def _mutate_conversations(rounds: int, seed: int) -> int:
    dice = random.Random(seed)
    streams = {
        side: b"".join(encode_frame(encode_message(m)) for m in SAMPLES if m.side is side)
        for side in Sender
    }
    understood = 0
    for _ in range(rounds):
        side = dice.choice(list(Sender))
        understood += _read(mutated(streams[side], dice), side, dice)
    return understood


def _mutate_logins(rounds: int, seed: int) -> None:
    dice = random.Random(seed)
    hello = server().hello()
    login = client().receive(hello) or b""
    for _ in range(rounds):
        one = ServerLogin(IDENTITY, EXPORTER, b"n" * 32, "Manse")
        one.hello()
        with contextlib.suppress(ProtocolError):
            one.receive(mutated(login, dice))
        with contextlib.suppress(ProtocolError):
            client().receive(mutated(hello, dice))


def test_mutated_conversations_raise_protocol_errors_alone() -> None:
    assert _mutate_conversations(3000, seed=1) > 3000


def test_mutated_logins_raise_protocol_errors_alone() -> None:
    _mutate_logins(500, seed=2)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.issue(13)
@pytest.mark.parametrize("seed", range(10, 14))
def test_a_hundred_thousand_mutated_frames_raise_protocol_errors_alone(seed: int) -> None:
    """This test makes half of all mutations; sessions and the client have tests of their own."""
    _mutate_conversations(long_rounds(50, runs=4), seed=seed)
    _mutate_logins(long_rounds(10, runs=4), seed=seed)

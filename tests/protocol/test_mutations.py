"""
Mutated input: whatever is done to the bytes of a conversation, the reader ends in one of two ways.

Either it goes on, or it refuses; it never raises anything else, never loops, never holds more than
one permitted frame. `MANSE_MUTATIONS=1000000` has `make test-long` try a million.
"""

import contextlib
import os
import random

import pytest

from protocol.errors import ProtocolError
from protocol.messages import Sender
from tests.net.people import RawClient, bench
from tests.protocol.readers import READERS, REFUSALS, mutated, read_stream

MUTATIONS = int(os.environ.get("MANSE_MUTATIONS", "100000"))
"""How many inputs the long test makes, over all readers."""
SEEDS = range(10, 14)

_NAMES = {Sender.CLIENT: "client's messages", Sender.SERVER: "server's messages"}

pytestmark = pytest.mark.issue(13)


def tried(name: str, rounds: int, seed: int) -> int:
    """Give a reader so many mutated inputs; return how many it took for good."""
    reader, dice = READERS[name], random.Random(f"{name} {seed}")
    begun, taken = reader.begin(), 0
    for _ in range(rounds):
        data = mutated(dice.choice(begun), dice)
        try:
            reader.read(data)
        except REFUSALS:
            continue
        taken += 1
    return taken


@pytest.mark.parametrize("name", READERS)
def test_every_reader_understands_what_mutations_begin_from(name: str) -> None:
    """Or each of them would be refused for the same dull reason."""
    for data in READERS[name].begin():
        if name != "archive":
            READERS[name].read(data)


@pytest.mark.parametrize("name", READERS)
def test_mutated_input_is_taken_or_refused(name: str) -> None:
    """Two thousand for each reader: nothing else is raised."""
    tried(name, 2000, seed=1)


def test_mutated_streams_arrive_in_slices() -> None:
    """Wherever the slices are cut; some part of each stream is still understood."""
    dice, understood = random.Random(2), 0
    for _ in range(1000):
        side = dice.choice(list(Sender))
        (stream,) = READERS[_NAMES[side]].begin()
        sizes = [dice.choice([1, 7, 64, 4096]) for _ in range(5)]
        with contextlib.suppress(ProtocolError):
            for _ in read_stream(mutated(stream, dice), side, sizes):
                understood += 1
    assert understood > 1000


def converse(rounds: int, seed: int) -> int:
    """Say mutated streams to sessions of a server; return how many let their client stay."""
    dice, stayed = random.Random(seed), 0
    (stream,) = READERS["client's messages"].begin()
    (login,) = READERS["login"].begin()
    one, beside = bench(), RawClient()
    beside = one.online("Beside")
    for number in range(rounds):
        is_known = dice.random() < 0.8
        client = one.online(f"Client {number}") if is_known else one.client()
        client.write(mutated(stream if is_known else login, dice))
        one.network.settle(0.1)
        stayed += not client.has_ended()
        assert client.end is not None
        client.end.loseConnection()
        one.network.settle(0.1)
        assert client.has_ended()
    assert not beside.has_ended()
    assert [session.account.name for session in one.desk.sessions] == ["Beside"]
    return stayed


def test_a_session_ends_or_goes_on_whatever_it_hears() -> None:
    """And nobody else's does: eighty mutated conversations beside one that stays."""
    converse(80, seed=3)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_hundred_thousand_mutations_are_taken_or_refused(seed: int) -> None:
    """In all, over all seeds and readers; `MANSE_MUTATIONS` says how many otherwise."""
    for name in READERS:
        tried(name, MUTATIONS // len(SEEDS) // len(READERS), seed)
    converse(MUTATIONS // 1000, seed)

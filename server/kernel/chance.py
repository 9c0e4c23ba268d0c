"""
Where a room's chance comes from: fresh entropy for secrets, and a seeded chance for outcomes.

How outcomes follow from a seed stands in `protocol.common.chance`, since whoever verifies a log
computes them too.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from protocol.common.chance import (
    SEED_BYTES,
    Chance,
    SeededChance,
    Stream,
    deal_key,
    play_key,
    play_key_1,
    salt_of_setup,
    salt_of_shares,
    setup_key,
    setup_key_1,
)
from protocol.common.table import RoomTable

__all__ = ["SEED_BYTES", "Chance", "Chances", "Entropy", "MakeChance", "chances_of", "seeded"]

Chances = Mapping[Stream, Chance]
"""The chance of each stream."""

MakeChance = Callable[[Stream, bytes], Chance]
"""Makes the chance of a stream from its key. Tests give their own."""


def seeded(_stream: Stream, key: bytes) -> Chance:
    """Return the chance that follows from a key, whatever the stream."""
    return SeededChance(key)


class Entropy(Protocol):
    """Where what nobody may foresee comes from: salts, handles, seeds."""

    def draw(self, count: int) -> bytes:
        """Return that many random bytes."""


def chances_of(room: RoomTable, head: bytes, fixed_seed: bytes | None, make: MakeChance) -> Chances:
    """
    Return the chance of each stream, once all shares are open.

    Args:
        room: with both seeds committed, and the ceremony with all shares.
        head: of the log up to here; the salt of the key of play in logs of version 1 alone.
        fixed_seed: of the room's fixed setup, where it has one.
        make: makes the chance of a stream from its key.
    """
    assert room.play_seed is not None and room.house_seed is not None  # noqa: PT018 (one thing)
    if room.version == 1:
        keys = {
            Stream.PLAY: play_key_1(room.play_seed.value, head),
            Stream.SETUP: setup_key_1(room.house_seed.value),
        }
        return {stream: make(stream, key) for stream, key in keys.items()}
    assert room.ceremony is not None
    commitments = (room.play_seed.commitment, room.house_seed.commitment)
    salt = house_salt = salt_of_shares(room.room_id, commitments, room.ceremony.shares)
    house_seed = room.house_seed.value
    if room.fixed_setup is not None:
        assert fixed_seed is not None, "a fixed setup without its seed"
        house_seed, house_salt = fixed_seed, salt_of_setup(room.fixed_setup.commitment)
    keys = {
        Stream.SETUP: setup_key(house_seed, house_salt),
        Stream.DEAL: deal_key(house_seed, house_salt),
        Stream.PLAY: play_key(room.play_seed.value, salt),
    }
    return {stream: make(stream, key) for stream, key in keys.items()}

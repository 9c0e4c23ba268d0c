"""
Commitments: fix values on the log without showing them.

A secret is stored as a salted hash of its value; revealing salt and value later proves that the
value never changed. The records of a log form a hash chain over their public bytes, so every seat
computes the same head whatever it may see.
"""

import hashlib
from collections.abc import Iterable

import attrs

from protocol import codec
from protocol.errors import BadCommitment
from protocol.values import frozen

SALT_BYTES = 32
"""Length of the random salt of each secret. Without a salt the few possible values could be tried.
"""

COMMITMENT_BYTES = 32
"""Length of a commitment: a SHA-256."""

_COMMITMENT = "manse commitment 1"
_CHAIN = b"manse chain 1"


@frozen
class Opening:
    """Salt and packed value of one commitment. As secret as the value itself."""

    salt: bytes = attrs.field(repr=False)
    value: bytes = attrs.field(repr=False)


def commit(room_id: str, sequence: int, slot: int, opening: Opening) -> bytes:
    """
    Return the commitment to a value: 32 bytes.

    It covers room, sequence and slot, so an opening is of no use for any other secret.
    """
    return committed(room_id, sequence, slot, opening.salt, opening.value)


def committed(room_id: str, sequence: int, slot: int, salt: bytes, packed: bytes) -> bytes:
    """Return the commitment to an opening that is given as its two parts."""
    preimage = (_COMMITMENT, room_id, sequence, slot, salt, packed)
    return hashlib.sha256(codec.pack_known(preimage)).digest()


def check(commitment: bytes, room_id: str, sequence: int, slot: int, opening: Opening) -> None:
    """Raise BadCommitment if an opening does not fit a commitment."""
    if len(opening.salt) != SALT_BYTES or commit(room_id, sequence, slot, opening) != commitment:
        raise BadCommitment(f"the opening of secret {slot} of event {sequence} is not its own")


def first_head(room_id: str) -> bytes:
    """Return the head of an empty log: 32 bytes that depend on the room alone."""
    # With the room in it, records of one room cannot continue the log of another.
    return hashlib.sha256(_CHAIN + room_id.encode()).digest()


def next_head(head: bytes, public: bytes) -> bytes:
    """Return the head after one more record, given the public bytes as stored."""
    digest = _BEGUN.copy()
    digest.update(head + public)
    return digest.digest()


_BEGUN = hashlib.sha256(_CHAIN)
"""SHA-256 state after the chain's label: copying it is cheaper than hashing the label again."""


def head_of(room_id: str, records: Iterable[bytes]) -> bytes:
    """Return the head of a log given the public bytes of its records in order."""
    head = first_head(room_id)
    for public in records:
        head = next_head(head, public)
    return head

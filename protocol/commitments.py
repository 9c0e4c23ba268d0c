"""
Commitments: how a log fixes values that it does not show.

A secret is stored as a salted hash of its value; showing salt and value later proves that it was
that value all along. The records of a log are chained by hash over their public bytes, so that
every seat, whatever it may see, computes the same head.
"""

import hashlib
from collections.abc import Iterable

import attrs

from protocol import codec
from protocol.errors import BadCommitment
from protocol.values import frozen

SALT_BYTES = 32
"""Random bytes beside each secret, so that nobody can try out the few values it might have."""

COMMITMENT_BYTES = 32
"""The length of a commitment: that of a SHA-256."""

_COMMITMENT = "manse commitment 1"
_CHAIN = b"manse chain 1"


@frozen
class Opening:
    """What opens one commitment: the salt and the packed value. Secret as long as they are."""

    salt: bytes = attrs.field(repr=False)
    value: bytes = attrs.field(repr=False)


def commit(room_id: str, sequence: int, slot: int, opening: Opening) -> bytes:
    """
    Return the commitment to a value: 32 bytes.

    Room, sequence and slot are part of it, so that no opening serves for another secret.
    """
    return committed(room_id, sequence, slot, opening.salt, opening.value)


def committed(room_id: str, sequence: int, slot: int, salt: bytes, packed: bytes) -> bytes:
    """Return the same for the parts of an opening."""
    preimage = (_COMMITMENT, room_id, sequence, slot, salt, packed)
    return hashlib.sha256(codec.pack_known(preimage)).digest()


def check(commitment: bytes, room_id: str, sequence: int, slot: int, opening: Opening) -> None:
    """Raise BadCommitment unless the opening is the one that was committed to."""
    if len(opening.salt) != SALT_BYTES or commit(room_id, sequence, slot, opening) != commitment:
        raise BadCommitment(f"the opening of secret {slot} of event {sequence} is not its own")


def first_head(room_id: str) -> bytes:
    """Return the head of an empty log: 32 bytes that depend on the room alone."""
    return hashlib.sha256(_CHAIN + room_id.encode()).digest()


def next_head(head: bytes, public: bytes) -> bytes:
    """Return the head after one more record, given the public bytes as stored."""
    digest = _BEGUN.copy()
    digest.update(head + public)
    return digest.digest()


_BEGUN = hashlib.sha256(_CHAIN)
"""The hash of every chain after its first bytes: to copy it takes less than to begin anew."""


def head_of(room_id: str, records: Iterable[bytes]) -> bytes:
    """Return the head of a log given the public bytes of its records in order."""
    head = first_head(room_id)
    for public in records:
        head = next_head(head, public)
    return head

"""Disclosures: secrets of a log that a later record of it opens to all."""

from protocol.values import frozen


@frozen
class Disclosure:
    """The opening of a secret that was committed to earlier on the same log."""

    sequence: int
    slot: int
    salt: bytes
    value: bytes
    """The packed value."""

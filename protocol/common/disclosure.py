"""Disclosures: secrets that a later record of the same log opens to everybody."""

from protocol.values import frozen


@frozen
class Disclosure:
    """Opening of a secret that was committed to earlier on the same log."""

    sequence: int
    slot: int
    salt: bytes
    value: bytes
    """The packed value."""

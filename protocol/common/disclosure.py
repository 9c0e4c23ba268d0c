"""Disclosures: secrets of a log that a later record of it opens to all."""

import attrs


@attrs.frozen
class Disclosure:
    """The opening of a secret that was committed to earlier on the same log."""

    sequence: int
    slot: int
    salt: bytes
    value: bytes
    """The packed value."""

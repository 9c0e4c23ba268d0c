"""Proposals: changes to a table that need the consent of other people at the table."""

from typing import ClassVar

from protocol.values import frozen


@frozen
class TakeBack:
    """Go back to a checkpoint."""

    kind: ClassVar[str] = "take_back"
    checkpoint: int
    """Sequence of the checkpoint."""


@frozen
class GiveSeat:
    """Give a seat to a bot, or to a new owner."""

    kind: ClassVar[str] = "give_seat"
    seat: int
    name: str = ""
    key: bytes = b""
    """Public key of the new owner; empty to invite somebody instead."""
    is_bot: bool = False


@frozen
class Correct:
    """Correct a number on the table."""

    kind: ClassVar[str] = "correct"
    piece: str
    """Id of the piece."""
    amount: int
    """The corrected number."""


@frozen
class GiveUp:
    """End the game for good."""

    kind: ClassVar[str] = "give_up"


Aim = TakeBack | GiveSeat | Correct | GiveUp
"""Content of a proposal."""

AIMS: dict[str, type[Aim]] = {aim.kind: aim for aim in (TakeBack, GiveSeat, Correct, GiveUp)}
"""Classes of proposals, by their kind on the log."""

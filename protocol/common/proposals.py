"""What can be proposed to a table; each is done once all who are asked agree."""

from typing import ClassVar

from protocol.values import frozen


@frozen
class TakeBack:
    """Going back to a checkpoint."""

    kind: ClassVar[str] = "take_back"
    checkpoint: int
    """The sequence of the checkpoint."""


@frozen
class GiveSeat:
    """Giving a seat to a bot, or to whoever is invited."""

    kind: ClassVar[str] = "give_seat"
    seat: int
    name: str = ""
    key: bytes = b""
    """Of the new owner; empty where somebody is invited."""
    is_bot: bool = False


@frozen
class Correct:
    """Setting a number on the table right."""

    kind: ClassVar[str] = "correct"
    piece: str
    """What on the table is not as it should be."""
    amount: int
    """What it should say."""


@frozen
class GiveUp:
    """Ending the game here, for good."""

    kind: ClassVar[str] = "give_up"


Aim = TakeBack | GiveSeat | Correct | GiveUp
"""What a proposal is for."""

AIMS: dict[str, type[Aim]] = {aim.kind: aim for aim in (TakeBack, GiveSeat, Correct, GiveUp)}
"""By the kind that stands on the log."""

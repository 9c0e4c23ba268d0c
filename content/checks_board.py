"""What must hold of steps about the board, beyond their types."""

from content.schema import effects
from content.sheet import Complaint


def check_place(step: effects.PlaceInvestigator, fault: Complaint) -> None:
    """See that one way of saying where to is written."""
    if (step.space is None) is (step.toward is None):
        fault("space", "say where to; write space or toward, not both")
    if step.toward is not None and step.toward.spaces in (0, effects.Amount()):
        fault("toward", "nobody is moved; write how many spaces")

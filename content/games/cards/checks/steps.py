"""Checks of single steps."""

from content.games.cards.checks.registry import checks
from content.games.cards.schema.steps import ChooseStep
from content.reading.sheet import Complaint


@checks(ChooseStep)
def _choose(step: ChooseStep, fault: Complaint) -> None:
    """Report a choice of nothing, and one of two things at once."""
    if (step.card is None) is (step.who is None):
        fault("", "either cards or investigators are chosen; write one of card and who")

"""Amounts: numbers of the content that grow with the group."""

from content.schema.effects import Amount
from server.rules.second_edition.play import Play


def scaled(play: Play, amount: Amount) -> int:
    """Return an amount for this game: by the investigators at the start. DECIDE-150."""
    return amount.base + amount.each * len(play.table.investigators)

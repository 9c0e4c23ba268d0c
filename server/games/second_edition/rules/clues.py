"""
Clues: gaining and spending them.

Rules CLUE-1 to CLUE-5, SPEND-1 to SPEND-3, DARKNESS-1 and DARKNESS-2. Clues are not possessions:
they change hands only in a trade, by a card that allows it (CLUE-2, CLUE-3).
"""

from content.games.second_edition.schema.cards import ModifierKind
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.second_edition.events import CluesGained, CluesSpent
from protocol.games.second_edition.table import InvestigatorId
from server.games.second_edition.rules import darkness, powers
from server.games.second_edition.rules.play import Play


def gain(play: Play, investigator: InvestigatorId, count: int) -> None:
    """Take Clues from the supply, which never runs out. Rules CLUE-1 and LIMIT-1."""
    if count > 0:
        play.emit(CluesGained(investigator, count))


def spend(play: Play, investigator: InvestigatorId, count: int) -> bool:
    """
    Discard Clues as a cost. Rules SPEND-1 and DISCARD-3.

    Returns:
        True if the Clues were spent; False if `count` is 0, or the investigator has fewer Clues
        (SPEND-2). Nobody can spend the Clues of another investigator (DECIDE-112).
    """
    if not 0 < count <= play.table.investigators[investigator].clues:
        return False
    play.emit(CluesSpent(investigator, count))
    return True


def to_convert(play: Play, investigator: InvestigatorId) -> int:
    """
    Return the number of Clues that an investigator can spend on converting dice.

    Rules CLUE-4 and DARKNESS-1.
    """
    if powers.reason_barred(play, investigator, ModifierKind.NO_CLUES):
        return 0
    return _spendable(play, investigator)


def for_steps(play: Play, investigator: InvestigatorId) -> int:
    """
    Return the number of Clues that an investigator can spend on puzzle steps.

    Rules CLUE-5, DARKNESS-2.
    """
    return _spendable(play, investigator)


def refused(
    play: Play, investigator: InvestigatorId, text: Text, rule: str
) -> tuple[RefusedChoice, ...]:
    """
    Return why an investigator cannot spend Clues: they have none (SPEND-2), or stand in Darkness.

    The result is empty if they can.

    Args:
        play: the game.
        investigator: the investigator who would spend Clues.
        text: purpose of the Clues.
        rule: rule by which Darkness forbids this: DARKNESS-1 or DARKNESS-2.
    """
    if not play.table.investigators[investigator].clues:
        return (RefusedChoice(text, Text("refusal/no_clues"), "SPEND-2"),)
    if darkness.is_in_the_dark(play, investigator):
        return (RefusedChoice(text, Text("refusal/dark"), rule),)
    return ()


def _spendable(play: Play, investigator: InvestigatorId) -> int:
    if darkness.is_in_the_dark(play, investigator):
        return 0
    return play.table.investigators[investigator].clues

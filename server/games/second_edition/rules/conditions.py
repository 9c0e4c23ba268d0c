"""
Conditions: what an investigator becomes.

Rules CONDITION-1 to CONDITION-3 and DECIDE-65. Wounded and Insane have a chapter of their own,
`wounds`; an effect that makes somebody one of the two leads there.
"""

from protocol.games.second_edition.events import ConditionDiscarded, ConditionGained
from protocol.games.second_edition.table import CardId, InvestigatorId
from server.games.second_edition.rules import wounds
from server.games.second_edition.rules.play import Play


def become(play: Play, investigator: InvestigatorId, condition: CardId) -> None:
    """Gain a copy of a Condition, unless one is held or none is left. CONDITION-3, DECIDE-125."""
    who = play.table.investigators[investigator]
    if condition == wounds.WOUNDED:
        if not who.is_wounded:
            wounds.become_wounded(play, investigator)
    elif condition == wounds.INSANE:
        if not who.is_insane:
            wounds.become_insane(play, investigator)
    elif not has(play, investigator, condition) and play.table.supply.get(condition, 0) > 0:
        play.emit(ConditionGained(investigator, condition))


def recover(play: Play, investigator: InvestigatorId, condition: CardId) -> None:
    """Put a Condition back, if it is held. Rule DISCARD-1. Wounded and Insane are for good."""
    if condition not in {wounds.WOUNDED, wounds.INSANE} and has(play, investigator, condition):
        play.emit(ConditionDiscarded(investigator, condition))


def has(play: Play, investigator: InvestigatorId, condition: CardId) -> bool:
    """Return whether an investigator has a Condition of this name. Rule CONDITION-3."""
    return any(one.card == condition for one in play.table.investigators[investigator].conditions)

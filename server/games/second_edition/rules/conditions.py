"""
Conditions: gained, put back and looked up.

Rules CONDITION-1 to CONDITION-4 and DECIDE-65. Wounded and Insane have their own module, `wounds`;
effects that give one of them use that module. `flipping` flips Conditions.
"""

from protocol.games.second_edition.events import ConditionDiscarded, ConditionGained
from protocol.games.second_edition.table import CardId, Condition, InvestigatorId, copies_deck
from server.games.second_edition.rules import interplay, possessions, wounds
from server.games.second_edition.rules.play import Play


def become(play: Play, investigator: InvestigatorId, condition: CardId) -> None:
    """
    Give an investigator a Condition that they lack; only Wounded and Insane need no copy left.

    Rules CONDITION-3 and DECIDE-125. Of a two-sided Condition the top copy is taken, which is a
    random one since the copies were mixed (CONDITION-4).
    """
    who = play.table.investigators[investigator]
    if condition == interplay.WOUNDED:
        if not who.is_wounded:
            wounds.become_wounded(play, investigator)
    elif condition == interplay.INSANE:
        if not who.is_insane:
            wounds.become_insane(play, investigator)
    elif held(play, investigator, condition) is None and play.table.supply.get(condition, 0) > 0:
        copy = possessions.top_copy(play, condition)
        play.emit(ConditionGained(investigator, condition, copy))


def recover(play: Play, investigator: InvestigatorId, condition: CardId) -> None:
    """
    Put a Condition back, if the investigator has it. Rule DISCARD-1.

    Wounded and Insane stay for good. The copies of a two-sided Condition are mixed at once, like
    the copies of a Spell (SECRET-8).
    """
    has = held(play, investigator, condition)
    if has is None or condition in {interplay.WOUNDED, interplay.INSANE}:
        return
    play.emit(ConditionDiscarded(investigator, condition))
    if has.handle:
        play.shuffle(copies_deck(condition))


def held(play: Play, investigator: InvestigatorId, condition: CardId) -> Condition | None:
    has = play.table.investigators[investigator].conditions
    return next((one for one in has if one.card == condition), None)

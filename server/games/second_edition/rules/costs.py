"""Costs of using a card: a use of the round (DECIDE-29), or the card itself (SPEND-1)."""

from content.games.second_edition.schema.cards import ComponentAction, Convert, MoreSteps, Reroll
from protocol.games.second_edition.events import PowerUsed
from protocol.games.second_edition.table import InvestigatorId
from server.games.second_edition.rules import conditions, harm_cards, possessions
from server.games.second_edition.rules.play import Play
from server.games.second_edition.rules.powers import Component, Help, Rerolling


def pay(
    play: Play,
    investigator: InvestigatorId,
    used: Rerolling | Help | Component,
    terms: Reroll | Convert | MoreSteps | ComponentAction,
) -> None:
    """Record the use of a card and pay its cost. Rules SPEND-1 and DECIDE-29."""
    if terms.once_per_round:
        play.emit(PowerUsed(investigator, used.source))
    if terms.discard:
        _discard(play, investigator, used)


def _discard(play: Play, investigator: InvestigatorId, used: Rerolling | Help | Component) -> None:
    """Put the card back where cards of its kind belong. Rules DISCARD-1 and DISCARD-2."""
    if used.possession is not None:
        possessions.discard(play, investigator, used.possession)
    elif used.harm is not None and used.handle is not None:
        harm_cards.discard(play, investigator, used.harm, (used.handle,))
    elif used.condition is not None:
        conditions.recover(play, investigator, used.condition)

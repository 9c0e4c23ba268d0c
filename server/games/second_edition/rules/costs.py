"""Costs of using a card: a use of the round (DECIDE-29), or the card itself (SPEND-1)."""

from content.games.second_edition.schema.cards import ComponentAction, Convert, MoreSteps, Reroll
from protocol.games.second_edition.events import PowerUsed
from protocol.games.second_edition.table import InvestigatorId
from server.games.second_edition.rules import conditions, harm_cards, possessions, powers
from server.games.second_edition.rules.play import Play
from server.games.second_edition.rules.powers import Origin


def pay(
    play: Play,
    investigator: InvestigatorId,
    origin: Origin,
    terms: Reroll | Convert | MoreSteps | ComponentAction,
) -> None:
    """
    Pay for the use of a card. Rules SPEND-1 and DECIDE-29.

    A use that is allowed once a round is recorded; the card is discarded if its terms say so.
    """
    if terms.once_per_round:
        play.emit(PowerUsed(investigator, powers.use_mark(play, origin)))
    if terms.discard:
        _discard(play, investigator, origin)


def group_of(play: Play, terms: Reroll) -> str:
    """
    Return the name of the group of options in which a reroll is offered.

    It is `free` if the reroll does not discard its card, else `use`; before version 3 always `use`.
    """
    return "free" if play.version > 2 and not terms.discard else "use"


def _discard(play: Play, investigator: InvestigatorId, origin: Origin) -> None:
    """Put the card back where cards of its kind belong. Rules DISCARD-1 and DISCARD-2."""
    if origin.possession is not None:
        possessions.discard(play, investigator, origin.possession)
    elif origin.harm is not None and origin.handle is not None:
        harm_cards.discard(play, investigator, origin.harm, (origin.handle,))
    elif origin.condition is not None:
        conditions.recover(play, investigator, origin.condition)

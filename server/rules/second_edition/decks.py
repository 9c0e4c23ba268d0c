"""
Decks of the scenario: what comes at random, and not again before all that can come have come.

Which cards have come is remembered sealed; on the log a deck goes by a number, since its name would
tell the script.
"""

from content.schema.decks import DeckCard
from protocol.event import hidden
from protocol.second_edition.events import CounterSet
from protocol.second_edition.table import InvestigatorId
from server.rules.second_edition import requirements
from server.rules.second_edition.draws import draw_weighted
from server.rules.second_edition.play import Play


def draw(play: Play, name: str, investigator: InvestigatorId) -> DeckCard | None:
    """Return a card that can come now, picked at random; None where none can. Rule RANDOM-1."""
    deck = play.content.scenario.decks[name]
    memory = f"d{list(play.content.scenario.decks).index(name) + 1}"
    kept = play.table.counters.get(memory)
    come = 0 if kept is None else kept.value
    fitting = [
        at
        for at, card in enumerate(deck)
        if card.when is None or requirements.holds(play, card.when, investigator)
    ]
    left = [at for at in fitting if not come >> at & 1]
    if not left:
        come, left = 0, fitting
    if not left:
        return None
    at = draw_weighted(play, "deck", left, [deck[at].weight for at in left])
    play.emit(CounterSet(memory, hidden(come | 1 << at)))
    return deck[at]

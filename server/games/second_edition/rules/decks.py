"""
Decks of the scenario: what comes at random, and not again before all that can come have come.

Which cards have come is remembered sealed; on the log a deck goes by a number, since its name would
tell the script.
"""

from content.games.second_edition.schema.decks import DeckCard
from server.games.second_edition.rules import draws, memory, requirements
from server.games.second_edition.rules.play import Play, Source


def draw(play: Play, name: str, source: Source) -> DeckCard | None:
    """Return a card that can come now, picked at random; None where none can. Rule RANDOM-1."""
    deck = play.content.scenario.decks[name]
    kept_as = f"d{list(play.content.scenario.decks).index(name) + 1}"
    come = memory.number(play, kept_as) or 0
    fitting = [
        at for at, card in enumerate(deck) if requirements.holds_for(play, card.when, source)
    ]
    left = [at for at in fitting if not come >> at & 1]
    if not left:
        come, left = 0, fitting
    at = draws.deal(
        play,
        f"deck {kept_as}",
        left,
        weights=[deck[at].weight for at in left],
        name=lambda at: deck[at].id,
        before="deck",
    )
    if at is None:
        return None
    memory.remember(play, kept_as, come | 1 << at)
    return deck[at]

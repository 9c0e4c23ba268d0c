"""Decks of the scenario: cards drawn at random."""

from content.games.second_edition.schema.decks import DeckCard
from server.games.second_edition.rules.draws import DRAWS
from server.games.second_edition.rules.play import Play, Source
from server.games.second_edition.rules.requirements import holds_for
from server.rulekit import decks


def draw(play: Play, name: str, source: Source) -> DeckCard | None:
    """Draw a random card among those possible now; None if there is none. Rule RANDOM-1."""
    all_ = play.content.scenario.decks
    number = list(all_).index(name) + 1
    return decks.draw(
        play, DRAWS, all_[name], number, lambda card: holds_for(play, card.when, source)
    )

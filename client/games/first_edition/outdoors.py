"""Facts of the outdoors that several readings tell: water, and the cards of the story."""

from collections.abc import Mapping, Sequence

from protocol.games.first_edition.table import CharacterId, FirstEditionTable, StoryCard
from protocol.games.first_edition.words import FeatureKind


def is_in_water(game: FirstEditionTable, space: str) -> bool:
    """Return whether a space is submerged and has no boat. W-WATER-1, W-WATER-5."""
    return space in game.submerged and not game.features_at(space, FeatureKind.BOAT)


def story_before(game: FirstEditionTable, who: CharacterId) -> Sequence[StoryCard]:
    """Return the cards of the story before an investigator or an ally. W-SECRET-11."""
    return [card for card in game.story_cards.values() if card.owner == who]


def known_story_card(card: StoryCard) -> str | None:
    """Return the id of a card of the story that the viewer knows; None for another."""
    if card.shown is not None:
        return card.shown
    return card.card.value if card.card.is_open else None


def story_in_rooms(game: FirstEditionTable) -> Mapping[str, Sequence[StoryCard]]:
    """Return the story cards in rooms, by room. W-SECRET-10."""
    rooms = frozenset(game.map.rooms.values())
    found: dict[str, list[StoryCard]] = {}
    for card in game.story_cards.values():
        if card.owner in rooms:
            found.setdefault(card.owner, []).append(card)
    return found


def tales_kept(game: FirstEditionTable, who: CharacterId) -> Sequence[str]:
    """Return the story cards of allies that an investigator heard and keeps. W-DECIDE-32."""
    return [tale.card for tales in game.heard.values() for tale in tales if tale.holder == who]


def is_objective_voted(game: FirstEditionTable) -> bool:
    """Return whether the viewer knows what the investigators chose in secret. W-SECRET-6."""
    return game.vote is not None and game.vote.is_open

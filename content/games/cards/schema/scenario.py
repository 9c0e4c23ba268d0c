"""Scenarios: what is laid out, in which decks, with which tokens, and how the story ends."""

from collections.abc import Mapping
from typing import Annotated

import attrs

from content.games.cards.schema.kinds import CardId, Kind, SetName, Spot
from content.games.cards.schema.steps import Effect
from content.reading.meanings import Bounds, Declares, Names


@attrs.frozen(kw_only=True)
class ResolutionEntry:
    """One way in which a scenario ends. C-BEND-3."""

    id: Annotated[str, Declares(Kind.RESOLUTION)]
    is_won: bool
    experience: Annotated[int, Bounds(-9, 9)] = 0
    """Added to what the victory display gives."""
    effect: Effect = ()


@attrs.frozen(kw_only=True)
class Choice:
    """Locations of which some are put into play at random, unseen. C-SECRET-12, C-DEAL-1."""

    id: str
    among: tuple[CardId, ...]
    """The locations; one that is named twice can come twice."""
    number: Annotated[int, Bounds(1, 9)] = 1
    looks: CardId | None = None
    """Location whose unrevealed face all of them show, so that none is known by its back."""
    is_dealt: bool = False
    """True if they are dealt to the investigators, in player order. C-DEAL-1."""


@attrs.frozen(kw_only=True)
class GridPlace:
    """A position of a grid, with the card that lies there at the beginning. C-BSPEC-4."""

    at: Spot
    id: CardId | None = None
    """One of the locations in play; None for an empty space, which a card of the encounter deck
    marks, face down. C-GRID-1."""


@attrs.frozen(kw_only=True)
class MoreDeck:
    """A further encounter deck, or an exploration deck. C-BSPEC-1, C-BSPEC-5."""

    id: str
    sets: tuple[SetName, ...] = ()
    locations: tuple[CardId, ...] = ()
    own_discard: bool = True
    """True if its cards are discarded to a pile of its own."""


@attrs.frozen(kw_only=True)
class Scenario:
    """One scenario. Section 2.2."""

    id: Annotated[str, Declares(Kind.SCENARIO), Names(Kind.NAME)]
    minutes: Annotated[int, Bounds(5, 600)]
    difficulty: Annotated[int, Bounds(1, 5)] = 1
    """For the list of scenarios: how hard it is."""
    most: Annotated[int, Bounds(1, 4)] = 4
    """Investigators who can play it."""
    sets: tuple[SetName, ...] = ()
    """Encounter sets of its deck. C-BSETUP-8."""
    acts: tuple[CardId, ...]
    """Acts in their order. C-BSETUP-9."""
    act_versions: Mapping[CardId, tuple[CardId, ...]] = attrs.field(factory=dict)
    """Versions among which setup chooses in secret, by the act that stands in `acts`."""
    agendas: tuple[CardId, ...]
    locations: tuple[CardId, ...]
    """Locations in play at the beginning."""
    separate: bool = False
    """True if each investigator has a set of the locations, apart from the others. C-BSPEC-6."""
    grid: tuple[GridPlace, ...] = ()
    """Positions of locations, and empty spaces: side by side they connect. C-BSPEC-4."""
    random: tuple[Choice, ...] = ()
    start: CardId
    decks: tuple[MoreDeck, ...] = ()
    aside: tuple[CardId, ...] = ()
    """Cards that are set aside, also those of the encounter sets. C-BSETUP-17."""
    reference: Mapping[str, CardId]
    """Scenario card, by level of difficulty."""
    bags: Mapping[str, tuple[str, ...]]
    """Chaos tokens, by level of difficulty. C-BBAG-1."""
    starting_hand: Annotated[int, Bounds(-9, 9)] = 0
    """Added to the number of cards of each starting hand. C-HAND-4."""
    setup: Effect = ()
    """Further steps of setup, in order. C-BSETUP-15."""
    resolutions: tuple[ResolutionEntry, ...]
    """The first one is that for no resolution reached."""


@attrs.frozen(kw_only=True)
class StarterDeck:
    """A deck that players can take as it is."""

    id: Annotated[str, Declares(Kind.DECK)]
    investigator: CardId
    cards: Mapping[CardId, Annotated[int, Bounds(1, 3)]]
    """Number of copies by card, without the signature cards."""

"""Steps about cards: exhausting, discarding, attaching, putting into play, searching."""

from content.games.cards.schema.kinds import ONE, Amount, CardId, Spot
from content.games.cards.schema.steps.base import Step
from content.games.cards.schema.targets import Cards, Filter, People, TheCard, Who
from content.reading.parts import part
from protocol.games.cards.words import Word


@part(Step, "exhaust", inline="card")
class Exhaust(Step):
    """Exhaust cards."""

    card: Cards


@part(Step, "ready", inline="card")
class Ready(Step):
    """Ready cards."""

    card: Cards


@part(Step, "discard", inline="card")
class Discard(Step):
    """Discard cards from play. C-BZONE-12, C-BZONE-13, C-BZONE-19."""

    card: Cards


class Goal(Word):
    """Places to which a step sends cards."""

    HAND = "hand"
    """To their owners' hands. C-RETURN-1. An encounter card has no owner, and stays where it lies;
    a Hidden one comes into a hand as it is drawn."""
    DECK = "deck"
    """Shuffled into their owners' decks, or into the encounter deck. C-EMPTY-1."""
    VICTORY = "victory"
    """To the victory display."""
    BENEATH = "beneath"
    """Beneath the card that has the ability, out of play. C-ZONE-1. From there it may be committed
    (`commit`), but not played: cards are played from hands alone."""
    CAPTIVES = "captives"
    """To the captives' pile, from play. C-PILE-1 to C-PILE-5."""
    NOWHERE = "nowhere"
    """Out of the game. C-ZONE-2."""


@part(Step, "send")
class Send(Step):
    """Send cards away. To discard them is a step of its own."""

    to: Goal
    card: Cards = TheCard.THIS


@part(Step, "to_threat")
class ToThreat(Step):
    """Put cards into a threat area."""

    card: Cards = TheCard.THIS
    who: People = Who.YOU


@part(Step, "attach")
class Attach(Step):
    """Attach a card to another one. C-ATT-1 to C-ATT-5."""

    to: Cards
    card: Cards = TheCard.THIS


@part(Step, "into_play")
class IntoPlay(Step):
    """Put a card into play without playing it: a set-aside one, or one by its place. C-BPLAY-15."""

    id: CardId | None = None
    """A card that is set aside. C-CTRL-1."""
    from_discard: Filter | None = None
    """A card of your discard pile."""
    from_hand: Filter | None = None
    """A card of your hand."""
    at: Cards | None = None
    """The location where it comes in."""
    position: Spot | None = None
    """The position where a location comes in on a grid, or to which one in play moves. An empty
    space there is taken up. C-GRID-2, C-BSPEC-4."""
    who: People = Who.YOU


@part(Step, "take_control")
class TakeControl(Step):
    """An investigator takes control of cards. C-ATT-3, C-SLOT-1."""

    card: Cards
    who: People = Who.YOU


@part(Step, "exchange")
class Exchange(Step):
    """Two investigators exchange cards that they control, or nothing happens. C-BABIL-32."""

    mine: Cards
    theirs: Cards


@part(Step, "flip", inline="card")
class Flip(Step):
    """Turn cards to their other face. C-FLIP-1."""

    card: Cards


@part(Step, "search")
class Search(Step):
    """Search the top cards of your deck, or all of it, and take what fits. C-BSEARCH-1 to 5."""

    top: int = 0
    """Number of cards; 0 for the whole deck."""
    of: Filter = Filter()
    number: int = 1
    """Number of cards that are taken; 0 to look at them only."""
    is_drawn: bool = True
    """False if the cards are added to the hand without a draw. C-BENC-15."""
    may: bool = False
    """True if nothing need be taken. C-BSEARCH-4."""


@part(Step, "search_more")
class SearchMore(Step):
    """The search that the ability answers looks at more cards, or takes more. C-SEARCH-2."""

    top: int = 0
    targets: int = 0


@part(Step, "look")
class Look(Step):
    """Look at the top cards of the encounter deck or of your deck and put them back."""

    top: int = 0
    encounter: bool = True
    discard: int = 0
    """Number of them that may be discarded instead."""
    on: Cards | None = None
    """The card on or beneath which lie the cards that you look at instead. C-LOOK-3, C-LOOK-4."""


@part(Step, "face_down")
class FaceDown(Step):
    """Lay the top cards of a deck face down on a card, or beneath it. C-LOOK-1 to C-LOOK-4."""

    on: Cards = TheCard.THIS
    number: Amount = ONE
    beneath: bool = False
    """True if they lie beneath the card, and are not attached to it. C-ZONE-1."""
    encounter: bool = False
    """True for the encounter deck instead of yours."""

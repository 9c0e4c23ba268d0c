"""
The table of the card game.

A card that everybody may see is a `Card` with an id of its own, its *piece*; a card in a hand or in
a deck has only a handle (`GameTable.piles`), so nobody can follow it there. A card that leaves play
is a new object afterwards, with a new piece (C-BZONE-28).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import attrs

from protocol.common.table import GameEnd, GameTable, Handle, Score, register_game
from protocol.event import Sealed
from protocol.games.cards.words import (
    IN_PLAY,
    INVESTIGATOR,
    RULESET,
    SUPPLY,
    Fate,
    Phase,
    Skill,
    Token,
    Trauma,
    Until,
    Zone,
)
from protocol.memo import memo
from protocol.values import evolve, frozen

CardId = str
"""Id of a card in the content, such as `card/lantern`: all copies share it."""
PieceId = str
"""Id of one open card on the table."""
InvestigatorId = str
StepId = tuple[CardId, int]
"""A card, and the position of a step among all steps of the card; its content has what it does."""
UnseenUse = tuple[CardId, int, tuple[str, ...]]
"""A hidden card, the position of an ability on it, and what of the limits its use counts for."""

ENCOUNTER = "encounter"
"""Name of the encounter deck: its pile, and the owner of its discard pile."""
FACE_DOWN = "face-down"
"""The pile of the cards that lie face down, in play or beneath a card. Whoever may know one of them
has looked at it. C-SECRET-15 to C-SECRET-18, C-DECIDE-36."""


def further(deck: str) -> str:
    """Return the name of the pile, and of the discard pile, of a further deck. C-BSPEC-5."""
    return f"{ENCOUNTER}/{deck}"


def deck_of(who: InvestigatorId) -> str:
    """Return the name of the pile that is the deck of an investigator."""
    return f"deck/{who}"


def hand_of(who: InvestigatorId) -> str:
    """Return the name of the pile that is the hand of an investigator."""
    return f"hand/{who}"


@frozen
class Place:
    """The place of an open card."""

    zone: Zone
    of: str = ""
    """Investigator, piece or deck to which the place belongs; empty if there is one such place."""

    @property
    def name(self) -> str:
        """The place as a text, by which `CardsTable.stacks` finds it."""
        return f"{self.zone.value}/{self.of}"


@frozen
class Position:
    """A position on the grid of a scenario. C-BSPEC-4."""

    row: int
    column: int

    def is_beside(self, other: "Position") -> bool:
        """Return True for the position above, below, to the left or to the right."""
        return abs(self.row - other.row) + abs(self.column - other.column) == 1


@frozen
class Card:
    """One open card, or one that lies face down."""

    piece: PieceId
    code: CardId
    """Id of the card; of a location, of its unrevealed face; empty if it lies face down."""
    at: Place
    owner: str = ""
    """Investigator in whose deck the card began; empty for scenario cards. C-BZONE-3."""
    controller: str = ""
    """Investigator who controls the card; empty for nobody."""
    is_exhausted: bool = False
    tokens: Mapping[str, int] = attrs.field(factory=dict)
    """Number of tokens by kind; no kind has zero. Those of an investigator lie on the own card."""
    chaos: tuple[str, ...] = ()
    """Chaos tokens that are sealed on the card. C-BBAG-9."""
    engaged: tuple[InvestigatorId, ...] = ()
    """Investigators with whom an enemy is engaged; those of a Massive enemy follow from its place
    unless it is Aloof. C-BENEMY-13, C-BENEMY-24."""
    face: CardId = ""
    """The face that shows, of a card with two; of a location, empty until it is revealed."""
    hidden: Sealed[CardId] | None = None
    """Revealed face of an unrevealed location. C-SECRET-11, C-SECRET-12."""
    handle: Handle = ""
    """Handle of a card that lies face down."""
    before: InvestigatorId = ""
    """Investigator before whom a location lies; empty for the common map. C-DEAL-1, C-BSPEC-6."""
    position: Position | None = None
    """Position of a location, or of an empty space, on a grid; None without one. C-BSPEC-4."""

    @property
    def is_in_play(self) -> bool:
        """True if the card is in play. C-BZONE-7."""
        return self.at.zone in IN_PLAY

    @property
    def shown(self) -> CardId:
        """The face whose text counts."""
        return self.face or self.code

    def count(self, token: Token | str) -> int:
        """Return the number of tokens of a kind on the card."""
        return self.tokens.get(token if isinstance(token, str) else token.value, 0)


@frozen
class ExtraAction:
    """An additional action of a turn. C-XACT-1."""

    source: CardId
    deeds: tuple[str, ...] = ()
    """Designators of which what it is used for must have one; empty for any."""
    traits: tuple[str, ...] = ()
    """Traits of which the card that is used must have one; empty for any."""


@frozen
class Investigator:
    """One investigator; damage, horror, clues and resources lie on the investigator card."""

    id: InvestigatorId
    seat: int
    card: PieceId
    """The investigator card; empty once the investigator is eliminated."""
    location: PieceId = ""
    actions: int = 0
    """Normal actions left. C-XACT-7."""
    extra: tuple[ExtraAction, ...] = ()
    """Additional actions left."""
    has_acted: bool = False
    """True if the investigator has taken the turn of this round. C-BTURN-6."""
    actions_lost: int = 0
    """Actions that the next turn begins without. C-DECIDE-38."""
    trauma: Mapping[Trauma, int] = attrs.field(factory=dict)
    """Trauma by kind, that from before the scenario included."""
    fate: Fate | None = None
    """The way in which the investigator was eliminated; None while in the scenario."""


@frozen
class Shown:
    """A chaos token that was revealed."""

    token: str
    is_ignored: bool = False
    """True if it is not resolved, and returns at the end of the test. C-BBAG-14."""
    is_cancelled: bool = False
    """True if it went back to the bag at once. C-TOK-14."""
    is_sealed: bool = False
    """True if it lies on a card by now. C-BBAG-9."""

    @property
    def is_resolved(self) -> bool:
        """True if the token counts."""
        return not self.is_ignored and not self.is_cancelled


@frozen
class OpenTest:
    """The skill test that is going on; its committed cards are in the zone `COMMITTED`."""

    tester: InvestigatorId
    skill: Skill
    source: CardId
    """The card that calls for the test; the location of a plain investigation."""
    target: PieceId = ""
    """The enemy or location that the test is about; empty for none."""
    deed: str = ""
    """Designator of the action, such as `fight`; empty if the test is no action."""
    step: int = 1
    """The step ST.1 to ST.8."""
    difficulty: int = 0
    shown: tuple[Shown, ...] = ()
    value: int | None = None
    """Modified skill value, from ST.5 on."""
    has_succeeded: bool | None = None
    """The result, from ST.6 on; None if there is none. C-DECIDE-58."""


@frozen
class Lasting:
    """A lasting effect: what its card gives, on fixed objects. C-BABIL-20."""

    number: int
    step: StepId
    """The card and the step; empty, as in `unseen`, of a hidden card."""
    on: tuple[str, ...]
    """Pieces, or investigators, that have it."""
    until: Until
    of: InvestigatorId
    """Investigator who is "you" in it."""
    amount: int
    """A number that was fixed when the effect began. C-BABIL-33."""
    holder: InvestigatorId
    """The investigator who had the card in hand, if it is a hidden one; else empty."""
    unseen: Sealed[StepId]
    """Card and step of a hidden card, for its holder; empty of every other. C-SECRET-2."""


@frozen
class Delayed:
    """A delayed effect, which is carried out once. C-BABIL-21."""

    number: int
    step: StepId
    of: InvestigatorId
    on: tuple[str, ...]
    """Pieces that it speaks of."""
    until: Until
    holder: InvestigatorId
    unseen: Sealed[StepId]
    """As in `Lasting`, like its holder."""


@frozen
class PutOff:
    """A test that waits for the end of another one. C-DEFER-2, C-DECIDE-9."""

    step: StepId
    piece: PieceId
    of: InvestigatorId
    holder: InvestigatorId
    unseen: Sealed[StepId]
    """As in `Lasting`, like its holder."""


@frozen
class HiddenUse:
    """A use of a hidden card, which its holder knows, and which limits may count. C-BKEY-7."""

    what: Sealed[UnseenUse]
    over: tuple[str, ...] = ()
    """The periods that have ended since."""


@frozen
class AsIf:
    """The altered state of an "as if" effect. C-ASIF-1, C-DECIDE-55."""

    who: InvestigatorId
    location: PieceId
    engaged: tuple[PieceId, ...]
    """Enemies with which the investigator counts as engaged, and with no others."""


@frozen
class CardsTable(GameTable):
    """State of one game."""

    lapses = ("test", "turn", "phase", "round")
    has_settings = (
        "takebacks",
        "strict_windows",
        "hands",
        "stops",
        "window_seconds",
        "least_seconds",
    )

    phase: Phase = Phase.SETUP
    step: int = 0
    """Step of the phase that comes next; the rules of the phase number them."""
    round_number: int = 0
    difficulty: str = ""
    """Level of difficulty. C-BBAG-1."""
    order: tuple[InvestigatorId, ...] = ()
    """Investigators in the scenario in player order, the lead first. C-BROUND-3."""
    investigators: Mapping[InvestigatorId, Investigator] = attrs.field(factory=dict)
    """Everybody who started, in the order of seats, the eliminated included."""
    active: InvestigatorId = ""
    """Investigator whose turn it is; empty for nobody."""

    cards: Mapping[PieceId, Card] = attrs.field(factory=dict)
    """All open cards."""
    stacks: Mapping[str, tuple[PieceId, ...]] = attrs.field(factory=dict)
    """Cards of each ordered open place by its name, the topmost last. C-BZONE-14, C-BZONE-23."""
    next_piece: int = 1
    links: Mapping[PieceId, tuple[PieceId, ...]] = attrs.field(factory=dict)
    """Connections between locations, as they are drawn. C-BLOC-4."""
    acts_left: int = 0
    """Acts after the current one. C-SECRET-10."""
    agendas_left: int = 0
    weaknesses: Mapping[InvestigatorId, tuple[Sealed[tuple[CardId, ...]], ...]] = attrs.field(
        factory=dict
    )
    """Basic weaknesses that were dealt to each investigator, known to their seats. C-SECRET-4."""
    plan: Sealed[Mapping[str, str]] | None = None
    """Secret choices of setup, such as the version of an act; nobody knows them."""

    bag: tuple[str, ...] = ()
    """Chaos tokens in the bag, ascending. C-DECIDE-32."""
    supply: Mapping[str, int] = attrs.field(factory=lambda: dict(SUPPLY))
    """Tokens that come and go, by kind. C-BLESS-2."""
    revealed: tuple[Shown, ...] = ()
    """Tokens that an effect has revealed, not a test, and not put back."""
    test: OpenTest | None = None
    put_off: tuple[PutOff, ...] = ()

    lasting: tuple[Lasting, ...] = ()
    delayed: tuple[Delayed, ...] = ()
    next_effect: int = 1
    used: Mapping[str, int] = attrs.field(factory=dict)
    """Uses of limited abilities, by period, card and ability. C-BABIL-16, C-BABIL-17."""
    hidden_uses: tuple[HiddenUse, ...] = ()
    """Uses of hidden cards, whether their abilities have a limit or not."""
    as_if: AsIf | None = None
    remembered: tuple[str, ...] = ()
    """Phrases that the players remember. C-REM-1."""
    resolution: str = ""
    """Subject of the resolution that was reached; set at the end. C-BEND-3."""
    is_won: bool = False
    experience: int = 0
    """Experience of each investigator by the victory display. C-BKEY-4."""

    def relaid(
        self,
        pile: str,
        places: tuple[int, ...],
        handles: tuple[Handle, ...],
        order: Sealed[tuple[str, ...]],
    ) -> Self:
        """Return the table with the cards at some places of a pile replaced, with new handles."""
        # Cards that lie face down are on the table by their handles.
        old = self.piles.get(pile, ())
        there = zip(places, handles, strict=False)
        fresh = {old[place]: handle for place, handle in there if place < len(old)}
        cards = {
            piece: evolve(card, handle=fresh[card.handle]) if card.handle in fresh else card
            for piece, card in self.cards.items()
        }
        return evolve(super().relaid(pile, places, handles, order), cards=cards)

    # Readers

    def came_out(self) -> GameEnd | None:
        """Return the result: whether the investigators reached a good resolution."""
        if self.phase is not Phase.OVER:
            return None
        won = (INVESTIGATOR,) if self.is_won else ()
        scores = (Score("score/experience", INVESTIGATOR, self.experience),)
        return GameEnd(won, self.round_number, scores)

    def in_play(self) -> tuple[Card, ...]:
        """Return the cards in play, in the order in which they came."""
        return _in_play(self.cards)

    def committed(self) -> Sequence[Card]:
        """Return the cards committed to the test, in the order in which they came."""
        return self.in_zone(Zone.COMMITTED)

    def in_zone(self, zone: Zone) -> Sequence[Card]:
        """Return the cards of a zone, wherever in it, in the order in which they came."""
        return _by_zone(self.cards).get(zone, ())

    def lying(self, zone: Zone, of: str = "") -> tuple[Card, ...]:
        """Return the cards of one place; those of an ordered zone from the bottom."""
        if zone in STACKED:
            name = Place(zone, of).name
            return tuple(self.cards[piece] for piece in self.stacks.get(name, ()))
        return tuple(card for card in self.in_zone(zone) if card.at.of == of)

    def only(self, zone: Zone) -> Card | None:
        """Return the card of a zone that holds one: act, agenda or scenario card."""
        return next(iter(self.in_zone(zone)), None)

    def here(self, who: InvestigatorId) -> PieceId:
        """Return where an investigator counts as being. C-ASIF-4."""
        if self.as_if is not None and self.as_if.who == who:
            return self.as_if.location
        return self.investigators[who].location

    def card_of_investigator(self, who: InvestigatorId) -> Card:
        """Return the investigator card. KeyError if the investigator is eliminated."""
        return self.cards[self.investigators[who].card]

    def count(self, who: InvestigatorId, token: Token) -> int:
        """Return the tokens on an investigator card; none if the investigator is eliminated."""
        card = self.cards.get(self.investigators[who].card)
        return 0 if card is None else card.count(token)

    # Changes that several events make

    def with_card(self, piece: PieceId, **changes: Any) -> "CardsTable":
        """Return the table with fields of one card changed."""
        return evolve(self, cards={**self.cards, piece: evolve(self.cards[piece], **changes)})

    def with_investigator(self, who: InvestigatorId, **changes: Any) -> "CardsTable":
        """Return the table with fields of one investigator changed."""
        changed = evolve(self.investigators[who], **changes)
        return evolve(self, investigators={**self.investigators, who: changed})

    def without_card(self, piece: PieceId) -> "CardsTable":
        """Return the table without an open card."""
        gone = self.cards[piece]
        cards = {one: card for one, card in self.cards.items() if one != piece}
        stacks, name = self.stacks, gone.at.name
        if name in stacks:
            stacks = {**stacks, name: tuple(one for one in stacks[name] if one != piece)}
        return evolve(self, cards=cards, stacks=stacks)

    def with_new_card(self, card: Card) -> "CardsTable":
        """Return the table with a card laid down, on top if its zone is ordered."""
        cards, stacks = {**self.cards, card.piece: card}, self.stacks
        if card.at.zone in STACKED:
            name = card.at.name
            stacks = {**stacks, name: (*stacks.get(name, ()), card.piece)}
        return evolve(self, cards=cards, stacks=stacks)

    def taken(self, pile: str, handle: Handle) -> "CardsTable":
        """Return the table without a card of a pile; one that lay face down leaves its place."""
        table = self.drawn(pile, handle)
        for card in self.cards.values() if pile == FACE_DOWN else ():
            if card.handle == handle:
                table = table.without_card(card.piece)
        return table

    def new_piece(self) -> tuple["CardsTable", PieceId]:
        """Return the table with one more id given out, and that id."""
        return evolve(self, next_piece=self.next_piece + 1), f"c{self.next_piece}"


@memo()
def _by_zone(cards: Mapping[PieceId, Card]) -> Mapping[Zone, Sequence[Card]]:
    found: dict[Zone, list[Card]] = {}
    for card in cards.values():
        found.setdefault(card.at.zone, []).append(card)
    return found


@memo()
def _in_play(cards: Mapping[PieceId, Card]) -> tuple[Card, ...]:
    return tuple(card for card in cards.values() if card.at.zone in IN_PLAY)


STACKED = frozenset(
    [Zone.DISCARD, Zone.VICTORY, Zone.ASIDE, Zone.REMOVED, Zone.BENEATH, Zone.CAPTIVE]
)
"""Zones whose cards have an order."""

register_game(RULESET, CardsTable)

"""Play: the game handle of the card game, what happens in it, and the source of an effect."""

import contextlib
import copy
from collections.abc import Iterator, Mapping, Sequence

import attrs

from content.games.cards.schema.cards import Ability, InvestigatorCard
from content.games.cards.schema.kinds import CardType, Deed
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.pack import AnyFace, Content, type_of
from content.games.cards.schema.steps import Step
from protocol.common.asks import Point
from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.event import Sealed, hidden
from protocol.games.cards.events import PeriodEnded
from protocol.games.cards.table import (
    Card,
    CardId,
    CardsTable,
    Delayed,
    InvestigatorId,
    Lasting,
    PieceId,
    PutOff,
    StepId,
    hand_of,
)
from protocol.games.cards.words import Phase, Skill, Until, Zone
from protocol.memo import memo
from protocol.values import frozen
from server.kernel.game import Game

Play = Game[CardsTable, Content]
"""Game handle that every rule of this game receives."""


def end_periods(play: Play, *periods: Until) -> None:
    """
    End what lasts for these periods: limits, lasting and delayed effects, passes. C-BROUND-5.

    There is a record only where something ends, which all know: the number of limits, of effects
    and of uses of hidden cards is public.
    """
    ended = PeriodEnded(tuple(period.value for period in periods))
    if ended.ends_something(play.table):
        play.emit(ended)
    for period in periods:
        if period.value in play.table.lapses:
            play.lapse(period.value)


class GameOver(Exception):
    """
    The scenario has just ended, so that nothing more is resolved.

    Raised right after `Ended`, and caught by the runner of procedures.
    """


@attrs.define(eq=False)
class Nesting:
    """
    What is open: sequences, abilities that are being resolved, and whether they come to an end.

    An endless chain ends once it is too deep: no more abilities answer what happens in it, and what
    is left of the effects of its abilities is dropped (C-DECIDE-53). What was about to happen takes
    effect all the same, so that no card stays between two zones.
    """

    sequences: int = 0
    abilities: list["AbilityKey"] = attrs.field(factory=list)
    """The abilities that are being resolved, outermost first; one may be inside itself."""
    is_ended: bool = False
    """True from the end of a chain until its outermost ability is left."""

    @contextlib.contextmanager
    def sequence(self) -> Iterator[None]:
        """Mark the block as a sequence. C-NEST-4, C-NEST-5."""
        self.sequences += 1
        try:
            yield
        finally:
            self.sequences -= 1
            self._leave()

    @contextlib.contextmanager
    def ability(self, key: "AbilityKey") -> Iterator[None]:
        """Mark the block as the resolution of an ability."""
        self.abilities.append(key)
        try:
            yield
        finally:
            self.abilities.pop()
            self._leave()

    def _leave(self) -> None:
        self.is_ended = self.is_ended and bool(self.abilities)


AbilityKey = tuple[str, int]
"""Piece, or card if it lies nowhere in the open, and position of one of its abilities."""


def nesting(play: Play) -> Nesting:
    """Return what is open in the game now. C-NEST-7."""
    found: Nesting | None = play.shared.get("nesting")
    if found is None:
        found = play.shared["nesting"] = Nesting()
    return found


BESIDE = "beside"
"""True in `Game.shared` while the tokens that are revealed belong to an effect. C-BBAG-13."""


def is_beside(play: Play) -> bool:
    """Return whether tokens that are revealed now belong to an effect, and not to a test."""
    return play.table.test is None or bool(play.shared.get(BESIDE))


def as_of(play: Play, table: CardsTable) -> Play:
    """Return a handle that reads another table: last known information, or what if. C-DECIDE-51."""
    past = copy.copy(play)
    past.table = table
    return past


@attrs.define(eq=False)
class Occurrence:
    """
    Something that happens, to which abilities can refer, with its roles. C-NEST-1.

    It holds ids alone, and the table as it was just before, which has what its cards were if they
    have left play since. C-DECIDE-51.
    """

    kind: Happening
    who: InvestigatorId = ""
    """The investigator to whom it happens."""
    by: InvestigatorId = ""
    """The investigator who brings it about."""
    card: PieceId = ""
    """The card to which it happens."""
    cause: PieceId = ""
    """The card that brings it about."""
    at: PieceId = ""
    """The location where it happens."""
    code: CardId = ""
    """The card, if it is not open under a piece."""
    amount: int = 0
    horror: int = 0
    """For harm: the horror beside the damage."""
    targets: int = 0
    """For a search: cards that it takes."""
    deed: Deed | None = None
    skill: Skill | None = None
    phase: Phase | None = None
    token: str = ""
    is_off: bool = False
    """True if it was cancelled or replaced. C-BABIL-13, C-BABIL-30."""
    redirect: PieceId = ""
    """For harm that is dealt: the card to which it is assigned instead."""
    before: CardsTable | None = None
    """The table just before it takes effect; until then, as it was when it became imminent."""
    tags: frozenset[str] = frozenset()
    """Words that abilities may look at, such as the chaos tokens that were revealed."""

    def last_known(self, table: CardsTable) -> Card | None:
        """Return the card that it happens to, as it is, or as it was just before. C-DECIDE-51."""
        found = table.cards.get(self.card)
        if found is None and self.before is not None:
            return self.before.cards.get(self.card)
        return found

    def about(self) -> Text:
        """Return it in words that all may read, of who, card and place; any may be empty."""
        places = (self.code or self._shown(self.card), self._shown(self.at))
        return Text(f"happening/{self.kind.value}", (self.who or self.by, *places))

    def _shown(self, piece: PieceId) -> CardId | Text:
        """Return the face that a card showed just before; of a swarm card its host's. C-BKEY-17."""
        cards: Mapping[PieceId, Card] = {} if self.before is None else self.before.cards
        card = cards.get(piece)
        if card is not None and card.at.zone is Zone.SWARM:
            return Text("about/swarm", (cards[card.at.of].shown,))
        return "" if card is None else card.shown


HIDDEN = "about/hidden"
"""Subject of a hidden card, for those who may not know which it is."""


@attrs.define
class Healing:
    """Damage and horror that an effect takes off cards, all in one instance. C-HEAL-3."""

    pieces: tuple[PieceId, ...]
    damage: int
    horror: int
    cause: PieceId


@attrs.define(eq=False)
class Source:
    """
    What an effect is of, and what its steps have found so far.

    It holds ids, never parts of the table: each step looks again what is there. C-NEST-10.
    """

    code: CardId
    """The card, or face, whose text the effect is."""
    piece: PieceId
    """The open card; empty if it is none."""
    you: InvestigatorId
    """C-YOU-1 to C-YOU-6."""
    occurrence: Occurrence | None = None
    """The occurrence that the ability answers."""
    they: tuple[PieceId, ...] = ()
    """Cards chosen or affected last."""
    them: tuple[InvestigatorId, ...] = ()
    """Investigators chosen or affected last."""
    is_chosen: bool = False
    """True if an investigator chose to use the ability, so that additional costs are due. C-ADD-6,
    C-ADD-7."""
    x: int = 0
    """C-BPLAY-25."""
    icon: Skill | None = None
    """The icon of a committed card that was named as a cost. C-WILD-4."""
    fixed: int = 0
    found: int = 0
    """Cards that fitted the last search."""
    is_done: bool = True
    """Whether the last step was carried out in full. C-BABIL-11."""
    freed: list[PieceId] = attrs.field(factory=list)
    """Enemies whose engagement the effect has ended so far. C-BENEMY-22."""
    healing: list[Healing] = attrs.field(factory=list)
    """The healing of the effect so far, to which more may be added. C-HEAL-3."""
    holder: InvestigatorId = ""
    """Investigator with the card in hand, if it is a hidden one, which others may not know."""

    @property
    def is_secret(self) -> bool:
        """True for a hidden card in a hand. C-BKEY-7."""
        return bool(self.holder)

    @property
    def public_code(self) -> CardId:
        """The card, for what everybody sees; empty for a hidden one."""
        return "" if self.is_secret else self.code

    @property
    def public_name(self) -> str:
        """The subject of the card in a text that everybody reads."""
        return HIDDEN if self.is_secret else self.code

    def about(self) -> Text:
        """Return the card in words that everybody may read."""
        return Text(HIDDEN) if self.is_secret else Text("about/card", (self.code,))

    def name_for(self, play: Play, who: InvestigatorId) -> str:
        """Return the card in a text that the seat of one investigator reads. C-BKEY-7."""
        is_theirs = self.is_secret and seat(play, who) == seat(play, self.holder)
        return self.code if is_theirs else self.public_name


def step_of(play: Play, effect: Lasting | Delayed | PutOff) -> tuple[CardId, Step]:
    """Return the card of an effect that lasts or waits, and the step that says what it does."""
    code, at = effect.unseen.value if effect.holder else effect.step
    return code, play.content.steps[code][at]


def told_and_sealed(play: Play, step: Step, source: Source) -> tuple[StepId, Sealed[StepId]]:
    """Return a step for a record: what all are told, and what the holder alone is. C-SECRET-2."""
    found = source.code, play.content.place_of(source.code, step)
    told, sealed = (NO_STEP, found) if source.is_secret else (found, NO_STEP)
    return told, hidden(sealed)


NO_STEP: StepId = ("", 0)
"""In place of a step that is not told, or that needs not be sealed."""


def face(play: Play, code: CardId) -> AnyFace:
    """Return the printed card, or face of a location."""
    return play.content.faces[code]


NOTHING: frozenset[CardId] = frozenset()
"""No cards."""


@attrs.define(eq=False)
class _Texts:
    """
    The cards that lie open, and those in hands: a cache, since every occurrence looks for answers.

    It holds the parts of the table that it was read from, and is read again when they are others.
    """

    cards: Mapping[PieceId, Card] = attrs.field(factory=dict)
    open: "_Open" = attrs.field(factory=lambda: _Open({}))
    piles: Mapping[str, tuple[Handle, ...]] = attrs.field(factory=dict)
    hands: dict[InvestigatorId, "_Hand"] = attrs.field(factory=dict)
    held: frozenset[CardId] = frozenset()
    hidden: Mapping[InvestigatorId, tuple[CardId, ...]] = attrs.field(factory=dict)
    """Hidden encounter cards in each hand that has any. C-BKEY-6."""


@attrs.define(eq=False)
class _Open:
    """The open cards whose texts have abilities, until one comes, goes or turns over."""

    by_text: Mapping[CardId, list[tuple[int, PieceId]]]
    """Each with its number in the order in which they came."""
    swarms: Sequence[tuple[int, PieceId]] = ()
    """Swarm cards, which have the text of their hosts."""
    showing: dict[frozenset[CardId], tuple[PieceId, ...]] = attrs.field(factory=dict)
    """Those that show one of some texts, of which somebody has asked."""


@attrs.define(eq=False)
class _Hand:
    """The cards in a hand."""

    handles: tuple[Handle, ...]
    cards: tuple[tuple[Handle, CardId], ...]


def texts_of(play: Play) -> _Texts:
    """Return the cards that lie open, and those in hands."""
    table, content = play.table, play.content
    texts: _Texts | None = play.worked_out.get("texts")
    if texts is None:
        texts = play.worked_out["texts"] = _Texts()
    if texts.cards is not table.cards:
        if not _have_same_texts(texts.cards, table.cards):
            texts.open = _by_text(table.cards, content.worded)
        texts.cards = table.cards
    if texts.piles is not table.piles:
        for who in table.investigators:
            pile = table.piles.get(hand_of(who), ())
            if who not in texts.hands or texts.hands[who].handles is not pile:
                texts.hands[who] = _Hand(pile, tuple((h, table.card_of(h)) for h in pile))
        hands = {who: [code for _, code in one.cards] for who, one in texts.hands.items()}
        texts.piles, texts.held = table.piles, frozenset().union(*hands.values())
        texts.hidden = {
            who: tuple(code for code in codes if code in content.hidden)
            for who, codes in hands.items()
            if not content.hidden.isdisjoint(codes)
        }
    return texts


def _have_same_texts(some: Mapping[PieceId, Card], others: Mapping[PieceId, Card]) -> bool:
    """Return whether the same cards lie open, in one order, each with the same text in force."""
    return len(some) == len(others) and all(
        one is other
        or (
            one.piece == other.piece
            and one.shown == other.shown
            and (one.at.zone is Zone.SWARM) is (other.at.zone is Zone.SWARM)
        )
        for one, other in zip(some.values(), others.values(), strict=True)
    )


@memo()
def _by_text(cards: Mapping[PieceId, Card], worded: frozenset[CardId]) -> _Open:
    found: dict[CardId, list[tuple[int, PieceId]]] = {}
    swarms = []
    for number, card in enumerate(cards.values()):
        shown = card.shown
        if shown in worded:
            found.setdefault(shown, []).append((number, card.piece))
        elif not shown and card.at.zone is Zone.SWARM:
            swarms.append((number, card.piece))
    return _Open(found, swarms)


def showing(play: Play, codes: frozenset[CardId]) -> list[Card]:
    """Return the open cards that show one of these texts, in the order in which they came."""
    open_, cards = texts_of(play).open, play.table.cards
    found = open_.showing.get(codes)
    if found is None:
        numbered = [one for code, of in open_.by_text.items() if code in codes for one in of]
        found = open_.showing[codes] = tuple(piece for _, piece in sorted(numbered))
    return [cards[piece] for piece in found]


def having(play: Play, codes: frozenset[CardId]) -> list[Card]:
    """Return the open cards that have one of these texts, those of their hosts too. C-BKEY-17."""
    open_, cards = texts_of(play).open, play.table.cards
    swarms = [one for one in open_.swarms if shown_by(play, cards[one[1]]) in codes]
    if not swarms:
        return showing(play, codes)
    numbered = [one for code, of in open_.by_text.items() if code in codes for one in of]
    return [cards[piece] for _, piece in sorted([*numbered, *swarms])]


def shown_by(play: Play, card: Card) -> CardId:
    """Return the face whose text an open card has; a swarm card has that of its host. C-BKEY-17."""
    host = play.table.cards.get(card.at.of) if card.at.zone is Zone.SWARM else None
    return card.shown if host is None else host.shown


def face_of(play: Play, card: Card) -> AnyFace | None:
    """Return the printed face that an open card shows; None if it lies face down."""
    return play.content.faces.get(card.shown or shown_by(play, card))


def type_of_card(play: Play, card: Card) -> CardType | None:
    """Return the type of an open card; None if it lies face down."""
    printed = face_of(play, card)
    return None if printed is None else type_of(printed)


def is_players(play: Play, code: CardId) -> bool:
    """Return whether a card is a player card or an investigator, and not of the encounter."""
    return code in play.content.pack.players or code in play.content.pack.investigators


def printed_investigator(play: Play, who: InvestigatorId) -> InvestigatorCard:
    """Return the printed investigator card."""
    return play.content.pack.investigators[who]


def ability_at(play: Play, code: CardId, at: int) -> Ability:
    """Return an ability of a card by its position."""
    return play.content.faces[code].abilities[at]


def seat(play: Play, who: InvestigatorId) -> int:
    """Return the seat that runs an investigator. C-BZONE-25."""
    return play.table.investigators[who].seat


def lead(play: Play) -> InvestigatorId:
    """Return the lead investigator. C-CHOICE-1."""
    return play.table.order[0]


def is_in(play: Play, who: InvestigatorId) -> bool:
    """Return whether an investigator is still in the scenario. C-BELIM-10."""
    return who in play.table.order


PLACES = frozenset([Zone.MAP, Zone.SPACE])
AREAS = frozenset([Zone.PLAY, Zone.THREAT])
"""Zones of an investigator whose cards are where the investigator is."""
WITH_A_CARD = frozenset([Zone.ON, Zone.SWARM])
"""Zones whose cards are where the card is that their place names."""


def location_of(play: Play, card: Card, table: CardsTable | None = None) -> PieceId:
    """
    Return the location where an open card is; empty for one that is nowhere. C-LOC-2.

    A card in a play or threat area is where its investigator is; an attachment where its host is.
    An enemy is not moved by what its investigator counts as (C-ASIF-5).
    """
    on = table or play.table
    zone = card.at.zone
    if zone in PLACES:
        return card.piece
    if zone in AREAS:
        if card.engaged and zone is Zone.THREAT:
            return on.investigators[card.at.of].location
        return on.here(card.at.of)
    if zone is Zone.AT:
        return card.at.of
    if zone in WITH_A_CARD:
        host = on.cards.get(card.at.of)
        return "" if host is None else location_of(play, host, on)
    return ""


def hand(play: Play, who: InvestigatorId) -> tuple[tuple[str, CardId], ...]:
    """Return the cards in a hand, each with its handle."""
    found = texts_of(play).hands.get(who)
    return () if found is None else found.cards


Key = tuple[str, int, int]
"""Piece or handle, position of the ability, and number of the occurrence in its group."""


@frozen(eq=False)
class Use:
    """One way to use an ability, or to play a card."""

    you: InvestigatorId
    code: str
    piece: PieceId
    """The open card; empty for a card in hand."""
    ability: int
    """Position of the ability on the card."""
    handle: str = ""
    """The card in hand, if it is one."""
    occurrence: Occurrence | None = None
    number: int = 0
    """Number of the occurrence in its group."""

    @property
    def key(self) -> Key:
        """The ability and its occurrence, for which it is used at most once. C-BABIL-7."""
        # A hidden card has no piece: that of each investigator has abilities of its own.
        card = self.piece or self.handle or f"{self.code} {self.you}"
        return (card, self.ability, self.number)

    @property
    def is_secret(self) -> bool:
        """True for an ability of a hidden card, which only its holder knows. C-BKEY-6, C-BKEY-7."""
        return not self.piece and not self.handle

    @property
    def ability_key(self) -> AbilityKey:
        """The ability, whatever it answers."""
        return (self.piece or self.code, self.ability)

    def source(self) -> Source:
        """Return the source of the effect."""
        holder = self.you if self.is_secret else ""
        return Source(self.code, self.piece, self.you, occurrence=self.occurrence, holder=holder)

    def points(self) -> tuple[Point, ...]:
        """Return what the option is about: the card, and what it answers."""
        found = [] if self.is_secret else [Point("card", self.piece or self.handle)]
        if self.occurrence is not None and self.occurrence.card:
            found.append(Point("card", self.occurrence.card))
        return tuple(found)

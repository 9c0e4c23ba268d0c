"""Cards, as their data: values, keywords and abilities."""

from typing import Annotated

import attrs

from content.games.cards.schema.conditions import Condition
from content.games.cards.schema.costs import Cost
from content.games.cards.schema.kinds import (
    NONE,
    ONE,
    Amount,
    CardClass,
    CardId,
    CardType,
    Deed,
    Keyword,
    NewCard,
    NewSet,
    Slot,
    Trait,
)
from content.games.cards.schema.modifiers import Modifier
from content.games.cards.schema.occurrences import On
from content.games.cards.schema.steps import Effect
from content.games.cards.schema.targets import Filter, Prey, Uses
from content.reading.meanings import Bounds
from protocol.games.cards.words import Until, Word


class Does(Word):
    """The kinds of ability, by when they are used."""

    ACTION = "action"
    FREE = "free"
    REACTION = "reaction"
    FORCED = "forced"
    CONSTANT = "constant"
    REVELATION = "revelation"
    PLAY = "play"
    """The effect of an event when it is played. C-BPLAY-3."""
    SUCCESS = "success"
    """"If successful": carried out in ST.7 while the card is committed. C-TEST-9."""
    FAILURE = "failure"
    HAUNTED = "haunted"
    OBJECTIVE = "objective"
    """The way in which an act advances by its text, used like a free ability. C-BACTS-3."""


class AbilityZone(Word):
    """The zone in which an ability works, if it is not in play. C-BZONE-9."""

    PLAY = "play"
    HAND = "hand"
    DISCARD = "discard"
    COMMITTED = "committed"
    VICTORY = "victory"


class By(Word):
    """Investigators who may use an ability, where C-TRIG-1 to C-TRIG-6 do not say so."""

    ANYONE = "anyone"
    HERE = "here"
    BEARER = "bearer"
    """C-BWEAK-6."""


@attrs.frozen
class Limit:
    """A limit on the uses of an ability. C-BABIL-16, C-BABIL-17."""

    per: Until
    times: Annotated[int, Bounds(1, 9)] = 1
    is_max: bool = False
    """True if all copies by title count, for all players: "max", not "limit"."""


@attrs.frozen(kw_only=True)
class Ability:
    """One ability of a card."""

    does: Does
    on: On | None = None
    zone: AbilityZone = AbilityZone.PLAY
    by: By | None = None
    deed: tuple[Deed, ...] = ()
    """Its designators. C-AOO-3, C-BAOO-8."""
    actions: Annotated[int, Bounds(1, 9)] = 1
    """For an action ability: actions that it costs. C-BACT-4."""
    cost: tuple[Cost, ...] = ()
    limit: Limit | None = None
    if_: Condition | None = None
    effect: Effect = ()
    gives: tuple[Modifier, ...] = ()
    unreachable: bool = False
    """True if the author knows that it can never be used. C-DECIDE-49."""


class LimitedZone(Word):
    """The zones of which a card may limit the number of its copies. C-LIM-1."""

    DECK = "deck"
    PLAY = "play"
    """In play, or "per investigator". C-LIM-4."""
    VICTORY = "victory"


@attrs.frozen
class CopyLimit:
    """A limit on the copies of a card, by title, in a zone. C-LIM-1, C-LIM-3."""

    zone: LimitedZone
    most: Annotated[int, Bounds(1, 9)] = 1
    group: bool = False
    """True if the copies of all players count together. C-LIM-5."""


@attrs.frozen(kw_only=True)
class AnyCard:
    """Fields that every card may have."""

    id: NewCard
    title: CardId | None = None
    """The card whose title this one has, such as that of another level. C-BZONE-22."""
    limits: tuple[CopyLimit, ...] = ()
    traits: tuple[Trait, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    abilities: tuple[Ability, ...] = ()
    victory: Annotated[int, Bounds(0, 9)] | None = None
    vengeance: Annotated[int, Bounds(0, 9)] | None = None
    unique: bool = False
    copies: Annotated[int, Bounds(1, 9)] = 1
    """Copies in the box, or in its encounter set."""
    set_: NewSet | None = None
    """The encounter set that the card belongs to."""


@attrs.frozen(kw_only=True)
class PlayerCard(AnyCard):
    """A card of a player's deck."""

    type: CardType
    class_: tuple[CardClass, ...] = (CardClass.NEUTRAL,)
    level: Annotated[int, Bounds(0, 5)] | None = None
    """None for a card without a level. C-BDECK-9."""
    cost: Annotated[int, Bounds(0, 12)] | None = None
    """Resource cost; None for a dash or none. C-COST-3, C-COST-7."""
    icons: tuple[str, ...] = ()
    """Skill icons: names of skills, and `wild`. C-BTEST-1."""
    slots: tuple[Slot, ...] = ()
    health: Annotated[int, Bounds(1, 9)] | None = None
    sanity: Annotated[int, Bounds(1, 9)] | None = None
    uses: Uses | None = None
    weakness: bool = False
    basic: bool = False
    multiplayer: bool = False
    """A basic weakness that is none for a player alone. C-BDECK-11."""
    campaign: bool = False
    """A basic weakness that is none in a scenario that stands alone. C-BDECK-12."""
    signature_of: CardId | None = None
    """The investigator whose card it is. C-SIG-1, C-DECIDE-25."""
    most_committed: Annotated[int, Bounds(1, 9)] | None = None
    """ "Max N committed per test". C-BTEST-19."""
    permitted: Condition | None = None
    """ "Play only if". C-BPLAY-17."""
    attached_to: Filter | None = None
    """The cards to one of which it is attached as it is played."""
    copy_of: Filter | None = None
    """For an event without a cost: it is played as a copy of an event in your discard pile that
    fits, has a cost, and only does something when it is played. C-COST-5."""


@attrs.frozen(kw_only=True)
class StartingHand:
    """A larger set that replaces the starting hand, and of which some cards are kept. C-HAND-1."""

    drawn: Annotated[int, Bounds(1, 30)]
    """Cards that are drawn. C-HAND-2."""
    cards_kept: Annotated[int, Bounds(1, 30)]
    """Cards that are kept as the starting hand. C-HAND-3."""
    beneath: Filter | None = None
    """Cards of it that may be put beneath the investigator card."""
    most_beneath: Annotated[int, Bounds(0, 9)] = 0
    """The largest number of them."""


@attrs.frozen(kw_only=True)
class InvestigatorCard(AnyCard):
    """An investigator."""

    class_: CardClass
    willpower: Annotated[int, Bounds(0, 9)]
    intellect: Annotated[int, Bounds(0, 9)]
    combat: Annotated[int, Bounds(0, 9)]
    agility: Annotated[int, Bounds(0, 9)]
    health: Annotated[int, Bounds(1, 15)]
    sanity: Annotated[int, Bounds(1, 15)]
    star: Effect = ()
    """The effect of the star symbol in a test, beside its modifier. C-BTEST-8."""
    star_bonus: Amount = ONE
    deck_size: int = 30
    starting_hand: StartingHand | None = None
    """The set of cards that replaces the starting hand. C-HAND-1."""
    signatures: tuple[CardId, ...] = ()
    """Signature cards and the signature weakness. C-SIG-1."""
    basic_weaknesses: int = 1


@attrs.frozen(kw_only=True)
class EnemyCard(AnyCard):
    """An enemy, of the encounter deck or a weakness. C-BENEMY-1."""

    fight: Amount | None = None
    """None for a dash. C-BACT-17."""
    health: Amount | None = None
    evade: Amount | None = None
    damage: Annotated[int, Bounds(0, 9)] = 0
    horror: Annotated[int, Bounds(0, 9)] = 0
    prey: Prey | None = None
    spawn: Filter | None = None
    """The location where it spawns, seen from the investigator who drew it. C-SPAWN-2."""
    in_spaces: bool = False
    """True if it can enter the empty spaces of a grid. C-GRID-1."""
    spawns_in_space: bool = False
    """True if it spawns in an empty space of a grid. C-GRID-1."""
    swarming: Amount | None = None
    """C-BKEY-16."""
    weakness: bool = False
    basic: bool = False
    multiplayer: bool = False
    campaign: bool = False
    signature_of: CardId | None = None


@attrs.frozen(kw_only=True)
class TreacheryCard(AnyCard):
    """A treachery, of the encounter deck or a weakness."""

    weakness: bool = False
    basic: bool = False
    multiplayer: bool = False
    campaign: bool = False
    signature_of: CardId | None = None


@attrs.frozen(kw_only=True)
class StoryCard(AnyCard):
    """A story card, or an asset of the encounter deck. C-BENC-5."""

    slots: tuple[Slot, ...] = ()
    health: Annotated[int, Bounds(1, 9)] | None = None
    sanity: Annotated[int, Bounds(1, 9)] | None = None
    uses: Uses | None = None
    icons: tuple[str, ...] = ()
    other: CardId | None = None
    """Card on its other face, such as an enemy. C-BSPEC-7."""


@attrs.frozen(kw_only=True)
class LocationFace:
    """A revealed face of a location. C-BLOC-1."""

    id: NewCard
    shroud: Amount
    clues: Amount = NONE
    symbol: str = ""
    connects: tuple[str, ...] = ()
    """Symbols of the locations to which a way leads. C-BLOC-4."""
    traits: tuple[Trait, ...] = ()
    victory: Annotated[int, Bounds(0, 9)] | None = None
    vengeance: Annotated[int, Bounds(0, 9)] | None = None
    abilities: tuple[Ability, ...] = ()


@attrs.frozen(kw_only=True)
class LocationCard(AnyCard):
    """A location: its unrevealed face, and its revealed one, or two."""

    symbol: str
    connects: tuple[str, ...] = ()
    """Ways that are known before the location is revealed."""
    face: LocationFace
    versions: tuple[LocationFace, ...] = ()
    """Further cards with this unrevealed face: setup deals one of them, unseen. C-SECRET-12."""
    other: LocationFace | None = None
    """The second revealed face. C-BSPEC-3."""


@attrs.frozen(kw_only=True)
class ActCard(AnyCard):
    """An act."""

    clues: Amount | None = None
    """Clues for which it advances; None if it advances as its text says. C-BACTS-1, C-BACTS-3."""
    back: Effect = ()
    """The effect of its "b" face. C-BACTS-10."""
    other: CardId | None = None
    """Encounter card on its other face, which comes in after that. C-FLIP-4."""


@attrs.frozen(kw_only=True)
class AgendaCard(AnyCard):
    """An agenda."""

    doom: Amount | None = None
    """Its threshold. C-BDOOM-3."""
    back: Effect = ()
    other: CardId | None = None


@attrs.frozen(kw_only=True)
class SymbolEntry:
    """The entry of one scenario symbol. C-BTEST-8."""

    by: Amount = NONE
    """Modifier of the token."""
    effect: Effect = ()
    failure: Effect = ()
    """The effect of a failed test."""
    another: bool = False
    """True if another token is revealed."""


@attrs.frozen(kw_only=True)
class ReferenceCard(AnyCard):
    """The scenario reference card: a face for two levels of difficulty. C-BBAG-2."""

    s1: SymbolEntry
    s2: SymbolEntry
    s3: SymbolEntry
    s4: SymbolEntry

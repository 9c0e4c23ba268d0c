"""Cards in play: of investigators, in rooms, and before the keeper."""

from protocol.common.table import Handle
from protocol.event import Sealed
from protocol.games.first_edition.table.ids import CardId, InvestigatorId, PieceId
from protocol.games.first_edition.words import AttackKind, Attribute, Keyword, StoryDeck, TaleKind
from protocol.values import frozen


@frozen
class WeaponFacts:
    """Printed values of a weapon."""

    kind: AttackKind
    range: int
    damage: int
    uses: int
    """Attacks left before the weapon is used up; 0 for no limit."""


@frozen
class Item:
    """An item in play, of an investigator or face up in a room."""

    piece: PieceId
    card: CardId
    keywords: tuple[Keyword, ...] = ()
    weapon: WeaponFacts | None = None


@frozen
class Spell:
    """A spell of an investigator; nobody knows its back. K-SPELL-1."""

    card: CardId
    handle: Handle
    attribute: Attribute
    modifier: int
    is_attack: bool


@frozen
class FaceDown:
    """A mythos card that lies face down before an investigator. K-MYTHOS-4."""

    card: Sealed[CardId]


@frozen
class StoryCard:
    """A card of the story, in a room or before an investigator or an ally. W-DECIDE-50."""

    number: int
    """Number of the card in this game, by which events name it."""
    kind: StoryDeck
    owner: str
    """Id of the room, the investigator or the ally."""
    handle: Handle
    card: Sealed[CardId]
    """Known to the seats that the story names, or to nobody. W-SECRET-10, W-SECRET-11."""
    shown: CardId | None = None
    """The card, once it lies face up."""


@frozen
class ToldTale:
    """A story card of an ally that was turned up. W-DECIDE-32."""

    card: CardId
    kind: TaleKind
    holder: InvestigatorId | None = None
    """The investigator who heard it and keeps it; None if it was discarded."""


@frozen
class LaidCard:
    """An exploration card in a room. K-SECRET-7."""

    number: int
    """Number of the card in this game, by which events name it."""
    card: Sealed[CardId]
    shown: CardId | None = None
    """The card, if it lies face up: an obstacle that is not passed. K-DECIDE-35."""


@frozen
class Lock:
    """The lock of a room. K-SECRET-8."""

    card: Sealed[CardId]
    shown: CardId | None = None
    """The card, once somebody tried to enter."""


@frozen
class KeeperAction:
    """A keeper action with its cost. K-DECIDE-62."""

    card: CardId
    threat: int
    tokens: tuple[tuple[str, int], ...] = ()
    is_once: bool = False
    uses: int = 0
    """Uses in the present keeper turn."""


@frozen
class CounterLine:
    """A public number of the story, or a kind of token of the keeper. K-DECIDE-105."""

    amount: int
    most: int | None = None
    is_token: bool = False
    name: str = ""
    """Subject of its words. The server sends words only for subjects that the log names."""

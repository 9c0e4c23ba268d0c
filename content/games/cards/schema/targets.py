"""
Targets: the cards and investigators that an ability concerns.

In YAML a target is a word such as `this`, or a mapping with one key, such as
`{choose: {types: [enemy], here: true}}`. "You" is as C-YOU-1 to C-YOU-6 say.
"""

import attrs

from content.games.cards.schema.kinds import (
    Amount,
    CardClass,
    CardId,
    CardType,
    Keyword,
    Stat,
    TraitName,
)
from content.reading.parts import part
from protocol.games.cards.words import Word


class Engaged(Word):
    """With whom an enemy must be engaged."""

    YOU = "you"
    """C-YOU-11."""
    ANYONE = "anyone"
    NOBODY = "nobody"


class Parity(Word):
    """Whether a cost is even or odd; no cost is neither. C-COST-6, C-COST-7."""

    EVEN = "even"
    ODD = "odd"


class Where(Word):
    """Places where a card must be."""

    HERE = "here"
    """At your location. C-LOC-2."""
    BESIDE = "beside"
    """At a location that connects to yours."""
    NEAR = "near"
    """At your location or one that connects to it."""
    YOUR_AREA = "your-area"
    """In your threat area. C-BZONE-5."""
    ON_THIS = "on-this"
    """Attached to this card."""
    ON_LOCATION = "on-location"
    """Attached to your location."""


@attrs.frozen
class Filter:
    """Demands on a card; everything that is given must hold."""

    this: bool = False
    """It is the card that has the ability, this copy alone. C-BABIL-25."""
    other: bool = False
    """It is another card than the one that has the ability."""
    host: bool = False
    """It is the card that this one is attached to."""
    they: bool = False
    """It is one of the cards that were chosen or affected last, or that a delayed effect is of."""
    types: tuple[CardType, ...] = ()
    traits: tuple[TraitName, ...] = ()
    """It has one of these."""
    without: tuple[TraitName, ...] = ()
    """It has none of these. C-BZONE-29."""
    class_: CardClass | None = None
    keyword: Keyword | None = None
    not_keyword: Keyword | None = None
    id: CardId | None = None
    """It is a copy of this card. C-BZONE-22."""
    yours: bool | None = None
    """You control it. C-YOU-9."""
    where: Where | None = None
    at: CardId | None = None
    """It is at this location, named by either face. C-LOC-2."""
    engaged: Engaged | None = None
    exhausted: bool | None = None
    holds: str = ""
    """Kind of token of which at least one lies on it."""
    lacks: str = ""
    """Kind of token of which none lies on it."""
    bare_of: CardId | None = None
    """No copy of this card is attached to it. C-BZONE-22."""
    weakness: bool | None = None
    revealed: bool | None = None
    """For locations."""
    unique: bool | None = None
    cost_at_most: int | None = None
    cost_is: Parity | None = None


class TheCard(Word):
    """Words for cards."""

    THIS = "this"
    THAT = "that"
    """The card that what the ability answers happened to."""
    CAUSE = "cause"
    """The card that brought it about, such as the attacker."""
    THEY = "they"
    """The cards that were chosen or affected last."""
    HOST = "host"
    """The card that this one is attached to."""
    HERE = "here"
    """Your location."""
    TARGET = "target"
    """The enemy or location that the test is about."""
    YOU = "you"
    """Your investigator card."""
    ACT = "act"
    AGENDA = "agenda"


class Which:
    """Cards for which there is no word."""


@part(Which, "choose")
class Choose(Which):
    """Some cards that fit, chosen by whom the ability calls "you". C-BABIL-34."""

    of: Filter
    least: int = 1
    most: int = 1


@part(Which, "each", inline="of")
class Each(Which):
    """All cards that fit."""

    of: Filter


@part(Which, "nearest", inline="of")
class Nearest(Which):
    """The nearest card that fits; a choice among equally near ones. C-NEAR-1 to C-NEAR-3."""

    of: Filter


@part(Which, "most")
class Most(Which):
    """The card with the most of something; a choice among equal ones. C-CHOICE-5, C-CHOICE-6."""

    of: Filter
    token: str
    fewest: bool = False


@part(Which, "topmost", inline="of")
class Topmost(Which):
    """The topmost card of an encounter discard pile that fits."""

    of: Filter


Cards = TheCard | Which


class Who(Word):
    """Words for investigators."""

    YOU = "you"
    THEY = "they"
    """The investigators chosen or affected last."""
    EACH = "each"
    OTHERS = "others"
    EACH_HERE = "each-here"
    """Each investigator at your location."""
    ANY_HERE = "any-here"
    """One at your location, whom you choose."""
    ANY = "any"
    """One whom you choose."""
    WHO = "who"
    """The investigator to whom it happened."""
    TESTER = "tester"
    LEAD = "lead"
    OWNER = "owner"
    """The bearer of a weakness, the owner of a card. C-BWEAK-3."""
    AT_THIS = "at-this"
    """Each investigator at the location of this card, or at this location."""


class Whom:
    """Investigators for whom there is no word."""


@part(Whom, "extreme")
class Extreme(Whom):
    """The one with the most or the least of a value; the lead chooses among equal ones."""

    stat: Stat
    least: bool = False


People = Who | Whom


@attrs.frozen
class Prey:
    """The investigators whom an enemy prefers. C-BENEMY-3, C-BENEMY-10, C-BENEMY-17."""

    stat: Stat | None = None
    """The investigator with the most of it."""
    is_lowest: bool = False
    """True for the least of it."""
    is_bearer: bool = False
    """The investigator who bears the weakness."""
    only: bool = False
    """True if it engages, hunts and attacks nobody else."""


@attrs.frozen
class Uses:
    """The tokens with which an asset enters play. C-BPLAY-11, C-BPLAY-19."""

    kind: str
    number: Amount
    is_discarded: bool = False
    """True if the asset is discarded with the last of them. C-BPLAY-26."""

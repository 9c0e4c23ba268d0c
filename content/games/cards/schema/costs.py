"""Costs: what is paid to use an ability or play a card, all before any effect. C-BABIL-9."""

from content.games.cards.schema.kinds import ONE, Amount, UseKind
from content.games.cards.schema.targets import Filter
from content.reading.parts import part


class Cost:
    """One thing that is paid."""


@part(Cost, "exhaust", inline="which")
class ExhaustCost(Cost):
    """Exhaust this card, or one that you control and that fits. C-COST-1."""

    which: Filter


@part(Cost, "uses")
class UsesCost(Cost):
    """Spend uses of this card. C-BPLAY-12."""

    kind: UseKind
    number: Amount = ONE


@part(Cost, "resources", inline="number")
class ResourcesCost(Cost):
    """Spend resources."""

    number: Amount


@part(Cost, "clues", inline="number")
class CluesCost(Cost):
    """Spend your clues."""

    number: Amount


@part(Cost, "group_clues", inline="number")
class GroupCluesCost(Cost):
    """The investigators together spend clues. C-BACTS-1, C-BACTS-2."""

    number: Amount


@part(Cost, "discard_this", inline="yes")
class DiscardThisCost(Cost):
    """Discard this card."""

    yes: bool


@part(Cost, "discard_hand")
class DiscardHandCost(Cost):
    """Discard cards from your hand."""

    number: int = 1
    of: Filter = Filter()


@part(Cost, "discard", inline="which")
class DiscardCost(Cost):
    """Discard a card in play that you control and that fits. C-COST-1."""

    which: Filter


@part(Cost, "harm")
class HarmCost(Cost):
    """Take direct damage or horror, or put it on this card."""

    damage: int = 0
    horror: int = 0
    on_this: bool = False


@part(Cost, "doom", inline="number")
class DoomCost(Cost):
    """Place doom on this card."""

    number: int


@part(Cost, "bag", inline="tokens")
class BagCost(Cost):
    """Add these tokens from the supply to the bag. C-BLESS-4."""

    tokens: tuple[str, ...]


@part(Cost, "seal", inline="token")
class SealCost(Cost):
    """Seal a token of the bag on this card. C-BKEY-15."""

    token: str


@part(Cost, "release", inline="yes")
class ReleaseCost(Cost):
    """Release a token that is sealed on this card."""

    yes: bool


@part(Cost, "actions", inline="number")
class ActionsCost(Cost):
    """Spend actions beside those of the ability itself. C-BAOO-9."""

    number: int


@part(Cost, "icon", inline="which")
class IconCost(Cost):
    """Name an icon of a committed card that fits; of a wild one, what it stands for. C-WILD-4."""

    which: Filter


@part(Cost, "x", inline="most")
class XCost(Cost):
    """Spend X resources; X is chosen as the cost is paid. C-BPLAY-25."""

    most: int

"""Steps about chaos tokens. Sections 1.9 and 2.8."""

from typing import Annotated

from content.games.cards.schema.kinds import ONE, Amount
from content.games.cards.schema.steps.base import Effect, Step
from content.games.cards.schema.targets import Cards, TheCard
from content.reading.meanings import Bounds
from content.reading.parts import part


@part(Step, "bag")
class ChangeBag(Step):
    """
    Add tokens to the bag, as many as the supply has, or take them out if the number is negative.

    C-BLESS-3.
    """

    token: str
    number: Amount = ONE


@part(Step, "reveal")
class Reveal(Step):
    """Reveal chaos tokens outside a test, then go on by what came. C-BLESS-1, C-BBAG-13."""

    number: Amount = ONE
    then: Effect = ()


@part(Step, "reveal_more")
class RevealMore(Step):
    """Instead of 1 token reveal several, and choose those that are resolved. C-TOK-9."""

    number: Annotated[int, Bounds(1, 4)] = 1
    keep: Annotated[int, Bounds(1, 4)] = 1
    from_card: Cards | None = None
    """Instead of tokens from the bag, all that are sealed on this card are resolved. C-TOK-5."""


@part(Step, "another_token", inline="yes")
class AnotherToken(Step):
    """Reveal another token in the test. C-BBAG-11."""

    yes: bool


@part(Step, "seal")
class SealShown(Step):
    """Seal the revealed tokens that fit on a card. C-TOK-4."""

    tokens: tuple[str, ...] = ()
    card: Cards = TheCard.THIS


@part(Step, "cancel_token", inline="tokens")
class CancelToken(Step):
    """The revealed tokens of these kinds are cancelled, of those the ability answers. C-TOK-14."""

    tokens: tuple[str, ...]

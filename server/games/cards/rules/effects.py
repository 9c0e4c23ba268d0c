"""
Effects: the steps that cards declare, resolved one by one, and whether they could change anything.

The functions of the steps are in the modules of `steps`; importing the package `rules` imports all
these modules.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from content.games.cards.schema.kinds import Amount
from content.games.cards.schema.steps import ChooseStep, Step
from content.games.cards.schema.targets import Cards, People
from protocol.games.cards.table import Card, InvestigatorId, PieceId
from protocol.values import evolve, frozen
from server.games.cards.rules import enemies, harm, targets, timing, values
from server.games.cards.rules.play import Play, Source, is_players, nesting
from server.rulekit import resolver

S = TypeVar("S", bound=Step)


@frozen
class Run(resolver.Run[Play, Source, None]):
    """State of one effect while it is resolved. Steps evaluate their fields by its methods."""

    def number(self, amount: Amount) -> int:
        """Return the number of an amount, at least 0."""
        return max(0, values.number(self.game, amount, self.source))

    async def cards(
        self, which: Cards, able: Callable[[Card], bool] | None = None, prompt: str = ""
    ) -> tuple[PieceId, ...]:
        """Return the cards that a step concerns, which the steps after it call `they`."""
        found = await targets.cards(self.game, which, self.source, able, prompt)
        self.source.they = found
        return found

    async def people(self, who: People) -> tuple[InvestigatorId, ...]:
        """Return the investigators whom a step concerns, those after it call them `they`."""
        found = await targets.people(self.game, who, self.source)
        self.source.them = found
        return found

    async def resolve(self, effect: Sequence[Step], source: Source | None = None) -> None:
        """Resolve an effect inside this one, with the same source unless another is given."""
        await STEPS.resolve(self.game, effect, source or self.source, None)


def _is_over(play: Play, source: Source) -> bool:
    """
    Return whether the rest of an effect is left out.

    Its investigator is gone (C-BELIM-9), or it belongs to a chain that has been ended
    (C-DECIDE-53).
    """
    if nesting(play).is_ended:
        return True
    is_gone = bool(source.you) and source.you not in play.table.order
    return is_gone and is_players(play, source.code)


STEPS: resolver.Resolver[Play, Source, None, Run] = resolver.Resolver(
    Run, _is_over, lambda _outcome: False
)


def resolves(kind: type[S], *, alone: bool = False) -> Callable[[Any], Any]:
    """
    Register the decorated function for a kind of step.

    Args:
        kind: the kind of step.
        alone: True for what cannot be done for several investigators at once. C-BABIL-37.
    """
    register = STEPS.resolves(kind, by_actor=True)
    if not alone:
        return register

    def declare(function: Callable[[Run, S], Awaitable[None]]) -> Callable[..., Any]:
        async def wait(run: Run, step: S) -> None:
            await timing.alone(run.game)
            await function(run, step)

        register(wait)
        return function

    return declare


Check = Callable[[Play, Any, Source], bool]
_CHANGES: dict[type, Check] = {}


def changes(*kinds: type) -> Callable[[Check], Check]:
    """Register the decorated function: whether such a step could change the game state now."""

    def declare(check: Check) -> Check:
        for kind in kinds:
            if kind in _CHANGES:
                raise ValueError(f"{kind.__name__} is looked at twice")
            _CHANGES[kind] = check
        return check

    return declare


async def resolve(play: Play, effect: Sequence[Step], source: Source) -> None:
    """
    Resolve an effect, as much of it as possible, in the order written. C-BABIL-10.

    What it heals in several parts is healed at its end, in one instance (C-HEAL-3). Enemies whose
    engagement it has ended engage others only when it is complete (C-BENEMY-22).
    """
    await STEPS.resolve(play, effect, source, None)
    while source.healing:
        one = source.healing.pop(0)
        await harm.heal(play, one.pieces, one.damage, one.horror, cause=one.cause)
    if source.freed:
        freed = tuple(source.freed)
        source.freed.clear()
        await enemies.engage_all(play, freed)


def can_change(play: Play, effect: Sequence[Step], source: Source) -> bool:
    """
    Return whether an effect could change the game state. C-BABIL-8, C-BPLAY-13, C-BABIL-22.

    A step that nobody says anything about can. A choice of targets without a legal one can not. To
    choose alone changes nothing: the steps after a choice are looked at for all that it may find.
    """
    for step in effect:
        if could(play, step, source):
            return True
        if isinstance(step, ChooseStep):
            source = _as_chosen(play, step, source)
    return False


def _as_chosen(play: Play, step: ChooseStep, source: Source) -> Source:
    """Return the source of an effect whose choice has found everything that it may find."""
    they = source.they if step.card is None else targets.meant(play, step.card, source)
    them = source.them if step.who is None else targets.people_now(play, step.who, source)
    return evolve(source, they=they, them=them)


def could(play: Play, step: Step, source: Source) -> bool:
    """Return whether one step could change the game state."""
    check = _CHANGES.get(type(step))
    return check is None or check(play, step, source)

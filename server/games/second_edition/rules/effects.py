"""
Effects: the steps that content declares, resolved one by one.

The function of each kind of step is in a module of `steps`; importing the package `rules` imports
all these modules.
"""

from content.games.second_edition.schema.effects import Effect, Number
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.schema.targets import Anybody, AnyMonster
from protocol.common.text import Text
from protocol.games.second_edition.table import InvestigatorId, MonsterId
from protocol.values import frozen
from server.games.second_edition.rules import (
    amounts,
    monster_targets,
    naming,
    requirements,
    targets,
)
from server.games.second_edition.rules.play import Outcome, Play, Source
from server.rulekit import resolver


@frozen
class Run(resolver.Run[Play, Source, Outcome]):
    """State of one effect while it is resolved. Steps evaluate their fields by its methods."""

    def scaled(self, amount: Number) -> int:
        """Return an amount, at least 0."""
        return amounts.scaled(self.game, amount, self.source, self.outcome)

    def signed(self, amount: Number) -> int:
        """Return an amount that may be below 0."""
        return amounts.signed(self.game, amount, self.source, self.outcome)

    def exact(self, amount: Number) -> int:
        """Return an amount without any bounds."""
        return amounts.exact(self.game, amount, self.source, self.outcome)

    def holds(self, requirement: Requirement | None) -> bool:
        """Return True if a requirement holds for the actor."""
        return requirements.holds_for(self.game, requirement, self.source, self.outcome)

    async def people(self, who: Anybody) -> tuple[InvestigatorId, ...]:
        return await targets.select(self.game, who, self.source)

    async def monsters(self, which: AnyMonster) -> tuple[MonsterId, ...]:
        return await monster_targets.select(self.game, which, self.source)

    async def resolve(self, effect: Effect) -> Outcome:
        """Resolve an effect inside this one, with the same source, and return its outcome."""
        return await resolve(self.game, effect, self.source, self.outcome)


def _is_eliminated(play: Play, source: Source) -> bool:
    """Return True if the actor is eliminated; then only steps about others count. DECIDE-69."""
    return play.table.investigators[source.actor].is_eliminated


STEPS: resolver.Resolver[Play, Source, Outcome, Run] = resolver.Resolver(
    Run, _is_eliminated, lambda outcome: outcome.is_returned
)
resolves = STEPS.resolves


async def resolve(
    play: Play, effect: Effect, source: Source, so_far: Outcome | None = None
) -> Outcome:
    """
    Resolve an effect to its end, unless the game ends first. Rules GOLDEN-1 and DECIDE-69.

    Args:
        play: the game.
        effect: the steps, in order.
        source: the piece or text that has the effect.
        so_far: outcome of the surrounding effect; None for an outermost one.
    """
    return await STEPS.resolve(play, effect, source, so_far or Outcome(whole=effect))


def story(play: Play, subject: str, source: Source) -> Text:
    """
    Return the text of the pack with this subject.

    Parameter `{0}` is the actor, `{1}` the monster of the effect if it is on the board.
    """
    if source.monster is None or source.monster not in play.table.monsters:
        return Text(subject, (source.actor,))
    return Text(subject, (source.actor, naming.monster(play.table, source.monster)))

"""
Effects: the steps that content declares, resolved one by one.

The function of each kind of step is in a module of `steps`; importing the package `rules` imports
all these modules.
"""

from content.games.first_edition.schema.effects import Effect, Reveal
from content.games.first_edition.schema.requirements import Requirement
from content.games.first_edition.schema.targets import Anybody, AnyMonster
from protocol.games.first_edition.table import CharacterId, InvestigatorId, MonsterId
from protocol.values import frozen
from server.games.first_edition.rules import objective, requirements, targets, trauma
from server.games.first_edition.rules.play import Play, Source
from server.rulekit import resolver


@frozen
class Run(resolver.Run[Play, Source, None]):
    """State of one effect while it is resolved. Steps evaluate their fields by its methods."""

    def holds(self, requirement: Requirement | None) -> bool:
        """Return True if a requirement holds."""
        return requirements.holds(self.game, requirement, self.source)

    async def people(self, who: Anybody) -> tuple[InvestigatorId, ...]:
        """Return the investigators whom a step concerns that concerns no ally."""
        found = await self.characters(who)
        return tuple(one for one in found if one in self.game.table.investigators)

    async def characters(self, who: Anybody, *, heals: bool = False) -> tuple[CharacterId, ...]:
        """Return the investigators and allies whom a step concerns."""
        return await targets.characters(self.game, who, self.source, heals=heals)

    async def monsters(self, which: AnyMonster, most: int) -> tuple[MonsterId, ...]:
        return await targets.monsters(self.game, which, most, self.source)

    async def resolve(self, effect: Effect, source: Source | None = None) -> None:
        """Resolve an effect inside this one, with the same source unless another is given."""
        await resolve(self.game, effect, source or self.source)


STEPS: resolver.Resolver[Play, Source, None, Run] = resolver.Resolver(
    Run, lambda _play, _source: False, lambda _outcome: False
)
resolves = STEPS.resolves


async def resolve(play: Play, effect: Effect, source: Source) -> None:
    """
    Resolve an effect to its end, unless the game ends first.

    Before each step the keeper may play trauma cards on what the step before has done
    (K-TRAUMA-3); after each the objective is checked (K-DECIDE-93). If one effect reveals the
    objective and kills, the reveal comes first.
    """
    for step in sorted(effect, key=lambda step: not isinstance(step, Reveal)):
        await trauma.settle(play)
        await STEPS.resolve(play, (step,), source, None)
        objective.check(play)

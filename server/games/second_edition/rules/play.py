"""Play: the game handle of the second edition, and the source and outcome of an effect."""

from content.games.second_edition.schema.cards import Attack
from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.pack import Content
from protocol.games.second_edition.table import (
    CardId,
    Harm,
    InvestigatorId,
    MonsterId,
    PossessionId,
    SecondEditionTable,
)
from protocol.values import frozen
from server.kernel.game import Game

Play = Game[SecondEditionTable, Content]
"""Game handle that every rule of this game is given."""


@frozen
class Source:
    """Source of an effect: what its steps mean by "this", "the monster", "the weapon"."""

    actor: InvestigatorId
    """The investigator whom it concerns."""
    monster: MonsterId | None = None
    weapon: Attack | None = None
    possession: PossessionId | None = None
    """The Item whose text it is."""
    condition: CardId | None = None
    """The Condition whose text it is, by its front."""
    harm: Harm | None = None
    handle: str | None = None
    """The faceup Damage or Horror card whose text it is."""
    is_inner: bool = False
    """Whether it is resolved while Damage or Horror is still being suffered: who becomes Wounded
    or Insane is looked at only when all of that is suffered. DECIDE-51."""


@frozen
class Outcome:
    """Outcome of an effect, for the rule that resolved it."""

    is_forfeited: bool = False
    """Whether the action that it belongs to is forfeited. Rule EVADE-6."""
    successes: int = 0
    """The result of the last test in it."""
    is_returned: bool = False
    """Whether the named effect being resolved, else the whole effect, has ended early."""
    whole: Effect = ()
    """The effect that is resolved, the outermost one."""


class GameOver(Exception):
    """
    The game has just ended; nothing more is resolved.

    Raised right after `GameEnded` and caught where procedures begin.
    """

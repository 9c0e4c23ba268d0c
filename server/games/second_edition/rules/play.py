"""Play: the game handle of the second edition, and the source and outcome of an effect."""

from contextlib import AbstractContextManager, nullcontext

from content.games.second_edition.schema.cards import Attack
from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.pack import Content
from protocol.common.text import Text
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
"""Game handle that every rule of this game receives."""


def because(play: Play, cause: Text) -> AbstractContextManager[None]:
    """
    Attach a reason to every question that is asked inside the block.

    Games before version 3 name fewer reasons.

    Args:
        play: the game.
        cause: the reason, in words that everybody at the table may read.
    """
    return play.within(cause) if play.version > 2 else nullcontext()


@frozen
class Source:
    """Source of an effect: defines "this", "the monster" and "the weapon" in its steps."""

    actor: InvestigatorId
    """Investigator whom the effect concerns."""
    monster: MonsterId | None = None
    weapon: Attack | None = None
    possession: PossessionId | None = None
    """Item or Spell whose text is the effect."""
    condition: CardId | None = None
    """Condition whose text is the effect, by its front."""
    harm: Harm | None = None
    handle: str | None = None
    """Faceup Damage or Horror card whose text is the effect."""
    is_inner: bool = False
    """
    True while Damage or Horror is still being suffered. Limits are then checked only after all harm
    is suffered. DECIDE-51.
    """


@frozen
class Outcome:
    """Outcome of an effect, for the rule that resolved it."""

    is_forfeited: bool = False
    """True if the action that caused the effect is forfeited. Rule EVADE-6."""
    successes: int = 0
    """Result of the last test in the effect."""
    is_returned: bool = False
    """True if a `return` step has ended the named effect or, outside one, the whole effect."""
    whole: Effect = ()
    """Outermost effect being resolved."""


class GameOver(Exception):
    """
    The game has just ended, so that nothing more is resolved.

    Raised right after `GameEnded`, and caught by the runner of procedures.
    """

"""Play: the game handle of the first edition, and the source of an effect."""

from content.games.first_edition.schema.pack import Content
from protocol.common.text import Text
from protocol.games.first_edition.table import (
    CardId,
    FirstEditionTable,
    InvestigatorId,
    MonsterId,
    PieceId,
)
from protocol.games.first_edition.words import KEEPER
from protocol.values import frozen
from server.kernel.game import Game

Play = Game[FirstEditionTable, Content]
"""Game handle that every rule of this game receives."""
Refusal = tuple[Text, str]
"""Why something is refused, and the id of the rule."""


@frozen
class Source:
    """Source of an effect: defines "the actor" and "this monster" in its steps."""

    card: CardId
    """The card, event or story whose text is the effect; names it in questions."""
    actor: InvestigatorId | None = None
    """Investigator whom the effect concerns; None if it concerns nobody."""
    monster: MonsterId | None = None
    piece: PieceId | None = None
    """Item that has the effect."""
    bonus: int = 0
    """Added to the damage of a `strike`: the bonus of the weapon."""
    stakes: Text | None = None
    """The text of the card, shown with the tests that it calls for. K-COMBAT-10, K-MATTACK-7."""
    in_combat: bool = False
    """Whether the tests of the effect are tests in combat. K-DECIDE-55."""
    by_monster: bool = False
    """Whether the monster deals the damage of the effect, and so shows its back. K-INFO-4."""
    by_actor: bool = False
    """True for an investigator's own card: the actor chooses where otherwise the keeper would."""


class GameOver(Exception):
    """
    The game has just ended, so that nothing more is resolved.

    Raised right after `GameEnded`, and caught by the runner of procedures.
    """


def keeper(play: Play) -> int:
    """Return the seat of the keeper. K-GOAL-1."""
    return next(player.seat for player in play.players if player.role == KEEPER)


def chooser(play: Play, source: Source) -> int:
    """Return the seat that chooses among the targets of an effect."""
    is_own = source.by_actor and source.actor in play.table.investigators
    return play.seat_of(source.actor) if is_own and source.actor is not None else keeper(play)


def about(source: Source) -> Text:
    """Return the public subject of the questions of an effect."""
    return Text("about/card", (source.card,))

"""Play: the game handle of the first edition, and the source of an effect."""

import math

from content.games.first_edition.schema.pack import Content
from protocol.boards.routes import reach
from protocol.common.text import Text
from protocol.games.first_edition.table import (
    AllyId,
    CardId,
    CharacterId,
    FirstEditionTable,
    InvestigatorId,
    MonsterId,
    PieceId,
    SpaceId,
)
from protocol.games.first_edition.words import INVESTIGATOR_LINKS, KEEPER
from protocol.values import frozen
from server.games.first_edition.rules import adjacency
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
    actor: CharacterId | None = None
    """Investigator or ally whom the effect concerns; None if it concerns nobody."""
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


def answerer(play: Play, who: CharacterId) -> int:
    """
    Return the seat that answers for a character: the own one, or that of who leads an ally.

    In its phase an ally is led by the investigator who has taken it on, else by the nearest one.
    W-DECIDE-20, W-DECIDE-22.
    """
    if who in play.table.investigators:
        return play.seat_of(who)
    near = nearest(play, who)
    taken = [one for one in play.table.investigators if leading(one, who) in play.under_way]
    return play.seat_of((taken or near)[0]) if near else keeper(play)


def nearest(play: Play, ally: AllyId) -> tuple[InvestigatorId, ...]:
    """Return the investigators with the fewest steps to an ally, in seat order. W-DECIDE-20."""
    table = play.table

    def onward(space: SpaceId) -> tuple[SpaceId, ...]:
        return adjacency.beside(table, space, INVESTIGATOR_LINKS)

    away = reach([table.allies[ally].space], onward)
    people = [(away.get(one.space, math.inf), one) for one in table.in_seat_order()]
    least = min((steps for steps, _ in people), default=0)
    return tuple(one.investigator_id for steps, one in people if steps == least)


def leading(who: InvestigatorId, ally: AllyId) -> str:
    """Return the mark of the procedure in which an investigator leads an ally."""
    return f"{who} leads {ally}"


def chooser(play: Play, source: Source) -> int:
    """Return the seat that chooses among the targets of an effect."""
    if source.actor is None or not source.by_actor or not play.table.is_here(source.actor):
        return keeper(play)
    return answerer(play, source.actor)


def about(source: Source) -> Text:
    """Return the public subject of the questions of an effect."""
    return Text("about/card", (source.card,))

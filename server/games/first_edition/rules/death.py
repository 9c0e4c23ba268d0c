"""Killed investigators, and the players who are eliminated. Sections 22 and 24."""

from protocol.common.text import Text
from protocol.games.first_edition.events import (
    FaceDownTurned,
    InvestigatorKilled,
    ItemDropped,
    SeatEliminated,
    SpellDiscarded,
    TraumaLost,
    TurnEnded,
)
from protocol.games.first_edition.table import CharacterId, Investigator, InvestigatorId
from protocol.games.first_edition.words import Side, TraumaKind
from server.games.first_edition.rules import objective, story_decks, tales, trauma
from server.games.first_edition.rules.play import Play


async def kill(play: Play, who: CharacterId) -> None:
    """Kill an investigator or an ally. K-DAMAGE-3, W-ALLY-16."""
    if who in play.table.allies:
        tales.leave(play, who, is_killed=True)
        objective.check(play)
    else:
        _kill(play, play.table.investigators[who])


def _kill(play: Play, dead: Investigator) -> None:
    """
    Kill an investigator. K-DEATH-1 to K-DEATH-7, K-DECIDE-40, K-DECIDE-90.

    Items lie in the room, everything else is discarded. Before the objective is revealed, and while
    unused investigators are left, the player chooses a new one later; otherwise the player is
    eliminated (K-ELIM-1, K-ELIM-3). The own turn ends at once (K-DECIDE-91).
    """
    who, room = dead.investigator_id, play.table.room_of(dead.space)
    for item in dead.items:
        play.emit(ItemDropped(who, item.piece, room))
    for spell in dead.spells:
        play.emit(SpellDiscarded(who, spell.handle))
    for kind in TraumaKind:
        if dead.trauma(kind) is not None:
            play.emit(TraumaLost(who, kind))
    for one in dead.face_down:
        play.emit(FaceDownTurned(who, play.disclose(one.card), one.card.value))
    story_decks.leave(play, who)
    is_active = play.table.active == who
    returns = play.table.revealed is None and bool(unused(play))
    play.emit(InvestigatorKilled(who, returns))
    if is_active:
        play.emit(TurnEnded(dead.seat))
    objective.check(play)
    end_if_nobody_is_left(play)
    if not returns:
        trauma.discard_those_for_several(play)


def eliminate(play: Play, seat: int) -> None:
    """Eliminate a player who waited, and for whom no investigator is left. K-NEW-3, K-ELIM-2."""
    play.emit(SeatEliminated(seat))
    end_if_nobody_is_left(play)
    trauma.discard_those_for_several(play)


def unused(play: Play) -> tuple[InvestigatorId, ...]:
    """Return the investigators that nobody has played. K-NEW-2, K-SUPPLY-8, K-DECIDE-9."""
    allowed = play.content.story.investigators or tuple(play.content.pack.characters)
    return tuple(one for one in allowed if one not in play.table.used_investigators)


def end_if_nobody_is_left(play: Play) -> None:
    """Let the keeper win if no investigator is in play or able to return. K-DECIDE-93."""
    can_return = play.table.waiting and unused(play)
    if not play.table.investigators and not can_return:
        objective.end(play, (Side.KEEPER,), Text("result/nobody_left"))

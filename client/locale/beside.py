"""Words for a question that one seat decides and others may interrupt."""

from client.locale.speaker import Speaker
from protocol.common.asks import Settle
from protocol.common.patience import away, is_held_up, least_seconds
from protocol.common.table import RoomTable, Table


def interrupters_away(room: RoomTable) -> tuple[int, ...]:
    """Return the absent seats without which no decision counts, since they may interrupt it."""
    is_beside = room.ask is not None and room.ask.settle is Settle.BESIDE
    return away(room) if is_beside and (least_seconds(room) or is_held_up(room)) else ()


def decides_lines(speaker: Speaker, table: Table, seat: int | None) -> list[str]:
    """
    Return sentences: who decides, who else may interrupt, and whose absence delays it.

    Empty if nobody may interrupt the open question.

    Args:
        speaker: puts it into words.
        table: the table with the open question.
        seat: the seat of the reader, who is not named; None for a spectator.
    """
    ask = table.room.ask
    others = tuple(seat for seat in ask.questions if ask.may_interrupt(seat)) if ask else ()
    if not others:
        return []
    who = speaker.awaited(table)
    names = speaker.here_or_away(table, tuple(one for one in others if one != seat))
    lines = [
        speaker.say("waiting.decides", who, names) if names else speaker.say("waiting.for", who)
    ]
    if missing := interrupters_away(table.room):
        names = speaker.seats(table, missing)
        lines.append(speaker.say("waiting.interrupter_away", names, len(missing)))
    return lines


def held_line(speaker: Speaker, table: Table, choice: str, least: str) -> str:
    """
    Return when the choice of the viewer counts, who decides; empty if it counts at once.

    Args:
        speaker: puts it into words.
        table: the table with the open question.
        choice: the choice in words.
        least: the time in words for which others may interrupt at least; empty once it is over, or
            while the time is not known.
    """
    if missing := interrupters_away(table.room):
        names = speaker.seats(table, missing)
        return speaker.say("question.held_away", choice, names, len(missing))
    if least:
        return speaker.say("question.held", choice, least)
    return speaker.say("question.decided", choice) if least_seconds(table.room) else ""

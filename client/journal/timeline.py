"""The timeline of a replay: round by round, what both sides did, and what came out afterwards."""

import bisect
from collections.abc import Iterator, Sequence

import attrs

from client.journal.replay_model import ReplayModel
from client.locale.speaker import Speaker
from client.tellers.base import JournalLine, Tone

_LEFT_OUT = frozenset({Tone.CHAT, Tone.ROOM})


@attrs.frozen
class TimelineRow:
    """One line of the journal, with the side whose part it is."""

    line: JournalLine
    side: str
    """The role; empty if the line belongs to no side, or is not the first of its event."""


def timeline(replay: ReplayModel, lines: Sequence[JournalLine], number: int) -> list[TimelineRow]:
    """
    Return the timeline of one round, without what people said and who came or went.

    Args:
        replay: the replay.
        lines: the journal of the whole game.
        number: the round; 0 for what comes before the first.
    """
    sides, told, rows = _sides(replay), -1, list[TimelineRow]()
    for line in lines:
        if line.round_number != number or line.tone in _LEFT_OUT:
            continue
        is_named = line.tone not in _OF_NOBODY and line.sequence != told
        rows.append(TimelineRow(line, sides[line.sequence] if is_named else ""))
        told = line.sequence
    return rows


_OF_NOBODY = frozenset({Tone.ROUND, Tone.STEP, Tone.STORY, Tone.HINDSIGHT})


def _sides(replay: ReplayModel) -> list[str]:
    """
    Return the side of each record: its own, or that of the answer from which it follows.

    Where a turn begins, earlier answers count no more. In a game with turns none counts before the
    first: what the rules lay out follows from whichever answer came last.
    """
    if len(replay.tables[-1].sides) < 2:
        return [""] * len(replay.records)
    acting, has_begun, found = "", not replay.face.turns, list[str]()
    for record, after in zip(replay.records, replay.tables[1:], strict=True):
        own = "" if after.game is None else replay.face.side(after.game, record.event)
        if type(record.event) in replay.face.turns:
            acting, has_begun = own, True
        elif has_begun and record.origin in after.room.seats:
            acting = after.room.seats[record.origin].role
        found.append(own or acting)
    return found


def lasting(replay: ReplayModel, event: int, speaker: Speaker) -> Iterator[str]:
    """Yield the hindsight that holds after an event: the latest of each kind that lasts."""
    if not replay.point.is_all:
        return
    end = bisect.bisect_right(replay.hindsight, event, key=lambda one: one.sequence)
    latest = {one.kind: one for one in replay.hindsight[:end] if one.lasts}
    yield from (speaker.text(one.text) for one in latest.values())


def row_in_words(row: TimelineRow, speaker: Speaker) -> str:
    """Return a row: its event, its side and its text."""
    if not row.side:
        return speaker.say("timeline.row", row.line.sequence, row.line.text)
    side = speaker.name("role", row.side)
    return speaker.say("timeline.of_side", row.line.sequence, side, row.line.text)

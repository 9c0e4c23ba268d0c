"""
Statistics of finished games, computed from their logs alone.

Events that were taken back do not count, but the time spent on these events does.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from client.locale.speaker import Speaker
from client.model.viewpoints import Seen
from client.plugs.counting import Chart, Count, Row
from client.plugs.face import face_of
from protocol.common import events
from protocol.common.table import Table

_SHARED: Final = (
    Chart("winners", "stats.winners"),
    Chart("scores", "stats.scores"),
    Chart("thinking", "stats.thinking", is_time=True),
    Chart("answers", "stats.answers"),
)
"""Charts of every game, shown after the charts of the game itself."""
_SECOND: Final = 1000


@attrs.define
class Amount:
    """An observed amount, and the amount expected by chance."""

    amount: float = 0
    expected: float | None = None
    """The amount expected by chance; None if the amount does not depend on chance."""


@attrs.define(eq=False)
class Statistics:
    """Statistics of the games of one ruleset."""

    ruleset: str
    games: int = 0
    events: int = 0
    milliseconds: int = 0
    """The time from the first to the last event, summed over all games."""
    charts: dict[str, dict[Row, Amount]] = attrs.field(factory=dict)

    def add(self, seen: Seen) -> None:
        records = seen.records
        self.games += 1
        self.events += len(records)
        self.milliseconds += records[-1].time - records[0].time if records else 0
        counts = face_of(seen.tables[-1].room.ruleset).counting.counts
        # Events that were taken back do not count.
        gone = frozenset(
            sequence
            for record in records
            if isinstance(record.event, events.TakenBack)
            for sequence in range(record.event.checkpoint + 1, record.sequence)
        )
        found_by_game = [
            count
            # There is one table more than there are records: the one after the last.
            for before, record in zip(seen.tables, records, strict=False)
            if record.sequence not in gone
            for count in counts(before, record)
        ]
        for count in (*found_by_game, *_result(seen.tables[-1]), *_thinking(seen)):
            found = self.charts.setdefault(count.chart, {}).setdefault(count.row, Amount())
            found.amount += count.amount
            if count.expected is not None:
                found.expected = (found.expected or 0) + count.expected

    def shown(self) -> Iterator[tuple[Chart, list[tuple[Row, Amount]]]]:
        """Yield the charts that are not empty, each with its rows in display order."""
        for chart in (*face_of(self.ruleset).counting.charts, *_SHARED):
            if chart.name in self.charts:
                yield chart, sorted(self.charts[chart.name].items(), key=_order)

    def as_json(self) -> dict[str, object]:
        """Return the statistics as a JSON object for scripts, with times in seconds."""
        return {
            "ruleset": self.ruleset,
            "games": self.games,
            "events": self.events,
            "seconds": self.milliseconds / _SECOND,
            "charts": {
                chart.name: [
                    {
                        **_row_as_json(row),
                        "amount": round(found.amount, 3),
                        **({} if found.expected is None else {"expected": found.expected}),
                    }
                    for row, found in rows
                ]
                for chart, rows in self.shown()
            },
        }


def _row_as_json(row: Row) -> dict[str, str]:
    kind, piece = row
    if kind == "side":
        role, inner, other = piece.split(" ", 2)
        return {**_row_as_json((inner, other)), "side": role}
    return {"kind": kind, "row": piece.rpartition(".")[2] if kind == "word" else piece}


def _order(row: tuple[Row, Amount]) -> tuple[bool, float, Row]:
    """Return the sort key of a row: rounds by number, other rows by amount, the largest first.

    Rows with an amount expected by chance are sorted by that amount.
    """
    (kind, piece), found = row
    if kind in {"round", "number"}:
        return False, int(piece), row[0]
    if kind == "side":
        # What the sides won stands together.
        role, _, other = piece.partition(" ")
        return False, 0, (other, role)
    if kind == "score":
        # In the order that the game states.
        return False, 0, ("", "")
    return True, -(found.expected or found.amount), row[0]


def counted(games: Iterable[Seen]) -> list[Statistics]:
    """Return the statistics of games, grouped by ruleset."""
    by_ruleset: dict[str, Statistics] = {}
    for seen in games:
        ruleset = seen.tables[-1].room.ruleset
        by_ruleset.setdefault(ruleset, Statistics(ruleset)).add(seen)
    return list(by_ruleset.values())


def _result(last: Table) -> Iterator[Count]:
    """Yield a count of 1 for each side that won, and the scores."""
    end = last.game.came_out() if last.game is not None else None
    if end is None:
        return
    # A co-operative game names the outcome of each seat itself.
    if len(last.sides) > 1:
        for side in end.winners:
            yield Count("winners", ("role", side))
        if not end.winners:
            yield Count("winners", ("word", "stats.nobody"))
    for score in end.scores:
        yield Count("scores", ("score", score.name), score.value)


def _thinking(seen: Seen) -> Iterator[Count]:
    """Yield, for each seat's first answer to each question, its thinking time and a count of 1."""
    asked_at = 0
    answered: set[tuple[int, int]] = set()
    for before, record in zip(seen.tables, seen.records, strict=False):
        event = record.event
        if isinstance(event, events.Asked):
            asked_at = record.time
        elif isinstance(event, events.Answered | events.Passed | events.Voted):
            given = event.ask_id, event.seat
            if given not in answered:
                answered.add(given)
                row = ("seat", before.room.seats[event.seat].name)
                yield Count("thinking", row, (record.time - asked_at) / _SECOND)
                yield Count("answers", row)


def label(row: Row, speaker: Speaker) -> str:
    kind, piece = row
    match kind:
        case "word":
            return speaker.say(piece)
        case "side":
            role, inner, other = piece.split(" ", 2)
            name = label((inner, other), speaker)
            return speaker.say("stats.of_side", name, speaker.name("role", role))
        case "number":
            return piece
        case "round":
            return speaker.say("stats.round", piece)
        case "seat":
            return piece
        case _:
            return speaker.name(kind, piece)


def number(chart: Chart, amount: float, speaker: Speaker) -> str:
    """Return an amount as text: a time in minutes and seconds, others with at most one decimal."""
    if chart.is_time:
        minutes, seconds = divmod(round(amount), 60)
        return f"{minutes}:{seconds:02}"
    text = f"{amount:.0f}" if float(amount).is_integer() else f"{amount:.1f}"
    return text.replace(".", speaker.say("stats.point"))

"""Rows of what is counted (`bench.counts`): the same on every machine."""

from collections.abc import Iterable, Sequence
from typing import Final

from bench import counts
from bench.rows import Row

_WHAT: Final = {
    "log_bytes_event": ("bytes", "an event on the log, openings included"),
    "sent_bytes_seat_event": ("bytes", "what a seat is sent for an event, words included"),
    "packs_event": ("", "values that the server packs for an event, four seats"),
    "unpacks_event": ("", "values that it unpacks"),
    "commits_answer": ("", "commits to the database for an answer, one table alone"),
    "events_part": ("", "the most events that it writes before others can be served"),
}
NAMES: Final = tuple(_WHAT)


def rows(names: Sequence[str], answers: int) -> Iterable[Row]:
    """Yield the rows of these names, over so many answers for each scenario."""
    for name, number in counts.count(answers).by_name().items():
        if name in names:
            unit, what = _WHAT[name]
            yield Row(name, number, unit, what)

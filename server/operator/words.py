"""Reports for an operator in words: state of the server, tables, people."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from commands.speaking import CommandWords
from server.admin.vocabulary import BanLine, OpeningReport, PersonLine, State, TableLine

_GAP: Final = "  "
_MEBIBYTE: Final = 1 << 20


def in_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows with aligned columns; the last cell is not padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield _GAP.join(cells).rstrip()


def state_in_words(state: State, words: CommandWords) -> Iterator[str]:
    """Yield the lines of a server's state."""
    say = words.say
    yield say("admin.state.server", state.name, state.release, state.address)
    yield say("admin.state.fingerprint", state.fingerprint)
    yield say("admin.state.up", duration(state.up_seconds), state.cpu_ms // 1000)
    yield say("admin.state.connections", state.sessions, state.waiting)
    stages = state.tables_waiting, state.tables_playing, state.tables_over
    yield say("admin.state.tables", *stages, state.tables_loaded)
    if state.tables_stopped or state.tables_halted:
        yield say("admin.state.trouble", state.tables_stopped, state.tables_halted)
    if state.ends_in_seconds >= 0:
        yield say("admin.state.ends", duration(state.ends_in_seconds))
    yield say("admin.state.memory", state.peak_memory_kib // 1024)
    store, free = state.store_bytes / _MEBIBYTE, state.disk_free_bytes // _MEBIBYTE
    yield say("admin.state.store", f"{store:.1f}", free)


def tables_in_words(lines: Sequence[TableLine], words: CommandWords) -> Iterator[str]:
    """Yield a header and a row for each table; without tables, one line that says so."""
    if not lines:
        yield words.say("admin.tables.none")
        return
    heads = ("id", "stage", "here", "last", "scenario", "who")
    rows = [[words.say(f"admin.head.{name}") for name in heads]]
    for one in lines:
        trouble = (
            *["stopped"] * one.is_stopped,
            *["halted"] * one.is_halted,
            *["paused"] * one.is_paused,
        )
        stage = " ".join(words.say(f"admin.stage.{name}") for name in (one.stage.value, *trouble))
        here = f"{one.present}+{one.watching}" if one.watching else str(one.present)
        names = ", ".join(one.names)
        rows.append([one.room_id, stage, here, moment(one.when), one.scenario, names])
    yield from in_columns(rows)


def people_in_words(lines: Sequence[PersonLine], words: CommandWords) -> Iterator[str]:
    """Yield a header and a row for each session; without sessions, one line that says so."""
    if not lines:
        yield words.say("admin.people.none")
        return
    head = [words.say(f"admin.head.{name}") for name in ("name", "fingerprint", "address", "at")]
    rows: Iterable[list[str]] = (
        [one.name, one.fingerprint, one.address, " ".join(one.tables)] for one in lines
    )
    yield from in_columns([head, *rows])


def bans_in_words(lines: Sequence[BanLine], words: CommandWords) -> Iterator[str]:
    """Yield a header and a row for each ban; without bans, one line that says so."""
    if not lines:
        yield words.say("admin.bans.none")
        return
    head = [words.say(f"admin.head.{name}") for name in ("whom", "since", "reason")]
    yield from in_columns([head, *([one.whom, moment(one.when), one.reason] for one in lines)])


def opening_in_words(
    report: OpeningReport, listed: Sequence[str], words: CommandWords
) -> Iterator[str]:
    """Yield lines on the policy of opening tables, the quotas, and the listed keys."""
    yield words.say(f"admin.opening.{report.opening.value}")
    yield words.say("admin.opening.quotas", report.by_key, report.by_address)
    yield words.say("admin.opening.chosen" if report.is_chosen else "admin.opening.as_set")
    if listed:
        yield words.say("admin.opening.listed_are")
        yield from listed


def moment(milliseconds: int) -> str:
    """Return a time in the local time zone, to the minute."""
    return f"{dt.datetime.fromtimestamp(milliseconds / 1000).astimezone():%Y-%m-%d %H:%M}"


def duration(seconds: int) -> str:
    """Return a duration as hours and minutes, with days if there are any."""
    minutes = seconds // 60
    days, hours = minutes // 1440, f"{minutes // 60 % 24}:{minutes % 60:02}"
    return f"{days} d {hours}" if days else hours

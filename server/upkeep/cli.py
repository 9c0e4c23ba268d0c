"""The command `manse store`: back up, restore, check and compact the data of a server."""

import argparse
import datetime as dt
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from commands.speaking import CommandWords
from protocol.common.visible import visible
from server.identity import identity
from server.identity.files import UnusableFile
from server.lobby.tables.retention import Retention
from server.packs.compiled import CompiledPacks
from server.storage import StorageError, StoreLocked, schema
from server.storage.copying import Progress
from server.storage.sqlite import SqliteStore
from server.system.command_line import cache_folder, default_folder, parser_for
from server.system.faults import CopyTeller, in_words
from server.upkeep import checking, restoring, saving, tidying
from server.upkeep.opened import opened, result_of
from server.upkeep.restoring import LostTable
from server.upkeep.rooms import surroundings_of
from server.upkeep.tidying import OldTable

REFUSED = 1
_MOST_DAYS = 36_500


def main(argv: list[str]) -> int:
    """Run one of the tools. Returns 0 on success, 1 after a refusal or if faults were found."""
    parser = parser_for("store", argv)
    tools = parser.add_tools("TOOL", required=True)
    saving_ = tools.add("backup")
    saving_.add_argument("target", type=Path, metavar="TARGET")
    saving_.set_defaults(run=_back_up)
    restoring_ = tools.add("restore")
    restoring_.add_argument("source", type=Path, metavar="BACKUP")
    restoring_.add_argument("--replace", action="store_true")
    restoring_.set_defaults(run=_restore)
    checking_ = tools.add("check")
    checking_.set_defaults(run=_check)
    pruning = tools.add("prune")
    pruning.add_argument("--finished", metavar="DAYS", type=pruning.count(_MOST_DAYS), default=0)
    pruning.add_argument("--abandoned", metavar="DAYS", type=pruning.count(_MOST_DAYS), default=0)
    pruning.add_argument("--campaigns", action="store_true")
    pruning.add_argument("--yes", action="store_true")
    pruning.add_argument("--clock-is-right", action="store_true")
    pruning.set_defaults(run=_prune, parser=pruning)
    archiving = tools.add("archive")
    archiving.add_argument("target", type=Path, metavar="TARGET")
    days = archiving.count(_MOST_DAYS)
    archiving.add_argument("--finished", metavar="DAYS", type=days, default=1)
    archiving.add_argument("--campaigns", action="store_true")
    archiving.set_defaults(run=_archive)
    compacting = tools.add("vacuum")
    compacting.set_defaults(run=_vacuum)
    for tool in (saving_, restoring_, checking_, pruning, archiving, compacting):
        tool.add_argument("--folder", type=Path, default=default_folder())
        tool.add_argument("--json", action="store_true")
        tool.add_language()
        tool.set_defaults(words=parser.words, cache=cache_folder())
    options = parser.parse_args(argv)
    try:
        return int(options.run(options))
    except (StorageError, UnusableFile) as error:
        _say(sys.stderr, f"manse store: {in_words(error, options.words)}")
        return REFUSED


@contextmanager
def _opened(options: argparse.Namespace, **how: Any) -> Iterator[SqliteStore]:
    """Open the store as `opened` does; print a warning if its last commits may be missing."""
    with opened(options.folder, **how) as store:
        if store.was_alone:
            _say(sys.stderr, options.words.say("store.alone"))
        yield store


class Tenths:
    """Printer of progress: a line, in megabytes, after each tenth of the work."""

    def __init__(self, words: CommandWords) -> None:
        self._words, self._told = words, -1

    def __call__(self, done: int, total: int) -> None:
        """Print a line if another tenth of `total` bytes is done."""
        tenth = 10 * done // max(total, 1)
        if tenth > self._told:
            self._told = tenth
            told = (-(-done // 1_000_000), -(-total // 1_000_000))
            _say(sys.stderr, self._words.say("serve.copied", *told))


def _back_up(options: argparse.Namespace) -> int:
    progress: Progress = Tenths(options.words)
    try:
        with _opened(options, keeps_schema=True) as store:
            manifest = result_of(saving.back_up(store, options.folder, options.target, progress))
    except StoreLocked:
        running = options.words.say("store.backup.running", options.folder, options.target)
        _say(sys.stderr, f"manse store: {running}")
        return REFUSED
    told = (options.target, manifest.rooms, manifest.events)
    return _tell(options, attrs.asdict(manifest), options.words.say("store.backup.done", *told))


def _restore(options: argparse.Namespace) -> int:
    words: CommandWords = options.words
    source = restoring.source_at(options.source)
    lost = restoring.lost_by(source, options.folder)
    lines = list(_lines_of(lost, words))
    found = None if lost is None else [attrs.asdict(each) for each in lost]
    if restoring.has_server(options.folder) and not options.replace:
        lines.append(words.say("store.restore.refused", options.folder))
        _tell(options, {"restored": False, "lost": found, "replaced": []}, *lines)
        return REFUSED
    replaced = restoring.restore(source, options.folder)
    lines.append(words.say("store.restore.done", options.folder))
    lines += [words.say("store.restore.replaced", path) for path in replaced]
    told = {"restored": True, "lost": found, "replaced": [str(path) for path in replaced]}
    return _tell(options, told, *lines)


def _lines_of(lost: Sequence[LostTable] | None, words: CommandWords) -> list[str]:
    if lost is None:
        return [words.say("store.restore.unreadable")]
    if not lost:
        return []
    total = sum(each.events for each in lost)
    lines = [words.say("store.restore.lost", len(lost), total)]
    for each in lost:
        names = ", ".join(filter(None, each.names))
        lines.append(f"  {each.room_id}  {each.events:>6}  {each.scenario}  {names}")
    return lines


def _check(options: argparse.Namespace) -> int:
    words: CommandWords = options.words
    report = checking.check(options.folder, CompiledPacks(options.cache))
    lines = [
        words.say(f"store.check.{_kind_of(fault)}", *_params(fault)) for fault in report.faults
    ]
    if report.schema < schema.SCHEMA_VERSION:
        lines.append(words.say("store.check.old", report.schema))
    else:
        lines.append(words.say("store.check.looked", report.rooms, report.events))
    if report.unplayed:
        lines.append(words.say("store.check.unplayed", len(report.unplayed)))
        lines += [f"  {room_id}" for room_id in report.unplayed]
    if report.is_alone:
        lines.append(words.say("store.alone"))
    kinds = {fault.kind for fault in report.faults}
    # A start stores the packs that it serves again, so a backup may not be needed for them.
    told = "packs" if kinds == {"pack"} else "faulty" if kinds else "sound"
    lines.append(words.say(f"store.check.{told}"))
    _tell(options, {"ok": not report.faults, **attrs.asdict(report)}, *lines)
    return REFUSED if report.faults else 0


def _kind_of(fault: checking.Fault) -> str:
    if fault.kind == "value" and fault.room:
        return "value_of"
    return "log_at" if fault.kind == "log" and fault.event is not None else fault.kind


def _params(fault: checking.Fault) -> tuple[object, ...]:
    given = (fault.room, fault.event, fault.detail)
    return tuple(each for each in given if each not in {"", None})


def _prune(options: argparse.Namespace) -> int:
    words: CommandWords = options.words
    if not options.finished and not options.abandoned:
        options.parser.error(words.say("store.prune.none_asked"))
    retention = Retention(options.finished, options.abandoned, options.campaigns)
    with _opened(options, told=CopyTeller(sys.stderr, words)) as store:
        around = surroundings_of(store, CompiledPacks(options.cache))
        tables = tidying.old_tables(around, retention)
        spared = tidying.spared(around, retention)
        packs: int | None = 0
        doubt = None if options.clock_is_right else tidying.clock_doubt(around)
        removes = options.yes and doubt is None
        if removes:
            tidying.prune(around, tables)
            packs = tidying.prune_packs(around)
    lines = [_line_of(table, words) for table in tables]
    outcome = "removed" if removes else "would_remove"
    events = sum(table.events for table in tables)
    lines.append(words.say(f"store.prune.{outcome}", len(tables), events))
    if spared:
        lines.append(words.say("store.prune.campaigns_kept", spared))
    if packs is None:
        lines.append(words.say("store.prune.packs_unknown"))
    elif packs:
        lines.append(words.say("store.prune.packs", packs))
    listed = [attrs.asdict(table) for table in tables]
    told = {
        "removed": removes,
        "tables": listed,
        "spared": spared,
        "packs": packs,
        "clock": None if doubt is None else "behind" if doubt.is_behind else "ahead",
    }
    _tell(options, told, *lines)
    if doubt is None:
        return 0
    key = "store.prune.clock_behind" if doubt.is_behind else "store.prune.clock_ahead"
    times = (_local(doubt.newest), _local(doubt.now), doubt.days)
    _say(sys.stderr, f"manse store: {words.say(key, *times)}")
    return REFUSED if options.yes else 0


def _local(when: int) -> str:
    """Return a time in milliseconds since 1970 as local date and time."""
    moment = dt.datetime.fromtimestamp(when / 1000, dt.UTC).astimezone()
    return moment.isoformat(" ", "minutes")


def _line_of(table: OldTable, words: CommandWords) -> str:
    kind = words.say("store.prune.is_finished" if table.is_finished else "store.prune.is_abandoned")
    names = ", ".join(filter(None, table.names))
    days = words.say("store.prune.days", table.days)
    return f"  {table.room_id}  {kind}  {days}  {table.scenario}  {names}"


def _archive(options: argparse.Namespace) -> int:
    words: CommandWords = options.words
    retention = Retention(options.finished, campaigns=options.campaigns)
    with _opened(options, told=CopyTeller(sys.stderr, words)) as store:
        path = options.folder / identity.FILE_NAME
        signer = saving.identity_in(path)
        around = surroundings_of(store, CompiledPacks(options.cache))
        tables = tidying.old_tables(around, retention)
        spared = tidying.spared(around, retention)
        done = list(tidying.archive(around, tables, options.target, signer))
    lines = [
        words.say(f"store.archive.{each.why_not}", each.table.room_id)
        if each.why_not
        else f"  {each.path}"
        for each in done
    ]
    count = sum(each.path is not None for each in done)
    lines.append(words.say("store.archive.done", count, options.target))
    if spared:
        lines.append(words.say("store.prune.campaigns_kept", spared))
    found = [
        {**attrs.asdict(each.table), "path": each.path and str(each.path), "why_not": each.why_not}
        for each in done
    ]
    _tell(options, {"tables": found, "spared": spared}, *lines)
    return REFUSED if any(each.why_not in _WRONG for each in done) else 0


_WRONG = frozenset({"unreadable", "wrong", "exists"})
"""Reasons for which a finished game stays in the store."""


def _vacuum(options: argparse.Namespace) -> int:
    told = CopyTeller(sys.stderr, options.words)
    with _opened(options, told=told) as store:
        before, after = result_of(store.vacuum())
    sizes = (-(-before // 1_000_000), -(-after // 1_000_000))
    return _tell(
        options, {"before": before, "after": after}, options.words.say("store.vacuum.done", *sizes)
    )


def _tell(options: argparse.Namespace, found: dict[str, Any], *lines: str) -> int:
    if options.json:
        sys.stdout.write(json.dumps(found) + "\n")
    else:
        for line in lines:
            _say(sys.stdout, line)
    return 0


def _say(output: Any, text: str) -> None:
    # Names of players and SQLite's words about a damaged file may hold control characters.
    output.write("".join(f"{visible(line)}\n" for line in text.split("\n")))
    output.flush()

"""The command `manse stats`: statistics of exported games, as bar charts or JSON."""

# ruff: noqa: T201 (a command's output is what it prints)

import json
import sys
from pathlib import Path

from client.commands.options import locale_of, parser_for, wishes_of
from client.commands.verify import check, read_file
from client.exports.figures import in_lines
from client.exports.statistics import counted
from client.journal.replay_model import words_of
from client.locale import Locale
from client.locale.faults import fault_in
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.viewpoints import seen_from, viewpoints_of
from client.terminal.console import tell
from commands.faults import why_refused
from protocol.archive import Archive, BadArchive
from protocol.source_audit import source_of

_FAILED = 1


def main(argv: list[str]) -> int:
    """Print statistics.

    Returns:
        0; 1 if a file is not a game or all are practice games; 2 for an invalid command line.
    """
    parser = parser_for("stats", argv)
    parser.add_argument("file", metavar="FILE", nargs="+", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_language()
    options = parser.parse_args(argv)
    wishes = wishes_of(parser, options)
    locale = locale_of(options, wishes.prefs)
    try:
        read = [_read(path, locale) for path in options.file]
    except _NoGame as problem:
        tell(f"{parser.prog}: {problem}", sys.stderr)
        return _FAILED
    # Practice games do not count.
    games = [one for one in read if source_of(one) is None]
    if not games:
        tell(f"{parser.prog}: {locale.say('stats.practice_alone')}", sys.stderr)
        return _FAILED
    if left_out := len(read) - len(games):
        tell(locale.say("stats.practice", left_out), sys.stderr)
    archives = _each_once(games)
    found = counted(seen_from(one, viewpoints_of(one)[0]) for one in archives)
    if options.json:
        print(json.dumps({"statistics": [each.as_json() for each in found]}))
        return 0
    # Joined, because each file has only the words of its own game.
    words = WordStore(language=locale.language)
    for one in archives:
        own = words_of(one, locale.language)
        for subject in own.subjects():
            words.add(locale.language, ((subject, tuple((own.lookup(subject) or {}).items())),))
    for at, each in enumerate(found):
        speaker = Speaker(locale.for_game(each.ruleset), words)
        charset = wishes.appearance.charset_for(wishes.prefs.lines)
        tell("\n".join(["", *in_lines(each, speaker, charset)][0 if at else 1 :]))
    return 0


class _NoGame(Exception):
    """The file is not a readable game. The text of the exception gives the reason."""


def _read(path: Path, locale: Locale) -> Archive:
    name = str(path)
    try:
        return check(read_file(path)).archive
    except OSError as error:
        reason = why_refused(error, locale.say)
        raise _NoGame(locale.say("cli.cannot_read", name, reason)) from error
    except BadArchive as error:
        raise _NoGame(locale.say("verify.bad", name, fault_in(error, locale))) from error


def _each_once(archives: list[Archive]) -> list[Archive]:
    """Return one file for each game: a complete file if there is one, else the longest."""
    found: dict[str, Archive] = {}
    for one in archives:
        kept = found.setdefault(one.header.room_id, one)
        if (one.header.is_whole, len(one.records)) > (kept.header.is_whole, len(kept.records)):
            found[one.header.room_id] = one
    return list(found.values())

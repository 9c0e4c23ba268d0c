"""Replays: an exported game on the screen, or its journal as lines or as Markdown."""

# ruff: noqa: T201 (a command's output is what it prints)

import functools
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from client.journal.journal import all_lines
from client.journal.markdown import journal_markdown
from client.locale import Locale
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.plain.words import journal_line
from client.settings.appearance import Wishes
from client.tellers.base import Tone
from client.terminal.console import tell
from protocol.archive import Archive
from protocol.common.table import Table, fold
from protocol.event import Record


def replay(
    archive: Archive, locale: Locale, wishes: Wishes, *, is_plain: bool, last: int | None
) -> int:
    """
    Show a game that was checked.

    Args:
        archive: the game.
        locale: the language wanted; the story comes in it if the file has it.
        wishes: how to draw it.
        is_plain: lines instead of a full screen.
        last: the event to stop after; None for the end.
    """
    records = archive.records if last is None else archive.records[: last + 1]
    store = words_of(archive, locale.language)
    if is_plain:
        _print(records, locale, store)
        return 0
    # Lines do without the full screen and all that it needs.
    from client.terminal.app import run_replay  # noqa: PLC0415
    from client.terminal.runner import run  # noqa: PLC0415 (the same)

    seat = archive.header.seat if archive.header.seat >= 0 else None
    words_in = partial(words_of, archive)

    async def show(_: object) -> int:
        await run_replay(records, store, wishes, locale=locale, words_in=words_in, seat=seat)
        return 0

    return run(show)


def markdown(archive: Archive, locale: Locale, last: int | None) -> str:
    """
    Return the journal of a game that was checked as Markdown, named after scenario and day.

    Args:
        archive: the game.
        locale: the language wanted; the story comes in it if the file has it.
        last: the event to stop after; None for the end.
    """
    records = archive.records if last is None else archive.records[: last + 1]
    spoken = locale.for_game(_ruleset(records))
    speaker = Speaker(spoken, words_of(archive, locale.language))
    lines = list(all_lines(records, speaker))
    table = functools.reduce(fold, records, Table())
    seconds = records[-1].time / 1000 if records else 0
    day = datetime.fromtimestamp(seconds, tz=UTC).date().isoformat()
    title = f"{speaker.name('scenario', table.room.scenario)}, {day}"
    return journal_markdown(lines, title, locale)


def words_of(archive: Archive, language: str) -> WordStore:
    """Return the words of a file in a language; in any that it has where that one is missing."""
    languages = list(dict.fromkeys(chunk.language for chunk in archive.words))
    spoken = language if language in languages else next(iter(languages), language)
    store = WordStore(language=spoken)
    for chunk in archive.words:
        if chunk.language == spoken:
            store.add(spoken, chunk.subjects)
    return store


def _print(records: Sequence[Record], locale: Locale, words: WordStore) -> None:
    ruleset = _ruleset(records)
    speaker = Speaker(locale.for_game(ruleset), words)
    for line in all_lines(records, speaker):
        if line.tone is Tone.ROUND:
            print()
        tell(journal_line(line, speaker, ruleset))


def _ruleset(records: Sequence[Record]) -> str:
    """Return the game that is played in a log, which its first record says."""
    return functools.reduce(fold, records[:1], Table()).room.ruleset

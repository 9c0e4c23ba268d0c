"""Replays: show an exported game on the screen or in lines, or convert it to another format."""

# ruff: noqa: T201 (a command's output is what it prints)

import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import attrs

from client.journal.markdown import journal_markdown
from client.journal.replay_model import ReplayModel, replayed, words_of
from client.keymap.keys import USUAL
from client.locale import Locale
from client.locale.speaker import Speaker
from client.model.viewpoints import (
    EVERYTHING,
    TABLE,
    Viewpoint,
    folded,
    seen_from,
    viewpoints_of,
)
from client.notes.note_book import Books
from client.plain.replay import PlainReplay
from client.plain.words import journal_line
from client.settings.appearance import Wishes
from client.tellers.base import Tone
from client.terminal.console import tell
from client.widgets.moments import day_of
from protocol.archive import Archive
from protocol.common.hindsight import Hindsight
from protocol.common.table import Table, fold
from protocol.event import Record


class NoSuchView(Exception):
    """The viewpoint is not in the file; `args` are the names of all viewpoints of the file."""


def replay(
    archive: Archive,
    locale: Locale,
    wishes: Wishes,
    *,
    is_plain: bool,
    last: int | None,
    view: str = "",
    notes: Books | None = None,
    hindsight: Sequence[Hindsight] = (),
) -> int:
    """
    Show a verified game.

    Args:
        archive: the game.
        locale: the words. The story is in the same language if the file has this language.
        wishes: the appearance.
        is_plain: whether to show lines instead of a full screen.
        last: the event after which the replay ends; None for the whole game.
        view: the name of the viewpoint, for `viewpoint_named`.
        notes: opens the player's notes; None if there are no notes.
        hindsight: what is known of the game only afterwards.

    Raises:
        NoSuchView: the file has no such viewpoint.
    """
    game = _opened(archive, last, view, hindsight)
    store = words_of(archive, locale.language)
    if is_plain:
        ruleset = ruleset_of(game.records)
        speaker = Speaker(locale.for_game(ruleset), store)
        for line in game.journal(speaker):
            if line.tone is Tone.ROUND:
                print()
            tell(journal_line(line, speaker, ruleset))
        return 0
    # Imported here: plain mode does without prompt_toolkit.
    from client.terminal.app import run_replay  # noqa: PLC0415
    from client.terminal.runner import run  # noqa: PLC0415 (the same)

    words_in = partial(words_of, archive)

    async def show(_: object) -> int:
        await run_replay(game, store, wishes, locale=locale, words_in=words_in, notes=notes)
        return 0

    return run(show)


def step(
    archive: Archive,
    locale: Locale,
    last: int | None,
    view: str = "",
    notes: Books | None = None,
    *,
    hindsight: Sequence[Hindsight] = (),
) -> int:
    """Replay a verified game by typed lines, until the input ends or the player quits.

    The arguments and exceptions are the same as for `replay`.
    """
    game = _opened(archive, last, view, hindsight)
    speaker = _speaker(archive, locale)
    talk = PlainReplay(game, lambda: speaker, notes)
    _print_all(talk.position_lines())
    for line in sys.stdin:
        _print_all(talk.run(line))
        if talk.is_over:
            break
    return 0


def _print_all(lines: Iterable[str]) -> None:
    for line in lines:
        tell(line)
    sys.stdout.flush()


def viewpoint_named(archive: Archive, name: str) -> Viewpoint:
    """
    Return the viewpoint with a name.

    Args:
        archive: the file.
        name: `all`, `table`, or the name or the number of a seat, from 1; empty for the viewpoint
            that shows most.

    Raises:
        NoSuchView: the file has no such viewpoint.
    """
    points = viewpoints_of(archive)
    if not name:
        return points[0]
    seats = folded(archive.records)[-1].room.seats
    named = {"all": EVERYTHING, "table": TABLE}
    for seat in seats.values():
        named |= {str(seat.seat + 1): Viewpoint(seat.seat), seat.name: Viewpoint(seat.seat)}
    if named.get(name) not in points:
        raise NoSuchView(*(each for each, point in named.items() if each and point in points))
    return named[name]


def _until(archive: Archive, last: int | None) -> Archive:
    """Return a game without the records after the event `last`; unchanged if `last` is None."""
    if last is None:
        return archive
    end = last + 1
    return attrs.evolve(archive, cuts=archive.cuts[:end], records=archive.records[:end])


def markdown(
    archive: Archive,
    locale: Locale,
    last: int | None,
    view: str = "",
    *,
    hindsight: Sequence[Hindsight] = (),
) -> str:
    """
    Return the journal of a verified game as Markdown, titled with its scenario and day.

    Args:
        archive: the game.
        locale: the words. The story is in the same language if the file has this language.
        last: the event after which the journal ends; None for the whole game.
        view: the name of the viewpoint, for `viewpoint_named`.
        hindsight: what is known of the game only afterwards.

    Raises:
        NoSuchView: the file has no such viewpoint.
    """
    game, speaker = _opened(archive, last, view, hindsight), _speaker(archive, locale)
    return journal_markdown(game.journal(speaker), _title(_until(archive, last), speaker), locale)


def page(
    archive: Archive,
    locale: Locale,
    last: int | None,
    view: str = "",
    progress: Callable[[int], None] | None = None,
    hindsight: Sequence[Hindsight] = (),
) -> str:
    """
    Return a verified game as one HTML page, with all viewpoints of the file, or with `view` alone.

    The other arguments and the exceptions are the same as for `markdown`. `progress` is called with
    the progress in percent.
    """
    # Only pages need the drawing code.
    from client.exports.figures import in_svg  # noqa: PLC0415
    from client.exports.page import no_progress, page_of  # noqa: PLC0415 (the same)
    from client.exports.statistics import counted  # noqa: PLC0415 (the same)

    shown = _until(archive, last)
    game = replayed(shown)
    game.hindsight = hindsight
    points = (viewpoint_named(shown, view),) if view else game.points
    # Its readers have the usual keys.
    speaker = _speaker(shown, attrs.evolve(locale, keys=USUAL))
    figures = "".join(in_svg(found, speaker) for found in counted([seen_from(shown, points[0])]))
    return page_of(game, points, speaker, _title(shown, speaker), figures, progress or no_progress)


def json_lines(
    archive: Archive,
    locale: Locale,
    last: int | None,
    view: str = "",
    *,
    hindsight: Sequence[Hindsight] = (),
) -> str:
    """
    Return the records of a verified game as JSON lines.

    The arguments and exceptions are the same as for `markdown`.
    """
    from client.exports.records import records_of  # noqa: PLC0415 (nobody else needs it)

    game = _opened(archive, last, view, hindsight)
    return "".join(records_of(game, _speaker(archive, locale)))


def is_all_open(archive: Archive, view: str) -> bool:
    """Return whether a viewpoint of a file shows every secret. Exceptions as for `replay`."""
    return viewpoint_named(archive, view).is_all


def _opened(
    archive: Archive, last: int | None, view: str, hindsight: Sequence[Hindsight]
) -> ReplayModel:
    """Return the replay of a file, from the named viewpoint."""
    shown = _until(archive, last)
    game = replayed(shown)
    game.hindsight = hindsight
    game.switch_viewpoint(viewpoint_named(shown, view))
    return game


def _speaker(archive: Archive, locale: Locale) -> Speaker:
    spoken = locale.for_game(ruleset_of(archive.records))
    return Speaker(spoken, words_of(archive, locale.language))


def _title(archive: Archive, speaker: Speaker) -> str:
    """Return a title made of the scenario and the day of the game."""
    records = archive.records
    table = functools.reduce(fold, records, Table())
    day = day_of(records[-1].time if records else 0)
    return f"{speaker.name('scenario', table.room.scenario)}, {day}"


def ruleset_of(records: Sequence[Record]) -> str:
    """Return the ruleset that the first record of a game names."""
    return functools.reduce(fold, records[:1], Table()).room.ruleset

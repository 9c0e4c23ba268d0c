"""Times in words: each is local time, by the offset from UTC that was in force at that time."""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import attrs
import pytest

from client.commands import notifier, replays
from client.journal.lost import lost_lines
from client.locale import load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.model import ClientModel
from client.screens.lobby.found_words import found_line
from client.screens.lobby.result_words import result_line
from client.settings.preferences import Preferences
from client.widgets.moments import day_of, moment
from protocol.archive import Archive
from protocol.archive import load as load_archive
from protocol.event import Record
from protocol.invitation import Address
from protocol.keys import SigningKey
from protocol.messages import (
    Awaited,
    AwaitedLine,
    FoundGame,
    GameResult,
    LossCause,
    LostSeat,
    MailState,
    SetupResult,
)
from tests.protocol.archives import archive, finished_log

pytestmark = [
    pytest.mark.issue(38),
    pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be chosen here"),
]


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set the time zone of Paris by a written-out rule, since some systems lack zone files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


def local(text: str) -> datetime:
    """Return a datetime in the local time zone."""
    return datetime.fromisoformat(text).astimezone()


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        ("2026-10-24T20:00", "2026-10-25T12:00", "yesterday 20:00"),
        ("2026-10-25T00:30", "2026-10-25T12:00", "today 0:30"),
        ("2026-03-28T20:00", "2026-03-29T12:00", "yesterday 20:00"),
        ("2026-03-28T23:30", "2026-03-29T12:00", "yesterday 23:30"),
        ("2026-06-01T09:05", "2026-06-01T12:00", "today 9:05"),
        ("2026-01-01T12:00", "2026-07-01T12:00", "181 days ago"),
        ("2026-07-01T13:00", "2026-07-01T12:00", "today 12:00"),
    ],
)
def test_the_hour_is_the_one_that_the_clock_showed(then: str, now: str, said: str) -> None:
    when = int(local(then).timestamp() * 1000)

    assert moment(load("en"), when, local(now).astimezone(UTC).astimezone()) == said


def test_a_reader_elsewhere_has_their_own_clock() -> None:
    now = datetime(2026, 7, 1, 12, tzinfo=UTC)

    assert moment(load("en"), int(now.timestamp() * 1000) - 3_600_000, now) == "today 11:00"


def test_a_game_after_midnight_has_the_day_of_its_players() -> None:
    assert day_of(int(local("2026-07-02T00:30").timestamp() * 1000)) == "2026-07-02"


# Where times are shown ---------------------------------------------------------------------

BEFORE, AFTER = "2026-10-24T20:00", "2026-10-25T12:00"
"""Times before and after the clock is set back."""


def stamp(text: str) -> int:
    """Return a local time in milliseconds since 1970."""
    return int(local(text).timestamp() * 1000)


def model() -> ClientModel:
    return ClientModel("Ann", b"", load("en"))


def _in_list(now: datetime) -> str:
    game = FoundGame(
        "a" * 24,
        "core/x",
        ("Ann",),
        stamp(BEFORE),
        is_mine=True,
        is_open=False,
        agreed=(),
        have_i_agreed=False,
        outcome=GameResult.WON,
    )
    return found_line(model(), game, now)


def _result(now: datetime) -> str:
    line = SetupResult("a" * 24, "core/x", ("Ann",), stamp(BEFORE), GameResult.WON, 5, is_mine=True)
    return result_line(model(), line, now)


def _notice(now: datetime) -> str:
    known = model()
    lost = LostSeat("a" * 24, "core/x", stamp(BEFORE), LossCause.EXPIRED, "")
    known.update_lobby(lost_seats=(lost,))
    return "".join(lost_lines(known, now))


@pytest.mark.parametrize("shown", [_in_list, _result, _notice])
def test_lists_and_notices_have_the_hour_of_then(shown: Callable[[datetime], str]) -> None:
    assert "yesterday 20:00" in shown(local(AFTER).astimezone(UTC).astimezone())


def test_what_is_awaited_is_told_with_the_hour_of_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    line = AwaitedLine("a" * 24, ("Ann", "Ben"), stamp(BEFORE), is_shown=False)

    async def answer(*_: object) -> Awaited:
        return Awaited(1, (line,), MailState.OFF)

    monkeypatch.setattr(notifier.Server, "ask", answer)
    now = SimpleNamespace(now=lambda _: local(AFTER).astimezone(UTC))
    monkeypatch.setattr(notifier, "datetime", now)
    address, key = Address("example.org"), SigningKey.from_seed(b"k" * 32)
    server = notifier.Server(address, None, key, "Ann", load("en"))  # type: ignore[arg-type]
    told = notifier.Notifier(server, Preferences(), tmp_path, is_json=False)._check()

    with pytest.raises(StopIteration):
        told.send(None)

    assert "yesterday 20:00" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ended", "day"),
    [
        ("2026-10-25T00:30", "2026-10-25"),
        ("2026-10-25T23:30", "2026-10-25"),
        ("2026-03-29T00:10", "2026-03-29"),
        ("2026-03-29T23:50", "2026-03-29"),
    ],
)
def test_the_title_of_an_export_has_the_day_of_then(ended: str, day: str) -> None:
    played = load_archive(archive(finished_log())).records
    last = played[-1].time
    records = [attrs.evolve(one, time=one.time - last + stamp(ended)) for one in played]

    title = replays._title(_with(records), Speaker(load("en"), WordStore({}, "en")))

    assert title.endswith(f", {day}")


def _with(records: Sequence[Record]) -> Archive:
    return SimpleNamespace(records=records)  # type: ignore[return-value]

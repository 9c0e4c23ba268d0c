"""Times in words, in the local time that was valid at that moment."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from client.locale import load
from client.widgets.moments import day_of, moment

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

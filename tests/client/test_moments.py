"""Times in words, by the clock that was valid then."""

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
    """Be in Paris, where clocks change; its rule is written out, since systems lack zone files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


def local(text: str) -> datetime:
    """Return a moment by the clock here."""
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
    """Whatever the clock shows since."""
    when = int(local(then).timestamp() * 1000)

    assert moment(load("en"), when, local(now).astimezone(UTC).astimezone()) == said


def test_a_reader_elsewhere_has_their_own_clock() -> None:
    """As the tests of screens do."""
    now = datetime(2026, 7, 1, 12, tzinfo=UTC)

    assert moment(load("en"), int(now.timestamp() * 1000) - 3_600_000, now) == "today 11:00"


def test_a_game_after_midnight_has_the_day_of_its_players() -> None:
    """Not the one in Greenwich."""
    assert day_of(int(local("2026-07-02T00:30").timestamp() * 1000)) == "2026-07-02"

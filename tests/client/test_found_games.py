"""The search for finished games: typed days, and the query made of them."""

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from client.model.found_games import GamesWanted, read_day

pytestmark = pytest.mark.issue(17)


@pytest.fixture
def _paris(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set the time zone of Paris, where clocks change twice a year."""
    with monkeypatch.context() as patch:
        # Written out, so that no file of zones has to be there.
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


def moment(*parts: int) -> int:
    """Return a time in milliseconds since 1970, UTC."""
    return int(datetime(*parts, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2026-10-31", date(2026, 10, 31)),
        (" 2026-1-2 ", date(2026, 1, 2)),
        ("2000-01-01", date(2000, 1, 1)),
        ("2999-12-31", date(2999, 12, 31)),
    ],
)
def test_a_day_is_read_as_it_is_typed(typed: str, day: date) -> None:
    assert read_day(typed) == day


@pytest.mark.parametrize(
    "typed",
    [
        *("", "-", "2026", "2026-10", "31.10.2026", "31-10-2026", "20261031", "2026-W01-1"),
        *("2026-02-29", "2026-13-01", "2026-10-00", "1999-12-31", "3000-01-01", "٢٠٢٦-10-31"),
        "2026-10-31T00:00",
    ],
)
def test_what_is_no_day_is_not_read(typed: str) -> None:
    assert read_day(typed) is None


@pytest.mark.usefixtures("_paris")
def test_a_day_lasts_from_midnight_to_midnight_of_this_machine() -> None:
    wanted = GamesWanted(since=date(2026, 10, 25), until=date(2026, 10, 25))

    asked = wanted.request(7, None)

    # The day on which clocks are set back has 25 hours.
    assert asked.since == moment(2026, 10, 24, 22)
    assert asked.until == moment(2026, 10, 25, 23)


def test_a_last_day_before_the_first_leaves_none() -> None:
    one, other = date(2026, 10, 1), date(2026, 10, 2)

    assert GamesWanted(since=one, until=one).has_days
    assert GamesWanted(since=one).has_days
    assert not GamesWanted(since=other, until=one).has_days

"""Metrics reveal no secret: they are the same for a game and its twin."""

from collections.abc import Iterator

import pytest

from server.process.rough import RoughNumber
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.simulate import core
from tests.games.second_edition.twins.games import First, Spec, play_first
from tests.games.second_edition.twins.metering import Meter
from tests.games.second_edition.twins.twin import Knower, Twin, play_twin
from tests.games.second_edition.twins.viewers import Scraper
from tests.kit.every_run import some

pytestmark = pytest.mark.issue(15)

TWINS = 2
SPECS = (
    Spec("house", "house/company", 1, 3, steps=60, is_metered=True),
    Spec("house", "house/embers", 2, 2, steps=60, is_metered=True),
    Spec("core", "core/sluice-house", 6, 2, steps=80, is_metered=True),
)
"""
Games whose metrics are read. The last was chosen from many: most twins have secrets of as many
bytes as their first games.
"""


def first_of(spec: Spec) -> First:
    """Play the first game, with whatever fault is planted."""
    return play_first(spec, house() if spec.source == "house" else core())


def twins_of(spec: Spec) -> Iterator[Twin]:
    """Play some twins of a game for public knowledge."""
    first = first_of(spec)
    for number in range(TWINS):
        yield play_twin(first, Knower(None), number)


def is_told(spec: Spec) -> bool:
    """Return whether the metrics show a difference; the first twin that shows one is the last."""
    return any(told([twin]) for twin in twins_of(spec))


def told(twins: list[Twin]) -> list[str]:
    """Return the differences that the metrics show between each twin and the first game."""
    compared = [one for twin in twins for one in twin.comparisons if one.viewer == Scraper.__name__]
    assert len(compared) == len(twins)
    return [one.found.reason for one in compared if one.found is not None]


@pytest.mark.parametrize("spec", some(SPECS, lambda spec: spec != SPECS[1]), ids=str)
def test_metrics_tell_nothing_of_a_secret(spec: Spec) -> None:
    """The metrics are read before each input and count everything sent."""
    twins = list(twins_of(spec))

    assert told(twins) == []
    assert all(twin.moved for twin in twins)
    assert max(twin.inputs for twin in twins) > 40


def test_what_the_metrics_count_is_compared() -> None:
    first = first_of(SPECS[0])

    text = str(first.viewers[Scraper.__name__].heard[-1][1])

    for name in ("tables", "seats", "sessions", "commits_total"):
        line = next(one for one in text.splitlines() if one.startswith(f"manse_{name} "))
        assert float(line.split()[1]) > 0
    assert 'manse_reply_seconds_count{kind="EnterTable"}' in text
    for name in ("received_bytes_total", "sent_bytes_total", "store_bytes"):
        assert f"\nmanse_{name} " in text


@pytest.mark.issue(36)
@pytest.mark.parametrize("size", [pytest.param(1, marks=pytest.mark.long), 64])
def test_bytes_in_steps_that_can_be_known_are_found(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Plants exact byte counts, and buckets of known, small size."""
    monkeypatch.setattr(RoughNumber, "read", lambda self: self.exact() // size * size)

    assert is_told(SPECS[2])


@pytest.mark.parametrize(
    "place", [pytest.param("commit_count", marks=pytest.mark.long), "session_count"]
)
def test_a_number_that_follows_from_a_hidden_card_is_found(
    monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    honest = getattr(Meter, place)

    def telling(meter: Meter) -> int:
        game = meter.table.host.room.table.game
        plain: int = honest.fget(meter)
        if game is None:
            return plain
        tops = [game.known_card(handles[0]) for handles in game.piles.values() if handles]
        return plain + sum(len(card or "") for card in tops)

    monkeypatch.setattr(Meter, place, property(telling))

    assert is_told(SPECS[2])

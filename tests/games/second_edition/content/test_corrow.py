"""Campaign "The Account of Corrow": what each of its three parts passes on to the next."""

from collections.abc import Iterator

import attrs
import pytest

from client.bots.brains import SENSIBLE
from protocol.common import events
from protocol.common.table import Legacy
from protocol.event import everything, read
from protocol.games.second_edition import events as se
from protocol.games.second_edition.carried import numbers_in, packed
from server.authoring.driver import player_key
from tests.games.second_edition.simulate import Simulation, core, simulate

CAMPAIGN = core().campaigns["campaign/corrow"]
TWO = ("investigator/ada-whitlock", "investigator/tom-wren")
"""Characters of a person who plays alone."""


def part(scenario: str, seed: int, left: Legacy | None = None) -> Simulation:
    """Return a seated table of one part that continues from a legacy."""
    made = simulate(seed, 1, brain=SENSIBLE)
    game = attrs.evolve(made, scenario=scenario if left is None else CAMPAIGN.scenarios[0])
    game.open_table()
    if left is not None:
        key = player_key(0).public
        game.give(events.SeatTaken(0, "Player 0", key, is_bot=False), 0)
        game.give(events.CampaignContinued(scenario, core().digest, left), 0)
        game.give(events.CharactersClaimed(0, TWO), 0)
        game.give(events.ReadySet(0, is_ready=True), 0)
        game.scenario = scenario
    else:
        game.sit_down()
    return game


def begun_with(scenario: str, **carried: int) -> set[str]:
    """Return the subjects of everything told before the first turn of a part."""
    numbers = tuple(carried.get(name, 0) for name in CAMPAIGN.counters)
    game = part(scenario, 1, Legacy(CAMPAIGN.id, packed(numbers)))
    game.start()
    while game.game.round_number < 1 or game.game.active is None:
        game.step()
    return set(told(game))


def told(game: Simulation) -> Iterator[str]:
    """Yield the subjects of the texts that a game told."""
    for stored in game.room.log:
        happened = read(game.room.room_id, everything(stored)).event
        if isinstance(happened, se.Told):
            yield happened.text.subject


def left_by(game: Simulation) -> dict[str, int]:
    """Return the counters that a finished game leaves to the campaign."""
    legacy = game.game.left_over()
    assert legacy is not None
    return dict(zip(CAMPAIGN.counters, numbers_in(legacy.shared), strict=True))


def test_the_three_parts_come_in_their_order() -> None:
    assert CAMPAIGN.scenarios == ("core/sluice-house", "core/night-train", "core/last-column")


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3))]
)
def test_the_first_night_leaves_how_it_ended(seed: int) -> None:
    game = part("core/sluice-house", seed)
    game.start()
    game.play_on()

    left = left_by(game)
    assert game.game.ending is not None
    epilogue = game.game.ending.epilogue.subject
    assert left["drowned"] == (not epilogue.startswith("sluice-house/epilogue-won"))
    saved = {"hester": 1, "edmund": 2, "cook": 3}.get(epilogue.rpartition("-")[2])
    assert saved is None or left["saved"] == saved


@pytest.mark.parametrize(
    ("carried", "subject"),
    [
        ({"drowned": 1}, "after-flood"),
        ({"saved": 1}, "with-hester"),
        ({"saved": 2}, "with-edmund"),
        ({"saved": 3}, "with-cook"),
        ({"book": 1}, "with-book"),
        ({"signed": 2}, "with-signature"),
    ],
)
def test_the_train_begins_with_what_the_first_night_left(
    carried: dict[str, int], subject: str
) -> None:
    """Each text is told only if the first night left its cause."""
    assert f"night-train/{subject}" in begun_with("core/night-train", **carried)
    assert f"night-train/{subject}" not in begun_with("core/night-train")


@pytest.mark.parametrize(
    ("carried", "subject"),
    [
        ({"drowned": 1}, "after-flood"),
        ({"rung": 1}, "were-rung"),
        ({"saved": 1}, "with-hester"),
        ({"saved": 2}, "with-edmund"),
        ({"saved": 3}, "with-cook"),
        ({"book": 1}, "with-book"),
        ({"copy": 1}, "with-copy"),
        ({"purser": 1}, "receiver-locked"),
    ],
)
def test_the_siege_begins_with_what_both_nights_left(carried: dict[str, int], subject: str) -> None:
    """Each text is told only if one of the nights left its cause."""
    assert f"last-column/{subject}" in begun_with("core/last-column", **carried)
    assert f"last-column/{subject}" not in begun_with("core/last-column")


def test_what_a_part_does_not_use_it_hands_on() -> None:
    numbers = tuple(int(name == "rung") for name in CAMPAIGN.counters)
    game = part("core/night-train", 2, Legacy(CAMPAIGN.id, packed(numbers)))
    game.start()
    game.play_on()

    assert left_by(game)["rung"] == 1


@pytest.mark.long
@pytest.mark.parametrize("scenario", CAMPAIGN.scenarios)
def test_each_part_is_won_and_lost(scenario: str) -> None:
    results = set()
    for seed in range(20):
        game = part(scenario, seed)
        game.start()
        game.play_on()
        ending = game.game.ending
        assert ending is not None
        results.add(ending.is_won)

    assert results == {True, False}

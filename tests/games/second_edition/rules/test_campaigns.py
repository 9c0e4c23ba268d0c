"""Campaigns: what a scenario leaves to the next, and what it begins with."""

from collections.abc import Mapping

import attrs
import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.campaigns import Campaign
from content.games.second_edition.schema.counters import Counter, Scope
from protocol.common.table import Legacy
from protocol.games.second_edition.carried import MAX_CARRIED, packed
from protocol.games.second_edition.events import CampaignKept
from server.games.second_edition.rules import counters, endings
from server.games.second_edition.rules.play import GameOver
from tests.games.second_edition.content.packs import FILES, load, mistakes_in
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import world
from tests.games.second_edition.rules.worlds_effects import resolve

CARRIED = {"debt": Counter(first=2, most=9), "fame": Counter(first=5)}


def saga(carried: Mapping[str, int] | None = None) -> Bench:
    """Return a game of a campaign with two counters, of which the scenario uses the first."""
    own = {"debt": attrs.evolve(CARRIED["debt"], of=Scope.CAMPAIGN), "tide": Counter()}
    bench = world(scenario_parts={"counters": own})
    content = bench.game.content
    campaign = Campaign("campaign/debts", (content.scenario.id, "test/next"), CARRIED)
    pack = attrs.evolve(content.pack, campaigns={campaign.id: campaign})
    bench.game.content = attrs.evolve(content, pack=pack, carried=carried or {})
    return bench


def ended(bench: Bench) -> list[CampaignKept]:
    """End the game; return its legacy."""
    with pytest.raises(GameOver):
        endings.end(bench.game, won=False, epilogue="text/over")
    return bench.happened(CampaignKept)


def test_counters_of_the_campaign_are_shown_when_the_result_is_final() -> None:
    """Counters are in the order of the campaign, without names; unused ones keep their values."""
    bench = saga()
    resolve(bench, steps.Count("debt", add=3))

    assert ended(bench) == [CampaignKept(Legacy("campaign/debts", packed((5, 5))))]
    assert bench.game_table.left_over() == Legacy("campaign/debts", packed((5, 5)))


def test_scenario_begins_with_what_was_carried_over() -> None:
    """Values outside the bounds are clamped, and unused ones are passed on."""
    bench = saga({"debt": 12, "fame": 7})

    assert counters.value(bench.game, "debt") == 9
    assert ended(bench) == [CampaignKept(Legacy("campaign/debts", packed((9, 7))))]


def test_counter_of_a_scenario_is_not_the_campaigns_of_the_same_name() -> None:
    """The scenario's counter begins as declared, and the carried value is passed on unchanged."""
    bench = saga({"debt": 7})
    content = bench.game.content
    own = attrs.evolve(content.scenario, counters={"debt": Counter(first=1)})
    bench.game.content = attrs.evolve(content, scenario=own)

    resolve(bench, steps.Count("debt", add=2))

    assert counters.value(bench.game, "debt") == 3
    assert ended(bench) == [CampaignKept(Legacy("campaign/debts", packed((7, 5))))]


def test_scenario_of_no_campaign_leaves_nothing() -> None:
    assert ended(world()) == []


# The pack ------------------------------------------------------------------------------------

CAMPAIGN = """
- id: campaign/debts
  scenarios: [tiny/cellar]
  counters:
    noise: {first: 1, most: 7}
"""
WORDS = {
    f"words/{language}/more.yaml": b"campaign/debts: {name: Debts}\n" for language in ("en", "fr")
}


def files(campaign: str = CAMPAIGN, of: str = "{of: campaign}") -> dict[str, bytes]:
    """Return the tiny pack with a campaign."""
    scenario = FILES["scenarios/cellar.yaml"].decode()
    assert "noise: {}" in scenario
    return {
        **FILES,
        **WORDS,
        "campaigns.yaml": campaign.encode(),
        "scenarios/cellar.yaml": scenario.replace("noise: {}", f"noise: {of}").encode(),
    }


def test_campaign_says_how_its_counters_are() -> None:
    pack = load(files())

    assert pack.scenarios["tiny/cellar"].counters["noise"] == Counter(
        first=1, most=7, of=Scope.CAMPAIGN
    )
    assert lint(pack) == []


@pytest.mark.parametrize(
    ("campaign", "told"),
    [
        (CAMPAIGN.replace("noise", "fame"), "'noise' is no counter of campaign/debts"),
        (CAMPAIGN.replace("tiny/cellar", "tiny/cellr"), "did you mean 'tiny/cellar'?"),
        (CAMPAIGN.replace("[tiny/cellar]", "[tiny/cellar, tiny/cellar]"), "comes once"),
    ],
)
def test_mistake_in_a_campaign_is_told(campaign: str, told: str) -> None:
    (mistake,) = mistakes_in(files(campaign))

    assert told in mistake.reason


@pytest.mark.parametrize(("more", "is_told"), [(MAX_CARRIED - 1, False), (MAX_CARRIED, True)])
def test_campaign_carries_no_more_than_a_table_can_keep(more: int, *, is_told: bool) -> None:
    """Otherwise the fault would appear only when the first game ends."""
    added = "".join(f"    more_{number}: {{}}\n" for number in range(more))

    told = [mistake.reason for mistake in mistakes_in(files(CAMPAIGN + added))]

    reason = f"carries {MAX_CARRIED + 1} counters; {MAX_CARRIED} are the most"
    assert told == ([reason] if is_told else [])
    Legacy("campaign/debts", packed((0,) * MAX_CARRIED))


def test_what_is_carried_nowhere_is_found() -> None:
    alone = {k: v for k, v in files().items() if k not in {"campaigns.yaml", *WORDS}}
    more = CAMPAIGN + "    fame: {}\n"

    assert [finding.subject for finding in lint(load(alone))] == ["noise"]
    assert [finding.subject for finding in lint(load(files(more)))] == ["fame"]

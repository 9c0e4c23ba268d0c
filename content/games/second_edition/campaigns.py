"""Checks of campaigns and their scenarios together."""

from collections.abc import Iterable, Iterator, Mapping

import attrs

from content.games.second_edition.reach import counters_asked
from content.games.second_edition.schema.campaigns import Campaign
from content.games.second_edition.schema.counters import Scope
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Scenario
from content.language.findings import Finding
from content.language.reach import Reached
from content.reading.mistakes import ContentError, Place
from content.reading.sheet import Sheet
from protocol.games.second_edition.carried import MAX_CARRIED


def check_campaigns(
    campaigns: Iterable[Campaign], scenarios: Mapping[str, Scenario], sheet: Sheet
) -> Iterator[ContentError]:
    """
    Yield mistakes: too many counters, scenarios in two campaigns, and undeclared counters.

    Args:
        campaigns: all campaigns of the pack.
        scenarios: all scenarios of the pack, by file.
        sheet: the places of all entries in the files, for the mistakes.
    """
    places: Mapping[str, Place] = sheet.declared.get(("", Kind.CAMPAIGN), {})
    owners: dict[str, Campaign] = {}
    for campaign in campaigns:
        if len(campaign.counters) > MAX_CARRIED:
            reason = f"carries {len(campaign.counters)} counters; {MAX_CARRIED} are the most"
            yield ContentError.at(places[campaign.id], reason)
        for scenario in campaign.scenarios:
            owner = owners.setdefault(scenario, campaign)
            if owner is not campaign or campaign.scenarios.count(scenario) > 1:
                reason = f"{scenario} belongs to {owner.id} already; each scenario comes once"
                yield ContentError.at(places[campaign.id], reason)
                break
    for file, made in scenarios.items():
        if made.id in owners:
            carried = owners[made.id].counters
            for name, counter in made.counters.items():
                if counter.of is Scope.CAMPAIGN and name not in carried:
                    where = sheet.declared[file, Kind.COUNTER][name]
                    owner_id = owners[made.id].id
                    reason = (
                        f"{name!r} is no counter of {owner_id}; add it there, or leave 'of' out"
                    )
                    yield ContentError.at(where, reason)


def with_campaign(scenario: Scenario, campaigns: Iterable[Campaign]) -> Scenario:
    """Return a scenario whose campaign counters have the definitions that its campaign gives."""
    owner = next((c for c in campaigns if scenario.id in c.scenarios), None)
    if owner is None:
        return scenario
    counters = {
        name: attrs.evolve(owner.counters[name], of=Scope.CAMPAIGN)
        if counter.of is Scope.CAMPAIGN
        else counter
        for name, counter in scenario.counters.items()
    }
    return attrs.evolve(scenario, counters=counters)


def campaign_findings(pack: Pack, reached: Mapping[str, Reached]) -> Iterator[Finding]:
    """
    Yield findings: campaign counters of scenarios without a campaign, and unused counters.

    Args:
        pack: the pack to check.
        reached: the ids that each scenario can bring into play, by the scenario's id.
    """
    for scenario in pack.scenarios.values():
        carried = [name for name, c in scenario.counters.items() if c.of is Scope.CAMPAIGN]
        if carried and pack.campaign_of(scenario.id) is None:
            reason = "this scenario belongs to no campaign, so that nothing carries it over"
            yield from (Finding(scenario.id, name, reason) for name in carried)
    for campaign in pack.campaigns.values():
        made = [pack.scenarios[id_] for id_ in campaign.scenarios if id_ in pack.scenarios]
        for name in campaign.counters:
            found = [reached[s.id] for s in made if name in s.counters]
            if not found:
                reason = "none of its scenarios has it"
            elif not any(each.has(Kind.COUNTER, name) for each in found):
                reason = "nothing that can come up changes it"
            elif not any(name in counters_asked(each) for each in found):
                reason = "nothing asks for it"
            else:
                continue
            yield Finding(campaign.id, name, f"unused counter: {reason}")

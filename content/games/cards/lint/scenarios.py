"""Findings on scenarios: what never comes, is never reached, or ends nothing."""

from collections.abc import Iterator

from content.games.cards.lint.registry import every, finds, notices
from content.games.cards.schema.cards import LocationCard
from content.games.cards.schema.conditions import IsRemembered
from content.games.cards.schema.modifiers import Connects
from content.games.cards.schema.pack import Pack
from content.games.cards.schema.scenario import Scenario
from content.games.cards.schema.steps import (
    Advance,
    IntoPlay,
    Remember,
    Resolution,
    Spawn,
    Step,
)
from content.games.cards.schema.targets import TheCard
from content.language.findings import Finding
from protocol.games.cards.words import FAIL, SPECIAL


@finds
def _decks(pack: Pack) -> Iterator[Finding]:
    """Acts and agendas advance, and the last of each ends the scenario. C-BACTS-3, C-BDOOM-3."""
    moved = {step.card for step in every(Advance, pack)}
    for scenario in pack.scenarios.values():
        for id_ in _acts(scenario):
            if id_ in pack.acts and pack.acts[id_].clues is None and TheCard.ACT not in moved:
                reason = "nothing advances this act; write its clues, or a step 'advance: act'"
                yield Finding(scenario.id, id_, reason)
        for id_ in scenario.agendas:
            card = pack.agendas.get(id_)
            if card is not None and card.doom is None and TheCard.AGENDA not in moved:
                reason = "nothing advances this agenda; write its doom, or 'advance: agenda'"
                yield Finding(scenario.id, id_, reason)
        ends = [*_versions(scenario, scenario.acts[-1:]), *scenario.agendas[-1:]]
        for id_ in ends:
            last = pack.acts.get(id_) or pack.agendas.get(id_)
            if last is not None and not any(every(Resolution, last)):
                reason = "it is the last of its deck and ends nothing; write 'resolution'"
                yield Finding(scenario.id, id_, reason, part=last)


def _versions(scenario: Scenario, acts: tuple[str, ...]) -> Iterator[str]:
    for act in acts:
        yield from scenario.act_versions.get(act, (act,))


def _acts(scenario: Scenario) -> Iterator[str]:
    return _versions(scenario, scenario.acts)


@finds
def _endings(pack: Pack) -> Iterator[Finding]:
    """Each resolution is reached, the first one by nothing else. C-BEND-1, C-BEND-3."""
    named = {step.id for step in every(Resolution, pack)}
    for scenario in pack.scenarios.values():
        for entry in scenario.resolutions[1:]:
            if entry.id not in named:
                reason = "nothing ever names this resolution; write a step 'resolution'"
                yield Finding(scenario.id, entry.id, reason, part=entry)
        if not any(entry.is_won for entry in scenario.resolutions):
            reason = "no resolution is won; write 'is_won: true' in one"
            yield Finding(scenario.id, scenario.id, reason, part=scenario, keys=("resolutions",))


@finds
def _reach(pack: Pack) -> Iterator[Finding]:
    """Every location can be entered. C-BLOC-4, C-BLOC-12."""
    for scenario in pack.scenarios.values():
        dealt = [id_ for choice in scenario.random for id_ in choice.among]
        put = {step.id for step in every(IntoPlay, pack)}
        aside = [id_ for id_ in scenario.aside if id_ in pack.locations]
        for id_ in aside:
            if id_ not in put:
                reason = "it is set aside and nothing puts it into play; write 'into_play'"
                yield Finding(scenario.id, id_, reason, part=scenario, keys=("aside",))
        if scenario.start not in {*scenario.locations, *dealt}:
            reason = f"{scenario.start} is no location in play at the beginning; add it"
            said = f"nobody can begin there: {reason}"
            yield Finding(scenario.id, scenario.start, said, part=scenario, keys=("start",))
            continue
        # Ways that cards make can lead anywhere, and on a grid positions make them.
        if any(every(Connects, pack)) or scenario.grid:
            continue
        there = [
            pack.locations[i] for i in (*scenario.locations, *dealt, *aside) if i in pack.locations
        ]
        reached = _reached(pack.locations[scenario.start], there)
        for location in there:
            if location.id not in reached:
                reason = f"nobody can reach it: no way leads to its symbol {location.symbol!r}"
                said = f"{reason}; add it to 'connects' elsewhere"
                yield Finding(scenario.id, location.id, said, part=location)


@finds
def _grids(pack: Pack) -> Iterator[Finding]:
    """A grid has each position once, and names locations in play. C-BSPEC-4."""
    for scenario in pack.scenarios.values():
        spots = [place.at for place in scenario.grid]
        for place in scenario.grid:
            name = f"row {place.at.row}, column {place.at.column}"
            if spots.count(place.at) > 1:
                reason = f"its grid has {name} more than once; leave one out"
                yield Finding(scenario.id, place.id or name, reason, part=place)
            if place.id is not None and place.id not in scenario.locations:
                reason = "its grid names it and nothing lays it there; add it to 'locations'"
                yield Finding(scenario.id, place.id, reason, part=place)


def _reached(start: LocationCard, there: list[LocationCard]) -> set[str]:
    """Return the locations to which ways lead from the start, whatever faces are shown."""
    found, waiting = {start.id}, [start]
    while waiting:
        here = waiting.pop()
        faces = [face for face in (here.face, *here.versions, here.other) if face is not None]
        ways = {*here.connects, *(way for face in faces for way in face.connects)}
        for other in there:
            symbols = {other.symbol, *(face.symbol for face in (other.face, *other.versions))}
            if other.id not in found and ways & (symbols - {""}):
                found.add(other.id)
                waiting.append(other)
    return found


@finds
def _sets(pack: Pack) -> Iterator[Finding]:
    """Every encounter card is in the set of some scenario, or brought in. C-BSETUP-8."""
    used = {name for scenario in pack.scenarios.values() for name in scenario.sets}
    named = {step.id for step in every(Step, pack) if isinstance(step, Spawn | IntoPlay)}
    aside = {id_ for scenario in pack.scenarios.values() for id_ in scenario.aside}
    for card in (*pack.enemies.values(), *pack.treacheries.values(), *pack.stories.values()):
        is_own = getattr(card, "weakness", False) or card.id in (named | aside)
        if is_own:
            continue
        if card.set_ is None:
            reason = "it is in no encounter set, so no deck has it; write 'set'"
            yield Finding(pack.id, card.id, reason)
        elif card.set_ not in used:
            reason = f"no scenario uses its encounter set {card.set_!r}; add it to 'sets'"
            yield Finding(pack.id, card.id, reason, part=card, keys=("set",))
    for scenario in pack.scenarios.values():
        for id_ in scenario.aside:
            if id_ not in named and id_ not in pack.locations and not _is_moved(pack, id_):
                reason = "it is set aside and nothing brings it in; write 'spawn' or 'into_play'"
                yield Finding(scenario.id, id_, reason, part=scenario, keys=("aside",))


def _is_moved(pack: Pack, id_: str) -> bool:
    return id_ in pack.acts or id_ in pack.agendas


@finds
def _bags(pack: Pack) -> Iterator[Finding]:
    """Bags hold tokens that there are, for the levels that have a scenario card. C-BBAG-1."""
    for scenario in pack.scenarios.values():
        for level in sorted(set(scenario.bags) ^ set(scenario.reference)):
            reason = f"the level {level!r} has only one of scenario card and bag; write both"
            yield Finding(scenario.id, level, reason, part=scenario, keys=("bags", level))
        for level, tokens in scenario.bags.items():
            for token in sorted(set(tokens) - set(SPECIAL)):
                if not token.removeprefix("-").isdecimal():
                    reason = f"there is no chaos token {token!r}"
                    known = f"write a number or one of {', '.join(SPECIAL)}"
                    said = f"{reason}; {known}"
                    yield Finding(scenario.id, level, said, part=scenario, keys=("bags", level))
            if FAIL not in tokens:
                reason = f"its bag has no {FAIL!r} token, so tests can be sure; add one"
                yield Finding(scenario.id, level, reason, part=scenario, keys=("bags", level))


@finds
def _choices(pack: Pack) -> Iterator[Finding]:
    """Random choices of setup that leave nothing to choose. C-DEAL-1, C-SECRET-12."""
    for scenario in pack.scenarios.values():
        for choice in scenario.random:
            if len(choice.among) <= choice.number:
                reason = f"{choice.number} of {len(choice.among)} cards is no choice; add some"
                yield Finding(scenario.id, choice.id, reason, part=choice)
        for act in scenario.act_versions:
            if act not in scenario.acts:
                reason = "it has versions and stands in no act deck; add it to 'acts'"
                yield Finding(scenario.id, act, reason, part=scenario, keys=("act_versions",))


@notices
def _phrases(pack: Pack) -> Iterator[Finding]:
    """Remembered phrases that no condition asks about. C-REM-1, C-REM-2."""
    asked = {condition.phrase for condition in every(IsRemembered, pack)}
    for step in every(Remember, pack):
        if step.phrase not in asked:
            reason = "the players remember it and nothing asks about it"
            advice = "write a condition 'remembered'"
            yield Finding(pack.id, step.phrase, f"{reason}; {advice}", part=step)

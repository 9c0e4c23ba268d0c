"""
The linter finds well-formed parts of a pack that can never come up, and parts that a pack lacks.

It follows the reach of each scenario (`content.games.second_edition.reach`). Whether a
requirement can ever hold is not checked; playing with bots shows that.

    python -m content.games.second_edition.lint [--json] [folder]
"""

import argparse
import enum
import functools
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from content.games.second_edition.campaigns import campaign_findings
from content.games.second_edition.lint_endless import endless_findings
from content.games.second_edition.lint_shared import shared_findings
from content.games.second_edition.lint_slots import slot_findings
from content.games.second_edition.lint_supplies import supply_findings
from content.games.second_edition.loader import load_core, load_pack
from content.games.second_edition.maps import whole_map
from content.games.second_edition.reach import brought, counters_asked, reach
from content.games.second_edition.references import BY_RULES, NAMING, PREFIXES
from content.games.second_edition.schema import (
    effects,
    requirements,
)
from content.games.second_edition.schema.board_steps import RemoveTile
from content.games.second_edition.schema.counters import Scope
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Scenario
from content.language.findings import Finding, Linter
from content.language.reach import Reached
from content.language.references import NamedReference, named_by, named_in
from content.language.walk import parts_in
from content.reading import formulas
from content.reading.meanings import Role
from content.reading.mistakes import ContentErrors
from protocol.boards import routes
from protocol.boards.maps import Boundary
from protocol.games.second_edition.table import FeatureKind, TokenKind

OF_RULES = frozenset(["ask", "choice", "refusal", "about", "skill", "story", "language"])
"""First parts of subjects that the rules use; the linter reports no such subject as unused."""


LINTER: Linter[Pack, Scenario] = Linter()


def lint(pack: Pack) -> list[Finding]:
    """Return the findings that the author of a pack should look at."""
    reached = {scenario.id: reach(pack, scenario) for scenario in pack.scenarios.values()}
    return list(LINTER.findings(pack, pack.scenarios, reached))


@LINTER.scenario
def _unreached(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    # Another scenario may change what a campaign carries, and a third ask for it.
    own = [name for name, c in scenario.counters.items() if c.of is not Scope.CAMPAIGN]
    groups: list[tuple[Kind, Sequence[str], str]] = [
        (Kind.TILE, [tile.id for tile in scenario.tiles], "nothing that can come up places it"),
        (Kind.TOKEN, [token.id for token in scenario.tokens], "nothing that can come up places it"),
        (Kind.DOOR_TOKEN, [d.id for d in scenario.doors], "nothing that can come up places it"),
        (Kind.EFFECT, list(scenario.effects), "nothing that can come up calls it"),
        (Kind.PUZZLE, [puzzle.id for puzzle in scenario.puzzles], "nobody can ever attempt it"),
        (Kind.DECK, list(scenario.decks), "nothing that can come up draws from it"),
        (Kind.TIMER, list(scenario.timers), "nothing that can come up starts it"),
        (Kind.COUNTER, own, "nothing that can come up changes it"),
        (Kind.FIGURE, scenario.monsters, "no monster that can come up has it"),
    ]
    for kind, ids, reason in groups:
        for id_ in ids:
            if not reached.has(kind, id_):
                yield Finding(scenario.id, id_, f"unused {kind.value}: {reason}")
    asked = counters_asked(reached)
    for counter in own:
        if counter not in asked and reached.has(Kind.COUNTER, counter):
            yield Finding(scenario.id, counter, "unused counter: nothing asks for it")
    drawn = {
        room
        for tile in scenario.tiles
        if reached.has(Kind.TILE, tile.id)
        for room in tile.rooms.values()
    }
    for room in scenario.rooms:
        if room.id not in drawn:
            yield Finding(scenario.id, room.id, "unused room: it is on no tile that is placed")


@LINTER.scenario
def _unanswerable(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    """Yield findings for things that a scenario asks for and that never come into play."""
    told = set()
    for part in reached.parts:
        for named in named_by(part, Role.ASKS):
            kind = _kind_asked(scenario, named)
            if kind is not None and not reached.has(kind, named.id):
                reason = f"something asks for this {kind.value}, but it never comes into play"
                told.add((named.id, reason))
    for id_, reason in sorted(told):
        yield Finding(scenario.id, id_, reason, is_asked=True)


def _kind_asked(scenario: Scenario, named: NamedReference) -> enum.Enum | None:
    """Return the kind of the thing that a reference asks for; None for parts of tiles."""
    kinds = NAMING.any_of.get(named.kind, (named.kind,))
    if len(kinds) == 1:
        return kinds[0]
    # Spaces, rooms and doors come with their tiles, and tiles have findings of their own.
    if named.id in scenario.tokens_by_id:
        return Kind.TOKEN
    return Kind.FIGURE if named.id in scenario.monsters else None


@LINTER.scenario
def _moments(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    """Yield findings for triggers that wait for something which never comes into play."""
    kinds = (Kind.MONSTER, Kind.TOKEN, Kind.ITEM, Kind.SPELL)
    by_prefix = {prefix: kind for kind in kinds for prefix in PREFIXES[kind]}
    for trigger in scenario.triggers:
        kind = by_prefix.get((trigger.of or "").partition("/")[0])
        kind = Kind.FIGURE if trigger.of in scenario.monsters else kind
        if kind is not None and not reached.has(kind, trigger.of or ""):
            reason = f"waits for {trigger.of}, which never comes into play"
            yield Finding(scenario.id, trigger.id, reason)


@LINTER.scenario
def _after_return(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    """Yield findings for steps after a `return`, which are never resolved."""
    held = [
        getattr(part, field.name) for part in reached.parts for field in attrs.fields(type(part))
    ]
    for steps in (scenario.setup, *held, *scenario.effects.values()):
        if isinstance(steps, tuple) and any(isinstance(s, effects.Return) for s in steps[:-1]):
            yield Finding(scenario.id, "return", "steps behind it are never resolved")


@LINTER.scenario
def _never_happens(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    """Yield findings for tokens and named effects that `happened` asks about but never come up."""
    kinds = {Kind.TOKEN: {token.id for token in scenario.tokens}, Kind.EFFECT: scenario.effects}
    for event in scenario.remembered:
        for kind, ids in kinds.items():
            if event in ids and not reached.has(kind, event):
                reason = f"something asks whether this {kind.value} happened, but it never can"
                yield Finding(scenario.id, event, reason)


@LINTER.scenario
def _features(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    """Yield findings for features that are asked for but never placed. Fire can always come."""
    placed = {FeatureKind.FIRE, *(step.feature for step in reached.of(effects.PlaceFeature))}
    asked = {
        *(step.feature for step in reached.of(effects.RemoveFeature)),
        *(question.feature for question in reached.of(requirements.FeatureOnBoard)),
    }
    for kind in FeatureKind:
        if kind in asked - placed:
            reason = "something asks for this feature, but nothing places it"
            yield Finding(scenario.id, kind.value, reason)


@LINTER.scenario
def _endings(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    ways = {end.won for end in reached.of(effects.End)}
    for won, word in ((True, "true"), (False, "false")):
        if won not in ways:
            yield Finding(scenario.id, "end", f"no 'end' with 'won: {word}' can come up")


_WALKED = (Boundary.BORDER, Boundary.DOOR)
"""Boundaries that figures can walk across."""


@LINTER.scenario
def _board(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    board = whole_map(scenario)
    # Effects can place figures where no way leads; ways from there count, too.
    placed = (step.space for step in reached.of(effects.PlaceInvestigator))
    starts = [scenario.start, *(space for space in placed if space in board.rooms)]

    def onward(space: str) -> list[str]:
        edges = board.edges_of(space)
        return [edge.across(space) for edge in edges if edge.line in _WALKED]

    seen = routes.reach(starts, onward)
    for space in board.rooms:
        if space not in seen:
            yield Finding(scenario.id, space, "no way leads to this space")
    for name, door in board.doors.items():
        if len(door.sides) < 2:
            yield Finding(scenario.id, name, "this door leads nowhere")


@LINTER.scenario
def _start(_: Pack, scenario: Scenario, _reached: Reached) -> Iterator[Finding]:
    """Yield a finding unless `setup` itself places the start tile. Rule SETUP-15."""
    tile = scenario.start.rpartition("/")[0]
    if not any(isinstance(s, effects.PlaceTile) and s.tile == tile for s in scenario.setup):
        reason = f"not on the board at the start; write 'place_tile: {tile}' in setup itself"
        yield Finding(scenario.id, "start", reason)


@LINTER.scenario
def _too_few(pack: Pack, scenario: Scenario, _: Reached) -> Iterator[Finding]:
    """Yield a finding if there are too few investigators for all who can play. SETUP-8, SETUP-9."""
    who = scenario.investigators or tuple(pack.investigators)
    # A single player has two investigators.
    needed = max(scenario.maximum_players, 2 if scenario.minimum_players == 1 else 1)
    if len(who) < needed:
        reason = f"{needed} investigators are needed for all who can play, and there are {len(who)}"
        yield Finding(scenario.id, "maximum_players", reason)


@LINTER.scenario
def _laid_twice(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    """Yield findings for tiles that a scenario lays in two places at once. Rule LIMIT-2."""
    if any(reached.of(effects.ClearBoard)):
        return
    removed = {step.tile for step in reached.of(RemoveTile)}
    first: dict[str, str] = {}
    for tile in scenario.tiles:
        if tile.of is None or tile.id in removed or not reached.has(Kind.TILE, tile.id):
            continue
        other = first.setdefault(tile.of, tile.id)
        if other != tile.id:
            reason = f"{tile.of} lies there as {other} already, and nothing takes it off the board"
            yield Finding(scenario.id, tile.id, reason)


@LINTER.scenario
def _mythos(pack: Pack, scenario: Scenario, _: Reached) -> Iterator[Finding]:
    own = any(event.repeats for event in scenario.mythos)
    if not own and not any(event.repeats for event in pack.events_of(scenario)):
        yield Finding(scenario.id, "mythos", "no event repeats; a long game runs out of them")


@LINTER.scenario
def _sums(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    """Yield a finding if a formula divides by the constant 0, which always gives 0."""
    by_nothing = formulas.Link(formulas.Operator.BY, formulas.ConstantNumber(0))
    if any(link == by_nothing for link in reached.of(formulas.Link)):
        yield Finding(scenario.id, "/ 0", "a division by 0; it always gives 0")


@LINTER.scenario
def _persons(pack: Pack, scenario: Scenario, _: Reached) -> Iterator[Finding]:
    """Yield findings for persons with the name of another person. Rule TOKEN-5."""
    persons = list(
        {t.person or t.id: t.id for t in scenario.tokens if t.kind is TokenKind.PERSON}.values()
    )
    for language, catalog in pack.catalogs.items():
        names = [catalog[person]["name"] for person in persons]
        for person, name in zip(persons, names, strict=True):
            if names.index(name) != persons.index(person):
                other = persons[names.index(name)]
                reason = f"has the name of {other} in {language!r}; give it one of its own"
                yield Finding(scenario.id, person, reason)


@LINTER.scenario
def _may_be_off(pack: Pack, scenario: Scenario, _: Reached) -> Iterator[Finding]:
    """Yield findings for things that a scenario needs and whose product may be off. Rule APP-19."""
    own = pack.product_of(scenario.id)
    for id_ in dict.fromkeys(named.id for named in named_in(scenario)):
        product = pack.product_of(id_)
        if product not in {"", own}:
            reason = f"belongs to {product}, which may be switched off"
            yield Finding(scenario.id, id_, reason, is_asked=True)


@LINTER.scenario
def _endless(_: Pack, scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    yield from endless_findings(scenario, reached)


@LINTER.scenario
def _supplies(pack: Pack, scenario: Scenario, _: Reached) -> Iterator[Finding]:
    yield from supply_findings(pack, scenario)


@LINTER.pack
def _unused_cards(pack: Pack, reached: Mapping[str, Reached]) -> Iterator[Finding]:
    for kind, ids in (
        (Kind.ITEM, pack.items),
        (Kind.SPELL, pack.spells),
        (Kind.MONSTER, pack.monsters),
        (Kind.CONDITION, pack.conditions),
    ):
        for id_ in ids:
            if not any(found.has(kind, id_) for found in reached.values()):
                yield Finding(pack.id, id_, f"unused {kind.value}: no scenario brings it into play")


@LINTER.pack
def _unused_abilities(pack: Pack, _: Mapping[str, Reached]) -> Iterator[Finding]:
    used = {ability for monster in pack.monsters.values() for ability in monster.abilities}
    for ability in pack.abilities:
        if ability not in used:
            yield Finding(pack.id, ability, "unused ability: no monster has it")


@LINTER.pack
def _random_items(pack: Pack, _: Mapping[str, Reached]) -> Iterator[Finding]:
    told = set()
    for part in parts_in(pack):
        if isinstance(part, effects.GainRandomItem) and not any(brought(pack, part)):
            told.add((f"{part.deck} {part.trait or 'item'}", "there is no such item to gain"))
    yield from (Finding(pack.id, subject, reason) for subject, reason in sorted(told))


@LINTER.pack
def _backs(pack: Pack, _: Mapping[str, Reached]) -> Iterator[Finding]:
    # A single player has two investigators (SETUP-9), and each may become Insane once.
    for players in range(1, 6) if pack.scenarios else ():
        backs = sum(b.copies for b in pack.insane.values() if b.minimum_players <= players)
        if backs < max(2, players):
            reason = f"{backs} for {players} players; each investigator may need one"
            yield Finding(pack.id, "insane", f"too few Insane backs: {reason}")


@LINTER.pack
def _hidden_backs(pack: Pack, _: Mapping[str, Reached]) -> Iterator[Finding]:
    """Yield findings for cards whose copies all have the same, and so no secret, back. SECRET-3."""
    alone = [spell.id for spell in pack.spells.values() if len(spell.backs) == 1]
    alone += [card.id for card in pack.conditions.values() if len(card.backs) == 1]
    for card in alone:
        yield Finding(pack.id, card, "all copies have one back, so that everybody knows it")


@LINTER.pack
def _flips(pack: Pack, _: Mapping[str, Reached]) -> Iterator[Finding]:
    """Yield findings for flipped Conditions without a back, and for backs that nothing flips."""
    asked = {part.condition for part in parts_in(pack) if isinstance(part, effects.FlipCondition)}
    for card in pack.conditions.values():
        if card.id in asked and not card.backs:
            yield Finding(pack.id, card.id, "'flip_condition' turns it over; it has no other side")
        by_itself = any(isinstance(p, effects.FlipThis) for p in parts_in((card.powers,)))
        if card.backs and not by_itself and card.id not in asked:
            yield Finding(pack.id, card.id, "nothing flips it, so that nobody ever reads a back")
    if "condition/insane" in asked:
        yield Finding(pack.id, "insane", "'flip_condition' turns none over; leave it out")


@LINTER.pack
def _unused_texts(pack: Pack, _: Mapping[str, Reached]) -> Iterator[Finding]:
    named = {n.id for n in named_in(pack) if n.kind in {Kind.TEXT, Kind.NAME}}
    ids = {part.id for part in parts_in(pack) if hasattr(part, "id")}
    prefixes = {prefix for group in PREFIXES.values() for prefix in group}
    # Rules may name subjects of their own; a first word that no reference has is theirs.
    ours = {subject.partition("/")[0] for subject in named} | prefixes
    subjects = sorted({subject for catalog in pack.catalogs.values() for subject in catalog})
    for subject in subjects:
        first = subject.partition("/")[0]
        if subject not in named | ids | BY_RULES and first in ours - OF_RULES:
            yield Finding(pack.id, subject, "unused text: nothing names it")


@LINTER.pack
def _chapters(pack: Pack, reached: Mapping[str, Reached]) -> Iterator[Finding]:
    """Yield the findings of three other modules: on shared parts, on texts and on campaigns."""
    can_lie = {id_: functools.partial(found.has, Kind.TILE) for id_, found in reached.items()}
    yield from shared_findings(pack, can_lie)
    yield from slot_findings(pack)
    yield from campaign_findings(pack, reached)


def main(arguments: Sequence[str] | None = None) -> int:
    """Lint a pack and print the findings; return 1 if there are any."""
    parser = argparse.ArgumentParser(
        prog="python -m content.games.second_edition.lint", description=lint.__doc__
    )
    parser.add_argument("folder", nargs="?", help="the folder of a pack; the core pack if left out")
    parser.add_argument("--json", action="store_true", help="one object on a line for each finding")
    options = parser.parse_args(arguments)
    found: Sequence[Any]
    try:
        found = lint(load_core() if options.folder is None else load_pack(options.folder))
    except ContentErrors as errors:
        found = errors.errors
    for finding in found:
        line = str(finding)
        if options.json:
            # The other fields only choose the place that a finding is shown at.
            fields = attrs.asdict(finding, filter=lambda field, _: bool(field.eq))
            line = json.dumps(fields, ensure_ascii=False)
        sys.stdout.write(f"{line}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

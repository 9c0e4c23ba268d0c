"""
Activations: monsters act in the monster step.

Rules ACTIVATE-1 to ACTIVATE-9, NEAREST-1, NEAREST-3, NEAREST-4, FIRE-7, FIRE-8, DECIDE-85,
DECIDE-103 to DECIDE-105, DECIDE-133, DECIDE-137. Nobody plays the monsters: their cards say what
they do, and the investigators decide ties together.
"""

from collections.abc import Callable, Sequence

from content.games.second_edition.schema.monsters import Activation, Target
from content.games.second_edition.schema.scenario import Moment
from protocol.common.text import Text
from protocol.games.second_edition.events import DealtWith, Told
from protocol.games.second_edition.table import (
    FeatureKind,
    Harm,
    InvestigatorId,
    MonsterId,
    SecondEditionTable,
    SpaceId,
)
from server.games.second_edition.rules import (
    abilities,
    adjacency,
    assaults,
    distance,
    effects,
    fire,
    monsters,
    movement,
    naming,
    proposals,
    rounds,
    targets,
    triggers,
)
from server.games.second_edition.rules.adjacency import WayOut
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.draws import draw_entry
from server.games.second_edition.rules.play import Play, Source, because
from server.kernel.asks import Option


def waiting(table: SecondEditionTable) -> tuple[MonsterId, ...]:
    """Return the monsters that are still to be activated. Rules ACTIVATE-1, DECIDE-133."""
    return tuple(monster for monster in table.monsters if monster not in table.done)


async def activate(play: Play, monster: MonsterId) -> None:
    """
    Activate one monster in the monster step. Rules ACTIVATE-2 to ACTIVATE-9.

    In games before version 3 players confirmed each activation; now they confirm the end of the
    phase once (MYTHOS-4).
    """
    play.emit(DealtWith(monster))
    if await act(play, monster) and play.version < 3:
        await rounds.confirm(play, "choice/go_on", rule="ACTIVATE-9", subject="activation_over")


async def act(play: Play, monster: MonsterId, *, is_by_effect: bool = False) -> bool:
    """
    Have a monster move and attack, by one entry of its card. Rules ACTIVATE-3 to ACTIVATE-7.

    Fire in its space hurts the monster first, also if an effect activates it (FIRE-7). If the
    monster is defeated meanwhile, its activation ends (DECIDE-85).

    Returns:
        False if Fire or a trigger removed the monster before it could act.
    """
    # FIRE-7 holds whatever activates it; version 1 burned monsters in the monster step alone.
    if not is_by_effect or play.version > 1:
        await fire.burn_monster(play, monster)
    if monster not in play.table.monsters:
        return False
    card = play.content.pack.monsters[play.table.monsters[monster].kind]
    await _announce(play, Moment.MONSTER_ACTIVATES, monster)
    if monster not in play.table.monsters:
        return False
    activation = draw_entry(play, "activation", card.activations)
    play.emit(Told(_line(play, activation.text, monster), monster))
    prey = await _choose_prey(play, monster, activation)
    if prey is not None:
        spaces = scaled(play, activation.spaces, Source(prey, monster))
        if activation.flees:
            await flee(play, monster, spaces)
        else:
            await approach(play, monster, prey, spaces)
    if monster in play.table.monsters:
        await _attack(play, monster, activation, prey)
    if monster in play.table.monsters:
        await _announce(play, Moment.MONSTER_ACTIVATED, monster, prey)
    return True


async def _announce(
    play: Play, moment: Moment, monster: MonsterId, prey: InvestigatorId | None = None
) -> None:
    """Run the triggers for a moment of a monster's activation; they concern `prey`, if given."""
    about = monsters.called(play, monster)
    await triggers.run(play, moment, prey, about=about, monster=monster)


async def _choose_prey(
    play: Play, monster: MonsterId, activation: Activation
) -> InvestigatorId | None:
    """
    Return the investigator toward whom a monster moves; None if nobody fits. Rule ACTIVATE-4.

    If several fit, the choice among them cannot matter when they stand in the same space or the
    monster flees, and the activation has no `otherwise` effect. Then the first one is taken
    (DECIDE-142). In all other cases a tie is broken as in `choose_target`.
    """
    people = on_board(play.table)
    fitting = best_fitting(play, monster, activation.toward, people)
    spaces = dict.fromkeys(play.table.investigators[who].space for who in fitting)
    if fitting and (len(spaces) == 1 or activation.flees) and not activation.otherwise:
        return fitting[0]
    return await choose_target(play, monster, activation.toward, people, _TOWARD)


def _line(play: Play, subject: str, monster: MonsterId, *more: str) -> Text:
    """
    Return a text about a monster's activation.

    Its parameters are those in `more`, or the monster if `more` is empty, and then the monster.
    """
    name = naming.monster(play.table, monster)
    return Text(subject, (*(more or (name,)), name))


def on_board(table: SecondEditionTable) -> tuple[InvestigatorId, ...]:
    """Return the investigators whose figures are on the board. Rule CLEAR-4."""
    return tuple(i.investigator_id for i in table.investigators.values() if i.space is not None)


# Whom ----------------------------------------------------------------------------------------


async def choose_target(
    play: Play,
    monster: MonsterId,
    target: Target,
    among: Sequence[InvestigatorId],
    prompt: str,
    *,
    within: Activation | None = None,
) -> InvestigatorId | None:
    """
    Return the investigator who best meets a criterion; None if nobody does. Rule ACTIVATE-6.

    The group decides ties (DECIDE-103, DECIDE-104, DECIDE-137), chance a random target.
    """
    fitting = best_fitting(play, monster, target, among, within=within)
    if not fitting:
        return None
    if target is Target.RANDOM:
        return draw_entry(play, "monster target", fitting)
    name = naming.monster(play.table, monster)
    by = Text(f"{prompt}_by", (name, Text(f"name/whoever_{target.value}")))
    return await proposals.tie(
        play,
        [
            Option(who, Text("choice/who", (who,)), (naming.at_investigator(who),))
            for who in fitting
        ],
        rule="DECIDE-103",
        about=Text("about/activation", (name,)),
        prompt=Text(prompt, (name,)) if play.version < 3 else by,
        worth=lambda who: targets.resilience(play, who),
    )


_TOWARD, _ATTACKS = "ask/monster_toward", "ask/monster_attacks"
"""Subjects of the questions that break a tie between investigators. From log version 3 on the
subject ends in `_by`, and its text names the criterion."""


def best_fitting(
    play: Play,
    monster: MonsterId,
    target: Target,
    among: Sequence[InvestigatorId],
    *,
    within: Activation | None = None,
) -> tuple[InvestigatorId, ...]:
    """
    Return the investigators who best meet a criterion, several if they tie. Rule ACTIVATE-6.

    Everybody is a possible random target. The nearest investigators are found by the monster's own
    routes, which pass Barricades that it can break (DECIDE-89). For a ranged attack they are found
    by range (RANGE-4, RANGE-7), except in games of version 1.
    """
    table = play.table
    if target is Target.RANDOM or not among:
        return tuple(among)
    if target is Target.NEAREST:
        spaces = {who: space for who in among if (space := table.investigators[who].space)}
        origin, passing = table.monsters[monster].space, abilities.striving(play, monster)
        # RANGE-4: range is counted across impassable borders, unlike the monster's own ways.
        if within is not None and play.version > 1:
            seen = distance.seen_through(within.through)
            return distance.nearest_within_range(table, origin, spaces, seen)
        return distance.nearest(table, origin, spaces, passing)
    scores = {who: _score(table, who, target) for who in among}
    best = max(scores.values())
    return tuple(who for who in among if scores[who] == best)


def _score(table: SecondEditionTable, who: InvestigatorId, target: Target) -> int:
    """Return a score that is higher the better an investigator meets a criterion. DECIDE-50."""
    match target:
        case Target.MOST_DAMAGE:
            return table.harm_count(who, Harm.DAMAGE)
        case Target.LEAST_DAMAGE:
            return -table.harm_count(who, Harm.DAMAGE)
        case Target.MOST_HORROR:
            return table.harm_count(who, Harm.HORROR)
        case Target.LEAST_HORROR:
            return -table.harm_count(who, Harm.HORROR)
        case Target.MOST_CLUES:
            return table.investigators[who].clues
    raise AssertionError(target)


# Moving --------------------------------------------------------------------------------------


async def approach(play: Play, monster: MonsterId, prey: InvestigatorId, spaces: int) -> None:
    """Move a monster toward an investigator, who may move meanwhile. Rule ACTIVATE-4."""
    await move_toward(play, monster, lambda: play.table.investigators[prey].space, spaces)


async def approach_nearest(play: Play, monster: MonsterId, spaces: int) -> None:
    """Move a monster toward the investigator nearest to it, if it can reach any. DECIDE-103."""
    people = on_board(play.table)
    prey = await choose_target(play, monster, Target.NEAREST, people, _TOWARD)
    if prey is not None:
        await approach(play, monster, prey, spaces)


async def move_toward(
    play: Play, monster: MonsterId, find_goal: Callable[[], SpaceId | None], spaces: int
) -> None:
    """
    Move a monster up to `spaces` spaces, each nearer to a goal. Rules NEAREST-3 and DECIDE-105.

    A Barricade that the monster fails to break ends this movement, and nothing else (DECIDE-90).
    """
    for left in range(spaces, 0, -1):
        # Found anew for each step, since effects on the way may move the investigator pursued.
        goal = find_goal()
        if goal is None or monster not in play.table.monsters:
            return
        ways = _ways_toward(play, monster, goal)
        if not ways:
            return
        matters = _way_matters(play, monster, goal, left)
        way = await _choose_way(play, monster, ways, matters=matters)
        if not await assaults.break_through(play, monster, way):
            return
        await movement.enter_as_monster(play, monster, way.to)


async def flee(play: Play, monster: MonsterId, spaces: int) -> None:
    """Move a monster away from all investigators; the nearest counts. ACTIVATE-8 and NEAREST-4."""

    def everybody() -> tuple[SpaceId, ...]:
        people = (play.table.investigators[who].space for who in on_board(play.table))
        return tuple(space for space in people if space is not None)

    await move_away(play, monster, everybody, spaces)


async def move_away(
    play: Play, monster: MonsterId, find_sources: Callable[[], Sequence[SpaceId]], spaces: int
) -> None:
    """
    Move a monster up to `spaces` spaces, each farther from what it flees. Rule NEAREST-4.

    The monster uses only ways that are open to it, and breaks no Barricade. It stops if no space is
    farther away (DECIDE-105); the investigators choose among equally good ways (DECIDE-103).
    """
    for _ in range(spaces):
        sources = find_sources()
        # The Fire of the space just entered may have defeated it.
        if monster not in play.table.monsters:
            return
        space, passing = play.table.monsters[monster].space, abilities.passing(play, monster)
        farther = distance.steps_away_from_all(play.table, space, sources, passing)
        ways = {way.to: way for way in adjacency.open_ways(play.table, space, passing)}
        if not farther:
            return
        way = await _choose_way(play, monster, [ways[to] for to in farther], matters=True)
        await movement.enter_as_monster(play, monster, way.to)


def _ways_toward(play: Play, monster: MonsterId, goal: SpaceId) -> tuple[WayOut, ...]:
    """
    Return the first steps of a monster's shortest routes to a space. DECIDE-89.

    Several ways may lead to one adjacent space on such a route. If some of them are open, the
    result has one of these; otherwise it has every way that only Barricades block.
    """
    table, space = play.table, play.table.monsters[monster].space
    found: list[WayOut] = []
    for step in distance.steps_toward(table, space, goal, abilities.striving(play, monster)):
        free = adjacency.open_ways(table, space, abilities.passing(play, monster))
        blocked = adjacency.open_ways(table, space, abilities.striving(play, monster))
        to_step = [way for way in free if way.to == step][:1]
        found += to_step or [way for way in blocked if way.to == step]
    return tuple(found)


def _way_matters(play: Play, monster: MonsterId, goal: SpaceId, left: int) -> bool:
    """
    Return True if it can matter which of several shortest ways a monster takes. DECIDE-142.

    The way does not matter if the monster reaches its goal in any case, and the board has neither
    Fire nor Barricades. Before version 3 the result was always True.
    """
    table = play.table
    far = distance.distance(
        table, table.monsters[monster].space, goal, abilities.striving(play, monster)
    )
    # A monster that arrives either way can only be hurt or stopped differently on the way.
    is_met = any(table.spaces_with(kind) for kind in (FeatureKind.FIRE, FeatureKind.BARRICADE))
    return play.version < 3 or far is None or far > left or is_met


async def _choose_way(
    play: Play, monster: MonsterId, ways: Sequence[WayOut], *, matters: bool
) -> WayOut:
    """Return the way that the investigators choose; the first if it does not matter. DECIDE-103."""
    if not matters:
        return ways[0]
    name = naming.monster(play.table, monster)
    return await proposals.tie(
        play,
        [Option(way, _named_way(play, monster, way), (naming.at_space(way.to),)) for way in ways],
        rule="DECIDE-103",
        about=Text("about/activation", (name,)),
        prompt=Text("ask/monster_way", (name,)),
    )


def _named_way(play: Play, monster: MonsterId, way: WayOut) -> Text:
    """Name the space to which a way leads, or the door or passage to be broken through."""
    table, space = play.table, play.table.monsters[monster].space
    blockers = adjacency.blockers(table, space, way)
    if not blockers or adjacency.Obstacle.BARRICADE in abilities.passing(play, monster):
        return Text("choice/to", (naming.space(table, way.to),))
    return Text("choice/break_through", (naming.way(table, space, way),))


# Attacking -----------------------------------------------------------------------------------


def in_reach(
    table: SecondEditionTable, monster: MonsterId, activation: Activation
) -> tuple[InvestigatorId, ...]:
    """
    Return the investigators that a monster can attack.

    These are the investigators in its space or, for a ranged attack, within range. A range crosses
    walls and doors only if the activation allows it (RANGE-2, RANGE-3).
    """
    space = table.monsters[monster].space
    seen = distance.seen_through(activation.through)
    spaces = distance.within_range(table, space, seen) if activation.ranged else (space,)
    return tuple(who for who in on_board(table) if table.investigators[who].space in spaces)


async def _attack(
    play: Play, monster: MonsterId, activation: Activation, prey: InvestigatorId | None
) -> None:
    """
    Attack an investigator in reach. Rules ACTIVATE-5 to ACTIVATE-7.

    The text of the attack stays hidden until the victim is chosen. If nobody is in reach, nobody is
    attacked (DECIDE-137); the `otherwise` effect of the activation, if it has one, is then resolved
    for `prey`.
    """
    reach = in_reach(play.table, monster, activation)
    victim = await choose_target(
        play,
        monster,
        activation.target,
        reach,
        _ATTACKS,
        within=activation if activation.ranged else None,
    )
    name = naming.monster(play.table, monster)
    if victim is not None:
        play.emit(Told(_line(play, activation.attack_text, monster, victim), monster))
        with because(play, Text("within/monster_attack", (name,))):
            await effects.resolve(play, activation.attack, Source(victim, monster))
    elif activation.otherwise and prey is not None:
        with because(play, Text("within/monster_act", (name,))):
            await effects.resolve(play, activation.otherwise, Source(prey, monster))

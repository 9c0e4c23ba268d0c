"""Steps that are tests, and steps inside of tests."""

import functools

from content.games.cards.schema import steps as s
from content.games.cards.schema.kinds import Deed, Stat
from content.games.cards.schema.targets import Choose, Each, TheCard
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.cards.events import AsIfSet
from protocol.games.cards.table import AsIf, Card, InvestigatorId, PieceId, hand_of
from protocol.values import evolve
from server.games.cards.rules import (
    actions,
    costs,
    effects,
    enemies,
    hands,
    plans,
    playing,
    skill_tests,
    targets,
    turns,
    values,
)
from server.games.cards.rules.effects import Run, changes, resolves
from server.games.cards.rules.play import Play, Source, as_of, is_in, location_of, seat
from server.kernel.asks import Option


@resolves(s.Test, alone=True)
async def _test(run: Run, step: s.Test) -> None:
    """Test a skill, each investigator in turn. C-BABIL-37, C-DEFER-2."""
    play, source = run.game, run.source
    if play.table.test is not None:
        skill_tests.put_off(play, step, source)
        return
    for who in await run.people(step.who):
        inside = evolve(source, you=who, they=(), them=(), is_done=True)
        plan = plans.Plan(
            who,
            step.skill,
            functools.partial(values.number, play, step.difficulty, source),
            inside,
        )
        if step.success:
            plan.success = (
                (source.public_name, functools.partial(run.resolve, step.success, inside)),
            )
        if step.failure:
            plan.failure = (
                (source.public_name, functools.partial(run.resolve, step.failure, inside)),
            )
        source.is_done = await skill_tests.perform(play, plan) is True


@resolves(s.Fight, alone=True)
async def _fight(run: Run, step: s.Fight) -> None:
    """C-DESIG-1: paying for the ability is enough to fight."""
    play, source = run.game, run.source
    if play.table.test is not None:
        skill_tests.put_off(play, step, source)
        return
    if step.card is not None:
        found = [play.table.cards[p] for p in await targets.cards(play, step.card, source)]
    else:
        able = actions.fightable(play, source.you)
        found = [card for card in able if targets.fits(play, card, step.of, source)]
    if found and await costs.pay_additional(play, source.you, Deed.FIGHT, source):
        (target,) = await targets.choose(play, found, source, 1, 1, prompt="ask/enemy")
        await actions.fight(play, step, source, target)


@changes(s.Fight)
def _can_fight(play: Play, step: s.Fight, source: Source) -> bool:
    if step.card is not None:
        return targets.is_there(play, step.card, source)
    able = actions.fightable(play, source.you)
    return any(targets.fits(play, card, step.of, source) for card in able)


@resolves(s.Evade, alone=True)
async def _evade(run: Run, step: s.Evade) -> None:
    """C-ENG-3, C-ENG-4."""
    play, source = run.game, run.source
    if play.table.test is not None:
        skill_tests.put_off(play, step, source)
        return
    found = _evadable(play, step, source)
    if found and await costs.pay_additional(play, source.you, Deed.EVADE, source):
        (target,) = await targets.choose(play, found, source, 1, 1, prompt="ask/enemy")
        await actions.evade(play, step, source, target)


def _evadable(play: Play, step: s.Evade, source: Source) -> list[Card]:
    if step.of is None:
        return actions.evadable(play, source.you)
    return [
        card
        for card in enemies.all_enemies(play)
        if targets.fits(play, card, step.of, source)
        and values.stat(play, card, Stat.EVADE) is not None
    ]


@changes(s.Evade)
def _can_evade(play: Play, step: s.Evade, source: Source) -> bool:
    return bool(_evadable(play, step, source))


@resolves(s.Investigate, alone=True)
async def _investigate(run: Run, step: s.Investigate) -> None:
    """C-BACT-7, C-TEST-16."""
    play, source = run.game, run.source
    if play.table.test is not None:
        skill_tests.put_off(play, step, source)
    elif actions.may_investigate(play, source.you) and await costs.pay_additional(
        play, source.you, Deed.INVESTIGATE, source
    ):
        await actions.investigate(play, step, source)


@changes(s.Investigate)
def _can_investigate(play: Play, step: s.Investigate, source: Source) -> bool:
    del step
    place = play.table.cards.get(play.table.here(source.you))
    return place is not None and bool(place.face) and actions.may_investigate(play, source.you)


TESTED = frozenset([Deed.FIGHT, Deed.EVADE, Deed.INVESTIGATE])
"""Basic actions that are a test. C-BACT-7, C-BACT-9, C-BACT-11."""


@resolves(s.TakeAction, alone=True)
async def _take_action(run: Run, step: s.TakeAction) -> None:
    """
    Take an action in any way: it is gained and spent at once. C-AOO-6, C-DESIG-3.

    One that is a test by itself waits for the end of a test that is going on (C-DEFER-3).
    """
    play = run.game
    if play.table.test is not None and step.deed in TESTED:
        skill_tests.put_off(play, step, run.source)
        return
    for who in await run.people(step.who):
        turns.gain(play, who, 1)
        options = actions.ways(play, who, step.deed)
        if not options:
            turns.gain(play, who, -1)
            continue
        perform = options[0].value
        from_hand = step.deed in play.content.event_deeds and hands.may_hide(play, who, step)
        if len(options) > 1 or from_hand:
            perform = await play.choose(
                seat(play, who),
                options,
                rule="C-DESIG-3",
                about=run.source.about(),
                prompt=Text("ask/one_action", (who,)),
            )
        if is_in(play, who):
            await perform()


@changes(s.TakeAction)
def _can_take_action(play: Play, step: s.TakeAction, source: Source) -> bool:
    """
    Return whether there would be a way to take the action, once it is gained. C-DESIG-3.

    Somebody else may always have one in hand, or the offer would tell what is there. C-SECRET-1.
    """
    busy = play.shared.setdefault("could be played", set())
    if source.code in busy:
        # What could only take an action by itself takes none.
        return False
    busy.add(source.code)
    try:
        from_hand = step.deed in play.content.event_deeds
        return any(
            (from_hand and who != source.you and hands.may_hide(play, who, step))
            or actions.ways(_with_action(play, who), who, step.deed)
            for who in targets.people_now(play, step.who, source)
        )
    finally:
        busy.discard(source.code)


def _with_action(play: Play, who: InvestigatorId) -> Play:
    """Return the game as if an investigator had one more action."""
    one = play.table.investigators[who]
    gained = {**play.table.investigators, who: evolve(one, actions=one.actions + 1)}
    return as_of(play, evolve(play.table, investigators=gained))


@resolves(s.PlayCard, alone=True)
async def _play(run: Run, step: s.PlayCard) -> None:
    """C-BPLAY-1: everything that playing a card costs is paid, an action too unless it is Fast."""
    play, who = run.game, run.source.you
    found = actions.playable(play, who, step.of)
    if not found:
        run.source.is_done = False
        return
    handle = found[0]
    if len(play.table.piles[hand_of(who)]) > 1:
        # Asked even if one alone can be played, so that nobody learns how many can. C-SECRET-1.
        handle = await play.choose(
            seat(play, who),
            [
                Option(one, Text("choice/play", (play.table.card_of(one),)), (Point("card", one),))
                for one in found
            ],
            rule="C-BPLAY-4",
            about=run.source.about(),
            prompt=Text("ask/play", (who,)),
        )
    face = playing.printed(play, handle)
    assert face is not None
    await playing.play_card(play, who, handle, is_action=not playing.is_fast(play, face))


@changes(s.PlayCard)
def _can_play(play: Play, step: s.PlayCard, source: Source) -> bool:
    busy = play.shared.setdefault("could be played", set())
    if source.code in busy or source.you not in play.table.order:
        # What could only play a copy of itself plays nothing.
        return False
    busy.add(source.code)
    try:
        return bool(actions.playable(play, source.you, step.of))
    finally:
        busy.discard(source.code)


@resolves(s.AsIfThere)
async def _as_if(run: Run, step: s.AsIfThere) -> None:
    """
    Alter the state, but move nothing, from the costs of what is done to its end.

    Where a location is chosen, only those are offered at which something can be done. Attacks of
    opportunity, costs and abilities that come meanwhile are as there. C-ASIF-1 to C-ASIF-8.
    """
    play, source = run.game, run.source
    able = _able_places(play, step, source)
    places = await targets.choose(play, able, source, 1, 1)
    if not places:
        run.source.is_done = False
        return
    before = play.table.as_if
    play.emit(AsIfSet(_as_if_at(play, step, source, places[0])))
    await run.resolve(step.do)
    play.emit(AsIfSet(before))


@changes(s.AsIfThere)
def _can_as_if(play: Play, step: s.AsIfThere, source: Source) -> bool:
    return bool(_able_places(play, step, source))


def _able_places(play: Play, step: s.AsIfThere, source: Source) -> list[Card]:
    """Return the locations as if at which something could be done."""
    if source.you not in play.table.order:
        return []
    if isinstance(step.at, TheCard):
        pieces = targets.named(play, step.at, source)
        places = [play.table.cards[piece] for piece in pieces]
    else:
        assert isinstance(step.at, Choose | Each)
        places = targets.candidates(play, step.at.of, source)
    return [
        place
        for place in places
        if effects.can_change(
            as_of(play, evolve(play.table, as_if=_as_if_at(play, step, source, place.piece))),
            step.do,
            source,
        )
    ]


def _as_if_at(play: Play, step: s.AsIfThere, source: Source, place: PieceId) -> AsIf:
    """Return the altered state: at a place, and engaged with whom. C-DECIDE-55."""
    engaged = tuple(
        card.piece
        for card in enemies.all_enemies(play)
        if (
            location_of(play, card) == place
            if step.engaged
            else source.you in targets.engaged_with(play, card)
        )
    )
    return AsIf(source.you, place, engaged)


@resolves(s.Succeed)
async def _succeed(run: Run, step: s.Succeed) -> None:
    """C-AUTO-7: a failure stands whatever else is said."""
    plan = plans.current(run.game)
    if plan is not None and plan.automatic is not False:
        plan.automatic = step.yes


@resolves(s.Twice)
async def _twice(run: Run, step: s.Twice) -> None:
    """C-TEST-10."""
    plan = plans.current(run.game)
    if plan is not None and step.yes:
        plan.times = 2


@changes(s.Succeed, s.Twice, s.AnotherToken)
def _in_test(play: Play, step: s.Succeed, source: Source) -> bool:
    del step, source
    return plans.current(play) is not None

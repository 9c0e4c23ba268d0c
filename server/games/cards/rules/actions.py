"""The actions of a turn. Sections 1.6, 1.7 and 2.6."""

import functools
from collections.abc import Callable, Collection, Mapping, Sequence

from content.games.cards.schema.cards import Does, PlayerCard
from content.games.cards.schema.costs import ActionsCost
from content.games.cards.schema.kinds import ONE, SAFE_DEEDS, CardType, Deed, Keyword, Stat
from content.games.cards.schema.modifiers import Thing
from content.games.cards.schema.steps import Draw, Evade, Fight, Investigate, Resources, Step
from content.games.cards.schema.targets import Filter
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.cards.table import Card, InvestigatorId, PieceId, hand_of
from protocol.games.cards.words import Skill, Token, Until, Zone
from server.games.cards.rules import (
    answers,
    costs,
    effects,
    enemies,
    harm,
    locations,
    outcomes,
    plans,
    playing,
    skill_tests,
    slots,
    targets,
    turns,
    values,
)
from server.games.cards.rules.play import (
    Play,
    Source,
    Use,
    ability_at,
    end_periods,
    face_of,
    is_in,
    location_of,
    shown_by,
)
from server.kernel.asks import Option
from server.rulekit.offers import PlayerAction

LEAVING = "leave"
"""Group of the choices that resign: nobody takes one by accident. C-BACT-13."""


def offers(
    play: Play,
    who: InvestigatorId,
    reasons: Mapping[str, playing.Refusal | None] | None = None,
) -> list[Option[PlayerAction]]:
    """
    Return every action that an investigator can take now. C-BTURN-7.

    Args:
        play: the game.
        who: the investigator.
        reasons: why cards in hand cannot be played; found out if left out.
    """
    reasons = playing.refusals(play, who) if reasons is None else reasons
    return [
        *_basic(play, who, Deed.DRAW, Deed.RESOURCE),
        *_uses(play, who),
        *_plays(play, who, [handle for handle, reason in reasons.items() if reason is None]),
        *_basic(play, who, Deed.MOVE, Deed.INVESTIGATE, Deed.ENGAGE, Deed.FIGHT, Deed.EVADE),
    ]


def _plays(
    play: Play, who: InvestigatorId, handles: Sequence[str], deed: Deed | None = None
) -> list[Option[PlayerAction]]:
    """
    Return the ways to play some cards in hand, which nothing keeps from it, for an action.

    With a deed, what is played as a copy must be one of an event with that designator.
    """
    return [
        _option(
            play,
            who,
            Deed.PLAY,
            _to_play(play, who, handle),
            functools.partial(playing.play_card, play, who, handle, is_action=True, deed=deed),
            Point("card", handle),
            spends=False,
            group=_group_of_play(play, who, handle, deed),
        )
        for handle in handles
        if _takes_action(play, who, handle)
    ]


def _uses(play: Play, who: InvestigatorId) -> list[Option[PlayerAction]]:
    """Return the ways to use an action ability. C-BACT-3."""
    return [
        Option(
            functools.partial(activate, play, use),
            outcomes.to_use(play, use),
            use.points(),
            LEAVING
            if Deed.RESIGN in ability_at(play, use.code, use.ability).deed
            else _group_of_use(play, use),
        )
        for use in answers.actions(play, who)
        if _can_activate(play, use)
    ]


def _basic(play: Play, who: InvestigatorId, *deeds: Deed) -> list[Option[PlayerAction]]:
    """Return the ways to take basic actions for which an investigator has an action. C-BTURN-7."""
    return [
        option
        for deed in deeds
        if turns.can_spend(play, who, 1, deed.value)
        for option in _ways(play, who, deed)
    ]


def _ways(play: Play, who: InvestigatorId, deed: Deed) -> list[Option[PlayerAction]]:
    """
    Return the ways to take a basic action, if its additional costs can be paid. C-ADD-4.

    Parley, Resign and Explore are none: they name abilities alone. C-BACT-5.
    """
    return BASIC[deed](play, who) if _is_affordable(play, who, deed) else []


def _draws(play: Play, who: InvestigatorId) -> list[Option[PlayerAction]]:
    """C-BACT-1."""
    is_possible = effects.could(play, DRAW_ONE, _acting(play, who))
    return [_without_target(play, who, Deed.DRAW, DRAW_ONE)] if is_possible else []


def _takes(play: Play, who: InvestigatorId) -> list[Option[PlayerAction]]:
    """C-BACT-2."""
    return [_without_target(play, who, Deed.RESOURCE, TAKE_ONE)]


def _without_target(
    play: Play, who: InvestigatorId, deed: Deed, step: Step
) -> Option[PlayerAction]:
    perform = functools.partial(effects.resolve, play, (step,), _acting(play, who))
    return _option(play, who, deed, Text(f"choice/{deed.value}"), perform)


def _acting(play: Play, who: InvestigatorId) -> Source:
    return Source(who, play.table.investigators[who].card, who)


def _moves(play: Play, who: InvestigatorId) -> list[Option[PlayerAction]]:
    """C-BACT-6."""
    return [
        _option(
            play,
            who,
            Deed.MOVE,
            Text("choice/move", (play.table.cards[way].shown,)),
            functools.partial(_move, play, who, way),
            Point("card", way),
        )
        for way in locations.ways(play, play.table.here(who))
        if locations.can_move(play, who, way) and _is_affordable(play, who, Deed.MOVE, way)
    ]


def _investigates(play: Play, who: InvestigatorId) -> list[Option[PlayerAction]]:
    """C-BACT-7."""
    place = play.table.cards.get(play.table.here(who))
    if place is None or not place.face or not may_investigate(play, who):
        return []
    against = values.stat(play, place, Stat.SHROUD) or 0
    value = values.skill(play, who, Skill.INTELLECT, Deed.INVESTIGATE, before_test=True)
    clues = place.count(Token.CLUE)
    text = Text("choice/investigate", (value, against, clues))
    perform = functools.partial(_test, play, who, Investigate())
    group = "" if clues else outcomes.VAIN
    point = Point("card", place.piece)
    return [_option(play, who, Deed.INVESTIGATE, text, perform, point, group=group)]


def _engages(play: Play, who: InvestigatorId) -> list[Option[PlayerAction]]:
    """C-BACT-8."""
    return [
        _at_enemy(
            play,
            who,
            Deed.ENGAGE,
            card,
            (),
            functools.partial(enemies.engage, play, [(card.piece, who)]),
        )
        for card in engageable(play, who)
    ]


def _fights(play: Play, who: InvestigatorId) -> list[Option[PlayerAction]]:
    """
    Each with the value against that of the enemy, the damage of a hit and what defeats it.

    It is said whom a miss would hit.
    """
    found = []
    for card in fightable(play, who):
        name = enemies.named(play, card)
        if beside := _hit_by_a_miss(play, card.piece, who):
            # That it is engaged with them is said at once.
            is_told = isinstance(name, Text) and name.subject == "about/engaged"
            name = Text("about/miss_hits", (card.shown if is_told else name, beside))
        value = values.skill(play, who, Skill.COMBAT, Deed.FIGHT, before_test=True)
        left = (values.stat(play, card, Stat.HEALTH) or 0) - card.count(Token.DAMAGE)
        damage = 1 + values.bonus(play, who, Deed.FIGHT)
        numbers = value, values.stat(play, card, Stat.FIGHT) or 0, damage, max(0, left)
        perform = functools.partial(_test, play, who, Fight(), card.piece)
        text = Text("choice/fight", (name, *numbers))
        found.append(_option(play, who, Deed.FIGHT, text, perform, Point("card", card.piece)))
    return found


def _evades(play: Play, who: InvestigatorId) -> list[Option[PlayerAction]]:
    """Each with the value against that of the enemy, and the damage and horror of its attack."""
    found = []
    for card in evadable(play, who):
        value = values.skill(play, who, Skill.AGILITY, Deed.EVADE, before_test=True)
        of_enemy = (values.stat(play, card, one) or 0 for one in EVADED)
        perform = functools.partial(_test, play, who, Evade(), card.piece)
        found.append(_at_enemy(play, who, Deed.EVADE, card, (value, *of_enemy), perform))
    return found


EVADED = Stat.EVADE, Stat.DAMAGE, Stat.HORROR


def _at_enemy(
    play: Play,
    who: InvestigatorId,
    deed: Deed,
    card: Card,
    numbers: tuple[int, ...],
    perform: PlayerAction,
) -> Option[PlayerAction]:
    text = Text(f"choice/{deed.value}", (enemies.named(play, card), *numbers))
    return _option(play, who, deed, text, perform, Point("card", card.piece))


DRAW_ONE, TAKE_ONE = Draw(ONE), Resources(ONE)
BASIC: Mapping[Deed, Callable[[Play, InvestigatorId], list[Option[PlayerAction]]]] = {
    Deed.DRAW: _draws,
    Deed.RESOURCE: _takes,
    Deed.MOVE: _moves,
    Deed.INVESTIGATE: _investigates,
    Deed.ENGAGE: _engages,
    Deed.FIGHT: _fights,
    Deed.EVADE: _evades,
}
"""The ways to take each basic action, without the help of a card."""


def _group_of_use(play: Play, use: Use) -> str:
    """Return the group under which an action ability is offered. C-BAOO-8."""
    deeds = ability_at(play, use.code, use.ability).deed
    spent = (Deed.ACTIVATE.value, *_kinds(play, use))
    is_provoking = _provokes(play, use.you, deeds, spent)
    return outcomes.PROVOKES if is_provoking else outcomes.group_of(play, use)


def _provokes(
    play: Play, who: InvestigatorId, deeds: Collection[Deed], spent: Sequence[str]
) -> bool:
    """Return whether attacks come before an action, unless it costs none. C-BAOO-1, C-AOO-1."""
    return outcomes.provokes(play, who, deeds) and turns.free_by(play, who, spent) is None


def _group_of_play(play: Play, who: InvestigatorId, handle: str, deed: Deed | None) -> str:
    """
    Return the group under which a card in hand is offered.

    A copy provokes attacks if each event of which it can be one does.
    """
    face = playing.printed(play, handle)
    assert face is not None
    ability = playing.event_ability(face)
    faces = [face]
    if face.copy_of is not None:
        events = (play.content.faces[one.code] for one in playing.copied(play, who, face, deed))
        faces = [one for one in events if isinstance(one, PlayerCard)]
    spent = (Deed.PLAY.value, *playing.kinds(face, ability))
    played = [playing.deeds_of(playing.event_ability(one)) for one in faces]
    if all(_provokes(play, who, deeds, spent) for deeds in played):
        return outcomes.PROVOKES
    if ability is None or face.type is not CardType.EVENT:
        return ""
    source = Source(face.id, "", who)
    return outcomes.VAIN if outcomes.is_vain(play, ability.effect, source) else ""


def _to_play(play: Play, who: InvestigatorId, handle: str) -> Text:
    """Return the words for playing a card: its cost, and what an event does or an asset ends."""
    face = playing.printed(play, handle)
    assert face is not None
    if face.copy_of is not None:
        return Text("choice/play", (face.id,))
    said = (face.id, playing.cost_of(play, who, face) or 0)
    ability = playing.event_ability(face)
    if face.type is CardType.ASSET:
        is_full, held = slots.is_full(play, who, face), slots.held_by(play, who, face)
        if is_full and len(held) == 1:
            return Text("choice/play_over_this", (*said, held[0].shown))
        return Text("choice/play_over" if is_full else "choice/play_for", said)
    source = Source(face.id, "", who)
    if ability is not None and ability.cost:
        words = Text(face.id, (), f"ability.{face.abilities.index(ability)}")
        return Text("choice/play_to", (*said, words))
    way = None if ability is None else outcomes.way(play, ability.effect, source)
    return Text("choice/play_event", said) if way is None else Text("choice/play_to", (*said, way))


def _option(
    play: Play,
    who: InvestigatorId,
    deed: Deed,
    text: Text,
    perform: PlayerAction,
    *points: Point,
    spends: bool = True,
    group: str = "",
) -> Option[PlayerAction]:
    done = functools.partial(take, play, who, deed, perform) if spends else perform
    if spends and _provokes(play, who, (deed,), (deed.value,)):
        group = outcomes.PROVOKES
    return Option(done, text, points, group)


def _is_affordable(play: Play, who: InvestigatorId, deed: Deed, to: PieceId = "") -> bool:
    """Return whether an action and its additional costs can be paid. C-ADD-4, C-BTURN-7."""
    extra = costs.additional(play, who, (deed,), to=to)
    more = sum(cost.number for cost, _ in extra if isinstance(cost, ActionsCost))
    return costs.can_pay(play, extra) and (
        not more or turns.can_spend(play, who, 1 + more, deed.value)
    )


async def take(play: Play, who: InvestigatorId, deed: Deed, perform: PlayerAction) -> None:
    """
    Take a basic action: spend it, then attacks of opportunity, then what it does. C-BAOO-2.

    If an attack eliminates the investigator the action has no effect (C-BAOO-6).
    """
    source = Source(who, play.table.investigators[who].card, who, is_chosen=True)
    is_spent = await turns.spend(play, who, 1, deed.value, source)
    # What a move costs is paid as it leaves: C-ADD-3.
    if deed is not Deed.MOVE and not await costs.pay_additional(play, who, deed, source):
        # C-ADD-4: what cannot be paid is not done; the action stays spent.
        return
    if is_spent and deed not in SAFE_DEEDS:
        await enemies.opportunity(play, who)
    if is_in(play, who):
        await perform()


async def finish(play: Play) -> None:
    """
    End an action: tests that were put off come, then what lasts for it ends. C-DEFER-3.

    So no bonus is left for the next action (C-DESIG-2).
    """
    await skill_tests.take_up(play)
    end_periods(play, Until.ACTION)


def _can_play(play: Play, who: InvestigatorId, handle: str) -> bool:
    return _takes_action(play, who, handle) and playing.refusal(play, who, handle) is None


def _takes_action(play: Play, who: InvestigatorId, handle: str) -> bool:
    """Return whether a card is played for an action, and there is one."""
    face = playing.printed(play, handle)
    # A Fast card takes no action: it is played in the window. C-BPLAY-5.
    return (
        face is not None
        and not playing.is_fast(play, face)
        and turns.can_spend(play, who, 1, *playing.kinds(face, playing.event_ability(face)))
    )


def playable(play: Play, who: InvestigatorId, of: Filter) -> list[str]:
    """
    Return the cards in hand that fit and can be played by an effect. C-BPLAY-1, C-BPLAY-5.

    Those that are not Fast only in the own turn, for an action.
    """
    in_turn = play.table.active == who and play.table.test is None
    return [
        handle
        for handle in play.table.piles.get(hand_of(who), ())
        if targets.fits_in_hand(play, play.table.card_of(handle), of)
        and (
            any(playing.fast_uses(play, who, handle)) or (in_turn and _can_play(play, who, handle))
        )
    ]


def _can_activate(play: Play, use: Use) -> bool:
    ability = ability_at(play, use.code, use.ability)
    return turns.can_spend(play, use.you, ability.actions, *_kinds(play, use))


def _kinds(play: Play, use: Use) -> tuple[str, ...]:
    ability = ability_at(play, use.code, use.ability)
    card = play.table.cards.get(use.piece)
    face = play.content.faces[use.code]
    traits = frozenset(face.traits) if card is None else values.traits(play, card)
    return turns.kinds_of((Deed.ACTIVATE, *ability.deed), sorted(traits))


async def activate(play: Play, use: Use) -> None:
    """
    Use an action ability: costs, attacks of opportunity, effect. C-BACT-3, C-BAOO-2, C-BAOO-3.

    None is provoked if one of its designators is Fight, Evade, Parley or Resign (C-BAOO-8,
    C-BACT-12, C-DECIDE-1); a Fight ability counts as a fight (C-AOO-3, C-AOO-5). It is resolved
    completely before another action (C-DESIG-2). C-BACT-4.
    """
    ability = ability_at(play, use.code, use.ability)
    source = use.source()
    source.is_chosen = True
    is_spent = await turns.spend(
        play, use.you, ability.actions, Deed.ACTIVATE.value, source, *_kinds(play, use)
    )
    costs.note(play, use, ability.limit)
    with play.within(source.about()):
        if not await costs.pay(play, costs.of_ability(play, ability, source)):
            return
        if is_spent and not SAFE_DEEDS.intersection(ability.deed):
            await enemies.opportunity(play, use.you)
        if is_in(play, use.you):
            await effects.resolve(play, ability.effect, source)


async def _move(play: Play, who: InvestigatorId, to: PieceId) -> None:
    """C-BACT-6."""
    source = Source(who, play.table.investigators[who].card, who, is_chosen=True)
    await locations.move(play, (who,), to, source)


def engageable(play: Play, who: InvestigatorId) -> list[Card]:
    """
    Return the enemies that an investigator can engage. C-BACT-8, C-BACT-16, C-BACT-22, C-BACT-23.

    A Massive one only if it is Aloof too and nobody has engaged it. C-BENEMY-24.
    """
    here = play.table.here(who)
    return [
        card
        for card in enemies.all_enemies(play)
        if card.at.zone is not Zone.SWARM
        and location_of(play, card) == here
        and who not in targets.engaged_with(play, card)
        and (
            not values.has_keyword(play, card, Keyword.MASSIVE)
            or (values.has_keyword(play, card, Keyword.ALOOF) and not card.engaged)
        )
        and values.cannot(play, Thing.ENGAGE, who, card) is None
    ]


def fightable(play: Play, who: InvestigatorId) -> list[Card]:
    """
    Return the enemies that an investigator can fight. C-BACT-9, C-BACT-17, C-BENEMY-8.

    A weakness in play is an encounter card like any other (C-ENCW-2).
    """
    here = play.table.here(who)
    return [
        card
        for card in enemies.all_enemies(play)
        if location_of(play, card) == here
        and values.stat(play, card, Stat.FIGHT) is not None
        and not (
            values.has_keyword(play, card, Keyword.ALOOF) and not targets.engaged_with(play, card)
        )
        and values.cannot(play, Thing.FIGHT, who, card) is None
    ]


def evadable(play: Play, who: InvestigatorId) -> list[Card]:
    """Return the enemies that an investigator can evade: engaged ones. C-ENG-3, C-BACT-24."""
    return [
        card
        for card in enemies.all_enemies(play)
        if who in targets.engaged_with(play, card)
        and values.stat(play, card, Stat.EVADE) is not None
        and values.cannot(play, Thing.EVADE, who, card) is None
    ]


def may_investigate(play: Play, who: InvestigatorId) -> bool:
    """Return whether an investigator may investigate, clues or none. C-TEST-16."""
    place = play.table.cards.get(play.table.here(who))
    return values.cannot(play, Thing.INVESTIGATE, who, place) is None


async def _test(
    play: Play,
    who: InvestigatorId,
    step: Fight | Evade | Investigate,
    target: PieceId = "",
) -> None:
    """Carry out a plain Fight, Evade or Investigate action, a test that is on no card."""
    source = Source(who, "", who, is_chosen=True)
    if isinstance(step, Fight):
        await fight(play, step, source, target)
    elif isinstance(step, Evade):
        await evade(play, step, source, target)
    else:
        await investigate(play, step, source)


# The tests of these actions


async def fight(play: Play, step: Fight, source: Source, target: PieceId) -> bool | None:
    """
    Attack an enemy: test combat against its fight value. C-BACT-9, C-BACT-20.

    A failed attack may hit an investigator. Then a ready enemy with Retaliate attacks
    (C-BENEMY-11).
    """
    who = source.you
    plus = values.number(play, step.plus, source)

    def worth() -> int:
        card = play.table.cards.get(target)
        return 0 if card is None else values.stat(play, card, Stat.FIGHT) or 0

    def damage() -> int:
        more = values.number(play, step.damage, source) + values.bonus(play, who, Deed.FIGHT)
        return 1 + more

    async def hit() -> None:
        if target in play.table.cards:
            await strike(play, target, damage(), who, source.piece)

    async def miss() -> None:
        if beside := _hit_by_a_miss(play, target, who):
            await harm.deal(play, beside, damage(), 0, cause=source.piece, by=who)

    plan = plans.Plan(who, step.skill or Skill.COMBAT, worth, source, target, Deed.FIGHT, plus=plus)
    plan.base = -1 if step.base is None else step.base
    plan.success = (
        (Text("result/fight"), hit),
        *_more(play, step.success, source),
    )
    # A single investigator can miss nobody else, so there is nothing to order.
    missed = ((Text("result/miss"), miss),) if len(play.table.order) > 1 else ()
    plan.failure = (*missed, *_more(play, step.failure, source))
    result = await skill_tests.perform(play, plan)
    if result is False:
        await _answer_back(play, target, who, Keyword.RETALIATE)
    return result


def _hit_by_a_miss(play: Play, target: PieceId, who: InvestigatorId) -> InvestigatorId:
    """
    Return whom a failed attack on an enemy hits; empty for nobody. C-BACT-10, C-BACT-19.

    It is the other investigator, if the enemy is engaged with a single one.
    """
    card = play.table.cards.get(target)
    engaged = () if card is None else targets.engaged_with(play, card)
    return engaged[0] if len(engaged) == 1 and who not in engaged else ""


async def strike(
    play: Play, target: PieceId, damage: int, who: InvestigatorId, cause: PieceId
) -> None:
    """
    Deal the damage of an attack to an enemy.

    What is beyond what defeats a swarm card may go to another enemy of the swarm. C-DECIDE-14.
    """
    card = play.table.cards[target]
    parts = [harm.Part(target, damage)]
    if card.at.zone is Zone.SWARM:
        worth = values.stat(play, card, Stat.HEALTH) or 0
        needed = max(0, worth - card.count("damage"))
        over = damage - needed
        others = [
            one
            for one in play.table.cards.values()
            if one.piece != target and (one.at == card.at or one.piece == card.at.of)
        ]
        if over > 0 and others:
            source = Source(shown_by(play, card), target, who)
            for piece in await targets.choose(play, others, source, 0, 1):
                parts = [harm.Part(target, needed), harm.Part(piece, over)]
    await harm.place(play, parts, cause, by=who)


async def evade(play: Play, step: Evade, source: Source, target: PieceId) -> bool | None:
    """
    Evade an enemy: test agility against its evade value. C-BACT-11.

    After a failure a ready enemy with Alert attacks (C-BENEMY-12).
    """
    who = source.you
    plus = values.number(play, step.plus, source)

    def worth() -> int:
        card = play.table.cards.get(target)
        return 0 if card is None else values.stat(play, card, Stat.EVADE) or 0

    async def slip() -> None:
        await enemies.evade(play, target, who)

    plan = plans.Plan(
        who, step.skill or Skill.AGILITY, worth, source, target, Deed.EVADE, plus=plus
    )
    plan.base = -1 if step.base is None else step.base
    plan.automatic = True if step.automatic else None
    plan.success = ((Text("result/evade"), slip), *_more(play, step.success, source))
    plan.failure = _more(play, step.failure, source)
    result = await skill_tests.perform(play, plan)
    if result is False:
        await _answer_back(play, target, who, Keyword.ALERT)
    return result


async def _answer_back(play: Play, target: PieceId, who: InvestigatorId, keyword: Keyword) -> None:
    """Have a ready enemy attack after a failed test, by its keyword. C-BENEMY-11, C-BENEMY-12."""
    card = play.table.cards.get(target)
    if card is None or not is_in(play, who):
        return
    if not card.is_exhausted and values.has_keyword(play, card, keyword):
        await enemies.attack(play, target, who)


async def investigate(play: Play, step: Investigate, source: Source) -> bool | None:
    """
    Investigate a location: test intellect against its shroud. C-BACT-7, C-BLOC-8.

    Then, after a failure, the Haunted abilities of the location come (C-BKEY-26). Abilities that
    answer or replace the success work without clues too (C-TEST-17).
    """
    who = source.you
    place = play.table.here(who)
    plus = values.number(play, step.plus, source)

    def shroud() -> int:
        card = play.table.cards.get(place)
        return 0 if card is None else values.stat(play, card, Stat.SHROUD) or 0

    async def find() -> None:
        more = values.number(play, step.clues, source) + values.bonus(play, who, Deed.INVESTIGATE)
        await locations.discover(play, who, place, 1 + more, cause=source.piece)

    plan = plans.Plan(
        who, step.skill or Skill.INTELLECT, shroud, source, place, Deed.INVESTIGATE, plus=plus
    )
    plan.base = -1 if step.base is None else step.base
    found = () if step.instead else ((Text("result/investigate"), find),)
    plan.success = (*found, *_more(play, step.success, source))
    plan.failure = _more(play, step.failure, source)
    result = await skill_tests.perform(play, plan)
    if result is False:
        await haunt(play, place, who)
    return result


async def haunt(play: Play, place: PieceId, who: InvestigatorId) -> None:
    """Resolve each Haunted ability of a location for an investigator. C-BKEY-26, C-BKEY-27."""
    card = play.table.cards.get(place)
    face = None if card is None else face_of(play, card)
    if card is None or face is None or values.is_blank(play, card):
        return
    for ability in face.abilities:
        if ability.does is Does.HAUNTED and is_in(play, who):
            source = Source(face.id, place, who)
            with play.within(source.about()):
                await effects.resolve(play, ability.effect, source)


def _more(
    play: Play, effect: Sequence[Step], source: Source
) -> tuple[tuple[Text | str, plans.Result], ...]:
    if not effect:
        return ()

    async def run() -> None:
        await effects.resolve(play, effect, source)

    return ((source.public_name, run),)


def ways(play: Play, who: InvestigatorId, deed: Deed) -> list[Option[PlayerAction]]:
    """Return every way to take an action of a kind: the plain one, abilities, events. C-DESIG-3."""
    abilities: list[Option[PlayerAction]] = [
        Option(
            functools.partial(activate, play, use),
            outcomes.to_use(play, use),
            use.points(),
            _group_of_use(play, use),
        )
        for use in answers.actions(play, who)
        if deed in ability_at(play, use.code, use.ability).deed and _can_activate(play, use)
    ]
    events = [
        handle
        for handle in play.table.piles.get(hand_of(who), ())
        if _can_play(play, who, handle) and _is_of(play, who, handle, deed)
    ]
    plain = _ways(play, who, deed) if deed in BASIC else []
    return [*plain, *abilities, *_plays(play, who, events, deed)]


def _is_of(play: Play, who: InvestigatorId, handle: str, deed: Deed) -> bool:
    """Return whether an event has a designator, or can be a copy of one that has it. C-COST-5."""
    face = playing.printed(play, handle)
    if face is None:
        return False
    if face.copy_of is not None:
        return bool(playing.copied(play, who, face, deed))
    ability = playing.event_ability(face)
    return ability is not None and deed in ability.deed

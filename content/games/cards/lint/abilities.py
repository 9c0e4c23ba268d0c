"""Findings on abilities: what never comes about, stands for nothing, or cannot be paid."""

from collections.abc import Iterator, Mapping
from typing import Any

from content.games.cards.lint.registry import abilities, every, finds, notices
from content.games.cards.schema import steps
from content.games.cards.schema.cards import (
    Ability,
    AbilityZone,
    Does,
    InvestigatorCard,
    PlayerCard,
)
from content.games.cards.schema.conditions import IconIs, InPhase, InTest
from content.games.cards.schema.costs import (
    DiscardThisCost,
    ExhaustCost,
    IconCost,
    ReleaseCost,
    UsesCost,
)
from content.games.cards.schema.kinds import Amount, CardType, Factor
from content.games.cards.schema.occurrences import ROLES, Happening, Moment
from content.games.cards.schema.pack import Pack, type_of
from content.games.cards.schema.targets import TheCard, Who
from content.language.findings import Finding
from protocol.games.cards.words import Phase, Until

_ANSWERS = frozenset([Does.REACTION, Does.FORCED])
_MAY_ANSWER = _ANSWERS | {Does.PLAY}
_ONLY_ON: Mapping[Does, frozenset[CardType]] = {
    Does.PLAY: frozenset([CardType.EVENT, CardType.ASSET]),
    Does.HAUNTED: frozenset([CardType.LOCATION]),
    Does.OBJECTIVE: frozenset([CardType.ACT]),
    Does.REVELATION: frozenset(
        [
            *(CardType.TREACHERY, CardType.ENEMY, CardType.STORY),
            *(CardType.ASSET, CardType.EVENT, CardType.SKILL),
        ]
    ),
}
"""Types of card on which a kind of ability is ever used."""
_HAPPENS_TO: Mapping[Happening, frozenset[CardType]] = {
    Happening.ATTACKS: frozenset([CardType.ENEMY]),
    Happening.EVADED: frozenset([CardType.ENEMY]),
    Happening.ENGAGES: frozenset([CardType.ENEMY]),
    Happening.DISENGAGES: frozenset([CardType.ENEMY]),
    Happening.ENEMY_MOVES: frozenset([CardType.ENEMY]),
    Happening.LOCATION_REVEALED: frozenset([CardType.LOCATION]),
    Happening.ACT_ADVANCES: frozenset([CardType.ACT]),
    Happening.AGENDA_ADVANCES: frozenset([CardType.AGENDA]),
    Happening.DEFEATED: frozenset(
        [CardType.ENEMY, CardType.ASSET, CardType.STORY, CardType.INVESTIGATOR]
    ),
    Happening.ENCOUNTER_DRAWN: frozenset([CardType.ENEMY, CardType.TREACHERY, CardType.STORY]),
}
"""Types of card to which something can happen, where not all can be."""
_BRINGS: Mapping[type, frozenset[Happening]] = {
    steps.Draw: frozenset([Happening.DRAWN]),
    steps.Resources: frozenset([Happening.RESOURCES_GAINED]),
    steps.Harm: frozenset([Happening.DAMAGE_DEALT, Happening.HARM_ASSIGNED, Happening.HARM_PLACED]),
    steps.Damage: frozenset([Happening.HARM_PLACED]),
    steps.Discover: frozenset([Happening.CLUE_DISCOVERED]),
    steps.Heal: frozenset([Happening.HEALED]),
    steps.Move: frozenset([Happening.LEAVES, Happening.ENTERS]),
    steps.MoveEnemy: frozenset([Happening.ENEMY_MOVES]),
    steps.Engage: frozenset([Happening.ENGAGES]),
    steps.Disengage: frozenset([Happening.DISENGAGES]),
    steps.EvadeNow: frozenset([Happening.EVADED]),
    steps.Attack: frozenset([Happening.ATTACKS]),
    steps.DrawEncounter: frozenset([Happening.ENCOUNTER_DRAWN]),
    steps.Doom: frozenset([Happening.DOOM_PLACED]),
    steps.AnotherToken: frozenset([Happening.TOKEN_REVEALED]),
    steps.Search: frozenset([Happening.SEARCHES]),
    steps.DiscardHand: frozenset([Happening.DISCARDED]),
    steps.Exhaust: frozenset([Happening.EXHAUSTED]),
    steps.Ready: frozenset([Happening.READIED]),
}
"""The occurrences that a step brings about."""
_LATE = frozenset([Moment.AT, Moment.AFTER])
_OF_TESTS = frozenset(
    [
        *(Happening.TEST_BEGINS, Happening.COMMITTED, Happening.REVEALING),
        *(Happening.TOKEN_REVEALED, Happening.TEST_SUCCEEDS, Happening.TEST_FAILS),
    ]
)
_TESTING = (steps.Test, steps.Fight, steps.Evade, steps.Investigate)


@finds
def _kinds(pack: Pack) -> Iterator[Finding]:
    """Abilities that no rule ever has used. C-TRIG-1."""
    for face, ability in abilities(pack):
        does, kind = ability.does, type_of(face)
        said = does.value
        if does in _ANSWERS and ability.on is None:
            reason = f"no rule brings about a {said} ability without a trigger; write 'on'"
            yield Finding(pack.id, face.id, reason, part=ability)
        if ability.on is not None and does not in _MAY_ANSWER:
            reason = f"a {said} ability answers nothing; leave 'on' out, or make it a reaction"
            yield Finding(pack.id, face.id, reason, part=ability)
        if does is Does.CONSTANT and not ability.gives:
            reason = "a constant ability gives something; write 'gives'"
            yield Finding(pack.id, face.id, reason, part=ability)
        if does is not Does.CONSTANT and ability.gives:
            reason = f"a {said} ability gives nothing while it is in play; use the step 'lasting'"
            yield Finding(pack.id, face.id, reason, part=ability)
        # An asset says so what it costs beside its resources.
        is_cost = does is Does.PLAY and kind is CardType.ASSET and ability.cost
        if does is not Does.CONSTANT and not ability.effect and not is_cost:
            yield Finding(
                pack.id, face.id, f"its {said} ability does nothing; write an effect", part=ability
            )
        if kind not in _ONLY_ON.get(does, {kind}):
            only = ", ".join(sorted(one.value for one in _ONLY_ON[does]))
            reason = f"no rule uses a {said} ability of a card of the type {kind.value}"
            yield Finding(pack.id, face.id, f"{reason}; only of {only}", part=ability)
        is_committed = ability.zone is AbilityZone.COMMITTED
        if does in (Does.SUCCESS, Does.FAILURE) and not is_committed:
            reason = "its outcome is looked at while it is committed; write 'zone: committed'"
            yield Finding(pack.id, face.id, reason, part=ability)


@finds
def _happens_to(pack: Pack) -> Iterator[Finding]:
    """Triggers on what can happen to no card of the type."""
    for face, ability in abilities(pack):
        if ability.on is None or ability.on.card is None:
            continue
        happening = ability.on.parts()[1]
        wrong = set(ability.on.card.types) - _HAPPENS_TO.get(happening, frozenset(CardType))
        if wrong:
            names = ", ".join(sorted(one.value for one in wrong))
            can = ", ".join(sorted(one.value for one in _HAPPENS_TO[happening]))
            reason = f"{happening.value} never happens to a card of the type {names}"
            yield Finding(pack.id, face.id, f"{reason}; only to {can}", part=ability.on)


@finds
def _references(pack: Pack) -> Iterator[Finding]:
    """`that`, `cause`, `who` and `they` stand for something. C-BABIL-34, C-DECIDE-51."""
    for face, ability in abilities(pack):
        roles: frozenset[str] = frozenset()
        if ability.on is not None:
            roles = ROLES[ability.on.parts()[1]]
        words = set(_words_in(ability.effect))
        for word, needed in (
            (TheCard.THAT, {"card"}),
            (TheCard.CAUSE, {"cause", "card"}),
            (Who.WHO, {"who", "by"}),
        ):
            if word in words and not roles & needed:
                reason = f"{word.value!r} stands for nothing: its trigger has no such role"
                advice = "name the card itself, or another trigger"
                yield Finding(pack.id, face.id, f"{reason}; {advice}", part=ability)
        is_counted = any(a.per in (Factor.THAT, Factor.THAT_CLUES) for a in every(Amount, ability))
        if is_counted and ability.on is None:
            reason = "'that' stands for no number: the ability answers nothing"
            yield Finding(pack.id, face.id, f"{reason}; write a number, or 'on'", part=ability)
        if not _they_is_known(ability):
            reason = "'they' stands for nothing: no step before it chooses or affects anything"
            yield Finding(
                pack.id, face.id, f"{reason}; write a step 'choose' before it", part=ability
            )


def _words_in(value: Any) -> Iterator[Any]:
    """Yield the words for cards and people in the fields of an effect."""
    for part in every(object, value):
        for name in ("card", "to", "at", "who", "engaged_with", "of"):
            word = getattr(part, name, None)
            if isinstance(word, TheCard | Who):
                yield word


def _they_is_known(ability: Ability) -> bool:
    """Return whether something is chosen or affected before `they` is used."""
    is_chosen = False
    for part in every(steps.Step, ability.effect):
        own = {getattr(part, name, None) for name in ("card", "to", "at", "who")}
        if own & {TheCard.THEY, Who.THEY} and not is_chosen:
            return False
        is_chosen = is_chosen or bool(own - {None, TheCard.THEY, Who.THEY})
    return True


@finds
def _late(pack: Pack) -> Iterator[Finding]:
    """Nothing is cancelled, reduced or moved after the fact. C-BABIL-15, C-BABIL-30."""
    for face, ability in abilities(pack):
        for step in every(steps.Step, ability.effect):
            if not isinstance(step, steps.Cancel | steps.Reduce | steps.MoveHarm):
                continue
            said = "cancels" if isinstance(step, steps.Cancel) else "changes"
            if ability.on is None:
                reason = f"it {said} what is about to happen, and answers nothing; write 'on'"
                yield Finding(pack.id, face.id, reason, part=step)
            elif ability.on.parts()[0] in _LATE:
                reason = f"it {said} what has happened already; write 'when' in place of"
                said = f"{reason} {ability.on.parts()[0].value!r}"
                yield Finding(pack.id, face.id, said, part=ability.on)


@finds
def _unpayable(pack: Pack) -> Iterator[Finding]:
    """Costs that nobody can ever pay. C-BABIL-9, C-COST-2."""
    for face, ability in abilities(pack):
        exhausted = [cost for cost in ability.cost if _exhausts_itself(cost)]
        if len(exhausted) > 1:
            reason = "it is exhausted twice as a cost, which nobody can pay; leave one out"
            yield Finding(pack.id, face.id, reason, part=ability)
        stays = isinstance(face, PlayerCard) and face.type is CardType.ASSET
        stays = stays or type_of(face) in (CardType.STORY, CardType.ENEMY, CardType.TREACHERY)
        stays = stays or isinstance(face, InvestigatorCard)
        if exhausted and not stays:
            reason = f"a card of the type {type_of(face).value} is never ready"
            advice = "so nobody can exhaust it; leave it out"
            yield Finding(pack.id, face.id, f"{reason}, {advice}", part=exhausted[0])
        gone = [cost for cost in ability.cost if isinstance(cost, DiscardThisCost)]
        if len(gone) > 1:
            reason = "it is discarded twice as a cost, which nobody can pay; leave one out"
            yield Finding(pack.id, face.id, reason, part=ability)


def _exhausts_itself(cost: Any) -> bool:
    return isinstance(cost, ExhaustCost) and cost.which.this


@finds
def _icons_named(pack: Pack) -> Iterator[Finding]:
    """C-WILD-4: an icon is named in a test, and looked at by the ability that names it."""
    for face, ability in abilities(pack):
        named = next(every(IconCost, ability.cost), None)
        asked = next(every(IconIs, ability), None)
        if asked is not None and named is None:
            reason = "it asks about an icon that nothing names; write a cost 'icon'"
            yield Finding(pack.id, face.id, reason, part=asked)
        if named is not None and ability.does is Does.ACTION:
            reason = "no card is committed while an action is paid for: nobody can name an icon"
            yield Finding(pack.id, face.id, f"{reason}; make it a free ability", part=named)


@finds
def _bonuses(pack: Pack) -> Iterator[Finding]:
    """A bonus for a test is given in a test. C-BTEST-15."""
    for face, ability in abilities(pack):
        if ability.does not in (Does.FREE, Does.PLAY, Does.ACTION, Does.REACTION, Does.FORCED):
            continue
        for_test = any(s.until is Until.TEST for s in every(steps.LastingStep, ability.effect))
        is_in_test = any(every(InTest, (ability.if_, getattr(face, "permitted", None))))
        is_in_test = is_in_test or any(every(IconCost, ability.cost))
        is_in_test = is_in_test or any(
            isinstance(step, _TESTING) for step in every(steps.Step, ability.effect)
        )
        if ability.on is not None:
            is_in_test = is_in_test or ability.on.parts()[1] in _OF_TESTS
        if for_test and not is_in_test:
            reason = "it gives something for a test, and can be used outside of one"
            yield Finding(
                pack.id,
                face.id,
                f"{reason}; write 'if: {{in_test: {{yours: true}}}}'",
                part=ability,
            )


@finds
def _loops(pack: Pack) -> Iterator[Finding]:
    """Abilities that can set themselves off. C-DECIDE-53."""
    stops = (UsesCost, ExhaustCost, DiscardThisCost, ReleaseCost)
    for face, ability in abilities(pack):
        if ability.on is None or ability.does is Does.PLAY or ability.limit is not None:
            continue
        if any(isinstance(cost, stops) for cost in ability.cost):
            continue
        happening = ability.on.parts()[1]
        for step in every(steps.Step, ability.effect):
            loses = isinstance(step, steps.Resources) and step.number.n < 0
            # What happens to this card does not happen to the one that caused it.
            is_other = getattr(step, "card", None) is TheCard.CAUSE
            if happening in _BRINGS.get(type(step), ()) and not loses and not is_other:
                reason = f"it answers {happening.value} and brings it about"
                advice = "it can set itself off for ever; write a limit"
                yield Finding(pack.id, face.id, f"{reason}: {advice}", part=ability)


@finds
def _places(pack: Pack) -> Iterator[Finding]:
    """A location that leaves says where everybody there goes. C-DECIDE-28."""
    for face in (*pack.all_faces(), *pack.scenarios.values()):
        for step in every(steps.TakeOut, face):
            if step.to is None:
                reason = "a location leaves the game and nobody there is told where to go"
                advice = "write 'to' in the step 'take_out'"
                yield Finding(pack.id, face.id, f"{reason}; {advice}", part=step)


@notices
def _unreachable(pack: Pack) -> Iterator[Finding]:
    """Abilities that can never be used, which an author may mean. C-DECIDE-49."""
    for face, ability in abilities(pack):
        if ability.does is not Does.ACTION or ability.unreachable:
            continue
        wrong = any(one.phase is not Phase.INVESTIGATION for one in every(InPhase, ability.if_))
        if wrong or any(every(InTest, ability.if_)):
            reason = "actions are taken in the investigation phase, outside of tests"
            advice = "if this is meant, write 'unreachable: true'"
            yield Finding(
                pack.id, face.id, f"its ability can never be used: {reason}; {advice}", part=ability
            )

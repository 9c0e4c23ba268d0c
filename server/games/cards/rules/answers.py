"""
Answers: which abilities answer an occurrence, who may use them, and using them.

Sections 1.2, 1.12 and 2.15. An ability that could be used when its occurrence came stays usable in
that window, even if another one has removed what it looked at (C-BABIL-35); so a window keeps what
it has offered (`server.games.cards.rules.windows`).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from content.games.cards.schema.cards import Ability, AbilityZone, By, Does
from content.games.cards.schema.kinds import CardType
from content.games.cards.schema.occurrences import Happening, Moment, On, Person
from content.games.cards.schema.steps import Later, Step
from protocol.games.cards.events import Used
from protocol.games.cards.table import Card, InvestigatorId, PieceId, hand_of
from protocol.games.cards.words import IN_PLAY, Until, Zone
from server.games.cards.rules import conditions, costs, effects, playing, targets, values
from server.games.cards.rules.play import (
    Occurrence,
    Play,
    Source,
    Use,
    ability_at,
    location_of,
    type_of_card,
)


def is_answered(play: Play, kind: Happening) -> bool:
    """Return whether any card of this scenario, or a delayed effect, answers an occurrence."""
    return bool(play.table.delayed) or any(
        (moment, kind) in play.content.answering for moment in Moment
    )


def has_any(play: Play, moment: Moment, kind: Happening) -> bool:
    """Return whether any card of this scenario answers an occurrence at a moment."""
    return (moment, kind) in play.content.answering


def forced(play: Play, moment: Moment, group: Sequence[Occurrence], *, is_first: bool) -> list[Use]:
    """Return the Forced abilities that answer a group, and would change something. C-BABIL-4."""
    return [
        use
        for use, ability in _matching(play, moment, group, is_first=is_first)
        if ability.does is Does.FORCED
        and (ability.limit is None or costs.is_within_limit(play, use, ability.limit))
        and effects.can_change(play, ability.effect, use.source())
    ]


def reactions(
    play: Play, moment: Moment, group: Sequence[Occurrence], *, is_first: bool
) -> list[Use]:
    """Return the reactions that answer a group, and cards in hand that do. C-REACT-4."""
    return [
        use
        for use, ability in _matching(play, moment, group, is_first=is_first)
        if ability.does in (Does.REACTION, Does.PLAY)
    ]


def is_usable(play: Play, use: Use) -> bool:
    """
    Return whether a use can be carried out now: limit, cost, and an effect. C-BABIL-8.

    What its occurrence was is not looked at again. C-BABIL-35.
    """
    if use.you not in play.table.order or is_kept_out(play, use.you):
        return False
    ability = ability_at(play, use.code, use.ability)
    if use.handle:
        return use.handle in play.table.piles.get(hand_of(use.you), ()) and playing.can_play_event(
            play, use
        )
    if use.piece not in play.table.cards or (
        ability.zone is AbilityZone.PLAY and not play.table.cards[use.piece].is_in_play
    ):
        return False
    if ability.limit is not None and not costs.is_within_limit(play, use, ability.limit):
        return False
    source = use.source()
    return costs.can_pay(play, ability.cost, source) and effects.can_change(
        play, ability.effect, source
    )


def is_kept_out(play: Play, who: InvestigatorId) -> bool:
    """Return whether Peril keeps an investigator from doing anything. C-BKEY-3, C-DECIDE-59."""
    alone = next((one for one in play.under_way if one.startswith(PERIL)), None)
    return alone is not None and alone != PERIL + who


PERIL = "peril "
"""Beginning of the mark of an encounter card with Peril; its drawer follows."""


async def carry_out(play: Play, use: Use) -> None:
    """Use an ability: count it, pay, resolve the effect. C-BABIL-9."""
    if use.handle:
        await playing.play_event(play, use)
        return
    ability = ability_at(play, use.code, use.ability)
    counts = () if ability.limit is None else (costs.limit_name(use, ability.limit),)
    play.emit(Used(use.you, use.piece, use.code, use.ability, counts))
    source = use.source()
    with play.within(source.about()):
        if await costs.pay(play, ability.cost, source):
            await effects.resolve(play, ability.effect, source)


async def resolve_inside(play: Play, step: Step, source: Source) -> None:
    """Carry out a delayed effect. C-BABIL-21."""
    assert isinstance(step, Later)
    with play.within(source.about()):
        await effects.resolve(play, step.do, source)


def is_delayed_for(play: Play, step: Step, one: Occurrence, source: Source) -> bool:
    """Return whether a delayed effect is for this occurrence."""
    return isinstance(step, Later) and answers_it(play, step.on, one, source)


# Matching


def _matching(
    play: Play, moment: Moment, group: Sequence[Occurrence], *, is_first: bool
) -> Iterator[tuple[Use, Ability]]:
    """Yield the abilities that answer one of a group, for each investigator who may use them."""
    if not group:
        return
    kind = group[0].kind
    codes = play.content.answering.get((moment, kind))
    if not codes:
        return
    table = play.table
    # A card that leaves play by what happens answers it all the same.
    gone = [
        card
        for card in (group[0].before or table).cards.values()
        if card.piece not in table.cards and card.shown in codes and card.at.zone in IN_PLAY
    ]
    for card in (*table.cards.values(), *gone):
        code = card.shown
        if card.at.zone is Zone.SWARM:
            host = table.cards.get(card.at.of)
            code = "" if host is None else host.shown
        if code in codes:
            yield from _of_card(play, card, code, moment, group, is_first=is_first)
    for who in table.order:
        if play.content.hidden or any(True for _ in ()):  # hidden cards work as if in play
            for code in values.hidden_in_hand(play, who):
                if code in codes:
                    yield from _of_hidden(play, who, code, moment, group, is_first=is_first)
        for handle in table.piles.get(hand_of(who), ()):
            code = table.card_of(handle)
            if code in codes:
                yield from _of_hand(play, who, handle, code, moment, group, is_first=is_first)


def _of_card(
    play: Play,
    card: Card,
    code: str,
    moment: Moment,
    group: Sequence[Occurrence],
    *,
    is_first: bool,
) -> Iterator[tuple[Use, Ability]]:
    zones = _zones(card)
    for at, ability in enumerate(play.content.faces[code].abilities):
        on = ability.on
        if on is None or on.parts() != (moment, group[0].kind) or on.is_first is not is_first:
            continue
        if ability.zone not in zones or values.is_blank(play, card):
            continue
        for number, one in enumerate(group):
            for you in users(play, card, ability, one):
                use = Use(you, code, card.piece, at, occurrence=one, number=number)
                source = use.source()
                if answers_it(play, on, one, source) and conditions.holds(
                    play, ability.if_, source
                ):
                    yield use, ability
                    if ability.does is Does.FORCED:
                        # Once for the occurrence, whoever else would fit.
                        break


def _of_hidden(
    play: Play,
    who: InvestigatorId,
    code: str,
    moment: Moment,
    group: Sequence[Occurrence],
    *,
    is_first: bool,
) -> Iterator[tuple[Use, Ability]]:
    for at, ability in enumerate(play.content.faces[code].abilities):
        on = ability.on
        if on is None or on.parts() != (moment, group[0].kind) or on.is_first is not is_first:
            continue
        if ability.does is not Does.FORCED:
            continue
        for number, one in enumerate(group):
            use = Use(who, code, "", at, occurrence=one, number=number)
            if answers_it(play, on, one, use.source()):
                yield use, ability


def _of_hand(
    play: Play,
    who: InvestigatorId,
    handle: str,
    code: str,
    moment: Moment,
    group: Sequence[Occurrence],
    *,
    is_first: bool,
) -> Iterator[tuple[Use, Ability]]:
    for at, ability in enumerate(play.content.faces[code].abilities):
        on = ability.on
        if on is None or on.parts() != (moment, group[0].kind) or on.is_first is not is_first:
            continue
        if ability.does is Does.PLAY or ability.zone is AbilityZone.HAND:
            for number, one in enumerate(group):
                use = Use(who, code, "", at, handle, one, number)
                source = use.source()
                if answers_it(play, on, one, source) and conditions.holds(
                    play, ability.if_, source
                ):
                    yield use, ability


def _zones(card: Card) -> tuple[AbilityZone, ...]:
    """Return the zones in which an ability must work to work where a card lies. C-BZONE-9."""
    if card.at.zone in IN_PLAY:
        return (AbilityZone.PLAY,)
    return tuple(zone for zone in AbilityZone if zone.value == card.at.zone.value)


def users(
    play: Play, card: Card, ability: Ability, one: Occurrence | None = None
) -> tuple[InvestigatorId, ...]:
    """
    Return the investigators who may use an ability of an open card. C-TRIG-1 to C-TRIG-7.

    Of a Forced ability they are those whom its text may call "you": controller or bearer, else
    whoever it happens to, else the lead (C-YOU-3, C-YOU-4).
    """
    table = play.table
    order = table.order
    mine = values.you_of(card)
    if ability.does is Does.FORCED:
        if mine in order:
            return (mine,)
        if one is not None and one.who in order:
            return (one.who,)
        return order[:1]
    if ability.by is By.ANYONE:
        return order
    if ability.by is By.BEARER:
        return (card.owner,) if card.owner in order else ()
    kind = type_of_card(play, card)
    if card.at.zone in (Zone.ACT, Zone.AGENDA, Zone.SCENARIO):
        return order
    is_encounter = kind in ENCOUNTER_TYPES
    if not is_encounter and ability.by is not By.HERE:
        return (mine,) if mine in order else ()
    here = location_of(play, card)
    return tuple(who for who in order if here and table.here(who) == here)


ENCOUNTER_TYPES = frozenset([CardType.LOCATION, CardType.ENEMY, CardType.TREACHERY, CardType.STORY])
"""Types whose abilities everybody at their location may use. C-TRIG-3 to C-TRIG-5."""


def answers_it(play: Play, on: On, one: Occurrence, source: Source) -> bool:
    """Return whether an occurrence is what a trigger says. C-YOU-3, C-YOU-7."""
    if on.parts()[1] is not one.kind:
        return False
    before = one.before or play.table
    if on.who is not None and not _is_person(play, on.who, one.who, source):
        return False
    if on.by is not None and not _is_person(play, on.by, one.by, source):
        return False
    if on.phase is not None and on.phase is not one.phase:
        return False
    if on.deed is not None and on.deed is not one.deed:
        return False
    if on.skill is not None and on.skill is not one.skill:
        return False
    if on.token and on.token != one.token:
        return False
    if on.tokens and one.tags.isdisjoint(on.tokens):
        return False
    if one.amount < on.least:
        return False
    return (
        _is_card(play, on.card, one.card, one.code, before, source)
        and _is_card(play, on.cause, one.cause, "", before, source)
        and _is_card(play, on.place, one.at, "", before, source)
    )


def _is_card(play: Play, of: Any, piece: PieceId, code: str, before: Any, source: Source) -> bool:
    if of is None:
        return True
    # As it was just before, or as it is if it came with what happened.
    for table in (before, play.table):
        if piece and piece in table.cards:
            return targets.fits(play, table.cards[piece], of, source, table)
    return bool(code) and targets.fits_in_hand(play, code, of)


def _is_person(play: Play, wanted: Person, who: InvestigatorId, source: Source) -> bool:
    table = play.table
    if wanted is Person.YOU:
        return bool(who) and who == source.you
    if wanted is Person.ANYONE:
        return bool(who)
    if wanted is Person.ANOTHER:
        return bool(who) and who != source.you
    if who not in table.order or source.you not in table.order:
        return False
    is_here = table.here(who) == table.here(source.you)
    return is_here and (wanted is Person.HERE or who != source.you)


# Abilities without a trigger


def free(play: Play, who: InvestigatorId) -> list[Use]:
    """
    Return the free abilities and Fast cards that an investigator can use now. C-BWIN-1.

    Those with a moment of their own are used at that moment, and not here. C-BWIN-9.
    """
    table = play.table
    found: list[Use] = []
    if who not in table.order or is_kept_out(play, who):
        return []
    for card in table.cards.values():
        if card.at.zone in IN_PLAY:
            found += _usable_of(play, card, who, (Does.FREE, Does.OBJECTIVE))
    for handle in table.piles.get(hand_of(who), ()):
        found += playing.fast_uses(play, who, handle)
    return found


def actions(play: Play, who: InvestigatorId) -> list[Use]:
    """Return the action abilities that an investigator can use now, costs of actions apart."""
    return [
        use
        for card in play.table.cards.values()
        if card.at.zone in IN_PLAY
        for use in _usable_of(play, card, who, (Does.ACTION,))
    ]


def _usable_of(
    play: Play, card: Card, who: InvestigatorId, does: tuple[Does, ...]
) -> Iterator[Use]:
    face = play.content.faces.get(card.shown)
    for at, ability in enumerate(() if face is None else face.abilities):
        if ability.does in does and ability.on is None and who in users(play, card, ability):
            use = Use(who, card.shown, card.piece, at)
            source = use.source()
            if (
                not values.is_blank(play, card)
                and conditions.holds(play, ability.if_, source)
                and is_usable(play, use)
            ):
                yield use


def period_name(until: Until) -> str:
    """Return the first part of the names that limits of a period have."""
    return until.value

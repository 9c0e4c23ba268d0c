"""
Answers: which abilities answer an occurrence, who may use them, and using them.

Sections 1.2, 1.12 and 2.15. An ability that could be used when its occurrence came stays usable in
that window, even if another one has removed what it looked at (C-BABIL-35); so a window keeps what
it has offered (`server.games.cards.rules.windows`).
"""

from collections.abc import Iterator, Sequence

from content.games.cards.schema.cards import Ability, AbilityZone, By, Does
from content.games.cards.schema.costs import ActionsCost
from content.games.cards.schema.kinds import SAFE_DEEDS, CardType
from content.games.cards.schema.occurrences import Happening, Moment, On, Person
from content.games.cards.schema.pack import ACTIONS, FREE, FREE_OUTSIDE_TESTS
from content.games.cards.schema.steps import Later
from content.games.cards.schema.targets import Filter
from protocol.common.table import Handle
from protocol.games.cards.table import Card, CardId, Delayed, InvestigatorId, PieceId, hand_of
from protocol.games.cards.words import IN_PLAY, Zone
from server.games.cards.rules import conditions, costs, effects, enemies, playing, targets, values
from server.games.cards.rules.play import (
    NOTHING,
    Occurrence,
    Play,
    Source,
    Use,
    ability_at,
    as_of,
    hand,
    having,
    location_of,
    nesting,
    showing,
    step_of,
    texts_of,
    type_of_card,
)


def may_be_answered(play: Play, kind: Happening) -> bool:
    """Return whether any card of the pack, or a delayed effect, could answer: a public fact."""
    return kind in play.content.answered or bool(play.table.delayed)


def is_answered(play: Play, kind: Happening) -> bool:
    """
    Return whether an open card, one in a hand or a delayed effect could answer an occurrence.

    With strict windows it is whether any card of the pack could, since that is public (C-DECIDE-6).
    """
    codes = play.content.answered.get(kind)
    if codes is None or play.has_strict_windows:
        return may_be_answered(play, kind)
    texts = texts_of(play)
    return bool(play.table.delayed) or not (
        codes.isdisjoint(texts.open.by_text) and codes.isdisjoint(texts.held)
    )


def forced(play: Play, moment: Moment, group: Sequence[Occurrence], *, is_first: bool) -> list[Use]:
    """Return the Forced abilities that answer a group, and would change something. C-BABIL-4."""
    codes = play.content.forced.get((moment, group[0].kind), NOTHING)
    return [
        use
        for use, ability in _matching(play, moment, group, codes, is_first=is_first)
        if ability.does is Does.FORCED
        and (ability.limit is None or costs.is_within_limit(play, use, ability.limit))
        and effects.can_change(play, ability.effect, use.source())
    ]


def reactions(
    play: Play, moment: Moment, group: Sequence[Occurrence], *, is_first: bool
) -> list[Use]:
    """Return the reactions that answer a group, and cards in hand that do. C-REACT-4."""
    codes = play.content.reacting.get((moment, group[0].kind), NOTHING)
    return [
        use
        for use, ability in _matching(play, moment, group, codes, is_first=is_first)
        if ability.does is not Does.FORCED
    ]


def is_usable(play: Play, use: Use) -> bool:
    """
    Return whether a use can be carried out now: limit, cost, and an effect. C-BABIL-8.

    What its occurrence was is not looked at again. C-BABIL-35. Without a limit it can be used again
    and again (C-TRIG-8).
    """
    if use.you not in play.table.order or is_kept_out(play, use.you):
        return False
    if use.handle:
        in_hand = play.table.piles.get(hand_of(use.you), ())
        return use.handle in in_hand and playing.can_play_event(play, use)
    ability, source = ability_at(play, use.code, use.ability), use.source()
    card = play.table.cards.get(use.piece)
    if use.is_secret:
        if use.code not in values.hidden_in_hand(play, use.you):
            return False
    elif card is None:
        # It has left play, which it can answer if that is what happened to it.
        if use.occurrence is None or use.occurrence.card != use.piece:
            return False
    elif ability.zone not in _zones(play, card):
        return False
    if ability.limit is not None and not costs.is_within_limit(play, use, ability.limit):
        return False
    if not costs.can_pay(play, costs.of_ability(play, ability, source)):
        return False
    paid = costs.as_paid(play, ability.cost, source)
    return any(effects.can_change(play, ability.effect, one) for one in paid)


def is_kept_out(play: Play, who: InvestigatorId) -> bool:
    """Return whether Peril keeps an investigator from doing anything. C-BKEY-3, C-DECIDE-59."""
    return any(one.startswith(PERIL) and one != PERIL + who for one in play.under_way)


PERIL = "peril "
"""Beginning of the mark of an encounter card with Peril; its drawer follows."""


async def carry_out(play: Play, use: Use) -> None:
    """Use an ability: count it, pay, resolve the effect. C-BABIL-9, C-BAOO-9."""
    with nesting(play).ability(use.ability_key):
        if use.handle:
            await playing.play_event(play, use)
            return
        ability = ability_at(play, use.code, use.ability)
        source = use.source()
        source.is_chosen = ability.does is not Does.FORCED
        costs.note(play, use, ability.limit, is_forced=not source.is_chosen)
        with play.within(source.about()):
            paid = costs.of_ability(play, ability, source)
            if not await costs.pay(play, paid):
                return
            takes_action = any(isinstance(cost, ActionsCost) for cost, _ in paid)
            if takes_action and not SAFE_DEEDS.intersection(ability.deed):
                await enemies.opportunity(play, use.you)
            await effects.resolve(play, ability.effect, source)


# Delayed effects


def awaited_by(
    play: Play, effect: Delayed, moments: Sequence[Moment], group: Sequence[Occurrence]
) -> Occurrence | None:
    """Return the occurrence of a group for which a delayed effect waits, if there is one."""
    code, step = step_of(play, effect)
    assert isinstance(step, Later)
    if step.on.parts()[0] in moments:
        for one in group:
            if not one.is_off and answers_it(
                play, step.on, one, _delayed_source(code, effect, one)
            ):
                return one
    return None


async def carry_out_delayed(play: Play, effect: Delayed, one: Occurrence) -> None:
    """Carry out a delayed effect. C-BABIL-21."""
    code, step = step_of(play, effect)
    assert isinstance(step, Later)
    source = _delayed_source(code, effect, one)
    with nesting(play).ability((code, -1)), play.within(source.about()):
        await effects.resolve(play, step.do, source)


def _delayed_source(code: CardId, effect: Delayed, one: Occurrence) -> Source:
    source = Source(code, "", effect.of, occurrence=one, they=effect.on)
    source.holder = effect.holder
    return source


# Matching


def _matching(
    play: Play,
    moment: Moment,
    group: Sequence[Occurrence],
    codes: frozenset[str],
    *,
    is_first: bool,
) -> Iterator[tuple[Use, Ability]]:
    """
    Yield the abilities of some cards that answer one of a group, for each who may use them.

    The number of an occurrence is that in the whole group, those that were cancelled included, so
    that it stays the same while the window is open. None answers a cancelled one (C-BABIL-30).
    """
    if not codes:
        return
    wanted = (moment, group[0].kind)
    for code, card, handle, holders in _bearers(play, codes, group):
        for at in play.content.triggered[code].get(wanted, ()):
            ability = ability_at(play, code, at)
            on = ability.on
            assert on is not None
            if on.is_first is not is_first or not _works(play, ability, card, handle):
                continue
            for number, one in enumerate(group):
                if one.is_off:
                    continue
                for you in holders if card is None else users(play, card, ability, one):
                    piece = "" if card is None else card.piece
                    use = Use(you, code, piece, at, handle, one, number)
                    source = use.source()
                    if answers_it(play, on, one, source) and conditions.holds(
                        play, ability.if_, source
                    ):
                        yield use, ability
                        if ability.does is Does.FORCED:
                            # Once for the occurrence, whoever else would fit.
                            break


def _bearers(
    play: Play, codes: frozenset[str], group: Sequence[Occurrence]
) -> Iterator[tuple[CardId, Card | None, Handle, tuple[InvestigatorId, ...]]]:
    """Yield the cards whose text is one of `codes`: open ones, and those in hands with holder."""
    table, texts = play.table, texts_of(play)
    for card in (*having(play, codes), *_gone(play, group)):
        code = card.shown
        if card.at.zone is Zone.SWARM:
            host = table.cards.get(card.at.of)
            code = "" if host is None else host.shown
        if code in codes and not values.is_blank(play, card):
            yield code, card, "", ()
    if not codes.isdisjoint(texts.held):
        for who in table.order:
            for handle, code in hand(play, who):
                if code in codes:
                    is_hidden = code in play.content.hidden
                    yield code, None, "" if is_hidden else handle, (who,)


def _gone(play: Play, group: Sequence[Occurrence]) -> Iterator[Card]:
    """Yield the cards that left play by what happened to them, or to what they were attached to."""
    left = {one.card for one in group if one.card and one.card not in play.table.cards}
    before = group[0].before
    if left and before is not None:
        for card in before.cards.values():
            is_left = card.piece in left or (card.at.zone is Zone.ON and card.at.of in left)
            if is_left and card.is_in_play and card.piece not in play.table.cards:
                yield card


def _works(play: Play, ability: Ability, card: Card | None, handle: Handle) -> bool:
    """Return whether an ability works where its card is. C-BZONE-9."""
    if card is not None:
        return ability.zone in _zones(play, card) and ability.does is not Does.PLAY
    if handle:
        return ability.does is Does.PLAY or ability.zone is AbilityZone.HAND
    # A hidden card works as if it were in play. C-BKEY-6.
    return ability.zone is AbilityZone.PLAY


OUT_OF_PLAY = {one.value: (one,) for one in AbilityZone if one is not AbilityZone.PLAY}
"""The zone of abilities for each zone of cards, where they are not in play."""


def _zones(play: Play, card: Card) -> tuple[AbilityZone, ...]:
    """Return the zones in which an ability must work to work where a card lies. C-BZONE-9."""
    if card.at.zone in IN_PLAY:
        return (AbilityZone.PLAY,)
    if card.at.zone is Zone.COMMITTED and not values.committed_text(play, card):
        return ()
    return OUT_OF_PLAY.get(card.at.zone.value, ())


def users(
    play: Play, card: Card, ability: Ability, one: Occurrence | None = None
) -> tuple[InvestigatorId, ...]:
    """
    Return the investigators who may use an ability of an open card. C-TRIG-1 to C-TRIG-7.

    Who uses it is its "you" (C-YOU-2, C-YOU-5); one of a weakness of a player type alone its bearer
    (C-BWEAK-6).
    """
    order, mine = play.table.order, values.you_of(card)
    if ability.does is Does.FORCED:
        return _called_you(play, card, one)
    if ability.by is By.ANYONE or card.at.zone in COMMON:
        return order
    if ability.by is By.BEARER:
        # A story card of the scenario has no owner: its controller bears it.
        bearer = card.owner or mine
        return (bearer,) if bearer in order else ()
    is_encounter = type_of_card(play, card) in ENCOUNTER_TYPES and not card.controller
    if not is_encounter and ability.by is not By.HERE:
        return (mine,) if mine in order else ()
    here = location_of(play, card)
    return tuple(who for who in order if here and play.table.here(who) == here)


COMMON = frozenset([Zone.ACT, Zone.AGENDA, Zone.SCENARIO])
"""Zones whose cards everybody may use."""


def _called_you(play: Play, card: Card, one: Occurrence | None) -> tuple[InvestigatorId, ...]:
    """
    Return whom a Forced ability may call "you", the likeliest first. C-YOU-3, C-YOU-4, C-YOU-6.

    They are controller or bearer; and, where what happens is about this card or where nobody bears
    it, those to whom it happens and who bring it about. If nobody is left, it is the lead.
    """
    mine = values.you_of(card)
    people = [mine]
    if one is not None and (not mine or card.piece in (one.card, one.cause)):
        people += [one.who, one.by]
    found = tuple(dict.fromkeys(who for who in people if who in play.table.order))
    return found or play.table.order[:1]


ENCOUNTER_TYPES = frozenset([CardType.LOCATION, CardType.ENEMY, CardType.TREACHERY, CardType.STORY])
"""Types whose abilities everybody at their location may use. C-TRIG-3 to C-TRIG-5."""


def answers_it(play: Play, on: On, one: Occurrence, source: Source) -> bool:
    """
    Return whether an occurrence is what a trigger says. C-YOU-3, C-YOU-7.

    What was assigned to another was not dealt to "you" (C-YOU-8).
    """
    if on.parts()[1] is not one.kind:
        return False
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
    past = play if one.before is None else as_of(play, one.before)
    return (
        _is_card(play, past, on.card, one.card, one.code, source)
        and _is_card(play, past, on.cause, one.cause, "", source)
        and _is_card(play, past, on.place, one.at, "", source)
    )


def _is_card(
    play: Play, past: Play, of: Filter | None, piece: PieceId, code: CardId, source: Source
) -> bool:
    """Return whether a role is as a filter says: as it was just before. C-DECIDE-51."""
    if of is None:
        return True
    # What came with what happened was not there before.
    for at in (past, play):
        card = at.table.cards.get(piece)
        if card is not None:
            return targets.fits(at, card, of, source)
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


def free(play: Play, *people: InvestigatorId) -> list[Use]:
    """
    Return the free abilities and Fast cards that investigators can use now, by turns. C-BWIN-1.

    Those with a moment of their own are used at that moment, and not here. C-BWIN-9.
    """
    able = [who for who in people if who in play.table.order and not is_kept_out(play, who)]
    # C-BACTS-6: an act is not advanced while something is being resolved.
    found = _usable(play, able, FREE_OUTSIDE_TESTS if play.table.test is None else FREE)
    for who in able:
        found[who] += _usable_hidden(play, who, Does.FREE)
        for handle, code in hand(play, who):
            if code in play.content.fast:
                found[who] += playing.fast_uses(play, who, handle)
    return [use for who in able for use in found[who]]


def actions(play: Play, who: InvestigatorId) -> list[Use]:
    """Return the action abilities that an investigator can use now, costs of actions apart."""
    found = _usable(play, (who,), ACTIONS)[who]
    return [*found, *_usable_hidden(play, who, Does.ACTION)]


def _usable(
    play: Play, people: Sequence[InvestigatorId], does: tuple[Does, ...]
) -> dict[InvestigatorId, list[Use]]:
    """Return the abilities of some kinds on cards in play that each of some people can use now."""
    found: dict[InvestigatorId, list[Use]] = {who: [] for who in people}
    for card in showing(play, play.content.usable[does]):
        if card.at.zone in IN_PLAY and not values.is_blank(play, card):
            for at, ability in enumerate(play.content.faces[card.shown].abilities):
                if ability.does in does and ability.on is None:
                    for who in users(play, card, ability):
                        use = Use(who, card.shown, card.piece, at)
                        if who in found and _permits(play, ability, use) and is_usable(play, use):
                            found[who].append(use)
    return found


def _permits(play: Play, ability: Ability, use: Use) -> bool:
    """Return whether the condition of an ability holds."""
    return ability.if_ is None or conditions.holds(play, ability.if_, use.source())


def _usable_hidden(play: Play, who: InvestigatorId, does: Does) -> Iterator[Use]:
    """Yield the abilities of the hidden cards in a hand, which work as if in play. C-BKEY-6."""
    for code in values.hidden_in_hand(play, who):
        for at, ability in enumerate(play.content.faces[code].abilities):
            use = Use(who, code, "", at)
            if (
                ability.does is does
                and ability.on is None
                and ability.zone is AbilityZone.PLAY
                and _permits(play, ability, use)
                and is_usable(play, use)
            ):
                yield use

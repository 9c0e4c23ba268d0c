"""Playing cards: the check, the cost, attacks of opportunity, the card itself. Section 2.14."""

from collections.abc import Iterator, Mapping

from content.games.cards.schema.cards import Ability, Does, PlayerCard
from content.games.cards.schema.costs import ResourcesCost
from content.games.cards.schema.kinds import SAFE_DEEDS, Amount, CardType, Deed, Keyword
from content.games.cards.schema.modifiers import CostModifier, Thing
from content.games.cards.schema.occurrences import Happening
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.cards.events import Change, Tokens, Told, Used
from protocol.games.cards.table import Card, InvestigatorId, Place, hand_of
from protocol.games.cards.words import Phase, Token, Zone
from server.games.cards.rules import (
    conditions,
    costs,
    effects,
    enemies,
    hands,
    targets,
    timing,
    turns,
    values,
    zones,
)
from server.games.cards.rules.play import Occurrence, Play, Source, Use, is_in


def printed(play: Play, handle: str) -> PlayerCard | None:
    """Return a card in hand, if it is a card that players have."""
    face = play.content.faces[play.table.card_of(handle)]
    return face if isinstance(face, PlayerCard) else None


def cost_of(play: Play, who: InvestigatorId, face: PlayerCard) -> int | None:
    """
    Return what a card costs with all that modifies it; None for a dash. C-COST-3, C-BPLAY-27.

    Never below 0. C-BPLAY-18.
    """
    if face.cost is None:
        return None
    change = sum(
        values.number(play, one.by, source)
        for one, source in values.given(play, CostModifier)
        if source.you == who and targets.fits_in_hand(play, face.id, one.of)
    )
    return max(0, face.cost + change)


def copied(
    play: Play, who: InvestigatorId, face: PlayerCard, deed: Deed | None = None
) -> list[Card]:
    """
    Return the events as a copy of one of which a card can be played now, each title once.

    It costs what the copied card costs, so one with a dash is none of them. C-COST-5, C-COST-3.

    Args:
        play: the game.
        who: the investigator.
        face: the card.
        deed: the designator that the event must have; None if any event will do.
    """
    assert face.copy_of is not None
    found = {}
    for card in play.table.lying(Zone.DISCARD, who):
        event, source = play.content.faces[card.code], Source(card.code, "", who)
        if (
            isinstance(event, PlayerCard)
            and event.type is CardType.EVENT
            and event.attached_to is None
            and targets.fits(play, card, face.copy_of, source)
        ):
            (ability,) = event.abilities if len(event.abilities) == 1 else (None,)
            is_plain = ability is not None and ability.does is Does.PLAY and ability.on is None
            is_of_deed = deed is None or (ability is not None and deed in ability.deed)
            if is_plain and is_of_deed and _refusal(play, event, ability, source) is None:
                found[card.code] = card
    return list(found.values())


def is_fast(play: Play, face: PlayerCard) -> bool:
    """Return whether a card is Fast, and so costs no action. C-BPLAY-5."""
    del play
    return Keyword.FAST in face.keywords


Refusal = tuple[str, str]
"""Why a card in hand cannot be played now: rule and word."""


def refusals(play: Play, who: InvestigatorId) -> dict[str, Refusal | None]:
    """Return why each card in a hand cannot be played now, by handle; None if it can. C-BPLAY-1."""
    in_hand = play.table.piles.get(hand_of(who), ())
    return {handle: refusal(play, who, handle) for handle in in_hand}


def refusal(play: Play, who: InvestigatorId, handle: str) -> Refusal | None:
    """
    Return why a card in hand cannot be played now: rule and word; None if it can. C-BPLAY-1.

    An event that names a moment is played at that moment alone (C-BWIN-9); an asset that does may
    be played then, too (C-BPLAY-24). A skill card is never played (C-BPLAY-4).
    """
    face = printed(play, handle)
    if face is None or face.type is CardType.SKILL:
        return "C-BPLAY-4", "skill"
    if face.copy_of is not None:
        return None if copied(play, who, face) else ("C-COST-5", "copy")
    ability = event_ability(face)
    if face.type is CardType.EVENT and (ability is None or ability.on is not None):
        return "C-BWIN-9", "moment"
    return _refusal(play, face, ability, Source(face.id, "", who))


def _refusal(
    play: Play, face: PlayerCard, ability: Ability | None, source: Source
) -> Refusal | None:
    """Return why a card cannot be played by its text, costs or targets. C-BPLAY-17, C-COST-2."""
    who = source.you
    cost = cost_of(play, who, face)
    if cost is None:
        return "C-COST-3", "dash"
    if cost > play.table.count(who, Token.RESOURCE):
        return "C-COST-2", "resources"
    if values.cannot(play, Thing.PLAY, who, code=face.id) is not None:
        return "C-BABIL-2", "cannot"
    if not conditions.holds(play, face.permitted, source):
        return "C-BPLAY-17", "permitted"
    own = () if ability is None else ability.cost
    if not costs.can_pay(play, costs.bill(own, source)):
        return "C-COST-2", "cost"
    if not costs.can_pay(play, _bill(play, ability, source, cost)):
        return "C-ADD-4", "additional"
    if face.attached_to is not None and not hosts(play, face, source):
        return "C-BABIL-22", "target"
    if face.type is CardType.ASSET:
        return zones.kept_out(play, face.id, who)
    assert ability is not None
    return None if _can_resolve(play, face, ability, source) else ("C-BPLAY-13", "nothing")


def _bill(play: Play, ability: Ability | None, source: Source, cost: int) -> "costs.Bill":
    """Return all that playing a card costs, the additional costs included. C-BPLAY-28."""
    own = (ResourcesCost(Amount(cost)), *(() if ability is None else ability.cost))
    return [*costs.bill(own, source), *costs.additional(play, source.you, (Deed.PLAY,))]


def kinds(face: PlayerCard, ability: Ability | None) -> tuple[str, ...]:
    return turns.kinds_of(deeds_of(ability), face.traits)


def deeds_of(ability: Ability | None) -> tuple[Deed, ...]:
    """Return what the playing of a card counts as. C-DESIG-3, C-AOO-3."""
    return (Deed.PLAY, *(() if ability is None else ability.deed))


def event_ability(face: PlayerCard) -> Ability | None:
    """Return what an event does when it is played, or what an asset costs besides."""
    return next((one for one in face.abilities if one.does is Does.PLAY), None)


def hosts(play: Play, face: PlayerCard, source: Source) -> list[Card]:
    """
    Return the cards to which a card can be attached as it is played. C-BABIL-22.

    A signature card cannot go to a card that another investigator controls. C-DECIDE-25.
    """
    assert face.attached_to is not None
    return [
        card
        for card in targets.candidates(play, face.attached_to, source)
        if zones.may_control(face, card.controller or source.you)
    ]


def _can_resolve(play: Play, face: PlayerCard, ability: Ability, source: Source) -> bool:
    """Return whether an event would change something, with the largest X that can be paid."""
    use = Use(source.you, face.id, "", face.abilities.index(ability), "x", source.occurrence)
    paid = costs.as_paid(play, ability.cost, source)
    return (
        (ability.limit is None or costs.is_within_limit(play, use, ability.limit))
        and conditions.holds(play, ability.if_, source)
        and (
            face.attached_to is not None
            or any(effects.can_change(play, ability.effect, one) for one in paid)
        )
    )


# Fast cards and events with a moment


def fast_uses(play: Play, who: InvestigatorId, handle: str) -> Iterator[Use]:
    """
    Yield how a card in hand can be played in a player window. C-BWIN-1, C-BPLAY-6, C-BPLAY-7.

    A Fast asset only in the own turn, a Fast event at any time that its text allows, as a copy too.
    """
    face = printed(play, handle)
    if face is None or not is_fast(play, face) or refusal(play, who, handle) is not None:
        return
    if face.type is CardType.ASSET:
        in_turn = play.table.active == who and play.table.phase is Phase.INVESTIGATION
        if in_turn and play.table.test is None:
            yield Use(who, face.id, "", -1, handle)
        return
    ability = event_ability(face)
    if face.copy_of is not None:
        yield Use(who, face.id, "", -1, handle)
    elif ability is not None and ability.on is None:
        yield Use(who, face.id, "", face.abilities.index(ability), handle)


def can_play_event(play: Play, use: Use) -> bool:
    """Return whether a card in hand can be played as an answer. C-REACT-4, C-BWIN-9."""
    face = printed(play, use.handle)
    if face is None:
        return False
    if use.ability < 0:
        return refusal(play, use.you, use.handle) is None
    ability = face.abilities[use.ability]
    return _refusal(play, face, ability, use.source()) is None


async def play_event(play: Play, use: Use) -> None:
    """Play a card from hand without an action: a Fast one, or one with a moment."""
    await play_card(play, use.you, use.handle, use.occurrence, is_action=False)


# Playing


async def play_card(
    play: Play,
    who: InvestigatorId,
    handle: str,
    occurrence: Occurrence | None = None,
    *,
    is_action: bool,
    deed: Deed | None = None,
) -> None:
    """
    Play a card: check, cost, payment, attacks of opportunity, the card. C-BPLAY-1.

    In the order of C-BPLAY-27 to C-BPLAY-30. While it is played it is in no hand, not in play and
    in no discard pile (C-BZONE-24). An event is discarded afterwards, a cancelled one too
    (C-BPLAY-3, C-BPLAY-14), unless it attaches itself or enters play (C-BPLAY-16).
    An event that is a Fight provokes no attack (C-AOO-4); an attack is over before an asset enters
    play (C-AOO-8, C-NEST-12). A copy has cost, effect and targets of the copied card (C-COST-5); it
    is of an event with `deed`, if an effect demands such an action (C-DESIG-3).
    """
    own = printed(play, handle)
    assert own is not None
    face = own if own.copy_of is None else await _choose_copied(play, who, own, deed)
    ability = event_ability(face)
    cost = cost_of(play, who, face)
    assert cost is not None
    piece = hands.open_card(play, who, handle, Place(Zone.RESOLVING, who))
    source = Source(face.id, piece, who, occurrence=occurrence, is_chosen=True)
    if is_action:
        paid = kinds(own, ability)
        is_action = await turns.spend(play, who, 1, Deed.PLAY.value, source, *paid)
    await costs.pay(play, _bill(play, ability, source, cost))
    counts: tuple[str, ...] = ()
    if ability is not None and ability.limit is not None:
        at = face.abilities.index(ability)
        counts = (costs.limit_name(Use(who, face.id, piece, at), ability.limit),)
    play.emit(Used(who, piece, own.id, -1, counts))
    if face is not own:
        play.emit(Told(Text("notice/copy", (own.id, face.id))))
    if is_action and not SAFE_DEEDS.intersection(deeds_of(ability)):
        await enemies.opportunity(play, who)
    if not is_in(play, who) or piece not in play.table.cards:
        return
    one = Occurrence(Happening.CARD_PLAYED, who=who, card=piece, code=own.id)

    async def take_effect(_: list[Occurrence]) -> None:
        if face.attached_to is not None:
            await _attach_played(play, piece, face, source)
        elif face.type is CardType.ASSET:
            await zones.enter(play, piece, who)
        if ability is not None:
            with play.within(source.about()):
                await effects.resolve(play, ability.effect, source)

    await timing.happen(play, [one], take_effect)
    card = play.table.cards.get(piece)
    if card is not None and card.at.zone is Zone.RESOLVING:
        # An event, played or cancelled (C-BPLAY-14), or an asset that cannot enter play.
        await zones.leave(play, (piece,), None)


async def _choose_copied(
    play: Play, who: InvestigatorId, face: PlayerCard, deed: Deed | None
) -> PlayerCard:
    """Have an investigator choose the event as a copy of which a card is played. C-COST-5."""
    source = Source(face.id, "", who)
    (piece,) = await targets.choose(play, copied(play, who, face, deed), source, 1, 1)
    event = play.content.faces[play.table.cards[piece].code]
    assert isinstance(event, PlayerCard)
    return event


async def _attach_played(play: Play, piece: str, face: PlayerCard, source: Source) -> None:
    (host,) = await targets.choose(play, hosts(play, face, source), source, 1, 1) or ("",)
    if host:
        await attach(play, piece, host, source.you)


async def attach(play: Play, piece: str, host: str, who: InvestigatorId) -> bool:
    """
    Attach a card to another one; return whether it is attached. C-ATT-1 to C-ATT-5.

    On a card that another investigator controls that one takes control of it; a signature
    card, for which such a host is no legal target (C-DECIDE-25), does not come into play there.
    """
    card, on = play.table.cards[piece], play.table.cards.get(host)
    if on is None:
        return False
    controller = on.controller or (who if card.owner else "")
    return await zones.enter(play, piece, controller, Place(Zone.ON, host))


def gain_resources(play: Play, who: InvestigatorId, number: int) -> None:
    """Give an investigator resources."""
    card = play.table.investigators[who].card
    play.emit(Tokens((Change(card, Token.RESOURCE.value, number),)))


def refused(play: Play, reasons: Mapping[str, Refusal | None]) -> list[RefusedChoice]:
    """Return the cards in hand that cannot be played now, each with the reason."""
    found = []
    for handle, reason in reasons.items():
        if reason is not None and reason[1] not in ("skill", "moment"):
            rule, word = reason
            name = Text("choice/play", (play.table.card_of(handle),))
            found.append(RefusedChoice(name, Text(f"refused/{word}"), rule))
    return found

"""Playing cards: the check, the cost, attacks of opportunity, the card itself. Section 2.14."""

from collections.abc import Iterator

from content.games.cards.schema.cards import Ability, Does, PlayerCard
from content.games.cards.schema.kinds import SAFE_DEEDS, CardType, Deed, Keyword
from content.games.cards.schema.modifiers import AdditionalCost, CostModifier, Thing
from content.games.cards.schema.occurrences import Happening
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.cards.events import Change, Moved, Tokens, Used
from protocol.games.cards.table import InvestigatorId, Place, hand_of
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


def is_fast(play: Play, face: PlayerCard) -> bool:
    """Return whether a card is Fast, and so costs no action. C-BPLAY-5."""
    del play
    return Keyword.FAST in face.keywords


def refusal(play: Play, who: InvestigatorId, handle: str) -> tuple[str, str] | None:
    """
    Return why a card in hand cannot be played by the action: rule and word; None if it can.

    C-BPLAY-1: this is the check that it may be played. Attacks and costs come later.
    """
    face = printed(play, handle)
    if face is None or face.type is CardType.SKILL:
        return "C-BPLAY-4", "skill"
    cost = cost_of(play, who, face)
    if cost is None:
        return "C-COST-3", "dash"
    if cost > play.table.count(who, Token.RESOURCE):
        return "C-COST-2", "resources"
    if values.cannot(play, Thing.PLAY, who) is not None:
        return "C-BABIL-2", "cannot"
    source = Source(face.id, "", who)
    if not conditions.holds(play, face.permitted, source):
        return "C-BPLAY-17", "permitted"
    extra = additional(play, who, Deed.PLAY)
    if not all(costs.can_pay(play, one.cost, by) for one, by in extra):
        return "C-ADD-4", "additional"
    ability = event_ability(face)
    if ability is not None and not costs.can_pay(play, ability.cost, source):
        return "C-COST-2", "cost"
    if face.type is CardType.ASSET:
        if zones.is_unique_in_play(play, face.id):
            return "C-BZONE-15", "unique"
        held = [card for card in play.table.lying(Zone.PLAY, who) if card.shown == face.id]
        if face.per_investigator is not None and len(held) >= face.per_investigator:
            return "C-LIM-4", "limit"
        return None if _can_attach(play, face, source) else ("C-BABIL-22", "target")
    if ability is None or ability.on is not None:
        return "C-BWIN-9", "moment"
    return None if _can_resolve(play, face, ability, source) else ("C-BPLAY-13", "nothing")


def event_ability(face: PlayerCard) -> Ability | None:
    """Return what an event does when it is played, or what an asset costs besides."""
    return next((one for one in face.abilities if one.does is Does.PLAY), None)


def _can_attach(play: Play, face: PlayerCard, source: Source) -> bool:
    return face.attached_to is None or bool(targets.candidates(play, face.attached_to, source))


def _can_resolve(play: Play, face: PlayerCard, ability: Ability, source: Source) -> bool:
    use = Use(source.you, face.id, "", face.abilities.index(ability), "x", source.occurrence)
    return (
        (ability.limit is None or costs.is_within_limit(play, use, ability.limit))
        and conditions.holds(play, ability.if_, source)
        and costs.can_pay(play, ability.cost, source)
        and _can_attach(play, face, source)
        and effects.can_change(play, ability.effect, source)
    )


def additional(play: Play, who: InvestigatorId, deed: Deed) -> list[tuple[AdditionalCost, Source]]:
    """Return the additional costs of a deed of an investigator. C-ADD-1."""
    found = []
    for one, source in values.given(play, AdditionalCost):
        if one.deed is not deed:
            continue
        payer = Source(source.code, source.piece, who)
        at = play.table.cards.get(play.table.here(who))
        if one.where is None:
            if source.you in ("", who):
                found.append((one, payer))
        elif at is not None and targets.fits(play, at, one.where, payer):
            found.append((one, payer))
    return found


# Fast cards and events with a moment


def fast_uses(play: Play, who: InvestigatorId, handle: str) -> Iterator[Use]:
    """
    Yield how a card in hand can be played in a player window. C-BWIN-1, C-BPLAY-6, C-BPLAY-7.

    A Fast asset only in the own turn, a Fast event at any time that its text allows.
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
    if ability is not None and ability.on is None:
        yield Use(who, face.id, "", face.abilities.index(ability), handle)


def can_play_event(play: Play, use: Use) -> bool:
    """Return whether a card in hand can be played as an answer. C-REACT-4, C-BWIN-9."""
    face = printed(play, use.handle)
    if face is None:
        return False
    if use.ability < 0 or face.abilities[use.ability].on is None:
        return refusal(play, use.you, use.handle) is None
    cost = cost_of(play, use.you, face)
    if cost is None or cost > play.table.count(use.you, Token.RESOURCE):
        return False
    if values.cannot(play, Thing.PLAY, use.you) is not None:
        return False
    source = use.source()
    return conditions.holds(play, face.permitted, source) and _can_resolve(
        play, face, face.abilities[use.ability], source
    )


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
) -> None:
    """
    Play a card: check, cost, payment, attacks of opportunity, the card. C-BPLAY-1, 27 to 30.

    While it is played it is in no hand, not in play and in no discard pile (C-BZONE-24).
    """
    face = printed(play, handle)
    assert face is not None
    ability = event_ability(face)
    deeds = (Deed.PLAY, *(ability.deed if ability is not None else ()))
    cost = cost_of(play, who, face) or 0
    piece = hands.open_card(play, who, handle, Place(Zone.RESOLVING, who))
    source = Source(face.id, piece, who, occurrence=occurrence)
    if is_action:
        kinds = turns.kinds_of(deeds, face.traits)
        await turns.spend(play, who, 1, Deed.PLAY.value, source, *kinds)
    costs.spend(play, who, Token.RESOURCE, cost)
    for extra, by in additional(play, who, Deed.PLAY):
        await costs.pay(play, extra.cost, by)
    if ability is not None:
        await costs.pay(play, ability.cost, source)
    counts: tuple[str, ...] = ()
    if ability is not None and ability.limit is not None:
        at = face.abilities.index(ability)
        counts = (costs.limit_name(Use(who, face.id, piece, at), ability.limit),)
    play.emit(Used(who, piece, face.id, -1, counts))
    if is_action and not SAFE_DEEDS.intersection(deeds):
        await enemies.opportunity(play, who)
    if not is_in(play, who):
        return
    one = Occurrence(Happening.CARD_PLAYED, who=who, card=piece, code=face.id)

    async def take_effect(_: list[Occurrence]) -> None:
        if face.type is CardType.ASSET:
            await _lay_asset(play, who, piece, face, source)
        elif ability is not None:
            with play.within(source.about()):
                await effects.resolve(play, ability.effect, source)

    await timing.happen(play, [one], take_effect)
    card = play.table.cards.get(piece)
    if card is not None and card.at.zone is Zone.RESOLVING:
        # An event, played or cancelled (C-BPLAY-14), or an asset that cannot enter play.
        await zones.leave(play, (piece,), None)


async def _lay_asset(
    play: Play, who: InvestigatorId, piece: str, face: PlayerCard, source: Source
) -> None:
    if face.attached_to is None:
        await zones.enter(play, piece, who)
        return
    found = targets.candidates(play, face.attached_to, source)
    hosts = await targets.choose(play, found, source, 1, 1)
    if hosts:
        await attach(play, piece, hosts[0], who)


async def attach(play: Play, piece: str, host: str, who: InvestigatorId) -> None:
    """
    Attach a card to another one. C-ATT-1 to C-ATT-5.

    On an asset of another investigator that one takes control of it; not of a signature card, for
    which such a host is no legal target (C-DECIDE-25).
    """
    card, on = play.table.cards[piece], play.table.cards[host]
    controller = on.controller or (who if card.owner else "")
    play.emit(Moved((piece,), Place(Zone.ON, host), controller))
    zones.lay_uses(play, piece, controller or who)


def gain_resources(play: Play, who: InvestigatorId, number: int) -> None:
    """Give an investigator resources."""
    card = play.table.investigators[who].card
    play.emit(Tokens((Change(card, Token.RESOURCE.value, number),)))


def refused(play: Play, who: InvestigatorId) -> list[RefusedChoice]:
    """Return the cards in hand that cannot be played now, each with the reason."""
    found = []
    for handle in play.table.piles.get(hand_of(who), ()):
        reason = refusal(play, who, handle)
        if reason is not None and reason[1] not in ("skill", "moment"):
            rule, word = reason
            name = Text("choice/play", (play.table.card_of(handle),))
            found.append(RefusedChoice(name, Text(f"refused/{word}"), rule))
    return found

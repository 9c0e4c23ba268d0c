"""
Card abilities: the printed actions of items and traits.

K-ACT-2, K-ACT-3, K-CARD-8, K-CARD-14 and K-DECIDE-89.
"""

import functools
from collections.abc import Iterator

from content.games.first_edition.schema import effects as schema
from content.games.first_edition.schema.cards import CardAction, Once
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.first_edition.events import (
    AbilityUsed,
    DealtWith,
    ItemUsedUp,
    SkillPointsChanged,
)
from protocol.games.first_edition.table import CardId, InvestigatorId, PieceId
from protocol.values import frozen
from server.games.first_edition.rules import (
    effects,
    harm,
    lacking,
    places,
    requirements,
    targets,
    trauma,
    turn,
)
from server.games.first_edition.rules.play import Play, Source
from server.kernel.asks import Option
from server.rulekit.offers import Offers, refusal, together


@frozen
class Ability:
    """One printed action that an investigator can use."""

    card: CardId
    action: CardAction
    key: str
    """Names the ability where its uses are counted."""
    text: Text
    piece: PieceId | None = None
    """The item that has it; None for a trait."""


def of(play: Play, who: InvestigatorId) -> Iterator[Ability]:
    """Yield the printed actions of an investigator's traits and items."""
    pack, has = play.content.pack, play.table.investigators[who]
    held = [(trait, pack.traits[trait].actions, None) for trait in has.traits]
    items = [(item.card, pack.items[item.card].actions, item.piece) for item in has.items]
    for card, actions, piece in (*held, *items):
        for number, action in enumerate(actions, 1):
            key = f"{piece or card}#{number}"
            # The words of one action of several say which one it is.
            told = (card,) if len(actions) == 1 else (card, Text(action.text))
            field = "text" if len(actions) == 1 else "does"
            yield Ability(card, action, key, Text("choice/use_card", told, field), piece)


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer the abilities that are no attacks, or say why not. K-ACT-3."""
    return together(
        offer(play, who, ability) for ability in of(play, who) if not ability.action.attack
    )


def offer(play: Play, who: InvestigatorId, ability: Ability) -> Offers:
    """Offer one ability, or say why it cannot be used. K-ACT-1, K-DECIDE-89."""
    action, text, card = ability.action, ability.text, ability.card
    type_ = "attack" if action.attack else "card"
    if not action.free and (barred := turn.no_action(play, text, type_)):
        return barred
    has = play.table.investigators[who]
    if is_used(play, who, ability):
        return refusal(text, Text(f"refusal/once_a_{action.once.value}"), "K-CARD-14")
    if has.skill_points < action.skill_points:
        reason = Text("refusal/skill_points", (action.skill_points, has.skill_points))
        return refusal(text, reason, "K-TEST-9")
    if has.sanity_left < action.horror:
        reason = Text("refusal/no_sanity", (action.horror, has.sanity_left))
        return refusal(text, reason, "K-DECIDE-89")
    source = Source(card, who, piece=ability.piece)
    if not requirements.holds(play, action.requires, source):
        return refusal(text, lacking.reason(play, action.requires, source), "K-CARD-8")
    if not heals_anybody(play, action, source):
        return refusal(text, Text("refusal/nothing_to_heal"), "K-DAMAGE-7")
    points: tuple[Point, ...] = ()
    if ability.piece is not None:
        points = (places.at_item(ability.piece),)
    group = "free" if action.free else "use"
    return Offers((Option(functools.partial(use, play, who, ability), text, points, group),))


def heals_anybody(play: Play, action: CardAction, source: Source) -> bool:
    """
    Return whether an action that does nothing but heal or rouse finds anybody for it. K-DAMAGE-7.

    A card that is discarded for nothing would be used by mistake alone. Allies are healed, too
    (W-DECIDE-30).
    """
    people = play.table.character
    for step in action.effect:
        match step:
            case schema.Heal(damage, horror, who):
                aim = [people(one) for one in targets.in_question(play, who, source, heals=True)]
                if any((damage and one.damage) or (horror and one.horror) for one in aim):
                    return True
            case schema.Unstun(who=who):
                if any(people(one).stun for one in targets.in_question(play, who, source)):
                    return True
            case _:
                return True
    return not action.effect


def is_used(play: Play, who: InvestigatorId, ability: Ability) -> bool:
    """Return whether the limit of an ability is reached. K-CARD-14."""
    use = f"{ability.action.once.value}:{ability.key}"
    # What is used once in the game stays used, whoever has the item afterwards.
    return use in play.table.investigators[who].used or use in play.table.done


async def use(play: Play, who: InvestigatorId, ability: Ability) -> None:
    """
    Use an ability: the action and its evade tests, then what it costs, then its effect.

    A free one takes no action, and no evade test comes before it. K-ACT-2, K-DECIDE-30.
    """
    if not ability.action.free and not await turn.begin_action(play, who, "card"):
        return
    if await pay(play, who, ability):
        source = Source(ability.card, who, piece=ability.piece, by_actor=True)
        await effects.resolve(play, ability.action.effect, source)


async def pay(play: Play, who: InvestigatorId, ability: Ability) -> bool:
    """
    Pay what an ability costs, and count its use. K-DECIDE-89.

    Returns:
        True if it is paid; False if paying killed the investigator, or an evade test or the keeper
        has taken what it would be paid with, or what it asks for.
    """
    action, has = ability.action, play.table.investigators[who]
    source = Source(ability.card, who, piece=ability.piece)
    is_held = ability.piece is None or any(one.piece == ability.piece for one in has.items)
    can_pay = has.skill_points >= action.skill_points and has.sanity_left >= action.horror
    if not (is_held and can_pay and requirements.holds(play, action.requires, source)):
        return False
    if action.once is Once.GAME:
        play.emit(DealtWith(f"game:{ability.key}"))
    elif action.once is not Once.ALWAYS:
        play.emit(AbilityUsed(who, f"{action.once.value}:{ability.key}"))
    if action.skill_points:
        play.emit(SkillPointsChanged(who, -action.skill_points))
    if action.discard and ability.piece is not None:
        play.emit(ItemUsedUp(who, ability.piece))
    if action.damage or action.horror:
        await harm.suffer(play, who, damage=action.damage, horror=action.horror)
        await trauma.settle(play)
    return who in play.table.investigators

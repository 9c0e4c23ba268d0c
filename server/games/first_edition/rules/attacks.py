"""
Attacks of investigators: with a weapon, unarmed, or by a printed action. Section 16.

Attack spells are in `spells`.
"""

import functools
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from content.games.first_edition.schema.cards import Doing, Trigger
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.first_edition.events import Attacked, ItemUsedUp, WeaponUsed
from protocol.games.first_edition.table import CharacterId, InvestigatorId, Item, MonsterId
from server.games.first_edition.rules import (
    abilities,
    adjacency,
    combat,
    effects,
    mythos,
    places,
    turn,
)
from server.games.first_edition.rules.abilities import Ability
from server.games.first_edition.rules.play import Play, Refusal, Source
from server.games.first_edition.rules.tests import forbids, modifiers
from server.kernel.asks import Option
from server.rulekit.offers import Offers, PlayerAction, refusal, together

Attack = Callable[[Play, CharacterId, MonsterId, Item | None], Coroutine[Any, Any, None]]
"""Makes an attack with a weapon, or unarmed."""


def offers(play: Play, who: InvestigatorId) -> Offers:
    """
    Offer bare hands, each weapon and each printed attack against each monster.

    K-COMBAT-1, K-COMBAT-2, K-ACT-3.
    """
    found = together(
        [
            *(offers_with(play, who, one, attack) for one in weapons(play, who)),
            *(_offers_by(play, who, one) for one in abilities.of(play, who) if one.action.attack),
        ]
    )
    if found.options and (reason := barred(play, who)) is not None:
        return refusal(Text("choice/attack"), *reason)
    return found


def weapons(play: Play, who: CharacterId) -> tuple[Item | None, ...]:
    """Return what a character can attack with: bare hands, and each weapon. K-COMBAT-1."""
    return (None, *(one for one in play.table.character(who).items if one.weapon))


def offers_with(play: Play, who: CharacterId, item: Item | None, make: Attack) -> Offers:
    """
    Offer an attack with a weapon, or unarmed. K-COMBAT-1, K-COMBAT-2, K-DECIDE-50.

    The reach of an ally is the same (W-DECIDE-25).

    Args:
        play: the game.
        who: the attacker.
        item: the weapon; None for bare hands.
        make: makes the attack that is chosen.
    """
    options: list[Option[PlayerAction]] = []
    refused: list[RefusedChoice] = []
    most = 0 if item is None or item.weapon is None else item.weapon.range
    for monster, reason in targets(play, who, most):
        name = places.monster_name(play.table, monster)
        text = Text("choice/attack_unarmed", (name,))
        if item is not None:
            text = Text("choice/attack_with", (name, item.card))
        if reason is not None:
            rule = "K-COMBAT-2" if item is None else reason[1]
            refused.append(RefusedChoice(text, reason[0], rule))
            continue
        perform = functools.partial(make, play, who, monster, item)
        options.append(Option(perform, text, (places.at_monster(monster),), "fight"))
    return Offers(tuple(options), tuple(refused))


def _offers_by(play: Play, who: InvestigatorId, ability: Ability) -> Offers:
    """
    Offer a printed attack against each monster in its reach. K-ACT-3.

    That of a weapon reaches as far as the weapon, any other one the own space.
    """
    items = play.table.investigators[who].items
    weapon = next((one.weapon for one in items if one.piece == ability.piece), None)
    reached = tuple(targets(play, who, 0 if weapon is None else weapon.range))
    if not reached:
        return Offers()
    can_use = abilities.offer(play, who, ability)
    options: list[Option[PlayerAction]] = []
    refused = list(can_use.refused)
    for monster, reason in reached if can_use.options else ():
        text = Text("choice/attack_by", (places.monster_name(play.table, monster), ability.text))
        if reason is not None:
            refused.append(RefusedChoice(text, *reason))
            continue
        perform = functools.partial(attack_by, play, who, monster, ability)
        options.append(Option(perform, text, (places.at_monster(monster),), "fight"))
    return Offers(tuple(options), tuple(refused))


def targets(play: Play, who: CharacterId, most: int) -> Iterator[tuple[MonsterId, Refusal | None]]:
    """
    Yield the monsters that an attack of this range may be about, each with why it cannot be.

    The own space is range 0 (K-DECIDE-50, K-DECIDE-53); a target that is farther off must be in
    range and in sight (K-COMBAT-7 to K-COMBAT-9). Of monsters that such an attack never reaches,
    only those of the same room are worth a word.
    """
    table, here = play.table, play.table.character(who).space
    for monster in table.monsters.values():
        if monster.space == here:
            yield monster.monster_id, None
            continue
        if not most:
            if table.room_of(monster.space) == table.room_of(here):
                yield monster.monster_id, (Text("refusal/not_in_space"), "K-DECIDE-50")
            continue
        away = adjacency.distance(table, here, monster.space)
        if not adjacency.sees(table, here, monster.space):
            yield monster.monster_id, (Text("refusal/not_in_sight"), "K-COMBAT-8")
        elif away is None or away > most:
            yield monster.monster_id, (Text("refusal/not_in_range", (most,)), "K-COMBAT-7")
        else:
            yield monster.monster_id, None


def barred(play: Play, who: InvestigatorId) -> Refusal | None:
    """Return why an investigator can attack nobody at all. K-ACT-1, K-HIDE-3, K-CARD-5."""
    has = play.table.investigators[who]
    if (reason := turn.lacks_action(play, "attack")) is not None:
        return reason
    if has.hidden_in is not None:
        return Text("refusal/hidden"), "K-HIDE-3"
    if forbids(play, who, Doing.ATTACK):
        return Text("refusal/by_card"), "K-CARD-5"
    return None


async def attack(play: Play, who: InvestigatorId, monster: MonsterId, item: Item | None) -> None:
    """
    Attack a monster with a weapon, or unarmed. K-COMBAT-3 to K-COMBAT-6, K-EVADE-3, K-CARD-8.

    The tests that follow are tests in combat (K-DECIDE-55), and damage to the attacker is dealt by
    the monster (K-INFO-4).

    The last use of a weapon takes it away before the attack is resolved: whoever dies in the attack
    leaves no weapon that could be used once more.
    """
    await turn.begin_action(play, who, "attack")
    await strike(play, who, monster, item)


async def strike(play: Play, who: CharacterId, monster: MonsterId, item: Item | None) -> None:
    """Resolve an attack of a character. K-COMBAT-3 to K-COMBAT-6, W-DECIDE-25."""
    play.emit(Attacked(who, monster, "" if item is None else item.card))
    kind, bonus = play.table.character(who).weapon, 0
    if item is not None and item.weapon is not None:
        kind, bonus = item.weapon.kind, item.weapon.damage
        if item.weapon.uses == 1:
            play.emit(ItemUsedUp(who, item.piece))
        elif item.weapon.uses:
            play.emit(WeaponUsed(who, item.piece))
    bonus += sum(one.weapon_damage for one in modifiers(play, play.table.character(who)))
    name = places.monster_name(play.table, monster)
    card = combat.draw_upper(play, play.table.monsters[monster].class_, kind)
    outcomes = Text(card.id, field="upper")
    source = Source(
        card.id,
        who,
        monster,
        None if item is None else item.piece,
        bonus,
        stakes=outcomes,
        in_combat=True,
        by_monster=True,
    )
    about = Text("about/attack_test", (who, name, outcomes))
    await combat.resolve_half(play, card.upper, source, about)
    await mythos.triggered(play, who, Trigger.ATTACKED)


async def attack_by(play: Play, who: InvestigatorId, monster: MonsterId, ability: Ability) -> None:
    """Attack a monster by a printed action, which draws no combat card. K-ACT-3, K-DECIDE-49."""
    await turn.begin_action(play, who, "attack")
    play.emit(Attacked(who, monster, ability.card))
    if await abilities.pay(play, who, ability):
        source = Source(
            ability.card,
            who,
            monster,
            ability.piece,
            stakes=Text(ability.action.text),
            in_combat=True,
            by_actor=True,
        )
        await effects.resolve(play, ability.action.effect, source)
    await mythos.triggered(play, who, Trigger.ATTACKED)

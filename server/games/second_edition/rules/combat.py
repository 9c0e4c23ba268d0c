"""
Combat: the attack action.

Rules ATTACK-1 to ATTACK-13, SECRET-13, DECIDE-9, DECIDE-46, DECIDE-47.
"""

import functools
from collections.abc import Sequence

from content.games.second_edition.schema.cards import Attack, Reach, WeaponKind
from content.games.second_edition.schema.scenario import Moment
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.second_edition.events import Told
from protocol.games.second_edition.table import InvestigatorId, MonsterId, PossessionId
from protocol.values import frozen
from server.games.second_edition.rules import (
    actions,
    distance,
    effects,
    naming,
    possessions,
    powers,
    sides,
    stakes,
    triggers,
)
from server.games.second_edition.rules.draws import draw_entry
from server.games.second_edition.rules.play import Play, Source, because
from server.kernel.asks import Option
from server.rulekit.offers import Offers, PlayerAction, refusal

UNARMED = Attack(Reach.MELEE, WeaponKind.UNARMED, 0)
"""The attack with bare hands. Rules ATTACK-4 and ATTACK-6."""


@frozen
class AttackType:
    """Weapon or bare hands with which an attack is made. Rules ATTACK-3 and ATTACK-4."""

    attack: Attack
    possession: PossessionId | None = None
    card: str | None = None


def attack_types(play: Play, investigator: InvestigatorId) -> tuple[AttackType, ...]:
    """
    Return the attacks of an investigator: cards with an attack icon, then bare hands.

    Spells may have an attack icon, like Items (SPELL-4).
    """
    armed = tuple(
        AttackType(side.attack, possession.possession_id, side.id)
        for possession in play.table.investigators[investigator].possessions
        if (side := sides.side(play.content.pack, possession)).attack is not None
    )
    return (*armed, AttackType(UNARMED))


def targets(play: Play, investigator: InvestigatorId, attack: Attack) -> tuple[MonsterId, ...]:
    """
    Return the monsters that an attack can target.

    Rules ATTACK-5 to ATTACK-7: the monsters in the space, or with a ranged icon all monsters within
    range, including the investigator's own space (DECIDE-46). A range crosses walls and doors if
    the card allows it (RANGE-2, RANGE-3).
    """
    space = play.table.investigators[investigator].space
    if space is None:
        return ()
    is_ranged = attack.reach is Reach.RANGED
    seen = distance.seen_through(attack.through)
    spaces = distance.within_range(play.table, space, seen) if is_ranged else (space,)
    return tuple(m.monster_id for m in play.table.monsters.values() if m.space in spaces)


def menu(play: Play, investigator: InvestigatorId) -> Offers:
    """
    Return an option for each attack type and target, or the refusal if no attack is possible.

    Nothing is offered or refused while the board has no monsters. ATTACK-2, DECIDE-9.
    """
    types = attack_types(play, investigator)
    offers = tuple(
        _offer(play, investigator, attack_type, monster)
        for attack_type in types
        for monster in targets(play, investigator, attack_type.attack)
    )
    text = Text("choice/attack")
    if not offers:
        return _out_of_reach(play, types, text)
    return actions.barred(play, investigator, "attack", text) or Offers(offers)


def _out_of_reach(play: Play, types: Sequence[AttackType], text: Text) -> Offers:
    """Refuse the attack action if the board has monsters, but none within reach. Rule ATTACK-1."""
    if not play.table.monsters:
        return Offers()
    is_ranged = any(one.attack.reach is Reach.RANGED for one in types)
    reason = Text("refusal/none_in_range" if is_ranged else "refusal/none_in_space")
    return refusal(text, reason, "ATTACK-1")


def _offer(
    play: Play, investigator: InvestigatorId, attack_type: AttackType, monster: MonsterId
) -> Option[PlayerAction]:
    name = naming.monster(play.table, monster)
    weapon = attack_type.attack if attack_type.possession is not None else None
    damage = powers.weapon_damage(play, investigator, weapon)
    text = Text("choice/attack_unarmed", (name,))
    points: tuple[Point, ...] = (naming.at_monster(monster),)
    if attack_type.possession is not None and attack_type.card is not None:
        text = Text("choice/attack_with", (name, attack_type.card))
        points = (*points, naming.at_possession(attack_type.possession))
    action = functools.partial(attack, play, investigator, monster, attack_type)
    return Option(action, stakes.detailed(play, text, damage), points, "fight")


async def attack(
    play: Play, investigator: InvestigatorId, monster: MonsterId, attack_type: AttackType
) -> None:
    """
    Carry out an attack. Rules ATTACK-8 to ATTACK-12.

    The action is spent without an evade check (ATTACK-13). Then a text drawn for the kind of weapon
    is resolved (DECIDE-47), which nobody knew before (SECRET-13), and finally the text of the
    weapon's own card (SPELL-2).
    """
    actions.spend(play, investigator, "attack")
    card = play.content.pack.monsters[play.table.monsters[monster].kind]
    entry = draw_entry(play, "attack", card.attacks[attack_type.attack.kind])
    told = Text(entry.text, (investigator, naming.monster(play.table, monster)))
    play.emit(Told(told, monster))
    is_armed = attack_type.possession is not None
    source = Source(
        investigator,
        monster,
        weapon=attack_type.attack if is_armed else None,
        possession=attack_type.possession,
    )
    name, weapon = naming.monster(play.table, monster), attack_type.card
    if weapon is None:
        within = Text("within/attack_unarmed", (name,))
    else:
        within = Text("within/attack", (name, weapon))
    with play.within(within):
        await effects.resolve(play, entry.effect, source)
    # What the card says of itself comes last, and is not about the monster.
    after = Source(investigator, possession=attack_type.possession)
    # Looked up before the card's text is resolved, which may discard the card.
    used = possessions.held(play, investigator, attack_type.possession or "")
    with because(play, within):
        await effects.resolve(play, attack_type.attack.after, after)
    if used is not None:
        await triggers.run(play, Moment.ITEM_USED, investigator, about=(used.card,))

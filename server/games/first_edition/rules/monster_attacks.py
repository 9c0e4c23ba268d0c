"""Attacks of monsters: step 5 of the keeper's turn. Section 14."""

import enum
from collections.abc import Sequence

from protocol.common.text import Text
from protocol.games.first_edition.events import (
    DealtWith,
    KeeperStepBegan,
    MonsterAttacked,
    MonsterStunned,
    RollForced,
)
from protocol.games.first_edition.table import CharacterId, KeeperStep, MonsterId
from protocol.games.first_edition.words import LowerUse
from protocol.values import frozen
from server.games.first_edition.rules import combat, effects, monsters, places, trauma
from server.games.first_edition.rules.play import Play, Source, keeper
from server.kernel.asks import Option


class Reach(enum.Enum):
    """Where the investigators are whom a monster can attack. K-DECIDE-47."""

    SPACE = "space"
    ROOM = "room"


MONSTER_ATTACK_REACH = Reach.SPACE
"""K-DECIDE-47."""


@frozen
class Attack:
    """An attack that the keeper has chosen. K-DECIDE-48."""

    monster: MonsterId
    investigator: CharacterId
    """The investigator, or the ally. W-DECIDE-26."""
    is_special: bool = False
    """Whether the keeper pays a skill point for the special attack. K-VAR-6."""


async def step(play: Play) -> None:
    """
    Have one monster attack, or end the step. K-MATTACK-1 to K-MATTACK-3, K-STUN-7.

    Each monster attacks once at most. A stunned one loses a stun token in place of its attack.
    """
    for monster in list(play.table.monsters.values()):
        if monster.stun and monster.monster_id not in play.table.done:
            play.emit(MonsterStunned(monster.monster_id, -1))
            play.emit(DealtWith(monster.monster_id))
    left = [one for one in play.table.monsters if one not in play.table.done]
    chosen = await choose(play, left)
    if chosen is None:
        play.emit(KeeperStepBegan(KeeperStep.EVENT))
        return
    play.emit(DealtWith(chosen.monster))
    await make(play, chosen)


async def attack_now(play: Play, among: Sequence[MonsterId], most: int) -> None:
    """Have monsters attack outside step 5; the keeper chooses up to `most`, 0 for all of them."""
    left = list(among)
    for _ in range(most or len(left)):
        chosen = await choose(play, left)
        if chosen is None:
            return
        left.remove(chosen.monster)
        await make(play, chosen)


async def choose(play: Play, among: Sequence[MonsterId]) -> Attack | None:
    """
    Have the keeper choose a monster and its target; None for no attack. K-MATTACK-2, K-DECIDE-48.

    Without any possible attack nobody is asked, which follows from what lies open.
    """
    options: list[Option[Attack | None]] = [
        Option(None, Text("choice/no_attack"), (), "rest", ends=True)
    ]
    for monster in among:
        for who in in_reach(play, monster):
            words = (places.monster_name(play.table, monster), who)
            points = (places.at_monster(monster), places.at_investigator(who))
            plain = Attack(monster, who)
            options.append(Option(plain, Text("choice/monster_attack", words), points, "fight"))
            if play.table.keeper_skill_points:
                paid, text = Attack(monster, who, True), Text("choice/special_attack", words)
                options.append(Option(paid, text, points, "fight"))
    if len(options) == 1:
        return None
    return await play.choose(
        keeper(play),
        options,
        rule="K-MATTACK-1",
        about=Text("about/monster_attacks"),
        prompt=Text("ask/monster_attack"),
    )


def in_reach(play: Play, monster: MonsterId) -> tuple[CharacterId, ...]:
    """
    Return the characters whom a monster can attack now: by seat, then allies.

    K-DECIDE-47, W-DECIDE-26.
    """
    table, stands = play.table, play.table.monsters.get(monster)
    if stands is None or stands.stun:
        return ()
    there = table.characters_in(table.room_of(stands.space))
    if MONSTER_ATTACK_REACH is Reach.SPACE:
        there = tuple(one for one in there if one.space == stands.space)
    return tuple(one.character_id for one in there)


async def make(play: Play, attack: Attack) -> None:
    """
    Resolve an attack of a monster. K-MATTACK-4 to K-MATTACK-7.

    A hidden investigator is met by the weaker results (K-MATTACK-6). With a skill point the keeper
    has the special attack made, and no card is drawn (K-VAR-6, K-VAR-7).
    """
    monster, who = attack.monster, attack.investigator
    play.emit(MonsterAttacked(monster, who))
    if attack.is_special:
        play.emit(RollForced())
        await make_special(play, monster, who)
        await trauma.settle(play)
        return
    is_hidden = play.table.character(who).hidden_in is not None
    use = LowerUse.HIDDEN if is_hidden else LowerUse.INVESTIGATOR
    card = combat.draw_lower(play, play.table.monsters[monster].class_, use)
    if card.lower.special:
        await make_special(play, monster, who)
    else:
        outcomes = Text(card.id, field="lower")
        source = Source(card.id, who, monster, stakes=outcomes, in_combat=True, by_monster=True)
        name = places.monster_name(play.table, monster)
        about = Text("about/monster_attack_test", (who, name, outcomes))
        await combat.resolve_half(play, card.lower, source, about)
    await trauma.settle(play)


async def make_special(play: Play, monster: MonsterId, who: CharacterId) -> None:
    """Turn the back of a monster up, and resolve its special attack. K-MATTACK-5, K-INFO-4."""
    monsters.show_back(play, monster)
    stands = play.table.monsters[monster]
    backs = play.content.pack.monsters[stands.kind].backs
    back = next(one for one in backs if one.id == stands.back.value.back)
    source = Source(back.id, who, monster, stakes=Text(back.id), in_combat=True, by_monster=True)
    await effects.resolve(play, back.special, source)

"""Evade tests: getting past a monster in one's space. Section 10."""

from protocol.common.text import Text
from protocol.games.first_edition.events import Evaded, SparesNoMore
from protocol.games.first_edition.table import TRAUMA_HAND, CharacterId, MonsterId
from protocol.games.first_edition.words import Attribute, TestKind, TraumaKind
from server.games.first_edition.rules import harm, places, trauma
from server.games.first_edition.rules.play import Play
from server.games.first_edition.rules.tests import attribute_test
from server.kernel.asks import Option

WINDOW = "kind/evade"
"""Kind of the timed windows in which the keeper may spare somebody. K-DECIDE-31."""


async def before(play: Play, who: CharacterId) -> bool:
    """
    Take the evade tests that come before a movement step or a non-attack action.

    K-EVADE-1, K-EVADE-2, K-EVADE-4 to K-EVADE-6, K-DECIDE-29, K-DECIDE-30. A test is one of
    dexterity, with the awareness of the monster (K-EVADE-7).

    Returns:
        True if the character is still there, and goes on whatever the tests brought (K-EVADE-9);
        False if one of them killed (K-DECIDE-32).
    """
    here = play.table.monsters_at(play.table.character(who).space)
    once = play.content.story.evade_once_per_turn
    for monster in [one.monster_id for one in here]:
        await trauma.settle(play)
        if not play.table.is_here(who):
            return False
        stands = play.table.monsters.get(monster)
        if (
            stands is None
            or stands.stun
            or (once and who == play.table.active and monster in play.table.evaded)
        ):
            continue
        if stands.space != play.table.character(who).space:
            # A trauma card has led the investigator away.
            continue
        play.emit(Evaded(who, monster))
        about = Text("about/evade_test", (who, places.monster_name(play.table, monster)))
        modifier = play.table.monsters[monster].awareness
        if not await attribute_test(
            play, who, Attribute.DEXTERITY, kind=TestKind.EVADE, about=about, modifier=modifier
        ):
            if not play.table.is_here(who):
                return False
            if monster in play.table.monsters:
                await fail(play, who, monster)
    await trauma.settle(play)
    return play.table.is_here(who)


async def fail(play: Play, who: CharacterId, monster: MonsterId) -> None:
    """
    Deal the monster's damage, unless the keeper spares the investigator. K-EVADE-8, K-DECIDE-31.

    One window asks for both: to spare, or to let it be dealt, with a trauma card or without. Once
    the keeper has passed on sparing for good, the trauma trigger alone asks, if there are cards.
    The cards themselves never matter (K-SECRET-20). The damage is on the back of the token
    (K-DECIDE-60).
    """
    await trauma.settle(play)
    if not play.table.is_here(who):
        return
    damage, may_spare = play.table.monsters[monster].back.value.damage, play.table.may_spare
    picked = await _ask_keeper(play, who, monster) if may_spare else ""
    if picked == SPARED:
        return
    if picked == SPARED_NEVER:
        play.emit(SparesNoMore())
    await harm.suffer(play, who, damage=damage, dealer=monster)
    if picked == SPARED_NEVER or not may_spare or not play.table.triggers:
        # The keeper was not asked for a card yet: the trigger asks by itself.
        return
    if picked in play.table.hand(TRAUMA_HAND):
        await trauma.play_on(play, play.table.triggers[0], picked)
    trauma.passed(play)


SPARED, SPARED_NEVER = "spared", "spared_never"
"""Answers of the keeper besides the handles of cards; neither is one."""


async def _ask_keeper(play: Play, who: CharacterId, monster: MonsterId) -> str:
    """Ask about a failed evade test; return a handle, an answer above, or nothing."""
    table = play.table
    name = places.monster_name(table, monster)
    options = [
        Option("", Text("choice/let_damage", (name, who)), ends=True),
        Option(SPARED, Text("choice/spare", (who,))),
        Option(SPARED_NEVER, Text("choice/spare_never", (who,))),
    ]
    damage = table.monsters[monster].back.value.damage - harm.armour(play, who)
    if who in table.investigators and 0 < damage < table.investigators[who].health_left:
        options += [
            Option(
                handle,
                Text("choice/trauma", (card.id, who)),
                (places.at_investigator(who),),
                "trauma",
            )
            for handle, card in trauma.in_hand(play).items()
            if card.kind is TraumaKind.INJURY and trauma.can_play(play, who, card, damage=damage)
        ]
    return await trauma.ask_keeper(
        play,
        options,
        rule="K-DECIDE-31",
        about=Text("about/evade_failed", (who, name)),
        prompt=Text("ask/evade_failed", (who, name)),
        kind=WINDOW,
    )

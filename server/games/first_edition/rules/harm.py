"""Damage, horror, healing and stun of characters. Sections 20, 21 and 25 of the catalogue."""

from collections.abc import Sequence

from content.games.first_edition.schema.cards import Trigger
from protocol.games.first_edition.events import HarmTaken, StepsLimited, Stunned
from protocol.games.first_edition.table import STEPS, CharacterId, MonsterId
from protocol.games.first_edition.words import TraumaKind
from server.games.first_edition.rules import death, monsters, mythos, tests, trauma
from server.games.first_edition.rules.play import Play


async def suffer(
    play: Play,
    who: CharacterId,
    *,
    damage: int = 0,
    horror: int = 0,
    dealer: MonsterId | None = None,
) -> None:
    """
    Deal damage, horror or both to a character. K-DAMAGE-1 to K-DAMAGE-6, K-DECIDE-72 to 74.

    Each of the two is a trigger for a trauma card; horror that an insane investigator would take is
    one, too (K-INSANE-4). A character without health is killed.

    Args:
        play: the game.
        who: the investigator or the ally.
        damage: points of damage.
        horror: points of horror.
        dealer: the monster that deals the damage; armour helps, and its back is shown. K-INFO-4.
    """
    await suffer_together(play, (who,), damage=damage, horror=horror, dealer=dealer)


def armour(play: Play, who: CharacterId) -> int:
    """Return how much a character's cards take off each damage by a monster. K-CARD-14."""
    return sum(one.armour for one in tests.modifiers(play, play.table.character(who)))


async def _deal(
    play: Play, who: CharacterId, damage: int, horror: int, dealer: MonsterId | None
) -> None:
    if not play.table.is_here(who):
        return
    if dealer is not None:
        damage -= armour(play, who)
        if damage > 0:
            monsters.show_back(play, dealer)
    if damage <= 0 >= horror:
        return
    taken = min(max(0, horror), play.table.character(who).sanity_left)
    if damage > 0 or taken:
        play.emit(HarmTaken(who, max(0, damage), taken))
    if play.table.character(who).health_left <= 0:
        await death.kill(play, who)
        return
    if damage > 0:
        trauma.trigger(play, who, TraumaKind.INJURY)
    if horror > 0:
        trauma.trigger(play, who, TraumaKind.INSANITY)


def heal(play: Play, who: CharacterId, *, damage: int = 0, horror: int = 0) -> None:
    """Heal damage and horror, at most what the investigator has. K-DAMAGE-7, K-DAMAGE-8."""
    has = play.table.character(who)
    healed = (min(damage, has.damage), min(horror, has.horror))
    if any(healed):
        play.emit(HarmTaken(who, -healed[0], -healed[1]))


def stun(play: Play, who: CharacterId, count: int) -> None:
    """Give a character stun tokens; the own turn has one step less at once. K-DECIDE-88."""
    was_slowed = play.table.is_slowed
    play.emit(Stunned(who, count))
    if play.table.active == who and not was_slowed and play.table.steps_left:
        left = max(0, play.table.steps_left - (STEPS - 1))
        play.emit(StepsLimited(who, left))


def unstun(play: Play, who: CharacterId, count: int) -> None:
    """Take stun tokens from a character. K-KEEPER-4."""
    count = min(count, play.table.character(who).stun)
    if count:
        play.emit(Stunned(who, -count))


async def suffer_together(
    play: Play,
    people: Sequence[CharacterId],
    *,
    damage: int = 0,
    horror: int = 0,
    dealer: MonsterId | None = None,
) -> None:
    """
    Deal the same harm to several characters at once. K-DECIDE-27.

    The keeper is asked about all of them together, afterwards. The arguments are as in `suffer`.
    """
    await trauma.settle(play)
    sane = [
        who for who in people if play.table.is_here(who) and not play.table.character(who).is_insane
    ]
    for who in people:
        await _deal(play, who, damage, horror, dealer)
    if horror > 0:
        for who in sane:
            await mythos.triggered(play, who, Trigger.HORROR_TAKEN)

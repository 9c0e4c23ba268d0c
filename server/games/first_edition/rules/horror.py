"""Horror tests: somebody comes to be in the same room as a monster. Section 9."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from content.games.first_edition.schema.cards import Trigger
from protocol.common.text import Text
from protocol.games.first_edition.table import CharacterId, MonsterId, RoomId
from protocol.games.first_edition.words import Attribute, TestKind
from server.games.first_edition.rules import harm, mythos, places, trauma
from server.games.first_edition.rules.play import Play, answerer
from server.games.first_edition.rules.tests import attribute_test

STUNNED_CAUSE_HORROR = True
"""Whether stunned monsters cause horror tests. K-DECIDE-103."""


async def on_entering(play: Play, who: CharacterId) -> None:
    """
    Test a character who came into a room against each monster there. K-HORROR-1, K-DECIDE-92.

    The player chooses the order of several, and each is applied before the next
    (K-DECIDE-23).
    """
    met: set[MonsterId] = set()
    room = play.table.room_of(play.table.character(who).space)
    while _unmet(play, who, room, met):
        # Each test is dealt with before the next, and so is the keeper's card on it. That card can
        # kill, or lead the investigator away, into the tests of another room.
        await trauma.settle(play)
        if left := _unmet(play, who, room, met):
            monster = await _next(play, who, left)
            met.add(monster)
            await test(play, who, monster)


def _unmet(
    play: Play, who: CharacterId, room: RoomId, met: AbstractSet[MonsterId]
) -> list[MonsterId]:
    """Return the monsters of a room against which a character there has to be tested."""
    here = [one.character_id for one in play.table.characters_in(room)]
    monsters = [one.monster_id for one in play.table.monsters_in(room)] if who in here else []
    return [one for one in monsters if one not in met and _causes(play, one)]


async def on_coming(play: Play, monster: MonsterId) -> None:
    """
    Test everybody in the room into which a monster came. K-HORROR-2, K-HORROR-7, K-DECIDE-22.

    All roll first, in seat order, allies last; then the keeper is asked once. K-DECIDE-27.
    """
    await trauma.settle(play)
    if monster not in play.table.monsters or not _causes(play, monster):
        return
    room = play.table.room_of(play.table.monsters[monster].space)
    failed = [
        one.character_id
        for one in play.table.characters_in(room)
        if not await rolls(play, one.character_id, monster, is_shared=True)
    ]
    await harm.suffer_together(play, failed, horror=1)
    for who in failed:
        await mythos.triggered(play, who, Trigger.TEST_FAILED)


async def test(play: Play, who: CharacterId, monster: MonsterId) -> None:
    """Take one horror test; a failure costs 1 horror. K-HORROR-3 to K-HORROR-6."""
    if not await rolls(play, who, monster):
        await harm.suffer(play, who, horror=1)


async def rolls(
    play: Play, who: CharacterId, monster: MonsterId, *, is_shared: bool = False
) -> bool:
    """
    Roll one horror test: willpower, with the monster's horror rating added to it.

    K-HORROR-4, K-DECIDE-28.
    """
    about = Text("about/horror_test", (who, places.monster_name(play.table, monster)))
    rating = play.table.monsters[monster].horror
    return await attribute_test(
        play,
        who,
        Attribute.WILLPOWER,
        kind=TestKind.HORROR,
        about=about,
        modifier=rating,
        is_shared=is_shared,
    )


def _causes(play: Play, monster: MonsterId) -> bool:
    """Return whether a monster causes horror tests. K-DECIDE-103."""
    return STUNNED_CAUSE_HORROR or not play.table.monsters[monster].stun


async def _next(play: Play, who: CharacterId, left: Iterable[MonsterId]) -> MonsterId:
    """Have the player choose the next monster; a single one needs no question."""
    first, *others = left
    if not others:
        return first
    return await play.choose(
        answerer(play, who),
        [places.of_monster(play.table, one, "choice/horror_test") for one in left],
        rule="K-DECIDE-23",
        about=Text("about/horror_tests", (who,)),
        prompt=Text("ask/horror_order"),
    )

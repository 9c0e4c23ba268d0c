"""
Evade checks: slipping past a monster, to leave its space or to act in it.

Rules EVADE-1 to EVADE-10, SECRET-13, DECIDE-32 to DECIDE-38.
"""

from protocol.common.text import Text
from protocol.games.second_edition.events import Told
from protocol.games.second_edition.table import (
    InvestigatorId,
    MonsterId,
    SecondEditionTable,
    SpaceId,
)
from server.games.second_edition.rules import effects, monsters, naming
from server.games.second_edition.rules.draws import draw_entry
from server.games.second_edition.rules.play import Outcome, Play, Source
from server.kernel.asks import Option


def most_alert(table: SecondEditionTable, space: SpaceId | None) -> tuple[MonsterId, ...]:
    """Return the monsters of a space with the highest awareness. Rule EVADE-2."""
    here = monsters.here(table, space)
    best = max((table.monsters[monster].awareness for monster in here), default=0)
    return tuple(monster for monster in here if table.monsters[monster].awareness == best)


async def check(play: Play, investigator: InvestigatorId) -> Outcome:
    """
    Have an investigator evade the most alert monster of their space, if there is one.

    Rules EVADE-2, EVADE-3, EVADE-5 and EVADE-6. An attempt is made once, against one monster
    (DECIDE-32, DECIDE-36).

    Returns:
        The outcome; `is_forfeited` is True if the action that required the check is forfeited.
    """
    alert = most_alert(play.table, play.table.investigators[investigator].space)
    if not alert:
        return Outcome()
    monster = alert[0] if len(alert) == 1 else await _choose(play, investigator, alert)
    card = play.content.pack.monsters[play.table.monsters[monster].kind]
    entry = draw_entry(play, "evade", card.evades)
    told = Text(entry.text, (investigator, naming.monster(play.table, monster)))
    play.emit(Told(told, monster))
    with play.within(Text("choice/evade", (naming.monster(play.table, monster),))):
        return await effects.resolve(play, entry.effect, Source(investigator, monster))


async def _choose(
    play: Play, investigator: InvestigatorId, alert: tuple[MonsterId, ...]
) -> MonsterId:
    """Have the investigator choose among monsters of equal awareness. Rule EVADE-3."""
    table = play.table
    return await play.choose(
        play.seat_of(investigator),
        [
            Option(
                monster,
                Text("choice/evade", (naming.monster(table, monster),)),
                (naming.at_monster(monster),),
                "fight",
            )
            for monster in alert
        ],
        rule="EVADE-3",
        about=Text("about/evade", (investigator,)),
        prompt=Text("ask/evade", (investigator,)),
    )

"""
Advice on Low Water.

Somebody calls from the far bank, and waits in one of three rooms, which the toll-book names. The
keeper lets water in whatever he wants, so that nothing betrays the objective before the last clue.
"""

from client.games.first_edition.bot.advice.forms import (
    Act,
    Advice,
    Cards,
    Either,
    Fact,
    Goals,
    Hint,
    Moment,
    Power,
    Scheme,
    Seen,
    Strike,
    Task,
)

_GRINDLE = "monster/grindle"
_BRIDGE = "room/covered-bridge"


def _depth(at_least: int) -> Seen:
    return Seen(Fact.COUNTER, "depth", at_least=at_least)


def _planks(worth: float, depth: int, people: int = 1) -> Task:
    left = Seen(Fact.COUNTER, "planks", at_least=1)
    return Task(worth, _BRIDGE, when=(_depth(depth), left), people=people)


def _reach_out(worth: float, item: str) -> Task:
    """Return the task of drawing in an item that was lost on the water."""
    pools = ("room/upper-pool", "room/lower-pool")
    lost = Either(tuple((Seen(Fact.LYING, item, within=pool),) for pool in pools))
    return Task(worth, "room/holm", when=(lost,))


ADVICE = Advice(
    "manor/low-water",
    boat_key="item/boathouse-key",
    goals={
        "objective/the-fare": Goals(
            deeds={
                "deed/set-down": Task(160.0, "room/landing", brings="item/passenger"),
                "deed/reach-out": _reach_out(150.0, "item/passenger"),
                "deed/drop-a-plank": _planks(95.0, 7),
            },
        ),
        "objective/the-tithe": Goals(
            deeds={
                "deed/ring-the-bell": Task(
                    130.0, "room/drowned-chapel", brings="item/sextons-bell"
                ),
                "deed/reach-out": _reach_out(120.0, "item/sextons-bell"),
                "deed/drop-a-plank": _planks(95.0, 9),
            },
            kills={_GRINDLE: 85.0},
        ),
        "objective/the-overflow": Goals(
            deeds={"deed/drop-a-plank": _planks(110.0, 1, people=4)},
        ),
    },
    meanwhile=Goals(
        deeds={
            "deed/reach-out": _reach_out(60.0, "item/sextons-bell"),
            "deed/drop-a-plank": _planks(70.0, 6),
        },
    ),
    hints=tuple(
        Hint(f"room/drowned-{room}", 25.0, (Seen(Fact.TOLD, f"low-water/waits-{room}"),))
        for room in ("chapel", "school", "street")
    ),
    schemes={
        "objective/the-fare": Scheme(
            acts={
                "action/let-it-in": Act(80.0),
                "action/she-turns": Act(60.0, when=(Seen(Fact.CARRIED, "item/passenger"),)),
            },
            prey={"item/passenger": 5.0},
            mythos={"mythos/a-spring": 60.0},
        ),
        "objective/the-tithe": Scheme(
            acts={
                "action/let-it-in": Act(45.0),
                "action/she-turns": Act(58.0),
            },
            prey={"item/sextons-bell": 3.0},
            mythos={"mythos/a-spring": 30.0},
        ),
        "objective/the-overflow": Scheme(
            acts={"action/let-it-in": Act(95.0)},
            leads={"monster/bog-ewe": _BRIDGE, _GRINDLE: _BRIDGE},
            prey={_BRIDGE: 4.0},
            mythos={"mythos/a-spring": 70.0},
        ),
    },
    cards=Cards(
        mythos={
            "mythos/wet-rope": Strike(45.0),
            "mythos/kerbless": Strike(45.0, Moment.BEFORE_EXPLORING, 12.0),
            "mythos/your-own-lamp": Strike(40.0),
            "mythos/a-spring": Strike(40.0),
            "mythos/ground-gives": Strike(45.0, Moment.WEAK_BODY, 15.0),
            "mythos/answering-voice": Strike(45.0),
            "mythos/a-hand-up": Strike(45.0),
        },
        actions={
            "action/let-it-in": Power.COUNTS,
            "action/out-of-the-moss": Power.BRINGS_MONSTER,
            "action/against-the-moon": Power.BRINGS_MONSTER,
            "action/soft-ground": Power.DIGS,
            "action/she-turns": Power.BRINGS_MONSTER,
            "action/over": Power.LEADS_PEOPLE,
            "action/cast-off": Power.HARMS,
            "action/white-over-the-ridge": Power.BRINGS_MONSTER,
        },
    ),
)

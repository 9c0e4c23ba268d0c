"""
Advice on Twelfth Night at Vail Hall.

The squire must be killed, and kept from the dining-room meanwhile (`guest-of-honour`); the bell
must be muffled in the chapel (`tenth-bell`); or the cup must be brought there and three names said
(`a-name-for-it`).
"""

from client.games.first_edition.bot.advice.forms import (
    Act,
    Advice,
    Cards,
    Fact,
    Goals,
    Guard,
    Hint,
    Moment,
    Power,
    Scheme,
    Seen,
    Sign,
    Strike,
    Task,
)

_GUEST, _BELL, _CHILD = (
    "objective/guest-of-honour",
    "objective/tenth-bell",
    "objective/a-name-for-it",
)
_WITH_BIBLE = ("library", "conservatory", "nursery")
"""Rooms that may have the Bible; another of them has its key."""
_WINE = {"deed/mulled-wine": Task(26.0, when=(Seen(Fact.RESOLVED, "event/the-lamps"),))}

ADVICE = Advice(
    "manor/twelfth-night",
    goals={
        _GUEST: Goals(
            deeds=_WINE,
            kills={"monster/squire": 110.0},
            guards={
                "room/dining-room": Guard(45.0, when=(Seen(Fact.RESOLVED, "event/the-drift"),))
            },
            takes={"item/family-silver": 60.0},
        ),
        _BELL: Goals(
            deeds={
                **_WINE,
                "deed/muffle-the-bell": Task(
                    90.0, "room/chapel", when=(Seen(Fact.COUNTER, "stroke"),), people=3
                ),
            },
            kills={"monster/tenth-bell": -100.0},
            takes={"item/leather-muffles": 50.0},
        ),
        _CHILD: Goals(
            deeds={
                **_WINE,
                "deed/say-a-name": Task(120.0, "room/chapel", brings="item/christening-cup"),
            },
            takes={"item/christening-cup": 130.0},
        ),
    },
    schemes={
        _GUEST: Scheme(
            acts={
                "action/swing-the-bell": Act(30.0, enough=Seen(Fact.COUNTER, "stroke", 2)),
                "action/lay-a-place": Act(8.0),
            },
            leads={"monster/squire": "room/dining-room"},
            prey={"room/dining-room": 2.0},
        ),
        _BELL: Scheme(
            acts={"action/swing-the-bell": Act(90.0), "action/lay-a-place": Act(0.0)},
            leads={"monster/resurrection-man": "room/chapel", "monster/tenth-bell": "room/chapel"},
            prey={"room/chapel": 4.0, "item/leather-muffles": 1.0},
            mythos={"mythos/it-strikes-thirteen": 70.0},
        ),
        _CHILD: Scheme(
            acts={
                "action/swing-the-bell": Act(40.0, enough=Seen(Fact.COUNTER, "stroke", 3)),
                "action/lay-a-place": Act(
                    66.0,
                    enough=Seen(Fact.ON_BOARD, "monster/squire"),
                    when=(Seen(Fact.COUNTER, "stroke", 3),),
                ),
            },
            prey={"item/christening-cup": 3.0},
        ),
    },
    signs=(
        *(
            Sign(_GUEST, (Seen(Fact.TOLD, f"twelfth-night/{text}"),))
            for text in ("diary-guest", "he-rises", "he-is-early", "he-is-missed")
        ),
        *(
            Sign(_BELL, (Seen(Fact.TOLD, f"twelfth-night/{text}"),))
            for text in ("diary-bell", "it-swings")
        ),
        *(
            Sign(_CHILD, (Seen(Fact.TOLD, f"twelfth-night/{text}"),))
            for text in ("diary-child", "it-cries")
        ),
        Sign(_GUEST, (Seen(Fact.ON_BOARD, "monster/squire"),)),
        Sign(_BELL, (Seen(Fact.COUNTER, "stroke", at_least=5),)),
    ),
    hints=(
        *(Hint(f"room/{room}", 20.0) for room in _WITH_BIBLE),
        *(
            Hint(f"room/{room}", 25.0, (Seen(Fact.TOLD, f"twelfth-night/bible-in-the-{room}"),))
            for room in _WITH_BIBLE
        ),
    ),
    meanwhile=Goals(
        deeds={
            **_WINE,
            "deed/muffle-the-bell": Task(
                75.0, "room/chapel", when=(Seen(Fact.COUNTER, "stroke", at_least=4),), people=2
            ),
        },
    ),
    cards=Cards(
        openers={
            "obstacle/deed-box": "item/vestry-key",
            "obstacle/dark-well": "item/carriage-lamp",
            "lock/warded": "item/brass-key",
        },
        mythos={
            "mythos/carol": Strike(40.0),
            "mythos/snow-in-the-hall": Strike(45.0),
            "mythos/bean-in-the-cake": Strike(45.0),
            "mythos/another-in-the-glass": Strike(50.0),
            "mythos/wrong-place-card": Strike(45.0),
            "mythos/ice-on-the-step": Strike(42.0),
            "mythos/country-dance": Strike(45.0, Moment.BEFORE_EXPLORING, 12.0),
            "mythos/it-strikes-thirteen": Strike(12.0),
            "mythos/let-in": Strike(45.0, Moment.ANY),
        },
        actions={
            "action/up-the-drive": Power.BRINGS_MONSTER,
            "action/out-of-the-elms": Power.BRINGS_MONSTER,
            "action/from-the-pier-glass": Power.BRINGS_MONSTER,
            "action/swing-the-bell": Power.COUNTS,
            "action/lay-a-place": Power.BRINGS_MONSTER,
        },
    ),
)

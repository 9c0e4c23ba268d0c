"""
Advice on A Night in Six Rooms.

The keeper lights candles for a dead woman. She must be burnt if he wants six of them
(`sitting-up`), and must not be burnt if he lets lodgers out by the scullery (`notice-to-quit`).
"""

from client.games.first_edition.bot.advice.forms import (
    Act,
    Advice,
    Cards,
    Fact,
    Goals,
    Guard,
    Hint,
    Power,
    Scheme,
    Seen,
    Sign,
    Task,
)

_PINCH = {"deed/pinch-out": Task(85.0, "room/best-parlour", when=(Seen(Fact.COUNTER, "candle"),))}

ADVICE = Advice(
    "manor/six-rooms",
    goals={
        "objective/sitting-up": Goals(burns=True, deeds=_PINCH),
        "objective/notice-to-quit": Goals(
            kills={"monster/lodger": 95.0},
            guards={"room/scullery": Guard(95.0)},
        ),
    },
    schemes={
        "objective/sitting-up": Scheme(
            acts={
                "action/light-a-candle": Act(90.0),
                "action/call-a-lodger": Act(0.0),
            },
        ),
        "objective/notice-to-quit": Scheme(
            acts={
                "action/call-a-lodger": Act(
                    85.0, enough=Seen(Fact.ON_BOARD, "monster/lodger", at_least=3)
                ),
                "action/light-a-candle": Act(70.0, enough=Seen(Fact.COUNTER, "candle")),
            },
            leads={"monster/lodger": "room/scullery"},
        ),
    },
    signs=(
        Sign(
            "objective/notice-to-quit", (Seen(Fact.TOLD, "six-rooms/second-column"),), is_sure=True
        ),
        Sign("objective/sitting-up", (Seen(Fact.TOLD, "six-rooms/first-column"),), is_sure=True),
        Sign("objective/notice-to-quit", (Seen(Fact.ON_BOARD, "monster/lodger"),)),
        Sign("objective/notice-to-quit", (Seen(Fact.KILLED, "monster/lodger"),)),
        Sign("objective/sitting-up", (Seen(Fact.COUNTER, "candle", at_least=3),)),
    ),
    hints=(
        Hint("room/back-bedroom", 20.0, (Seen(Fact.TOLD, "six-rooms/ledger-above"),)),
        Hint("room/dipping-room", 20.0, (Seen(Fact.TOLD, "six-rooms/ledger-below"),)),
    ),
    cards=Cards(
        openers={
            "lock/back-bedroom": "item/brass-key",
            "obstacle/iron-box": "item/vat-crank",
        },
        actions={
            "action/they-come": Power.BRINGS_MONSTER,
            "action/light-a-candle": Power.COUNTS,
            "action/call-a-lodger": Power.BRINGS_MONSTER,
        },
    ),
)

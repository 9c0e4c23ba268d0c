"""
Advice on Lot Forty.

Lot forty is a set that must be brought together (`made-up-set`), everybody in the house
(`all-persons`), or a crate that must not be carried out by the gate (`removal`).
"""

from client.games.first_edition.bot.advice.forms import (
    Act,
    Advice,
    Answer,
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
from protocol.games.first_edition.words import FeatureKind

_SET = ("item/hand-glass", "item/musical-box", "item/kid-glove")
_MAN, _MUTE = "monster/resurrection-man", "monster/mute"
_FORECOURT = "room/forecourt"


def _strike_out(worth: float, bids: int) -> Task:
    return Task(worth, "room/saleroom", when=(Seen(Fact.COUNTER, "bid", at_least=bids),))


_KNOWN = Seen(Fact.FOUND, "clue/memorandum")
_SHED = {"room/packing-shed": 25.0}

_NO_PART_OR_PAGE = {
    "room/morning-room": 60.0,
    **dict.fromkeys(
        ("room/forecourt", "room/staircase-hall", "room/saleroom", "room/museum", "room/ice-house"),
        45.0,
    ),
}
"""Rooms where neither a part of the set nor the last page lies. A whole set is worth more."""

_GOALS = {
    "objective/made-up-set": Goals(
        carries=dict.fromkeys(_SET, "room/morning-room"),
        takes=dict.fromkeys(_SET, 90.0),
        avoids=_NO_PART_OR_PAGE,
        deeds={"deed/strike-out-a-bid": _strike_out(80.0, 7)},
    ),
    "objective/all-persons": Goals(
        deeds={
            "deed/draw-a-bolt": Task(
                400.0, _FORECOURT, when=(_KNOWN, Seen(Fact.COUNTER, "bolt", at_most=1)), people=4
            ),
        },
        guards={_FORECOURT: Guard(300.0, people=4, when=(_KNOWN,))},
    ),
    "objective/removal": Goals(
        deeds={
            "deed/shoot-a-bolt": Task(
                150.0, _FORECOURT, when=(Seen(Fact.COUNTER, "bolt", at_least=1),)
            ),
        },
        kills={_MAN: 40.0},
        drags_to="room/ice-house",
    ),
}

_SCHEMES = {
    "objective/made-up-set": Scheme(
        acts={
            "action/take-a-bid": Act(80.0),
            "action/knocked-down": Act(
                75.0, when=(Seen(Fact.COUNTER, "bid", at_least=2, at_most=4),)
            ),
            "action/on-their-shoulders": Act(9.0),
            "action/see-to-the-gate": Act(9.0),
        },
        prey=dict.fromkeys(_SET, 2.0),
        mythos={"mythos/in-two-minds": 60.0},
        answers={
            f"action/knocked-down-{part.removeprefix('item/')}": Answer(60.0) for part in _SET
        },
    ),
    "objective/all-persons": Scheme(
        acts={
            "action/see-to-the-gate": Act(85.0, when=(Seen(Fact.COUNTER, "bolt"),)),
            "action/take-a-bid": Act(9.0),
            "action/on-their-shoulders": Act(9.0),
        },
        leads={_MUTE: _FORECOURT},
        prey={_FORECOURT: 1.0},
        answers={
            "action/see-to-the-gate-shoot": Answer(60.0),
            "action/see-to-the-gate-draw": Answer(5.0),
        },
    ),
    "objective/removal": Scheme(
        acts={
            "action/on-their-shoulders": Act(95.0),
            "action/see-to-the-gate": Act(80.0, enough=Seen(Fact.COUNTER, "bolt", at_least=1)),
            "action/send-the-men": Act(75.0, enough=Seen(Fact.ON_BOARD, _MAN, at_least=2)),
            "action/take-a-bid": Act(9.0),
            # The shed burns beside the passage, and the crate burns in any room that fire reaches.
            "action/sparks": Act(1.0),
        },
        leads={_MAN: FeatureKind.CORPSE},
        answers={
            "action/see-to-the-gate-draw": Answer(60.0),
            "action/see-to-the-gate-shoot": Answer(1.0),
            "action/send-the-men-museum": Answer(60.0),
        },
    ),
}


def _told(line: str) -> tuple[Seen, ...]:
    return (Seen(Fact.TOLD, f"lot-forty/{line}"),)


_PAGES = {"study": "aviary", "aviary": "lumber-room", "lumber-room": "study"}
"""Rooms where the key of the bureau is, by the room of the bureau."""

ADVICE = Advice(
    "manor/lot-forty",
    goals=_GOALS,
    schemes=_SCHEMES,
    signs=(
        Sign("objective/made-up-set", _told("commission-set")),
        Sign("objective/made-up-set", _told("three-notes")),
        Sign("objective/all-persons", _told("commission-persons")),
        Sign("objective/all-persons", _told("counted")),
        Sign("objective/removal", _told("commission-crate")),
        Sign("objective/removal", _told("knocking")),
        Sign("objective/removal", (Seen(Fact.FEATURE, "corpse", within="room/staircase-hall"),)),
        Sign("objective/removal", (Seen(Fact.FEATURE, "corpse", within=_FORECOURT),)),
    ),
    hints=(
        *(Hint(f"room/{page}", 20.0, _told(f"page-in-the-{page}")) for page in _PAGES),
        *(Hint(f"room/{key}", 30.0, _told(f"page-in-the-{page}")) for page, key in _PAGES.items()),
        Hint("room/boiler-room", 10.0, _told("key-in-the-boiler-room")),
        Hint("room/packing-shed", 10.0, _told("key-in-the-shed")),
        *(Hint(f"room/{room}", 25.0) for room in ("saleroom", "picture-passage")),
        *(Hint(f"room/{page}", 20.0) for page in _PAGES),
        *(
            Hint(f"room/{_PAGES[key]}", -60.0, _told(f"page-in-the-{page}"))
            for page, key in _PAGES.items()
        ),
        Hint("room/ice-house", -40.0),
    ),
    meanwhile=Goals(avoids=_SHED, deeds={"deed/strike-out-a-bid": _strike_out(70.0, 8)}),
    cards=Cards(
        openers={
            "lock/strong-room": "item/strong-room-key",
            "obstacle/tall-bureau": "item/bureau-key",
        },
        healing={"item/musical-box": (0, 1)},
        mythos={
            "mythos/nod-is-a-bid": Strike(40.0),
            "mythos/lots-moved": Strike(45.0, Moment.BEFORE_EXPLORING, 15.0),
            "mythos/in-two-minds": Strike(45.0),
            "mythos/glass-eyes": Strike(45.0),
            "mythos/porters-mistake": Strike(50.0),
            "mythos/ticket": Strike(40.0),
            "mythos/dust-sheet": Strike(45.0),
            "mythos/going-once": Strike(40.0),
        },
        actions={
            "action/take-a-bid": Power.COUNTS,
            "action/knocked-down": Power.HARMS,
            "action/send-the-men": Power.BRINGS_MONSTER,
            "action/out-of-the-cages": Power.BRINGS_MONSTER,
            "action/on-their-shoulders": Power.COUNTS,
            "action/see-to-the-gate": Power.COUNTS,
        },
    ),
)

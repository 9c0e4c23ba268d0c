"""
Advice on The Ninth Stone.

The investigators choose an errand in secret. Each errand wants three sockets cleared, one of three
things, work in the ring, and people in a place of its own; and it counts once the last clue is
found, which tells the keeper. So investigators leave that clue until the work is done. The keeper
closes three ways. Only one matters; his finds and their moves help him to guess it.
"""

from collections.abc import Iterator

from client.games.first_edition.bot.advice.forms import (
    Act,
    Advice,
    Answer,
    Cards,
    Condition,
    Either,
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

_RING, _LANE, _QUARRY, _MOUTH = "room/ring", "room/cart-lane", "room/quarry", "room/barrow-mouth"
_LITTLE_STONE = "item/little-stone"


def _told(text: str) -> Seen:
    return Seen(Fact.TOLD, f"ninth-stone/{text}")


def _not_told(text: str) -> Seen:
    return Seen(Fact.TOLD, f"ninth-stone/{text}", at_most=0)


def _count(counter: str, least: int = 0, most: int | None = None) -> Seen:
    return Seen(Fact.COUNTER, counter, at_least=least, at_most=most)


_CLEARED = _count("dug", 3)
_DIG = Task(85.0, _RING, when=(_count("dug", 0, 2),), people=2)

# Investigators

_DONE: dict[str, Seen] = {
    "to-carry-off": _count("lifted", 1),
    "to-break": _count("laid", 2),
    "to-make-whole": _count("mended", 2),
}
"""The end of the work in the ring, by errand."""
_UNDONE: dict[str, Seen] = {
    "to-carry-off": _count("lifted", 0, 0),
    "to-break": _count("laid", 0, 1),
    "to-make-whole": _count("mended", 0, 1),
}
_ASKING = {
    "room/barrow": _told("asking-in-barrow"),
    "room/old-thorn": _told("asking-under-thorn"),
    "room/quarry": _told("asking-in-quarry"),
}
"""The text that says in which room the last clue lies."""


def _errand(states: dict[str, Seen]) -> Either:
    """Return that the work of the own errand is in one of these states."""
    return Either(tuple((Seen(Fact.ANSWERED, option), state) for option, state in states.items()))


_THINGS = {
    "things-left": {
        "to-break": "room/powder-house",
        "to-carry-off": "room/shepherds-hut",
        "to-make-whole": "room/hill-chapel",
    },
    "things-hidden": {
        "to-make-whole": "room/powder-house",
        "to-break": "room/shepherds-hut",
        "to-carry-off": "room/hill-chapel",
    },
    "things-dreamt": {
        "to-carry-off": "room/powder-house",
        "to-make-whole": "room/shepherds-hut",
        "to-break": "room/hill-chapel",
    },
}
"""The room of the thing that an errand needs, by the text that says so."""


def _hints() -> Iterator[Hint]:
    yield Hint("room/chapel-yard", 35.0)
    yield Hint("room/sheepfold", 20.0)
    # Nothing that matters is there.
    for room in ("room/ring-moss", "room/long-stone", "room/barrow-mouth"):
        yield Hint(room, -25.0)
    for room, told in _ASKING.items():
        yield Hint(room, 70.0, (told, _errand(_DONE)))
        yield Hint(room, -60.0, (told, _errand(_UNDONE)))
        for other in _ASKING.keys() - {room, _QUARRY}:
            yield Hint(other, -40.0, (told,))
    for text, rooms in _THINGS.items():
        for option, room in rooms.items():
            chosen = Seen(Fact.ANSWERED, option)
            yield Hint(room, 45.0, (_told(text), chosen))
            for other in set(rooms.values()) - {room}:
                yield Hint(other, -40.0, (_told(text), chosen))


def _way(room: str, counter: str) -> Task:
    return Task(110.0, room, when=(_count(counter, 3),))


# The keeper

_WAYS = {
    "objective/carry-off": "lane",
    "objective/break-ring": "quarry",
    "objective/make-whole": "barrow",
}


def _ways(objective: str) -> dict[str, Answer]:
    """Return the answers of a keeper who believes that he knows the objective."""
    return {
        f"ninth-stone/way-{way}": Answer(60.0 if one == objective else 2.0)
        for one, way in _WAYS.items()
    }


def _known(objective: str, prey: dict[str, float]) -> Scheme:
    return Scheme(
        acts={
            "action/close-a-way": Act(95.0),
            "action/set-to-rights": Act(60.0),
            "action/turn-the-turf": Act(2.0),
        },
        prey=prey,
        finds=-99.0,
        mythos={"mythos/with-one-finger": 70.0},
        answers=_ways(objective),
    )


def _suspects(objective: str, *when: Condition) -> Sign:
    return Sign(objective, when)


ADVICE = Advice(
    "manor/ninth-stone",
    goals={
        "objective/carry-off": Goals(
            deeds={
                "deed/dig-at-the-ring": _DIG,
                "deed/lay-hands-on-it": Task(
                    130.0,
                    _RING,
                    brings="item/long-bar",
                    when=(_CLEARED, _UNDONE["to-carry-off"]),
                ),
                "deed/blow-off-mist": _way(_LANE, "mist"),
            },
            guards={_LANE: Guard(150.0, when=(_count("mist", 4),))},
            takes={_LITTLE_STONE: 150.0, "item/long-bar": 90.0},
            carries={_LITTLE_STONE: _LANE},
            answers={"ninth-stone/work-lift": Answer(60.0)},
        ),
        "objective/break-ring": Goals(
            deeds={
                "deed/dig-at-the-ring": _DIG,
                "deed/lay-hands-on-it": Task(
                    130.0, _RING, brings="item/black-powder", when=(_CLEARED,)
                ),
                "deed/see-it-through": Task(130.0, _RING, when=(_count("laid", 1, 1),)),
                "deed/draw-off-water": _way(_QUARRY, "water"),
            },
            # Nobody may be left in the ring.
            guards={_QUARRY: Guard(95.0, 4, (_DONE["to-break"],))},
            takes={"item/black-powder": 90.0},
            answers={
                "ninth-stone/work-lay": Answer(60.0),
                "ninth-stone/work-fuse": Answer(60.0),
            },
        ),
        "objective/make-whole": Goals(
            deeds={
                "deed/dig-at-the-ring": _DIG,
                "deed/lay-hands-on-it": Task(
                    130.0, _RING, brings="item/half-stone", when=(_CLEARED,)
                ),
                "deed/see-it-through": Task(130.0, _RING, when=(_count("mended", 1, 1),)),
                "deed/cut-back-thorn": _way(_MOUTH, "thorn"),
            },
            guards={_MOUTH: Guard(95.0, 2, (_DONE["to-make-whole"],))},
            takes={"item/half-stone": 90.0},
            answers={
                "ninth-stone/work-set": Answer(60.0),
                "ninth-stone/work-true": Answer(60.0),
            },
        ),
    },
    hints=tuple(_hints()),
    schemes={
        "objective/carry-off": _known("objective/carry-off", {_LITTLE_STONE: 6.0}),
        "objective/break-ring": _known("objective/break-ring", {_QUARRY: 2.0}),
        "objective/make-whole": _known("objective/make-whole", {_MOUTH: 3.0}),
    },
    blind=Scheme(
        acts={
            "action/close-a-way": Act(68.0),
            "action/stand-up": Act(30.0),
            "action/white-over": Act(76.0),
        },
        answers={
            "ninth-stone/way-lane": Answer(30.0, (_not_told("not-to-carry"),), 2.0),
            "ninth-stone/way-quarry": Answer(30.0, (_not_told("not-to-break"),), 2.0),
            "ninth-stone/way-barrow": Answer(30.0),
        },
    ),
    suspicions=(
        _suspects("objective/carry-off", _told("to-carry")),
        _suspects("objective/break-ring", _told("to-blow-up")),
        _suspects("objective/make-whole", _told("not-to-carry"), _told("not-to-break")),
        _suspects("objective/break-ring", _count("laid", 2), _not_told("not-to-break")),
        _suspects("objective/make-whole", _count("mended", 2)),
        _suspects("objective/carry-off", _count("lifted", 1), _not_told("not-to-carry")),
        _suspects("objective/break-ring", _count("laid", 1), _not_told("not-to-break")),
        _suspects("objective/make-whole", _count("mended", 1)),
    ),
    cards=Cards(
        openers={
            "lock/powder-house": "item/magazine-key",
            "obstacle/cut-turf": "item/sextons-spade",
        },
        mythos={
            "mythos/one-too-many": Strike(42.0),
            "mythos/turned-about": Strike(45.0, Moment.BEFORE_EXPLORING, 12.0),
            "mythos/turf-lifts": Strike(42.0),
            "mythos/known-by-name": Strike(45.0, Moment.BEFORE_EXPLORING, 15.0),
            "mythos/owed": Strike(40.0),
            "mythos/with-one-finger": Strike(45.0),
        },
        actions={
            "action/close-a-way": Power.COUNTS,
            "action/turn-the-turf": Power.EXPLORES,
            "action/set-to-rights": Power.RITUAL,
            "action/stand-up": Power.BRINGS_MONSTER,
            "action/lend-a-thought": Power.HARMS,
            "action/give-way": Power.DIGS,
            "action/lead-round": Power.LEADS_PEOPLE,
            "action/look-back-at": Power.CURSES,
            "action/white-over": Power.BRINGS_MONSTER,
        },
    ),
)

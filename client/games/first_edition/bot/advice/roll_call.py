"""
Advice on The Roll at Thornrigg.

No ally may die unheard. An ally that has told three story cards has answered: the investigators
can call it in the school (`hearth`) or ask it whether it has paid (`field`). They must kill the
Reeve, or hold him off until his tally is full (`breath`).
"""

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
    Lead,
    Moment,
    Power,
    Scheme,
    Seen,
    Sign,
    Strike,
    Task,
)

_PEOPLE = {
    "hallam": "ally/mercy-hallam",
    "gaunt": "ally/amos-gaunt",
    "penhale": "ally/ivor-penhale",
    "tolley": "ally/nan-tolley",
    "dunmore": "ally/kit-dunmore",
}
"""The allies, by the last part of the ids that belong to them."""
_PAYERS = {"gaunt": "the-landlord", "penhale": "the-doctor", "dunmore": "the-post-boy"}
_OTHER_GATES = {
    "gaunt": "gates-surgery-and-bicycle",
    "penhale": "gates-bicycle-and-inn",
    "dunmore": "gates-inn-and-surgery",
}
"""The text of the gates that clears somebody."""
_SCHOOL, _STONES = "room/thornrigg-school", "room/eight-stones"
_REEVE = "monster/last-reeve"


def _told(text: str) -> Seen:
    return Seen(Fact.TOLD, f"roll-call/{text}")


def _answered(name: str) -> Seen:
    return Seen(Fact.TOLD_TALE, f"tale/{name}-answers")


def _cleared(name: str) -> tuple[Seen, ...]:
    texts = (f"hand-not-{name}", f"bees-not-{name}", f"{name}-did-not", _OTHER_GATES[name])
    return tuple(_told(text) for text in texts)


def _has_paid(name: str) -> Either:
    """Return that investigators know who has paid."""
    one, other = (each for each in _PAYERS if each != name)
    both = tuple((first, then) for first in _cleared(one) for then in _cleared(other))
    return Either((*both, (_told(f"{name}-paid"),)))


def _calls(name: str) -> tuple[Seen, ...]:
    """Return that somebody can be called, once in the school."""
    return (_answered(name), Seen(Fact.COUNTER, name, at_most=0))


def _in_school(name: str) -> Seen:
    return Seen(Fact.ALLY, _PEOPLE[name], within=_SCHOOL)


def _hear(tales: int, then: float, worth: float = 90.0) -> dict[str, Answer]:
    """Return the points of talking: many until somebody has told so many cards."""
    return {
        ally: Answer(worth, (Seen(Fact.TALKED, ally, at_most=tales - 1),), otherwise=then)
        for ally in _PEOPLE.values()
    }


_ALL_HEARD = tuple(Seen(Fact.TALKED, ally) for ally in _PEOPLE.values())
_HEAR_ALL = {
    ally: Answer(
        140.0,
        (
            Either(
                (
                    (Seen(Fact.TALKED, ally, at_most=0),),
                    (*_ALL_HEARD, Seen(Fact.TALKED, ally, at_most=2)),
                )
            ),
        ),
        otherwise=12.0,
    )
    for ally in _PEOPLE.values()
}
"""First everybody is heard, then everybody is to answer."""
_HOMES = {
    "room/thornrigg-school": "hallam",
    "room/fleece-taproom": "gaunt",
    "room/penhale-surgery": "penhale",
    "room/bee-garth": "tolley",
    "room/hill-road": "dunmore",
}
_SEEK = {
    room: Guard(300.0, when=(Seen(Fact.TALKED, _PEOPLE[name], at_most=0),))
    for room, name in _HOMES.items()
}
"""Somebody goes to each of the five before it is too late."""
_HEAR_PAYER = {
    **_hear(3, 40.0),
    **{_PEOPLE[name]: Answer(140.0, (_has_paid(name),), otherwise=60.0) for name in _PAYERS},
}
_PROTECT = dict.fromkeys(_PEOPLE.values(), 25.0)
_CAN_BE_CALLED = Either(tuple((*_calls(name), _in_school(name)) for name in _PEOPLE))
_TO_BE_ASKED = {_PEOPLE[name]: (_answered(name), _has_paid(name)) for name in _PAYERS}
"""The ally who has paid, once this is known and the ally has answered."""
_TO_SCHOOL = {ally: Lead(_SCHOOL, 180.0, when=(_answered(name),)) for name, ally in _PEOPLE.items()}
_WHO_PAID = {f"roll-call/{name}": Answer(80.0, (_has_paid(name),)) for name in _PAYERS}


def _deeds(call: float, put: float) -> dict[str, Task]:
    return {
        "deed/call-a-name": Task(call, _SCHOOL, when=(_CAN_BE_CALLED,)),
        "deed/put-the-question": Task(put, allies=_TO_BE_ASKED),
    }


def _rub_out(worth: float, notches: int) -> Task:
    return Task(worth, _STONES, when=(Seen(Fact.COUNTER, "notches", at_least=notches),))


def _marked(worth: float, *when: Condition) -> dict[str, Answer]:
    """Return the choice of one of the five, for the keeper: rather one who was not heard."""
    return {
        f"roll-call/{name}": Answer(
            worth, (*when, Seen(Fact.TALKED, ally, at_most=0)), otherwise=30.0
        )
        for name, ally in _PEOPLE.items()
    }


_USUAL_ACTS = {
    "action/a-word-at-the-door": Act(34.0),
    "action/a-light-that-is-not-theirs": Act(40.0),
    "action/come-to-the-gate": Act(36.0),
    "action/it-was-always-so": Act(33.0),
    "action/distraint": Act(60.0),
}

ADVICE = Advice(
    "manor/roll-call",
    goals={
        "objective/hearth": Goals(
            deeds=_deeds(260.0, 1.0),
            guards={_SCHOOL: Guard(120.0)},
            talks=_hear(3, 8.0),
            leads=_TO_SCHOOL,
            protects=_PROTECT,
        ),
        "objective/field": Goals(
            deeds=_deeds(60.0, 300.0),
            talks=_HEAR_PAYER,
            protects=_PROTECT,
            answers=_WHO_PAID,
        ),
        "objective/breath": Goals(
            deeds={"deed/rub-out-a-notch": _rub_out(220.0, 4)},
            kills={_REEVE: 140.0},
            talks=_hear(3, 40.0),
            protects=_PROTECT,
        ),
    },
    schemes={
        "objective/hearth": Scheme(
            acts={**_USUAL_ACTS, "action/cut-a-notch": Act(20.0)},
            prey={**dict.fromkeys(_PEOPLE.values(), 1.0), _SCHOOL: 1.0},
            unheard=4.0,
            answers={**_marked(60.0), "action/out-of-the-hedge-green": Answer(40.0)},
        ),
        "objective/field": Scheme(
            acts={**_USUAL_ACTS, "action/cut-a-notch": Act(20.0)},
            prey=dict.fromkeys(_PEOPLE.values(), 1.0),
            unheard=4.0,
            answers={
                **_marked(60.0),
                **{
                    f"roll-call/{name}": Answer(60.0, (Seen(Fact.ANSWERED, option),))
                    for name, option in _PAYERS.items()
                },
            },
        ),
        "objective/breath": Scheme(
            acts={
                **_USUAL_ACTS,
                "action/cut-a-notch": Act(90.0),
                "action/distraint": Act(0.0),
                "action/a-light-that-is-not-theirs": Act(20.0),
            },
            prey={**dict.fromkeys(_PEOPLE.values(), -1.0), _STONES: 2.0},
            unheard=4.0,
            mythos={"mythos/small-change": 70.0},
            answers=_marked(60.0),
        ),
    },
    signs=(
        *(
            Sign(f"objective/{goal}", (_told(f"{one}-{other}"), _told(f"{then}-{third}")))
            for goal, other, third in (
                ("hearth", "breath", "field"),
                ("hearth", "field", "breath"),
                ("field", "hearth", "breath"),
                ("field", "breath", "hearth"),
                ("breath", "field", "hearth"),
                ("breath", "hearth", "field"),
            )
            for one, then in (("not-the", "left-not-the"),)
        ),
    ),
    hints=tuple(
        Hint(room, 30.0, (_told(f"book-{text}"),))
        for text, room in (
            ("cellar", "room/fleece-cellar"),
            ("stones", _STONES),
            ("far-house", "room/far-house"),
        )
    ),
    meanwhile=Goals(
        deeds={**_deeds(150.0, 1.0), "deed/rub-out-a-notch": _rub_out(130.0, 5)},
        guards=_SEEK,
        talks=_HEAR_ALL,
        leads=_TO_SCHOOL,
        protects=_PROTECT,
        answers=_WHO_PAID,
    ),
    cards=Cards(
        mythos={
            "mythos/evil-word": Strike(45.0),
            "mythos/small-change": Strike(45.0),
            "mythos/curtain-moves": Strike(40.0),
            "mythos/owed-for": Strike(50.0),
            "mythos/gate-on-the-latch": Strike(42.0),
            "mythos/wrong-answer": Strike(45.0, Moment.BEFORE_EXPLORING, 15.0),
        },
        actions={
            "action/cut-a-notch": Power.COUNTS,
            "action/distraint": Power.HARMS,
            "action/out-of-the-hedge": Power.BRINGS_MONSTER,
            "action/over-the-roofs": Power.BRINGS_MONSTER,
            "action/a-word-at-the-door": Power.CURSES,
            "action/a-light-that-is-not-theirs": Power.HURTS_ALLIES,
            "action/come-to-the-gate": Power.LEADS_ALLIES,
            "action/it-was-always-so": Power.HURTS_ALLIES,
        },
    ),
)

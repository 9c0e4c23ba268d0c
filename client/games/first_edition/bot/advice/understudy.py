"""
Advice on The Understudy.

Somebody of three is false. At two points of suspicion the company can be told so on the stage; the
next event brings the hearing. The keeper wants scenes in two stories out of three, so that nothing
betrays the objective before the last clue.
"""

from collections.abc import Mapping

from client.games.first_edition.bot.advice.forms import (
    Act,
    Advice,
    Answer,
    Cards,
    Condition,
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
    Use,
)
from protocol.games.first_edition.table import CardId

_CLEARED = {
    "marchbanks": ("understudy/measures-not-pardoe", "understudy/letter-not-gannet"),
    "gannet": ("understudy/measures-not-marchbanks", "understudy/letter-not-pardoe"),
    "pardoe": ("understudy/measures-not-gannet", "understudy/letter-not-marchbanks"),
}
"""The texts that clear the other two, by person."""
_ANSWERS = {"marchbanks": "mrs-marchbanks", "gannet": "mr-gannet", "pardoe": "miss-pardoe"}


def _told(text: str) -> Seen:
    return Seen(Fact.TOLD, f"understudy/{text}")


def _is_false(name: str) -> Either:
    """Return that investigators know who is false."""
    one, other = _CLEARED[name]
    both = (Seen(Fact.TOLD, one), Seen(Fact.TOLD, other))
    return Either((both, (_told(f"cue-{name}"),), (_told(f"true-{name}"),)))


def _against(name: str, least: int, most: int) -> Seen:
    return Seen(Fact.COUNTER, f"against-{name}", at_least=least, at_most=most)


_LACKING = Either(
    tuple((_against(one, 0, 1), *told) for one in _CLEARED for told in _is_false(one).of)
)
"""Somebody is known to be false, and less than two points tell so."""
_HELD_BACK = Either(
    tuple((_against(one, 2, 2), Seen(Fact.ANSWERED, option)) for one, option in _ANSWERS.items())
)
"""The false one can be accused; the keeper knows."""


def _deeds(ring_down: float, *when: Condition) -> Mapping[CardId, Task]:
    """Return what is done in all three stories."""
    return {
        **{
            f"deed/accuse-{one}": Task(
                130.0, "room/stage", when=(_against(one, 2, 2), _is_false(one))
            )
            for one in _CLEARED
        },
        "deed/watch-from-the-wings": Task(90.0, "room/prompt-side", when=(_LACKING,)),
        "deed/question-the-company": Task(85.0, "room/green-room", when=(_LACKING,)),
        "deed/ring-down": Task(ring_down, "room/fly-gallery", when=when),
    }


_SUSPECTS = {f"understudy/against-{one}": Answer(60.0, (_is_false(one),)) for one in _CLEARED}
_NOTICES = {
    f"understudy/against-{one}": Answer(60.0, (Seen(Fact.ANSWERED, option),))
    for one, option in _ANSWERS.items()
}
_KIND_NOTICE = Act(75.0, when=(_HELD_BACK,))
_SISTER = "monster/glass-sister"

ADVICE = Advice(
    "manor/understudy",
    goals={
        "objective/fifth-act": Goals(
            deeds={
                **_deeds(95.0, Seen(Fact.COUNTER, "scenes", at_least=8)),
                "deed/burn-the-book": Task(140.0, "room/green-room", brings="item/prompt-book"),
            },
            answers=_SUSPECTS,
        ),
        "objective/benefit-night": Goals(
            deeds=_deeds(100.0, Seen(Fact.COUNTER, "scenes", at_least=3)), answers=_SUSPECTS
        ),
        "objective/change-of-cast": Goals(
            deeds={
                **_deeds(1.0),
                "deed/sit-at-the-glass": Task(
                    100.0,
                    "room/dressing-rooms",
                    when=(
                        Seen(Fact.ON_BOARD, _SISTER, at_most=0),
                        Seen(Fact.KILLED, _SISTER, at_most=0),
                    ),
                    people=2,
                ),
            },
            kills={_SISTER: 95.0},
            answers=_SUSPECTS,
        ),
    },
    meanwhile=Goals(
        deeds=_deeds(75.0, Seen(Fact.COUNTER, "scenes", at_least=8)),
        kills={_SISTER: 40.0},
        answers=_SUSPECTS,
    ),
    hints=tuple(
        Hint(f"room/{room}", 25.0, (_told(f"hamper-{room}"),))
        for room in ("under-stage", "paint-loft", "wardrobe")
    ),
    schemes={
        "objective/fifth-act": Scheme(
            acts={
                "action/beginners-please": Act(90.0),
                "action/a-kind-notice": _KIND_NOTICE,
                "action/from-the-glass": Act(
                    80.0,
                    enough=Seen(Fact.ON_BOARD, _SISTER),
                    when=(Seen(Fact.CARRIED, "item/prompt-book"),),
                ),
            },
            prey={"item/prompt-book": 4.0},
            mythos={"mythos/applause": 60.0},
            answers={**_NOTICES, "action/supers-scene-dock": Answer(40.0)},
        ),
        "objective/benefit-night": Scheme(
            acts={
                "action/beginners-please": Act(95.0),
                "action/a-kind-notice": Act(12.0, when=(_HELD_BACK,)),
                "action/from-the-glass": Act(0.0),
            },
            leads={"monster/flue-cat": "room/fly-gallery"},
            prey={"room/fly-gallery": 4.0},
            mythos={"mythos/applause": 70.0},
            answers={**_NOTICES, "action/supers-fly-gallery": Answer(40.0)},
        ),
        "objective/change-of-cast": Scheme(
            acts={
                "action/beginners-please": Act(
                    72.0, enough=Seen(Fact.COUNTER, "scenes", at_least=5)
                ),
                "action/a-kind-notice": _KIND_NOTICE,
                "action/from-the-glass": Act(8.0),
                "action/out-with-the-lamps": Act(47.0),
                "action/sparks": Act(48.0),
            },
            leads={_SISTER: "room/wardrobe"},
            mythos={"mythos/same-face": 1.0, "mythos/applause": 20.0},
            answers=_NOTICES,
        ),
    },
    cards=Cards(
        openers={
            "obstacle/eighth-hamper": "item/hamper-key",
        },
        healing={"item/second-act-sherry": (1, 2)},
        uses={"item/first-quarto": Use.AT_ONCE},
        mythos={
            "mythos/dried": Strike(40.0),
            "mythos/wrong-entrance": Strike(45.0, Moment.BEFORE_EXPLORING, 12.0),
            "mythos/footlights": Strike(50.0, Moment.WEAK_BODY, 15.0),
            "mythos/warm-costume": Strike(45.0),
            "mythos/applause": Strike(45.0),
            "mythos/same-face": Strike(45.0, Moment.ALONE, 12.0),
            "mythos/stage-whisper": Strike(40.0),
            "mythos/trap-opens": Strike(45.0),
        },
        actions={
            "action/beginners-please": Power.COUNTS,
            "action/from-the-glass": Power.BRINGS_MONSTER,
            "action/supers": Power.BRINGS_MONSTER,
            "action/a-kind-notice": Power.COUNTS,
        },
    ),
)

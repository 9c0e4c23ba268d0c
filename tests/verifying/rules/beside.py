"""Forgers for step 3: questions that one seat decides, and others may interrupt."""

from tests.verifying.rules.forging import CLOCK, NOBODY, Forgery, rule
from tests.verifying.rules.table import AT_LEAST, AT_MOST, CHOICES, DEFAULT

ENDS = 4
"""Place in a choice of whether it ends the action."""


def _settle(f: Forgery, at: int) -> bool:
    return bool(f.get(at, "settle") == "beside")


def _asked(f: Forgery) -> int:
    """Return the place of a question that one seat decides beside others."""
    found = [at for at in f.places("asked/3") if _settle(f, at)]
    f.need(found)
    return f.rng.choice(found)


def _answer(f: Forgery, *, decides: bool) -> tuple[int, int]:
    """Return the places of a question and of the answer to it right after."""
    found = [
        at
        for at in f.places("asked/3")
        if _settle(f, at)
        and at + 1 < len(f.lines)
        and f.lines[at + 1].tag == "answered"
        and (f.get(at + 1, "seat") == f.get(at, "decides")) is decides
    ]
    f.need(found)
    at = f.rng.choice(found)
    return at, at + 1


def _other(f: Forgery, asked: int) -> int:
    """Return a seat that may interrupt."""
    others = [seat for seat in f.get(asked, "questions") if seat != f.get(asked, "decides")]
    f.need(others)
    return int(f.rng.choice(others))


@rule(3, "asked/3: nobody decides, or somebody who is not asked", "beside")
def _nobody_decides(f: Forgery) -> int:
    at = _asked(f)
    f.put(at, "decides", f.rng.choice([-1, NOBODY]))
    return f.end(at)


@rule(3, "asked/3: somebody decides where others answer, too", "beside", "toy")
def _decides_elsewhere(f: Forgery) -> int:
    at = f.one("asked/3")
    f.need(not _settle(f, at))
    f.put(at, "decides", f.get(at, "questions")[0])
    return f.end(at)


@rule(3, "asked/3: who decides chooses other than one thing", "beside")
def _decides_on_more(f: Forgery) -> int:
    at = _asked(f)
    seat = f.get(at, "decides")
    slot = f.get(at, "questions").index(seat)
    question = list(f.opened(at, slot))
    question[f.rng.choice([AT_LEAST, AT_MOST])] += 1 if f.rng.random() < 0.5 else -1
    f.put_opened(at, question, slot)
    return f.end(at, seat)


@rule(3, "asked/3: an interruption by default, of several things, or with a pass", "beside")
def _interruption_by_default(f: Forgery) -> int:
    able = []
    for at in (one for one in f.places("asked/3") if _settle(f, one)):
        for slot, seat in enumerate(f.get(at, "questions")):
            is_open = any(slot == place for place, _ in f.lines[at].openings)
            if is_open and seat != f.get(at, "decides") and f.opened(at, slot)[CHOICES]:
                able.append((at, slot, seat))
    f.need(able)
    at, slot, seat = f.rng.choice(able)
    question = list(f.opened(at, slot))
    match f.rng.randrange(4):
        case 0:
            question[DEFAULT] = [question[CHOICES][0][0]]
        case 1:
            question[AT_MOST] = 2
        case 2:
            question[AT_LEAST], question[DEFAULT] = 1, [question[CHOICES][0][0]]
        case _:
            question[CHOICES][0][ENDS] = True
    f.put_opened(at, question, slot)
    return f.end(at, seat)


@rule(3, "answered: by who decides, before the others had their time", "beside")
def _decided_early(f: Forgery) -> int:
    asked, at = _answer(f, decides=True)
    least = f.get(0, "settings")[12]
    f.lines[at].public[1] = f.lines[asked].public[1] + f.rng.choice([0, 1000 * least - 1])
    return f.end(at)


@rule(3, "answered: by who decides, as if it were an interruption", "beside")
def _decided_at_once(f: Forgery) -> int:
    asked, at = _answer(f, decides=False)
    seat = f.get(asked, "decides")
    f.lines[at].public[2] = seat
    f.lines[at].public[5] = [[[seat], b"c" * 32]]
    f.put(at, "seat", seat)
    f.lines[at].openings = []
    # An interruption comes at once, so nobody had any time.
    f.lines[at].public[1] = f.lines[asked].public[1]
    return f.end(at)


@rule(3, "answered: by who decides, while somebody is away who may interrupt", "beside")
def _decided_alone(f: Forgery) -> int:
    asked, at = _answer(f, decides=True)
    seat = _other(f, asked)
    return f.end(f.insert(asked + 1, seat, "presence_changed", seat, False) + at - asked)


@rule(3, "answered: an interruption that does nothing", "beside")
def _empty_interruption(f: Forgery) -> int:
    _, at = _answer(f, decides=False)
    f.put_opened(at, [])
    return f.end(at, f.get(at, "seat"))


@rule(3, "timed_out: while somebody is away who may interrupt", "beside")
def _timed_out_alone(f: Forgery) -> int:
    at = f.one("timed_out")
    f.need(f.lines[at - 1].tag == "asked/3" and _settle(f, at - 1))
    seat = _other(f, at - 1)
    return f.end(f.insert(at, seat, "presence_changed", seat, False) + 1)


@rule(3, "timed_out: before the time of who decides is over", "beside")
def _timed_out_early(f: Forgery) -> int:
    asked = _asked(f)
    f.need(f.get(0, "settings")[1])
    at = f.insert(asked + 1, CLOCK, "timed_out", f.get(asked, "ask_id"))
    f.lines[at].public[1] += 1000 * f.get(0, "settings")[1] - 1
    return f.end(at)

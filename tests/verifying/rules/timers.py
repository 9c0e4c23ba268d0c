"""Forgers for step 3: timers over several questions, and windows for several choices."""

from tests.verifying.rules.forging import CLOCK, ROOM, Forgery, rule
from tests.verifying.rules.table import AT_MOST

RIDDLE = ["toy/riddle", [], "text"]


def _timed(f: Forgery) -> int:
    """Return the place of a question under a timer."""
    found = [at for at in f.places("asked/3") if f.get(at, "timer") != -1]
    f.need(found)
    return f.rng.choice(found)


@rule(3, "timer_opened: within another, or out of its row", "timers")
def _nested(f: Forgery) -> int:
    if f.rng.random() < 0.5:
        at = f.one("timer_opened")
        f.put(at, "timer_id", f.get(at, "timer_id") + 1)
        return f.end(at)
    return f.end(f.insert(_timed(f), ROOM, "timer_opened", 1, RIDDLE, 60))


@rule(3, "timer_closed: one that is not open", "timers")
def _not_open(f: Forgery) -> int:
    at = f.one("timer_closed")
    f.put(at, "timer_id", f.get(at, "timer_id") + 1)
    return f.end(at)


@rule(3, "rested: within a timer", "timers")
def _within(f: Forgery) -> int:
    return f.end(f.insert(_timed(f), ROOM, "rested"))


@rule(3, "asked/3: a timer that is not open, or not the one that is", "timers")
def _other_timer(f: Forgery) -> int:
    at = f.one("asked/3")
    f.put(at, "timer", f.rng.choice([-1, 5]))
    return f.end(at)


@rule(3, "timed_out: before the time of the timer is over", "timers")
def _early(f: Forgery) -> int:
    at = f.one("timed_out")
    f.lines[at].public[1] -= 1
    return f.end(at)


@rule(3, "timed_out: right after a question of a timer", "timers")
def _at_once(f: Forgery) -> int:
    asked = _timed(f)
    return f.end(f.insert(asked + 1, CLOCK, "timed_out", f.get(asked, "ask_id")))


@rule(3, "answered_together: a pass with an act, or a record that is not filled up", "flurries")
def _mixed(f: Forgery) -> int:
    at = f.one("answered_together")
    f.need(f.lines[at].openings)
    slot = f.lines[at].openings[0][0]
    ask_id = f.get(at, "ask_id")
    both = b"".join(f"{ask_id}.{place}".encode().ljust(32, b"\0") for place in range(2))
    f.put_opened(at, [f.rng.choice([both, both[:32], both + bytes(32)])], slot)
    return f.end(at, f.get(at, "answers")[slot])


@rule(3, "asked/3: a window that asks for other than one number of choices", "flurries")
def _other_number(f: Forgery) -> int:
    windows = [at for at in f.places("asked/3") if f.get(at, "settle") == "window"]
    f.need(windows)
    at = f.rng.choice(windows)
    f.need(f.lines[at].openings)
    slot = f.lines[at].openings[0][0]
    question = list(f.opened(at, slot))
    question[AT_MOST] = 0
    f.put_opened(at, question, slot)
    return f.end(at, f.get(at, "questions")[slot])

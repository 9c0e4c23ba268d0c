"""
Validity: is a log one that a server of ours could have written, by what every game shares?

Section 14 of PROTOCOL.md is the definition, and each rule of it is one function here, in a module
for each chapter of the events. Folding is total, for clients that only show what they are sent;
these rules are strict, for whoever asks whether a log is what it says. They know no game.
"""

# The rules register themselves.
from protocol.validity import (
    agreements,
    branching,
    chance,
    counting,
    ending,
    form,
    operator,
    order,
    people,
    questions,
    start,
    windows,
)
from protocol.validity.judge import judge, judge_log
from protocol.validity.state import Counts, Invalid, State

__all__ = [
    "Counts",
    "Invalid",
    "State",
    "agreements",
    "branching",
    "chance",
    "counting",
    "ending",
    "form",
    "judge",
    "judge_log",
    "operator",
    "order",
    "people",
    "questions",
    "start",
    "windows",
]

"""
Validity: could an honest server have written this log, by the rules of all games?

Section 14 of PROTOCOL.md is the definition. Each of its rules is a function here, in a module for
each chapter of the events. Folding is total and never refuses a record, for clients that only show
what they are sent. These rules are strict, for audits. They know no game.
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

"""The brain that answers at random."""

import random

from client.model.tables import TableView
from client.plugs.brains import pick_random
from protocol.common.asks import Choice, Point, Question
from protocol.common.text import Text


def test_a_random_answer_in_a_window_is_legal() -> None:
    """A pass stands alone, and no two choices are about the same thing."""
    ada, ben = Point("investigator", "ada"), Point("investigator", "ben")
    choices = (
        Choice("pass", Text("choice/no_card"), ends=True),
        Choice("limp", Text("choice/card"), (ada,)),
        Choice("fear", Text("choice/card"), (ada,)),
        Choice("dread", Text("choice/card"), (ben,)),
    )
    question = Question(Text("ask/card"), choices, at_most=2)
    rng, view = random.Random(1), TableView("room", 0)

    answers = {pick_random(view, question, rng) for _ in range(200)}

    assert answers == {
        ("pass",),
        ("limp",),
        ("fear",),
        ("dread",),
        ("limp", "dread"),
        ("fear", "dread"),
    }

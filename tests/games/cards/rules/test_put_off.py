"""Tests that wait for the end of another one. Section 1.17."""

import pytest

from protocol.games.cards import events
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, content_of

RATS = """
- {id: card/rat, fight: 1, health: 1, evade: 1}
- {id: card/cat, fight: 1, health: 1, evade: 1}
"""
SECOND = """
- id: card/second
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    on: {after: defeated, by: you, card: {types: [enemy]}}
    effect:
    - EFFECT
"""


@pytest.mark.rule("C-DEFER-1", "C-DEFER-2", "C-DEFER-3", "C-DEFER-4")
@pytest.mark.parametrize(
    "effect",
    [
        "act: {deed: fight}",
        "fight: {}",
        "evade: {}",
        "investigate: {}",
        "test: {skill: willpower, difficulty: 1}",
    ],
)
def test_an_action_that_is_a_test_waits_for_the_end_of_the_test(effect: str) -> None:
    """The card is played at once, while the first enemy is defeated."""
    bench = Bench(content_of(players=SECOND.replace("EFFECT", effect), enemies=RATS))
    bench.hand(ANNA, "card/second")
    bench.engage("card/rat", ANNA)
    bench.engage("card/cat", ANNA)
    bench.give_tokens("0", "0")

    bench.act(lambda o: o.text.subject == "choice/fight" and "card/rat" in o.text.params, "second")

    kinds = (events.TestBegan, events.TestEnded, events.TestPutOff)
    order = [type(one) for one in bench.log if isinstance(one, kinds)]
    began, ended = events.TestBegan, events.TestEnded
    assert order == [began, events.TestPutOff, ended, began, ended]
    assert bench.discarded(ANNA) == ["card/second"]
    fights = "fight" in effect
    assert bench.discarded("encounter") == ["card/rat", "card/cat"][: 1 + fights]

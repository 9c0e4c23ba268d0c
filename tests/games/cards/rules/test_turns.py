"""Turns and basic actions. Sections 2.5 and 2.6."""

import pytest

from protocol.games.cards.words import Token
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, content_of

RAT = """
- id: card/rat
  fight: 3
  health: 3
  evade: 3
  damage: 1
"""


@pytest.mark.rule("C-BACT-2")
def test_resource_gives_one_resource_for_an_action() -> None:
    bench = Bench()
    bench.act("choice/resource")
    assert bench.count(ANNA, Token.RESOURCE) == 6
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-BACT-9", "C-BACT-20")
def test_a_fight_that_succeeds_deals_one_damage() -> None:
    bench = Bench(content_of(enemies=RAT))
    bench.engage("card/rat", ANNA)
    bench.act("choice/fight")
    assert bench.count("card/rat", Token.DAMAGE) == 1


@pytest.mark.rule("C-BAOO-1")
def test_drawing_provokes_an_attack_of_an_engaged_enemy() -> None:
    bench = Bench(content_of(enemies=RAT))
    bench.engage("card/rat", ANNA)
    bench.deck(ANNA, ANNA)
    bench.act("choice/draw")
    assert bench.count(ANNA, Token.DAMAGE) == 1

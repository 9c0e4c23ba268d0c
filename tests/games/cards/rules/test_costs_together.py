"""Costs that a card takes upon itself."""

import pytest

from protocol.games.cards.words import Token, Zone
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, content_of

PACT = """
- id: card/pact
  type: asset
  cost: 0
  health: 3
  abilities:
  - does: action
    cost: [{doom: 1}, {harm: {damage: 1, on_this: true}}]
    effect: [{resources: 2}]
"""


@pytest.mark.rule("C-COST-2")
def test_one_card_takes_doom_and_damage_as_costs_at_once() -> None:
    bench = Bench(content_of(players=PACT))
    pact = bench.lay("card/pact", Zone.PLAY, ANNA)

    bench.act("card/pact")

    assert bench.game_table.cards[pact].tokens == {"damage": 1, "doom": 1}
    assert bench.count(ANNA, Token.RESOURCE) == 7

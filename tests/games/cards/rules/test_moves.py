"""Moves, distance, and where everybody is. Sections 1.18, 1.19, 2.6 and 2.10."""

import pytest

from protocol.games.cards.table import ExtraAction, Place
from protocol.games.cards.words import Token, Zone
from server.games.cards.rules.play import location_of
from tests.games.cards.rules.bench import Bench, about
from tests.games.cards.rules.worlds import ANNA, content_of

L1, L2, L3 = "card/l1", "card/l2", "card/l3"
HOUNDS = """
- {id: card/x, evade: 2, fight: 3, health: 3, damage: 1, horror: 1, keywords: [alert]}
- {id: card/y, evade: 2, fight: 3, health: 3, damage: 2}
- {id: card/z, evade: 2, fight: 3, health: 3, damage: 2}
- {id: card/v, evade: 2, fight: 3, health: 3, damage: 2, keywords: [aloof]}
- {id: card/u, evade: 2, fight: 3, health: 3, damage: 2}
"""
BOOTS = """
- id: card/boots
  type: asset
  cost: 1
  abilities:
  - does: reaction
    on: {after: enters, who: you, is_first: true}
    cost: [exhaust: {this: true}]
    effect: [resources: 1]
"""
DRAIN = """
- id: card/l2
  symbol: s2
  connects: [s1, s3]
  face:
    id: card/l2-seen
    shroud: 2
    clues: 2
    abilities:
    - {does: forced, on: {after: enters, place: {this: true}}, effect: [resources: -1]}
"""


@pytest.mark.rule(
    "C-EX-98",
    "C-BACT-6",
    "C-BACT-8",
    "C-BACT-11",
    "C-BACT-14",
    "C-BACT-15",
    "C-BACT-16",
    "C-BACT-18",
    "C-BACT-21",
    "C-BACT-22",
    "C-BACT-23",
    "C-BAOO-1",
    "C-BAOO-2",
    "C-BAOO-4",
    "C-BAOO-5",
    "C-BENEMY-2",
    "C-BENEMY-4",
    "C-BENEMY-5",
    "C-BENEMY-7",
    "C-BENEMY-8",
    "C-BENEMY-12",
    "C-BENEMY-16",
    "C-ENG-1",
    "C-REACT-5",
    "C-DECIDE-54",
)
def test_moving_away_from_two_engaged_enemies_one_of_them_exhausted() -> None:
    bench = hounds()
    bench.bag("-2", "0")

    # Steps 1 to 4, at the question for the boots.
    bench.act("choice/move", ...)
    table = bench.game_table
    x, y, z = (table.cards[bench.piece(f"card/{one}")] for one in "xyz")
    assert bench.who(ANNA).actions + len(bench.who(ANNA).extra) == 3
    assert bench.count(ANNA, Token.DAMAGE) == bench.count(ANNA, Token.HORROR) == 1
    assert (x.is_exhausted, y.is_exhausted) == (False, True)
    assert bench.at(ANNA) == L2
    assert x.engaged == y.engaged == (ANNA,)
    assert location_of(bench.game, y) == bench.piece(L2)
    assert bench.count(L2, Token.CLUE) == 2
    assert bench.count(ANNA, Token.RESOURCE) == 4
    assert not z.engaged

    # Steps 4 to 6.
    bench = hounds()
    bench.bag("-2", "0")
    bench.act("choice/move", "card/boots")
    assert bench.card("card/boots").is_exhausted
    assert bench.count(ANNA, Token.RESOURCE) == 4
    assert bench.engaged_with(ANNA) == ["card/x", "card/y", "card/z"]

    # Step 7.
    bench.act(...)
    assert bench.choices("choice/engage") == ["card/v", "card/u"]
    bench.act(about("choice/engage", "card/u"), "card/z")
    assert bench.count(ANNA, Token.DAMAGE) == 4
    assert bench.engaged_with(ANNA) == ["card/u", "card/x", "card/y", "card/z"]
    assert bench.card("card/u").is_exhausted

    # Steps 8 and 9.
    bench.give_tokens("-2")
    bench.act(about("choice/evade", "card/x"))
    assert not bench.card("card/x").is_exhausted
    assert bench.count(ANNA, Token.DAMAGE) == 5
    assert "card/x" in bench.engaged_with(ANNA)
    bench.give_tokens("0")
    bench.act(about("choice/evade", "card/x"))
    assert bench.card("card/x").is_exhausted
    assert bench.card("card/x").at == Place(Zone.AT, bench.piece(L2))

    assert bench.at(ANNA) == L2
    assert bench.count(ANNA, Token.DAMAGE) == 5
    assert bench.count(ANNA, Token.HORROR) == 3
    assert bench.count(ANNA, Token.RESOURCE) == 4
    assert bench.engaged_with(ANNA) == ["card/u", "card/y", "card/z"]
    assert not bench.card("card/v").is_exhausted
    assert not bench.card("card/v").engaged
    assert bench.count(L2, Token.CLUE) == 2


def hounds() -> Bench:
    """Lay out the example of two enemies that come along."""
    bench = Bench(content_of(enemies=HOUNDS, players=BOOTS, locations=DRAIN))
    bench.tokens_on(bench.own(ANNA), resource=4)
    bench.set(ANNA, extra=(ExtraAction("card/boots"),))
    bench.lay("card/boots", Zone.PLAY, ANNA)
    bench.engage("card/x", ANNA)
    bench.engage("card/y", ANNA, is_exhausted=True)
    for code in ("card/z", "card/v", "card/u"):
        bench.lay(code, Zone.AT, bench.piece(L2), is_exhausted=code == "card/u")
    return bench

"""Turns and basic actions. Sections 2.5 and 2.6."""

import pytest

from protocol.games.cards.words import Phase, Token
from tests.games.cards.rules.bench import TURNS, Bench
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, content_of

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


SNACK = (
    "- {id: card/snack, type: event, cost: 0, abilities: [{does: play, effect: [resources: 1]}]}\n"
)


@pytest.mark.rule("C-BTURN-1", "C-BTURN-6")
def test_whoever_takes_a_turn_first_begins_it_and_takes_no_other_in_the_phase() -> None:
    bench = Bench(people=(ANNA, BEN, CARA))
    bench.set_active("")
    bench.step(Phase.INVESTIGATION, TURNS, {2: "choice/take_turn"})
    assert bench.game_table.active == CARA
    bench.act("choice/end_turn")
    bench.step(Phase.INVESTIGATION, TURNS, ...)
    assert bench.choices("choice/take_turn") == [ANNA, BEN]


@pytest.mark.rule("C-BTURN-2", "C-XACT-7", "C-BTURN-5")
def test_a_turn_has_three_actions_and_nobody_else_has_any_in_it() -> None:
    bench = Bench(people=(ANNA, BEN))
    for _ in range(3):
        bench.act(...)
        assert bench.asks() == [bench.who(ANNA).seat]
        bench.act("choice/resource")
    bench.act()
    assert bench.game_table.active == ""


QUICK = """
- id: card/quick
  type: event
  cost: 0
  keywords: [fast]
  abilities: [{does: play, effect: [resources: 1]}]
"""


@pytest.mark.rule("C-BTURN-2", "C-BWIN-4")
@pytest.mark.parametrize("who", [ANNA, BEN])
def test_a_turn_without_actions_goes_on_while_somebody_could_use_something(who: str) -> None:
    bench = Bench(content_of(players=QUICK), people=(ANNA, BEN))
    bench.set(ANNA, actions=0)
    bench.hand(who, "card/quick")
    bench.act("card/quick" if who == ANNA else {bench.who(BEN).seat: "card/quick"})
    assert bench.game_table.active == ANNA
    bench.act()
    assert bench.game_table.active == ""


@pytest.mark.rule("C-BTURN-2", "C-BACT-5")
def test_playing_an_event_takes_an_action() -> None:
    bench = Bench(content_of(players=SNACK))
    bench.hand(ANNA, "card/snack")
    bench.act("card/snack")
    assert bench.who(ANNA).actions == 2

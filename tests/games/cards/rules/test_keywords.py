"""Keywords of locations and of the victory display: Haunted, Vengeance. Section 2.16, C-EX-128."""

import pytest

from content.games.cards.schema.kinds import Stat
from protocol.games.cards import events
from protocol.games.cards.words import Skill, Token, Zone
from server.games.cards.rules import elimination, encounter, harm, values, zones
from server.games.cards.rules.play import GameOver
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, content_of

HALL = """
- id: card/l1
  symbol: s1
  connects: [s2]
  face:
    id: card/l1-seen
    shroud: 4
    abilities: [{does: haunted, effect: [{resources: -1}]}]
"""
BONUSES = """
- id: card/focus
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    if: {in_test: {yours: true}}
    effect: [{lasting: {until: test, gives: [{skill: {stat: intellect, by: 2}}]}}]
- id: card/charm
  type: asset
  cost: 0
  abilities:
  - does: free
    limit: {per: round}
    effect: [{lasting: {until: turn, gives: [{skill: {stat: intellect, by: 1}}]}}]
- id: card/lamp
  type: asset
  cost: 0
  abilities: [{does: constant, gives: [{skill: {stat: intellect, by: 1}}]}]
- id: card/hush
  type: asset
  cost: 0
  abilities:
  - does: free
    effect:
    - {end_turn: true}
    - if: {that: {stat: {stat: intellect, of: you, most: 3}}, do: [{resources: 1}]}
- id: card/shroud
  type: asset
  cost: 0
  abilities: [{does: constant, gives: [{blank: {types: [location]}}]}]
"""
WAIL = """
- {id: card/wail, abilities: [{does: revelation, effect: [{haunt: here}]}]}
"""


def haunted(*lying: str) -> Bench:
    """Return A at a haunted location."""
    bench = Bench(content_of(players=BONUSES, locations=HALL, treacheries=WAIL))
    for code in lying:
        bench.lay(code, Zone.PLAY, ANNA)
    return bench


def intellect(bench: Bench) -> int:
    """Return the intellect of A."""
    return values.skill(bench.game, ANNA, Skill.INTELLECT)


@pytest.mark.rule("C-EX-128", "C-BTEST-15", "C-TIME-4", "C-BROUND-5", "C-BKEY-26")
def test_each_bonus_ends_with_its_test_its_card_or_its_turn() -> None:
    bench = haunted("card/charm", "card/lamp", "card/hush")
    bench.hand(ANNA, "card/focus")
    bench.act("card/charm")
    bench.bag("-4")
    bench.act("choice/investigate", "card/focus", "choice/pass", "choice/pass")
    (sixth,) = [one for one in bench.happened(events.TestStep) if one.step == 6]
    assert (sixth.value, sixth.difficulty) == (3, 4)
    # Haunted, after the results.
    assert bench.count(ANNA, Token.RESOURCE) == 4
    assert intellect(bench) == 3 + 1 + 1

    bench.run(zones.discard(bench.game, (bench.piece("card/lamp"),)))
    assert intellect(bench) == 3 + 1

    # Still in the middle of the ability.
    bench.act("card/hush")
    assert (intellect(bench), bench.count(ANNA, Token.RESOURCE)) == (3, 5)


@pytest.mark.rule("C-BKEY-27", "C-EX-128")
def test_haunted_comes_where_an_effect_says_so_and_after_no_other_failed_test() -> None:
    bench = haunted()
    assert bench.test(difficulty=9, skill=Skill.INTELLECT) is False
    assert bench.count(ANNA, Token.RESOURCE) == 5

    bench.deck("encounter", "card/wail", "card/wail")
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.count(ANNA, Token.RESOURCE) == 4


@pytest.mark.rule("C-BKEY-26", "C-BKEY-27", "C-BABIL-26")
def test_a_blank_location_is_not_haunted() -> None:
    bench = haunted("card/shroud")
    bench.bag("-4")
    bench.act("choice/investigate")
    assert bench.count(ANNA, Token.RESOURCE) == 5


GHOSTS = """
- {id: card/ghost, fight: 1, health: 1, evade: 1, vengeance: 2}
- {id: card/wraith, fight: 1, health: 1, evade: 1, victory: 1, vengeance: 1}
- id: card/heir
  fight: {n: 1, per: vengeance}
  health: 9
  evade: 1
"""
CRYPT = """
- id: card/l2
  symbol: s2
  connects: [s1]
  face: {id: card/l2-seen, shroud: 2, vengeance: 3}
"""


def avenged() -> Bench:
    """Return a table at which two enemies with Vengeance have been defeated."""
    bench = Bench(content_of(enemies=GHOSTS, locations=CRYPT))
    bench.engage("card/heir", ANNA)
    pieces = [bench.engage(code, ANNA) for code in ("card/ghost", "card/wraith")]
    bench.run(harm.place(bench.game, [harm.Part(piece, 1) for piece in pieces], "", by=ANNA))
    return bench


@pytest.mark.rule("C-BKEY-28")
def test_a_defeated_enemy_with_vengeance_goes_to_the_victory_display() -> None:
    shown = [card.code for card in avenged().game_table.lying(Zone.VICTORY)]
    assert shown == ["card/ghost", "card/wraith"]


@pytest.mark.rule("C-BKEY-29")
def test_vengeance_counts_while_the_card_is_in_the_victory_display() -> None:
    bench = avenged()
    assert values.stat(bench.game, bench.card("card/heir"), Stat.FIGHT) == 3
    bench.run(zones.discard(bench.game, (bench.piece("card/ghost"),)))
    assert values.stat(bench.game, bench.card("card/heir"), Stat.FIGHT) == 1


@pytest.mark.rule("C-BKEY-28", "C-BKEY-30", "C-BKEY-4")
def test_vengeance_gives_no_experience_though_a_location_is_displayed_by_it() -> None:
    bench = avenged()
    bench.walk(ANNA, "card/l2")
    resolution = bench.game.content.scenario.resolutions[1]
    with pytest.raises(GameOver):
        bench.run(elimination.end(bench.game, resolution))
    assert "card/l2" in [card.code for card in bench.game_table.lying(Zone.VICTORY)]
    (ended,) = bench.happened(events.Ended)
    assert ended.experience == 1

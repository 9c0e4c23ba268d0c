"""The upkeep phase. Section 2.13."""

import pytest

from content.games.cards.schema.kinds import Stat
from protocol.games.cards.events import Tokens
from protocol.games.cards.words import Phase, Token, Zone
from server.games.cards.rules import hands, rounds, values
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

WINDOW, READY, DRAW, DISCARD = 1, 2, 3, 4
"""Steps of the upkeep phase."""
PLAYERS = """
- id: card/study
  type: asset
  cost: 1
  abilities:
  - does: forced
    on: {would: drawn, who: you}
    if: {phase: upkeep}
    limit: {per: phase}
    effect: [{cancel: true}, {draw: {number: 2}}]
- id: card/drum
  type: asset
  cost: 1
  abilities:
  - does: action
    effect: [{lasting: {until: round, gives: [{skill: {stat: willpower, by: 1}}]}}]
- id: card/ally
  type: asset
  cost: 1
- id: card/k
  type: skill
- id: card/k1
  type: skill
"""
TREACHERIES = """
- id: card/w
  weakness: true
  abilities: [{does: revelation, effect: [{resources: -2}]}]
- {id: card/h, keywords: [hidden, peril]}
"""
ENEMIES = """
- {id: card/x, fight: 3, health: 3, evade: 3}
- {id: card/y, fight: 3, health: 3, evade: 3}
"""
CONTENT = content_of(players=PLAYERS, treacheries=TREACHERIES, enemies=ENEMIES)


def _bench() -> Bench:
    """Return the table of C-EX-103."""
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.walk(BEN, "card/l2")
    bench.change(active="")
    bench.hand(ANNA, "card/h", *["card/k"] * 7)
    bench.deck(ANNA, "card/k1")
    bench.tokens_on(bench.own(ANNA), resource=3)
    bench.tokens_on(bench.own(BEN), resource=0)
    for code in ("card/w", *["card/k"] * 5):
        bench.lay(code, Zone.DISCARD, ANNA)
    bench.give_order(f"deck/{ANNA}", ["card/w", *["card/k"] * 5])
    bench.hand(BEN, "card/k", "card/k")
    bench.lay("card/study", Zone.PLAY, ANNA)
    bench.lay("card/ally", Zone.PLAY, ANNA, is_exhausted=True)
    bench.engage("card/x", ANNA, is_exhausted=True)
    bench.lay("card/y", Zone.AT, bench.piece("card/l2"), is_exhausted=True)
    for who in (ANNA, BEN):
        bench.set(who, actions=0)
    return bench


@pytest.mark.rule(
    *("C-EX-103", "C-BUPK-1", "C-BUPK-2", "C-BUPK-8", "C-BENEMY-6", "C-BENEMY-25", "C-BWIN-6"),
)
def test_all_is_readied_at_once_and_only_then_enemies_engage() -> None:
    bench = _bench()
    bench.step(Phase.UPKEEP, WINDOW)
    bench.step(Phase.UPKEEP, READY)
    assert [bench.who(who).actions for who in (ANNA, BEN)] == [3, 3]
    cards = [bench.card(code) for code in ("card/ally", "card/x", "card/y")]
    assert not any(card.is_exhausted for card in cards)
    assert [card.engaged for card in cards[1:]] == [(ANNA,), (BEN,)]


@pytest.mark.rule(
    *("C-EX-103", "C-BUPK-3", "C-BUPK-7", "C-BUPK-9", "C-BUPK-10", "C-BUPK-11", "C-BUPK-12"),
    *("C-DRAW-1", "C-DRAW-2", "C-BWEAK-1", "C-DECIDE-64"),
)
def test_a_draw_that_empties_the_deck_goes_on_and_costs_one_horror() -> None:
    bench = _bench()
    bench.step(Phase.UPKEEP, DRAW)
    assert (bench.count(ANNA, Token.HORROR), bench.count(BEN, Token.HORROR)) == (1, 0)
    assert [bench.count(who, Token.RESOURCE) for who in (ANNA, BEN)] == [2, 1]
    assert bench.discarded(ANNA) == ["card/w"]
    assert len(bench.in_hand(ANNA)) == 9
    assert len(bench.in_deck(ANNA)) == 5
    assert len(bench.in_hand(BEN)) == 2


@pytest.mark.rule("C-EX-103", "C-BUPK-3", "C-BUPK-7", "C-DECIDE-64", "C-BUPK-9")
def test_a_whole_upkeep_phase_with_an_empty_deck() -> None:
    bench = _bench()
    for step in (0, WINDOW, READY, DRAW):
        bench.step(Phase.UPKEEP, step)
    # The horror, then the Revelation, then a resource for each.
    changes = [
        [(one.piece, one.kind, one.amount) for one in event.changes]
        for event in bench.happened(Tokens)
    ]
    anna, ben = bench.own(ANNA), bench.own(BEN)
    assert changes == [
        [(anna, "horror", 1)],
        [(anna, "resource", -2)],
        [(anna, "resource", 1)],
        [(ben, "resource", 1)],
    ]
    bench.step(Phase.UPKEEP, DISCARD, 0)
    assert (len(bench.in_hand(ANNA)), len(bench.in_deck(ANNA))) == (8, 5)
    assert len(bench.discarded(ANNA)) == 2
    assert (bench.count(ANNA, Token.RESOURCE), bench.count(ANNA, Token.HORROR)) == (2, 1)
    assert (len(bench.in_hand(BEN)), bench.count(BEN, Token.RESOURCE)) == (2, 1)
    assert bench.engaged_with(BEN) == ["card/y"]


@pytest.mark.rule("C-EX-103", "C-BUPK-4", "C-BUPK-5", "C-BKEY-24", "C-HID-1")
def test_a_hidden_card_counts_toward_the_limit_and_is_not_offered() -> None:
    bench = _bench()
    bench.hand(ANNA, "card/h", "card/w", *["card/k"] * 7)
    bench.step(Phase.UPKEEP, DISCARD, ...)
    assert bench.open is not None
    (prompt,) = bench.open.prompts.values()
    assert {option.text.params[0] for option in prompt.options} == {"card/k"}
    bench.step(Phase.UPKEEP, DISCARD, 0)
    assert len(bench.in_hand(ANNA)) == 8


@pytest.mark.rule("C-EX-103", "C-BUPK-6", "C-BROUND-5")
def test_the_round_ends_with_the_phase_and_so_do_its_effects() -> None:
    bench = _bench()
    bench.lay("card/drum", Zone.PLAY, BEN)
    bench.hand(ANNA)
    bench.set_active(BEN)
    bench.set(BEN, actions=1)
    bench.act("card/drum")
    assert values.skill(bench.game, BEN, Stat.WILLPOWER) == 4
    bench.step(Phase.UPKEEP, DISCARD)
    bench.run(rounds.step(bench.game))
    assert values.skill(bench.game, BEN, Stat.WILLPOWER) == 3
    assert (bench.game_table.phase, bench.game_table.round_number) == (Phase.MYTHOS, 2)


@pytest.mark.rule("C-BUPK-11")
def test_nothing_is_drawn_where_deck_and_discard_pile_are_empty() -> None:
    bench = Bench(CONTENT)
    bench.run(hands.draw(bench.game, (ANNA,), 1))
    assert bench.in_hand(ANNA) == []
    assert bench.count(ANNA, Token.HORROR) == 0


@pytest.mark.rule("C-HAND-5", "C-BUPK-4")
@pytest.mark.parametrize(("by", "kept"), [(-3, 5), (0, 8), (2, 10)])
def test_an_effect_can_change_the_hand_limit_itself(by: int, kept: int) -> None:
    players = f"""
- id: card/satchel
  type: asset
  abilities: [{{does: constant, gives: [{{skill: {{stat: hand-size, by: {by}}}}}]}}]
- {{id: card/note, type: skill}}
"""
    bench = Bench(content_of(players=players))
    bench.lay("card/satchel", Zone.PLAY, ANNA)
    bench.hand(ANNA, *["card/note"] * 11)
    bench.step(Phase.UPKEEP, 4, tuple(range(11 - kept)))
    # The limit alone is changed: no card was drawn or discarded before.
    assert len(bench.in_hand(ANNA)) == kept

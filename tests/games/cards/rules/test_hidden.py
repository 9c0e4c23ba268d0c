"""Hidden cards, and weaknesses in hands. Sections 1.17 and 2.16."""

import pytest

from protocol.common.events import Shuffled
from protocol.games.cards import events
from protocol.games.cards.words import Skill, Token
from server.games.cards.rules import encounter, hands, rounds, values
from server.games.cards.rules.play import Source
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

PLAYERS = """
- {id: card/plan, type: event, cost: 1}
- {id: card/tune, type: event, cost: 1}
- {id: card/coat, type: asset, cost: 1}
- id: card/own-doubt
  type: event
  weakness: true
"""
TREACHERIES = """
- id: card/whisper
  keywords: [hidden, peril]
  abilities:
  - {does: constant, gives: [{skill: {stat: willpower, by: -1}}]}
  - {does: action, effect: [{discard: this}]}
  - {does: forced, on: {after: turn-ends, who: you}, effect: [{harm: {horror: 1}}]}
- id: card/purge
  abilities:
  - does: revelation
    effect:
    - either:
        ways:
        - [{discard_hand: {all: true, who: each, of: {types: [event]}}}]
        - [{discard_hand: {all: true, who: each, of: {types: [asset]}}}]
- id: card/gust
  abilities:
  - {does: revelation, effect: [{discard_hand: {number: 9, at_random: true}}]}
"""
CONTENT = content_of(players=PLAYERS, treacheries=TREACHERIES)


def _drawn() -> Bench:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.hand(ANNA, "card/plan")
    bench.deck("encounter", "card/whisper", "card/gust")
    bench.run(encounter.draw(bench.game, ANNA))
    return bench


@pytest.mark.rule("C-EX-123", "C-BKEY-5", "C-BKEY-7", "C-BKEY-25", "C-DECIDE-29", "C-SECRET-8")
def test_a_hidden_card_goes_unseen_into_the_hand_of_the_drawer() -> None:
    bench = _drawn()
    assert bench.in_hand(ANNA) == ["card/plan", "card/whisper"]
    (drew,) = bench.happened(events.Drew)
    assert (drew.investigator, drew.pile) == (ANNA, "encounter")
    assert bench.happened(Shuffled)[-1].knowers == (0,)
    assert bench.happened(events.Opened) == []


@pytest.mark.rule("C-EX-123", "C-BKEY-6")
def test_a_hidden_card_works_as_if_in_the_threat_area() -> None:
    bench = _drawn()
    assert values.skill(bench.game, ANNA, Skill.WILLPOWER) == 2
    assert values.skill(bench.game, BEN, Skill.WILLPOWER) == 3
    bench.act("choice/end_turn")
    assert bench.count(ANNA, Token.HORROR) == 1


@pytest.mark.rule("C-HID-1", "C-BKEY-6")
def test_a_hidden_card_is_discarded_as_it_says_itself() -> None:
    bench = _drawn()
    bench.act("card/whisper")
    assert bench.in_hand(ANNA) == ["card/plan"]
    assert bench.discarded("encounter") == ["card/whisper"]
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-BKEY-6", "C-BKEY-7")
def test_nobody_else_can_use_a_hidden_card() -> None:
    bench = _drawn()
    bench.set_active(BEN)
    bench.run(rounds.act(bench.game, BEN), ...)
    assert "choice/use" not in bench.offered()


@pytest.mark.rule("C-BKEY-7", "C-BKEY-25", "C-SECRET-2")
def test_using_a_hidden_card_does_not_say_which_it_is() -> None:
    bench = _drawn()
    bench.act("choice/end_turn")
    assert [used.code for used in bench.happened(events.Used)] == [""]
    assert "whisper" not in repr([ask.about for ask in bench.asked])
    assert "whisper" not in repr(bench.chains)


@pytest.mark.rule("C-HID-2", "C-BWEAK-2", "C-BUPK-5")
def test_neither_hidden_cards_nor_weaknesses_are_chosen_to_be_discarded() -> None:
    bench = Bench(CONTENT)
    bench.hand(ANNA, "card/whisper", "card/own-doubt", "card/plan")
    assert bench.run(hands.discard(bench.game, ANNA, 3, Source("", "", ANNA))) == 1
    assert bench.in_hand(ANNA) == ["card/own-doubt", "card/whisper"]


@pytest.mark.rule("C-EX-39", "C-WEAK-2", "C-WEAK-3")
def test_discarding_all_cards_of_a_type_takes_weaknesses_too() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.hand(ANNA, "card/plan", "card/tune", "card/own-doubt", "card/coat")
    bench.deck("encounter", "card/purge", "card/gust")
    bench.run(encounter.draw(bench.game, ANNA), 0)
    assert sorted(bench.discarded(ANNA)) == ["card/own-doubt", "card/plan", "card/tune"]
    assert bench.in_hand(ANNA) == ["card/coat"]


@pytest.mark.rule("C-WEAK-2", "C-HID-2")
def test_a_random_discard_may_take_a_weakness_and_never_a_hidden_card() -> None:
    bench = Bench(CONTENT)
    bench.hand(ANNA, "card/whisper", "card/own-doubt", "card/plan")
    bench.deck("encounter", "card/gust", "card/gust")
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.in_hand(ANNA) == ["card/whisper"]

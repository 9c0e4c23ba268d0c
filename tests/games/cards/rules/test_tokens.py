"""Chaos tokens: reveals, chains, replacements, seals, bless and curse. Sections 1.9 and 2.8."""

from typing import Any

import pytest

from protocol.common.text import Text
from protocol.games.cards.events import Exhausted, Tokens, TokensRevealed
from protocol.games.cards.events import TestStep as StepOfTest
from protocol.games.cards.table import hand_of
from protocol.games.cards.words import BLESS, CURSE, Fate, Skill, Token, Zone, token_name
from server.games.cards.rules import elimination, windows, zones
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

CARDS = """
- id: card/oracle
  type: asset
  abilities:
  - does: reaction
    on: {would: revealing, who: you}
    cost: [exhaust: {this: true}]
    effect: [reveal_more: {number: 3, keep: 2}]
- id: card/relic
  type: asset
  abilities:
  - does: reaction
    on: {would: revealing, who: you}
    cost: [exhaust: {this: true}]
    effect: [reveal_more: {number: 2, keep: 1}]
- id: card/twin
  type: asset
  abilities:
  - {does: reaction, on: {would: revealing, who: you}, effect: [reveal_more: {number: 2, keep: 1}]}
- id: card/charm
  type: asset
  abilities:
  - does: reaction
    on: {when: token-revealed, who: you, tokens: [curse]}
    cost: [exhaust: {this: true}]
    effect: [cancel_token: [curse]]
- id: card/rosary
  type: asset
  abilities:
  - does: reaction
    on: {would: revealing, who: you, tokens: [bless, curse]}
    effect:
    - cancel: true
    - lasting: {until: test, gives: [skill: {stat: combat, by: 1}]}
- id: card/omen
  type: asset
  abilities:
  - does: forced
    on: {after: token-revealed, who: you, tokens: [s1, s2]}
    effect: [resources: 1]
- id: card/watch
  type: asset
  abilities:
  - does: forced
    on: {after: token-revealed, who: you}
    effect: [resources: 1]
- id: card/keeper
  type: skill
  icons: [combat]
  abilities:
  - does: success
    zone: committed
    effect:
    - seal: {tokens: [s1, s2, s3, s4], card: {choose: {of: {types: [asset], yours: true}}}}
- id: card/vessel
  type: asset
  abilities:
  - does: free
    cost: [exhaust: {this: true}]
    effect: [reveal: {then: [seal: {}]}]
  - does: reaction
    on: {would: revealing, who: you}
    effect: [reveal_more: {from_card: this}]
- id: card/omens
  type: asset
  abilities:
  - does: free
    effect:
    - reveal:
        number: 3
        then:
        - if: {that: {shown: {tokens: [s1]}}, do: [resources: 2]}
- id: card/grail
  type: asset
  cost: 0
  abilities:
  - does: play
    cost: [seal: "0"]
  - does: free
    cost: [{exhaust: {this: true}}, {release: true}]
    effect: [draw: {number: 1}]
- id: card/prayer
  type: event
  cost: 0
  abilities:
  - does: play
    effect: [bag: {token: bless, number: 2}]
- id: card/vow
  type: event
  cost: 0
  abilities:
  - does: play
    cost: [bag: [bless, bless]]
    effect: [resources: 5]
- id: card/filler
  type: skill
  icons: [wild]
"""
REFERENCE = """
- id: card/reference
  s1: {by: -1, another: true}
  s2: {by: -2}
  s3: {effect: [succeed: true]}
  s4: {failure: [harm: {damage: 2}]}
"""
WORLD = content_of(players=CARDS, references=REFERENCE)


def bench_with(*cards: str, people: tuple[str, ...] = (ANNA,)) -> Bench:
    bench = Bench(WORLD, people)
    for card in cards:
        bench.lay(card, Zone.PLAY, ANNA)
    return bench


def steps(bench: Bench) -> list[int]:
    return [one.step for one in bench.happened(StepOfTest)]


def value(bench: Bench) -> int:
    (found,) = {one.value for one in bench.happened(StepOfTest) if one.step == 6}
    assert found is not None
    return int(found)


def everything(bench: Bench) -> int:
    """Return the number of tokens in bag, supply, on cards and revealed."""
    table = bench.game_table
    sealed = sum(len(card.chaos) for card in table.cards.values())
    return len(table.bag) + sum(table.supply.values()) + sealed + len(table.revealed)


def chain(*cards: str, bag: tuple[str, ...] = ("s1", "-4", "0")) -> Bench:
    """Return a bench with 1 bless and 1 curse in the bag, 9 of each in the supply."""
    bench = bench_with(*cards)
    bench.bag("bless", "curse", *bag)
    bench.change(supply={BLESS: 9, CURSE: 9})
    return bench


# Single tokens


@pytest.mark.rule("C-BTEST-7", "C-TEST-1", "C-TEST-3", "C-BTEST-14")
def test_the_token_of_a_test_goes_back_to_the_bag() -> None:
    bench = bench_with()
    bench.bag("0", "-1")
    bench.give_tokens("-1")
    assert bench.test(difficulty=2) is True
    assert value(bench) == 2
    assert bench.game_table.bag == ("-1", "0")


@pytest.mark.rule("C-BTEST-10", "C-EX-119")
def test_a_value_below_zero_counts_as_zero() -> None:
    bench = bench_with()
    bench.bag("-4")
    assert bench.test(difficulty=0) is True
    assert value(bench) == 0


@pytest.mark.rule("C-BBAG-12", "C-EX-119")
def test_an_empty_bag_gives_no_token_and_no_modifier() -> None:
    bench = bench_with()
    bench.bag()
    assert bench.test(difficulty=3) is True
    assert value(bench) == 3
    assert bench.happened(TokensRevealed) == []


@pytest.mark.rule("C-EX-36", "C-AUTO-8", "C-AUTO-9", "C-AUTO-6")
def test_auto_fail_fails_a_test_of_difficulty_zero() -> None:
    bench = bench_with()
    bench.bag("fail")
    assert bench.test(difficulty=0) is False
    assert value(bench) == 0
    assert steps(bench) == [2, 3, 4, 6, 7]


@pytest.mark.rule("C-BTEST-8")
def test_an_entry_works_if_the_test_fails() -> None:
    bench = bench_with()
    bench.bag("s4")
    bench.test(difficulty=9)
    assert bench.count(ANNA, Token.DAMAGE) == 2
    bench.test(difficulty=0)
    assert bench.count(ANNA, Token.DAMAGE) == 2


@pytest.mark.rule("C-BTEST-8", "C-BBAG-14", "C-TOK-2")
def test_the_entry_of_an_ignored_token_does_not_work() -> None:
    bench = bench_with("card/relic")
    bench.bag("s4", "0")
    bench.give_tokens("s4", "0")
    bench.test("card/relic", "'0'", difficulty=9)
    assert bench.count(ANNA, Token.DAMAGE) == 0


# Chains


@pytest.mark.rule(
    "C-EX-119",
    *("C-BBAG-5", "C-BBAG-7", "C-BBAG-8", "C-BBAG-11", "C-BBAG-14", "C-BBAG-18", "C-TOK-14"),
)
def test_a_chain_with_an_ignored_a_cancelled_and_a_sealed_token() -> None:
    bench = chain("card/relic", "card/charm")
    bench.hand(ANNA, "card/keeper")
    before = everything(bench)
    bench.give_tokens("bless", "-4", "s1", "curse")
    result = bench.test(
        *("choice/commit", "card/relic", "chaos/bless", "card/charm", "card/relic"),
        difficulty=4,
        skill=Skill.COMBAT,
    )
    assert result is True
    # Combat 3, the icon, bless and S1.
    assert value(bench) == 3 + 1 + 2 - 1
    assert bench.game_table.bag == ("-4", "0", "curse")
    assert bench.card("card/relic").chaos == ("s1",)
    assert bench.game_table.supply == {BLESS: 10, CURSE: 9}
    assert everything(bench) == before


@pytest.mark.rule("C-TOK-14")
def test_a_cancelled_token_counts_as_not_revealed() -> None:
    bench = bench_with("card/watch", "card/charm")
    bench.bag("curse", "0")
    bench.give_tokens("curse")
    bench.test("card/charm", difficulty=3)
    assert value(bench) == 3
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-EX-119", "C-BBAG-6", "C-BBAG-11", "C-BBAG-17", "C-TOK-2", "C-TOK-3")
def test_the_modifiers_of_a_chain_add_up() -> None:
    bench = chain()
    bench.give_tokens("bless", "s1", "curse", "0")
    assert bench.test(difficulty=4) is False
    assert value(bench) == 3 + 2 - 1 - 2
    assert bench.game_table.supply == {BLESS: 10, CURSE: 10}
    assert bench.game_table.bag == ("-4", "0", "s1")


@pytest.mark.rule("C-EX-119", "C-BBAG-16")
def test_what_replaces_the_further_reveal_ends_the_chain() -> None:
    bench = chain("card/rosary")
    bench.give_tokens("bless")
    bench.test("card/rosary", difficulty=4)
    assert value(bench) == 3 + 2 + 1
    assert len(bench.happened(TokensRevealed)) == 1


@pytest.mark.rule("C-BBAG-16")
def test_the_first_reveal_is_no_further_one() -> None:
    bench = chain("card/rosary")
    bench.give_tokens("0")
    bench.test(difficulty=3)
    assert value(bench) == 3


@pytest.mark.rule("C-EX-119", "C-AUTO-6", "C-AUTO-9")
def test_a_chain_that_ends_with_auto_fail_fails_with_value_zero() -> None:
    bench = chain(bag=("s4", "fail"))
    bench.give_tokens("bless", "curse", "fail")
    assert bench.test(difficulty=0) is False
    assert value(bench) == 0


@pytest.mark.rule("C-EX-119", "C-AUTO-9", "C-BTEST-8")
def test_the_entries_of_the_other_tokens_of_a_chain_are_carried_out_before_auto_fail() -> None:
    entry = "{another: true, effect: [resources: 2]}"
    card = f"- {{id: card/reference, s1: {entry}, s2: {{}}, s3: {{}}, s4: {{}}}}"
    bench = Bench(content_of(players=CARDS, references=card))
    bench.bag("s1", "fail")
    bench.give_tokens("s1", "fail")
    assert bench.test(difficulty=0) is False
    assert (value(bench), bench.count(ANNA, Token.RESOURCE)) == (0, 7)
    order = [
        one.step if isinstance(one, StepOfTest) else "resources"
        for one in bench.log
        if isinstance(one, StepOfTest | Tokens)
    ]
    assert order == [2, 3, 4, "resources", 6, 7]


@pytest.mark.rule("C-BBAG-11")
@pytest.mark.parametrize(("symbol", "worth"), [("s1", 1), ("s2", 2)])
def test_an_effect_of_a_symbol_has_another_token_revealed(symbol: str, worth: int) -> None:
    card = """
- id: card/reference
  s1: {by: -1, effect: [another_token: true]}
  s2: {by: -1, effect: [another_token: false]}
  s3: {}
  s4: {}
"""
    bench = Bench(content_of(references=card))
    bench.bag(symbol, "-1")
    bench.give_tokens(symbol, "-1")
    bench.test(difficulty=0)
    assert value(bench) == worth


@pytest.mark.rule("C-EX-119", "C-BBAG-13", "C-BLESS-1", "C-BLESS-6", "C-BBAG-14")
def test_tokens_outside_a_test_apply_no_entry_and_reveal_nothing() -> None:
    bench = chain("card/omens", "card/relic")
    bench.give_tokens("0", "-4", "s1", "bless")
    bench.resolve("card/omens", "card/relic", "'0'")
    assert len(bench.happened(TokensRevealed)) == 1
    assert bench.count(ANNA, Token.RESOURCE) == 7
    assert bench.game_table.bag == ("-4", "0", "bless", "curse", "s1")
    assert bench.game_table.supply == {BLESS: 9, CURSE: 9}


@pytest.mark.rule("C-BBAG-13", "C-BBAG-14")
def test_tokens_that_an_effect_reveals_during_a_test_do_not_count_in_it() -> None:
    bench = bench_with("card/omens")
    bench.bag("-4", "-3", "-2", "0")
    bench.give_tokens("-4", "-3", "-2", "0")
    # Once in the window before the commits; then everybody passes, twice.
    bench.test("card/omens", "choice/pass", "choice/pass", difficulty=3)
    assert value(bench) == 3
    assert bench.game_table.bag == ("-2", "-3", "-4", "0")


# Several tokens


@pytest.mark.rule("C-EX-18", "C-TOK-1", "C-TOK-3", "C-TOK-4", "C-TOK-5", "C-BBAG-9", "C-BBAG-15")
def test_all_resolved_tokens_are_sealed_and_later_resolved() -> None:
    bench = bench_with("card/oracle", "card/vessel")
    bench.bag("-1", "-2", "0")
    bench.give_tokens("-1", "-2", "0")
    bench.resolve("card/vessel", "card/oracle", ("'\N{MINUS SIGN}1'", "'\N{MINUS SIGN}2'"))
    assert list(bench.card("card/vessel").chaos) == ["-1", "-2"]
    assert list(bench.game_table.bag) == ["0"]
    bench.test("choice/pass", "choice/pass", "card/vessel", difficulty=0)
    assert value(bench) == 3 - 3
    assert [card.chaos for card in bench.game_table.lying(Zone.PLAY, ANNA)][-1] == ()
    assert list(bench.game_table.bag) == ["-1", "-2", "0"]


@pytest.mark.rule("C-EX-19", "C-TOK-6", "C-TOK-7", "C-DECIDE-12")
def test_a_card_that_answers_a_kind_does_so_once_for_two_of_it() -> None:
    bench = bench_with("card/oracle", "card/omen")
    bench.bag("s2", "s2", "0")
    bench.give_tokens("s2", "s2", "0")
    picks = tuple(lambda option, at=at: option.value == at for at in (0, 1))
    bench.test("card/oracle", picks, difficulty=0)
    assert bench.count(ANNA, Token.RESOURCE) == 6
    assert value(bench) == 0


@pytest.mark.rule("C-DECIDE-12")
def test_what_answers_a_token_names_it() -> None:
    players = """
- id: card/ear
  type: asset
  abilities: [{does: reaction, on: {after: token-revealed, who: you}, effect: [resources: 1]}]
"""
    bench = Bench(content_of(players=players))
    bench.lay("card/ear", Zone.PLAY, ANNA)
    bench.give_tokens("0")
    bench.test("card/ear", difficulty=0)
    texts = [option.text for ask in bench.asked for option in ask.prompts[0].options]
    on_token = Text("about/on", ("card/ear", token_name("0")))
    assert any(on_token in text.params for text in texts)


@pytest.mark.rule("C-EX-19", "C-TOK-8")
def test_of_two_revealed_tokens_the_ignored_one_is_not_answered() -> None:
    bench = bench_with("card/relic", "card/omen")
    bench.bag("s2", "s2")
    bench.test("card/relic", lambda option: option.value == 0, difficulty=0)
    assert bench.count(ANNA, Token.RESOURCE) == 6
    assert value(bench) == 1


@pytest.mark.rule("C-TOK-8", "C-BBAG-18")
def test_an_ignored_token_is_answered_by_nothing_and_orders_nothing() -> None:
    bench = bench_with("card/relic", "card/omen")
    bench.bag("bless", "s2", "0")
    bench.give_tokens("s2", "bless")
    bench.test("card/relic", "chaos/s2", difficulty=0)
    assert len(bench.happened(TokensRevealed)) == 1
    bench.emit(Exhausted((bench.piece("card/relic"),), is_exhausted=False))
    bench.give_tokens("s2", "0")
    bench.test("card/relic", "'0'", difficulty=0)
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.rule("C-EX-49", "C-TOK-9", "C-TOK-10", "C-TOK-11", "C-TOK-12", "C-TOK-13")
def test_a_pair_inside_of_three_counts_as_one_of_them() -> None:
    bench = bench_with("card/oracle", "card/relic")
    bench.bag("-1", "-2", "-3", "-4")
    bench.give_tokens("-4", "-3", "-2", "-1")
    bench.test(
        "card/oracle",
        "card/relic",
        "'\N{MINUS SIGN}3'",
        ("'\N{MINUS SIGN}3'", "'\N{MINUS SIGN}1'"),
        difficulty=0,
    )
    (revealed,) = bench.happened(TokensRevealed)
    assert len(revealed.tokens) == 4
    assert value(bench) == 0
    shown = bench.asked[-2:]
    assert [len(ask.prompts[0].options) for ask in shown] == [2, 3]


@pytest.mark.rule("C-TOK-11", "C-TOK-13")
@pytest.mark.parametrize("group", [(3, 2), (2, 1)])
def test_a_third_replacement_is_declared_of_a_single_token_of_a_group(
    group: tuple[int, int],
) -> None:
    """A pair is inside of three, and another one in the place of a token of either."""
    bench = bench_with("card/oracle", "card/relic", "card/twin")
    bench.bag(*["-1"] * 6)
    of_group = Text("choice/token_group", group)
    uses = ("card/oracle", "card/relic", "card/twin", lambda option: option.text == of_group)

    bench.test(*uses, 0, 0, (0, 1), difficulty=0)

    (revealed,) = bench.happened(TokensRevealed)
    assert len(revealed.tokens) == 5
    assert [len(ask.prompts[0].options) for ask in bench.asked[-3:]] == [2, 2, 3]


@pytest.mark.rule("C-EX-49", "C-TOK-10", "C-TOK-12")
def test_no_replacement_is_declared_once_a_token_was_seen() -> None:
    bench = bench_with("card/oracle", "card/relic")
    bench.bag("-1", "-2", "-3", "-4")
    bench.give_tokens("-4", "-3", "-2")
    bench.test("card/oracle", "choice/pass", (0, 1), difficulty=0)
    # The pair is asked for before the tokens come, and never again.
    (revealed,) = bench.happened(TokensRevealed)
    assert len(revealed.tokens) == 3
    assert [len(ask.prompts[0].options) for ask in bench.asked] == [3, 2, 3]
    assert not bench.card("card/relic").is_exhausted


@pytest.mark.rule("C-EX-50", "C-TOK-10", "C-TOK-11", "C-TOK-13")
@pytest.mark.parametrize(
    ("answers", "worth"),
    [
        (("choice/token'",), 2),
        (("choice/tokens_3", ("'+1'", "'0'")), 4),
    ],
)
def test_three_inside_of_a_pair_are_one_group(answers: tuple[Any, ...], worth: int) -> None:
    bench = bench_with("card/oracle", "card/relic")
    bench.bag("-1", "0", "+1", "-4")
    bench.give_tokens("0", "+1", "-4", "-1")
    bench.test("card/relic", "card/oracle", *answers, difficulty=0)
    (revealed,) = bench.happened(TokensRevealed)
    assert len(revealed.tokens) == 4
    assert value(bench) == worth


# Seals


@pytest.mark.rule("C-EX-120", "C-BBAG-9", "C-BBAG-10", "C-BBAG-15", "C-BKEY-15", "C-BABIL-22")
def test_sealing_is_a_cost_and_the_token_goes_back_when_the_card_leaves() -> None:
    bench = bench_with(people=(ANNA, BEN))
    bench.bag(*["-1"] * 14, "0", "0")
    bench.hand(ANNA, "card/grail", "card/grail", "card/grail")
    before = everything(bench)
    for left in (15, 14):
        handle = bench.game_table.piles[hand_of(ANNA)][0]
        bench.act(handle)
        assert len(bench.game_table.bag) == left
        assert everything(bench) == before
    bench.act(...)
    assert bench.open is not None
    assert "choice/play" not in bench.offered()
    assert "refused/cost" in {one.reason.subject for one in bench.open.prompts[0].refused}
    first, second = bench.game_table.lying(Zone.PLAY, ANNA)[1:]
    for one in (first, second):
        bench.run(zones.take_control(bench.game, one.piece, BEN))
    sealed = [bench.game_table.cards[one.piece] for one in (first, second)]
    assert [(card.controller, card.chaos) for card in sealed] == [(BEN, ("0",))] * 2
    assert len(bench.game_table.bag) == 14
    bench.run(zones.discard(bench.game, (first.piece,)))
    assert len(bench.game_table.bag) == 15
    bench.run(elimination.eliminate(bench.game, {BEN: None}, Fate.RESIGNED))
    assert len(bench.game_table.bag) == 16
    assert everything(bench) == before


@pytest.mark.rule("C-EX-120", "C-BBAG-9")
def test_a_released_token_goes_back_and_nothing_is_left_to_release() -> None:
    bench = bench_with()
    bench.deck(ANNA, "card/filler")
    bench.bag("-1")
    bench.lay("card/grail", Zone.PLAY, ANNA, chaos=("0",))
    bench.run(windows.player_window(bench.game, "turn"), "card/grail")
    assert bench.game_table.bag == ("-1", "0")
    assert bench.in_hand(ANNA) == ["card/filler"]
    bench.emit(Exhausted((bench.piece("card/grail"),), is_exhausted=False))
    bench.run(windows.player_window(bench.game, "turn"))


@pytest.mark.rule("C-BLESS-3", "C-EX-62")
def test_an_effect_adds_as_many_bless_tokens_as_remain() -> None:
    bench = bench_with()
    bench.change(supply={BLESS: 1, CURSE: 0})
    bench.hand(ANNA, "card/prayer")
    bench.act("card/prayer")
    assert bench.game_table.bag.count(BLESS) == 1
    assert bench.game_table.supply == {BLESS: 0, CURSE: 0}


@pytest.mark.rule("C-BLESS-2", "C-BLESS-4", "C-EX-62")
def test_a_cost_of_more_bless_tokens_than_remain_cannot_be_paid() -> None:
    bench = bench_with()
    bench.hand(ANNA, "card/vow")
    bench.change(supply={BLESS: 1, CURSE: 0})
    bench.act(...)
    assert bench.open is not None
    assert not [o for o in bench.open.prompts[0].options if "card/vow" in repr(o.text)]
    bench.change(supply={BLESS: 2, CURSE: 0})
    bench.act("card/vow")
    assert bench.count(ANNA, Token.RESOURCE) == 10
    assert bench.game_table.bag.count(BLESS) == 2


@pytest.mark.rule("C-DECIDE-13", "C-BLESS-2", "C-BBAG-8")
def test_the_supply_holds_ten_of_each_at_the_start() -> None:
    assert bench_with().game_table.supply == {BLESS: 10, CURSE: 10}

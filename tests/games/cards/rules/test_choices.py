"""Choices of several investigators, of the lead, and between ways. Sections 1.11 and 2.15."""

import pytest

from protocol.games.cards.events import TestBegan as BeginningOfTest
from protocol.games.cards.events import TestEnded as EndOfTest
from protocol.games.cards.events import Tokens
from protocol.games.cards.words import Token, Zone
from server.games.cards.rules import encounter
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, content_of
from tests.kit.bench import Answer

PLAYERS = """
- {id: card/p, type: asset, cost: 0}
- id: card/salvage
  type: asset
  cost: 0
  slots: [tarot]
  abilities:
  - {does: reaction, on: {after: discarded, card: {types: [asset]}}, effect: [{resources: 1}]}
- id: card/solace
  type: asset
  cost: 0
  abilities:
  - does: reaction
    on: {after: harm-placed, token: horror, card: {types: [investigator]}}
    cost: [exhaust: {this: true}]
    effect: [{heal: {horror: 1, card: that}}]
"""
TOLL = """
- id: card/toll
  abilities:
  - does: revelation
    effect:
    - either:
        who: each
        ways:
        - [{discard: {choose: {of: {types: [asset], yours: true, id: card/p}}}}]
        - [{harm: {horror: 1, is_direct: true}}]
    - test: {who: each, skill: agility, difficulty: 2, failure: [{harm: {damage: 1}}]}
"""
THREE = (ANNA, BEN, CARA)


def toll(*answers: Answer, tokens: tuple[str, ...] = ("0", "-2", "-1")) -> Bench:
    """Return three investigators, of whom A and C have an asset, after A has drawn the toll."""
    bench = Bench(content_of(players=PLAYERS, treacheries=TOLL), THREE)
    bench.lay("card/p", Zone.PLAY, ANNA)
    bench.lay("card/p", Zone.PLAY, CARA)
    bench.lay("card/salvage", Zone.PLAY, ANNA)
    bench.lay("card/solace", Zone.PLAY, BEN)
    bench.bag(*tokens)
    bench.give_tokens(*tokens)
    bench.deck("encounter", "card/toll", "card/toll")
    bench.run(encounter.draw(bench.game, ANNA), *answers)
    return bench


@pytest.mark.rule("C-EX-112", "C-BABIL-23", "C-BABIL-28")
def test_all_have_chosen_before_anything_is_carried_out() -> None:
    bench = toll({0: 0}, ...)
    assert bench.asks() == [2]
    assert bench.happened(Tokens) == []
    assert bench.discarded(ANNA) == []


@pytest.mark.rule("C-EX-112", "C-BABIL-28", "C-BABIL-36", "C-DECIDE-61", "C-CHOICE-7")
def test_what_several_have_chosen_is_carried_out_at_once_with_one_window_of_each_kind() -> None:
    # B has no asset, so that there is nothing to choose.
    bench = toll({0: 0}, {2: 0}, ...)
    # The cards are gone and the horror is there before anybody can answer any of it.
    assert bench.discarded(ANNA) + bench.discarded(CARA) == ["card/p", "card/p"]
    assert bench.count(BEN, Token.HORROR) == 1
    assert bench.asks() == [1]

    bench = toll({0: 0}, {2: 0}, "card/solace", ...)
    assert (bench.asks(), bench.choices("choice/use")) == ([0], ["card/salvage", "card/salvage"])


@pytest.mark.rule("C-EX-112", "C-BABIL-37")
def test_tests_of_several_come_one_after_the_other_each_completely() -> None:
    bench = toll({0: 0}, {2: 0}, "card/solace", 0, "card/salvage")
    assert [began.tester for began in bench.happened(BeginningOfTest)] == list(THREE)
    kinds = [type(one) for one in bench.log if isinstance(one, BeginningOfTest | EndOfTest)]
    assert kinds == [BeginningOfTest, EndOfTest] * 3
    harm = [[bench.count(who, token) for who in THREE] for token in (Token.DAMAGE, Token.HORROR)]
    assert harm == [[0, 1, 0], [0, 0, 0]]
    assert bench.count(ANNA, Token.RESOURCE) == 7


GROUPS = """
- id: card/dawn
  abilities: [{does: revelation, effect: [{reveal_location: {each: {types: [location], revealed: false}}}]}]
- id: card/purge
  abilities: [{does: revelation, effect: [{discard: {each: {types: [enemy]}}}]}]
"""  # noqa: E501  # an effect a line
ECHOES = """
- id: card/map
  type: asset
  cost: 0
  abilities: [{does: reaction, on: {after: location-revealed}, effect: [{resources: 1}]}]
- id: card/dirge
  type: asset
  cost: 0
  abilities:
  - {does: reaction, on: {after: leaves-play, card: {types: [enemy]}}, effect: [{resources: 1}]}
"""


@pytest.mark.rule("C-EX-112", "C-BABIL-36", "C-DECIDE-61")
@pytest.mark.parametrize(
    ("code", "asset", "number"), [("card/dawn", "card/map", 2), ("card/purge", "card/dirge", 3)]
)
def test_what_an_effect_does_to_several_cards_at_once_has_one_window(
    code: str, asset: str, number: int
) -> None:
    rat = "- {id: card/rat, fight: 3, health: 3, evade: 3}"
    content = content_of(
        players=ECHOES,
        treacheries=GROUPS,
        enemies=rat,
        scenario="locations: [card/l1, card/l2, card/l4]",
    )
    bench = Bench(content)
    bench.lay(asset, Zone.PLAY, ANNA)
    for _ in range(3):
        bench.lay("card/rat", Zone.AT, bench.piece("card/l4"))
    bench.deck("encounter", code, code)
    bench.run(encounter.draw(bench.game, ANNA), *[0] * number)
    offered = [len(ask.prompts[0].options) - 1 for ask in bench.asked]
    assert offered == list(range(number, 0, -1))
    assert len({str(ask.about) for ask in bench.asked}) == 1
    assert bench.count(ANNA, Token.RESOURCE) == 5 + number


DIVIDED = """
- id: card/divided
  abilities:
  - does: revelation
    effect:
    - either:
        who: each
        ways:
        - [{test: {skill: willpower, difficulty: 2, success: [{resources: 1}]}}]
        - [{harm: {damage: 1, is_direct: true}}]
        - [{harm: {horror: 1, is_direct: true}}]
"""
GUARD = """
- id: card/guard
  type: asset
  cost: 0
  abilities:
  - {does: reaction, on: {when: damage-dealt, who: anyone}, effect: [{cancel: true}]}
"""


def divided(*answers: Answer) -> Bench:
    """Return three investigators after A has drawn a card that has each choose one of 3 ways."""
    bench = Bench(content_of(players=GUARD, treacheries=DIVIDED), THREE)
    bench.lay("card/guard", Zone.PLAY, ANNA)
    bench.bag("0")
    bench.deck("encounter", "card/divided", "card/divided")
    bench.run(encounter.draw(bench.game, ANNA), *answers)
    return bench


@pytest.mark.rule("C-BABIL-36", "C-BABIL-28", "C-DECIDE-61")
def test_harm_of_two_kinds_that_two_have_chosen_is_one_group() -> None:
    bench = divided({0: 0}, {1: 1}, {2: 2}, ...)
    assert bench.choices("choice/use") == ["card/guard", "card/guard"]
    bench = divided({0: 0}, {1: 1}, {2: 2}, 0, "choice/pass")
    harm = [[bench.count(who, token) for who in THREE] for token in (Token.DAMAGE, Token.HORROR)]
    assert harm == [[0, 0, 0], [0, 0, 1]]


@pytest.mark.rule("C-BABIL-37")
def test_a_way_that_is_a_test_comes_after_what_is_done_at_once() -> None:
    bench = divided({0: 0}, {1: 1}, {2: 2}, "choice/pass")
    harmed, began = (
        next(at for at, one in enumerate(bench.log) if isinstance(one, kind))
        for kind in (Tokens, BeginningOfTest)
    )
    assert harmed < began
    assert bench.count(BEN, Token.DAMAGE) == bench.count(CARA, Token.HORROR) == 1
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.rule("C-BABIL-37")
def test_tests_that_two_have_chosen_come_one_after_the_other() -> None:
    bench = divided({0: 0}, {1: 0}, {2: 0})
    assert [began.tester for began in bench.happened(BeginningOfTest)] == list(THREE)
    assert [bench.count(who, Token.RESOURCE) for who in THREE] == [6, 6, 6]


SHED = """
- id: card/shed
  abilities: [{does: revelation, effect: [{discard_hand: {who: each}}]}]
- id: card/mercy
  abilities: [{does: revelation, effect: [{may: {who: each, do: [{resources: 1}]}}]}]
"""


@pytest.mark.rule("C-BABIL-23", "C-BABIL-28")
def test_cards_that_each_discards_are_all_chosen_before_any_is_open() -> None:
    bench = Bench(content_of(players=PLAYERS, treacheries=SHED), (ANNA, BEN))
    for who in (ANNA, BEN):
        bench.hand(who, "card/p", "card/solace")
    bench.deck("encounter", "card/shed", "card/shed")
    bench.run(encounter.draw(bench.game, ANNA), {0: ("card/p",)}, ...)
    assert (bench.asks(), bench.discarded(ANNA)) == ([1], [])

    bench.run(encounter.draw(bench.game, ANNA), {0: ("card/p",)}, {1: ("card/solace",)})
    assert (bench.discarded(ANNA), bench.discarded(BEN)) == (["card/p"], ["card/solace"])


@pytest.mark.rule("C-BABIL-12", "C-BABIL-23", "C-BABIL-28")
def test_each_decides_whether_to_do_it_before_any_does_it() -> None:
    bench = Bench(content_of(treacheries=SHED), THREE)
    bench.deck("encounter", "card/mercy", "card/mercy")
    bench.run(encounter.draw(bench.game, ANNA), {0: 0}, {1: 1}, ...)
    assert (bench.asks(), bench.happened(Tokens)) == ([2], [])

    bench.run(encounter.draw(bench.game, ANNA), {0: 0}, {1: 1}, {2: 0})
    assert [bench.count(who, Token.RESOURCE) for who in THREE] == [6, 5, 6]


# Choices of the lead, and ways that matter

IVY = """
- id: card/ivy
  abilities:
  - does: revelation
    effect:
    - attach: {to: {most: {of: {types: [location], bare_of: card/ivy}, token: clue}}}
"""


def tied() -> Bench:
    """
    Return A, the lead, and B, with three locations tied for most clues.

    A fourth one has more clues, and a copy of the treachery attached.
    """
    bench = Bench(content_of(treacheries=IVY), (ANNA, BEN))
    for number, code in enumerate(("card/l1", "card/l2", "card/l3", "card/l4", "card/l5")):
        bench.walk(ANNA, code)
        bench.tokens_on(bench.piece(code), clue=(3, 2, 2, 0, 2)[number])
    bench.lay("card/ivy", Zone.ON, bench.piece("card/l1"))
    bench.deck("encounter", "card/ivy", "card/ivy")
    return bench


@pytest.mark.rule("C-EX-7", "C-CHOICE-1", "C-CHOICE-2", "C-CHOICE-3", "C-CHOICE-5")
@pytest.mark.parametrize("chosen", ["card/l2-seen", "card/l3-seen", "card/l5-seen"])
def test_the_lead_may_take_any_of_the_locations_tied_for_most_clues(chosen: str) -> None:
    bench = tied()
    # B draws it, and A is the lead.
    bench.run(encounter.draw(bench.game, BEN), ...)
    assert bench.asks() == [0]
    assert bench.choices("choice/card") == ["card/l2-seen", "card/l3-seen", "card/l5-seen"]

    bench = tied()
    bench.run(encounter.draw(bench.game, BEN), {0: chosen})
    attached = [card.at.of for card in bench.game_table.cards.values() if card.code == "card/ivy"]
    assert attached == [bench.piece("card/l1"), bench.piece(chosen)]


SNAG = """
- id: card/snag
  abilities:
  - does: revelation
    effect: [{either: {ways: [[{discard_hand: {}}], [{resources: -1}], [{harm: {damage: 1}}]]}}]
- id: card/void
  abilities:
  - {does: revelation, effect: [{either: {ways: [[{discard_hand: {}}], [{resources: -1}]]}}]}
- id: card/lax
  abilities:
  - does: revelation
    effect: [{either: {must_matter: false, ways: [[{discard_hand: {}}], [{resources: -1}]]}}]
"""
SHRUG = """
- id: card/shrug
  type: event
  cost: 0
  abilities: [{does: play, effect: [{either: {ways: [[{discard_hand: {}}], [{resources: 1}]]}}]}]
- {id: card/p, type: asset, cost: 0}
"""


def snag(code: str, resources: int = 5) -> Bench:
    """Return A, who has no card in hand, with the question that a treachery asks."""
    bench = Bench(content_of(players=SHRUG, treacheries=SNAG))
    bench.tokens_on(bench.own(ANNA), resource=resources)
    bench.deck("encounter", code, code)
    bench.run(encounter.draw(bench.game, ANNA), ...)
    return bench


def ways(bench: Bench) -> list[object]:
    """Return the places of the ways that the open question offers."""
    assert bench.open is not None
    return [option.value for option in bench.open.prompts[0].options]


@pytest.mark.rule("C-CHOICE-7", "C-DECIDE-21")
def test_on_a_scenario_card_a_way_that_changes_nothing_is_not_offered() -> None:
    assert ways(snag("card/snag")) == [1, 2]


@pytest.mark.rule("C-CHOICE-7", "C-DECIDE-21")
def test_where_no_way_changes_anything_nothing_happens() -> None:
    bench = snag("card/void", resources=0)
    assert (bench.open, bench.asked) == (None, [])


@pytest.mark.rule("C-SECRET-1", "C-DECIDE-6")
@pytest.mark.parametrize(
    ("hand", "resources", "offered"), [("card/p", 0, []), ("card/doubt", 5, [[1]])]
)
def test_who_has_one_way_is_asked_only_where_the_hand_alone_bars_another(
    hand: str, resources: int, offered: list[list[int]]
) -> None:
    """A weakness in hand cannot be discarded, and that it is one is secret."""
    doubt = "- {id: card/doubt, type: event, cost: 0, weakness: true}\n"
    bench = Bench(content_of(players=SHRUG + doubt, treacheries=SNAG))
    bench.tokens_on(bench.own(ANNA), resource=resources)
    bench.hand(ANNA, hand)
    bench.deck("encounter", "card/void")

    bench.run(encounter.draw(bench.game, ANNA), *[0] * len(offered))

    asked = [[option.value for option in one.prompts[0].options] for one in bench.asked]
    assert asked == offered


@pytest.mark.rule("C-DECIDE-21")
def test_an_author_may_have_ways_offered_that_change_nothing() -> None:
    assert ways(snag("card/lax")) == [0, 1]
    bench = Bench(content_of(players=SHRUG))
    bench.hand(ANNA, "card/shrug")
    bench.act("card/shrug", 0)
    assert (bench.discarded(ANNA), bench.count(ANNA, Token.RESOURCE)) == (["card/shrug"], 5)


@pytest.mark.rule("C-CHOICE-1")
def test_what_concerns_the_lead_concerns_nobody_else() -> None:
    gift = "{does: free, effect: [{resources: {number: 1, who: lead}}]}"
    players = f"- {{id: card/gift, type: asset, abilities: [{gift}]}}\n"
    bench = Bench(content_of(players=players), (ANNA, BEN))
    bench.lay("card/gift", Zone.PLAY, BEN)
    bench.resolve("card/gift", who=BEN)

    assert [bench.count(who, Token.RESOURCE) for who in (ANNA, BEN)] == [6, 5]

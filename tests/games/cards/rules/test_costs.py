"""Costs, additional costs and limits. Sections 1.8, 1.13 and 2.15."""

import pytest

from content.games.cards.schema.kinds import Keyword
from content.games.cards.schema.steps import Move
from content.games.cards.schema.targets import Choose, Filter, Where
from protocol.games.cards.words import Token, Zone
from server.games.cards.rules import costs, effects
from server.games.cards.rules.play import Source
from server.games.cards.rules.targets import fits_in_hand
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

TOOLS = """
- id: card/lamp
  type: asset
  cost: 1
  traits: [tool]
- id: card/rope
  type: asset
  cost: 1
  traits: [tool]
- id: card/winch
  type: asset
  cost: 1
  abilities:
  - does: free
    cost: [{exhaust: {traits: [tool]}}, {exhaust: {traits: [tool]}}]
    effect: [{resources: 1}]
"""


@pytest.mark.rule("C-COST-2", "C-BZONE-16")
def test_two_costs_that_exhaust_a_card_need_two_ready_cards() -> None:
    bench = Bench(content_of(players=TOOLS))
    for code in ("card/winch", "card/lamp", "card/rope"):
        bench.lay(code, Zone.PLAY, ANNA)
    bench.turn("card/rope", is_exhausted=True)
    assert "card/winch" not in bench.can_use()

    bench.turn("card/rope", is_exhausted=False)
    bench.act("card/winch", "card/lamp")
    assert bench.card("card/lamp").is_exhausted
    assert bench.card("card/rope").is_exhausted
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.rule("C-COST-2", "C-BABIL-34")
def test_each_cost_that_exhausts_a_card_exhausts_exactly_one() -> None:
    bench = Bench(content_of(players=TOOLS))
    for code in ("card/winch", "card/lamp", "card/rope"):
        bench.lay(code, Zone.PLAY, ANNA)
    bench.act("card/winch", ...)
    assert bench.open is not None
    prompt = bench.open.prompts[0]
    assert (len(prompt.options), prompt.at_least, prompt.at_most) == (2, 1, 1)


@pytest.mark.rule("C-COST-2")
def test_a_choice_for_one_cost_leaves_what_another_cost_needs() -> None:
    winch = TOOLS.replace(
        "{exhaust: {traits: [tool]}}, {exhaust: {traits: [tool]}}",
        ("{exhaust: {traits: [tool]}}, {exhaust: {id: card/rope}}"),
    )
    bench = Bench(content_of(players=winch))
    for code in ("card/winch", "card/lamp", "card/rope"):
        bench.lay(code, Zone.PLAY, ANNA)

    # The rope would be the only card for the second cost: the lamp is taken unasked.
    bench.act("card/winch")

    assert bench.card("card/lamp").is_exhausted
    assert bench.card("card/rope").is_exhausted


@pytest.mark.rule("C-COST-1", "C-BZONE-16", "C-EX-127", "C-AUTH-1", "C-AUTH-2")
def test_only_cards_under_the_payers_control_are_used_to_pay() -> None:
    bench = Bench(content_of(players=TOOLS), (ANNA, BEN))
    bench.lay("card/winch", Zone.PLAY, ANNA)
    bench.lay("card/lamp", Zone.PLAY, ANNA)
    bench.lay("card/rope", Zone.PLAY, BEN)
    assert bench.can_use() == []


@pytest.mark.rule("C-COST-2", "C-BABIL-9")
def test_resources_of_two_costs_are_counted_together() -> None:
    players = """
- id: card/bribe
  type: event
  cost: 3
  abilities:
  - {does: play, cost: [{resources: 3}], effect: [{draw: 1}]}
"""
    bench = Bench(content_of(players=players))
    bench.deck(ANNA, "card/bribe")
    bench.hand(ANNA, "card/bribe")
    assert bench.can_use() == []

    bench.tokens_on(bench.own(ANNA), resource=6)
    bench.act("choice/play")
    assert bench.count(ANNA, Token.RESOURCE) == 0


@pytest.mark.rule("C-BPLAY-25", "C-EX-127")
def test_x_is_chosen_as_the_cost_is_paid() -> None:
    players = """
- id: card/volley
  type: event
  cost: 0
  abilities:
  - does: play
    cost: [{x: 9}]
    effect:
    - damage: {card: {choose: {of: {types: [enemy], where: here}}}, number: {n: 1, per: x}}
"""
    enemies = "- {id: card/rat, fight: 3, health: 4, evade: 3}"
    bench = Bench(content_of(players=players, enemies=enemies))
    bench.hand(ANNA, "card/volley")
    bench.tokens_on(bench.own(ANNA), resource=6)
    bench.lay("card/rat", Zone.AT, bench.piece("card/l1"))
    bench.act("card/volley", lambda option: option.value == 2)
    assert bench.count("card/rat", Token.DAMAGE) == 2
    assert bench.count(ANNA, Token.RESOURCE) == 4


@pytest.mark.rule("C-BABIL-24", "C-EX-128")
def test_an_x_that_nothing_defines_is_0() -> None:
    players = """
- id: card/whim
  type: asset
  cost: 0
  abilities:
  - {does: free, effect: [{resources: {number: {n: 1, per: x}}}, {draw: 1}]}
"""
    bench = Bench(content_of(players=players))
    bench.lay("card/whim", Zone.PLAY, ANNA)
    bench.deck(ANNA, "card/whim")
    bench.act("card/whim")
    assert bench.count(ANNA, Token.RESOURCE) == 5


CHARM = """
- id: card/charm
  type: asset
  cost: 1
  abilities:
  - {{does: free, limit: {{per: round{more}}}, effect: [{{resources: 1}}]}}
"""


@pytest.mark.rule("C-BABIL-16")
def test_a_limit_counts_for_each_copy_and_anew_for_one_that_comes_back() -> None:
    bench = Bench(content_of(players=CHARM.format(more="")))
    first = bench.lay("card/charm", Zone.PLAY, ANNA)
    bench.act(first)
    assert bench.can_use() == []

    bench.lay("card/charm", Zone.PLAY, ANNA)
    assert bench.can_use() == ["card/charm"]


@pytest.mark.rule("C-BABIL-17")
def test_a_maximum_counts_all_copies_of_all_players() -> None:
    bench = Bench(content_of(players=CHARM.format(more=", is_max: true")), (ANNA, BEN))
    first = bench.lay("card/charm", Zone.PLAY, ANNA)
    bench.lay("card/charm", Zone.PLAY, BEN)
    bench.act({0: first})
    assert bench.can_use() == []


@pytest.mark.rule("C-RES-1", "C-RES-2", "C-EX-127")
def test_resources_on_cards_are_not_your_resources() -> None:
    players = """
- id: card/ledger
  type: asset
  cost: 1
  abilities:
  - {does: free, cost: [{resources: 6}], effect: [{draw: 1}]}
  - does: free
    limit: {per: round}
    effect: [{resources: {number: {n: 1, per: resources}}}]
"""
    bench = Bench(content_of(players=players))
    bench.deck(ANNA, "card/ledger")
    piece = bench.lay("card/ledger", Zone.PLAY, ANNA)
    bench.tokens_on(piece, resource=2)
    assert bench.can_use() == ["card/ledger"]

    bench.act("card/ledger")
    assert bench.count(ANNA, Token.RESOURCE) == 10


@pytest.mark.rule("C-PERM-1")
def test_a_permanent_card_pays_no_cost_by_being_discarded() -> None:
    players = """
- id: card/oath
  type: asset
  keywords: [permanent]
  traits: [vow]
- id: card/pyre
  type: asset
  cost: 1
  abilities:
  - {does: free, cost: [{discard: {traits: [vow]}}], effect: [{resources: 1}]}
"""
    bench = Bench(content_of(players=players))
    bench.lay("card/oath", Zone.PLAY, ANNA)
    bench.lay("card/pyre", Zone.PLAY, ANNA)
    assert bench.can_use() == []


# Additional costs

TOLL = """
- id: card/toll
  abilities:
  - does: constant
    gives: [{additional_cost: {deed: move, cost: [{resources: 2}], to: {id: card/l2-seen}}}]
"""
STRIDE = """
- id: card/stride
  type: event
  cost: 0
  abilities:
  - does: play
    effect: [{resources: 1}, {move: {to: {choose: {of: {types: [location], where: beside}}}}}]
"""


@pytest.mark.rule("C-ADD-1", "C-COST-2")
def test_an_action_whose_additional_cost_cannot_be_paid_is_not_offered() -> None:
    bench = Bench(content_of(treacheries=TOLL))
    bench.reveal("card/l2")
    bench.lay("card/toll", Zone.THREAT, ANNA)
    bench.act("choice/move")
    assert bench.at(ANNA) == "card/l2"
    assert bench.count(ANNA, Token.RESOURCE) == 3

    bench.walk(ANNA, "card/l1")
    bench.tokens_on(bench.own(ANNA), resource=1)
    bench.act(...)
    assert "choice/move" not in bench.offered()


@pytest.mark.rule("C-ADD-2", "C-ADD-3")
def test_an_additional_cost_is_paid_in_the_middle_of_an_effect() -> None:
    bench = Bench(content_of(treacheries=TOLL, players=STRIDE))
    bench.reveal("card/l2")
    bench.lay("card/toll", Zone.THREAT, ANNA)
    bench.hand(ANNA, "card/stride")
    bench.tokens_on(bench.own(ANNA), resource=1)
    # The resource that the first part gives pays for the second part.
    bench.act("card/stride")
    assert bench.at(ANNA) == "card/l2"
    assert bench.count(ANNA, Token.RESOURCE) == 0


@pytest.mark.rule("C-ADD-4", "C-ADD-5")
def test_the_part_of_an_effect_that_is_not_paid_for_is_left_out() -> None:
    bench = Bench(content_of(treacheries=TOLL, players=STRIDE))
    bench.reveal("card/l2")
    bench.lay("card/toll", Zone.THREAT, ANNA)
    bench.hand(ANNA, "card/stride")
    bench.tokens_on(bench.own(ANNA), resource=0)
    bench.act("card/stride")
    assert bench.at(ANNA) == "card/l1"
    assert bench.count(ANNA, Token.RESOURCE) == 1
    assert bench.discarded(ANNA) == ["card/stride"]


@pytest.mark.rule("C-ADD-6")
def test_a_forced_ability_asks_for_no_additional_cost() -> None:
    players = """
- id: card/current
  type: asset
  cost: 1
  abilities:
  - does: forced
    on: {after: resources-gained, who: you}
    effect: [{move: {to: {choose: {of: {types: [location], where: beside}}}}}]
- id: card/coin
  type: event
  cost: 0
  abilities: [{does: play, effect: [{resources: 1}]}]
"""
    bench = Bench(content_of(treacheries=TOLL, players=players))
    bench.reveal("card/l2")
    bench.lay("card/toll", Zone.THREAT, ANNA)
    bench.lay("card/current", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/coin")
    bench.act("card/coin")
    assert bench.at(ANNA) == "card/l2"
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.rule("C-ADD-7")
def test_a_mandatory_instruction_asks_for_no_additional_cost() -> None:
    bench = Bench(content_of(treacheries=TOLL))
    bench.reveal("card/l2")
    bench.lay("card/toll", Zone.THREAT, ANNA)
    step = Move(Choose(Filter(where=Where.BESIDE)))
    bench.run(effects.resolve(bench.game, [step], Source("card/act", "", ANNA)))
    assert bench.at(ANNA) == "card/l2"
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-ADD-4", "C-DECIDE-8")
def test_several_additional_costs_are_paid_all_or_none_in_the_payers_order() -> None:
    treacheries = TOLL + TOLL.replace("card/toll", "card/gate").replace("resources: 2", "clues: 1")
    bench = Bench(content_of(treacheries=treacheries))
    bench.reveal("card/l2")
    bench.lay("card/toll", Zone.THREAT, ANNA)
    bench.lay("card/gate", Zone.THREAT, ANNA)
    bench.act(...)
    assert "choice/move" not in bench.offered()

    bench.tokens_on(bench.own(ANNA), clue=1)
    bench.act("choice/move", "card/gate")
    assert bench.at(ANNA) == "card/l2"
    assert bench.count(ANNA, Token.RESOURCE) == 3
    assert bench.count(ANNA, Token.CLUE) == 0


# Even and odd


@pytest.mark.rule("C-DECIDE-40", "C-COST-7")
def test_a_card_without_a_cost_does_not_cost_0() -> None:
    asks = Filter(cost_at_most=0)
    for cost, fits in (("cost: 0", True), ("cost: 1", False), ("icons: [wild]", False)):
        players = f"- {{id: card/one, type: event, {cost}}}"
        assert fits_in_hand(Bench(content_of(players=players)).game, "card/one", asks) is fits


@pytest.mark.rule("C-EX-59", "C-COST-6", "C-COST-7", "C-DECIDE-40")
@pytest.mark.parametrize(
    ("parity", "kept"), [("even", {"three", "skill", "dash"}), ("odd", {"nought", "skill", "dash"})]
)
def test_0_is_an_even_cost_and_no_cost_is_neither(parity: str, kept: set[str]) -> None:
    players = f"""
- {{id: card/nought, type: event, cost: 0}}
- {{id: card/three, type: asset, cost: 3}}
- {{id: card/skill, type: skill}}
- {{id: card/dash, type: asset}}
- id: card/sieve
  type: asset
  cost: 1
  abilities: [{{does: free, effect: [{{discard_hand: {{number: 9, of: {{cost_is: {parity}}}}}}}]}}]
"""
    bench = Bench(content_of(players=players))
    bench.lay("card/sieve", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/nought", "card/three", "card/skill", "card/dash")
    bench.act("card/sieve")
    assert set(bench.in_hand(ANNA)) == {f"card/{one}" for one in kept}


@pytest.mark.rule("C-COST-2", "C-BABIL-2")
def test_harm_that_cannot_be_taken_pays_no_cost() -> None:
    players = """
- id: card/pact
  type: asset
  cost: 0
  abilities: [{does: free, cost: [{harm: {horror: 1}}], effect: [{resources: 1}]}]
"""
    treacheries = """
- id: card/calm
  abilities: [{does: constant, gives: [{cannot: {do: horror, of: you}}]}]
"""
    bench = Bench(content_of(players=players, treacheries=treacheries))
    bench.lay("card/pact", Zone.PLAY, ANNA)
    assert bench.can_use() == ["card/pact"]
    bench.lay("card/calm", Zone.THREAT, ANNA)
    assert bench.can_use() == []


BOTH = TOLL + TOLL.replace("card/toll", "card/gate").replace("resources: 2", "clues: 1")


@pytest.mark.rule("C-DECIDE-8", "C-ADD-4")
def test_of_several_additional_costs_in_an_effect_none_is_paid_if_one_cannot_be() -> None:
    bench = Bench(content_of(treacheries=BOTH, players=STRIDE))
    bench.reveal("card/l2")
    bench.lay("card/toll", Zone.THREAT, ANNA)
    bench.lay("card/gate", Zone.THREAT, ANNA)
    bench.hand(ANNA, "card/stride")
    bench.act("card/stride")
    assert bench.at(ANNA) == "card/l1"
    # 5, and 1 of the first part of the event; the toll was not paid.
    assert bench.count(ANNA, Token.RESOURCE) == 6

    bench.tokens_on(bench.own(ANNA), clue=1)
    bench.hand(ANNA, "card/stride")
    bench.act("card/stride", ...)
    assert bench.choices("choice/pay") == ["card/toll", "card/gate"]


WANDER = """
- id: card/wander
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - may: {do: [{move: {to: {choose: {of: {types: [location], where: beside}}}}}]}
    - {draw: 1}
"""


@pytest.mark.rule("C-DECIDE-7", "C-ADD-3")
def test_an_additional_cost_that_can_be_paid_is_paid_without_a_question() -> None:
    bench = Bench(content_of(treacheries=TOLL, players=STRIDE))
    bench.reveal("card/l2")
    bench.lay("card/toll", Zone.THREAT, ANNA)
    bench.hand(ANNA, "card/stride")
    bench.act("card/stride")
    assert (bench.at(ANNA), len(bench.asked)) == ("card/l2", 1)
    assert bench.count(ANNA, Token.RESOURCE) == 4


@pytest.mark.rule("C-DECIDE-7")
@pytest.mark.parametrize(
    ("answer", "at", "resources"),
    [("choice/do", "card/l2", 3), ("choice/leave", "card/l1", 5)],
)
def test_only_an_effect_that_is_optional_itself_can_be_declined(
    answer: str, at: str, resources: int
) -> None:
    bench = Bench(content_of(treacheries=TOLL, players=WANDER))
    bench.reveal("card/l2")
    bench.lay("card/toll", Zone.THREAT, ANNA)
    bench.deck(ANNA, "card/wander")
    bench.hand(ANNA, "card/wander")
    bench.act("card/wander", answer)
    assert (bench.at(ANNA), bench.count(ANNA, Token.RESOURCE)) == (at, resources)
    assert bench.in_hand(ANNA) == ["card/wander"]


@pytest.mark.rule("C-BABIL-9", "C-COST-2")
def test_costs_that_cannot_all_be_paid_are_not_paid() -> None:
    bench = Bench(content_of(players=TOOLS))
    lamp = bench.lay("card/lamp", Zone.PLAY, ANNA)
    paid = bench.game.content.faces["card/winch"].abilities[0].cost

    assert not bench.run(costs.pay(bench.game, costs.bill(paid, Source("", lamp, ANNA))))

    assert not bench.card("card/lamp").is_exhausted


@pytest.mark.parametrize(("code", "fits"), [("card/swift", True), ("card/slow", False)])
def test_a_card_in_hand_fits_by_its_keyword(code: str, fits: bool) -> None:
    players = """
- {id: card/swift, type: event, cost: 0, keywords: [fast]}
- {id: card/slow, type: event, cost: 0}
"""
    bench = Bench(content_of(players=players))

    assert fits_in_hand(bench.game, code, Filter(keyword=Keyword.FAST)) is fits

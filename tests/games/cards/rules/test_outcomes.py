"""Choices say in numbers what they do, and questions how far off a defeat is."""

import pytest

from protocol.common.text import Text
from protocol.games.cards.words import Phase, Token, Zone
from server.games.cards.rules import actions, rounds, story, windows
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

pytestmark = pytest.mark.issue(42)
RAT = """
- id: card/rat
  fight: 2
  health: 3
  evade: 1
  damage: 1
  horror: 2
"""
PLAYERS = """
- id: card/hook
  type: asset
  cost: 1
  slots: [hand, hand]
  abilities:
  - {does: action, deed: [fight], effect: [fight: {plus: 2, damage: 1}]}
- id: card/rage
  type: asset
  abilities: [{does: constant, gives: [result: {deed: fight, by: 1}]}]
- id: card/insight
  type: asset
  abilities: [{does: constant, gives: [result: {deed: investigate, by: 1}]}]
- id: card/lens
  type: asset
  abilities:
  - {does: action, deed: [investigate], effect: [investigate: {plus: 1, clues: 1}]}
- id: card/rite
  type: asset
  abilities:
  - {does: free, cost: [{harm: {damage: 1, horror: 2}}], effect: [{draw: {number: 1}}]}
- id: card/quick
  type: asset
  cost: 1
  keywords: [fast]
- id: card/oar
  type: asset
  cost: 2
  slots: [hand]
- id: card/prayer
  type: event
  cost: 1
  abilities:
  - does: play
    effect: [{test: {skill: willpower, difficulty: 4, success: [{heal: {horror: 2}}]}}]
- id: card/shrine
  type: asset
  abilities:
  - does: action
    effect: [{test: {skill: willpower, difficulty: 4, success: [{heal: {horror: 2}}]}}]
- id: card/salve
  type: asset
  abilities:
  - {does: free, cost: [{exhaust: {this: true}}], effect: [{resources: {number: 1}}]}
- id: card/dive
  type: event
  cost: 1
  keywords: [fast]
  abilities:
  - {does: play, effect: [{resources: {number: 2}}]}
- id: card/rite-of-salt
  type: event
  cost: 0
  abilities:
  - does: play
    effect: [{draw: {number: 1}}, {resources: {number: 2}}, {bag: {token: bless, number: 1}}]
- id: card/glimpse
  type: event
  cost: 0
  abilities:
  - {does: play, effect: [{discover: {number: 2}}]}
- id: card/ferry
  type: asset
  abilities:
  - {does: action, effect: [{move: {to: {choose: {of: {types: [location], where: beside}}}}}]}
- id: card/tip
  type: event
  cost: 0
  abilities:
  - {does: play, effect: [{draw: {number: 1}}, {resources: {number: 2}}]}
- id: card/ropewalk
  type: asset
  abilities:
  - {does: action, cost: [resources: 1], effect: [{draw: {number: 2}}]}
- id: card/pyre
  type: asset
  uses: {kind: oil, number: 2}
  abilities:
  - does: action
    actions: 2
    cost: [{uses: {kind: oil}}, {resources: 1}]
    effect: [{draw: {number: 2}}]
- id: card/plank
  type: asset
  abilities:
  - {does: action, cost: [exhaust: {this: true}], effect: [{draw: {number: 2}}]}
- id: card/ague
  type: asset
  abilities:
  - {does: action, actions: 2, effect: [{discard: this}]}
- id: card/bargain
  type: event
  cost: 1
  abilities:
  - {does: play, cost: [discard_hand: {number: 1}], effect: [{draw: {number: 1}}]}
- id: card/trance
  type: asset
  cost: 1
  abilities:
  - {does: free, cost: [{harm: {horror: 1}}], effect: [{draw: {number: 1}}]}
"""


def bench(**more: str) -> Bench:
    return Bench(content_of(enemies=RAT, players=PLAYERS, **more))


def said(at: Bench) -> list[Text]:
    return [one.text for one in actions.offers(at.game, ANNA)]


def test_a_fight_tells_its_damage_and_what_defeats_and_an_evasion_what_the_attack_does() -> None:
    table = bench()
    rat = table.engage("card/rat", ANNA)
    table.tokens_on(rat, damage=1)

    assert Text("choice/fight", ("card/rat", 3, 2, 1, 2)) in said(table)
    assert Text("choice/evade", ("card/rat", 3, 1, 1, 2)) in said(table)


def test_a_weapon_tells_its_value_and_its_damage() -> None:
    table = bench()
    table.lay("card/hook", Zone.PLAY, ANNA)
    table.engage("card/rat", ANNA)

    assert Text("choice/use_to", ("card/hook", Text("way/fight", (5, 2)))) in said(table)


def test_an_action_counts_what_a_place_adds_in_tests_alone() -> None:
    lit = "{does: constant, gives: [skill: {of: at-this, stat: intellect, by: 1, in_test: true}]}"
    seen = f"{{id: card/l1-seen, shroud: 2, abilities: [{lit}]}}"
    table = bench(locations=f"- {{id: card/l1, symbol: s1, connects: [s2], face: {seen}}}")

    assert Text("choice/investigate", (4, 2, 0)) in said(table)


@pytest.mark.issue(42)
def test_to_investigate_without_a_clue_there_is_marked_as_vain() -> None:
    table = bench()
    place = table.game.table.here(ANNA)
    offered = [one for one in actions.offers(table.game, ANNA) if "investigate" in one.text.subject]
    table.tokens_on(place, clue=2)
    offered += [
        one for one in actions.offers(table.game, ANNA) if "investigate" in one.text.subject
    ]

    assert [(one.text.params[2], one.group) for one in offered] == [(0, "vain"), (2, "")]


@pytest.mark.issue(42)
def test_a_seat_with_two_investigators_reads_whose_card_it_uses_in_the_turn_of_the_other() -> None:
    content = content_of(enemies=RAT, players=PLAYERS)
    table = Bench(content, (ANNA, BEN), seats=(0, 0))
    table.hand(ANNA, "card/dive")
    table.hand(BEN, "card/dive")
    table.run(rounds.act(table.game, ANNA), ...)

    assert table.open is not None
    told = [one.text for one in table.open.prompts[0].options]
    names = [one.params[0] for one in told if one.subject == "choice/play_free"]
    assert names == ["card/dive", Text("about/used_by", ("card/dive", BEN))]


def test_an_action_with_a_price_names_it() -> None:
    table = bench()
    table.lay("card/ropewalk", Zone.PLAY, ANNA)
    table.deck(ANNA, "card/oar", "card/hook")
    table.tokens_on(table.own(ANNA), resource=5)

    draws = Text("way/draw", (2,))
    price = Text("price/resources", (1,))
    assert Text("choice/use_for", ("card/ropewalk", price, draws)) in said(table)


def test_a_price_of_several_kinds_is_named_in_full() -> None:
    table = bench()
    table.lay("card/pyre", Zone.PLAY, ANNA)
    table.lay("card/ague", Zone.THREAT, ANNA)
    table.deck(ANNA, "card/oar", "card/hook")
    table.tokens_on(table.own(ANNA), resource=5, clue=1)
    table.tokens_on(table.piece("card/pyre"), oil=2)

    draws, two = Text("way/draw", (2,)), Text("price/actions", (2,))
    listed = Text("price/listed", (two, Text("price/uses", (1, "token/oil"))))
    price = Text("price/and", (listed, Text("price/resources", (1,))))
    assert Text("choice/use_for", ("card/pyre", price, draws)) in said(table)
    assert Text("choice/use_for", ("card/ague", two, Text("way/rid"))) in said(table)


def test_an_action_with_a_price_that_has_no_word_stands_with_its_sentence() -> None:
    table = bench()
    table.lay("card/plank", Zone.PLAY, ANNA)
    table.deck(ANNA, "card/oar", "card/hook")

    words = (Text("card/plank", (), "ability.0"), Text("way/draw", (2,)))
    assert Text("choice/use_nth_for", ("card/plank", *words)) in said(table)


def test_an_event_with_a_price_of_its_own_stands_with_its_sentence() -> None:
    table = bench()
    table.hand(ANNA, "card/bargain", "card/oar")
    table.deck(ANNA, "card/hook")
    table.tokens_on(table.own(ANNA), resource=5)

    words = Text("card/bargain", (), "ability.0")
    assert Text("choice/play_to", ("card/bargain", 1, words)) in said(table)


def test_a_fight_tells_the_damage_that_other_cards_add_to_it() -> None:
    table = bench()
    table.lay("card/rage", Zone.PLAY, ANNA)
    table.lay("card/hook", Zone.PLAY, ANNA)
    table.engage("card/rat", ANNA)

    assert Text("choice/fight", ("card/rat", 3, 2, 2, 3)) in said(table)
    assert Text("choice/use_to", ("card/hook", Text("way/fight", (5, 3)))) in said(table)


def test_a_lens_tells_its_value_the_shroud_and_how_many_clues() -> None:
    table = bench()
    table.lay("card/lens", Zone.PLAY, ANNA)
    table.tokens_on(table.piece("card/l1"), clue=3)
    look = Text("way/investigate", (4, 2, 2))

    assert Text("choice/use_to", ("card/lens", look)) in said(table)
    table.lay("card/insight", Zone.PLAY, ANNA)
    look = Text("way/investigate", (4, 2, 3))
    assert Text("choice/use_to", ("card/lens", look)) in said(table)


@pytest.mark.parametrize("clues", [1, 2])
def test_an_outcome_tells_no_more_clues_than_there_are(clues: int) -> None:
    table = bench()
    table.hand(ANNA, "card/glimpse")
    table.lay("card/lens", Zone.PLAY, ANNA)
    here = table.piece(table.at(ANNA))
    table.tokens_on(here, clue=clues - table.card(table.at(ANNA)).count(Token.CLUE))

    way = Text("way/clues", (clues,))
    assert Text("choice/play_to", ("card/glimpse", 0, way)) in said(table)
    look = Text("way/investigate", (4, 2, clues))
    assert Text("choice/use_to", ("card/lens", look)) in said(table)


def test_an_asset_for_which_no_slot_is_free_comes_in_place_of_another() -> None:
    table = bench()
    table.hand(ANNA, "card/oar")
    table.tokens_on(table.own(ANNA), resource=5)

    assert Text("choice/play_for", ("card/oar", 2)) in said(table)
    table.lay("card/hook", Zone.PLAY, ANNA)
    assert Text("choice/play_over_this", ("card/oar", 2, "card/hook")) in said(table)


def test_of_several_assets_that_could_give_way_none_is_named() -> None:
    table = bench()
    table.hand(ANNA, "card/hook")
    table.tokens_on(table.own(ANNA), resource=5)
    for _ in range(2):
        table.lay("card/oar", Zone.PLAY, ANNA)

    assert Text("choice/play_over", ("card/hook", 1)) in said(table)


@pytest.mark.parametrize("places", [1, 2])
def test_an_outcome_says_where_one_moves(places: int) -> None:
    table = bench(locations=ISLES if places == 2 else ISLES.replace("s2, s3", "s2"))
    table.lay("card/ferry", Zone.PLAY, ANNA)
    ways = {1: Text("way/move_to", ("card/l2",)), 2: Text("way/move_among", (2,))}

    assert Text("choice/use_to", ("card/ferry", ways[places])) in said(table)


ISLES = """
- {id: card/l1, symbol: s1, connects: [s2, s3], face: {id: card/l1-seen, shroud: 2}}
- {id: card/l2, symbol: s2, connects: [s1], face: {id: card/l2-seen, shroud: 2}}
- {id: card/l3, symbol: s3, connects: [s1], face: {id: card/l3-seen, shroud: 2}}
"""


@pytest.mark.parametrize(("horror", "group"), [(0, "vain"), (1, "")])
def test_a_test_to_heal_where_nothing_can_be_healed_says_so_and_is_vain(
    horror: int, group: str
) -> None:
    table = bench()
    table.hand(ANNA, "card/prayer")
    table.lay("card/shrine", Zone.PLAY, ANNA)
    table.tokens_on(table.own(ANNA), resource=5, horror=horror)
    heal = Text("way/heal_horror", (2,)) if horror else Text("way/heal_nothing")

    test = Text("way/test_to", ("skill/willpower", 3, 4, heal))
    offered = {one.text: one.group for one in actions.offers(table.game, ANNA)}
    assert offered[Text("choice/play_to", ("card/prayer", 1, test))] == group
    assert offered[Text("choice/use_to", ("card/shrine", test))] == group


def test_an_event_tells_its_test_and_what_success_is_for() -> None:
    table = bench()
    table.hand(ANNA, "card/prayer")
    table.tokens_on(table.own(ANNA), resource=5, horror=2)
    heal = Text("way/heal_horror", (2,))

    test = Text("way/test_to", ("skill/willpower", 3, 4, heal))
    assert Text("choice/play_to", ("card/prayer", 1, test)) in said(table)


def test_an_event_of_several_effects_tells_each_and_whether_there_is_more() -> None:
    table = bench()
    table.hand(ANNA, "card/tip", "card/rite-of-salt")
    table.deck(ANNA, "card/oar")

    both = Text("way/and", (Text("way/draw", (1,)), Text("way/resources", (2,))))
    assert Text("choice/play_to", ("card/tip", 0, both)) in said(table)
    more = Text("way/more", (both,))
    assert Text("choice/play_to", ("card/rite-of-salt", 0, more)) in said(table)


def test_an_ability_that_costs_harm_says_so_and_the_turn_tells_what_is_left() -> None:
    table = bench()
    table.lay("card/trance", Zone.PLAY, ANNA)
    table.deck(ANNA, "card/oar")
    table.tokens_on(table.own(ANNA), horror=2)
    table.run(rounds.act(table.game, ANNA), ...)

    assert table.open is not None
    prompt = table.open.prompts[0]
    assert prompt.prompt == Text("ask/action", (ANNA, 3, 7, 5))
    does = Text("way/draw", (1,))
    paid = Text("choice/use_for", ("card/trance", Text("price/horror", (1,)), does))
    assert paid in [one.text for one in prompt.options]


def test_harm_of_both_kinds_that_an_ability_costs_is_told_apart() -> None:
    table = bench()
    table.lay("card/rite", Zone.PLAY, ANNA)
    table.deck(ANNA, "card/oar")
    table.run(rounds.act(table.game, ANNA), ...)

    assert table.open is not None
    price = Text("price/and", (Text("price/damage", (1,)), Text("price/horror", (2,))))
    paid = Text("choice/use_for", ("card/rite", price, Text("way/draw", (1,))))
    assert paid in [one.text for one in table.open.prompts[0].options]


def test_what_takes_no_action_is_told_so_beside_the_actions_alone() -> None:
    table = bench()
    table.hand(ANNA, "card/dive", "card/quick")
    gains = Text("way/resources", (2,))

    table.run(rounds.act(table.game, ANNA), ...)
    assert table.open is not None
    beside = [one.text for one in table.open.prompts[0].options]
    assert Text("choice/play_free", ("card/dive", 1, gains)) in beside
    assert Text("choice/play_fast", ("card/quick", 1)) in beside
    table.run(windows.player_window(table.game, "turn"), ...)
    assert table.open is not None
    alone = [one.text for one in table.open.prompts[0].options]
    assert Text("choice/play_to", ("card/dive", 1, gains)) in alone
    assert Text("choice/play_for", ("card/quick", 1)) in alone


def test_what_is_used_in_a_window_says_what_it_does_and_what_it_costs() -> None:
    table = bench()
    table.lay("card/salve", Zone.PLAY, ANNA)
    table.hand(ANNA, "card/dive")
    table.tokens_on(table.own(ANNA), resource=5)
    table.run(windows.player_window(table.game, "turn"), ...)

    assert table.open is not None
    written, paid = Text("card/salve", (), "ability.0"), Text("way/resources", (2,))
    assert [one.text for one in table.open.prompts[0].options] == [
        Text("choice/use_nth_for", ("card/salve", written, Text("way/resources", (1,)))),
        Text("choice/play_to", ("card/dive", 1, paid)),
        Text("choice/pass"),
    ]


@pytest.mark.rule("C-BACTS-1")
def test_an_act_that_cannot_advance_tells_how_many_clues_it_takes() -> None:
    table = bench(acts="- {id: card/act, clues: 2}")

    table.tokens_on(table.own(ANNA), clue=1)
    (refusal,) = story.refused(table.game)
    assert (refusal.reason, refusal.rule) == (Text("refused/clues", (2, 1)), "C-BACTS-1")

    table.tokens_on(table.own(ANNA), clue=2)
    assert table.count(ANNA, Token.CLUE) >= 2
    assert story.refused(table.game) == []


@pytest.mark.rule("C-BACTS-3")
def test_an_act_with_an_objective_names_the_cards_of_which_it_speaks() -> None:
    act = """
- id: card/act
  abilities:
  - does: forced
    on: {after: defeated, card: {id: card/rat}}
    effect: [{advance: act}]
"""
    (refusal,) = story.refused(bench(acts=act).game)

    assert refusal.reason == Text("refused/objective", ("card/rat",))


@pytest.mark.rule("C-BWIN-3", "C-BWIN-4")
@pytest.mark.parametrize(("phase", "step"), [(Phase.MYTHOS, 4), (Phase.INVESTIGATION, 1)])
def test_what_a_window_before_the_turns_offers_is_early(phase: Phase, step: int) -> None:
    table = bench()
    table.lay("card/salve", Zone.PLAY, ANNA)
    table.step(phase, step, ...)

    assert table.open is not None
    groups = [option.group for option in table.open.prompts[0].options]
    assert groups == [rounds.EARLY, ""]

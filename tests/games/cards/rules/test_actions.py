"""Actions, designators, attacks of opportunity, actions gained and lost. 1.6, 1.7, 2.5 and 2.6."""

import pytest

from content.games.cards.schema.kinds import Deed
from protocol.common.text import Text
from protocol.games.cards.events import Attacked, Moved, Tokens
from protocol.games.cards.events import TestBegan as BeginningOfTest
from protocol.games.cards.events import TestStep as StepOfTest
from protocol.games.cards.table import ExtraAction, hand_of
from protocol.games.cards.words import Phase, Token, Zone
from server.games.cards.rules import actions, outcomes, playing, turns
from server.games.cards.rules.play import Source
from tests.games.cards.rules.bench import Bench, about, named
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

L1, L2 = "card/l1", "card/l2"
RAT = "- {id: card/rat, fight: 3, health: 9, evade: 3, damage: 1}\n"
RATS = """
- {id: card/rat-0, fight: 0, health: 1, evade: 3, damage: 1}
- {id: card/rat-1, fight: 0, health: 1, evade: 3, damage: 1}
"""
TOOLS = """
- id: card/again
  type: event
  cost: 1
  keywords: [fast]
  abilities: [{does: play, on: {after: defeated, by: you, card: {types: [enemy]}}, effect: [act: {deed: fight}]}]
- id: card/club
  type: asset
  cost: 1
  uses: {kind: ammunition, number: 2}
  abilities:
  - does: action
    deed: [fight]
    cost: [uses: {kind: ammunition}]
    effect: [fight: {plus: 1, damage: 1}]
- id: card/lunge
  type: event
  cost: 0
  abilities: [{does: play, deed: [fight], effect: [fight: {}]}]
- id: card/ring
  type: asset
  cost: 1
  abilities: [{does: reaction, on: {after: attacks, who: you}, effect: [resources: 1]}]
- id: card/lens
  type: asset
  cost: 1
  abilities: [{does: free, deed: [investigate], cost: [exhaust: {this: true}], effect: [investigate: {}]}]
- id: card/diary
  type: asset
  cost: 1
  abilities: [{does: reaction, on: {after: drawn, who: you}, cost: [exhaust: {this: true}], effect: [act: {deed: investigate}]}]
- id: card/salve
  type: asset
  cost: 1
  abilities: [{does: action, actions: 2, effect: [heal: {damage: 2}]}]
- id: card/plea
  type: asset
  cost: 1
  abilities: [{does: action, deed: [parley, investigate], effect: [resources: 1]}]
- id: card/trap
  type: event
  cost: 0
  keywords: [fast]
  abilities: [{does: play, effect: [evade_now: {choose: {of: {types: [enemy], where: here}}}]}]
- id: card/trick
  type: event
  cost: 0
  keywords: [fast]
  abilities: [{does: play, effect: [evade_now: {choose: {of: {types: [enemy], engaged: you}}}]}]
- id: card/tome
  type: asset
  cost: 1
  traits: [book]
  abilities: [{does: action, effect: [resources: 1]}]
- id: card/study
  type: asset
  cost: 1
  abilities: [{does: constant, gives: [extra_action: {only: [activate], traits: [book]}]}]
- id: card/knife
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {after: attacks, who: you}, effect: [resources: 1]}
  - {does: action, deed: [fight], effect: [fight: {plus: 1}]}
  - {does: action, deed: [fight], effect: [fight: {plus: 2}]}
- {id: card/coin, type: skill}
- {id: card/pair, type: skill, icons: [combat, combat]}
"""  # noqa: E501  # an ability a line


def attacks(bench: Bench) -> int:
    """Return how many attacks there were."""
    return len(bench.happened(Attacked))


def in_front(*assets: str, exhausted: bool = False) -> Bench:
    """Have A be engaged with a rat, with these assets in play."""
    bench = Bench(content_of(enemies=RAT, players=TOOLS), (ANNA, BEN))
    bench.engage("card/rat", ANNA, is_exhausted=exhausted)
    for code in assets:
        piece = bench.lay(code, Zone.PLAY, ANNA)
        if code == "card/club":
            bench.tokens_on(piece, ammunition=2)
    bench.deck(ANNA, "card/coin", "card/coin")
    return bench


# Attacks of opportunity


@pytest.mark.rule("C-EX-28", "C-AOO-3", "C-AOO-4", "C-AOO-5", "C-DESIG-1", "C-DECIDE-1")
def test_fighting_by_an_event_or_an_asset_provokes_nothing() -> None:
    bench = in_front("card/club")
    bench.hand(ANNA, "card/lunge")
    bench.act("card/lunge")
    bench.act("card/club")
    assert attacks(bench) == 0
    assert bench.who(ANNA).actions == 1
    assert bench.card("card/rat").count(Token.DAMAGE) == 3


@pytest.mark.rule("C-EX-116", "C-AOO-1", "C-AOO-2")
def test_a_free_ability_provokes_nothing_though_it_is_an_investigation() -> None:
    bench = in_front("card/lens")
    bench.act("card/lens")
    assert attacks(bench) == 0
    assert bench.who(ANNA).actions == 3
    assert len(bench.happened(BeginningOfTest)) == 1


@pytest.mark.rule("C-EX-116", "C-AOO-6", "C-BAOO-7", "C-EX-52", "C-DESIG-3")
def test_taking_an_action_by_an_effect_provokes_as_that_action_does() -> None:
    bench = in_front("card/diary", "card/ring")
    bench.act("choice/draw", "card/ring", "card/diary", "card/ring")
    assert attacks(bench) == 2
    assert bench.count(ANNA, Token.RESOURCE) == 7
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-BABIL-8", "C-BPLAY-13", "C-DESIG-3")
@pytest.mark.parametrize("enemies", [1, 2])
def test_an_effect_that_takes_an_action_needs_a_way_to_take_it(enemies: int) -> None:
    bench = Bench(content_of(enemies=RATS, players=TOOLS), (ANNA, BEN))
    for at in range(enemies):
        bench.engage(f"card/rat-{at}", ANNA)
    bench.hand(ANNA, "card/again")

    bench.act(about("choice/fight", "card/rat-0"), *["card/again"][: enemies - 1])

    # With the last enemy gone nobody is asked, and the event stays in the hand.
    assert bench.engaged_with(ANNA) == []
    assert bench.in_hand(ANNA) == ["card/again"][enemies - 1 :]


@pytest.mark.rule("C-EX-116", "C-BAOO-1", "C-BACT-1")
def test_drawing_a_card_provokes_one_attack() -> None:
    bench = in_front()
    bench.act("choice/draw")
    assert attacks(bench) == 1
    assert bench.in_hand(ANNA) == ["card/coin"]


@pytest.mark.rule("C-EX-116", "C-BAOO-3", "C-BACT-4", "C-BACT-3")
def test_an_ability_of_two_actions_costs_two_and_provokes_one_attack() -> None:
    bench = in_front("card/salve")
    bench.tokens_on(bench.own(ANNA), damage=2)
    bench.act("card/salve")
    assert attacks(bench) == 1
    assert bench.who(ANNA).actions == 1
    assert bench.count(ANNA, Token.DAMAGE) == 1
    bench.act(...)
    assert "card/salve" not in bench.choices("choice/use")


@pytest.mark.rule("C-EX-116", "C-BAOO-8", "C-BACT-12")
def test_an_ability_with_parley_among_its_designators_provokes_nothing() -> None:
    bench = in_front("card/plea")
    bench.act("card/plea")
    assert attacks(bench) == 0


@pytest.mark.rule("C-EX-116", "C-BENEMY-5")
def test_an_exhausted_enemy_makes_no_attack_of_opportunity() -> None:
    bench = in_front(exhausted=True)
    bench.act("choice/draw")
    assert attacks(bench) == 0


@pytest.mark.rule("C-EX-116", "C-BTURN-3", "C-BTURN-8")
def test_ending_the_turn_is_no_action_and_loses_what_is_left() -> None:
    bench = in_front()
    bench.act("choice/resource")
    bench.act("choice/end_turn")
    assert attacks(bench) == 1
    assert bench.who(ANNA).actions == 0
    assert bench.game_table.active == ""


@pytest.mark.rule("C-BAOO-6")
def test_an_attack_of_opportunity_that_eliminates_leaves_the_action_without_effect() -> None:
    bench = in_front()
    bench.tokens_on(bench.own(ANNA), damage=6)
    bench.act("choice/draw")
    assert ANNA not in bench.game_table.order
    assert "Drew" not in [type(one).__name__ for one in bench.log]


@pytest.mark.rule("C-AOO-9", "C-AOO-8")
def test_damage_in_passing_may_go_to_an_asset_and_comes_before_the_played_asset() -> None:
    dog = "- {id: card/dog, type: asset, cost: 1, health: 2}\n"
    bench = Bench(content_of(enemies=RAT, players=TOOLS + dog))
    bench.engage("card/rat", ANNA)
    bench.lay("card/dog", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/tome")
    bench.act("card/tome", 0)
    assert bench.card("card/dog").count(Token.DAMAGE) == 1
    kinds = [type(one) for one in bench.log]
    assert kinds.index(Attacked) < kinds.index(Tokens, kinds.index(Attacked)) < kinds.index(Moved)


def test_the_choices_say_which_of_two_actions_of_a_card_they_use() -> None:
    bench = Bench(content_of(enemies=RAT, players=TOOLS))
    bench.lay("card/knife", Zone.PLAY, ANNA)
    bench.engage("card/rat", ANNA)

    used = [one.text for one in actions.offers(bench.game, ANNA) if "/use" in one.text.subject]

    fields = [Text("card/knife", (), f"ability.{at}") for at in (1, 2)]
    fights = [Text("way/fight", numbers) for numbers in ((4, 1), (5, 1))]
    assert used == [
        Text("choice/use_nth_to", ("card/knife", field, fight))
        for field, fight in zip(fields, fights, strict=True)
    ]


# Designators


@pytest.mark.rule("C-DESIG-3", "C-BABIL-8")
def test_an_action_of_a_kind_is_taken_in_no_way_that_cannot_be_paid() -> None:
    players = """
- id: card/pistol
  type: asset
  abilities:
  - {does: action, deed: [fight], cost: [resources: 6], effect: [fight: {}]}
- id: card/blade
  type: asset
  abilities:
  - {does: action, deed: [fight], effect: [fight: {}]}
- {id: card/flute, type: asset, abilities: [{does: action, effect: [resources: 1]}]}
"""
    bench = Bench(content_of(enemies=RAT, players=players))
    bench.engage("card/rat", ANNA)
    for code in ("card/pistol", "card/blade", "card/flute"):
        bench.lay(code, Zone.PLAY, ANNA)
    subjects = [named(one) for one in actions.ways(bench.game, ANNA, Deed.FIGHT)]
    assert subjects == ["card/rat", "card/blade"]


@pytest.mark.rule("C-BACT-9", "C-BACT-11")
@pytest.mark.parametrize("deed", ["fight", "evade"])
def test_the_difficulty_against_an_enemy_that_leaves_during_the_test_is_0(deed: str) -> None:
    content = content_of(
        enemies="- {id: card/rat, fight: 5, health: 9, evade: 5}",
        references="""
- id: card/reference
  s1: {by: -3, effect: [discard: {each: {types: [enemy]}}]}
  s2: {}
  s3: {}
  s4: {}
""",
    )
    bench = Bench(content)
    bench.engage("card/rat", ANNA)
    bench.bag("s1")
    bench.give_tokens("s1")
    bench.act(f"choice/{deed}")
    assert [one.has_succeeded for one in bench.happened(StepOfTest) if one.step == 6] == [True]


@pytest.mark.rule("C-DESIG-2")
def test_a_bonus_of_one_action_is_gone_in_the_next() -> None:
    players = """
- id: card/chalk
  type: asset
  cost: 0
  abilities:
  - does: action
    effect:
    - lasting: {until: action, gives: [{skill: {stat: combat, by: 1}}]}
    - test: {skill: combat, difficulty: 1}
"""
    bench = Bench(content_of(players=players))
    bench.lay("card/chalk", Zone.PLAY, ANNA)
    bench.act("card/chalk")
    bench.act("card/chalk")
    assert [one.value for one in bench.happened(StepOfTest) if one.step == 6] == [4, 4]


@pytest.mark.rule("C-EX-29", "C-DESIG-2")
def test_two_weapons_do_not_add_up() -> None:
    bench = in_front("card/club")
    first = bench.piece("card/club")
    second = bench.lay("card/club", Zone.PLAY, ANNA)
    bench.tokens_on(second, ammunition=2)
    bench.act(second)
    assert bench.card("card/rat").count(Token.DAMAGE) == 2
    assert bench.game_table.cards[second].count("ammunition") == 1
    assert bench.who(ANNA).actions == 2
    (value,) = {one.value for one in bench.happened(StepOfTest) if one.step == 6}
    assert value == 3 + 1
    # The other one takes a further action.
    bench.act(first)
    assert bench.card("card/rat").count(Token.DAMAGE) == 4
    assert bench.who(ANNA).actions == 1


@pytest.mark.rule("C-EX-34", "C-ENG-3", "C-ENG-4", "C-YOU-11", "C-YOU-12")
def test_evading_an_enemy_of_another_takes_an_ability_that_says_so() -> None:
    bench = Bench(content_of(enemies=RAT, players=TOOLS), (ANNA, BEN))
    bench.engage("card/rat", BEN)
    bench.hand(ANNA, "card/trap", "card/trick")
    bench.act(...)
    assert bench.choices("choice/evade") == []
    assert bench.choices("choice/play") == ["card/trap"]
    bench.act("card/trap")
    assert bench.card("card/rat").is_exhausted
    assert bench.engaged_with(BEN) == []


# Fighting for a friend

TOUGH = """
- {id: card/x, fight: 4, health: 4, evade: 3, damage: 1, keywords: [retaliate]}
- {id: card/y, health: 4, damage: 1}
"""


def friend(**fields: object) -> Bench:
    """Lay out the example of the enemy of a friend."""
    text = TOUGH.replace("[retaliate]", "[retaliate, massive]") if "massive" in fields else TOUGH
    fields.pop("massive", None)
    bench = Bench(content_of(enemies=text, players=TOOLS), (ANNA, BEN))
    bench.engage("card/y", ANNA)
    bench.tokens_on(bench.lay("card/club", Zone.PLAY, ANNA), ammunition=2)
    if fields or text is not TOUGH:
        bench.lay("card/x", Zone.AT, bench.piece(L1), **fields)
    else:
        bench.engage("card/x", BEN)
        bench.hand(BEN, "card/pair")
    bench.bag("-1", "0")
    return bench


@pytest.mark.rule(
    "C-EX-99",
    "C-BACT-3",
    "C-BACT-9",
    "C-BACT-10",
    "C-BACT-17",
    "C-BACT-20",
    "C-BACT-24",
    "C-BENEMY-1",
    "C-BENEMY-11",
    "C-BENEMY-16",
    "C-BPLAY-12",
    "C-BPLAY-26",
    "C-COST-2",
)
def test_fighting_a_friends_enemy_that_retaliates() -> None:
    bench = friend()
    bench.act(...)
    assert bench.choices("choice/fight") == ["card/x"]
    assert bench.choices("choice/evade") == []
    assert bench.open is not None
    (said,) = (one.text for one in bench.open.prompts[0].options if "fight" in one.text.subject)
    assert said.params[0] == Text("about/miss_hits", ("card/x", BEN))
    # Step 1.
    bench.give_tokens("-1")
    bench.act("card/club", {1: "choice/pass"})
    assert bench.count(BEN, Token.DAMAGE) == 2
    assert bench.count(BEN, Token.HORROR) == 0
    assert bench.count(ANNA, Token.DAMAGE) == 1
    assert not bench.card("card/x").is_exhausted
    assert [one.code for one in bench.happened(Attacked)] == ["card/x"]
    # Step 2.
    bench.give_tokens("0")
    bench.act("card/club", {1: "choice/pass"})
    assert bench.card("card/x").count(Token.DAMAGE) == 2
    bench.act(...)
    assert "card/club" not in bench.choices("choice/use")
    assert (bench.card("card/club").at.zone, bench.card("card/club").tokens) == (Zone.PLAY, {})
    # Step 3.
    bench.give_tokens("-1")
    bench.act("choice/fight", {1: "card/pair"})
    assert bench.card("card/x").count(Token.DAMAGE) == 3
    assert bench.discarded(BEN) == ["card/pair"]
    assert bench.count(ANNA, Token.DAMAGE) == 1
    assert bench.count(BEN, Token.DAMAGE) == 2
    assert bench.engaged_with(BEN) == ["card/x"]
    assert (bench.who(ANNA).actions, bench.card("card/x").is_exhausted) == (0, False)


@pytest.mark.rule("C-EX-99", "C-BACT-19", "C-BENEMY-11")
def test_failing_against_an_exhausted_enemy_engaged_with_nobody_hurts_nobody() -> None:
    bench = friend(is_exhausted=True)
    bench.give_tokens("-1")
    bench.act("card/club")
    assert bench.count(BEN, Token.DAMAGE) == bench.count(ANNA, Token.DAMAGE) == 0


@pytest.mark.rule("C-EX-99", "C-BACT-19", "C-BENEMY-11", "C-BENEMY-13")
def test_failing_against_a_massive_enemy_hurts_no_friend_and_it_retaliates() -> None:
    bench = friend(massive=True)
    bench.give_tokens("-1")
    bench.act("card/club")
    assert bench.count(BEN, Token.DAMAGE) == 0
    assert bench.count(ANNA, Token.DAMAGE) == 1


# Actions gained and lost

BOOKISH = ExtraAction("card/study", ("activate",), ("book",))


@pytest.mark.rule("C-EX-9", "C-XACT-1", "C-XACT-2", "C-XACT-7")
def test_an_additional_action_is_used_by_itself_first() -> None:
    bench = Bench(content_of(players=TOOLS))
    bench.lay("card/tome", Zone.PLAY, ANNA)
    bench.lay("card/plea", Zone.PLAY, ANNA)
    bench.lay("card/study", Zone.PLAY, ANNA)
    bench.run(turns.begin(bench.game, ANNA))
    assert bench.who(ANNA).extra == (BOOKISH,)
    bench.act("card/plea")
    assert bench.who(ANNA).actions == 2
    bench.act("card/tome")
    assert bench.who(ANNA).actions == 2
    bench.act("card/tome")
    assert bench.who(ANNA).actions == 1


@pytest.mark.rule("C-XACT-3")
def test_which_of_several_additional_actions_an_action_uses_is_chosen() -> None:
    bench = Bench(content_of(players=TOOLS))
    bench.set(ANNA, extra=(BOOKISH, ExtraAction("card/plea")))
    bench.lay("card/tome", Zone.PLAY, ANNA)
    bench.act("card/tome", about("choice/card", "card/plea"))
    assert bench.who(ANNA).extra == (BOOKISH,)
    assert bench.who(ANNA).actions == 3


@pytest.mark.rule("C-DECIDE-39")
def test_an_additional_action_pays_one_of_two_actions() -> None:
    bench = in_front("card/salve")
    bench.tokens_on(bench.own(ANNA), damage=2)
    bench.set(ANNA, actions=1, extra=(ExtraAction("card/plea", ("activate",)),))
    bench.act("card/salve")
    assert (bench.who(ANNA).actions, bench.who(ANNA).extra) == (0, ())


@pytest.mark.rule("C-EX-10", "C-XACT-4", "C-XACT-5")
def test_normal_actions_are_lost_first() -> None:
    bench = Bench(content_of(players=TOOLS))
    bench.set(ANNA, extra=(BOOKISH,))
    source = Source(ANNA, bench.own(ANNA), ANNA)
    bench.run(turns.lose(bench.game, ANNA, 2, source))
    assert (bench.who(ANNA).actions, bench.who(ANNA).extra) == (1, (BOOKISH,))
    bench.run(turns.lose(bench.game, ANNA, 2, source))
    assert (bench.who(ANNA).actions, bench.who(ANNA).extra) == (0, ())


@pytest.mark.rule("C-XACT-6")
def test_the_investigator_chooses_which_additional_actions_are_lost() -> None:
    bench = Bench(content_of(players=TOOLS))
    bench.set(ANNA, actions=0, extra=(BOOKISH, ExtraAction("card/plea")))
    source = Source(ANNA, bench.own(ANNA), ANNA)
    bench.run(turns.lose(bench.game, ANNA, 1, source), about("choice/card", "card/plea"))
    assert bench.who(ANNA).extra == (BOOKISH,)


@pytest.mark.rule("C-DECIDE-38")
def test_actions_lost_outside_the_own_turn_are_lost_in_the_next_one_and_no_more() -> None:
    bench = Bench(content_of(players=TOOLS), (ANNA, BEN))
    source = Source(BEN, bench.own(BEN), BEN)
    bench.lay("card/study", Zone.PLAY, BEN)
    bench.run(turns.lose(bench.game, BEN, 5, source))
    assert bench.who(BEN).actions == 3
    bench.run(turns.begin(bench.game, BEN))
    one = bench.who(BEN)
    assert (one.actions, one.extra, one.actions_lost) == (0, (), 0)


@pytest.mark.rule("C-DECIDE-38", "C-BUPK-1")
def test_actions_lost_after_the_own_turn_are_lost_in_the_next_round() -> None:
    bench = Bench(content_of(players=TOOLS))
    source = Source(ANNA, bench.own(ANNA), ANNA)
    bench.act("choice/end_turn")
    bench.run(turns.lose(bench.game, ANNA, 1, source))
    bench.step(Phase.UPKEEP, 2)
    bench.run(turns.begin(bench.game, ANNA))
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-AOO-6")
def test_an_action_that_an_effect_cannot_give_is_not_lost_later() -> None:
    bench = Bench(content_of(players=TOOLS + CALLING), (ANNA, BEN))
    bench.hand(ANNA, "card/calling")
    bench.act("card/calling")
    one = bench.who(BEN)
    assert (one.actions, one.actions_lost) == (3, 0)


CALLING = """
- id: card/calling
  type: event
  cost: 0
  abilities: [{does: play, effect: [act: {deed: evade, who: others}, resources: 1]}]
"""


# Which actions can be taken


@pytest.mark.rule("C-BTURN-7")
def test_an_action_that_changes_nothing_is_not_offered() -> None:
    alone = "- {id: card/l1, symbol: s1, connects: [], face: {id: card/l1-seen, shroud: 2}}\n"
    bench = Bench(content_of(locations=alone))
    bench.act(...)
    subjects = bench.offered()
    assert "choice/move" not in subjects
    assert "choice/draw" not in subjects
    assert {"choice/resource", "choice/investigate"} <= set(subjects)


@pytest.mark.rule("C-BACT-2", "C-BTURN-7")
def test_a_resource_action_is_answered_as_any_gain() -> None:
    text = """
    - id: card/purse
      type: asset
      cost: 1
      abilities: [{does: reaction, on: {after: resources-gained, who: you}, effect: [draw: {number: 1}]}]
    """  # noqa: E501  # an ability a line
    bench = Bench(content_of(players=TOOLS + text.replace("\n    ", "\n")))
    bench.lay("card/purse", Zone.PLAY, ANNA)
    bench.deck(ANNA, "card/coin")
    bench.act("choice/resource", "card/purse")
    assert bench.in_hand(ANNA) == ["card/coin"]


# Turns


@pytest.mark.rule("C-TIME-4", "C-BABIL-8")
def test_nothing_begins_that_would_last_until_the_end_of_a_turn_that_is_over() -> None:
    """Nor is it played, if it does nothing else."""
    stance = """
- id: card/stance
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    effect:
    - lasting: {until: turn, gives: [skill: {stat: combat, by: 1}]}
    - later: {on: {at: round-ends}, until: turn, do: [resources: 1]}
"""
    rest = stance.replace("stance", "rest").replace(
        "    effect:", "    effect:\n    - end_turn: true"
    )
    bench = Bench(content_of(players=stance + rest))
    bench.hand(ANNA, "card/rest", "card/stance")
    bench.act("card/rest", ...)
    assert bench.game_table.active == ""
    assert (bench.game_table.lasting, bench.game_table.delayed) == ((), ())
    (handle,) = bench.game_table.piles[hand_of(ANNA)]
    assert playing.refusal(bench.game, ANNA, handle) == ("C-BPLAY-13", "nothing")


@pytest.mark.rule("C-TIME-3", "C-TIME-4", "C-EX-41")
def test_the_rest_of_an_ability_is_resolved_though_the_turn_ended_in_it() -> None:
    companion = """
- id: card/scout
  type: asset
  cost: 1
  abilities:
  - does: action
    deed: [investigate]
    cost: [exhaust: {this: true}]
    effect:
    - lasting: {until: turn, gives: [skill: {stat: combat, by: 1}]}
    - may: {do: [move: {to: {choose: {of: {types: [location], where: beside}}}}]}
    - investigate: {base: 4}
"""
    curfew = """
- id: card/l2
  symbol: s2
  connects: [s1, s3]
  face:
    id: card/l2-seen
    shroud: 2
    clues: 1
    abilities: [{does: forced, on: {after: enters, place: {this: true}}, effect: [end_turn: true]}]
"""
    bench = Bench(content_of(players=companion, locations=curfew))
    bench.lay("card/scout", Zone.PLAY, ANNA)
    bench.act("card/scout", "choice/do")
    assert bench.game_table.active == ""
    assert bench.game_table.lasting == ()
    assert bench.at(ANNA) == L2
    assert bench.count(ANNA, Token.CLUE) == 1


SPRINT = """
- id: card/sprint
  type: event
  cost: 0
  keywords: [fast]
  abilities: [{does: play, effect: [lasting: {until: turn, gives: [no_action: move]}]}]
"""


@pytest.mark.rule("C-EX-116", "C-AOO-1")
def test_an_action_that_costs_none_provokes_nothing_and_the_next_one_costs_again() -> None:
    bench = Bench(content_of(enemies=RAT, players=SPRINT))
    bench.engage("card/rat", ANNA)
    bench.hand(ANNA, "card/sprint")
    bench.act("card/sprint")
    bench.act("choice/move")
    assert attacks(bench) == 0
    assert bench.who(ANNA).actions == 3
    bench.act(about("choice/move", "card/l1-seen"))
    assert attacks(bench) == 1
    assert bench.who(ANNA).actions == 2


BURDEN = """
- id: card/burden
  abilities:
  - does: constant
    gives: [additional_cost: {deed: activate, cost: [actions: 1], where: {types: [asset]}}]
"""


@pytest.mark.rule("C-EX-116", "C-BAOO-9", "C-AOO-1")
def test_a_free_ability_that_takes_an_action_provokes() -> None:
    bench = Bench(content_of(enemies=RAT, players=TOOLS, treacheries=BURDEN))
    bench.engage("card/rat", ANNA)
    bench.lay("card/burden", Zone.THREAT, ANNA)
    bench.lay("card/lens", Zone.PLAY, ANNA)
    bench.act("card/lens")
    assert bench.who(ANNA).actions == 2
    assert attacks(bench) == 1


@pytest.mark.rule("C-EX-116", "C-ADD-1", "C-COST-2")
def test_an_ability_whose_additional_cost_cannot_be_paid_is_not_offered() -> None:
    bench = Bench(content_of(enemies=RAT, players=TOOLS, treacheries=BURDEN))
    bench.lay("card/burden", Zone.THREAT, ANNA)
    bench.lay("card/lens", Zone.PLAY, ANNA)
    bench.set(ANNA, actions=0)
    bench.act()
    assert bench.game_table.active == ""


SOUR = """
- id: card/reference
  s1: {by: -9, failure: [{harm: {horror: 1}}]}
  s2: {by: -1}
  s3: {by: 0}
  s4: {by: 0}
"""


@pytest.mark.rule("C-BTEST-22")
def test_whoever_plays_alone_orders_no_miss_that_does_nothing() -> None:
    bench = Bench(content_of(enemies=RAT, references=SOUR))
    bench.engage("card/rat", ANNA)
    bench.bag("s1")
    bench.give_tokens("s1")

    bench.act("choice/fight")

    assert bench.count(ANNA, Token.HORROR) == 1


MARCH = """
- id: card/march
  type: asset
  cost: 1
  abilities: [{does: reaction, on: {after: enters, who: you}, effect: [act: {deed: investigate}]}]
- id: card/glass
  type: asset
  cost: 1
  abilities: [{does: action, deed: [investigate], effect: [investigate: {plus: 1}]}]
"""


@pytest.mark.rule("C-EX-52", "C-DESIG-3", "C-AOO-6")
def test_an_investigate_action_by_an_effect_is_taken_in_any_way_and_provokes() -> None:
    bench = Bench(content_of(enemies=RAT, players=MARCH))
    for code in ("card/march", "card/glass"):
        bench.lay(code, Zone.PLAY, ANNA)
    bench.engage("card/rat", ANNA)
    bench.act("choice/move", "card/march", ...)
    # One attack of opportunity for the move so far.
    assert (attacks(bench), bench.at(ANNA)) == (1, L2)
    assert bench.offered() == ["choice/investigate", "choice/use_to"]

    bench = Bench(content_of(enemies=RAT, players=MARCH))
    for code in ("card/march", "card/glass"):
        bench.lay(code, Zone.PLAY, ANNA)
    bench.engage("card/rat", ANNA)
    bench.act("choice/move", "card/march", "card/glass")
    assert (attacks(bench), bench.who(ANNA).actions) == (2, 2)


@pytest.mark.rule("C-DESIG-3", "C-COST-5")
def test_a_fight_action_by_an_effect_is_taken_by_a_copy_of_a_fight_event_too() -> None:
    players = """
- id: card/hurry
  type: asset
  cost: 1
  abilities: [{does: free, limit: {per: round, times: 2}, effect: [act: {deed: fight}]}]
- {id: card/memory, type: event, copy_of: {types: [event]}}
- {id: card/gift, type: event, cost: 0, abilities: [{does: play, effect: [{resources: 3}]}]}
- id: card/strike
  type: event
  cost: 1
  abilities: [{does: play, deed: [fight], effect: [fight: {damage: 2}]}]
"""
    bench = Bench(content_of(players=players, enemies=RAT))
    bench.engage("card/rat", ANNA)
    bench.lay("card/hurry", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/memory")
    bench.lay("card/gift", Zone.DISCARD, ANNA)
    bench.act("card/hurry", ...)
    assert bench.choices("choice/") == ["card/rat"]

    bench.lay("card/strike", Zone.DISCARD, ANNA)
    # Nobody asks of which event it is a copy: the other one there is no Fight.
    bench.act("card/hurry", "card/memory")
    assert bench.count("card/rat", Token.DAMAGE) == 3
    assert bench.discarded(ANNA) == ["card/gift", "card/strike", "card/memory"]


# Attacks that a choice would provoke, as they are told


def provoking(bench: Bench) -> list[str]:
    """Return the subjects of the choices, or the cards, that are marked as provoking attacks."""
    assert bench.open is not None
    return [
        option.text.subject if option.text.subject in PLAIN else named(option)
        for prompt in bench.open.prompts.values()
        for option in prompt.options
        if option.group == outcomes.PROVOKES
    ]


PLAIN = ("choice/draw", "choice/resource", "choice/move", "choice/investigate")


@pytest.mark.rule("C-BAOO-1", "C-BAOO-8")
def test_choices_say_that_they_provoke_attacks() -> None:
    bench = in_front("card/club", "card/plea", "card/tome")
    bench.hand(ANNA, "card/lunge", "card/knife")
    bench.act(...)
    assert provoking(bench) == [
        "choice/draw",
        "choice/resource",
        "card/tome",
        "card/knife",
        *PLAIN[2:],
    ]


@pytest.mark.rule("C-BENEMY-5")
def test_no_choice_provokes_an_exhausted_enemy() -> None:
    bench = in_front("card/tome", exhausted=True)
    bench.act(...)
    assert provoking(bench) == []

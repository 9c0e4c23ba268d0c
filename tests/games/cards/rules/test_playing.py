"""Playing cards. Section 2.14."""

import pytest

from content.games.cards.schema.kinds import Slot
from protocol.games.cards.table import hand_of
from protocol.games.cards.words import Phase, Skill, Token, Zone
from server.games.cards.rules import playing, values
from server.games.cards.rules.play import Use
from tests.games.cards.rules.bench import Bench, about
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

RAT = "- {id: card/rat, fight: 3, health: 3, evade: 3, damage: 1}"


@pytest.mark.rule("C-EX-61", "C-COST-3", "C-COST-4")
def test_a_card_with_a_dash_is_not_played_but_can_be_put_into_play() -> None:
    players = """
- {id: card/relic, type: asset}
- id: card/unearth
  type: event
  cost: 1
  abilities: [{does: play, effect: [{into_play: {from_hand: {types: [asset]}}}]}]
"""
    bench = Bench(content_of(players=players))
    bench.hand(ANNA, "card/relic", "card/unearth")
    bench.tokens_on(bench.own(ANNA), resource=2)
    assert bench.can_use() == ["card/unearth"]

    bench.act("card/unearth", "card/relic")
    assert bench.card("card/relic").at.zone is Zone.PLAY
    assert bench.count(ANNA, Token.RESOURCE) == 1


COPIES = """
- {id: card/memory, type: event, icons: [], copy_of: {types: [event]}}
- {id: card/encore, type: event, keywords: [fast], copy_of: {cost_at_most: 1}}
- {id: card/hoard, type: event, cost: 2, abilities: [{does: play, effect: [{draw: 1}]}]}
- {id: card/gift, type: event, cost: 0, abilities: [{does: play, effect: [{resources: 3}]}]}
- id: card/trap
  type: event
  cost: 0
  attached_to: {types: [location], where: here}
  abilities: [{does: play, effect: [{resources: 9}]}]
- id: card/parry
  type: event
  cost: 0
  keywords: [fast]
  abilities: [{does: play, on: {when: attacks, who: you}, effect: [{cancel: true}]}]
- id: card/once
  type: event
  cost: 0
  abilities: [{does: play, limit: {per: round, is_max: true}, effect: [{resources: 1}]}]
- id: card/aim
  type: event
  cost: 1
  abilities:
  - does: play
    effect: [{lasting: {until: round, gives: [{skill: {stat: combat, by: 2}}]}}]
"""
"""Events, and two that are played as copies of events."""


def with_copies(hand: str, *discarded: str) -> Bench:
    """Return a bench with one card in hand, others in the discard pile, and 2 resources."""
    bench = Bench(content_of(players=COPIES))
    bench.deck(ANNA, "card/gift")
    bench.hand(ANNA, hand)
    for code in discarded:
        bench.lay(code, Zone.DISCARD, ANNA)
    bench.tokens_on(bench.own(ANNA), resource=2)
    return bench


@pytest.mark.rule("C-EX-61", "C-COST-5")
def test_a_card_that_is_played_as_a_copy_costs_what_the_copied_one_costs() -> None:
    bench = with_copies("card/memory", "card/hoard")
    bench.act("card/memory")
    assert bench.count(ANNA, Token.RESOURCE) == 0
    assert bench.in_hand(ANNA) == ["card/gift"]
    assert bench.discarded(ANNA) == ["card/hoard", "card/memory"]


@pytest.mark.rule("C-COST-5", "C-COST-2")
def test_nothing_is_copied_that_could_not_be_paid() -> None:
    bench = with_copies("card/memory", "card/hoard")
    bench.tokens_on(bench.own(ANNA), resource=1)
    assert bench.can_use() == []


@pytest.mark.rule("C-COST-5", "C-COST-3")
@pytest.mark.parametrize("copied", ["card/memory", "card/trap", "card/parry"])
def test_a_dash_what_stays_and_what_has_a_moment_are_not_copied(copied: str) -> None:
    """Nothing that a copy of them would leave behind has their text."""
    assert with_copies("card/memory", copied).can_use() == []


@pytest.mark.rule("C-COST-5")
def test_the_investigator_chooses_among_the_events_that_fit() -> None:
    bench = with_copies("card/encore", "card/hoard", "card/gift", "card/aim", "card/gift")
    bench.act("card/encore", about("choice/card", "card/gift"), ...)
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-COST-5", "C-BPLAY-5")
def test_a_copy_is_fast_as_the_card_in_hand_says() -> None:
    bench = with_copies("card/encore", "card/gift")
    bench.act("card/encore", ...)
    assert bench.who(ANNA).actions == 3

    bench = with_copies("card/memory", "card/gift")
    bench.act("card/memory")
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-COST-5", "C-BABIL-17")
def test_a_maximum_of_the_copied_card_counts_the_copy() -> None:
    bench = with_copies("card/memory", "card/once")
    bench.act("card/memory")
    bench.hand(ANNA, "card/once", "card/memory")
    assert bench.can_use() == []


@pytest.mark.rule("C-COST-5", "C-BABIL-20")
def test_what_a_copy_gives_lasts() -> None:
    bench = with_copies("card/memory", "card/aim")
    bench.act("card/memory")
    assert values.skill(bench.game, ANNA, Skill.COMBAT) == 5


@pytest.mark.rule("C-BPLAY-27", "C-BPLAY-18", "C-EX-127")
def test_a_cost_is_modified_and_never_below_0() -> None:
    players = """
- {id: card/tool, type: asset, cost: 1}
- id: card/patron
  type: asset
  cost: 3
  abilities: [{does: constant, gives: [{cost: {of: {types: [asset]}, by: -2}}]}]
"""
    bench = Bench(content_of(players=players))
    bench.lay("card/patron", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/tool")
    bench.act("card/tool")
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-BPLAY-27")
@pytest.mark.parametrize(("who", "card", "left"), [(BEN, "tool", 4), (ANNA, "note", 4)])
def test_what_lowers_a_cost_does_so_for_its_controller_and_the_cards_it_names(
    who: str, card: str, left: int
) -> None:
    players = """
- {id: card/tool, type: asset, cost: 1}
- {id: card/note, type: event, cost: 1, abilities: [{does: play, effect: [{draw: {number: 1}}]}]}
- id: card/patron
  type: asset
  cost: 3
  abilities: [{does: constant, gives: [{cost: {of: {types: [asset]}, by: -1}}]}]
"""
    bench = Bench(content_of(players=players), (ANNA, BEN))
    bench.lay("card/patron", Zone.PLAY, ANNA)
    bench.deck(who, "card/patron")
    bench.hand(who, f"card/{card}")
    bench.set_active(who)
    bench.act(f"card/{card}")
    assert bench.count(who, Token.RESOURCE) == left


@pytest.mark.rule("C-BPLAY-28", "C-BPLAY-29", "C-BPLAY-30", "C-BPLAY-1", "C-BZONE-24")
def test_a_card_is_paid_then_attacks_come_then_it_resolves() -> None:
    players = """
- id: card/hoard
  type: event
  cost: 2
  abilities: [{does: play, effect: [{resources: 4}]}]
- id: card/salve
  type: asset
  cost: 0
  abilities: [{does: reaction, on: {after: harm-placed, who: you}, effect: [{heal: {damage: 1}}]}]
"""
    bench = Bench(content_of(players=players, enemies=RAT))
    bench.engage("card/rat", ANNA)
    bench.lay("card/salve", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/hoard")
    bench.act("card/hoard", ...)
    # The attack is under way: the cost is paid, and the card is nowhere else.
    assert bench.count(ANNA, Token.RESOURCE) == 3
    assert bench.count(ANNA, Token.DAMAGE) == 1
    assert bench.card("card/hoard").at.zone is Zone.RESOLVING
    assert bench.in_hand(ANNA) == []


@pytest.mark.rule("C-BPLAY-3", "C-BPLAY-30")
def test_an_event_is_resolved_and_then_discarded() -> None:
    players = """
- id: card/hoard
  type: event
  cost: 2
  abilities: [{does: play, effect: [{resources: 4}]}]
"""
    bench = Bench(content_of(players=players))
    bench.hand(ANNA, "card/hoard")
    bench.act("card/hoard")
    assert bench.count(ANNA, Token.RESOURCE) == 7
    assert bench.discarded(ANNA) == ["card/hoard"]
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-BPLAY-14", "C-BABIL-15", "C-BABIL-17")
def test_a_cancelled_event_is_paid_for_counted_and_discarded() -> None:
    players = """
- id: card/hoard
  type: event
  cost: 2
  abilities: [{does: play, limit: {per: round, is_max: true}, effect: [{resources: 4}]}]
"""
    treacheries = """
- id: card/hush
  abilities:
  - {does: forced, on: {when: card-played, who: you}, effect: [{cancel: true}, {discard: this}]}
"""
    bench = Bench(content_of(players=players, treacheries=treacheries))
    bench.lay("card/hush", Zone.THREAT, ANNA)
    bench.hand(ANNA, "card/hoard", "card/hoard")
    bench.act(bench.game_table.piles[hand_of(ANNA)][0])
    assert bench.count(ANNA, Token.RESOURCE) == 3
    assert bench.discarded(ANNA) == ["card/hoard"]
    # "Max 1 per round" counts the cancelled one.
    assert bench.can_use() == []


@pytest.mark.rule("C-BPLAY-4")
def test_a_skill_card_is_not_played() -> None:
    bench = Bench(content_of(players="- {id: card/knack, type: skill, icons: [wild]}"))
    bench.hand(ANNA, "card/knack")
    assert bench.can_use() == []


FAST = """
- {id: card/knife, type: asset, cost: 1, keywords: [fast]}
- id: card/cheer
  type: event
  cost: 1
  keywords: [fast]
  abilities: [{does: play, effect: [{resources: 2}]}]
"""


@pytest.mark.rule("C-BPLAY-5", "C-BPLAY-6", "C-BPLAY-7")
def test_a_fast_card_costs_no_action_and_a_fast_asset_is_for_the_own_turn() -> None:
    bench = Bench(content_of(players=FAST), (ANNA, BEN))
    bench.hand(ANNA, "card/knife", "card/cheer")
    bench.act({0: "card/knife"})
    assert bench.who(ANNA).actions == 3
    assert bench.card("card/knife").at.zone is Zone.PLAY

    bench.hand(ANNA, "card/knife", "card/cheer")
    bench.set_active(BEN)
    assert bench.can_use() == ["card/cheer"]


@pytest.mark.rule("C-BPLAY-17", "C-EX-127")
def test_play_only_during_your_turn_is_kept() -> None:
    players = FAST.replace(
        "keywords: [fast]\n  abilities",
        ("keywords: [fast]\n  permitted: {your_turn: true}\n  abilities"),
    )
    bench = Bench(content_of(players=players), (ANNA, BEN))
    bench.hand(ANNA, "card/cheer")
    assert bench.can_use() == ["card/cheer"]
    bench.set_active(BEN)
    assert bench.can_use() == []


@pytest.mark.rule("C-BPLAY-13", "C-BABIL-8", "C-EX-127")
def test_a_healing_event_with_nothing_to_heal_is_not_offered() -> None:
    players = """
- id: card/balm
  type: event
  cost: 1
  abilities: [{does: play, effect: [{heal: {damage: 1}}]}]
"""
    bench = Bench(content_of(players=players))
    bench.hand(ANNA, "card/balm")
    assert bench.can_use() == []
    bench.tokens_on(bench.own(ANNA), damage=1)
    assert bench.can_use() == ["card/balm"]


@pytest.mark.rule("C-BPLAY-13", "C-BABIL-22")
def test_an_event_whose_choice_finds_only_what_nothing_is_done_with_is_not_offered() -> None:
    players = """
- id: card/gift
  type: event
  cost: 0
  abilities: [{does: play, effect: [{choose: {who: others}}, {resources: {number: 1, who: they}}]}]
- id: card/soothe
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - choose: {card: {choose: {of: {types: [investigator]}}}}
    - heal: {damage: 1, card: they}
"""
    bench = Bench(content_of(players=players))
    bench.hand(ANNA, "card/gift", "card/soothe")
    assert bench.can_use() == []
    bench.tokens_on(bench.own(ANNA), damage=1)
    assert bench.can_use() == ["card/soothe"]

    bench = Bench(content_of(players=players), (ANNA, BEN))
    bench.hand(ANNA, "card/gift", "card/soothe")
    assert bench.can_use() == ["card/gift"]


LAMP = """
- id: card/lamp
  type: asset
  cost: 1
  uses: {kind: oil, number: 3}
  abilities:
  - {does: constant, gives: [{skill: {stat: intellect, by: 1}}]}
  - {does: free, cost: [{uses: {kind: oil}}], effect: [{resources: 1}]}
- id: card/spark
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - put: {token: charge, number: 1, card: {each: {types: [asset]}}}
    - resources: 1
"""


@pytest.mark.rule("C-BPLAY-11", "C-BPLAY-12", "C-BPLAY-26", "C-EX-127")
def test_uses_are_put_on_a_card_as_it_enters_and_it_stays_without_them() -> None:
    bench = Bench(content_of(players=LAMP))
    bench.hand(ANNA, "card/lamp")
    bench.act("card/lamp")
    assert bench.card("card/lamp").tokens == {"oil": 3}
    for _ in range(3):
        bench.act("card/lamp")
    assert bench.card("card/lamp").at.zone is Zone.PLAY
    assert bench.can_use() == []


@pytest.mark.rule("C-BPLAY-19", "C-EX-127")
def test_a_card_holds_uses_of_its_own_kind_alone() -> None:
    bench = Bench(content_of(players=LAMP))
    bench.lay("card/lamp", Zone.PLAY, ANNA, tokens={"oil": 1})
    bench.hand(ANNA, "card/spark")
    bench.act("card/spark")
    assert bench.card("card/lamp").tokens == {"oil": 1}


@pytest.mark.rule("C-BPLAY-20", "C-EX-127")
def test_the_constant_ability_of_an_exhausted_card_is_in_force() -> None:
    bench = Bench(content_of(players=LAMP))
    bench.lay("card/lamp", Zone.PLAY, ANNA, is_exhausted=True)
    bench.set(ANNA, location=bench.piece("card/l1"))
    bench.bag("-2")
    bench.tokens_on(bench.piece("card/l1"), clue=1)
    # 3 + 1 - 2 against a shroud of 2.
    bench.act("choice/investigate")
    assert bench.count(ANNA, Token.CLUE) == 1


@pytest.mark.rule("C-BPLAY-16", "C-EX-127", "C-BZONE-11", "C-BZONE-12")
def test_an_attached_event_stays_and_goes_to_its_owner_with_its_host() -> None:
    players = """
- id: card/snare
  type: event
  cost: 1
  attached_to: {types: [enemy], where: here}
  abilities: [{does: play}]
- id: card/bolt
  type: event
  cost: 0
  abilities: [{does: play, effect: [{damage: {card: {choose: {of: {types: [enemy]}}}, number: 3}}]}]
"""
    bench = Bench(content_of(players=players, enemies=RAT))
    bench.lay("card/rat", Zone.AT, bench.piece("card/l1"))
    bench.hand(ANNA, "card/snare", "card/bolt")
    bench.act("card/snare")
    assert bench.card("card/snare").at.zone is Zone.ON
    bench.act("card/bolt")
    assert bench.discarded("encounter") == ["card/rat"]
    assert sorted(bench.discarded(ANNA)) == ["card/bolt", "card/snare"]


@pytest.mark.rule("C-BABIL-2", "C-BPLAY-23")
def test_you_cannot_play_what_a_card_forbids() -> None:
    treacheries = """
- id: card/numb
  abilities: [{does: constant, gives: [{cannot: {do: play, of: you, card: {types: [asset]}}}]}]
"""
    bench = Bench(content_of(players=FAST, treacheries=treacheries))
    bench.lay("card/numb", Zone.THREAT, ANNA)
    bench.hand(ANNA, "card/knife", "card/cheer")
    assert bench.can_use() == ["card/cheer"]


@pytest.mark.rule("C-BPLAY-9", "C-LIM-4", "C-LIM-2", "C-LIM-1", "C-LIM-3", "C-LIM-5")
@pytest.mark.parametrize(("group", "offered"), [("false", ["card/amulet"]), ("true", [])])
def test_a_limit_in_play_holds_for_each_investigator_or_for_the_group(
    group: str, offered: list[str]
) -> None:
    players = f"""
- id: card/amulet
  type: asset
  cost: 1
  limits: [{{zone: play, most: 1, group: {group}}}]
"""
    bench = Bench(content_of(players=players), (ANNA, BEN))
    bench.lay("card/amulet", Zone.PLAY, BEN)
    bench.hand(ANNA, "card/amulet")
    assert bench.can_use() == offered
    bench.lay("card/amulet", Zone.PLAY, ANNA)
    assert bench.can_use() == []


@pytest.mark.rule("C-LIM-1", "C-BZONE-22")
def test_copies_are_cards_of_one_title() -> None:
    players = """
- {id: card/amulet, type: asset, cost: 1, level: 0, limits: [{zone: play}]}
- {id: card/amulet-2, title: card/amulet, type: asset, cost: 1, level: 2, limits: [{zone: play}]}
"""
    bench = Bench(content_of(players=players))
    bench.hand(ANNA, "card/amulet-2")
    assert bench.can_use() == ["card/amulet-2"]
    bench.lay("card/amulet", Zone.PLAY, ANNA)
    assert bench.can_use() == []


@pytest.mark.rule("C-BZONE-15")
def test_a_unique_card_is_not_played_while_a_copy_is_in_play() -> None:
    players = "- {id: card/mara, type: asset, cost: 1, unique: true}"
    bench = Bench(content_of(players=players), (ANNA, BEN))
    bench.hand(ANNA, "card/mara")
    bench.lay("card/mara", Zone.PLAY, BEN)
    assert bench.can_use() == []
    assert bench.game_table.phase is Phase.INVESTIGATION


@pytest.mark.rule("C-BPLAY-1", "C-BPLAY-13")
def test_an_event_that_plays_an_event_does_not_count_its_own_copies() -> None:
    bench = Bench(
        content_of(
            players="""
- id: card/encore
  type: event
  cost: 0
  abilities: [{does: play, effect: [{play: {of: {types: [event]}}}]}]
- {id: card/coin, type: event, cost: 0, abilities: [{does: play, effect: [{resources: 1}]}]}
"""
        )
    )
    bench.hand(ANNA, "card/encore", "card/encore")
    assert bench.can_use() == []
    bench.hand(ANNA, "card/encore", "card/encore", "card/coin")
    assert bench.can_use() == ["card/encore", "card/encore", "card/coin"]


STRAP = """
- id: card/strap
  type: asset
  cost: 0
  abilities: [{does: constant, gives: [{slot: {slot: hand, number: 2}}]}]
- id: card/net
  type: event
  cost: 0
  abilities: [{does: play, effect: [{exhaust: {choose: {of: {types: [enemy]}}}}]}]
- id: card/glean
  type: event
  cost: 0
  abilities: [{does: play, effect: [{times: {number: {n: 1, per: hand}, do: [{draw: 1}]}}]}]
"""


@pytest.mark.rule("C-BPLAY-8", "C-BPLAY-9")
def test_slots_that_a_card_adds_are_those_of_who_controls_it() -> None:
    bench = Bench(content_of(players=STRAP), (ANNA, BEN))
    piece = bench.lay("card/strap", Zone.PLAY, ANNA)
    has = [values.slots(bench.game, who)[Slot.HAND] for who in (ANNA, BEN)]
    assert has == [4, 2]
    assert values.slots(bench.game, ANNA, (piece,))[Slot.HAND] == 2


@pytest.mark.rule("C-BABIL-22")
def test_an_event_that_needs_a_target_is_not_played_without_one() -> None:
    bench = Bench(content_of(players=STRAP, enemies=RAT))
    bench.hand(ANNA, "card/net")
    assert bench.can_use() == []
    bench.engage("card/rat", ANNA)
    assert bench.can_use() == ["card/net"]


ONE_ENEMY = "{choose: {of: {types: [enemy], where: here}}}"
ONE_PLACE = "{choose: {of: {types: [location], where: beside, revealed: true}}}"


@pytest.mark.rule("C-BABIL-22", "C-BPLAY-13")
@pytest.mark.parametrize(
    "step",
    [
        f"disengage: {ONE_ENEMY}",
        f"move_enemy: {{card: {ONE_ENEMY}, to: {{each: {{id: card/l2}}}}}}",
        f"attack: {{card: {ONE_ENEMY}}}",
        f"send: {{to: nowhere, card: {ONE_ENEMY}}}",
        f"to_threat: {{card: {ONE_ENEMY}}}",
        f"attach: {{to: {ONE_ENEMY}}}",
        f"doom: {{card: {ONE_ENEMY}}}",
        f"choose: {{card: {ONE_ENEMY}}}",
        f"fight: {{card: {ONE_ENEMY}}}",
        f"flip: {ONE_PLACE}",
        f"take_out: {{card: {ONE_PLACE}}}",
        "reveal_location: {choose: {of: {types: [location], revealed: false, where: here}}}",
        "encounter: {revelation_of: {topmost: {types: [treachery]}}}",
        "spawn: {id: card/rat}",
        "spawn: {discarded: {types: [enemy]}}",
    ],
)
def test_nothing_is_played_for_a_choice_of_which_nothing_is_there(step: str) -> None:
    players = f"""
- id: card/whim
  type: event
  cost: 0
  abilities: [{{does: play, effect: [{{{step}}}]}}]
"""
    bench = Bench(content_of(players=players, enemies=RAT))
    bench.hand(ANNA, "card/whim")
    assert bench.can_use() == []


@pytest.mark.rule("C-PERM-1", "C-BABIL-22")
def test_a_permanent_card_is_not_chosen_to_be_discarded() -> None:
    players = """
- {id: card/oath, type: asset, cost: 0, keywords: [permanent]}
- {id: card/cup, type: asset, cost: 0}
- id: card/clear
  type: event
  cost: 0
  abilities: [{does: play, effect: [{discard: {choose: {of: {types: [asset], yours: true}}}}]}]
"""
    bench = Bench(content_of(players=players))
    bench.hand(ANNA, "card/clear")
    bench.lay("card/oath", Zone.PLAY, ANNA)
    assert bench.can_use() == []
    # Nobody is asked where one card alone can be discarded.
    bench.lay("card/cup", Zone.PLAY, ANNA)
    bench.act("card/clear")
    assert bench.discarded(ANNA) == ["card/cup", "card/clear"]


@pytest.mark.rule("C-BABIL-33")
def test_how_often_something_is_done_is_counted_once_at_the_beginning() -> None:
    bench = Bench(content_of(players=STRAP))
    bench.deck(ANNA, *["card/strap"] * 6)
    bench.hand(ANNA, "card/glean", "card/strap", "card/strap")
    bench.act("card/glean")
    assert bench.in_hand(ANNA) == ["card/strap"] * 4


@pytest.mark.rule("C-REACT-4", "C-COST-2")
@pytest.mark.parametrize(("resources", "is_offered"), [(2, False), (3, True)])
def test_an_event_is_no_answer_for_whoever_cannot_pay_it(resources: int, is_offered: bool) -> None:
    cry = """
- id: card/cry
  type: event
  cost: 3
  abilities:
  - {does: play, on: {after: defeated, by: you, card: {types: [enemy]}}, effect: [{draw: 1}]}
- {id: card/quick, type: asset, cost: 3, keywords: [fast]}
"""
    bench = Bench(content_of(players=cry))
    bench.hand(ANNA, "card/cry", "card/quick")
    bench.deck(ANNA, "card/quick")
    bench.tokens_on(bench.own(ANNA), resource=resources)
    for handle in bench.game_table.piles[hand_of(ANNA)]:
        code = bench.game_table.card_of(handle)
        use = Use(ANNA, code, "", 0 if code == "card/cry" else -1, handle)
        assert playing.can_play_event(bench.game, use) is is_offered

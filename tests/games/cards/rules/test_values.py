"""Values: modifiers, keywords, blank text boxes, "cannot". Sections 1.21 and 2.15, C-EX-128."""

import pytest

from content.games.cards.schema.kinds import CardClass, Keyword, Stat
from content.games.cards.schema.targets import Filter
from protocol.games.cards.events import Used
from protocol.games.cards.table import hand_of
from protocol.games.cards.words import Phase, Skill, Token, Zone
from server.games.cards.rules import rounds, targets, turns, values, zones
from server.games.cards.rules.play import Source
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

RAT = """
- id: card/rat
  fight: 3
  health: 3
  evade: 3
  damage: 1
  traits: [beast]
  keywords: [hunter]
  abilities: [{does: constant, gives: [{skill: {stat: combat, of: each, by: -1}}]}]
"""


def giving(*gives: str) -> str:
    """Return assets of which each gives one thing."""
    return "".join(
        f"""
- id: card/a{n}
  type: asset
  cost: 0
  abilities: [{{does: constant, gives: [{one}]}}]
"""
        for n, one in enumerate(gives)
    )


def table(*gives: str, enemies: str = RAT, treacheries: str = "") -> Bench:
    """Return A with a rat, and assets in play that give something."""
    content = content_of(players=giving(*gives), enemies=enemies, treacheries=treacheries)
    bench = Bench(content, (ANNA, BEN))
    bench.engage("card/rat", ANNA)
    for n in range(len(gives)):
        bench.lay(f"card/a{n}", Zone.PLAY, ANNA)
    return bench


def fight(bench: Bench) -> int | None:
    """Return the fight value of the rat."""
    return values.stat(bench.game, bench.card("card/rat"), Stat.FIGHT)


def change(by: str) -> str:
    """Return a modifier of the fight value of enemies."""
    return f"{{stat: {{of: {{types: [enemy]}}, stat: fight, {by}}}}}"


@pytest.mark.rule("C-BABIL-18", "C-BABIL-19", "C-EX-128")
@pytest.mark.parametrize(
    ("changes", "worth"),
    [
        (("how: double", "by: 2", "how: halve", "by: -1"), 4),
        (("how: halve",), 2),
        (("by: 2", "{by: 5, how: set}"), 7),
        (("by: 1", "how: double"), 8),
        (("by: -9",), 0),
    ],
)
def test_values_are_set_then_added_to_then_doubled_and_halved(
    changes: tuple[str, ...], worth: int
) -> None:
    bench = table(*(change(one.strip("{}")) for one in changes))
    assert fight(bench) == worth


@pytest.mark.rule("C-BABIL-29", "C-EX-128")
def test_an_attack_with_less_than_no_damage_deals_none() -> None:
    bench = table("{stat: {of: {types: [enemy]}, stat: damage, by: -2}}")
    bench.act("choice/resource")
    assert bench.count(ANNA, Token.DAMAGE) == 0


@pytest.mark.rule("C-BABIL-3", "C-EX-128")
def test_the_encounter_card_prevails_where_both_set_a_value() -> None:
    treacheries = """
- id: card/veil
  abilities:
  - {does: constant, gives: [{stat: {of: {types: [enemy]}, stat: fight, by: 4, how: set}}]}
"""
    bench = table(change("by: 2, how: set"), treacheries=treacheries)
    assert fight(bench) == 2
    bench = Bench(
        content_of(players=giving(change("by: 2, how: set")), enemies=RAT, treacheries=treacheries)
    )
    bench.engage("card/rat", ANNA)
    bench.lay("card/veil", Zone.THREAT, ANNA)
    bench.lay("card/a0", Zone.PLAY, ANNA)
    assert fight(bench) == 4


@pytest.mark.rule("C-BZONE-29")
def test_non_x_is_without_the_trait_x() -> None:
    bench = table()
    rat, source = bench.card("card/rat"), Source("", "", ANNA)
    fitting = [
        targets.fits(bench.game, rat, Filter(without=(trait,)), source)
        for trait in ("beast", "ghost")
    ]
    assert fitting == [False, True]


@pytest.mark.rule("C-BABIL-26", "C-BABIL-38", "C-BZONE-21", "C-EX-128")
def test_a_blank_card_has_no_abilities_and_no_keywords_but_traits_and_values() -> None:
    bench = table("{blank: {types: [enemy]}}", change("by: 1"))
    rat, source = bench.card("card/rat"), Source("", "", ANNA)
    assert not targets.fits(bench.game, rat, Filter(without=("beast",)), source)
    assert not values.has_keyword(bench.game, rat, Keyword.HUNTER)
    assert values.traits(bench.game, rat) == {"beast"}
    assert fight(bench) == 4
    assert values.skill(bench.game, ANNA, Stat.COMBAT) == 3


@pytest.mark.rule("C-BABIL-26")
def test_a_blank_that_looks_at_traits_and_keywords_ends() -> None:
    bench = table(
        "{blank: {keyword: hunter}}",
        "{trait: {of: {traits: [beast]}, trait: monster}}",
    )
    rat = bench.card("card/rat")
    assert values.is_blank(bench.game, rat)
    assert values.traits(bench.game, rat) == {"beast", "monster"}


@pytest.mark.rule("C-BABIL-27", "C-EX-128")
def test_a_keyword_gained_and_lost_is_lost() -> None:
    gains = "{keyword: {of: {types: [enemy]}, keyword: retaliate}}"
    bench = table(gains)
    assert values.has_keyword(bench.game, bench.card("card/rat"), Keyword.RETALIATE)
    bench = table(gains, "{keyword: {of: {types: [enemy]}, keyword: retaliate, loses: true}}")
    assert not values.has_keyword(bench.game, bench.card("card/rat"), Keyword.RETALIATE)


@pytest.mark.rule("C-BABIL-39", "C-EX-128")
def test_a_keyword_that_a_card_has_twice_works_once() -> None:
    bench = table(
        "{keyword: {of: {types: [enemy]}, keyword: retaliate}}",
        "{keyword: {of: {types: [enemy]}, keyword: retaliate}}",
    )
    bench.bag("-4")
    bench.act("choice/fight")
    assert bench.count(ANNA, Token.DAMAGE) == 1


CURSE = """
- id: card/jinx
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - lasting:
        until: round
        card: {choose: {of: {id: card/rat}}}
        gives: [{stat: {of: {types: [enemy]}, stat: fight, by: -1}}]
    - {resources: 1}
"""


@pytest.mark.rule("C-BABIL-20", "C-BZONE-27", "C-BZONE-28", "C-EX-128")
def test_a_lasting_effect_holds_for_what_was_fixed_and_for_nothing_else() -> None:
    bench = Bench(content_of(players=CURSE, enemies=RAT))
    bench.engage("card/rat", ANNA)
    bench.hand(ANNA, "card/jinx")
    bench.act("card/jinx")
    assert fight(bench) == 2
    first = bench.piece("card/rat")
    second = bench.engage("card/rat", ANNA)
    assert values.stat(bench.game, bench.game_table.cards[second], Stat.FIGHT) == 3

    bench.run(zones.discard(bench.game, (first,)))
    assert values.stat(bench.game, bench.game_table.cards[second], Stat.FIGHT) == 3


@pytest.mark.rule("C-EX-128", "C-BROUND-5", "C-BABIL-20")
def test_all_that_lasts_for_the_round_ends_with_it_and_no_sooner() -> None:
    bench = Bench(content_of(players=CURSE, enemies=RAT))
    bench.engage("card/rat", ANNA, is_exhausted=True)
    bench.hand(ANNA, "card/jinx", "card/jinx")
    for _ in range(2):
        bench.act(bench.game_table.piles[hand_of(ANNA)][0])
    assert (fight(bench), bench.discarded(ANNA)) == (1, ["card/jinx"] * 2)
    bench.act("choice/end_turn")
    while bench.game_table.phase is not Phase.MYTHOS:
        assert fight(bench) == 1
        bench.run(rounds.step(bench.game))
    assert fight(bench) == 3


@pytest.mark.rule("C-BABIL-20")
def test_a_lasting_effect_on_nothing_holds_for_nothing() -> None:
    each = CURSE.replace("choose: {of: {id: card/rat}}", "each: {id: card/rat}")
    bench = Bench(content_of(players=each, enemies=RAT))
    bench.hand(ANNA, "card/jinx")
    bench.act("card/jinx")
    bench.engage("card/rat", ANNA)
    assert fight(bench) == 3


@pytest.mark.rule("C-BABIL-2", "C-DECIDE-47")
def test_what_cannot_be_done_is_not_done_whatever_else_allows_it() -> None:
    treacheries = """
- id: card/drought
  abilities: [{does: constant, gives: [{cannot: {do: gain-resources, of: you}}]}]
"""
    bench = Bench(content_of(treacheries=treacheries), (ANNA, BEN))
    bench.lay("card/drought", Zone.THREAT, ANNA)
    bench.act("choice/resource")
    assert bench.count(ANNA, Token.RESOURCE) == 5


# Healing

HEALERS = """
- {id: card/friend, type: asset, cost: 0, sanity: 2}
- id: card/tea
  type: asset
  cost: 0
  abilities: [{does: free, effect: [{heal: {horror: 1}}]}]
- id: card/song
  type: asset
  cost: 0
  abilities:
  - does: free
    effect:
    - heal:
        horror: 1
        card: {choose: {of: {types: [investigator, asset], where: here, holds: horror}}}
"""


@pytest.mark.rule("C-EX-32", "C-HEAL-1", "C-HEAL-2")
def test_healing_without_a_target_heals_the_one_who_uses_it() -> None:
    bench = Bench(content_of(players=HEALERS), (ANNA, BEN))
    for code in ("card/friend", "card/tea", "card/song"):
        bench.lay(code, Zone.PLAY, ANNA)
    for piece in (bench.own(ANNA), bench.own(BEN), bench.piece("card/friend")):
        bench.tokens_on(piece, horror=1)
    bench.act("card/song", ...)
    assert len(bench.offered()) == 3

    bench.act("card/tea")
    assert [bench.count(one, Token.HORROR) for one in (ANNA, BEN, "card/friend")] == [0, 1, 1]


NURSE = """
- id: card/nurse
  type: asset
  cost: 0
  abilities:
  - does: reaction
    on: {after: healed, cause: {yours: true}, token: horror}
    effect: [{resources: 1}]
- id: card/tea
  type: asset
  cost: 0
  abilities: [{does: free, effect: [{heal: {horror: 1}}]}]
"""


@pytest.mark.rule("C-EX-55", "C-YOU-9", "C-YOU-10")
def test_a_card_that_another_controls_is_not_a_card_of_its_owner() -> None:
    bench = Bench(content_of(players=NURSE), (ANNA, BEN))
    bench.lay("card/nurse", Zone.PLAY, ANNA)
    bench.lay("card/tea", Zone.PLAY, BEN, owner=ANNA)
    bench.tokens_on(bench.own(BEN), horror=1)
    bench.act({1: "card/tea"})
    assert bench.count(BEN, Token.HORROR) == 0
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-EX-71", "C-CHOICE-6")
def test_a_card_without_tokens_has_the_fewest() -> None:
    players = """
- {id: card/none, type: asset, cost: 0, traits: [bystander]}
- {id: card/one, type: asset, cost: 0, traits: [bystander]}
- {id: card/two, type: asset, cost: 0, traits: [bystander]}
- id: card/tide
  type: event
  cost: 0
  abilities:
  - does: play
    effect: [{exhaust: {most: {of: {traits: [bystander]}, token: clue, fewest: true}}}]
"""
    bench = Bench(content_of(players=players))
    for number, code in enumerate(("card/none", "card/one", "card/two")):
        piece = bench.lay(code, Zone.PLAY, ANNA)
        bench.tokens_on(piece, clue=number)
    bench.hand(ANNA, "card/tide")
    bench.act("card/tide")
    tired = [bench.card(code).is_exhausted for code in ("card/none", "card/one", "card/two")]
    assert tired == [True, False, False]


@pytest.mark.rule("C-EX-27", "C-LOC-2", "C-LOC-3", "C-LOC-4")
def test_clues_on_a_weakness_are_not_at_the_location() -> None:
    players = """
- id: card/lens
  type: asset
  cost: 0
  abilities:
  - {does: reaction, on: {after: resources-gained, who: you}, effect: [{discover: {}}]}
"""
    treacheries = "- {id: card/riddle, weakness: true}"
    bench = Bench(content_of(players=players, treacheries=treacheries))
    bench.lay("card/lens", Zone.PLAY, ANNA)
    bench.lay("card/riddle", Zone.THREAT, ANNA, owner=ANNA, tokens={"clue": 3})
    bench.act("choice/resource")
    assert bench.count(ANNA, Token.CLUE) == 0
    assert bench.count("card/riddle", Token.CLUE) == 3


@pytest.mark.rule("C-BABIL-20", "C-BZONE-28")
def test_a_lasting_effect_on_several_cards_passes_to_no_other_when_all_have_left() -> None:
    each = CURSE.replace("choose: {of: {id: card/rat}}", "each: {id: card/rat}")
    bench = Bench(content_of(players=each, enemies=RAT))
    rats = [bench.engage("card/rat", ANNA) for _ in range(2)]
    bench.hand(ANNA, "card/jinx")
    bench.act("card/jinx")
    bench.run(zones.discard(bench.game, rats))
    third = bench.engage("card/rat", ANNA)
    assert values.stat(bench.game, bench.game_table.cards[third], Stat.FIGHT) == 3


@pytest.mark.parametrize(("doom", "combat"), [(0, 3), (1, 4)])
@pytest.mark.parametrize(
    "gives",
    [
        "while: {if: {has: {card: this, token: doom}}, gives: [skill: {stat: combat, by: 1}]}",
        (
            "while: {if: {phase: investigation}, gives: [while: {if: "
            "{has: {card: this, token: doom}}, gives: [skill: {stat: combat, by: 1}]}]}"
        ),
    ],
    ids=["while", "while inside"],
)
def test_what_is_given_while_a_condition_holds_is_given_no_longer(
    gives: str, doom: int, combat: int
) -> None:
    bench = Bench(content_of(players=giving(gives)))
    piece = bench.lay("card/a0", Zone.PLAY, ANNA)
    bench.tokens_on(piece, doom=doom)
    assert values.skill(bench.game, ANNA, Skill.COMBAT) == combat


def test_what_cannot_ready_stays_exhausted_and_can_be_exhausted() -> None:
    locked = giving("cannot: {do: ready, card: {types: [enemy]}}")
    bench = Bench(content_of(players=locked, enemies=RAT))
    bench.lay("card/a0", Zone.PLAY, ANNA)
    rat = bench.lay("card/rat", Zone.AT, bench.piece("card/l2"))
    bench.run(zones.turn(bench.game, (rat,), is_exhausted=True))
    assert bench.card("card/rat").is_exhausted
    bench.run(zones.turn(bench.game, (rat,), is_exhausted=False))
    assert bench.card("card/rat").is_exhausted


@pytest.mark.parametrize("is_exhausted", [True, False])
def test_exhausting_and_readying_are_answered_each_by_its_own(is_exhausted: bool) -> None:
    players = """
- id: card/sigh
  type: asset
  abilities: [{does: forced, on: {after: exhausted, card: {types: [enemy]}}, effect: [draw: 1]}]
- id: card/shout
  type: asset
  abilities: [{does: forced, on: {after: readied, card: {types: [enemy]}}, effect: [draw: 1]}]
"""
    bench = Bench(content_of(players=players, enemies=RAT))
    bench.deck(ANNA, "card/sigh")
    for code in ("card/sigh", "card/shout"):
        bench.lay(code, Zone.PLAY, ANNA)
    rat = bench.lay("card/rat", Zone.AT, bench.piece("card/l2"), is_exhausted=not is_exhausted)
    bench.run(zones.turn(bench.game, (rat,), is_exhausted=is_exhausted))
    answered = [one.code for one in bench.happened(Used)]
    assert answered == ["card/sigh" if is_exhausted else "card/shout"]


@pytest.mark.rule("C-XACT-1")
def test_an_additional_action_is_that_of_who_controls_the_card() -> None:
    bench = Bench(content_of(players=giving("extra_action: {only: [activate]}")), (ANNA, BEN))
    bench.lay("card/a0", Zone.PLAY, ANNA)
    turns.reset(bench.game)
    assert [len(turns.extra_of(bench.game, who)) for who in (ANNA, BEN)] == [1, 0]


@pytest.mark.parametrize(
    ("asks", "fits"),
    [
        (Filter(class_=CardClass.STONE), False),
        (Filter(class_=CardClass.LENS), True),
        (Filter(weakness=True), False),
        (Filter(weakness=False), True),
        (Filter(unique=True), False),
        (Filter(unique=False), True),
        (Filter(cost_at_most=0), False),
        (Filter(cost_at_most=1), True),
    ],
)
def test_a_card_is_chosen_by_what_is_printed_on_it(asks: Filter, fits: bool) -> None:
    bench = Bench(content_of(players="- {id: card/lamp, type: asset, class: [lens], cost: 1}"))
    assert targets.fits_in_hand(bench.game, "card/lamp", asks) is fits

"""Elimination, and the end of a scenario. Sections 1.18 and 2.17."""

import pytest

from protocol.common.asks import Audience, Settle
from protocol.common.text import Text
from protocol.games.cards import events
from protocol.games.cards.table import Place, deck_of
from protocol.games.cards.words import Fate, Phase, Token, Trauma, Zone
from server.games.cards.rules import actions, elimination, encounter, harm, locations, rounds
from server.games.cards.rules.play import GameOver
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, content_of

PLAYERS = """
- id: card/knife
  type: asset
  cost: 1
- id: card/ally
  type: asset
  cost: 1
- id: card/tool
  type: asset
  cost: 1
- id: card/strap
  type: asset
  cost: 1
- id: card/lantern
  type: asset
  cost: 1
  abilities: [{does: action, cost: [{discard_this: true}], effect: [{resources: 2}]}]
- id: card/vow
  type: asset
  cost: 1
  keywords: [permanent]
- id: card/w3
  type: asset
  weakness: true
  abilities:
  - {does: action, effect: [{discard: this}]}
"""
ENEMIES = """
- id: card/x
  fight: 3
  health: 3
  evade: 3
  damage: 1
  horror: 1
- id: card/crowd
  fight: 3
  health: {n: 2, per: investigators}
  evade: 3
"""
TREACHERIES = """
- id: card/t
  abilities:
  - does: action
    effect: [{resources: 1}]
- id: card/w1
  weakness: true
  abilities:
  - does: forced
    on: {when: game-ends}
    effect: [{trauma: {kind: mental}}]
- id: card/w2
  weakness: true
- id: card/h
  keywords: [hidden, peril]
  abilities:
  - does: constant
    gives: [{skill: {stat: willpower, by: -1}}]
- id: card/each-tests
  abilities:
  - does: revelation
    effect: [{test: {skill: willpower, difficulty: 2, who: each}}]
- id: card/doomed
  abilities:
  - does: revelation
    effect: [{defeat: you}]
"""
LOCATIONS = """
- id: card/l1
  symbol: s1
  connects: [s2]
  face:
    id: card/l1-seen
    shroud: 2
    abilities:
    - {does: action, deed: [resign], effect: [{resign: you}]}
- id: card/l5
  symbol: s5
  connects: [s4]
  face:
    id: card/l5-seen
    shroud: 2
    clues: {n: 1, per: investigators}
"""
CONTENT = content_of(players=PLAYERS, enemies=ENEMIES, treacheries=TREACHERIES, locations=LOCATIONS)


def _bench() -> Bench:
    """Return the table of C-EX-105: Anna and Ben at L1, Cara elsewhere."""
    bench = Bench(CONTENT, (ANNA, BEN, CARA))
    bench.walk(CARA, "card/l3")
    bench.tokens_on(bench.own(ANNA), damage=6, horror=6, clue=2, resource=4)
    bench.lay("card/knife", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/ally", "card/ally", "card/ally")
    bench.deck(ANNA, *["card/tool"] * 11)
    for _ in range(8):
        bench.lay("card/lantern", Zone.DISCARD, ANNA)
    bench.lay("card/t", Zone.THREAT, ANNA)
    bench.engage("card/x", ANNA)
    bench.set(ANNA, actions=2)
    return bench


@pytest.mark.rule(
    *("C-EX-105", "C-BDMG-7", "C-BDMG-9", "C-BAOO-6", "C-BELIM-1", "C-BELIM-2", "C-BELIM-3"),
    *("C-BELIM-4", "C-BELIM-5", "C-BELIM-6", "C-BELIM-9", "C-BELIM-12", "C-BENEMY-22"),
    "C-ELIM-4",
)
def test_an_attack_of_opportunity_may_eliminate_the_lead() -> None:
    bench = _bench()
    bench.act("choice/draw", "trauma-mental", CARA)
    table = bench.game_table
    assert bench.who(ANNA).trauma == {Trauma.MENTAL: 1}
    assert bench.who(ANNA).fate is Fate.DEFEATED
    assert table.active == ""
    assert [len(table.piles.get(f"{pile}/{ANNA}", ())) for pile in ("hand", "deck")] == [0, 0]
    assert bench.discarded(ANNA) == []
    assert len(table.lying(Zone.REMOVED)) == 9
    assert bench.count(ANNA, Token.RESOURCE) == 0
    assert bench.happened(events.Drew) == []
    assert bench.count("card/l1", Token.CLUE) == 2
    assert bench.discarded("encounter") == ["card/t"]
    assert (bench.card("card/x").engaged, bench.card("card/x").is_exhausted) == ((BEN,), False)
    assert table.order == (CARA, BEN)


@pytest.mark.rule("C-EX-105", "C-BENEMY-22", "C-BELIM-6")
def test_enemies_engage_the_next_before_a_new_lead_is_chosen() -> None:
    bench = _bench()
    bench.act("choice/draw", "trauma-mental", ...)
    assert bench.open is not None
    assert bench.open.rule == "C-BELIM-6"
    assert (bench.open.settle, bench.open.audience) == (Settle.MAJORITY, Audience.NOBODY)
    assert bench.asks() == [1, 2]
    assert bench.choices("choice/") == [BEN, CARA] * 2
    assert bench.card("card/x").engaged == (BEN,)


@pytest.mark.rule("C-EX-105", "C-BDMG-17")
def test_one_who_is_defeated_by_the_words_of_a_card_suffers_no_trauma() -> None:
    bench = _bench()
    bench.deck("encounter", "card/doomed")
    bench.run(encounter.draw(bench.game, ANNA), BEN)
    assert bench.who(ANNA).fate is Fate.DEFEATED
    assert bench.who(ANNA).trauma == {}
    assert "card/doomed" in bench.discarded("encounter")


@pytest.mark.rule("C-EX-105", "C-BELIM-7")
def test_the_scenario_ends_without_a_resolution_when_the_last_one_is_eliminated() -> None:
    bench = Bench(CONTENT, (ANNA, BEN, CARA))
    for who in (BEN, CARA):
        bench.run(elimination.eliminate(bench.game, {who: None}, Fate.RESIGNED))
    bench.tokens_on(bench.own(ANNA), damage=6)
    with pytest.raises(GameOver):
        bench.run(harm.deal(bench.game, ANNA, 1, 0))
    assert bench.game_table.phase is Phase.OVER
    assert bench.game_table.resolution == "resolution/none"
    assert not bench.game_table.is_won


# Resigning: C-EX-106


def _lent() -> Bench:
    bench = Bench(CONTENT, (ANNA, BEN, CARA))
    bench.walk(CARA, "card/l2")
    bench.tokens_on(bench.own(ANNA), clue=2, resource=4)
    bench.lay("card/ally", Zone.PLAY, ANNA, tokens={"clue": 1})
    tool = bench.lay("card/tool", Zone.PLAY, ANNA, owner=BEN)
    bench.lay("card/strap", Zone.ON, tool, owner=BEN, controller=ANNA)
    bench.lay("card/lantern", Zone.PLAY, BEN, owner=ANNA)
    bench.hand(ANNA, "card/h", *["card/knife"] * 5)
    bench.engage("card/x", ANNA)
    return bench


@pytest.mark.rule(
    *("C-EX-106", "C-BACT-12", "C-BACT-13", "C-BAOO-1", "C-BELIM-1", "C-BELIM-3", "C-BELIM-8"),
    *("C-BELIM-11", "C-BELIM-12", "C-HID-3", "C-DECIDE-26", "C-DECIDE-56", "C-BZONE-20"),
)
def test_one_who_resigns_leaves_clues_and_what_others_own_or_control() -> None:
    bench = _lent()
    bench.act("card/l1-seen", BEN)
    assert bench.count(ANNA, Token.RESOURCE) == bench.count(ANNA, Token.CLUE) == 0
    assert bench.game_table.order == (BEN, CARA)
    assert bench.who(ANNA).fate is Fate.RESIGNED
    assert bench.who(ANNA).trauma == {}
    assert bench.discarded(BEN) == ["card/tool", "card/strap"]
    assert bench.card("card/lantern").at == Place(Zone.PLAY, BEN)
    assert bench.count("card/l1", Token.CLUE) == 3
    assert bench.discarded("encounter") == ["card/h"]
    assert [card.code for card in bench.game_table.lying(Zone.REMOVED)] == ["card/ally"]
    assert bench.card("card/x").engaged == (BEN,)
    assert bench.count(BEN, Token.DAMAGE) == 0


@pytest.mark.rule("C-BACT-13")
def test_the_choice_to_resign_is_in_a_group_that_has_to_be_confirmed() -> None:
    bench = _lent()
    offered = actions.offers(bench.game, ANNA)

    assert [one.text.params for one in offered if one.group == actions.LEAVING] == [
        ("card/l1-seen", Text("way/resign"))
    ]


@pytest.mark.rule("C-EX-106", "C-BELIM-10", "C-BABIL-37")
def test_nothing_concerns_an_eliminated_investigator_any_more() -> None:
    bench = _lent()
    bench.act("card/l1-seen", BEN)
    bench.deck("encounter", "card/each-tests")
    bench.set_active(BEN)
    bench.give_tokens("0", "0")
    bench.run(encounter.draw(bench.game, BEN))
    assert [event.tester for event in bench.happened(events.TestBegan)] == [BEN, CARA]


@pytest.mark.rule("C-EX-106", "C-BZONE-18", "C-BLOC-13", "C-BDMG-20")
def test_numbers_per_investigator_count_the_eliminated_ones() -> None:
    bench = _lent()
    bench.act("card/l1-seen", BEN)
    bench.run(locations.reveal(bench.game, (bench.piece("card/l5"),)))
    assert bench.count("card/l5", Token.CLUE) == 3
    piece = bench.engage("card/crowd", BEN)
    bench.run(harm.place(bench.game, [harm.Part(piece, 5)], ""))
    assert bench.count("card/crowd", Token.DAMAGE) == 5
    bench.run(harm.place(bench.game, [harm.Part(piece, 1)], ""))
    assert "card/crowd" in bench.discarded("encounter")


@pytest.mark.rule("C-EX-106", "C-BELIM-13")
def test_a_card_whose_owner_is_gone_is_removed_when_it_leaves_play() -> None:
    bench = _lent()
    bench.act("card/l1-seen", BEN)
    bench.set_active(BEN)
    bench.act({1: "card/lantern"})
    assert bench.count(BEN, Token.RESOURCE) == 7
    assert bench.card("card/lantern").at.zone is Zone.REMOVED
    assert [bench.discarded(who) for who in (ANNA, BEN)] == [[], ["card/tool", "card/strap"]]


# Everything around an elimination: C-EX-83, C-EX-123


def _with_weaknesses() -> Bench:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.tokens_on(bench.own(ANNA), damage=6, clue=2, resource=3)
    bench.engage("card/x", ANNA)
    bench.lay("card/t", Zone.THREAT, ANNA)
    bench.lay("card/w1", Zone.THREAT, ANNA, owner=ANNA)
    bench.lay("card/w2", Zone.THREAT, ANNA, owner=BEN)
    bench.lay("card/w3", Zone.PLAY, ANNA)
    bench.lay("card/ally", Zone.PLAY, ANNA, tokens={"clue": 1})
    bench.lay("card/vow", Zone.PLAY, ANNA)
    bench.lay("card/tool", Zone.PLAY, ANNA, owner=BEN)
    bench.lay("card/lantern", Zone.PLAY, BEN, owner=ANNA)
    bench.hand(ANNA, "card/h")
    return bench


@pytest.mark.rule(
    *("C-EX-83", "C-EX-123", "C-ELIM-1", "C-ELIM-2", "C-ELIM-3", "C-ELIM-4", "C-HID-3"),
    *("C-PERM-1", "C-BELIM-2", "C-BELIM-5", "C-BELIM-11", "C-BZONE-19", "C-BWEAK-3"),
    *("C-DECIDE-26", "C-DECIDE-56", "C-BENEMY-22"),
)
def test_weaknesses_see_the_end_of_the_game_before_all_else_goes() -> None:
    bench = _with_weaknesses()
    bench.act("choice/resource")
    assert bench.who(ANNA).trauma == {Trauma.PHYSICAL: 1, Trauma.MENTAL: 1}
    removed = {card.code for card in bench.game_table.lying(Zone.REMOVED)}
    assert removed == {"card/w1", "card/w3", "card/ally", "card/vow"}
    assert sorted(bench.discarded("encounter")) == ["card/h", "card/t"]
    assert bench.discarded(BEN) == ["card/w2", "card/tool"]
    assert bench.count("card/l1", Token.CLUE) == 3
    assert bench.card("card/x").engaged == (BEN,)
    assert not bench.card("card/x").is_exhausted
    assert bench.card("card/lantern").at == Place(Zone.PLAY, BEN)
    # The action has no effect, and the turn is over.
    assert bench.count(ANNA, Token.RESOURCE) == 0
    assert (bench.game_table.active, bench.who(ANNA).actions) == ("", 0)


@pytest.mark.rule("C-EX-83", "C-ELIM-1", "C-ELIM-2", "C-ELIM-3", "C-ELIM-4", "C-BELIM-5")
def test_weaknesses_go_first_and_an_enemy_stays_behind_unengaged() -> None:
    bench = _with_weaknesses()
    bench.walk(BEN, "card/l3")
    weakness, treachery = bench.piece("card/w1"), bench.piece("card/t")
    bench.act("choice/resource")
    order = []
    for one in bench.log:
        if isinstance(one, events.TraumaSuffered) and one.kind is Trauma.MENTAL:
            order.append("triggered")
        elif isinstance(one, events.Moved):
            order += [
                f"{name} to {one.to.zone.value}"
                for name, piece in (("weakness", weakness), ("treachery", treachery))
                if piece in one.pieces
            ]
        elif isinstance(one, events.Opened) and one.code == "card/h":
            order.append(f"hidden to {one.to.zone.value}")
    assert order[:2] == ["triggered", "weakness to removed"]
    assert sorted(order[2:]) == ["hidden to discard", "treachery to discard"]
    assert bench.card("card/vow").at.zone is Zone.REMOVED
    assert (bench.card("card/x").at.zone, bench.card("card/x").engaged) == (Zone.AT, ())
    assert bench.card("card/x").at.of == bench.piece("card/l1")


@pytest.mark.rule("C-EX-123", "C-TRIG-5", "C-BWEAK-6")
def test_a_friend_may_use_a_treachery_at_the_location_but_not_a_weakness_asset() -> None:
    bench = _with_weaknesses()
    bench.set_active(BEN)
    bench.run(rounds.act(bench.game, BEN), ...)
    assert bench.open is not None
    used = [
        option.text.params[0]
        for option in bench.open.prompts[1].options
        if option.text.subject.startswith("choice/use")
    ]
    assert "card/t" in used
    assert "card/w3" not in used


@pytest.mark.rule("C-BELIM-9")
def test_the_turn_of_an_eliminated_investigator_is_over() -> None:
    bench = _with_weaknesses()
    bench.act("choice/resource")
    assert bench.game_table.active == ""
    assert bench.who(ANNA).actions == 0


# The end


@pytest.mark.rule("C-BEND-1", "C-BEND-2", "C-BEND-3", "C-BLOC-9", "C-BKEY-4")
def test_the_end_comes_with_its_abilities_then_victory_then_the_resolution() -> None:
    content = content_of(
        treacheries="""
- id: card/last-word
  abilities:
  - {does: forced, on: {when: game-ends}, effect: [{resources: 3}]}
""",
        enemies="- {id: card/prize, fight: 1, victory: 2}",
        locations="""
- id: card/l2
  symbol: s2
  connects: [s1, s3]
  face: {id: card/l2-seen, shroud: 2, victory: 1}
- id: card/l3
  symbol: s3
  connects: [s2, s4]
  face: {id: card/l3-seen, shroud: 2, victory: 1}
""",
        scenario="""
resolutions:
- {id: resolution/none, is_won: false}
- id: resolution/won
  is_won: true
  experience: 1
  effect:
  - if: {that: {has: {card: you, token: resource, least: 8}}, do: [{trauma: {kind: mental}}]}
""",
    )
    bench = Bench(content)
    bench.lay("card/last-word", Zone.THREAT, ANNA)
    bench.lay("card/prize", Zone.VICTORY)
    bench.reveal("card/l2")
    won = next(one for one in content.scenario.resolutions if one.is_won)
    with pytest.raises(GameOver):
        bench.run(elimination.end(bench.game, won))
    assert bench.game_table.experience == 4
    assert bench.who(ANNA).trauma == {Trauma.MENTAL: 1}
    assert bench.game_table.is_won


@pytest.mark.rule("C-BLOC-9", "C-BKEY-28")
def test_only_revealed_locations_with_victory_and_no_clues_are_displayed_at_the_end() -> None:
    """L1 and L5 have no Victory, L3 has a clue, and L4 is not revealed."""
    content = content_of(
        locations="".join(
            f"""
- id: card/l{n}
  symbol: s{n}
  connects: []
  face: {{id: card/l{n}-seen, shroud: 2, victory: 1}}
"""
            for n in (2, 3, 4)
        )
    )
    bench = Bench(content)
    bench.reveal("card/l2")
    bench.reveal("card/l3")
    bench.tokens_on(bench.piece("card/l3"), clue=1)

    with pytest.raises(GameOver):
        bench.run(elimination.end(bench.game, content.scenario.resolutions[0]))

    assert [card.code for card in bench.game_table.lying(Zone.VICTORY)] == ["card/l2"]


@pytest.mark.rule("C-BELIM-2", "C-SECRET-36")
def test_a_swarm_card_whose_owner_was_eliminated_leaves_the_game_unseen() -> None:
    bench = Bench(content_of(enemies=ENEMIES), (ANNA, BEN))
    host = bench.engage("card/x", BEN)
    bench.deck(ANNA, "card/anna-own")
    top = bench.game_table.piles[deck_of(ANNA)]
    bench.emit(events.LaidFaceDown(deck_of(ANNA), top, Place(Zone.SWARM, host), ANNA))
    (swarm,) = bench.game_table.lying(Zone.SWARM, host)
    bench.emit(events.Eliminated(ANNA, Fate.RESIGNED))

    bench.emit(events.TakenUp((swarm.piece,)))

    assert not bench.game_table.piles[deck_of(ANNA)]
    assert not bench.game_table.lying(Zone.SWARM, host)


@pytest.mark.rule("C-EX-123", "C-BTEST-21", "C-BTEST-27", "C-DECIDE-58")
def test_a_test_whose_tester_is_eliminated_has_no_result() -> None:
    content = content_of(
        players="""
- id: card/grit
  type: skill
  icons: [combat]
- id: card/notes
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {after: test-fails, who: anyone}, effect: [{resources: 1}]}
""",
        enemies="""
- {id: card/x, fight: 3, health: 3, evade: 3, damage: 1, keywords: [retaliate]}
""",
        references="""
- {id: card/reference, s1: {effect: [{harm: {damage: 1}}]}, s2: {}, s3: {}, s4: {}}
""",
    )
    bench = Bench(content, (ANNA, BEN))
    bench.bag("s1")
    bench.give_tokens("s1")
    bench.tokens_on(bench.own(ANNA), damage=6)
    bench.engage("card/x", ANNA)
    bench.hand(BEN, "card/grit")
    bench.lay("card/notes", Zone.PLAY, BEN)
    bench.act("choice/fight", {1: "card/grit"})
    assert bench.who(ANNA).fate is Fate.DEFEATED
    assert bench.game_table.test is None
    assert bench.game_table.bag == ("s1",)
    assert bench.discarded(BEN) == ["card/grit"]
    assert bench.count(BEN, Token.RESOURCE) == 5
    assert bench.happened(events.Attacked) == []


@pytest.mark.rule("C-BELIM-10")
def test_nothing_is_the_nearest_to_somebody_who_is_out_of_the_scenario() -> None:
    omen = """
- id: card/omen
  abilities:
  - {does: revelation, effect: [{doom: {number: 1, card: {nearest: {types: [enemy]}}}}]}
"""
    bench = Bench(content_of(enemies=ENEMIES, treacheries=omen), (ANNA, BEN))
    enemy = bench.lay("card/x", Zone.AT, bench.piece("card/l1"))
    bench.emit(events.Eliminated(ANNA, Fate.RESIGNED))
    bench.resolve("card/omen")
    assert bench.game_table.cards[enemy].count(Token.DOOM) == 0

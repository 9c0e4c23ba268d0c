"""Acts, agendas and doom. Section 2.11."""

import pytest

from protocol.common.text import Text
from protocol.games.cards import events
from protocol.games.cards.words import Phase, Skill, Token, Zone
from server.games.cards.rules import answers, costs, harm, locations, rounds, setup, story, windows
from server.games.cards.rules.play import GameOver, Source
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, content_of

DOOM, CHECK = 1, 2
"""Steps of the mythos phase."""
PLAYERS = """
- id: card/q
  type: asset
  cost: 1
  health: 1
  abilities:
  - does: free
    cost: [{exhaust: {this: true}}, {doom: 1}]
    effect: [{resources: 2}]
- id: card/omen
  type: event
  cost: 0
  abilities:
  - {does: play, effect: [{advance: agenda}, {draw: {number: 1}}]}
- id: card/quiet-omen
  type: event
  cost: 0
  abilities:
  - {does: play, effect: [{advance: {card: agenda, keeps_doom: true}}]}
- id: card/calm
  type: asset
  cost: 1
  abilities:
  - {does: constant, gives: [{skip_doom: true}]}
- id: card/plan
  type: skill
- id: card/scout
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {after: enters, who: you}, effect: [{draw: {number: 1}}]}
- id: card/luck
  type: skill
  icons: [intellect]
  abilities:
  - {does: success, effect: [{draw: {number: 1}}]}
"""
ENEMIES = """
- {id: card/x, fight: 3, health: 3, evade: 3}
- {id: card/m, fight: 3, health: 3, evade: 3, keywords: [massive]}
- {id: card/z, fight: 3, health: 3, evade: 3}
"""
AGENDAS = """
- id: card/agenda
  doom: 5
  back: [{resources: {number: -1, who: each}}]
- id: card/agenda-2
  doom: 7
"""
ACTS = """
- id: card/act
  clues: {n: 2, per: investigators}
  back:
  - {into_play: {id: card/l5}}
  - {move: {to: {each: {id: card/l5}}, who: each}}
  - {discard: {each: {types: [enemy], at: card/l1}}}
  - {discard: {each: {types: [enemy], at: card/l2}}}
  - {take_out: {card: {each: {id: card/l1-seen}}}}
  - {take_out: {card: {each: {id: card/l2-seen}}}}
  - {spawn: {id: card/z, at: {each: {id: card/l5-seen}}}}
- id: card/act-2
  abilities:
  - does: forced
    on: {after: clue-discovered, place: {id: card/l5-seen}}
    if: {not: {exists: {of: {id: card/l5-seen, holds: clue}}}}
    effect: [{advance: act}]
- id: card/act-3
  back: [{resolution: resolution/won}]
"""
LOCATIONS = """
- id: card/l1
  symbol: s1
  connects: [s2]
  face:
    id: card/l1-seen
    shroud: 2
    abilities:
    - does: constant
      gives: [{additional_cost: {deed: move, cost: [{resources: 2}], where: {this: true}}}]
- id: card/l5
  symbol: s5
  face: {id: card/l5-seen, shroud: 2, clues: {n: 1, per: investigators}}
"""
SCENARIO = """
acts: [card/act, card/act-2, card/act-3]
agendas: [card/agenda, card/agenda-2]
locations: [card/l1, card/l2]
aside: [card/l5, card/z]
"""
CONTENT = content_of(
    players=PLAYERS,
    enemies=ENEMIES,
    agendas=AGENDAS,
    acts=ACTS,
    locations=LOCATIONS,
    scenario=SCENARIO,
)

# C-EX-101: doom


def _doomed() -> Bench:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.change(acts_left=2, agendas_left=1)
    bench.tokens_on(bench.piece("card/agenda"), doom=2)
    bench.lay("card/q", Zone.PLAY, ANNA, tokens={"doom": 1})
    bench.lay("card/x", Zone.AT, bench.piece("card/l2"), tokens={"doom": 1})
    return bench


def _use_q(bench: Bench) -> None:
    bench.run(windows.player_window(bench.game, "turn"), "card/q")


@pytest.mark.rule(
    *("C-EX-101", "C-BDOOM-1", "C-BDOOM-2", "C-BDOOM-3", "C-BDOOM-4", "C-BDOOM-5", "C-BMYTH-1"),
    *("C-BMYTH-2", "C-BACTS-4", "C-BACTS-9", "C-BACTS-10", "C-BACTS-11"),
)
def test_doom_is_counted_in_the_mythos_phase_and_all_of_it_goes() -> None:
    bench = _doomed()
    _use_q(bench)
    assert bench.count(ANNA, Token.RESOURCE) == 7
    assert bench.card("card/agenda").at.zone is Zone.AGENDA
    bench.step(Phase.MYTHOS, DOOM)
    assert bench.count("card/agenda", Token.DOOM) == 3
    bench.step(Phase.MYTHOS, CHECK)
    assert [bench.count(who, Token.RESOURCE) for who in (ANNA, BEN)] == [6, 4]
    assert bench.card("card/agenda-2").at.zone is Zone.AGENDA
    assert sum(card.count("doom") for card in bench.game_table.cards.values()) == 0


@pytest.mark.rule("C-EX-101", "C-BZONE-10", "C-BDOOM-3")
def test_doom_of_a_card_that_left_play_does_not_count() -> None:
    bench = _doomed()
    _use_q(bench)
    bench.change(phase=Phase.ENEMY)
    bench.run(harm.deal(bench.game, ANNA, 1, 0), "card/q")
    assert bench.discarded(ANNA) == ["card/q"]
    bench.step(Phase.MYTHOS, DOOM)
    assert sum(card.count("doom") for card in bench.game_table.cards.values()) == 3 + 1
    bench.step(Phase.MYTHOS, CHECK)
    assert bench.card("card/agenda").at.zone is Zone.AGENDA


@pytest.mark.rule("C-EX-101", "C-BDOOM-6", "C-BACTS-7", "C-DECIDE-57")
def test_an_agenda_advanced_by_an_effect_clears_the_doom_and_the_effect_goes_on() -> None:
    bench = _doomed()
    _use_q(bench)
    bench.set_active(BEN)
    bench.hand(BEN, "card/omen")
    bench.deck(BEN, "card/plan")
    bench.act("card/omen")
    assert [bench.count(who, Token.RESOURCE) for who in (ANNA, BEN)] == [6, 4]
    assert bench.card("card/agenda-2").at.zone is Zone.AGENDA
    assert sum(card.count("doom") for card in bench.game_table.cards.values()) == 0
    assert bench.in_hand(BEN) == ["card/plan"]


@pytest.mark.rule("C-DECIDE-57")
def test_an_effect_that_says_so_keeps_the_doom() -> None:
    bench = _doomed()
    bench.hand(ANNA, "card/quiet-omen")
    bench.act("card/quiet-omen")
    assert bench.count("card/x", Token.DOOM) == 1


@pytest.mark.rule("C-EX-101", "C-BMYTH-1", "C-BDOOM-3")
def test_the_check_is_made_even_if_no_doom_is_placed() -> None:
    bench = _doomed()
    _use_q(bench)
    bench.lay("card/calm", Zone.PLAY, BEN)
    bench.step(Phase.MYTHOS, DOOM)
    assert bench.count("card/agenda", Token.DOOM) == 2
    bench.step(Phase.MYTHOS, CHECK)
    assert bench.card("card/agenda-2").at.zone is Zone.AGENDA


# C-EX-102: the act


def _clues() -> Bench:
    bench = Bench(CONTENT, (ANNA, BEN, CARA))
    bench.change(acts_left=2, agendas_left=1)
    bench.set(CARA, fate=None)
    bench.change(order=(ANNA, BEN))
    for code in ("card/l5", "card/z"):
        bench.lay(code, Zone.ASIDE)
    bench.walk(BEN, "card/l2")
    bench.tokens_on(bench.own(ANNA), clue=3)
    bench.tokens_on(bench.own(BEN), clue=4)
    bench.tokens_on(bench.piece("card/act"), resource=1)
    bench.engage("card/x", ANNA)
    bench.lay("card/m", Zone.AT, bench.piece("card/l1"))
    bench.lay("card/scout", Zone.PLAY, BEN)
    bench.deck(BEN, "card/plan", "card/luck")
    bench.set_active(BEN)
    bench.set(BEN, actions=2)
    return bench


@pytest.mark.rule(
    *("C-EX-102", "C-BACTS-1", "C-BACTS-2", "C-BACTS-4", "C-BACTS-5", "C-BACTS-6", "C-BACTS-9"),
    *("C-BACTS-10", "C-BACTS-11", "C-BZONE-18", "C-BSETUP-17", "C-BENEMY-3", "C-BENEMY-4"),
    *("C-BENEMY-14", "C-BLOC-13", "C-ADD-7", "C-SPAWN-1", "C-BABIL-28", "C-BABIL-36"),
)
def test_the_group_advances_an_act_whose_back_moves_everybody() -> None:
    bench = _clues()
    bench.act(...)
    assert bench.open is not None
    able = [seat for seat, one in bench.open.prompts.items() if "choice/advance_act" in str(one)]
    assert able == [0, 1]
    bench.act(
        "choice/advance_act",
        lambda one: one.value == 3,
        lambda one: one.value == 3,
        "card/scout",
        BEN,
    )
    assert [bench.count(who, Token.CLUE) for who in (ANNA, BEN)] == [0, 1]
    assert bench.count(ANNA, Token.RESOURCE) == 5
    assert [bench.at(who) for who in (ANNA, BEN)] == ["card/l5", "card/l5"]
    assert bench.card("card/x").engaged == (ANNA,)
    assert bench.count("card/l5", Token.CLUE) == 3
    assert bench.in_hand(BEN) == ["card/plan"]
    assert bench.discarded("encounter") == ["card/m"]
    assert [bench.card(f"card/l{n}").at.zone for n in (1, 2)] == [Zone.REMOVED] * 2
    assert bench.card("card/z").engaged == (BEN,)
    act = bench.game_table.only(Zone.ACT)
    assert act is not None
    assert (act.code, act.tokens) == ("card/act-2", {})
    assert (bench.game_table.active, bench.who(BEN).actions) == (BEN, 2)


@pytest.mark.rule("C-BACTS-2")
def test_another_seat_may_propose_and_nobody_has_to_give_clues() -> None:
    bench = _clues()
    bench.act({0: "choice/advance_act"}, ...)
    assert bench.asked_in_words() == Text("ask/clues", (ANNA, 6, "card/act"))
    bench.act({0: "choice/advance_act"}, lambda one: one.value == 3, lambda one: one.value == 0)
    assert [bench.count(who, Token.CLUE) for who in (ANNA, BEN)] == [3, 4]
    assert bench.card("card/act").at.zone is Zone.ACT


@pytest.mark.issue(42)
def test_a_seat_that_spends_all_clues_of_its_investigators_is_not_asked_for_each() -> None:
    content = content_of(acts="- {id: card/act, clues: 5, back: []}\n")
    bench = Bench(content, (ANNA, BEN), seats=(0, 0))
    for who, number in ((ANNA, 3), (BEN, 2)):
        bench.tokens_on(bench.own(who), clue=number)
    source = Source("card/act", bench.piece("card/act"), ANNA)
    assert bench.run(costs.spend_together(bench.game, 5, source))
    assert [bench.count(who, Token.CLUE) for who in (ANNA, BEN)] == [0, 0]


@pytest.mark.rule("C-BACTS-1")
def test_an_act_is_not_advanced_with_too_few_clues() -> None:
    bench = _clues()
    bench.tokens_on(bench.own(ANNA), clue=1)
    bench.run(rounds.act(bench.game, BEN), ...)
    assert "choice/advance_act" not in bench.offered()


@pytest.mark.rule("C-EX-102", "C-BACTS-3", "C-BACTS-7")
def test_an_act_advances_in_the_middle_of_the_results_of_a_test() -> None:
    bench = _clues()
    bench.change(acts_left=1)
    bench.run(_removing(bench, "card/act"))
    bench.lay("card/act-2", Zone.ACT)
    locations.lay(bench.game, "card/l5", bench.piece("card/l5"))
    bench.walk(BEN, "card/l5")
    bench.tokens_on(bench.piece("card/l5"), clue=1)
    bench.bag("0")
    bench.give_tokens("0")
    bench.hand(BEN, "card/luck")
    bench.act("choice/investigate", "card/luck", "result/investigate")
    assert bench.card("card/act-3").at.zone is Zone.ACT
    assert bench.in_hand(BEN) == ["card/plan"]
    assert bench.discarded(BEN) == ["card/luck"]
    # The act advances completely with the clue; then comes the card, and then ST.8.
    order = [
        type(one)
        for one in bench.log
        if isinstance(one, events.Drew | events.TestEnded)
        or (isinstance(one, events.Laid) and one.code == "card/act-3")
    ]
    assert order == [events.Laid, events.Drew, events.TestEnded]


@pytest.mark.rule("C-EX-102", "C-BACTS-8", "C-BEND-1")
def test_the_last_act_names_a_resolution_and_has_no_successor() -> None:
    bench = _clues()
    bench.change(acts_left=0)
    bench.run(_removing(bench, "card/act"))
    bench.lay("card/act-3", Zone.ACT)
    with pytest.raises(GameOver):
        bench.run(story.advance(bench.game, Zone.ACT))
    assert bench.game_table.resolution == "resolution/won"


async def _removing(bench: Bench, code: str) -> None:
    await story.remove_location(bench.game, bench.piece(code))


@pytest.mark.rule("C-BLOC-4")
def test_no_location_is_connected_with_one_that_was_removed() -> None:
    bench = Bench()
    locations.draw_links(bench.game)
    first, third = bench.piece("card/l1"), bench.piece("card/l3")

    bench.run(_removing(bench, "card/l3"))

    links = bench.game_table.links
    assert links[bench.piece("card/l2")] == (first,)
    assert third not in links


@pytest.mark.rule("C-BACTS-11")
@pytest.mark.parametrize("zone", [Zone.ACT, Zone.AGENDA])
def test_acts_and_agendas_come_one_after_another_to_the_last(zone: Zone) -> None:
    content = content_of(
        acts="- {id: card/act}\n- {id: card/act-2}\n- {id: card/act-3}\n",
        agendas="- {id: card/agenda}\n- {id: card/agenda-2}\n- {id: card/agenda-3}\n",
        scenario="""
acts: [card/act, card/act-2, card/act-3]
agendas: [card/agenda, card/agenda-2, card/agenda-3]
""",
    )
    bench = Bench(content)
    bench.change(acts_left=2, agendas_left=2)
    came = []

    for _ in range(2):
        bench.run(story.advance(bench.game, zone))
        came.append([card.code for card in bench.game_table.lying(zone)])

    assert came == [[f"card/{zone.value}-2"], [f"card/{zone.value}-3"]]
    left = {Zone.ACT: bench.game_table.acts_left, Zone.AGENDA: bench.game_table.agendas_left}
    assert left.pop(zone) == 0
    assert list(left.values()) == [2]


@pytest.mark.rule("C-BDOOM-1")
@pytest.mark.parametrize(("number", "resources"), [(0, 5), (1, 6)])
def test_no_doom_is_placed_and_answered_where_the_number_is_0(number: int, resources: int) -> None:
    players = """
- id: card/bell
  type: asset
  abilities: [{does: forced, on: {after: doom-placed}, effect: [resources: 1]}]
"""
    bench = Bench(content_of(players=players))
    bench.lay("card/bell", Zone.PLAY, ANNA)
    bench.run(story.place_doom(bench.game, bench.piece("card/agenda"), number))
    assert bench.count(ANNA, Token.RESOURCE) == resources


@pytest.mark.rule("C-BDOOM-1", "C-BACTS-4")
@pytest.mark.parametrize("word", ["act", "agenda"])
def test_an_effect_that_names_the_act_or_the_agenda_concerns_that_card(word: str) -> None:
    players = f"""
- id: card/ink
  type: asset
  abilities: [{{does: action, effect: [put: {{token: bounty, card: {word}}}]}}]
"""
    bench = Bench(content_of(players=players))
    bench.lay("card/ink", Zone.PLAY, ANNA)
    bench.resolve("card/ink")
    marked = [card.code for card in bench.game_table.cards.values() if card.count("bounty")]
    assert marked == [f"card/{word}"]


@pytest.mark.rule("C-BACTS-3", "C-BACTS-6")
def test_an_objective_is_used_in_player_windows_outside_tests() -> None:
    content = content_of(
        acts="""
- id: card/act
  abilities:
  - {does: objective, cost: [{group_clues: 2}], effect: [{advance: act}]}
  back: [{remember: done}]
"""
    )
    bench = Bench(content)
    bench.tokens_on(bench.own(ANNA), clue=2)
    bench.emit(events.TestBegan(ANNA, Skill.COMBAT, 1, "card/act"))
    assert answers.free(bench.game, ANNA) == []
    bench.emit(events.TestEnded())
    assert [use.code for use in answers.free(bench.game, ANNA)] == ["card/act"]
    bench.run(windows.player_window(bench.game, "turn"), "card/act")
    assert bench.game_table.remembered == ("done",)
    assert bench.count(ANNA, Token.CLUE) == 0


@pytest.mark.rule("C-SECRET-10", "C-BACTS-11")
def test_the_version_of_an_act_is_chosen_in_secret_and_comes_in_its_turn() -> None:
    content = content_of(
        acts="- {id: card/act, clues: 1}\n- {id: card/second-a}\n- {id: card/second-b}\n",
        scenario="""
acts: [card/act, card/second-a]
act_versions: {card/second-a: [card/second-a, card/second-b]}
""",
    )
    bench = Bench(content, is_begun=False)
    bench.give_picks(1)
    bench.run(setup.set_up(bench.game))
    plan = bench.game_table.plan
    assert plan is not None
    assert plan.audience == ()
    bench.run(story.advance(bench.game, Zone.ACT))
    assert bench.card("card/second-b").at.zone is Zone.ACT

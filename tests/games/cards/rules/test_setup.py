"""Setup of a scenario, and the pool of basic weaknesses. Sections 1.1, 1.17, 2.2 and 2.19."""

from typing import Any

import pytest

from protocol.common.asks import Audience, Settle
from protocol.common.events import Player
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.cards import events, words
from protocol.games.cards.table import ENCOUNTER, Place
from protocol.games.cards.words import Phase, Token, Trauma, Zone
from server.games.cards.rules import locations, rounds, setup, values, weaknesses
from server.games.cards.rules.ruleset import Cards
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, PEOPLE, content_of

INVESTIGATOR = """
- id: card/anna
  class: lens
  willpower: 3
  intellect: 3
  combat: 3
  agility: 3
  health: 7
  sanity: 7
  signatures: [card/own-lens, card/w1]
"""
PLAYERS = """
- id: card/own-lens
  type: asset
  cost: 9
  signature_of: card/anna
- id: card/p
  type: asset
  keywords: [permanent]
  uses: {kind: charge, number: 2}
- id: card/k1
  type: asset
  cost: 1
  keywords: [fast]
  abilities:
  - does: free
    cost: [{exhaust: {this: true}}]
    if: {in_test: {yours: true}}
    effect: [{lasting: {until: test, gives: [{skill: {stat: intellect, by: 1}}]}}]
- id: card/k2
  type: asset
  cost: 3
  slots: [ally]
- id: card/k3
  type: skill
- id: card/k4
  type: skill
- id: card/k5
  type: event
  cost: 2
  abilities: [{does: play, effect: [{resources: 3}]}]
- id: card/k6
  type: skill
  icons: [intellect]
- id: card/k7
  type: asset
  cost: 4
- id: card/k8
  type: skill
- id: card/filler
  type: skill
"""
TREACHERIES = """
- {id: card/w1, weakness: true}
- {id: card/w2, weakness: true, basic: true}
- {id: card/fog, set: one, copies: 8}
- {id: card/mist, set: three, copies: 6}
"""
ENEMIES = """
- {id: card/x, fight: 1, set: two, copies: 1}
- {id: card/y, fight: 1, set: two, copies: 6}
"""
DECKS = """
- id: deck/anna
  investigator: card/anna
  cards: {card/p: 1, card/k1: 1, card/k2: 1, card/k3: 1, card/k4: 1, card/k5: 1, card/k6: 1,
    card/k7: 1, card/k8: 1, card/filler: 3}
"""
LOCATIONS = """
- id: card/l1
  symbol: s1
  connects: [s2]
  face: {id: card/l1-seen, shroud: 2, clues: {n: 1, per: investigators}}
"""
SCENARIO = """
sets: [one, two, three]
acts: [card/act, card/act-2]
agendas: [card/agenda, card/agenda-2]
aside: [card/x]
locations: [card/l1, card/l2, card/l3]
reference: {easy: card/calm, standard: card/calm, hard: card/wild, expert: card/wild}
bags: {easy: ["0"], standard: ["-2", "-2", "0"], hard: ["-3"], expert: ["-4"]}
"""
CONTENT = content_of(
    investigators=INVESTIGATOR,
    players=PLAYERS,
    treacheries=TREACHERIES,
    enemies=ENEMIES,
    decks=DECKS,
    locations=LOCATIONS,
    acts="- {id: card/act-2, clues: 1}",
    agendas="- {id: card/agenda-2, doom: 1}",
    references="""
- {id: card/calm, s1: {}, s2: {}, s3: {}, s4: {}}
- {id: card/wild, s1: {}, s2: {}, s3: {}, s4: {}}
""",
    scenario=SCENARIO,
)
FIRST = ("card/k1", "card/w1", "card/k2", "card/k3", "card/k4", "card/k5")
"""The top of the deck of C-EX-96."""
NEXT = ("card/k6", "card/w2", "card/k7")


def _ordered(bench: Bench) -> None:
    """Have the deck of Anna come in the order of C-EX-96."""
    rest = ("card/own-lens", "card/k8", "card/filler", "card/filler", "card/filler")
    bench.give_order(f"deck/{ANNA}", (*FIRST, *NEXT, *rest))
    left = ("card/k8", "card/own-lens", *["card/filler"] * 3)
    bench.give_order(f"deck/{ANNA}", (*left, "card/w1", "card/w2", "card/k3", "card/k4"))


def _set_up() -> Bench:
    bench = Bench(CONTENT, is_begun=False)
    _ordered(bench)
    bench.run(setup.set_up(bench.game), "level/standard", ("card/k3", "card/k4"))
    return bench


def test_a_level_says_how_many_tokens_its_bag_has_and_between_which() -> None:
    bench = Bench(CONTENT, is_begun=False)
    bench.run(setup.set_up(bench.game), ...)
    assert bench.open is not None
    texts = [one.text for one in bench.open.prompts[0].options]
    assert Text("choice/level", ("level/standard", 3, "0", "\N{MINUS SIGN}2", 0)) in texts


@pytest.mark.rule("C-BSETUP-6")
def test_an_empty_starting_hand_is_not_asked_about() -> None:
    bench = Bench(content_of(), is_begun=False)
    bench.run(setup.set_up(bench.game))
    assert (bench.in_hand(ANNA), bench.asked) == ([], [])


@pytest.mark.rule(
    *("C-EX-96", "C-BSETUP-3", "C-BSETUP-8", "C-BSETUP-9", "C-BSETUP-10", "C-BSETUP-11"),
    *("C-BSETUP-12", "C-BSETUP-13", "C-BSETUP-17", "C-BSETUP-18", "C-BBAG-1", "C-BBAG-2"),
    *("C-BLOC-1", "C-BLOC-3", "C-BLOC-13", "C-BZONE-6", "C-BZONE-8", "C-BKEY-8", "C-BPLAY-11"),
)
def test_setup_lays_everything_out() -> None:
    bench = _set_up()
    table = bench.game_table
    assert [event.text.field for event in bench.happened(events.Told)][:1] == ["intro"]
    assert table.bag == ("-2", "-2", "0")
    assert len(bench.in_deck(ENCOUNTER)) == 20
    assert bench.card("card/x").at.zone is Zone.ASIDE
    assert not bench.card("card/x").is_in_play
    assert (table.acts_left, table.agendas_left) == (1, 1)
    assert bench.card("card/act").at.zone is Zone.ACT
    assert bench.card("card/agenda").at.zone is Zone.AGENDA
    assert bench.card("card/calm").at.zone is Zone.SCENARIO
    assert [bench.card(f"card/l{n}").face for n in (1, 2, 3)] == ["card/l1-seen", "", ""]
    assert bench.at(ANNA) == "card/l1"
    assert bench.count("card/l1", Token.CLUE) == 1
    assert bench.count(ANNA, Token.RESOURCE) == 5
    assert bench.card("card/p").at == Place(Zone.PLAY, ANNA)
    assert bench.card("card/p").tokens == {"charge": 2}
    assert bench.card("card/p").owner == ANNA


@pytest.mark.rule(
    *("C-EX-96", "C-BSETUP-4", "C-BSETUP-5", "C-BSETUP-6", "C-BSETUP-7", "C-BSETUP-14"),
    *("C-BDECK-6", "C-BDECK-4"),
)
def test_weaknesses_of_the_starting_hand_are_replaced_and_shuffled_in() -> None:
    bench = _set_up()
    assert bench.in_hand(ANNA) == [f"card/k{n}" for n in (1, 2, 5, 6, 7)]
    assert sorted(bench.in_deck(ANNA)) == sorted(
        ["card/k3", "card/k4", "card/k8", "card/own-lens", "card/w1", "card/w2"]
        + ["card/filler"] * 3
    )


@pytest.mark.rule("C-BSETUP-6", "C-SECRET-26")
def test_a_player_may_keep_the_whole_starting_hand() -> None:
    bench = Bench(CONTENT, is_begun=False)
    _ordered(bench)
    bench._orders[f"deck/{ANNA}"].pop()
    bench.run(setup.set_up(bench.game), "level/standard", ())
    assert bench.in_hand(ANNA) == [f"card/k{n}" for n in (1, 2, 3, 4, 5)]
    assert not bench.game_table.piles.get(setup.aside_of(ANNA))


@pytest.mark.rule("C-BSETUP-2")
def test_trauma_gives_harm_at_the_start() -> None:
    bench = Bench(CONTENT)
    bench.set(ANNA, trauma={Trauma.PHYSICAL: 1, Trauma.MENTAL: 2})
    setup.lay_starting_tokens(bench.game, ANNA)
    assert (bench.count(ANNA, Token.DAMAGE), bench.count(ANNA, Token.HORROR)) == (1, 2)


@pytest.mark.rule("C-BSETUP-1", "C-BROUND-3")
def test_the_players_choose_the_lead() -> None:
    bench = Bench(content_of(), (ANNA, BEN), is_begun=False)
    bench.run(setup.set_up(bench.game), BEN)
    assert bench.game_table.order == (BEN, ANNA)


@pytest.mark.rule("C-BSETUP-1")
def test_without_a_majority_for_a_lead_a_lot_decides_at_once() -> None:
    """A sealed vote is one that the kernel settles as soon as everybody has voted."""
    bench = Bench(content_of(), (ANNA, BEN), is_begun=False)
    bench.run(setup.set_up(bench.game), ...)

    assert bench.open is not None
    assert (bench.open.settle, bench.open.audience) == (Settle.MAJORITY, Audience.NOBODY)


@pytest.mark.rule("C-BZONE-25", "C-DECIDE-43")
def test_a_seat_with_two_investigators_chooses_for_both() -> None:
    bench = Bench(content_of(), (ANNA, BEN), seats=(0, 0), is_begun=False)
    bench.run(setup.set_up(bench.game), BEN)
    assert bench.game_table.order == (BEN, ANNA)


@pytest.mark.rule("C-BSETUP-15")
def test_setup_instructions_come_in_the_order_of_writing() -> None:
    content = content_of(
        scenario="""
setup:
- {resources: {number: -3, who: each}}
- if: {that: {has: {card: you, token: resource, most: 2}}, do: [{remember: second}]}
"""
    )
    bench = Bench(content, is_begun=False)
    bench.run(setup.set_up(bench.game))
    assert bench.game_table.remembered == ("second",)


@pytest.mark.rule(
    *("C-EX-96", "C-BROUND-1", "C-BROUND-2", "C-BWIN-2", "C-BWIN-4", "C-BWIN-5", "C-BWIN-6"),
    *("C-BTURN-1", "C-BTURN-2", "C-BTURN-6", "C-BTURN-7", "C-BACT-2", "C-BACT-5", "C-BACT-7"),
    *("C-BUPK-1", "C-BUPK-2", "C-BUPK-3", "C-BUPK-6", "C-BUPK-12", "C-BLOC-6", "C-BLOC-8"),
    *("C-BTEST-13", "C-BPLAY-2", "C-BPLAY-5", "C-BROUND-4"),
)
def test_a_first_round_alone() -> None:
    bench = _set_up()
    assert (bench.game_table.phase, bench.game_table.round_number) == (Phase.INVESTIGATION, 1)
    bench.give_tokens("-2")

    def rounds_of(*answers: Any, steps: int) -> None:

        async def go() -> None:
            for _ in range(steps):
                await rounds.step(bench.game)

        bench.run(go(), *answers)

    # In the beginning of the phase and in its window nothing happens: the turn begins.
    rounds_of(steps=1)
    assert bench.game_table.active == ANNA
    assert bench.who(ANNA).actions == 3
    rounds_of("card/k1", steps=1)
    assert (bench.count(ANNA, Token.RESOURCE), bench.who(ANNA).actions) == (4, 3)
    bench.run(rounds.step(bench.game), ...)
    assert set(bench.offered()) == {
        *("choice/draw", "choice/resource", "choice/play_for", "choice/play_to", "choice/move"),
        *("choice/investigate", "choice/end_turn"),
    }
    assert sorted(bench.choices("choice/play")) == ["card/k2", "card/k5", "card/k7"]
    assert bench.choices("choice/move") == ["card/l2"]

    rounds_of("choice/resource", steps=1)
    rounds_of("card/k2", steps=1)
    assert (bench.count(ANNA, Token.RESOURCE), bench.who(ANNA).actions) == (2, 1)
    rounds_of("choice/investigate", "card/k1", "card/k6", steps=1)
    sixth = bench.happened(events.TestStep)[-2]
    assert (sixth.step, sixth.value, sixth.difficulty) == (6, 3 + 1 + 1 - 2, 2)
    assert bench.game_table.bag == ("-2", "-2", "0")
    assert values.skill(bench.game, ANNA, words.Skill.INTELLECT) == 3
    assert bench.count(ANNA, Token.CLUE) == 1
    assert bench.count("card/l1", Token.CLUE) == 0
    assert bench.discarded(ANNA) == ["card/k6"]
    # Nobody is asked at the end of the turn, in the enemy phase and in upkeep.
    while bench.game_table.phase is not Phase.MYTHOS:
        rounds_of(steps=1)
    assert bench.game_table.round_number == 2
    assert not bench.card("card/k1").is_exhausted
    assert bench.count(ANNA, Token.RESOURCE) == 3
    assert bench.in_hand(ANNA) == ["card/k5", "card/k7", "card/k8"]
    assert bench.who(ANNA).actions == 3
    assert len(bench.in_deck(ANNA)) == 8
    assert bench.discarded(ANNA) == ["card/k6"]
    assert {card.code for card in bench.game_table.lying(Zone.PLAY, ANNA)} == {
        *("card/anna", "card/p", "card/k1", "card/k2")
    }
    assert [bench.card(f"card/l{n}").face for n in (1, 2, 3)] == ["card/l1-seen", "", ""]
    assert bench.count("card/agenda", Token.DOOM) == 0


# C-EX-1: locations dealt to the players


@pytest.mark.rule("C-EX-1", "C-DEAL-1", "C-DEAL-2")
@pytest.mark.parametrize(
    ("count", "shares"), [(1, [5]), (2, [3, 2]), (3, [2, 2, 1]), (4, [2, 1, 1, 1])]
)
def test_a_fixed_number_of_locations_is_dealt_in_player_order(
    count: int, shares: list[int]
) -> None:
    content = content_of(
        locations="- {id: card/marsh, symbol: m, face: {id: card/marsh-seen, shroud: 1}}",
        scenario=f"""
random:
- {{id: marsh, among: [{", ".join(["card/marsh"] * 5)}], number: 5, is_dealt: true}}
""",
    )
    people = PEOPLE[:count]
    bench = Bench(content, people, is_begun=False)
    lead = [] if count == 1 else [people[-1]]
    bench.run(setup.set_up(bench.game), *lead)
    before = [card.before for card in bench.game_table.lying(Zone.MAP) if card.before]
    assert [before.count(who) for who in bench.game_table.order] == shares


@pytest.mark.rule("C-SECRET-12")
def test_locations_put_out_at_random_show_a_back_that_tells_nothing() -> None:
    content = content_of(
        locations="""
- {id: card/door, symbol: d, face: {id: card/door-seen, shroud: 1}}
- {id: card/attic, symbol: a, face: {id: card/attic-seen, shroud: 1, symbol: a}}
- {id: card/cellar, symbol: c, face: {id: card/cellar-seen, shroud: 1, symbol: c}}
""",
        scenario="""
random:
- {id: doors, among: [card/attic, card/cellar], number: 1, looks: card/door}
""",
    )
    bench = Bench(content, is_begun=False)
    bench.give_picks(1)
    bench.run(setup.set_up(bench.game))
    laid = bench.card("card/door")
    assert laid.hidden is not None
    assert laid.hidden.value == "card/cellar-seen"
    assert all("cellar" not in repr(card) for card in [laid.code, laid.face])


@pytest.mark.rule("C-SECRET-12")
@pytest.mark.parametrize(("pick", "face"), [(0, "card/door-one"), (1, "card/door-two")])
def test_the_version_of_a_location_is_chosen_in_secret_and_shows_as_it_is_revealed(
    pick: int, face: str
) -> None:
    content = content_of(
        locations="""
- id: card/door
  symbol: d
  face: {id: card/door-one, shroud: 1}
  versions: [{id: card/door-two, shroud: 2}]
""",
        scenario="locations: [card/l1, card/door]\n",
    )
    bench = Bench(content, is_begun=False)
    bench.give_picks(pick)
    bench.run(setup.set_up(bench.game))
    laid = bench.card("card/door")
    assert laid.hidden is not None
    assert (laid.face, laid.hidden.audience) == ("", ())
    bench.run(locations.reveal(bench.game, (laid.piece,)))
    assert bench.card("card/door").face == face


# C-EX-37: one pool of basic weaknesses

POOL = "".join(f"- {{id: card/fear{n}, weakness: true, basic: true}}\n" for n in range(10))


def _two(treacheries: str = POOL, mulligan: tuple[Any, ...] = ((),)) -> Bench:
    filler = "- {id: card/filler, type: skill}\n"
    decks = "".join(
        f"- {{id: deck/{who}, investigator: card/{who}, cards: {{card/filler: 3}}}}\n"
        for who in ("anna", "ben")
    )
    content = content_of(players=filler, treacheries=treacheries, decks=decks)
    bench = Bench(content, (ANNA, BEN), is_begun=False)
    assert len(weaknesses.pool(bench.game)) == treacheries.count("card/fear")
    bench.run(setup.set_up(bench.game), ANNA, *mulligan)
    return bench


@pytest.mark.rule("C-EX-37", "C-POOL-1", "C-POOL-2", "C-POOL-3", "C-BDECK-6", "C-BDECK-10")
def test_no_basic_weakness_is_dealt_twice() -> None:
    assert POOL.count("card/fear") == 10
    bench = _two()
    assert len(weaknesses.pool(bench.game)) == 8
    for who in (ANNA, BEN):
        assert weaknesses.give(bench.game, who)
    assert len(weaknesses.pool(bench.game)) == 6
    dealt = [code for who in (ANNA, BEN) for code in weaknesses.dealt_to(bench.game, who)]
    assert len(set(dealt)) == 4
    assert sorted(code for code in bench.in_deck(BEN) if "fear" in code) == sorted(
        weaknesses.dealt_to(bench.game, BEN)
    )


@pytest.mark.rule("C-EX-51", "C-POOL-5", "C-POOL-6")
def test_a_swapped_weakness_is_in_the_collection_and_can_be_swapped_in_again() -> None:
    treacheries = """
- {id: card/w1, weakness: true, basic: true}
- {id: card/w2, weakness: true}
- {id: card/other, weakness: true, basic: true}
- id: card/grows
  abilities:
  - does: revelation
    effect:
    - swap_weakness: {out: card/w1, by: card/w2}
    - if: {that: {done: true}, do: [{resources: 1}]}
- id: card/fades
  abilities: [{does: revelation, effect: [{swap_weakness: {out: card/w2, by: card/w1}}]}]
"""
    bench = Bench(content_of(treacheries=treacheries, players=PLAYERS))
    bench.emit(events.WeaknessesDealt(ANNA, hidden(("card/w1",))))
    bench.deck(ANNA, "card/k1", "card/w1", "card/k2")
    assert weaknesses.pool(bench.game) == ["card/other"]
    bench.resolve("card/grows")
    assert sorted(bench.in_deck(ANNA)) == ["card/k1", "card/k2", "card/w2"]
    assert weaknesses.pool(bench.game) == ["card/other"]
    bench.resolve("card/fades")
    assert sorted(bench.in_deck(ANNA)) == ["card/k1", "card/k2", "card/w1"]
    assert weaknesses.pool(bench.game) == ["card/other"]

    assert bench.count(ANNA, Token.RESOURCE) == 6
    bench.deck(ANNA, "card/k1")
    bench.resolve("card/grows")
    assert bench.in_deck(ANNA) == ["card/k1"]
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.rule("C-SECRET-4", "C-SECRET-30")
def test_a_basic_weakness_is_known_to_its_investigator_alone() -> None:
    bench = _two()
    for sealed in bench.game_table.weaknesses[ANNA]:
        assert sealed.audience == (0,)


@pytest.mark.rule("C-BDECK-11")
@pytest.mark.parametrize(("people", "number"), [((ANNA,), 0), ((ANNA, BEN), 1)])
def test_a_weakness_for_several_players_does_not_come_to_one_alone(
    people: tuple[str, ...], number: int
) -> None:
    text = "- {id: card/fear, weakness: true, basic: true, multiplayer: true}\n"
    bench = Bench(content_of(treacheries=text), people)
    assert len(weaknesses.pool(bench.game)) == number


@pytest.mark.rule("C-BDECK-12")
def test_a_weakness_of_campaigns_does_not_come_in_a_single_scenario() -> None:
    text = "- {id: card/fear, weakness: true, basic: true, campaign: true}\n"
    bench = Bench(content_of(treacheries=text), (ANNA, BEN))
    assert weaknesses.pool(bench.game) == []


LINKED = """
- {id: card/p, type: event, cost: 0, keywords: [bonded], copies: 3}
- {id: card/q, type: asset, cost: 0, keywords: [bonded], copies: 1}
- {id: card/unseen, type: asset, cost: 0, keywords: [bonded], copies: 2}
- id: card/call-p
  type: event
  cost: 0
  abilities: [{does: play, effect: [{into_play: {id: card/p}}]}]
- id: card/call-q
  type: event
  cost: 0
  abilities: [{does: play, effect: [{into_play: {id: card/q}}]}]
"""


@pytest.mark.rule("C-EX-15", "C-BOND-1", "C-BOND-2", "C-BOND-3", "C-BOND-4", "C-SECRET-14")
def test_linked_cards_that_a_deck_calls_are_set_aside_in_the_copies_of_their_product() -> None:
    decks = "- {id: deck/a, investigator: card/anna, cards: {card/call-p: 2, card/call-q: 2}}\n"
    bench = Bench(content_of(players=LINKED, decks=decks), (ANNA, BEN), is_begun=False)
    bench.run(setup.set_up(bench.game), 0, ())
    aside = bench.game_table.lying(Zone.ASIDE)
    assert sorted(card.code for card in aside) == ["card/p", "card/p", "card/p", "card/q"]
    assert {(card.owner, card.controller) for card in aside} == {(ANNA, "")}
    assert len(bench.in_deck(ANNA)) + len(bench.in_hand(ANNA)) == 4


@pytest.mark.rule("C-BOND-1")
def test_a_linked_card_is_called_from_those_of_the_own_deck() -> None:
    bench = Bench(content_of(players=LINKED), (ANNA, BEN))
    theirs = bench.lay("card/q", Zone.ASIDE, owner=BEN)
    mine = bench.lay("card/q", Zone.ASIDE, owner=ANNA)
    bench.resolve("card/call-q")
    assert bench.game_table.cards[theirs].at.zone is Zone.ASIDE
    assert bench.game_table.cards[mine].controller == ANNA


# Decks

DECKED = """
- {id: card/one, type: asset, level: 0, cost: 1, limits: [{zone: deck, most: 1}]}
- {id: card/two, type: event, level: 0, cost: 1}
- {id: card/deep, type: skill, level: 1, icons: [wild]}
"""
SMALL = "".join(
    f"- {{id: {who}, class: lens, willpower: 3, intellect: 3, combat: 3, agility: 3, health: 7,"
    " sanity: 7, deck_size: 2}\n"
    for who in (ANNA, BEN)
)


def start_fault(anna: str, ben: str = "card/two: 2") -> str | None:
    """Return why a game of Anna and Ben with these decks cannot start."""
    decks = f"""
- {{id: deck/anna, investigator: card/anna, cards: {{{anna}}}}}
- {{id: deck/ben, investigator: card/ben, cards: {{{ben}}}}}
"""
    content = content_of(investigators=SMALL, players=DECKED, decks=decks)
    players = (Player(0, words.INVESTIGATOR, (ANNA,)), Player(1, words.INVESTIGATOR, (BEN,)))
    return Cards().start_fault(content, players)


@pytest.mark.rule("C-BSETUP-16", "C-EX-86", "C-LIM-1", "C-LIM-2", "C-LIM-3")
def test_two_decks_may_each_hold_a_card_limited_to_one_per_deck_and_neither_two() -> None:
    assert start_fault("card/one: 1, card/two: 1", "card/one: 1, card/two: 1") is None
    assert start_fault("card/one: 2") == "illegal_deck"
    assert start_fault("card/two: 2", "card/one: 2") == "illegal_deck"


@pytest.mark.rule("C-BSETUP-16")
@pytest.mark.parametrize(
    "deck",
    ["card/two: 1", "card/two: 2, card/one: 1", "card/two: 1, card/deep: 1", "card/l1: 2"],
)
def test_a_scenario_does_not_start_with_a_deck_that_is_not_legal(deck: str) -> None:
    assert start_fault("card/two: 2") is None
    assert start_fault(deck) == "illegal_deck"


@pytest.mark.rule("C-BSETUP-16")
def test_a_scenario_does_not_start_for_an_investigator_without_a_deck() -> None:
    players = (Player(0, words.INVESTIGATOR, (ANNA,)),)
    assert Cards().start_fault(content_of(), players) == "illegal_deck"


@pytest.mark.rule("C-BZONE-1")
@pytest.mark.parametrize("most", [4, 2])
def test_a_game_is_for_one_to_four_investigators_or_fewer_as_the_scenario_says(most: int) -> None:
    roster = Cards().roster(content_of(scenario=f"most: {most}"))
    (role,) = roster.roles
    assert (roster.fewest, roster.most) == (role.fewest, role.most) == (1, most)
    assert role.each == (1,) * most


# Starting hands

DEEP = INVESTIGATOR.replace(
    "  signatures: [card/own-lens, card/w1]",
    "  starting_hand: {drawn: 13, cards_kept: 8, beneath: {types: [event]}, most_beneath: 5}\n"
    "  basic_weaknesses: 0",
)
DEEP_DECK = """
- id: deck/anna
  investigator: card/anna
  cards: {card/event: 3, card/event-2: 3, card/filler: 3, card/k3: 3, card/k4: 3}
"""
DEEP_PLAYERS = PLAYERS + "".join(
    f"- {{id: card/{code}, type: event, cost: 0}}\n" for code in ("event", "event-2")
)


def dealt(people: str, *answers: Any, smaller: int = 2) -> Bench:
    """Return a game whose starting hands are smaller, after they were drawn, or before the end."""
    content = content_of(
        investigators=people,
        players=DEEP_PLAYERS,
        decks=DEEP_DECK,
        scenario=f"starting_hand: {-smaller}",
    )
    bench = Bench(content, is_begun=False)
    bench.run(setup.set_up(bench.game), *answers)
    return bench


@pytest.mark.rule("C-EX-20", "C-HAND-1", "C-HAND-2", "C-HAND-3", "C-HAND-4")
def test_a_smaller_starting_hand_changes_what_is_drawn_and_what_is_kept_of_a_larger_set() -> None:
    bench = dealt(DEEP, ...)
    (ask,) = bench.asked
    assert len(bench.in_hand(ANNA)) == 11
    assert (ask.prompts[0].at_least, ask.prompts[0].at_most) == (0, 5)
    assert set(bench.choices("choice/card")) == {"card/event", "card/event-2"}

    bench = dealt(DEEP, (0, 3), (0, 1, 2), ())
    assert [card.code for card in bench.game_table.lying(Zone.BENEATH, bench.own(ANNA))] == [
        *("card/event", "card/event-2")
    ]
    assert len(bench.discarded(ANNA)) == 3
    assert len(bench.in_hand(ANNA)) == 6


@pytest.mark.rule("C-HAND-2", "C-HAND-3")
def test_nothing_is_kept_of_a_larger_set_where_the_hand_is_smaller_by_more() -> None:
    bench = dealt(DEEP, (), smaller=9)

    assert bench.in_hand(ANNA) == []
    assert len(bench.discarded(ANNA)) == 13 - 9


@pytest.mark.rule("C-HAND-4")
@pytest.mark.parametrize(("smaller", "cards"), [(0, 5), (2, 3), (-1, 6)])
def test_a_scenario_changes_the_number_of_cards_in_every_starting_hand(
    smaller: int, cards: int
) -> None:
    bench = dealt(INVESTIGATOR.replace(", card/w1", ""), (0, 1), smaller=smaller)
    assert len(bench.in_hand(ANNA)) == cards


@pytest.mark.rule("C-BSETUP-6")
def test_all_players_are_asked_at_once_for_the_mulligan() -> None:
    bench = _two(mulligan=(...,))

    assert bench.open is not None
    assert (bench.open.rule, bench.asks()) == ("C-BSETUP-6", [0, 1])

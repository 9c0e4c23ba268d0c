"""Moves, distance, and where everybody is. Sections 1.18, 1.19, 2.6 and 2.10."""

import pytest

from protocol.common.text import Text
from protocol.games.cards.events import ActionsSet, Exhausted, Told, Walked
from protocol.games.cards.events import TestBegan as BeginningOfTest
from protocol.games.cards.events import TestStep as StepOfTest
from protocol.games.cards.table import ENCOUNTER, ExtraAction, Place
from protocol.games.cards.words import Token, Zone
from server.games.cards.rules import encounter, locations, story, turns, zones
from server.games.cards.rules.play import location_of
from tests.games.cards.rules.bench import Bench, about
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

L1, L2, L3 = "card/l1", "card/l2", "card/l3"
HOUNDS = """
- {id: card/x, evade: 2, fight: 3, health: 3, damage: 1, horror: 1, keywords: [alert]}
- {id: card/y, evade: 2, fight: 3, health: 3, damage: 2}
- {id: card/z, evade: 2, fight: 3, health: 3, damage: 2}
- {id: card/v, evade: 2, fight: 3, health: 3, damage: 2, keywords: [aloof]}
- {id: card/u, evade: 2, fight: 3, health: 3, damage: 2}
"""
BOOTS = """
- id: card/boots
  type: asset
  cost: 1
  abilities:
  - does: reaction
    on: {after: enters, who: you, is_first: true}
    cost: [exhaust: {this: true}]
    effect: [resources: 1]
"""
DRAIN = """
- id: card/l2
  symbol: s2
  connects: [s1, s3]
  face:
    id: card/l2-seen
    shroud: 2
    clues: 2
    abilities:
    - {does: forced, on: {after: enters, place: {this: true}}, effect: [resources: -1]}
"""


@pytest.mark.rule(
    "C-EX-98",
    "C-BACT-6",
    "C-BACT-8",
    "C-BACT-11",
    "C-BACT-14",
    "C-BACT-15",
    "C-BACT-16",
    "C-BACT-18",
    "C-BACT-21",
    "C-BACT-22",
    "C-BACT-23",
    "C-BAOO-1",
    "C-BAOO-2",
    "C-BAOO-4",
    "C-BAOO-5",
    "C-BENEMY-2",
    "C-BENEMY-4",
    "C-BENEMY-5",
    "C-BENEMY-7",
    "C-BENEMY-8",
    "C-BENEMY-12",
    "C-BENEMY-16",
    "C-ENG-1",
    "C-REACT-5",
    "C-DECIDE-54",
)
def test_moving_away_from_two_engaged_enemies_one_of_them_exhausted() -> None:
    bench = hounds()
    bench.bag("-2", "0")

    # Steps 1 to 4, at the question for the boots.
    bench.act("choice/move", ...)
    table = bench.game_table
    x, y, z = (table.cards[bench.piece(f"card/{one}")] for one in "xyz")
    assert bench.who(ANNA).actions + len(bench.who(ANNA).extra) == 3
    assert bench.count(ANNA, Token.DAMAGE) == bench.count(ANNA, Token.HORROR) == 1
    assert (x.is_exhausted, y.is_exhausted) == (False, True)
    assert bench.at(ANNA) == L2
    assert x.engaged == y.engaged == (ANNA,)
    assert location_of(bench.game, y) == bench.piece(L2)
    assert bench.count(L2, Token.CLUE) == 2
    assert bench.count(ANNA, Token.RESOURCE) == 4
    assert not z.engaged

    # Steps 4 to 6.
    bench = hounds()
    bench.bag("-2", "0")
    bench.act("choice/move", "card/boots")
    assert bench.card("card/boots").is_exhausted
    assert bench.count(ANNA, Token.RESOURCE) == 4
    assert bench.engaged_with(ANNA) == ["card/x", "card/y", "card/z"]

    # Step 7.
    bench.act(...)
    assert bench.choices("choice/engage") == ["card/v", "card/u"]
    bench.act(about("choice/engage", "card/u"), "card/z")
    assert bench.count(ANNA, Token.DAMAGE) == 4
    assert bench.engaged_with(ANNA) == ["card/u", "card/x", "card/y", "card/z"]
    assert bench.card("card/u").is_exhausted

    # Steps 8 and 9.
    bench.give_tokens("-2")
    bench.act(about("choice/evade", "card/x"))
    assert not bench.card("card/x").is_exhausted
    assert bench.count(ANNA, Token.DAMAGE) == 5
    assert "card/x" in bench.engaged_with(ANNA)
    bench.give_tokens("0")
    bench.act(about("choice/evade", "card/x"))
    assert bench.card("card/x").is_exhausted
    assert bench.card("card/x").at == Place(Zone.AT, bench.piece(L2))

    assert bench.at(ANNA) == L2
    assert bench.count(ANNA, Token.DAMAGE) == 5
    assert bench.count(ANNA, Token.HORROR) == 3
    assert bench.count(ANNA, Token.RESOURCE) == 4
    assert bench.engaged_with(ANNA) == ["card/u", "card/y", "card/z"]
    assert not bench.card("card/v").is_exhausted
    assert not bench.card("card/v").engaged
    assert bench.count(L2, Token.CLUE) == 2


def hounds() -> Bench:
    """Lay out the example of two enemies that come along."""
    bench = Bench(content_of(enemies=HOUNDS, players=BOOTS, locations=DRAIN))
    bench.tokens_on(bench.own(ANNA), resource=4)
    bench.set(ANNA, extra=(ExtraAction("card/boots"),))
    bench.lay("card/boots", Zone.PLAY, ANNA)
    bench.engage("card/x", ANNA)
    bench.engage("card/y", ANNA, is_exhausted=True)
    for code in ("card/z", "card/v", "card/u"):
        bench.lay(code, Zone.AT, bench.piece(L2), is_exhausted=code == "card/u")
    return bench


# Where everybody is


WALL = """
- id: card/l2
  symbol: s2
  connects: [s1, s3]
  abilities: [{does: constant, gives: [cannot: {do: enter, of: each, where: {this: true}}]}]
  face: {id: card/l2-seen, shroud: 2}
"""
PUSH = """
- id: card/shove
  abilities: [{does: revelation, effect: [move: {to: {each: {id: card/l2}}}]}]
- id: card/chains
  abilities: [{does: constant, gives: [cannot: {do: move, of: each}]}]
- id: card/collapse
  abilities: [{does: revelation, effect: [take_out: {card: here, to: {each: {id: card/l2}}}]}]
- id: card/void
  abilities: [{does: revelation, effect: [take_out: {card: here}]}]
"""


def draw(bench: Bench, code: str) -> None:
    """Have A draw an encounter card."""
    bench.deck(ENCOUNTER, code)
    bench.run(encounter.draw(bench.game, ANNA))


@pytest.mark.rule("C-EX-125", "C-BLOC-11")
def test_cannot_enter_binds_a_move_that_is_forced_too() -> None:
    bench = Bench(content_of(locations=WALL, treacheries=PUSH))
    draw(bench, "card/shove")
    assert bench.at(ANNA) == L1
    bench.act(...)
    assert "choice/move" not in bench.offered()


@pytest.mark.rule("C-BLOC-11", "C-BABIL-2")
def test_cannot_enter_one_location_leaves_the_others_open() -> None:
    bench = Bench(content_of(locations=WALL, treacheries=PUSH))
    bench.walk(ANNA, L3)
    bench.act(...)
    assert bench.choices("choice/move") == ["card/l4"]


@pytest.mark.rule("C-EX-84", "C-NOLOC-1", "C-NOLOC-2", "C-DECIDE-34")
def test_cannot_move_keeps_nobody_at_a_location_that_leaves_play() -> None:
    bench = Bench(content_of(enemies=HOUNDS, treacheries=PUSH), (ANNA, BEN))
    bench.lay("card/chains", Zone.THREAT, ANNA)
    bench.lay("card/v", Zone.AT, bench.piece(L1))
    draw(bench, "card/shove")
    assert bench.at(ANNA) == L1
    draw(bench, "card/collapse")
    assert bench.at(ANNA) == bench.at(BEN) == L2
    assert bench.card("card/v").at.of == bench.piece(L2)
    assert not [card for card in bench.game_table.lying(Zone.MAP) if card.code == L1]


@pytest.mark.rule("C-DECIDE-28", "C-NOLOC-2")
def test_a_location_stays_if_nothing_says_where_those_there_go() -> None:
    bench = Bench(content_of(treacheries=PUSH))
    draw(bench, "card/void")
    assert bench.at(ANNA) == L1
    assert bench.piece(L1)
    assert Told(Text("notice/nobody_nowhere", ("card/void",))) in bench.happened(Told)


LAMP = """
- {id: card/lamp, type: asset, cost: 1}
- id: card/spark
  type: event
  cost: 0
  abilities: [{does: play, effect: [put: {token: bounty, card: {each: {where: here, types: [asset, enemy]}}}]}]
"""  # noqa: E501  # an effect a line


@pytest.mark.rule("C-LOC-2")
def test_assets_and_threats_are_at_the_location_of_their_investigator() -> None:
    bench = Bench(content_of(players=LAMP, enemies=HOUNDS), (ANNA, BEN))
    bench.walk(BEN, L2)
    near, far = bench.lay("card/lamp", Zone.PLAY, ANNA), bench.lay("card/lamp", Zone.PLAY, BEN)
    bench.engage("card/y", ANNA, is_exhausted=True)
    bench.engage("card/z", BEN, is_exhausted=True)
    bench.hand(ANNA, "card/spark")
    bench.act("card/spark")
    cards = bench.game_table.cards
    assert [cards[piece].count("bounty") for piece in (near, far)] == [1, 0]
    assert [bench.card(code).count("bounty") for code in ("card/y", "card/z")] == [1, 0]


@pytest.mark.rule("C-EX-27", "C-LOC-3", "C-LOC-4", "C-BLOC-6")
def test_only_clues_on_the_location_itself_can_be_discovered_there() -> None:
    bench = Bench(content_of(treacheries=PUSH))
    piece = bench.lay("card/chains", Zone.THREAT, ANNA)
    bench.tokens_on(piece, clue=1)
    bench.tokens_on(bench.piece(L1), clue=1)
    bench.act("choice/investigate")
    bench.act("choice/investigate")
    assert bench.count(ANNA, Token.CLUE) == 1
    assert bench.card(L1).count(Token.CLUE) == 0
    assert bench.card("card/chains").count(Token.CLUE) == 1


# Connections


DOORS = """
- {id: card/l1, symbol: s1, connects: [s2], face: {id: card/l1-seen, shroud: 2}}
- {id: card/l2, symbol: s2, connects: [s3], face: {id: card/l2-seen, shroud: 2}}
- {id: card/l3, symbol: s3, connects: [s1], face: {id: card/l3-seen, shroud: 2}}
"""
ROPE = """
- id: card/rope
  type: asset
  cost: 1
  abilities: [{does: constant, gives: [connects: {source: {id: card/l1}, to: {id: card/l3}}]}]
"""


@pytest.mark.rule("C-BLOC-4", "C-BLOC-7")
def test_a_connection_may_lead_in_one_direction_only() -> None:
    bench = Bench(content_of(locations=DOORS, players=ROPE))
    one, two, three = (bench.piece(place) for place in (L1, L2, L3))
    assert locations.distances(bench.game, one) == {one: 0, two: 1, three: 2}
    assert locations.distances(bench.game, two) == {two: 0, three: 1, one: 2}


@pytest.mark.rule("C-BLOC-12", "C-BLOC-7")
def test_paths_are_counted_anew_when_connections_change() -> None:
    bench = Bench(content_of(locations=DOORS, players=ROPE))
    bench.lay("card/rope", Zone.PLAY, ANNA)
    one, two, three = (bench.piece(place) for place in (L1, L2, L3))
    assert locations.distances(bench.game, one) == {one: 0, two: 1, three: 1}
    bench.act(...)
    assert bench.choices("choice/move") == [L2, L3]


# What answers a move


GATE = """
- id: card/l1
  symbol: s1
  connects: [s2]
  face:
    id: card/l1-seen
    shroud: 2
    abilities:
    - {does: forced, on: {after: leaves, place: {this: true}}, effect: [harm: {damage: 1}]}
"""
BOLT = """
- id: card/latch
  type: asset
  cost: 1
  abilities: [{does: reaction, on: {when: leaves}, cost: [exhaust: {this: true}], effect: [cancel: true]}]
"""  # noqa: E501  # an ability a line


@pytest.mark.rule("C-BACT-14", "C-DECIDE-54", "C-BABIL-30")
def test_whoever_leaves_no_place_enters_none() -> None:
    bench = Bench(content_of(locations=GATE, players=BOLT))
    bench.lay("card/latch", Zone.PLAY, ANNA)
    bench.act("choice/move", "card/latch")
    assert bench.at(ANNA) == L1
    assert bench.count(ANNA, Token.DAMAGE) == 0
    assert not bench.card(L2).face
    bench.act("choice/move")
    assert bench.at(ANNA) == L2
    assert bench.count(ANNA, Token.DAMAGE) == 1


@pytest.mark.rule("C-DECIDE-54", "C-BENEMY-2")
def test_nobody_engages_a_mover_who_has_gone_on() -> None:
    slide = DRAIN.replace("resources: -1", "move: {to: {each: {id: card/l3}}}")
    bench = Bench(content_of(locations=slide, enemies=HOUNDS))
    bench.lay("card/z", Zone.AT, bench.piece(L2))
    bench.act("choice/move")
    assert bench.at(ANNA) == L3
    assert bench.card("card/z").engaged == ()


@pytest.mark.rule("C-DECIDE-54", "C-BENEMY-2")
def test_all_ready_enemies_there_engage_as_one_group() -> None:
    bench = Bench(content_of(enemies=HOUNDS, players=WATCH))
    bench.lay("card/watch", Zone.PLAY, ANNA)
    for code in ("card/y", "card/z"):
        bench.lay(code, Zone.AT, bench.piece(L2))
    bench.act("choice/move", ...)
    assert bench.engaged_with(ANNA) == ["card/y", "card/z"]
    assert bench.choices("choice/use") == ["card/watch", "card/watch"]


WATCH = """
- id: card/watch
  type: asset
  cost: 1
  abilities: [{does: reaction, on: {after: engages, who: you}, effect: [resources: 1]}]
"""


# Additional costs of moves and of what is done at a place

SCOUT = """
- id: card/scout
  type: asset
  cost: 1
  abilities:
  - does: action
    deed: [investigate]
    cost: [exhaust: {this: true}]
    effect:
    - may: {do: [move: {to: {choose: {of: {types: [location], where: beside}}}}]}
    - investigate: {base: 4}
"""
BOG = """
- id: card/l2
  symbol: s2
  connects: [s1, s3]
  face:
    id: card/l2-seen
    shroud: 4
    clues: 1
    abilities:
    - does: constant
      gives: [additional_cost: {deed: investigate, cost: [actions: 1], where: {this: true}}]
"""


@pytest.mark.rule("C-EX-8", "C-ADD-1", "C-ADD-2", "C-ADD-3", "C-ADD-4", "C-ADD-5", "C-DESIG-1")
@pytest.mark.parametrize(("actions", "clues"), [(2, 1), (1, 0)])
def test_an_additional_cost_is_paid_when_the_investigation_would_be_made(
    actions: int, clues: int
) -> None:
    bench = Bench(content_of(players=SCOUT, locations=BOG))
    bench.lay("card/scout", Zone.PLAY, ANNA)
    bench.set(ANNA, actions=actions)
    began = len(bench.log)
    bench.act("card/scout", "choice/do")
    assert bench.at(ANNA) == L2
    assert bench.card("card/scout").is_exhausted
    assert bench.who(ANNA).actions == 0
    assert bench.count(ANNA, Token.CLUE) == clues
    paid = (ActionsSet, Exhausted, Walked, BeginningOfTest)
    came = [type(one) for one in bench.log[began:] if isinstance(one, paid)]
    assert came == [ActionsSet, Exhausted, Walked, *[ActionsSet, BeginningOfTest] * clues]
    assert [one.value for one in bench.happened(StepOfTest) if one.step == 6] == [4] * clues


MIRE = """
- id: card/l1
  symbol: s1
  connects: [s2]
  face:
    id: card/l1-seen
    shroud: 2
    abilities:
    - does: constant
      gives: [additional_cost: {deed: move, cost: [actions: 1], where: {this: true}}]
"""
TOLL = MIRE.replace("actions: 1", "resources: 2")


@pytest.mark.rule("C-EX-90", "C-ADD-6", "C-ADD-7")
def test_a_forced_move_pays_no_additional_cost() -> None:
    alarm = """
- id: card/alarm
  abilities: [{does: forced, on: {after: turn-begins}, effect: [move: {to: {each: {id: card/l2}}, who: each}]}]
"""  # noqa: E501  # an ability a line
    back = "- {id: card/act, clues: 1, back: [move: {to: {each: {id: card/l2}}, who: each}]}\n"
    bench = Bench(content_of(locations=MIRE, treacheries=alarm))
    bench.lay("card/alarm", Zone.THREAT, ANNA)
    bench.set(ANNA, actions=0)
    bench.run(turns.begin(bench.game, ANNA))
    assert bench.at(ANNA) == L2

    bench = Bench(content_of(locations=MIRE, acts=back))
    bench.set(ANNA, actions=0)
    bench.run(story.advance(bench.game, Zone.ACT))
    assert bench.at(ANNA) == L2


@pytest.mark.rule("C-ADD-1", "C-ADD-4", "C-BTURN-7")
def test_a_move_whose_additional_cost_cannot_be_paid_is_not_offered() -> None:
    bench = Bench(content_of(locations=MIRE))
    bench.set(ANNA, actions=1)
    bench.act(...)
    assert "choice/move" not in bench.offered()
    bench.set(ANNA, actions=2)
    bench.act("choice/move")
    assert bench.who(ANNA).actions == 0
    assert bench.at(ANNA) == L2


@pytest.mark.rule("C-ADD-1")
def test_a_cost_to_leave_is_not_paid_to_enter() -> None:
    bench = Bench(content_of(locations=TOLL))
    bench.walk(ANNA, L2)
    bench.act(about("choice/move", "card/l1-seen"))
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-ADD-1", "C-ADD-3")
def test_a_cost_to_enter_is_paid_by_whoever_moves_there() -> None:
    gate = TOLL.replace("where: {this: true}", "to: {this: true}")
    bench = Bench(content_of(locations=gate))
    bench.walk(ANNA, L2)
    bench.act(about("choice/move", "card/l1-seen"))
    assert bench.count(ANNA, Token.RESOURCE) == 3
    bench.act("choice/move")
    assert bench.count(ANNA, Token.RESOURCE) == 3


GUARD = """
- id: card/doubt
  abilities:
  - does: forced
    on: {would: leaves}
    effect: [test: {skill: willpower, difficulty: 3, failure: [cancel: true]}]
"""
SHOES = """
- id: card/shoes
  type: asset
  cost: 1
  abilities: [{does: reaction, on: {when: leaves, who: you}, effect: [draw: {number: 1}]}]
- id: card/wait
  type: event
  cost: 1
  keywords: [fast]
  abilities: [{does: play, on: {when: leaves, who: another-here}, effect: [cancel: true]}]
- {id: card/coin, type: skill}
"""
SORE = f"""
{TOLL.strip()}
    - {{does: forced, on: {{after: leaves, place: {{this: true}}}}, effect: [harm: {{damage: 1}}]}}
"""


def leaving(*, poor: bool = False) -> Bench:
    """Lay out the example of a move that costs, hurts and may be prevented."""
    guard = GUARD
    if poor:
        guard = guard.replace("failure:", "success: [resources: -1], failure:")
    bench = Bench(content_of(locations=SORE, treacheries=guard, players=SHOES), (ANNA, BEN))
    bench.lay("card/doubt", Zone.AT, bench.piece(L1))
    bench.lay("card/shoes", Zone.PLAY, ANNA)
    bench.tokens_on(bench.own(ANNA), resource=2)
    bench.deck(ANNA, "card/coin")
    bench.hand(BEN, "card/wait")
    bench.bag("-1", "0")
    return bench


@pytest.mark.rule("C-EX-113", "C-BABIL-13", "C-BABIL-14", "C-BWIN-9", "C-NEST-1")
def test_a_leaving_that_is_replaced_costs_nothing_and_is_answered_by_nobody() -> None:
    bench = leaving()
    bench.act(...)
    assert "card/wait" not in str(bench.open)
    bench.give_tokens("-1")
    bench.act("choice/move")
    assert (bench.at(ANNA), bench.who(ANNA).actions) == (L1, 2)
    assert bench.count(ANNA, Token.RESOURCE) == 2
    assert bench.count(ANNA, Token.DAMAGE) == 0


@pytest.mark.rule("C-EX-113", "C-ADD-3", "C-BABIL-14")
def test_the_cost_to_leave_is_paid_once_the_leaving_is_imminent() -> None:
    bench = leaving()
    bench.give_tokens("0")
    bench.act("choice/move", {0: "card/shoes"}, {1: "choice/pass"})
    assert bench.at(ANNA) == L2
    assert bench.count(ANNA, Token.RESOURCE) == 0
    assert bench.count(ANNA, Token.DAMAGE) == 1
    assert bench.in_hand(ANNA) == ["card/coin"]


@pytest.mark.rule("C-EX-113", "C-BABIL-30", "C-BABIL-15")
def test_a_cancelled_leaving_stays_paid_and_is_answered_no_more() -> None:
    bench = leaving()
    bench.give_tokens("0")
    bench.act("choice/move", {1: "card/wait"})
    assert bench.at(ANNA) == L1
    assert bench.count(ANNA, Token.RESOURCE) == 0
    assert bench.count(BEN, Token.RESOURCE) == 4
    assert bench.count(ANNA, Token.DAMAGE) == 0
    assert bench.in_hand(ANNA) == []


@pytest.mark.rule("C-EX-113", "C-ADD-4")
def test_whoever_cannot_pay_when_the_leaving_is_imminent_stays() -> None:
    bench = leaving(poor=True)
    bench.give_tokens("0")
    bench.act("choice/move")
    assert bench.at(ANNA) == L1
    assert bench.count(ANNA, Token.RESOURCE) == 1
    assert bench.in_hand(ANNA) == []


# What beats what

ROOTED = """
- id: card/rooted
  abilities:
  - does: constant
    gives: [cannot: {do: move, of: each, where: {host: true}}]
- id: card/gale
  abilities: [{does: revelation, effect: [move: {to: {each: {id: card/l3}}}]}]
"""
STRIDE = """
- id: card/stride
  type: event
  cost: 0
  abilities: [{does: play, effect: [move: {to: {choose: {of: {types: [location]}}}}]}]
"""
BACKWARD = """
- id: card/keys
  type: asset
  cost: 1
  abilities: [{does: constant, gives: [connects: {source: {id: card/l1}, to: {id: card/l3}}]}]
"""


@pytest.mark.rule("C-EX-113", "C-BABIL-2", "C-BLOC-11")
def test_cannot_leave_beats_a_card_that_says_move_to_any_location() -> None:
    bench = Bench(content_of(treacheries=ROOTED, players=STRIDE))
    bench.hand(ANNA, "card/stride")
    root = bench.lay("card/rooted", Zone.ON, bench.piece(L1))
    bench.act(...)
    assert not {"choice/move", "choice/play"} & set(bench.offered())
    draw(bench, "card/gale")
    assert bench.at(ANNA) == L1

    bench.run(zones.discard(bench.game, (root,)))
    bench.act("card/stride", "card/l4")
    assert bench.at(ANNA) == "card/l4"


@pytest.mark.rule("C-EX-113", "C-BABIL-1", "C-BLOC-12")
def test_a_card_that_opens_one_way_doors_beats_the_rule_on_connections() -> None:
    # The door leads from L3 to L1 only.
    bench = Bench(content_of(locations=DOORS, players=BACKWARD))
    bench.act(...)
    assert bench.choices("choice/move") == [L2]
    bench.lay("card/keys", Zone.PLAY, ANNA)
    bench.act(about("choice/move", L3))
    assert bench.at(ANNA) == L3


BOAT = """
- id: card/boat
  type: asset
  abilities:
  - does: free
    effect: [{move: {to: {choose: {of: {types: [location]}}}}}]
"""


@pytest.mark.rule("C-BABIL-22", "C-BACT-14")
def test_nobody_may_choose_to_move_to_where_they_are() -> None:
    bench = Bench(content_of(players=BOAT))
    bench.lay("card/boat", Zone.PLAY, ANNA)
    bench.resolve("card/boat", ...)

    assert L2 in bench.choices("choice/card")
    assert bench.at(ANNA) == L1
    assert "card/l1-seen" not in bench.choices("choice/card")

"""Slots, and putting into play. Sections 1.14 and 2.14, C-EX-85 and C-EX-127."""

import pytest

from protocol.common.text import Text
from protocol.games.cards.events import Moved, Told
from protocol.games.cards.words import Token, Zone
from server.games.cards.rules import zones
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

PLAYERS = """
- {id: card/ally-p, type: asset, cost: 3, slots: [ally]}
- id: card/ally-q
  type: asset
  cost: 2
  slots: [ally]
  abilities: [{does: constant, gives: [{slot: {slot: ally}}]}]
- {id: card/g1, type: asset, cost: 2, slots: [hand], traits: [weapon]}
- {id: card/g2, type: asset, cost: 2, slots: [hand], traits: [weapon]}
- {id: card/g3, type: asset, cost: 2, slots: [hand], traits: [weapon]}
- {id: card/h, type: asset, cost: 4, slots: [hand, hand], traits: [weapon]}
- id: card/k
  type: asset
  cost: 3
  slots: [hand]
  traits: [weapon]
  abilities: [{does: constant, gives: [{skill: {stat: combat, by: 1}}]}]
- id: card/coat
  type: asset
  cost: 1
  slots: [body]
  abilities: [{does: constant, gives: [{slot: {slot: hand}}]}]
- id: card/tag
  type: asset
  cost: 0
- id: card/axe
  type: event
  cost: 0
  abilities: [{does: play, effect: [{discard: {choose: {of: {types: [asset], yours: true}}}}]}]
- id: card/scavenge
  type: event
  cost: 0
  abilities:
  - {does: play, effect: [{into_play: {from_discard: {traits: [weapon], cost_at_most: 3}}}]}
- id: card/witness
  type: asset
  cost: 0
  abilities:
  - does: reaction
    on: {after: card-played, who: you, card: {types: [asset]}}
    effect: [{resources: 1}]
- id: card/mourner
  type: asset
  cost: 0
  abilities:
  - {does: reaction, on: {after: leaves-play, card: {traits: [weapon]}}, effect: [{resources: 1}]}
"""


def table(*hand: str, players: str = PLAYERS) -> Bench:
    """Return A with the ally P, two one-hand weapons and 6 resources."""
    bench = Bench(content_of(players=players), (ANNA, BEN))
    for code in ("card/ally-p", "card/g1", "card/g2"):
        bench.lay(code, Zone.PLAY, ANNA)
    bench.tokens_on(bench.own(ANNA), resource=6)
    bench.hand(ANNA, *hand)
    return bench


def in_play(bench: Bench) -> set[str]:
    """Return the cards in A's play area besides the investigator."""
    cards = bench.game_table.lying(Zone.PLAY, ANNA)
    return {card.code.removeprefix("card/") for card in cards} - {"anna"}


@pytest.mark.rule("C-EX-127", "C-BPLAY-8", "C-BPLAY-9", "C-BPLAY-21", "C-BPLAY-2", "C-BZONE-4")
def test_slots_that_a_new_asset_brings_count_before_anything_must_go() -> None:
    bench = table("card/ally-q", "card/axe")
    bench.act("card/ally-q")
    assert in_play(bench) == {"ally-p", "ally-q", "g1", "g2"}
    assert bench.card("card/ally-q").controller == ANNA

    bench.act("card/axe", "card/ally-q")
    assert in_play(bench) == {"ally-p", "g1", "g2"}


@pytest.mark.rule("C-EX-127", "C-BPLAY-10")
def test_losing_a_slot_has_the_assets_discarded_that_do_not_fit() -> None:
    bench = table("card/coat", "card/g3", "card/axe")
    bench.act("card/coat")
    bench.act("card/g3")
    assert in_play(bench) == {"ally-p", "g1", "g2", "g3", "coat"}

    bench.act("card/axe", "card/coat", "card/g1")
    assert in_play(bench) == {"ally-p", "g2", "g3"}
    assert bench.discarded(ANNA) == ["card/coat", "card/g1", "card/axe"]


@pytest.mark.rule("C-EX-85", "C-EX-127", "C-SLOT-1", "C-SLOT-2")
def test_a_two_hand_asset_takes_the_slots_of_two_in_one_step() -> None:
    bench = table("card/h")
    bench.lay("card/mourner", Zone.PLAY, ANNA)
    # Both must go, so nobody is asked which; the reactions come when all is done.
    began = len(bench.log)
    bench.act("card/h", 0, 0)
    assert in_play(bench) == {"ally-p", "h", "mourner"}
    assert bench.count(ANNA, Token.RESOURCE) == 4
    moves = [at for at, one in enumerate(bench.log[began:]) if isinstance(one, Moved)]
    assert moves[1] == moves[0] + 1


@pytest.mark.rule("C-BZONE-11", "C-SLOT-1")
def test_what_is_attached_to_an_asset_that_gives_way_is_discarded() -> None:
    bench = table("card/h")
    bench.lay("card/tag", Zone.ON, bench.piece("card/g1"), owner=ANNA, controller=ANNA)
    bench.act("card/h")
    assert bench.discarded(ANNA) == ["card/g1", "card/g2", "card/tag"]


@pytest.mark.rule(
    *("C-EX-127", "C-BPLAY-15", "C-BPLAY-22", "C-BPLAY-23", "C-BZONE-9", "C-BZONE-23"),
    "C-SLOT-1",
)
def test_an_asset_put_into_play_is_not_played_and_takes_its_slot() -> None:
    bench = table("card/scavenge")
    bench.lay("card/witness", Zone.PLAY, ANNA)
    for code in ("card/coat", "card/k", "card/h", "card/tag"):
        bench.lay(code, Zone.DISCARD, ANNA)
    # The two-hand weapon costs too much: K is meant, unasked. The witness is not offered.
    bench.act("card/scavenge", "card/g2")
    assert in_play(bench) == {"ally-p", "g1", "k", "witness"}
    assert bench.count(ANNA, Token.RESOURCE) == 6
    lying = ["card/coat", "card/h", "card/tag", "card/g2", "card/scavenge"]
    assert bench.discarded(ANNA) == lying
    moved = [one for one in bench.log if isinstance(one, Moved)]
    assert [one.to.zone for one in moved if one.to.zone is not Zone.DISCARD] == [Zone.PLAY]


@pytest.mark.issue(42)
def test_an_asset_that_has_to_give_way_unasked_is_named() -> None:
    bench = table()
    bench.lay("card/h", Zone.DISCARD, ANNA)
    bench.run(zones.enter(bench.game, bench.piece("card/h"), ANNA))
    told = [one.text for one in bench.log if isinstance(one, Told)]
    assert told == [Text("notice/slots", (one, "slot/hand")) for one in ("card/g1", "card/g2")]


@pytest.mark.rule("C-EX-127", "C-BPLAY-23", "C-BZONE-15", "C-BZONE-22")
def test_a_unique_card_is_not_put_into_play_beside_its_copy() -> None:
    unique = PLAYERS.replace("- id: card/k\n", "- id: card/k\n  unique: true\n")
    bench = table("card/scavenge", players=unique)
    bench.lay("card/k", Zone.DISCARD, ANNA)
    bench.lay("card/k", Zone.PLAY, BEN)
    assert bench.can_use() == []


@pytest.mark.rule("C-SLOT-1", "C-PERM-1")
def test_a_permanent_asset_does_not_give_way() -> None:
    oath = "- {id: card/oath, type: asset, slots: [hand], keywords: [permanent]}"
    bench = table("card/g3", players=PLAYERS + oath)
    bench.emit(Moved((bench.piece("card/g2"),), bench.card("card/g2").at, ANNA))
    bench.change(
        cards={
            piece: card for piece, card in bench.game_table.cards.items() if card.code != "card/g2"
        }
    )
    bench.lay("card/oath", Zone.PLAY, ANNA)
    bench.act("card/g3")
    assert in_play(bench) == {"ally-p", "g3", "oath"}

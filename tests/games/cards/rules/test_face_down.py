"""Cards that lie face down, and who may look at them. Section 1.15."""

import pytest

from protocol.common.events import Arranged, LookedAt
from protocol.event import Sealed
from protocol.games.cards import events
from protocol.games.cards.table import FACE_DOWN, Card, deck_of
from protocol.games.cards.words import Fate, Zone
from server.games.cards.rules import elimination, enemies, zones
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

PLAYERS = """
- id: card/chest
  type: asset
  cost: 1
  health: 3
  abilities:
  - {does: free, effect: [{face_down: {number: 3}}]}
  - {does: free, effect: [{draw: {number: 1, on: this}}]}
- {id: card/one, type: event, cost: 1}
- {id: card/two, type: event, cost: 1}
- {id: card/three, type: event, cost: 1}
- {id: card/four, type: event, cost: 1}
- id: card/dread
  type: asset
  weakness: true
  abilities: [{does: revelation, effect: [{to_threat: {}}]}]
"""
ENEMIES = "- {id: card/rats, fight: 1, health: 1, evade: 1, swarming: 1}\n"
TREACHERIES = """
- id: card/lid
  abilities:
  - {does: revelation, effect: [{face_down: {on: here, beneath: true, encounter: true}}]}
- id: card/mud
  abilities:
  - {does: revelation, effect: [{face_down: {on: {each: {types: [enemy]}}, encounter: true}}]}
- {id: card/glimpse, abilities: [{does: revelation, effect: [{look: {on: here}}]}]}
- {id: card/fog}
"""
CONTENT = content_of(players=PLAYERS, enemies=ENEMIES, treacheries=TREACHERIES)


def lying(bench: Bench, zone: Zone, host: str) -> tuple[Card, ...]:
    """Return the cards that lie with another one."""
    return bench.game_table.lying(zone, host)


def knowers(bench: Bench, card: Card) -> set[int]:
    """Return the seats that are shown a card that lies face down."""
    hidden = bench.game_table.hidden_cards[card.handle]
    sealed = (hidden.order, *(look.cards for look in hidden.looks))
    return {seat for one in sealed for seat in one.audience}


def looked(bench: Bench) -> list[tuple[str, tuple[int, ...], Sealed[tuple[str, ...]]]]:
    """Return the looks on the log: pile, seats, and what they saw."""
    return [(look.pile, look.knowers, look.cards) for look in bench.happened(LookedAt)]


@pytest.fixture
def bench() -> Bench:
    """Anna controls a chest with three of her cards face down; the fourth is her deck."""
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.lay("card/chest", Zone.PLAY, ANNA)
    bench.deck(ANNA, "card/one", "card/two", "card/three", "card/four")
    bench.resolve("card/chest")
    return bench


@pytest.mark.rule("C-EX-68", "C-LOOK-1", "C-SECRET-15")
def test_the_controller_alone_knows_what_lies_face_down_on_a_card(bench: Bench) -> None:
    down = lying(bench, Zone.ON, bench.piece("card/chest"))
    assert [card.code for card in down] == ["", "", ""]
    assert [knowers(bench, card) for card in down] == [{0}, {0}, {0}]
    assert bench.in_deck(ANNA) == ["card/four"]


@pytest.mark.rule("C-DECIDE-36")
def test_that_the_controller_may_know_a_card_is_on_the_log_once(bench: Bench) -> None:
    ((pile, seats, cards),) = looked(bench)
    assert (pile, seats, cards.audience) == (FACE_DOWN, (0,), (0,))
    assert cards.value == ("card/one", "card/two", "card/three")
    bench.deck(ANNA, "card/four")
    bench.resolve("card/chest")
    assert looked(bench)[1][2].value == ("card/four",)


@pytest.mark.rule("C-EX-68", "C-LOOK-2")
def test_who_may_draw_one_of_the_cards_chooses_by_its_face(bench: Bench) -> None:
    bench.resolve("card/chest", ..., ability=1)
    assert bench.asks() == [0]
    assert bench.choices("choice/card") == ["card/one", "card/two", "card/three"]
    bench.resolve("card/chest", "card/two", ability=1)
    assert bench.in_hand(ANNA) == ["card/two"]
    left = lying(bench, Zone.ON, bench.piece("card/chest"))
    assert [bench.game_table.card_of(card.handle) for card in left] == ["card/one", "card/three"]


@pytest.mark.rule("C-LOOK-2", "C-BWEAK-1")
def test_a_weakness_that_is_drawn_from_beneath_is_resolved() -> None:
    bench = Bench(CONTENT)
    bench.lay("card/chest", Zone.PLAY, ANNA)
    bench.deck(ANNA, "card/dread")
    bench.resolve("card/chest")
    bench.resolve("card/chest", ability=1)
    assert bench.card("card/dread").at.zone is Zone.THREAT
    assert not bench.game_table.piles[FACE_DOWN]


@pytest.mark.rule("C-LOOK-2")
def test_who_does_not_own_the_cards_draws_none_of_them(bench: Bench) -> None:
    zones.change_control(bench.game, bench.piece("card/chest"), BEN)
    bench.resolve("card/chest", who=BEN, ability=1)
    assert bench.in_hand(BEN) == []
    assert len(lying(bench, Zone.ON, bench.piece("card/chest"))) == 3


@pytest.mark.rule("C-LOOK-2")
def test_of_a_card_with_nothing_beneath_nothing_is_drawn() -> None:
    bench = Bench(CONTENT)
    bench.lay("card/chest", Zone.PLAY, ANNA)
    before = len(bench.log)
    bench.resolve("card/chest", ability=1)
    assert bench.log[before:] == []


@pytest.mark.rule("C-LOOK-1", "C-SECRET-15", "C-DECIDE-36")
def test_a_new_controller_may_look_from_then_on_and_the_former_no_more(bench: Bench) -> None:
    zones.change_control(bench.game, bench.piece("card/chest"), BEN)
    down = lying(bench, Zone.ON, bench.piece("card/chest"))
    assert [knowers(bench, card) for card in down] == [{1}] * 3
    assert len(bench.happened(Arranged)) == 1
    assert len(looked(bench)) == 1


@pytest.mark.rule("C-LOOK-3", "C-SECRET-16")
def test_nobody_knows_what_lies_face_down_on_an_encounter_card() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    rats = bench.engage("card/rats", ANNA)
    bench.deck("encounter", "card/fog", "card/glimpse")
    bench.resolve("card/mud")
    (down,) = lying(bench, Zone.ON, rats)
    assert (down.code, down.owner, knowers(bench, down)) == ("", "", set())
    assert looked(bench) == []


@pytest.mark.rule("C-EX-68", "C-LOOK-4", "C-SECRET-17", "C-SECRET-18")
def test_nobody_knows_a_swarm_card_or_one_that_the_scenario_laid() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.deck(ANNA, "card/one", "card/two")
    rats = bench.engage("card/rats", ANNA)
    enemies.lay_swarm(bench.game, rats, ANNA)
    bench.deck("encounter", "card/fog", "card/glimpse")
    bench.resolve("card/lid")
    beneath = lying(bench, Zone.BENEATH, bench.piece("card/l1"))
    down = (*lying(bench, Zone.SWARM, rats), *beneath)
    assert [(card.code, knowers(bench, card)) for card in down] == [("", set())] * 2
    assert looked(bench) == []
    assert bench.in_deck("encounter") == ["card/glimpse"]


@pytest.mark.rule("C-LOOK-3", "C-LOOK-4", "C-SECRET-18")
def test_the_game_may_give_one_investigator_a_look() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.deck("encounter", "card/fog", "card/glimpse")
    bench.resolve("card/lid")
    bench.resolve("card/glimpse", who=BEN)
    (down,) = lying(bench, Zone.BENEATH, bench.piece("card/l1"))
    assert knowers(bench, down) == {1}
    assert looked(bench)[0][2].value == ("card/fog",)


@pytest.mark.rule("C-BZONE-11", "C-SECRET-15")
def test_what_lies_face_down_on_a_card_is_discarded_open_with_it(bench: Bench) -> None:
    bench.run(zones.discard(bench.game, (bench.piece("card/chest"),)))
    assert sorted(bench.discarded(ANNA)) == ["card/chest", "card/one", "card/three", "card/two"]
    assert not bench.game_table.piles[FACE_DOWN]
    assert not any(card.handle for card in bench.game_table.cards.values())


@pytest.mark.rule("C-BELIM-2", "C-SECRET-36")
def test_face_down_cards_of_an_eliminated_investigator_leave_unseen(bench: Bench) -> None:
    bench.run(elimination.eliminate(bench.game, {ANNA: None}, Fate.RESIGNED))
    assert not bench.game_table.piles[FACE_DOWN]
    assert not any(card.owner == ANNA for card in bench.game_table.cards.values() if card.handle)
    assert [opened.code for opened in bench.happened(events.Opened)] == []
    assert not bench.game_table.piles[deck_of(ANNA)]

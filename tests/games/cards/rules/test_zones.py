"""Zones, ownership, control, attachments, returning cards. Sections 1.14, 1.15 and 2.1."""

import pytest

from protocol.common.events import Shuffled
from protocol.games.cards.table import hand_of
from protocol.games.cards.words import Fate, Phase, Token, Zone
from server.games.cards.rules import elimination, encounter, playing, zones
from server.games.cards.rules.play import Source
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, content_of

RAT = "- {id: card/rat, fight: 3, health: 3, evade: 3}"
GIFTS = """
- {id: card/blade, type: asset, cost: 2, signature_of: card/anna, traits: [weapon]}
- {id: card/tool, type: asset, cost: 2}
- {id: card/crest, type: asset, cost: 2, signature_of: card/ben}
- id: card/gift
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - choose: {who: others}
    - take_control: {card: {choose: {of: {types: [asset], yours: true}}}, who: they}
- id: card/swap
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - exchange:
        mine: {choose: {of: {types: [asset], yours: true}}}
        theirs: {choose: {of: {types: [asset], yours: false}}}
    - {resources: 1}
"""


@pytest.mark.rule("C-EX-3", "C-SIG-5", "C-SIG-6")
def test_a_signature_asset_cannot_change_hands() -> None:
    bench = Bench(content_of(players=GIFTS), (ANNA, BEN))
    bench.lay("card/blade", Zone.PLAY, ANNA)
    bench.lay("card/tool", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/gift")
    # The blade is not offered, so nobody is asked.
    bench.act("card/gift")
    assert bench.card("card/tool").controller == BEN
    assert bench.card("card/tool").owner == ANNA
    assert bench.card("card/blade").controller == ANNA


@pytest.mark.rule("C-EX-127", "C-BABIL-32", "C-SIG-5")
def test_an_exchange_takes_place_if_both_halves_can() -> None:
    bench = Bench(content_of(players=GIFTS), (ANNA, BEN))
    bench.lay("card/tool", Zone.PLAY, ANNA)
    bench.lay("card/crest", Zone.PLAY, BEN)
    bench.hand(ANNA, "card/swap", "card/swap")
    bench.act(bench.game_table.piles[hand_of(ANNA)][0])
    assert bench.card("card/tool").controller == ANNA
    assert bench.card("card/crest").controller == BEN

    relic = GIFTS + "- {id: card/relic, type: asset, cost: 1}"
    bench = Bench(content_of(players=relic), (ANNA, BEN))
    bench.lay("card/tool", Zone.PLAY, ANNA)
    bench.lay("card/relic", Zone.PLAY, BEN)
    bench.hand(ANNA, "card/swap")
    bench.act("card/swap")
    assert bench.card("card/tool").controller == BEN
    assert bench.card("card/relic").controller == ANNA


TAGS = """
- {id: card/host, type: asset, cost: 1}
- {id: card/theirs, type: asset, cost: 1}
- {id: card/ribbon, type: asset, cost: 0, attached_to: {types: [asset, enemy]}}
- {id: card/thread, type: asset, cost: 0, attached_to: {types: [asset, enemy]}}
- {id: card/string, type: asset, cost: 0, attached_to: {types: [asset, enemy]}}
- {id: card/seal, type: asset, cost: 0, signature_of: card/anna, attached_to: {types: [asset]}}
"""


@pytest.mark.rule("C-EX-80", "C-ATT-1", "C-ATT-2", "C-ATT-3", "C-ATT-4", "C-ATT-5")
def test_who_controls_an_attachment() -> None:
    bench = Bench(content_of(players=TAGS, enemies=RAT), (ANNA, BEN, CARA))
    bench.lay("card/host", Zone.PLAY, ANNA)
    bench.lay("card/theirs", Zone.PLAY, BEN)
    bench.lay("card/rat", Zone.AT, bench.piece("card/l2"))
    bench.hand(ANNA, "card/ribbon", "card/thread", "card/string")
    bench.set(ANNA, actions=4)
    bench.act("card/ribbon", "card/host")
    bench.set(ANNA, actions=4)
    assert bench.card("card/ribbon").controller == ANNA
    bench.act("card/thread", "card/theirs")
    bench.act("card/string", "card/rat")
    bench.run(zones.take_control(bench.game, bench.piece("card/host"), CARA))

    controllers = [
        bench.card(code).controller for code in ("card/ribbon", "card/thread", "card/string")
    ]
    assert controllers == [CARA, BEN, ANNA]
    assert bench.card("card/rat").controller == ""


@pytest.mark.rule("C-DECIDE-25", "C-SIG-5", "C-ATT-2")
def test_a_signature_card_is_not_attached_to_a_card_of_another() -> None:
    bench = Bench(content_of(players=TAGS), (ANNA, BEN))
    bench.lay("card/theirs", Zone.PLAY, BEN)
    bench.hand(ANNA, "card/seal")
    assert bench.can_use() == []
    bench.lay("card/host", Zone.PLAY, ANNA)
    bench.act("card/seal")
    assert bench.card("card/seal").at.of == bench.piece("card/host")
    seal, theirs = bench.piece("card/seal"), bench.piece("card/theirs")
    assert not bench.run(playing.attach(bench.game, seal, theirs, ANNA))
    assert bench.card("card/seal").at.of == bench.piece("card/host")


@pytest.mark.rule("C-SIG-5", "C-SIG-6")
def test_nobody_takes_control_of_the_signature_card_of_another() -> None:
    bench = Bench(content_of(players=TAGS), (ANNA, BEN))
    seal = bench.lay("card/seal", Zone.PLAY, ANNA)

    assert not bench.run(zones.take_control(bench.game, seal, BEN))

    assert bench.card("card/seal").controller == ANNA


SNARES = """
- id: card/snare
  abilities:
  - does: revelation
    effect:
    - attach: {to: {each: {types: [enemy]}}}
    - if: {that: {done: false}, do: [{resources: 1}]}
"""


@pytest.mark.rule("C-BABIL-11")
@pytest.mark.parametrize(("enemies", "resources"), [(0, 6), (1, 5)])
def test_attaching_to_what_is_not_there_is_not_done(enemies: int, resources: int) -> None:
    bench = Bench(content_of(treacheries=SNARES, enemies=RAT))
    for _ in range(enemies):
        bench.lay("card/rat", Zone.AT, bench.piece("card/l2"))
    bench.deck("encounter", "card/snare")

    bench.run(encounter.draw(bench.game, ANNA))

    assert bench.count(ANNA, Token.RESOURCE) == resources


@pytest.mark.rule("C-ATT-4")
def test_a_card_is_attached_to_one_host_and_stays_there() -> None:
    bench = Bench(content_of(treacheries=SNARES, enemies=RAT))
    rats = [bench.lay("card/rat", Zone.AT, bench.piece(place)) for place in ("card/l2", "card/l3")]
    bench.deck("encounter", "card/snare")

    bench.run(encounter.draw(bench.game, ANNA))

    assert bench.card("card/snare").at.of == rats[0]


@pytest.mark.rule("C-CTRL-1", "C-EX-127")
def test_a_set_aside_card_that_is_taken_control_of_enters_play() -> None:
    stories = "- {id: card/guide}"
    players = """
- id: card/call
  type: event
  cost: 0
  abilities: [{does: play, effect: [{into_play: {id: card/guide}}]}]
"""
    bench = Bench(content_of(players=players, stories=stories))
    bench.lay("card/guide", Zone.ASIDE)
    bench.hand(ANNA, "card/call")
    bench.act("card/call")
    assert bench.card("card/guide").at.name == f"play/{ANNA}"
    assert bench.card("card/guide").controller == ANNA


@pytest.mark.rule(
    *("C-BZONE-3", "C-BZONE-12", "C-BZONE-20", "C-BZONE-10", "C-BZONE-28", "C-BZONE-27"),
)
def test_a_discarded_card_goes_to_its_owner_without_its_tokens_as_a_new_object() -> None:
    bench = Bench(content_of(players=TAGS), (ANNA, BEN))
    piece = bench.lay("card/host", Zone.PLAY, BEN, owner=ANNA, tokens={"resource": 2})
    bench.run(zones.discard(bench.game, (piece,)))
    assert bench.discarded(ANNA) == ["card/host"]
    assert bench.card("card/host").tokens == {}
    assert bench.piece("card/host") != piece


@pytest.mark.rule("C-BZONE-13", "C-BZONE-19")
def test_encounter_cards_go_to_their_pile_and_weaknesses_to_their_owner() -> None:
    enemies = RAT + "\n- {id: card/dread, fight: 1, health: 1, evade: 1, weakness: true}"
    bench = Bench(content_of(enemies=enemies), (ANNA, BEN))
    rat = bench.engage("card/rat", ANNA)
    dread = bench.engage("card/dread", ANNA, owner=BEN)
    bench.run(zones.discard(bench.game, (rat, dread)))
    assert bench.discarded("encounter") == ["card/rat"]
    assert bench.discarded(BEN) == ["card/dread"]


@pytest.mark.rule("C-PERM-1")
def test_a_permanent_card_leaves_play_with_its_player_alone() -> None:
    players = """
- {id: card/oath, type: asset, keywords: [permanent]}
- id: card/crow
  type: asset
  abilities: [{does: forced, on: {after: discarded}, effect: [resources: 1]}]
"""
    bench = Bench(content_of(players=players), (ANNA, BEN))
    piece = bench.lay("card/oath", Zone.PLAY, ANNA)
    bench.lay("card/crow", Zone.PLAY, ANNA)
    bench.run(zones.discard(bench.game, (piece,)))
    assert bench.card("card/oath").at.zone is Zone.PLAY
    assert bench.count(ANNA, Token.RESOURCE) == 5

    bench.run(elimination.eliminate(bench.game, {ANNA: None}, Fate.RESIGNED))
    assert bench.card("card/oath").at.zone is Zone.REMOVED


@pytest.mark.rule("C-BZONE-10")
@pytest.mark.parametrize(("zone", "resources"), [(Zone.PLAY, 6), (Zone.RESOLVING, 5)])
def test_only_a_card_in_play_leaves_play(zone: Zone, resources: int) -> None:
    players = """
- {id: card/lamp, type: asset}
- id: card/crow
  type: asset
  abilities: [{does: forced, on: {after: leaves-play}, effect: [resources: 1]}]
"""
    bench = Bench(content_of(players=players))
    bench.lay("card/crow", Zone.PLAY, ANNA)
    lamp = bench.lay("card/lamp", zone, ANNA, owner=ANNA)
    assert bench.run(zones.leave(bench.game, (lamp,), None))
    assert bench.discarded(ANNA) == ["card/lamp"]
    assert bench.count(ANNA, Token.RESOURCE) == resources


@pytest.mark.rule("C-SECRET-1")
@pytest.mark.parametrize(("to", "knowers"), [(zones.HAND, (1,)), (zones.DECK, ())])
def test_a_card_that_goes_to_a_hand_is_mixed_for_its_owner_and_to_a_deck_for_nobody(
    to: str, knowers: tuple[int, ...]
) -> None:
    bench = Bench(content_of(players="- {id: card/lamp, type: asset}"), (ANNA, BEN))
    lamp = bench.lay("card/lamp", Zone.PLAY, BEN)
    before = len(bench.happened(Shuffled))
    bench.run(zones.leave(bench.game, (lamp,), to))
    (mixed,) = bench.happened(Shuffled)[before:]
    assert mixed.knowers == knowers
    assert "card/lamp" in (bench.in_hand(BEN) if to == zones.HAND else bench.in_deck(BEN))


# Returning

LURE = """
- {id: card/host, type: asset, cost: 1}
- id: card/lure
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - later: {on: {at: phase-ends}, card: this, do: [{send: {to: hand, card: they}}]}
    - resources: 1
"""


@pytest.mark.rule(
    "C-EX-65", "C-RETURN-1", "C-RETURN-2", "C-RETURN-3", "C-RETURN-4", "C-ZONE-2", "C-DECIDE-35"
)
@pytest.mark.parametrize(
    ("zone", "comes"),
    [
        (Zone.DISCARD, True),
        (Zone.ON, True),
        (Zone.REMOVED, False),
        (Zone.SWARM, False),
        (Zone.CAPTIVE, False),
    ],
)
def test_a_card_is_returned_from_where_it_can_be_found(zone: Zone, comes: bool) -> None:  # a case
    bench = Bench(content_of(players=LURE, enemies=RAT))
    host = bench.lay("card/host", Zone.PLAY, ANNA)
    rat = bench.engage("card/rat", ANNA)
    of = {Zone.DISCARD: ANNA, Zone.ON: host, Zone.SWARM: rat}.get(zone, "")
    code = "" if zone is Zone.SWARM else "card/lure"
    piece = bench.lay(code, zone, of, owner=ANNA)
    source = Source("card/lure", "", ANNA)
    assert bench.run(zones.return_to_hand(bench.game, (piece,), source)) is comes
    assert bench.in_hand(ANNA) == (["card/lure"] if comes else [])


@pytest.mark.rule("C-EX-65", "C-RETURN-2", "C-RETURN-3")
@pytest.mark.parametrize(("shuffles", "hand"), [(False, ["card/lure"]), (True, [])])
def test_an_event_returns_at_its_time_unless_it_was_shuffled_away(
    shuffles: bool,  # a case
    hand: list[str],
) -> None:
    bench = Bench(content_of(players=LURE))
    bench.deck(ANNA, "card/host", "card/host")
    bench.hand(ANNA, "card/lure")
    bench.act("card/lure")
    if shuffles:
        bench.run(zones.shuffle_in(bench.game, (bench.piece("card/lure"),)))
    bench.step(Phase.INVESTIGATION, 3)
    assert bench.in_hand(ANNA) == hand


@pytest.mark.rule("C-BZONE-10", "C-BBAG-10")
def test_tokens_sealed_on_a_returned_card_go_back_to_the_bag() -> None:
    bench = Bench(content_of(players=LURE))
    piece = bench.lay("card/host", Zone.PLAY, ANNA, chaos=("-1",))
    bench.run(zones.return_to_hand(bench.game, (piece,), Source("card/lure", "", ANNA)))
    assert bench.game_table.bag == ("-1", "0")


# Shuffling into an empty deck

EMPTY = """
- id: card/echo
  type: event
  cost: 0
  abilities: [{does: play, effect: [{resources: 1}, {send: {to: deck}}]}]
- id: card/kite
  type: asset
  cost: 1
  abilities: [{does: free, effect: [{send: {to: deck}}, {resources: 1}]}]
"""


@pytest.mark.rule("C-EX-79", "C-EMPTY-1", "C-EMPTY-2", "C-EMPTY-3")
def test_a_single_card_is_not_shuffled_into_an_empty_deck() -> None:
    bench = Bench(content_of(players=EMPTY))
    bench.hand(ANNA, "card/echo")
    bench.lay("card/kite", Zone.PLAY, ANNA)
    bench.act("card/echo")
    assert bench.discarded(ANNA) == ["card/echo"]
    bench.act("card/kite")
    assert bench.card("card/kite").at.zone is Zone.PLAY

    bench.deck(ANNA, "card/echo")
    bench.act("card/kite")
    assert sorted(bench.in_deck(ANNA)) == ["card/echo", "card/kite"]


@pytest.mark.rule("C-DECIDE-16", "C-EMPTY-1")
def test_two_cards_shuffled_in_together_form_a_deck() -> None:
    bench = Bench(content_of(players=EMPTY))
    pieces = [bench.lay(code, Zone.DISCARD, ANNA) for code in ("card/echo", "card/kite")]
    assert bench.run(zones.shuffle_in(bench.game, pieces))
    assert sorted(bench.in_deck(ANNA)) == ["card/echo", "card/kite"]


# Captives

HOUND = """
- {id: card/hound, type: asset, cost: 1, unique: true}
- id: card/plea
  type: event
  cost: 0
  abilities:
  - does: play
    effect: [{send: {to: hand, card: {each: {types: [asset]}}}}, {resources: 1}]
"""
PIT = """
- id: card/pit
  abilities:
  - does: forced
    on: {after: turn-ends}
    effect: [{send: {to: captives, card: {each: {id: card/hound}}}}]
"""


@pytest.mark.rule("C-EX-69", "C-PILE-1", "C-PILE-2", "C-PILE-4", "C-PILE-5")
def test_a_captive_is_controlled_by_nobody_and_out_of_reach() -> None:
    bench = Bench(content_of(players=HOUND, treacheries=PIT), (ANNA, BEN))
    bench.lay("card/pit", Zone.THREAT, ANNA)
    bench.lay("card/hound", Zone.PLAY, ANNA)
    bench.act({0: "choice/end_turn"})
    captive = bench.card("card/hound")
    assert (captive.at.zone, captive.controller) == (Zone.CAPTIVE, "")

    bench.hand(BEN, "card/hound", "card/plea")
    bench.set_active(BEN)
    assert bench.can_use() == ["card/plea"]
    bench.act({1: "card/plea"})
    assert bench.in_hand(ANNA) == []

    bench.run(elimination.eliminate(bench.game, {ANNA: None}, Fate.RESIGNED))
    assert bench.card("card/hound").at.zone is Zone.CAPTIVE


# Limits of zones


@pytest.mark.rule("C-LIM-1", "C-LIM-2", "C-DECIDE-27")
def test_a_copy_that_a_limit_keeps_out_of_the_victory_display_is_discarded() -> None:
    enemies = """
- id: card/prize
  fight: 1
  health: 1
  evade: 1
  victory: 1
  limits: [{zone: victory, group: true}]
"""
    bench = Bench(content_of(enemies=enemies))
    bench.lay("card/prize", Zone.VICTORY)
    bench.engage("card/prize", ANNA)
    bench.act("choice/fight")
    assert bench.discarded("encounter") == ["card/prize"]
    assert len(bench.game_table.lying(Zone.VICTORY)) == 1
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-BABIL-32")
def test_of_several_cards_that_could_be_exchanged_the_first_one_is() -> None:
    swap = """
- id: card/barter
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - exchange: {mine: {each: {traits: [weapon]}}, theirs: {each: {traits: [charm]}}}
- {id: card/club, type: asset, cost: 2, traits: [weapon]}
- {id: card/coin, type: asset, cost: 2, traits: [charm]}
"""
    bench = Bench(content_of(players=swap), (ANNA, BEN))
    club, other = (bench.lay("card/club", Zone.PLAY, ANNA) for _ in range(2))
    coin, left = (bench.lay("card/coin", Zone.PLAY, BEN) for _ in range(2))
    bench.hand(ANNA, "card/barter")
    bench.act("card/barter")

    held = [bench.game_table.cards[one].controller for one in (club, other, coin, left)]
    assert held == [BEN, ANNA, ANNA, BEN]

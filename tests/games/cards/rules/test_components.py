"""Components: cards, zones, what is in play, what is open. Sections 2.1 and 1.19."""

import pytest

from content.games.cards.schema.kinds import CardType
from content.games.cards.schema.pack import type_of
from content.games.cards.schema.targets import Filter, Topmost
from protocol.games.cards.table import ENCOUNTER, Place, deck_of
from protocol.games.cards.words import SPECIAL, Zone, token_name
from server.games.cards.rules import answers, hands, skill_tests, targets, zones
from server.games.cards.rules.play import Source
from server.games.cards.rules.ruleset import Cards
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

PLAYERS = """
- id: card/lamp
  type: asset
  cost: 1
  traits: [tool]
  abilities: [{does: free, cost: [{exhaust: {this: true}}], effect: [{resources: 1}]}]
- {id: card/ribbon, type: asset, cost: 0, attached_to: {types: [asset]}}
- {id: card/cheer, type: event, cost: 0, abilities: [{does: play, effect: [{resources: 1}]}]}
- {id: card/wits, type: skill, icons: [wild]}
"""
ENEMIES = "- {id: card/rat, fight: 3, health: 3, evade: 3}"
TREACHERIES = """
- id: card/fog
  abilities:
  - {does: revelation, effect: [{spawn: {discarded: {types: [enemy]}}}]}
"""


@pytest.mark.rule("C-BZONE-2")
def test_players_have_assets_events_and_skills_and_the_scenario_everything_else() -> None:
    content = content_of(
        players=PLAYERS,
        enemies=ENEMIES,
        treacheries=TREACHERIES,
        stories="- {id: card/friend, health: 1}",
    )
    pack = content.pack
    players = {type_of(card) for card in pack.players.values()}
    assert players == {CardType.ASSET, CardType.EVENT, CardType.SKILL}
    everything = {type_of(face) for face in pack.all_faces()}
    assert everything - players - {CardType.INVESTIGATOR} == {
        *(CardType.ACT, CardType.AGENDA, CardType.LOCATION, CardType.ENEMY, CardType.TREACHERY),
        *(CardType.STORY, CardType.SCENARIO),
    }


@pytest.mark.rule("C-BZONE-5")
def test_each_investigator_has_zones_of_their_own() -> None:
    bench = Bench(content_of(players=PLAYERS, enemies=ENEMIES), (ANNA, BEN))
    for who in (ANNA, BEN):
        bench.deck(who, "card/cheer", "card/wits")
        bench.hand(who, "card/lamp")
    bench.run(hands.draw(bench.game, [BEN], 1))
    bench.act("card/lamp")
    bench.engage("card/rat", BEN)
    table = bench.game_table
    assert {deck_of(who) for who in (ANNA, BEN)} <= set(table.piles)
    assert [card.code for card in table.lying(Zone.PLAY, ANNA)] == [ANNA, "card/lamp"]
    assert [card.code for card in table.lying(Zone.PLAY, BEN)] == [BEN]
    assert [card.code for card in table.lying(Zone.THREAT, BEN)] == ["card/rat"]
    assert not table.lying(Zone.THREAT, ANNA)
    assert (bench.in_hand(ANNA), bench.in_hand(BEN)) == ([], ["card/cheer", "card/lamp"])
    bench.run(zones.discard(bench.game, [bench.piece("card/lamp")]))
    assert (bench.discarded(ANNA), bench.discarded(BEN)) == (["card/lamp"], [])


@pytest.mark.rule("C-BZONE-7", "C-ZONE-1")
@pytest.mark.parametrize(
    ("zone", "of", "is_in_play"),
    [
        (Zone.PLAY, ANNA, True),
        (Zone.THREAT, ANNA, True),
        (Zone.AT, "card/l1", True),
        (Zone.ON, "card/l1", True),
        (Zone.ON, "card/rat", True),
        (Zone.BENEATH, "card/rat", False),
        (Zone.CAPTIVE, "", False),
        (Zone.COMMITTED, ANNA, False),
        (Zone.RESOLVING, ANNA, False),
        (Zone.DISCARD, ANNA, False),
        (Zone.VICTORY, "", False),
        (Zone.ASIDE, "", False),
        (Zone.REMOVED, "", False),
    ],
)
def test_effects_reach_the_cards_that_are_in_play(zone: Zone, of: str, is_in_play: bool) -> None:
    bench = Bench(content_of(players=PLAYERS, enemies=ENEMIES))
    bench.engage("card/rat", ANNA)
    bench.lay("card/lamp", zone, of if zone is not Zone.PLAY and of == ANNA else place(bench, of))
    found = targets.candidates(bench.game, Filter(traits=("tool",)), Source("", "", ANNA))
    assert bool(found) is is_in_play


def place(bench: Bench, of: str) -> str:
    """Return the piece of a card, or an investigator or nothing as it is."""
    return bench.piece(of) if of.startswith("card/") and of != ANNA else of


@pytest.mark.rule("C-BZONE-7")
def test_locations_act_agenda_and_scenario_card_are_in_play() -> None:
    bench = Bench()
    zones_in_play = {card.at.zone for card in bench.game_table.in_play()}
    assert {Zone.MAP, Zone.ACT, Zone.AGENDA, Zone.SCENARIO} <= zones_in_play


@pytest.mark.rule("C-BZONE-14")
def test_decks_are_ordered_and_hidden_and_discard_piles_ordered_and_open() -> None:
    bench = Bench(content_of(players=PLAYERS, enemies=ENEMIES, treacheries=TREACHERIES))
    bench.deck(ANNA, "card/cheer", "card/wits", "card/lamp")
    bench.run(hands.draw(bench.game, [ANNA], 2))
    assert bench.in_hand(ANNA) == ["card/cheer", "card/wits"]
    assert set(Cards().unknown_piles(bench.game_table)) == {deck_of(ANNA), ENCOUNTER}

    for code in ("card/rat", "card/rat", "card/fog"):
        bench.lay(code, Zone.DISCARD, ENCOUNTER)
    first, second, _ = bench.game_table.lying(Zone.DISCARD, ENCOUNTER)
    topmost = targets.topmost(
        bench.game, Topmost(Filter(types=(CardType.ENEMY,))), Source("", "", ANNA)
    )
    assert topmost == (second.piece,)
    assert first.piece != second.piece


@pytest.mark.rule("C-LOC-1", "C-LOC-2")
@pytest.mark.parametrize("zone", [Zone.AT, Zone.ON])
def test_what_is_in_a_location_and_what_is_on_it_is_at_the_location(zone: Zone) -> None:
    bench = Bench(content_of(players=PLAYERS, enemies=ENEMIES))
    bench.reveal("card/l2")
    bench.lay("card/rat", zone, bench.piece("card/l2"))
    for code, found in (("card/l1", 0), ("card/l2", 1), ("card/l2-seen", 1)):
        at = Filter(at=code, types=(CardType.ENEMY,))
        assert len(targets.candidates(bench.game, at, Source("", "", ANNA))) == found


@pytest.mark.rule("C-BABIL-25")
def test_a_card_that_speaks_of_itself_means_that_copy_alone() -> None:
    bench = Bench(content_of(players=PLAYERS))
    first = bench.lay("card/lamp", Zone.PLAY, ANNA)
    second = bench.lay("card/lamp", Zone.PLAY, ANNA)
    use = next(one for one in answers.free(bench.game, ANNA) if one.piece == second)
    bench.run(answers.carry_out(bench.game, use))
    cards = bench.game_table.cards
    assert (cards[first].is_exhausted, cards[second].is_exhausted) == (False, True)


BY_KIND = {"bless": 2, "curse": -2, "fail": 0, "s1": -1, "s2": -2, "s3": 0, "s4": 0, "star": 1}


@pytest.mark.rule("C-TOK-15", "C-DECIDE-2")
@pytest.mark.parametrize(("token", "by"), [*BY_KIND.items()])
def test_there_are_eight_special_tokens_and_all_others_are_numbers(token: str, by: int) -> None:
    assert sorted(SPECIAL) == sorted(BY_KIND)
    bench = Bench()
    assert skill_tests.modifier_of(bench.game, ANNA, token) == by
    assert token_name(token) == f"chaos/{token}"
    assert skill_tests.modifier_of(bench.game, ANNA, "-3") == -3


MAY = """
- id: card/blade
  type: asset
  cost: 1
  abilities: [{does: play, on: {after: defeated, card: {types: [enemy]}}}]
- id: card/cry
  type: event
  cost: 1
  abilities:
  - {does: play, on: {after: defeated, card: {types: [enemy]}}, effect: [{resources: 1}]}
"""


@pytest.mark.rule("C-EX-127", "C-BPLAY-24")
def test_what_may_be_played_at_a_moment_can_be_played_as_usual_too() -> None:
    bench = Bench(content_of(players=MAY, enemies=ENEMIES))
    bench.hand(ANNA, "card/blade", "card/cry")
    # An event that names its moment has no other: it is not "may".
    assert bench.can_use() == ["card/blade"]
    bench.engage("card/rat", ANNA, tokens={"damage": 2})
    bench.act("choice/fight", "card/blade", "choice/pass")
    assert bench.card("card/blade").at == Place(Zone.PLAY, ANNA)
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-BZONE-14")
def test_of_the_discarded_enemies_the_topmost_one_spawns() -> None:
    both = ENEMIES + "\n- {id: card/cat, fight: 3, health: 3, evade: 3}"
    bench = Bench(content_of(enemies=both, treacheries=TREACHERIES))
    for code in ("card/rat", "card/cat"):
        bench.lay(code, Zone.DISCARD, ENCOUNTER)
    bench.resolve("card/fog")

    assert bench.discarded(ENCOUNTER) == ["card/rat"]

"""Swarms: hosts and swarm cards. Sections 1.20 and 2.16."""

import pytest

from content.games.cards.schema.targets import Filter
from protocol.common.text import Text
from protocol.games.cards.events import Attacked, Engagement, Exhausted, Used
from protocol.games.cards.table import ENCOUNTER, Card
from protocol.games.cards.words import Fate, Phase, Token, Zone
from protocol.values import evolve
from server.games.cards.rules import actions, elimination, encounter, enemies, targets
from server.games.cards.rules.play import Source
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

L2 = "card/l2"
HIVE = """
- {id: card/hive, fight: 3, health: 2, evade: 3, damage: 1, keywords: [alert], swarming: 2}
- {id: card/dread, fight: 3, health: 2, evade: 3, damage: 1, weakness: true, swarming: 1}
- {id: card/crowd, fight: 3, health: 2, evade: 3, damage: 1, swarming: {n: 1, per: investigators}}
"""
CARDS = """
- {id: card/a, type: skill}
- {id: card/b, type: skill}
- {id: card/c, type: skill}
- id: card/volley
  type: event
  cost: 0
  abilities: [{does: play, effect: [damage: {card: {choose: {of: {types: [enemy]}}}, number: 3}]}]
- id: card/rain
  type: event
  cost: 0
  abilities: [{does: play, effect: [damage: {card: {each: {types: [enemy]}}, number: 1}]}]
- id: card/storm
  type: event
  cost: 0
  abilities: [{does: play, effect: [damage: {card: {each: {types: [enemy]}}, number: 2}]}]
- id: card/price
  type: event
  cost: 0
  abilities: [{does: play, effect: [put: {token: bounty, card: {choose: {of: {types: [enemy]}}}}]}]
- id: card/axe
  type: asset
  cost: 1
  abilities: [{does: action, deed: [fight], effect: [fight: {damage: 2}]}]
- id: card/charm
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {after: engages, who: you}, effect: [resources: 1]}
- id: card/scythe
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {after: defeated, card: {types: [enemy]}}, effect: [resources: 1]}
"""


def swarm(bench: Bench) -> list[Card]:
    """Return the swarm cards in play."""
    return [card for card in bench.game_table.cards.values() if card.at.zone is Zone.SWARM]


def hive(*deck: str, people: tuple[str, ...] = (ANNA, BEN), code: str = "card/hive") -> Bench:
    """Have A draw the host, with these cards in the deck."""
    bench = Bench(content_of(enemies=HIVE, players=CARDS), people)
    bench.deck(ANNA, *(deck or ("card/a", "card/b", "card/c")))
    bench.deck(ENCOUNTER, code)
    bench.run(encounter.draw(bench.game, ANNA))
    return bench


@pytest.mark.rule(
    "C-EX-124",
    "C-BKEY-16",
    "C-BKEY-17",
    "C-BKEY-22",
    "C-SWARM-1",
    "C-SWARM-4",
    "C-DECIDE-14",
)
@pytest.mark.issue(42)
def test_a_fight_tells_a_card_of_the_swarm_from_its_host() -> None:
    bench = hive("card/a", "card/b")
    offered = [one.text for one in actions.offers(bench.game, ANNA)]
    names = [text.params[0] for text in offered if text.subject == "choice/fight"]
    of_swarm = Text("about/swarm", ("card/hive",))
    assert names == ["card/hive", of_swarm, of_swarm]


def test_a_card_that_fights_asks_for_an_enemy_and_tells_the_swarm_from_its_host() -> None:
    bench = hive("card/a", "card/b")
    bench.lay("card/axe", Zone.PLAY, ANNA)
    bench.act("card/axe", ...)
    assert bench.open is not None
    (asked,) = bench.open.prompts.values()
    assert asked.prompt == Text("ask/enemy", (ANNA, "card/axe"))
    of_swarm = Text("about/swarm", ("card/hive",))
    assert [one.text.params[0] for one in asked.options] == ["card/hive", of_swarm, of_swarm]


def test_swarm_cards_come_unseen_from_the_deck_of_who_drew_the_host() -> None:
    bench = hive()
    assert bench.in_deck(ANNA) == ["card/c"]
    assert [(one.code, one.owner, one.at.of) for one in swarm(bench)] == [
        ("", ANNA, bench.piece("card/hive"))
    ] * 2
    assert len(bench.happened(Engagement)) == 1
    found = [
        card
        for card in enemies.all_enemies(bench.game)
        if ANNA in targets.engaged_with(bench.game, card)
    ]
    assert len(found) == 3
    named = Filter(id="card/hive")
    assert all(targets.fits(bench.game, card, named, Source("", "", ANNA)) for card in found)


@pytest.mark.rule("C-EX-124", "C-BKEY-19", "C-BKEY-21")
def test_host_and_swarm_cards_attack_separately_and_are_exhausted_and_readied_together() -> None:
    bench = hive()
    one, two = (card.piece for card in swarm(bench))
    bench.step(Phase.ENEMY, 3, one, two)
    assert [event.piece for event in bench.happened(Attacked)] == [
        one,
        two,
        bench.piece("card/hive"),
    ]
    assert bench.count(ANNA, Token.DAMAGE) == 3
    assert all(card.is_exhausted for card in (*swarm(bench), bench.card("card/hive")))
    bench.step(Phase.UPKEEP, 2)
    assert not any(card.is_exhausted for card in (*swarm(bench), bench.card("card/hive")))


@pytest.mark.rule("C-EX-124", "C-BKEY-17", "C-BKEY-18", "C-BKEY-20", "C-DECIDE-14")
def test_a_host_is_looked_at_again_when_its_last_swarm_card_is_gone() -> None:
    bench = hive()
    first, second = (card.piece for card in swarm(bench))
    host = bench.piece("card/hive")
    bench.lay("card/axe", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/volley")
    bench.hand(BEN, "card/rain")
    # Step 3; attacks in passing by the three come first.
    bench.act("card/volley", second, first, host)
    assert bench.card("card/hive").count(Token.DAMAGE) == 3
    # Step 4.
    bench.set(ANNA, actions=3)
    bench.act("card/axe", first, second)
    assert bench.game_table.cards[second].count(Token.DAMAGE) == 1
    assert first not in bench.game_table.cards
    assert bench.in_deck(ANNA) == ["card/c", "card/a"]
    # Step 5.
    bench.set_active(BEN)
    bench.act("card/rain")
    assert swarm(bench) == []
    assert bench.discarded(ENCOUNTER) == ["card/hive"]
    assert bench.in_deck(ANNA) == ["card/c", "card/a", "card/b"]


@pytest.mark.rule("C-DECIDE-14")
def test_damage_beyond_a_swarm_card_need_not_go_to_another() -> None:
    bench = hive()
    first, second = (card.piece for card in swarm(bench))
    bench.lay("card/axe", Zone.PLAY, ANNA)
    bench.act("card/axe", first, ())
    assert bench.game_table.cards[second].count(Token.DAMAGE) == 0
    assert first not in bench.game_table.cards


@pytest.mark.rule("C-EX-124", "C-BKEY-17", "C-BENEMY-12")
def test_a_swarm_card_is_alert_as_its_host_is() -> None:
    bench = hive()
    first = swarm(bench)[0].piece
    bench.bag("-8")
    bench.give_tokens("-8")
    bench.act(lambda one: "evade" in one.text.subject and first in str(one.points))
    assert [event.piece for event in bench.happened(Attacked)] == [first]


@pytest.mark.rule("C-EX-124", "C-BZONE-18", "C-BKEY-16")
def test_swarming_per_investigator_is_counted_as_the_host_enters_play() -> None:
    bench = hive(code="card/crowd")
    assert len(swarm(bench)) == 2
    bench.run(elimination.eliminate(bench.game, {BEN: None}, Fate.RESIGNED))
    assert len(swarm(bench)) == 2


@pytest.mark.rule("C-EX-124", "C-BKEY-21")
def test_evading_the_host_exhausts_and_frees_the_whole_swarm() -> None:
    bench = hive()
    host = bench.piece("card/hive")
    bench.act(lambda one: "evade" in one.text.subject and host in str(one.points))
    assert all(card.is_exhausted for card in (*swarm(bench), bench.card("card/hive")))
    found = enemies.all_enemies(bench.game)
    assert len(found) == 3
    assert not any(targets.engaged_with(bench.game, card) for card in found)


@pytest.mark.rule("C-EX-124", "C-BABIL-36", "C-DECIDE-61")
def test_swarm_cards_defeated_at_once_are_one_group_and_the_host_falls_after_them() -> None:
    bench = hive()
    bench.lay("card/scythe", Zone.PLAY, ANNA)
    bench.hand(BEN, "card/storm")
    bench.set_active(BEN)
    bench.act("card/storm", 0, 0, "card/scythe")
    assert bench.count(ANNA, Token.RESOURCE) == 8
    assert bench.discarded(ENCOUNTER) == ["card/hive"]


@pytest.mark.rule("C-EX-124", "C-DECIDE-14")
def test_a_short_deck_gives_as_many_swarm_cards_as_it_has() -> None:
    assert len(swarm(hive("card/a"))) == 1


@pytest.mark.rule("C-DECIDE-14")
def test_swarm_cards_of_an_enemy_that_nobody_drew_come_from_the_deck_of_the_lead() -> None:
    bench = Bench(content_of(enemies=HIVE, players=CARDS), (BEN, ANNA))
    bench.deck(BEN, "card/a", "card/b")
    piece = bench.lay("card/hive", Zone.ASIDE)
    bench.run(enemies.spawn(bench.game, piece, "", at=bench.piece(L2)))
    assert [card.owner for card in swarm(bench)] == [BEN, BEN]


@pytest.mark.rule("C-EX-66", "C-SWARM-3", "C-SWARM-4", "C-SWARM-5", "C-DECIDE-15")
def test_a_swarm_engages_once_and_is_answered_for_each_enemy_of_it() -> None:
    bench = Bench(content_of(enemies=HIVE, players=CARDS))
    bench.deck(ANNA, "card/a", "card/b")
    piece = bench.lay("card/hive", Zone.ASIDE)
    bench.run(enemies.spawn(bench.game, piece, "", at=bench.piece(L2)))
    bench.lay("card/charm", Zone.PLAY, ANNA)
    host = bench.piece("card/hive")
    bench.run(enemies.move(bench.game, host, bench.piece("card/l1")), 0, 0, "card/charm")
    assert len([one for one in bench.happened(Engagement) if one.investigators]) == 1
    assert bench.count(ANNA, Token.RESOURCE) == 8


@pytest.mark.rule("C-SWARM-3")
def test_moving_a_swarm_card_moves_its_swarm() -> None:
    bench = hive()
    bench.run(enemies.move(bench.game, swarm(bench)[0].piece, bench.piece(L2)))
    assert bench.card("card/hive").at.of == bench.piece(L2)


@pytest.mark.rule("C-EX-67", "C-SWARM-1", "C-SWARM-2")
def test_a_swarm_card_holds_tokens_of_its_own() -> None:
    bench = hive(people=(ANNA,))
    first, second = (card.piece for card in swarm(bench))
    bench.hand(ANNA, "card/price")
    bench.act("card/price", first, bench.piece("card/hive"), second)
    assert bench.game_table.cards[second].count("bounty") == 1
    assert bench.game_table.cards[first].count("bounty") == 0
    assert bench.card("card/hive").count("bounty") == 0
    titled = targets.candidates(bench.game, Filter(id="card/hive"), Source("", "", ANNA))
    assert len(titled) == 3


BREED = """
- id: card/breed
  type: asset
  cost: 0
  abilities: [{does: constant, gives: [{stat: {of: {types: [enemy]}, stat: swarming, by: 1}}]}]
- id: card/mute
  type: asset
  cost: 0
  abilities: [{does: constant, gives: [{blank: {types: [enemy]}}]}]
"""


@pytest.mark.rule("C-BABIL-39", "C-BKEY-16", "C-EX-128")
@pytest.mark.parametrize(
    ("code", "lying", "cards"),
    [
        ("card/hive", ["card/breed"], 3),
        ("card/rat", ["card/breed"], 1),
        ("card/hive", ["card/mute"], 0),
    ],
)
def test_numbers_of_swarming_add_up(code: str, lying: list[str], cards: int) -> None:
    plain = "- {id: card/rat, fight: 3, health: 2, evade: 3}\n"
    bench = Bench(content_of(enemies=HIVE + plain, players=CARDS + BREED))
    for asset in lying:
        bench.lay(asset, Zone.PLAY, ANNA)
    bench.deck(ANNA, *["card/a"] * 5)
    bench.deck(ENCOUNTER, code, code)
    bench.run(encounter.draw(bench.game, ANNA))
    assert len(enemies.swarm_of(bench.game, bench.piece(code))) == 1 + cards


@pytest.mark.rule("C-ELIM-3", "C-BKEY-20")
def test_the_swarm_of_a_weakness_goes_with_it_when_its_bearer_is_eliminated() -> None:
    bench = hive(code="card/dread")
    host = bench.card("card/dread")
    bench.change(cards={**bench.game_table.cards, host.piece: evolve(host, owner=ANNA)})
    assert len(swarm(bench)) == 1

    bench.run(elimination.eliminate(bench.game, {ANNA: None}, Fate.DEFEATED), ...)

    assert bench.card("card/dread").at.zone is Zone.REMOVED
    assert swarm(bench) == []


@pytest.mark.rule("C-BKEY-17")
def test_a_swarm_card_has_the_ability_of_its_host_beside_another_card_with_the_like() -> None:
    on = "on: {after: turn-ends}, effect: [resources: 1]"
    mob = (
        "- {id: card/mob, fight: 3, health: 2, evade: 3, swarming: 1,"
        f" abilities: [{{does: forced, {on}}}]}}\n"
    )
    bell = f"- {{id: card/bell, type: asset, abilities: [{{does: forced, {on}}}]}}\n"
    bench = Bench(content_of(enemies=mob, players=CARDS + bell))
    bench.deck(ANNA, "card/a")
    bench.deck(ENCOUNTER, "card/mob")
    bench.lay("card/bell", Zone.PLAY, ANNA)
    bench.run(encounter.draw(bench.game, ANNA))

    bench.act("choice/end_turn", 0)

    assert sorted(one.code for one in bench.happened(Used)) == ["card/bell", *["card/mob"] * 2]


@pytest.mark.rule("C-BKEY-21")
def test_of_a_swarm_only_the_ready_are_exhausted() -> None:
    bench = hive()
    tired = swarm(bench)[0].piece
    bench.emit(Exhausted((tired,), is_exhausted=True))

    enemies.tire(bench.game, [tired])

    assert tired not in bench.happened(Exhausted)[-1].pieces
    assert all(card.is_exhausted for card in (*swarm(bench), bench.card("card/hive")))


@pytest.mark.rule("C-BKEY-17")
def test_a_swarm_card_is_named_in_the_question_after_its_defeat() -> None:
    bench = hive()
    bench.lay("card/scythe", Zone.PLAY, ANNA)
    bench.lay("card/axe", Zone.PLAY, ANNA)
    bench.act("card/axe", swarm(bench)[0].piece, (), ...)
    assert bench.open is not None
    of_swarm = Text("about/swarm", ("card/hive",))
    assert bench.open.about == Text("happening/defeated", (ANNA, of_swarm, "card/l1-seen"))


def test_of_two_enemies_of_one_name_a_fight_says_with_whom_each_is_engaged() -> None:
    bench = hive()
    bench.deck(ENCOUNTER, "card/hive")
    bench.run(encounter.draw(bench.game, BEN))
    offered = [one.text for one in actions.offers(bench.game, ANNA)]
    names = [text.params[0] for text in offered if text.subject == "choice/fight"]
    of_anna = Text("about/engaged", ("card/hive", ANNA))
    of_ben = Text("about/miss_hits", ("card/hive", BEN))
    assert of_anna in names
    assert of_ben in names
    assert Text("about/swarm", (of_anna,)) in names

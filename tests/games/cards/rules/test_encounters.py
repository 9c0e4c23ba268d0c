"""Encounter draws, Peril, explorations. Sections 1.17, 2.4 and 2.21."""

import pytest

from content.games.cards.schema.pack import Content
from protocol.common.events import ChatSet
from protocol.games.cards import events
from protocol.games.cards.table import Place
from protocol.games.cards.words import Phase, Token, Zone
from server.games.cards.rules import encounter, hands, rounds, story
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, DAN, content_of

DRAWS, WINDOW = 3, 4
"""Steps of the mythos phase."""
PLAYERS = """
- id: card/cancel
  type: event
  cost: 1
  keywords: [fast]
  abilities:
  - does: play
    on: {after: encounter-drawn, who: anyone, card: {not_keyword: peril}}
    effect: [{cancel: true}]
- id: card/my-cancel
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - {does: play, on: {after: encounter-drawn, who: you}, effect: [{cancel: true}]}
- id: card/help
  type: event
  cost: 1
  keywords: [fast]
  abilities:
  - does: play
    on: {when: encounter-drawn, who: another-here, card: {types: [treachery], not_keyword: peril}}
    effect: [{cancel: true}]
- id: card/counter
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    on: {when: card-played, who: another, card: {types: [event]}}
    effect: [{cancel: true}]
- id: card/instead
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    on: {after: encounter-drawn, who: another, card: {not_keyword: peril}}
    effect: [{encounter: {takes_over: true}}]
- id: card/glad
  type: asset
  cost: 1
  abilities:
  - does: reaction
    on: {after: encounter-drawn, who: you, card: {types: [treachery]}}
    limit: {per: round}
    effect: [{resources: 1}]
- id: card/charm
  type: asset
  cost: 1
  abilities:
  - {does: forced, on: {when: phase-begins, phase: mythos}, effect: [{resources: 1}]}
- id: card/feather
  type: asset
  cost: 1
  abilities:
  - does: free
    cost: [{exhaust: {this: true}}]
    if: {in_test: {yours: true}}
    effect: [{lasting: {until: test, gives: [{skill: {stat: agility, by: 1}}]}}]
- id: card/comfort
  type: asset
  cost: 1
  abilities:
  - does: free
    if: {in_test: {here: true}}
    limit: {per: test}
    effect:
    - lasting: {until: test, gives: [{skill: {stat: agility, of: each-here, by: 1}}]}
- id: card/envy
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {after: encounter-drawn, who: another}, effect: [{resources: 1}]}
  - {does: reaction, on: {when: test-begins, who: another}, effect: [{resources: 1}]}
- id: card/icon
  type: skill
  icons: [agility]
- id: card/two-icons
  type: skill
  icons: [agility, agility]
- {id: card/oath, type: asset, keywords: [permanent]}
- id: card/will
  type: asset
  cost: 9
  icons: [willpower]
- id: card/ally
  type: asset
  cost: 1
  health: 2
- id: card/slip
  type: event
  cost: 1
  keywords: [fast]
  abilities:
  - {does: play, effect: [{evade_now: {choose: {of: {types: [enemy], where: here}}}}]}
- id: card/map
  type: asset
  cost: 1
  abilities:
  - {does: action, deed: [explore], effect: [{explore: {deck: wild}}]}
  - {does: reaction, on: {after: explored, who: you}, effect: [{resources: 1}]}
  - {does: reaction, on: {after: exploration-failed, who: you}, effect: [{resources: 2}]}
"""
ENEMIES = """
- id: card/x
  fight: 3
  health: 3
  evade: 3
  spawn: {id: card/l3-seen}
- id: card/e
  fight: 3
  health: 3
  evade: 3
  abilities:
  - {does: revelation, effect: [{harm: {horror: 1}}]}
- id: card/dread
  fight: 3
  health: 1
  evade: 3
  weakness: true
"""
TREACHERIES = """
- id: card/t1
  keywords: [surge]
  abilities:
  - does: revelation
    effect: [{test: {skill: willpower, difficulty: 3, failure: [{harm: {horror: 1}}]}}]
- id: card/t3
  keywords: [peril]
  abilities:
  - does: revelation
    effect:
    - either:
        ways:
        - [{harm: {damage: 2}}]
        - [{discard: {choose: {of: {types: [asset], yours: true}}}}]
- id: card/t4
  abilities:
  - {does: revelation, effect: [{attach: {to: here}}]}
- id: card/storm
  keywords: [surge]
  abilities:
  - does: revelation
    effect:
    - test:
        skill: willpower
        difficulty: 4
        failure: [{harm: {damage: {n: 1, per: margin}, who: each-here}}]
- id: card/alone
  keywords: [peril, surge]
  abilities:
  - does: revelation
    effect: [{test: {skill: agility, difficulty: 4, failure: [{harm: {horror: 2}}]}}]
- id: card/mild
- id: card/again
  abilities:
  - does: revelation
    effect: [{encounter: {revelation_of: {topmost: {types: [treachery]}}}}]
- id: card/grip
  abilities:
  - does: revelation
    effect: [{to_threat: {card: {topmost: {types: [treachery]}}}}]
- id: card/gloom
- id: card/thorn
  set: wilds
- id: card/waste
  abilities:
  - does: revelation
    effect:
    - {discard_hand: {number: 2, at_random: true}}
    - {if: {that: {done: true}, do: [{resources: -2}]}}
    - {exhaust: {choose: {of: {types: [asset], yours: true}}}}
- id: card/toll
  abilities:
  - does: revelation
    effect:
    - must:
        do: [{discard: {choose: {of: {types: [asset], yours: true}}}}]
        else: [{harm: {damage: 2}}]
"""
STORIES = """
- id: card/e1
  abilities:
  - {does: revelation, effect: [{into_play: {at: {choose: {of: {id: card/l2-seen}}}}}]}
"""
AGENDAS = """
- id: card/agenda
  doom: 99
  other: card/e
"""
CRYPT = """
- id: card/l1
  symbol: s1
  connects: [s2]
  face:
    id: card/l1-seen
    shroud: 2
    abilities: [{does: action, effect: [{encounter: {}}]}]
"""
LOCATIONS = (
    "".join(
        f"""
- id: card/far{n}
  symbol: f{n}
  connects: [s1]
  face: {{id: card/far{n}-seen, shroud: 1}}
"""
        for n in range(1, 5)
    )
    + """
- id: card/near
  symbol: s2
  connects: [s1]
  face: {id: card/near-seen, shroud: 1, clues: 1}
"""
)
SCENARIO = """
decks:
- {id: wild, sets: [wilds], own_discard: true}
"""
CONTENT = content_of(
    players=PLAYERS,
    enemies=ENEMIES,
    treacheries=TREACHERIES,
    stories=STORIES,
    agendas=AGENDAS,
    locations=LOCATIONS,
    scenario=SCENARIO,
)
WILD = "encounter/wild"


def _deck(bench: Bench, pile: str, *codes: str) -> None:
    """Lay a further deck, the top first."""
    bench.game.shuffle(pile, codes)


# C-EX-97: the mythos phase of four


@pytest.mark.rule(
    *("C-EX-97", "C-BMYTH-1", "C-BMYTH-2", "C-BMYTH-3", "C-BENC-1", "C-BENC-2", "C-BENC-3"),
    *("C-BENC-4", "C-BENC-5", "C-BENC-6", "C-BENC-7", "C-BKEY-1", "C-BKEY-3", "C-BDOOM-1"),
    *("C-BDOOM-2", "C-BDOOM-3", "C-BROUND-3", "C-BROUND-4", "C-BWIN-3", "C-BZONE-13"),
    *("C-BZONE-25", "C-DECIDE-30", "C-DECIDE-43", "C-DECIDE-59", "C-BDMG-2"),
)
def test_the_mythos_phase_of_four() -> None:
    content = content_of(
        players=PLAYERS,
        enemies=ENEMIES,
        treacheries=TREACHERIES,
        stories=STORIES,
        agendas="- {id: card/agenda, doom: 6}",
        investigators="""
- id: card/anna
  class: lens
  willpower: 2
  intellect: 3
  combat: 3
  agility: 3
  health: 7
  sanity: 7
""",
    )
    bench = Bench(content, (ANNA, BEN, CARA, DAN), seats=(0, 0, 1, 2))
    bench.change(active="")
    bench.bag("-1")
    for who, code in ((DAN, "card/l2"), (CARA, "card/l3")):
        bench.walk(who, code)
    bench.tokens_on(bench.piece("card/agenda"), doom=3)
    bench.lay("card/ally", Zone.PLAY, DAN, tokens={"doom": 1})
    bench.lay("card/charm", Zone.PLAY, DAN)
    own = bench.lay("card/ally", Zone.PLAY, BEN)
    bench.hand(ANNA, "card/help")
    bench.hand(BEN, "card/will")
    bench.hand(CARA, "card/slip")
    bench.deck("encounter", "card/t1", "card/x", "card/t3", "card/e1")
    for code in ("card/mild", "card/mild", "card/mild", "card/mild", "card/t4"):
        bench.lay(code, Zone.DISCARD, "encounter")

    for step in range(DRAWS):
        bench.step(Phase.MYTHOS, step)
    assert bench.count(DAN, Token.RESOURCE) == 6
    assert bench.count("card/agenda", Token.DOOM) == 4

    bench.give_tokens("-1")
    bench.give_order(
        "encounter",
        ["card/t4", "card/mild", "card/mild", "card/mild", "card/mild", "card/t1", "card/t3"],
    )
    bench.step(Phase.MYTHOS, DRAWS, {0: "card/will"}, 0, "choice/shared_damage")
    assert (bench.count(ANNA, Token.HORROR), bench.discarded(BEN)) == (1, ["card/will"])
    assert bench.card("card/x").engaged == (CARA,)
    assert bench.count(BEN, Token.DAMAGE) == 1
    assert bench.game_table.cards[own].count(Token.DAMAGE) == 1
    assert [event.is_open for event in bench.happened(ChatSet)] == [False, True]
    assert bench.card("card/e1").at == Place(Zone.AT, bench.piece("card/l2"))
    assert bench.card("card/t4").at == Place(Zone.ON, bench.piece("card/l2"))
    assert (len(bench.in_deck("encounter")), bench.discarded("encounter")) == (6, [])

    bench.step(Phase.MYTHOS, WINDOW, {1: "card/slip"})
    card = bench.card("card/x")
    assert (card.is_exhausted, card.engaged) == (True, ())
    assert card.at == Place(Zone.AT, bench.piece("card/l3"))
    assert bench.count("card/agenda", Token.DOOM) == 4
    assert bench.count(CARA, Token.RESOURCE) == 4


# C-EX-114: a cancelled Revelation


def _storm(content: Content = CONTENT) -> Bench:
    bench = Bench(content, (ANNA, BEN, CARA))
    bench.walk(CARA, "card/l2")
    bench.lay("card/glad", Zone.PLAY, ANNA)
    bench.hand(BEN, "card/cancel")
    bench.hand(CARA, "card/cancel")
    bench.deck("encounter", "card/storm", "card/e", "card/mild")
    return bench


@pytest.mark.rule(
    *("C-EX-114", "C-BENC-8", "C-BENC-9", "C-BENC-10", "C-BENC-11", "C-BENC-14", "C-BKEY-1"),
    *("C-BABIL-15", "C-REACT-6"),
)
def test_a_cancelled_revelation_cancels_neither_the_draw_nor_surge_nor_the_spawning() -> None:
    bench = _storm()
    bench.run(
        encounter.draw(bench.game, ANNA), {1: "card/cancel"}, {0: "card/glad"}, {2: "card/cancel"}
    )
    second = bench.asked[1]
    assert set(second.prompts) == {0}
    assert bench.count(ANNA, Token.RESOURCE) == 6
    assert bench.count(ANNA, Token.HORROR) == 0
    assert bench.card("card/e").engaged == (ANNA,)
    assert bench.discarded("encounter") == ["card/storm"]
    assert [bench.count(who, Token.RESOURCE) for who in (BEN, CARA)] == [4, 4]
    assert bench.discarded(BEN) == bench.discarded(CARA) == ["card/cancel"]
    assert bench.happened(events.TestBegan) == []


@pytest.mark.rule("C-EX-114", "C-BENC-14", "C-BENC-8")
def test_a_draw_by_an_ability_is_answered_as_that_of_the_mythos_phase() -> None:
    content = content_of(players=PLAYERS, enemies=ENEMIES, treacheries=TREACHERIES, locations=CRYPT)
    bench = _storm(content)
    bench.act("card/l1-seen", {1: "card/cancel"}, {0: "card/glad"}, {2: "card/cancel"})
    assert (bench.who(ANNA).actions, bench.count(ANNA, Token.RESOURCE)) == (2, 6)
    assert bench.card("card/e").engaged == (ANNA,)
    assert bench.discarded("encounter") == ["card/storm"]


@pytest.mark.rule("C-EX-114", "C-EX-54", "C-ENCW-1", "C-ENCW-4", "C-ENCW-5", "C-BENC-13")
def test_what_answers_an_encounter_draw_is_not_offered_for_a_weakness() -> None:
    bench = _storm()
    bench.hand(BEN, "card/cancel", "card/instead")
    bench.deck(ANNA, "card/dread")
    bench.run(hands.draw(bench.game, (ANNA,), 1))
    card = bench.card("card/dread")
    assert (card.engaged, card.owner) == ((ANNA,), ANNA)
    bench.act("choice/fight")
    assert bench.discarded(ANNA) == ["card/dread"]


@pytest.mark.rule("C-ENCW-3")
def test_a_weakness_that_is_being_resolved_can_be_cancelled_as_an_encounter_card() -> None:
    scar = """
- id: card/scar
  weakness: true
  abilities: [{does: revelation, effect: [{resources: -1}]}]
"""
    ward = """
- id: card/ward
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - {does: play, on: {when: revelation, card: {types: [treachery]}}, effect: [{cancel: true}]}
"""
    bench = Bench(content_of(players=ward, treacheries=scar), (ANNA, BEN))
    bench.hand(BEN, "card/ward")
    bench.deck(ANNA, "card/scar")
    bench.run(hands.draw(bench.game, (ANNA,), 1), {1: "card/ward"})
    assert bench.count(ANNA, Token.RESOURCE) == 5
    assert bench.discarded(ANNA) == ["card/scar"]


@pytest.mark.rule("C-EX-54", "C-ENCW-2", "C-TRIG-5")
def test_a_weakness_in_play_is_an_encounter_card() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.engage("card/dread", ANNA, owner=ANNA)
    bench.set_active(BEN)
    bench.run(rounds.act(bench.game, BEN), ...)
    assert "choice/fight" in bench.offered()


@pytest.mark.rule("C-EX-54", "C-REACT-6")
def test_another_investigator_resolves_the_card_instead() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.hand(BEN, "card/instead")
    bench.deck("encounter", "card/e")
    bench.run(encounter.draw(bench.game, ANNA), "card/instead")
    assert (bench.count(ANNA, Token.HORROR), bench.count(BEN, Token.HORROR)) == (0, 1)
    assert bench.card("card/e").engaged == (BEN,)

    bench = Bench(CONTENT, (ANNA, BEN))
    bench.hand(BEN, "card/instead")
    bench.deck("encounter", "card/gloom")
    bench.run(encounter.draw(bench.game, ANNA), "card/instead")
    assert bench.discarded("encounter") == ["card/gloom"]


@pytest.mark.rule("C-EX-54")
def test_a_card_that_is_resolved_instead_lies_with_who_resolves_it() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.hand(BEN, "card/instead")
    bench.deck("encounter", "card/gloom")

    bench.run(encounter.draw(bench.game, ANNA), "card/instead")

    of_gloom = [one.to for one in bench.happened(events.Moved)]
    assert Place(Zone.RESOLVING, BEN) in of_gloom


@pytest.mark.rule("C-EX-114", "C-BENC-12")
def test_nothing_is_drawn_of_an_empty_deck_without_a_discard_pile() -> None:
    bench = Bench(CONTENT)
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.happened(events.Opened) == []


@pytest.mark.rule("C-BENC-7")
def test_the_discard_pile_becomes_the_deck_as_soon_as_that_is_empty() -> None:
    bench = Bench(CONTENT)
    bench.lay("card/gloom", Zone.DISCARD, "encounter")
    bench.deck("encounter", "card/mild")
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.in_deck("encounter") == ["card/gloom"]
    assert bench.discarded("encounter") == ["card/mild"]


@pytest.mark.rule("C-EX-114", "C-BPLAY-14", "C-BABIL-15")
def test_a_cancelled_cancelling_is_paid_for_and_the_revelation_comes() -> None:
    bench = _storm()
    bench.bag("0")
    bench.give_tokens("0")
    bench.hand(CARA, "card/counter")
    bench.deck("encounter", "card/storm", "card/mild", "card/gloom")
    bench.run(
        encounter.draw(bench.game, ANNA),
        *({1: "card/cancel"}, {2: "card/counter"}, {0: "card/glad"}),
    )
    assert bench.count(ANNA, Token.DAMAGE) == 1
    assert bench.count(BEN, Token.RESOURCE) == 4
    assert bench.discarded(BEN) == ["card/cancel"]


@pytest.mark.rule("C-EX-114", "C-BABIL-10", "C-BABIL-11")
def test_what_follows_then_is_not_done_after_only_a_part() -> None:
    bench = Bench(CONTENT)
    bench.hand(ANNA, "card/icon")
    bench.deck("encounter", "card/waste", "card/mild")
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.discarded(ANNA) == ["card/icon"]
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-EX-114", "C-BABIL-31", "C-BABIL-40")
@pytest.mark.parametrize(("assets", "damage"), [(1, 0), (0, 2)])
def test_what_must_be_done_is_done_if_it_can_be(assets: int, damage: int) -> None:
    bench = Bench(CONTENT)
    for _ in range(assets):
        bench.lay("card/glad", Zone.PLAY, ANNA)
    bench.deck("encounter", "card/toll", "card/mild")
    bench.run(encounter.draw(bench.game, ANNA), *["pass"] * assets)
    assert bench.count(ANNA, Token.DAMAGE) == damage
    assert bench.discarded(ANNA) == ["card/glad"] * assets


@pytest.mark.rule("C-PERM-1", "C-CHOICE-7", "C-BABIL-31")
@pytest.mark.parametrize("code", ["card/t3", "card/toll"])
def test_a_permanent_asset_saves_nobody_from_damage(code: str) -> None:
    bench = Bench(CONTENT)
    bench.lay("card/oath", Zone.PLAY, ANNA)
    bench.deck("encounter", code, "card/mild")
    # It cannot be discarded, so that there is nothing to choose.
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.count(ANNA, Token.DAMAGE) == 2


@pytest.mark.rule("C-EX-114", "C-BENC-15")
def test_resolving_a_revelation_again_is_no_draw() -> None:
    bench = _storm()
    bench.bag("-3")
    bench.hand(BEN)
    bench.hand(CARA)
    bench.lay("card/storm", Zone.DISCARD, "encounter")
    bench.deck("encounter", "card/again", "card/e", "card/mild")
    bench.lay("card/glad", Zone.DISCARD, ANNA)
    bench.change(used={f"round/{bench.game_table.lying(Zone.PLAY, ANNA)[-1].piece}/0": 1})
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.count(ANNA, Token.DAMAGE) == 4
    assert bench.in_deck("encounter") == ["card/e", "card/mild"]
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-EX-114", "C-BENC-15")
def test_putting_a_treachery_into_a_threat_area_is_no_draw() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.lay("card/envy", Zone.PLAY, BEN)
    bench.lay("card/gloom", Zone.DISCARD, "encounter")
    bench.deck("encounter", "card/grip", "card/mild")
    # Only the draw of the first card is answered.
    bench.run(encounter.draw(bench.game, ANNA), "card/envy")
    assert bench.card("card/gloom").at == Place(Zone.THREAT, ANNA)


@pytest.mark.rule("C-EX-114", "C-BSPEC-5")
def test_a_further_deck_has_a_discard_pile_of_its_own() -> None:
    bench = Bench(CONTENT)
    _deck(bench, WILD, "card/thorn")
    for _ in range(2):
        bench.run(encounter.draw(bench.game, ANNA, WILD))
    assert bench.discarded(WILD) == ["card/thorn"]
    assert bench.discarded("encounter") == []
    assert len(bench.happened(events.Opened)) == 2


# C-EX-115: Peril


def _alone(*mine: str) -> Bench:
    bench = Bench(CONTENT, (ANNA, BEN, CARA), seats=(0, 1, 0))
    bench.bag("-1")
    bench.lay("card/feather", Zone.PLAY, ANNA)
    bench.hand(ANNA, *mine)
    bench.hand(BEN, "card/cancel", "card/two-icons")
    bench.hand(CARA, "card/icon")
    bench.lay("card/comfort", Zone.PLAY, BEN)
    bench.deck("encounter", "card/alone", "card/mild", "card/gloom")
    return bench


@pytest.mark.rule(
    *("C-EX-115", "C-BENC-1", "C-BENC-11", "C-BKEY-1", "C-BKEY-3", "C-DECIDE-30"),
    "C-DECIDE-59",
)
def test_peril_keeps_all_but_the_drawer_out_until_the_card_is_resolved() -> None:
    bench = _alone("card/icon")
    bench.give_tokens("-1")
    bench.run(encounter.draw(bench.game, ANNA), {0: "card/feather"}, {0: "card/icon"}, {1: "pass"})
    assert [sorted(ask.prompts) for ask in bench.asked] == [[0], [0], [1]]
    assert len(bench.asked[1].prompts[0].options) == 2
    (sixth,) = [one for one in bench.happened(events.TestStep) if one.step == 6]
    assert (sixth.value, sixth.difficulty, sixth.has_succeeded) == (3 + 1 + 1 - 1, 4, True)
    assert bench.count(ANNA, Token.HORROR) == 0
    assert [event.is_open for event in bench.happened(ChatSet)] == [False, True]
    assert bench.discarded("encounter") == ["card/alone", "card/mild"]


@pytest.mark.rule("C-EX-115", "C-BKEY-3")
def test_a_friend_may_help_in_the_test_of_a_card_without_peril() -> None:
    bench = _alone()
    bench.deck("encounter", "card/storm", "card/mild", "card/gloom")
    bench.hand(BEN)
    bench.run(
        encounter.draw(bench.game, ANNA),
        *({1: "card/comfort"}, "choice/pass", "choice/pass"),
    )


@pytest.mark.rule("C-EX-115", "C-BENC-11", "C-BKEY-3")
@pytest.mark.parametrize("cancels", [["card/my-cancel"], []])
def test_abilities_of_others_answer_the_next_card_and_not_the_one_with_peril(
    cancels: list[str],
) -> None:
    bench = _alone(*cancels)
    bench.hand(BEN)
    bench.turn("card/feather", is_exhausted=True)
    bench.lay("card/envy", Zone.PLAY, BEN)
    bench.run(encounter.draw(bench.game, ANNA), *({0: one} for one in cancels), {1: "card/envy"})
    assert [sorted(ask.prompts) for ask in bench.asked] == [*([0] for _ in cancels), [1]]
    assert [one.difficulty for one in bench.happened(events.TestBegan)] == [4] * (not cancels)


@pytest.mark.rule("C-EX-115", "C-BENC-11")
def test_peril_and_surge_stay_when_the_drawer_cancels_the_revelation() -> None:
    bench = _alone("card/my-cancel")
    bench.run(encounter.draw(bench.game, ANNA), {0: "card/my-cancel"}, {1: "pass"})
    assert bench.happened(events.TestBegan) == []
    assert [event.is_open for event in bench.happened(ChatSet)] == [False, True]
    assert bench.discarded("encounter") == ["card/alone", "card/mild"]


# C-EX-40: the other face of an agenda


@pytest.mark.rule("C-EX-40", "C-FLIP-4", "C-FLIP-5")
def test_an_enemy_on_the_back_of_an_agenda_is_resolved_and_not_drawn() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.hand(ANNA, "card/my-cancel")
    bench.run(story.advance(bench.game, Zone.AGENDA))
    assert bench.count(ANNA, Token.HORROR) == 1
    assert bench.card("card/e").engaged == (ANNA,)
    assert bench.game_table.only(Zone.AGENDA) is None


# C-EX-72: explorations


def _explorer(*deck: str) -> Bench:
    bench = Bench(CONTENT)
    bench.lay("card/map", Zone.PLAY, ANNA)
    _deck(bench, WILD, *deck)
    return bench


FAR = tuple(f"card/far{n}" for n in range(1, 5))


@pytest.mark.rule("C-EX-72", "C-EXPL-1", "C-EXPL-2", "C-EXPL-3", "C-BSPEC-1")
def test_an_exploration_that_finds_nothing_shuffles_all_back() -> None:
    bench = _explorer(*FAR)
    bench.act("card/map")
    assert len(bench.happened(events.Opened)) == len(FAR)
    assert sorted(_pile(bench, WILD)) == list(FAR)
    assert bench.count(ANNA, Token.RESOURCE) == 5
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-EX-72", "C-BSPEC-2", "C-EXPL-2")
def test_a_treachery_makes_an_exploration_fail() -> None:
    bench = _explorer("card/far1", "card/t4", "card/far2", "card/far3")
    bench.act("card/map", "card/map")
    assert bench.count(ANNA, Token.RESOURCE) == 7
    assert bench.card("card/t4").at == Place(Zone.ON, bench.piece("card/l1"))
    assert sorted(_pile(bench, WILD)) == ["card/far1", "card/far2", "card/far3"]


@pytest.mark.rule("C-BSPEC-1", "C-EXPL-2")
def test_an_explorer_moves_to_the_location_that_fits() -> None:
    bench = _explorer("card/far1", "card/near", "card/far2")
    bench.act("card/map", "card/map")
    assert bench.at(ANNA) == "card/near"
    assert bench.count("card/near", Token.CLUE) == 1
    assert bench.count(ANNA, Token.RESOURCE) == 6
    assert sorted(_pile(bench, WILD)) == ["card/far1", "card/far2"]


def _pile(bench: Bench, name: str) -> list[str]:
    table = bench.game_table
    return [table.card_of(handle) for handle in table.piles.get(name, ())]


@pytest.mark.rule("C-EX-115", "C-DECIDE-62")
def test_a_hidden_card_without_peril_is_refused() -> None:
    with pytest.raises(AssertionError, match="add peril"):
        content_of(treacheries="- {id: card/whisper, keywords: [hidden]}")

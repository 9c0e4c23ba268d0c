"""Enemies: engagement, prey, attacks, hunting, spawning. Sections 1.20 and 2.12."""

import pytest

from protocol.common.text import Text
from protocol.games.cards.events import Attacked, Engagement, Exhausted
from protocol.games.cards.table import ENCOUNTER, Place
from protocol.games.cards.words import Phase, Token, Zone
from server.games.cards.rules import encounter, enemies
from tests.games.cards.rules.bench import Bench, about
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, DAN, content_of
from tests.kit.bench import Answer

L1, L2, L3 = "card/l1", "card/l2", "card/l3"
RAT = "- {id: card/rat, fight: 3, health: 3, evade: 3, damage: 1}\n"
OGRE = "- {id: card/ogre, fight: 3, health: 9, evade: 3, damage: 1, keywords: [massive]}\n"
HUNT, ATTACKS = 1, 3
"""Steps of the enemy phase."""


def attacks(bench: Bench) -> list[tuple[str, str]]:
    """Return who has attacked whom, in order."""
    return [(one.code, one.investigator) for one in bench.happened(Attacked)]


def phase(bench: Bench, *answers: object) -> None:
    """Have the enemies attack in the enemy phase."""
    bench.step(Phase.ENEMY, ATTACKS, *answers)


# Spawning

DRAWN = """
- {id: card/plain, fight: 1, health: 1, evade: 1}
- {id: card/shy, fight: 1, health: 1, evade: 1, keywords: [aloof]}
- {id: card/greedy, fight: 1, health: 1, evade: 1, spawn: {id: card/l2}, prey: {stat: clues}}
- {id: card/shy-there, fight: 1, health: 1, evade: 1, keywords: [aloof], spawn: {id: card/l2}}
- {id: card/called, fight: 1, health: 1, evade: 1, keywords: [peril]}
- {id: card/lost, fight: 1, health: 1, evade: 1, spawn: {traits: [swamp]}}
- {id: card/wood, fight: 1, health: 1, evade: 1, spawn: {traits: [forest]}}
"""
CALL = """
- id: card/horn
  type: event
  cost: 0
  abilities: [{does: play, effect: [spawn: {id: card/called, at: {each: {id: card/l2}}}]}]
"""


@pytest.mark.rule(
    "C-EX-77",
    "C-SPAWN-1",
    "C-SPAWN-2",
    "C-SPAWN-3",
    "C-SPAWN-4",
    "C-SPAWN-5",
    "C-SPAWN-6",
    "C-BENEMY-8",
)
def test_where_an_enemy_spawns_and_whom_it_engages() -> None:
    content = content_of(enemies=DRAWN, players=CALL)
    bench = Bench(content, (ANNA, BEN, CARA))
    bench.walk(BEN, L2)
    bench.walk(CARA, L2)
    bench.tokens_on(bench.own(BEN), clue=1)
    bench.hand(ANNA, "card/horn")
    bench.lay("card/called", Zone.ASIDE)
    bench.deck(ENCOUNTER, "card/plain", "card/shy", "card/greedy", "card/shy-there")
    for _ in range(4):
        bench.run(encounter.draw(bench.game, ANNA))
    l2 = bench.piece(L2)
    assert bench.engaged_with(ANNA) == ["card/plain"]
    assert bench.card("card/shy").at == Place(Zone.AT, bench.piece(L1))
    assert bench.engaged_with(BEN) == ["card/greedy"]
    assert bench.card("card/shy-there").at == Place(Zone.AT, l2)
    bench.act("choice/play", about("choice/person", CARA))
    assert bench.engaged_with(CARA) == ["card/called"]


@pytest.mark.rule("C-EX-125", "C-BENEMY-18")
def test_an_enemy_without_a_legal_place_to_spawn_is_discarded() -> None:
    bench = Bench(content_of(enemies=DRAWN, locations=MARSH))
    bench.deck(ENCOUNTER, "card/lost")
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.discarded(ENCOUNTER) == ["card/lost"]


MARSH = """
- {id: card/l4, symbol: s4, connects: [s3, s5], traits: [forest], face: {id: card/l4-seen, shroud: 2, traits: [swamp, forest]}}
- {id: card/l5, symbol: s5, connects: [s4], traits: [forest], face: {id: card/l5-seen, shroud: 2, traits: [forest]}}
"""  # noqa: E501  # a card a line
FENCE = """
- {id: card/l4, symbol: s4, connects: [s3, s5], traits: [forest], face: {id: card/l4-seen, shroud: 2}}
- id: card/l5
  symbol: s5
  connects: [s4]
  traits: [forest]
  abilities: [{does: constant, gives: [cannot: {do: enter, card: {types: [enemy]}, where: {this: true}}]}]
  face: {id: card/l5-seen, shroud: 2}
"""  # noqa: E501  # a card a line


@pytest.mark.rule("C-EX-125", "C-BENEMY-19", "C-BLOC-10", "C-SPAWN-2", "C-BABIL-34")
def test_who_drew_an_enemy_chooses_among_its_places_to_spawn() -> None:
    # Both have one title, and are two locations all the same.
    twins = MARSH.replace("- {id: card/l5,", "- {id: card/l5, title: card/l4,")
    bench = Bench(content_of(enemies=DRAWN, locations=twins), (BEN, ANNA))
    bench.deck(ENCOUNTER, "card/wood")
    bench.run(encounter.draw(bench.game, ANNA), ...)
    assert bench.asks() == [bench.who(ANNA).seat]
    assert bench.choices("choice/card") == ["card/l4", "card/l5"]
    assert bench.open is not None
    (asked,) = bench.open.prompts.values()
    assert asked.prompt == Text("ask/spawn", (ANNA, "card/wood"))


@pytest.mark.rule("C-EX-125", "C-BENEMY-28", "C-SPAWN-1")
def test_the_lead_chooses_where_an_enemy_that_nobody_drew_spawns() -> None:
    bench = Bench(content_of(enemies=DRAWN, locations=MARSH), (BEN, ANNA))
    piece = bench.lay("card/wood", Zone.ASIDE)
    bench.run(enemies.spawn(bench.game, piece, ""), ...)
    assert bench.asks() == [bench.who(BEN).seat]
    assert bench.choices("choice/card") == ["card/l4", "card/l5"]


@pytest.mark.rule("C-EX-125", "C-BLOC-14")
def test_a_location_that_enemies_cannot_enter_is_no_place_to_spawn() -> None:
    bench = Bench(content_of(enemies=DRAWN, locations=FENCE))
    bench.deck(ENCOUNTER, "card/wood", "card/wood")
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.card("card/wood").at == Place(Zone.AT, bench.piece("card/l4"))


# Engagement


@pytest.mark.rule("C-BENEMY-3")
def test_the_lead_decides_whom_an_enemy_engages_among_equals() -> None:
    bench = Bench(content_of(enemies=RAT), (ANNA, BEN, CARA))
    piece = bench.lay("card/rat", Zone.AT, bench.piece(L1))
    bench.walk(CARA, L2)
    bench.run(enemies.engage_all(bench.game), {0: BEN})
    assert bench.game_table.cards[piece].engaged == (BEN,)
    assert bench.asked[0].prompts[0].prompt == Text("ask/prey", (ANNA, "card/rat"))


WATCHER = """
- id: card/charm
  type: asset
  cost: 1
  abilities: [{does: reaction, on: {after: engages, who: you}, effect: [resources: 1]}]
"""


@pytest.mark.rule("C-ENG-2", "C-ENG-1", "C-BACT-8")
def test_what_answers_an_enemy_engaging_you_answers_your_engaging_it_too() -> None:
    bench = Bench(content_of(enemies=RAT, players=WATCHER), (ANNA, BEN))
    bench.lay("card/charm", Zone.PLAY, ANNA)
    bench.engage("card/rat", BEN)
    bench.act("choice/engage", "card/charm")
    assert bench.engaged_with(ANNA) == ["card/rat"]
    assert bench.engaged_with(BEN) == []
    assert bench.count(ANNA, Token.RESOURCE) == 6


NET = """
- id: card/tire
  type: event
  cost: 0
  abilities: [{does: play, effect: [exhaust: {choose: {of: {types: [enemy]}}}]}]
- id: card/drag
  type: event
  cost: 0
  abilities:
  - does: play
    effect: [move_enemy: {card: {choose: {of: {types: [enemy], where: here}}}, to: {each: {id: card/l3}}}]
- id: card/wake
  type: event
  cost: 0
  abilities: [{does: play, effect: [ready: {choose: {of: {types: [enemy]}}}]}]
- id: card/slip
  type: event
  cost: 0
  abilities:
  - does: play
    effect: [disengage: {each: {types: [enemy], engaged: you}}, move: {to: {each: {id: card/l3}}}, draw: {number: 1}]
"""  # noqa: E501  # an effect a line


@pytest.mark.rule("C-EX-125", "C-BENEMY-25")
def test_exhausting_an_engaged_enemy_does_not_end_the_engagement() -> None:
    bench = Bench(content_of(enemies=RAT, players=NET))
    bench.engage("card/rat", ANNA)
    bench.hand(ANNA, "card/tire")
    bench.act("choice/play")
    assert bench.card("card/rat").is_exhausted
    assert bench.engaged_with(ANNA) == ["card/rat"]


@pytest.mark.rule("C-EX-125", "C-BENEMY-32", "C-BLOC-5")
def test_moving_an_engaged_enemy_elsewhere_ends_the_engagement_and_reveals_nothing() -> None:
    bench = Bench(content_of(enemies=RAT, players=NET))
    bench.engage("card/rat", ANNA)
    bench.hand(ANNA, "card/drag")
    bench.act("choice/play")
    assert bench.card("card/rat").at == Place(Zone.AT, bench.piece(L3))
    assert bench.card("card/rat").engaged == ()
    assert not bench.card(L3).face


@pytest.mark.rule("C-BENEMY-6")
def test_an_unengaged_enemy_that_is_readied_engages() -> None:
    bench = Bench(content_of(enemies=RAT, players=NET))
    bench.lay("card/rat", Zone.AT, bench.piece(L1), is_exhausted=True)
    bench.hand(ANNA, "card/wake")
    bench.act("choice/play")
    assert bench.engaged_with(ANNA) == ["card/rat"]


@pytest.mark.rule("C-EX-125", "C-BENEMY-22", "C-BENEMY-25")
def test_an_enemy_left_behind_engages_another_when_the_event_is_complete() -> None:
    bench = Bench(content_of(enemies=RAT, players=NET), (ANNA, CARA))
    bench.engage("card/rat", ANNA)
    bench.hand(ANNA, "card/slip")
    bench.deck(ANNA, "card/tire")
    bench.act("choice/play")
    assert bench.at(ANNA) == L3
    assert bench.engaged_with(CARA) == ["card/rat"]
    kinds = [type(one).__name__ for one in bench.log]
    assert kinds.index("Drew") < len(kinds) - kinds[::-1].index("Engagement") - 1


@pytest.mark.rule("C-EX-125", "C-BENEMY-22")
def test_an_enemy_that_was_evaded_engages_nobody_when_its_investigator_goes() -> None:
    bench = Bench(content_of(enemies=RAT, players=NET), (ANNA, CARA))
    bench.engage("card/rat", ANNA)
    bench.hand(ANNA, "card/slip")
    bench.act("choice/evade")
    bench.act("choice/play")
    assert bench.at(ANNA) == L3
    assert [bench.engaged_with(who) for who in (ANNA, CARA)] == [[], []]


@pytest.mark.rule("C-EX-125", "C-BENEMY-22")
def test_what_answers_the_disengaging_may_take_the_enemy_away_before_it_engages_another() -> None:
    content = content_of(enemies=RAT, players=NET + LEASH)
    bench = Bench(content, (ANNA, CARA))
    bench.engage("card/rat", ANNA)
    bench.lay("card/leash", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/slip")
    bench.act("choice/play", "card/leash")
    assert bench.engaged_with(CARA) == []
    assert bench.card("card/rat").at == Place(Zone.AT, bench.piece(L2))


LEASH = """
- id: card/leash
  type: asset
  cost: 1
  abilities:
  - does: reaction
    on: {after: disengages, who: you}
    effect: [move_enemy: {card: that, to: {each: {id: card/l2}}}]
"""


@pytest.mark.rule("C-BENEMY-2", "C-BENEMY-5")
@pytest.mark.parametrize(("exhausted", "engaged"), [(False, ["card/rat"]), (True, [])])
def test_a_ready_unengaged_enemy_engages_who_comes(exhausted: bool, engaged: list[str]) -> None:
    bench = Bench(content_of(enemies=RAT))
    bench.lay("card/rat", Zone.AT, bench.piece(L2), is_exhausted=exhausted)
    bench.act("choice/move")
    assert bench.engaged_with(ANNA) == engaged


# Prey - only

BOUND = "- {id: card/bound, fight: 3, health: 3, evade: 3, damage: 1, keywords: [hunter], prey: {is_bearer: true, only: true}}\n"  # noqa: E501  # one card
DOOR = """
- {id: card/l1, symbol: s1, connects: [s3], face: {id: card/l1-seen, shroud: 2}}
- {id: card/l2, symbol: s2, connects: [s1], face: {id: card/l2-seen, shroud: 2}}
- {id: card/l3, symbol: s3, connects: [s1], face: {id: card/l3-seen, shroud: 2}}
"""


def bound() -> Bench:
    """Lay out the example of the enemy that hunts B alone, behind a one-way door."""
    bench = Bench(content_of(enemies=BOUND + RAT, locations=DOOR), (ANNA, CARA, BEN))
    bench.walk(BEN, L2)
    bench.lay("card/bound", Zone.AT, bench.piece(L1), owner=BEN)
    bench.engage("card/rat", ANNA)
    return bench


@pytest.mark.rule(
    "C-EX-125", "C-BENEMY-17", "C-BENEMY-26", "C-BENEMY-27", "C-BENEMY-31", "C-BLOC-4"
)
def test_prey_only_engages_hunts_and_attacks_nobody_else() -> None:
    bench = bound()
    bench.run(enemies.engage_all(bench.game))
    assert bench.card("card/bound").engaged == ()
    bench.step(Phase.ENEMY, HUNT)
    assert bench.card("card/bound").at == Place(Zone.AT, bench.piece(L1))
    phase(bench)
    assert attacks(bench) == [("card/rat", ANNA)]


@pytest.mark.rule("C-EX-125", "C-BENEMY-27")
def test_prey_only_attacks_who_has_engaged_it() -> None:
    bench = bound()
    bench.act(about("choice/engage", "card/bound"))
    assert attacks(bench) == [("card/rat", ANNA)]
    assert bench.engaged_with(ANNA) == ["card/bound", "card/rat"]
    bench.step(Phase.ENEMY, HUNT)
    assert "card/bound" in bench.engaged_with(ANNA)
    phase(bench, "card/bound")
    assert ("card/bound", ANNA) in attacks(bench)


# Hunters

PEOPLE = """
- {id: card/anna, class: lens, willpower: 4, intellect: 3, combat: 3, agility: 3, health: 7, sanity: 7}
- {id: card/ben, class: lens, willpower: 2, intellect: 3, combat: 3, agility: 3, health: 7, sanity: 7}
- {id: card/cara, class: lens, willpower: 2, intellect: 3, combat: 3, agility: 3, health: 7, sanity: 7}
"""  # noqa: E501  # a card a line
HUNTERS = """
- {id: card/h1, fight: 3, health: 3, evade: 3, damage: 1, keywords: [hunter], prey: {stat: willpower, is_lowest: true}}
- {id: card/h2, fight: 3, health: 3, evade: 3, damage: 1, keywords: [hunter], prey: {is_bearer: true, only: true}}
- {id: card/h3, fight: 3, health: 3, evade: 3, damage: 1, keywords: [hunter]}
- {id: card/h4, fight: 3, health: 3, evade: 3, damage: 1, keywords: [hunter], traits: [beast]}
- {id: card/h5, fight: 3, health: 3, evade: 3, damage: 1, keywords: [hunter]}
- {id: card/h6, fight: 3, health: 3, evade: 3, damage: 1, keywords: [hunter], prey: {is_bearer: true, only: true}}
- {id: card/h7, fight: 3, health: 3, evade: 3, damage: 1, keywords: [hunter, aloof]}
- {id: card/y1, fight: 3, health: 3, evade: 3, damage: 1}
- {id: card/y2, fight: 3, health: 3, evade: 3, damage: 1}
"""  # noqa: E501  # a card a line
WOODS = "".join(
    f"- {{id: card/l{n}, symbol: s{n}, connects: [{', '.join(f's{m}' for m in ways)}],"
    f" face: {{id: card/l{n}-seen, shroud: 2}}}}\n"
    for n, ways in {
        1: (2, 8),
        2: (1, 3, 6),
        3: (2,),
        4: (3,),
        5: (),
        6: (2, 7, 9),
        7: (6, 8),
        8: (7, 9, 1),
        9: (6, 8),
    }.items()
)
BARRIER = """
- id: card/barrier
  abilities: [{does: constant, gives: [cannot: {do: enter, card: {traits: [beast]}, where: {host: true}}]}]
"""  # noqa: E501  # a card a line
EVENTS = """
- id: card/vanish
  type: event
  cost: 1
  keywords: [fast]
  abilities: [{does: play, effect: [evade_now: {choose: {of: {types: [enemy], where: here}}}]}]
- id: card/parry
  type: event
  cost: 1
  keywords: [fast]
  abilities: [{does: play, on: {when: attacks, who: you}, effect: [cancel: true]}]
"""


@pytest.mark.rule(
    "C-EX-100",
    "C-BENEMY-3",
    "C-BENEMY-5",
    "C-BENEMY-9",
    "C-BENEMY-10",
    "C-BENEMY-17",
    "C-BENEMY-20",
    "C-BENEMY-21",
    "C-BENEMY-23",
    "C-BENEMY-26",
    "C-BENEMY-29",
    "C-BENEMY-30",
    "C-BENEMY-31",
    "C-BENEMY-33",
    "C-BENPH-1",
    "C-BENPH-2",
    "C-BENPH-3",
    "C-BENPH-4",
    "C-BENPH-5",
    "C-BENPH-6",
    "C-BENPH-7",
    "C-BWIN-5",
    "C-BWIN-9",
    "C-BLOC-4",
    "C-BLOC-7",
)
def test_hunters_with_prey_only_a_one_way_door_and_no_path() -> None:
    bench = hunters()
    # Steps 1 to 4.
    bench.step(Phase.ENEMY, HUNT, ...)
    assert bench.asks() == [bench.who(ANNA).seat]
    assert bench.choices("choice/card") == ["card/h1", "card/h2", "card/h4"]

    bench = hunters()
    bench.step(Phase.ENEMY, HUNT, "card/h1", {0: CARA}, "card/h2", ...)
    assert bench.choices("choice/card") == ["card/l7", "card/l9"]

    bench = hunters()
    bench.step(Phase.ENEMY, HUNT, "card/h1", CARA, "card/h2", "card/l9")
    assert "card/h1" in bench.engaged_with(CARA)
    assert place(bench, "card/h2") == L2
    assert place(bench, "card/h4") == "card/l9"

    # Step 5.
    bench.step(Phase.ENEMY, HUNT + 1, {1: "choice/pass"})

    # Steps 6 to 9.
    evade = {1: about("choice/play_to", "card/vanish")}
    bench.step(
        Phase.ENEMY,
        ATTACKS,
        {1: "choice/pass"},
        {1: "choice/pass"},
        evade,
        "card/y2",
        {2: "card/y1"},
        {2: "choice/pass"},
        {2: "card/parry"},
    )
    assert attacks(bench) == [("card/y1", CARA), ("card/h1", CARA)]
    assert bench.count(CARA, Token.DAMAGE) == 1
    assert bench.engaged_with(CARA) == ["card/h1", "card/y1"]
    assert all(bench.card(one).is_exhausted for one in ("card/h1", "card/y1", "card/y2"))
    assert [place(bench, f"card/{one}") for one in ("y2", "h2", "h3", "h4", "h5", "h6", "h7")] == [
        L3,
        L2,
        L2,
        "card/l9",
        "card/l5",
        L2,
        L1,
    ]
    assert bench.count(BEN, Token.RESOURCE) == bench.count(CARA, Token.RESOURCE) == 4


@pytest.mark.rule("C-EX-100", "C-BLOC-12", "C-BENEMY-21")
def test_a_hunter_counts_its_way_anew_once_a_barrier_is_gone() -> None:
    bench = hunters(barrier=False)
    h4 = bench.card("card/h4")
    assert enemies.next_steps(bench.game, h4) == (bench.piece(L2),)


def hunters(*, barrier: bool = True) -> Bench:
    """Lay out the example of the hunters."""
    content = content_of(
        investigators=PEOPLE,
        enemies=HUNTERS,
        locations=WOODS,
        treacheries=BARRIER,
        players=EVENTS,
        scenario=f"locations: [{', '.join(f'card/l{n}' for n in range(1, 10))}]",
    )
    bench = Bench(content, (ANNA, BEN, CARA, DAN))
    bench.walk(BEN, L3)
    bench.walk(CARA, L3)
    bench.walk(DAN, "card/l4")
    if barrier:
        bench.lay("card/barrier", Zone.ON, bench.piece(L2))
    starts = {"h1": L2, "h2": L3, "h3": L2, "h4": "card/l6", "h5": "card/l5", "h6": L2, "h7": L1}
    for code, start in starts.items():
        owner = {"h2": ANNA, "h6": DAN}.get(code, "")
        bench.lay(
            f"card/{code}",
            Zone.AT,
            bench.piece(start),
            owner=owner,
            is_exhausted=code == "h3",
        )
    bench.engage("card/y1", CARA)
    bench.engage("card/y2", CARA)
    bench.hand(BEN, "card/vanish")
    bench.hand(CARA, "card/parry")
    return bench


def place(bench: Bench, code: str) -> str:
    """Return the location of an unengaged enemy."""
    card = bench.card(code)
    assert card.at.zone is Zone.AT
    return bench.game_table.cards[card.at.of].code


# Attacks


@pytest.mark.rule("C-BENPH-6")
def test_an_enemy_that_is_readied_does_not_attack_twice_in_the_phase() -> None:
    bench = Bench(content_of(enemies=RAT), (ANNA, BEN))
    piece = bench.engage("card/rat", BEN)
    attacked = {piece}
    bench.run(enemies.attack_in_phase(bench.game, BEN, attacked))
    assert attacks(bench) == []


WARD = """
- id: card/ward
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {when: attacks, who: you}, cost: [exhaust: {this: true}], effect: [reduce: {number: 1}]}
"""  # noqa: E501  # an ability a line


@pytest.mark.rule("C-BENEMY-7", "C-BENEMY-1")
def test_an_attack_deals_what_abilities_have_left_of_it() -> None:
    bite = "- {id: card/rat, fight: 3, health: 3, evade: 3, damage: 2, horror: 2}\n"
    bench = Bench(content_of(enemies=bite, players=WARD))
    piece = bench.engage("card/rat", ANNA)
    bench.lay("card/ward", Zone.PLAY, ANNA)
    bench.run(enemies.attack(bench.game, piece, ANNA), "card/ward")
    assert bench.count(ANNA, Token.DAMAGE) == 1
    assert bench.count(ANNA, Token.HORROR) == 1


@pytest.mark.rule("C-NEST-10", "C-NEST-9")
def test_an_attack_deals_its_damage_though_the_attacker_was_defeated_meanwhile() -> None:
    bench = Bench(content_of(enemies=RAT, players=STING))
    piece = bench.engage("card/rat", ANNA)
    bench.lay("card/sting", Zone.PLAY, ANNA)
    bench.run(enemies.attack(bench.game, piece, ANNA), "card/sting")
    assert piece not in bench.game_table.cards
    assert bench.count(ANNA, Token.DAMAGE) == 1


STING = """
- id: card/sting
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {when: attacks, who: you}, cost: [exhaust: {this: true}], effect: [damage: {card: that, number: 3}]}
"""  # noqa: E501  # an ability a line


@pytest.mark.rule(
    "C-EX-116", "C-BENEMY-13", "C-BENEMY-14", "C-BENEMY-15", "C-BENEMY-34", "C-BENPH-6"
)
def test_a_massive_enemy_attacks_everybody_there_and_then_is_exhausted() -> None:
    bench = Bench(content_of(enemies=OGRE), (ANNA, BEN, CARA))
    bench.walk(CARA, L2)
    bench.lay("card/ogre", Zone.AT, bench.piece(L1))
    phase(bench)
    assert attacks(bench) == [("card/ogre", ANNA), ("card/ogre", BEN)]
    assert bench.card("card/ogre").is_exhausted


@pytest.mark.rule("C-EX-116", "C-BENEMY-13", "C-BENEMY-14")
def test_a_massive_enemy_attacks_in_passing_and_stays_when_its_investigator_moves() -> None:
    bench = Bench(content_of(enemies=OGRE), (ANNA, BEN))
    bench.lay("card/ogre", Zone.AT, bench.piece(L1))
    bench.act("choice/resource")
    bench.act("choice/move")
    assert attacks(bench) == [("card/ogre", ANNA), ("card/ogre", ANNA)]
    assert place(bench, "card/ogre") == L1


@pytest.mark.rule("C-EX-116", "C-BENEMY-24", "C-BENEMY-13")
def test_a_massive_aloof_enemy_is_engaged_with_all_once_one_has_engaged_it() -> None:
    shy = OGRE.replace("[massive]", "[massive, aloof]")
    bench = Bench(content_of(enemies=shy), (ANNA, BEN))
    bench.lay("card/ogre", Zone.AT, bench.piece(L1))
    bench.act("choice/resource")
    assert attacks(bench) == []
    bench.set_active(BEN)
    bench.act("choice/engage")
    assert bench.card("card/ogre").at.zone is Zone.AT
    bench.set_active(ANNA)
    bench.act("choice/resource")
    assert attacks(bench) == [("card/ogre", ANNA)]
    bench.act(...)
    assert bench.choices("choice/engage") == []


@pytest.mark.rule("C-BENEMY-14", "C-BENEMY-13")
def test_an_enemy_that_became_massive_in_a_threat_area_stays_behind() -> None:
    bench = Bench(content_of(enemies=RAT, players=GROWTH))
    bench.engage("card/rat", ANNA)
    bench.lay("card/growth", Zone.PLAY, ANNA)
    bench.act("choice/move")
    assert place(bench, "card/rat") == L1


GROWTH = """
- id: card/growth
  type: asset
  cost: 1
  abilities: [{does: constant, gives: [keyword: {of: {types: [enemy]}, keyword: massive}]}]
"""


# Nearest

POOLS = """
- {id: card/l2, symbol: s2, connects: [s1, s3], traits: [forest], face: {id: card/l2-seen, shroud: 2}}
- {id: card/l3, symbol: s3, connects: [s2], traits: [forest], face: {id: card/l3-seen, shroud: 2, traits: [forest]}}
- {id: card/l9, symbol: s9, connects: [], traits: [forest], face: {id: card/l9-seen, shroud: 2, traits: [forest]}}
"""  # noqa: E501  # a card a line
FLARE = """
- id: card/flare
  type: event
  cost: 0
  abilities: [{does: play, effect: [put: {token: bounty, card: {nearest: {traits: [forest]}}}]}]
- id: card/lure
  type: event
  cost: 0
  abilities: [{does: play, effect: [move_enemy: {card: {nearest: {types: [enemy]}}}]}]
- id: card/brand
  type: event
  cost: 0
  abilities: [{does: play, effect: [put: {token: bounty, card: {nearest: {types: [enemy]}}}]}]
"""


@pytest.mark.rule("C-NEAR-4", "C-BABIL-34")
def test_an_enemy_that_is_lured_takes_the_shortest_way_that_you_choose() -> None:
    locations = "".join(
        f"- {{id: card/l{n}, symbol: s{n}, connects: [{ways}], "
        f"face: {{id: card/l{n}-seen, shroud: 2}}}}\n"
        for n, ways in ((1, "s2, s3"), (2, "s1, s4"), (3, "s1, s4"), (4, "s2, s3"))
    )
    bench = Bench(content_of(enemies=RAT, players=FLARE, locations=locations))
    bench.lay("card/rat", Zone.AT, bench.piece("card/l4"))
    bench.hand(ANNA, "card/lure")
    bench.act("card/lure", "card/l3")
    assert place(bench, "card/rat") == "card/l3"
    assert bench.asked[-1].prompts[0].at_most == 1


@pytest.mark.rule("C-EX-42", "C-NEAR-1", "C-NEAR-2", "C-NEAR-3", "C-NEAR-4")
def test_the_nearest_has_a_path_if_any_has_one() -> None:
    pools = POOLS.replace("connects: [s1, s3], traits: [forest]", "connects: [s1, s3]")
    locations = "[card/l1, card/l2, card/l3, card/l9]"
    content = content_of(
        enemies=RAT, players=FLARE, locations=pools, scenario=f"locations: {locations}"
    )
    bench = Bench(content)
    bench.lay("card/rat", Zone.AT, bench.piece("card/l9"))
    bench.hand(ANNA, "card/flare", "card/brand", "card/lure")
    bench.act("card/flare")
    bench.act("card/brand")
    assert bench.card(L3).count("bounty") == 1
    assert bench.card("card/rat").count("bounty") == 1
    bench.act("card/lure")
    assert place(bench, "card/rat") == "card/l9"

    bench = Bench(content)
    bench.change(cards={k: c for k, c in bench.game_table.cards.items() if c.code != "card/l3"})
    bench.hand(ANNA, "card/flare")
    bench.act("card/flare")
    assert bench.card("card/l9").count("bounty") == 1


@pytest.mark.rule("C-ENG-1")
def test_an_engagement_is_one_event_for_the_enemy_and_the_investigator() -> None:
    bench = Bench(content_of(enemies=RAT))
    bench.lay("card/rat", Zone.AT, bench.piece(L2))
    bench.act("choice/move")
    assert len(bench.happened(Engagement)) == 1


@pytest.mark.rule("C-BENEMY-22", "C-BENPH-7")
def test_an_enemy_set_free_in_a_window_engages_another_and_attacks_there() -> None:
    fast = NET.replace(
        "- id: card/slip\n  type: event\n", "- id: card/slip\n  type: event\n  keywords: [fast]\n"
    )
    bench = Bench(content_of(enemies=RAT, players=fast), (ANNA, CARA))
    bench.engage("card/rat", ANNA)
    bench.hand(ANNA, "card/slip")
    phase(bench, "card/slip")
    assert attacks(bench) == [("card/rat", CARA)]


@pytest.mark.rule("C-BENEMY-27")
def test_prey_only_does_not_attack_another_when_an_effect_says_attack() -> None:
    bench = bound()
    bench.run(enemies.attack(bench.game, bench.piece("card/bound"), ANNA))
    assert attacks(bench) == []
    bench.run(enemies.attack(bench.game, bench.piece("card/bound"), BEN))
    assert attacks(bench) == [("card/bound", BEN)]


@pytest.mark.rule("C-BLOC-11")
def test_an_enemy_is_not_moved_where_it_cannot_enter() -> None:
    bench = hunters()
    bench.run(enemies.move(bench.game, bench.piece("card/h4"), bench.piece(L2)))
    assert place(bench, "card/h4") == "card/l6"


DODGE = """
- id: card/dodge
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {when: engages, who: you}, cost: [exhaust: {this: true}], effect: [move: {to: {each: {id: card/l2}}}]}
"""  # noqa: E501  # an ability a line


@pytest.mark.rule("C-DECIDE-54", "C-LOC-2")
def test_an_enemy_does_not_engage_who_is_gone_as_it_would() -> None:
    bench = Bench(content_of(enemies=RAT, players=DODGE))
    bench.lay("card/rat", Zone.AT, bench.piece(L1))
    bench.lay("card/dodge", Zone.PLAY, ANNA)
    bench.run(enemies.engage_all(bench.game), "card/dodge")
    assert bench.at(ANNA) == L2
    assert bench.card("card/rat").engaged == ()


RIVALS = """
- id: card/trophy
  type: asset
  cost: 1
  abilities: [{does: reaction, on: {after: defeated, by: you, card: {types: [enemy]}}, effect: [resources: 1]}]
- id: card/dart
  type: event
  cost: 0
  keywords: [fast]
  abilities: [{does: play, effect: [damage: {card: {choose: {of: {types: [enemy], where: here}}}}]}]
- id: card/greeting
  type: asset
  cost: 1
  abilities: [{does: reaction, on: {after: engages, who: anyone}, effect: [resources: 1]}]
"""  # noqa: E501  # a card a line


@pytest.mark.rule("C-BDMG-19")
@pytest.mark.parametrize(("answer", "rich"), [("choice/fight", ANNA), ({1: "card/dart"}, BEN)])
def test_an_enemy_is_defeated_by_whose_attack_or_card_dealt_the_last_damage(
    answer: Answer, rich: str
) -> None:
    bench = Bench(content_of(enemies=RAT, players=RIVALS), (ANNA, BEN))
    for who in (ANNA, BEN):
        bench.lay("card/trophy", Zone.PLAY, who)
    bench.hand(BEN, "card/dart")
    bench.tokens_on(bench.engage("card/rat", ANNA), damage=2)
    commits = ["choice/pass", "choice/pass"] if answer == "choice/fight" else []
    bench.act(answer, *commits, "card/trophy")
    assert [bench.count(who, Token.RESOURCE) for who in (ANNA, BEN)] == [
        6 if who == rich else 5 for who in (ANNA, BEN)
    ]


@pytest.mark.rule("C-DECIDE-46", "C-ENG-2")
def test_an_engagement_has_one_window_for_all_that_answers_it() -> None:
    bench = Bench(content_of(enemies=RAT, players=WATCHER + RIVALS), (ANNA, BEN))
    bench.lay("card/charm", Zone.PLAY, ANNA)
    bench.lay("card/greeting", Zone.PLAY, BEN)
    bench.engage("card/rat", BEN)
    bench.act("choice/engage", ...)
    assert (bench.asks(), bench.choices("choice/use")) == (
        [0, 1],
        ["card/charm", "card/greeting"],
    )


@pytest.mark.rule("C-BENPH-3", "C-BAOO-5")
def test_the_order_of_attackers_that_nothing_tells_apart_is_not_asked_for() -> None:
    bench = Bench(content_of(enemies=RAT))
    first, second = bench.engage("card/rat", ANNA), bench.engage("card/rat", ANNA)
    bench.step(Phase.ENEMY, ATTACKS)
    assert bench.count(ANNA, Token.DAMAGE) == 2
    assert bench.asked == []

    bench.emit(Exhausted((first, second), is_exhausted=False))
    bench.tokens_on(first, damage=1)
    bench.step(Phase.ENEMY, ATTACKS, ...)
    assert bench.choices("choice/attacker") == ["card/rat", "card/rat"]


@pytest.mark.rule("C-BENPH-3")
@pytest.mark.parametrize("mark", ["attached", "lasting"])
def test_an_attacker_with_a_card_or_an_effect_on_it_is_told_apart(mark: str) -> None:
    bench = Bench(content_of(enemies=RAT, players=RIVALS + TAG))
    first, _ = bench.engage("card/rat", ANNA), bench.engage("card/rat", ANNA)
    if mark == "attached":
        bench.lay("card/dart", Zone.ON, first)
    else:
        bench.hand(ANNA, "card/tag")
        bench.act("card/tag", 0)
    bench.step(Phase.ENEMY, ATTACKS, ...)
    assert bench.choices("choice/attacker") == ["card/rat", "card/rat"]


TAG = """
- id: card/tag
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    effect:
    - lasting:
        until: round
        card: {choose: {of: {types: [enemy]}}}
        gives: [{stat: {of: {types: [enemy]}, stat: fight, by: -1}}]
"""

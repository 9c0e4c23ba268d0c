"""Damage, horror and defeat. Section 2.9."""

import pytest

from content.games.cards.schema.occurrences import Happening
from protocol.common.text import Text
from protocol.games.cards.events import Tokens
from protocol.games.cards.words import Fate, Token, Trauma, Zone
from server.games.cards.rules import answers, enemies, harm, outcomes
from server.games.cards.rules.play import Occurrence, Use
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, content_of

PLAYERS = """
- id: card/p
  type: asset
  cost: 1
  health: 2
  sanity: 2
- id: card/coat
  type: asset
  cost: 1
  health: 2
- id: card/lantern
  type: asset
  cost: 1
- id: card/small
  type: asset
  cost: 1
  health: 1
  sanity: 1
- id: card/tall
  type: asset
  cost: 1
  health: 2
  sanity: 1
- id: card/shield
  type: event
  cost: 1
  keywords: [fast]
  abilities:
  - does: play
    on: {when: harm-assigned, card: {types: [asset], where: here}}
    effect: [{reduce: {number: 1, token: damage}}]
- id: card/ward
  type: event
  cost: 2
  keywords: [fast]
  abilities:
  - does: play
    on: {when: harm-assigned, card: {types: [investigator], where: here}}
    effect: [{reduce: {number: 99}}]
- id: card/medal
  type: asset
  cost: 1
  abilities:
  - does: reaction
    on: {after: defeated, card: {types: [asset], yours: true}}
    effect: [{draw: {number: 1}}]
- id: card/knife
  type: asset
  cost: 1
  abilities:
  - does: reaction
    on: {after: damage-dealt, who: you, tokens: [attack], least: 1}
    effect: [{damage: {card: cause}}]
- id: card/dog
  type: asset
  health: 3
  abilities:
  - does: reaction
    on: {after: harm-placed, card: {this: true}}
    effect: [{resources: 1}]
- id: card/friend
  type: asset
  cost: 1
  health: 4
  abilities:
  - does: reaction
    on: {when: damage-dealt, who: here}
    effect: [{move_harm: this}]
"""
ENEMIES = """
- id: card/brute
  fight: 3
  health: 5
  evade: 3
  damage: 4
  horror: 2
- id: card/ghoul
  fight: 3
  health: 5
  evade: 3
  damage: 3
  horror: 2
- id: card/imp
  fight: 3
  health: 1
  evade: 3
- id: card/prize
  fight: 3
  health: 1
  evade: 3
  victory: 1
- id: card/own-fear
  fight: 3
  health: 1
  evade: 3
  weakness: true
- id: card/crowd
  fight: 3
  health: {n: 2, per: investigators}
  evade: 3
"""


@pytest.fixture
def bench() -> Bench:
    return Bench(content_of(players=PLAYERS, enemies=ENEMIES), (ANNA, BEN))


def _brute(bench: Bench) -> str:
    """Lay out the table of C-EX-104; return the attacker."""
    bench.lay("card/p", Zone.PLAY, ANNA, owner=BEN, tokens={"damage": 1})
    for code in ("card/coat", "card/lantern", "card/medal"):
        bench.lay(code, Zone.PLAY, ANNA)
    bench.deck(ANNA, "card/lantern", "card/lantern", "card/lantern")
    bench.hand(BEN, "card/shield")
    return bench.engage("card/brute", ANNA)


ASSIGNED = ((0, 1, 2), 1)
"""C-EX-104, step 1: the damage of the assets, then 1 of the 2 horror for the ally."""


@pytest.mark.rule(
    *("C-EX-104", "C-BDMG-1", "C-BDMG-2", "C-BDMG-3", "C-BDMG-4", "C-BDMG-6", "C-BDMG-14"),
    *("C-BDMG-15", "C-BDMG-18", "C-BDMG-21", "C-BDMG-22", "C-BENEMY-7", "C-BZONE-12"),
)
def test_harm_is_assigned_then_lessened_then_placed_at_once(bench: Bench) -> None:
    piece = _brute(bench)
    ally = bench.piece("card/p")
    bench.run(
        enemies.attack(bench.game, piece, ANNA),
        *ASSIGNED,
        lambda option: bench.piece("card/coat") in [at.piece for at in option.points],
        "card/medal",
    )
    assert (bench.count(ANNA, Token.DAMAGE), bench.count(ANNA, Token.HORROR)) == (1, 1)
    assert bench.count("card/coat", Token.DAMAGE) == 1
    harmed = [
        sorted((one.piece, one.kind, one.amount) for one in event.changes)
        for event in bench.happened(Tokens)
        if event.changes[0].kind != "resource"
    ]
    own, coat = bench.own(ANNA), bench.piece("card/coat")
    both = [(card, kind, 1) for card in (own, ally) for kind in ("damage", "horror")]
    assert harmed == [sorted([*both, (coat, "damage", 1)])]
    assert bench.discarded(BEN) == ["card/shield", "card/p"]
    assert bench.in_hand(ANNA) == ["card/lantern"]


@pytest.mark.rule("C-EX-104", "C-BDMG-16", "C-BABIL-36")
def test_two_assets_that_fall_by_one_attack_are_one_group_with_one_window(bench: Bench) -> None:
    piece = _brute(bench)
    bench.run(enemies.attack(bench.game, piece, ANNA), *ASSIGNED, "pass", "card/p", "card/coat")
    assert bench.in_hand(ANNA) == ["card/lantern", "card/lantern"]
    windows = [ask for ask in bench.asked if ask.about.subject == "happening/defeated"]
    assert [len(next(iter(ask.prompts.values())).options) for ask in windows] == [3, 2]


@pytest.mark.rule("C-EX-104", "C-BDMG-5")
def test_direct_damage_is_never_assigned_to_an_asset(bench: Bench) -> None:
    _brute(bench)
    bench.run(harm.deal(bench.game, ANNA, 2, 0, is_direct=True))
    assert bench.count(ANNA, Token.DAMAGE) == 2


@pytest.mark.rule("C-EX-104", "C-BDMG-13")
def test_healing_takes_off_no_more_than_there_is(bench: Bench) -> None:
    bench.tokens_on(bench.own(ANNA), damage=1)
    assert bench.run(harm.heal(bench.game, (bench.own(ANNA),), 3, 0)) == 1
    assert bench.count(ANNA, Token.DAMAGE) == 0


@pytest.mark.rule("C-EX-104", "C-BDMG-3")
def test_an_asset_is_offered_no_more_harm_than_defeats_it(bench: Bench) -> None:
    piece = _brute(bench)
    bench.run(enemies.attack(bench.game, piece, ANNA), ...)
    assert bench.open is not None
    offered = [option.text.params[0] for option in bench.open.prompts[0].options]
    assert offered == ["card/p", "card/coat", "card/coat"]
    bench.run(enemies.attack(bench.game, piece, ANNA), (0, 1, 2), ...)
    shared = [option.text.params[:2] for option in bench.open.prompts[0].options]
    assert shared == [("card/p", 2), ("card/p", 1), (ANNA, 2)]


@pytest.mark.rule("C-BDMG-15", "C-BDMG-22")
def test_a_card_without_health_or_sanity_takes_no_harm(bench: Bench) -> None:
    bench.lay("card/lantern", Zone.PLAY, ANNA)
    bench.lay("card/coat", Zone.PLAY, ANNA)
    parts = [
        harm.Part(bench.piece("card/lantern"), 1, 1),
        harm.Part(bench.piece("card/coat"), 0, 1),
    ]
    bench.run(harm.place(bench.game, parts, ""))
    assert bench.card("card/lantern").tokens == {}
    assert bench.card("card/coat").tokens == {}


@pytest.mark.rule("C-BABIL-28")
def test_harm_of_several_is_assigned_by_all_before_any_is_placed(bench: Bench) -> None:
    bench.lay("card/coat", Zone.PLAY, ANNA)
    bench.lay("card/p", Zone.PLAY, BEN)
    bench.run(harm.deal_all(bench.game, (ANNA, BEN), 1, 0), {0: "card/coat"}, ...)
    assert bench.count("card/coat", Token.DAMAGE) == 0


# Several assets, prevention, both kinds: C-EX-122


def _ghoul(bench: Bench) -> str:
    bench.tokens_on(bench.own(ANNA), damage=5, horror=5)
    for code in ("card/small", "card/tall", "card/knife"):
        bench.lay(code, Zone.PLAY, ANNA)
    bench.hand(BEN, "card/ward")
    return bench.engage("card/ghoul", ANNA)


@pytest.mark.rule("C-EX-122", "C-BDMG-16", "C-YOU-7")
def test_an_attack_on_ones_assets_alone_is_damage_dealt_to_you(bench: Bench) -> None:
    piece = _ghoul(bench)
    bench.run(
        enemies.attack(bench.game, piece, ANNA),
        (0, 1, 2),
        ("card/small", "card/tall"),
        "card/knife",
    )
    assert bench.count("card/ghoul", Token.DAMAGE) == 1
    assert bench.discarded(ANNA) == ["card/small", "card/tall"]


@pytest.mark.rule("C-EX-122", "C-BDMG-18", "C-BDMG-21", "C-YOU-7")
def test_lethal_harm_that_is_prevented_defeats_nobody(bench: Bench) -> None:
    piece = _ghoul(bench)
    bench.run(enemies.attack(bench.game, piece, ANNA), "card/small", (), "card/ward", "card/knife")
    assert bench.game_table.order == (ANNA, BEN)
    assert bench.count(ANNA, Token.DAMAGE) == 5
    assert bench.discarded(ANNA) == ["card/small"]
    assert bench.count("card/ghoul", Token.DAMAGE) == 1


@pytest.mark.rule("C-EX-122", "C-BDMG-9", "C-BELIM-1")
def test_one_defeated_by_both_kinds_chooses_one_trauma(bench: Bench) -> None:
    piece = _ghoul(bench)
    bench.run(enemies.attack(bench.game, piece, ANNA), "card/small", (), "pass", "trauma-physical")
    assert bench.who(ANNA).trauma == {Trauma.PHYSICAL: 1}
    assert bench.who(ANNA).fate is Fate.DEFEATED


@pytest.mark.rule("C-EX-122", "C-YOU-8")
def test_damage_that_a_friends_ally_takes_was_not_dealt_to_you(bench: Bench) -> None:
    bench.lay("card/knife", Zone.PLAY, ANNA)
    bench.lay("card/friend", Zone.PLAY, BEN)
    piece = bench.engage("card/ghoul", ANNA)
    bench.tokens_on(bench.own(ANNA), damage=5, horror=5)
    bench.run(enemies.attack(bench.game, piece, ANNA), "card/friend")
    assert bench.count("card/friend", Token.DAMAGE) == 3
    assert bench.who(ANNA).fate is Fate.DEFEATED
    assert bench.who(ANNA).trauma == {Trauma.MENTAL: 1}


@pytest.mark.rule("C-EX-122", "C-YOU-8")
def test_nothing_that_answers_damage_to_you_answers_what_a_friends_ally_took() -> None:
    tame = ENEMIES.replace("damage: 3\n  horror: 2", "damage: 3")
    bench = Bench(content_of(players=PLAYERS, enemies=tame), (ANNA, BEN))
    bench.lay("card/knife", Zone.PLAY, ANNA)
    bench.lay("card/friend", Zone.PLAY, BEN)
    piece = bench.engage("card/ghoul", ANNA)
    bench.run(enemies.attack(bench.game, piece, ANNA), "card/friend")
    assert bench.count("card/friend", Token.DAMAGE) == 3
    assert bench.card("card/ghoul").tokens == {}


# Defeat: C-EX-105


@pytest.mark.rule("C-EX-105", "C-BDMG-7")
def test_one_whose_damage_reaches_the_health_suffers_a_physical_trauma(bench: Bench) -> None:
    bench.tokens_on(bench.own(ANNA), damage=6)
    bench.run(harm.deal(bench.game, ANNA, 1, 0))
    assert bench.who(ANNA).trauma == {Trauma.PHYSICAL: 1}


@pytest.mark.rule("C-EX-105", "C-BDMG-8")
def test_one_whose_horror_reaches_the_sanity_suffers_a_mental_trauma(bench: Bench) -> None:
    bench.tokens_on(bench.own(ANNA), horror=6)
    bench.run(harm.deal(bench.game, ANNA, 0, 1))
    assert bench.who(ANNA).trauma == {Trauma.MENTAL: 1}


@pytest.mark.rule("C-BDMG-16")
def test_two_investigators_fall_by_one_effect_after_both_have_been_harmed(bench: Bench) -> None:
    three = Bench(bench.game.content, (ANNA, BEN, CARA))
    for who in (ANNA, BEN):
        three.tokens_on(three.own(who), damage=6)
    three.run(harm.deal_all(three.game, (ANNA, BEN), 1, 0))
    assert three.game_table.order == (CARA,)


@pytest.mark.rule("C-BDMG-10", "C-BDMG-11")
def test_a_defeated_enemy_goes_to_the_discard_pile_or_the_victory_display(bench: Bench) -> None:
    pieces = [bench.engage("card/imp", ANNA), bench.engage("card/prize", ANNA)]
    bench.run(harm.place(bench.game, [harm.Part(piece, 1) for piece in pieces], ""))
    assert bench.discarded("encounter") == ["card/imp"]
    assert [card.code for card in bench.game_table.lying(Zone.VICTORY)] == ["card/prize"]


@pytest.mark.rule("C-BDMG-12", "C-BZONE-19")
def test_a_defeated_weakness_goes_to_its_owners_discard_pile(bench: Bench) -> None:
    piece = bench.engage("card/own-fear", ANNA, owner=BEN)
    bench.run(harm.place(bench.game, [harm.Part(piece, 1)], ""))
    assert bench.discarded(BEN) == ["card/own-fear"]


@pytest.mark.rule("C-BDMG-20", "C-BZONE-18")
def test_health_per_investigator_counts_all_who_started(bench: Bench) -> None:
    piece = bench.engage("card/crowd", ANNA)
    bench.run(harm.place(bench.game, [harm.Part(piece, 3)], ""))
    assert bench.count("card/crowd", Token.DAMAGE) == 3
    bench.run(harm.place(bench.game, [harm.Part(piece, 1)], ""))
    assert bench.discarded("encounter") == ["card/crowd"]


def test_one_point_goes_to_an_asset_or_to_oneself_and_both_are_named(bench: Bench) -> None:
    bench.lay("card/friend", Zone.PLAY, ANNA)
    bench.run(harm.deal(bench.game, ANNA, 1, 0), "choice/pass", ...)
    assert bench.open is not None
    prompt = bench.open.prompts[0]
    assert [(one.text.subject, one.text.params) for one in prompt.options] == [
        ("choice/damage", ("card/friend", 4)),
        ("choice/own_damage", (ANNA, 7)),
    ]
    assert (prompt.at_least, prompt.at_most, prompt.default) == (1, 1, (1,))


@pytest.mark.issue(42)
def test_what_answers_harm_to_itself_is_named_once(bench: Bench) -> None:
    dog = bench.lay("card/dog", Zone.PLAY, ANNA)
    bench.run(harm.place(bench.game, [harm.Part(dog, 1)], ""), ...)
    assert bench.open is not None
    assert bench.open.prompts[0].options[0].text.params[0] == "card/dog"


def test_what_answers_the_harm_of_another_names_whose_it_is(bench: Bench) -> None:
    bench.lay("card/friend", Zone.PLAY, BEN)
    bench.run(harm.deal_all(bench.game, (ANNA, BEN), 1, 0), ...)
    assert bench.open is not None
    texts = [one.text for one in bench.open.prompts[1].options if not one.ends]
    assert [text.params[0] for text in texts] == [
        Text("about/on", ("card/friend", ANNA)),
        "card/friend",
    ]


@pytest.mark.parametrize(
    ("kind", "other"), [(Happening.HARM_PLACED, "card/friend"), (Happening.DEFEATED, BEN)]
)
def test_what_answers_harm_names_the_harmed_card_and_else_names_the_investigator(
    bench: Bench, kind: Happening, other: str
) -> None:
    friend = bench.lay("card/friend", Zone.PLAY, BEN)
    dog = bench.lay("card/dog", Zone.PLAY, ANNA)
    use = Use(ANNA, "card/dog", dog, 0, occurrence=Occurrence(kind, card=friend, who=BEN))

    assert outcomes.named(bench.game, use) == Text("about/on", ("card/dog", other))


def test_the_second_point_on_a_card_is_told_from_the_first(bench: Bench) -> None:
    bench.lay("card/friend", Zone.PLAY, ANNA)
    bench.lay("card/coat", Zone.PLAY, ANNA)
    bench.run(harm.deal(bench.game, ANNA, 2, 0), "choice/pass", ...)
    assert bench.offered() == ["choice/damage", "choice/more_damage"] * 2


def test_several_points_for_which_one_asset_has_room_are_shared_in_one_choice(
    bench: Bench,
) -> None:
    bench.lay("card/friend", Zone.PLAY, ANNA)
    bench.run(harm.deal(bench.game, ANNA, 2, 0), "choice/pass", ...)
    assert bench.open is not None
    prompt = bench.open.prompts[0]
    assert [(one.text.subject, one.text.params) for one in prompt.options] == [
        ("choice/all_damage", ("card/friend", 2)),
        ("choice/shared_damage", ("card/friend", 1, ANNA, 1)),
        ("choice/own_all_damage", (ANNA, 2)),
    ]
    assert (prompt.at_least, prompt.at_most, prompt.default) == (1, 1, (2,))
    bench.run(harm.deal(bench.game, ANNA, 2, 0), "choice/pass", "choice/shared_damage")
    assert (bench.count("card/friend", Token.DAMAGE), bench.count(ANNA, Token.DAMAGE)) == (1, 1)


@pytest.mark.rule("C-BABIL-8", "C-HEAL-1")
@pytest.mark.parametrize(("hurt", "is_offered"), [("damage", False), ("horror", True)])
def test_what_heals_horror_is_of_no_use_to_whoever_has_only_damage(
    hurt: str, is_offered: bool
) -> None:
    tea = "- {id: card/tea, type: asset, abilities: [{does: free, effect: [heal: {horror: 1}]}]}\n"
    bench = Bench(content_of(players=tea))
    bench.lay("card/tea", Zone.PLAY, ANNA)
    bench.tokens_on(bench.own(ANNA), **{hurt: 1})

    assert bool(list(answers.free(bench.game, ANNA))) is is_offered


BALM = """
- id: card/balm
  type: event
  cost: 0
  abilities:
  - does: play
    effect: [{heal: {horror: 1, card: {choose: {of: {types: [investigator], where: here}}}}}]
"""


@pytest.mark.rule("C-BABIL-22")
def test_nobody_chooses_what_cannot_be_healed() -> None:
    bench = Bench(content_of(players=BALM), (ANNA, BEN, CARA))
    for who, hurt in ((ANNA, "damage"), (BEN, "horror"), (CARA, "horror")):
        bench.tokens_on(bench.own(who), **{hurt: 1})
    bench.resolve("card/balm", ...)

    assert bench.asked_in_words().subject == "ask/heal"
    assert bench.choices("choice/card") == [BEN, CARA]


@pytest.mark.rule("C-BABIL-22")
def test_the_only_one_who_can_be_healed_is_not_asked_about() -> None:
    bench = Bench(content_of(players=BALM), (ANNA, BEN, CARA))
    bench.tokens_on(bench.own(BEN), horror=1)
    bench.resolve("card/balm")

    assert bench.count(BEN, Token.HORROR) == 0

"""Small rules that chapters state in passing."""

from typing import Any

import pytest

from content.games.second_edition.schema.cards import (
    Attack,
    ComponentAction,
    ItemCard,
    Powers,
    Reach,
    Reroll,
    WeaponKind,
)
from content.games.second_edition.schema.effects import (
    Amount,
    DamageMonster,
    GainClues,
    MoveAway,
    PlaceFeature,
    Say,
    SetObjective,
    SpendClues,
    Suffer,
    TurnFaceup,
)
from content.games.second_edition.schema.effects import End as EndStep
from content.games.second_edition.schema.requirements import HasItem
from content.games.second_edition.schema.scenario import (
    MapRoom,
    Moment,
    MythosEvent,
    TokenCard,
    TokenOption,
    Trigger,
)
from protocol.common.events import Picked
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    CluesGained,
    CluesSpent,
    DealtWith,
    GameEnded,
    MonsterDamaged,
    MythosStepBegan,
    PhaseBegan,
    TestDeclared,
    TokenRemoved,
    Told,
)
from protocol.games.second_edition.table import (
    FeatureKind,
    Harm,
    MythosStep,
    Phase,
    Skill,
    TokenKind,
)
from server.games.second_edition.rules import (
    activation,
    adjacency,
    combat,
    evade,
    fire_actions,
    harm,
    monsters,
    movement,
    naming,
    targets,
)
from server.games.second_edition.rules.play import GameOver
from server.games.second_edition.rules.skill_test import make_test
from server.kernel.asks import Prompt
from tests.games.second_edition.rules import worlds, worlds_ways
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.wording import purpose
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    entry,
    harm_card,
    monster_card,
    offered,
    proceed,
    refused,
    tile,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolve, spend, with_clues

ROPE = ItemCard("item/rope", "common", copies=4)
AXE = ItemCard("item/axe", "common", attack=Attack(Reach.MELEE, WeaponKind.BLADED, 1))
HURT = DamageMonster(amount=1)


def lines(bench: Bench) -> list[tuple[str, str, str | None]]:
    """Return each text told: its subject, the person named, and the monster in whose menu it is."""
    return [(e.text.subject, e.text.params[0], e.monster) for e in bench.happened(Told)]


def hurt(bench: Bench) -> list[str]:
    """Return the monsters that were damaged, in order."""
    return [e.monster for e in bench.happened(MonsterDamaged)]


# What is told of monsters --------------------------------------------------------------------


def asked_of(bench: Bench, seat: int) -> Prompt[Any]:
    offered(bench)
    assert bench.open is not None
    return bench.open.prompts[seat]


@pytest.mark.rule("APP-7")
@pytest.mark.rule("EVADE-5")
def test_an_evade_text_stands_in_the_menu_of_its_monster_and_can_hurt_it() -> None:
    card = monster_card(evades=(entry(HURT, text="text/evade"),))
    bench = world(monsters=[(DROWNED, "house/a")], monster_cards=[card])

    bench.run(evade.check(bench.game, ADA))

    assert lines(bench) == [("text/evade", ADA, "m1")]
    assert hurt(bench) == ["m1"]


@pytest.mark.rule("APP-7")
@pytest.mark.rule("HORROR-5")
def test_a_horror_text_stands_in_the_menu_of_its_monster_and_can_hurt_it() -> None:
    card = monster_card(horrors=(entry(HURT, text="text/horror"),))
    bench = world(monsters=[(DROWNED, "house/a")], monster_cards=[card], turn_of=None)
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    bench.emit(MythosStepBegan(MythosStep.HORROR))

    proceed(bench)

    assert lines(bench) == [("text/horror", ADA, "m1")]
    assert hurt(bench) == ["m1"]


@pytest.mark.rule("APP-7")
@pytest.mark.rule("ACTIVATE-5")
def test_an_activation_names_the_monster_and_its_attack_the_one_attacked() -> None:
    card = monster_card(activations=(worlds.activation(attack=(HURT,)),))
    bench = world(monsters=[(DROWNED, "house/a")], monster_cards=[card], turn_of=None)

    bench.run(activation.activate(bench.game, "m1"))

    told = bench.happened(Told)
    assert [(e.text.subject, e.monster) for e in told] == [
        ("text/activation", "m1"),
        ("text/attacks", "m1"),
    ]
    assert [len(e.text.params) for e in told] == [2, 2]
    assert told[1].text.params[0] == ADA
    assert told[0].text.params[0] == told[1].text.params[1]
    assert hurt(bench) == ["m1"]


@pytest.mark.rule("ACTIVATE-5")
def test_an_activation_with_nothing_else_to_do_ends_there() -> None:
    card = monster_card(activations=(worlds.activation(spaces=0),))
    bench = world(monsters=[(DROWNED, "house/c")], monster_cards=[card], turn_of=None)

    bench.run(activation.activate(bench.game, "m1"))

    assert [e.text.subject for e in bench.happened(Told)] == ["text/activation"]


@pytest.mark.rule("ATTACK-8")
@pytest.mark.rule("ATTACK-11")
@pytest.mark.parametrize(("word", "harmed"), [("item/axe", True), ("attack_unarmed", False)])
def test_only_an_attack_with_a_weapon_adds_its_damage(word: str, harmed: bool) -> None:
    texts = (entry(DamageMonster(weapon=True), text="text/attack"),)
    card = monster_card(attacks=dict.fromkeys(WeaponKind, texts))
    bench = world(
        monsters=[(DROWNED, "house/a")], monster_cards=[card], items=[AXE], has={ADA: ["item/axe"]}
    )
    attack = next(
        option
        for option in combat.menu(bench.game, ADA).options
        if word in f"{option.text.subject} {option.text.params}"
    )

    bench.run(attack.value())

    assert lines(bench) == [("text/attack", ADA, "m1")]
    assert len(bench.happened(Told)[0].text.params) == 2
    assert hurt(bench) == (["m1"] if harmed else [])


@pytest.mark.rule("MOVE-15")
def test_nobody_is_moved_away_from_a_monster_that_is_gone() -> None:
    steps = (DamageMonster(amount=9), MoveAway(1))
    card = monster_card(evades=(entry(*steps, text="text/evade"),))
    bench = world(monsters=[(DROWNED, "house/a")], monster_cards=[card])

    bench.run(evade.check(bench.game, ADA))

    assert bench.game_table.investigators[ADA].space == "house/a"


# Nothing is nothing --------------------------------------------------------------------------


@pytest.mark.rule("ATTACK-11")
def test_no_damage_is_no_event() -> None:
    """An attack that misses must not show as a wound of zero."""
    bench = world(monsters=[(DROWNED, "house/a")])

    bench.run(monsters.damage(bench.game, "m1", 0))

    assert hurt(bench) == []


@pytest.mark.rule("CLUE-1")
@pytest.mark.rule("SPEND-1")
def test_no_clues_are_no_event() -> None:
    bench = with_clues(world(), 2)

    resolve(bench, GainClues(Amount(0)), SpendClues(0))

    assert bench.happened(CluesSpent) == []
    assert [e.count for e in bench.happened(CluesGained)] == [2]


@pytest.mark.rule("NEGATE-1")
def test_what_is_negated_without_a_word_is_faceup_and_unmodified() -> None:
    bench = world()
    bench.give_dice("BBB")

    bench.run(harm.negate(bench.game, ADA, skill=Skill.WILL, damage=1))

    assert [(e.skill, e.modifier) for e in bench.happened(TestDeclared)] == [(Skill.WILL, 0)]
    assert len(bench.game_table.investigators[ADA].faceup) == 1
    table = bench.game_table
    assert sum(len(table.piles.get(pile, ())) for pile in table.piles if "facedown" in pile) == 0


# The Mythos phase ----------------------------------------------------------------------------


def night(*events: MythosEvent, **parts: Any) -> Bench:
    """Return a bench at the start of a Mythos phase."""
    bench = world(turn_of=None, scenario_parts={"mythos": events, **parts}, items=[ROPE])
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    return bench


def happening(name: str, **parts: Any) -> MythosEvent:
    return MythosEvent(name, (Say(f"text/{name}"),), **parts)


@pytest.mark.rule("EVENT-1")
def test_the_events_of_a_step_are_counted() -> None:
    bench = night(happening("rain"), happening("wind"), events_each_round=2)
    for _ in range(3):
        proceed(bench)

    assert [e.item for e in bench.happened(DealtWith)] == ["event/1", "event/2"]


@pytest.mark.rule("EVENT-1")
def test_events_that_repeat_take_turns() -> None:
    """The event that was seen least comes next."""
    bench = night(happening("rain", repeats=True), happening("wind", repeats=True))
    for number in range(1, 5):
        while bench.game_table.phase is Phase.MYTHOS:
            proceed(bench)
        bench.emit(PhaseBegan(Phase.MYTHOS, number + 1))

    told = [e.text.subject for e in bench.happened(Told)]
    assert told == ["text/rain", "text/wind", "text/rain", "text/wind"]


@pytest.mark.rule("EVENT-3")
@pytest.mark.parametrize("owner", [ADA, BEN])
def test_what_an_event_asks_of_somebody_it_asks_of_the_first(owner: str) -> None:
    """The event concerns the first investigator who is not eliminated."""
    bench = world(
        at={ADA: "house/a", BEN: "house/a"},
        turn_of=None,
        items=[ROPE],
        has={owner: ["item/rope"]},
        scenario_parts={
            "mythos": (happening("rope", when=HasItem("item/rope")),),
            "triggers": (
                Trigger("knot", Moment.EVENTS_DONE, (Say("text/knot"),), when=HasItem("item/rope")),
            ),
        },
    )
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    while bench.game_table.phase is Phase.MYTHOS:
        proceed(bench)

    told = [e.text.subject for e in bench.happened(Told)]
    assert told == (["text/rope", "text/knot"] if owner == ADA else [])


# Tokens --------------------------------------------------------------------------------------


def lying(token: str, kind: TokenKind, at: str, *options: TokenOption) -> TokenCard:
    return TokenCard(f"token/{token}", kind, at, options)


@pytest.mark.rule("DECIDE-98")
@pytest.mark.parametrize("door", ["house/1", "other/1"])
def test_exploring_a_door_takes_the_explore_tokens_of_that_door_alone(door: str) -> None:
    tokens = (
        lying("this", TokenKind.EXPLORE, "house/1"),
        lying("that", TokenKind.EXPLORE, "house/2"),
        lying("loose", TokenKind.EXPLORE, "house/a"),
        lying("coats", TokenKind.SEARCH, "house/a"),
    )
    # The door at the left is drawn, and named, by both tiles.
    other = tile("+---+\n| d 1\n|   =\n+---+", id="other")
    drawing = "+---+---+\n= a 2 c |\n1   =   |\n+---+---+"
    house = tile(drawing, {"a": "room/hall", "c": "room/study"}, column=4)
    bench = world(
        tiles=[other, house],
        tokens=tokens,
        scenario_parts={"rooms": (MapRoom("room/hall"), MapRoom("room/study"))},
    )
    assert bench.game_table.map.doors["house/1"].door == bench.game_table.map.doors["other/1"].door

    bench.run(movement.may_enter(bench.game, ADA, door), "choice/stay")

    assert [e.token for e in bench.happened(TokenRemoved)] == ["token/this"]


@pytest.mark.rule("EXPLORE-3")
def test_a_door_that_is_not_there_takes_no_token() -> None:
    """A token may name a door that is placed later."""
    tokens = (lying("coats", TokenKind.EXPLORE, "house/a"),)
    bench = world(tokens=tokens)

    bench.run(movement.may_enter(bench.game, ADA, "house/9"))

    assert bench.happened(TokenRemoved) == []


@pytest.mark.rule("DECIDE-24")
@pytest.mark.rule("EXPLORE-5")
def test_an_option_without_the_icon_can_ask_for_a_card_too() -> None:
    """Ada, without a rope, is refused the option, and the reason names Ben, who has one."""
    free = TokenOption(
        "text/peep", (Say("text/seen"),), action=False, requires=HasItem("item/rope")
    )
    tokens = (lying("crack", TokenKind.SIGHT, "house/c", free),)
    bench = world(
        at={ADA: "house/a", BEN: "house/a"}, tokens=tokens, items=[ROPE], has={BEN: ["item/rope"]}
    )

    seen = [option.text.subject for option in asked_of(bench, 0).options]
    assert "text/peep" not in seen
    assert refused(bench) == [("text/peep", "EXPLORE-5")]
    reasons = [r.reason for p in bench.open.prompts.values() for r in p.refused]  # type: ignore[union-attr]
    assert [(r.subject, r.params) for r in reasons] == [
        ("refusal/other_has_item", ("item/rope", BEN))
    ]


@pytest.mark.rule("DECIDE-24")
@pytest.mark.parametrize("owner", [ADA, BEN])
@pytest.mark.parametrize("actions", [0, 2])
def test_what_is_there_only_for_some_is_shown_to_them_only(owner: str, actions: int) -> None:
    """Options that need the rope are offered to its owner alone; free ones need no action left."""
    mine = HasItem("item/rope")
    options = (
        TokenOption("text/always", (), action=False),
        TokenOption("text/free", (), action=False, when=mine),
        TokenOption("text/bound", (), action=False, requires=mine),
        TokenOption("text/costly", (), when=mine),
    )
    bench = world(
        at={ADA: "house/a", BEN: "house/a"},
        tokens=(lying("coats", TokenKind.SEARCH, "house/a", *options),),
        items=[ROPE],
        has={owner: ["item/rope"]},
        turn_of=None,
    )
    worlds.begin_turn(bench, ADA, actions)

    shown = {choice.split()[0] for choice in offered(bench) if choice.startswith("text/")}

    free = {"text/always", "text/free", "text/bound"} if owner == ADA else {"text/always"}
    assert shown == (free | {"text/costly"} if owner == ADA and actions else free)
    assert (("text/bound", "EXPLORE-5") in refused(bench)) == (owner == BEN)


@pytest.mark.rule("DECIDE-24")
def test_every_sight_token_can_be_looked_at_between_turns() -> None:
    peep = TokenOption("text/peep", (), action=False)
    bench = world(
        tokens=[lying(name, TokenKind.SIGHT, "house/c", peep) for name in ("well", "loft")],
        turn_of=None,
    )

    shown = [choice for choice in offered(bench) if choice.startswith("text/")]

    assert shown == ["text/peep token/well", "text/peep token/loft"]


@pytest.mark.rule("DECIDE-26")
def test_a_seat_with_two_investigators_reads_which_of_them_would_look() -> None:
    """Otherwise a player with two investigators would be offered the same words twice."""
    peep = TokenOption("text/peep", (GainClues(),), action=False)
    bench = world(
        at={ADA: "house/a", BEN: "house/a"},
        seats=((0, ADA), (0, BEN)),
        tokens=[lying("well", TokenKind.SIGHT, "house/c", peep)],
        turn_of=None,
    )

    proceed(bench, lambda option: option.text == Text("choice/as", (BEN, Text("text/peep"))))

    assert [e.investigator for e in bench.happened(CluesGained)] == [BEN]
    said = [o.text for o in bench.asked[0].prompts[0].options if o.group == "look"]
    assert said == [Text("choice/as", (who, Text("text/peep"))) for who in (ADA, BEN)]


@pytest.mark.rule("DECIDE-24")
def test_between_turns_each_sees_what_is_there_for_them() -> None:
    peep = TokenOption("text/peep", (), action=False, when=HasItem("item/rope"))
    bench = world(
        at={ADA: "house/a", BEN: "house/a"},
        tokens=(lying("well", TokenKind.SIGHT, "house/c", peep),),
        items=[ROPE],
        has={BEN: ["item/rope"]},
        turn_of=None,
    )

    proceed(bench, ...)

    assert bench.open is not None
    shown = {
        seat: [o.text.subject for o in prompt.options if o.text.subject == "text/peep"]
        for seat, prompt in bench.open.prompts.items()
    }
    assert shown == {0: [], 1: ["text/peep"]}


# Cards and endings ---------------------------------------------------------------------------


@pytest.mark.rule("COMPONENT-2")
@pytest.mark.parametrize("has", [["item/whistle"], ["item/whistle", "item/rope"]])
def test_a_card_can_ask_for_another_one(has: list[str]) -> None:
    action = ComponentAction((Say("text/blown"),), requires=HasItem("item/rope"))
    whistle = ItemCard("item/whistle", "common", powers=Powers(action=action))
    bench = world(items=[whistle, ROPE], has={ADA: has})

    choices = offered(bench)

    can = any(choice.startswith("choice/component") for choice in choices)
    assert can == (len(has) == 2)
    assert (("choice/component", "COMPONENT-1") in refused(bench)) != can


@pytest.mark.rule("WIN-3")
@pytest.mark.rule("WIN-5")
@pytest.mark.parametrize(("won", "reason"), [(True, "result/won"), (False, "result/lost")])
def test_each_result_has_its_reason_and_its_name(won: bool, reason: str) -> None:
    bench = world()

    with pytest.raises(GameOver):
        resolve(bench, SetObjective("text/objective"), EndStep(won=won, epilogue="text/end"))

    (ended,) = bench.happened(GameEnded)
    assert ended.ending.epilogue.subject == "text/end"
    (result,) = ended.ending.results
    assert (result.reason.subject, result.reason.params) == (reason, (ADA,))


# Tests and rerolls ---------------------------------------------------------------------------

AGAIN = Powers(reroll=Reroll(1, once_per_round=False))
SHAKEN = harm_card("horror/shaken", Harm.HORROR, keep=AGAIN)


@pytest.mark.rule("TEST-8")
@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({"investigators": [worlds.investigator_card(ADA, ability=AGAIN)]}, "investigator"),
        ({"items": [ItemCard("item/coin", "common", powers=AGAIN)]}, "possession"),
        ({"harms": [SHAKEN, harm_card("damage/cut", Harm.DAMAGE)]}, "card"),
    ],
)
def test_a_reroll_points_at_what_grants_it(parts: Any, kind: str) -> None:
    bench = world(**parts, has={ADA: ["item/coin"]} if "items" in parts else {})
    resolve(bench, Suffer(horror=Amount(1)))
    bench.give_dice("BBB S")

    bench.run(make_test(bench.game, ADA, Skill.LORE), "choice/reroll", 0)

    points = [
        point
        for ask in bench.asked
        for prompt in ask.prompts.values()
        for option in prompt.options
        for point in option.points
        if option.text.subject == "choice/reroll"
    ]
    assert {point.kind for point in points} == {kind}


@pytest.mark.rule("TEST-8")
@pytest.mark.rule("DECIDE-109")
def test_dice_are_offered_worst_first_by_their_number_in_the_row() -> None:
    """The order is blank, investigation, converted investigation, success."""
    bench = with_clues(
        world(
            investigators=[worlds.investigator_card(ADA, lore=4)],
            items=[ItemCard("item/coin", "common", powers=AGAIN)],
            has={ADA: ["item/coin"]},
        ),
        1,
    )
    bench.give_dice("SIIB B")

    bench.run(make_test(bench.game, ADA, Skill.LORE), spend(1), "choice/reroll", 0)

    dice = next(
        prompt.options
        for ask in bench.asked
        for prompt in ask.prompts.values()
        if prompt.prompt.subject == "ask/reroll"
    )
    assert [option.text.params for option in dice] == [
        (4, "face/blank"),
        (3, "face/investigation"),
        (2, "face/investigation"),
        (1, "face/success"),
        (),
    ]


@pytest.mark.rule("TEST-8")
@pytest.mark.parametrize(("skill", "asks"), [(Skill.LORE, 1), (Skill.WILL, 0)])
def test_only_rerolls_for_the_skill_that_is_tested_are_offered(skill: Skill, asks: int) -> None:
    coin = ItemCard("item/coin", "common", powers=Powers(reroll=Reroll(1, Skill.LORE)))
    bench = world(items=[coin], has={ADA: ["item/coin"]})
    bench.give_dice("BBB")

    bench.run(make_test(bench.game, ADA, skill), *["choice/accept"] * asks)

    assert len(bench.asked) == asks


# Chance --------------------------------------------------------------------------------------


@pytest.mark.rule("RANDOM-1")
def test_where_one_is_left_nothing_is_drawn() -> None:
    """A draw is made only from two or more: investigators, facedown cards or texts."""
    bench = world(at={ADA: "house/a", BEN: "house/a"})
    resolve(bench, Suffer(damage=Amount(1), facedown=True))
    before = len(bench.happened(Picked))

    alone = targets.pick(bench.game, (ADA,))
    resolve(bench, TurnFaceup(Harm.DAMAGE))

    assert alone == ADA
    assert len(bench.happened(Picked)) == before
    bench.give_picks(1)
    assert targets.pick(bench.game, (ADA, BEN)) == BEN


# Several of a kind ---------------------------------------------------------------------------


@pytest.mark.rule("STEAL-6")
@pytest.mark.parametrize("poor", [BEN, CORA])
def test_everybody_in_the_space_is_a_victim_of_their_own(poor: str) -> None:
    rich = CORA if poor == BEN else BEN
    everybody = dict.fromkeys((ADA, BEN, CORA), "house/a")
    bench = world(at=everybody, items=[ROPE], has={rich: ["item/rope"]})

    choices = offered(bench)

    assert [c for c in choices if c.startswith("choice/steal")] == [f"choice/steal {rich}"]
    assert ("choice/steal", "STEAL-6") in refused(bench)
    assert not any(choice.startswith("choice/pick_up") for choice in choices)


@pytest.mark.rule("STEAL-1")
@pytest.mark.rule("PUSH-1")
def test_every_victim_and_every_figure_is_offered() -> None:
    """Ada may rob two people, and push the same two and a monster."""
    everybody = dict.fromkeys((ADA, BEN, CORA), "house/a")
    bench = world(
        at=everybody,
        items=[ROPE],
        has={BEN: ["item/rope"], CORA: ["item/rope"]},
        monsters=[(DROWNED, "house/a")],
    )

    choices = offered(bench)

    assert [c for c in choices if c.startswith("choice/steal")] == [
        f"choice/steal {BEN}",
        f"choice/steal {CORA}",
    ]
    pushed = {c for c in choices if c.startswith("choice/push")}
    assert pushed == {f"choice/push {BEN}", f"choice/push {CORA}", "choice/push m1"}


@pytest.mark.rule("DECIDE-39")
def test_where_there_is_no_way_out_each_push_is_refused() -> None:
    bench = world(
        tiles=[tile("+---+\n| a |\n+---+", {"a": "room/hall"})],
        at={ADA: "house/a", BEN: "house/a"},
        monsters=[(DROWNED, "house/a")],
    )

    offered(bench)

    assert [r for r in refused(bench) if r[0] == "choice/push"] == [
        ("choice/push", "DECIDE-39"),
        ("choice/push", "DECIDE-39"),
    ]


@pytest.mark.rule("COMPONENT-2")
def test_each_card_offers_or_refuses_its_own_action() -> None:
    needs = HasItem("item/rope")
    named = ComponentAction((), text="text/ring")
    cards = [
        ItemCard("item/bell", "common", powers=Powers(action=named)),
        ItemCard("item/gong", "common", powers=Powers(action=ComponentAction((), requires=needs))),
        ItemCard("item/drum", "common", powers=Powers(action=ComponentAction(()))),
        ItemCard("item/fife", "common", powers=Powers(action=ComponentAction((), requires=needs))),
    ]
    bench = world(items=cards, has={ADA: [card.id for card in cards]})

    offered(bench)

    assert bench.open is not None
    (prompt,) = bench.open.prompts.values()
    component = "choice/component"
    said = [o.text.params[0] for o in prompt.options if o.text.subject == component]
    assert said == [Text("text/ring"), "item/drum"]
    not_now = [r.text.params[0] for r in prompt.refused if r.text.subject == component]
    assert not_now == ["item/gong", "item/fife"]


@pytest.mark.rule("ROOM-2")
def test_spaces_of_one_room_are_numbered_from_one() -> None:
    bench = world()

    names = [naming.space(bench.game_table, f"house/{letter}") for letter in "abc"]

    assert names == [
        Text("name/part", ("room/hall", 1)),
        Text("name/part", ("room/hall", 2)),
        "room/study",
    ]


@pytest.mark.rule("COMPASS-1")
def test_a_way_is_named_by_its_door_or_as_a_passage() -> None:
    """A way through a door is named by the side of the door, any other by its destination."""
    by_door, by_passage = worlds_ways.rooms(), worlds_ways.cells("a", "d")

    def named(bench: Bench) -> list[Text]:
        table = bench.game_table
        return [naming.way(table, "house/a", way) for way in adjacency.ways(table, "house/a")]

    assert named(by_door) == [Text("name/door", ("compass/east", "room/study"))]
    assert named(by_passage)[-1:] == [Text("name/passage_to", ("room/cellar",))]


@pytest.mark.rule("TEST-8")
def test_a_test_within_something_says_what_it_is_about() -> None:
    bench = with_clues(world(), 1)
    bench.give_dice("IBB")

    bench.run(harm.negate(bench.game, ADA, skill=Skill.WILL, damage=1, horror=1), "choice/accept")

    assert [purpose(ask.about) for ask in bench.asked] == [Text("about/negate", (ADA, 1, 1))]


@pytest.mark.rule("TEST-8")
@pytest.mark.parametrize(
    ("risk", "words"),
    [
        ((2, 0), Text("about/negate_damage", (ADA, 2))),
        ((0, 1), Text("about/negate_horror", (ADA, 1))),
    ],
)
def test_a_test_against_one_kind_of_harm_names_that_kind_alone(
    risk: tuple[int, int], words: Text
) -> None:
    """Players must not fear the other kind."""
    bench = with_clues(world(), 1)
    bench.give_dice("IBB")

    damage, horror = risk
    test = harm.negate(bench.game, ADA, skill=Skill.WILL, damage=damage, horror=horror)
    bench.run(test, "choice/accept")

    assert [purpose(ask.about) for ask in bench.asked] == [words]


@pytest.mark.rule("TEST-8")
def test_a_test_against_fire_says_so() -> None:
    bench = with_clues(world(), 1)
    resolve(bench, PlaceFeature(FeatureKind.FIRE, "house/a"))
    bench.give_dice("IBB")

    bench.run(fire_actions.fight(bench.game, ADA), "choice/accept")

    assert Text("about/fight_fire", (ADA,)) in [purpose(ask.about) for ask in bench.asked]


@pytest.mark.rule("BARRICADE-8")
def test_a_test_against_a_barricade_says_so() -> None:
    bench = with_clues(worlds_ways.rooms(), 1)
    worlds_ways.barricade(bench, "b", "house/1")
    bench.give_dice("SIB")

    proceed(bench, "choice/force", "choice/accept")

    about = purpose(bench.asked[-1].about)
    assert (about.subject, about.params[0]) == ("about/force", ADA)

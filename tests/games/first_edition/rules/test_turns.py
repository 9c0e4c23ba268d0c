"""Rounds, turns and actions: sections 4, 5 and 7."""

import itertools

import pytest

from content.games.first_edition.schema.cards import CardAction, ItemCard, Once, TraitCard
from content.games.first_edition.schema.effects import (
    Count,
    Heal,
    HurtMonster,
    Say,
    SkillPoints,
    Suffer,
    Unstun,
)
from content.games.first_edition.schema.requirements import Counted, Investigators, Not
from content.games.first_edition.schema.story import Counter, Deed, PlacementRow
from content.games.first_edition.schema.targets import Which, Who
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep, Phase
from protocol.games.first_edition.words import Attribute, FeatureKind
from server.games.first_edition.rules import effects, newcomers, turn
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.house import go, offered, refused
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    HALL,
    RAT,
    STUDY,
    by_id,
    item_card,
    told,
    world,
)

rule = pytest.mark.rule


# Rounds


@rule("K-ROUND-1", "K-ROUND-3")
def test_every_investigator_takes_a_whole_turn_and_then_the_keeper_takes_one() -> None:
    bench = world((ADA, BEN), active=None)
    go(bench, {2: "choice/take_turn"})
    go(bench, "house/b")
    assert set(bench.asked[-1].prompts) == {2}
    go(bench, "choice/end_turn")
    go(bench)
    go(bench, "choice/end_turn")
    go(bench)

    assert [event.investigator for event in bench.happened(fe.TurnBegan)] == [BEN, ADA]
    assert bench.game_table.phase is Phase.KEEPER
    assert bench.game_table.step is KeeperStep.TRADE


@rule("K-ROUND-1", "K-KEEPER-1")
def test_the_keepers_turn_has_its_steps_in_order_and_the_next_round_follows() -> None:
    bench = world(step=KeeperStep.TRADE)
    while bench.game_table.phase is Phase.KEEPER:
        go(bench)

    steps = [event.step for event in bench.happened(fe.KeeperStepBegan)]
    # Without an ally there is no phase of allies.
    assert steps == [
        step for step in KeeperStep if step not in {KeeperStep.TRADE, KeeperStep.ALLIES}
    ]
    assert (bench.game_table.round_number, bench.acted) == (2, ())


@rule("K-ROUND-2")
def test_the_investigators_choose_the_order_of_their_turns() -> None:
    bench = world((ADA, BEN), active=None)
    go(bench, ...)

    assert bench.open is not None
    assert set(bench.open.prompts) == {1, 2}


# Turns


@rule("K-TURN-2")
@pytest.mark.parametrize(
    "order", list(itertools.permutations(["choice/explore", "house/b", "house/a"]))
)
def test_steps_and_action_are_taken_in_any_order(order: tuple[str, ...]) -> None:
    story = {"placement": (PlacementRow(HALL, ("item/spade",)),)}
    start = "house/b" if order.index("house/a") < order.index("house/b") else "house/a"
    bench = world(story=story, items=by_id(item_card("spade")), at={ADA: start})
    for one in order:
        go(bench, one)

    assert (bench.game_table.steps_left, bench.game_table.has_action) == (0, False)
    assert bench.who(ADA).items


@rule("K-DECIDE-13")
def test_a_turn_in_which_nothing_is_left_ends_without_a_question() -> None:
    bench = world()
    for one in ("choice/run", "house/b", "house/a", "house/b"):
        go(bench, one)
    asked = len(bench.asked)
    go(bench)

    assert len(bench.asked) == asked
    assert bench.acted == (1,)


@rule("K-DECIDE-13")
def test_a_free_ability_keeps_a_turn_open() -> None:
    salts = item_card("salts", actions=(CardAction("item/salts", (Heal(1),), free=True),))
    bench = world(items=by_id(salts))
    newcomers.gain_item(bench.game, ADA, salts.id)
    bench.set(ADA, damage=1)
    for one in ("choice/run", "house/b", "house/a", "house/b"):
        go(bench, one)

    assert offered(bench) == ["choice/use_card", "choice/end_turn"]


@rule("K-DECIDE-98")
def test_the_default_of_a_step_is_to_end_the_turn() -> None:
    bench = world()
    offered(bench)

    assert bench.open is not None
    prompt = bench.open.prompts[1]
    (place,) = prompt.default_places
    assert prompt.options[place].text.subject == "choice/end_turn"


# Actions


def use(bench: Bench, card: str = "item/bell") -> None:
    """Have Ada use the ability of a card, in a turn of her own."""
    go(bench, lambda o: o.text.subject == "choice/use_card" and card in o.text.params)


def with_ability(*people: str, **fields: object) -> Bench:
    """Return a world in which Ada has a bell with an action that heals 1 damage."""
    action = CardAction("item/bell", (Heal(damage=1),), **fields)  # type: ignore[arg-type]
    bench = world(people or (ADA,), items=by_id(ItemCard("item/bell", actions=(action,))))
    newcomers.gain_item(bench.game, ADA, "item/bell")
    bench.set(ADA, damage=3)
    return bench


@rule("K-ACT-2")
def test_the_types_of_action_besides_attacks_are_these_six() -> None:
    story = {
        "placement": (PlacementRow(HALL, ("item/spade",)),),
        "deeds": (Deed("deed/pray", (Say("deed/pray"),)),),
    }
    bell = ItemCard("item/bell", actions=(CardAction("item/bell", ()),))
    taken = []
    for option in ("run", "explore", "drop", "use_card", "deed", "block"):
        bench = world(
            at={ADA: "house/b"},
            features=[(FeatureKind.BARRICADE, "house/b")],
            story=story,
            items=by_id(bell, item_card("spade")),
        )
        newcomers.gain_item(bench.game, ADA, "item/bell")
        go(bench, f"choice/{option}")
        taken += [event.action for event in bench.happened(fe.ActionTaken)]

    assert taken == ["run", "explore", "drop", "card", "deed", "feature"]


@rule("K-DECIDE-85")
def test_whoever_hides_can_use_abilities() -> None:
    bench = with_ability()
    bench.emit(fe.FeaturePlaced(FeatureKind.HIDING_SPOT, "house/a"))
    bench.emit(fe.Hid(ADA, "f1"))
    use(bench)

    assert bench.who(ADA).damage == 2


@rule("K-ACT-1", "K-ACT-2")
def test_a_card_ability_is_an_action() -> None:
    bench = with_ability()
    use(bench)

    assert bench.who(ADA).damage == 2
    assert refused(bench)["choice/use_card"] == "K-ACT-1"


@rule("K-DECIDE-30")
def test_a_free_ability_costs_no_action_and_needs_no_evade_test() -> None:
    bench = with_ability(free=True)
    bench.run(effects.resolve(bench.game, (), Source("x/y")))
    bench.set(ADA, space="house/c")
    bench.emit(fe.FeaturePlaced(FeatureKind.CORPSE, "house/c"))
    use(bench)

    assert bench.game_table.has_action
    assert not bench.happened(fe.ActionTaken)
    assert not bench.happened(fe.TestDeclared)


@rule("K-CARD-14")
@pytest.mark.parametrize(
    ("once", "again"),
    [
        (Once.ALWAYS, [True, True, True]),
        (Once.TURN, [False, True, True]),
        (Once.ROUND, [False, False, True]),
        (Once.GAME, [False, False, False]),
    ],
)
def test_an_ability_is_used_as_often_as_its_card_says(once: Once, again: list[bool]) -> None:
    bench = with_ability(once=once, free=True)
    use(bench)
    found = ["choice/use_card" in offered(bench)]
    bench.emit(fe.TurnEnded(1))
    turn.begin(bench.game, ADA)
    found.append("choice/use_card" in offered(bench))
    bench.emit(fe.RoundBegan(2))
    turn.begin(bench.game, ADA)
    found.append("choice/use_card" in offered(bench))

    assert found == again


@rule("K-CARD-14", "K-DECIDE-12")
def test_a_turn_that_is_given_back_and_taken_again_is_one_turn() -> None:
    """A free ability for once a turn is used in it, however often the turn is claimed."""
    actions = (CardAction("tests/text", (SkillPoints(1),), free=True, once=Once.TURN),)
    bench = world((ADA, BEN), items=by_id(item_card("whistle", actions=actions)))
    newcomers.gain_item(bench.game, ADA, "item/whistle")
    go(bench, "choice/use_card")
    go(bench, "choice/withdraw")
    turn.begin(bench.game, ADA)

    go(bench, ...)

    assert bench.who(ADA).skill_points == 1
    assert "refusal/once_a_turn" in {
        one.reason.subject for one in bench.asked[-1].prompts[1].refused
    }


@rule("K-CARD-14")
def test_what_is_used_once_in_the_game_stays_used_in_other_hands() -> None:
    bench = with_ability(ADA, BEN, once=Once.GAME, free=True)
    use(bench)
    bench.emit(fe.ItemGiven(ADA, BEN, bench.who(ADA).items[0].piece))
    bench.emit(fe.KeeperStepBegan(KeeperStep.TRADE))
    bench.emit(fe.RoundBegan(2))
    turn.begin(bench.game, BEN)

    assert refused(bench, 2)["choice/use_card"] == "K-CARD-14"


@rule("K-DECIDE-89")
def test_an_insane_investigator_cannot_pay_in_horror() -> None:
    bench = with_ability(horror=1)
    bench.set(ADA, horror=6)
    assert refused(bench)["choice/use_card"] == "K-DECIDE-89"

    bench.set(ADA, horror=5)
    use(bench)
    assert (bench.who(ADA).horror, bench.who(ADA).damage) == (6, 2)


@rule("K-DECIDE-89")
def test_a_cost_in_damage_may_kill_and_then_nothing_follows() -> None:
    action = CardAction("item/bell", (Say("item/bell"),), damage=2)
    bench = world((ADA, BEN), items=by_id(ItemCard("item/bell", actions=(action,))))
    newcomers.gain_item(bench.game, ADA, "item/bell")
    bench.set(ADA, damage=6)
    use(bench)

    assert ADA not in bench.game_table.investigators
    assert not told(bench)


def test_an_ability_can_cost_its_card_and_skill_points() -> None:
    bench = with_ability(discard=True, skill_points=2)
    assert refused(bench)["choice/use_card"] == "K-TEST-9"

    bench.run(effects.resolve(bench.game, (SkillPoints(3),), Source("x/y", ADA)))
    use(bench)

    assert (bench.who(ADA).skill_points, bench.who(ADA).items) == (1, ())
    assert bench.game_table.spent_items == ("item/bell",)


def test_of_several_actions_of_a_card_the_words_say_which() -> None:
    actions = (CardAction("item/bell", (Heal(1),)), CardAction("item/toll", (Suffer(1),)))
    bench = world(items=by_id(ItemCard("item/bell", actions=actions)))
    newcomers.gain_item(bench.game, ADA, "item/bell")
    go(bench, lambda o: "item/toll" in repr(o.text))

    assert bench.who(ADA).damage == 1


@rule("K-DAMAGE-7")
def test_what_only_heals_cannot_be_wasted_on_people_who_are_well() -> None:
    bench = with_ability(free=True, discard=True)
    bench.set(ADA, damage=0, horror=2)

    assert "choice/use_card" not in offered(bench)
    assert bench.open is not None
    reasons = [one.reason.subject for one in bench.open.prompts[1].refused]
    assert "refusal/nothing_to_heal" in reasons


@rule("K-DAMAGE-7")
def test_what_heals_and_rouses_is_of_use_to_somebody_who_is_stunned() -> None:
    action = CardAction("item/bell", (Unstun(9), Heal(1)))
    bench = world(items=by_id(ItemCard("item/bell", actions=(action,))))
    newcomers.gain_item(bench.game, ADA, "item/bell")

    assert "choice/use_card" in refused(bench)
    bench.set(ADA, stun=1)
    assert "choice/use_card" in offered(bench)


def test_an_ability_of_a_trait_is_offered_to_whoever_chose_it() -> None:
    mind = dict.fromkeys(list(Attribute)[3:], 5)
    sly = TraitCard("trait/ada-mind-1", mind, actions=(CardAction("trait/sly", (Heal(1),)),))
    bench = world((ADA, BEN), traits=by_id(sly))
    bench.set(ADA, damage=1)
    use(bench, "trait/ada-mind-1")
    bench.emit(fe.TurnEnded(1))
    turn.begin(bench.game, BEN)

    assert "choice/use_card" not in offered(bench, 2)


@rule("K-ACT-2", "K-CARD-1")
def test_the_story_has_actions_of_its_own_in_their_room() -> None:
    pray = Deed(
        "deed/pray",
        (Count("grace"),),
        requires=Counted("grace", at_most=1),
        room=STUDY,
        once=True,
    )
    story = {"deeds": (pray,), "counters": (Counter("grace"),)}
    bench = world(story=story, at={ADA: "house/b"})
    assert "choice/deed" not in {*offered(bench), *refused(bench)}

    go(bench, "house/c")
    go(bench, "choice/deed")
    assert bench.game_table.counters["grace"].amount == 1

    bench.emit(fe.KeeperStepBegan(KeeperStep.END))
    bench.emit(fe.RoundBegan(2))
    turn.begin(bench.game, ADA)
    assert refused(bench)["choice/deed"] == "K-CARD-1"


@rule("K-CARD-1")
def test_an_action_of_the_story_is_refused_where_what_it_asks_for_does_not_hold() -> None:
    pray = Deed("deed/pray", (Count("grace"),), requires=Counted("grace", at_least=1))
    bench = world(story={"deeds": (pray,), "counters": (Counter("grace"),)})

    assert refused(bench)["choice/deed"] == "K-CARD-1"


def test_own_cards_let_their_owner_choose_where_else_the_keeper_would() -> None:
    action = CardAction("item/bell", (HurtMonster(1, Which.ROOM, 1),))
    bench = world(
        items=by_id(ItemCard("item/bell", actions=(action,))),
        monsters_at=[(RAT, "house/b")] * 2,
    )
    newcomers.gain_item(bench.game, ADA, "item/bell")
    go(bench, "choice/use_card", {1: ("m2",)})
    assert bench.game_table.monsters["m2"].damage == 1

    effect = (HurtMonster(1, Which.ALL, 1),)
    bench.run(effects.resolve(bench.game, effect, Source("event/one")), {KIM: ("m1",)})
    assert bench.game_table.monsters["m1"].damage == 1


@rule("K-CARD-1", "K-CARD-8")
@pytest.mark.parametrize("kind", ["deed", "use_card"])
def test_what_an_action_asks_for_must_still_be_so_after_its_evade_test(kind: str) -> None:
    hale = Not(Investigators(Who.ACTOR, health_at_most=6))
    bell = CardAction("item/bell", (Count("grace"),), requires=hale)
    bench = world(
        story={
            "deeds": (Deed("deed/pray", (Count("grace"),), requires=hale),),
            "counters": (Counter("grace"),),
        },
        items=by_id(ItemCard("item/bell", actions=(bell,))),
        monsters_at=[(RAT, "house/a")],
    )
    newcomers.gain_item(bench.game, ADA, "item/bell")

    # The failed test deals 2 of 8 damage.
    bench.give_rolls(9)
    go(bench, f"choice/{kind}", {})

    assert bench.game_table.counters["grace"].amount == 0
    assert not bench.game_table.has_action

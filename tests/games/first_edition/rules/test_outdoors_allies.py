"""Allies: W-ALLY, W-MOVED, and the decisions on what they do, suffer and tell."""

from typing import Any

import attrs
import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema.cards import (
    AllyCard,
    CardAction,
    LockCard,
    Opening,
    Trigger,
)
from content.games.first_edition.schema.effects import (
    Automatic,
    Count,
    Curse,
    ForEach,
    Heal,
    Kill,
    Move,
    PlaceAlly,
    RemoveAlly,
    Result,
    Step,
    Stun,
    Suffer,
    Talk,
    Uncurse,
)
from content.games.first_edition.schema.requirements import (
    AlliesGone,
    AllyIs,
    Investigators,
    Requirement,
    Several,
    Told,
)
from content.games.first_edition.schema.story import (
    Counter,
    Knowers,
    LockRow,
    StoryAlly,
    StoryCard,
    StoryCards,
    Tale,
)
from content.games.first_edition.schema.targets import AllIn, TheAlly, Who
from protocol.boards.links import Link
from protocol.common.events import Disclosure
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition import events as fe
from protocol.games.first_edition import words
from protocol.games.first_edition.table import Ally, Item, KeeperStep, ToldTale, WeaponFacts
from protocol.games.first_edition.words import (
    KEEPER,
    AttackKind,
    Attribute,
    FeatureKind,
    Keyword,
    StoryDeck,
    TaleKind,
)
from server.games.first_edition.rules import (
    abilities,
    allies,
    effects,
    lacking,
    monster_attacks,
    requirements,
    rounds,
    setup,
    story_decks,
    tales,
    tests,
    trade,
)
from server.games.first_edition.rules.play import Source, nearest
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.house import before_setup, breaks, go, seen
from tests.games.first_edition.rules.lands import land
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    HALL,
    RAT,
    STUDY,
    action_card,
    by_id,
    injury,
    insanity,
    item_card,
    world,
)

rule = pytest.mark.rule

BO, CLEM = "ally/bo", "ally/clem"
FOURS = dict.fromkeys(Attribute, 4)
RUMOUR = Tale("tale/bell", TaleKind.RUMOUR, (Count("heard"),))
NEWS = Tale("tale/ford", TaleKind.INFORMATION, (Suffer(horror=1),), keep=True)
STORM = Tale("tale/storm", TaleKind.EVENT)
KNIFE = Item("i9", "item/knife", (Keyword.WEAPON,), WeaponFacts(AttackKind.BLADED, 0, 1, 0))
BOOK = Item("i8", "item/book", (Keyword.TOME,))
A_TEST = steps.Test(Attribute.LORE, who=TheAlly(BO))
CARDS = by_id(item_card("knife"), item_card("book"))


def with_allies(
    placed: dict[str, str] | None = None,
    *told: Tale,
    card: dict[str, Any] | None = None,
    make: Any = world,
    **given: Any,
) -> Bench:
    """Return a world with allies on the board, the first of which has these story cards."""
    fields = {"health": 4, "sanity": 3, "attributes": FOURS, **(card or {})}
    story = {
        "counters": (Counter("heard", 0),),
        **given.pop("story", {}),
        "allies": tuple(StoryAlly(ally, tales=told if ally == BO else ()) for ally in (BO, CLEM)),
    }
    people = by_id(*(AllyCard(ally, **fields) for ally in (BO, CLEM)))
    given = {"items": CARDS, "people": (ADA, BEN), "step": KeeperStep.ALLIES, **given}
    bench: Bench = make(story=story, allies=people, **given)
    for ally, space in ({BO: "house/a"} if placed is None else placed).items():
        tales.place(bench.game, ally, space)
    bench.log.clear()
    return bench


def ally(bench: Bench, who: str = BO) -> Ally:
    return bench.game_table.allies[who]


def change(bench: Bench, who: str = BO, **fields: Any) -> None:
    bench.table = bench.with_game(bench.game_table.with_character(who, **fields))


def run(
    bench: Bench, *effect: Step, actor: str | None = ADA, own: bool = False, **more: Any
) -> Any:
    source = Source("tests/card", actor, by_actor=own, **more.pop("source", {}))
    return bench.run(effects.resolve(bench.game, effect, source), *more.pop("answers", ()))


# Cards and the phase


@rule("W-ALLY-1", "W-ALLY-2", "W-ALLY-3", "W-CARD-7", "W-SECRET-7", "W-SECRET-8")
def test_an_ally_lies_open_to_all_with_its_numbers_and_its_space() -> None:
    bench = with_allies({})
    tales.place(bench.game, BO, "house/b")

    has = ally(bench)
    assert (has.health_left, has.sanity_left, has.space) == (4, 3, "house/b")
    assert (has.attributes, has.weapon, has.steps) == (FOURS, AttackKind.UNARMED, 1)
    for seat in (KIM, 1, 2, None):
        events = [one.event for one in seen(bench, seat)]
        assert [one.ally for one in events if isinstance(one, fe.AllyPlaced)] == [BO]


@rule("W-ALLY-8", "W-DECIDE-19")
def test_the_phase_of_allies_follows_the_trade_and_the_stun_step_follows_it() -> None:
    bench = with_allies(step=KeeperStep.TRADE)
    go(bench)
    go(bench)
    go(bench, BO, "ally_rests")
    go(bench)

    began = [one.step for one in bench.happened(fe.KeeperStepBegan)]
    assert began == [KeeperStep.ALLIES, KeeperStep.STUN]


@rule("W-ALLY-8")
def test_without_allies_there_is_no_such_phase() -> None:
    bench = with_allies({}, step=KeeperStep.TRADE)
    go(bench)

    assert bench.game_table.step is KeeperStep.STUN


def ready(*args: Any, **given: Any) -> Bench:
    """Return a world in the ally phase, after its start."""
    bench = with_allies(*args, **given)
    bench.emit(fe.DealtWith("water"))
    bench.log.clear()
    return bench


@rule("W-DECIDE-20")
def test_each_ally_is_handled_once_in_an_order_that_investigators_choose() -> None:
    bench = ready({BO: "house/a", CLEM: "house/a"})

    go(bench, {1: CLEM}, "ally_rests")
    go(bench, {2: BO}, "ally_rests")
    go(bench)

    assert [one.what for one in bench.happened(fe.DealtWith)] == [CLEM, BO]
    assert bench.game_table.step is KeeperStep.STUN


@rule("W-DECIDE-20")
def test_the_nearest_investigator_leads_and_of_equals_the_one_who_takes_it_on() -> None:
    bench = ready({BO: "house/b"}, at={ADA: "house/a", BEN: "house/c"})
    assert nearest(bench.game, BO) == (ADA, BEN)

    go(bench, {2: BO}, "ally_rests")

    assert [list(one.prompts) for one in bench.asked] == [[1, 2], [2]]
    bench = ready({BO: "house/b"}, at={ADA: "house/a", BEN: "house/b"})
    assert nearest(bench.game, BO) == (BEN,)


@rule("W-DECIDE-20")
def test_an_ally_does_one_thing_at_most() -> None:
    bench = ready(None, RUMOUR)

    go(bench, {1: BO}, "lead_to")
    go(bench)

    assert ally(bench).space == "house/b"
    assert bench.game_table.step is KeeperStep.STUN


# Talking


@rule("W-ALLY-9", "W-ALLY-7", "W-DECIDE-32", "W-CARD-8", "W-SECRET-9")
def test_talking_turns_up_the_top_card_for_all_and_resolves_it() -> None:
    bench = ready(None, RUMOUR, NEWS)

    go(bench, {2: BO}, "choice/talk")

    (told,) = bench.happened(fe.TaleTold)
    assert (told.ally, told.card) == (BO, "tale/bell")
    assert bench.game_table.told == ("tale/bell",)
    assert [one.value for one in bench.game_table.tales[BO]] == ["tale/ford"]
    assert bench.game_table.counters["heard"].amount == 1


@rule("W-DECIDE-32", "W-ALLY-7", "W-CARD-8")
def test_a_kept_card_stays_with_the_investigator_who_heard_it_and_others_are_discarded() -> None:
    bench = ready(None, RUMOUR, NEWS)

    go(bench, {2: BO}, "choice/talk")
    bench.run(tales.tell(bench.game, BO, ADA))

    assert bench.game_table.heard == {
        BO: (
            ToldTale("tale/bell", TaleKind.RUMOUR),
            ToldTale("tale/ford", TaleKind.INFORMATION, ADA),
        )
    }


@rule("W-DECIDE-32")
@pytest.mark.parametrize("listener", [None, CLEM])
def test_a_card_that_no_investigator_heard_is_kept_by_nobody(listener: str | None) -> None:
    bench = with_allies(None, NEWS)

    bench.run(tales.tell(bench.game, BO, listener), ...)

    assert [one.holder for one in bench.game_table.heard[BO]] == [None]


@rule("W-DECIDE-32")
def test_the_card_concerns_the_investigator_who_talks() -> None:
    bench = ready(None, NEWS)

    go(bench, {2: BO}, "choice/talk")

    assert (bench.who(ADA).horror, bench.who(BEN).horror) == (0, 1)


@rule("W-DECIDE-32")
def test_an_empty_deck_has_nothing_more_to_say() -> None:
    bench = ready()

    go(bench, {1: BO}, ...)

    assert bench.open is not None
    (one,) = bench.open.prompts[1].refused
    assert (one.text, one.rule) == (Text("choice/talk", (BO,)), "W-DECIDE-32")


@rule("W-DECIDE-20")
def test_talking_needs_the_same_room() -> None:
    bench = ready({BO: "house/c"}, RUMOUR)

    go(bench, {1: BO}, ...)

    assert bench.open is not None
    assert [one.rule for one in bench.open.prompts[1].refused] == ["W-DECIDE-20"]


@rule("W-DECIDE-32")
def test_an_effect_can_have_an_ally_talk() -> None:
    bench = with_allies(None, RUMOUR, STORM)

    run(bench, Talk(BO), Talk(BO), Talk(BO), Talk(CLEM))

    assert bench.game_table.told == ("tale/bell", "tale/storm")


@rule("W-SECRET-9")
@pytest.mark.parametrize(("is_open", "knowers"), [(False, set()), (True, {KIM})])
def test_story_cards_are_sealed_to_nobody_or_to_the_keeper(
    is_open: bool, knowers: set[int]
) -> None:
    people = by_id(AllyCard(BO, 4, 3, FOURS))
    told = (StoryAlly(BO, "house/a", (RUMOUR,), is_open),)
    bench = before_setup((ADA,), {"allies": people}, allies=told, variants=False)
    bench.run(setup.set_up(bench.game), {KIM: ("wake",), 1: (0, 0)})

    (laid,) = bench.happened(fe.TaleLaid)
    assert laid.role == (KEEPER if is_open else "")
    assert ally(bench).space == "house/a"
    reads = set()
    for seat in (KIM, 1, None):
        (one,) = [rec.event for rec in seen(bench, seat) if isinstance(rec.event, fe.TaleLaid)]
        if one.card.is_open:
            reads.add(seat)
    assert reads == knowers


@rule("W-SECRET-9")
def test_what_an_ally_may_tell_is_the_same_on_the_wire_whatever_it_is() -> None:
    views = []
    for tale in (RUMOUR, STORM):
        bench = with_allies({}, tale)
        before = len(bench.stored)
        tales.place(bench.game, BO, "house/a")
        views.append(
            [
                (type(one.event), _shown(one.event))
                for seat in (KIM, 1, None)
                for one in seen(bench, seat)[before:]
            ]
        )
    assert views[0] == views[1]


def _shown(event: Any) -> Any:
    """Return what an event shows, without the seal, which no two cards share."""
    return event.ally, getattr(event, "space", None)


@rule("W-ALLY-3", "W-DECIDE-29")
def test_an_ally_comes_once_and_its_cards_leave_with_it() -> None:
    bench = with_allies({}, RUMOUR)

    run(bench, PlaceAlly(BO, "house/b"))
    assert [len(one) for one in bench.game_table.tales.values()] == [1]
    change(bench, items=(KNIFE,))
    run(bench, RemoveAlly(BO), PlaceAlly(BO, "house/b"))

    assert not bench.game_table.allies
    assert bench.game_table.tales == {BO: ()}
    assert [one.is_killed for one in bench.happened(fe.AllyGone)] == [False]
    assert bench.game_table.lying == {HALL: (KNIFE,)}
    run(bench, Talk(BO), RemoveAlly(BO))


@rule("W-STORY-1")
def test_an_ally_that_comes_gets_a_delusion_that_goes_with_it() -> None:
    deck = StoryCards(
        StoryDeck.DELUSION, (StoryCard("delusion/voices"),), Knowers.NOBODY, each_ally=True
    )
    bench = with_allies({}, story={"decks": (deck,)})
    story_decks.lay_out(bench.game)

    run(bench, PlaceAlly(BO, "house/a"))
    assert [one.owner for one in bench.game_table.story_cards.values()] == [BO]
    run(bench, Kill(TheAlly(BO)))
    assert not bench.game_table.story_cards


# Attacks


@rule("W-ALLY-10", "W-DECIDE-25")
@pytest.mark.parametrize("kind", [AttackKind.UNARMED, AttackKind.BLUNT])
def test_an_ally_attacks_with_its_kind_of_weapon_and_its_attributes(kind: AttackKind) -> None:
    bench = ready(card={"weapon": kind}, monsters_at=[(RAT, "house/a")])
    bench.give_rolls(4)

    go(bench, {1: BO}, "attack_unarmed")

    match = bench.happened(fe.CombatCardDrawn)[-1]
    card = bench.game.content.pack.combat[match.card]
    assert (card.upper.kind, card.class_.value, match.is_match) == (kind, "beast", True)
    (test,) = bench.happened(fe.TestDeclared)
    assert (test.investigator, test.value, test.kind) == (BO, 4, words.TestKind.COMBAT)
    assert bench.monster().damage == 1
    assert bench.game_table.actions_taken == ()


@rule("W-DECIDE-25", "W-DECIDE-50")
def test_an_attack_turns_up_the_card_of_an_ally_that_waits_for_it() -> None:
    rage = StoryCard("delusion/rage", trigger=Trigger.ATTACKED)
    deck = StoryCards(StoryDeck.DELUSION, (rage,), each_ally=True)
    bench = ready(monsters_at=[(RAT, "house/a")], story={"decks": (deck,)})
    story_decks.lay_out(bench.game)
    story_decks.deal_to_ally(bench.game, BO)
    bench.give_rolls(4)

    go(bench, {1: BO}, "attack_unarmed")

    assert [one.card for one in bench.happened(fe.StoryCardShown)] == ["delusion/rage"]


@rule("W-DECIDE-25")
def test_the_reach_of_an_ally_is_that_of_investigators() -> None:
    bench = ready(monsters_at=[(RAT, "house/b")])

    go(bench, {1: BO}, ...)

    assert bench.open is not None
    assert "K-COMBAT-2" in {one.rule for one in bench.open.prompts[1].refused}
    assert "choice/attack_unarmed" not in bench.offered()


@rule("W-DECIDE-31", "W-DECIDE-25")
def test_an_ally_attacks_with_a_weapon_that_it_was_given() -> None:
    bench = ready(monsters_at=[(RAT, "house/a")])
    change(bench, items=(KNIFE, BOOK))
    bench.give_rolls(1)

    go(bench, {1: BO}, "attack_with")

    assert [one.card for one in bench.happened(fe.Attacked)] == ["item/knife"]
    card = bench.game.content.pack.combat[bench.happened(fe.CombatCardDrawn)[-1].card]
    assert card.upper.kind is AttackKind.BLADED


@rule("W-DECIDE-26", "W-ALLY-5", "W-ALLY-16")
def test_monsters_attack_allies_in_their_space() -> None:
    bench = with_allies({BO: "house/b", CLEM: "house/a"}, monsters_at=[(RAT, "house/b")])
    assert monster_attacks.in_reach(bench.game, "m1") == (BO,)
    bench.give_rolls(10)

    bench.run(monster_attacks.make(bench.game, monster_attacks.Attack("m1", BO)))

    assert ally(bench).damage == 1
    assert bench.happened(fe.MonsterBackShown)
    assert [one.investigator for one in bench.happened(fe.MonsterAttacked)] == [BO]


# Moves


@rule("W-ALLY-12", "W-MOVED-1", "W-DECIDE-23")
def test_an_ally_that_investigators_move_takes_evade_and_horror_tests() -> None:
    bench = ready(
        {BO: "house/b"}, at={BEN: "house/c"}, monsters_at=[(RAT, "house/b"), (RAT, "house/c")]
    )
    bench.give_rolls(1, 10)

    go(bench, {1: BO}, "house/c")

    taken = [(one.investigator, one.kind) for one in bench.happened(fe.TestDeclared)]
    assert taken == [(BO, words.TestKind.EVADE), (BO, words.TestKind.HORROR)]
    assert (ally(bench).space, ally(bench).horror) == ("house/c", 1)
    assert bench.game_table.evaded == ()


@rule("W-DECIDE-20")
@pytest.mark.parametrize("value", [0, 1, 2])
def test_an_ally_moves_by_its_movement_value(value: int) -> None:
    bench = ready(card={"steps": value})
    if not value:
        go(bench, {1: BO}, ...)
        assert bench.offered() == ["choice/ally_rests"]
        return

    go(bench, {1: BO}, "house/b", *["house/c"] * (value - 1))

    assert ally(bench).space == ("house/b" if value == 1 else "house/c")


@rule("W-DECIDE-20")
def test_an_ally_may_stop_on_its_way() -> None:
    bench = ready(card={"steps": 2})

    go(bench, {2: BO}, "house/b", "end_leading")

    assert ally(bench).space == "house/b"
    assert [list(one.prompts) for one in bench.asked][1:] == [[2], [2]]


@rule("W-DECIDE-21", "W-FEATURE-2")
def test_an_ally_passes_doors_and_ladders_but_no_lock_and_no_barricade() -> None:
    links = [Link("ladder", ("house/a", "house/c"))]
    assert set(allies.ways(with_allies(links=links).game, BO)) == {"house/b", "house/c"}
    barred = with_allies({BO: "house/c"}, features=[(FeatureKind.BARRICADE, "house/c")])
    barrier = next(iter(barred.game_table.features.values()))
    barred.emit(fe.FeatureRemoved(barrier.feature_id))
    assert allies.ways(barred.game, BO) == ("house/b",)
    locked = with_allies(
        {BO: "house/b"},
        locks=by_id(LockCard("lock/study", Opening(keyword=Keyword.KEY))),
        story={"locks": (LockRow(STUDY, "lock/study"),)},
    )
    assert allies.ways(locked.game, BO) == ("house/a",)


@rule("W-MOVED-2", "W-MOVED-3")
def test_an_ally_that_the_keeper_moves_takes_no_evade_test_but_a_horror_test() -> None:
    bench = with_allies({BO: "house/b"}, monsters_at=[(RAT, "house/b"), (RAT, "house/c")])
    bench.give_rolls(1)

    run(bench, Move(1, who=TheAlly(BO)), answers=["house/c"])

    assert [one.kind for one in bench.happened(fe.TestDeclared)] == [words.TestKind.HORROR]
    assert [list(one.prompts) for one in bench.asked] == [[KIM]]


@rule("W-MOVED-1", "W-EX-18")
@pytest.mark.parametrize(
    ("step", "kinds"),
    [
        (Move(1, who=AllIn("house/b")), ["evade"]),
        (Move(to="house/a", who=AllIn("house/b")), ["evade"]),
        (Move(1, who=AllIn("house/b"), unhindered=True), []),
    ],
)
def test_whom_another_investigator_moves_takes_evade_tests_first(
    step: Move, kinds: list[str]
) -> None:
    bench = world((ADA, BEN), at={BEN: "house/b"}, monsters_at=[(RAT, "house/b")])
    bench.give_rolls(*[1 for _ in kinds])

    run(bench, step, own=True, answers=["house/a"] if step.spaces else [])

    assert [one.kind.value for one in bench.happened(fe.TestDeclared)] == kinds
    assert bench.who(BEN).space == "house/a"
    assert bench.game_table.evaded == ()


@rule("W-MOVED-3", "W-EX-18")
def test_whom_the_keeper_moves_into_another_room_takes_one_horror_test() -> None:
    bench = world((ADA, BEN), at={BEN: "house/b"}, monsters_at=[(RAT, "house/b"), (RAT, "house/c")])
    bench.give_rolls(1)

    run(bench, Move(to="house/c", who=AllIn("house/b")), actor=None)

    assert [one.kind.value for one in bench.happened(fe.TestDeclared)] == ["horror"]


@rule("W-EX-18")
def test_a_stunned_monster_lets_whom_others_move_go() -> None:
    bench = world((ADA, BEN), at={BEN: "house/b"}, monsters_at=[(RAT, "house/b")])
    bench.set_monster("m1", stun=1)

    run(bench, Move(to="house/a", who=AllIn("house/b")), own=True)

    assert not bench.happened(fe.TestDeclared)


@rule("W-DECIDE-28", "W-ALLY-15", "W-MOVED-2")
def test_an_insane_ally_is_moved_by_the_keeper_once_and_free_instead() -> None:
    bench = ready({BO: "house/b"}, RUMOUR, monsters_at=[(RAT, "house/b")])
    change(bench, horror=3)
    go(bench)
    assert [one.step for one in bench.happened(fe.KeeperStepBegan)] == [KeeperStep.STUN]
    bench.emit(fe.KeeperStepBegan(KeeperStep.ACTIONS))

    go(bench, "house/c")
    go(bench)

    assert (ally(bench).space, bench.game_table.threat) == ("house/c", 0)
    assert not bench.happened(fe.TestDeclared)
    assert bench.game_table.step is KeeperStep.ATTACKS
    run(bench, Talk(BO))
    assert not bench.game_table.told


@rule("W-DECIDE-28")
def test_a_healed_ally_is_sane_again() -> None:
    bench = ready(None, RUMOUR)
    change(bench, horror=3)
    run(bench, Heal(horror=1, who=TheAlly(BO)))

    go(bench, {1: BO}, "choice/talk")

    assert bench.game_table.told == ("tale/bell",)


# Status, features, harm


@rule("W-DECIDE-21", "W-ALLY-17")
def test_a_stunned_ally_skips_its_choice_and_loses_a_token() -> None:
    bench = ready()
    change(bench, stun=2)

    go(bench)

    assert (ally(bench).stun, bench.game_table.step) == (1, KeeperStep.STUN)
    bench.run(rounds.recover(bench.game))
    assert ally(bench).stun == 1


@rule("W-DECIDE-21", "W-ALLY-17")
def test_stun_and_darkness_weigh_on_an_ally_and_no_lantern_helps() -> None:
    bench = with_allies(features=[(FeatureKind.DARKNESS, HALL)])
    lamp = Item("i7", "item/lamp", (Keyword.LANTERN,))
    change(bench, items=(lamp,))

    def worth(kind: words.TestKind) -> int:
        return tests.worth(bench.game, BO, Attribute.STRENGTH, kind)

    assert (worth(words.TestKind.COMBAT), worth(words.TestKind.CARD)) == (2, 4)
    change(bench, stun=1)
    assert (worth(words.TestKind.COMBAT), worth(words.TestKind.CARD)) == (0, 2)


@rule("W-DECIDE-21", "W-FEATURE-2")
def test_allies_in_fire_burn_at_the_end_of_their_phase() -> None:
    bench = ready({BO: "house/a", CLEM: "house/c"}, features=[(FeatureKind.FIRE, HALL)])

    go(bench, {1: BO}, "ally_rests")
    assert ally(bench).damage == 0
    go(bench, {1: CLEM}, "ally_rests")
    go(bench)

    assert (ally(bench).damage, ally(bench, CLEM).damage) == (2, 0)


@rule("W-DECIDE-21", "W-FEATURE-2")
def test_an_ally_that_enters_a_burning_room_takes_the_test_of_fire() -> None:
    bench = ready({BO: "house/b"}, features=[(FeatureKind.FIRE, STUDY)])
    bench.give_rolls(10)

    go(bench, {1: BO}, "house/c")

    assert ally(bench).horror == 1


@rule("W-DECIDE-21", "W-FEATURE-2")
def test_allies_in_the_water_leave_it_as_their_phase_starts() -> None:
    bench = with_allies({BO: "pond/w"}, make=land)

    go(bench, "pond/c")

    assert (ally(bench).space, ally(bench).damage) == ("pond/c", 2)
    assert [list(one.prompts) for one in bench.asked] == [[1]]
    go(bench, ...)
    assert bench.open is not None
    assert bench.open.rule == "W-DECIDE-20"


@rule("W-ALLY-4", "W-ALLY-5", "W-ALLY-6", "W-ALLY-14", "W-CURSE-9")
def test_effects_hurt_frighten_stun_curse_and_heal_an_ally() -> None:
    bench = with_allies()
    who = TheAlly(BO)

    run(bench, Suffer(2, 2, who), Heal(1, 1, who), Stun(2, who), Curse(who), Curse(who))
    has = ally(bench)
    assert (has.damage, has.horror, has.stun, has.curses) == (1, 1, 2, 2)
    run(bench, Uncurse(5, who), Uncurse(1, who))

    assert ally(bench).curses == 0
    assert (bench.who(ADA).damage, bench.who(ADA).curses) == (0, 0)


@rule("W-DECIDE-27")
def test_no_trauma_card_is_played_on_an_ally() -> None:
    bench = with_allies(trauma=[injury(), insanity()])

    run(bench, Suffer(1, 1, TheAlly(BO)))

    assert not bench.happened(fe.TraumaTriggered)
    assert not bench.asked


@rule("W-DECIDE-29", "W-ALLY-16")
def test_a_killed_ally_leaves_its_cards_in_the_room_and_its_tales_unread() -> None:
    bench = with_allies(None, RUMOUR)
    change(bench, items=(KNIFE,))

    run(bench, Suffer(4, who=TheAlly(BO)))

    assert not bench.game_table.allies
    assert bench.game_table.lying == {HALL: (KNIFE,)}
    assert [one.is_killed for one in bench.happened(fe.AllyGone)] == [True]
    assert not bench.happened(fe.TaleTold)
    assert (bench.game_table.deaths, bench.game_table.waiting) == (0, ())


@rule("W-DECIDE-30", "W-ALLY-14")
def test_what_heals_somebody_in_a_room_may_heal_an_ally_there() -> None:
    bench = with_allies({BO: "house/a", CLEM: "house/c"}, people=(ADA,))
    for one in (BO, CLEM):
        change(bench, one, damage=1)

    run(bench, Heal(1, who=Who.COMRADE), own=True, answers=[BO])

    assert (ally(bench).damage, ally(bench, CLEM).damage) == (0, 1)
    run(bench, Suffer(1, who=Who.ROOM))
    assert (ally(bench).damage, bench.who(ADA).damage) == (0, 1)


@rule("W-CURSE-6", "W-ALLY-6")
def test_what_lifts_a_curse_of_somebody_in_a_room_may_lift_one_of_an_ally_there() -> None:
    bench = with_allies({BO: "house/a", CLEM: "house/c"}, people=(ADA,))
    for one in (BO, CLEM):
        change(bench, one, curses=3)

    run(bench, Uncurse(who=Who.COMRADE), own=True, answers=[BO])
    run(bench, Uncurse(who=Who.ROOM), own=True)
    run(bench, Uncurse(who=Who.ALL), own=True)

    assert (ally(bench).curses, ally(bench, CLEM).curses) == (1, 3)


@rule("W-DECIDE-30")
def test_what_heals_somebody_in_a_room_is_offered_for_an_ally_there_alone() -> None:
    tin = CardAction("item/tin", (Heal(2, who=Who.COMRADE),))
    bench, source = with_allies(people=(ADA,)), Source("item/tin", ADA)

    assert not abilities.heals_anybody(bench.game, tin, source)
    change(bench, BO, damage=1)
    assert abilities.heals_anybody(bench.game, tin, source)


@rule("W-DECIDE-31", "W-ALLY-13")
def test_whoever_stands_with_an_ally_gives_it_items_and_takes_them() -> None:
    bench = with_allies(step=KeeperStep.TRADE, at={BEN: "house/b"})
    bench.set(ADA, items=(KNIFE,))
    change(bench, items=(BOOK,))

    bench.run(trade.step(bench.game), "hand_over", "take_from")

    assert bench.game_table.allies[BO].items == (KNIFE,)
    assert bench.who(ADA).items == (BOOK,)
    assert all(list(one.prompts) == [1] for one in bench.asked)


@rule("W-DECIDE-31")
def test_nobody_trades_with_an_ally_elsewhere() -> None:
    bench = with_allies({BO: "house/b"}, step=KeeperStep.TRADE, people=(ADA,))
    bench.set(ADA, items=(KNIFE,))

    bench.run(trade.step(bench.game))

    assert not bench.asked


@rule("W-DECIDE-33")
def test_allies_count_as_investigators_only_where_the_text_says_so() -> None:
    bench = with_allies({BO: "house/a", CLEM: "house/a"}, people=(ADA,))
    source = Source("tests/card")

    def holds(asked: Investigators) -> bool:
        return requirements.holds(bench.game, asked, source)

    assert not holds(Investigators(at_least=2))
    assert holds(Investigators(who=Who.ALLIES, at_least=2))
    bench.run(rounds.gain_threat(bench.game))
    assert bench.game_table.threat == 1
    run(bench, Suffer(1, who=Who.ALL), ForEach((Suffer(horror=1),), Who.ALLIES))
    assert (ally(bench).damage, ally(bench).horror, bench.who(ADA).horror) == (0, 1, 0)


@rule("W-DECIDE-33")
def test_an_ally_is_alone_in_a_room_without_investigators() -> None:
    bench = with_allies(people=(ADA,))
    alone = Investigators(who=Who.ALLIES, alone=True)

    assert not requirements.holds(bench.game, alone, Source("tests/card"))
    change(bench, space="house/c")
    assert requirements.holds(bench.game, alone, Source("tests/card"))


@rule("W-DECIDE-33", "W-DECIDE-29", "W-DECIDE-32")
def test_a_requirement_counts_the_allies_that_are_gone_and_told_nothing() -> None:
    bench, source = with_allies({BO: "house/a", CLEM: "house/a"}, RUMOUR), Source("tests/card")

    def holds(asked: Requirement) -> bool:
        return requirements.holds(bench.game, asked, source)

    assert not holds(AlliesGone())
    run(bench, Talk(BO), Kill(who=TheAlly(BO)))
    assert holds(AlliesGone())
    assert not holds(AlliesGone(unheard=True))
    run(bench, RemoveAlly(CLEM))
    assert holds(AlliesGone(2))
    assert holds(AlliesGone(unheard=True))
    assert not holds(AlliesGone(2, unheard=True))


def test_of_several_requirements_so_many_must_hold() -> None:
    bench, source = with_allies(people=(ADA,)), Source("tests/card")
    held, other = AllyIs(BO), AllyIs(CLEM)

    assert requirements.holds(bench.game, Several((held, other, held), 2), source)
    assert not requirements.holds(bench.game, Several((held, other, other), 2), source)


# Tests and curses


@rule("W-ALLY-11", "W-DECIDE-22")
def test_an_ally_tests_its_attribute_without_skill_points_or_luck() -> None:
    bench = with_allies()
    bench.give_rolls(4, 5)
    step = steps.Test(Attribute.LORE, who=TheAlly(BO), failed=(Suffer(1),))

    run(bench, step)
    run(bench, step)

    assert [one.is_passed for one in bench.happened(fe.TestEnded)] == [True, False]
    assert ally(bench).damage == 1
    assert not bench.asked


@rule("W-DECIDE-24", "W-CURSE-9", "W-ALLY-6")
@pytest.mark.parametrize("uses", [True, False])
def test_the_keeper_may_discard_a_curse_token_and_the_test_fails_unrolled(uses: bool) -> None:
    bench = with_allies()
    change(bench, curses=2)
    if not uses:
        bench.give_rolls(1)

    run(
        bench,
        A_TEST,
        answers=["fails" if uses else "keep_curse"],
    )

    assert [list(one.prompts) for one in bench.asked] == [[KIM]]
    assert ally(bench).curses == (1 if uses else 2)
    assert len(bench.happened(fe.TestRolled)) == (not uses)
    assert [one.is_passed for one in bench.happened(fe.TestEnded)] == [not uses]


@rule("W-DECIDE-24")
def test_no_token_is_discarded_on_a_test_that_a_card_fixed() -> None:
    bench = with_allies()
    change(bench, curses=1)

    run(
        bench,
        Automatic(Result.PASSED, who=TheAlly(BO)),
        A_TEST,
    )

    assert not bench.asked
    assert ally(bench).fixed_test is None
    assert [one.is_passed for one in bench.happened(fe.TestEnded)] == [True]


# Requirements


@rule("W-DECIDE-32", "W-DECIDE-33")
def test_stories_can_ask_for_allies_and_for_what_they_told() -> None:
    bench = with_allies(None, RUMOUR, NEWS)
    source = Source("tests/card")

    def holds(asked: Any) -> bool:
        return requirements.holds(bench.game, asked, source)

    assert holds(AllyIs(BO))
    assert not holds(AllyIs(CLEM))
    assert holds(AllyIs(BO, within=HALL))
    assert not holds(AllyIs(BO, within=STUDY))
    assert not holds(AllyIs(BO, insane=True))
    assert not holds(AllyIs(BO, talked=1))
    assert not holds(Told("tale/bell"))
    run(bench, Talk(BO))
    assert holds(AllyIs(BO, talked=1))
    assert not holds(AllyIs(BO, talked=2))
    assert holds(Told("tale/bell"))
    asked = Investigators(who=Who.ALLIES, at_least=2)
    reason = lacking.reason(bench.game, asked, source)
    assert reason == Text("refusal/condition", (Text("needs/allies", (2,)),))
    reason = lacking.reason(bench.game, AllyIs(BO, within=STUDY), source)
    inner = Text("needs/with", (Text("needs/name", (BO,)), Text("needs/within", (STUDY,))))
    assert reason == Text("refusal/condition", (inner,))


def test_actions_about_allies_are_refused_where_there_is_none() -> None:
    cards = [action_card("talk", Talk(CLEM)), action_card("gone", RemoveAlly(CLEM))]
    cards.append(action_card("again", PlaceAlly(BO, "house/a")))
    cards.append(action_card("heal", Heal(1, who=AllIn(STUDY))))
    bench = with_allies(actions=cards, threat=5, step=KeeperStep.ACTIONS)

    go(bench, ...)

    assert bench.open is not None
    refused = [one.text.params[0] for one in bench.open.prompts[KIM].refused]
    assert refused == ["action/talk", "action/gone", "action/again", "action/heal"]
    change(bench, space="house/c")
    go(bench, ...)
    assert len(bench.open.prompts[KIM].refused) == 3, "the healing of an ally"


# Laws of the log


def declared(bench: Bench, who: str = BO) -> None:
    about = Text("about/card_test", (who, "tests/card"))
    bench.emit(fe.TestDeclared(who, Attribute.LORE, words.TestKind.CARD, 4, about))


@rule("W-DECIDE-24", "W-CURSE-9")
def test_laws_accept_a_test_of_an_ally_that_a_curse_lost_and_no_other_result() -> None:
    bench = with_allies()
    change(bench, curses=1)
    declared(bench)
    assert breaks(bench, fe.TestEnded(BO, False))
    bench.emit(fe.CurseUsed(BO))

    assert not breaks(bench, fe.TestEnded(BO, False))
    assert breaks(bench, fe.TestEnded(BO, True))
    assert breaks(bench, fe.TestEnded(ADA, False))


@rule("W-DECIDE-24")
def test_laws_refuse_a_curse_that_nobody_has_or_that_comes_at_another_time() -> None:
    bench = with_allies()
    declared(bench)
    assert breaks(bench, fe.CurseUsed(BO))
    change(bench, curses=2)
    assert not breaks(bench, fe.CurseUsed(BO))
    assert breaks(bench, fe.CurseUsed(ADA))

    bench.emit(fe.CurseUsed(BO))
    assert breaks(bench, fe.CurseUsed(BO))

    declared(bench)
    bench.emit(fe.TestRolled(BO, 3))
    assert breaks(bench, fe.CurseUsed(BO))


@rule("W-DECIDE-24")
def test_laws_refuse_an_investigator_who_loses_a_test_without_a_roll() -> None:
    bench = with_allies()
    bench.set(ADA, curses=1)
    declared(bench, ADA)

    assert breaks(bench, fe.CurseUsed(ADA))
    bench.emit(fe.TestRolled(ADA, 3))
    assert not breaks(bench, fe.CurseUsed(ADA))


@rule("W-SECRET-9", "W-DECIDE-32")
def test_laws_refuse_a_story_card_that_was_not_sealed_as_the_next() -> None:
    bench = with_allies(None, RUMOUR, STORM)
    first, second = bench.game_table.tales[BO]
    opened = bench.disclose(first)

    def told(opened: Disclosure, card: str, holder: str | None = None) -> fe.TaleTold:
        return fe.TaleTold(BO, opened, card, TaleKind.RUMOUR, holder)

    assert not breaks(bench, told(opened, "tale/bell"))
    assert not breaks(bench, told(opened, "tale/bell", ADA))
    assert breaks(bench, told(opened, "tale/storm"))
    assert breaks(bench, told(bench.disclose(second), "tale/storm"))
    assert breaks(bench, told(opened, "tale/bell", "investigator/nobody"))


@rule("W-SECRET-9", "W-ALLY-3")
def test_laws_refuse_a_story_card_that_comes_after_its_ally() -> None:
    bench = with_allies()

    assert breaks(bench, fe.TaleLaid("", BO, hidden("tale/bell")))
    assert not breaks(bench, fe.TaleLaid("", CLEM, hidden("tale/bell")))
    assert breaks(bench, fe.AllyPlaced(BO, 4, 3, FOURS, AttackKind.UNARMED, 1, "house/a"))
    bench.emit(fe.AllyGone(BO, True))
    assert breaks(bench, fe.TaleLaid("", BO, hidden("tale/bell")))
    assert breaks(bench, fe.AllyPlaced(BO, 4, 3, FOURS, AttackKind.UNARMED, 1, "house/a"))


@rule("W-DECIDE-22", "W-DECIDE-35")
def test_a_skill_point_of_the_monsters_spoils_a_roll_of_an_ally_in_combat() -> None:
    """In a turn the keeper interrupts the nearest investigator."""
    bench = with_allies({BO: "house/c"}, at={BEN: "house/c"}, step=None)
    bench.table = bench.with_game(attrs.evolve(bench.game_table, keeper_skill_points=1))
    bench.give_rolls(1, 10)

    run(bench, A_TEST, source={"in_combat": True}, answers=[{KIM: "force_roll"}])

    assert [set(one.prompts) for one in bench.asked] == [{2, KIM}]
    assert [one.roll for one in bench.happened(fe.TestRolled)] == [1, 10]

"""Exploring, locks, obstacles, clues and items: sections 1, 7 and K-DECIDE-35 to K-DECIDE-39."""

import pytest

from content.games.first_edition.schema.cards import (
    Doing,
    LockCard,
    Modifier,
    ObstacleCard,
    Opening,
    OpeningTest,
)
from content.games.first_edition.schema.effects import (
    Gain,
    Kill,
    LoseItem,
    Move,
    Reveal,
    Stun,
    Suffer,
    Take,
    Threat,
)
from content.games.first_edition.schema.effects import Unlock as UnlockStep
from content.games.first_edition.schema.kinds import NOTHING
from content.games.first_edition.schema.requirements import ClueFound, Deaths, ItemsLie
from content.games.first_edition.schema.story import LockRow, PlacementRow, StoryClue
from content.games.first_edition.schema.targets import Who
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import Attribute, FeatureKind, Keyword, Side
from server.games.first_edition.rules import (
    effects,
    exploring,
    harm,
    locks,
    movement,
    newcomers,
    requirements,
    turn,
)
from server.games.first_edition.rules.play import GameOver, Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    HALL,
    RAT,
    STUDY,
    by_id,
    injury,
    insanity,
    item_card,
    objective,
    world,
)

rule = pytest.mark.rule

LAMP = item_card("lamp", keywords=(Keyword.LANTERN,))
KEY = item_card("key", keywords=(Keyword.KEY,))
SPADE = item_card("spade")
ITEMS = by_id(LAMP, KEY, SPADE)
DESK = ObstacleCard(
    "obstacle/desk", Opening(test=OpeningTest(Attribute.STRENGTH, -1)), failed=(Suffer(damage=1),)
)
CHEST = ObstacleCard("obstacle/chest", Opening(item="item/key"))
CLUES = (StoryClue("clue/letter", 2), StoryClue("clue/diary", 1))


def in_hall(*cards: str, people: tuple[str, ...] = (ADA,), **fields: object) -> Bench:
    """Return a world in which these cards lie in the hall."""
    story = {
        "placement": (PlacementRow(HALL, cards),),
        "clues": CLUES,
        **fields.pop("story", {}),  # type: ignore[dict-item]
    }
    given = {"items": ITEMS, "obstacles": by_id(DESK, CHEST), **fields}
    return world(people, story=story, **given)  # type: ignore[arg-type]


def explore(bench: Bench, *answers: object) -> None:
    """Have Ada explore, from the question for her next step."""
    bench.run(turn.take_step(bench.game), "choice/explore", *answers)  # type: ignore[arg-type]


def refused(bench: Bench) -> dict[str, str]:
    """Return the rules of what Ada's next question refuses, by the first words of its subject."""
    bench.run(turn.take_step(bench.game), ...)
    assert bench.open is not None
    return {one.text.subject: one.rule for one in bench.open.prompts[1].refused}


def cards_of(bench: Bench, who: str = ADA) -> list[str]:
    return [item.card for item in bench.who(who).items]


@rule("K-ACT-4", "K-DECIDE-35")
def test_exploring_turns_the_cards_up_from_the_top_and_takes_what_they_are() -> None:
    bench = in_hall("item/spade", NOTHING, "clue/letter")

    explore(bench)

    assert [one.card for one in bench.happened(fe.CardTurnedUp)] == [
        "item/spade",
        NOTHING,
        "clue/letter",
    ]
    assert cards_of(bench) == ["item/spade"]
    assert bench.game_table.clues == ("clue/letter",)
    assert not bench.game_table.laid[HALL]
    assert not bench.game_table.has_action


@rule("K-ACT-4")
def test_cards_of_a_room_stay_until_that_very_room_is_explored() -> None:
    bench = in_hall("item/spade")
    bench.emit(fe.Moved(ADA, "house/c"))

    assert refused(bench)["choice/explore"] == "K-ACT-4"
    assert len(bench.game_table.laid[HALL]) == 1


@rule("K-ACT-1")
def test_one_action_is_all_that_a_turn_has() -> None:
    bench = in_hall("item/spade", "obstacle/desk")
    bench.give_rolls(10)
    explore(bench)

    no = refused(bench)
    assert no["choice/explore"] == no["choice/run"] == no["choice/drop"] == "K-ACT-1"


@rule("K-DECIDE-35", "K-DECIDE-37")
def test_an_obstacle_that_is_not_passed_stays_on_top_and_guards_what_lies_below() -> None:
    bench = in_hall("obstacle/desk", "item/spade")
    bench.give_rolls(5)

    explore(bench)

    assert [one.shown for one in bench.game_table.laid[HALL]] == ["obstacle/desk", None]
    assert not cards_of(bench)
    assert bench.who(ADA).damage == 1


@rule("K-DECIDE-37")
def test_an_obstacle_never_keeps_anybody_out_of_the_room() -> None:
    bench = in_hall("obstacle/desk")
    bench.give_rolls(10)
    explore(bench)

    bench.run(turn.take_step(bench.game), "house/b")
    bench.run(turn.take_step(bench.game), "house/a")

    assert bench.who(ADA).space == "house/a"


@rule("K-DECIDE-35", "K-DECIDE-44")
def test_a_passed_obstacle_leaves_and_exploring_goes_on_below_it() -> None:
    bench = in_hall("obstacle/desk", "item/spade")
    bench.give_rolls(4)

    explore(bench)

    assert cards_of(bench) == ["item/spade"]
    assert not bench.game_table.laid[HALL]


@rule("K-CARD-10")
def test_an_obstacle_can_ask_for_an_item() -> None:
    bench = in_hall("obstacle/chest", "item/spade")
    explore(bench)
    assert not cards_of(bench)

    newcomers.gain_item(bench.game, ADA, "item/key")
    bench.run(exploring.explore(bench.game, ADA))

    assert cards_of(bench) == ["item/key", "item/spade"]


@rule("K-DECIDE-35")
def test_whoever_an_obstacle_kills_finds_nothing_more() -> None:
    bench = in_hall("obstacle/desk", "item/spade", people=(ADA, BEN))
    bench.set(ADA, damage=7)
    bench.give_rolls(10)

    explore(bench)

    assert ADA not in bench.game_table.investigators
    assert len(bench.game_table.laid[HALL]) == 2


@rule("K-DECIDE-39")
def test_face_up_items_may_be_taken_by_exploring_and_some_may_stay() -> None:
    bench = in_hall("item/spade", "item/key", people=(ADA, BEN))
    explore(bench)
    bench.run(turn.take_step(bench.game), "choice/end_turn")
    for item in bench.who(ADA).items:
        bench.emit(fe.ItemDropped(ADA, item.piece, HALL))
    turn.begin(bench.game, BEN)

    bench.run(turn.take_step(bench.game), "choice/explore", ("item/key",))

    assert cards_of(bench, BEN) == ["item/key"]
    assert [item.card for item in bench.game_table.lying[HALL]] == ["item/spade"]


@rule("K-DECIDE-39")
def test_an_effect_lets_somebody_take_what_lies_in_another_room() -> None:
    bench = in_hall(people=(ADA, BEN))
    for card in ("item/spade", "item/key"):
        newcomers.gain_item(bench.game, BEN, card)
        bench.emit(fe.ItemDropped(BEN, bench.who(BEN).items[0].piece, HALL))
    bench.set(ADA, space="house/c")
    source, take = Source("deed/any", ADA), (Take(HALL),)
    assert requirements.holds(bench.game, ItemsLie(HALL), source)
    assert not requirements.holds(bench.game, ItemsLie("actor"), source)

    bench.run(effects.resolve(bench.game, take, source), ("item/key",))

    assert cards_of(bench) == ["item/key"]
    assert [item.card for item in bench.game_table.lying[HALL]] == ["item/spade"]
    bench.run(effects.resolve(bench.game, take, source), ("item/spade",))
    assert not requirements.holds(bench.game, ItemsLie(HALL), source)
    bench.run(effects.resolve(bench.game, take, source))


@rule("K-DECIDE-35", "K-DECIDE-39")
def test_an_open_obstacle_need_not_be_tried_by_whoever_comes_for_items() -> None:
    bench = in_hall("obstacle/desk", "clue/letter")
    bench.give_rolls(10)
    explore(bench)
    newcomers.gain_item(bench.game, ADA, "item/key")
    bench.emit(fe.ItemDropped(ADA, bench.who(ADA).items[0].piece, HALL))
    bench.run(exploring.explore(bench.game, ADA), ("item/key",), "choice/leave_be")

    assert cards_of(bench) == ["item/key"]
    assert bench.game_table.laid[HALL][0].shown == "obstacle/desk"


@rule("K-GOAL-2", "K-DECIDE-38")
def test_a_clue_is_the_teams_and_stays_when_its_finder_dies() -> None:
    bench = in_hall("clue/letter", people=(ADA, BEN))
    explore(bench)
    bench.run(effects.resolve(bench.game, (Kill(),), Source("mythos/any", ADA)))

    assert bench.game_table.clues == ("clue/letter",)
    assert bench.game_table.clues_left == 1
    assert not bench.game_table.lying.get(HALL)


@rule("K-GOAL-3", "K-GOAL-4", "K-DECIDE-38")
def test_the_last_clue_reveals_the_objective_and_no_other_does() -> None:
    bench = in_hall("clue/letter", "obstacle/desk", "clue/diary")
    bench.give_rolls(10)
    explore(bench)
    assert not bench.happened(fe.ObjectiveRevealed)

    bench.give_rolls(1)
    bench.run(exploring.explore(bench.game, ADA))

    assert bench.game_table.revealed == "objective/wake"
    assert [event.objective for event in bench.happened(fe.ObjectiveRevealed)] == ["objective/wake"]


@rule("K-GOAL-4")
def test_an_objective_that_is_revealed_is_not_revealed_again() -> None:
    bench = world()
    for _ in range(2):
        bench.run(effects.resolve(bench.game, (Reveal(),), Source("event/one")))

    assert len(bench.happened(fe.ObjectiveRevealed)) == 1


@rule("K-DECIDE-38")
def test_a_clue_resolves_what_it_does() -> None:
    clue = StoryClue("clue/letter", 2, effect=(Suffer(horror=2),))
    bench = in_hall("clue/letter", story={"clues": (clue,)})

    explore(bench)

    assert bench.who(ADA).horror == 2


@rule("K-DECIDE-93")
def test_a_clue_that_reveals_and_kills_reveals_first() -> None:
    clue = StoryClue("clue/diary", 1, effect=(Kill(),))
    bench = in_hall("clue/diary", people=(ADA, BEN), story={"clues": (clue,)})

    explore(bench)

    assert bench.game_table.eliminated == (1,)


@rule("K-DECIDE-93")
def test_what_is_found_can_win_at_once() -> None:
    goal = objective("wake", investigators=ClueFound("clue/letter"), keeper=Deaths(1))
    other = objective("flood")
    bench = in_hall("clue/letter", NOTHING, story={"objectives": (goal, other)})

    with pytest.raises(GameOver):
        explore(bench)

    assert bench.game_table.ending is not None
    assert bench.game_table.ending.winners == (Side.INVESTIGATORS,)
    assert len(bench.happened(fe.CardTurnedUp)) == 1


@rule("K-DARK-1", "K-EX-18")
def test_exploring_in_the_dark_costs_a_step_more() -> None:
    bench = in_hall("item/spade", features=[(FeatureKind.DARKNESS, HALL)])
    bench.emit(fe.StepSpent(ADA))

    explore(bench)

    assert bench.game_table.steps_left == 0
    assert cards_of(bench) == ["item/spade"]


@rule("K-DECIDE-83")
def test_without_a_step_left_nobody_explores_in_the_dark() -> None:
    bench = in_hall("item/spade", features=[(FeatureKind.DARKNESS, HALL)])
    bench.emit(fe.StepSpent(ADA))
    bench.emit(fe.StepSpent(ADA))

    assert refused(bench)["choice/explore"] == "K-DECIDE-83"


@rule("K-DARK-1", "K-DECIDE-83")
def test_whom_an_evade_test_stuns_does_not_explore_in_the_dark() -> None:
    """The card on the failed test takes the step that the dark would cost."""
    fall = injury("fall", Stun(), instant=True)
    dark = [(FeatureKind.DARKNESS, HALL)]
    bench = in_hall("item/spade", features=dark, monsters_at=[(RAT, "house/a")], trauma=[fall])
    bench.emit(fe.StepSpent(ADA))
    bench.give_rolls(10)

    bench.run(exploring.explore(bench.game, ADA), {KIM: "injury/fall"})

    assert (bench.game_table.steps_left, bench.game_table.has_action) == (0, False)
    assert cards_of(bench) == []


@rule("K-DARK-4", "K-DARK-5", "K-DECIDE-82")
def test_a_lantern_helps_its_holder_and_nobody_else() -> None:
    bench = in_hall("item/spade", people=(ADA, BEN), features=[(FeatureKind.DARKNESS, HALL)])
    newcomers.gain_item(bench.game, BEN, "item/lamp")
    bench.emit(fe.StepSpent(ADA))
    bench.emit(fe.StepSpent(ADA))
    assert refused(bench)["choice/explore"] == "K-DECIDE-83"

    bench.emit(fe.ItemGiven(BEN, ADA, bench.who(BEN).items[0].piece))
    explore(bench)

    assert cards_of(bench) == ["item/lamp", "item/spade"]


def test_a_card_can_forbid_exploring() -> None:
    blind = item_card("hood", modifiers=(Modifier(forbids=(Doing.EXPLORE,)),))
    bench = in_hall("item/spade", items={**ITEMS, **by_id(blind)})
    newcomers.gain_item(bench.game, ADA, "item/hood")

    assert refused(bench)["choice/explore"] == "K-CARD-5"


# Locks

BY_KEY = LockCard("lock/study", Opening(keyword=Keyword.KEY, spend=True))
BY_FORCE = LockCard(
    "lock/study",
    Opening(test=OpeningTest(Attribute.STRENGTH)),
    opened=(Suffer(horror=1),),
    failed=(Suffer(damage=1),),
)


def locked(lock: LockCard, **fields: object) -> Bench:
    """Return a world in which the study is locked, and Ada is before its door."""
    story = {"locks": (LockRow(STUDY, lock.id),)}
    given = {"locks": by_id(lock), "items": ITEMS, "at": {ADA: "house/b"}, **fields}
    return world(story=story, **given)  # type: ignore[arg-type]


@rule("K-DECIDE-36")
def test_a_shut_lock_takes_the_step_and_shows_its_face() -> None:
    bench = locked(BY_KEY)

    bench.run(turn.take_step(bench.game), "house/c")

    assert bench.who(ADA).space == "house/b"
    assert bench.game_table.steps_left == 1
    assert bench.game_table.locks[STUDY].shown == "lock/study"


@rule("K-DECIDE-36")
def test_a_lock_that_shows_its_face_is_shown_once() -> None:
    bench = locked(BY_KEY)
    for _ in range(2):
        bench.run(turn.take_step(bench.game), "house/c")

    assert len(bench.happened(fe.LockShown)) == 1


@rule("K-DECIDE-36", "K-CARD-9")
def test_a_satisfied_lock_is_discarded_and_the_room_entered() -> None:
    bench = locked(BY_KEY)
    newcomers.gain_item(bench.game, ADA, "item/key")

    bench.run(turn.take_step(bench.game), "house/c")

    assert bench.who(ADA).space == "house/c"
    assert not bench.game_table.locks
    assert bench.game_table.spent_items == ("item/key",)


@rule("K-DECIDE-36")
@pytest.mark.parametrize(
    ("roll", "space", "harm"), [(5, "house/c", (0, 1)), (6, "house/b", (1, 0))]
)
def test_the_text_of_a_lock_is_resolved_either_way(
    roll: int, space: str, harm: tuple[int, int]
) -> None:
    bench = locked(BY_FORCE)
    bench.give_rolls(roll)

    bench.run(turn.take_step(bench.game), "house/c")

    ada = bench.who(ADA)
    assert (ada.space, (ada.damage, ada.horror)) == (space, harm)


@rule("K-DECIDE-36")
def test_the_keeper_cannot_move_anybody_into_a_locked_room() -> None:
    bench = locked(BY_KEY)
    bench.run(movement.put(bench.game, ADA, "house/c"))
    assert bench.who(ADA).space == "house/b"

    bench.run(effects.resolve(bench.game, (Move(spaces=1),), Source("mythos/any", ADA)), ...)
    assert bench.open is not None
    assert "house/c" not in repr(bench.open.prompts)


@rule("K-DECIDE-104")
def test_a_lock_stops_nobody_from_leaving_or_from_moving_inside() -> None:
    bench = locked(BY_KEY, at={ADA: "house/c"})

    bench.run(turn.take_step(bench.game), "house/b")

    assert bench.who(ADA).space == "house/b"
    assert STUDY in bench.game_table.locks


@rule("K-DECIDE-36")
def test_an_effect_can_open_a_lock() -> None:
    bench = locked(BY_KEY)

    bench.run(effects.resolve(bench.game, (UnlockStep(STUDY),) * 2, Source("event/one")))

    assert not bench.game_table.locks


@rule("K-DECIDE-36", "K-CARD-9")
def test_an_item_without_the_keyword_opens_nothing() -> None:
    bench = locked(BY_KEY)
    newcomers.gain_item(bench.game, ADA, "item/spade")

    bench.run(turn.take_step(bench.game), "house/c")

    assert bench.who(ADA).space == "house/b"


# Dropping, losing and gaining


@rule("K-ACT-5", "K-DECIDE-39", "K-DECIDE-40")
def test_any_number_of_items_is_dropped_by_one_action_in_the_room() -> None:
    bench = in_hall("item/spade", "item/key", "item/lamp")
    explore(bench)
    bench.run(turn.take_step(bench.game), "choice/end_turn")
    turn.begin(bench.game, ADA)

    bench.run(turn.take_step(bench.game), "choice/drop", ("item/key", "item/lamp"))

    assert [item.card for item in bench.game_table.lying[HALL]] == ["item/key", "item/lamp"]
    assert cards_of(bench) == ["item/spade"]
    assert not bench.game_table.has_action


@rule("K-EVADE-2", "K-DECIDE-30")
@pytest.mark.parametrize("action", ["choice/drop", "choice/explore"])
def test_an_action_that_is_no_attack_has_its_evade_test_first(action: str) -> None:
    bench = in_hall("clue/letter", monsters_at=[(RAT, "house/a")])
    newcomers.gain_item(bench.game, ADA, "item/key")
    bench.give_rolls(1)

    bench.run(turn.take_step(bench.game), action)

    kinds = [type(event) for event in bench.log]
    assert kinds.index(fe.TestEnded) < kinds.index(fe.ActionTaken)


@rule("K-ACT-5")
@pytest.mark.parametrize("drops", [True, False])
def test_an_effect_makes_somebody_drop_or_lose_an_item_of_their_choice(drops: bool) -> None:
    bench = in_hall()
    for card in ("item/spade", "item/key"):
        newcomers.gain_item(bench.game, ADA, card)
    effect = (LoseItem(drop=drops),)

    bench.run(effects.resolve(bench.game, effect, Source("mythos/any", ADA)), "item/spade")

    table = bench.game_table
    assert cards_of(bench) == ["item/key"]
    assert [one.card for one in table.lying.get(HALL, ())] == (["item/spade"] if drops else [])
    assert table.spent_items == (() if drops else ("item/spade",))


@pytest.mark.parametrize("named", [{"item": "item/key"}, {"keyword": Keyword.KEY}])
def test_an_effect_can_name_what_is_lost(named: dict[str, object]) -> None:
    bench = in_hall()
    for card in ("item/spade", "item/key"):
        newcomers.gain_item(bench.game, ADA, card)

    loss = (LoseItem(count=2, **named),)  # type: ignore[arg-type]
    bench.run(effects.resolve(bench.game, loss, Source("mythos/any", ADA)))

    assert cards_of(bench) == ["item/spade"]


def test_an_effect_gives_an_item_that_nobody_has() -> None:
    bench = in_hall(people=(ADA, BEN))
    gift = (Gain(item="item/key", who=Who.ALL),)

    for _ in range(2):
        bench.run(effects.resolve(bench.game, gift, Source("event/one")))

    assert [cards_of(bench, who) for who in (ADA, BEN)] == [["item/key"], []]


@rule("K-DECIDE-36", "K-TRAUMA-19")
def test_whom_a_trauma_card_kills_before_the_roll_has_not_failed_at_a_lock() -> None:
    """Otherwise the lock would deal what it deals for a failure, with nobody there."""
    lock = LockCard(
        "lock/study", Opening(test=OpeningTest(Attribute.STRENGTH)), failed=(Threat(3),)
    )
    bench = in_hall(people=(ADA, BEN), trauma=[insanity("dread", Kill())], locks={lock.id: lock})
    bench.run(harm.suffer(bench.game, ADA, horror=1))

    assert bench.run(locks.is_opened(bench.game, ADA, lock), {KIM: "insanity/dread"}) is False

    assert ADA not in bench.game_table.investigators
    assert bench.game_table.threat == 0

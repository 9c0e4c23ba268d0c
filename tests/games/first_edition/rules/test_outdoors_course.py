"""Named and unique monsters, and the end of the event cards: sections 16 and 18."""

import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema.story import (
    Exhaustion,
    LaidMonster,
    OnLastEvent,
    StoryEvent,
    TokenRow,
)
from content.games.first_edition.schema.targets import OfKind, Which
from protocol.common.events import Dealt
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep, Phase
from protocol.games.first_edition.words import MonsterClass
from server.games.first_edition.rules import effects, monsters
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules import house
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.lands import land
from tests.games.first_edition.rules.worlds import (
    ADA,
    RAT,
    by_id,
    monster_card,
    objective,
    told,
    world,
)

rule = pytest.mark.rule
HERE = Source("spell/any", ADA)
DOG = "monster/dog"
DOGS = by_id(monster_card(DOG, MonsterClass.BEAST))
RATS = objective("wake", targets=(RAT,))


# Named by the objective


@rule("W-NAMED-1", "W-NAMED-2", "W-DECIDE-36", "W-DECIDE-42", "W-EX-17")
@pytest.mark.parametrize("is_outdoor", [False, True])
def test_what_the_objective_names_is_not_killed_without_damage(is_outdoor: bool) -> None:
    """Another beast, which the objective does not name, is killed."""
    at = "pond/a" if is_outdoor else "house/a"
    made = {"objectives": (RATS, objective("flood"))}
    given = {"monsters": DOGS, "monsters_at": [(RAT, at), (DOG, at)], "story": made}
    bench = land(**given) if is_outdoor else world(**given)  # type: ignore[arg-type]

    bench.run(effects.resolve(bench.game, (steps.KillMonster(Which.ALL),), HERE))

    assert [one.kind for one in bench.game_table.monsters.values()] == [RAT]
    assert told(bench) == [Text("result/withstands", (RAT,))]


@rule("W-NAMED-1")
def test_damage_kills_what_the_objective_names() -> None:
    bench = land(monsters_at=[(RAT, "pond/a")], story={"objectives": (RATS, objective("flood"))})

    bench.run(effects.resolve(bench.game, (steps.HurtMonster(9, OfKind(RAT)),), HERE))

    assert not bench.game_table.monsters


# Unique monsters

COUNT = "monster/count"
COUNTS = by_id(monster_card(COUNT, MonsterClass.HUMANOID, figures=1, named=True))
AWAKE, ASLEEP = "back/count-1", "back/count-2"
UNIQUE = LaidMonster(
    COUNT,
    "house/c",
    (TokenRow(AWAKE, {"goal": "wake"}), TokenRow(ASLEEP, {"goal": "flood"})),
)


@rule("W-DECIDE-37", "W-CARD-3", "W-SECRET-13")
@pytest.mark.parametrize(("goal", "token"), [("wake", AWAKE), ("flood", ASLEEP)])
def test_the_answers_choose_the_token_under_a_unique_monster_and_nobody_else_knows_it(
    goal: str, token: str
) -> None:
    bench = house.before_setup(cards={"monsters": COUNTS}, monsters=(UNIQUE,), variants=False)

    go(bench, {KIM: (goal,), 1: (0, 0)})

    (monster,) = house.view(bench, KIM).monsters.values()
    assert monster.back.value.back == token
    for seat in (1, None):
        (seen,) = house.view(bench, seat).monsters.values()
        assert not seen.back.is_open


@rule("W-DECIDE-37")
@pytest.mark.parametrize("token", [AWAKE, ASLEEP])
def test_the_story_chooses_the_token_of_one_that_comes_later(token: str) -> None:
    bench = world(monsters=COUNTS)

    bench.run(effects.resolve(bench.game, (steps.PlaceMonster(COUNT, "house/c", 1, token),), HERE))

    assert bench.monster().back.value.back == token


@rule("W-DECIDE-37", "W-SECRET-13")
@pytest.mark.parametrize("under_the_first", [AWAKE, ASLEEP])
def test_nothing_shows_whether_the_token_that_is_named_lies_under_another_monster(
    under_the_first: str,
) -> None:
    counts = by_id(monster_card(COUNT, MonsterClass.HUMANOID, figures=2))
    bench = world(monsters=counts)
    monsters.put(bench.game, COUNT, "house/c", under_the_first)

    monsters.put(bench.game, COUNT, "house/c", AWAKE)

    assert {one.back.value.back for one in bench.game_table.monsters.values()} == {AWAKE, ASLEEP}
    assert [one.purpose for one in bench.happened(Dealt)] == [f"token {COUNT}"] * 2


@rule("W-DECIDE-37", "K-INFO-4")
def test_the_token_of_a_unique_monster_is_shown_like_that_of_any() -> None:
    bench = world(monsters=COUNTS)
    monsters.put(bench.game, COUNT, "house/c", ASLEEP)

    monsters.show_back(bench.game, bench.monster().monster_id)

    assert [one.card for one in bench.happened(fe.MonsterBackShown)] == [ASLEEP]


# The event cards


def at_step_6(exhaustion: Exhaustion, *, is_outdoor: bool = True) -> Bench:
    """Return a game whose last event is resolved in this step."""
    fields = {
        "events": (StoryEvent("event/last", 1),),
        "objectives": (objective("wake", last=OnLastEvent.NONE), objective("flood")),
        "event_exhaustion": exhaustion,
        "outdoor": is_outdoor,
    }
    bench = world(step=KeeperStep.EVENT, story=fields)
    go(bench)
    return bench


@rule("W-EVENT-1", "W-DECIDE-41")
def test_the_last_event_ends_nothing_where_the_story_goes_on() -> None:
    bench = at_step_6(Exhaustion.CONTINUE)

    assert bench.game_table.ending is None
    assert bench.game_table.resolved == ("event/last",)


@rule("W-DECIDE-41", "W-DECIDE-42")
def test_it_ends_the_game_where_the_story_says_so() -> None:
    bench = at_step_6(Exhaustion.END, is_outdoor=False)

    assert bench.game_table.phase is Phase.OVER


@rule("W-EVENT-2", "W-EVENT-3", "W-EX-16")
def test_without_event_cards_the_step_is_skipped_and_rounds_go_on() -> None:
    bench = at_step_6(Exhaustion.CONTINUE)
    for _ in range(2):
        go(bench)
    assert (bench.game_table.phase, bench.game_table.round_number) == (Phase.INVESTIGATORS, 2)

    bench.emit(fe.KeeperStepBegan(KeeperStep.EVENT))
    bench.log.clear()
    go(bench)

    assert bench.log == [fe.KeeperStepBegan(KeeperStep.END)]
    go(bench)
    assert (bench.game_table.ending, bench.game_table.round_number) == (None, 3)

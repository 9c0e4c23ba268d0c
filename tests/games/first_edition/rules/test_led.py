"""Investigators whom an effect moves: K-EVADE-10, and what stops the keeper."""

from typing import Any

import pytest

from content.games.first_edition.schema.cards import LockCard, Opening, Trigger
from content.games.first_edition.schema.effects import Count, Move
from content.games.first_edition.schema.story import Counter, Deed, LockRow
from content.games.first_edition.schema.targets import Who
from protocol.boards.links import Link
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import MYTHOS_HAND
from protocol.games.first_edition.words import FeatureKind, Keyword
from server.games.first_edition.rules import effects, mythos, turn
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    HALL,
    RAT,
    STUDY,
    by_id,
    mythos_card,
    world,
)

rule = pytest.mark.rule
STOP = "choice/end_leading"
LOCK = LockCard("lock/study", Opening(keyword=Keyword.KEY))


def move(bench: Bench, step: Move, *answers: Any) -> None:
    bench.run(effects.resolve(bench.game, (step,), Source("mythos/any", ADA)), *answers)


def spaces(bench: Bench) -> list[str]:
    return [one.space for one in bench.happened(fe.Moved)]


@rule("K-EVADE-10", "K-HORROR-1", "K-HORROR-3")
def test_the_keeper_leads_space_by_space_and_entering_a_room_frightens() -> None:
    bench = world(monsters_at=[(RAT, "house/a"), (RAT, "house/c")])
    bench.give_rolls(10)

    move(bench, Move(2), "house/b", "house/c")

    assert spaces(bench) == ["house/b", "house/c"]
    assert [one.kind.value for one in bench.happened(fe.TestDeclared)] == ["horror"]
    assert [list(ask.prompts) for ask in bench.asked] == [[KIM], [KIM]]


@rule("K-EVADE-10")
def test_the_keeper_may_lead_less_far() -> None:
    bench = world()

    move(bench, Move(3), "house/b", STOP)

    assert spaces(bench) == ["house/b"]
    assert {ask.prompts[KIM].ending_places for ask in bench.asked} == {(0,)}


@rule("K-EVADE-10")
def test_steps_and_action_of_the_turn_stay() -> None:
    bench = world()

    move(bench, Move(1), "house/b")

    assert (bench.game_table.steps_left, bench.game_table.has_action) == (2, True)


@rule("K-DECIDE-36")
def test_the_keeper_leads_nobody_into_a_locked_room() -> None:
    bench = world(
        at={ADA: "house/b"}, locks=by_id(LOCK), story={"locks": (LockRow(STUDY, LOCK.id),)}
    )

    move(bench, Move(1), STOP)
    move(bench, Move(to=STUDY))

    assert spaces(bench) == []
    assert "house/c" not in repr(bench.asked[0].prompts)
    assert bench.game_table.locks[STUDY].shown is None


@rule("K-DECIDE-104")
def test_a_lock_does_not_stop_whoever_is_behind_it_already() -> None:
    bench = world(
        at={ADA: "house/c"}, locks=by_id(LOCK), story={"locks": (LockRow(STUDY, LOCK.id),)}
    )

    move(bench, Move(1), "house/b")

    assert spaces(bench) == ["house/b"]


@rule("K-BARR-3")
def test_the_keeper_leads_nobody_through_a_barricade() -> None:
    bench = world(at={ADA: "house/b"}, features=[(FeatureKind.BARRICADE, "house/c")])
    bench.emit(fe.BarricadeSet("f1", "house/b"))

    move(bench, Move(1), STOP)

    assert "house/c" not in repr(bench.asked[0].prompts)


@rule("K-LADDER-1", "K-DUCT-2")
@pytest.mark.parametrize(("kind", "can"), [("ladder", True), ("duct", False)])
def test_ladders_may_be_used_and_ducts_not(kind: str, can: bool) -> None:
    bench = world(links=[Link(kind, ("house/a", "house/c"))])

    move(bench, Move(1), STOP)

    assert ("house/c" in repr(bench.asked[0].prompts)) is can


@rule("K-DECIDE-85")
def test_whoever_is_moved_is_no_longer_hidden() -> None:
    bench = world(features=[(FeatureKind.HIDING_SPOT, "house/a")])
    bench.emit(fe.Hid(ADA, "f1"))

    move(bench, Move(to="house/b"))

    assert bench.who(ADA).hidden_in is None


@rule("K-DECIDE-87")
def test_a_corpse_is_not_dragged_along() -> None:
    bench = world(features=[(FeatureKind.CORPSE, "house/a")])

    move(bench, Move(1), "house/b")

    assert bench.game_table.features["f1"].at == "house/a"


@rule("K-FIRE-2")
def test_whoever_is_moved_into_fire_takes_no_test_of_will() -> None:
    bench = world(at={ADA: "house/b"}, features=[(FeatureKind.FIRE, STUDY)])

    move(bench, Move(1), "house/c")

    assert not bench.happened(fe.TestDeclared)


@rule("K-CARD-4")
def test_an_effect_may_put_people_somewhere_and_the_keeper_chooses_the_space() -> None:
    bench = world((ADA, BEN), at={ADA: "house/c", BEN: "house/c"})

    move(bench, Move(to=HALL, who=Who.ALL), "house/b", "house/a")

    assert (bench.who(ADA).space, bench.who(BEN).space) == ("house/b", "house/a")


@rule("K-EVADE-10")
def test_nobody_moves_to_where_they_are() -> None:
    bench = world()

    move(bench, Move(to="house/a"))

    assert spaces(bench) == []


@rule("K-ACT-2", "K-EVADE-9")
def test_an_action_of_a_room_is_lost_if_its_evade_test_leads_out_of_the_room() -> None:
    fog = mythos_card("fog", Move(to=STUDY), face_down=Trigger.TEST_FAILED)
    story = {
        "deeds": (Deed("deed/ring", (Count("rung"),), room=HALL),),
        "counters": (Counter("rung"),),
    }
    bench = world(mythos=[fog], story=story, monsters_at=[(RAT, "house/a")])
    (handle,) = bench.game_table.hand(MYTHOS_HAND)
    bench.run(mythos.play_card(bench.game, ADA, handle))
    bench.give_rolls(10)
    spared = {KIM: 1}

    bench.run(turn.take_step(bench.game), "choice/deed", spared)

    assert bench.who(ADA).space == "house/c"
    assert bench.game_table.counters["rung"].amount == 0
    assert not bench.game_table.has_action

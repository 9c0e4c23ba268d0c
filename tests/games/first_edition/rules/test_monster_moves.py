"""Movement of monsters, and barricades before them: K-DECIDE-21, K-DECIDE-84, K-BARR-3 and 4."""

from typing import Any

import pytest

from content.games.first_edition.schema.cards import LockCard, Opening
from content.games.first_edition.schema.effects import MoveMonster, StunMonster
from content.games.first_edition.schema.story import LaidTile, LockRow
from content.games.first_edition.schema.targets import OfKind, Which
from protocol.boards.links import Link
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep
from protocol.games.first_edition.words import FeatureKind, Keyword, LowerUse
from server.games.first_edition.rules import adjacency, effects, rounds, turn
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.fights import deck, lower
from tests.games.first_edition.rules.worlds import (
    ADA,
    MAN,
    RAT,
    SHADE,
    STUDY,
    by_id,
    world,
)

rule = pytest.mark.rule
STOP = "choice/end_leading"
ROOMS = {"a": "room/hall", "b": "room/hall", "c": "room/study"}


def lead(bench: Bench, spaces: int, *answers: Any, which: Any = Which.ALL, most: int = 1) -> None:
    """Resolve a step that moves monsters."""
    step = MoveMonster(spaces, which, most)
    bench.run(effects.resolve(bench.game, (step,), Source("action/walk")), *answers)


def steps_of(bench: Bench) -> list[str]:
    """Return the spaces to which monsters moved, in order."""
    return [one.space for one in bench.happened(fe.MonsterMoved)]


def open_to(bench: Bench, at: int = -1) -> list[str]:
    """Return what the keeper was offered in a question, as subject and points."""
    options = bench.asked[at].prompts[KIM].options
    return [" ".join([o.text.subject, *(p.piece for p in o.points)]) for o in options]


@rule("K-DECIDE-21", "K-MAP-4")
def test_the_keeper_leads_a_monster_space_by_space_through_doors() -> None:
    bench = world(at={ADA: "house/c"}, monsters_at=[(RAT, "house/a")])
    bench.give_rolls(1)

    lead(bench, 2, "house/b", "house/c")

    assert steps_of(bench) == ["house/b", "house/c"]
    assert [ask.prompts[KIM].prompt.params for ask in bench.asked] == [
        ("action/walk", 2),
        ("action/walk", 1),
    ]
    assert open_to(bench, 1) == [STOP, "choice/lead_to m1 house/a", "choice/lead_to m1 house/c"]


@rule("K-DECIDE-21")
def test_it_may_stop_earlier_or_not_move_at_all() -> None:
    bench = world(monsters_at=[(RAT, "house/c")], at={ADA: "house/c"})

    lead(bench, 2, "house/b", STOP)
    lead(bench, 2, STOP)
    assert {ask.prompts[KIM].ending_places for ask in bench.asked} == {(0,)}

    assert steps_of(bench) == ["house/b"]


@rule("K-DECIDE-21", "K-CARD-3")
@pytest.mark.parametrize(("most", "moved"), [(1, 1), (2, 2), (0, 3)])
def test_as_many_monsters_as_the_card_says_one_after_another(most: int, moved: int) -> None:
    bench = world(
        at={ADA: "house/c"},
        monsters_at=[(RAT, "house/a"), (MAN, "house/a"), (SHADE, "house/a")],
    )
    answers = ["m1", "m2", "m3"][:moved]

    lead(bench, 1, *answers, most=most)

    assert [one.monster for one in bench.happened(fe.MonsterMoved)] == answers


@rule("K-DECIDE-21")
def test_a_monster_that_was_left_for_another_goes_no_further() -> None:
    bench = world(at={ADA: "house/c"}, monsters_at=[(RAT, "house/a"), (MAN, "house/a")])

    lead(
        bench,
        2,
        lambda one: "m1" in repr(one.points),
        lambda one: "m2" in repr(one.points),
        STOP,
        most=2,
    )

    assert not any("m1" in one for one in open_to(bench))
    assert any("m2" in one for one in open_to(bench))


@rule("K-CARD-3")
def test_only_monsters_that_the_card_means_are_led() -> None:
    bench = world(at={ADA: "house/c"}, monsters_at=[(RAT, "house/a"), (MAN, "house/a")])

    lead(bench, 1, STOP, which=OfKind(MAN))

    assert open_to(bench) == [STOP, "choice/lead_to m2 house/b"]


@rule("K-STUN-6", "K-STUN-1")
def test_a_stunned_monster_cannot_move() -> None:
    bench = world(at={ADA: "house/c"}, monsters_at=[(RAT, "house/a"), (MAN, "house/a")])
    bench.run(effects.resolve(bench.game, (StunMonster(1, OfKind(RAT)),), Source("action/any")))

    lead(bench, 1, "m2")

    (refused,) = bench.asked[0].prompts[KIM].refused
    assert (refused.text.params, refused.rule) == ((RAT,), "K-STUN-6")


@rule("K-STUN-6")
def test_if_all_are_stunned_nobody_is_asked() -> None:
    bench = world(monsters_at=[(RAT, "house/a")])
    bench.set_monster("m1", stun=1)

    lead(bench, 2)

    assert bench.asked == []


@rule("K-DECIDE-21", "K-DECIDE-104")
def test_a_lock_does_not_stop_a_monster() -> None:
    lock = LockCard("lock/study", Opening(keyword=Keyword.KEY))
    bench = world(
        monsters_at=[(RAT, "house/c")],
        locks=by_id(lock),
        story={"locks": (LockRow(STUDY, lock.id),)},
    )
    bench.give_rolls(1)

    lead(bench, 2, "house/b", "house/c")

    assert bench.monster().space == "house/c"
    assert STUDY in bench.game_table.locks


@rule("K-DECIDE-26", "K-FIRE-1")
def test_a_monster_walks_into_fire_and_burns_at_the_end_of_the_keepers_turn() -> None:
    bench = world(
        monsters_at=[(RAT, "house/b")],
        features=[(FeatureKind.FIRE, STUDY)],
        step=KeeperStep.ACTIONS,
    )

    lead(bench, 1, "house/c")
    assert bench.monster().damage == 0
    bench.run(rounds.end_round(bench.game))

    assert bench.monster().damage == 2
    assert not bench.happened(fe.TestDeclared)


CLOSED = """
+-----+-----+-----+
|  a  |  b  =  c  |
+-----+-----+-----+
"""
LADDER, DUCT = Link("ladder", ("house/a", "house/c")), Link("duct", ("house/a", "house/c"))


@rule("K-LADDER-1", "K-LADDER-2", "K-DUCT-1", "K-DUCT-2", "K-DECIDE-86")
@pytest.mark.parametrize("link", [LADDER, DUCT])
@pytest.mark.parametrize("kind", [RAT, MAN, SHADE])
def test_each_class_uses_its_own_links(kind: str, link: Link) -> None:
    bench = world(
        at={ADA: "house/b"},
        monsters_at=[(kind, "house/a")],
        links=[link],
        story={"tiles": (LaidTile("house", 0, 0, CLOSED.strip("\n"), ROOMS),)},
    )
    can = (kind, link.kind) in {(MAN, "ladder"), (RAT, "duct")}

    lead(bench, 2, *(["house/c", STOP] if can else []))

    assert steps_of(bench) == (["house/c"] if can else [])


def barricaded(*halves: Any, kind: str = RAT, **parts: Any) -> Bench:
    """Return a bench where a barricade keeps a monster out of the hall."""
    bench = world(
        **{
            "monsters_at": [(kind, "house/c")],
            "features": [(FeatureKind.BARRICADE, "house/b")],
            "combat": deck(*halves),
            **parts,
        }
    )
    bench.emit(fe.BarricadeSet("f1", "house/c"))
    return bench


HOLDS, BREAKS = lower(LowerUse.BARRICADE), lower(LowerUse.BARRICADE, breaks=True)


@rule("K-BARR-4", "K-DECIDE-84", "K-EX-25", "K-DECIDE-52", "K-COMBAT-6")
def test_cards_are_drawn_until_one_is_against_a_barricade() -> None:
    bench = barricaded(lower(), lower(), HOLDS)

    lead(bench, 2, "choice/assault")

    drawn = bench.happened(fe.CombatCardDrawn)
    assert [one.is_match for one in drawn] == [False, False, True]
    assert bench.who(ADA).damage == 0


@rule("K-DECIDE-84", "K-BARR-3")
def test_if_it_holds_the_rest_of_the_move_is_lost() -> None:
    bench = barricaded(HOLDS)

    lead(bench, 3, "choice/assault")

    assert bench.monster().space == "house/c"
    assert list(bench.game_table.features) == ["f1"]
    assert len(bench.asked) == 1


@rule("K-DECIDE-84")
def test_another_monster_may_still_be_led_after_one_was_held() -> None:
    bench = barricaded(HOLDS, monsters_at=[(RAT, "house/c"), (MAN, "house/a")])

    lead(bench, 3, "choice/assault", STOP, most=2)

    assert open_to(bench) == [STOP, "choice/lead_to m2 house/b"]


@rule("K-DECIDE-84", "K-BARR-4")
def test_if_it_breaks_the_barricade_is_gone_and_the_monster_may_go_on() -> None:
    bench = barricaded(BREAKS)
    bench.give_rolls(1)

    lead(bench, 1, "choice/assault", "house/b")

    assert bench.game_table.features == {}
    assert bench.monster().space == "house/b"
    assert [one.kind.value for one in bench.happened(fe.TestDeclared)] == ["horror"]


@rule("K-DECIDE-84")
def test_it_need_not_go_on() -> None:
    bench = barricaded(BREAKS)

    lead(bench, 1, "choice/assault", STOP)

    assert bench.monster().space == "house/c"
    assert bench.game_table.features == {}


@rule("K-BARR-4", "K-COMBAT-3")
def test_the_cards_come_from_the_deck_of_the_class() -> None:
    bench = barricaded(HOLDS, kind=MAN)

    lead(bench, 1, "choice/assault")

    assert {one.class_.value for one in bench.happened(fe.CombatCardDrawn)} == {"humanoid"}


@rule("K-BARR-3")
def test_a_barricaded_door_stops_investigators_without_a_try() -> None:
    bench = barricaded(HOLDS, at={ADA: "house/b"})

    bench.run(turn.take_step(bench.game), "choice/end_turn")

    refused = bench.asked[0].prompts[1].refused
    assert [one.rule for one in refused if one.text.subject == "choice/move"] == ["K-BARR-3"]


@rule("K-BARR-3", "K-LADDER-1")
def test_a_barricade_before_a_door_does_not_block_a_link_between_the_same_spaces() -> None:
    bench = barricaded(HOLDS, kind=MAN, links=[Link("ladder", ("house/b", "house/c"))])
    bench.give_rolls(1)

    lead(bench, 1, "choice/lead_to")

    assert bench.monster().space == "house/b"
    table = bench.game_table
    assert adjacency.barricade_between(table, "house/b", "house/c", ("duct",)) == "f1"


@rule("K-BARR-2", "K-BARR-3")
def test_a_barricade_that_stands_open_stops_nobody() -> None:
    bench = barricaded(HOLDS)
    bench.emit(fe.BarricadeSet("f1", None))
    bench.give_rolls(1)

    lead(bench, 1, "choice/lead_to")

    assert bench.monster().space == "house/b"


BREACH = """
+-----+-----+-----+
|     :     |     |
|  a  =  b  |  c  |
|     =     |     |
+-----+-----+-----+
"""


@rule("K-BARR-3")
def test_a_barricade_before_a_door_does_not_block_an_open_line_beside_it() -> None:
    bench = barricaded(
        HOLDS,
        at={ADA: "house/c"},
        monsters_at=[(RAT, "house/a")],
        story={"tiles": (LaidTile("house", 0, 0, BREACH.strip("\n"), ROOMS),)},
    )
    bench.emit(fe.BarricadeSet("f1", "house/a"))

    lead(bench, 1, "choice/lead_to")

    assert bench.monster().space == "house/b"

"""Barricades and investigators: shifting them, and forcing them from behind."""

from typing import Any

import pytest

from content.games.second_edition.schema.effects import (
    Forfeit,
    PlaceFeature,
    PlaceInvestigator,
    RemoveFeature,
)
from content.games.second_edition.schema.scenario import TokenCard
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    ActionForfeited,
    BarricadeShifted,
    TestDeclared,
    TestFinished,
    Told,
)
from protocol.games.second_edition.table import Skill, TokenKind
from server.games.second_edition.rules import adjacency, movement
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    DROWNED,
    HOUSE,
    HOUSE_ROOMS,
    entry,
    investigator_card,
    monster_card,
    offered,
    proceed,
    refused,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolve, spent, with_clues
from tests.games.second_edition.rules.worlds_ways import (
    BARRICADE,
    PASSAGE,
    against,
    barricade,
    barricades,
    cells,
    rooms,
)

rule = pytest.mark.rule
DOOR, OTHER = "house/1", "house/2"
STRONG = investigator_card(strength=4)


def at_barricades(bench: Bench) -> list[str]:
    """Return the offers about Barricades, each with its door."""
    offers = [o.split() for o in offered(bench)]
    kinds = ("choice/block", "choice/unblock", "choice/force")
    return [f"{o[0]} {o[-1]}" for o in offers if o[0] in kinds]


# Beside one ----------------------------------------------------------------------------------


@rule("BARRICADE-2", "COMPONENT-3", "COMPONENT-5")
def test_a_free_barricade_is_moved_against_a_door() -> None:
    bench = rooms(at={ADA: "house/b"})
    barricade(bench, "b")

    proceed(bench, lambda o: o.text.subject == "choice/block" and DOOR in str(o.points))

    assert against(bench) == [DOOR]
    assert spent(bench) == ["component"]
    assert adjacency.steps(bench.game_table, "house/b") == ("house/c",)
    assert adjacency.steps(bench.game_table, "house/a") == ()


@rule("BARRICADE-2", "DECIDE-11", "BARRICADE-1")
def test_a_barricade_is_moved_against_a_secret_passage() -> None:
    bench = cells("a", "c")
    barricade(bench, "a")

    assert len(at_barricades(bench)) == 1
    proceed(bench, "choice/block")

    assert against(bench) == ["secret_passage/house/a"]
    assert adjacency.steps(bench.game_table, "house/a") == ()


@rule("BARRICADE-3")
def test_a_barricade_is_moved_away_from_what_it_blocks() -> None:
    bench = rooms(at={ADA: "house/b"})
    barricade(bench, "b", DOOR)

    proceed(bench, "choice/unblock")

    assert against(bench) == [None]
    assert spent(bench) == ["component"]
    assert adjacency.steps(bench.game_table, "house/a") == ("house/b",)


@rule("DECIDE-93")
def test_from_one_door_straight_to_another_is_one_action() -> None:
    bench = rooms(at={ADA: "house/b"})
    barricade(bench, "b", DOOR)

    proceed(bench, "choice/block")

    assert against(bench) == [OTHER]
    assert spent(bench) == ["component"]


@rule("BARRICADE-4", "BARRICADE-2")
def test_a_barricade_stays_in_its_space() -> None:
    beside, away = rooms(at={ADA: "house/a"}), rooms(at={ADA: "house/b"})
    for bench in (beside, away):
        barricade(bench, "a")

    assert at_barricades(beside) == [f"choice/block {DOOR}"]
    assert at_barricades(away) == []
    proceed(beside, "choice/block")
    assert [one.space for one in barricades(beside)] == ["house/a"]


@rule("DECIDE-97")
def test_a_door_can_bear_an_explore_token_and_a_barricade() -> None:
    token = TokenCard("token/door", TokenKind.EXPLORE, DOOR, ())
    bench = rooms(at={ADA: "house/a"}, tokens=[token])
    barricade(bench, "a")

    proceed(bench, "choice/block")

    assert against(bench) == [DOOR]
    bench.run(movement.may_enter(bench.game, ADA, DOOR))
    assert bench.game_table.tokens == {}
    assert where(bench)[ADA] == "house/a"


@rule("MOVE-8", "BARRICADE-5")
def test_nobody_moves_through_a_blocked_door() -> None:
    for side in "ab":
        bench = rooms(at={ADA: f"house/{side}"})
        barricade(bench, "b", DOOR)

        other = {"a": "house/b", "b": "house/a"}[side]
        assert f"choice/move_to {other}" not in offered(bench)
        assert refused(bench, "choice/move_to") == [("choice/move_to", "MOVE-8")]


@rule("DECIDE-92")
def test_a_door_with_one_on_each_side_stays_blocked_until_both_are_gone() -> None:
    bench = rooms(at={ADA: "house/a"})
    barricade(bench, "a", DOOR)
    barricade(bench, "b", DOOR)

    proceed(bench, "choice/unblock")

    assert against(bench) == [None, DOOR]
    assert adjacency.steps(bench.game_table, "house/a") == ()
    bench.emit(BarricadeShifted("barricade/house/b", None))
    assert adjacency.steps(bench.game_table, "house/a") == ("house/b",)


def test_of_several_free_barricades_one_is_offered() -> None:
    """Free Barricades are interchangeable; a Barricade that blocks something is not."""
    bench = rooms(at={ADA: "house/a"})
    barricade(bench, "a")
    barricade(bench, "a")
    barricade(bench, "a", DOOR)

    assert [one.feature_id for one in barricades(bench)] == [
        "barricade/house/a",
        "barricade/house/a/2",
        "barricade/house/a/3",
    ]
    assert at_barricades(bench) == [f"choice/block {DOOR}", f"choice/unblock {DOOR}"]


def test_a_door_to_nowhere_without_a_name_cannot_be_blocked() -> None:
    """The name of such a door changes once its other side is known."""
    picture = "+---+\n| a =\n+---+"
    bench = world(tiles=[tile(picture)])
    barricade(bench, "a")

    assert at_barricades(bench) == []


def test_what_lies_across_the_room_is_not_blocked_at_first() -> None:
    bench = rooms()
    barricade(bench, "a", OTHER)

    assert against(bench) == [None]


@rule("EVADE-4")
def test_shifting_among_monsters_takes_an_evade_check() -> None:
    strict = monster_card(evades=(entry(Forfeit(), text="text/evade"),))
    bench = rooms(monsters=[(DROWNED, "house/a")], monster_cards=[strict])
    barricade(bench, "a", DOOR)

    proceed(bench, "choice/unblock")

    assert [e.text.subject for e in bench.happened(Told)] == ["text/evade"]
    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "component")]
    assert against(bench) == [DOOR]


def test_whoever_is_carried_off_by_the_check_shifts_nothing() -> None:
    thrower = monster_card(evades=(entry(PlaceInvestigator("house/c")),))
    bench = rooms(monsters=[(DROWNED, "house/a")], monster_cards=[thrower])
    barricade(bench, "a", DOOR)

    proceed(bench, "choice/unblock")

    assert against(bench) == [DOOR]
    assert spent(bench) == ["component"]


# Behind one ----------------------------------------------------------------------------------


def shut_out(*, side: str = "a", **parts: Any) -> Bench:
    """Return a bench with Ada (Strength 4) on the far side of a blocked door."""
    bench = rooms(at={ADA: f"house/{side}"}, investigators=[STRONG], **parts)
    barricade(bench, "b", DOOR)
    return bench


@rule("EX-17", "BARRICADE-6", "BARRICADE-7", "BARRICADE-8", "BARRICADE-9")
def test_a_barricade_is_forced_from_the_far_side() -> None:
    bench = shut_out()
    bench.give_dice("SSIB")

    proceed(bench, "choice/force", "house/b")

    assert bench.happened(TestDeclared) == [TestDeclared(ADA, Skill.STRENGTH, 0, 2, 4)]
    assert bench.happened(BarricadeShifted) == [BarricadeShifted("barricade/house/b", None)]
    assert [one.space for one in barricades(bench)] == ["house/b"]
    assert where(bench)[ADA] == "house/b"
    assert spent(bench) == ["component"]


@rule("EX-17", "BARRICADE-8", "DECIDE-96")
def test_one_success_spends_the_action_and_forfeits_none() -> None:
    bench = shut_out()
    bench.give_dice("SIBB")

    proceed(bench, "choice/force")

    assert against(bench) == [DOOR]
    assert spent(bench) == ["component"]
    assert bench.happened(ActionForfeited) == []
    assert where(bench)[ADA] == "house/a"


@rule("BARRICADE-8")
def test_clues_help_in_that_test() -> None:
    bench = with_clues(shut_out(), 1)
    bench.give_dice("SIBB")

    proceed(bench, "choice/force", "choice/spend_clues", "choice/stay")

    assert bench.happened(TestFinished)[0].successes == 2
    assert against(bench) == [None]


@rule("BARRICADE-9")
def test_going_through_can_be_declined() -> None:
    bench = shut_out()
    bench.give_dice("SSSS")

    proceed(bench, "choice/force", "choice/stay")

    assert where(bench)[ADA] == "house/a"
    assert against(bench) == [None]


@rule("BARRICADE-9", "DECIDE-92")
def test_what_is_blocked_on_this_side_too_is_not_gone_through() -> None:
    bench = shut_out()
    barricade(bench, "a", DOOR)
    bench.give_dice("SSBB")

    proceed(bench, "choice/force")

    assert against(bench) == [None, DOOR]
    assert where(bench)[ADA] == "house/a"


@rule("BARRICADE-9")
def test_through_there_means_through_that_very_door() -> None:
    """A Secret Passage to the same space is a different connection and takes a move."""
    bench = shut_out()
    barricade(bench, "a", DOOR)
    for space in "ab":
        resolve(bench, PlaceFeature(PASSAGE, f"house/{space}"))
    bench.give_dice("SSBB")

    proceed(bench, "choice/force")

    assert against(bench) == [None, DOOR]
    assert where(bench)[ADA] == "house/a"


def test_of_several_behind_one_door_one_is_offered() -> None:
    bench = shut_out()
    barricade(bench, "b", DOOR)
    assert at_barricades(bench) == ["choice/force house/b"]
    bench.give_dice("SSBB SSBB")

    proceed(bench, "choice/force")
    proceed(bench, "choice/force", "choice/stay")

    assert against(bench) == [None, None]


def test_whoever_is_carried_off_by_the_check_forces_nothing() -> None:
    thrower = monster_card(evades=(entry(PlaceInvestigator("house/c")),))
    bench = shut_out(monsters=[(DROWNED, "house/a")], monster_cards=[thrower])

    proceed(bench, "choice/force")

    assert bench.happened(TestDeclared) == []
    assert against(bench) == [DOOR]


def test_what_the_check_has_taken_away_is_not_blocked() -> None:
    collapse = monster_card(evades=(entry(RemoveFeature(PASSAGE, "all")),))
    bench = cells("a", "c", monsters=[(DROWNED, "house/a")], monster_cards=[collapse])
    barricade(bench, "a")

    proceed(bench, "choice/block")

    assert against(bench) == [None]


@rule("BARRICADE-9", "DECIDE-35")
def test_going_through_past_a_monster_is_evaded_for() -> None:
    """The first evade check is for the action, the second for leaving the space.

    Forfeiting the second check loses the step.
    """
    strict = monster_card(evades=(entry(text="text/evade"),))
    bench = shut_out(monsters=[(DROWNED, "house/a")], monster_cards=[strict])
    bench.give_dice("SSBB")

    proceed(bench, "choice/force", "choice/slip_away")

    assert [e.text.subject for e in bench.happened(Told)] == ["text/evade"] * 2
    assert where(bench)[ADA] == "house/b"


@rule("BARRICADE-6", "DECIDE-95")
def test_only_beyond_that_very_door_is_behind() -> None:
    """The attic is adjacent to the Barricade's space too, but not through this door."""
    assert "choice/force house/b" in at_barricades(shut_out(side="a"))
    assert at_barricades(shut_out(side="c")) == []


@rule("BARRICADE-7")
def test_in_the_same_room_nobody_is_behind() -> None:
    bench = world(tiles=[tile("+---+---+\n| a 1 b |\n+---+---+")])
    barricade(bench, "b", DOOR)

    assert at_barricades(bench) == []


@rule("BARRICADE-7", "DECIDE-95")
def test_from_the_same_side_it_is_not_forced() -> None:
    bench = world(tiles=[tile(HOUSE, HOUSE_ROOMS)], at={ADA: "house/a"})
    barricade(bench, "b", DOOR)

    assert at_barricades(bench) == []


@rule("BARRICADE-6", "DECIDE-94", "DECIDE-95")
def test_a_blocked_passage_is_forced_from_any_other_open_one() -> None:
    bench = cells("a", "b", "d", at={ADA: "house/d"})
    barricade(bench, "a", "passage")
    bench.give_dice("SSB")

    proceed(bench, "choice/force", "choice/move_to")

    assert against(bench) == [None]
    assert where(bench)[ADA] == "house/a"


@rule("DECIDE-95")
def test_from_a_passage_that_is_blocked_itself_no_other_is_forced() -> None:
    bench = cells("a", "d", at={ADA: "house/d"})
    barricade(bench, "a", "passage")
    barricade(bench, "d", "passage")

    assert [o.split()[0] for o in at_barricades(bench)] == ["choice/unblock"]


# Naming what is blocked ----------------------------------------------------------------------


@rule("COMPASS-1", "DECIDE-108")
@pytest.mark.parametrize(
    ("picture", "side"),
    [
        ("+-1-+\n| a |\n+---+", "north"),
        ("+---+\n| a 1\n+---+", "east"),
        ("+---+\n| a |\n+-1-+", "south"),
        ("+---+\n1 a |\n+---+", "west"),
    ],
)
def test_a_door_is_named_by_its_side(picture: str, side: str) -> None:
    bench = world(tiles=[tile(picture)])
    barricade(bench, "a")
    offered(bench)

    assert bench.open is not None
    (option,) = [o for o in bench.open.prompts[0].options if o.text.subject == "choice/block"]
    assert option.text == Text("choice/block", (Text("name/door_unknown", (f"compass/{side}",)),))


@rule("COMPASS-1")
def test_a_door_is_named_by_what_lies_behind_it() -> None:
    bench = rooms(at={ADA: "house/c"})
    barricade(bench, "c")
    offered(bench)

    assert bench.open is not None
    texts = [o.text for o in bench.open.prompts[0].options]
    name = Text("name/door", ("compass/west", "room/study"))
    assert Text("choice/block", (name,)) in texts


@rule("BARRICADE-2")
@rule("EVADE-4")
def test_a_barricade_that_the_check_broke_is_not_moved() -> None:
    breaks = monster_card(evades=(entry(RemoveFeature(BARRICADE, "all")),))
    bench = rooms(monsters=[(DROWNED, "house/a")], monster_cards=[breaks])
    barricade(bench, "a", DOOR)

    proceed(bench, "choice/unblock")

    assert barricades(bench) == []
    assert bench.game_table.actions_left == 1

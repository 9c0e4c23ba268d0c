"""Secret Passages: each leads to all others."""

import pytest

from content.games.second_edition.schema.effects import PlaceFeature
from protocol.games.second_edition.events import InvestigatorMoved
from protocol.games.second_edition.table import FeatureKind
from server.games.second_edition.rules import activation, adjacency, darkness, distance
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    ROW,
    neighbours,
    offered,
    proceed,
    refused,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolve
from tests.games.second_edition.rules.worlds_ways import PASSAGE, barricade, cells

rule = pytest.mark.rule


@rule("PASSAGE-1")
def test_all_spaces_with_a_secret_passage_are_adjacent() -> None:
    table = cells("a", "c", "d").game_table

    assert neighbours(table, "house/a") == ("house/b", "house/c", "house/d")
    assert neighbours(table, "house/c") == ("house/b", "house/d", "house/a")
    assert adjacency.reached(table, "house/a") == ("house/c", "house/d")
    assert adjacency.reached(table, "house/b") == ()


@rule("PASSAGE-1")
def test_a_single_secret_passage_leads_nowhere() -> None:
    assert adjacency.steps(cells("a").game_table, "house/a") == ()


@rule("PASSAGE-2", "PASSAGE-3")
def test_an_investigator_goes_through_as_one_space() -> None:
    """Two spaces of a move go through two passages, and no farther."""
    bench = cells("a", "c", "d")

    proceed(bench, "house/d", "house/c")

    assert [e.space for e in bench.happened(InvestigatorMoved)][1:] == ["house/d", "house/c"]
    assert distance.distance(bench.game_table, "house/a", "house/d") == 1


@rule("PASSAGE-2")
def test_a_monster_goes_through() -> None:
    bench = cells("b", "d", at={ADA: "house/d"}, monsters=[(DROWNED, "house/b")])

    bench.run(activation.activate(bench.game, "m1"))

    assert where(bench)["m1"] == "house/d"


@rule("PASSAGE-2", "BARRICADE-1", "BARRICADE-5", "DECIDE-11", "DECIDE-94")
def test_a_blocked_passage_is_cut_off_from_all_others() -> None:
    bench = cells("a", "c", "d", at={ADA: "house/a", BEN: "house/c"})
    barricade(bench, "a", "passage")

    assert [o for o in offered(bench) if "move_to" in o] == []
    assert refused(bench, "choice/move_to") == [("choice/move_to", "MOVE-8")] * 2
    assert adjacency.steps(bench.game_table, "house/c") == ("house/d",)


@rule("RANGE-5", "EX-27")
def test_range_does_not_go_through_secret_passages() -> None:
    table = cells("a", "b").game_table

    assert distance.within_range(table, "house/a") == ("house/a",)


def test_a_space_that_a_border_leads_to_as_well_is_not_refused() -> None:
    bench = world(tiles=[tile(ROW)])
    resolve(bench, PlaceFeature(PASSAGE, "house/a"), PlaceFeature(PASSAGE, "house/b"))
    barricade(bench, "b", "passage")

    assert [o for o in offered(bench) if "move_to" in o] == ["choice/move_to house/b"]
    assert refused(bench, "choice/move_to") == []


@rule("DECIDE-106", "DARKNESS-4")
@pytest.mark.parametrize("against", [None, "passage"])
def test_light_comes_through_secret_passages(against: str | None) -> None:
    """Light passes blocked passages too, but no walls."""
    bench = cells("a", "c", at={ADA: "house/a"})
    resolve(bench, PlaceFeature(FeatureKind.DARKNESS, "house/a"))
    resolve(bench, PlaceFeature(FeatureKind.FIRE, "house/b"))
    barricade(bench, "c", against)
    assert darkness.is_in_the_dark(bench.game, ADA)

    resolve(bench, PlaceFeature(FeatureKind.FIRE, "house/c"))

    assert not darkness.is_in_the_dark(bench.game, ADA)

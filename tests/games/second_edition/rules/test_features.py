"""Features: square tokens that effects place and discard."""

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.requirements import FeatureOnBoard
from protocol.games.second_edition.events import FeaturePlaced
from protocol.games.second_edition.table import FeatureKind
from server.games.second_edition.rules import requirements
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, ROW, tile, world
from tests.games.second_edition.rules.worlds_effects import resolve

rule = pytest.mark.rule
DARKNESS, FIRE = FeatureKind.DARKNESS, FeatureKind.FIRE


def row(**parts: object) -> Bench:
    """Return a row of five spaces, a to e, with Ada in c."""
    return world(at={ADA: "house/c"}, tiles=[tile(ROW)], **parts)  # type: ignore[arg-type]


@rule("FEATURE-1")
@pytest.mark.parametrize("kind", FeatureKind)
def test_each_of_the_four_is_placed_and_discarded(kind: FeatureKind) -> None:
    bench = row()

    resolve(bench, steps.PlaceFeature(kind, "house/e"))
    assert bench.game_table.spaces_with(kind) == ("house/e",)
    resolve(bench, steps.RemoveFeature(kind, "house/e"))

    assert len(FeatureKind) == 4
    assert bench.game_table.features == {}


@rule("FIRE-11", "DARKNESS-7")
@pytest.mark.parametrize("kind", [DARKNESS, FIRE])
def test_a_space_holds_one_of_a_kind(kind: FeatureKind) -> None:
    bench = row()
    other = FIRE if kind is DARKNESS else DARKNESS

    for _ in range(2):
        resolve(bench, steps.PlaceFeature(kind, "actor"))
    resolve(bench, steps.PlaceFeature(other, "actor"))

    assert [placed.feature.kind for placed in bench.happened(FeaturePlaced)] == [kind, other]


def test_a_space_is_named_or_meant_or_random() -> None:
    bench = row()
    bench.give_picks(4)

    for at in ("actor", "random", "house/a", "cellar/a"):
        resolve(bench, steps.PlaceFeature(FIRE, at))

    assert bench.game_table.spaces_with(FIRE) == ("house/a", "house/c", "house/e")


def test_all_of_a_kind_are_discarded_together() -> None:
    bench = row()
    for at in ("house/a", "house/b"):
        resolve(bench, steps.PlaceFeature(FIRE, at), steps.PlaceFeature(DARKNESS, at))

    resolve(bench, steps.RemoveFeature(DARKNESS, "all"))

    assert bench.game_table.spaces_with(DARKNESS) == ()
    assert bench.game_table.spaces_with(FIRE) == ("house/a", "house/b")


@rule("LIMIT-1")
@pytest.mark.parametrize("kind", [DARKNESS, FIRE])
def test_there_are_more_than_the_box_holds(kind: FeatureKind) -> None:
    """Fire and Darkness cover twenty spaces each; the box has eighteen tokens for both."""
    letters = "abcdefghijklmnopqrst"
    picture = "+---" * 20 + "+\n" + "|" + ":".join(f" {c} " for c in letters) + "|\n" + "+---" * 20
    bench = world(tiles=[tile(picture + "+\n")])

    resolve(bench, *(steps.PlaceFeature(kind, f"house/{letter}") for letter in letters))

    assert len(bench.game_table.spaces_with(kind)) == 20


@pytest.mark.parametrize(
    ("at", "answer"),
    [("house/a", True), ("house/b", False), ("actor", False), ("anywhere", True)],
)
def test_content_asks_where_a_feature_is(at: str, answer: bool) -> None:
    bench = row()
    resolve(bench, steps.PlaceFeature(FIRE, "house/a"))

    assert requirements.holds(bench.game, FeatureOnBoard(FIRE, at), ADA) is answer
    assert not requirements.holds(bench.game, FeatureOnBoard(DARKNESS, at), ADA)
    assert not requirements.holds(bench.game, FeatureOnBoard(FIRE, "actor"), None)

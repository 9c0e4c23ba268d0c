"""Targets: whom an effect concerns, and who decides a tie."""

from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.effects import Amount, Who
from content.games.second_edition.schema.targets import (
    AllInRoom,
    AllInSpace,
    AllWithItem,
    AllWithTrait,
    OneInvestigator,
)
from protocol.common.asks import Settle
from protocol.common.events import Picked
from protocol.games.second_edition.events import CluesGained, InvestigatorMoved
from server.games.second_edition.rules import elimination, harm, targets
from server.games.second_edition.rules.play import Source
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    ROW,
    ROW_ROOMS,
    spawned,
    tile,
    world,
)
from tests.games.second_edition.rules.worlds_effects import KNIFE, questions, resolve

rule = pytest.mark.rule
THREE = {ADA: "house/a", BEN: "house/a", CORA: "house/c"}


def selected(bench: Bench, who: Who, *answers: Any, **source: Any) -> list[str]:
    """Return whom a step concerns, by short names."""
    of = Source(**{"actor": ADA, **source})
    found = bench.run(targets.select(bench.game, who, of), *answers)
    return [investigator.rpartition("/")[2] for investigator in found]


@pytest.mark.parametrize(
    ("who", "names"),
    [
        (Who.ACTOR, ["ada"]),
        (Who.ALL, ["ada", "ben", "cora"]),
        (Who.OTHERS, ["ben", "cora"]),
        (Who.HERE, ["ada", "ben"]),
    ],
)
def test_several_are_found_in_seat_order(who: Who, names: list[str]) -> None:
    bench = world(at=THREE)

    assert selected(bench, who) == names
    assert bench.asked == []


@pytest.mark.parametrize(
    ("who", "names"),
    [
        (Who.ACTIVE, ["ben"]),
        (Who.LEAST_CLUES, ["cora"]),
        (OneInvestigator(CORA), ["cora"]),
        (OneInvestigator("investigator/nobody"), []),
        (AllInRoom("room/study"), ["cora"]),
        (AllInSpace("house/a"), ["ada", "ben"]),
        (AllWithItem("item/knife"), ["ben"]),
        (AllWithTrait("bladed"), ["ben"]),
    ],
)
def test_some_are_found_by_turn_place_and_belongings(who: Any, names: list[str]) -> None:
    """It is Ben's turn, who has a knife; Cora is in the study, and the others have Clues."""
    bench = world(at=THREE, turn_of=BEN, items=[KNIFE], has={BEN: ["item/knife"]})
    bench.emit(CluesGained(ADA, 1))
    bench.emit(CluesGained(BEN, 2))

    assert selected(bench, who) == names


def test_nobody_is_active_between_turns() -> None:
    """A step for the active investigator then concerns nobody."""
    assert selected(world(at=THREE, turn_of=None), Who.ACTIVE) == []


@rule("NEAREST-1")
@rule("NEAREST-2")
@pytest.mark.parametrize(
    ("who", "monster", "names"),
    [
        (Who.NEAREST, None, ["ben"]),
        (Who.FARTHEST, None, ["cora"]),
        (Who.NEAREST, "m1", ["cora"]),
        (Who.FARTHEST, "m1", ["ada"]),
    ],
)
def test_near_and_far_are_counted_from_the_monster_or_else_the_actor(
    who: Who, monster: str | None, names: list[str]
) -> None:
    """Ada is the actor, at the end of the row opposite to the monster."""
    row = tile(ROW, ROW_ROOMS, id="row")
    at = {ADA: "row/a", BEN: "row/b", CORA: "row/d"}
    bench = world(at=at, tiles=[row], monsters=[("monster/rat", "row/e")])

    assert selected(bench, who, monster=monster) == names


@rule("CONFLICT-1")
def test_equally_near_ones_are_told_apart_by_the_investigators() -> None:
    """Both candidates are adjacent to Ada."""
    bench = world(at={ADA: "house/b", BEN: "house/a", CORA: "house/c"})

    assert selected(bench, Who.NEAREST, "choice/not_usual", CORA) == ["cora"]


@rule("DECIDE-104")
def test_whoever_cannot_be_reached_is_neither_near_nor_far() -> None:
    """Ben is off the board."""
    bench = world(at={ADA: "house/a", BEN: "house/b"})
    bench.emit(InvestigatorMoved(BEN, None))

    assert selected(bench, Who.NEAREST) == []


@rule("DECIDE-69")
@pytest.mark.parametrize(
    ("who", "names"), [(Who.ACTOR, []), (Who.ALL, ["ben", "cora"]), (Who.HERE, [])]
)
def test_eliminated_investigators_are_concerned_by_nothing(who: Who, names: list[str]) -> None:
    """Ada is eliminated: she is no actor, is not among all, and nobody shares her space."""
    bench = world(at=THREE)
    bench.run(elimination.eliminate(bench.game, ADA))

    assert selected(bench, who) == names


@rule("DECIDE-148")
def test_figures_off_the_board_are_in_no_space_together() -> None:
    bench = world(at=THREE)
    bench.emit(InvestigatorMoved(ADA, None))
    bench.emit(InvestigatorMoved(BEN, None))

    assert selected(bench, Who.HERE) == []


@rule("RANGE-7")
@rule("RANGE-1")
def test_within_range_is_counted_from_the_monster() -> None:
    """The monster is at one end of a row of five: three spaces away is in range, four is not."""
    row = tile(ROW, ROW_ROOMS, id="row")
    at = {ADA: "row/a", BEN: "row/d", CORA: "row/e"}
    bench = world(at=at, tiles=[row])
    monster = spawned(bench, "monster/drowned", "row/a")

    assert selected(bench, Who.WITHIN_RANGE, monster=monster) == ["ada", "ben"]
    assert selected(bench, Who.WITHIN_RANGE, monster="m99") == []


@rule("EX-11")
@rule("RANDOM-1")
@rule("RANDOM-2")
@pytest.mark.parametrize(("pick", "name"), [(0, "ada"), (1, "ben"), (2, "cora")])
def test_random_investigator_is_picked_evenly(pick: int, name: str) -> None:
    bench = world(at=THREE)
    bench.give_picks(pick)

    assert selected(bench, Who.RANDOM) == [name]
    assert bench.happened(Picked)[-1].bound == 3
    assert bench.asked == []


@rule("DECIDE-149")
@rule("CONFLICT-1")
@rule("DECIDE-141")
def test_investigators_decide_together_whom_it_concerns() -> None:
    """Every investigator may vote, and each could be drawn to decide."""
    bench = world(at=THREE)

    assert selected(bench, Who.CHOSEN, "cora") == ["cora"]
    (ask,) = bench.asked
    assert ask.settle is Settle.AGREE
    assert ask.voters == ((ADA, 0), (BEN, 1), (CORA, 2))


@rule("CONFLICT-3")
@rule("DECIDE-70")
def test_eliminated_investigators_have_no_voice() -> None:
    """Ben is eliminated: he is not asked, not drawn to decide, and cannot be chosen."""
    bench = world(at=THREE)
    bench.run(elimination.eliminate(bench.game, BEN))

    assert selected(bench, Who.CHOSEN, "ada") == ["ada"]
    (ask,) = bench.asked
    assert list(ask.prompts) == [0, 2]
    assert ask.voters == ((ADA, 0), (CORA, 2))
    assert len(ask.prompts[0].options) == 2


def test_nobody_is_asked_where_one_is_left() -> None:
    bench = world()

    assert selected(bench, Who.CHOSEN) == ["ada"]
    assert bench.asked == []


def hurt(bench: Bench, who: str, damage: int, horror: int) -> None:
    bench.run(harm.suffer(bench.game, who, damage=damage, horror=horror))


@rule("DECIDE-50")
@pytest.mark.parametrize(
    ("who", "name"),
    [
        (Who.MOST_DAMAGE, "ben"),
        (Who.LEAST_DAMAGE, "cora"),
        (Who.MOST_HORROR, "cora"),
        (Who.LEAST_HORROR, "ben"),
        (Who.MOST_CLUES, "ada"),
    ],
)
def test_criterion_finds_the_most_and_the_least(who: Who, name: str) -> None:
    bench = world(at=THREE)
    hurt(bench, ADA, 1, 1)
    hurt(bench, BEN, 2, 0)
    hurt(bench, CORA, 0, 2)
    bench.emit(CluesGained(ADA, 1))

    assert selected(bench, who) == [name]
    assert bench.asked == []


@rule("DECIDE-103")
@rule("CONFLICT-1")
def test_ties_are_decided_by_the_investigators() -> None:
    """Ada and Cora have suffered one each; Ben, with none, is not offered."""
    bench = world(at=THREE)
    hurt(bench, ADA, 1, 0)
    hurt(bench, CORA, 1, 0)

    assert selected(bench, Who.MOST_DAMAGE, "choice/not_usual", "cora") == ["cora"]
    assert [o.value for o in bench.asked[1].prompts[1].options] == [ADA, CORA]
    assert questions(bench) == ["CONFLICT-1"] * 2


@rule("DECIDE-150")
def test_amounts_grow_with_the_investigators_at_the_start() -> None:
    """The amount is one for each of three investigators, although one is eliminated."""
    bench = world(at=THREE)
    bench.run(elimination.eliminate(bench.game, CORA))

    resolve(bench, steps.GainClues(Amount(0, each=1)))

    assert bench.game_table.investigators[ADA].clues == 3


# Spaces ------------------------------------------------------------------------------------


def row(**at: str) -> Bench:
    """Return a row of five spaces with investigators in them."""
    people = {"ada": ADA, "ben": BEN, "cora": CORA}
    return world(at={people[who]: f"house/{at[who]}" for who in at}, tiles=[tile(ROW, ROW_ROOMS)])


@pytest.mark.parametrize(
    ("word", "space"),
    [
        *(("actor", "a"), ("start", "a"), ("adjacent", "b")),
        *(("nearest", "c"), ("farthest", "d"), ("monster", "c")),
    ],
)
def test_word_for_a_space_finds_it(word: str, space: str) -> None:
    bench = row(ada="a", ben="b", cora="e")
    of = Source(ADA, monster=spawned(bench, DROWNED, "house/c"))

    assert targets.space_at(bench.game, word, of) == f"house/{space}"


@pytest.mark.parametrize("word", ["actor", "adjacent", "nearest", "farthest", "monster"])
def test_from_off_the_board_no_space_is_found(word: str) -> None:
    bench = row(ada="a", ben="b")
    bench.emit(InvestigatorMoved(ADA, None))

    assert targets.space_at(bench.game, word, Source(ADA)) is None


def test_start_that_is_off_the_board_is_no_space() -> None:
    """The tile of the start is not on the board."""
    bench = world(tiles=[tile()], scenario_parts={"start": "cellar/a"})

    assert targets.space_at(bench.game, "start", Source(ADA)) is None


@rule("RANDOM-2")
def test_which_of_two_spaces_it_is_is_left_to_chance() -> None:
    """Two spaces beside Ada are equally near. If only one is near, nothing is drawn."""
    bench = row(ada="b")
    bench.give_picks(1)

    assert targets.space_at(bench.game, "adjacent", Source(ADA)) == "house/c"
    assert [event.bound for event in bench.happened(Picked)] == [2]

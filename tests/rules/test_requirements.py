"""Requirements: every question that content can ask, answered both ways."""

import pytest

from content.schema import effects as steps
from content.schema import requirements as asked
from content.schema.registry import kinds_of
from content.schema.requirements import Requirement
from content.schema.scenario import TokenCard
from protocol.common.text import Text
from protocol.second_edition.events import (
    CluesGained,
    CodeGuessed,
    CodeLaidOut,
    GameEnded,
    PhaseBegan,
)
from protocol.second_edition.table import (
    CodePuzzle,
    Ending,
    FeatureKind,
    Guess,
    Phase,
    TokenKind,
)
from server.rules.second_edition import elimination, requirements, wounds
from tests.rules.bench import Bench
from tests.rules.worlds import ADA, BEN, counted, spawned, world
from tests.rules.worlds_effects import KNIFE, LAMP, given, resolve

rule = pytest.mark.rule
TOKEN = TokenCard("token/desk", TokenKind.SEARCH, "house/b", ())


def eventful() -> Bench:
    """Return a world of two in round 3 in which much has happened to Ada and nothing to Ben."""
    bench = world(
        at={ADA: "house/a", BEN: "house/c"},
        items=[KNIFE, LAMP],
        tokens=[TOKEN],
        scenario_parts={"counters": counted("clock", "bell")},
    )
    given(bench, LAMP.id)
    bench.emit(CluesGained(ADA, 2))
    spawned(bench, "monster/rat", "house/b")
    resolve(
        bench,
        steps.Become(wounds.WOUNDED),
        steps.Become(wounds.INSANE),
        steps.Count("bell", add=4),
        steps.PlaceFeature(FeatureKind.FIRE, "house/b"),
    )
    bench.emit(CodeLaidOut(CodePuzzle("safe", 3, ("1", "2"))))
    bench.emit(CodeGuessed("safe", Guess(("1", "1", "2"), 3, 0), is_solved=True))
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 3))
    return bench


@pytest.mark.parametrize(
    ("requirement", "answer"),
    [
        (asked.Round(at_least=3), True),
        (asked.Round(at_most=2), False),
        (asked.Counter("bell", at_least=4), True),
        (asked.Counter("bell", at_least=5), False),
        (asked.Counter("clock", at_most=0), True),
        (asked.Investigators(at_least=2), True),
        (asked.Investigators(at_least=3), False),
        (asked.HasItem(LAMP.id), True),
        (asked.HasItem(KNIFE.id), False),
        (asked.HasTrait("light_source"), True),
        (asked.HasTrait("bladed"), False),
        (asked.AnyoneHasItem(LAMP.id), True),
        (asked.AnyoneHasItem(KNIFE.id), False),
        (asked.HasClues(2), True),
        (asked.HasClues(3), False),
        (asked.IsWounded(value=True), True),
        (asked.IsWounded(value=False), False),
        (asked.IsInsane(value=True), True),
        (asked.IsInsane(value=False), False),
        (asked.IsEliminated(value=False), True),
        (asked.IsEliminated(value=True), False),
        (asked.InRoom("room/hall"), True),
        (asked.InRoom("room/study"), False),
        (asked.TokenOnBoard("token/desk"), True),
        (asked.TokenOnBoard("token/other"), False),
        (asked.FeatureOnBoard(FeatureKind.FIRE), True),
        (asked.FeatureOnBoard(FeatureKind.FIRE, "actor"), False),
        (asked.RoomIsOpen("room/study"), True),
        (asked.RoomIsOpen("room/cellar"), False),
        (asked.Solved("safe"), True),
        (asked.Solved("other"), False),
        (asked.Monsters(at_least=1), True),
        (asked.Monsters(at_least=2), False),
        (asked.Monsters(kind="monster/rat", at_most=0), False),
        (asked.Monsters(kind="monster/drowned", at_most=0), True),
        (asked.AllOf((asked.HasClues(1), asked.HasItem(LAMP.id))), True),
        (asked.AllOf((asked.HasClues(1), asked.HasItem(KNIFE.id))), False),
        (asked.AnyOf((asked.HasClues(9), asked.HasItem(LAMP.id))), True),
        (asked.AnyOf((asked.HasClues(9), asked.HasItem(KNIFE.id))), False),
        (asked.Not(asked.HasClues(9)), True),
        (asked.Not(asked.HasClues(1)), False),
        (asked.Always, True),
    ],
)
def test_question_is_answered(requirement: Requirement, answer: bool) -> None:
    """Of Ada, in an eventful game."""
    assert requirements.holds(eventful().game, requirement, ADA) is answer


@pytest.mark.parametrize(
    "of_somebody",
    [
        asked.HasItem(LAMP.id),
        asked.HasTrait("light_source"),
        asked.HasClues(1),
        asked.IsWounded(value=True),
        asked.IsInsane(value=True),
        asked.IsEliminated(value=False),
        asked.InRoom("room/hall"),
    ],
)
def test_question_about_somebody_does_not_hold_for_nobody(of_somebody: Requirement) -> None:
    """A trigger may concern no investigator."""
    assert not requirements.holds(eventful().game, of_somebody, None)


@rule("EX-14")
@rule("EXPLORE-5")
@rule("TRAIT-3")
def test_light_source_is_asked_of_the_one_who_acts() -> None:
    """Ada has a lamp, Ben has none."""
    game = eventful().game
    light = asked.HasTrait("light_source")

    assert [requirements.holds(game, light, who) for who in (ADA, BEN)] == [True, False]


def test_item_of_an_eliminated_investigator_is_nobodys() -> None:
    """It was dropped."""
    bench = eventful()

    bench.run(elimination.eliminate(bench.game, ADA))

    assert not requirements.holds(bench.game, asked.AnyoneHasItem(LAMP.id), BEN)


@rule("DECIDE-150")
def test_investigators_are_counted_as_they_were_at_the_start() -> None:
    """One of two is out: still two."""
    bench = eventful()

    bench.run(elimination.eliminate(bench.game, ADA))

    assert requirements.holds(bench.game, asked.Investigators(at_least=2), BEN)


def test_common_result_holds_for_neither_before_the_end() -> None:
    """It is not won, but neither is it lost."""
    bench = eventful()
    won, lost = asked.IsWon(value=True), asked.IsWon(value=False)
    assert not requirements.holds(bench.game, won, ADA)
    assert not requirements.holds(bench.game, lost, ADA)

    bench.emit(GameEnded(Ending(True, Text("text/end"), ())))

    assert requirements.holds(bench.game, won, ADA)
    assert not requirements.holds(bench.game, lost, ADA)


def test_every_requirement_has_an_answer() -> None:
    """A new kind of question without an answer is found here, not in a game."""
    kinds = set(kinds_of(Requirement))

    assert kinds == set(requirements.answered())

"""Winning, losing, and when each is told."""

from typing import Any

import pytest

from content.games.second_edition.schema.cards import ItemCard
from content.games.second_edition.schema.effects import Amount, Count, End, SetObjective, Suffer
from content.games.second_edition.schema.requirements import (
    AllOf,
    AnyOf,
    CounterWithin,
    HasItem,
    IsEliminated,
    IsWon,
    Not,
)
from content.games.second_edition.schema.scenario import Moment, Trigger
from protocol.common.text import Text
from protocol.event import EVERYBODY, hidden
from protocol.games.second_edition.events import (
    BackShown,
    BecameInsane,
    GameEnded,
    InvestigatorEliminated,
    ObjectiveSet,
    PhaseBegan,
    PossessionDropped,
)
from protocol.games.second_edition.table import INSANE_DECK, Phase
from server.games.second_edition.rules import effects, elimination, endings
from server.games.second_edition.rules.play import GameOver, Source
from server.games.second_edition.rules.ruleset import SecondEdition
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    begin_turn,
    counted,
    insane_back,
    proceed,
    world,
)

THREE = {ADA: "house/a", BEN: "house/b", CORA: "house/c"}
LOST = IsWon(value=False)


def end(bench: Bench, *, won: bool) -> None:
    with pytest.raises(GameOver):
        endings.end(bench.game, won=won, epilogue="text/epilogue")


def results(bench: Bench) -> dict[str, bool]:
    ending = bench.game_table.ending
    assert ending is not None
    return {result.investigator: result.has_won for result in ending.results}


def reasons(bench: Bench) -> dict[str, str]:
    ending = bench.game_table.ending
    assert ending is not None
    return {result.investigator: result.reason.subject for result in ending.results}


def madden(bench: Bench, person: str, back: str) -> None:
    """Make an investigator Insane with this back."""
    handle = bench.game_table.piles[INSANE_DECK][0]
    bench.emit(BecameInsane(person, "condition/insane", handle, hidden(back)))


# The common result ---------------------------------------------------------------------------


@pytest.mark.rule("WIN-3")
@pytest.mark.rule("SETUP-2")
@pytest.mark.parametrize("won", [True, False])
def test_all_win_or_lose_together(won: bool) -> None:
    bench = world(at=THREE)

    end(bench, won=won)

    assert set(results(bench).values()) == {won}
    assert bench.game_table.phase is Phase.OVER
    assert bench.game_table.ending is not None
    assert bench.game_table.ending.epilogue == Text("text/epilogue")


@pytest.mark.rule("WIN-1")
@pytest.mark.rule("WIN-3")
def test_the_scenario_says_when_the_investigation_is_complete() -> None:
    steps = (End(won=True, epilogue="text/done"), Count("never", add=1))
    trigger = Trigger("done", Moment.ROUND_BEGAN, steps)
    bench = world(
        turn_of=None, scenario_parts={"triggers": (trigger,), "counters": counted("never")}
    )
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))

    while bench.game_table.phase is Phase.MYTHOS:
        proceed(bench)

    assert results(bench) == {ADA: True}
    assert "c1" not in bench.game_table.counters
    assert SecondEdition().next_procedure(bench.game) is None


@pytest.mark.rule("WIN-5")
@pytest.mark.rule("WIN-8")
def test_who_takes_too_long_loses() -> None:
    triggers = (
        Trigger("tide", Moment.ROUND_ENDED, (Count("tide", add=1),), once=False),
        Trigger(
            "drowned",
            Moment.ROUND_ENDED,
            (End(won=False, epilogue="text/drowned"),),
            when=CounterWithin("tide", at_least=2),
        ),
    )
    bench = world(turn_of=None, scenario_parts={"triggers": triggers, "counters": counted("tide")})
    for number in (1, 2):
        bench.emit(PhaseBegan(Phase.MYTHOS, number))
        while bench.game_table.phase is Phase.MYTHOS:
            proceed(bench)

    assert bench.game_table.ending is not None
    assert bench.game_table.ending.epilogue == Text("text/drowned")
    assert results(bench) == {ADA: False}


@pytest.mark.rule("WIN-2")
@pytest.mark.rule("WIN-4")
@pytest.mark.rule("SECRET-15")
def test_the_objective_is_revealed_and_can_change() -> None:
    bench = world()
    for text in ("text/first", "text/second"):
        bench.run(effects.resolve(bench.game, (SetObjective(text),), Source(ADA)))

    assert len(bench.happened(ObjectiveSet)) == 2
    assert bench.game_table.objective == Text("text/second")


# Each investigator's own ---------------------------------------------------------------------


@pytest.mark.rule("ELIMINATED-4")
@pytest.mark.rule("DECIDE-71")
def test_an_eliminated_investigator_loses_when_the_others_win() -> None:
    bench = world(at=THREE)
    bench.emit(InvestigatorEliminated(BEN, 2))

    end(bench, won=True)

    assert results(bench) == {ADA: True, BEN: False, CORA: True}
    assert reasons(bench)[BEN] == "result/eliminated"


@pytest.mark.rule("INSANE-8")
@pytest.mark.rule("WIN-6")
@pytest.mark.rule("WIN-7")
@pytest.mark.rule("DECIDE-71")
@pytest.mark.parametrize("won", [True, False])
def test_an_insane_back_can_turn_its_owners_result_round(won: bool) -> None:
    """Ada wins exactly when the others lose."""
    bench = world(at=THREE, insane=[insane_back("insane/traitor", wins=LOST)])
    madden(bench, ADA, "insane/traitor")

    end(bench, won=won)

    assert results(bench) == {ADA: not won, BEN: won, CORA: won}
    assert reasons(bench)[ADA] == ("result/insane_lost" if won else "result/insane_won")


@pytest.mark.rule("INSANE-8")
@pytest.mark.rule("WIN-6")
def test_a_back_that_says_nothing_of_winning_changes_nothing() -> None:
    bench = world(at=THREE)
    madden(bench, ADA, "insane/calm")

    end(bench, won=True)

    assert results(bench)[ADA]


@pytest.mark.rule("ELIMINATED-4")
@pytest.mark.rule("WIN-7")
@pytest.mark.parametrize(
    "wins",
    [
        IsEliminated(value=True),
        Not(IsEliminated(value=False)),
        Not(AllOf((IsEliminated(value=False), LOST))),
        AllOf((LOST, AnyOf((IsEliminated(value=True), HasItem("item/book"))))),
    ],
)
def test_a_back_can_win_for_the_eliminated(wins: Any) -> None:
    back = insane_back("insane/martyr", wins=wins)
    bench = world(at=THREE, insane=[back])
    madden(bench, BEN, "insane/martyr")
    bench.emit(InvestigatorEliminated(BEN, 2))

    end(bench, won=False)

    assert results(bench) == {ADA: False, BEN: True, CORA: False}


@pytest.mark.rule("ELIMINATED-4")
@pytest.mark.parametrize(
    "wins", [LOST, AnyOf((LOST, IsEliminated(value=False), Not(IsEliminated(value=True))))]
)
def test_a_goal_that_does_not_speak_of_elimination_wins_nothing_for_the_eliminated(
    wins: Any,
) -> None:
    bench = world(at=THREE, insane=[insane_back("insane/alone", wins=wins)])
    madden(bench, BEN, "insane/alone")
    bench.emit(InvestigatorEliminated(BEN, 2))

    end(bench, won=False)

    assert results(bench) == {ADA: False, BEN: False, CORA: False}
    assert reasons(bench)[BEN] == "result/eliminated"


@pytest.mark.rule("WIN-7")
@pytest.mark.parametrize(
    ("wins", "expected"),
    [
        (AllOf((LOST, Not(IsEliminated(value=True)))), True),
        (AnyOf((IsWon(value=True), HasItem("item/book"))), True),
        (AllOf((IsWon(value=True), HasItem("item/book"))), False),
        (Not(LOST), False),
    ],
)
def test_conditions_of_a_back_can_be_joined(wins: Any, expected: bool) -> None:
    """One of the joined conditions is the common result."""
    book = ItemCard("item/book", "unique")
    back = insane_back("insane/keeper", wins=wins)
    bench = world(at=THREE, insane=[back], items=[book], has={ADA: ["item/book"]})
    madden(bench, ADA, "insane/keeper")

    end(bench, won=False)

    assert results(bench)[ADA] is expected


@pytest.mark.rule("DECIDE-64")
@pytest.mark.rule("SECRET-7")
def test_insane_backs_are_shown_to_all_once_the_result_is_final() -> None:
    """The backs are not shown a single event earlier."""
    bench = world(at=THREE)
    madden(bench, ADA, "insane/calm")
    (condition,) = bench.game_table.investigators[ADA].conditions
    assert condition.back is not None
    assert condition.back.audience == (0,)

    end(bench, won=True)

    assert [type(e) for e in bench.log[-2:]] == [GameEnded, BackShown]
    (condition,) = bench.game_table.investigators[ADA].conditions
    assert condition.back is not None
    assert EVERYBODY in condition.back.audience
    assert condition.back.value == "insane/calm"


# The countdown -------------------------------------------------------------------------------


def investigator_phase(bench: Bench, number: int) -> None:
    """Play a whole Investigator phase in which nobody acts."""
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, number))
    finish_phase(bench)


def finish_phase(bench: Bench) -> None:
    """Give an empty turn to all who have had none, and end the phase."""
    for who in bench.game_table.standing():
        if not bench.game_table.investigators[who].has_taken_turn:
            begin_turn(bench, who)
            proceed(bench, "choice/end_turn")
    proceed(bench)


@pytest.mark.rule("EX-22")
@pytest.mark.rule("ELIMINATED-1")
@pytest.mark.rule("ELIMINATED-5")
@pytest.mark.rule("ELIMINATED-7")
@pytest.mark.rule("DECIDE-66")
@pytest.mark.parametrize("phase", [Phase.MYTHOS, Phase.INVESTIGATOR])
def test_the_others_lose_at_the_end_of_the_next_investigator_phase(phase: Phase) -> None:
    """All lose in round 6, before its Mythos phase, after an elimination in round 5."""
    rope = ItemCard("item/rope", "common")
    bench = world(at=THREE, items=[rope], has={BEN: ["item/rope"]}, turn_of=None)
    bench.emit(PhaseBegan(phase, 5))
    bench.run(elimination.eliminate(bench.game, BEN))
    if phase is Phase.INVESTIGATOR:
        finish_phase(bench)
        assert bench.game_table.ending is None

    investigator_phase(bench, 6)

    assert bench.happened(PossessionDropped) == [PossessionDropped(BEN, "p1", "house/b")]
    assert results(bench) == {ADA: False, BEN: False, CORA: False}
    assert bench.game_table.ending is not None
    assert bench.game_table.ending.epilogue == Text("text/epilogue_eliminated")
    assert PhaseBegan(Phase.MYTHOS, 6) not in bench.log


@pytest.mark.rule("EX-22")
@pytest.mark.rule("ELIMINATED-6")
def test_the_others_win_if_they_are_done_in_that_phase() -> None:
    bench = world(at=THREE, turn_of=None)
    bench.emit(PhaseBegan(Phase.MYTHOS, 5))
    bench.run(elimination.eliminate(bench.game, BEN))
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 6))

    end(bench, won=True)

    assert results(bench) == {ADA: True, BEN: False, CORA: True}


@pytest.mark.rule("ELIMINATED-6")
def test_the_others_win_if_what_comes_at_the_end_of_that_phase_completes_it() -> None:
    saved = Trigger(
        "saved", Moment.INVESTIGATOR_PHASE_ENDED, (End(won=True, epilogue="text/saved"),)
    )
    bench = world(at=THREE, turn_of=None, scenario_parts={"triggers": (saved,)})
    bench.emit(PhaseBegan(Phase.MYTHOS, 5))
    bench.run(elimination.eliminate(bench.game, BEN))

    investigator_phase(bench, 6)

    assert results(bench) == {ADA: True, BEN: False, CORA: True}


@pytest.mark.rule("DECIDE-67")
def test_a_second_elimination_does_not_extend_the_countdown() -> None:
    """Cora is eliminated in round 6, and that phase still ends the game."""
    bench = world(at=THREE, turn_of=None)
    bench.emit(PhaseBegan(Phase.MYTHOS, 5))
    bench.run(elimination.eliminate(bench.game, BEN))
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 6))
    bench.run(elimination.eliminate(bench.game, CORA))

    finish_phase(bench)

    assert bench.game_table.ending is not None


@pytest.mark.rule("ELIMINATED-8")
def test_when_all_are_eliminated_the_game_ends_at_once() -> None:
    bench = world(at={ADA: "house/a"})
    deadly = (Suffer(Amount(7)), Suffer(Amount(7)))

    with pytest.raises(GameOver):
        bench.run(effects.resolve(bench.game, deadly, Source(ADA)))

    assert results(bench) == {ADA: False}


@pytest.mark.rule("DECIDE-72")
def test_a_player_alone_who_loses_one_plays_on() -> None:
    """The rules speak of investigators, not of players."""
    bench = world(at={ADA: "house/a", BEN: "house/a"}, seats=[(0, ADA), (0, BEN)], turn_of=None)
    bench.emit(InvestigatorEliminated(ADA, 2))

    proceed(bench)

    assert bench.game_table.active == BEN


@pytest.mark.rule("DECIDE-73")
def test_nobody_is_asked_whether_the_game_is_over() -> None:
    bench = world(at=THREE)

    end(bench, won=False)

    assert bench.asked == []
    assert SecondEdition().next_procedure(bench.game) is None

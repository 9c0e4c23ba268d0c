"""Rounds: order of turns, phases, and their ends."""

import pytest

from content.games.second_edition.schema.effects import GainClues, Say
from content.games.second_edition.schema.scenario import Moment, Trigger
from protocol.games.second_edition.events import (
    InvestigatorEliminated,
    PhaseBegan,
    Told,
    TurnEnded,
)
from protocol.games.second_edition.table import Phase, TokenKind
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.test_tokens import option, token
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    begin_turn,
    offered,
    proceed,
    world,
)

SIGHT = token("house/c", option(GainClues()), kind=TokenKind.SIGHT)
THREE = {ADA: "house/a", BEN: "house/b", CORA: "house/b"}


def take_turn(bench: Bench, person: str) -> None:
    """Have an investigator take a turn without actions."""
    begin_turn(bench, person)
    proceed(bench, "choice/end_turn")


@pytest.mark.rule("ROUND-3")
@pytest.mark.rule("DECIDE-20")
@pytest.mark.rule("TURN-1")
def test_any_seat_can_start_a_turn_that_was_not_taken() -> None:
    bench = world(at=THREE, turn_of=None)
    take_turn(bench, BEN)

    assert offered(bench) == [f"choice/take_turn {ADA}", f"choice/take_turn {CORA}"]
    assert bench.open is not None
    assert bench.open.settle.value == "any_one"


@pytest.mark.rule("ROUND-3")
def test_the_order_of_turns_is_free_in_every_round() -> None:
    bench = world(at=THREE, turn_of=None)

    proceed(bench, {0: 0, 1: 0, 2: 0})
    assert bench.game_table.active == ADA
    proceed(bench, "choice/end_turn")
    take_turn(bench, CORA)
    take_turn(bench, BEN)
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))

    assert len(offered(bench)) == 3


@pytest.mark.rule("TURN-1")
@pytest.mark.rule("ELIMINATED-3")
def test_an_eliminated_investigator_takes_no_turn() -> None:
    """The eliminated one's seat is not asked, and the other one begins without a question."""
    bench = world(at={ADA: "house/a", BEN: "house/b"}, turn_of=None)
    bench.emit(InvestigatorEliminated(BEN, 2))

    proceed(bench)

    assert bench.game_table.active == ADA


@pytest.mark.rule("ROUND-4")
@pytest.mark.rule("DECIDE-140")
def test_the_phase_cannot_end_before_everybody_had_a_turn() -> None:
    """After the last turn, each seat is offered the end of the phase beside a look at the token."""
    bench = world(at=THREE, turn_of=None, tokens=[SIGHT])
    take_turn(bench, ADA)
    take_turn(bench, BEN)
    take_turn(bench, CORA)

    assert offered(bench).count("choice/end_phase") == 3


@pytest.mark.rule("ROUND-5")
@pytest.mark.rule("ROUND-1")
def test_any_one_seat_ends_the_phase() -> None:
    bench = world(turn_of=None, tokens=[SIGHT])
    take_turn(bench, ADA)

    proceed(bench, "choice/end_phase")

    assert bench.asked[-1].settle.value == "any_one"
    assert bench.game_table.phase is Phase.MYTHOS
    assert bench.game_table.round_number == 1


@pytest.mark.rule("ROUND-5")
@pytest.mark.rule("DECIDE-140")
def test_the_phase_ends_by_itself_if_nothing_else_can_be_done() -> None:
    bench = world(at=THREE, turn_of=None)
    for who in (ADA, BEN, CORA):
        bench.emit(TurnEnded(who))

    proceed(bench)

    assert bench.asked == []
    assert bench.game_table.phase is Phase.MYTHOS


@pytest.mark.rule("ROUND-2")
@pytest.mark.rule("DECIDE-29")
def test_a_new_round_gives_everybody_a_turn_again() -> None:
    bench = world(turn_of=None)
    begin_turn(bench, ADA)
    proceed(bench, "house/b", "choice/stop")
    proceed(bench, "choice/end_turn")
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))

    while bench.game_table.phase is Phase.MYTHOS:
        proceed(bench)

    ada = bench.game_table.investigators[ADA]
    assert bench.game_table.round_number == 2
    assert (ada.has_taken_turn, ada.move_actions) == (False, 0)


@pytest.mark.rule("ROUND-2")
def test_what_the_scenario_has_for_a_new_round_comes_with_it() -> None:
    trigger = Trigger("dusk", Moment.ROUND_BEGAN, (Say("text/dusk"),))
    bench = world(turn_of=None, scenario_parts={"triggers": (trigger,)})
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))

    for _ in range(2):
        while bench.game_table.phase is Phase.MYTHOS:
            proceed(bench)
        bench.emit(PhaseBegan(Phase.MYTHOS, 2))

    assert [e.text.subject for e in bench.happened(Told)] == ["text/dusk"]

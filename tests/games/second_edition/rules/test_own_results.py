"""Endings with different results for each investigator."""

from typing import Any

import pytest

from content.games.second_edition.schema.effects import End, OwnResult
from content.games.second_edition.schema.requirements import (
    AllOf,
    HasItem,
    IsEliminated,
    IsWon,
    Requirement,
)
from protocol.event import hidden
from protocol.games.second_edition.events import BecameInsane
from protocol.games.second_edition.table import INSANE_DECK
from server.games.second_edition.rules import effects, elimination
from server.games.second_edition.rules.play import GameOver, Source
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, CORA, insane_back, world
from tests.games.second_edition.rules.worlds_effects import KNIFE

rule = pytest.mark.rule
THREE = {ADA: "house/a", BEN: "house/b", CORA: "house/c"}
KNIFE_WINS = OwnResult(HasItem("item/knife"), True, "text/armed")


def own(requirement: Requirement, text: str, *, won: bool = False) -> OwnResult:
    """Return the result for investigators who meet this requirement."""
    return OwnResult(requirement, won, f"text/{text}")


def ended(bench: Bench, *results: OwnResult, won: bool = False) -> dict[str, tuple[bool, str]]:
    """End the game; return who has won, and why."""
    step = End(won, "text/over", results)
    with pytest.raises(GameOver):
        bench.run(effects.resolve(bench.game, (step,), Source(ADA)))
    ending = bench.game_table.ending
    assert ending is not None
    assert ending.is_won is won
    return {
        result.investigator.rpartition("/")[2]: (result.has_won, result.reason.subject)
        for result in ending.results
    }


def armed(**parts: Any) -> Bench:
    """Return three people, of whom Ben has a knife."""
    return world(at=THREE, items=[KNIFE], has={BEN: ["item/knife"]}, **parts)


@rule("WIN-6")
@rule("WIN-7")
def test_first_result_that_holds_is_ones_own() -> None:
    """Ben wins by his knife although all have lost; the others have another reason."""
    found = ended(armed(), KNIFE_WINS, own(AllOf(()), "rest"))

    assert found == {
        "ada": (False, "text/rest"),
        "ben": (True, "text/armed"),
        "cora": (False, "text/rest"),
    }


def test_without_a_result_that_holds_the_common_one_counts() -> None:
    found = ended(armed(), own(HasItem("item/knife"), "traitor"), won=True)

    assert found["ben"] == (False, "text/traitor")
    assert found["ada"] == (True, "result/won")


def test_result_can_ask_for_the_common_one() -> None:
    result = own(AllOf((HasItem("item/knife"), IsWon(value=False))), "alone", won=True)

    assert ended(armed(), result)["ben"] == (True, "text/alone")
    assert ended(armed(), result, won=True)["ben"] == (True, "result/won")


@rule("INSANE-8")
def test_insane_back_goes_before_the_results_of_the_scenario() -> None:
    """Ben's back says that he wins if all lose."""
    bench = armed(insane=[insane_back("insane/gloating", wins=IsWon(value=False))])
    handle = bench.game_table.piles[INSANE_DECK][0]
    bench.emit(BecameInsane(BEN, "condition/insane", handle, hidden("insane/gloating")))

    found = ended(bench, own(AllOf(()), "rest"))

    assert found["ben"] == (True, "result/insane_won")


@rule("ELIMINATED-4")
def test_who_is_eliminated_wins_only_by_a_result_that_asks_for_it() -> None:
    """Ada, who is eliminated, wins by a result for the eliminated, but not by one for everybody."""
    for result, reason in (
        (own(AllOf(()), "all", won=True), (False, "result/eliminated")),
        (own(IsEliminated(value=True), "fallen", won=True), (True, "text/fallen")),
        (own(AllOf(()), "none"), (False, "text/none")),
    ):
        bench = armed()
        bench.run(elimination.eliminate(bench.game, ADA))

        assert ended(bench, result)["ada"] == reason

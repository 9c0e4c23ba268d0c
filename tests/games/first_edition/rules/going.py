"""Going on: procedures of the first edition, chosen by the table as in a room."""

from typing import Any

from server.games.first_edition.rules.ruleset import FirstEdition
from tests.games.first_edition.rules.bench import Bench


def go(bench: Bench, *answers: Any) -> None:
    """Run the next procedure of the game, with answers as in `Bench.run`."""
    procedure = FirstEdition().next_procedure(bench.game)
    assert procedure is not None
    bench.run(procedure, *answers)

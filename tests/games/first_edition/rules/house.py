"""Helpers of the chapters of the house: procedures of a whole game, and what a seat sees."""

from typing import Any

from content.games.first_edition.schema.pack import Content
from protocol.common.laws import LawBroken
from protocol.common.table import LOG_VERSION, Stage, Table, fold
from protocol.event import Record, cut, read
from protocol.games.first_edition import laws
from protocol.games.first_edition.table import FirstEditionTable
from server.games.first_edition.rules.ruleset import FirstEdition
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.worlds import ADA, pack_of, story_of


def go(bench: Bench, *answers: Any) -> None:
    """Run the next procedure of the game."""
    procedure = FirstEdition().next_procedure(bench.game)
    assert procedure is not None
    bench.run(procedure, *answers)


def offered(bench: Bench, seat: int = 1) -> list[str]:
    """Return the subjects that the next question offers a seat."""
    go(bench, ...)
    assert bench.open is not None
    return [option.text.subject for option in bench.open.prompts[seat].options]


def refused(bench: Bench, seat: int = 1) -> dict[str, str]:
    """Return the rules by which the next question refuses things to a seat, by subject."""
    go(bench, ...)
    assert bench.open is not None
    return {one.text.subject: one.rule for one in bench.open.prompts[seat].refused}


def before_setup(
    people: tuple[str, ...] = (ADA,),
    cards: Any = None,
    *,
    are_led_by_one: bool = False,
    **story: Any,
) -> Bench:
    """Return a bench whose game has yet to be set up."""
    content = Content(pack_of(**(cards or {})), story_of(**story))
    return Bench(content, people, are_led_by_one=are_led_by_one)


def seen(bench: Bench, seat: int | None) -> list[Record]:
    """Return the records of a game as a seat sees them; None is a spectator."""
    return [read("bench", cut(one, seat)) for one in bench.stored]


def view(bench: Bench, seat: int | None) -> FirstEditionTable:
    """Return the table as a seat sees it."""
    table = Table(game=FirstEditionTable()).with_room(
        stage=Stage.PLAYING, version=LOG_VERSION, seats=bench.table.room.seats
    )
    for record in seen(bench, seat):
        table = fold(table, record)
    assert isinstance(table.game, FirstEditionTable)
    return table.game


def breaks(bench: Bench, event: Any) -> bool:
    """Return whether the laws refuse a record as the next one of a game."""
    record = Record(len(bench.stored), 0, -1, event)
    try:
        laws.FirstEditionLaws().check(bench.game_table, record)
    except LawBroken:
        return True
    return False

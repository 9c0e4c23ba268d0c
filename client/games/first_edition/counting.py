"""Statistics of the first edition: who won what, tests, harm, clues, and the keeper's cards."""

from collections.abc import Iterator
from typing import Final

from client.plugs.counting import Chart, Count, Counting
from protocol.common.table import Table
from protocol.event import Record
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import INVESTIGATOR

_CHARTS: Final = (
    Chart("stories", "stats.stories"),
    Chart("objectives", "stats.objectives"),
    Chart("investigators", "stats.investigators"),
    Chart("tests", "stats.tests"),
    Chart("damage_taken", "stats.damage_taken"),
    Chart("horror_taken", "stats.horror_taken"),
    Chart("clues", "stats.clues"),
    Chart("keeper_actions", "stats.keeper_actions"),
    Chart("mythos", "stats.mythos"),
    Chart("trauma", "stats.trauma"),
)
_SIDES = 10


def counts(table: Table, record: Record) -> Iterator[Count]:
    """Yield the amounts that one record adds to the statistics."""
    game = table.game
    if not isinstance(game, FirstEditionTable):
        return
    match record.event:
        case fe.GameEnded() as ended:
            yield from _result(table, game, ended)
        case fe.TestEnded() as test:
            assert game.test is not None
            chance = min(_SIDES, max(0, game.test.value)) / _SIDES
            yield Count("tests", ("word", "stats.passed"), test.is_passed, chance)
            yield Count("tests", ("word", "stats.failed"), not test.is_passed, 1 - chance)
        case fe.HarmTaken() as harm:
            who = ("character", harm.investigator)
            # A negative amount is healed.
            if harm.damage > 0:
                yield Count("damage_taken", who, harm.damage)
            if harm.horror > 0:
                yield Count("horror_taken", who, harm.horror)
        case fe.ClueFound():
            yield Count("clues", ("round", str(game.round_number)))
        case fe.KeeperActed() as acted:
            yield Count("keeper_actions", ("card", acted.action))
        case fe.MythosPlayed() as played:
            yield Count("mythos", ("card", played.card))
        case fe.MythosLaidDown() as laid if laid.card.is_open:
            yield Count("mythos", ("card", laid.card.value))
        case fe.TraumaPlayed() as trauma:
            yield Count("trauma", ("card", trauma.card))


def _result(table: Table, game: FirstEditionTable, ended: fe.GameEnded) -> Iterator[Count]:
    """Yield each side that won: in the story, with the objective, and against how many."""
    seats = table.room.seats.values()
    people = sum(len(seat.characters) for seat in seats if seat.role == INVESTIGATOR)
    rows = [("stories", "scenario", table.room.scenario), ("investigators", "number", str(people))]
    if game.revealed is not None:
        rows.append(("objectives", "card", game.revealed))
    for side in ended.ending.winners:
        for chart, kind, piece in rows:
            yield Count(chart, ("side", f"{side.value} {kind} {piece}"))


COUNTING = Counting(_CHARTS, counts)

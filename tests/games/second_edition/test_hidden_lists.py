"""Hidden lists: a draw from a list filtered by hidden numbers reveals nothing of them.

The decks of the shipped scenarios are drawn from with every number that can be dealt, at a table in
play; some cards are possible with some numbers only. In one scenario, the position of the card in a
list without the murderer once revealed who that is.
"""

import contextlib
import functools
import itertools
from collections.abc import Iterator

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.pack import Content
from content.games.second_edition.schema.scenario import Scenario
from protocol.event import cut
from server.games.second_edition.rules import counters, decks
from server.games.second_edition.rules.play import Play, Source
from server.rulekit.draws import Draws
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.simulate import core, simulate
from tests.kernel.twins import blank

VIEWERS = (0, 1, None)
PICKS = range(3)
"""Positions that chance picks."""
DEALT = [s.id for s in core().scenarios.values() if any(isinstance(e, steps.Deal) for e in s.setup)]


@functools.cache
def begun(scenario: str) -> Bench:
    """Return a bench with a game of a scenario that has just begun. It is cached."""
    game = simulate(1, 2)
    game.scenario = scenario
    game.open()
    while game.game.round_number == 0:
        game.step()
    seats = game.room.table.room.seats.values()
    pieces = [(seat.seat, piece) for seat in seats for piece in seat.characters]
    content = Content(game.pack, game.pack.scenarios[scenario])
    return Bench(content, pieces=pieces, game_table=game.game)


def drawing(scenario: str, deck: str, counter: str, value: int, pick: int) -> tuple[str, object]:
    """Draw a card while a counter has a value; return the card and everything sent."""
    base = begun(scenario)
    pieces = [(player.seat, piece) for player in base.players for piece in player.characters]
    bench = Bench(base.game.content, pieces=pieces, game_table=base.game_table)
    counters.put(bench.game, counter, value)
    bench.give_picks(pick)
    card = decks.draw(bench.game, deck, Source(pieces[0][1]))
    return "" if card is None else card.id, sent(bench)


def numbers(scenario: Scenario) -> Iterator[tuple[str, range]]:
    """Yield the counters dealt in the setup, with their possible values."""
    for step in scenario.setup:
        if isinstance(step, steps.Deal):
            yield step.counter, range(step.from_, step.to + 1)


def told(scenario: str) -> Iterator[tuple[str, str]]:
    """Yield each deck whose draws reveal something about a counter, with the counter."""
    made = core().scenarios[scenario]
    for deck, (counter, values) in itertools.product(made.decks, numbers(made)):
        shown: dict[str, set[object]] = {}
        for value, pick in itertools.product(values, PICKS):
            with contextlib.suppress(IndexError):  # there are no more cards than that
                card, seen = drawing(scenario, deck, counter, value, pick)
                shown.setdefault(card, set()).add(seen)
        if any(len(seen) > 1 for seen in shown.values()):
            yield deck, counter


def sent(bench: Bench) -> tuple[object, ...]:
    """Return what each viewer is sent, without commitments."""
    return tuple(
        (blank(cut(stored, seat).public), cut(stored, seat).openings)
        for seat in VIEWERS
        for stored in bench.stored
    )


@pytest.mark.parametrize("scenario", DEALT)
@pytest.mark.rule("SECRET-13", "RANDOM-1")
def test_decks_tell_nothing_of_what_was_dealt(scenario: str) -> None:
    """The record of a draw is the same for every number that can be dealt."""
    assert list(told(scenario)) == []


def test_a_list_that_is_picked_from_in_view_of_all_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plants the original leak: the position in a list, and the list's length."""

    def leak(
        _draws: Draws, play: Play, purpose: str, entries: list[int], **_: object
    ) -> int | None:
        return play.pick(purpose, entries) if entries else None

    monkeypatch.setattr(Draws, "deal", leak)

    assert ("victims", "murderer") in list(told("core/seventh-chair"))

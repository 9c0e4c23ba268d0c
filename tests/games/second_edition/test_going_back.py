"""Going back: what nobody knows is reshuffled, and what is on the table stays true.

The marks of guesses at a code depend on its solution, so that stays. Decks and facedown cards are
shuffled, so knowledge from the discarded part is worthless.
"""

import functools
import random
from collections.abc import Callable, Iterator

import attrs
import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.pack import Pack
from protocol.common import events
from protocol.common.asks import Question
from protocol.common.table import GameTable, Proposal
from protocol.event import CLOCK
from protocol.games.second_edition.table import CodePuzzle, Harm, SecondEditionTable, Skill, deck
from server.games.second_edition.rules.puzzles.code import answer
from server.games.second_edition.rules.ruleset import SecondEdition
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.simulate import Simulation, at_random, simulate

SCENARIO = "house/ways"
GAMES = 3


@functools.cache
def pack() -> Pack:
    """Return a pack whose scenario begins with an attempt at its code."""
    scenario = house().scenarios[SCENARIO]
    tiles = tuple(step for step in scenario.setup if isinstance(step, steps.PlaceTile))
    begun = (*tiles, steps.Attempt("code/safe", Skill.LORE))
    changed = attrs.evolve(scenario, setup=begun)
    return attrs.evolve(house(), scenarios={**house().scenarios, SCENARIO: changed})


def guess_once(question: Question, rng: random.Random) -> tuple[str, ...]:
    """Answer at random, but sometimes leave a puzzle."""
    close = [c.choice_id for c in question.choices if c.text.subject == "choice/puzzle_close"]
    return tuple(close) if close and rng.random() < 1 / 3 else at_random(question, rng)


def guessing() -> Iterator[Simulation]:
    """Yield games with guesses at a code that is unsolved at the last checkpoint."""
    found = 0
    seed = 0
    while found < GAMES:
        seed += 1
        game = simulate(seed, 3, pack=pack(), policy=guess_once)
        game.scenario = SCENARIO
        game.open()
        while game.game.round_number == 0:
            game.step()
        if any(code.guesses and not code.is_solved for code in codes(game.game)):
            found += 1
            yield game


def codes(game: SecondEditionTable) -> Iterator[CodePuzzle]:
    yield from (puzzle for puzzle in game.puzzles.values() if isinstance(puzzle, CodePuzzle))


def false_answers(game: SecondEditionTable) -> int:
    """Return the number of guesses on the table whose marks do not fit the code."""
    return sum(
        answer(solution(game, code), guess.pieces) != (guess.successes, guess.investigations)
        for code in codes(game)
        for guess in code.guesses
    )


def solution(game: SecondEditionTable, code: CodePuzzle) -> tuple[str, ...]:
    """Return the solution of a code, from its piles."""
    piles = (f"puzzle/{code.puzzle_id}/{position}" for position in range(code.length))
    return tuple(game.card_of(game.piles[pile][0]) for pile in piles)


def go_back(game: Simulation) -> None:
    """Have all agree to go back to the last checkpoint."""
    room = game.room.table.room
    proposal = Proposal(room.next_proposal_id, "take_back", 0, max(game.room.table.checkpoints))
    game.give(events.Proposed(proposal), 0)
    for seat in (1, 2):
        game.give(events.Consented(seat, proposal.proposal_id, is_agreed=True), seat)


def pause(game: Simulation) -> None:
    """Have the clock pause the game, which goes back to its last checkpoint."""
    game.give(events.PausedSet(is_paused=True), CLOCK)


WAYS_BACK = (go_back, pause)
WayBack = Callable[[Simulation], None]


@pytest.mark.parametrize("way_back", WAYS_BACK)
@pytest.mark.rule("CODE-6", "CODE-7")
def test_answers_to_guesses_stay_true(way_back: WayBack) -> None:
    for game in guessing():
        way_back(game)

        assert any(code.guesses for code in codes(game.game))
        assert false_answers(game.game) == 0


@pytest.mark.parametrize("way_back", WAYS_BACK)
@pytest.mark.rule("SECRET-1", "SECRET-2")
def test_decks_are_mixed(way_back: WayBack) -> None:
    game = next(guessing())
    rest = game.room.table.checkpoints[max(game.room.table.checkpoints)]
    assert isinstance(rest, SecondEditionTable)

    way_back(game)

    for harm in Harm:
        before, after = rest.piles[deck(harm)], game.game.piles[deck(harm)]
        assert not {*before} & {*after}
        cards = ([rest.card_of(h) for h in before], [game.game.card_of(h) for h in after])
        assert sorted(cards[0]) == sorted(cards[1])
        assert cards[0] != cards[1]


def test_a_code_that_is_mixed_makes_answers_false(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plants the fault that all piles are shuffled, to prove that the tests above can fail."""

    def all_piles(_rules: SecondEdition, table: GameTable) -> tuple[str, ...]:
        return tuple(table.piles)

    monkeypatch.setattr(SecondEdition, "unknown_piles", all_piles)
    wrong = 0
    for game in guessing():
        go_back(game)
        wrong += false_answers(game.game) > 0

    assert wrong

"""Puzzles with a time: an attempt ends when its seconds are over."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.schema.puzzles import Code, Lock, Puzzle, Slide
from protocol.common.events import Asked, TimerClosed, TimerOpened
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    AttemptBegan,
    AttemptEnded,
    CodeGuessed,
    LockLaidOut,
    LockSlid,
)
from protocol.games.second_edition.table import LockPuzzle, Skill
from server.games.second_edition.rules.puzzles.attempt import attempt
from tests.games.second_edition.rules.bench import TIME_OVER, Bench
from tests.games.second_edition.rules.test_lock import DOOR, drawn, lies, pieces, slid
from tests.games.second_edition.rules.worlds import ADA, BEN, investigator_card, world

pytestmark = pytest.mark.issue(39)

BAR = Lock("lock/bar", 4, 4, 2, seconds=60)
FACE = Slide("slide/face", 2, 3, "AAbbCC\nDDeeFF", seconds=10)
CHAIN = Code("code/chain", 3, ("1", "2"), seconds=30)
UP, RIGHT = slid("b", "up", 2), slid("*", "right", 2)


def tried(puzzle: Puzzle, *answers: Any, version: int = 4) -> Bench:
    """Return a world in which Ada attempts a puzzle with three steps."""
    key = {Lock: "locks", Code: "codes", Slide: "slides"}[type(puzzle)]
    bench = world(
        investigators=[investigator_card(ADA, lore=3), investigator_card(BEN)],
        at={ADA: "house/a", BEN: "house/a"},
        scenario_parts={key: (puzzle,)},
    )
    bench.version = version
    bench.table = bench.table.with_room(version=version)
    if isinstance(puzzle, Lock):
        bench.emit(LockLaidOut(LockPuzzle(puzzle.id, 4, 4, pieces(DOOR))))
    bench.run(attempt(bench.game, ADA, puzzle.id, Skill.LORE), *answers)
    return bench


def test_all_questions_of_an_attempt_share_its_time() -> None:
    bench = tried(BAR, UP, RIGHT)

    around = [e for e in bench.log if isinstance(e, TimerOpened | TimerClosed)]
    assert around == [TimerOpened(0, Text(BAR.id, field="name"), 60), TimerClosed(0)]
    assert [e.timer for e in bench.happened(Asked)][-2:] == [0, 0]
    ended = [type(e) for e in bench.log if isinstance(e, TimerClosed | AttemptEnded)]
    assert ended == [TimerClosed, AttemptEnded]
    assert lies(bench).is_solved


def test_the_end_of_the_time_is_the_end_of_the_attempt() -> None:
    """The puzzle keeps its state, and the next attempt has the whole time."""
    bench = tried(BAR, UP, TIME_OVER)

    assert len(bench.happened(LockSlid)) == len(bench.happened(AttemptEnded)) == 1
    assert drawn(lies(bench)) == "\n. a b .\n. a b .\n* * . .\n. . . .\n"

    bench.run(attempt(bench.game, BEN, BAR.id, Skill.LORE), RIGHT)
    assert lies(bench).is_solved
    assert [e.seconds for e in bench.happened(TimerOpened)] == [60, 60]


@pytest.mark.parametrize("puzzle", [BAR, CHAIN, FACE])
def test_a_question_says_that_time_leaves_the_puzzle(puzzle: Puzzle) -> None:
    bench = tried(puzzle, ...)

    assert bench.open is not None
    (prompt,) = bench.open.prompts.values()
    (place,) = prompt.default_places
    assert prompt.options[place].text == Text("choice/puzzle_close")


def test_pieces_that_time_chose_are_no_guess() -> None:
    """Guessing takes two questions."""
    bench = tried(CHAIN, "choice/puzzle_guess", TIME_OVER)

    assert bench.happened(CodeGuessed) == []
    assert len(bench.happened(AttemptEnded)) == 1

    bench = tried(CHAIN, "choice/puzzle_guess", (0, 0, 1), TIME_OVER)
    assert len(bench.happened(CodeGuessed)) == 1


@pytest.mark.parametrize(
    ("puzzle", "version"), [(BAR, 3), (BAR, 2), (attrs.evolve(BAR, seconds=None), 4)]
)
def test_older_games_and_other_puzzles_have_no_time(puzzle: Lock, version: int) -> None:
    bench = tried(puzzle, ..., version=version)

    assert len(bench.happened(AttemptBegan)) == 1
    assert bench.happened(TimerOpened) == []
    assert bench.open is not None
    assert bench.open.prompts[0].default is None

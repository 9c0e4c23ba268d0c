"""Toy in plain mode: a whole game by typing, and every command."""

import random
import re

import pytest

from client.plain.client import NO_QUESTION
from client.plain.commands import by_name
from client.plain.game_commands import commands_for
from client.plain.talk import PlayerPlace
from tests.games.every import Evening, start

OUTSIDE = {"quit", "leave", "save"}
"""Commands that end something, or write a file."""

pytestmark = pytest.mark.issue(11)


def type_an_answer(evening: Evening, rng: random.Random) -> None:
    """Answer the printed question by number."""
    view = evening.ben.model.view
    question = view.my_question() if view is not None else None
    if question is None or view is None or view.ask is None:
        return
    if evening.plain.question_id == NO_QUESTION:
        return
    if view.can_call_tiebreak():
        evening.plain.hear("lot")
        return
    question = evening.plain._talk.question()[1]
    most = min(question.at_most, len(question.choices))
    count = rng.randint(question.at_least, most)
    numbers = rng.sample(range(1, len(question.choices) + 1), count)
    evening.plain.hear(" ".join(map(str, numbers)) or "none")


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_is_played_by_typing_numbers(seed: int) -> None:
    """The other player uses the full screen."""
    evening, rng = start("toy", seed=seed), random.Random(seed)

    for _ in range(100):
        evening.people[0].act()
        evening.house.settle(0.1)
        type_an_answer(evening, rng)
        evening.house.settle(0.1)

    assert evening.is_over
    assert evening.printed[-1].startswith("The game is over.")


def typed_in_mid_game(*words: str) -> list[tuple[str, str]]:
    """Return each word typed in the middle of a game with what was printed for it."""
    evening = start("toy")
    while not evening.plain.question_id > 0:
        evening.play(1)
    told = []
    for word in words:
        before = len(evening.printed)
        evening.plain.hear(word)
        told.append((word, "\n".join(evening.printed[before:])))
    return told


def in_the_game() -> list[str]:
    """Return every command available during a game."""
    return [
        name
        for name, command in by_name(commands_for("toy")).items()
        if PlayerPlace.GAME in command.places and name not in OUTSIDE
    ]


def test_every_command_answers_something() -> None:
    told = typed_in_mid_game(*in_the_game())

    assert len(told) > 20
    assert [word for word, lines in told if re.search(r"<[a-z_]+[/.]", lines)] == []


def test_no_command_says_that_the_game_has_not_begun() -> None:
    told = typed_in_mid_game(*in_the_game())

    assert [word for word, lines in told if "The game has not begun." in lines] == []


def test_the_moments_to_go_back_to_are_told_apart() -> None:
    ((_, lines),) = typed_in_mid_game("back")

    assert [line for line in lines.split("\n") if re.fullmatch(r"\d+\.", line)] == []

"""The odds of a test before its dice are rolled. Rules DICE-1 and TEST-9."""

from math import comb
from typing import Final

from client.widgets.scene import Scene
from protocol.games.second_edition.table import SecondEditionTable

_SUCCESS: Final = 3 / 8
"""Three of the eight faces of a die are successes."""


def odds(scene: Scene) -> tuple[str, ...]:
    """Return the chance of passing the open test in words; empty if no test waits for its roll."""
    game = scene.table.game
    test = game.test if isinstance(game, SecondEditionTable) else None
    # Without a difficulty any number of successes passes.
    if test is None or test.faces or not test.difficulty:
        return ()
    percent = str(round(100 * chance(test.difficulty, test.pool)))
    return (scene.speaker.say("replay.odds", test.difficulty, test.pool, percent),)


def chance(needed: int, dice: int) -> float:
    """Return the probability that `dice` dice show at least `needed` successes, without Clues."""
    return sum(
        comb(dice, count) * _SUCCESS**count * (1 - _SUCCESS) ** (dice - count)
        for count in range(needed, dice + 1)
    )

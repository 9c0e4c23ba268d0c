"""Determinism: a game is the same in every process, whatever the hash seed."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from client.bots.brains import SENSIBLE
from server.kernel.room import Room
from tests.games.second_edition.simulate import simulate

ROOT = Path(__file__).parents[3]

_PLAY = """
import json
from tests.games.second_edition.test_determinism import played

print(json.dumps(played()))
"""


def played() -> list[list[Any]]:
    """Return the results of two games in this process."""
    games = (simulate(4, 5), simulate(9, 3, brain=SENSIBLE))
    return [_told_of(game.play().room) for game in games]


def _told_of(room: Room) -> list[Any]:
    digest = hashlib.sha256()
    for stored in room.log:
        digest.update(stored.public)
        digest.update(stored.openings)
    return [len(room.log), room.head.hex(), digest.hexdigest()]


def played_elsewhere(hash_seed: str) -> list[list[Any]]:
    ended = subprocess.run(
        [sys.executable, "-c", _PLAY],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    found: list[list[Any]] = json.loads(ended.stdout)
    return found


@pytest.fixture(scope="module")
def once() -> list[list[Any]]:
    """Return the results in this process, whose hash seed is random."""
    return played()


@pytest.mark.parametrize("hash_seed", [pytest.param("1", marks=pytest.mark.long), "4294967295"])
def test_a_log_does_not_depend_on_the_order_of_sets(once: list[list[Any]], hash_seed: str) -> None:
    """Otherwise no server could continue the game of another. Openings are compared too."""
    assert len(once) == 2
    assert min(length for length, _, _ in once) > 100
    assert played_elsewhere(hash_seed) == once

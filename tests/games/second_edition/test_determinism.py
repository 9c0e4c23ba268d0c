"""The same game comes out the same in every process, whatever the order of its sets."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]

_PLAY = """
import hashlib, json
from client.bots.brains import SENSIBLE
from tests.games.second_edition.simulate import simulate

for game in (simulate(4, 5), simulate(7, 2), simulate(9, 3, brain=SENSIBLE)):
    digest = hashlib.sha256()
    for stored in game.play().room.log:
        digest.update(stored.public)
        digest.update(stored.openings)
    print(json.dumps([len(game.room.log), game.room.head.hex(), digest.hexdigest()]))
"""


def played(hash_seed: str) -> list[Any]:
    """Return what three games came to in a process with this order of sets."""
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
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.fixture(scope="module")
def once() -> list[Any]:
    """Return what the games came to the first time."""
    return played("0")


@pytest.mark.parametrize("hash_seed", ["1", "4294967295"])
def test_a_log_does_not_depend_on_the_order_of_sets(once: list[Any], hash_seed: str) -> None:
    """Byte for byte, openings too. Otherwise no server could go on with another's game."""
    assert len(once) == 3
    assert min(length for length, _, _ in once) > 100
    assert played(hash_seed) == once

"""Memory of a real server under attack: it stays bounded, and shrinks again."""

import sys
from collections.abc import Iterator
from typing import Final

import pytest

from bench.attacks import STALL_MS, TURN
from bench.processes import Process, serving
from tests.kit.servers.floods import (
    FLOODS,
    Watched,
    never_reading,
    shared_game,
    with_largest_pack,
)

pytestmark = [
    pytest.mark.issue(13),
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read off /proc"),
]

MOST_KIB: Final = 64 * 1024
"""Maximum growth of memory while the server is attacked."""
LEFT_KIB: Final = 32 * 1024
"""Maximum growth once all attackers have gone: memory that Python keeps for later."""
REST_SECONDS: Final = 3.0
OF_A_GAME: Final = frozenset(["packs"])
"""Floods that need a finished game; their replies are sent in steps, so no turn is long."""


def met(server: Process, shared: str = "") -> Watched:
    """Return a server that had one guest, so that everything loaded late is loaded."""
    one = Watched(server, shared)
    with one.guest():
        pass
    one.rest(REST_SECONDS)
    return one


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    """Run a server."""
    with serving("ours") as server:
        yield met(server)


@pytest.fixture(scope="module")
def with_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Run a server with a game, played with the largest pack, that everybody may open."""
    folder = tmp_path_factory.mktemp("watched")
    with serving("ours", options=("--pack", str(with_largest_pack(folder)))) as server:
        yield met(server, shared_game(server, folder))


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", FLOODS)
def test_memory_stays_within_64_mib_and_comes_back(
    name: str, request: pytest.FixtureRequest
) -> None:
    watched: Watched = request.getfixturevalue("with_game" if name in OF_A_GAME else "watched")
    watched.most_kib = watched.let_in = watched.refused = 0
    before, logged = watched.server.memory_kib(), len(watched.server.log_lines())

    FLOODS[name](watched)

    after = watched.rest(REST_SECONDS)
    told = f"+{watched.most_kib - before} KiB, then +{after - before}; {watched.refused} refused"
    sys.stdout.write(f"{name}: {told}\n")
    assert watched.let_in >= 4
    assert 0 < watched.most_kib < before + MOST_KIB
    assert after < before + LEFT_KIB
    if name in OF_A_GAME:
        turns = [TURN.search(line) for line in watched.server.log_lines()[logged:]]
        # By the processor's time, which no other load of the machine changes.
        assert [turn[0] for turn in turns if turn is not None and float(turn[2]) > STALL_MS] == []


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_second_flood_takes_no_more_than_the_first_left(watched: Watched) -> None:
    """Memory that stays allocated is used again."""
    never_reading(watched)
    left = watched.rest(REST_SECONDS)

    never_reading(watched)

    assert watched.rest(REST_SECONDS) < left + LEFT_KIB / 4

"""Whole games again: from the log, from snapshots, after going back, in branches, elsewhere."""

import functools
import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import Proposal, Stage
from protocol.games.cards.table import CardsTable, deck_of
from protocol.plugs import PLACES, Place
from server.authoring.driver import PackLibrary, SeededEntropy
from server.kernel import snapshot
from server.kernel.batch_writer import Batch
from server.kernel.chance import seeded
from server.kernel.room import Room
from server.kernel.snapshot import difference
from tests.games.cards.simulate import Simulation, core, simulate
from tests.kit.tables.branches import BRANCH_ID, begin_branch, checkpoints_of
from tests.kit.tables.resuming import resume
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(42)

ROOT = Path(__file__).parents[3]
CODE = b"today's code"
SEATS = 2


@functools.cache
def source() -> Room:
    """Return a finished game. It is cached."""
    return simulate(1, SEATS).play().room


@pytest.mark.parametrize("from_start", [False, True])
def test_a_game_is_played_again_from_its_log(from_start: bool) -> None:
    room = source()

    again = resume(
        room.room_id,
        list(room.log),
        PackLibrary(core()),
        SeededEntropy(7),
        from_start=from_start,
    )

    assert (again.table, again.head, again.halted) == (room.table, room.head, None)


def test_a_game_is_rebuilt_at_any_question() -> None:
    """From the last checkpoint of the log, and from the last snapshot."""
    game = simulate(6, SEATS)
    seen = 0

    def look(_: Batch) -> None:
        nonlocal seen
        seen += 1
        if seen % 15:
            return
        room = game.room
        again = resume(room.room_id, list(room.log), PackLibrary(core()), SeededEntropy(7))
        assert (again.table, again.halted) == (room.table, None)
        data = snapshot.save(room.rest, CODE)
        loaded = snapshot.load(data, room.room_id, lambda _: CODE, seeded)
        assert difference(loaded, room.rest) == ""

    game.on_batch = look
    game.play()

    assert seen > 60


def going_back() -> Simulation:
    """Return a game that is about to go back to its last checkpoint but two."""
    game = simulate(1, SEATS)
    game.open()
    while game.game.round_number < 2:
        game.step()
    return game


def test_what_nobody_knows_is_mixed_when_a_game_goes_back() -> None:
    game = going_back()
    room = game.room
    checkpoint = max(room.table.checkpoints)
    rest = room.table.checkpoints[checkpoint]
    assert isinstance(rest, CardsTable)

    proposal = Proposal(room.table.room.next_proposal_id, "take_back", 0, checkpoint)
    game.give(events.Proposed(proposal), 0)
    game.give(events.Consented(1, proposal.proposal_id, is_agreed=True), 1)

    assert game.game.phase is rest.phase
    for pile in ("encounter", *map(deck_of, rest.order)):
        before, after = rest.piles[pile], game.game.piles[pile]
        # Cards that somebody has looked at stay where they lie.
        lying = {handle: rest.hidden_cards[handle] for handle in before}
        unseen = {h for h, card in lying.items() if not (card.looks or card.order.audience)}
        assert unseen
        assert not unseen & {*after}
        assert sorted(map(rest.card_of, before)) == sorted(map(game.game.card_of, after))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_branch_is_played_on_and_verified(place: int) -> None:
    checkpoints = checkpoints_of(source())
    last = checkpoints[(0, len(checkpoints) // 2, -1)[place]]
    room = begin_branch(source(), last, PackLibrary(core()))
    Simulation(
        room, random.Random(5), SEATS, core(), next(iter(core().scenarios)), time=room.last_time
    ).play_on()

    assert room.table.room.stage is Stage.OVER
    assert audit(load(file_of(room))).is_whole
    again = resume(
        BRANCH_ID, list(room.log), PackLibrary(core()), source()._entropy, from_start=True
    )
    assert (again.table, again.head, again.halted) == (room.table, room.head, None)


_PLAY = "from tests.games.cards.test_played_again import print_game; print_game()"


def told_of_game() -> list[str | int]:
    """Return what a game in this process was: its length, its head, and a digest of its log."""
    room = simulate(4, SEATS).play().room
    digest = hashlib.sha256()
    for stored in room.log:
        digest.update(stored.public + stored.openings)
    return [len(room.log), room.head.hex(), digest.hexdigest()]


def print_game() -> None:
    """Print the result of `told_of_game`, in a process of its own."""
    PLACES["cards"] = Place("{layer}.games.cards")
    sys.stdout.write(json.dumps(told_of_game()))


def test_a_log_does_not_depend_on_the_order_of_sets() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _PLAY],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4294967295"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )

    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == told_of_game()

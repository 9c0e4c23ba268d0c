"""Going back: all must agree, what lay hidden in piles is mixed, and what was seen stays known."""

import random

import attrs
import pytest

from protocol.common import events
from protocol.common.table import Proposal, Settings
from protocol.event import everything, read
from protocol.games.first_edition.events import PitTriggered
from protocol.games.first_edition.table import PIT_SUPPLY, FirstEditionTable
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER
from server.authoring.driver import PackLibrary, SeededEntropy
from server.kernel.errors import Refused
from server.kernel.room import Room
from tests.games.first_edition.outing_games import Walk
from tests.games.first_edition.outing_pack import BY_THE_LAKE, outing

pytestmark = pytest.mark.issue(41)
rule = pytest.mark.rule


def game_of(walk: Walk) -> FirstEditionTable:
    game = walk.room.table.game
    assert isinstance(game, FirstEditionTable)
    return game


@attrs.frozen
class Fallen:
    """A game in which somebody has just fallen into a pit."""

    walk: Walk
    fell: PitTriggered
    checkpoint: int
    """The last one before it."""
    supply: tuple[str, ...]
    """The supply of pits at that moment."""


def fallen(*, takebacks: bool) -> Fallen:
    """Return a game in which somebody has just fallen."""
    settings = Settings(least_seconds=0, takebacks=takebacks)
    room = Room("room-back", PackLibrary(outing()), SeededEntropy(1))
    walk = Walk(room, random.Random(1), 3, outing(), BY_THE_LAKE, settings=settings)
    walk.open()
    written = 0
    while True:
        before = max(room.table.checkpoints, default=-1)
        supply = game_of(walk).piles.get(PIT_SUPPLY, ())
        walk.step()
        room = walk.room
        for stored in list(room.log)[written:]:
            event = read(room.room_id, everything(stored)).event
            if isinstance(event, PitTriggered):
                return Fallen(walk, event, before, supply)
        written = len(room.log)


def propose(walk: Walk, checkpoint: int) -> None:
    """Have the first investigator propose to go back."""
    room = walk.room.table.room
    walk.give(events.Proposed(Proposal(room.next_proposal_id, "take_back", 0, checkpoint)), 0)


def agree(walk: Walk, role: str) -> None:
    """Have all others of a role agree."""
    for seat in walk.room.table.room.seats.values():
        proposal = walk.room.table.room.proposal
        if seat.role == role and seat.seat and proposal is not None:
            consent = events.Consented(seat.seat, proposal.proposal_id, is_agreed=True)
            walk.give(consent, seat.seat)


@rule("K-DECIDE-100", "W-SECRET-1")
def test_a_pit_into_which_somebody_fell_is_avoided_only_if_the_keeper_agrees() -> None:
    game = fallen(takebacks=True)
    walk, fell = game.walk, game.fell
    propose(walk, game.checkpoint)
    agree(walk, INVESTIGATOR)
    waiting = walk.room.table.room.proposal

    agree(walk, KEEPER)

    assert (waiting is None, walk.room.table.room.proposal) == (False, None)
    assert game_of(walk).features[fell.feature].handle == fell.handle


@rule("K-DECIDE-100", "W-SECRET-2")
def test_after_going_back_nobody_knows_which_pit_of_the_supply_was_which() -> None:
    game = fallen(takebacks=True)
    propose(game.walk, game.checkpoint)
    agree(game.walk, INVESTIGATOR)
    agree(game.walk, KEEPER)

    after = game_of(game.walk).piles[PIT_SUPPLY]
    assert len(after) == len(game.supply)
    assert {*after}.isdisjoint(game.supply)


@rule("K-DECIDE-100")
def test_by_default_nobody_goes_back_whatever_they_fell_into() -> None:
    game = fallen(takebacks=FirstEditionTable.usual_settings.takebacks)

    with pytest.raises(Refused, match="proposal/no_takebacks"):
        propose(game.walk, game.checkpoint)

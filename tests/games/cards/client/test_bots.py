"""Bots play whole games, and choose as one would expect."""

import random

import attrs
import pytest

from client.games.cards.bot import BRAINS
from client.games.cards.bot.odds import chance
from client.model.tables import TableView
from protocol.common.asks import Question
from protocol.event import Event, cut
from protocol.games.cards.words import Phase
from server.authoring.driver import PackLibrary, SeededEntropy
from server.kernel.batch_writer import Batch
from server.kernel.chance import seeded
from server.kernel.room import Room
from tests.games.cards.simulate import Simulation, core

pytestmark = pytest.mark.issue(42)


@attrs.define(eq=False)
class BotGame(Simulation):
    """A game in which the bots of all seats see what their seats are sent."""

    views: dict[int, TableView] = attrs.field(factory=dict)

    def after_batch(self, happened: Event, origin: int, batch: Batch) -> None:
        del happened, origin
        for seat in range(self.players):
            view = self.views.setdefault(seat, TableView(self.room.room_id, seat))
            view.receive(tuple(cut(stored, seat) for stored in batch.stored))

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        picks = BRAINS[""](self.views[seat], question, self.rng)
        assert question.faults(picks) is None, (question.prompt, picks)
        return picks


@pytest.mark.parametrize("players", [1, 3])
def test_bots_play_scenario_one_to_its_end(players: int) -> None:
    pack = core()
    room = Room("room-bots", PackLibrary(pack), SeededEntropy(players), make_chance=seeded)
    game = BotGame(room, random.Random(players), players, pack, "casebook/one")

    game.play()

    assert game.game.phase is Phase.OVER


def test_the_chance_of_a_test_counts_the_tokens_of_the_bag() -> None:
    bag = ("-1", "-2", "0", "fail")

    assert chance(bag, 3, 3) == 0.25
    assert chance(bag, 4, 3) == 0.5
    assert chance(bag, 9, 0) == 0.75

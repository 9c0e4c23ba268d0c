"""Salts and handles come from the entropy of the server, each used once."""

import attrs
import pytest

from protocol.commitments import SALT_BYTES
from protocol.common.events import Shuffled
from protocol.event import openings_of
from server.kernel.room import Room
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.simulate import CoreLibrary, SeededEntropy, Simulation, simulate
from tests.games.second_edition.twins.faults_of_chance import salts_follow_from_room_and_sequence
from tests.kernel.twins import records_of


@attrs.define
class NotedEntropy(SeededEntropy):
    """Entropy that records what it returned."""

    given: list[bytes] = attrs.field(factory=list)

    def draw(self, count: int) -> bytes:
        drawn = super().draw(count)
        self.given.append(drawn)
        return drawn


def played() -> tuple[Simulation, NotedEntropy]:
    """Play a game with recorded entropy."""
    entropy = NotedEntropy(5)
    game = simulate(5, 2, pack=house())
    game.scenario = "house/company"
    game.room = Room("a-room", CoreLibrary(house()), entropy)
    return game.play(), entropy


def salts_of(game: Simulation) -> list[bytes]:
    return [opening.salt for stored in game.room.log for opening in openings_of(stored)]


def test_every_salt_comes_from_the_entropy_and_comes_once() -> None:
    """No salt is computed, and none is used for two secrets."""
    game, entropy = played()

    salts = salts_of(game)

    assert len(salts) > 100
    assert {len(salt) for salt in salts} == {SALT_BYTES}
    assert {*salts} <= {*entropy.given}
    assert len({*salts}) == len(salts)


def test_every_handle_comes_from_the_entropy_and_comes_once() -> None:
    """A handle used again would reveal where a card was before."""
    game, entropy = played()

    handles = [handle for _, handle in _mixed(game)]

    assert len(handles) > 40
    assert {bytes.fromhex(handle) for handle in handles} <= {*entropy.given}
    assert len({*handles}) == len(handles)


def _mixed(game: Simulation) -> list[tuple[int, str]]:
    records = records_of(list(game.room.log))
    return [
        (record.sequence, handle)
        for record in records
        if isinstance(record.event, Shuffled)
        for handle in record.event.handles
    ]


def test_salts_that_can_be_computed_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plants salts that follow from room and sequence."""
    salts_follow_from_room_and_sequence(monkeypatch)

    game, entropy = played()

    assert not {*salts_of(game)} & {*entropy.given}

"""`manse join` and `manse bot --join` at a game whose setup the player knows."""

import argparse
import asyncio
from collections.abc import Callable

import attrs
import pytest

from client.commands import robots, sessions
from client.commands.robots import CannotPlay
from client.locale import load as locale_of
from client.net.port import ServerPort
from client.terminal.runner import NotReached
from tests.games.second_edition.client.test_setups import Wire as ProcessWire
from tests.games.second_edition.lobby.test_campaigns import Saga
from tests.games.second_edition.lobby.test_sharing_on_screen import pressed, screen_of
from tests.games.second_edition.lobby.test_sharing_on_screen import seat_of_known_game as known
from tests.kit.servers.house import House
from tests.kit.servers.tables import room_of

pytestmark = pytest.mark.issue(17)


@attrs.define
class Wire(ProcessWire):
    """The same, which lets the server do what it was asked."""

    @property
    def port(self) -> ServerPort:
        """What it speaks through."""
        return self.client.port

    async def until(self, test: Callable[[], bool]) -> None:
        """Look once all is there."""
        self.house.settle()
        assert test()


@pytest.fixture
def house() -> House:
    """Return a house with a scenario that is over as soon as it begins."""
    return Saga()


def wire_of(house: House, name: str) -> Wire:
    """Return the connection of somebody who speaks English."""
    wire = Wire(house, house.client(name))
    wire.model.locale = locale_of("en")
    return wire


def test_who_was_sent_there_from_the_shell_is_asked_on_the_screen(house: House) -> None:
    """Instead of being told that nothing can be done."""
    host, code = known(house, "Ann")
    wire = wire_of(house, "Ann")

    asyncio.run(sessions.begin_invited(wire, code, is_to_watch=False))  # type: ignore[arg-type]
    assert "Join again" in wire.model.bar.text
    ui = screen_of(house, wire.client)
    assert "Play it all the same?" in " ".join(ui.draw(30, 110).plain().split())
    pressed(house, ui, "y")

    assert room_of(house, host).seats[1].knows_setup


def test_an_invitation_to_nothing_ends_the_command(house: House) -> None:
    begin = sessions.begin_invited(wire_of(house, "Ann"), "0" * 16, is_to_watch=False)  # type: ignore[arg-type]

    with pytest.raises(NotReached):
        asyncio.run(begin)


def test_a_bot_sits_down_though_its_key_has_met_the_setup(house: House) -> None:
    """It remembers nothing of it; the table reads that."""
    host, code = known(house, "Ann")
    options = argparse.Namespace(json=True)

    asyncio.run(robots._sit_down(wire_of(house, "Ann"), options, code))  # type: ignore[arg-type]

    assert room_of(house, host).seats[1].knows_setup


def test_a_bot_that_nobody_invited_says_so(house: House) -> None:
    """In the words of the refusal."""
    wire, options = wire_of(house, "Ann"), argparse.Namespace(json=True)

    with pytest.raises(CannotPlay):
        asyncio.run(robots._sit_down(wire, options, "0" * 16))  # type: ignore[arg-type]

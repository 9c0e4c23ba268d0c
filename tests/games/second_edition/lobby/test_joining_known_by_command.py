"""`manse join` and `manse bot --join` for a game whose setup the player knows."""

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
    """Connection of a process; the server settles before each condition is checked."""

    @property
    def port(self) -> ServerPort:
        return self.client.port

    async def until(self, test: Callable[[], bool]) -> None:
        self.house.settle()
        assert test()


@pytest.fixture
def house() -> House:
    """Return a server with a scenario that ends as soon as it begins."""
    return Saga()


def wire_of(house: House, name: str) -> Wire:
    """Return the connection of an English-speaking client."""
    wire = Wire(house, house.client(name))
    wire.model.locale = locale_of("en")
    return wire


def test_who_was_sent_there_from_the_shell_is_asked_on_the_screen(house: House) -> None:
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
    """The bot has no memory of it, and the log says that its key has met the setup."""
    host, code = known(house, "Ann")
    options = argparse.Namespace(json=True)

    asyncio.run(robots._sit_down(wire_of(house, "Ann"), options, code))  # type: ignore[arg-type]

    assert room_of(house, host).seats[1].knows_setup


def test_a_bot_that_nobody_invited_says_so(house: House) -> None:
    wire, options = wire_of(house, "Ann"), argparse.Namespace(json=True)

    with pytest.raises(CannotPlay):
        asyncio.run(robots._sit_down(wire, options, "0" * 16))  # type: ignore[arg-type]

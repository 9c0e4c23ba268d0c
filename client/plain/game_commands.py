"""The commands that a game brings to plain mode, beside those that every table has."""

import functools

import attrs

from client.plain.command import Command
from client.plugs.face import face_of


@attrs.frozen(eq=False)
class GameCommands:
    """The commands of one game."""

    readings: tuple[Command, ...] = ()
    """Those that print what is on the table, in the order in which help lists them."""
    proposals: tuple[Command, ...] = ()
    """Those that propose something to the table."""


NO_COMMANDS = GameCommands()


@functools.cache
def commands_for(ruleset: str) -> GameCommands:
    """Return the commands of a game; none for one that brings none, or is not installed."""
    make = face_of(ruleset).plain_commands
    if make is None:
        return NO_COMMANDS
    found = make()
    assert isinstance(found, GameCommands)
    return found

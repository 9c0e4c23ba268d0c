"""The commands that a game adds to the commands of every table."""

import functools

import attrs

from client.plain.command import Command
from client.plugs.face import face_of


@attrs.frozen(eq=False)
class GameCommands:
    """The commands of one game."""

    readings: tuple[Command, ...] = ()
    """Commands that print the table, in the order of help."""
    proposals: tuple[Command, ...] = ()
    """Commands that propose something to the table."""


NO_COMMANDS = GameCommands()


@functools.cache
def commands_for(ruleset: str) -> GameCommands:
    """Return the commands of a game; none if the game has none or is not installed."""
    make = face_of(ruleset).plain_commands
    if make is None:
        return NO_COMMANDS
    found = make()
    assert isinstance(found, GameCommands)
    return found

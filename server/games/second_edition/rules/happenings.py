"""
Happenings: how often something of the scenario has come up, for requirements that ask.

Only what is asked about is remembered, sealed to everybody; on the log it goes by a number, since a
name would tell the script.
"""

from server.games.second_edition.rules import memory
from server.games.second_edition.rules.play import Play


def times(play: Play, event: str) -> int:
    """Return how often a Mythos event, a trigger, an option of a token, a named effect came up."""
    return memory.number(play, _name(play, event)) or 0


def note(play: Play, event: str) -> None:
    """Remember that it has come up, if somebody asks."""
    if event in play.content.scenario.remembered:
        memory.remember(play, _name(play, event), times(play, event) + 1)


def _name(play: Play, event: str) -> str:
    return f"h{play.content.scenario.remembered.index(event) + 1}"

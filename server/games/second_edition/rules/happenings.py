"""
Happenings: counts of the scenario's events, for requirements that ask for them.

Only events that a requirement names are counted. The counts are sealed, and the log numbers the
events, since a name would reveal the script.
"""

from server.games.second_edition.rules import memory
from server.games.second_edition.rules.play import Play


def times(play: Play, event: str) -> int:
    """Return how often a Mythos event, trigger, token option or named effect has occurred."""
    return memory.number(play, _name(play, event)) or 0


def note(play: Play, event: str) -> None:
    """Count one more occurrence of an event, if a requirement asks for it."""
    if event in play.content.scenario.remembered:
        memory.remember(play, _name(play, event), times(play, event) + 1)


def _name(play: Play, event: str) -> str:
    return f"h{play.content.scenario.remembered.index(event) + 1}"

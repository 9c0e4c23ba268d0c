"""Notes: the messages of a session with their times, for comparing tables with one another."""

from typing import Any

from protocol import messages
from tests.kernel.twins import blank
from tests.kit.servers.house import Client, House

Note = tuple[float, Any]
"""Seconds on the house's clock, and what was sent, with salts and commitments blanked."""


def noting(house: House, client: Client) -> list[Note]:
    """Note from now on what a client is sent; it hears it all the same."""
    notes: list[Note] = []
    hear = client.session.hear

    def note(message: messages.ServerMessage) -> None:
        notes.append((round(house.clock.seconds(), 3), comparable(message)))
        hear(message)

    client.session.hear = note
    return notes


def comparable(message: messages.ServerMessage) -> Any:
    """Return a message without what nobody can compute with, its sizes kept."""
    if not isinstance(message, messages.Records):
        return message
    return [
        (blank(one.public), [(slot, opening.value) for slot, opening in one.openings])
        for one in message.cuts
    ]

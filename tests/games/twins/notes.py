"""Notes: timed messages of a session, for comparing tables."""

from typing import Any

from protocol import messages
from tests.kernel.twins import blank
from tests.kit.servers.house import Client, House

Note = tuple[float, Any]
"""Seconds on the house's clock, and what was sent, with salts and commitments blanked."""


def noting(house: House, client: Client) -> list[Note]:
    """Record what a client is sent from now on; the client still receives it."""
    notes: list[Note] = []
    hear = client.session.hear

    def note(message: messages.ServerMessage) -> None:
        notes.append((round(house.clock.seconds(), 3), comparable(message)))
        hear(message)

    client.session.hear = note
    return notes


def comparable(message: messages.ServerMessage) -> Any:
    """Return a message with random values blanked and their sizes kept."""
    if not isinstance(message, messages.Records):
        return message
    return [
        (blank(one.public), [(slot, opening.value) for slot, opening in one.openings])
        for one in message.cuts
    ]

"""What the tests demand of every record that is sealed: it is what is read off its bytes."""

from protocol.event import Record, Stored, read_whole


class NotAsRead(AssertionError):
    """A record that a reader of the log would not see: a value is not of its declared type."""


def read_back(room_id: str, stored: Stored, record: Record) -> None:
    """Raise NotAsRead, or what the strict reader raises, unless the bytes say the same."""
    if read_whole(room_id, stored) != record:
        raise NotAsRead(f"a {record.event.tag} is not what is read off its bytes")

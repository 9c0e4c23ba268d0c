"""
Shares: what a player's client has contributed to the seeds of its games, kept to prove it later.

A start that fails after a share was sent may have been made to fail on purpose. And the log of a
game must hold the share that was sent, for the start that it was sent for: whoever has seen a share
could choose another seed that gives the dice they want.
"""

import enum
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from client.keyring import private_files
from protocol import codec
from protocol.common import events
from protocol.common.table import RoomTable, Table, fold
from protocol.event import Event, Record

FILE = "shares.json"
"""In the player's folder."""
MOST_ROOMS = 1000
"""Tables whose shares are kept; the oldest are forgotten."""
MOST_EACH = 16
"""Shares that are kept of one table, whose starts may have failed."""

SHARE_BYTES = 32


class UnreadableShares(Exception):
    """The file of shares is there and cannot be read; the text is its path."""


@attrs.frozen
class KeptShare:
    """A share that was opened."""

    share: bytes = attrs.field(repr=False)
    start: bytes
    """The digest of all that was bound by then (`digest_of_start`)."""


def digest_of_start(room: RoomTable) -> bytes:
    """Return a digest of all that a start is bound to before the first share is opened."""
    ceremony, setup = room.ceremony, room.fixed_setup
    assert ceremony is not None
    assert room.play_seed is not None and room.house_seed is not None  # noqa: PT018 (one thing)
    seeds = (room.play_seed.commitment, room.house_seed.commitment)
    shares = tuple(sorted(ceremony.commitments.items()))
    fixed = None if setup is None else setup.commitment
    bound = ("manse kept start 1", room.room_id, room.version, seeds, fixed, shares)
    return hashlib.sha256(codec.pack(bound)).digest()


@attrs.frozen
class KeptShares:
    """The file of shares: by table, those that were opened there, the latest last."""

    path: Path

    def keep(self, room_id: str, kept: KeptShare) -> None:
        """Write down a share that is opened next. OSError where that cannot be done."""
        try:
            known = dict(self._load())
        except UnreadableShares:
            # What is opened from now on can be checked again; what stood there cannot.
            known = {}
        own = [*known.pop(room_id, ()), [kept.share.hex(), kept.start.hex()]]
        known[room_id] = own[-MOST_EACH:]
        rooms = list(known)[-MOST_ROOMS:]
        text = json.dumps({room: known[room] for room in rooms}) + "\n"
        private_files.replace(self.path, text.encode())

    def of(self, room_id: str) -> tuple[KeptShare, ...]:
        """
        Return the shares that were opened at a table; none where none was kept.

        Raises:
            UnreadableShares: the file cannot be read, or makes no sense.
        """
        try:
            return tuple(
                KeptShare(bytes.fromhex(share), bytes.fromhex(start))
                for share, start in self._load().get(room_id, ())
            )
        except (OSError, TypeError, ValueError) as error:
            raise UnreadableShares(str(self.path)) from error

    def _load(self) -> Mapping[str, list[list[str]]]:
        try:
            known: Any = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise UnreadableShares(str(self.path)) from error
        is_read = isinstance(known, dict) and all(isinstance(own, list) for own in known.values())
        if not is_read:
            raise UnreadableShares(str(self.path))
        found: Mapping[str, list[list[str]]] = known
        return found


class Own(enum.Enum):
    """What became of the shares that were kept of one table."""

    NONE = "none"
    """None was kept, or no game has begun there."""
    IN_KEY = "in_key"
    """One of them is in the key of its chance."""
    IN_FAILED_START = "in_failed_start"
    """They stand on the log in starts that failed; others took part in the one that did not."""
    MISSING = "missing"
    """The starts that they were given for stand nowhere on the log: it is not that of what was
    played."""


def judged(records: Iterable[Record], kept: Iterable[KeptShare]) -> Own:
    """Return what became of the shares kept of a table on its log."""
    mine, failed, opened, table = set(kept), set[KeptShare](), set[bytes](), Table()
    for record in records:
        match record.event:
            case events.StartRequested():
                opened = set()
            case events.ShareOpened() as share:
                opened.add(share.share)
            case events.StartFailed():
                failed |= _all_kept(opened, table.room)
            case events.GameStarted():
                in_key = _all_kept(opened, table.room)
                return _judged_by(mine, in_key, failed) if mine else Own.NONE
            case _:
                pass
        table = fold(table, record)
    return Own.NONE


def _all_kept(opened: Iterable[bytes], room: RoomTable) -> set[KeptShare]:
    """Return what the clients whose shares were opened in the present start have kept."""
    return {KeptShare(share, digest_of_start(room)) for share in opened}


def _judged_by(mine: set[KeptShare], in_key: set[KeptShare], failed: set[KeptShare]) -> Own:
    if mine & in_key:
        return Own.IN_KEY
    return Own.IN_FAILED_START if mine & failed else Own.MISSING


def spent(happened: Iterable[Event], seat: int) -> int:
    """Return how many starts on a log have failed after the share of a seat was opened there."""
    count, is_open = 0, False
    for event in happened:
        match event:
            case events.StartRequested():
                is_open = False
            case events.ShareOpened() if event.seat == seat:
                is_open = True
            case events.StartFailed():
                count += is_open
            case _:
                pass
    return count

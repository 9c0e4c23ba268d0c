"""The shares of chance that a player's client contributed, stored to check logs against them later.

A server that knows a share could discard the start and choose another seed, until the dice suit it.
So the log of a game must contain the player's share, in the same start to which the share was sent.
A start that failed after a share was sent may have failed on purpose.

A table is identified by its id and the fingerprint of its server. So a hostile server that uses the
id of another server's table can neither see nor displace the shares of that table.

A player may have one table open in two windows. Both windows use the same share: the first one
stores its share, and the other reads it. Every file is read again under its lock.
"""

import contextlib
import enum
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from client.keyring import private_files
from protocol.common import events
from protocol.common.signed import start_id
from protocol.common.table import RoomTable, Table, fold
from protocol.event import Event, Record

FILE = "shares.json"
BOUND_FILE = "bound.json"
MOST_ROOMS = 1000
"""The maximum number of tables of one server. The oldest tables are forgotten."""
MOST_EACH = 16
"""The maximum number of shares of one table. Each failed start adds a share."""

MOST_BOUND = 100
"""The maximum number of bound shares; each serves only until its start succeeds or fails."""
SHARE_BYTES = 32
FINGERPRINT_LETTERS = 64
"""The length of a fingerprint as text."""


class UnreadableShares(Exception):
    """The file of shares exists but cannot be read; the text is its path."""


class OpenedElsewhere(Exception):
    """Another window has opened the share already, in a start with other shares of the seats."""


@attrs.frozen
class BoundShare:
    """A share, the number of starts with an opened share, and the last such start before.

    The commitment to the share covers all three.
    """

    share: bytes = attrs.field(repr=False)
    number: int = 0
    before: bytes = b""


@attrs.frozen
class KeptShare:
    """A share that was opened to a server, with the start for which it was opened."""

    share: bytes = attrs.field(repr=False)
    start: bytes
    """The id of the start (`protocol.common.signed.start_id`)."""
    number: int = attrs.field(default=0, eq=False)
    """The number in the statement that was signed together with the share; 0 if no statement was
    signed."""


@attrs.frozen
class KeptShares:
    """The file of opened shares. The newest shares of each table come last."""

    path: Path

    @property
    def bound_path(self) -> Path:
        """The file of the latest share that was bound at each table and seat."""
        return self.path.with_name(BOUND_FILE)

    def bind(
        self,
        room_id: str,
        seat: int,
        seeds: bytes,
        make: Callable[[], BoundShare | None],
        server: str = "",
    ) -> BoundShare | None:
        """
        Return the player's share for a seat in a start, the same share in all windows.

        If no window has a share yet, make one and store it.

        Args:
            room_id: the table.
            seat: the player's seat.
            seeds: identifies the start by its seeds (`protocol.common.signed.seeds_id`).
            make: returns a new share, or None if no share may be made.
            server: the fingerprint of the server, as text.

        Raises:
            OSError: a new share could not be stored.
        """
        with private_files.locked(self.bound_path):
            known = self._load_bound()
            name = f"{seat} {_name(server, room_id)}"
            # No row, or a malformed row, is treated alike: a new share is made.
            with contextlib.suppress(TypeError, ValueError):
                own, share, number, before = known.get(name, ())
                if own == seeds.hex():
                    return BoundShare(bytes.fromhex(share), int(number), bytes.fromhex(before))
            made = make()
            if made is None:
                return None
            # Moved to the end, because the oldest rows are deleted first.
            known.pop(name, None)
            known[name] = [seeds.hex(), made.share.hex(), made.number, made.before.hex()]
            for oldest in list(known)[:-MOST_BOUND]:
                del known[oldest]
            private_files.replace(self.bound_path, (json.dumps(known) + "\n").encode())
            return made

    def _load_bound(self) -> dict[str, Any]:
        """Return the bound shares by seat and table; empty if the file is missing or damaged.

        A loss is harmless, because each bound share is used in one start only.
        """
        try:
            known: Any = json.loads(self.bound_path.read_text("utf-8-sig"))
        except (FileNotFoundError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}

    def keep(self, room_id: str, kept: KeptShare, server: str = "") -> None:
        """
        Store a share before the client opens it to the server; do nothing if it is stored already.

        Args:
            room_id: the table.
            kept: the share.
            server: the fingerprint of the server, as text.

        Raises:
            OSError: the share could not be stored.
            OpenedElsewhere: the share was opened in another start, so it must not be opened again.
        """
        with private_files.locked(self.path):
            self._keep(room_id, kept, server)

    def _keep(self, room_id: str, kept: KeptShare, server: str) -> None:
        try:
            known = dict(self._load())
        except UnreadableShares:
            # Replace a damaged file: its shares are lost, but future ones can be checked.
            known = {}
        # Popped and added again: the order of the file is that of the last use.
        row = [kept.share.hex(), kept.start.hex(), kept.number]
        name = _name(server, room_id)
        own = known.pop(name, [])
        if row in own:
            return
        if any(other[:1] == row[:1] for other in own):
            raise OpenedElsewhere
        own = [*own, row]
        known[name] = own[-MOST_EACH:]
        # Of this server alone: another server must not displace these shares.
        for oldest in [one for one in known if _server_of(one) == server][:-MOST_ROOMS]:
            del known[oldest]
        private_files.replace(self.path, (json.dumps(known) + "\n").encode())

    def opened_at(self, room_id: str, server: str | None = None) -> tuple[KeptShare, ...]:
        """
        Return the shares that were opened at a table.

        Args:
            room_id: the table.
            server: the fingerprint of the server, as text; None to include every server that has a
                table with this id, for a file whose server is unknown.

        Raises:
            UnreadableShares: the file cannot be read or is malformed.
        """
        try:
            return tuple(
                # Rows of releases that signed no number have two parts.
                KeptShare(bytes.fromhex(share), bytes.fromhex(start), *number)
                for name, rows in self._load().items()
                if name == _name(_server_of(name), room_id)
                # Releases up to 0.2.0 stored no server.
                and (server is None or _server_of(name) in {server, ""})
                for share, start, *number in rows
            )
        except (OSError, TypeError, ValueError) as error:
            raise UnreadableShares(str(self.path)) from error

    def _load(self) -> Mapping[str, list[list[Any]]]:
        try:
            known: Any = json.loads(self.path.read_text("utf-8-sig"))
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise UnreadableShares(str(self.path)) from error
        is_read = isinstance(known, dict) and all(isinstance(own, list) for own in known.values())
        if not is_read:
            raise UnreadableShares(str(self.path))
        found: Mapping[str, list[list[Any]]] = known
        return found


def _name(server: str, room_id: str) -> str:
    """Return the key of a table in the file: `FINGERPRINT ROOM`, or `ROOM` for old rows."""
    return f"{server} {room_id}" if server else room_id


def _server_of(name: str) -> str:
    """Return the fingerprint in the key of a table; empty if the key has none."""
    server, space, _ = name.partition(" ")
    return server if space and len(server) == FINGERPRINT_LETTERS else ""


class Own(enum.Enum):
    """The result of comparing a log with the shares stored for its table."""

    NONE = "none"
    """No share was stored, or no game has begun."""
    IN_KEY = "in_key"
    """A stored share is part of the key of the game's chance."""
    IN_FAILED_START = "in_failed_start"
    """A stored share is in a failed start, and none is in the start of the game."""
    MISSING = "missing"
    """The log lacks the starts of the stored shares, so the log is of another game."""


def judged(records: Iterable[Record], kept: Iterable[KeptShare]) -> Own:
    """
    Compare the start of a logged game with the player's stored shares.

    Args:
        records: the log.
        kept: the shares stored for the table of the log.
    """
    mine, failed, opened, table = set(kept), set[KeptShare](), set[bytes](), Table()
    for record in records:
        match record.event:
            case events.StartRequested() | events.Branched():
                opened = set()
            case events.ShareOpened() as share:
                opened.add(share.share)
            case events.StartFailed():
                # With the table before this record, which still has the ceremony.
                failed |= _all_kept(opened, table.room)
            case events.GameStarted() if table.room.source is not None:
                # The start of the source; that of this table comes later.
                pass
            case events.GameStarted() | events.BranchStarted():
                in_key = _all_kept(opened, table.room)
                if mine & in_key:
                    return Own.IN_KEY
                if mine & failed:
                    return Own.IN_FAILED_START
                return Own.MISSING if mine else Own.NONE
            case _:
                pass
        table = fold(table, record)
    return Own.NONE


def _all_kept(opened: Iterable[bytes], room: RoomTable) -> set[KeptShare]:
    """Return the shares opened in a start, each as its owner would have stored it."""
    return {KeptShare(share, start_id(room)) for share in opened}


def spent(log: Iterable[Event], seat: int) -> int:
    """Return the number of starts that failed after a seat had opened its share."""
    count, is_open = 0, False
    for event in log:
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

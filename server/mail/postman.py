"""
The postman: mails players whose tables wait for them while they are away.

A player gets one notice per absence: it is sent once a table has waited for a key long enough while
no client of that key showed a table. The next notice needs a new absence.

Anybody may request codes, while notices go only to confirmed players who are awaited. So codes and
notices have separate budgets: requests for codes by strangers use up no notice. If more players are
due than the budget allows, those who confirmed their address first are served first: a later player
delays nobody.
"""

import contextlib
from collections.abc import Sequence
from email.message import EmailMessage
from typing import Final, TypeVar

import attrs
from twisted.logger import Logger

from protocol.common.table import Stage
from protocol.seams import DelayedCall
from server.lobby.lobby import Lobby
from server.lobby.rooms.summary import Summary
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.mail.addresses import canonical
from server.mail.book import Entry, MailBook
from server.mail.letters import Writer
from server.mail.relay import Relay
from server.mail.settings import MailSettings
from server.net.limits import Bucket, Buckets
from server.storage import StorageError

K = TypeVar("K")

LOOK_SECONDS: Final = 60.0
"""Seconds between two searches for players to notify."""
_TABLES_AT_ONCE: Final = 500
"""Number of tables checked per step, far less than a millisecond of work."""
_HOUR: Final = 3600.0
_DAY: Final = 86_400.0
_BUCKETS: Final = 4096
_AGAIN_MS: Final = 600_000
"""Milliseconds from a failed mail to the next attempt."""


@attrs.define(eq=False)
class Postman:
    """Sends the mails of one server."""

    services: LobbyServices
    lobby: Lobby
    settings: MailSettings
    relay: Relay
    writer: Writer
    book: MailBook = attrs.field(init=False)
    _codes: Bucket = attrs.field(init=False, repr=False)
    _codes_by_inbox: Buckets[str] = attrs.field(init=False, repr=False)
    _notices: Bucket = attrs.field(init=False, repr=False)
    _notices_by_inbox: Buckets[str] = attrs.field(init=False, repr=False)
    _not_before: dict[bytes, int] = attrs.field(factory=dict, init=False, repr=False)
    """Time of the next attempt, by key to which a mail failed."""
    _started_at: int = attrs.field(init=False)
    """Start of the server, in milliseconds since 1970; earlier absences are unknown."""
    _timer: DelayedCall | None = attrs.field(default=None, init=False)
    _is_stopped: bool = attrs.field(default=False, init=False)
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        services, settings = self.services, self.settings
        self._started_at = services.now()
        hour, day = settings.all_hour, settings.address_day
        self._codes, self._notices = (Bucket(hour / _HOUR, hour) for _ in range(2))
        self._codes_by_inbox = Buckets(day / _DAY, day, _BUCKETS)
        self._notices_by_inbox = Buckets(day / _DAY, day, _BUCKETS)
        self.book = MailBook(
            services.store, services.entropy, services.now, self._may_send_code, self._send_code
        )

    async def start(self) -> None:
        await self.book.load()
        self._schedule()

    def stop(self) -> None:
        self._is_stopped = True
        if self._timer is not None and self._timer.active():
            self._timer.cancel()

    def _schedule(self) -> None:
        if not self._is_stopped:
            call = self.services.clock.callLater
            self._timer = call(LOOK_SECONDS, lambda: run_detached(self._send_and_repeat()))

    async def _send_and_repeat(self) -> None:
        try:
            await self.send_notices()
        except StorageError as error:
            self._log.warn("mails wait for the store: {why}", why=str(error))
        finally:
            self._schedule()

    async def send_notices(self) -> None:
        """Mail everybody who has been awaited and away long enough, within the budgets."""
        wanted = dict(self.book.untold())
        tables = await self._awaiting(wanted)
        for key in sorted(tables, key=lambda key: wanted[key].code_at):
            entry, found = self.book.entries.get(key), tables[key]
            if entry is None or entry.is_told or not self._is_due(key, found):
                continue
            # By inbox: keys cost nothing, and one inbox can confirm a few of them every day.
            if not self._takes(self._notices, self._notices_by_inbox, canonical(entry.address)):
                continue
            # Stored before sending: if the server crashes in between, no mail is better than two.
            if await self.book.replace(key, entry, attrs.evolve(entry, is_told=True)):
                run_detached(self._send_awaited(key, entry, found))

    async def _awaiting(self, wanted: dict[bytes, Entry]) -> dict[bytes, list[Summary]]:
        """Return the tables that wait for these keys, by key; keys without any are left out."""
        found: dict[bytes, list[Summary]] = {}
        if not wanted:
            return found
        summaries = list(self.lobby.registry.summaries.values())
        for first in range(0, len(summaries), _TABLES_AT_ONCE):
            await self.services.scheduler.time()
            for one in summaries[first : first + _TABLES_AT_ONCE]:
                is_waiting = one.stage is Stage.PLAYING and not one.is_practice
                for at in one.waiting_for if is_waiting else ():
                    if one.keys[at] in wanted:
                        found.setdefault(one.keys[at], []).append(one)
        return found

    def _is_due(self, key: bytes, tables: Sequence[Summary]) -> bool:
        now = self.services.now()
        if self.lobby.visitors.shown_to(key) or now < self._not_before.get(key, 0):
            return False
        away_since = self.book.left_at.get(key, self._started_at)
        # Each table by its own time: its log may be ahead of the clock.
        time_of = self.services.log_times.of
        waited = max(time_of(table.room_id, table.when) - table.since for table in tables)
        return min(now - away_since, waited) >= self.settings.after_minutes * 60_000

    def _may_send_code(self, address: str) -> bool:
        return self._takes(self._codes, self._codes_by_inbox, canonical(address))

    def _takes(self, all_of_them: Bucket, buckets: Buckets[K], one: K) -> bool:
        seconds = self.services.clock.seconds()
        # Asked first: what is refused to everybody must cost nobody their own share.
        return (
            all_of_them.has_token(seconds)
            and buckets.take(one, seconds)
            and all_of_them.take(seconds)
        )

    async def _send_awaited(self, key: bytes, entry: Entry, tables: Sequence[Summary]) -> None:
        letter = self.writer.awaited(
            *(entry.address, entry.language, tables, entry.stop),
            *(self.services.now(), self._new_id()),
        )
        if await self._is_sent(letter, entry.address):
            self._not_before.pop(key, None)
            return
        self._not_before[key] = self.services.now() + _AGAIN_MS
        # Not told after all, so that a later round tries again.
        with contextlib.suppress(StorageError):
            await self.book.replace(key, attrs.evolve(entry, is_told=True), entry)

    def _send_code(self, entry: Entry, code: str) -> None:
        letter = self.writer.code(
            entry.address, entry.language, code, self.services.now(), self._new_id()
        )
        run_detached(self._send(letter, entry.address))

    def _new_id(self) -> str:
        return self.services.entropy.draw(16).hex()

    async def _send(self, letter: EmailMessage, address: str) -> None:
        await self._is_sent(letter, address)

    async def _is_sent(self, letter: EmailMessage, address: str) -> bool:
        try:
            await self.relay.send(letter, address)
        except Exception as error:  # noqa: BLE001 (whatever a relay says, the server goes on)
            # Never the relay's words: they may quote the address.
            kind, code = type(error).__name__, getattr(error, "code", "")
            self._log.warn("the mail relay took no mail: {kind} {code}", kind=kind, code=code)
            return False
        return True

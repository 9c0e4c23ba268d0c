"""
Opening tables: checks policy, quotas and password.

`server.lobby.tables.opening_policy` has the policy. A password is stored hashed (scrypt); a key
that gave the right password is not asked again until the password changes. Guesses are limited by
key and by address, since keys cost nothing. Tables are counted by address in memory alone, so that
the store does not reveal the addresses of players.
"""

import hmac
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import attrs

from protocol import codec
from protocol.common.table import Stage
from protocol.keys import fingerprint, fingerprint_text
from server.kernel.chance import Entropy
from server.kernel.errors import Refused
from server.lobby.rooms.registry import Registry
from server.lobby.services.one_by_one import OneByOne
from server.lobby.tables.opening_policy import (
    Chosen,
    Hashed,
    Opening,
    OpeningDefaults,
    Policy,
    digest_of,
    policy_of,
)
from server.net.handler import Session
from server.net.limits import Buckets
from server.storage import Store

KIND: Final = "opening"
"""Namespace in the store of the operator's choices."""
OPENER: Final = "opener"
"""Namespace in the store of keys that may open tables, by fingerprint."""
_KEY: Final = "policy"
_HASHED_OF_SETTINGS: Final = "hashed of settings"

MAX_OPENERS: Final = 4096
"""Maximum number of keys on the list; also of keys that are remembered for knowing the password."""
MAX_HASHING: Final = 8
"""Maximum number of password checks that run or wait."""
FEWEST_LETTERS: Final = 8
"""Minimum number of characters of a password."""

_SALT_BYTES: Final = 16
_KEY_GUESSES: Final = 5.0
_KEY_PER_SECOND: Final = 1 / 60
_ADDRESS_GUESSES: Final = 20.0
_ADDRESS_PER_SECOND: Final = 1 / 15
_BUCKETS: Final = 4096


@attrs.define(eq=False)
class Openers:
    """Admits the openers of tables, by policy, quota and password."""

    store: Store
    registry: Registry
    entropy: Entropy
    now: Callable[[], float]
    """Monotonic clock in seconds."""
    aside: Callable[[Callable[[], bytes]], Awaitable[bytes]]
    """Runs long work in a thread."""
    is_closed: bool = attrs.field(default=False, init=False)
    """True if nobody may open a table, because the server is about to end."""
    chosen: Chosen = attrs.field(factory=Chosen, init=False)
    usual: OpeningDefaults = attrs.field(factory=OpeningDefaults, init=False)
    """Policy of the server's settings; the operator's choices in `chosen` override it."""
    _usual_password: Hashed = attrs.field(factory=Hashed, init=False, repr=False)
    _listed: dict[str, bytes] = attrs.field(factory=dict, init=False, repr=False)
    """Salt of the password that each key knew, by fingerprint; empty for keys on the list."""
    _opened: dict[str, str] = attrs.field(factory=dict, init=False, repr=False)
    """Address that opened each table, by room id."""
    _underway: dict[str, Session] = attrs.field(factory=dict, init=False, repr=False)
    """Opener of each table that is being stored, by room id."""
    _guesses_of: Buckets[Any] = attrs.field(init=False, repr=False)
    _guesses_at: Buckets[Any] = attrs.field(init=False, repr=False)
    _lock: OneByOne = attrs.field(factory=OneByOne, init=False, repr=False)
    """Serialises hashing, since each hash takes 16 MiB."""
    _acts: OneByOne = attrs.field(factory=OneByOne, init=False, repr=False)
    """Serialises the choices of operators, since each choice builds on the one before."""

    def __attrs_post_init__(self) -> None:
        self._guesses_of = Buckets(_KEY_PER_SECOND, _KEY_GUESSES, _BUCKETS)
        self._guesses_at = Buckets(_ADDRESS_PER_SECOND, _ADDRESS_GUESSES, _BUCKETS)

    async def load(self) -> None:
        """
        Read the operator's choices, the hashed password of the settings, and the listed keys.

        Called once, before anybody connects.
        """
        packed = await self.store.get(KIND, _KEY)
        if packed is not None:
            self.chosen = codec.decode(packed, Chosen)
        packed = await self.store.get(KIND, _HASHED_OF_SETTINGS)
        if packed is not None:
            self._usual_password = codec.decode(packed, Hashed)
        self._listed.update(await self.store.scan(OPENER))

    @property
    def policy(self) -> Policy:
        return policy_of(self.chosen, self.usual, self._usual_password)

    async def apply_settings(self, usual: OpeningDefaults) -> None:
        """
        Replace the policy of the settings; choices of the operator override it.

        The change applies at once, except for a new password, which applies once it is hashed. Keys
        that knew the password of the settings are not asked again while that password stays the
        same.
        """
        self.usual = usual
        if not usual.password:
            await self._keep_usual_password(Hashed())
        elif not await self._is_usual_password(usual.password):
            hashed = await self._hashed(usual.password)
            # Other settings may have come while this was hashed.
            if self.usual is usual:
                await self._keep_usual_password(hashed)

    async def _is_usual_password(self, password: str) -> bool:
        known = self._usual_password
        if not known.digest:
            return False
        return hmac.compare_digest(await self._digest(password, known.salt), known.digest)

    async def _keep_usual_password(self, password: Hashed) -> None:
        if password == self._usual_password:
            return
        # First: if the next write fails, keys only have to give the password again.
        await self._forget_who_knew(self._usual_password)
        await self.store.put(KIND, _HASHED_OF_SETTINGS, codec.encode(password, Hashed))
        self._usual_password = password

    async def _forget_who_knew(self, password: Hashed) -> None:
        for name in [name for name, salt in self._listed.items() if salt and salt == password.salt]:
            await self.unlist(name)

    async def _hashed(self, password: str) -> Hashed:
        salt = self.entropy.draw(_SALT_BYTES)
        return Hashed(salt, await self._digest(password, salt))

    # Opening

    async def admit(self, session: Session, password: str) -> None:
        """
        Admit somebody who wants to open a table.

        Raises:
            Refused: they may not open tables, have too many, or gave no right password.
        """
        if self.is_closed:
            raise Refused("table/draining")
        # Before the password is asked for: hashing it costs 50 ms.
        self._refuse_over_quota(session)
        name = fingerprint_text(fingerprint(session.account.key))
        if self._is_allowed(name, session):
            return
        match self.policy.opening:
            case Opening.INVITED:
                raise Refused("table/not_invited")
            case Opening.LISTED:
                raise Refused("table/not_listed")
            case _:
                await self._check_password(session, name, password)

    @contextmanager
    def counted(self, session: Session, room_id: str) -> Iterator[None]:
        """
        Count a table against the quotas of its opener inside the block, while it is being stored.

        So simultaneous requests cannot exceed the quotas. Once stored, the table counts for the
        opener's address, in memory alone.
        """
        self._refuse_over_quota(session)
        self._underway[room_id] = session
        try:
            yield
            if session.network:
                self._opened[room_id] = session.network
        finally:
            del self._underway[room_id]

    def _refuse_over_quota(self, session: Session) -> None:
        key, summaries = session.account.key, self.registry.summaries
        # A table with a summary is counted by its summary.
        others = [one for room_id, one in self._underway.items() if room_id not in summaries]
        mine = sum(one.stage is not Stage.OVER for one in self.registry.of_key(key))
        if mine + sum(one.account.key == key for one in others) >= self.policy.tables_per_key:
            raise Refused("table/too_many_tables")
        now = self.registry.services.now()
        for room_id in list(self._opened):
            summary = summaries.get(room_id)
            # By the public stage: anybody at that address can find out how many tables are left.
            if summary is None or summary.stage_for(b"", now) is Stage.OVER:
                del self._opened[room_id]
        networks = [*self._opened.values(), *(one.network for one in self._underway.values())]
        here = networks.count(session.network)
        if session.network and here >= self.policy.tables_per_address:
            raise Refused("table/too_many_here")

    def _is_allowed(self, name: str, session: Session) -> bool:
        opening, salt = self.policy.opening, self._listed.get(name)
        if opening is Opening.EVERYBODY or salt == b"" or name in self.usual.listed:
            return True
        if opening is Opening.INVITED:
            return next(self.registry.of_key(session.account.key), None) is not None
        return (
            opening is Opening.PASSWORD and salt is not None and salt == self.policy.password.salt
        )

    async def _check_password(self, session: Session, name: str, password: str) -> None:
        known = self.policy.password
        if not password or not known.digest:
            raise Refused("table/password")
        # Both pay, even if one of them is empty: each guess counts for key and address.
        at_key = self._guesses_of.take(session.account.key, self.now())
        at_address = not session.network or self._guesses_at.take(session.network, self.now())
        if not (at_key and at_address):
            raise Refused("table/too_many_guesses")
        if self._lock.waiting >= MAX_HASHING:
            raise Refused("table/too_busy")
        digest = await self._digest(password, known.salt)
        if not hmac.compare_digest(digest, known.digest):
            raise Refused("table/wrong_password")
        # Else the key gives the password again next time: keys cost nothing, memory does.
        if len(self._listed) < 2 * MAX_OPENERS:
            await self._list(name, known.salt)

    async def _digest(self, password: str, salt: bytes) -> bytes:
        async with self._lock:
            return await self.aside(lambda: digest_of(password, salt))

    # The operator

    async def choose(self, opening: Opening, password: str = "") -> None:
        """Set the policy of the operator; a password that is not empty replaces the old one."""
        async with self._acts:
            chosen = attrs.evolve(self.chosen, opening=opening)
            if password:
                new = await self._hashed(password)
                await self._forget_who_knew(self.policy.password)
                chosen = attrs.evolve(chosen, salt=new.salt, digest=new.digest)
            await self._keep(chosen)

    async def limit(self, tables_per_key: int, tables_per_address: int) -> None:
        """Set the quotas of a key and an address; 0 leaves a quota as it is."""
        async with self._acts:
            chosen = self.chosen
            await self._keep(
                attrs.evolve(
                    chosen,
                    tables_per_key=tables_per_key or chosen.tables_per_key,
                    tables_per_address=tables_per_address or chosen.tables_per_address,
                )
            )

    async def go_by_settings(self) -> None:
        """Restore policy, password and quotas of the settings; keep the list."""
        async with self._acts:
            if self.chosen.digest:
                await self._forget_who_knew(Hashed(self.chosen.salt, self.chosen.digest))
            await self._keep(Chosen())

    @property
    def listed(self) -> list[str]:
        """Fingerprints on the list, from the operator and the settings, ascending."""
        here = {name for name, salt in self._listed.items() if not salt}
        return sorted(here.union(self.usual.listed))

    async def list_(self, name: str) -> None:
        """Add a fingerprint to the list. Refused: the list is full."""
        if name not in self.listed and len(self.listed) >= MAX_OPENERS:
            raise Refused("table/too_busy")
        await self._list(name, b"")

    async def unlist(self, name: str) -> bool:
        """
        Forget a fingerprint that the operator listed or that knew a password.

        Returns:
            False if there is no such fingerprint. The list in the settings is not changed.
        """
        if name not in self._listed:
            return False
        await self.store.delete(OPENER, name)
        del self._listed[name]
        return True

    async def _list(self, name: str, salt: bytes) -> None:
        await self.store.put(OPENER, name, salt)
        self._listed[name] = salt

    async def _keep(self, chosen: Chosen) -> None:
        await self.store.put(KIND, _KEY, codec.encode(chosen, Chosen))
        self.chosen = chosen

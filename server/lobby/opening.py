"""
Who may open tables here, how many, and who is asked for a password.

An operator chooses; what they chose is kept in the store and outlives a restart. A password is kept
hashed (scrypt), and whoever knew it is not asked again as long as it is the same. Guesses are
slowed by key and by address: keys cost nothing. How many tables an address has opened is counted
in memory alone, so that nobody can read there who was where.
"""

import enum
import hashlib
import hmac
from collections.abc import Awaitable, Callable
from typing import Any, Final

import attrs
from attrs.validators import ge, le
from twisted.internet.defer import DeferredLock

from protocol import codec
from protocol.common.table import Stage
from protocol.keys import fingerprint, fingerprint_text
from server.kernel.chance import Entropy
from server.kernel.errors import Refused
from server.lobby.registry import Registry
from server.net.handler import Session
from server.net.limits import Buckets
from server.storage import Store

KIND: Final = "opening"
"""The namespace of what an operator chose in the store."""
OPENER: Final = "opener"
"""The namespace of those who may open tables, by their fingerprints."""
_KEY: Final = "policy"

MAX_OPENERS: Final = 4096
"""How many are listed, and how many of those who knew the password are remembered."""
MAX_HASHING: Final = 8
"""Passwords that are compared, or wait for it."""
FEWEST_LETTERS: Final = 8
"""Of a password."""
_LIMIT: Final = 1_000_000

_SALT_BYTES: Final = 16
_KEY_GUESSES: Final = 5.0
_KEY_PER_SECOND: Final = 1 / 60
_ADDRESS_GUESSES: Final = 20.0
_ADDRESS_PER_SECOND: Final = 1 / 15
_BUCKETS: Final = 4096


class Opening(enum.Enum):
    """Who may open a table."""

    EVERYBODY = "everybody"
    INVITED = "invited"
    """Whoever has a seat at some table here, and those who are listed."""
    LISTED = "listed"
    """Those alone whom the operator listed."""
    PASSWORD = "password"  # noqa: S105 (a kind, no password)
    """Whoever knows the password, and those who are listed."""


@attrs.frozen
class Policy:
    """What an operator chose."""

    opening: Opening = Opening.EVERYBODY
    tables_per_key: int = attrs.field(default=200, validator=[ge(1), le(_LIMIT)])
    """Tables of one key that are not over."""
    tables_per_address: int = attrs.field(default=1000, validator=[ge(1), le(_LIMIT)])
    """Tables that one address has opened since the start of the server and that are not over."""
    salt: bytes = attrs.field(default=b"", repr=False)
    """Of the password; empty where none was set."""
    digest: bytes = attrs.field(default=b"", repr=False)


def digest_of(password: str, salt: bytes) -> bytes:
    """Return the hash of a password: about 50 ms of CPU, and 16 MiB."""
    return hashlib.scrypt(password.encode(), salt=salt, n=1 << 14, r=8, p=1, dklen=32)


@attrs.define(eq=False)
class Openers:
    """Decides who opens a table."""

    store: Store
    registry: Registry
    entropy: Entropy
    now: Callable[[], float]
    """Seconds on a clock that never goes back."""
    aside: Callable[[Callable[[], bytes]], Awaitable[bytes]]
    """Does what takes long without keeping others from being served."""
    is_closed: bool = attrs.field(default=False, init=False)
    """Whether nobody opens a table, because the server is about to end."""
    policy: Policy = attrs.field(factory=Policy, init=False)
    _listed: dict[str, bytes] = attrs.field(factory=dict, init=False, repr=False)
    """By fingerprint: empty for who is listed, else the salt of the password that they knew."""
    _opened: dict[str, str] = attrs.field(factory=dict, init=False, repr=False)
    """By room, which address opened it."""
    _guesses_of: Buckets[Any] = attrs.field(init=False, repr=False)
    _guesses_at: Buckets[Any] = attrs.field(init=False, repr=False)
    _lock: DeferredLock = attrs.field(factory=DeferredLock, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Nobody has guessed yet."""
        self._guesses_of = Buckets(_KEY_PER_SECOND, _KEY_GUESSES, _BUCKETS)
        self._guesses_at = Buckets(_ADDRESS_PER_SECOND, _ADDRESS_GUESSES, _BUCKETS)

    async def load(self) -> None:
        """Read what the store keeps; once, before anybody connects."""
        packed = await self.store.get(KIND, _KEY)
        if packed is not None:
            self.policy = codec.decode(packed, Policy)
        self._listed.update(await self.store.scan(OPENER))

    # Whoever opens a table

    async def admit(self, session: Session, password: str) -> None:
        """
        Let somebody open a table.

        Raises:
            Refused: they may not, have too many, or have to give a password.
        """
        if self.is_closed:
            raise Refused("table/draining")
        self._count(session)
        name = fingerprint_text(fingerprint(session.account.key))
        if self._may(name, session):
            return
        match self.policy.opening:
            case Opening.INVITED:
                raise Refused("table/not_invited")
            case Opening.LISTED:
                raise Refused("table/not_listed")
            case _:
                await self._check(session, name, password)

    def opened(self, session: Session, room_id: str) -> None:
        """Count a table for the address that opened it."""
        if session.network:
            self._opened[room_id] = session.network

    def _count(self, session: Session) -> None:
        mine = self.registry.of_key(session.account.key)
        if sum(one.stage is not Stage.OVER for one in mine) >= self.policy.tables_per_key:
            raise Refused("table/too_many_tables")
        summaries = self.registry.summaries
        for room_id in [one for one in self._opened if _is_over(summaries.get(one))]:
            del self._opened[room_id]
        here = sum(network == session.network for network in self._opened.values())
        if session.network and here >= self.policy.tables_per_address:
            raise Refused("table/too_many_here")

    def _may(self, name: str, session: Session) -> bool:
        opening, salt = self.policy.opening, self._listed.get(name)
        if opening is Opening.EVERYBODY or salt == b"":
            return True
        if opening is Opening.INVITED:
            return next(self.registry.of_key(session.account.key), None) is not None
        return opening is Opening.PASSWORD and salt is not None and salt == self.policy.salt

    async def _check(self, session: Session, name: str, password: str) -> None:
        policy = self.policy
        if not password or not policy.digest:
            raise Refused("table/password")
        at_key = self._guesses_of.take(session.account.key, self.now())
        at_address = not session.network or self._guesses_at.take(session.network, self.now())
        if not (at_key and at_address):
            raise Refused("table/too_many_guesses")
        if len(self._lock.waiting) >= MAX_HASHING:
            raise Refused("table/too_busy")
        digest = await self._digest(password, policy.salt)
        if not hmac.compare_digest(digest, policy.digest):
            raise Refused("table/wrong_password")
        if len(self._listed) < 2 * MAX_OPENERS:
            await self._list(name, policy.salt)

    async def _digest(self, password: str, salt: bytes) -> bytes:
        await self._lock.acquire()
        try:
            return await self.aside(lambda: digest_of(password, salt))
        finally:
            self._lock.release()

    # The operator

    async def choose(self, opening: Opening, password: str = "") -> None:
        """Say who may open tables from now on; with a password, that is another from now on."""
        policy = attrs.evolve(self.policy, opening=opening)
        if password:
            salt = self.entropy.draw(_SALT_BYTES)
            digest = await self._digest(password, salt)
            policy = attrs.evolve(policy, salt=salt, digest=digest)
            for name in [name for name, known in self._listed.items() if known]:
                await self.unlist(name)
        await self._keep(policy)

    async def limit(self, tables_per_key: int, tables_per_address: int) -> None:
        """Say how many tables a key and an address may have; 0 leaves one as it is."""
        policy = self.policy
        await self._keep(
            attrs.evolve(
                policy,
                tables_per_key=tables_per_key or policy.tables_per_key,
                tables_per_address=tables_per_address or policy.tables_per_address,
            )
        )

    @property
    def listed(self) -> list[str]:
        """The fingerprints of those whom the operator listed, ascending."""
        return sorted(name for name, salt in self._listed.items() if not salt)

    async def list_(self, name: str) -> None:
        """Let somebody open tables. Refused: as many are listed as can be."""
        if name not in self.listed and len(self.listed) >= MAX_OPENERS:
            raise Refused("table/too_busy")
        await self._list(name, b"")

    async def unlist(self, name: str) -> bool:
        """Forget somebody; return whether they were known."""
        if name not in self._listed:
            return False
        await self.store.delete(OPENER, name)
        del self._listed[name]
        return True

    async def _list(self, name: str, salt: bytes) -> None:
        await self.store.put(OPENER, name, salt)
        self._listed[name] = salt

    async def _keep(self, policy: Policy) -> None:
        await self.store.put(KIND, _KEY, codec.encode(policy, Policy))
        self.policy = policy


def _is_over(summary: Any) -> bool:
    return summary is None or summary.stage is Stage.OVER

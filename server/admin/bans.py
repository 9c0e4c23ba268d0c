"""
Bans: keys and addresses that may not log in.

A banned key is named by its fingerprint, which operators see. Bans are in the store, so that they
survive a restart, and are checked at each login.
"""

from collections.abc import Mapping
from typing import Final

import attrs

from protocol import codec
from protocol.keys import fingerprint, fingerprint_text
from server.net.addresses import Network, is_within, network_named
from server.net.gate import Refusal
from server.storage import Store

KIND: Final = "ban"
"""Namespace of bans in the store; the key is the banned fingerprint or network."""
MAX_BANS: Final = 1000
BANNED: Final = Refusal("account/banned", "whoever runs this server has banned you from it")


class TooMany(Exception):
    """There are MAX_BANS bans already."""


@attrs.frozen
class Banned:
    """Reason and time of a ban."""

    reason: str
    when: int
    """Time of the ban, in milliseconds since 1970."""


@attrs.define(eq=False)
class Bans:
    """All bans of the server, in memory and in the store."""

    _store: Store
    _by_name: dict[str, Banned] = attrs.field(factory=dict, init=False)
    _networks: dict[str, Network] = attrs.field(factory=dict, init=False)

    async def load(self) -> None:
        """Read all bans from the store; called once, before anybody connects."""
        for name, packed in await self._store.scan(KIND):
            self._remember(name, codec.decode(packed, Banned))

    @property
    def by_name(self) -> Mapping[str, Banned]:
        """All bans, by fingerprint or network."""
        return self._by_name

    def refusal(self, key: bytes, address: str) -> Refusal | None:
        """Return the refusal for a login with a banned key or from a banned address, else None."""
        is_banned = fingerprint_text(fingerprint(key)) in self._by_name
        if is_banned or is_within(address, tuple(self._networks.values())):
            return BANNED
        return None

    async def add(self, name: str, banned: Banned) -> None:
        """
        Ban a fingerprint or a network; an earlier ban of the same name is replaced.

        TooMany: there are `MAX_BANS` others.
        """
        if name not in self._by_name and len(self._by_name) >= MAX_BANS:
            raise TooMany
        # Stored first, so that every ban in force survives a restart.
        await self._store.put(KIND, name, codec.encode(banned, Banned))
        self._remember(name, banned)

    async def remove(self, name: str) -> bool:
        """Remove the ban of a fingerprint or network; return True if there was one."""
        if name not in self._by_name:
            return False
        # Deleted in the store first: if that fails, the ban stays in force.
        await self._store.delete(KIND, name)
        del self._by_name[name]
        self._networks.pop(name, None)
        return True

    def _remember(self, name: str, banned: Banned) -> None:
        self._by_name[name] = banned
        if is_network(name):
            self._networks[name] = network_named(name)


def is_network(name: str) -> bool:
    """Return True for the name of an address or a network, False for a fingerprint."""
    # A fingerprint has neither dots nor colons.
    return "." in name or ":" in name

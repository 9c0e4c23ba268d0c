"""
Bans: keys and addresses that are let in no more.

A key is known by its fingerprint, as an operator sees it. Kept in the store, so that a ban outlives
a restart, and looked at once for each login.
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
"""The namespace in the store; the key is what is banned, as an operator names it."""
MAX_BANS: Final = 1000
BANNED: Final = Refusal("account/banned", "whoever runs this server has banned you from it")


class TooMany(Exception):
    """There are as many bans as there can be."""


@attrs.frozen
class Banned:
    """Why and when somebody was banned."""

    reason: str
    when: int
    """Milliseconds since 1970."""


@attrs.define(eq=False)
class Bans:
    """Keys and networks that are refused at login."""

    _store: Store
    _by_name: dict[str, Banned] = attrs.field(factory=dict, init=False)
    _networks: dict[str, Network] = attrs.field(factory=dict, init=False)

    async def load(self) -> None:
        """Read what the store keeps; once, before anybody connects."""
        for name, packed in await self._store.scan(KIND):
            self._take(name, codec.decode(packed, Banned))

    @property
    def by_name(self) -> Mapping[str, Banned]:
        """Every ban by the fingerprint or network that it is of."""
        return self._by_name

    def refusal(self, key: bytes, address: str) -> Refusal | None:
        """Return why a login from an address is refused; None where it is not."""
        is_banned = fingerprint_text(fingerprint(key)) in self._by_name
        if is_banned or is_within(address, tuple(self._networks.values())):
            return BANNED
        return None

    async def add(self, name: str, banned: Banned) -> None:
        """Ban a fingerprint or a network, in place of any ban of it before."""
        if name not in self._by_name and len(self._by_name) >= MAX_BANS:
            raise TooMany
        await self._store.put(KIND, name, codec.encode(banned, Banned))
        self._take(name, banned)

    async def remove(self, name: str) -> bool:
        """Let them in again; return whether they were banned."""
        if name not in self._by_name:
            return False
        await self._store.delete(KIND, name)
        del self._by_name[name]
        self._networks.pop(name, None)
        return True

    def _take(self, name: str, banned: Banned) -> None:
        self._by_name[name] = banned
        if is_network(name):
            self._networks[name] = network_named(name)


def is_network(name: str) -> bool:
    """Return whether something names an address or a network, and no fingerprint."""
    return "." in name or ":" in name

"""
Known keys: the keys that logged in lately, each with the network of its first login.

Keys cost nothing, so the number of known keys is limited by network; a further key is not
remembered until one of its network expires. Nobody can evict the key of another network. The list
is in memory alone: after a restart a key is known from its first login on.
"""

from collections import Counter

import attrs


@attrs.define
class _Known:
    network: str
    """Network of the key's first login; the limit of this network counts the key for as long as it
    is known."""
    last_at: float


@attrs.define
class KnownKeys:
    """Known keys, ordered by their last login."""

    in_all: int
    per_network: int
    seconds: float
    """Seconds that a key stays known after its last login."""
    _known: dict[bytes, _Known] = attrs.field(factory=dict, init=False, repr=False)
    """Known keys, least recently seen first."""
    _by_network: Counter[str] = attrs.field(factory=Counter, init=False, repr=False)

    def knows(self, key: bytes, now: float) -> bool:
        """Return True if a key logged in lately."""
        self._forget(now)
        return key in self._known

    def saw(self, key: bytes, network: str, now: float) -> None:
        """Note a login of a key from a network; without room, a new key is not remembered."""
        self._forget(now)
        # Removed and added again, so that the dict is in the order of last logins.
        known = self._known.pop(key, None)
        if known is None:
            if len(self._known) >= self.in_all or self._by_network[network] >= self.per_network:
                return
            known = _Known(network, now)
            self._by_network[network] += 1
        known.last_at = now
        self._known[key] = known

    def _forget(self, now: float) -> None:
        while self._known:
            key, known = next(iter(self._known.items()))
            # In the order of last logins: the first recent one ends the search.
            if now - known.last_at < self.seconds:
                return
            del self._known[key]
            self._by_network[known.network] -= 1
            if not self._by_network[known.network]:
                del self._by_network[known.network]

"""
Known keys: which ones logged in lately, and from where the first time.

Keys cost nothing, so that each address may make only so many of them known: who comes later is not
remembered until one of those was not seen for long. Nobody can push another's key out. The list is
in memory alone: after a restart a key is known from its first login on.
"""

from collections import Counter

import attrs


@attrs.define
class _Known:
    network: str
    """Where it first logged in from; it counts there for as long as it is known."""
    last_at: float


@attrs.define
class KnownKeys:
    """Keys by when they were last seen."""

    in_all: int
    per_network: int
    seconds: float
    """How long a key stays known after its last login."""
    _known: dict[bytes, _Known] = attrs.field(factory=dict, init=False, repr=False)
    """The one that was not seen for longest comes first."""
    _by_network: Counter[str] = attrs.field(factory=Counter, init=False, repr=False)

    def knows(self, key: bytes, now: float) -> bool:
        """Whether a key logged in lately."""
        self._forget(now)
        return key in self._known

    def saw(self, key: bytes, network: str, now: float) -> None:
        """Note that a key logs in."""
        self._forget(now)
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
            if now - known.last_at < self.seconds:
                return
            del self._known[key]
            self._by_network[known.network] -= 1
            if not self._by_network[known.network]:
                del self._by_network[known.network]

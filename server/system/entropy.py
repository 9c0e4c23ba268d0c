"""Entropy of the operating system, the source of all secrets."""

import secrets


class SystemEntropy:
    """See `server.kernel.chance.Entropy`."""

    def draw(self, count: int) -> bytes:
        """Return that many random bytes."""
        return secrets.token_bytes(count)

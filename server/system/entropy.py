"""Entropy of the operating system, of which all that is secret is made."""

import secrets


class SystemEntropy:
    """See `server.kernel.chance.Entropy`."""

    def draw(self, count: int) -> bytes:
        """Return that many random bytes."""
        return secrets.token_bytes(count)

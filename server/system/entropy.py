"""Entropy of the operating system, the source of all secrets."""

import secrets


class SystemEntropy:
    """Implements `server.kernel.chance.Entropy`."""

    def draw(self, count: int) -> bytes:
        return secrets.token_bytes(count)

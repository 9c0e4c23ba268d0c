"""
The server's identity: one Ed25519 key, made on first start, that never changes.

Clients pin this key. It is independent of the TLS certificate, which may change at any time.
"""

from collections.abc import Callable
from pathlib import Path

from protocol.keys import SEED_BYTES, SigningKey, UnreadableKey
from server.identity.files import UnusableFile, read_or_make

FILE_NAME = "identity.pem"


def load_identity(folder: Path, new_bytes: Callable[[int], bytes]) -> SigningKey:
    """
    Return the server's identity key, created on the first start.

    Args:
        folder: folder of the identity's file.
        new_bytes: the entropy source, which returns the given number of random bytes.

    Raises:
        UnusableFile: the file cannot be read, others may read it, or it holds no such key. The file
            is never overwritten: with another key, no client would trust this server again.
    """
    path = folder / FILE_NAME
    pem = read_or_make(path, lambda: SigningKey.from_seed(new_bytes(SEED_BYTES)).to_pem())
    try:
        return SigningKey.from_pem(pem)
    except UnreadableKey as error:
        raise UnusableFile(
            f"{path}: {error}; put the right file back from a backup", "identity", path
        ) from error

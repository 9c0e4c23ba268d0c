"""
Keys: who somebody is. A server and a player are each one Ed25519 key, and nothing else.

A key's fingerprint is what people compare and paste: SHA-256 of the public key, written in
base32, lower case, without padding, in groups of four joined by dashes.
"""

import base64
import hashlib

import attrs
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from protocol.values import frozen

PUBLIC_BYTES = 32
"""Length of a public key."""
SEED_BYTES = 32
"""Length of what a private key is made from."""
SIGNATURE_BYTES = 64
"""Length of a signature."""
FINGERPRINT_BYTES = 32
"""Length of a fingerprint before it is written as text."""

_GROUP = 4

_PRIME = 2**255 - 19
_Y_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_WEAK_Y = frozenset({0, 1, _PRIME - 1, _Y_OF_ORDER_8, _PRIME - _Y_OF_ORDER_8})
"""The second coordinate of every point whose order divides 8."""


class WeakKey(ValueError):
    """A public key of small order: there are signatures for it that need no private key."""


class UnreadableKey(ValueError):
    """A key file that does not hold an Ed25519 private key in PEM form."""


class Unreadable(ValueError):
    """Text that is not what it should be."""

    def __init__(self, reason: str, kind: str, *params: str | int) -> None:
        """
        Say what is wrong.

        Args:
            reason: a sentence in English.
            kind: of mistake, by which clients find their own words.
            params: of these words.
        """
        super().__init__(reason)
        self.kind = kind
        self.params = params


class UnreadableFingerprint(Unreadable):
    """Text that is no fingerprint."""


@frozen(repr=False)
class SigningKey:
    """A private key. Its repr shows the public half alone."""

    _private: Ed25519PrivateKey
    public: bytes = attrs.field(init=False)
    """The public key: 32 bytes."""

    @public.default
    def _derive(self) -> bytes:
        return self._private.public_key().public_bytes_raw()

    @classmethod
    def from_seed(cls, seed: bytes) -> "SigningKey":
        """Make a key from 32 bytes of the entropy source. ValueError for another length."""
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    @classmethod
    def from_pem(cls, pem: bytes) -> "SigningKey":
        """Read a key off the text of its file. UnreadableKey if it is none."""
        try:
            private = serialization.load_pem_private_key(pem, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise UnreadableKey("not a private key in PEM form") from error
        if not isinstance(private, Ed25519PrivateKey):
            raise UnreadableKey("a private key, but not of the kind Ed25519")
        return cls(private)

    def to_pem(self) -> bytes:
        """Return the text of the key's file. Secret."""
        return self._private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message: 64 bytes."""
        return self._private.sign(message)

    def __repr__(self) -> str:
        return f"SigningKey({fingerprint_text(fingerprint(self.public))})"


def check_key(public: bytes) -> None:
    """
    Refuse a public key that anybody can sign for, with WeakKey.

    Those are the eight points whose order divides 8, in each of their fourteen encodings: with
    either sign where it means nothing, and with the prime added where that fits into 255 bits.
    """
    without_sign = int.from_bytes(public, "little") & ((1 << 255) - 1)
    if without_sign % _PRIME in _WEAK_Y:
        raise WeakKey("the key is one that anybody can sign for")


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether the owner of a public key signed a message. False for every weak key."""
    try:
        check_key(public)
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: bytes) -> bytes:
    """Return the fingerprint of a public key: 32 bytes."""
    return hashlib.sha256(public).digest()


WEAK_KEYS = tuple(
    sorted(
        (sign << 255 | y).to_bytes(PUBLIC_BYTES, "little")
        for of in _WEAK_Y
        for y in (of, of + _PRIME)
        for sign in (0, 1)
        if y < 1 << 255
    )
)
"""Every public key that anybody can sign for."""
_WEAK_FINGERPRINTS = frozenset(map(fingerprint, WEAK_KEYS))


def fingerprint_text(of: bytes) -> str:
    """Write a fingerprint: thirteen groups of four letters and digits."""
    text = base64.b32encode(of).decode().rstrip("=").lower()
    return "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


def parse_fingerprint(text: str) -> bytes:
    """
    Read a fingerprint in any case, with dashes or spaces anywhere.

    Raises:
        UnreadableFingerprint: a sentence says what is wrong with it.
    """
    letters = text.replace("-", "").replace(" ", "").strip().upper()
    wanted = -(-FINGERPRINT_BYTES * 8 // 5)
    if len(letters) != wanted:
        raise UnreadableFingerprint(
            f"a fingerprint has {wanted} letters and digits, this one {len(letters)}",
            *("letters", wanted, len(letters)),
        )
    try:
        read = base64.b32decode(letters + "=" * (-len(letters) % 8))
    except ValueError:
        raise UnreadableFingerprint(
            "a fingerprint has the letters a-z and digits 2-7", "alphabet"
        ) from None
    if base64.b32encode(read).decode().rstrip("=") != letters:
        raise UnreadableFingerprint(
            "the last letter of the fingerprint cannot be right", "last_letter"
        )
    if read in _WEAK_FINGERPRINTS:
        raise UnreadableFingerprint(
            "this is the fingerprint of a key that anybody can sign for", "weak"
        )
    return read

"""
Keys: the identity of a server or a player is one Ed25519 key, and nothing else.

People compare and paste the key's fingerprint: SHA-256 of the public key in base32, lower case,
without padding, in groups of four joined by dashes.
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
"""Length of the seed of a private key."""
SIGNATURE_BYTES = 64
"""Length of a signature."""
FINGERPRINT_BYTES = 32
"""Length of a fingerprint in bytes, not as text."""

_GROUP = 4

_PRIME = 2**255 - 19
_Y_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_WEAK_Y = frozenset({0, 1, _PRIME - 1, _Y_OF_ORDER_8, _PRIME - _Y_OF_ORDER_8})
"""y coordinates of the points whose order divides 8."""


class WeakKey(ValueError):
    """A public key of small order: anybody can make signatures for it."""


class UnreadableKey(ValueError):
    """A key file that does not hold an Ed25519 private key in PEM form."""


class Unreadable(ValueError):
    """
    Text that cannot be parsed.

    Args:
        reason: a sentence in English.
        kind: key of the mistake, under which clients find words in their own language.
        params: parameters of these words.
    """

    def __init__(self, reason: str, kind: str, *params: str | int) -> None:
        super().__init__(reason)
        self.kind = kind
        self.params = params


class UnreadableFingerprint(Unreadable):
    """Text that is not a fingerprint."""


@frozen(repr=False)
class SigningKey:
    """A private key. Its repr shows only the fingerprint of the public half."""

    _private: Ed25519PrivateKey
    public: bytes = attrs.field(init=False)
    """The public key: 32 bytes."""

    @public.default
    def _derive(self) -> bytes:
        return self._private.public_key().public_bytes_raw()

    @classmethod
    def from_seed(cls, seed: bytes) -> "SigningKey":
        """Return the key of a random seed. ValueError: the seed is not 32 bytes long."""
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    @classmethod
    def from_pem(cls, pem: bytes) -> "SigningKey":
        """Parse the PEM text of a key file. UnreadableKey if it has no Ed25519 private key."""
        try:
            private = serialization.load_pem_private_key(pem, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise UnreadableKey("not a private key in PEM form") from error
        if not isinstance(private, Ed25519PrivateKey):
            raise UnreadableKey("a private key, but not of the kind Ed25519")
        return cls(private)

    def to_pem(self) -> bytes:
        """Return the PEM text for a key file. Secret, and not encrypted."""
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
    Raise WeakKey for a public key that anybody can sign for.

    These are the eight points whose order divides 8, in all of their fourteen encodings: with
    either sign bit if it has no meaning, and with the prime added if the sum fits into 255 bits.
    """
    without_sign = int.from_bytes(public, "little") & ((1 << 255) - 1)
    if without_sign % _PRIME in _WEAK_Y:
        raise WeakKey("the key is one that anybody can sign for")


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether the owner of a public key signed a message. False for every weak key."""
    # OpenSSL verifies with weak keys, too. With one of them a signature proves nothing.
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
"""All public keys for which anybody can make valid signatures."""
_WEAK_FINGERPRINTS = frozenset(map(fingerprint, WEAK_KEYS))


def fingerprint_text(of: bytes) -> str:
    """Return a fingerprint as text: thirteen groups of four letters and digits."""
    text = base64.b32encode(of).decode().rstrip("=").lower()
    return "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


def parse_fingerprint(text: str) -> bytes:
    """
    Parse a fingerprint in any case, with dashes or spaces anywhere.

    Raises:
        UnreadableFingerprint: the text is no fingerprint, or that of a weak key; the message says
            how.
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
    # 52 letters have 4 bits more than a fingerprint. If they were ignored, one fingerprint could be
    # written in sixteen ways, and comparing by eye would fail.
    if base64.b32encode(read).decode().rstrip("=") != letters:
        raise UnreadableFingerprint(
            "the last letter of the fingerprint cannot be right", "last_letter"
        )
    if read in _WEAK_FINGERPRINTS:
        raise UnreadableFingerprint(
            "this is the fingerprint of a key that anybody can sign for", "weak"
        )
    return read

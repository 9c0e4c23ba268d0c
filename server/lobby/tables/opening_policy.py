"""
The policy of opening tables, from the settings and from the operator of a running server.

Choices made by `manse admin` are in the store and override the settings, each part by itself.
"""

import enum
import hashlib

import attrs
from attrs.validators import ge, le

_LIMIT = 1_000_000


class Opening(enum.Enum):
    """Groups of people who may open tables."""

    EVERYBODY = "everybody"
    INVITED = "invited"
    """Keys with a seat at any table of this server, and keys on the list."""
    LISTED = "listed"
    """Keys on the list only."""
    PASSWORD = "password"  # noqa: S105 (a kind, no password)
    """Keys that know the password, and keys on the list."""


@attrs.frozen
class OpeningDefaults:
    """The policy of the settings."""

    opening: Opening = Opening.EVERYBODY
    tables_per_key: int = 200
    """Maximum number of unfinished tables of one key."""
    tables_per_address: int = 1000
    """Maximum number of unfinished tables that one address has opened since the start."""
    listed: tuple[str, ...] = ()
    """Fingerprints on the list, beside those that the operator adds."""
    password: str = attrs.field(default="", repr=False)


@attrs.frozen
class Hashed:
    """A hashed password; both fields are empty if there is none."""

    salt: bytes = attrs.field(default=b"", repr=False)
    digest: bytes = attrs.field(default=b"", repr=False)


@attrs.frozen
class Chosen:
    """Choices of the operator; a field that is 0, None or empty defers to the settings."""

    opening: Opening | None = None
    tables_per_key: int = attrs.field(default=0, validator=[ge(0), le(_LIMIT)])
    tables_per_address: int = attrs.field(default=0, validator=[ge(0), le(_LIMIT)])
    salt: bytes = attrs.field(default=b"", repr=False)
    """Salt of the password; empty if none was chosen."""
    digest: bytes = attrs.field(default=b"", repr=False)


@attrs.frozen
class Policy:
    """The policy in force: the choices of the operator over those of the settings."""

    opening: Opening = Opening.EVERYBODY
    tables_per_key: int = 200
    tables_per_address: int = 1000
    password: Hashed = Hashed()


def policy_of(chosen: Chosen, usual: OpeningDefaults, password: Hashed) -> Policy:
    """
    Return the policy in force: each choice of the operator overrides the settings.

    Args:
        chosen: the choices of the operator.
        usual: the policy of the settings.
        password: the hashed password of the settings.
    """
    return Policy(
        chosen.opening or usual.opening,
        chosen.tables_per_key or usual.tables_per_key,
        chosen.tables_per_address or usual.tables_per_address,
        Hashed(chosen.salt, chosen.digest) if chosen.digest else password,
    )


def digest_of(password: str, salt: bytes) -> bytes:
    """Return the hash of a password, which takes about 50 ms of CPU and 16 MiB."""
    return hashlib.scrypt(password.encode(), salt=salt, n=1 << 14, r=8, p=1, dklen=32)

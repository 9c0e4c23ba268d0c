"""
What is settled of opening tables: by the settings, and by an operator while the server runs.

What an operator chose by `manse admin` is kept in the store and outdoes the settings, each part by
itself; what they did not choose is as the settings say.
"""

import enum
import hashlib

import attrs
from attrs.validators import ge, le

_LIMIT = 1_000_000


class Opening(enum.Enum):
    """Who may open a table."""

    EVERYBODY = "everybody"
    INVITED = "invited"
    """Whoever has a seat at some table here, and those who are listed."""
    LISTED = "listed"
    """Those alone whom the operator listed."""
    PASSWORD = "password"  # noqa: S105 (a kind, no password)
    """Whoever knows the password, and those who are listed."""


@attrs.frozen
class OpeningDefaults:
    """What the settings say."""

    opening: Opening = Opening.EVERYBODY
    tables_per_key: int = 200
    """Tables of one key that are not over."""
    tables_per_address: int = 1000
    """Tables that one address has opened since the start of the server and that are not over."""
    listed: tuple[str, ...] = ()
    """Fingerprints of those who may open tables, beside those whom an operator lists."""
    password: str = attrs.field(default="", repr=False)


@attrs.frozen
class Hashed:
    """A password as it is kept; both are empty where there is none."""

    salt: bytes = attrs.field(default=b"", repr=False)
    digest: bytes = attrs.field(default=b"", repr=False)


@attrs.frozen
class Chosen:
    """What an operator chose. What is 0, None or empty is as the settings say."""

    opening: Opening | None = None
    tables_per_key: int = attrs.field(default=0, validator=[ge(0), le(_LIMIT)])
    tables_per_address: int = attrs.field(default=0, validator=[ge(0), le(_LIMIT)])
    salt: bytes = attrs.field(default=b"", repr=False)
    """Of the password; empty where none was chosen."""
    digest: bytes = attrs.field(default=b"", repr=False)


@attrs.frozen
class Policy:
    """What holds."""

    opening: Opening = Opening.EVERYBODY
    tables_per_key: int = 200
    tables_per_address: int = 1000
    password: Hashed = Hashed()


def policy_of(chosen: Chosen, usual: OpeningDefaults, password: Hashed) -> Policy:
    """
    Return what holds.

    Args:
        chosen: by an operator.
        usual: what the settings say.
        password: that of the settings, hashed.
    """
    return Policy(
        chosen.opening or usual.opening,
        chosen.tables_per_key or usual.tables_per_key,
        chosen.tables_per_address or usual.tables_per_address,
        Hashed(chosen.salt, chosen.digest) if chosen.digest else password,
    )


def digest_of(password: str, salt: bytes) -> bytes:
    """Return the hash of a password: about 50 ms of CPU, and 16 MiB."""
    return hashlib.scrypt(password.encode(), salt=salt, n=1 << 14, r=8, p=1, dklen=32)

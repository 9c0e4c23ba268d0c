"""
Kinds of settings: check the values of a file, and convert them for the server.

`read` raises ValueError for a value that is not allowed; `allowed` describes the allowed values.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import attrs

from protocol.invitation import UnreadableInvitation, parse_address
from protocol.keys import UnreadableFingerprint, fingerprint_text, parse_fingerprint
from protocol.plain_text import composed, is_plain
from protocol.plugs import games
from server.mail.addresses import is_address
from server.net.addresses import network_named

Allowed: TypeAlias = tuple[str, tuple[str | int, ...]]
"""Key and parameters of the words that describe the allowed values."""

MOST: Final = 2**31 - 1
"""Maximum of a whole number without a bound of its own."""
_MOST_TEXT: Final = 300
"""Maximum length of a text, in characters; the protocol's bound for texts sent at login."""
_MOST_ITEMS: Final = 1000


class Kind(Protocol):
    """Reads and checks the values of one kind of setting, such as whole numbers or texts."""

    def read(self, value: object, folder: Path) -> Any:
        """
        Check a value of the file, and return the server's form of it.

        Args:
            value: the TOML value.
            folder: folder of the file; relative paths begin there.

        Raises:
            ValueError: the value is not allowed.
        """

    @property
    def allowed(self) -> Allowed:
        """Key and parameters of the words for allowed values."""


@attrs.frozen
class Flag:
    """True or false."""

    allowed: Allowed = attrs.field(default=("allowed.flag", ()), init=False)

    def read(self, value: object, _: Path) -> bool:
        if not isinstance(value, bool):
            raise ValueError(value)  # noqa: TRY004 (one kind of fault for any wrong value)
        return value


@attrs.frozen
class Whole:
    """A whole number."""

    least: int = 1
    most: int = MOST

    @property
    def allowed(self) -> Allowed:
        return "allowed.whole", (self.least, self.most)

    def read(self, value: object, _: Path) -> int:
        # To Python, true is a number.
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not is_number or not self.least <= value <= self.most:  # type: ignore[operator]
            raise ValueError(value)
        return value  # type: ignore[return-value]


@attrs.frozen
class Number:
    """A number, with or without a fraction."""

    least: float = 0.001
    most: float = 1e9

    @property
    def allowed(self) -> Allowed:
        return "allowed.number", (f"{self.least:g}", f"{self.most:.0f}")

    def read(self, value: object, _: Path) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        # Infinity is out of bounds, and `nan` is within no bounds.
        if not is_number or not self.least <= value <= self.most:  # type: ignore[operator]
            raise ValueError(value)
        assert math.isfinite(value)  # type: ignore[arg-type]
        return float(value)  # type: ignore[arg-type]


@attrs.frozen
class Text:
    """A text without control characters."""

    check: Callable[[str], object] = str
    """Raises ValueError for a text that is not allowed."""
    words: str = "allowed.text"
    samples: tuple[str, ...] = ()
    """Parameters of the catalog text `words`, such as sample values, after the maximum length."""

    @property
    def allowed(self) -> Allowed:
        return self.words, (_MOST_TEXT, *self.samples)

    def read(self, value: object, _: Path) -> str:
        if not isinstance(value, str) or len(value) > _MOST_TEXT or not is_plain(composed(value)):
            raise ValueError(value)
        text = composed(value)
        self.check(text)
        return text


@attrs.frozen
class Choice:
    """One of several words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> Allowed:
        return "allowed.choice", (", ".join(f'"{word}"' for word in self.words),)

    def read(self, value: object, _: Path) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise ValueError(value)
        return value


@attrs.frozen
class Fingerprints:
    """A list of fingerprints of keys."""

    allowed: Allowed = attrs.field(default=("allowed.fingerprints", ()), init=False)

    def read(self, value: object, _: Path) -> tuple[str, ...]:
        return tuple(_fingerprint(text) for text in _texts(value))


@attrs.frozen
class FilePath:
    """A path; an empty text stands for none."""

    allowed: Allowed = attrs.field(default=("allowed.path", ('""',)), init=False)

    def read(self, value: object, folder: Path) -> Path | None:
        if not isinstance(value, str) or "\0" in value:
            raise ValueError(value)
        return _path(value, folder) if value else None


@attrs.frozen
class Paths:
    """A list of paths, as texts."""

    allowed: Allowed = attrs.field(default=("allowed.paths", ('["house.zip"]',)), init=False)

    def read(self, value: object, folder: Path) -> tuple[str, ...]:
        return tuple(str(_path(text, folder)) for text in _texts(value))


@attrs.frozen
class Games:
    """A list of installed games."""

    @property
    def allowed(self) -> Allowed:
        return "allowed.games", (", ".join(f'"{game}"' for game in games()),)

    def read(self, value: object, _: Path) -> tuple[str, ...]:
        chosen = [game.casefold().replace("-", "_") for game in _texts(value)]
        if not set(chosen) <= set(games()):
            raise ValueError(value)
        return tuple(dict.fromkeys(chosen))


@attrs.frozen
class Networks:
    """A list of addresses or networks."""

    allowed: Allowed = attrs.field(
        default=("allowed.networks", ('["192.0.2.7", "2001:db8::/48"]',)), init=False
    )

    def read(self, value: object, _: Path) -> tuple[Any, ...]:
        return tuple(network_named(text) for text in _texts(value))


def check_host(text: str) -> None:
    """Raise ValueError for a text that is no host to listen on, such as the empty text."""
    if not text or any(char.isspace() for char in text):
        raise ValueError(text)


def check_public_address(text: str) -> None:
    """Raise ValueError if the text is neither empty nor an address for invitations."""
    try:
        _ = parse_address(text) if text else None
    except UnreadableInvitation as error:
        raise ValueError(text) from error


def check_name(text: str) -> None:
    """Raise ValueError for a name without a visible character."""
    if not text.strip():
        raise ValueError(text)


def check_mail_host(text: str) -> None:
    """Raise ValueError if the text is neither empty nor a host."""
    if any(char.isspace() for char in text) or not text.isascii():
        raise ValueError(text)


def check_mail_address(text: str) -> None:
    """Raise ValueError if the text is neither empty nor a sender's mail address."""
    if text and not is_address(text):
        raise ValueError(text)


def _texts(value: object) -> list[str]:
    is_list = isinstance(value, list) and len(value) <= _MOST_ITEMS
    if not is_list or not all(isinstance(each, str) and each for each in value):  # type: ignore[attr-defined]
        raise ValueError(value)
    if any("\0" in each for each in value):  # type: ignore[attr-defined]
        raise ValueError(value)
    return value  # type: ignore[return-value]


def _fingerprint(text: str) -> str:
    try:
        return fingerprint_text(parse_fingerprint(text))
    except UnreadableFingerprint as error:
        raise ValueError(text) from error


def _path(text: str, folder: Path) -> Path:
    return folder / Path(text).expanduser()

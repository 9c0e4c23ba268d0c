"""
Invitations: one word to paste, with the server's address, a table and the server's identity.

`host:port/CODE/FINGERPRINT`: the code admits to one seat (or to any free seat, or to spectate). The
fingerprint pins the server's identity before the first byte is sent to it.
"""

import attrs

from protocol.keys import Unreadable, UnreadableFingerprint, fingerprint_text, parse_fingerprint
from protocol.values import frozen

CODE_BYTES = 10
"""Random bytes in a code: 80 bits."""
DEFAULT_PORT = 4470
"""The port if an address names none."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Without i, l and o, which look like digits, and without u, to avoid accidental words."""
_LOOKALIKES = str.maketrans("ilo", "110")
_CODE_LETTERS = CODE_BYTES * 8 // 5
_GROUP = 4
_MAX_HOST = 253
_MAX_PORT = 65535
_MOST_QUOTED = 80
"""Characters of an invalid text that an error message repeats."""


class UnreadableInvitation(Unreadable):
    """Text that is not an invitation, an address or a code; the message says why."""


@frozen
class Address:
    """Address of a server."""

    host: str
    """A name, an IPv4 address, or an IPv6 address without brackets."""
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@frozen
class Invitation:
    """An invitation; its `str` is the word to paste."""

    address: Address
    code: str = attrs.field(repr=False)
    fingerprint: bytes

    def __str__(self) -> str:
        return f"{self.address}/{self.code}/{fingerprint_text(self.fingerprint)}"

    def line(self, command: str = "join") -> str:
        """Return the whole command line: `manse join …` or `manse watch …`."""
        return f"manse {command} {self}"


def code_text(entropy: bytes) -> str:
    """Return 10 random bytes as a code: `xxxx-xxxx-xxxx-xxxx`. ValueError for another length."""
    if len(entropy) != CODE_BYTES:
        raise ValueError(f"a code is made of {CODE_BYTES} bytes")
    number = int.from_bytes(entropy, "big")
    letters = [_ALPHABET[number >> 5 * at & 31] for at in reversed(range(_CODE_LETTERS))]
    text = "".join(letters)
    return "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


def parse_code(text: str) -> str:
    """
    Parse a code in any case, with or without dashes, `o` for zero and `i` or `l` for one.

    Returns:
        The code as `code_text` writes it.

    Raises:
        UnreadableInvitation: the text is not a code.
    """
    quoted = text[:_MOST_QUOTED]
    letters = text.strip().replace("-", "").lower().translate(_LOOKALIKES)
    if len(letters) != _CODE_LETTERS or any(letter not in _ALPHABET for letter in letters):
        raise UnreadableInvitation(
            f"{quoted!r} is no table code; those have {_CODE_LETTERS} letters and digits",
            *("code", quoted, _CODE_LETTERS),
        )
    number = 0
    for letter in letters:
        number = number << 5 | _ALPHABET.index(letter)
    return code_text(number.to_bytes(CODE_BYTES, "big"))


def parse_address(text: str) -> Address:
    """
    Parse `host`, `host:port`, `[v6]` or `[v6]:port`.

    Raises:
        UnreadableInvitation: the text is none of these.
    """
    host, port = _split_port(text.strip())
    quoted, shown = text[:_MOST_QUOTED], host[:_MOST_QUOTED]
    is_bracketed = text.strip().startswith("[")
    if not host or len(host) > _MAX_HOST or any(char in host for char in "/[] \t"):
        raise UnreadableInvitation(f"{quoted!r} is no address; write host:port", "address", quoted)
    # Without brackets nobody can tell where the address ends and the port begins.
    if ":" in host and not is_bracketed:
        raise UnreadableInvitation(
            f"put an IPv6 address in brackets: [{shown}]:port", "brackets", shown
        )
    if not host.isascii() or not host.isprintable():
        raise UnreadableInvitation(
            f"{shown!r} has characters that no address has", "characters", shown
        )
    if port is None:
        return Address(host)
    # Sliced before `int`, which takes quadratic time for very long numbers.
    if not (port.isascii() and port.isdigit()) or not 0 < int(port[:6]) <= _MAX_PORT:
        raise UnreadableInvitation(
            f"{port[:_MOST_QUOTED]!r} is no port; those go from 1 to {_MAX_PORT}",
            *("port", port[:_MOST_QUOTED], _MAX_PORT),
        )
    return Address(host, int(port))


def _split_port(text: str) -> tuple[str, str | None]:
    if text.startswith("["):
        host, bracket, after = text[1:].partition("]")
        if not bracket or (after and not after.startswith(":")):
            quoted = text[:_MOST_QUOTED]
            raise UnreadableInvitation(
                f"{quoted!r} is no address; write [address]:port", "bracket_open", quoted
            )
        return host, after[1:] if after else None
    # An IPv6 address without brackets; the caller asks for them.
    if text.count(":") > 1:
        return text, None
    host, colon, port = text.partition(":")
    return host, port if colon else None


def parse_invitation(text: str) -> Invitation:
    """
    Parse an invitation, with or without `manse join` in front of it.

    Raises:
        UnreadableInvitation: the message says which part is wrong.
    """
    words = text.split()
    if words[:1] == ["manse"]:
        words = words[2:]
    if len(words) != 1:
        raise UnreadableInvitation(
            "an invitation is one word: host:port/CODE/FINGERPRINT", "one_word"
        )
    parts = words[0].split("/")
    if len(parts) != 3:
        raise UnreadableInvitation(
            f"an invitation has three parts, host:port/CODE/FINGERPRINT; this one has {len(parts)}",
            *("parts", len(parts)),
        )
    address, code = parse_address(parts[0]), parse_code(parts[1])
    try:
        return Invitation(address, code, parse_fingerprint(parts[2]))
    except UnreadableFingerprint as error:
        raise UnreadableInvitation(
            f"the last part of the invitation: {error}", error.kind, *error.params
        ) from error

"""
Invitations: one word to paste, with the server's address, a table and the server's identity.

`host:port/CODE/FINGERPRINT`: the code admits to one seat (or to any free seat, or to spectate). The
fingerprint pins the server's identity before the first byte is sent to it.
"""

import re

import attrs

from protocol.keys import Unreadable, UnreadableFingerprint, fingerprint_text, parse_fingerprint
from protocol.values import frozen

CODE_BYTES = 10
"""Number of random bytes in a code: 80 bits."""
DEFAULT_PORT = 4470
"""The port of an address that names no port."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""
Digits and letters of a code, without i, l and o, which look like digits, and without u, to avoid
accidental words.
"""
_LOOKALIKES = str.maketrans("ilo", "110")
_CODE_LETTERS = CODE_BYTES * 8 // 5
_FINGERPRINT_LETTERS = 52
"""Letters of a fingerprint without its dashes."""
_GROUP = 4
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        # Soft hyphen, invisible blanks and direction marks.
        **dict.fromkeys("\u00ad\u200b\u200e\u200f\u2060\ufeff"),
    }
)
"""Replacements of dashes and invisible characters that programs put into an invitation."""
_AROUND = " \t<>()`'\"*_«»“”„‘’\u00a0\u202f"
"""Signs that programs and people put around an invitation."""
_BEHIND = f"{_AROUND}.,;:!?…"
"""Signs that may follow an invitation."""
_STRAY_JOINER = re.compile("(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])")
"""An invisible joiner that a program put in: between two letters beyond ASCII it has a meaning."""
_COMMAND = re.compile(r"\bmanse\s+(?:join|watch)\b", re.IGNORECASE)
_SOFT_BREAK = re.compile(r"=\s+")
_QUOTED = re.compile(r"=([0-7][0-9A-F])")
_LINK = re.compile(r"^[a-z]+://", re.IGNORECASE)
_ASCII_HOST = re.compile(r"[a-z0-9._-]+")
_BRACKETED = re.compile(r"[a-z0-9._%:-]+")
"""An IPv6 address, which may name an interface."""
_DEVIATING = "ßẞς\u200c\u200d"
# The longest name that DNS allows, as text.
_MAX_HOST = 253
_MAX_PORT = 65535
_MOST_QUOTED = 80
"""Maximum characters of an invalid text that an error message quotes."""


class UnreadableInvitation(Unreadable):
    """Text that is not an invitation, an address or a code; the message says why."""


@frozen
class Address:
    """Address of a server."""

    host: str
    """A host name, an IPv4 address, or an IPv6 address without brackets."""
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
    letters = "".join(_unmangled(text).split()).replace("-", "").lower().translate(_LOOKALIKES)
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
    host = _ascii_host(host)
    quoted, shown = text[:_MOST_QUOTED], host[:_MOST_QUOTED]
    is_bracketed = text.strip().startswith("[")
    if not host or len(host) > _MAX_HOST or any(char in host for char in "/[] \t"):
        raise UnreadableInvitation(f"{quoted!r} is no address; write host:port", "address", quoted)
    # Without brackets nobody can tell where the address ends and the port begins.
    if ":" in host and not is_bracketed:
        raise UnreadableInvitation(
            f"put an IPv6 address in brackets: [{shown}]:port", "brackets", shown
        )
    if not (_BRACKETED if is_bracketed else _ASCII_HOST).fullmatch(host.lower()):
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


def _ascii_host(host: str) -> str:
    """
    Return a host with letters beyond ASCII encoded by IDNA, in lower case.

    Return it unchanged if it is ASCII, if IDNA refuses it, or if Python's IDNA would encode one of
    its letters differently from browsers.
    """
    # Python knows the first IDNA, which reads these as other letters than browsers do.
    if host.isascii() or any(char in _DEVIATING for char in host):
        return host
    try:
        found = host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return host
    return found if _ASCII_HOST.fullmatch(found) else host


def _unmangled(text: str) -> str:
    """
    Return a text without the changes that mail and chat programs make.

    They wrap lines, quote, escape signs, add brackets and links, end the sentence, and replace
    dashes.
    """
    # Mail in quoted-printable ends a line that goes on with `=`; an invitation has no equals sign.
    whole = _QUOTED.sub(lambda found: chr(int(found[1], 16)), _SOFT_BREAK.sub("", text))
    whole = _STRAY_JOINER.sub("", whole.translate(_TYPOGRAPHY))
    unquoted = " ".join(line.lstrip("> \t") for line in whole.splitlines())
    return unquoted.strip(_AROUND).rstrip(_BEHIND).strip(_AROUND)


def _without_talk(text: str) -> str:
    """Join the words of a fingerprint; words after a complete fingerprint are dropped."""
    taken = ""
    for word in text.split():
        # A mark of quoted mail is not part of it.
        taken += word.lstrip(">")
        if len(taken.rstrip(_BEHIND).replace("-", "")) == _FINGERPRINT_LETTERS:
            return taken.rstrip(_BEHIND)
    return taken


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
    written = _unmangled(text)
    command = _COMMAND.search(written)
    # Text before the command, such as a greeting, is dropped.
    if command is not None:
        written = written[command.end() :].strip(_AROUND)
    # A link begins with slashes of its own.
    host, slash, rest = _LINK.sub("", written).partition("/")
    code, second, last = rest.partition("/")
    # A wrapped line: there are no blanks in a code or a fingerprint.
    rest = "".join(code.split()) + second + _without_talk(last)
    written = host.strip() + slash + rest
    if len(written.split()) != 1:
        raise UnreadableInvitation(
            "an invitation is one word: host:port/CODE/FINGERPRINT", "one_word"
        )
    parts = written.split("/")
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

"""
The login: both ends prove their identity before anything else is exchanged.

1. After the TLS handshake the server sends `Hello`: a fresh nonce, the public key of its identity,
   and a signature over label, nonce and the exporter value of this connection.
2. The client checks the signature, and the key against the pinned fingerprint, before it sends a
   byte. It answers with `Login`: the protocol versions it speaks, its public key, name, language,
   and a signature over label, server identity, nonce and exporter value.
3. The server answers `Welcome` with the version chosen; or `LoginRefused`, and closes.

A man in the middle has two TLS connections with two exporter values, so a signature made on one is
worthless on the other.

Client and server are state machines without I/O, each a table of moves. A call that raises changes
nothing. After a ProtocolError the caller closes the connection.
"""

import enum
from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar, cast

import attrs
from attrs.validators import and_, deep_iterable, ge, le, max_len, min_len

from protocol import codec
from protocol.bounds import is_language
from protocol.errors import Malformed, ProtocolError, UnknownTag
from protocol.frames import LIMIT_BEFORE_LOGIN
from protocol.keys import (
    PUBLIC_BYTES,
    SIGNATURE_BYTES,
    SigningKey,
    WeakKey,
    check_key,
    fingerprint,
    fingerprint_text,
    is_signed,
)
from protocol.plain_text import check_plain, name_fault
from protocol.values import frozen

VERSIONS = (7,)
"""Protocol versions that this program speaks."""
NONCE_BYTES = 32
"""Length of the server's nonce."""
EXPORTER_LABEL = b"EXPORTER-Channel-Binding"
"""Label of the TLS exporter value (RFC 9266), which is computed without a context."""
EXPORTER_BYTES = 32
"""Length of the exporter value."""

_HELLO_LABEL = "manse hello 1"
_LOGIN_LABEL = "manse login 1"
_MAX_VERSIONS = 16
_MAX_TEXT = 300


class LoginMisused(Exception):
    """A bug: the caller took a step of the login out of order. Nothing has changed."""


class LoginFailed(ProtocolError):
    """The login failed; the code says why."""

    code = "login/failed"


class WrongIdentity(LoginFailed):
    """The server has another fingerprint than the pinned one."""

    code = "login/wrong_identity"

    def __init__(self, expected: bytes, met: bytes) -> None:
        pinned, shown = fingerprint_text(expected), fingerprint_text(met)
        super().__init__(f"expected the server {pinned}, met {shown}")
        self.expected = expected
        self.met = met


def _exactly(length: int) -> Any:
    return and_(min_len(length), max_len(length))


_TEXT: Any = and_(max_len(_MAX_TEXT), check_plain)
_VERSION_LIST: Any = deep_iterable(and_(ge(1), le(65535)), and_(min_len(1), max_len(_MAX_VERSIONS)))


@frozen
class Hello:
    """First message of the server. Its form is the same in all versions."""

    tag: ClassVar[str] = "hello"
    nonce: bytes = attrs.field(validator=_exactly(NONCE_BYTES))
    identity: bytes = attrs.field(validator=_exactly(PUBLIC_BYTES))
    """The public key of the server's identity."""
    signature: bytes = attrs.field(validator=_exactly(SIGNATURE_BYTES), repr=False)
    """Signature over `[label, nonce, exporter value]`, packed."""


@frozen
class Login:
    """Answer of the client. Its form is the same in all versions."""

    tag: ClassVar[str] = "login"
    versions: tuple[int, ...] = attrs.field(validator=_VERSION_LIST)
    """All protocol versions that the client speaks."""
    key: bytes = attrs.field(validator=_exactly(PUBLIC_BYTES))
    # Bounded only, so that `receive` can refuse a bad name or language with its own reason.
    name: str = attrs.field(validator=max_len(_MAX_TEXT))
    language: str = attrs.field(validator=max_len(_MAX_TEXT))
    """Preferred language, such as `fr` or `pt-BR`; the server falls back to English."""
    signature: bytes = attrs.field(validator=_exactly(SIGNATURE_BYTES), repr=False)
    """Signature over `[label, server identity, nonce, exporter value]`, packed."""


@frozen
class Welcome:
    """Answer of the server to a valid login."""

    tag: ClassVar[str] = "welcome"
    version: int = attrs.field(validator=and_(ge(1), le(65535)))
    """The protocol version of this connection from here on."""
    server_name: str = attrs.field(validator=_TEXT)
    public_address: str = attrs.field(validator=_TEXT)
    """Address for invitations; empty if the operator has not set one."""


@frozen
class LoginRefused:
    """Answer of the server to an invalid login, before it closes."""

    tag: ClassVar[str] = "login_refused"
    code: str = attrs.field(validator=_TEXT)
    reason: str = attrs.field(validator=_TEXT)
    versions: tuple[int, ...] = attrs.field(validator=_VERSION_LIST)
    """All protocol versions that the server speaks."""


_Said = Hello | Login | Welcome | LoginRefused
S = TypeVar("S", bound=_Said)


def encode_login(said: _Said) -> bytes:
    """Return the frame payload of a login message."""
    fields = cast("tuple[codec.Plain, ...]", codec.to_plain(said, type(said)))
    return codec.pack((said.tag, *fields))


def decode_login(payload: bytes, *kinds: type[S]) -> S:
    """
    Parse a frame payload as a login message of one of these kinds.

    Raises:
        Malformed, UnknownTag, OverLimit: it is none of them.
    """
    plain = codec.unpack(payload, max_bytes=LIMIT_BEFORE_LOGIN)
    if not isinstance(plain, tuple) or not plain:
        raise Malformed("a message of the login is an array that begins with its tag")
    for kind in kinds:
        if plain[0] == kind.tag:
            return cast("S", codec.from_plain(plain[1:], kind))
    raise UnknownTag("something else was expected at this point of the login")


def hello_preimage(nonce: bytes, exporter: bytes) -> bytes:
    """Return the bytes that the server signs in `Hello`."""
    return codec.pack((_HELLO_LABEL, nonce, exporter))


def login_preimage(identity: bytes, nonce: bytes, exporter: bytes) -> bytes:
    """Return the bytes that the client signs in `Login`."""
    return codec.pack((_LOGIN_LABEL, identity, nonce, exporter))


def _check_key(public: bytes) -> None:
    try:
        check_key(public)
    except WeakKey as error:
        raise LoginFailed(str(error), code="login/key") from error


# The server's machine ----------------------------------------------------------------------


class ServerState(enum.Enum):
    """State of a login at the server's end."""

    FRESH = "fresh"
    """Nothing was sent."""
    AWAITING_LOGIN = "awaiting_login"
    DECIDING = "deciding"
    """The login is valid; the caller decides whether to admit the client."""
    WELCOMED = "welcomed"
    REFUSED = "refused"


class ServerMove(enum.Enum):
    """Step of a login at the server's end."""

    HELLO = "hello"
    LOGIN = "login"
    WELCOME = "welcome"
    REFUSE = "refuse"


SERVER_MOVES: Mapping[tuple[ServerState, ServerMove], ServerState] = {
    (ServerState.FRESH, ServerMove.HELLO): ServerState.AWAITING_LOGIN,
    (ServerState.AWAITING_LOGIN, ServerMove.LOGIN): ServerState.DECIDING,
    (ServerState.AWAITING_LOGIN, ServerMove.REFUSE): ServerState.REFUSED,
    (ServerState.DECIDING, ServerMove.WELCOME): ServerState.WELCOMED,
    (ServerState.DECIDING, ServerMove.REFUSE): ServerState.REFUSED,
}
"""State after each valid move. Any other move raises and changes nothing."""


@attrs.define
class ServerLogin:
    """State machine of a login at the server's end: takes and returns payloads, without I/O."""

    identity: SigningKey
    exporter: bytes = attrs.field(repr=False)
    """The exporter value of this connection: 32 bytes."""
    nonce: bytes
    """32 bytes of the entropy source; used for one login only, or a login could be replayed."""
    server_name: str
    public_address: str = ""
    versions: tuple[int, ...] = VERSIONS
    state: ServerState = attrs.field(default=ServerState.FRESH, init=False)
    version: int | None = attrs.field(default=None, init=False)
    """The version chosen; None before a valid login."""

    def hello(self) -> bytes:
        """Return the first payload to send. LoginMisused if called twice."""
        # Looked up first: a call that raises must change nothing.
        after = self._after(ServerMove.HELLO)
        signature = self.identity.sign(hello_preimage(self.nonce, self.exporter))
        self.state = after
        return encode_login(Hello(self.nonce, self.identity.public, signature))

    def receive(self, payload: bytes) -> Login:
        """
        Parse and check the client's login.

        Raises:
            LoginFailed: the login is invalid; `refuse` makes the answer.
            ProtocolError: the payload is not a login, or none was expected now.
        """
        # The version first: other faults may be due to it, and the answer names both versions.
        after = SERVER_MOVES.get((self.state, ServerMove.LOGIN))
        if after is None:
            raise LoginFailed("nothing is awaited from the client now", code="login/out_of_turn")
        login = decode_login(payload, Login)
        common = set(login.versions) & set(self.versions)
        if not common:
            raise LoginFailed(version_reason(self.versions, login.versions), code="login/version")
        version = max(common)
        if (fault := name_fault(login.name)) is not None:
            raise LoginFailed(fault, code="login/name")
        if not is_language(login.language):
            raise LoginFailed("that is no name of a language", code="login/language")
        # A key of small order would let anybody be this player.
        _check_key(login.key)
        signed = login_preimage(self.identity.public, self.nonce, self.exporter)
        if not is_signed(login.key, signed, login.signature):
            raise LoginFailed("the signature is not of this connection", code="login/signature")
        self.state, self.version = after, version
        return login

    def welcome(self) -> bytes:
        """Return the payload that admits the client. LoginMisused unless a login was accepted."""
        after = self._after(ServerMove.WELCOME)
        if self.version is None:
            raise LoginMisused("no version was chosen")
        self.state = after
        return encode_login(Welcome(self.version, self.server_name, self.public_address))

    def refuse(self, code: str, reason: str) -> bytes:
        """Return the payload of a refusal. LoginMisused before the hello and after an answer."""
        after = self._after(ServerMove.REFUSE)
        self.state = after
        return encode_login(LoginRefused(code, reason[:_MAX_TEXT], self.versions))

    def _after(self, move: ServerMove) -> ServerState:
        after = SERVER_MOVES.get((self.state, move))
        if after is None:
            raise LoginMisused(f"no {move.value} while {self.state.value}")
        return after


def version_reason(server: tuple[int, ...], client: tuple[int, ...]) -> str:
    """Return a sentence: which versions both ends speak, and which end needs an update."""
    older = "server" if max(server) < max(client) else "client"
    return (
        f"the server speaks version {_listed(server)} of the protocol and the client "
        f"version {_listed(client)}; the {older} needs an update"
    )


def _listed(versions: tuple[int, ...]) -> str:
    return " or ".join(str(version) for version in sorted(set(versions)))


# The client's machine ----------------------------------------------------------------------


class ClientState(enum.Enum):
    """State of a login at the client's end."""

    AWAITING_HELLO = "awaiting_hello"
    """Nothing was sent."""
    AWAITING_ANSWER = "awaiting_answer"
    WELCOMED = "welcomed"
    REFUSED = "refused"


class ClientMove(enum.Enum):
    """Step of a login at the client's end: the message received."""

    HELLO = "hello"
    WELCOME = "welcome"
    LOGIN_REFUSED = "login_refused"


CLIENT_MOVES: Mapping[tuple[ClientState, ClientMove], ClientState] = {
    (ClientState.AWAITING_HELLO, ClientMove.HELLO): ClientState.AWAITING_ANSWER,
    (ClientState.AWAITING_ANSWER, ClientMove.WELCOME): ClientState.WELCOMED,
    (ClientState.AWAITING_ANSWER, ClientMove.LOGIN_REFUSED): ClientState.REFUSED,
}
"""State after each valid move. Any other move raises and changes nothing."""


@attrs.define
class ClientLogin:
    """State machine of a login at the client's end: takes and returns payloads, without I/O."""

    key: SigningKey
    name: str
    language: str
    exporter: bytes = attrs.field(repr=False)
    """The exporter value of this connection: 32 bytes."""
    pinned: bytes | None
    """Fingerprint that the server must have; None to trust any server."""
    versions: tuple[int, ...] = VERSIONS
    state: ClientState = attrs.field(default=ClientState.AWAITING_HELLO, init=False)
    identity: bytes | None = attrs.field(default=None, init=False)
    """The server's public key; None until the server has proved that it owns the key."""
    welcomed: Welcome | None = attrs.field(default=None, init=False)
    """The server's reply if it admitted the client; else None."""
    refused: LoginRefused | None = attrs.field(default=None, init=False)
    """The server's reply if it refused the client; else None."""

    def receive(self, payload: bytes) -> bytes | None:
        """
        Process a payload from the server.

        Returns:
            The payload to send after the hello. None after the answer, which is then in
            `welcomed` or `refused`.

        Raises:
            WrongIdentity: the server is not the pinned one; nothing was sent to it.
            LoginFailed: its signature is wrong, or it chose a version that we do not speak.
            ProtocolError: the payload is not a message that may come now.
        """
        if self.state is ClientState.AWAITING_HELLO:
            return self._answer(decode_login(payload, Hello))
        if self.state is ClientState.AWAITING_ANSWER:
            answer = decode_login(payload, Welcome, LoginRefused)
            self._conclude(cast("Welcome | LoginRefused", answer))
            return None
        raise LoginFailed("the login is over", code="login/out_of_turn")

    def _answer(self, hello: Hello) -> bytes:
        # Before anything is sent: our key and name are none of a stranger's business.
        shown = fingerprint(hello.identity)
        if self.pinned is not None and shown != self.pinned:
            raise WrongIdentity(self.pinned, shown)
        _check_key(hello.identity)
        if not is_signed(
            hello.identity, hello_preimage(hello.nonce, self.exporter), hello.signature
        ):
            raise LoginFailed(
                "the server did not prove its identity for this connection; "
                "somebody may stand in between",
                code="login/signature",
            )
        signature = self.key.sign(login_preimage(hello.identity, hello.nonce, self.exporter))
        login = Login(self.versions, self.key.public, self.name, self.language, signature)
        self.state = CLIENT_MOVES[self.state, ClientMove.HELLO]
        self.identity = hello.identity
        return encode_login(login)

    def _conclude(self, answer: Welcome | LoginRefused) -> None:
        if isinstance(answer, LoginRefused):
            self.state = CLIENT_MOVES[self.state, ClientMove.LOGIN_REFUSED]
            self.refused = answer
            return
        # Else a server could make us speak a version that we did not offer.
        if answer.version not in self.versions:
            raise LoginFailed(
                version_reason((answer.version,), self.versions), code="login/version"
            )
        self.state = CLIENT_MOVES[self.state, ClientMove.WELCOME]
        self.welcomed = answer

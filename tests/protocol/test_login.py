"""The login: both ends prove their identity for this connection, in a fixed order."""

from collections.abc import Callable

import attrs
import pytest

from protocol import codec
from protocol.errors import Malformed, ProtocolError, UnknownTag
from protocol.keys import SigningKey, fingerprint
from protocol.login import (
    CLIENT_MOVES,
    SERVER_MOVES,
    ClientLogin,
    ClientState,
    Hello,
    Login,
    LoginFailed,
    LoginMisused,
    LoginRefused,
    ServerLogin,
    ServerMove,
    ServerState,
    Welcome,
    WrongIdentity,
    decode_login,
    encode_login,
    login_preimage,
)

IDENTITY = SigningKey.from_seed(b"i" * 32)
PLAYER = SigningKey.from_seed(b"p" * 32)
STRANGER = SigningKey.from_seed(b"s" * 32)
EXPORTER = b"e" * 32
OTHER_EXPORTER = b"o" * 32


def server(exporter: bytes = EXPORTER, versions: tuple[int, ...] = (1,)) -> ServerLogin:
    """Return the server's end of a login."""
    return ServerLogin(IDENTITY, exporter, b"n" * 32, "Manse", "", versions)


def client(
    exporter: bytes = EXPORTER,
    pinned: bytes | None = None,
    versions: tuple[int, ...] = (1,),
    name: str = "Ann",
    language: str = "fr",
) -> ClientLogin:
    """Return the client's end of a login."""
    return ClientLogin(PLAYER, name, language, exporter, pinned, versions)


def answer_of(one: ClientLogin, hello: bytes) -> bytes:
    answer = one.receive(hello)
    assert answer is not None
    return answer


def server_in(state: ServerState) -> ServerLogin:
    """Return a server's end that reached a state by valid moves."""
    one = server()
    if state is ServerState.FRESH:
        return one
    answer = answer_of(client(), one.hello())
    if state is ServerState.AWAITING_LOGIN:
        return one
    if state is ServerState.REFUSED:
        one.refuse("login/no", "no")
        return one
    one.receive(answer)
    if state is ServerState.WELCOMED:
        one.welcome()
    return one


def client_in(state: ClientState) -> ClientLogin:
    """Return a client's end that reached a state by valid moves."""
    one = client()
    if state is ClientState.AWAITING_HELLO:
        return one
    one.receive(server().hello())
    if state is ClientState.WELCOMED:
        one.receive(encode_login(Welcome(1, "Manse", "")))
    if state is ClientState.REFUSED:
        one.receive(encode_login(LoginRefused("login/no", "no", (1,))))
    return one


def test_a_login_ends_with_both_ends_knowing_each_other() -> None:
    one, other = server(), client(pinned=fingerprint(IDENTITY.public))

    login = one.receive(answer_of(other, one.hello()))
    other.receive(one.welcome())

    assert (login.key, login.name, login.language) == (PLAYER.public, "Ann", "fr")
    assert other.welcomed == Welcome(1, "Manse", "")
    assert other.identity == IDENTITY.public


MOVES: dict[ServerMove, Callable[[ServerLogin], object]] = {
    ServerMove.HELLO: lambda one: one.hello(),
    ServerMove.LOGIN: lambda one: one.receive(answer_of(client(), server().hello())),
    ServerMove.WELCOME: lambda one: one.welcome(),
    ServerMove.REFUSE: lambda one: one.refuse("login/no", "no"),
}


@pytest.mark.parametrize("move", ServerMove)
@pytest.mark.parametrize("state", ServerState)
def test_the_server_moves_as_its_table_says(state: ServerState, move: ServerMove) -> None:
    one = server_in(state)
    before = attrs.asdict(one, recurse=False)

    if (state, move) in SERVER_MOVES:
        MOVES[move](one)
        assert one.state is SERVER_MOVES[state, move]
    else:
        with pytest.raises((LoginMisused, LoginFailed)):
            MOVES[move](one)
        assert attrs.asdict(one, recurse=False) == before


def said(tag: str) -> bytes:
    """Return a valid login message with this tag."""
    if tag == "hello":
        return server().hello()
    if tag == "login":
        return answer_of(client(), server().hello())
    if tag == "welcome":
        return encode_login(Welcome(1, "Manse", ""))
    return encode_login(LoginRefused("login/no", "no", (1,)))


@pytest.mark.parametrize("tag", ["hello", "login", "welcome", "login_refused"])
@pytest.mark.parametrize("state", ClientState)
def test_the_client_moves_as_its_table_says(state: ClientState, tag: str) -> None:
    one = client_in(state)
    before = attrs.asdict(one, recurse=False)
    after = {(at, move.value): to for (at, move), to in CLIENT_MOVES.items()}.get((state, tag))

    if after is not None:
        one.receive(said(tag))
        assert one.state is after
    else:
        with pytest.raises(ProtocolError):
            one.receive(said(tag))
        assert attrs.asdict(one, recurse=False) == before


def test_another_server_than_the_pinned_one_is_refused_before_a_byte() -> None:
    one = client(pinned=fingerprint(STRANGER.public))

    with pytest.raises(WrongIdentity) as caught:
        one.receive(server().hello())

    assert one.state is ClientState.AWAITING_HELLO
    assert caught.value.code == "login/wrong_identity"


def test_a_relayed_hello_is_refused() -> None:
    one = client(exporter=OTHER_EXPORTER, pinned=fingerprint(IDENTITY.public))

    with pytest.raises(LoginFailed, match="in between"):
        one.receive(server().hello())

    assert one.state is ClientState.AWAITING_HELLO


def test_a_relayed_login_is_refused() -> None:
    """A client that trusts a false server signs for that connection; the true server refuses it."""
    true, false = server(), ServerLogin(STRANGER, OTHER_EXPORTER, b"n" * 32, "False")
    true.hello()
    relayed = answer_of(client(exporter=OTHER_EXPORTER), false.hello())

    with pytest.raises(LoginFailed) as caught:
        true.receive(relayed)

    assert caught.value.code == "login/signature"
    assert true.state is ServerState.AWAITING_LOGIN


def test_a_login_for_another_nonce_is_refused() -> None:
    one = server()
    one.hello()
    old = ServerLogin(IDENTITY, EXPORTER, b"o" * 32, "Manse")

    with pytest.raises(LoginFailed, match="signature"):
        one.receive(answer_of(client(), old.hello()))


def test_a_login_with_somebody_elses_key_is_refused() -> None:
    one = server()
    one.hello()
    signature = STRANGER.sign(login_preimage(IDENTITY.public, b"n" * 32, EXPORTER))

    with pytest.raises(LoginFailed, match="signature"):
        one.receive(encode_login(Login((1,), PLAYER.public, "Ann", "en", signature)))


def test_a_hello_with_somebody_elses_key_is_refused() -> None:
    hello = decode_login(server().hello(), Hello)

    with pytest.raises(LoginFailed, match="prove"):
        client().receive(encode_login(attrs.evolve(hello, identity=STRANGER.public)))


def test_the_highest_common_version_is_chosen() -> None:
    one, other = server(versions=(1, 2, 3)), client(versions=(2, 3, 4))

    one.receive(answer_of(other, one.hello()))
    other.receive(one.welcome())

    assert other.welcomed is not None
    assert other.welcomed.version == 3


@pytest.mark.parametrize(
    ("servers", "clients", "sentence"),
    [
        (
            (1,),
            (2, 3),
            (
                "the server speaks version 1 of the protocol and the client version 2 or 3; "
                "the server needs an update"
            ),
        ),
        (
            (5,),
            (2,),
            (
                "the server speaks version 5 of the protocol and the client version 2; "
                "the client needs an update"
            ),
        ),
    ],
)
def test_no_common_version_is_a_refusal_that_names_both(
    servers: tuple[int, ...], clients: tuple[int, ...], sentence: str
) -> None:
    one, other = server(versions=servers), client(versions=clients)

    with pytest.raises(LoginFailed) as caught:
        one.receive(answer_of(other, one.hello()))
    other.receive(one.refuse(caught.value.code, str(caught.value)))

    assert other.state is ClientState.REFUSED
    assert other.refused == LoginRefused("login/version", sentence, servers)


def test_a_version_that_was_not_offered_is_refused_by_the_client() -> None:
    one = client_in(ClientState.AWAITING_ANSWER)

    with pytest.raises(LoginFailed, match="version"):
        one.receive(encode_login(Welcome(9, "Manse", "")))


@pytest.mark.parametrize(
    "name",
    [
        "",
        " Ann",
        "Ann ",
        "A  nn",
        "x" * 41,
        "A\x1b[2Jnn",
        "A\nnn",
        "A\u202ennA",
        "A\u200bnn",
        "A\u0000",
        "e\u0301",
        "\u0301e",
        "a" + "\u0323" * 6,
    ],
)
def test_hostile_names_are_refused(name: str) -> None:
    one = server()
    answer = answer_of(client(name=name), one.hello())

    with pytest.raises(LoginFailed) as caught:
        one.receive(answer)

    assert caught.value.code == "login/name"


@pytest.mark.parametrize("name", ["Ann", "Zoë", "Ирина", "美咲", "x" * 40, "O'Neil 3"])
def test_ordinary_names_are_let_in(name: str) -> None:
    one = server()

    assert one.receive(answer_of(client(name=name), one.hello())).name == name


@pytest.mark.parametrize("language", ["", "FR", "french", "../x", "fr_FR", "f"])
def test_what_names_no_language_is_refused(language: str) -> None:
    """The language may become part of a file name or a key."""
    one = server()
    answer = answer_of(client(language=language), one.hello())

    with pytest.raises(LoginFailed) as caught:
        one.receive(answer)

    assert caught.value.code == "login/language"


@pytest.mark.parametrize(
    ("payload", "error"),
    [
        (b"\xc0", Malformed),
        (codec.pack(()), Malformed),
        (codec.pack(("login",)), Malformed),
        (codec.pack(("login", (), b"k" * 32, "Ann", "en", b"s" * 64)), Malformed),
        (codec.pack(("login", (1,), b"k" * 31, "Ann", "en", b"s" * 64)), Malformed),
        (codec.pack(("ping", 1)), UnknownTag),
    ],
)
def test_what_is_no_login_is_refused(payload: bytes, error: type[ProtocolError]) -> None:
    one = server_in(ServerState.AWAITING_LOGIN)

    with pytest.raises(error):
        one.receive(payload)

    assert one.state is ServerState.AWAITING_LOGIN


def test_secrets_are_not_in_reprs() -> None:
    """The state machines end up in logs."""
    text = repr(server()) + repr(client()) + repr(PLAYER)

    assert EXPORTER.decode() not in text
    assert ("p" * 32) not in text

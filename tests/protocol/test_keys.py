"""Keys of small order are refused in every encoding, since anybody can sign for them."""

import hashlib
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from protocol import archive
from protocol.invitation import UnreadableInvitation, parse_invitation
from protocol.keys import (
    WEAK_KEYS,
    SigningKey,
    UnreadableFingerprint,
    WeakKey,
    check_key,
    fingerprint,
    fingerprint_text,
    is_signed,
    parse_fingerprint,
)
from protocol.login import (
    VERSIONS,
    ClientLogin,
    Hello,
    Login,
    LoginFailed,
    ServerLogin,
    decode_login,
    encode_login,
)

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int]
EXPORTER = b"e" * 32
IDENTITY, PLAYER = SigningKey.from_seed(b"i" * 32), SigningKey.from_seed(b"p" * 32)
FORGED = bytes([1, *bytes(31)]) + bytes(32)
"""R is the neutral point and S is 0: valid for every message, with the key that is neutral, too."""


def _sum(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    both = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + both, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - both, -1, P)
    return x % P, y % P


def _times(number: int, point: Point) -> Point:
    product = (0, 1)
    while number:
        if number & 1:
            product = _sum(product, point)
        point, number = _sum(point, point), number >> 1
    return product


def _points() -> Iterator[Point]:
    """Yield points of the curve, of any order."""
    for y in range(2, 100):
        square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
        x = pow(square, (P + 3) // 8, P)
        for root in (x, x * pow(2, (P - 1) // 4, P) % P):
            if root * root % P == square:
                yield root, y


def _encodings() -> list[bytes]:
    """Return all encodings of points whose order divides 8."""
    small = {_times(L, point) for point in _points()}
    assert len(small) == 8
    assert all(_times(8, point) == (0, 1) for point in small)
    found = set()
    for x, y in small:
        signs = (0, 1) if x == 0 else (x & 1,)
        found |= {s << 255 | n for s in signs for n in (y, y + P) if n < 2**255}
    return sorted(number.to_bytes(32, "little") for number in found)


def test_there_are_fourteen_encodings() -> None:
    """Eight are canonical; careless decoders read six others as the same points."""
    weak = _encodings()

    assert len(weak) == 14
    assert bytes(32) in weak
    assert tuple(weak) == WEAK_KEYS


@pytest.mark.parametrize("key", WEAK_KEYS, ids=bytes.hex)
def test_a_key_of_small_order_is_refused(key: bytes) -> None:
    with pytest.raises(WeakKey):
        check_key(key)

    assert not any(is_signed(key, bytes([n]), FORGED) for n in range(64))


def test_without_the_check_anybody_could_sign_for_such_a_key() -> None:
    """The library accepts such signatures, so the check is needed."""
    Ed25519PublicKey.from_public_bytes(FORGED[:32]).verify(FORGED, b"whatever")

    check_key(PLAYER.public)
    assert is_signed(PLAYER.public, b"a", PLAYER.sign(b"a"))
    assert not is_signed(PLAYER.public, b"a", FORGED)


@pytest.mark.parametrize("seed", range(20))
def test_other_keys_are_taken(seed: int) -> None:
    check_key(SigningKey.from_seed(hashlib.sha256(bytes([seed])).digest()).public)


@pytest.mark.parametrize("key", WEAK_KEYS, ids=bytes.hex)
def test_a_player_with_such_a_key_is_not_let_in(key: bytes) -> None:
    server = ServerLogin(IDENTITY, EXPORTER, b"n" * 32, "Manse")
    server.hello()

    with pytest.raises(LoginFailed) as caught:
        server.receive(encode_login(Login(VERSIONS, key, "Ann", "en", FORGED)))

    assert caught.value.code == "login/key"
    assert server.version is None


@pytest.mark.parametrize("key", WEAK_KEYS, ids=bytes.hex)
@pytest.mark.parametrize("is_pinned", [True, False])
def test_a_server_with_such_an_identity_is_not_spoken_to(key: bytes, *, is_pinned: bool) -> None:
    pinned = fingerprint(key) if is_pinned else None
    client = ClientLogin(PLAYER, "Ann", "en", EXPORTER, pinned)

    with pytest.raises(LoginFailed) as caught:
        client.receive(encode_login(Hello(b"n" * 32, key, FORGED)))

    assert caught.value.code == "login/key"
    assert client.identity is None


@pytest.mark.parametrize("key", WEAK_KEYS, ids=bytes.hex)
def test_the_fingerprint_of_such_a_key_is_refused(key: bytes) -> None:
    text = fingerprint_text(fingerprint(key))

    with pytest.raises(UnreadableFingerprint, match="anybody"):
        parse_fingerprint(text)
    with pytest.raises(UnreadableInvitation, match="anybody"):
        parse_invitation(f"example.org:4470/0000-0000-0000-0000/{text}")


@pytest.mark.parametrize("key", WEAK_KEYS, ids=bytes.hex)
def test_a_file_that_is_sealed_with_such_a_key_is_refused(key: bytes) -> None:
    header = archive.Header(archive.MAGIC, "room", False, -1, 0, 1, key, 0)
    data = b"".join(archive.write(header, (), (), sign=lambda _: FORGED))

    with pytest.raises(archive.BadArchive, match="anybody"):
        archive.load(data)


def test_logins_with_good_keys_go_on() -> None:
    server = ServerLogin(IDENTITY, EXPORTER, b"n" * 32, "Manse")
    client = ClientLogin(PLAYER, "Ann", "en", EXPORTER, fingerprint(IDENTITY.public))

    login = decode_login(client.receive(server.hello()) or b"", Login)

    assert login.key == PLAYER.public

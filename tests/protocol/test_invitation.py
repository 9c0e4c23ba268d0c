"""Invitations and fingerprints: what one person pastes is what the other's program reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.invitation import (
    CODE_BYTES,
    DEFAULT_PORT,
    Address,
    Invitation,
    UnreadableInvitation,
    code_text,
    parse_address,
    parse_code,
    parse_invitation,
)
from protocol.keys import (
    SigningKey,
    UnreadableFingerprint,
    UnreadableKey,
    fingerprint,
    fingerprint_text,
    is_signed,
    parse_fingerprint,
)

KEY = SigningKey.from_seed(b"k" * 32)
INVITATION = Invitation(
    Address("example.org", 4470), code_text(b"0123456789"), fingerprint(KEY.public)
)


@given(st.binary(min_size=10, max_size=10))
def test_codes_come_back_however_they_are_typed(entropy: bytes) -> None:
    code = code_text(entropy)

    assert parse_code(code) == code
    assert parse_code(code.upper().replace("-", "")) == code
    assert parse_code(code.replace("0", "O").replace("1", "l")) == code


def test_codes_hold_eighty_bits() -> None:
    codes = {code_text((1 << bit).to_bytes(10, "big")) for bit in range(80)}

    assert len(codes) == 80
    assert {len(code) for code in codes} == {19}


@given(st.binary(min_size=32, max_size=32))
def test_fingerprints_come_back_however_they_are_typed(digest: bytes) -> None:
    text = fingerprint_text(digest)

    assert parse_fingerprint(text) == digest
    assert parse_fingerprint(text.upper().replace("-", "")) == digest
    assert parse_fingerprint(text.replace("-", " ")) == digest


@pytest.mark.parametrize("text", ["", "abcd", "1" * 52, "é" * 52, "b" * 52, "a" * 53])
def test_what_is_no_fingerprint_is_refused(text: str) -> None:
    with pytest.raises(UnreadableFingerprint):
        parse_fingerprint(text)


@pytest.mark.parametrize("host", ["example.org", "192.0.2.7", "2001:db8::7", "localhost"])
@pytest.mark.parametrize("command", ["join", "watch"])
def test_an_invitation_line_can_be_pasted_whole(host: str, command: str) -> None:
    invitation = Invitation(Address(host, 1234), INVITATION.code, INVITATION.fingerprint)

    assert parse_invitation(invitation.line(command)) == invitation
    assert parse_invitation(f"  {invitation}\n") == invitation
    assert " " not in str(invitation)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "one word"),
        ("manse join", "one word"),
        ("a b c", "one word"),
        ("example.org:1", "three parts"),
        ("example.org:1/x/y/z", "three parts"),
        (f"example.org:1/short/{fingerprint_text(INVITATION.fingerprint)}", "table code"),
        (f"example.org:1/{INVITATION.code}/short", "fingerprint"),
        (f"exam ple:1/{INVITATION.code}/x", "one word"),
        (f":1/{INVITATION.code}/x", "no address"),
        (f"h:99999/{INVITATION.code}/x", "no port"),
        (f"h:/{INVITATION.code}/x", "no port"),
        (f"h:0/{INVITATION.code}/x", "no port"),
        (f"h:-1/{INVITATION.code}/x", "no port"),
        (f"h:²/{INVITATION.code}/x", "no port"),
        (f"::1/{INVITATION.code}/x", "brackets"),
        (f"[::1/{INVITATION.code}/x", "no address"),
        (f"[::1]4470/{INVITATION.code}/x", "no address"),
        (f"h\x07:1/{INVITATION.code}/x", "characters"),
    ],
)
def test_what_is_no_invitation_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(UnreadableInvitation, match=why):
        parse_invitation(text)


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    "mangle",
    [
        "<{}>",
        "<{}>.",
        "“{}”",
        "« {} »",
        "`{}`",
        "**{}**",
        "({}),",
        "{}.",
        "{}…",
        "> {}",
        "> > {}\n> ",
        "Come and play: {} !",
        "\u200b{}\ufeff",
    ],
)
@pytest.mark.parametrize("host", ["example.org", "2001:db8::7"])
def test_what_is_around_an_invitation_is_no_part_of_it(mangle: str, host: str) -> None:
    invitation = Invitation(Address(host, 1234), INVITATION.code, INVITATION.fingerprint)

    assert parse_invitation(mangle.format(invitation.line())) == invitation
    if not mangle.startswith("Come"):
        assert parse_invitation(mangle.format(invitation)) == invitation
        assert parse_code(mangle.format(invitation.code)) == invitation.code


@pytest.mark.issue(38)
def test_an_invitation_may_be_broken_and_its_hyphens_replaced() -> None:
    line = INVITATION.line()
    start = line.index("/")

    for at in range(start, len(line)):
        for gap in ("\n", "\r\n", "\n> ", "=\n", " "):
            assert parse_invitation(line[:at] + gap + line[at:]) == INVITATION
    for hyphen in "\u2010\u2011\u2013\u2014\u2212":
        assert parse_invitation(line.replace("-", hyphen)) == INVITATION
    assert parse_invitation(line.replace("manse", "Manse", 1)) == INVITATION
    assert parse_invitation(f"https://{INVITATION}") == INVITATION


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("typed", "host"),
    [
        ("bücher.example", "xn--bcher-kva.example"),
        ("bu\u0308cher.example", "xn--bcher-kva.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("例え.example", "xn--r8jz45g.example"),
    ],
)
def test_a_host_may_have_any_letters(typed: str, host: str) -> None:
    assert parse_address(f"{typed}:4471") == Address(host, 4471)


@pytest.mark.issue(38)
@pytest.mark.parametrize("typed", ["stra\u00dfe.example", "a\uff0fb", "x\u0301" * 70, "a..\u00e9"])
def test_a_host_that_could_be_another_is_refused(typed: str) -> None:
    with pytest.raises(UnreadableInvitation):
        parse_address(typed)


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    "host",
    [
        pytest.param("\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example", id="meaningful joiner"),
        *["good.example@evil.example", "good.example#evil", "good.example?x", "good.example%2Fx"],
        *["good.example\\evil.example", "a b", "a=b", "a'b", "a,b"],
    ],
)
def test_an_invitation_leads_to_the_server_that_is_written_or_nowhere(host: str) -> None:
    code, fingerprint = code_text(bytes(CODE_BYTES)), fingerprint_text(bytes(32))

    with pytest.raises(UnreadableInvitation):
        parse_invitation(f"{host}/{code}/{fingerprint}")


@pytest.mark.issue(38)
def test_an_invisible_joiner_beside_ascii_is_a_fault_of_a_program() -> None:
    code, fingerprint = code_text(bytes(CODE_BYTES)), fingerprint_text(bytes(32))

    read = parse_invitation(f"exam\u200cple.org\u200d/{code}/{fingerprint}")

    assert read.address == Address("example.org")


@given(st.text(max_size=200))
def test_any_text_is_an_invitation_or_refused(text: str) -> None:
    try:
        parse_invitation(text)
    except UnreadableInvitation:
        return


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("example.org", Address("example.org", DEFAULT_PORT)),
        ("example.org:80", Address("example.org", 80)),
        ("[::1]", Address("::1", DEFAULT_PORT)),
        ("[::1]:80", Address("::1", 80)),
    ],
)
def test_addresses_may_leave_out_the_port(text: str, address: Address) -> None:
    assert parse_address(text) == address


def test_the_code_is_not_in_the_repr() -> None:
    assert INVITATION.code not in repr(INVITATION)


def test_keys_come_back_from_their_file() -> None:
    again = SigningKey.from_pem(KEY.to_pem())

    assert again.public == KEY.public
    assert is_signed(KEY.public, b"message", again.sign(b"message"))
    assert fingerprint_text(fingerprint(KEY.public)) in repr(KEY)


@pytest.mark.parametrize("pem", [b"", b"nonsense", KEY.to_pem()[:60]])
def test_what_is_no_key_file_is_refused(pem: bytes) -> None:
    with pytest.raises(UnreadableKey):
        SigningKey.from_pem(pem)


@pytest.mark.parametrize(
    ("public", "message", "signature"),
    [
        (KEY.public, b"other", KEY.sign(b"message")),
        (KEY.public, b"message", b""),
        (b"short", b"message", KEY.sign(b"message")),
        (SigningKey.from_seed(b"o" * 32).public, b"message", KEY.sign(b"message")),
    ],
)
def test_false_signatures_are_not_signatures(
    public: bytes, message: bytes, signature: bytes
) -> None:
    assert not is_signed(public, message, signature)

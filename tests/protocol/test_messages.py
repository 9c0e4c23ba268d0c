"""Messages: each is decoded as it was encoded, within bounds, from the right side only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from protocol.bounds import MAX_CUTS, MAX_ID, MAX_INTEGER, MAX_PICKS, MAX_TEMPLATE, MAX_TIME
from protocol.commitments import Opening
from protocol.common.events import MAX_CHAT
from protocol.common.roster import Role, Roster
from protocol.common.table import Settings, Stage
from protocol.common.text import Text
from protocol.encoding import forms
from protocol.errors import Malformed, ProtocolError, UnknownTag
from protocol.event import Cut
from protocol.frames import LIMIT_AFTER_LOGIN, encode_frame
from protocol.messages import (
    Answer,
    BriefOpening,
    BriefRecord,
    BriefRecords,
    Chat,
    ChooseLanguage,
    Done,
    Entered,
    EnterTable,
    ExportPart,
    JoinTable,
    Message,
    Notice,
    OpenShare,
    OpenTable,
    Ping,
    Records,
    Refusal,
    ScenarioLine,
    Scenarios,
    Sender,
    Span,
    TableLine,
    Tables,
    Words,
    decode_message,
    encode_message,
    message_kinds,
)
from tests.protocol.strategies import PLAIN

LINE = ScenarioLine(
    "core/house",
    "toy",
    Text("s/t"),
    Text("s/u", (1, "x", Text("y"))),
    45,
    2,
    Roster(1, 5, (Role("investigator", 1, 5, ("ann", "bob"), (2, 1, 1, 1, 1)),)),
)
SAMPLES: list[Message] = [
    Ping(0),
    OpenTable(1, Settings(spectators=True), "core/house"),
    EnterTable(2, "room", -1),
    Answer(3, "room", 7, ("a", "b")),
    ChooseLanguage(4, "pt-BR"),
    Chat(4, "room", "Où est-elle ? 👩\u200d🚀"),
    OpenShare(5, "room", b"x" * 32),
    Done(6),
    Refusal(7, "answer/stale", Text("refused/stale")),
    Notice("", "server/stopping", Text("notice/stopping"), ""),
    Scenarios(8, (LINE,)),
    Tables(9, (TableLine("room", "core/house", Stage.PLAYING, ("Ann",), True, 1),)),
    Entered(10, "room", -1, 12),
    Records("room", (Cut(b"public", ((1, Opening(b"s" * 32, b"v")),)), Cut(b"p", ()))),
    BriefRecords(
        "",
        3,
        (
            Span(
                5, (BriefRecord((b"kind",), b"rest", (BriefOpening(0, b"s" * 32, (b"part", 1)),)),)
            ),
        ),
    ),
    Words("fr", (("card/a", (("name", "Entorse"), ("text", "{0} dés"))),)),
    ExportPart(11, "room", 0, True, b"data"),
]


@pytest.mark.parametrize("said", SAMPLES, ids=lambda said: type(said).tag)
def test_what_was_said_comes_back(said: Message) -> None:
    assert decode_message(encode_message(said), said.side) == said  # type: ignore[call-overload]  # either side


@pytest.mark.parametrize("said", SAMPLES, ids=lambda said: type(said).tag)
def test_the_wrong_side_is_not_heard(said: Message) -> None:
    other = Sender.SERVER if said.side is Sender.CLIENT else Sender.CLIENT

    with pytest.raises(UnknownTag) as caught:
        decode_message(encode_message(said), other)  # type: ignore[call-overload]  # either side

    assert caught.value.code == "protocol/wrong_direction"


def test_every_client_message_carries_a_serial_first() -> None:
    """A reply names the serial of its request."""
    for kind in message_kinds().values():
        if kind.side is Sender.CLIENT:
            assert forms.fields_of(kind)[0] == ("serial", int)


@pytest.mark.parametrize(
    "plain",
    [
        ("answer", 1, "room", 1, ("x" * (MAX_ID + 1),)),
        ("answer", 1, "room", 1, ("x",) * (MAX_PICKS + 1)),
        ("answer", 1, "r" * (MAX_ID + 1), 1, ()),
        ("answer", -1, "room", 1, ()),
        ("answer", 1, "room", MAX_INTEGER + 1, ()),
        ("answer", 1, "room", 1),
        ("answer", 1, "room", 1, (), 1),
        ("answer", True, "room", 1, ()),
        ("chat", 1, "room", ""),
        ("chat", 1, "room", "x" * (MAX_CHAT + 1)),
        ("chat", 1, "room", "\x1b[31mred"),
        ("chat", 1, "room", "two\nlines"),
        ("chat", 1, "room", "\u202eturned"),
        ("open_share", 1, "room", b"x" * 31),
        ("commit_share", 1, "room", b"x" * 33),
        ("enter_table", 1, "room", -2),
        ("open_table", 1, (False, -1, True, True, True, 0), "core/house"),
        ("open_table", 1, (False, 0, True, True, True, 3601), "core/house"),
        ("open_table", 1, (False, 0, True, True), "core/house"),
        ("choose_language", 1, "français"),
        ("choose_language", 1, ""),
    ],
)
def test_what_goes_over_a_bound_is_malformed(plain: codec.Plain) -> None:
    with pytest.raises(Malformed):
        decode_message(codec.pack(plain), Sender.CLIENT)


@pytest.mark.parametrize(
    "plain",
    [
        ("records", "room", ()),
        ("records", "room", ((b"p", ()),) * (MAX_CUTS + 1)),
        ("words", "en", (("s", (("f", "x" * (MAX_TEMPLATE + 1)),)),)),
        ("tables", 1, (("r", "s", "playing", ("\x1b[2J",), True, 1),)),
    ],
)
def test_servers_are_held_to_bounds_too(plain: codec.Plain) -> None:
    """A hostile server is as possible as a hostile client."""
    with pytest.raises(Malformed):
        decode_message(codec.pack(plain), Sender.SERVER)


@pytest.mark.parametrize("plain", [None, 1, "ping", (), (1,), (None, 1), (b"ping", 1)])
def test_what_has_no_tag_is_malformed(plain: codec.Plain) -> None:
    with pytest.raises(Malformed):
        decode_message(codec.pack(plain), Sender.CLIENT)


def test_an_unknown_tag_is_named_in_part() -> None:
    with pytest.raises(UnknownTag) as caught:
        decode_message(codec.pack(("x" * 5000, 1)), Sender.CLIENT)

    assert len(str(caught.value)) < 200


@given(PLAIN, st.sampled_from(sorted(message_kinds())), st.sampled_from(Sender))
def test_any_fields_are_a_message_or_a_protocol_error(
    fields: codec.Plain, tag: str, side: Sender
) -> None:
    plain = (tag, *(fields if isinstance(fields, tuple) else (fields,)))
    payload = codec.pack(plain)
    try:
        said = decode_message(payload, side)  # type: ignore[call-overload]  # either side
    except ProtocolError:
        return

    assert encode_message(said) == payload


def test_the_longest_replies_fit_into_a_frame() -> None:
    wide = "🙂" * 40
    table = TableLine("r" * 64, "🙂" * 64, Stage.PLAYING, (wide,) * 8, True, MAX_TIME)

    for said in (Tables(1, (table,) * 32), ExportPart(1, "r" * 64, 1, False, b"x" * 48 * 1024)):
        encode_frame(encode_message(said))
    assert LIMIT_AFTER_LOGIN == 64 * 1024


def test_secrets_are_not_in_reprs() -> None:
    """Messages end up in logs."""
    said = [
        Answer(1, "room", 1, ("canary",)),
        JoinTable(1, "canary"),
        OpenShare(1, "room", b"canary" + b"." * 26),
        Chat(1, "room", "canary"),
        Records("room", (Cut(b"canary", ((0, Opening(b"canary", b"canary")),)),)),
        ExportPart(1, "room", 0, True, b"canary"),
    ]

    assert "canary" not in "".join(map(repr, said))

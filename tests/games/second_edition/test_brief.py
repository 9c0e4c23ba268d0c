"""Brief records: nothing is sent twice on a connection, and every record arrives."""

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import codec
from protocol.bounds import MAX_CUTS
from protocol.brief import (
    MAX_NAMED,
    MAX_NUMBERS,
    MAX_PART,
    MAX_SPLIT,
    MIN_PART,
    WINDOW,
    Bodies,
    BriefReader,
    BriefWriter,
    Segments,
    segments_of,
)
from protocol.commitments import Opening
from protocol.common.asks import Choice, Question, Settle
from protocol.common.events import Asked, Chatted
from protocol.common.text import Text
from protocol.errors import Malformed, OverLimit, ProtocolError
from protocol.event import Cut, Event, Stored, cut, hidden
from protocol.frames import LIMIT_AFTER_LOGIN
from protocol.messages import (
    BriefOpening,
    BriefRecord,
    BriefRecords,
    Records,
    Sender,
    ServerMessage,
    Span,
    decode_message,
    encode_message,
)
from protocol.sealing import seal
from tests.games.second_edition.simulate import simulate

NOTHING = Segments((b"",), ())


class Seats:
    """Resolver of the knowers of secrets, at a table with two seats."""

    def all_seats(self) -> tuple[int, ...]:
        return (0, 1)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Fail: no secret here is known to a piece."""
        raise AssertionError(knower)


def shown(happened: Event, sequence: int, seat: int = 0) -> tuple[Cut]:
    stored, _ = seal(
        happened,
        room_id="room",
        sequence=sequence,
        time=sequence,
        origin=-1,
        knowers=Seats(),
        new_salt=lambda: bytes(32),
    )
    return (cut(stored, seat),)


def asked(ask_id: int, choices: Sequence[str]) -> Event:
    """Return a question to seat 0."""
    offered = (Choice(f"{ask_id}.{at}", Text(f"choice/{one}")) for at, one in enumerate(choices))
    question = Question(Text("ask/what_to_do_now"), tuple(offered))
    return Asked(ask_id, "TURN-2", Text("about/turn"), Settle.EACH, (), {0: hidden(question)})


def read(reader: BriefReader, payload: bytes) -> ServerMessage:
    """Return the decoded message."""
    return reader.read(decode_message(payload, Sender.SERVER))


def told(value: tuple[bytes | int, ...], room_id: str = "room") -> BriefRecords:
    """Return a message of one brief record with an opening that is given in parts."""
    opening = BriefOpening(0, bytes(32), value)
    return BriefRecords(room_id, 0, (Span(0, (BriefRecord(b"kind", b"", (opening,)),)),))


@pytest.fixture(scope="module")
def log() -> tuple[Stored, ...]:
    """Return the records of a played game of two."""
    return tuple(simulate(5, 2).play().room.log)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_what_is_sent_in_brief_arrives_to_the_byte(log: tuple[Stored, ...], seed: int) -> None:
    """Batches may have any length and come from two rooms, between messages sent whole."""
    rng = random.Random(seed)
    writer, reader, at = BriefWriter(), BriefReader(), rng.randrange(len(log))
    for _ in range(30):
        end = at + rng.randint(1, 9)
        cuts = tuple(cut(one, 0) for one in log[at:end])
        if not cuts:
            break
        room_id = rng.choice(("room", "room", "other"))
        write = rng.choice((writer.payload, writer.payload, writer.whole))
        assert read(reader, write(room_id, segments_of(cuts))) == Records(room_id, cuts)
        at = end


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_connections_that_share_what_they_are_sent_are_sent_what_each_would_be(
    log: tuple[Stored, ...], seed: int
) -> None:
    """Two seats and three spectators join at different times, from other rooms."""
    rng = random.Random(seed)
    ends = [(seat, BriefWriter(), BriefWriter()) for seat in (0, 1, None, None, None)]
    begins = [rng.randrange(40) for _ in ends]
    for at in range(0, 120, 4):
        bodies: dict[int | None, Bodies] = {0: {}, 1: {}, None: {}}
        for begin, (seat, alone, together) in zip(begins, ends, strict=True):
            if at < begin:
                continue
            if rng.random() < 0.1:
                assert alone.payload("other", NOTHING) == together.payload("other", NOTHING)
            told = segments_of([cut(one, seat) for one in log[at : at + 4]])
            assert alone.payload("room", told) == together.payload("room", told, bodies[seat])


def test_a_message_that_waits_can_be_overtaken() -> None:
    """A message sent whole may arrive after one that was written later.

    It refers to no earlier message, and no other message refers to it.
    """
    writer, reader = BriefWriter(), BriefReader()
    first, second, third = (shown(asked(at, ["act", "rest"]), at) for at in range(3))
    assert read(reader, writer.payload("room", segments_of(first))) == Records("room", first)
    waiting = writer.whole("other", segments_of(second))
    last = writer.payload("room", segments_of(third))
    assert read(reader, last) == Records("room", third)
    assert read(reader, waiting) == Records("other", second)


def test_a_question_that_comes_again_is_named_by_its_parts() -> None:
    """The choices of the repeated question have other ids and another order."""
    writer = BriefWriter()
    names = [f"one_of_many_things_{number}" for number in range(8)]
    first = writer.payload("room", segments_of(shown(asked(1, names), 0)))
    again = writer.payload("room", segments_of(shown(asked(2, names[::-1]), 1)))
    assert len(first) - len(again) > 8 * len("choice/one_of_many_things_0")


def test_what_people_say_is_compared_with_nothing() -> None:
    """Two players who say the same take as many bytes as two who do not."""
    lengths = set()
    for second in (b"the same words for a while", b"some other words, as many."):
        writer = BriefWriter()
        writer.payload(
            "room", segments_of(shown(Chatted(0, hidden(b"the same words for a while")), 0))
        )
        lengths.add(len(writer.payload("room", segments_of(shown(Chatted(1, hidden(second)), 1)))))
    assert len(lengths) == 1


def test_what_a_viewer_may_not_see_is_not_in_what_is_sent() -> None:
    """Otherwise the length of a message could depend on it."""
    unlike = (asked(1, ["act"]), asked(1, ["act", "rest", "something_quite_long"]))
    lengths = set()
    for happened in unlike:
        segments = segments_of(shown(happened, 0, seat=1))
        assert not segments.questions
        assert segments.between
        lengths.add(len(BriefWriter().payload("room", segments)))
    assert len(lengths) == 1


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_lengths_are_the_same_for_all_that_twins_cannot_tell_apart(
    log: tuple[Stored, ...], seat: int | None
) -> None:
    """To a viewer, twin games differ only in salts and commitments."""
    rng = random.Random(1)
    one, other = BriefWriter(), BriefWriter()
    for stored in log:
        mine = cut(stored, seat)
        theirs = salted_anew(mine, rng)
        told, unlike = (segments_of((shown,)) for shown in (mine, theirs))
        assert len(one.payload("room", told)) == len(other.payload("room", unlike))


def salted_anew(shown: Cut, rng: random.Random) -> Cut:
    """Return a cut with other commitments and salts."""
    parts: Any = codec.unpack_own(shown.public)
    *head, secrets = parts
    others = tuple((audience, rng.randbytes(32)) for audience, _ in secrets)
    openings = tuple((slot, Opening(rng.randbytes(32), one.value)) for slot, one in shown.openings)
    return Cut(codec.pack((*head, others)), openings)


def test_a_long_question_is_sent_whole() -> None:
    cuts = shown(asked(1, [f"{number:03}" for number in range(MAX_SPLIT // 10)]), 0)
    payload = BriefWriter().payload("room", segments_of(cuts))
    assert len(payload) < LIMIT_AFTER_LOGIN
    assert not segments_of(cuts).questions


def test_both_ends_forget_the_same_parts() -> None:
    """Both sides evict parts in the same order; a part can be referred to only while it is kept."""
    writer, reader = BriefWriter(), BriefReader()
    for at in range(3 * WINDOW):
        names = [f"thing_{number}" for number in (at % WINDOW, at % 7, at % (WINDOW + 50))]
        cuts = shown(asked(at, names), at)
        assert read(reader, writer.payload("room", segments_of(cuts))) == Records("room", cuts)


@pytest.mark.parametrize("ago", [0, -1, 2, WINDOW + 1, 2**63])
def test_a_part_that_never_came_is_refused(ago: int) -> None:
    with pytest.raises(Malformed):
        BriefReader().read(told((b"x" * MIN_PART, ago)))


@pytest.mark.parametrize("length", [MIN_PART - 1, MAX_PART + 1])
def test_parts_that_are_too_short_or_too_long_are_not_kept(length: int) -> None:
    """A reference to a short part would be as long, and a long part takes too much memory."""
    with pytest.raises(Malformed):
        BriefReader().read(told((b"x" * length, 1)))


def test_the_same_room_as_none_is_refused() -> None:
    with pytest.raises(Malformed):
        BriefReader().read(told((b"x",), room_id=""))


def test_parts_that_grow_out_of_bounds_are_refused() -> None:
    """The attack is a short message that refers to one long part many times."""
    with pytest.raises(OverLimit):
        BriefReader().read(told((b"x" * MAX_PART, *[1] * 3000)))


def test_more_records_than_a_message_has_are_refused() -> None:
    """Several spans exceed the limit together, each of them within it."""
    one = BriefRecord(b"kind", codec.pack(None), ())
    spans = (Span(0, (one,) * MAX_CUTS), Span(1, (one,)))
    with pytest.raises(OverLimit):
        BriefReader().read(BriefRecords("room", 0, spans))


def test_a_kind_that_comes_again_is_named_by_its_number() -> None:
    """The number of a kind that was sent before stands for origin and tag."""
    writer = BriefWriter()
    lengths = [
        len(writer.payload("", segments_of(shown(Chatted(0, hidden(b"hello")), at))))
        for at in range(3)
    ]
    assert lengths[0] - lengths[1] == 2 + len(b"\xff" + codec.pack(Chatted.tag))
    assert lengths[1] == lengths[2]


def test_kinds_of_different_origins_are_told_apart() -> None:
    writer, reader = BriefWriter(), BriefReader()
    for at, origin in enumerate((0, 1, 1, 0)):
        public = codec.pack((at, 0, origin, Chatted.tag, (), ()))
        cuts = (Cut(public, ()),)
        assert read(reader, writer.payload("room", segments_of(cuts))) == Records("room", cuts)


def public(at: int, *fields: codec.Plain, tag: str = "kind") -> Cut:
    """Return a public record without secrets."""
    return Cut(codec.pack((at, 0, -1, tag, fields, ())), ())


def length(writer: BriefWriter, *cuts: Cut) -> int:
    """Return the length of the next message with these records."""
    return len(writer.payload("room", segments_of(cuts)))


def test_a_subject_that_comes_again_is_named_by_its_number() -> None:
    writer, name = BriefWriter(), "place/behind-the-mill"
    length(writer, public(0, "x", "y"))
    first, again, other = (length(writer, public(0, "x", name, "y")) for _ in range(3))
    assert first - again == 1 + len(codec.pack(codec.pack(name))) - 1
    assert again == other
    assert again - length(writer, public(0, "x", "y")) == 1 + 1 + 2


def test_a_subject_takes_no_more_bytes_than_it_saves() -> None:
    short = "a/b"
    writer = BriefWriter()
    length(writer, public(0, "x", "y"))
    assert length(writer, public(0, "x", short)) == length(writer, public(0, "x", short))


@given(
    seed=st.integers(0, 2**32),
    names=st.lists(st.text("a/é-", min_size=1, max_size=40), min_size=1, max_size=9),
)
def test_subjects_inside_one_another_arrive_to_the_byte(seed: int, names: list[str]) -> None:
    """Subjects may be nested to any depth and occur any number of times."""
    rng, writer, reader = random.Random(seed), BriefWriter(), BriefReader()
    for at in range(12):
        fields = tuple(rng.choice((rng.choice(names), (rng.choice(names), at))) for _ in range(4))
        cuts = (public(at, *fields),)
        assert read(reader, writer.payload("room", segments_of(cuts))) == Records("room", cuts)


def test_a_subject_that_somebody_else_was_sent_takes_as_many_bytes_as_a_new_one() -> None:
    """Otherwise the length would reveal events at other tables."""
    name, new = "place/behind-the-mill", "place/behind-the-inn."
    length(BriefWriter(), public(0, name))
    assert length(BriefWriter(), public(0, name)) == length(BriefWriter(), public(0, new))


def test_the_oldest_number_is_given_to_what_comes_next() -> None:
    """Both sides evict the same subject, which gets another number when it is sent again."""
    writer, reader = BriefWriter(), BriefReader()
    for at in (*range(MAX_NUMBERS + 2), MAX_NUMBERS + 1, 0, 1, MAX_NUMBERS - 1, 5):
        cuts = (public(at, f"place/number-{at}", tag=f"kind {at % 7}"),)
        assert read(reader, writer.payload("room", segments_of(cuts))) == Records("room", cuts)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_more_subjects_than_there_are_numbers_arrive_in_long_messages(seed: int) -> None:
    """A subject evicted within a message is sent again in it."""
    rng, writer, reader = random.Random(seed), BriefWriter(), BriefReader()
    names = [f"place/number-{at}" for at in range(MAX_NUMBERS + 60)]
    for _ in range(4):
        cuts = tuple(
            public(at, *[rng.choice(names) for _ in range(5)], tag=rng.choice(("one", "other")))
            for at in range(100)
        )
        assert read(reader, writer.payload("room", segments_of(cuts))) == Records("room", cuts)


def test_a_number_is_kept_as_long_as_there_are_others() -> None:
    writer = BriefWriter()
    length(writer, public(0))
    first, again = (length(writer, public(0, "place/the-first-of-all")) for _ in range(2))
    for at in range(MAX_NUMBERS - 2):
        length(writer, public(at, f"place/number-{at}"))
    assert length(writer, public(0, "place/the-first-of-all")) == again
    # The next subject takes the number of the kind, and the kind that of the first subject.
    length(writer, public(0, "place/one-too-many"))
    length(writer, public(0))
    assert length(writer, public(0, "place/the-first-of-all")) == first


def of_kind(kind: bytes | int | tuple[bytes]) -> BriefRecords:
    return BriefRecords("room", 0, (Span(0, (BriefRecord(kind, b"", ()),)),))


def with_rest(*rest: bytes | int | tuple[bytes]) -> BriefRecords:
    """Return a brief record with these parts after its kind."""
    return BriefRecords("room", 0, (Span(0, (BriefRecord(b"kind", rest, ()),)),))


@pytest.mark.parametrize("say", [of_kind, with_rest])
@pytest.mark.parametrize("number", [1, -1, MAX_NUMBERS, 2**63])
def test_a_number_that_nothing_has_is_refused(say: Any, number: int) -> None:
    reader = BriefReader()
    reader.read(say((b"kind",)))
    reader.read(say(b"other"))
    with pytest.raises(Malformed):
        reader.read(say(number))


@pytest.mark.parametrize("say", [of_kind, with_rest])
def test_what_is_too_long_is_given_no_number(say: Any) -> None:
    """Otherwise a server could fill a client's memory."""
    BriefReader().read(say((bytes(MAX_NAMED),)))
    with pytest.raises(OverLimit):
        BriefReader().read(say((bytes(MAX_NAMED + 1),)))


def test_no_more_than_the_numbers_there_are_is_remembered() -> None:
    reader = BriefReader()
    for _ in range(3):
        reader.read(with_rest(*[(bytes(MAX_NAMED),)] * MAX_NUMBERS))
    with pytest.raises(Malformed):
        reader.read(with_rest(MAX_NUMBERS))


def test_subjects_that_grow_out_of_bounds_are_refused() -> None:
    """The attack is a short message that refers to one long subject many times."""
    with pytest.raises(OverLimit):
        BriefReader().read(with_rest((bytes(MAX_NAMED),), *[0] * 3000))


KINDS = st.one_of(
    st.binary(max_size=9), st.integers(-2, 5), st.binary(max_size=9).map(lambda one: (one,))
)
VALUES = st.one_of(
    st.binary(max_size=20),
    st.lists(st.one_of(st.binary(max_size=20), st.integers(-2, 9))).map(tuple),
)
OPENINGS = st.builds(BriefOpening, st.integers(0, 3), st.binary(max_size=33), VALUES)
RESTS = st.one_of(st.binary(max_size=9), st.lists(KINDS, max_size=3).map(tuple))
RECORDS = st.builds(BriefRecord, KINDS, RESTS, st.lists(OPENINGS, max_size=3).map(tuple))
SPANS = st.builds(Span, st.integers(0, 9), st.lists(RECORDS, min_size=1, max_size=3).map(tuple))
BRIEFS = st.builds(
    BriefRecords,
    st.sampled_from(("", "room")),
    st.integers(0, 2**53),
    st.lists(SPANS, min_size=1, max_size=3).map(tuple),
)


@settings(max_examples=50)
@given(said=st.lists(BRIEFS, max_size=5))
def test_whatever_a_server_says_is_read_or_refused(said: list[BriefRecords]) -> None:
    """The only error is `ProtocolError`, at which a client ends the connection."""
    reader = BriefReader()
    for each in said:
        with suppress(ProtocolError):
            assert isinstance(read(reader, encode_message(each)), Records)

"""Sessions: messages reach the handler, and any fault ends one connection only."""

import inspect
import re
import types
from collections.abc import Iterator
from typing import Any, cast

import pytest
from twisted.internet import tcp
from twisted.logger import LogEvent, LogLevel, formatEvent, globalLogPublisher

from client.net.connection import is_final
from protocol import codec
from protocol.frames import LIMIT_AFTER_LOGIN, encode_frame
from protocol.keys import SigningKey
from protocol.login import VERSIONS, LoginFailed, LoginRefused, decode_login
from protocol.messages import (
    ClientMessage,
    Done,
    ExportPart,
    Goodbye,
    ListTables,
    Ping,
    Pong,
    ServerMessage,
    Words,
)
from server.net.handler import Session
from server.net.limits import Limits, PlaceLimits
from server.net.listener import ACCEPTED_AT_ONCE, accept_few
from tests.kit.servers.people import Bench, bench


def parts(count: int) -> Iterator[ServerMessage]:
    """Yield a long export in parts of 40 KiB."""
    for index in range(count):
        yield ExportPart(1, "room", index, index == count - 1, bytes(40_000))


def test_what_is_said_reaches_the_desk_in_order() -> None:
    one = bench()
    client = one.online()

    for serial in (1, 2, 3):
        client.say(ListTables(serial))
    one.network.settle()

    assert one.desk.heard == [ListTables(1), ListTables(2), ListTables(3)]
    account = one.desk.sessions[0].account
    assert (account.name, account.language) == ("Ann", "en")
    assert account.key == SigningKey.from_seed(b"a" * 32).public


def test_bytes_that_come_one_by_one_make_the_same_messages() -> None:
    one = bench()
    one.network.slice_bytes = 1
    client = one.online()

    client.say(ListTables(1))
    one.network.settle()

    assert one.desk.heard == [ListTables(1)]


def test_login_and_messages_may_arrive_in_one_piece() -> None:
    one = bench()
    client = one.client()

    client.log_in()
    client.say(ListTables(1))
    one.network.settle()

    assert one.desk.heard == [ListTables(1)]


def test_pings_are_answered_without_the_desk() -> None:
    one = bench()
    client = one.online()

    client.say(Ping(7))
    one.network.settle()

    assert client.said == [Pong(7)]
    assert one.desk.heard == []


def test_the_desk_hears_of_the_end_once() -> None:
    one = bench()
    one.online()

    one.network.cut()
    one.network.settle()

    assert one.desk.log == ["connected Ann", "disconnected Ann"]
    assert one.factory.sessions == {}
    assert not one.clock.getDelayedCalls()


def test_the_desk_hears_nothing_of_those_who_never_logged_in() -> None:
    one = bench()
    one.client()

    one.network.cut()
    one.network.settle()

    assert one.desk.log == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (encode_frame(b"\xc1"), "protocol/malformed"),
        (encode_frame(codec.pack(("nonsense", 1))), "protocol/unknown_tag"),
        (encode_frame(codec.pack(("done", 1))), "protocol/wrong_direction"),
        ((LIMIT_AFTER_LOGIN + 1).to_bytes(4, "big"), "protocol/over_limit"),
        (encode_frame(b"\x91" * 100), "protocol/over_limit"),
        (encode_frame(codec.pack(("ping", 1)) + b"\0"), "protocol/malformed"),
        (bytes(4), "protocol/malformed"),
        (encode_frame(codec.pack(("ping", "1"))), "protocol/malformed"),
        (encode_frame(codec.pack(("ping", 2**53 + 1))), "protocol/malformed"),
        (encode_frame(codec.pack(("join_table", 1, "x" * 65))), "protocol/malformed"),
    ],
)
def test_what_is_not_our_protocol_ends_the_connection(data: bytes, code: str) -> None:
    one = bench()
    client, other = one.online(), one.online("Bob")

    client.write(data + encode_frame(codec.pack(("list_tables", 1))))
    one.network.settle()
    other.say(ListTables(5))
    one.network.settle()

    assert [type(said) for said in client.said] == [Goodbye]
    assert client.said[0].code == code  # type: ignore[attr-defined]  # just said
    assert client.has_ended()
    assert one.desk.heard == [ListTables(5)]
    assert one.desk.log == ["connected Ann", "connected Bob", "disconnected Ann"]


@pytest.mark.issue(10)
def test_one_key_may_have_several_sessions() -> None:
    one = bench()
    first, second = one.online("Ann"), one.online("Ann again")

    first.say(ListTables(1))
    second.say(ListTables(2))
    one.network.settle()

    assert one.desk.sessions[0].account.key == one.desk.sessions[1].account.key
    assert one.desk.heard == [ListTables(1), ListTables(2)]
    assert not first.has_ended()
    assert not second.has_ended()


def test_a_long_frame_before_the_login_is_refused() -> None:
    """A stranger may make the server hold 4 KiB, and no more."""
    one = bench()
    client = one.client()

    client.write((4097).to_bytes(4, "big"))
    one.network.settle()

    refused = decode_login(client.payloads[1], LoginRefused)
    assert refused.code == "protocol/over_limit"
    assert client.has_ended()


def test_a_refused_login_is_told_why() -> None:
    one = bench()
    client = one.client(name="bad\x07name")

    client.log_in()
    one.network.settle()

    assert decode_login(client.payloads[1], LoginRefused).code == "login/name"
    assert client.has_ended()
    assert one.desk.log == []


def test_a_client_that_speaks_an_older_version_is_told_so() -> None:
    """Clients of release 0.1.0 have their own words for this code."""
    one = bench()
    client = one.client()

    client.log_in(versions=(1, 2))
    one.network.settle()

    refused = decode_login(client.payloads[1], LoginRefused)
    assert refused.code == "login/version"
    assert refused.versions == VERSIONS == (7,)
    assert refused.reason.endswith("the client needs an update")
    assert client.has_ended()
    assert one.desk.log == []


def test_a_login_made_for_another_connection_is_refused() -> None:
    """A relay has two connections, with two exporter values."""
    one = bench()
    relay, victim = one.client(), one.client()
    victim.payloads[0] = relay.payloads[0]

    with pytest.raises(LoginFailed, match="in between"):
        victim.log_in()


def test_a_client_that_says_nothing_is_dropped() -> None:
    one = bench()
    client = one.client()

    one.network.settle(19.8)
    assert not client.has_ended()
    one.network.settle(0.4)

    assert client.has_ended()
    assert one.factory.sessions == {}


def test_a_client_that_trickles_is_dropped_at_the_same_time() -> None:
    one = bench()
    client = one.client()
    frame = encode_frame(bytes(4000))

    for second in range(19):
        client.write(frame[second : second + 1])
        one.network.settle(1)
    assert not client.has_ended()
    one.network.settle(1.2)

    assert client.has_ended()


def test_trickling_into_a_message_is_silence() -> None:
    one = bench(Limits(idle_seconds=30))
    client = one.online()
    frame = encode_frame(codec.pack(("list_tables", 1)).ljust(3000, b"\0"))

    for second in range(29):
        client.write(frame[second : second + 1])
        one.network.settle(1)
    assert not client.has_ended()
    one.network.settle(2)

    assert client.has_ended()
    assert [said.code for said in client.said if isinstance(said, Goodbye)] == ["limit/idle"]


def test_a_handshake_that_does_not_end_is_dropped() -> None:
    one = bench()
    session = one.factory.buildProtocol(None)
    assert session is not None
    client = one.client()
    assert client.end is not None
    silent = type(client.end)(one.network, b"", session)  # type: ignore[arg-type]  # a WireSession
    one.network.ends.append(silent)
    cast("Any", session).makeConnection(silent)

    one.network.settle(9.9)
    assert not silent.is_closed
    one.network.settle(0.2)

    assert silent.is_closed


def test_pinging_keeps_a_quiet_client() -> None:
    one = bench()
    client = one.online()

    for serial in range(10):
        client.say(Ping(serial))
        one.network.settle(60)

    assert not client.has_ended()


def test_too_many_messages_end_the_connection() -> None:
    one = bench(Limits(messages_at_once=10, messages_per_second=1))
    client = one.online()

    for serial in range(10):
        client.say(Ping(serial))
    one.network.settle(5)
    assert not client.has_ended()
    for serial in range(10):
        client.say(Ping(serial))
    one.network.settle(1)

    assert client.has_ended()
    assert [said.code for said in client.said if isinstance(said, Goodbye)] == ["limit/messages"]


def test_a_slow_reader_is_aborted() -> None:
    one = bench(Limits(queue_bytes=200_000))
    client = one.online()
    assert client.end is not None
    client.end.is_reading = False
    session = one.desk.sessions[0]

    for part in parts(8):
        session.send(part)
    one.network.settle(1)

    assert one.desk.log == ["connected Ann", "disconnected Ann"]
    assert client.has_ended()


@pytest.mark.issue(13)
def test_many_slow_readers_together_hold_no_more_than_the_limit_for_all() -> None:
    one = bench(Limits(queue_bytes=200_000, queue_bytes_in_all=300_000))
    slow = [one.online(f"Slow {number}") for number in range(6)]
    reader = one.online("Reader")
    for client in slow:
        client.end.is_reading = False  # type: ignore[union-attr]  # it is connected

    most = 0
    for part in parts(4):
        for session in tuple(one.desk.sessions):
            session.send(part)
            most = max(most, one.factory.context.backlog.waiting_bytes)
        one.network.settle(0.2)
    one.network.settle(1)

    assert most <= 300_000
    assert any(client.has_ended() for client in slow)
    assert not reader.has_ended()
    assert len(reader.said) == 4
    one.network.cut()
    one.network.settle(1)
    assert one.factory.context.backlog.waiting_bytes == 0


def test_a_reader_that_catches_up_gets_everything_in_order() -> None:
    one = bench()
    client = one.online()
    assert client.end is not None
    client.end.is_reading = False
    session = one.desk.sessions[0]

    for part in parts(10):
        session.send(part)
    one.network.settle(1)
    client.end.read_on()
    one.network.settle(1)

    assert client.said == list(parts(10))


def test_what_is_said_while_something_is_written_comes_after_it() -> None:
    """A transport may call back in the middle of a write."""
    one = bench()
    client = one.online()
    session: Any = one.desk.sessions[0]
    end, said = session.transport, [Done(2), Done(3)]

    def say_more_first(data: bytes) -> None:
        if said:
            session.send(said.pop(0))
        end.write(data)

    session.transport = types.SimpleNamespace(write=say_more_first)
    session.send(Done(1))
    one.network.settle(1)

    assert client.said == [Done(1), Done(2), Done(3)]


def test_a_stream_is_made_only_as_fast_as_it_is_read() -> None:
    one = bench(Limits(queue_bytes=100_000))
    client = one.online()
    assert client.end is not None
    client.end.is_reading = False
    session = one.desk.sessions[0]
    made: list[ServerMessage] = []

    def noted() -> Iterator[ServerMessage]:
        for part in parts(50):
            made.append(part)
            yield part

    session.stream(noted())
    session.send(Done(1))
    one.network.settle(1)
    assert len(made) < 5
    client.end.read_on()
    one.network.settle(2)

    assert client.said == [*parts(50), Done(1)]


def test_too_many_streams_end_the_connection() -> None:
    one = bench(Limits(queue_streams=3))
    client = one.online()
    assert client.end is not None
    client.end.is_reading = False

    session = one.desk.sessions[0]
    for _ in range(5):
        session.stream(parts(50))
    one.network.settle(1)

    assert client.has_ended()


def test_an_exception_at_the_desk_ends_that_session_alone(faults: list[LogEvent]) -> None:
    one = bench()
    client, other = one.online(), one.online("Bob")

    def fail(_: Session, message: ClientMessage) -> None:
        if message.serial == 13:
            raise RuntimeError("planted")

    one.desk.on_message = fail
    client.say(ListTables(13))
    one.network.settle()
    other.say(ListTables(1))
    one.network.settle()

    assert client.said == [Goodbye("server/error", "the server made a mistake; its log says more")]
    assert not other.has_ended()
    assert len(faults) == 1


def test_an_exception_in_a_stream_ends_that_session_alone(faults: list[LogEvent]) -> None:
    one = bench()
    client = one.online()

    def broken() -> Iterator[ServerMessage]:
        yield Done(1)
        raise RuntimeError("planted")

    one.desk.sessions[0].stream(broken())
    one.network.settle()

    assert [type(said) for said in client.said] == [Done, Goodbye]
    assert len(faults) == 1


def test_a_message_too_long_for_a_frame_is_our_own_mistake() -> None:
    one = bench()
    client = one.online()
    session = one.desk.sessions[0]
    words = tuple((f"s/{n}", (("text", "x" * 8000),)) for n in range(9))

    with pytest.raises(ValueError, match="limit"):
        session.send(Words("en", words))
    session.send(Done(1))
    one.network.settle()

    assert client.said == [Done(1)]


def test_closing_says_why_and_waits_no_longer_than_it_must() -> None:
    one = bench()
    client = one.online()
    assert client.end is not None
    client.end.is_reading = False
    session = one.desk.sessions[0]

    session.close("session/replaced", "you came in elsewhere")
    session.send(Done(1))
    session.close("again", "is nothing")
    one.network.settle(4.9)
    assert not client.has_ended()
    one.network.settle(0.3)

    assert client.has_ended()
    assert one.desk.log[-1] == "disconnected Ann"


def test_after_the_end_nothing_can_be_said() -> None:
    one = bench()
    one.online()
    session = one.desk.sessions[0]
    one.network.cut()
    one.network.settle()

    session.send(Done(1))
    session.stream(parts(1))
    session.close("x", "y")

    assert one.desk.log[-1] == "disconnected Ann"


def test_who_waits_makes_way_for_who_comes() -> None:
    one = bench(Limits(places=PlaceLimits(waiting_per_address=2)))
    member, *strangers = one.online(), one.client(), one.client(), one.client()

    one.network.settle(0.1)

    assert [stranger.has_ended() for stranger in strangers] == [True, False, False]
    assert not member.has_ended()
    assert one.factory.gate.waiting_count == 2


def test_a_login_that_finds_no_place_is_refused() -> None:
    one = bench(Limits(places=PlaceLimits(sessions_per_address=1)))
    first, second = one.online("Ann"), one.client("Bob")
    second.log_in(SigningKey.from_seed(b"b" * 32))
    one.network.settle(0.1)
    answer = decode_login(second.payloads[1], LoginRefused)

    assert answer.code == "limit/connections"
    assert not is_final(answer.code)
    assert one.desk.log == ["connected Ann"]
    one.network.settle(0.1)
    assert second.has_ended()
    assert not first.has_ended()
    assert one.factory.gate.waiting_count == 0


def test_a_known_key_finds_a_place_beyond_that_of_its_address() -> None:
    one = bench(Limits(places=PlaceLimits(sessions_per_address=1)))
    one.online("Ann")

    one.online("Ann again")

    assert one.desk.log == ["connected Ann", "connected Ann again"]


def test_while_it_is_crowded_a_silent_connection_has_five_seconds() -> None:
    one = bench(Limits(places=PlaceLimits(sessions=2)))
    member, stranger = one.online("Ann"), one.client("Bob")

    one.network.settle(4.7)
    was_there = not stranger.has_ended()
    one.network.settle(0.4)

    assert was_there
    assert stranger.has_ended()
    assert not member.has_ended()


def test_a_port_accepts_few_connections_a_turn() -> None:
    """Twisted raises the number of accepts per turn while connections keep coming."""
    accepted: list[int] = []
    port: Any = types.SimpleNamespace(numberAccepts=100)

    def read() -> None:
        accepted.append(port.numberAccepts)
        port.numberAccepts += 20

    port.doRead = read
    accept_few(port)
    for _ in range(3):
        port.doRead()
    port.numberAccepts = 1
    port.doRead()

    assert accepted == [ACCEPTED_AT_ONCE] * 3 + [1]


def test_the_real_port_is_one_that_can_be_slowed() -> None:
    """Our port sets `numberAccepts`, which Twisted does not document and may rename."""
    assert "numberAccepts" in inspect.getsource(tcp.Port.doRead)


def test_stopping_says_goodbye_and_waits_for_the_last() -> None:
    one = bench()
    client, stranger = one.online(), one.client()

    stopped = one.factory.stop("the server is stopping")
    was_waiting = not stopped.called
    one.network.settle()

    assert was_waiting
    assert stopped.called
    assert client.said == [Goodbye("server/stopping", "the server is stopping")]
    assert stranger.has_ended()
    assert one.factory.buildProtocol(None) is None
    assert not one.clock.getDelayedCalls()


def test_stopping_with_nobody_there_is_done_at_once() -> None:
    one: Bench = bench()

    assert one.factory.stop("bye").called


def test_no_secret_is_in_a_sessions_repr() -> None:
    """A session's repr is part of its log lines."""
    one = bench()
    one.online()

    assert repr(one.desk.sessions[0]) == "<WireSession local open>"


@pytest.mark.issue(15)
def test_a_login_is_logged_with_its_address_and_without_its_name() -> None:
    seen: list[Any] = []
    globalLogPublisher.addObserver(cast("Any", seen.append))
    try:
        bench().online()
    finally:
        globalLogPublisher.removeObserver(cast("Any", seen.append))

    [line] = [event for event in seen if "logged in" in event["log_format"]]
    assert line["log_level"] is LogLevel.info
    assert re.fullmatch(r"<WireSession \S+ open>: logged in", formatEvent(line))

"""The client's connection: it reconnects by itself, reports its state, and gives up in time."""

from collections.abc import Callable
from functools import partial

import attrs
import pytest

from client.keyring.identity import IdentityProblem
from client.locale import LANGUAGES, load
from client.model.status import Connecting, Disconnected, GaveUp, LoggingIn, Online, Status
from client.net.causes import SILENT, SLOW, refusal_in_words
from client.net.connection import (
    Connection,
    ConnectionTimes,
    Credentials,
    NotOnline,
    backoff_seconds,
    is_final,
)
from protocol.common.text import Text
from protocol.frames import encode_frame
from protocol.keys import SigningKey, fingerprint, fingerprint_text
from protocol.login import VERSIONS, ServerLogin
from protocol.messages import (
    ClientMessage,
    Done,
    ListTables,
    Notice,
    Ping,
    Pong,
    ServerMessage,
    encode_message,
)
from server.net import session
from server.net.handler import Session
from server.net.limits import PlaceLimits
from tests.kit.servers.memory_network import read_exporter
from tests.kit.servers.people import IDENTITY, Bench, bench

PRINT = fingerprint(IDENTITY.public)
ME = Credentials(SigningKey.from_seed(b"m" * 32), "Mia", "fr")


@attrs.define
class Ears:
    """A listener that records what a connection reports."""

    statuses: list[Status] = attrs.field(factory=list)
    heard: list[ServerMessage] = attrs.field(factory=list)
    on_status: Callable[[Status], None] = lambda _: None

    def status_changed(self, status: Status) -> None:
        self.statuses.append(status)
        self.on_status(status)

    def received(self, message: ServerMessage) -> None:
        self.heard.append(message)

    def kinds(self) -> list[type[Status]]:
        """Return the kinds of status in order; consecutive equal kinds count as one."""
        found: list[type[Status]] = []
        for status in self.statuses:
            if not found or found[-1] is not type(status):
                found.append(type(status))
        return found


@attrs.define
class Faith:
    """A store of trusted servers, in memory."""

    expected: bytes | None = None
    problem: str | None = None
    learns: bool = True

    def pinned(self) -> bytes | None:
        if self.problem is not None:
            raise IdentityProblem(self.problem)
        return self.expected

    def learned(self, fingerprint: bytes) -> None:
        if not self.learns:
            raise IdentityProblem("the disk is full")
        self.expected = fingerprint

    def explain(self, expected: bytes, met: bytes) -> str:
        return f"changed: {met!r} instead of {expected!r}"


@attrs.define
class Setting:
    """A connection to a server on a fake network."""

    bench: Bench
    ears: Ears
    faith: Faith
    connection: Connection
    waits: list[int]
    """Numbers of the attempts for which the client asked how long to wait."""

    def settle(self, seconds: float = 0.5) -> None:
        self.bench.network.settle(seconds)

    @property
    def status(self) -> Status:
        return self.connection.status


def setting(*, pinned: bytes | None = None, pace: ConnectionTimes | None = None) -> Setting:
    """Return an unstarted connection to a fake server."""
    one, ears, faith, waits = bench(), Ears(), Faith(pinned), list[int]()

    def wait(attempt: int) -> float:
        waits.append(attempt)
        return float(attempt)

    connection = Connection(
        endpoint=one.network,
        clock=one.clock,
        credentials=ME,
        trust=faith,
        listener=ears,
        read_exporter=read_exporter,
        retry_after=wait,
        pace=pace,
    )
    return Setting(one, ears, faith, connection, waits)


def online() -> Setting:
    """Return a connection to a fake server that is online."""
    one = setting()
    one.connection.start()
    one.settle()
    assert isinstance(one.status, Online)
    return one


def test_it_comes_online_step_by_step() -> None:
    one = setting(pinned=PRINT)

    one.connection.start()
    one.connection.start()
    one.settle()

    assert one.ears.kinds() == [Connecting, LoggingIn, Online]
    assert isinstance(one.status, Online)
    assert one.status.server_name == "Manse"
    assert one.status.fingerprint == fingerprint_text(PRINT)
    assert one.bench.desk.log == ["connected Mia"]


def test_messages_go_both_ways() -> None:
    one = online()

    one.connection.send(ListTables(one.connection.next_serial()))
    one.bench.desk.sessions[0].send(Done(5))
    one.settle()

    assert [type(said) for said in one.bench.desk.heard] == [ListTables]
    assert one.ears.heard == [Done(5)]


def test_nothing_can_be_said_while_offline() -> None:
    """The message is refused rather than queued: its question may be gone after reconnecting."""
    one = setting()
    steps: list[Callable[[], None]] = [lambda: None, one.connection.start, one.bench.network.cut]
    for step in steps:
        step()
        with pytest.raises(NotOnline):
            one.connection.send(ListTables(1))
    one.settle()


def test_another_language_is_said_at_the_next_login() -> None:
    one = online()

    one.connection.set_language("en")
    one.settle()
    before = one.bench.desk.sessions[0].account.language
    one.bench.network.cut()
    one.settle(5)

    assert (before, one.bench.desk.sessions[0].account.language) == ("fr", "en")


def test_serials_are_never_used_twice() -> None:
    one = online()
    first = {one.connection.next_serial() for _ in range(5)}
    one.bench.network.cut()
    one.settle(5)

    assert not first & {one.connection.next_serial() for _ in range(5)}


def test_a_lost_line_is_found_again() -> None:
    one = online()
    one.connection.send(ListTables(1))
    one.settle()

    one.bench.network.cut()
    one.settle(0.1)
    assert isinstance(one.status, Disconnected)
    assert one.status.retry_seconds == 1
    one.settle(2)

    assert isinstance(one.status, Online)
    assert one.bench.desk.heard == [ListTables(1)]
    assert one.bench.desk.log == ["connected Mia", "disconnected Mia", "connected Mia"]


def test_waits_grow_while_nobody_answers() -> None:
    one = setting()
    factory, one.bench.network.factory = one.bench.network.factory, None

    one.connection.start()
    one.settle(11)
    one.bench.network.factory = factory
    one.settle(10)
    assert one.waits == [1, 2, 3, 4, 5]
    assert isinstance(one.status, Online)
    one.settle(31)
    one.bench.network.cut()
    one.settle(0.1)

    assert one.waits[5:] == [1]


@pytest.mark.issue(14)
def test_a_server_that_was_reached_is_waited_for_ten_seconds_at_most() -> None:
    unknown, known = setting(), online()
    for one in (unknown, known):
        one.bench.network.factory = None
    unknown.connection.start()
    known.bench.network.cut()

    for one in (unknown, known):
        one.settle(200)
        assert len(one.waits) > 12

    longest = [
        max(s.retry_seconds or 0 for s in one.ears.statuses if isinstance(s, Disconnected))
        for one in (unknown, known)
    ]
    assert longest == [float(max(unknown.waits)), 10.0]


@pytest.mark.issue(14)
def test_a_wait_can_be_cut_short() -> None:
    one = online()
    one.connection.try_again()
    assert isinstance(one.status, Online)

    factory, one.bench.network.factory = one.bench.network.factory, None
    one.bench.network.cut()
    one.settle(30)
    one.bench.network.factory = factory
    assert isinstance(one.status, Disconnected)
    one.connection.try_again()
    one.settle(0.1)

    assert isinstance(one.status, Online)
    one.connection.stop()
    one.connection.try_again()
    assert isinstance(one.status, GaveUp)


def test_a_line_that_breaks_at_once_does_not_reset_the_waits() -> None:
    """A server that accepts a login and then drops it must not be hammered."""
    one = setting()
    one.bench.desk.on_message = None
    one.ears.on_status = lambda status: (
        one.bench.network.cut() if isinstance(status, Online) else None
    )

    one.connection.start()
    one.settle(8)

    assert one.waits[:3] == [1, 2, 3]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("server/stopping", "cause.server/stopping"),
        ("server/error", "cause.server/error"),
        ("limit/idle", "cause.limit/idle"),
        ("limit/messages", "cause.limit/messages"),
        ("moved/elsewhere", "back at ten"),
    ],
)
def test_the_reason_of_a_lost_line_is_told(code: str, reason: str) -> None:
    one = online()

    one.bench.desk.sessions[0].close(code, "back at ten")
    one.settle(0.1)

    assert one.status == Disconnected(1.0, reason)
    assert reason == "back at ten" or all(load(one).has(reason) for one in LANGUAGES)


def test_a_login_that_finds_no_place_is_tried_again() -> None:
    one = setting()
    one.bench.factory.gate.limits = PlaceLimits(sessions=1)
    member = one.bench.client("Bob")
    member.log_in(SigningKey.from_seed(b"b" * 32))

    one.connection.start()
    one.settle(0.2)
    refused = one.status
    assert member.end is not None
    member.end.loseConnection()
    one.settle(2)

    assert refused == Disconnected(1.0, "cause.limit/connections")
    assert all(
        load(language).has(f"cause.limit/{code}")
        for language in LANGUAGES
        for code in ("connections", "logins")
    )
    assert isinstance(one.status, Online)


@pytest.mark.parametrize("code", ["session/replaced", "protocol/malformed", "account/barred"])
def test_it_gives_up_where_trying_again_is_no_use(code: str) -> None:
    """If two programs with one key kept reconnecting, each would end the other's session."""
    one = online()

    one.bench.desk.sessions[0].close(code, "because")
    one.settle(100)

    assert one.status == GaveUp(code, "because")
    assert not one.bench.clock.getDelayedCalls()


@pytest.mark.parametrize("code", ["server/stopping", "server/error", "limit/idle", ""])
def test_other_endings_are_not_final(code: str) -> None:
    assert not is_final(code)


def test_another_identity_is_refused_before_a_byte() -> None:
    one = setting(pinned=b"x" * 32)

    one.connection.start()
    end = one.bench.network.ends[0]
    one.settle()

    assert isinstance(one.status, GaveUp)
    assert one.status.code == "login/wrong_identity"
    assert one.status.reason == f"changed: {PRINT!r} instead of {b'x' * 32!r}"
    assert end.written == b""
    assert one.bench.desk.log == []


def test_trust_on_first_use_learns_who_it_was() -> None:
    one = online()

    assert one.faith.expected == PRINT


def test_a_server_that_cannot_be_remembered_is_not_used() -> None:
    """Without a stored fingerprint, the next connection could not tell an impostor."""
    one = setting()
    one.faith.learns = False

    one.connection.start()
    one.settle()

    assert one.status == GaveUp("login/trust", "the disk is full")


def test_a_conflict_of_trust_is_told_before_connecting() -> None:
    one = setting()
    one.faith.problem = "two servers"

    one.connection.start()

    assert one.status == GaveUp("login/wrong_identity", "two servers")
    assert one.bench.network.ends == []


def test_a_refused_login_is_final() -> None:
    one = setting()
    one.connection._credentials = attrs.evolve(ME, name="bad\x07")  # the bench knows no other way

    one.connection.start()
    one.settle()

    assert isinstance(one.status, GaveUp)
    assert one.status.code == "login/name"


@pytest.mark.parametrize(
    ("theirs", "code", "said"),
    [
        ((4,), "login/old_server", "The server speaks an older version"),
        ((max(VERSIONS) + 1,), "login/old_client", "The server speaks a newer version"),
    ],
)
def test_a_server_of_another_version_is_final(
    monkeypatch: pytest.MonkeyPatch, theirs: tuple[int, ...], code: str, said: str
) -> None:
    old = partial(ServerLogin, versions=theirs)
    monkeypatch.setattr(session, "ServerLogin", old)
    one = setting()

    one.connection.start()
    one.settle()

    assert isinstance(one.status, GaveUp)
    assert one.status.code == code
    assert refusal_in_words(load("en"), one.status).startswith(said)


def test_a_server_that_talks_nonsense_is_left() -> None:
    one = online()
    end = next(end for end in one.bench.network.ends if end.protocol in one.bench.factory.sessions)

    end.write(encode_frame(b"\xc1"))
    one.settle()

    assert isinstance(one.status, GaveUp)
    assert one.status.code == "protocol/malformed"


def test_a_server_that_says_client_things_is_left() -> None:
    one = online()
    end = next(end for end in one.bench.network.ends if end.protocol in one.bench.factory.sessions)

    end.write(encode_frame(encode_message(Ping(1))))
    one.settle()

    assert isinstance(one.status, GaveUp)
    assert one.status.code == "protocol/wrong_direction"


def test_the_delay_is_measured() -> None:
    one = online()

    assert isinstance(one.status, Online)
    assert one.status.delay_seconds == pytest.approx(0.02)
    assert not any(isinstance(said, Pong) for said in one.ears.heard)


def test_pongs_to_others_are_passed_on() -> None:
    one = online()

    one.connection.send(Ping(one.connection.next_serial()))
    one.settle()

    assert [type(said) for said in one.ears.heard] == [Pong]


def test_it_pings_often_enough_to_stay() -> None:
    one = online()

    one.settle(300)

    assert one.ears.kinds() == [Connecting, LoggingIn, Online]


def test_the_delay_is_measured_again_soon_after_the_start() -> None:
    """The first measurement includes the client's own start, so it is too long."""
    one = online()

    one.settle(ConnectionTimes().settled_seconds + 1)

    measured = [status for status in one.ears.statuses if isinstance(status, Online)]
    assert len([status for status in measured if status.delay_seconds is not None]) == 2


def test_a_dead_line_is_noticed() -> None:
    one = online()
    for end in one.bench.network.ends:
        end.is_reading = False

    one.settle(70)

    assert one.ears.kinds() == [Connecting, LoggingIn, Online, Disconnected, Connecting] or (
        Disconnected in one.ears.kinds()
    )
    lost = next(status for status in one.ears.statuses if isinstance(status, Disconnected))
    assert lost.reason == SILENT


def test_a_client_that_was_stopped_for_long_asks_before_it_gives_the_line_up() -> None:
    """A client stopped by Ctrl-Z or a closed lid has sent no pings, so no reply could come."""
    one = online()

    # At once, as a clock does that went on meanwhile: nothing happened in between.
    one.bench.clock.rightNow += 50
    one.settle(60)

    assert one.ears.kinds() == [Connecting, LoggingIn, Online]


def test_a_server_that_never_answers_the_login_is_given_up_on() -> None:
    one = setting(pace=ConnectionTimes(attempt_seconds=5))
    one.bench.network.delay = 3

    one.connection.start()
    one.settle(5.1)

    assert one.status == Disconnected(1.0, SLOW)


def test_stopping_ends_everything_at_once() -> None:
    for seconds in (0, 0.01, 0.02, 0.03, 0.5):
        one = setting()
        one.connection.start()
        one.settle(seconds)

        one.connection.stop()
        one.connection.stop()

        assert one.status == GaveUp("stopped", "stopped")
        one.settle(1)
        assert one.ears.statuses[-1] == GaveUp("stopped", "stopped")
        assert one.bench.factory.sessions == {}
        assert not one.bench.clock.getDelayedCalls()


def test_it_can_be_stopped_before_it_is_started() -> None:
    one = setting()

    one.connection.stop()
    one.connection.start()
    one.settle()

    assert one.ears.kinds() == [GaveUp]


@pytest.mark.parametrize("kind", [Connecting, LoggingIn, Online, Disconnected])
def test_it_can_be_stopped_from_within_a_status(kind: type[Status]) -> None:
    """A listener may stop the connection while it handles a status."""
    one = setting()

    def stop(status: Status) -> None:
        if isinstance(status, kind):
            one.connection.stop()

    one.ears.on_status = stop
    one.connection.start()
    one.settle()
    one.bench.network.cut()
    one.settle(5)

    assert isinstance(one.status, GaveUp)
    assert not one.bench.clock.getDelayedCalls()


def test_notices_reach_the_listener() -> None:
    one = online()
    notice = Notice("", "server/stopping", Text("notice/stopping"), "")

    one.bench.desk.sessions[0].send(notice)
    one.settle()

    assert one.ears.heard == [notice]


@pytest.mark.parametrize("jitter", [0.0, 0.5, 1.0])
def test_backoff_doubles_up_to_a_minute(jitter: float) -> None:
    waits = [backoff_seconds(attempt, jitter) for attempt in (1, 2, 3, 7, 100)]

    assert waits == [full * (0.5 + jitter / 2) for full in (1, 2, 4, 60, 60)]


def test_no_status_holds_a_secret() -> None:
    """Statuses go to screens and logs."""
    one = online()

    text = repr(one.ears.statuses)

    assert "PRIVATE" not in text
    assert repr(b"m" * 32) not in text


def test_the_desk_sees_one_session_for_each_line() -> None:
    one = online()

    def reply(session: Session, message: ClientMessage) -> None:
        session.send(Done(message.serial))

    one.bench.desk.on_message = reply
    one.connection.send(ListTables(77))
    one.settle()

    assert one.ears.heard == [Done(77)]

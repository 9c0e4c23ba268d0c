"""Mutated frames sent to a whole server: a session accepts them, or ends with a code.

The lobby is the real one, so that readable messages are handled as well. An exception there would
end the session with `server/error`.
"""

import random
import time
import tracemalloc
from typing import Final

import pytest
from twisted.logger import LogEvent

from protocol import messages
from protocol.common.table import Settings
from protocol.frames import encode_frame
from protocol.keys import SigningKey
from protocol.login import LoginRefused, Welcome, decode_login
from protocol.messages import ClientMessage, Goodbye, encode_message
from server.lobby.sessions import Sessions
from server.net.limits import Limits
from tests.kit.mutating import long_rounds, mutated, reframed
from tests.kit.servers.house import House
from tests.kit.servers.people import Bench, RawClient, bench

pytestmark = pytest.mark.issue(13)

GENEROUS: Final = Limits(messages_per_second=1e9, messages_at_once=1e9)
"""Limits that never slow a client down; other tests check the pace."""
LOGINS_OF_A_SERVER: Final = 50
"""Number of logins at one server, fewer than the burst of one key."""
MOST_KIB: Final = 2048
"""Maximum memory that one connection's mutated frames may take at once."""
MOST_SECONDS: Final = 0.5
"""Maximum CPU seconds for everything that one connection sends, a few dozen frames."""
KEY: Final = SigningKey.from_seed(b"a" * 32)


def _server() -> tuple[Bench, list[bytes]]:
    """Return a server with a table, and the payloads that its host sends about it."""
    house = House()
    one = bench(GENEROUS, behind=house.lobby.sessions, clock=house.clock)
    host = one.online()
    host.say(messages.OpenTable(1, Settings(spectators=True), house.scenario_id()))
    one.network.settle(0.3)
    opened = next(said for said in host.said if isinstance(said, messages.TableOpened))
    host.end.loseConnection()  # type: ignore[union-attr]  # it is connected
    one.network.settle(0.3)
    return one, [encode_message(said) for said in _conversation(opened.room_id, opened.code)]


def _conversation(room_id: str, code: str) -> list[ClientMessage]:
    return [
        messages.ListScenarios(1),
        messages.ListTables(2),
        messages.JoinTable(3, code),
        messages.EnterTable(4, room_id, -1),
        messages.Chat(5, room_id, "Où est-elle ?"),
        messages.ClaimCharacters(6, room_id, ("ashcan_pete",)),
        messages.SetReady(7, room_id, True),
        messages.SetReady(8, room_id, False),
        messages.Invite(9, room_id, True),
        messages.ChooseLanguage(10, "fr"),
        messages.Ping(11),
        messages.ListSetups(12),
        messages.LeaveTable(13, room_id),
    ]


def _ending(client: RawClient) -> str:
    """Return the code with which the server ended a connection; empty if it goes on."""
    said = client.said
    return said[-1].code if said and isinstance(said[-1], Goodbye) else ""


def _talk(one: Bench, payloads: list[bytes], dice: random.Random) -> RawClient:
    """Log in, send mutated frames, and disconnect."""
    client = one.online()
    frames = [encode_frame(payload) for payload in reframed(payloads, dice)]
    if dice.randrange(8) == 0:
        frames = [mutated(b"".join(frames), dice)]
    client.write(b"".join(frames))
    one.network.settle(0.1)
    return client


def _talks(rounds: int, seed: int) -> dict[str, int]:
    """Return how often sessions ended with each code."""
    dice = random.Random(seed)
    counts: dict[str, int] = {}
    one, payloads = _server()
    for number in range(rounds):
        if number % LOGINS_OF_A_SERVER == LOGINS_OF_A_SERVER - 1:
            one, payloads = _server()
        began = time.process_time()
        client = _talk(one, payloads, dice)
        assert time.process_time() - began < MOST_SECONDS
        code = _ending(client)
        assert code or not client.has_ended()
        counts[code] = counts.get(code, 0) + 1
        client.end.loseConnection()  # type: ignore[union-attr]  # it was connected
        one.network.settle(0.05)
        assert not one.network.ends
    return counts


def _logins(rounds: int, seed: int) -> dict[str, int]:
    """Return how often logins ended with each code; accepted ones count as `welcome`."""
    dice = random.Random(seed)
    counts: dict[str, int] = {}
    one = bench(GENEROUS)
    for number in range(rounds):
        if number % LOGINS_OF_A_SERVER == LOGINS_OF_A_SERVER - 1:
            one = bench(GENEROUS)
        client = one.client()
        client.write(mutated(encode_frame(client.login()), dice))
        one.network.settle(0.05)
        code = _answer(client)
        counts[code] = counts.get(code, 0) + 1
        assert all(session.account.key == KEY.public for session in one.desk.sessions)
        client.end.loseConnection()  # type: ignore[union-attr]  # it was connected
        one.network.settle(0.05)
        assert not one.network.ends
    return counts


def _answer(client: RawClient) -> str:
    if len(client.payloads) < 2:
        return ""
    answer = decode_login(client.payloads[1], Welcome, LoginRefused)
    return answer.code if isinstance(answer, LoginRefused) else "welcome"


def _are_ours(codes: dict[str, int]) -> bool:
    return all(code.startswith(("protocol/", "login/")) for code in codes if code)


def test_mutated_frames_after_the_login_are_taken_or_end_the_session_with_a_code(
    faults: list[LogEvent],
) -> None:
    counts = _talks(250, seed=1)

    assert not faults
    assert _are_ours(counts)
    assert counts[""] > 10
    assert sum(counts.values()) - counts[""] > 10


def test_mutated_logins_let_nobody_pass_for_another(faults: list[LogEvent]) -> None:
    """Name and language are not signed, so mutations may change them."""
    counts = _logins(500, seed=2)

    assert not faults
    assert _are_ours({code: count for code, count in counts.items() if code != "welcome"})
    assert counts["login/signature"] > 20


def test_an_exception_at_the_desk_is_seen(
    faults: list[LogEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without this, the tests above could miss an exception in the handler."""

    def raise_it(*_: object) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(Sessions, "received", raise_it)
    one = bench(GENEROUS, behind=House().lobby.sessions)
    client = one.online()
    client.say(messages.ListTables(1))
    one.network.settle(0.1)

    assert faults
    assert not _are_ours({_ending(client): 1})


def test_mutated_frames_hold_no_memory() -> None:
    one, payloads = _server()
    dice = random.Random(3)
    _talk(one, payloads, dice).end.loseConnection()  # type: ignore[union-attr]  # connected
    one.network.settle(0.1)
    tracemalloc.start()
    try:
        for _ in range(20):
            client = _talk(one, payloads, dice)
            client.end.loseConnection()  # type: ignore[union-attr]  # it was connected
            one.network.settle(0.05)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < MOST_KIB * 1024


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(20, 24))
def test_a_hundred_thousand_mutations_reach_sessions_too(seed: int, faults: list[LogEvent]) -> None:
    """`MANSE_MUTATIONS` sets the number of all mutations; sessions get a fifth of them."""
    counts = _talks(long_rounds(10, runs=4), seed=seed)
    logins = _logins(long_rounds(10, runs=4), seed=seed)

    assert not faults
    assert _are_ours(counts)
    assert _are_ours({code: count for code, count in logins.items() if code != "welcome"})

"""Metrics: numbers of a real server on a port of their own, which reveal nobody."""

import itertools
import re
import socket
import urllib.error
import urllib.request
from pathlib import Path
from random import Random

import pytest

from protocol import messages
from server.kernel.room import Room
from server.net.addresses import is_loopback
from server.process.metrics import Metrics, Reading, size_of_store
from server.process.rough import STEP_BYTES, RoughNumber
from tests.kit.servers.house import House
from tests.kit.servers.tables import room_id_of, start_all
from tests.server.test_reloading import connected, served

pytestmark = pytest.mark.issue(15)


def free_port() -> int:
    """Return a free port."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
        return port


def page(port: int, path: str) -> tuple[int, str]:
    """Return status and text of a page."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def number(text: str, name: str) -> float:
    """Return a metric that has no labels."""
    found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
    assert found is not None, name
    return float(found[1])


def test_a_server_tells_how_it_is_doing(tmp_path: Path) -> None:
    folder, port = tmp_path / "server", free_port()
    folder.mkdir(mode=0o700)
    (folder / "serve.toml").write_text(
        f"[server]\nhost = '127.0.0.1'\nport = 0\n[metrics]\nport = {port}\n"
    )
    with served(tmp_path) as (_, game_port), connected(game_port) as player:
        assert player.recv(1)

        assert page(port, "/health") == (200, "ok\n")
        assert page(port, "/ready") == (200, "ready\n")
        assert page(port, "/other")[0] == 404
        with connected(game_port) as stranger:
            stranger.sendall(b"\0\0\0\1x")
            while stranger.recv(4096):
                pass
        _, text = page(port, "/metrics")
        assert re.search(r'^manse_refusals_total{code="\S+"} 1.0$', text, re.MULTILINE)
        assert number(text, "manse_connections") == 1
        assert number(text, "manse_sessions") == 0
        for name in ("manse_sent_bytes_total", "manse_store_bytes"):
            # The bundled packs are in the store of a new server.
            assert number(text, name) < 4 * STEP_BYTES
        assert "127.0.0.1" not in text


def test_messages_are_counted_by_kind_and_refusals_by_code() -> None:
    """Kinds and codes are names in our code, and no text of players."""
    now = [10.0]
    metrics = Metrics(lambda: now[0])
    since = metrics.now()
    now[0] = 10.03
    metrics.replied("Answer", since)
    metrics.refused("table/too_busy")

    text = metrics.text().decode()

    assert 'manse_reply_seconds_bucket{kind="Answer",le="0.025"} 0.0' in text
    assert 'manse_reply_seconds_bucket{kind="Answer",le="0.05"} 1.0' in text
    assert 'manse_refusals_total{code="table/too_busy"} 1.0' in text


def test_no_metric_tells_when_something_happened_first() -> None:
    """The library adds such times unless it is told not to."""
    metrics = Metrics()
    metrics.refused("table/too_busy")

    assert "_created" not in metrics.text().decode()


def test_readings_are_read_anew_each_time() -> None:
    values = iter((1.0, 2.0))
    metrics = Metrics()
    metrics.watch((Reading("manse_x", "X", lambda: next(values), is_counter=True),))

    assert number(metrics.text().decode(), "manse_x_total") == 1
    assert number(metrics.text().decode(), "manse_x_total") == 2


def test_the_log_ahead_belongs_to_the_size(tmp_path: Path) -> None:
    (tmp_path / "rooms.sqlite").write_bytes(b"123")
    assert size_of_store(tmp_path / "rooms.sqlite") == 3

    (tmp_path / "rooms.sqlite-wal").write_bytes(b"45")

    assert size_of_store(tmp_path / "rooms.sqlite") == 5


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("192.0.2.7", False), ("::", False)],
)
def test_what_others_can_reach_is_known(host: str, is_ours: bool) -> None:
    assert is_loopback(host) == is_ours


@pytest.mark.issue(36)
def test_numbers_of_bytes_are_told_in_steps_whose_end_nobody_knows() -> None:
    """The random steps keep readers of the metrics from measuring single bytes."""
    step = 64

    def shown(numbers: list[int], draws: list[int]) -> list[int]:
        given, left = iter(numbers), itertools.chain(draws, itertools.repeat(5))
        rough = RoughNumber(lambda: next(given), lambda _: next(left), step)
        return [rough.read() for _ in numbers]

    for before in (30, 40, 70):
        differing = [
            first
            for first in range(step)
            if shown([before, before + 1, 0], [first, 1, 2, 3, 4])
            != shown([before, before + 2, 0], [first, 1, 2, 3, 4])
        ]
        # The first end lies there, or the second.
        assert 1 <= len(differing) <= 2


@pytest.mark.issue(36)
def test_a_rough_number_follows_the_exact_one() -> None:
    random, exact, now = Random(1), [0], 0
    rough = RoughNumber(lambda: exact[0], random.randrange, 64)
    for _ in range(2000):
        now = max(0, now + random.randint(-200, 200))
        exact[0] = now
        assert abs(rough.read() - now) <= 96
    exact[0] = 0
    assert rough.read() in {0, *range(96)}


@pytest.mark.issue(36)
def test_what_one_seat_alone_knows_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    house, metrics = House(), Metrics(lambda: 0.0)
    ada, _ = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    house.lobby.replies.counts = metrics
    monkeypatch.setattr(Room, "hold", lambda *_: None)
    before = metrics.text()
    for message in (
        messages.AnswerInWindow(900, room_id, 0, ("0.1",)),
        messages.SetStops(901, room_id, ("kind/none",)),
        messages.Answer(902, room_id, 77, ("no such choice",)),
        messages.SetReady(903, room_id, is_ready=True),
        messages.StopMail(904, "code"),
    ):
        ada.send(message)
        house.settle()
    assert metrics.text() == before

    ada.send(messages.Chat(905, room_id, "hello"))
    ada.send(messages.JoinTable(906, "no such code"))
    house.settle()

    text = metrics.text().decode()
    assert 'manse_reply_seconds_count{kind="Chat"} 1.0' in text
    assert 'manse_refusals_total{code="invitation/unknown"} 1.0' in text

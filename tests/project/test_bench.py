"""The benchmarks run and report measurements; no test judges their speed."""

import json
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest
from twisted.logger import eventAsText, globalLogPublisher

from bench import answers, attacks
from bench.__main__ import GROUPS, NAMES, main
from bench.attackers import ATTACKS
from bench.counts import Counts
from bench.rows import LIBRARIES, Row
from bench.stamps import StampedSocket
from bench.timing import at_most
from server.system.loop_monitor import LoopMonitor

TARGETS = (
    *("cards_rules_records_s", "cards_empty_occurrence_us"),
    *("rules_events_s", "intro_game_ms", "wake_ms_10000", "serve_ready_s", "play_first_frame_ms"),
    *("frame_ms_200x60", "table_kib", "answer_cpu_ms", "paced_p50_ms", "paced_p99_ms"),
    "event_bytes_seat",
)
"""The rows of the table in docs/performance.md."""

pytestmark = pytest.mark.issue(12)


@pytest.mark.long
@pytest.mark.parametrize("at", range(len(GROUPS)), ids=lambda at: str(GROUPS[at][0][0]))
def test_every_row_is_measured(at: int, tmp_path: Path) -> None:
    names = GROUPS[at][0]
    file = tmp_path / "rows.json"

    assert main(["--quick", "--json", str(file), *names]) == 0

    told = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [line["name"] for line in told] == list(names)
    assert all((line["beside"] is None) == (line["beside_what"] == "") for line in told)
    assert all(line["ratio"] is not None for line in told if line["beside"])


@pytest.mark.long
@pytest.mark.issue(13)
@pytest.mark.parametrize("attack", list(ATTACKS))
def test_others_are_answered_beside_every_attack(attack: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "bench.attacks", "--seconds", "0.5", attack],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert not ran.stderr
    assert ran.returncode == 0
    name, pings, *_ = ran.stdout.splitlines()[-1].split()
    assert name == attack
    assert int(pings) > attacks.PROBERS


@pytest.mark.issue(13)
def test_an_outcome_counts_long_turns_by_the_clock_and_by_cpu() -> None:
    """On a busy machine, clock time and CPU time differ."""
    outcome = attacks.Outcome("pings", [0.001] * 99 + [0.02], 0.5, 3.0, [(12.0, 3.0), (15.0, 14.0)])

    assert outcome.as_line().split() == [
        *("pings", "100", "1.00", "1.00", "20.00", "20.00", "0.50", "3.0", "2,", "1"),
    ]


def test_the_bench_measures_the_rows_of_the_page() -> None:
    assert sorted(TARGETS) == sorted(NAMES)


def test_a_table_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = (("wake_ms_10000",), lambda _names, _size: [Row("wake_ms_10000", 3.0, "ms", "what")])
    monkeypatch.setattr("bench.__main__.GROUPS", (some,))

    assert main(["--quick", "wake_ms_10000"]) == 0

    head, *lines = capsys.readouterr().out.splitlines()
    assert "ratio" in head
    assert [line.split()[0] for line in lines] == ["wake_ms_10000"]


def test_an_unknown_row_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--quick", "speed"])

    assert "there is no row 'speed'" in capsys.readouterr().err


def test_a_line_of_json_says_where_it_was_measured() -> None:
    told = json.loads(Row("answer_cpu_ms", 3.0, "ms", "what", 2.0, "the bare server").as_json())

    assert (told["ours"], told["beside"], told["ratio"], told["unit"]) == (3, 2, 1.5, "ms")
    assert told["machine"]
    assert set(told["versions"]) == {"python", "sqlite", *LIBRARIES}


def test_nothing_beside_makes_no_ratio() -> None:
    assert Row("a", 3.0, "ms", "what").ratio is None
    assert Row("a", 3.0, "ms", "what", 0.0, "nothing").ratio is None


def test_a_percentile_is_one_of_the_numbers() -> None:
    numbers = [float(number) for number in range(1, 201)]

    assert at_most(numbers, 0.5) == 100
    assert at_most(numbers, 0.99) == 198
    assert at_most([7.0], 0.99) == 7


# What the generator tells ------------------------------------------------------------------


def rows(*rounds: tuple[float, float]) -> dict[str, Row]:
    """Return the rows of rounds by name, with a figure each for ours and the bare server."""
    figures = ("cpu_ms", "p50_ms", "p99_ms", "event_bytes")
    phases: list[Mapping[str, Any]] = [
        {"phase": name, "kind": kind, **dict.fromkeys(figures, number)}
        for ours, bare in rounds
        for kind, number in (("bare", bare), ("ours", ours))
        for name in ("many", "paced")
    ]
    return {row.name: row for row in answers.rows_of(phases)}


def test_the_median_of_the_rounds_counts() -> None:
    row = rows((8, 4), (2, 1), (90, 2))["paced_p99_ms"]

    assert (row.ours, row.beside, row.ratio) == (8, 2, 4)


def test_the_lines_of_the_loop_monitor_are_understood() -> None:
    told: list[Any] = []
    observer: Any = told.append
    times = iter([0.0, 0.25])
    monitor = LoopMonitor(object(), clock=lambda: next(times), cpu=lambda: 0.0)
    globalLogPublisher.addObserver(observer)
    try:
        monitor.turn_begins()
        monitor.turn_ends()
    finally:
        globalLogPublisher.removeObserver(observer)

    found = attacks.TURN.search(eventAsText(told[0]))

    assert found is not None
    assert found.groups() == ("250.0", "0.0")


# When something left and came -----------------------------------------------------------------

WAIT_SECONDS = 0.02


@pytest.fixture
def ends() -> Iterator[tuple[StampedSocket, socket.socket]]:
    """Yield both ends of a TCP connection; the first stamps what passes with its time."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        here = socket.create_connection(listening.getsockname())
        there, _ = listening.accept()
    with here, there:
        stamped = StampedSocket(here)
        while not stamped.is_stamped:
            # The kernel begins to stamp a moment after the first socket has asked for it.
            there.send(b"anything")
            stamped.recv(100)
        yield stamped, there


def now() -> float:
    return time.clock_gettime(time.CLOCK_REALTIME)


def test_what_is_read_late_is_stamped_when_it_came(
    ends: tuple[StampedSocket, socket.socket],
) -> None:
    """A busy reader must not make a message look late."""
    here, there = ends
    before = now()
    there.send(b"a record")
    select.select([here.fileno()], [], [])
    arrived = now()
    time.sleep(WAIT_SECONDS)

    assert here.recv(100) == b"a record"
    assert before <= here.came <= arrived


def test_what_leaves_late_is_stamped_when_it_left(
    ends: tuple[StampedSocket, socket.socket],
) -> None:
    here, _ = ends
    here.expect()
    time.sleep(WAIT_SECONDS)
    before = now()
    here.send(b"an answer")
    after = now()
    here.send(b"a ping")

    assert before <= here.left <= after


def test_what_came_since_is_what_is_counted() -> None:
    before = Counts(1, 10, 400, 500, 20, 30, 4)
    after = attrs.evolve(before, answers=3, events=20, sent_bytes=800, packs=45, commits=7)

    numbers = after.minus(before).by_name()

    assert numbers["sent_bytes_seat_event"] == 10
    assert (numbers["packs_event"], numbers["unpacks_event"]) == (2.5, 0)
    assert numbers["commits_answer"] == 1.5

"""Costs of an answer and of a start, counted, so that no other load of the machine matters.

`costs.json` has the accepted numbers; the tests fail if one grows. `MANSE_ACCEPT_SCREENS=1 pytest
tests/project/test_costs.py` accepts smaller numbers, and also ones that had to grow, with the
reason in the commit.
"""

import functools
import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from bench import counts
from bench.within import CountingStore
from protocol import messages
from server.kernel.steps import Steps, run_through
from server.net.scheduling import FairScheduler
from server.net.session import WireSession
from server.net.shared_encoding import SharedEncoding
from server.storage.sqlite import SqliteStore
from tests.kit.compiled import with_packs

T = TypeVar("T")

NUMBERS: Final = Path(__file__).with_name("costs.json")
ARCHIVE: Final = Path(__file__).parents[1] / "golden" / "hands" / "toy.manse"
SLACK: Final = 1.02
"""Factor by which costs of a game may grow: bots that play otherwise see other events."""
OURS: Final = frozenset(("client", "commands", "content", "protocol", "server"))
SESSION: Final = "server.net.session"
NOWHERE: Final = "127.0.0.1:9"
"""An address at which no server listens."""

pytestmark = pytest.mark.issue(12)


def stored() -> dict[str, Any]:
    """Return the accepted numbers."""
    found: dict[str, Any] = json.loads(NUMBERS.read_text("utf-8"))
    return found


def accepted(part: str, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the accepted numbers of a part; accept `numbers` first if the environment says so."""
    held = stored()
    if os.environ.get("MANSE_ACCEPT_SCREENS"):
        held[part] = dict(numbers)
        NUMBERS.write_text(json.dumps(held, indent=2, sort_keys=True) + "\n", "utf-8")
    found: dict[str, Any] = held[part]
    return found


@pytest.fixture(autouse=True, scope="module")
def _others_are_exempt() -> None:
    """Exempt what earlier files keep from the collection of garbage that ends each count."""
    gc.collect()
    gc.freeze()


# A game ------------------------------------------------------------------------------------


def grown(numbers: Mapping[str, float], held: Mapping[str, float]) -> dict[str, float]:
    """Return the numbers that exceed the accepted ones."""
    return {name: number for name, number in numbers.items() if number > SLACK * held[name]}


def test_an_answer_costs_no_more_than_before() -> None:
    numbers = counts.count().by_name()

    assert grown(numbers, accepted("game", numbers)) == {}


def test_the_same_game_costs_the_same_each_time() -> None:
    """If the counts varied, a comparison with earlier numbers would prove nothing."""
    assert counts.count(answers=20, scenarios=1).by_name() == of_a_short_game()


def pack_twice(patch: pytest.MonkeyPatch) -> None:
    """Plant a fault: pack each message anew for each session, and once for nothing."""
    encode = messages.encode_message
    patch.setattr(SharedEncoding, "payload", lambda _, said: (encode(said), encode(said))[1])


def unpack_twice(patch: pytest.MonkeyPatch) -> None:
    """Plant a fault: read each message twice."""
    decode = messages.decode_message
    patch.setattr(f"{SESSION}.decode_message", lambda *said: (decode(*said), decode(*said))[1])


def commit_twice(patch: pytest.MonkeyPatch) -> None:
    """Plant a fault: write something after each batch, in a commit of its own."""
    append = SqliteStore.append

    def append_more(store: SqliteStore, *batch: Any, **more: Any) -> Any:
        appended = append(store, *batch, **more)
        _ = store.put("noise", "noise", b"")
        return appended

    patch.setattr(SqliteStore, "append", append_more)


def send_more(patch: pytest.MonkeyPatch) -> None:
    """Plant a fault: send meaningless messages before each one."""
    send = WireSession.send

    def send_all(self: WireSession, message: messages.ServerMessage) -> None:
        for _ in range(3):
            send(self, messages.Pong(0))
        send(self, message)

    patch.setattr(WireSession, "send", send_all)


def store_more(patch: pytest.MonkeyPatch) -> None:
    """Plant a fault: store each batch a second time, in the log of another room."""
    append = CountingStore.append

    def append_both(store: Any, room_id: str, *batch: Any, **more: Any) -> Any:
        appended = append(store, room_id, *batch, **more)
        _ = append(store, f"copy-of-{room_id}", *batch, **more)
        return appended

    patch.setattr(CountingStore, "append", append_both)


def pause_never(patch: pytest.MonkeyPatch) -> None:
    """Plant a fault: run everything that follows from an answer in one part."""

    async def at_once(_: FairScheduler, steps: Steps[T]) -> T:
        return run_through(steps)

    patch.setattr(FairScheduler, "run", at_once)


@functools.cache
def of_a_short_game() -> dict[str, float]:
    """Count the costs of a few answers."""
    return counts.count(answers=20, scenarios=1).by_name()


@pytest.mark.parametrize(
    ("plant", "number"),
    [
        (pack_twice, "packs_event"),
        (commit_twice, "commits_answer"),
        (send_more, "sent_bytes_seat_event"),
        pytest.param(unpack_twice, "unpacks_event", marks=pytest.mark.long),
        pytest.param(store_more, "log_bytes_event", marks=pytest.mark.long),
        pytest.param(pause_never, "events_part", marks=pytest.mark.long),
    ],
)
def test_what_costs_more_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = of_a_short_game()
    plant(monkeypatch)

    numbers = counts.count(answers=20, scenarios=1).by_name()

    assert number in grown(numbers, before)


# Imports -----------------------------------------------------------------------------------

_RUN: Final = """
import sys
before = set(sys.modules)
from commands.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


def imported_by(home: Path, arguments: Sequence[str], typed: str = "") -> dict[str, Any]:
    """Run `manse` with these arguments; return the modules that it imported, ours and others."""
    ended = subprocess.run(
        [sys.executable, "-c", _RUN, *arguments],
        env={**os.environ, "MANSE_HOME": str(home), "PYTHONIOENCODING": "utf-8"},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    return told_of(ended.stderr.splitlines()[-1].split())


def told_of(modules: Sequence[str]) -> dict[str, Any]:
    """Count our modules, and name the packages that are neither ours nor Python's."""
    packages = {name.partition(".")[0] for name in modules}
    others = packages - OURS - sys.stdlib_module_names
    return {
        "ours": sum(name.partition(".")[0] in OURS for name in modules),
        # What comes of compiling with Cython or cffi has a name of its own in each release.
        "others": sorted(name for name in others if not name.startswith(("_", "cython_runtime"))),
    }


COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "--help": ("--help",),
    "verify": ("verify", str(ARCHIVE)),
    "play": ("play", "--plain", "--server", NOWHERE),
    # Its server leaves the packs compiled for the next, where none has before.
    "solo": ("solo", "--plain"),
    "serve": ("serve", "--host", "127.0.0.1", "--port", "0", "--json", "--stop-with-stdin"),
}
"""Arguments with which each command is run; its input ends at once."""


def more_imported(found: Mapping[str, Any], held: Mapping[str, Any]) -> list[str]:
    """Return the commands that import more of our modules than before, or another package."""
    return [
        name
        for name, one in found.items()
        if one["ours"] > held[name]["ours"] or not set(one["others"]) <= set(held[name]["others"])
    ]


@pytest.mark.long
def test_no_command_imports_more_than_before(tmp_path: Path) -> None:
    """The user waits for every import at each start of a command."""
    home = with_packs(tmp_path)
    found = {name: imported_by(home, arguments) for name, arguments in COMMANDS.items()}

    assert more_imported(found, accepted("imports", found)) == []


@pytest.mark.parametrize(
    ("command", "heavy"),
    [
        ("--help", {"attrs", "msgpack", "twisted", "prompt_toolkit", "cryptography"}),
        ("verify", {"twisted", "OpenSSL", "apsw", "yaml", "prompt_toolkit"}),
        ("play", {"apsw", "yaml"}),
        ("solo", {"apsw", "yaml"}),
        ("serve", {"prompt_toolkit", "wcwidth"}),
    ],
)
def test_what_a_command_does_not_use_is_not_among_it(command: str, heavy: set[str]) -> None:
    """These packages take long to import; nobody may accept them by mistake."""
    assert heavy.isdisjoint(stored()["imports"][command]["others"])


_UNTIL_THE_SERVER: Final = """
import subprocess, sys
class Started(Exception):
    pass
def started(*_, **__):
    raise Started
before = set(sys.modules)
from commands.main import main
subprocess.Popen = started
try:
    main(["solo", "--plain"])
except Started:
    print(*sorted(set(sys.modules) - before))
"""


def test_a_solo_game_starts_its_server_before_anything_heavy_is_imported(tmp_path: Path) -> None:
    """The server takes longer to start; the client is imported meanwhile."""
    ended = subprocess.run(
        [sys.executable, "-c", _UNTIL_THE_SERVER],
        env={**os.environ, "MANSE_HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )

    told = told_of(ended.stdout.split())

    assert told["others"] == ["platformdirs"]
    assert told["ours"] <= 2.5 * stored()["imports"]["--help"]["ours"]


_LOAD: Final = """
import sys
from client.commands import loading
loading.has_screen = lambda _: True
loading.load(is_plain=sys.argv[1] == "plain")
print(*sorted(sys.modules))
"""


@pytest.mark.parametrize(
    ("way", "needed", "needless"),
    [
        ("plain", "client.plain.terminal", "prompt_toolkit"),
        ("screen", "client.terminal.app", "client.plain.terminal"),
    ],
)
def test_what_a_player_needs_is_loaded_before_a_reactor_is_chosen(
    way: str, needed: str, needless: str
) -> None:
    """`client.terminal.runner` installs the reactor; everything else can be loaded before."""
    ended = subprocess.run(
        [sys.executable, "-c", _LOAD, way],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )

    loaded = set(ended.stdout.split())

    assert {needed, "client.commands.sessions", "client.net.tls"} <= loaded
    assert {needless, "twisted.internet.reactor"}.isdisjoint(loaded)


def test_one_more_import_is_found() -> None:
    held = {"play": told_of(("client", "client.net", "attrs", "json"))}
    ours = {"play": told_of(("client", "client.net", "server", "attrs"))}
    others = {"play": told_of(("client", "attrs", "yaml"))}

    assert (more_imported(held, held), more_imported(ours, held)) == ([], ["play"])
    assert more_imported(others, held) == ["play"]

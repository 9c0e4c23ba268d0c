"""On a fault or a signal the terminal is restored and the crash report contains no secret."""

import asyncio
import errno
import io
import os
import signal
import stat
import sys
import termios
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from twisted.logger import ILogObserver, formatEvent, globalLogPublisher

from client.commands import cli
from client.keyring.identity import home_folder
from client.terminal import crash
from client.terminal.crash import is_terminal_gone, report_lines, write_report
from client.terminal.guard import guarded
from commands.streams import STATUS_HANGUP
from protocol.fault_report import MAX_CHAIN
from tests.kit.terminals.on_pty import ANEW, CLIENT, PATIENCE, Pty, on_pty

NOW = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
SECRETS = ("the locked room", "invitation-k3p0", "Hester", "/home/hester")

_CLIENT = """
import sys
from client.commands import cli
from client.terminal import app, runner
from client.screens.table.room import RoomScreen
from tests.games.second_edition.client.scripted import asked
from tests.games.second_edition.client.stage import RecordingPort, model_of

async def main(reactor):
    model = model_of(asked())
    {plant}
    await app.run_app(model, RecordingPort())
    return 0

sys.exit(cli._run(main, "en"))
"""
_IMPORTS = (*CLIENT, "tests.games.second_edition.client.stage", "client.games.second_edition.face")
_FAULT = "raise ValueError('Hester has the locked room')"
PLANTS = {
    "drawing": f"""
    drawn = []
    def draw(self, pane):
        drawn.append(pane)
        if len(drawn) > 1:
            {_FAULT}
        pane.write(0, 0, "Your choice")
    RoomScreen.draw = draw""",
    "the first frame": f"""
    def draw(self, pane):
        {_FAULT}
    RoomScreen.draw = draw""",
    "a key": f"""
    def act(self, action, key):
        {_FAULT}
    RoomScreen.act = act""",
    "a timer": f"""
    import asyncio
    def ring():
        {_FAULT}
    asyncio.get_running_loop().call_later(0.5, ring)""",
    "what the server says": f"""
    import asyncio
    from client.terminal.runner import Client
    class Port:
        def received(self, message):
            {_FAULT}
    client = Client(model, None)
    client.port = Port()
    # As Twisted does, which swallows what is raised.
    def come():
        try:
            client.received(object())
        except Exception:
            pass
    asyncio.get_running_loop().call_later(0.5, come)""",
    "the line": f"""
    from client.net.line import LineProtocol
    from twisted.internet.endpoints import TCP4ClientEndpoint, TCP4ServerEndpoint
    from twisted.internet.protocol import Factory, Protocol
    class Greeting(Protocol):
        def connectionMade(self):
            self.transport.write(b"hello")
    listening = await TCP4ServerEndpoint(reactor, 0, interface="127.0.0.1").listen(
        Factory.forProtocol(Greeting)
    ).asFuture(__import__("asyncio").get_running_loop())
    class Broken(LineProtocol):
        def dataReceived(self, data):
            {_FAULT}
    port = listening.getHost().port
    TCP4ClientEndpoint(reactor, "127.0.0.1", port).connect(
        Factory.forProtocol(lambda: Broken(None, None))
    )""",
    "a timer of the line": f"""
    def ring():
        {_FAULT}
    reactor.callLater(0.5, ring)""",
}


def _client(plant: str = "pass") -> str:
    return _CLIENT.format(plant=plant)


def _reports(home: Path) -> list[Path]:
    return sorted(home.glob("crash-*.txt"))


# On a real terminal ------------------------------------------------------------------------


@pytest.mark.parametrize("place", PLANTS)
def test_a_fault_of_ours_restores_the_terminal(place: str, tmp_path: Path) -> None:
    with on_pty(_client(PLANTS[place]), home=tmp_path, imports=_IMPORTS) as terminal:
        if place != "the first frame":
            terminal.wait_for("Your choice")
        if place in {"drawing", "a key"}:
            terminal.type("\x1b[B")

        assert terminal.end() == crash.STATUS_CRASHED, terminal.text
        assert terminal.is_restored()
        said = " ".join(terminal.text.split())

    assert "Manse has crashed because of a bug of its own" in said
    assert "Press ENTER" not in said
    assert "Traceback" not in said
    assert "Hester" not in terminal.raw.decode().rpartition("\x1b[?1049l")[2]
    (report,) = _reports(tmp_path)
    assert "ValueError" in report.read_text()
    assert "Hester" not in report.read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_restores_the_terminal(number: signal.Signals, tmp_path: Path) -> None:
    with on_pty(_client(), home=tmp_path, imports=_IMPORTS) as terminal:
        terminal.wait_for("Your choice")

        terminal.process.send_signal(number)

        assert terminal.end() == 128 + number
        assert terminal.is_restored()
    assert not _reports(tmp_path)


def test_a_new_size_is_followed(tmp_path: Path) -> None:
    with on_pty(_client(), home=tmp_path, imports=_IMPORTS) as terminal:
        terminal.wait_for("Your choice")

        terminal.resize(10, 40)

        terminal.wait_for("too small")


def test_leaving_restores_the_terminal(tmp_path: Path) -> None:
    with on_pty(_client(), home=tmp_path, imports=_IMPORTS) as terminal:
        terminal.wait_for("Your choice")

        terminal.type("\x03")

        assert terminal.end() == 0
        assert terminal.is_restored()


def test_a_terminal_that_goes_away_ends_it(tmp_path: Path) -> None:
    with on_pty(_client(), home=tmp_path, imports=_IMPORTS) as terminal:
        terminal.wait_for("Your choice")
        terminal.hang_up()

        assert terminal.process.wait(30) in {0, STATUS_HANGUP}
    assert not _reports(tmp_path)


class _Gone(io.StringIO):
    """Standard output of a terminal whose window was closed."""

    def flush(self) -> None:
        """Fail as the system does."""
        raise OSError(errno.EIO, "Input/output error")


def test_what_nobody_can_read_any_more_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Output to a closed window is discarded; flushing it at exit would change the exit status."""
    let_go: list[bool] = []
    monkeypatch.setattr(cli, "run", lambda _main, *, log: 0 if log else 1)
    monkeypatch.setattr(cli, "discard_output", lambda: let_go.append(True))
    monkeypatch.setattr(sys, "stdout", _Gone())

    async def main(_: object) -> int:
        return 0

    assert cli._run(main, "en") == STATUS_HANGUP
    assert let_go == [True]


# The report --------------------------------------------------------------------------------


def _raised() -> BaseException:
    """Return an exception with secrets in its messages, its cause and its local variables."""
    chat, invitation = SECRETS[0], SECRETS[1]

    def look_up(words: dict[str, str]) -> str:
        name = "Hester"
        return words[name + chat + invitation]

    def read_file() -> None:
        try:
            look_up({})
        except KeyError as error:
            raise FileNotFoundError(errno.ENOENT, "no such file", SECRETS[3]) from error

    with pytest.raises(OSError) as raised:
        read_file()
    return raised.value


def test_a_report_says_where_and_nothing_else() -> None:
    """A report has types, modules, functions and lines, but no messages, values or paths."""
    text = "\n".join(report_lines(_raised(), NOW))

    assert "Manse, 2031-05-06 07:08:09 UTC" in text
    assert "builtins.FileNotFoundError ENOENT" in text
    assert "which followed from builtins.KeyError" in text
    assert "test_crash:" in text
    assert " in look_up" in text
    for secret in (*SECRETS, str(Path.home()), str(Path(__file__).parent)):
        assert secret not in text


def test_a_report_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = write_report(tmp_path / "new", _raised(), NOW)
    finally:
        os.umask(before)

    assert path == tmp_path / "new" / "crash-20310506T070809Z.txt"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_few_reports_are_kept(tmp_path: Path) -> None:
    for day in range(9):
        write_report(tmp_path, _raised(), NOW + timedelta(days=day))

    names = [path.name for path in _reports(tmp_path)]
    assert len(names) == crash.REPORTS_KEPT
    assert names[-1] == "crash-20310514T070809Z.txt"


def test_a_report_has_a_bound() -> None:
    """Both the depth of the traceback and the chain of causes are limited."""

    def deeper(left: int) -> None:
        if left:
            deeper(left - 1)
        raise ValueError

    error: BaseException | None = None
    for _ in range(3 * MAX_CHAIN):
        with pytest.raises(ValueError) as raised:
            deeper(400)
        raised.value.__cause__, error = error, raised.value
    assert error is not None

    text = "\n".join(report_lines(error, NOW))
    assert len(text.encode()) < 1 << 16
    assert text.count("more …") == MAX_CHAIN


def test_where_no_report_can_be_written_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MANSE_HOME", str(tmp_path / "file"))
    assert home_folder() == tmp_path / "file"

    def fall() -> int:
        raise ValueError(SECRETS[0])

    assert cli._caught(fall, "en") == crash.STATUS_CRASHED
    told = capsys.readouterr().err
    assert "No report could be written." in told
    assert SECRETS[0] not in told


# The loop ----------------------------------------------------------------------------------


def _run(*, ends: bool) -> str:
    """Run a task while a callback raises; return what the task noted during its cleanup."""
    done: list[str] = []

    async def work() -> str:
        loop = asyncio.get_running_loop()
        loop.call_soon(_fall)
        try:
            await asyncio.sleep(0.01 if ends else 30)
        finally:
            done.append("cleared")
        return "ended"

    with pytest.raises(ZeroDivisionError):
        asyncio.run(guarded(work()))
    return done[0]


def _fall() -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize("ends", [True, False])
def test_what_a_callback_raises_ends_the_work(ends: bool) -> None:
    assert _run(ends=ends) == "cleared"


def test_what_is_no_exception_ends_nothing() -> None:
    """A message of the event loop that has no exception does not end the program."""

    async def work() -> str:
        asyncio.get_running_loop().call_exception_handler({"message": "something is slow"})
        await asyncio.sleep(0)
        return "ended"

    assert asyncio.run(guarded(work())) == "ended"


def test_whoever_interrupts_the_work_is_heard() -> None:

    async def main() -> bool:
        task = asyncio.ensure_future(guarded(asyncio.sleep(30)))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(main())


def test_a_terminal_that_is_gone_is_no_fault() -> None:
    assert is_terminal_gone(OSError(errno.EIO, "Input/output error"))
    assert not is_terminal_gone(OSError(errno.ENOSPC, "No space left on device"))
    assert not is_terminal_gone(ValueError())


# The log -----------------------------------------------------------------------------------

_LOGGED = """
import sys
from client.commands import cli

async def main(reactor):
    from twisted.internet.defer import Deferred
    from twisted.python import log
    def fault(*_):
        stolen = "Hester has the locked room"
        raise ValueError(stolen)
    {plant}
    import asyncio
    await asyncio.sleep(0.2)
    return 0

sys.exit(cli._run(main, "en"))
"""


@pytest.mark.parametrize(
    ("plant", "status"),
    [
        ("reactor.callLater(0, fault)", crash.STATUS_CRASHED),
        # Found by the garbage collector, so not before the end.
        ("Deferred().addCallback(fault).callback(None)", 0),
        ("log.callWithLogger(main, fault)", crash.STATUS_CRASHED),
    ],
    ids=["a timed call", "nobody's result", "the network"],
)
def test_the_log_of_faults_holds_no_secret(plant: str, status: int, tmp_path: Path) -> None:
    """Errors that Twisted swallows are logged by type and place only, as in a report."""
    with on_pty(_LOGGED.format(plant=plant), home=tmp_path, imports=_IMPORTS) as terminal:
        assert terminal.end() == status, terminal.text

    log = tmp_path / "client.log"
    written = log.read_text()
    assert "ValueError" in written
    assert "in fault" in written
    assert "Hester" not in written
    assert "stolen" not in written
    assert str(tmp_path) not in written
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_what_the_loop_complains_of_quotes_no_values() -> None:
    """The event loop's own messages would quote the arguments of a callback."""
    told: list[str] = []

    async def main() -> None:
        context = {"message": "Exception in f('Hester')", "exception": asyncio.CancelledError()}
        asyncio.get_running_loop().call_exception_handler(context)

    observer = cast("ILogObserver", lambda event: told.append(formatEvent(event)))
    globalLogPublisher.addObserver(observer)
    try:
        asyncio.run(guarded(main()))
    finally:
        globalLogPublisher.removeObserver(observer)

    assert told == ["CancelledError"]


_SHELL = """
import fcntl, os, signal, sys, termios
# As a shell does: the terminal is ours, and goes to the group of the job.
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if not job:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    code = sys.argv[1]
    os.execv(sys.executable, [sys.executable, "-c", code])
for word in ("first", "again"):
    _, status = os.waitpid(job, os.WUNTRACED)
    assert os.WIFSTOPPED(status), status
    os.tcsetpgrp(0, os.getpgrp())
    modes = termios.tcgetattr(0)[3]
    is_restored = modes & (termios.ICANON | termios.ECHO | termios.ISIG) == (
        termios.ICANON | termios.ECHO | termios.ISIG
    )
    print("stopped", word, is_restored, flush=True)
    sys.stdin.readline()
    os.tcsetpgrp(0, job)
    os.killpg(job, signal.SIGCONT)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(job, 0)[1]))
"""


def _wait_for_screens(terminal: Pty, count: int) -> None:
    """Wait until the terminal has switched to the full screen this many times."""
    while terminal.raw.count(b"\x1b[?1049h") < count:
        assert terminal.read(PATIENCE)


def test_ctrl_z_goes_back_to_the_shell_and_fg_to_the_game(tmp_path: Path) -> None:
    plant = """
    import asyncio
    def come():
        model.tell("something came")
    # It stands still with us, so it comes when we go on.
    asyncio.get_running_loop().call_later(4, come)"""
    with on_pty(_SHELL, _client(plant), home=tmp_path, imports=ANEW) as terminal:
        terminal.wait_for("Your choice")

        terminal.type("\x1a")
        terminal.wait_for("stopped first True")
        terminal.type("\r")
        terminal.wait_for("Your choice")
        terminal.wait_for("something came")
        terminal.type("chello")
        terminal.wait_for("hello")
        terminal.type("\x1a")
        terminal.wait_for("stopped again True")
        terminal.type("\r")
        _wait_for_screens(terminal, 3)
        terminal.wait_for("hello")

        terminal.type("\x03")
        assert terminal.end() == 0, terminal.text


def test_ctrl_z_without_a_shell_leaves_the_game_running(tmp_path: Path) -> None:
    """No job control could ever resume the client."""
    with on_pty(_client(), home=tmp_path, imports=_IMPORTS) as terminal:
        terminal.wait_for("Your choice")

        terminal.type("\x1a")
        _wait_for_screens(terminal, 2)
        terminal.wait_for("Your choice")

        terminal.type("\x03")
        assert terminal.end() == 0


def test_a_client_that_is_stopped_gives_the_terminal_back_meanwhile(tmp_path: Path) -> None:
    """The client returns the terminal at the signal and takes it again when it continues."""
    with on_pty(_client(), home=tmp_path, imports=ANEW) as terminal:
        terminal.wait_for("Your choice")

        terminal.process.send_signal(signal.SIGTSTP)
        _, status = os.waitpid(terminal.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        while terminal.read(0.2):
            pass
        # Its shell sees to the other modes, as for everything that is stopped.
        typed = termios.ICANON | termios.ECHO | termios.ISIG
        assert termios.tcgetattr(terminal.slave)[3] & typed == typed
        shown = [terminal.raw.rfind(code) for code in (b"\x1b[?1049h", b"\x1b[?1049l")]
        assert shown == sorted(shown)
        assert terminal.raw.endswith(b"\x1b]2;\x07")

        terminal.process.send_signal(signal.SIGCONT)
        _wait_for_screens(terminal, 2)
        terminal.wait_for("Your choice")
        terminal.type("\x03")
        assert terminal.end() == 0
        assert terminal.is_restored()

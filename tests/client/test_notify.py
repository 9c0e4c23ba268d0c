"""`manse notify` with a real server: the notifications, their channels, and how often they come."""

import http.server
import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.kit import warm
from tests.kit.compiled import with_packs
from tests.kit.terminals.on_pty import CLIENT
from tests.server.test_kill import _BOT, SERVE, running

pytestmark = pytest.mark.issue(15)

ADDRESS = "canary.of.mine@example.org"
PASSWORD = "canary of the relay"
_IMPORTS = (*CLIENT, "client.commands.notify")
_NOTIFY = "import sys; from client.commands.notify import main; sys.exit(main(sys.argv[1:]))"
_NOTES = """
import pathlib, sys
with pathlib.Path(sys.argv[1]).open("a") as notes:
    notes.write(repr(sys.argv[2:]) + "\\n")
"""


@attrs.frozen
class Told:
    """Exit status and output of one run of the command."""

    returncode: int
    stdout: str
    stderr: str


@attrs.frozen
class Place:
    """A server, and a player who left while the table waits for their answer."""

    folder: Path
    port: int
    me: Path

    def notify(self, *arguments: str, settings: str = "") -> "Told":
        """Run the command to its end."""
        (self.me / "config.toml").write_text(settings)
        process = warm.piped(
            _IMPORTS,
            _NOTIFY,
            *arguments,
            *("--server", f"127.0.0.1:{self.port}", "--language", "en"),
            env={**os.environ, "MANSE_HOME": str(self.me), "LC_ALL": "C.UTF-8"},
        )
        printed, complaints = process.communicate(timeout=60)
        return Told(process.wait(0), printed, complaints)

    def forget(self) -> None:
        """Forget which notifications were sent."""
        (self.me / "notified.json").unlink(missing_ok=True)


def leave_a_table(stack: ExitStack, folder: Path) -> Place:
    """Start a server and a game of two bots, and stop one bot in the middle of the game."""
    server_folder, me = folder / "server", folder / "me"
    server_folder.mkdir(mode=0o700)
    password = server_folder / "relay-password"
    password.write_text(PASSWORD)
    password.chmod(0o600)
    (server_folder / "serve.toml").write_text(
        "[mail]\nhost = '127.0.0.1'\nport = 9\nsecurity = 'none'\nuser = 'manse'\n"
        f"password_file = '{password}'\nsender = 'manse@example.org'\n"
    )
    arguments = ("--host", "127.0.0.1", "--port", "0", "--json", "--verbose")
    where = ("--folder", str(server_folder))
    server = stack.enter_context(running(SERVE, *arguments, *where, home=server_folder))
    told = json.loads(server.line_with("fingerprint"))
    reach = ("--server", f"127.0.0.1:{told['port']}", "--fingerprint", told["fingerprint"])
    options = ("--json", "--verbose", "--seed", "1")
    host = ("--open", "core/sluice-house", "--party", "2", "--name", "Hester", *reach)
    first = stack.enter_context(running(_BOT, *host, *options, home=folder / "first"))
    invitation = json.loads(first.line_with("invitation"))["invitation"]
    mine = ("--identity", str(me), "--name", "Ada")
    second = stack.enter_context(running(_BOT, invitation, *mine, *options, home=me))
    first.line_with("Round 1")
    second.kill()
    return Place(folder, told["port"], me)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Yield the place once the table waits for the stopped bot."""
    with ExitStack() as stack:
        place = leave_a_table(stack, tmp_path_factory.mktemp("notify"))
        with_packs(place.me)
        while not place.notify("--once", "--json").stdout:
            place.forget()
        yield place


def test_a_question_is_told_once(place: Place) -> None:
    place.forget()

    told, again = place.notify("--once"), place.notify("--once")

    assert (told.returncode, again.returncode) == (0, 0)
    assert told.stdout.startswith("The table of Hester, Ada waits for you (today ")
    assert again.stdout == ""


def test_a_script_reads_json(place: Place) -> None:
    place.forget()

    [line] = place.notify("--once", "--json").stdout.splitlines()

    found = json.loads(line)
    assert [table["names"] for table in found["tables"]] == [["Hester", "Ada"]]
    assert found["text"].startswith("The table of Hester, Ada")


def test_the_command_gets_the_text_as_one_argument_and_no_shell(place: Place) -> None:
    place.forget()
    notes, script = place.me / "$(touch x);notes", place.me / "note.py"
    script.write_text(_NOTES)
    command = f"{sys.executable} '{script}' '{notes}' 'two words;' '$HOME'"

    done = place.notify("--once", settings=f"notify_command = {json.dumps(command)}\n")

    assert done.returncode == 0
    [given] = [eval(line) for line in notes.read_text().splitlines()]  # noqa: S307  # our own repr
    assert given[:2] == ["two words;", "$HOME"]
    assert len(given) == 3
    assert given[2].startswith("The table of Hester, Ada waits for you")


def test_a_command_that_fails_is_told(place: Place) -> None:
    for command, why in (("false", "1"), ("no-such-command", "there is no such file")):
        place.forget()
        done = place.notify("--once", settings=f'notify_command = "{command}"\n')
        assert f"The command {command} failed: {why}" in done.stderr


class _Hook(http.server.BaseHTTPRequestHandler):
    posted: list[Any] = []  # noqa: RUF012 (of the class: one server, one list)
    status = 200

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.posted.append((self.headers["Content-Type"], json.loads(self.rfile.read(length))))
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hook() -> Iterator[type[_Hook]]:
    """Serve a webhook that records its requests."""
    server = http.server.HTTPServer(("127.0.0.1", 0), _Hook)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    _Hook.posted.clear()
    _Hook.url = f"http://127.0.0.1:{server.server_port}/hook"  # type: ignore[attr-defined]  # for the test
    yield _Hook
    server.shutdown()
    server.server_close()


def test_the_webhook_is_posted_json(place: Place, hook: Any) -> None:
    place.forget()
    hook.status = 200

    done = place.notify("--once", settings=f'notify_webhook = "{hook.url}"\n')

    assert done.stderr == ""
    [(kind, body)] = hook.posted
    assert kind == "application/json"
    assert [table["names"] for table in body["tables"]] == [["Hester", "Ada"]]


def test_a_webhook_that_refuses_is_told(place: Place, hook: Any) -> None:
    place.forget()
    hook.status = 500

    done = place.notify("--once", settings=f'notify_webhook = "{hook.url}"\n')

    assert f"Nothing could be posted to {hook.url}" in done.stderr


def test_addresses_and_the_password_of_the_relay_are_in_no_log(place: Place) -> None:
    asked = place.notify("--mail", ADDRESS)
    wrong = place.notify("--code", "canary-code")

    assert asked.returncode == 0, asked.stderr
    assert "That is another code" in wrong.stderr
    kept = [path for path in place.folder.rglob("*") if path.is_file()]
    has_it = {
        path.name
        for path in kept
        for canary in (ADDRESS, PASSWORD, "canary-code")
        if canary.encode() in path.read_bytes()
    }
    assert {name for name in has_it if not name.startswith("rooms.sqlite")} == {"relay-password"}
    complaints = (place.folder / "server" / "complaints.txt").read_text()
    assert "the mail relay took no mail: " in complaints


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('notify_command = "unclosed \'quote"', "a command line"),
        ('notify_webhook = "file:///etc/passwd"', "https://"),
        ("notify_command = 3", "a text in quotation marks"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(place: Place, settings: str, said: str) -> None:
    done = place.notify("--once", settings=settings + "\n")

    assert done.returncode == 2
    assert said in done.stderr


def test_two_wishes_at_once_are_refused(place: Place) -> None:
    done = place.notify("--once", "--no-mail")

    assert done.returncode == 2
    assert "give one of" in done.stderr

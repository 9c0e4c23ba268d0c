"""A real server is killed under a real client on a real terminal, and comes back."""

from contextlib import ExitStack
from pathlib import Path

from tests.kit.terminals.on_pty import Pty, on_pty
from tests.server.test_kill import serve

_PLAY = "import sys; from client.commands import cli; sys.exit(cli.play(sys.argv[1:]))"
_DOWN = "\x1b[B"


def line_at_cursor(terminal: Pty) -> str:
    """Return the screen line of the choice under the cursor; empty if none is drawn yet."""
    lines = terminal.text.split("\n")
    return next((line.split("│")[0].strip() for line in lines if line.startswith(" >")), "")


def begin(terminal: Pty) -> None:
    """Take two investigators and start the game; wait for a question with several choices."""
    terminal.wait_for("Choose your first character")
    terminal.type("\r")
    terminal.wait_for("Enter begins with")
    terminal.type("\r")
    terminal.wait_for("─ Your")


def test_the_question_comes_back_with_its_cursor(tmp_path: Path) -> None:
    with ExitStack() as stack:
        server, told = serve(stack, tmp_path / "server", 0)
        port, fingerprint = told["port"], told["fingerprint"]
        arguments = ("--server", f"127.0.0.1:{port}", "--fingerprint", fingerprint, "--solo")
        terminal = stack.enter_context(on_pty(_PLAY, *arguments, home=tmp_path / "home"))
        begin(terminal)
        first = line_at_cursor(terminal)
        terminal.type(_DOWN)
        while line_at_cursor(terminal) in ("", first):
            assert terminal.read(10)
        chosen = line_at_cursor(terminal)

        server.kill()
        terminal.wait_for("nothing is lost")
        terminal.type("\r")
        terminal.wait_for("nothing was sent")
        assert line_at_cursor(terminal) == chosen

        serve(stack, tmp_path / "server", port)
        while "nothing is lost" in terminal.text or "logging in" in terminal.text:
            assert terminal.read(30)
        terminal.wait_for("online")
        terminal.wait_for("─ Your")
        assert line_at_cursor(terminal) == chosen

        terminal.type("\x03")
        assert terminal.end() == 0
        assert terminal.is_restored()

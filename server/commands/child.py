"""A server as a child process on the loopback interface, for solo games and `manse demo`."""

import contextlib
import json
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from commands.faults import why_refused
from commands.speaking import LANGUAGES, CommandWords, words_of
from server.system.own_program import STATUS_IN_USE, command_of

STOP_SECONDS = 15
"""Seconds that the server may take to stop before it is killed; a kill loses nothing stored."""

_SERVE = "import sys; from server.commands.cli import serve; sys.exit(serve(sys.argv[1:]))"


class ServerDied(Exception):
    """The server did not start; the message is a sentence for the player."""


class ServerInUse(ServerDied):
    """Another server uses the folder."""


class ServerChild:
    """One server process; use it as a context manager."""

    def __init__(
        self,
        folder: Path,
        packs: Sequence[str] = (),
        words: CommandWords | None = None,
        meanwhile: Callable[[], object] = lambda: None,
    ) -> None:
        """
        Configure a server.

        Args:
            folder: folder of the database and the identity.
            packs: additional packs.
            words: language of the reason if the server does not start; None for English.
            meanwhile: called in this process while the server starts.
        """
        self._words = words or words_of("server", LANGUAGES[0])
        self._packs = packs
        self._meanwhile = meanwhile
        self.address = ""
        """`127.0.0.1:port`, once the server listens."""
        self.fingerprint = ""
        self._folder = folder
        self._log = folder / "server.log"
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        """Start the server and wait until it listens. Raises ServerDied or ServerInUse."""
        self._process = process = self._start()
        assert process.stdout is not None
        with contextlib.ExitStack() as on_a_fault:
            # `__exit__` does not run if this method raises, and the child would live on.
            on_a_fault.callback(self._stop, process)
            self._meanwhile()
            # The server prints one line, once it listens.
            line = process.stdout.readline()
            on_a_fault.pop_all()
        if not line:
            # It ended before it listened. Its log is the message.
            process.communicate(timeout=STOP_SECONDS)
            log = self._log.read_text(encoding="utf-8", errors="replace").strip()
            fault = ServerInUse if process.returncode == STATUS_IN_USE else ServerDied
            raise fault(log or self._words.say("any.silent_end"))
        told = json.loads(line)
        self.address = f"{told['host']}:{told['port']}"
        self.fingerprint = told["fingerprint"]
        return self

    def _start(self) -> "subprocess.Popen[str]":
        """Start the process. ServerDied: the folder cannot be created."""
        # Port 0: the system picks a free one, and the server's line names it.
        arguments = ["--host", "127.0.0.1", "--port", "0", "--json", "--folder", str(self._folder)]
        arguments += ["--language", self._words.language]
        for pack in self._packs:
            arguments += ["--pack", pack]
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = self._log.open("w", encoding="utf-8")
        except OSError as error:
            reason = why_refused(error, self._words.say)
            raise ServerDied(self._words.say("any.not_kept", self._folder, reason)) from error
        with file as log:
            # A session of its own, so that Ctrl-C reaches the player's client and not the server;
            # a pipe to its input, so that it ends even if we are killed.
            return subprocess.Popen(  # noqa: S603 (our own program)
                command_of(_SERVE, *arguments, "--stop-with-stdin"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
                # The log is a file, and files are UTF-8 on every machine.
                env={**os.environ, "PYTHONIOENCODING": "utf-8"},
                start_new_session=True,
            )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._stop(self._process)

    @property
    def has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def _stop(self, process: "subprocess.Popen[str]") -> None:
        process.terminate()
        try:
            # Reads what it still prints: a full pipe would keep it from ending.
            process.communicate(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()

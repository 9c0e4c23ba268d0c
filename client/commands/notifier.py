"""
The notifier: asks a server which tables await its player, and reports new questions to the player.

The notifier reports in the terminal, by a command of the player's, and by a webhook. For each check
it logs in, asks, and logs out. The notifier enters no table, so nobody at a table sees the player.
A file lists the reported questions, so that each question is reported once.
"""

# ruff: noqa: T201 (a command's output is what it prints)

import argparse
import json
import os
import shlex
import shutil
import sys
import urllib.request
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import attrs
from twisted.internet import reactor as _chosen
from twisted.internet.defer import Deferred
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread
from twisted.internet.utils import getProcessOutputAndValue

from client.locale import Locale
from client.net.asking import NotAnswered, ask
from client.net.connection import Trust
from client.settings.preferences import Preferences
from client.terminal.console import tell
from client.widgets.moments import moment
from commands.faults import why_refused
from commands.monotonic import measure_by_monotonic
from protocol.common.templates import Nickname
from protocol.invitation import Address
from protocol.keys import SigningKey
from protocol.messages import (
    Awaited,
    AwaitedLine,
    ClientMessage,
    ConfirmMail,
    ListAwaited,
    ServerMessage,
    SetMail,
    StopMail,
)

FILE: Final = "notified.json"
"""The file of reported questions: the time of each table's question, by server and table."""
STATUS_FAILED: Final = 1
STATUS_INTERRUPTED: Final = 130
_HELPER_SECONDS: Final = 30.0
"""Timeout of the player's command and of the webhook."""

# Twisted installs the reactor as a module, and does not say what types its utilities take.
_reactor: Any = _chosen
_output_of: Any = getProcessOutputAndValue


@attrs.frozen
class Server:
    """A server to ask, and the player's credentials for it."""

    address: Address
    trust: Trust
    key: SigningKey
    name: str
    locale: Locale

    async def ask(self, message: type[ClientMessage], *given: object) -> ServerMessage:
        """
        Send a request and return the reply.

        Raises:
            NotAnswered: the server refused the request, or sent no reply.
        """
        return await ask(
            *(_reactor, self.address, self.trust, self.locale),
            *(self.key, self.name, self.locale.language),
            lambda serial: message(serial, *given),
        )


@attrs.frozen
class Notifier:
    """A reporter of new questions to one player, in the terminal, by command and by webhook."""

    server: Server
    prefs: Preferences
    folder: Path
    is_json: bool

    async def do(self, options: argparse.Namespace, every: int) -> int:
        """
        Carry out the command line and return 0; without `--once` or a mail option, check for ever.

        Raises:
            NotAnswered: a single request failed; or, when checking for ever, a retry would not
                help.
        """
        if options.mail is not None or options.no_mail:
            key = "notify.mail_off" if options.no_mail else "notify.mail_sent"
            return await self._change(key, SetMail, "" if options.no_mail else options.mail)
        if options.code is not None:
            return await self._change("notify.mail_on", ConfirmMail, options.code.strip())
        if options.stop_mail is not None:
            return await self._change("notify.mail_stopped", StopMail, options.stop_mail.strip())
        if options.once:
            if not await self._check() and not self.is_json:
                tell(self._say("notify.nobody"))
            return 0
        if not self.is_json:
            tell(self._say("notify.watching", str(self.server.address), every))
        last = ""
        while True:
            try:
                await self._check()
                last = ""
            except NotAnswered as problem:
                if problem.is_final:
                    raise
                # A server that is down for a night is reported once.
                if str(problem) != last:
                    _tell_wrong(str(problem))
                last = str(problem)
            await deferLater(_reactor, every)

    async def _change(self, key: str, message: type[ClientMessage], given: str) -> int:
        await self.server.ask(message, given)
        if self.is_json:
            print(json.dumps({"done": key.partition(".")[2]}), flush=True)
        else:
            tell(self._say(key, given))
        return 0

    async def _check(self) -> bool:
        """Report new questions; return whether any table awaits the player."""
        reply = await self.server.ask(ListAwaited)
        assert isinstance(reply, Awaited)
        reported = Reported(self.folder / FILE, str(self.server.address))
        # A table that a client of the player shows now needs no report.
        fresh = reported.select_new(
            [line for line in reply.lines if not line.is_shown], reply.lines
        )
        if not fresh:
            return bool(reply.lines)
        said, locale = [], self.server.locale
        now = datetime.now(UTC).astimezone()
        for line in fresh:
            when = moment(locale, line.since, now)
            said.append(self._say("notify.table", Nickname(", ".join(line.names)), when))
        tables = [{"id": one.room_id, "names": one.names, "since": one.since} for one in fresh]
        found = {"server": str(self.server.address), "text": " ".join(said), "tables": tables}
        if self.is_json:
            print(json.dumps(found), flush=True)
        else:
            tell("\n".join(said))
        if self.prefs.notify_command:
            await self._run_command(" ".join(said))
        if self.prefs.notify_webhook:
            url = self.prefs.notify_webhook
            # In a thread, because urllib blocks.
            try:
                await deferToThread(post, url, json.dumps(found).encode())
            except (OSError, ValueError) as error:
                why = why_refused(error, self._say) if isinstance(error, OSError) else str(error)
                self._tell_failed("notify.webhook_failed", url, why)
        return True

    async def _run_command(self, text: str) -> None:
        """Run the player's command with the text as its last argument."""
        program, *more = shlex.split(self.prefs.notify_command)
        found = shutil.which(program)
        if found is None:
            self._tell_failed("notify.command_failed", program, self._say("fault.missing"))
            return
        # Without a shell: the text has the names of players, who may call themselves anything.
        running = _output_of(found, [*more, text], dict(os.environ), reactor=_reactor)
        try:
            _, errors, status = await running.addTimeout(_HELPER_SECONDS, _reactor)
        # A broken command must not stop the notifications of the next hours.
        except Exception as error:  # noqa: BLE001 (whatever their program does, we go on)
            self._tell_failed("notify.command_failed", program, type(error).__name__)
            return
        if status:
            why = errors.decode("utf-8", "replace").strip() or str(status)
            self._tell_failed("notify.command_failed", program, why)

    def _say(self, key: str, *params: str | int) -> str:
        return self.server.locale.say(key, *params)

    def _tell_failed(self, key: str, *params: str) -> None:
        _tell_wrong(self._say(key, *params))


def post(url: str, body: bytes) -> None:
    """
    Send JSON to a URL by HTTP.

    Raises:
        OSError: the webhook was not reached, or refused the request.
        ValueError: the URL or the reply is invalid.
    """
    headers = {"Content-Type": "application/json", "User-Agent": "manse-notify"}
    request = urllib.request.Request(url, data=body, headers=headers, method="POST")  # noqa: S310 (HTTP: the setting is checked)
    with urllib.request.urlopen(request, timeout=_HELPER_SECONDS):  # noqa: S310 (the same)
        pass


def _tell_wrong(said: str) -> None:
    tell(f"manse notify: {said}", sys.stderr)


@attrs.define(eq=False)
class Reported:
    """The file that lists the reported questions of one server, for later runs."""

    path: Path
    server: str

    def select_new(
        self, lines: Sequence[AwaitedLine], waiting: Sequence[AwaitedLine]
    ) -> list[AwaitedLine]:
        """
        Return the lines that were not reported before, and store them as reported.

        Args:
            lines: the tables to report.
            waiting: all tables that await the player. The file forgets all other tables.
        """
        try:
            every = json.loads(self.path.read_text("utf-8-sig"))
        except (OSError, ValueError):
            # A convenience: a missing file means that nothing was reported.
            every = {}
        every = every if isinstance(every, dict) else {}
        before = every.get(self.server)
        before = before if isinstance(before, dict) else {}
        # A later question at the same table has another time, so it is reported too.
        fresh = [line for line in lines if before.get(line.room_id) != line.since]
        now = {one.room_id: one.since for one in waiting if before.get(one.room_id) == one.since}
        every[self.server] = now | {line.room_id: line.since for line in fresh}
        if every[self.server] != before:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Written beside and renamed: two runs may overlap.
            draft = self.path.with_name(f".{self.path.name}.{os.getpid()}")
            draft.write_text(json.dumps(every) + "\n", "utf-8")
            draft.replace(self.path)
        return fresh


def live(notifier: Notifier, options: argparse.Namespace, every: int) -> int:
    """Run a notifier until the notifier ends or is interrupted; return the exit status."""
    ended: list[Any] = []

    def end(result: Any) -> None:
        ended.append(result)
        if _reactor.running:
            _reactor.stop()

    def begin() -> None:
        _ = Deferred.fromCoroutine(notifier.do(options, every)).addBoth(end)

    measure_by_monotonic(_reactor)
    _reactor.callWhenRunning(begin)
    _reactor.run()
    # Only a signal stops the reactor before the command has ended.
    if not ended:
        return STATUS_INTERRUPTED
    [result] = ended
    if isinstance(result, int):
        return result
    if result.check(NotAnswered) is None:
        result.raiseException()
    _tell_wrong(result.getErrorMessage())
    return STATUS_FAILED

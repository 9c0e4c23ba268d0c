"""
Reloading: a running server reads settings and certificate again without closing connections.

Everything is read before any of it is used, so that a fault changes nothing. SIGHUP triggers a
reload. The system sends the same signal when the terminal of the server is closed; then the server
ends.
"""

import contextlib
import os
import signal
from collections.abc import Callable
from typing import Any, Final

from twisted.logger import Logger

from commands.speaking import CommandWords
from server.identity.files import UnusableFile
from server.process.app import Config, Server, certificate_of, opening_of
from server.process.configuration import BadConfiguration, Configuration

_TERMINAL: Final = "/dev/tty"


class Reloader:
    """Reloads one server."""

    _log = Logger()

    def __init__(
        self,
        server: Server,
        chosen: Configuration,
        read: Callable[[], Configuration],
        words: CommandWords,
        *,
        with_reloaded: Callable[[Config, Configuration], Config],
        explain: Callable[[UnusableFile], str],
        when_used: Callable[[Configuration], None],
    ) -> None:
        """
        Prepare to reload.

        Args:
            server: the running server.
            chosen: its present configuration.
            read: reads the new configuration. Raises BadConfiguration.
            words: language of error messages.
            with_reloaded: returns a `Config` with the settings that a reload changes.
            explain: returns a sentence for a file that cannot be used.
            when_used: called with the new configuration once the server uses it.
        """
        self._server = server
        self._chosen = chosen
        self._read = read
        self._words = words
        self._with_reloaded = with_reloaded
        self._explain = explain
        self._when_used = when_used

    def reload(self) -> bool:
        """Read everything again and use it; return False if it cannot be used."""
        try:
            read = self._read()
            # What needs a restart keeps its value, so that each reload reports it until the
            # restart.
            chosen = read.with_unreloaded_of(self._chosen)
            config = self._with_reloaded(self._server.config, chosen)
            certificate, opening = certificate_of(config), opening_of(config)
        except BadConfiguration as bad:
            self._refuse("; ".join(bad.said(self._words)))
            return False
        except UnusableFile as fault:
            self._refuse(self._explain(fault))
            return False
        self._server.apply_settings(config, certificate, opening)
        changed = ", ".join(one.path for one in chosen.changed_since(self._chosen))
        waits = ", ".join(one.path for one in read.changed_since(chosen))
        self._log.info(
            "settings and certificate were read again; changed: {changed}",
            changed=changed or "no setting",
            notice=True,
        )
        if waits:
            self._log.warn("only a restart changes: {waits}", waits=waits)
        self._chosen = chosen
        self._when_used(chosen)
        return True

    def _refuse(self, why: str) -> None:
        self._log.warn("nothing was changed, the settings cannot be used: {why}", why=why)


def on_hangup(reactor: Any, reload: Callable[[], object], stop: Callable[[], object]) -> None:
    """
    Handle SIGHUP: stop if our terminal is gone, otherwise reload. Does nothing outside POSIX.

    Args:
        reactor: Twisted's reactor, which calls `reload` and `stop`.
        reload: reloads the settings.
        stop: ends the server.
    """
    if not hasattr(signal, "SIGHUP"):
        return
    had_terminal = _has_terminal()

    def hung_up(*_: object) -> None:
        is_gone = had_terminal and not _has_terminal()
        # Inside a signal handler nothing else of the reactor may be called.
        reactor.callFromThread(stop if is_gone else reload)

    # An ignored signal (nohup) means that the server is to outlive the terminal.
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        had_terminal = False
    signal.signal(signal.SIGHUP, hung_up)


def _has_terminal() -> bool:
    with contextlib.suppress(OSError):
        os.close(os.open(_TERMINAL, os.O_RDONLY | os.O_NOCTTY))
        return True
    return False

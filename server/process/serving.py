"""Serving: the life of the server process, from the reactor's start to its end."""

import argparse
import json
import signal
import sys
import threading
from typing import IO, Any

import attrs
from twisted.internet import reactor
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.error import CannotListenError
from twisted.logger import Logger, LogLevel
from twisted.python.failure import Failure

from commands.monotonic import measure_by_monotonic
from commands.speaking import CommandWords
from commands.streams import OutputLost
from content.reading.mistakes import ContentErrors
from protocol.common.visible import visible
from server.identity.files import UnusableFile
from server.lobby.tables.opening_policy import Opening, OpeningDefaults
from server.lobby.tables.retention import Retention
from server.net.addresses import is_loopback
from server.process.app import Config, Server, open_server
from server.process.configuration import BadConfiguration, Configuration, configuration, given_by
from server.process.reloading import Reloader, on_hangup
from server.storage import StorageError, StoreLocked
from server.storage.worker import wait_briefly
from server.system.command_line import default_folder
from server.system.faults import CopyTeller, in_words
from server.system.garbage import CollectionPlan, freeze
from server.system.logs import Log, begin_logging
from server.system.loop_monitor import LoopMonitor
from server.system.made_up_user import made_up_user
from server.system.notifying import ServiceManager
from server.system.open_files import SPARE, allow_open_files, limits_of_this_process
from server.system.own_program import STATUS_BAD_SETTINGS, STATUS_IN_USE

EXPECTED = (UnusableFile, StorageError, ContentErrors, CannotListenError)
"""Faults that a person can fix: printed as a sentence, without a traceback."""


def run(options: argparse.Namespace, output: IO[str], words: CommandWords) -> int:
    """
    Serve until stopped.

    Args:
        options: options of `manse serve`; None for those that were not given.
        output: gets the address once the server listens.
        words: language of messages.

    Returns:
        The exit status: 0, STATUS_BAD_SETTINGS if settings or a file that they name cannot be used,
            STATUS_IN_USE if another server uses the folder, 1 if the server failed otherwise.

    Raises:
        OutputLost: the address could not be written.
    """
    try:
        chosen = configured(options)
    except BadConfiguration as bad:
        tell_bad(bad, words)
        return STATUS_BAD_SETTINGS
    measure_by_monotonic(reactor)
    log = begin_logging(sys.stderr, level_of(chosen), as_json=chosen["logs.json"])
    life = _Life(options, chosen, output, words, reactor, log)
    life.run()
    if life.lost is not None:
        raise life.lost
    return life.status


def configured(options: argparse.Namespace) -> Configuration:
    """Return the configuration by file and command line. Raises BadConfiguration."""
    return configuration(given_by(options), options.config, default_folder())


def level_of(chosen: Configuration) -> Any:
    """Return the minimum level of the log."""
    return LogLevel.info if chosen["logs.verbose"] else LogLevel.warn


def tell_bad(bad: BadConfiguration, words: CommandWords) -> None:
    for sentence in bad.said(words):
        print(f"manse serve: {sentence}", file=sys.stderr)  # noqa: T201


def with_reloaded(config: Config, chosen: Configuration) -> Config:
    """Return `config` with the chosen values of settings that a reload changes."""
    return attrs.evolve(
        config,
        name=chosen["server.name"],
        public_address=chosen["server.public_address"],
        certificate=chosen["server.certificate"],
        certificate_key=chosen["server.certificate_key"],
        limits=chosen.limits,
        disk_low_mb=chosen["server.disk_low_mb"],
        games=chosen["server.games"],
        retention=_retention_of(chosen),
        **_opening_of(chosen),
    )


def config_of(chosen: Configuration, options: argparse.Namespace) -> Config:
    return Config(
        folder=chosen["server.folder"],
        host=chosen["server.host"],
        port=chosen["server.port"],
        name=chosen["server.name"],
        public_address=chosen["server.public_address"],
        certificate=chosen["server.certificate"],
        certificate_key=chosen["server.certificate_key"],
        proxies=chosen["server.proxies"],
        limits=chosen.limits,
        games=chosen["server.games"],
        packs=chosen["server.packs"],
        may_make_database=options.new_database,
        may_change_identity=options.new_identity,
        disk_low_mb=chosen["server.disk_low_mb"],
        retention=_retention_of(chosen),
        mail=chosen.mail,
        **_opening_of(chosen),
        has_admin_socket=True,
        cache=options.cache,
    )


def _retention_of(chosen: Configuration) -> Retention:
    return Retention(
        finished_days=chosen["retention.finished_days"],
        abandoned_days=chosen["retention.abandoned_days"],
        campaigns=chosen["retention.campaigns"],
    )


def _opening_of(chosen: Configuration) -> dict[str, Any]:
    """Return the fields of `Config` about opening tables, by name."""
    return {
        "opening": OpeningDefaults(
            Opening(chosen["opening.who"]),
            chosen["opening.tables_per_key"],
            chosen["opening.tables_per_address"],
            chosen["opening.listed"],
        ),
        "password_file": chosen["opening.password_file"],
        "paces": chosen.paces,
    }


class _Life:
    """Life cycle of the server process: start, serve, stop."""

    _log = Logger()

    def __init__(
        self,
        options: argparse.Namespace,
        chosen: Configuration,
        output: IO[str],
        words: CommandWords,
        reactor: object,
        log: Log | None = None,
    ) -> None:
        self.status = 0
        self.lost: OutputLost | None = None
        """Set if the address could not be announced."""
        self._is_stopping = False
        self._options = options
        self._chosen = chosen
        self._output = output
        self._words = words
        # The reactor module is typed as whatever Twisted installed.
        self._reactor: Any = reactor
        self._server: Server | None = None
        self._collections: CollectionPlan | None = None
        self._reloader: Reloader | None = None
        """Set from the first accepted player until shutdown begins."""
        self._manager = ServiceManager.of_this_process(self._reactor)
        self._pages: Any = None
        """Listening port of the metrics."""
        self._log_form = log or Log(level_of(chosen))
        self._monitor = LoopMonitor(self._reactor)

    def run(self) -> None:
        wait_briefly()
        self._reactor.callWhenRunning(self._begin)
        self._reactor.addSystemEventTrigger("before", "shutdown", self._end)
        on_hangup(self._reactor, self._reload, self._stop_once)
        self._reactor.run()

    def _reload(self) -> None:
        """Reload settings and certificate. During the start do nothing: the start reads them."""
        if self._reloader is not None:
            self._manager.reloading()
            self._reloader.reload()
            self._manager.ready()

    def _apply_to_process(self, chosen: Configuration) -> None:
        """Apply reloaded settings of the process: logs and open files."""
        self._log_form.least, self._log_form.as_json = level_of(chosen), chosen["logs.json"]
        self._allow_connections(chosen.limits.places.connections)

    def _begin(self) -> None:
        # Only now: Twisted installs its own handlers first, which fail at a second signal.
        for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
            number = getattr(signal, name, None)
            # A signal that a shell ignores for background jobs stays ignored.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._signalled)
        _ = Deferred.fromCoroutine(self._start()).addErrback(self._failed)

    async def _measure(self, server: Server) -> None:
        """Serve metrics, if they are on. CannotListenError: their port is in use."""
        port = self._chosen["metrics.port"]
        if not port:
            return
        # Only now: most servers have no metrics.
        from server.process.metrics import Metrics, site  # noqa: PLC0415
        from server.process.readings import readings_of  # noqa: PLC0415

        metrics = Metrics()
        metrics.watch(readings_of(server, self._monitor))
        server.lobby.replies.counts = metrics
        server.listener.traffic.when_refused = metrics.refused
        pages = site(metrics, lambda: self._reloader is not None, self._reactor)
        host = self._chosen["metrics.host"]
        self._pages = self._reactor.listenTCP(port, pages, interface=host)
        if not is_loopback(host):
            self._log.warn("everybody who reaches {host} can read the metrics", host=host)

    async def _start(self) -> None:
        options = self._options
        config = config_of(self._chosen, options)
        for path in self._chosen.gone:
            self._log.warn(
                "{setting} does nothing any more: there are no worker processes; remove it",
                setting=path,
            )
        if config.mail_names_no_address:
            self._log.warn("mails name 127.0.0.1 as the server's address: set public_address")
        if (user := made_up_user()) is not None:
            self._log.warn(
                "the server runs as user {user}, a number that systemd made up and may give to"
                " another service later: what is moved out of its folder, such as a backup, needs"
                " another owner (chown), or create the user that its unit names",
                user=user,
            )
        self._allow_connections(config.limits.places.connections)
        self._server = server = await open_server(
            config,
            self._reactor,
            when_loaded=freeze,
            when_lost=self._lost,
            when_drained=self._stop_once,
            note=self._monitor.note,
            told_of_copy=CopyTeller(sys.stderr, self._words),
        )
        self._collections = CollectionPlan(self._reactor, lambda: server.lobby.is_quiet)
        self._collections.start()
        await self._measure(server)
        await server.start()
        self._monitor.start()
        self._reloader = Reloader(
            server,
            self._chosen,
            lambda: configured(options),
            self._words,
            with_reloaded=with_reloaded,
            explain=lambda fault: in_words(fault, self._words),
            when_used=self._apply_to_process,
        )
        announce(server, self._output, self._words, as_json=options.json)
        self._manager.ready()
        if options.stop_with_stdin:
            threading.Thread(target=self._watch_stdin, daemon=True).start()

    def _allow_connections(self, count: int) -> None:
        allowed = allow_open_files(count + SPARE, limits_of_this_process())
        if allowed < count + SPARE:
            self._log.warn(
                "no more than {allowed} files can be open at once, too few for {count} connections;"
                " raise the limit (ulimit -Hn)",
                allowed=allowed,
                count=count,
            )

    def _watch_stdin(self) -> None:
        """Stop at the end of standard input: the process that started this one is gone."""
        # Blocks until the other process is gone.
        sys.stdin.read()
        self._reactor.callFromThread(self._stop_once)

    def _signalled(self, *_: object) -> None:
        self._reactor.callFromThread(self._stop_once)

    def _stop_once(self) -> None:
        """End the process, if it is not ending already."""
        if self._reactor.running and not self._is_stopping:
            self._is_stopping = True
            self._reactor.stop()

    def _lost(self, error: StorageError) -> None:
        """End the process with a fault: the database file is gone, so nothing can be stored."""
        failure: Any = Failure
        self._failed(failure(error))

    def _failed(self, failure: Failure) -> None:
        self.status = self._status_of(failure.value)
        if isinstance(failure.value, OutputLost):
            self.lost = failure.value
            self._stop_once()
            return
        try:
            if isinstance(failure.value, EXPECTED):
                told = f"manse serve: {in_words(failure.value, self._words)}"
            else:
                told = failure.getTraceback()
            # A pack's mistakes quote what its author wrote.
            print(*map(visible, told.split("\n")), sep="\n", file=sys.stderr)  # noqa: T201
        except (OSError, ValueError):
            # Nobody can be told: the disk of the log is full, or its reader is gone.
            pass
        finally:
            self._stop_once()

    def _status_of(self, fault: BaseException | None) -> int:
        if isinstance(fault, StoreLocked):
            return STATUS_IN_USE
        chosen = self._chosen
        named = (
            chosen["server.certificate"],
            chosen["server.certificate_key"],
            chosen["opening.password_file"],
            chosen.mail.password_file,
        )
        is_named = isinstance(fault, UnusableFile) and any(
            str(param) == str(path) for param in fault.params for path in named if path is not None
        )
        return STATUS_BAD_SETTINGS if is_named or isinstance(fault, ContentErrors) else 1

    def _end(self) -> Deferred[None]:
        return Deferred.fromCoroutine(self._stop())

    async def _stop(self) -> None:
        # From here on SIGHUP does nothing and `/ready` says that the server is not ready.
        self._reloader = None
        self._manager.stopping()
        if self._pages is not None:
            await maybeDeferred(self._pages.stopListening)
        self._monitor.stop()
        if self._collections is not None:
            self._collections.stop()
        if self._server is not None and self._server.address is not None:
            await self._server.stop()


def announce(server: Server, output: IO[str], words: CommandWords, *, as_json: bool) -> None:
    """Print address and fingerprint as JSON, or in words with a warning if all may open tables."""
    host, port = server.address.host, server.address.port
    if as_json:
        line = {"host": host, "port": port, "fingerprint": server.fingerprint}
        print(json.dumps(line), file=output, flush=True)
        return
    shown = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    public = server.config.public_address
    if public:
        shown = words.say("serve.reached", shown, public)
    is_for_all = server.lobby.openers.policy.opening is Opening.EVERYBODY
    told = (server.config.name, shown, server.fingerprint, server.config.folder)
    print(words.say("serve.listens", *told), file=output, flush=True)
    if is_for_all and not is_loopback(host):
        print(words.say("serve.open_to_all"), file=output, flush=True)

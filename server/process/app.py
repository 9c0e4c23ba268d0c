"""Composition of the server: the only place that chooses reactor, store, entropy and clock."""

import datetime as dt
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from twisted.internet.endpoints import TCP4ServerEndpoint, TCP6ServerEndpoint
from twisted.internet.threads import deferToThreadPool

from protocol.bounds import MAX_PASSWORD
from protocol.invitation import DEFAULT_PORT
from protocol.keys import SigningKey, fingerprint, fingerprint_text
from protocol.plain_text import clean
from server.admin.act_log import FILE_NAME as ACT_LOG
from server.admin.act_log import ActLog
from server.admin.acts import Acts
from server.admin.bans import Bans
from server.admin.desk import AdminDesk
from server.admin.drain import Drain
from server.admin.port import AdminPort
from server.admin.view import View
from server.identity.certificate import FILE_NAME as CERTIFICATE_FILE
from server.identity.certificate import (
    Certificate,
    not_for_tls,
    operators_certificate,
    own_certificate,
)
from server.identity.files import UnusableFile, read_secret
from server.identity.identity import load_identity
from server.identity.pairing import must_have_database, must_have_identity, pair
from server.lobby.lobby import Lobby
from server.lobby.requests.pace import Paces
from server.lobby.rooms.scrub import Scrub
from server.lobby.services.disk import DiskWatermark
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.opening import FEWEST_LETTERS
from server.lobby.tables.opening_policy import OpeningDefaults
from server.lobby.tables.retention import Retaining, Retention
from server.mail.settings import MailSettings
from server.net.addresses import Network
from server.net.context import SessionContext
from server.net.handler import Account, SessionHandler
from server.net.limits import Limits
from server.net.listener import Listener
from server.net.scheduling import FairScheduler
from server.net.tls import ServerTls, read_exporter, tls_fault
from server.packs.compiled import CompiledPacks
from server.packs.shelf import PackShelf
from server.storage import StorageError, database
from server.storage.database import ToldOfCopy, tell_nobody
from server.storage.sqlite import SqliteStore
from server.system.entropy import SystemEntropy
from server.system.loop_monitor import NotingHandler, NotingReactor
from server.system.steady_time import SteadyTime

if TYPE_CHECKING:
    from server.mail.postman import Postman
    from server.process.bot_session import BotSession

DATABASE = database.FILE_NAME

MB = 1_000_000
"""One megabyte (decimal), in bytes."""
_BACKLOG = 1024
"""Connections that the system queues until the server accepts them. A flood must not fill the
queue: a client that finds the queue full retries only after a second."""


@attrs.frozen
class Config:
    """Settings of one server."""

    folder: Path
    """Folder of identity, certificate and database."""
    host: str = "0.0.0.0"  # noqa: S104 (a server for friends listens to the network)
    port: int = DEFAULT_PORT
    name: str = "Manse"
    public_address: str = ""
    """`host:port` in invitations; if empty, invitations have the address that the client used."""
    certificate: Path | None = None
    certificate_key: Path | None = None
    proxies: tuple[Network, ...] = ()
    """Networks of trusted proxies, whose headers are believed."""
    limits: Limits = attrs.field(factory=Limits)
    games: tuple[str, ...] = ()
    """Games that new tables may play; empty for all that are installed."""
    packs: tuple[str, ...] = ()
    """Folders or zips of packs beside the bundled ones."""
    may_make_database: bool = False
    """True if a new database may be made beside an existing identity."""
    may_change_identity: bool = False
    """True if the identity may differ from the identity that the database knows."""
    has_admin_socket: bool = False
    """True if the server listens for operators on a socket in its folder."""
    disk_low_mb: int = 256
    """
    Free megabytes of disk below which no new table is opened; 0 for no limit. This space is a
    reserve for open tables.
    """
    retention: Retention = attrs.field(factory=Retention)
    """Retention periods of tables; by default tables are kept for ever."""
    mail: MailSettings = attrs.field(factory=MailSettings)
    """Settings of the relay that sends mail to absent players; without a host the server sends no
    mail."""
    opening: OpeningDefaults = attrs.field(factory=OpeningDefaults)
    """Policy of opening tables if `manse admin` has chosen none; without the password."""
    password_file: Path | None = None
    """File whose first line is the password for opening tables."""
    paces: Paces = attrs.field(factory=Paces)
    """Budgets of one address."""
    cache: Path | None = None
    """Folder of the cache of parsed packs; None for no cache."""

    @property
    def mail_names_no_address(self) -> bool:
        """True if mail is sent although no public address is set, which mails would name."""
        return self.mail.is_set and not self.public_address


@attrs.define(eq=False)
class Server:
    """A running server. `open_server` makes one."""

    config: Config
    identity: SigningKey
    store: SqliteStore
    lobby: Lobby
    listener: Listener
    time: SteadyTime
    retaining: Retaining
    scrub: Scrub
    tls: ServerTls
    disk: DiskWatermark
    admin: AdminDesk
    admin_port: AdminPort | None = None
    postman: "Postman | None" = None
    """Sends mail; None if no relay is set."""
    address: Any = None
    """Address that the server listens on, once started."""

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the identity, as people compare it."""
        return fingerprint_text(fingerprint(self.identity.public))

    async def start(self) -> None:
        """
        Start timers, then listen to players and operators.

        Fails with Twisted's CannotListenError.
        """
        self.time.start()
        self.retaining.start()
        self.scrub.start()
        self.address = await self.listener.start()
        self.admin.acts.view.address = f"{self.address.host}:{self.address.port}"
        if self.admin_port is not None:
            self.admin_port.start()

    def apply_settings(
        self, config: Config, certificate: Certificate, opening: OpeningDefaults
    ) -> None:
        """
        Apply reloaded settings without closing connections.

        Args:
            config: the new settings; settings that only a restart changes have their old values.
            certificate: for new connections.
            opening: policy of opening tables by these settings, with the password.
        """
        if config.games != self.config.games:
            # Detached: it may have to read the packs of a game, and to store their files.
            run_detached(self.lobby.services.shelf.offer(config.games, self.store))
        self.config = config
        self.tls.renew(certificate)
        self.listener.apply_settings(config.limits, config.name, config.public_address)
        self.disk.low = config.disk_low_mb * MB
        self.retaining.apply_settings(config.retention)
        self.lobby.pace.replace(config.paces)
        # Detached: it may have to hash a password, and to store that.
        run_detached(self.lobby.openers.apply_settings(opening))

    async def stop(self) -> None:
        """Close all connections, finish writing, and close the store."""
        self.lobby.registry.snapshots.stop()
        # Connections end first, so that nothing new arrives; the store closes last.
        self.admin.acts.drain.stop()
        if self.admin_port is not None:
            await self.admin_port.stop()
        await self.listener.stop()
        if self.postman is not None:
            self.postman.stop()
        self.time.stop()
        self.retaining.stop()
        self.scrub.stop()
        self.lobby.close()
        await self.store.close()


async def open_server(
    config: Config,
    reactor: Any,
    *,
    when_loaded: Callable[[], None] = lambda: None,
    when_lost: Callable[[StorageError], None] = lambda _: None,
    when_drained: Callable[[], None] = lambda: None,
    note: Callable[[str], None] = lambda _: None,
    told_of_copy: ToldOfCopy = tell_nobody,
) -> Server:
    """
    Compose a server and read the state that its store holds.

    Args:
        config: the operator's settings.
        reactor: Twisted's reactor.
        when_loaded: called once all packs are loaded, before any room is.
        when_lost: ends the server; called when the database file is gone from its path.
        when_drained: ends the server; called when draining is done.
        note: called with the name of each message and of each call of the reactor, just before the
            server handles it.
        told_of_copy: called with the progress of the copy that is made of an older release's
            database before its migration.

    Raises:
        UnusableFile: identity, certificate or the relay's password cannot be used.
        StorageError: the database cannot be opened; the message says what to do.
        ContentErrors: a pack cannot be used.
    """
    # Before anything is opened: a mail that cannot be sent is found too late.
    config.mail.password()
    reactor = NotingReactor(reactor, note)
    entropy, steady = SystemEntropy(), SteadyTime(reactor)
    store = _open_store(config, reactor, told_of_copy)
    store.when_moved = when_lost
    identity = await _identity(config, store, entropy)
    certificate, opening = certificate_of(config), opening_of(config)
    compiled = CompiledPacks(config.cache)
    shelf = PackShelf(compiled.load, games=config.games)
    await shelf.load(store)
    for name in config.packs:
        # Only now: most servers have no pack of their own.
        from server.packs import sandbox  # noqa: PLC0415

        found = sandbox.judged(name, compiled.has)
        await shelf.keep(found.pack_id, found.files, store)
    shelf.prepare()
    when_loaded()
    disk = DiskWatermark(lambda: shutil.disk_usage(config.folder).free, config.disk_low_mb * MB)
    scheduler = FairScheduler(reactor)
    services = LobbyServices(
        store=store,
        shelf=shelf,
        clock=reactor,
        now=steady.now,
        entropy=entropy,
        make_bot=_bot_maker(reactor, entropy),
        aside=lambda work: deferToThreadPool(reactor, reactor.getThreadPool(), work),
        disk=disk,
        scheduler=scheduler,
    )
    bans = Bans(store)
    await bans.load()
    lobby = Lobby(services, sign=identity.sign, public=identity.public)
    await lobby.load()
    postman = await _postman(config, services, lobby, identity)
    lobby.pace.replace(config.paces)
    await lobby.openers.apply_settings(opening)
    context = SessionContext(
        identity=identity,
        handler=NotingHandler(lobby.sessions, note),
        clock=reactor,
        new_bytes=entropy.draw,
        read_exporter=read_exporter,
        server_name=config.name,
        public_address=config.public_address,
        limits=config.limits,
        refusal_of=bans.refusal,
        scheduler=scheduler,
    )
    tls = ServerTls.with_certificate(certificate)
    listener = Listener(_endpoint(config, reactor), tls, context, config.proxies)
    view = _view(config, identity, lobby, listener)
    drain = Drain(view, reactor, when_drained)
    view.seconds_left = lambda: drain.seconds_left
    acts = Acts(view, bans, drain, partial(_back_up, store, config.folder), steady.now)
    admin = AdminDesk(acts, ActLog(config.folder / ACT_LOG, steady.now))
    port = AdminPort(config.folder, reactor, admin.answer) if config.has_admin_socket else None
    retaining = Retaining(
        services, lobby.registry, config.retention, shelf.parts_of_campaigns, lobby.lost
    )
    scrub = Scrub(services, lobby.registry)
    parts = (config, identity, store, lobby, listener, steady, retaining, scrub, tls, disk)
    return Server(*parts, admin, port, postman)


async def _postman(
    config: Config, services: LobbyServices, lobby: Lobby, identity: SigningKey
) -> "Postman | None":
    """Start and return the sender of mail; None if no relay is set."""
    if not config.mail.is_set:
        return None
    # Only now: most servers write no mail.
    from server.mail.letters import Writer  # noqa: PLC0415
    from server.mail.postman import Postman  # noqa: PLC0415
    from server.mail.relay import Relay  # noqa: PLC0415

    address = config.public_address or f"127.0.0.1:{config.port}"
    known_by = fingerprint_text(fingerprint(identity.public))
    writer = Writer(config.mail.sender, config.name, address, known_by)
    postman = Postman(services, lobby, config.mail, Relay(config.mail, services.clock), writer)
    lobby.mail.mailing = postman.book
    await postman.start()
    return postman


async def _back_up(store: SqliteStore, folder: Path, target: Path) -> None:
    # Only now: most runs of a server make no backup by themselves.
    from server.upkeep.saving import back_up  # noqa: PLC0415

    await back_up(store, folder, target)


def _view(config: Config, identity: SigningKey, lobby: Lobby, listener: Listener) -> View:
    known_by = fingerprint_text(fingerprint(identity.public))
    return View(config.name, known_by, lobby, listener, config.folder / DATABASE)


def _open_store(config: Config, reactor: Any, told: ToldOfCopy) -> SqliteStore:
    path = config.folder / DATABASE
    if not config.may_make_database:
        must_have_database(config.folder, path)
    return SqliteStore.open(path, reactor.callFromThread, told=told)


async def _identity(config: Config, store: SqliteStore, entropy: SystemEntropy) -> SigningKey:
    """Load the identity, and check that it belongs to the store."""
    try:
        if not config.may_change_identity:
            await must_have_identity(config.folder, store)
        identity = load_identity(config.folder, entropy.draw)
        await pair(config.folder, store, identity, is_new=config.may_change_identity)
    except UnusableFile:
        await store.close()
        raise
    return identity


def opening_of(config: Config) -> OpeningDefaults:
    """Return the settings' policy with the password. UnusableFile: its file cannot be used."""
    path = config.password_file
    if path is None:
        return config.opening
    try:
        # Bytes that are no UTF-8 raise no error: its message would quote part of the password.
        text = read_secret(path).decode("utf-8-sig", "replace")
    except OSError as error:
        raise UnusableFile(f"{path} cannot be read: {error}", "unreadable", path, error) from error
    password = clean(text.partition("\n")[0])
    if not FEWEST_LETTERS <= len(password) <= MAX_PASSWORD:
        sizes = FEWEST_LETTERS, MAX_PASSWORD
        reason = f"the password in {path} has to have {sizes[0]} to {sizes[1]} characters"
        raise UnusableFile(reason, "password", path, *sizes)
    return attrs.evolve(config.opening, password=password)


def certificate_of(config: Config) -> Certificate:
    """Return the certificate, created on demand. UnusableFile: its file cannot be used."""
    if config.certificate is not None and config.certificate_key is not None:
        path = config.certificate
        found = operators_certificate(path, config.certificate_key)
    else:
        path = config.folder / CERTIFICATE_FILE
        found = own_certificate(config.folder, dt.datetime.now(dt.UTC))
    if fault := tls_fault(found):
        raise not_for_tls(path, fault)
    return found


def _endpoint(config: Config, reactor: Any) -> Any:
    make = TCP6ServerEndpoint if ":" in config.host else TCP4ServerEndpoint
    return make(reactor, config.port, backlog=_BACKLOG, interface=config.host)


def _bot_maker(reactor: Any, entropy: SystemEntropy) -> Callable[..., "BotSession"]:
    def make_bot(key: bytes, name: str, room_id: str, handler: SessionHandler) -> "BotSession":
        # A bot is a client, which a server without bots does not need.
        from server.process.bot_session import BotSession  # noqa: PLC0415

        return BotSession(Account(key, name, "en"), room_id, handler, reactor, entropy)

    return make_bot

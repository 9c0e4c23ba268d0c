"""The context of sessions: settings, seams and counters that one listener's sessions share."""

from collections.abc import Callable

import attrs

from protocol.keys import SigningKey
from protocol.seams import Clock
from server.net.gate import Refusal
from server.net.handler import SessionHandler
from server.net.limits import Limits
from server.net.outbox import Backlog
from server.net.scheduling import FairScheduler
from server.net.shared_encoding import SharedEncoding
from server.net.standstill import Standstill


@attrs.define(eq=False)
class Traffic:
    """Total bytes of frames on all connections, before TLS."""

    received: int = 0
    sent: int = 0
    when_refused: Callable[[str], None] = lambda _: None
    """Called with the code of each refused login, and of each fault that ends a session."""


@attrs.frozen
class SessionContext:
    """Settings, seams and counters that all sessions of one listener share."""

    identity: SigningKey
    handler: SessionHandler
    clock: Clock
    new_bytes: Callable[[int], bytes] = attrs.field(repr=False)
    """Entropy source: returns the given number of random bytes."""
    read_exporter: Callable[[object], bytes] = attrs.field(repr=False)
    server_name: str = "Manse"
    public_address: str = ""
    """`host:port` for invitations; empty if unknown."""
    limits: Limits = attrs.field(factory=Limits)
    refusal_of: Callable[[bytes, str], Refusal | None] = lambda _key, _address: None
    """Returns the refusal of a banned key or address; None if neither is banned."""
    scheduler: FairScheduler = attrs.field()
    standstill: Standstill = attrs.field()
    traffic: Traffic = attrs.field(factory=Traffic, kw_only=True)
    encoding: SharedEncoding = attrs.field(factory=SharedEncoding, kw_only=True)

    @scheduler.default
    def _own_scheduler(self) -> FairScheduler:
        return FairScheduler(self.clock)

    @standstill.default
    def _new_standstill(self) -> Standstill:
        return Standstill(self.clock)

    backlog: Backlog = attrs.field()
    """Bytes queued for slow readers by all sessions together."""

    @backlog.default
    def _new_backlog(self) -> Backlog:
        return Backlog(self.limits.queue_bytes_in_all)

    def with_settings(
        self, limits: Limits, server_name: str, public_address: str
    ) -> "SessionContext":
        """
        Return a context for new sessions with other settings and the same budgets and counters.

        The bound on the bytes queued for all slow readers changes at once, for present sessions
        too.
        """
        self.backlog.max_bytes = limits.queue_bytes_in_all
        return attrs.evolve(
            self, limits=limits, server_name=server_name, public_address=public_address
        )

"""
Requests and replies between an operator's command and the server.

Each request gets one reply: the one named in its docstring, or `No`. On the socket each is a
frame (`protocol.frames`) of an array of its tag and its fields, in the canonical encoding;
anything else is Malformed. No report holds a secret of a game, or a code that opens anything.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform

import attrs
from attrs.validators import and_, ge, le, max_len, min_len

from protocol import codec
from protocol.bounds import COUNT, ID, MAX_PASSWORD
from protocol.common.table import Stage
from protocol.errors import Malformed, UnknownTag
from protocol.frames import LIMIT_AFTER_LOGIN, encode_frame
from protocol.plain_text import check_plain
from server.lobby.tables.opening_policy import Opening

C = TypeVar("C", bound=type)

MAX_LINES = 50
"""Maximum number of lines in one report; a client asks for the next page with `after`."""
MAX_ITEMS = 4096
"""Maximum number of items in all arrays of a request or report together."""
MAX_MINUTES = 7 * 24 * 60
"""Longest drain, in minutes."""
MAX_PATH = 4096
"""Maximum length of a path, in characters."""
MAX_TEXT = 200
"""Maximum length of a text, in characters."""
MAX_QUOTA = 1_000_000
"""Highest quota, in tables."""
SETTINGS = "settings"
"""Argument of `manse admin opening` that restores the settings."""

TEXT: Any = max_len(MAX_TEXT)
QUOTA: Any = and_(ge(0), le(MAX_QUOTA))
LINE: Any = and_(TEXT, check_plain)
"""Validator of a line that people read."""
_LINES: Any = max_len(MAX_LINES)


class Said:
    """A request or a reply. Subclasses are declared with `said`."""

    tag: ClassVar[str]


_KINDS: dict[str, type[Said]] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def said(tag: str) -> Callable[[C], C]:
    """
    Declare a request or a reply: the class becomes a frozen attrs class with this tag.

    Raises:
        ValueError: another class has the tag.
    """

    def declare(cls: C) -> C:
        if tag in _KINDS:
            raise ValueError(f"two kinds with the tag {tag!r}")
        cls.tag = tag  # type: ignore[attr-defined]  # C is bound to type; Said declares it
        frozen = attrs.frozen(cls)
        _KINDS[tag] = cast("type[Said]", frozen)
        return frozen

    return declare


def kinds() -> tuple[type[Said], ...]:
    """Return the classes of all requests and replies."""
    return tuple(_KINDS.values())


def encode(one: Said) -> bytes:
    """Return the frame of a request or a reply."""
    fields = cast("tuple[codec.Plain, ...]", codec.to_plain(one, type(one)))
    return encode_frame(codec.pack((one.tag, *fields)))


def decode(payload: bytes) -> Said:
    """Parse the payload of a frame. ProtocolError: it is no request or reply."""
    plain = codec.unpack(payload, max_bytes=LIMIT_AFTER_LOGIN, max_items=MAX_ITEMS)
    if not isinstance(plain, tuple) or not plain or not isinstance(plain[0], str):
        raise Malformed("an array that begins with its tag is expected")
    kind = _KINDS.get(plain[0])
    if kind is None:
        raise UnknownTag(f"{plain[0][:MAX_TEXT]!r} is not known here")
    return cast("Said", codec.from_plain(plain[1:], kind))


# Requests that change nothing


class Request(Said):
    """A request of an operator."""


@said("ask_state")
class AskState(Request):
    """Ask for the state of the server. Reply: `State`."""


@said("ask_tables")
class AskTables(Request):
    """Ask for a page of tables. Reply: `TableReport`."""

    after: str = attrs.field(default="", validator=ID)
    """Id of the last table on the previous page; empty for the first page."""
    with_finished: bool = False
    """True if finished tables are included."""


@said("ask_people")
class AskPeople(Request):
    """Ask for a page of sessions. Reply: `PeopleReport`."""

    after: int = attrs.field(default=-1, validator=ge(-1))
    """Number of the last session on the previous page; -1 for the first page."""


@said("ask_opening")
class AskOpening(Request):
    """Ask for the policy, the quotas, and a page of the list of openers. Reply: `OpeningReport`."""

    after: str = attrs.field(default="", validator=TEXT)
    """Last listed fingerprint on the previous page; empty for the first page."""


@said("ask_bans")
class AskBans(Request):
    """Ask for a page of bans. Reply: `BanReport`."""

    after: str = attrs.field(default="", validator=TEXT)
    """Name of the last ban on the previous page; empty for the first page."""


# Requests that do something. Each is on the log of acts before it is done.


class Act(Request):
    """A request that changes something."""

    def told(self) -> dict[str, object]:
        """Return the fields for the log of acts, by name, without secrets."""
        fields = attrs.fields(type(self))  # type: ignore[arg-type]  # what `said` declares is attrs
        # Fields without a repr hold passwords.
        told = {field.name: getattr(self, field.name) for field in fields if field.repr}
        return {name: one.value if isinstance(one, Enum) else one for name, one in told.items()}


@said("announce")
class Announce(Act):
    """Show a line to everybody who is connected. Reply: `Done` with their number."""

    words: str = attrs.field(validator=and_(min_len(1), LINE))


@said("kick")
class Kick(Act):
    """End all sessions of a key. Reply: `Done` with their number."""

    person: str = attrs.field(validator=TEXT)
    """Fingerprint of a connected player, or its beginning."""


@said("ban")
class Ban(Act):
    """Ban a key or an address, and end its sessions. Reply: `Done` with their number."""

    whom: str = attrs.field(validator=TEXT)
    """Fingerprint, beginning of a connected player's fingerprint, address, or network."""
    reason: str = attrs.field(default="", validator=LINE)
    """Reason, which only operators see."""


@said("unban")
class Unban(Act):
    """Remove a ban. Reply: `Done`."""

    whom: str = attrs.field(validator=TEXT)
    """Name of the ban, as in `BanLine.whom`."""


@said("set_opening")
class SetOpening(Act):
    """Set the policy of opening tables. Reply: `Done`."""

    opening: Opening
    password: str = attrs.field(
        default="", validator=and_(max_len(MAX_PASSWORD), check_plain), repr=False
    )
    """New password, for `Opening.PASSWORD`; empty keeps the present one."""


@said("allow")
class Allow(Act):
    """Add a key to the list of openers, who may open tables under every policy. Reply: `Done`."""

    whom: str = attrs.field(validator=TEXT)
    """Fingerprint, or the beginning of a connected player's fingerprint."""


@said("disallow")
class Disallow(Act):
    """Remove a key from the openers, and from the keys that gave the password. Reply: `Done`."""

    whom: str = attrs.field(validator=TEXT)


@said("set_quotas")
class SetQuotas(Act):
    """Set how many unfinished tables a key and an address may have. Reply: `Done`."""

    by_key: int = attrs.field(default=0, validator=QUOTA)
    """Maximum number of tables of one key. 0 in either field keeps the present quota."""
    by_address: int = attrs.field(default=0, validator=QUOTA)


@said("use_settings")
class UseSettings(Act):
    """
    Drop the operator's policy and quotas, so that the settings apply again. Reply: `Done`.

    The list of openers stays.
    """


@said("drain")
class BeginDrain(Act):
    """Refuse new tables, and end the server once nobody plays. Reply: `Done`."""

    minutes: int = attrs.field(validator=and_(ge(0), le(MAX_MINUTES)))
    """Minutes until the server ends even if people play."""


@said("cancel_drain")
class CancelDrain(Act):
    """Stop draining. Reply: `Done`."""


@said("back_up")
class BackUp(Act):
    """Write a backup while games go on. Reply: `Done` once the backup is durable."""

    target: str = attrs.field(validator=and_(min_len(1), max_len(MAX_PATH)))
    """Absolute path of the new folder, which must not exist yet."""


@said("revoke")
class Revoke(Act):
    """Revoke all invitations to a table. Reply: `Done` with their number."""

    room_id: str = attrs.field(validator=ID)


@attrs.frozen
class _OnTable(Act):
    """An act on a running game, with a reason that everybody at the table can read."""

    room_id: str = attrs.field(validator=ID)
    reason: str = attrs.field(validator=and_(min_len(1), LINE))


@said("pause")
class PauseTable(_OnTable):
    """Pause a game: nobody can answer, and time limits stop. Reply: `Done`."""


@said("resume")
class ResumeTable(_OnTable):
    """Resume a game that an operator has paused. Reply: `Done`."""


@said("close")
class CloseTable(_OnTable):
    """End a game for good. Reply: `Done`."""


@said("agree")
class AgreeToGoBack(Act):
    """Consent, for absent players, that a halted game goes back. Reply: `Done`."""

    room_id: str = attrs.field(validator=ID)


# Replies


class Reply(Said):
    """A reply of the server to a request."""


@said("done")
class Done(Reply):
    """The act was carried out."""

    count: int = attrs.field(default=0, validator=COUNT)
    """Number of affected things, such as sessions or invitations; 0 if the act counts nothing."""


@said("no")
class No(Reply):
    """The request was refused or has failed; only a failed one may have changed something."""

    code: str = attrs.field(validator=ID)
    """Reason, such as `no_such_table`; its words are `admin.no.<code>`."""
    detail: str = attrs.field(default="", validator=TEXT)


@said("state")
class State(Reply):
    """Report on the whole server."""

    name: str
    release: str
    address: str
    """HOST:PORT at which the server listens."""
    fingerprint: str
    up_seconds: int
    cpu_ms: int
    """CPU time of the process so far, in all threads."""
    peak_memory_kib: int
    """Peak memory of the process; 0 if the operating system does not report it."""
    store_bytes: int
    """Size of the database and its write-ahead log."""
    disk_free_bytes: int
    sessions: int
    """Connections that are logged in."""
    waiting: int
    """Connections that are not logged in yet."""
    tables_waiting: int
    """Tables whose game has not begun."""
    tables_playing: int
    tables_over: int
    tables_loaded: int
    """Tables that are in memory."""
    tables_stopped: int
    """Tables in memory that stopped because the store failed."""
    tables_halted: int
    """Tables in memory whose game the rules of this release cannot continue."""
    ends_in_seconds: int
    """Seconds until the deadline of a draining server; -1 if it is not draining."""


@attrs.frozen
class TableLine:
    """Line of a report on one table."""

    room_id: str = attrs.field(validator=ID)
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    """Names of the seats' owners, bots included."""
    present: int
    """Number of seats of people, without bots, whose owner follows the table."""
    watching: int
    """Sessions that follow the table without a seat."""
    when: int
    """Time of the last record, in milliseconds since 1970."""
    is_loaded: bool
    is_stopped: bool
    is_halted: bool
    is_paused: bool
    """True if an operator has paused the game."""


@said("tables")
class TableReport(Reply):
    """A page of tables, by id."""

    lines: tuple[TableLine, ...] = attrs.field(validator=_LINES)
    is_last: bool


@attrs.frozen
class PersonLine:
    """Line of a report on one session."""

    number: int
    """Serial number of the session since the server started."""
    name: str
    fingerprint: str
    """Fingerprint of the key that logged in."""
    address: str
    tables: tuple[str, ...]
    """Ids of the tables that the session follows; at most `MAX_TABLES_OF_PERSON`."""


@said("people")
class PeopleReport(Reply):
    """A page of sessions, in the order of their logins."""

    lines: tuple[PersonLine, ...] = attrs.field(validator=_LINES)
    is_last: bool


@attrs.frozen
class BanLine:
    """Line of a report on one ban."""

    whom: str
    """Banned fingerprint or network."""
    reason: str
    when: int
    """Time of the ban, in milliseconds since 1970."""


@said("ban_list")
class BanReport(Reply):
    """A page of bans, by name."""

    lines: tuple[BanLine, ...] = attrs.field(validator=_LINES)
    is_last: bool


@said("opening")
class OpeningReport(Reply):
    """Policy and quotas of opening tables, with a page of the list of openers."""

    opening: Opening
    has_password: bool
    by_key: int
    """Unfinished tables that one key may have."""
    by_address: int
    """Unfinished tables that one address may open."""
    listed: tuple[str, ...] = attrs.field(validator=_LINES)
    """Fingerprints that may open tables under every policy."""
    is_last: bool
    is_chosen: bool
    """True if an operator's choice overrides any of the settings."""

"""
Requests and replies between an operator's command and the server.

Each request gets one reply: the report that it names, `Done`, or `No`. On the socket each is a
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
"""Lines in one report; a client asks for more after the last one."""
MAX_ITEMS = 4096
"""Items of all arrays of one request or report."""
MAX_MINUTES = 7 * 24 * 60
"""Longest drain, in minutes."""
MAX_PATH = 4096
"""Characters in a path."""
MAX_TEXT = 200
"""Characters in a text."""
MAX_QUOTA = 1_000_000
"""Tables."""
SETTINGS = "settings"
"""Word for `manse admin opening` that returns to the settings."""

TEXT: Any = max_len(MAX_TEXT)
QUOTA: Any = and_(ge(0), le(MAX_QUOTA))
LINE: Any = and_(TEXT, check_plain)
"""The validator of a line that people read."""
_LINES: Any = max_len(MAX_LINES)


class Said:
    """A request or a reply. Subclasses are declared with `said`."""

    tag: ClassVar[str]


_KINDS: dict[str, type[Said]] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def said(tag: str) -> Callable[[C], C]:
    """Declare a request or a reply: a frozen attrs class under a tag that is its own."""

    def declare(cls: C) -> C:
        if tag in _KINDS:
            raise ValueError(f"two kinds with the tag {tag!r}")
        cls.tag = tag  # type: ignore[attr-defined]  # C is bound to type; Said declares it
        frozen = attrs.frozen(cls)
        _KINDS[tag] = cast("type[Said]", frozen)
        return frozen

    return declare


def kinds() -> tuple[type[Said], ...]:
    """Return all kinds of request and reply."""
    return tuple(_KINDS.values())


def encode(one: Said) -> bytes:
    """Return the frame that says this."""
    fields = cast("tuple[codec.Plain, ...]", codec.to_plain(one, type(one)))
    return encode_frame(codec.pack((one.tag, *fields)))


def decode(payload: bytes) -> Said:
    """Read the payload of a frame. ProtocolError: it is nothing that can be said here."""
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
    """Ask for the tables. Reply: `TableReport`."""

    after: str = attrs.field(default="", validator=ID)
    """The id of the last table that was told; empty for the first ones."""
    with_finished: bool = False
    """Whether those whose game is over are told too."""


@said("ask_people")
class AskPeople(Request):
    """Ask for the sessions. Reply: `PeopleReport`."""

    after: int = attrs.field(default=-1, validator=ge(-1))
    """The number of the last session that was told; -1 for the first ones."""


@said("ask_opening")
class AskOpening(Request):
    """Ask for opening policy and quotas. Reply: `OpeningReport`."""

    after: str = attrs.field(default="", validator=TEXT)
    """The last of those listed who was told; empty for the first ones."""


@said("ask_bans")
class AskBans(Request):
    """Ask for the bans. Reply: `BanReport`."""

    after: str = attrs.field(default="", validator=TEXT)
    """The name of the last ban that was told; empty for the first ones."""


# Requests that do something. Each is on the log of acts before it is done.


class Act(Request):
    """A request that changes something."""

    def told(self) -> dict[str, object]:
        """Return what the log of acts tells of it: its fields by name, but no secret."""
        fields = attrs.fields(type(self))  # type: ignore[arg-type]  # what `said` declares is attrs
        told = {field.name: getattr(self, field.name) for field in fields if field.repr}
        return {name: one.value if isinstance(one, Enum) else one for name, one in told.items()}


@said("announce")
class Announce(Act):
    """Show a line to everybody who is connected. Reply: `Done` with how many they are."""

    words: str = attrs.field(validator=and_(min_len(1), LINE))


@said("kick")
class Kick(Act):
    """End all sessions of a key. Reply: `Done` with how many there were."""

    person: str = attrs.field(validator=TEXT)
    """The fingerprint, or its beginning, of somebody who is connected."""


@said("ban")
class Ban(Act):
    """Let a key or an address in no more, and end its sessions. Reply: `Done` as for `kick`."""

    whom: str = attrs.field(validator=TEXT)
    """A fingerprint, or the beginning of that of somebody connected; or an address or network."""
    reason: str = attrs.field(default="", validator=LINE)
    """For the operator alone."""


@said("unban")
class Unban(Act):
    """Let somebody in again. Reply: `Done`."""

    whom: str = attrs.field(validator=TEXT)
    """As `ban_list` names them."""


@said("set_opening")
class SetOpening(Act):
    """Say who may open tables. Reply: `Done`."""

    opening: Opening
    password: str = attrs.field(
        default="", validator=and_(max_len(MAX_PASSWORD), check_plain), repr=False
    )
    """A new one, for `Opening.PASSWORD`; empty keeps the one there is."""


@said("allow")
class Allow(Act):
    """Let somebody open tables under every policy. Reply: `Done`."""

    whom: str = attrs.field(validator=TEXT)
    """A fingerprint, or the beginning of that of somebody who is connected."""


@said("disallow")
class Disallow(Act):
    """Withdraw the right to open tables that the list or the password gave. Reply: `Done`."""

    whom: str = attrs.field(validator=TEXT)


@said("set_quotas")
class SetQuotas(Act):
    """Say how many unfinished tables there may be. Reply: `Done`."""

    by_key: int = attrs.field(default=0, validator=QUOTA)
    """0: as it is."""
    by_address: int = attrs.field(default=0, validator=QUOTA)


@said("use_settings")
class UseSettings(Act):
    """Return opening policy and quotas to the settings; the list stays. Reply: `Done`."""


@said("drain")
class BeginDrain(Act):
    """Open no more tables, and end the server once nobody plays. Reply: `Done`."""

    minutes: int = attrs.field(validator=and_(ge(0), le(MAX_MINUTES)))
    """When it ends in any case."""


@said("cancel_drain")
class CancelDrain(Act):
    """Go on as before. Reply: `Done`."""


@said("back_up")
class BackUp(Act):
    """Write a backup while games go on. Reply: `Done` once it is durable."""

    target: str = attrs.field(validator=and_(min_len(1), max_len(MAX_PATH)))
    """The whole path of the folder of the backup, which must not be there."""


@said("revoke")
class Revoke(Act):
    """Make all invitations of a table worthless. Reply: `Done` with how many there were."""

    room_id: str = attrs.field(validator=ID)


@attrs.frozen
class _OnTable(Act):
    """An act on a running game. All at the table can read the reason."""

    room_id: str = attrs.field(validator=ID)
    reason: str = attrs.field(validator=and_(min_len(1), LINE))


@said("pause")
class PauseTable(_OnTable):
    """Pause a game: nobody can answer, and time limits stop. Reply: `Done`."""


@said("resume")
class ResumeTable(_OnTable):
    """Let a game go on that an operator has paused. Reply: `Done`."""


@said("close")
class CloseTable(_OnTable):
    """End a game for good. Reply: `Done`."""


@said("agree")
class AgreeToGoBack(Act):
    """Agree for those who are away that a halted game goes back. Reply: `Done`."""

    room_id: str = attrs.field(validator=ID)


# Replies


class Reply(Said):
    """A reply of the server."""


@said("done")
class Done(Reply):
    """It is done."""

    count: int = attrs.field(default=0, validator=COUNT)
    """How many it was done to, where that can be counted."""


@said("no")
class No(Reply):
    """It is not done, and nothing has changed."""

    code: str = attrs.field(validator=ID)
    """Why, such as `no_such_table`; `admin.no.<code>` are its words."""
    detail: str = attrs.field(default="", validator=TEXT)


@said("state")
class State(Reply):
    """How the server is."""

    name: str
    release: str
    address: str
    """HOST:PORT at which it listens."""
    fingerprint: str
    up_seconds: int
    cpu_ms: int
    """CPU time of the process so far, in all threads."""
    peak_memory_kib: int
    """The most memory that it has had at once; 0 where the system does not tell."""
    store_bytes: int
    """Size of the database and its write-ahead log."""
    disk_free_bytes: int
    sessions: int
    """Connections that are logged in."""
    waiting: int
    """Connections that are not."""
    tables_waiting: int
    """Tables whose game has not begun."""
    tables_playing: int
    tables_over: int
    tables_loaded: int
    """Tables that are in memory."""
    tables_stopped: int
    """Tables in memory that the store failed."""
    tables_halted: int
    """Tables in memory whose game the rules of this release do not lead on."""
    ends_in_seconds: int
    """The latest end of a server that opens no more tables; -1 where it is not to end."""


@attrs.frozen
class TableLine:
    """One table."""

    room_id: str = attrs.field(validator=ID)
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    """Names of the seats' owners, bots included."""
    present: int
    """How many seats of people somebody follows from."""
    watching: int
    """How many sessions follow without a seat."""
    when: int
    """Milliseconds since 1970 of the last act."""
    is_loaded: bool
    is_stopped: bool
    is_halted: bool
    is_paused: bool
    """Whether an operator has paused its game."""


@said("tables")
class TableReport(Reply):
    """Tables, by id."""

    lines: tuple[TableLine, ...] = attrs.field(validator=_LINES)
    is_last: bool


@attrs.frozen
class PersonLine:
    """One session."""

    number: int
    """Serial number of the session since the server started."""
    name: str
    fingerprint: str
    """Fingerprint of the key that logged in."""
    address: str
    tables: tuple[str, ...]
    """The ids of tables that the session follows, the first few of them."""


@said("people")
class PeopleReport(Reply):
    """Sessions, in the order of their logins."""

    lines: tuple[PersonLine, ...] = attrs.field(validator=_LINES)
    is_last: bool


@attrs.frozen
class BanLine:
    """One ban."""

    whom: str
    """A fingerprint, or a network."""
    reason: str
    when: int
    """Milliseconds since 1970."""


@said("ban_list")
class BanReport(Reply):
    """Bans by their names."""

    lines: tuple[BanLine, ...] = attrs.field(validator=_LINES)
    is_last: bool


@said("opening")
class OpeningReport(Reply):
    """Opening policy and quotas."""

    opening: Opening
    has_password: bool
    by_key: int
    """Unfinished tables that one key may have."""
    by_address: int
    """Unfinished tables that one address may open."""
    listed: tuple[str, ...] = attrs.field(validator=_LINES)
    """Fingerprints of those who may open tables under every policy."""
    is_last: bool
    is_chosen: bool
    """Whether any of it was chosen by an operator, which outdoes the settings."""

"""Messages from the server: replies, and those that it sends unasked. See the package."""

import enum

import attrs
from attrs.validators import and_, deep_iterable, ge, le, max_len, min_len

from protocol.bounds import (
    AFTER,
    COUNT,
    ID,
    MAX_ANNOUNCEMENT,
    MAX_CHARACTERS,
    MAX_CUTS,
    MAX_LANGUAGE,
    MAX_LINES,
    MAX_PART_BYTES,
    MAX_PRODUCTS,
    MAX_REASON,
    MAX_REASONS,
    MAX_ROLES,
    MAX_SEATS,
    MAX_SETUPS,
    ROOM_ID,
    SEAT,
    TIME,
    WordsBySubject,
    check_words,
    ids,
)
from protocol.common.asks import Reason
from protocol.common.events import MAX_NAME
from protocol.common.roster import Roster
from protocol.common.table import Score, Settings, Stage
from protocol.common.text import Text
from protocol.event import Cut
from protocol.plain_text import check_plain
from protocol.values import frozen
from protocol.vocabulary import ServerMessage, message


@message("pong")
class Pong(ServerMessage):
    """Reply to `ping`."""

    serial: int = attrs.field(validator=COUNT)


@message("done")
class Done(ServerMessage):
    """The request was carried out and stored."""

    serial: int = attrs.field(validator=COUNT)


@message("refused")
class Refusal(ServerMessage):
    """The request was refused. Nothing has changed."""

    serial: int = attrs.field(validator=COUNT)
    code: str = attrs.field(validator=ID)
    """Stable code for machines, such as `answer/stale`."""
    text: Text
    reasons: tuple[Reason, ...] = attrs.field(default=(), validator=max_len(MAX_REASONS))
    """Reasons of the rules, each with its rule; empty if `text` says all."""


@message("notice")
class Notice(ServerMessage):
    """Something people should know: the server stops, a room has halted because of a fault."""

    room_id: str = attrs.field(validator=ROOM_ID)
    """Room that the notice concerns; empty for the whole server."""
    code: str = attrs.field(validator=ID)
    text: Text
    report: str = attrs.field(validator=ID)
    """Reference to give to the operator, who finds the report in the log; empty for none."""


@message("announcement")
class Announcement(ServerMessage):
    """A message from the operator to everybody, in their own words."""

    words: str = attrs.field(validator=and_(min_len(1), max_len(MAX_ANNOUNCEMENT), check_plain))


@message("goodbye")
class Goodbye(ServerMessage):
    """Last message before the server closes the connection."""

    code: str = attrs.field(validator=ID)
    reason: str = attrs.field(validator=and_(max_len(MAX_REASON), check_plain))
    """An English sentence for authors of clients."""


@frozen
class ProductLine:
    """One product: a part of the content that can be switched off."""

    product: str = attrs.field(validator=ID)
    """Id of the product, a subject with a `name` in the words."""
    characters: tuple[str, ...] = attrs.field(validator=ids(MAX_CHARACTERS))
    """Characters that no seat can claim while the product is off."""


@frozen
class ScenarioLine:
    """One scenario that can be played here."""

    scenario: str = attrs.field(validator=ID)
    """Pack and scenario, `core/name`."""
    ruleset: str = attrs.field(validator=ID)
    """Name of the scenario's game."""
    title: Text
    summary: Text
    """Its parameter, if it has one, is the scenario that this one follows in a campaign."""
    minutes: int = attrs.field(validator=COUNT)
    """Typical length of a game in minutes."""
    difficulty: int = attrs.field(validator=and_(ge(1), le(5)))
    """Difficulty, from 1 (easy) to 5 (hard)."""
    roster: Roster
    """Roster with all products on."""
    product: str = attrs.field(default="", validator=ID)
    """Product of the scenario; empty if the scenario cannot be switched off."""
    products: tuple[ProductLine, ...] = attrs.field(default=(), validator=max_len(MAX_PRODUCTS))
    """Products that can be switched off."""


MAX_SETTINGS = 32
"""Maximum number of settings that one game names."""


@frozen
class GameLine:
    """One game that can be played here."""

    ruleset: str = attrs.field(validator=ID)
    title: Text
    summary: Text
    """Description of the game in one sentence."""
    settings: Settings
    """Settings that a table of this game has unless its host chooses others."""
    has: tuple[str, ...] = attrs.field(validator=ids(MAX_SETTINGS))
    """Names of the settings that have an effect in this game, of those that not every game has."""


@message("scenarios")
class Scenarios(ServerMessage):
    """Scenarios that can be played here, and their games."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[ScenarioLine, ...] = attrs.field(validator=max_len(MAX_LINES))
    games: tuple[GameLine, ...] = attrs.field(default=(), validator=max_len(MAX_LINES))


@frozen
class AwaitedLine:
    """One table that waits for an answer of your key."""

    room_id: str = attrs.field(validator=ROOM_ID)
    names: tuple[str, ...] = attrs.field(
        validator=deep_iterable(and_(max_len(MAX_NAME), check_plain), max_len(MAX_SEATS))
    )
    """Names of the players, by seat."""
    since: int = attrs.field(validator=TIME)
    """Time of the question, in milliseconds since 1970."""
    is_shown: bool
    """True if a client of yours follows this table now."""


class MailState(enum.Enum):
    """State of mail notifications for your key."""

    NONE = "none"
    """The server sends no mail."""
    OFF = "off"
    """Your key has no address."""
    UNCONFIRMED = "unconfirmed"
    """A code was sent to your address, and you have not confirmed it yet."""
    ON = "on"


@message("awaited")
class Awaited(ServerMessage):
    """Tables that wait for an answer of your key, the longest wait first."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[AwaitedLine, ...] = attrs.field(validator=max_len(MAX_LINES))
    mail: MailState


class LossCause(enum.Enum):
    """Reason for the loss of a seat."""

    GIVEN = "given"
    """The other seats agreed to give the seat away."""
    EMPTIED = "emptied"
    """The host emptied the seat before the game, because it withheld its share in several
    starts."""
    REMOVED = "removed"
    """The host removed the table before the game."""
    EXPIRED = "expired"
    """The table was inactive for longer than its server keeps it."""


@frozen
class LostSeat:
    """One seat that your key lost."""

    room_id: str = attrs.field(validator=ROOM_ID)
    scenario: str = attrs.field(validator=ID)
    when: int = attrs.field(validator=TIME)
    """Time of the loss, in milliseconds since 1970."""
    cause: LossCause
    to: str = attrs.field(validator=and_(max_len(MAX_NAME), check_plain))
    """Name of the new owner; empty if there is none."""


MAX_LOST_SEATS = 16
"""Number of lost seats, the latest, that the server remembers for one key."""


@message("lost_seats")
class LostSeats(ServerMessage):
    """Seats that you lost while you were away, oldest first."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[LostSeat, ...] = attrs.field(validator=max_len(MAX_LOST_SEATS))


@frozen
class TableLine:
    """One table where your key has a seat."""

    room_id: str = attrs.field(validator=ROOM_ID)
    scenario: str = attrs.field(validator=ID)
    stage: Stage
    names: tuple[str, ...] = attrs.field(
        validator=deep_iterable(and_(max_len(MAX_NAME), check_plain), max_len(MAX_SEATS))
    )
    """Names of the players, by seat."""
    is_my_turn: bool
    """True if the table waits for your seat."""
    when: int = attrs.field(validator=TIME)
    """Time of the last record, in milliseconds since 1970."""
    is_practice: bool = False
    """True for a practice game, in which all seats are yours."""


@message("tables")
class Tables(ServerMessage):
    """Tables where your key has a seat, newest first."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[TableLine, ...] = attrs.field(validator=max_len(MAX_LINES))


class GameResult(enum.Enum):
    """Result of a game, for a list of games."""

    WON = "won"
    """All seats of the game won; in your own game, your seat did."""
    LOST = "lost"
    SIDES = "sides"
    """Some sides of the game won, and others lost."""
    NONE = "none"
    """The game was cut short, or its result is not known."""
    RUNNING = "running"


@frozen
class FoundGame:
    """One finished game that your key may open with `export_table`."""

    room_id: str = attrs.field(validator=ROOM_ID)
    scenario: str = attrs.field(validator=ID)
    names: tuple[str, ...] = attrs.field(
        validator=deep_iterable(and_(max_len(MAX_NAME), check_plain), max_len(MAX_SEATS))
    )
    """Names of the players at the end of the game, by seat."""
    ended_at: int = attrs.field(validator=TIME)
    """Time when the game ended, in milliseconds since 1970."""
    is_mine: bool
    """True if your key had a seat in the game."""
    is_open: bool
    """True if everybody on this server may open the game."""
    agreed: tuple[str, ...] = attrs.field(
        validator=deep_iterable(and_(max_len(MAX_NAME), check_plain), max_len(MAX_SEATS))
    )
    """If the game is yours: names of the players who agreed to share it."""
    have_i_agreed: bool
    """True if you agreed to share the game."""
    outcome: GameResult
    """Outcome of the game; for a game of yours, your own result, which can differ from the common
    result."""
    winners: tuple[str, ...] = attrs.field(default=(), validator=ids(MAX_ROLES))
    """Sides (roles) that won."""


@message("games_found")
class GamesFound(ServerMessage):
    """Finished games, the latest first."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[FoundGame, ...] = attrs.field(validator=max_len(MAX_LINES))
    has_more: bool
    """True if there is another page."""


@message("setup_made")
class SetupMade(ServerMessage):
    """Your fixed setup was made."""

    serial: int = attrs.field(validator=COUNT)
    code: str = attrs.field(validator=ID, repr=False)
    """Code for hosts who want to play this setup. The code reveals nothing about the setup."""


@frozen
class SetupLine:
    """One fixed setup of your key."""

    code: str = attrs.field(validator=ID, repr=False)
    made_at: int = attrs.field(validator=TIME)
    """Time when the setup was made, in milliseconds since 1970."""
    is_closed: bool
    table_count: int = attrs.field(validator=COUNT)
    """Number of tables on this server whose game began with the setup."""
    running_count: int = attrs.field(validator=COUNT)
    """Number of games with the setup that are not over."""


@message("setups")
class SetupList(ServerMessage):
    """Your fixed setups: open ones first, then newest first."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[SetupLine, ...] = attrs.field(validator=max_len(MAX_SETUPS))


MAX_SCORES = 32
"""Maximum number of scores of one game."""


@frozen
class SetupResult:
    """One table that played a fixed setup."""

    room_id: str = attrs.field(validator=ROOM_ID)
    """Room for `export_table`; empty if your key may not open the game."""
    scenario: str = attrs.field(validator=ID)
    names: tuple[str, ...] = attrs.field(
        validator=deep_iterable(and_(max_len(MAX_NAME), check_plain), max_len(MAX_SEATS))
    )
    """Names of the players at the end of the game, by seat."""
    ended_at: int = attrs.field(validator=TIME)
    """Time when the game ended, in milliseconds since 1970; 0 while the game runs."""
    outcome: GameResult
    """Outcome of the game; for your own table, your own result, which can differ from the common
    result."""
    rounds: int = attrs.field(validator=COUNT)
    """Round in which the game ended; 0 if not known."""
    is_mine: bool
    """True if your key has a seat in the game."""
    winners: tuple[str, ...] = attrs.field(default=(), validator=ids(MAX_ROLES))
    """Sides (roles) that won."""
    scores: tuple[Score, ...] = attrs.field(default=(), validator=max_len(MAX_SCORES))
    """Numbers of the result, the one that counts most first."""
    sides: tuple[str, ...] = attrs.field(default=(), validator=ids(MAX_SEATS))
    """Side of each of `names`; empty before the end, and in a game with one side."""


@message("setup_results_found")
class SetupResults(ServerMessage):
    """Tables that played a setup: yours first, then the latest ones first."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[SetupResult, ...] = attrs.field(validator=max_len(MAX_SETUPS))
    table_count: int = attrs.field(validator=COUNT)
    """Number of all tables with the setup, including tables without a line here."""


@message("table_opened")
class TableOpened(ServerMessage):
    """Your table is open; to a spectator or observer: the table at which the players play again."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ROOM_ID)
    code: str = attrs.field(validator=ID, repr=False)
    """Code of the invitation to any free seat; empty for a spectator."""
    watch_code: str = attrs.field(validator=ID, repr=False)
    """Code of the invitation to spectate; empty if the settings allow no spectators."""


@message("joined")
class Joined(ServerMessage):
    """The invitation was redeemed; `enter_table` comes next."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ROOM_ID)
    seat: int = attrs.field(validator=SEAT)
    """Your seat; -1 for a spectator."""


@message("entered")
class Entered(ServerMessage):
    """You follow this table now. The records that you asked for come next."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ROOM_ID)
    seat: int = attrs.field(validator=SEAT)
    """Your seat; -1 for a spectator."""
    next_sequence: int = attrs.field(validator=COUNT)
    """Sequence of the first record that does not exist yet, or that you may not see yet as a
    spectator. You are up to date when all records before it have arrived."""
    is_other: bool = False
    """True if the head that you sent is not of this log. Discard your records; the server sends all
    records again."""


@message("records")
class Records(ServerMessage):
    """Consecutive records of a table, each as you may see it."""

    room_id: str = attrs.field(validator=ROOM_ID)
    cuts: tuple[Cut, ...] = attrs.field(validator=and_(min_len(1), max_len(MAX_CUTS)), repr=False)


@message("readers_awaited")
class ReadersAwaited(ServerMessage):
    """A program at your table waits until people have read: send `have_read` from now on."""

    room_id: str = attrs.field(validator=ROOM_ID)


@message("read_so_far")
class ReadSoFar(ServerMessage):
    """After `await_readers`: the last record that all players who report have read."""

    room_id: str = attrs.field(validator=ROOM_ID)
    until: int = attrs.field(validator=AFTER)
    """Sequence of the last record that every reader has read; -1 if there is no reader to wait
    for."""


@frozen
class BriefOpening:
    """A compressed opening. Section 6 says how to join the parts of a value."""

    slot: int = attrs.field(validator=COUNT)
    salt: bytes = attrs.field(repr=False)
    value: bytes | tuple[bytes | int, ...] = attrs.field(repr=False)
    """Bytes of the value, or its parts: each as bytes or as the distance to an earlier part."""


Numbered = bytes | int | tuple[bytes]
"""
One item of a brief record: bytes sent whole; the number given to bytes sent earlier; or, in an
array, bytes that are given the next number.
"""


@frozen
class BriefRecord:
    """A compressed record."""

    kind: Numbered
    """Encoded origin and tag."""
    rest: bytes | tuple[Numbered, ...] = attrs.field(repr=False)
    """The other public bytes of the record: whole, or as parts, each of which may be a numbered
    subject."""
    openings: tuple[BriefOpening, ...] = attrs.field(repr=False)


@frozen
class Span:
    """Consecutive records with the same time."""

    time: int = attrs.field(validator=TIME)
    records: tuple[BriefRecord, ...] = attrs.field(validator=and_(min_len(1), max_len(MAX_CUTS)))


@message("brief_records")
class BriefRecords(ServerMessage):
    """`Records`, compressed by what was sent before on this connection."""

    room_id: str = attrs.field(validator=ROOM_ID)
    """Room of the records; empty for the room of the last `brief_records` on this connection."""
    first: int = attrs.field(validator=COUNT)
    """Sequence of the first record; the other records follow in order."""
    spans: tuple[Span, ...] = attrs.field(validator=and_(min_len(1), max_len(MAX_CUTS)), repr=False)


@message("words")
class Words(ServerMessage):
    """
    Words of subjects in the next records or replies, in your language.

    They are merged, field by field, into words sent earlier in that language. Words in another
    language are to be discarded.
    """

    language: str = attrs.field(validator=max_len(MAX_LANGUAGE))
    subjects: WordsBySubject = attrs.field(validator=check_words, repr=False)


@message("invitation_made")
class InvitationMade(ServerMessage):
    """A new invitation to pass on. Its code is sent only once."""

    room_id: str = attrs.field(validator=ROOM_ID)
    seat: int = attrs.field(validator=SEAT)
    """Seat of the invitation; -1 for any free seat, or to spectate."""
    is_to_watch: bool
    code: str = attrs.field(validator=ID, repr=False)


@message("export_part")
class ExportPart(ServerMessage):
    """One part of an exported file; the file is all parts in order."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ROOM_ID)
    index: int = attrs.field(validator=COUNT)
    """Number of the part, counted from 0."""
    is_last: bool
    data: bytes = attrs.field(validator=max_len(MAX_PART_BYTES), repr=False)

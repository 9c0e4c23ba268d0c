"""What a server says: replies, and what comes by itself. See the package."""

import enum

import attrs
from attrs.validators import and_, deep_iterable, ge, le, max_len, min_len

from protocol.bounds import (
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
    MAX_SEATS,
    MAX_SETUPS,
    SEAT,
    WordsBySubject,
    check_words,
    ids,
)
from protocol.common.events import MAX_NAME
from protocol.common.roster import Roster
from protocol.common.table import Stage
from protocol.common.text import Text
from protocol.event import Cut
from protocol.plain_text import check_plain
from protocol.values import frozen
from protocol.vocabulary import ServerMessage, message


@message("pong")
class Pong(ServerMessage):
    """I am here."""

    serial: int = attrs.field(validator=COUNT)


@message("done")
class Done(ServerMessage):
    """What you asked for has happened, and is stored."""

    serial: int = attrs.field(validator=COUNT)


@message("refused")
class Refusal(ServerMessage):
    """What you asked for cannot be done now; nothing has changed."""

    serial: int = attrs.field(validator=COUNT)
    code: str = attrs.field(validator=ID)
    """For machines, such as `answer/stale`; it never changes its meaning."""
    text: Text


@message("notice")
class Notice(ServerMessage):
    """Something that people should know: the server stops, a room stopped because of a fault."""

    room_id: str = attrs.field(validator=ID)
    """Empty where it is about the whole server."""
    code: str = attrs.field(validator=ID)
    text: Text
    report: str = attrs.field(validator=ID)
    """What to tell the operator so that they find it in their log; empty for none."""


@message("announcement")
class Announcement(ServerMessage):
    """What whoever runs the server says to everybody, in their own words."""

    words: str = attrs.field(validator=and_(min_len(1), max_len(MAX_ANNOUNCEMENT), check_plain))


@message("goodbye")
class Goodbye(ServerMessage):
    """The last thing said before the server closes the connection."""

    code: str = attrs.field(validator=ID)
    reason: str = attrs.field(validator=and_(max_len(MAX_REASON), check_plain))
    """One plain sentence, for people who write clients."""


@frozen
class ProductLine:
    """A part of the content that can be switched off. Rule APP-18."""

    product: str = attrs.field(validator=ID)
    """A subject whose `name` is among the words."""
    characters: tuple[str, ...] = attrs.field(validator=ids(MAX_CHARACTERS))
    """Whom seats cannot claim where it is off."""


@frozen
class ScenarioLine:
    """One scenario that can be played."""

    scenario: str = attrs.field(validator=ID)
    """The pack and scenario, `core/name`."""
    ruleset: str = attrs.field(validator=ID)
    """The game that it is a scenario of."""
    title: Text
    summary: Text
    minutes: int = attrs.field(validator=COUNT)
    """How long a game takes people, about."""
    difficulty: int = attrs.field(validator=and_(ge(1), le(5)))
    """From 1, easy, to 5."""
    roster: Roster
    """Who can play it, with all products on."""
    product: str = attrs.field(default="", validator=ID)
    """The product that it belongs to; empty where it cannot be switched off."""
    products: tuple[ProductLine, ...] = attrs.field(default=(), validator=max_len(MAX_PRODUCTS))
    """What can be switched off."""


@message("scenarios")
class Scenarios(ServerMessage):
    """What can be played here."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[ScenarioLine, ...] = attrs.field(validator=max_len(MAX_LINES))


@frozen
class AwaitedLine:
    """One table that waits for an answer of your key."""

    room_id: str = attrs.field(validator=ID)
    names: tuple[str, ...] = attrs.field(
        validator=deep_iterable(and_(max_len(MAX_NAME), check_plain), max_len(MAX_SEATS))
    )
    """Who sits there, by seat."""
    since: int = attrs.field(validator=COUNT)
    """Milliseconds since 1970 of the question."""
    is_shown: bool
    """Whether a client of yours shows this table now."""


class MailState(enum.Enum):
    """Whether this server writes mails to your key when a table waits."""

    NONE = "none"
    """It writes to nobody."""
    OFF = "off"
    """You gave no address."""
    UNCONFIRMED = "unconfirmed"
    """A code was sent to your address, and you did not give it yet."""
    ON = "on"


@message("awaited")
class Awaited(ServerMessage):
    """Where your key is awaited, the longest first."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[AwaitedLine, ...] = attrs.field(validator=max_len(MAX_LINES))
    mail: MailState


class LossCause(enum.Enum):
    """Why somebody lost a seat."""

    GIVEN = "given"
    """The others agreed to give it away."""
    EMPTIED = "emptied"
    """The host emptied it before the game, since starts had failed for want of its share."""
    REMOVED = "removed"
    """The host removed the table before the game."""
    EXPIRED = "expired"
    """Nothing had happened at the table for as long as its server keeps such."""


@frozen
class LostSeat:
    """One seat that your key had."""

    room_id: str = attrs.field(validator=ID)
    scenario: str = attrs.field(validator=ID)
    when: int = attrs.field(validator=COUNT)
    """Milliseconds since 1970."""
    cause: LossCause
    to: str = attrs.field(validator=and_(max_len(MAX_NAME), check_plain))
    """Who was given it; empty for nobody yet, or ever."""


MAX_LOST_SEATS = 16
"""Seats that are kept for one key; of more, the last."""


@message("lost_seats")
class LostSeats(ServerMessage):
    """The seats that you lost while you did not look, the last at the end."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[LostSeat, ...] = attrs.field(validator=max_len(MAX_LOST_SEATS))


@frozen
class TableLine:
    """One table where your key has a seat."""

    room_id: str = attrs.field(validator=ID)
    scenario: str = attrs.field(validator=ID)
    stage: Stage
    names: tuple[str, ...] = attrs.field(
        validator=deep_iterable(and_(max_len(MAX_NAME), check_plain), max_len(MAX_SEATS))
    )
    """Who sits there, by seat."""
    is_my_turn: bool
    """Whether your seat is waited for."""
    when: int = attrs.field(validator=COUNT)
    """Milliseconds since 1970 of the last record."""
    is_practice: bool = False
    """Whether it is a practice game, all of whose seats are yours."""


@message("tables")
class Tables(ServerMessage):
    """Where your key has a seat, the newest first."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[TableLine, ...] = attrs.field(validator=max_len(MAX_LINES))


@frozen
class FoundGame:
    """A finished game that your key may open, by `export_table`."""

    room_id: str = attrs.field(validator=ID)
    scenario: str = attrs.field(validator=ID)
    names: tuple[str, ...] = attrs.field(
        validator=deep_iterable(and_(max_len(MAX_NAME), check_plain), max_len(MAX_SEATS))
    )
    """Who sat there at its end, by seat, as the table had it."""
    ended_at: int = attrs.field(validator=COUNT)
    """Milliseconds since 1970."""
    is_mine: bool
    """Whether your key has a seat there."""
    is_open: bool
    """Whether everybody on this server may open it."""
    agreed: tuple[str, ...] = attrs.field(
        validator=deep_iterable(and_(max_len(MAX_NAME), check_plain), max_len(MAX_SEATS))
    )
    """Of your own game, the names of those who agreed to show it."""
    have_i_agreed: bool
    """Whether your key is one of those."""


@message("games_found")
class GamesFound(ServerMessage):
    """Finished games, those that ended last first."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[FoundGame, ...] = attrs.field(validator=max_len(MAX_LINES))
    has_more: bool
    """Whether there is a page after this one."""


@message("setup_made")
class SetupMade(ServerMessage):
    """Your setup is there."""

    serial: int = attrs.field(validator=COUNT)
    code: str = attrs.field(validator=ID, repr=False)
    """Whoever has it can play this setup. It tells nothing of it."""


@frozen
class SetupLine:
    """One fixed setup of your key."""

    code: str = attrs.field(validator=ID, repr=False)
    made_at: int = attrs.field(validator=COUNT)
    """Milliseconds since 1970."""
    is_closed: bool
    table_count: int = attrs.field(validator=COUNT)
    """Tables of this server whose game began with it, whoever opened them."""
    running_count: int = attrs.field(validator=COUNT)
    """Those among them whose game is not over."""


@message("setups")
class SetupList(ServerMessage):
    """Your fixed setups: the open ones first, the newest of each."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[SetupLine, ...] = attrs.field(validator=max_len(MAX_SETUPS))


class SetupOutcome(enum.Enum):
    """How a table came out that played a fixed setup."""

    WON = "won"
    LOST = "lost"
    NONE = "none"
    """It was cut short, or nothing is known of it."""
    RUNNING = "running"


@frozen
class SetupResult:
    """One table that played a fixed setup."""

    room_id: str = attrs.field(validator=ID)
    """For `export_table`; empty where your key may not open the game."""
    scenario: str = attrs.field(validator=ID)
    names: tuple[str, ...] = attrs.field(
        validator=deep_iterable(and_(max_len(MAX_NAME), check_plain), max_len(MAX_SEATS))
    )
    """Who sat there at its end, by seat."""
    ended_at: int = attrs.field(validator=COUNT)
    """Milliseconds since 1970; 0 where it goes on."""
    outcome: SetupOutcome
    rounds: int = attrs.field(validator=COUNT)
    """The round in which it ended; 0 where that is not known."""
    is_mine: bool
    """Whether your key has a seat there."""


@message("setup_results_found")
class SetupResults(ServerMessage):
    """The tables that played a setup: yours first, then the last that ended."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[SetupResult, ...] = attrs.field(validator=max_len(MAX_SETUPS))
    table_count: int = attrs.field(validator=COUNT)
    """How many there are, also of those that have no line."""


@message("table_opened")
class TableOpened(ServerMessage):
    """Your table stands."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ID)
    code: str = attrs.field(validator=ID, repr=False)
    """Of the invitation to any free seat."""
    watch_code: str = attrs.field(validator=ID, repr=False)
    """Of the invitation to spectate; empty where the settings allow none."""


@message("joined")
class Joined(ServerMessage):
    """The invitation is good: enter the table next."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ID)
    seat: int = attrs.field(validator=SEAT)
    """-1 for a spectator."""


@message("entered")
class Entered(ServerMessage):
    """You follow this table now; `Records` begin with what you asked for."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ID)
    seat: int = attrs.field(validator=SEAT)
    """-1 for a spectator."""
    next_sequence: int = attrs.field(validator=COUNT)
    """
    The sequence of the first record that does not exist yet, or that a spectator may not
    see yet: with it you are up to date.
    """
    is_other: bool = False
    """
    Whether what you hold is not what this log begins with, as the head that you sent shows: forget
    it. The records begin with the first.
    """


@message("records")
class Records(ServerMessage):
    """What happened at a table, as you may see it: sequences without a gap."""

    room_id: str = attrs.field(validator=ID)
    cuts: tuple[Cut, ...] = attrs.field(validator=and_(min_len(1), max_len(MAX_CUTS)), repr=False)


@frozen
class BriefOpening:
    """An opening as it travels. Section 6 says how a value in parts is joined."""

    slot: int = attrs.field(validator=COUNT)
    salt: bytes = attrs.field(repr=False)
    value: bytes | tuple[bytes | int, ...] = attrs.field(repr=False)
    """The value bytes; or their parts, each as it is or by how many parts ago it came."""


Numbered = bytes | int | tuple[bytes]
"""Bytes; in an array if they are given the next number, by which they come later."""


@frozen
class BriefRecord:
    """A record as it travels."""

    kind: Numbered
    """Its encoded origin and tag."""
    rest: bytes | tuple[Numbered, ...] = attrs.field(repr=False)
    """What comes after those in its public bytes, or parts of it: some are subjects."""
    openings: tuple[BriefOpening, ...] = attrs.field(repr=False)


@frozen
class Span:
    """Records in a row that have the same time."""

    time: int = attrs.field(validator=COUNT)
    records: tuple[BriefRecord, ...] = attrs.field(validator=and_(min_len(1), max_len(MAX_CUTS)))


@message("brief_records")
class BriefRecords(ServerMessage):
    """`Records` without what was said before on this connection."""

    room_id: str = attrs.field(validator=ID)
    """Empty: of the same room as the last brief records here."""
    first: int = attrs.field(validator=COUNT)
    """The sequence of the first record; the others follow without a gap."""
    spans: tuple[Span, ...] = attrs.field(validator=and_(min_len(1), max_len(MAX_CUTS)), repr=False)


@message("words")
class Words(ServerMessage):
    """
    The words of subjects that the next records or replies name, in your language.

    They add to the words sent before in that language, field by field. What a subject had in
    another language is forgotten.
    """

    language: str = attrs.field(validator=max_len(MAX_LANGUAGE))
    subjects: WordsBySubject = attrs.field(validator=check_words, repr=False)


@message("invitation_made")
class InvitationMade(ServerMessage):
    """An invitation that you may pass on; it is shown this once."""

    room_id: str = attrs.field(validator=ID)
    seat: int = attrs.field(validator=SEAT)
    """The seat it is for; -1 for any free one, or to spectate."""
    is_to_watch: bool
    code: str = attrs.field(validator=ID, repr=False)


@message("export_part")
class ExportPart(ServerMessage):
    """A part of the log that you asked for; the file is all parts in order."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ID)
    index: int = attrs.field(validator=COUNT)
    """From 0."""
    is_last: bool
    data: bytes = attrs.field(validator=max_len(MAX_PART_BYTES), repr=False)

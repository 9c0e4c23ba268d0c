"""
Messages: what client and server say to each other outside the log.

A message is an array of its tag and its fields, in the order in which they stand here. Every
client message carries a `serial` that the client chose, and gets exactly one reply with the same
serial: the one named in its docstring, or `Done`, or `Refused`. Whatever else the server says
comes by itself.

Every field has a bound; what goes over one is Malformed, and the connection ends.
"""

import attrs
from attrs.validators import and_, deep_iterable, ge, le, max_len, min_len

from protocol.bounds import (
    AFTER,
    BYTES_32,
    COUNT,
    ID,
    MAX_CUTS,
    MAX_LANGUAGE,
    MAX_LINES,
    MAX_PART_BYTES,
    MAX_PICKS,
    MAX_PIECES,
    MAX_PRODUCTS,
    MAX_REASON,
    MAX_SEATS,
    SEAT,
    WordsBySubject,
    check_language,
    check_words,
    ids,
)
from protocol.common.events import MAX_CHAT, MAX_NAME
from protocol.common.table import Settings, Stage
from protocol.common.text import Text
from protocol.event import Cut
from protocol.plain_text import check_plain
from protocol.vocabulary import (
    ClientMessage,
    Message,
    RoomMessage,
    ServerMessage,
    Side,
    decode_message,
    encode_message,
    message,
    message_kinds,
)

__all__ = [
    "AddBot",
    "Answer",
    "CallLot",
    "Chat",
    "ChooseLanguage",
    "ChooseScenario",
    "ClaimPieces",
    "ClientMessage",
    "CommitShare",
    "Consent",
    "ContinueCampaign",
    "Done",
    "EnterTable",
    "Entered",
    "ExportPart",
    "ExportTable",
    "Goodbye",
    "InvitationMade",
    "Invite",
    "JoinTable",
    "Joined",
    "LeaveSeat",
    "LeaveTable",
    "ListScenarios",
    "ListTables",
    "Message",
    "Notice",
    "OpenShare",
    "OpenTable",
    "Ping",
    "Pong",
    "ProductLine",
    "ProposeCorrection",
    "ProposeGiveSeat",
    "ProposeTakeBack",
    "Records",
    "Refused",
    "Resume",
    "RoomMessage",
    "ScenarioLine",
    "Scenarios",
    "ServerMessage",
    "SetReady",
    "Side",
    "StartGame",
    "SwitchProducts",
    "TableLine",
    "TableOpened",
    "Tables",
    "Vote",
    "WatchTable",
    "Words",
    "decode_message",
    "encode_message",
    "message_kinds",
]


# Client to server --------------------------------------------------------------------------


@message("ping")
class Ping(ClientMessage):
    """Are you there? Reply: `Pong`. A client says something at least every 30 seconds."""


@message("list_scenarios")
class ListScenarios(ClientMessage):
    """What can be played here? Reply: `Scenarios`."""


@message("list_tables")
class ListTables(ClientMessage):
    """Where does my key have a seat? Reply: `Tables`."""


@message("choose_language")
class ChooseLanguage(ClientMessage):
    """
    Speak this language with me from now on, as if I had logged in with it.

    Before the reply, `Done`, come the words in it of all that this session was told so far, if it
    was told in another.
    """

    language: str = attrs.field(validator=check_language)
    """Such as `fr` or `pt-BR`, as in the login; where a pack does not speak it, English."""


@message("open_table")
class OpenTable(ClientMessage):
    """Open a table; I am its host and have its first seat. Reply: `TableOpened`."""

    settings: Settings
    scenario: str = attrs.field(validator=ID)


@message("join_table")
class JoinTable(ClientMessage):
    """Redeem an invitation to a seat. Reply: `Joined`. Again by the same key: the same reply."""

    code: str = attrs.field(validator=ID, repr=False)


@message("watch_table")
class WatchTable(ClientMessage):
    """Redeem an invitation to look on. Reply: `Joined` with seat -1; lasts for this connection."""

    code: str = attrs.field(validator=ID, repr=False)


@message("enter_table")
class EnterTable(RoomMessage):
    """Send me the records after one that I have, and what follows. Reply: `Entered`."""

    after: int = attrs.field(validator=AFTER)
    """The sequence of the last record held; -1 for none."""


@message("leave_table")
class LeaveTable(RoomMessage):
    """Send me no more of this table; my seat stays mine. Reply: `Done`."""


@message("leave_seat")
class LeaveSeat(RoomMessage):
    """Give up my seat; only before the game."""


@message("choose_scenario")
class ChooseScenario(RoomMessage):
    """As the host: play this one."""

    scenario: str = attrs.field(validator=ID)


@message("continue_campaign")
class ContinueCampaign(RoomMessage):
    """
    As the host, before the game: go on with a campaign.

    It is the one of the last finished game that one was host of and after which another scenario
    comes; that one is played then.
    """


@message("switch_products")
class SwitchProducts(RoomMessage):
    """As the host, before the game: these products are off, all others are on."""

    off: tuple[str, ...] = attrs.field(validator=ids(MAX_PRODUCTS))


@message("claim_pieces")
class ClaimPieces(RoomMessage):
    """This is what my seat plays, in place of any claim before."""

    pieces: tuple[str, ...] = attrs.field(validator=ids(MAX_PIECES))


@message("set_ready")
class SetReady(RoomMessage):
    """I am ready to start, or no longer."""

    is_ready: bool


@message("invite")
class Invite(RoomMessage):
    """
    Make a fresh invitation that I may pass on.

    Reply: `Done`, after `InvitationMade`.
    """

    is_to_watch: bool
    """To look on; otherwise, as somebody with a seat and before the game, to any free seat."""


@message("add_bot")
class AddBot(RoomMessage):
    """As the host, before the game: let a bot run by the server take a seat."""


@message("start_game")
class StartGame(RoomMessage):
    """As the host: everybody is ready, begin."""


@message("commit_share")
class CommitShare(RoomMessage):
    """My share of chance, bound but not shown."""

    commitment: bytes = attrs.field(validator=BYTES_32)
    """SHA-256 of the share."""


@message("open_share")
class OpenShare(RoomMessage):
    """My share of chance, now that all are bound."""

    share: bytes = attrs.field(validator=BYTES_32, repr=False)


@message("answer")
class Answer(RoomMessage):
    """My answer to a question that is settled by any one or by each."""

    ask_id: int = attrs.field(validator=COUNT)
    picks: tuple[str, ...] = attrs.field(validator=ids(MAX_PICKS), repr=False)
    """Choice ids; in order where order counts."""


@message("vote")
class Vote(RoomMessage):
    """What I am for, in a question that is settled by agreement; I may vote again."""

    ask_id: int = attrs.field(validator=COUNT)
    choice_id: str = attrs.field(validator=ID)


@message("call_lot")
class CallLot(RoomMessage):
    """We all voted and do not agree: let the lot decide."""

    ask_id: int = attrs.field(validator=COUNT)


@message("chat")
class Chat(RoomMessage):
    """Say something to the table: one line of text that can be printed."""

    words: str = attrs.field(validator=and_(min_len(1), max_len(MAX_CHAT), check_plain), repr=False)


@message("propose_take_back")
class ProposeTakeBack(RoomMessage):
    """Let us go back to a rest point."""

    rest: int = attrs.field(validator=COUNT)
    """The sequence of that rest point."""


@message("propose_give_seat")
class ProposeGiveSeat(RoomMessage):
    """
    As the host or the steward: let us give a seat to somebody else.

    Once all agree, either a bot run by the server takes it, or I am sent `InvitationMade` for
    exactly that seat, which the new player redeems with `JoinTable`.
    """

    seat: int = attrs.field(validator=SEAT)
    to_bot: bool


@message("propose_correction")
class ProposeCorrection(RoomMessage):
    """
    Let us correct what lies on the table: a monster's damage.

    Once all agree it is done as soon as nothing is under way: at once, or when what somebody is
    doing is finished.
    """

    piece: str = attrs.field(validator=ID)
    """The monster's id."""
    amount: int = attrs.field(validator=COUNT)
    """Its damage from then on."""


@message("consent")
class Consent(RoomMessage):
    """I agree to the proposal, or refuse it, which ends it."""

    proposal_id: int = attrs.field(validator=COUNT)
    is_agreed: bool


@message("resume")
class Resume(RoomMessage):
    """Let the game that stands still go on."""


@message("export_table")
class ExportTable(RoomMessage):
    """Send me the log as I may have it. Reply: `ExportPart`, as many as it takes."""


# Server to client --------------------------------------------------------------------------


@message("pong")
class Pong(ServerMessage):
    """I am here."""

    serial: int = attrs.field(validator=COUNT)


@message("done")
class Done(ServerMessage):
    """What you asked for has happened, and is stored."""

    serial: int = attrs.field(validator=COUNT)


@message("refused")
class Refused(ServerMessage):
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


@message("goodbye")
class Goodbye(ServerMessage):
    """The last thing said before the server closes the connection."""

    code: str = attrs.field(validator=ID)
    reason: str = attrs.field(validator=and_(max_len(MAX_REASON), check_plain))
    """One plain sentence, for people who write clients."""


@attrs.frozen
class ProductLine:
    """A part of the content that can be switched off. Rule APP-18."""

    product: str = attrs.field(validator=ID)
    """A subject whose `name` is among the words."""
    pieces: tuple[str, ...] = attrs.field(validator=ids(MAX_PIECES))
    """What seats cannot claim where it is off."""


@attrs.frozen
class ScenarioLine:
    """One scenario that can be played."""

    scenario: str = attrs.field(validator=ID)
    """The pack and scenario, `core/name`."""
    title: Text
    summary: Text
    minutes: int = attrs.field(validator=COUNT)
    """How long a game takes people, about."""
    difficulty: int = attrs.field(validator=and_(ge(1), le(5)))
    """From 1, easy, to 5."""
    min_players: int = attrs.field(validator=COUNT)
    max_players: int = attrs.field(validator=COUNT)
    pieces: tuple[str, ...] = attrs.field(validator=ids(MAX_PIECES))
    """What seats may claim, by id; each is a subject whose `name` is among the words."""
    product: str = attrs.field(default="", validator=ID)
    """The product that it belongs to; empty where it cannot be switched off."""
    products: tuple[ProductLine, ...] = attrs.field(default=(), validator=max_len(MAX_PRODUCTS))
    """What can be switched off."""


@message("scenarios")
class Scenarios(ServerMessage):
    """What can be played here."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[ScenarioLine, ...] = attrs.field(validator=max_len(MAX_LINES))


@attrs.frozen
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


@message("tables")
class Tables(ServerMessage):
    """Where your key has a seat, the newest first."""

    serial: int = attrs.field(validator=COUNT)
    lines: tuple[TableLine, ...] = attrs.field(validator=max_len(MAX_LINES))


@message("table_opened")
class TableOpened(ServerMessage):
    """Your table stands."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ID)
    code: str = attrs.field(validator=ID, repr=False)
    """Of the invitation to any free seat."""
    watch_code: str = attrs.field(validator=ID, repr=False)
    """Of the invitation to look on; empty where the settings allow none."""


@message("joined")
class Joined(ServerMessage):
    """The invitation is good: enter the table next."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ID)
    seat: int = attrs.field(validator=SEAT)
    """-1 for somebody who looks on."""


@message("entered")
class Entered(ServerMessage):
    """You follow this table now; `Records` begin with what you asked for."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ID)
    seat: int = attrs.field(validator=SEAT)
    """-1 for somebody who looks on."""
    next_sequence: int = attrs.field(validator=COUNT)
    """
    The sequence of the first record that does not exist yet, or that somebody who looks on may not
    see yet: with it you are up to date.
    """


@message("records")
class Records(ServerMessage):
    """What happened at a table, as you may see it: sequences without a gap."""

    room_id: str = attrs.field(validator=ID)
    cuts: tuple[Cut, ...] = attrs.field(validator=and_(min_len(1), max_len(MAX_CUTS)), repr=False)


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
    """The seat it is for; -1 for any free one, or to look on."""
    is_to_watch: bool
    code: str = attrs.field(validator=ID, repr=False)


@message("export_part")
class ExportPart(ServerMessage):
    """A piece of the log that you asked for; the file is all pieces in order."""

    serial: int = attrs.field(validator=COUNT)
    room_id: str = attrs.field(validator=ID)
    index: int = attrs.field(validator=COUNT)
    """From 0."""
    is_last: bool
    data: bytes = attrs.field(validator=max_len(MAX_PART_BYTES), repr=False)

"""Messages from the client; each names its reply. See the package."""

import attrs
from attrs.validators import and_, ge, le, max_len, min_len

from protocol.bounds import (
    AFTER,
    BYTES_32,
    COUNT,
    ID,
    MAX_CHARACTERS,
    MAX_KINDS,
    MAX_MAIL_ADDRESS,
    MAX_PASSWORD,
    MAX_PICKS,
    MAX_PRODUCTS,
    MAX_SEATS,
    NONE_OR_32,
    NOT_NEGATIVE,
    ROOM_ID,
    SEAT,
    SIGNATURE,
    TIME,
    check_language,
    ids,
)
from protocol.common.events import MAX_CHAT
from protocol.common.padded import Padded
from protocol.common.table import Settings
from protocol.plain_text import check_plain
from protocol.vocabulary import ClientMessage, RoomMessage, message


@message("ping")
class Ping(ClientMessage):
    """Keep the connection alive; a client sends something at least every 30 s. Reply: `Pong`."""


@message("list_scenarios")
class ListScenarios(ClientMessage):
    """List the scenarios that can be played here. Reply: `Scenarios`."""


@message("list_tables")
class ListTables(ClientMessage):
    """List the tables where my key has a seat. Reply: `Tables`."""


@message("find_games")
class FindGames(ClientMessage):
    """
    Search the finished games that I may open: mine, and those that all of their seats have shared.

    Reply: `GamesFound`, the latest games first.
    """

    scenario: str = attrs.field(validator=ID)
    """Find only games of this scenario; empty for all scenarios."""
    seats: int = attrs.field(validator=and_(ge(0), le(MAX_SEATS)))
    """Find only games with this number of seats; 0 for any number."""
    since: int = attrs.field(validator=TIME)
    """Find only games that ended at this time or later, in milliseconds since 1970."""
    until: int = attrs.field(validator=COUNT)
    """Find only games that ended before this time, in milliseconds since 1970; 0 for all."""
    before: int = attrs.field(validator=COUNT)
    """For the next page: time when the last game on the previous page ended; 0 for the first
    page."""
    before_room: str = attrs.field(validator=ROOM_ID)
    """For the next page: room of the last game on the previous page; empty for the first page."""


@message("list_lost_seats")
class ListLostSeats(ClientMessage):
    """List the seats that I lost while I was away, each once. Reply: `LostSeats`."""

    serial: int = attrs.field(validator=COUNT)


@message("list_awaited")
class ListAwaited(ClientMessage):
    """List the tables that wait for my key. The tables do not learn of it. Reply: `Awaited`."""


@message("set_mail")
class SetMail(ClientMessage):
    """
    Set the address for mails that come while a table waits for me, in this session's language.

    Reply: `Done`, when a code is on its way to the address. The address is used after
    `confirm_mail`.
    """

    address: str = attrs.field(validator=and_(max_len(MAX_MAIL_ADDRESS), check_plain), repr=False)
    """Address that replaces any earlier address; empty to delete it."""


@message("confirm_mail")
class ConfirmMail(ClientMessage):
    """Confirm an address by the code that was sent to it. Reply: `Done`."""

    code: str = attrs.field(validator=ID, repr=False)


@message("stop_mail")
class StopMail(ClientMessage):
    """Stop mails to an address, by a code from one of them; any key may do so. Reply: `Done`."""

    code: str = attrs.field(validator=ID, repr=False)


@message("choose_language")
class ChooseLanguage(ClientMessage):
    """
    Change the language of this session.

    If it differs, the words of all subjects that this session was sent so far come again in the new
    language. Reply: `Done`, after these.
    """

    language: str = attrs.field(validator=check_language)
    """Language, such as `fr` or `pt-BR`, as in the login. Packs without this language use
    English."""


@message("open_table")
class OpenTable(ClientMessage):
    """Open a table, as its host and in its first seat. Reply: `TableOpened`."""

    settings: Settings
    scenario: str = attrs.field(validator=ID)
    password: str = attrs.field(
        default="", validator=and_(max_len(MAX_PASSWORD), check_plain), repr=False
    )
    """Password, needed once if the server refuses with `table/password`; else empty."""


@message("join_table")
class JoinTable(ClientMessage):
    """
    Redeem an invitation to a seat. Reply: `Joined`, also if the same key redeems it again.

    Refused with `setup/known_game` if the game is running and I know its fixed setup.
    """

    code: str = attrs.field(validator=ID, repr=False)


@message("join_known_table")
class JoinKnownTable(ClientMessage):
    """
    Join although I know the fixed setup of the game, and `join_table` was refused for it.

    The table is told that I know it. Reply: `Joined`.
    """

    code: str = attrs.field(validator=ID, repr=False)


@message("watch_table")
class WatchTable(ClientMessage):
    """Redeem an invitation to spectate, for this connection. Reply: `Joined` with seat -1."""

    code: str = attrs.field(validator=ID, repr=False)


@message("make_setup")
class MakeSetup(ClientMessage):
    """Draw a fixed setup that several tables can play, as its owner. Reply: `SetupMade`."""


@message("list_setups")
class ListSetups(ClientMessage):
    """List the fixed setups that my key made. Reply: `SetupList`."""


@message("close_setup")
class CloseSetup(ClientMessage):
    """
    As its owner: close a fixed setup for good. No game can begin with it any more.

    Its seed is opened at every table that played it and whose settings publish the log: now, or
    when the game is over.
    """

    code: str = attrs.field(validator=ID, repr=False)


@message("enter_table")
class EnterTable(RoomMessage):
    """
    Follow a table: get all records after the last one that I have, and each new one.

    Reply: `Entered`.
    """

    after: int = attrs.field(validator=AFTER)
    """Sequence of the last record that I have; -1 for none."""
    head: bytes = attrs.field(validator=max_len(32), default=b"")
    """Head of the chain after that record, for comparison by the server; empty for no
    comparison."""


@message("leave_table")
class LeaveTable(RoomMessage):
    """Stop following this table; I keep my seat. Reply: `Done`."""


@message("leave_seat")
class LeaveSeat(RoomMessage):
    """Before the game: give up my seat."""


@message("remove_table")
class RemoveTable(RoomMessage):
    """
    As the host, before the game: delete the table with its log and its invitations.

    All others who follow it are sent a `Notice`, `table/removed`.
    """


@message("play_again")
class PlayAgain(RoomMessage):
    """
    Join the table at which the players of this finished game play again.

    The first request opens that table, with the same settings and number of bots; its reply is
    `TableOpened`. The others at the finished table are sent a `Notice`, `table/again`, at once and
    whenever they enter it. The reply to another seat is `Joined`; to a spectator or observer who
    follows the finished table it is `TableOpened` with an empty `code`, once that table is open.
    """

    scenario: str = attrs.field(default="", validator=ID)
    """Scenario of the new table, of the same game; empty for the same scenario. The scenario that
    follows the finished one in its campaign continues the campaign. Ignored if the new table is
    open already."""


@message("choose_scenario")
class ChooseScenario(RoomMessage):
    """As the host: choose the scenario."""

    scenario: str = attrs.field(validator=ID)


@message("continue_campaign")
class ContinueCampaign(RoomMessage):
    """
    As the host, before the game: continue a campaign with its next scenario.

    The campaign is that of the latest finished game of which I was the host; campaigns that are
    over do not count. If others have a seat here, games that one of them played in come first; if
    I am alone here, games that I played alone.
    """


@message("switch_products")
class SwitchProducts(RoomMessage):
    """As the host, before the game: switch these products off and all others on."""

    off: tuple[str, ...] = attrs.field(validator=ids(MAX_PRODUCTS))


@message("fix_setup")
class FixSetup(RoomMessage):
    """As the host, before the game: play a fixed setup. All seats become unready."""

    code: str = attrs.field(validator=ID, repr=False)
    """Code of the setup; empty to let the table draw a setup."""


@message("accept_setup")
class AcceptSetup(RoomMessage):
    """Before the game: play although I know the fixed setup, which the table is told."""

    commitment: bytes = attrs.field(validator=BYTES_32)
    """Commitment to the seed of the accepted setup. The host may have fixed another setup
    meanwhile."""


@message("setup_results")
class ListResults(ClientMessage):
    """Get the results of all tables that played a closed setup. Reply: `SetupResults`."""

    code: str = attrs.field(validator=ID, repr=False)


@message("empty_seat")
class EmptySeat(RoomMessage):
    """As the host, before the game: empty a seat that withheld its share in two starts."""

    seat: int = attrs.field(validator=SEAT)


@message("claim_pieces")
class ClaimCharacters(RoomMessage):
    """Claim the characters that my seat plays; replaces earlier claims."""

    characters: tuple[str, ...] = attrs.field(validator=ids(MAX_CHARACTERS))


@message("claim_role")
class ClaimRole(RoomMessage):
    """Claim the role of my seat; the characters it had claimed are free again."""

    role: str = attrs.field(validator=and_(min_len(1), ID))


@message("prepare")
class Prepare(RoomMessage):
    """Before the game: set what my seat has prepared for it; replaces anything earlier."""

    prepared: Padded = attrs.field(repr=False)
    """Preparation in the game's own encoding; the rules check it."""


@message("set_ready")
class SetReady(RoomMessage):
    """Declare my seat ready to start, or not ready."""

    is_ready: bool
    number: int = attrs.field(default=0, validator=NOT_NEGATIVE)
    """Number above those of all statements that my key signed at this table; 0 if nothing is
    signed."""
    signature: bytes = attrs.field(default=b"", validator=SIGNATURE, repr=False)
    """Signature over the statement of section 10; empty in logs before version 3."""


@message("invite")
class Invite(RoomMessage):
    """
    Make a new invitation to pass on.

    Reply: `Done`, after `InvitationMade`.
    """

    is_to_watch: bool
    """True to invite a spectator. False to invite to any free seat: only before the game, and only
    if you have a seat."""


@message("renew_invitations")
class RenewInvitations(RoomMessage):
    """
    As the host or the steward: revoke all invitations, and make new ones where still needed.

    Nobody loses a seat. All connected seats are sent a `Notice`, `table/invitations_renewed`.
    Reply: `Done`, after an `InvitationMade` for each new one.
    """


@message("vote_host")
class VoteHost(RoomMessage):
    """
    Before the game, while the host is away: vote that the longest-seated person takes over.

    It happens once more than half of the people who are present vote for it, and after a minute
    without any vote. Refused with `host/just_left` in the first 10 seconds.
    """


@message("add_bot")
class AddBot(RoomMessage):
    """As the host, before the game: seat a bot that the server runs."""

    role: str = attrs.field(default="", validator=ID)
    """Role that the bot claims; empty for the first role."""


@message("start_game")
class StartGame(RoomMessage):
    """As the host, when all are ready: start the game."""

    number: int = attrs.field(default=0, validator=NOT_NEGATIVE)
    """Number of the statement, as in `set_ready`."""
    signature: bytes = attrs.field(default=b"", validator=SIGNATURE, repr=False)
    """Signature over the statement of section 10; empty in logs before version 3."""


@message("commit_share")
class CommitShare(RoomMessage):
    """Commit to my share of chance."""

    commitment: bytes = attrs.field(validator=BYTES_32)
    """Commitment to the share, its number and the previous start, as in section 10."""


@message("open_share")
class OpenShare(RoomMessage):
    """Open my share of chance, after all seats committed."""

    share: bytes = attrs.field(validator=BYTES_32, repr=False)
    number: int = attrs.field(default=0, validator=NOT_NEGATIVE)
    """Number of starts of this table at which my key opened a share, including this start; 0 if
    nothing is signed."""
    before: bytes = attrs.field(default=b"", validator=NONE_OR_32)
    """Id of the previous start at which my key opened a share; empty for none."""
    signature: bytes = attrs.field(default=b"", validator=SIGNATURE, repr=False)
    """Signature over the statement of section 10; empty in logs before version 3."""


@message("answer")
class Answer(RoomMessage):
    """Answer a question, pass, or give a sealed vote."""

    ask_id: int = attrs.field(validator=COUNT)
    picks: tuple[str, ...] = attrs.field(validator=ids(MAX_PICKS), repr=False)
    """Ids of the choices, in order if the question is ordered."""


@message("answer_in_window")
class AnswerInWindow(RoomMessage):
    """
    Choose in the open timed window, or decide where others may interrupt. The last choice counts.

    No reply: the record that ends the question says what counted. A client that reconnects before
    that sends it again, since the server may have lost it.
    """

    ask_id: int = attrs.field(validator=COUNT)
    picks: tuple[str, ...] = attrs.field(validator=ids(MAX_PICKS), repr=False)
    """Ids of the choices, in order if the question is ordered."""
    is_done: bool = attrs.field(default=False, repr=False)
    """In a window of a table with stops: true to let it close before its time, once all say so."""


@message("set_stops")
class SetStops(RoomMessage):
    """
    Set the kinds of window at which I stop the game; replaces my earlier stops.

    Stops are private and not on the log. A client that reconnects sends them again.
    """

    kinds: tuple[str, ...] = attrs.field(validator=ids(MAX_KINDS), repr=False)
    """Kinds of windows at which to stop, ascending."""
    is_everywhere: bool = attrs.field(default=False, repr=False)
    """True to stop at all other kinds too, including new kinds."""


@message("await_readers")
class AwaitReaders(RoomMessage):
    """
    As a program that plays my seat: subscribe to how far the people at the table have read.

    Reply: `Done`, after `ReadSoFar`. All others with a seat are sent `ReadersAwaited`.
    """


@message("have_read")
class HaveRead(RoomMessage):
    """After `ReadersAwaited`: report how far my player has read."""

    until: int = attrs.field(validator=AFTER)
    """
    Sequence of the last record that my player has finished reading. A repeated number means that
    the player has turned a page.
    """


@message("set_standing")
class SetStanding(RoomMessage):
    """Set the kinds of question on which I pass automatically; replaces my earlier choice."""

    kinds: tuple[str, ...] = attrs.field(validator=ids(MAX_KINDS), repr=False)
    """Kinds of question to pass, or groups of kinds, among those asked at this table, ascending;
    empty to be asked every time. `KIND@LAPSE` ends with the next lapse of that name."""


@message("vote")
class Vote(RoomMessage):
    """Give an open vote, which all can read; the last one counts."""

    ask_id: int = attrs.field(validator=COUNT)
    picks: tuple[str, ...] = attrs.field(validator=ids(MAX_PICKS))
    """Ids of the choices: one, or several in order."""


@message("call_lot")
class CallTiebreak(RoomMessage):
    """Ask for a tiebreak by lot, after all voted without agreement."""

    ask_id: int = attrs.field(validator=COUNT)


@message("chat")
class Chat(RoomMessage):
    """Send a line of plain text to the table."""

    words: str = attrs.field(validator=and_(min_len(1), max_len(MAX_CHAT), check_plain), repr=False)


@message("propose_take_back")
class ProposeTakeBack(RoomMessage):
    """Propose to go back to a checkpoint."""

    checkpoint: int = attrs.field(validator=COUNT)
    """Sequence of the checkpoint."""


@message("propose_give_seat")
class ProposeGiveSeat(RoomMessage):
    """
    As the host or the steward: propose to give a seat to somebody else.

    When all agree, either a bot takes it, or I am sent `InvitationMade` for exactly that seat. The
    new player redeems it with `join_table`.
    """

    seat: int = attrs.field(validator=SEAT)
    to_bot: bool


@message("propose_give_up")
class ProposeGiveUp(RoomMessage):
    """Propose to end the game for good. It is over when all agree."""


@message("propose_correction")
class ProposeCorrection(RoomMessage):
    """
    Propose to correct a number on the table: the damage of a monster.

    When all agree it is corrected, as soon as nothing is being resolved.
    """

    piece: str = attrs.field(validator=ID)
    """Id of the monster."""
    amount: int = attrs.field(validator=COUNT)
    """Corrected damage of the monster."""


@message("consent")
class Consent(RoomMessage):
    """Agree to the open proposal, or refuse it, which ends it."""

    proposal_id: int = attrs.field(validator=COUNT)
    is_agreed: bool


@message("agree_for_absent")
class AgreeForAbsent(RoomMessage):
    """On behalf of all absent seats: agree to the open proposal, once all others have agreed."""

    proposal_id: int = attrs.field(validator=COUNT)


@message("resume")
class Resume(RoomMessage):
    """Resume the paused game."""


@message("practise")
class Practise(RoomMessage):
    """
    Open a practice game: replay this finished game from a checkpoint, with me in every seat.

    It starts at the last checkpoint before an event. The answers between the checkpoint and the
    event are repeated, as long as the rules offer them. Reply: `Joined`, to a new table.
    """

    event: int = attrs.field(validator=COUNT)
    """Sequence of the event."""


@message("speak_for")
class SpeakFor(RoomMessage):
    """In my practice game: control this seat from now on."""

    seat: int = attrs.field(validator=SEAT)


@message("share_game")
class ShareGame(RoomMessage):
    """Agree that everybody on this server may open this finished game, or withdraw that."""

    is_agreed: bool


@message("export_table")
class ExportTable(RoomMessage):
    """Export the log with all that I may know of it. Reply: `ExportPart`, one or more."""


@message("export_pack")
class ExportPack(RoomMessage):
    """
    Get the pack of a game whose whole log I may have, to play the log again.

    Reply: `ExportPart`, one or more: the files of the pack, as section 13 says.
    """

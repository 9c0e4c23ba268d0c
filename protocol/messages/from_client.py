"""What a client says; each message names the reply that it gets. See the package."""

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
    SEAT,
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
    """Are you there? Reply: `Pong`. A client says something at least every 30 seconds."""


@message("list_scenarios")
class ListScenarios(ClientMessage):
    """What can be played here? Reply: `Scenarios`."""


@message("list_tables")
class ListTables(ClientMessage):
    """Where does my key have a seat? Reply: `Tables`."""


@message("find_games")
class FindGames(ClientMessage):
    """
    Which finished games may I open: mine, and those of which all seats agreed to show them?

    Reply: `GamesFound`, the games that ended last first.
    """

    scenario: str = attrs.field(validator=ID)
    """Of this scenario alone; empty for all."""
    seats: int = attrs.field(validator=and_(ge(0), le(MAX_SEATS)))
    """Of so many seats alone; 0 for any number."""
    since: int = attrs.field(validator=COUNT)
    """Those that ended at this time or later, in milliseconds since 1970."""
    until: int = attrs.field(validator=COUNT)
    """Those that ended before this time; 0 for all."""
    before: int = attrs.field(validator=COUNT)
    """For the next page, when the last game of the page before ended; 0 for the first page."""
    before_room: str = attrs.field(validator=ID)
    """For the next page, the room of that game; else empty."""


@message("list_lost_seats")
class ListLostSeats(ClientMessage):
    """Which seats did I lose while I was away? Each is told once. Reply: `LostSeats`."""

    serial: int = attrs.field(validator=COUNT)


@message("list_awaited")
class ListAwaited(ClientMessage):
    """Which tables wait for an answer of my key? Reply: `Awaited`. No table learns that I asked."""


@message("set_mail")
class SetMail(ClientMessage):
    """
    Send me a mail, in the language of this session, when a table waits for me and I am away.

    Reply: `Done`, once a code is on its way to the address. It counts after `ConfirmMail`.
    """

    address: str = attrs.field(validator=and_(max_len(MAX_MAIL_ADDRESS), check_plain), repr=False)
    """In place of any address before; empty: send me none, and forget what I gave."""


@message("confirm_mail")
class ConfirmMail(ClientMessage):
    """This is the code that came to the address. Reply: `Done`."""

    code: str = attrs.field(validator=ID, repr=False)


@message("stop_mail")
class StopMail(ClientMessage):
    """This code stood in a mail: send no more to its address. Whatever my key is. Reply: `Done`."""

    code: str = attrs.field(validator=ID, repr=False)


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
    password: str = attrs.field(
        default="", validator=and_(max_len(MAX_PASSWORD), check_plain), repr=False
    )
    """Where the server asks for one: refused with `table/password` without, then give it once."""


@message("join_table")
class JoinTable(ClientMessage):
    """
    Redeem an invitation to a seat. Reply: `Joined`. Again by the same key: the same reply.

    Refused with `setup/known_game` where I know the fixed setup of a game that goes on.
    """

    code: str = attrs.field(validator=ID, repr=False)


@message("join_known_table")
class JoinKnownTable(ClientMessage):
    """
    As `JoinTable`, though I know the fixed setup of its game. Reply: `Joined`.

    For whom `JoinTable` was refused with `setup/known_game`. The table reads that I know it.
    """

    code: str = attrs.field(validator=ID, repr=False)


@message("watch_table")
class WatchTable(ClientMessage):
    """Redeem an invitation to spectate. Reply: `Joined` with seat -1; lasts for this connection."""

    code: str = attrs.field(validator=ID, repr=False)


@message("make_setup")
class MakeSetup(ClientMessage):
    """Draw a setup that several tables can play; I am its owner. Reply: `SetupMade`."""


@message("list_setups")
class ListSetups(ClientMessage):
    """Which fixed setups has my key made? Reply: `SetupList`."""


@message("close_setup")
class CloseSetup(ClientMessage):
    """
    As its owner: nobody begins with this setup any more, and its seed is opened. For good.

    It is opened on every finished table that played it and whose settings publish the log, now or
    as soon as its game is over.
    """

    code: str = attrs.field(validator=ID, repr=False)


@message("enter_table")
class EnterTable(RoomMessage):
    """Send me the records after one that I have, and what follows. Reply: `Entered`."""

    after: int = attrs.field(validator=AFTER)
    """The sequence of the last record held; -1 for none."""
    head: bytes = attrs.field(validator=max_len(32), default=b"")
    """The head of the chain after that record, for the server to compare; empty to ask nothing."""


@message("leave_table")
class LeaveTable(RoomMessage):
    """Send me no more of this table; my seat stays mine. Reply: `Done`."""


@message("leave_seat")
class LeaveSeat(RoomMessage):
    """Give up my seat; only before the game."""


@message("remove_table")
class RemoveTable(RoomMessage):
    """
    As the host, before the game: remove the table for all, with its log and its invitations.

    Everybody else who follows it is sent a `Notice`, `table/removed`.
    """


@message("play_again")
class PlayAgain(RoomMessage):
    """
    Once the game is over: bring me to the table at which its people play again.

    Who asks first opens it, with the same settings and as many bots: the reply is `TableOpened`,
    and the others who have a seat are sent a `Notice`, `table/again`, then and whenever they enter
    the finished table. Their reply is `Joined`.
    """

    scenario: str = attrs.field(default="", validator=ID)
    """What is to be played there, of the same game, if nobody has opened it yet; empty for that."""


@message("choose_scenario")
class ChooseScenario(RoomMessage):
    """As the host: play this one."""

    scenario: str = attrs.field(validator=ID)


@message("continue_campaign")
class ContinueCampaign(RoomMessage):
    """
    As the host, before the game: go on with a campaign.

    It is the one of the last finished game that one was host of and after which another scenario
    comes; that one is played then. Games with somebody who sits here come before all others, for
    one who sits alone those that they played alone.
    """


@message("switch_products")
class SwitchProducts(RoomMessage):
    """As the host, before the game: these products are off, all others are on."""

    off: tuple[str, ...] = attrs.field(validator=ids(MAX_PRODUCTS))


@message("fix_setup")
class FixSetup(RoomMessage):
    """As the host, before the game: play the fixed setup of this code; nobody is ready any more."""

    code: str = attrs.field(validator=ID, repr=False)
    """Empty: none, so that this table has a house of its own."""


@message("accept_setup")
class AcceptSetup(RoomMessage):
    """Before the game: I know the fixed setup, and want it all the same. The table reads that."""


@message("setup_results")
class ListResults(ClientMessage):
    """How did all tables come out that played this setup, now closed? Reply: `SetupResults`."""

    code: str = attrs.field(validator=ID, repr=False)


@message("empty_seat")
class EmptySeat(RoomMessage):
    """As the host, before the game: put out whoever withheld their share in two starts."""

    seat: int = attrs.field(validator=SEAT)


@message("claim_pieces")
class ClaimCharacters(RoomMessage):
    """This is whom my seat plays, in place of any claim before."""

    characters: tuple[str, ...] = attrs.field(validator=ids(MAX_CHARACTERS))


@message("claim_role")
class ClaimRole(RoomMessage):
    """This is my seat's role; whom it had claimed is free again."""

    role: str = attrs.field(validator=and_(min_len(1), ID))


@message("prepare")
class Prepare(RoomMessage):
    """Before the game: this is what my seat has prepared for it, in place of anything before."""

    prepared: Padded = attrs.field(repr=False)
    """In the game's own bytes, which its rules check."""


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
    """To spectate; otherwise, as somebody with a seat and before the game, to any free seat."""


@message("renew_invitations")
class RenewInvitations(RoomMessage):
    """
    As the host: make all invitations of the table worthless, and those anew that it still needs.

    Nobody loses a place by that who has one. Everybody here who has a seat is sent a
    `Notice`, `table/invitations_renewed`. Reply: `Done`, after an `InvitationMade` for each.
    """


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
    """My answer to a question; a pass, where seats can pass; a vote that is sealed at first."""

    ask_id: int = attrs.field(validator=COUNT)
    picks: tuple[str, ...] = attrs.field(validator=ids(MAX_PICKS), repr=False)
    """Choice ids; in order where order counts."""


@message("answer_in_window")
class AnswerInWindow(RoomMessage):
    """
    What I would do in the timed window that is open, or that I pass; I may say otherwise.

    Has no reply: the record of the window says what counted. Who comes back before that says it
    again, for the server may have lost it.
    """

    ask_id: int = attrs.field(validator=COUNT)
    choice_id: str = attrs.field(validator=ID, repr=False)


@message("set_stops")
class SetStops(RoomMessage):
    """
    On which kinds of window I stop the game, in place of what I said before.

    Is on no log and nobody else is told; who comes back says it again.
    """

    kinds: tuple[str, ...] = attrs.field(validator=ids(MAX_KINDS), repr=False)
    """Ascending."""
    is_everywhere: bool = attrs.field(default=False, repr=False)
    """Whether on all others too, also those that were not asked yet."""


@message("set_standing")
class SetStanding(RoomMessage):
    """On which kinds of question I pass from the next one on, in place of what I said before."""

    kinds: tuple[str, ...] = attrs.field(validator=ids(MAX_KINDS), repr=False)
    """Of those that were asked at this table, ascending; none to be asked every time."""


@message("vote")
class Vote(RoomMessage):
    """What I am for, where all read the votes; I may vote again."""

    ask_id: int = attrs.field(validator=COUNT)
    picks: tuple[str, ...] = attrs.field(validator=ids(MAX_PICKS))
    """Choice ids: one, or a list in its order."""


@message("call_lot")
class CallTiebreak(RoomMessage):
    """We all voted and do not agree: have a draw decide."""

    ask_id: int = attrs.field(validator=COUNT)


@message("chat")
class Chat(RoomMessage):
    """Say something to the table: one line of text that can be printed."""

    words: str = attrs.field(validator=and_(min_len(1), max_len(MAX_CHAT), check_plain), repr=False)


@message("propose_take_back")
class ProposeTakeBack(RoomMessage):
    """Let us go back to a checkpoint."""

    checkpoint: int = attrs.field(validator=COUNT)
    """The sequence of that checkpoint."""


@message("propose_give_seat")
class ProposeGiveSeat(RoomMessage):
    """
    As the host or the steward: let us give a seat to somebody else.

    Once all agree, either a bot run by the server takes it, or I am sent `InvitationMade` for
    exactly that seat, which the new player redeems with `JoinTable`.
    """

    seat: int = attrs.field(validator=SEAT)
    to_bot: bool


@message("propose_give_up")
class ProposeGiveUp(RoomMessage):
    """Let us end the game here, for good. Once all agree it is over, and its log says so."""


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


@message("agree_for_absent")
class AgreeForAbsent(RoomMessage):
    """I agree to going back for all who are away; nobody else has yet to agree."""

    proposal_id: int = attrs.field(validator=COUNT)


@message("resume")
class Resume(RoomMessage):
    """Let the game that stands still go on."""


@message("practise")
class Practise(RoomMessage):
    """
    Open a practice game for me: this finished game goes on otherwise, and I play all its seats.

    It goes on from the last checkpoint up to an event. What was answered there up to that event is
    answered again, as far as it is offered. Reply: `Joined`, to a table of its own.
    """

    event: int = attrs.field(validator=COUNT)
    """The sequence of the record that has just happened."""


@message("speak_for")
class SpeakFor(RoomMessage):
    """In a practice game of mine: what I say from now on, I say for this seat."""

    seat: int = attrs.field(validator=SEAT)


@message("share_game")
class ShareGame(RoomMessage):
    """My seat agrees, once the game is over, that everybody on this server may open it; or not."""

    is_agreed: bool


@message("export_table")
class ExportTable(RoomMessage):
    """Send me the log as I may have it. Reply: `ExportPart`, as many as it takes."""

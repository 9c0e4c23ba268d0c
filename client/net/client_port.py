"""
The actions of a person, and the message that each action sends.

Screens, plain mode and bots act through a `ClientPort`. `client.net.port.ServerPort` talks to a
server. Tests have other ports, which record the actions.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeVar

from client.model.found_games import FoundGames, GamesWanted
from client.model.off_log import Stops
from client.net.fetching import FetchedGame
from protocol import messages
from protocol.common.events import MAX_CHAT
from protocol.common.padded import Padded
from protocol.common.table import FixedSetup, Settings
from protocol.plain_text import clean

R = TypeVar("R", bound=messages.ServerMessage)


class ClientPort(ABC):
    """
    The actions of a person. Every method returns at once; its effect shows in the model.

    A reply that matters to its caller alone goes to a callback. The port does not call back if the
    connection is lost, nor after a refusal, which the message bar shows. Methods that concern a
    table act on the followed table, unless they take a `room_id`.
    """

    @abstractmethod
    def say(self, message: messages.ClientMessage) -> None:
        """Send a message; if none can be sent now, show a notice on the message bar."""

    @abstractmethod
    def ask(self, message: messages.ClientMessage, kind: type[R], use: Callable[[R], None]) -> None:
        """Send a message, and pass a reply of the type `kind` to `use`."""

    @abstractmethod
    def fetch_game(self, room_id: str, fetched: Callable[[FetchedGame], None]) -> None:
        """Fetch a game for a replay, and pass the game to `fetched`."""

    @abstractmethod
    def next_serial(self) -> int:
        """Return a serial that no message has used yet."""

    @abstractmethod
    def room_id(self) -> str:
        """Return the room of the followed table; empty if no table is followed."""

    @abstractmethod
    def set_language(self, language: str) -> None:
        """Switch the language of this client, and of the words that the server sends."""

    @abstractmethod
    def try_again(self) -> None:
        """Retry the connection immediately instead of after the back-off."""

    @abstractmethod
    def enter(self, room_id: str) -> None:
        """Enter a table where this player has a seat, and follow it."""

    def list_tables(self) -> None:
        """Request the lists of the player's tables, the scenarios and the reviews."""
        self.say(messages.ListScenarios(self.next_serial()))
        self.say(messages.ListTables(self.next_serial()))
        self.list_reviews()

    def ask_for_lost_seats(self) -> None:
        """Request the seats that the player lost while away; the server reports each seat once."""
        self.say(messages.ListLostSeats(self.next_serial()))

    def open_table(self, scenario: str, settings: Settings, password: str = "") -> None:
        """
        Open a table as its host, and enter the table.

        Args:
            scenario: the scenario to play.
            settings: the settings of the table.
            password: the server's password for new tables; empty if the server asks for none.
        """
        self.say(messages.OpenTable(self.next_serial(), settings, scenario, password))

    def join(self, code: str) -> None:
        """Redeem an invitation to a seat, and enter the table."""
        self.say(messages.JoinTable(self.next_serial(), code))

    def join_known(self, code: str) -> None:
        """Confirm an invitation to a game whose setup this player knows, and enter the table."""
        self.say(messages.JoinKnownTable(self.next_serial(), code))

    def watch(self, code: str) -> None:
        """Redeem an invitation to spectate, and enter the table."""
        self.say(messages.WatchTable(self.next_serial(), code))

    def leave_table(self) -> None:
        """Leave the table but keep the seat."""
        self.say(messages.LeaveTable(self.next_serial(), self.room_id()))

    def leave_seat(self) -> None:
        """Give up the seat, before the game."""
        self.say(messages.LeaveSeat(self.next_serial(), self.room_id()))

    def remove_table(self) -> None:
        """As the host, before the game: remove the table for all."""
        self.say(messages.RemoveTable(self.next_serial(), self.room_id()))

    def play_again(self, scenario: str = "") -> None:
        """
        After a game, enter the group's next table; open that table if nobody has opened it.

        Args:
            scenario: the scenario for a new table; empty for the scenario just played.
        """
        self.say(messages.PlayAgain(self.next_serial(), self.room_id(), scenario))

    def find_games(
        self,
        wanted: GamesWanted,
        found: Callable[[FoundGames], None],
        after: messages.FoundGame | None = None,
    ) -> None:
        """
        Request a page of the finished games that the player may open.

        Args:
            wanted: the filter.
            found: receives the page.
            after: the last game of the previous page; None for the first page.
        """
        message = wanted.request(self.next_serial(), after)
        self.ask(message, messages.GamesFound, lambda page: found(FoundGames(wanted, page)))

    def share_game(self, room_id: str, *, is_agreed: bool) -> None:
        """Consent that everybody on this server may open a finished game, or withdraw consent."""
        self.say(messages.ShareGame(self.next_serial(), room_id, is_agreed))

    def practise(self, room_id: str, event: int) -> None:
        """Open a practice game from a finished game, from the last checkpoint before an event."""
        self.say(messages.Practise(self.next_serial(), room_id, event))

    def go_to_practice(self, room_id: str) -> None:
        """Follow a practice game. The replay from which the practice game was opened stays open."""
        self.enter(room_id)

    # Reviews

    def list_reviews(self) -> None:
        """Request the reviews that the player may join, which go to `Lobby.reviews`."""
        self.say(messages.ListReviews(self.next_serial()))

    def join_review(self, room_id: str) -> None:
        """Join the review of a finished game, which goes to `FinishedGames.review`."""
        self.say(messages.JoinReview(self.next_serial(), room_id))

    def leave_review(self, room_id: str) -> None:
        self.say(messages.LeaveReview(self.next_serial(), room_id))

    def lead_review(self, room_id: str, event: int, seat: int, is_all: bool) -> None:  # noqa: FBT001 (the field of the message)
        """As the leader: publish the event and the viewpoint of the leader's own replay."""
        self.say(messages.LeadReview(self.next_serial(), room_id, event, seat, is_all))

    def hand_review(self, room_id: str, member: int) -> None:
        """As the leader: hand the lead to another member."""
        self.say(messages.HandReview(self.next_serial(), room_id, member))

    def point_in_review(self, room_id: str, event: int, about: tuple[str, str] = ("", "")) -> None:
        """Point everybody in the review to a piece, or to an event."""
        self.say(messages.PointInReview(self.next_serial(), room_id, event, *about))

    def talk_in_review(self, room_id: str, words: str) -> None:
        """Say something to the members.

        Unprintable characters and a tail over `MAX_CHAT` are dropped.
        """
        plain = clean(words)[:MAX_CHAT]
        if plain:
            self.say(messages.TalkInReview(self.next_serial(), room_id, plain))

    def list_game_notes(self, room_id: str) -> None:
        """Request the notes stored with a game, which go to `FinishedGames.notes`."""
        self.say(messages.ListGameNotes(self.next_serial(), room_id))

    def note_game(self, room_id: str, event: int, text: str, *, is_tag: bool = False) -> None:
        """Add a note or a tag to a game, shortened if needed and without unprintable characters."""
        plain = clean(text).strip()[: messages.MAX_TAG if is_tag else messages.MAX_NOTE]
        if plain:
            self.say(messages.NoteGame(self.next_serial(), room_id, event, plain, is_tag))

    def unnote_game(self, room_id: str, number: int) -> None:
        """Remove one of the player's own notes from a game."""
        self.say(messages.UnnoteGame(self.next_serial(), room_id, number))

    def choose_scenario(self, scenario: str) -> None:
        """As the host: choose the scenario of the table."""
        self.say(messages.ChooseScenario(self.next_serial(), self.room_id(), scenario))

    def switch_products(self, off: tuple[str, ...]) -> None:
        """As the host: disable the products in `off`, and enable all others."""
        self.say(messages.SwitchProducts(self.next_serial(), self.room_id(), off))

    def continue_campaign(self) -> None:
        """As the host: continue a campaign from the end of its last game."""
        self.say(messages.ContinueCampaign(self.next_serial(), self.room_id()))

    def fix_setup(self, code: str) -> None:
        """As the host: play the fixed setup with this code; an empty code means no fixed setup."""
        self.say(messages.FixSetup(self.next_serial(), self.room_id(), code))

    def accept_setup(self, setup: FixedSetup) -> None:
        """Confirm that the player knows and accepts a fixed setup, visibly to all seats."""
        self.say(messages.AcceptSetup(self.next_serial(), self.room_id(), setup.commitment))

    def ask_for_results(self, code: str, listed: Callable[[messages.SetupResults], None]) -> None:
        """Request the results of all tables that played a setup, and pass them to `listed`."""
        self.ask(messages.ListResults(self.next_serial(), code), messages.SetupResults, listed)

    def empty_seat(self, seat: int) -> None:
        """As the host: remove a player who withheld their share."""
        self.say(messages.EmptySeat(self.next_serial(), self.room_id(), seat))

    def claim(self, characters: tuple[str, ...]) -> None:
        self.say(messages.ClaimCharacters(self.next_serial(), self.room_id(), characters))

    def claim_role(self, role: str) -> None:
        """Choose the role of the seat. A new role releases the characters of the seat."""
        self.say(messages.ClaimRole(self.next_serial(), self.room_id(), role))

    def prepare(self, prepared: Padded) -> None:
        """Before the game: send the preparation of this seat, in the game's own encoding."""
        self.say(messages.Prepare(self.next_serial(), self.room_id(), prepared))

    def set_ready(self, is_ready: bool) -> None:  # noqa: FBT001 (the field of the message)
        """Mark the seat as ready to start, or as not ready."""
        self.say(messages.SetReady(self.next_serial(), self.room_id(), is_ready))

    def vote_host(self) -> None:
        """Vote to replace the host, who is away."""
        self.say(messages.VoteHost(self.next_serial(), self.room_id()))

    def add_bot(self, role: str = "") -> None:
        """As the host: seat a bot, in a role if one is named."""
        self.say(messages.AddBot(self.next_serial(), self.room_id(), role))

    def invite(self, *, is_to_watch: bool) -> None:
        """Request a new invitation, whose code goes to the model."""
        self.say(messages.Invite(self.next_serial(), self.room_id(), is_to_watch))

    def renew_invitations(self) -> None:
        """As the host or the steward: invalidate all invitations. New codes go to the model."""
        self.say(messages.RenewInvitations(self.next_serial(), self.room_id()))

    def start(self) -> None:
        """As the host: begin the game."""
        self.say(messages.StartGame(self.next_serial(), self.room_id()))

    def answer(self, ask_id: int, picks: tuple[str, ...]) -> None:
        self.say(messages.Answer(self.next_serial(), self.room_id(), ask_id, picks))

    def set_stops(self, stops: Stops) -> None:
        """
        Choose the kinds of window on which this seat stops the game.

        The choice is hidden from other players.
        """
        kinds, is_everywhere = stops.kinds, stops.is_everywhere
        self.say(messages.SetStops(self.next_serial(), self.room_id(), kinds, is_everywhere))

    def await_readers(self) -> None:
        """As a bot: subscribe to the progress of the people who read at the table."""
        self.say(messages.AwaitReaders(self.next_serial(), self.room_id()))

    def have_read(self, until: int) -> None:
        """Report the last record that the player has read, for bots that wait."""
        self.say(messages.HaveRead(self.next_serial(), self.room_id(), until))

    def set_standing(self, kinds: tuple[str, ...]) -> None:
        """Choose the kinds of question that this seat passes automatically.

        The choice takes effect with the next question.
        """
        self.say(messages.SetStanding(self.next_serial(), self.room_id(), kinds))

    def vote(self, ask_id: int, picks: tuple[str, ...]) -> None:
        self.say(messages.Vote(self.next_serial(), self.room_id(), ask_id, picks))

    def call_tiebreak(self, ask_id: int) -> None:
        """Call for a draw between differing votes."""
        self.say(messages.CallTiebreak(self.next_serial(), self.room_id(), ask_id))

    def chat(self, words: str) -> None:
        """Say something to the table.

        Unprintable characters and a tail over `MAX_CHAT` are dropped.
        """
        plain = clean(words)[:MAX_CHAT]
        if plain:
            self.say(messages.Chat(self.next_serial(), self.room_id(), plain))

    def propose_give_up(self) -> None:
        """Propose to end the game for good."""
        self.say(messages.ProposeGiveUp(self.next_serial(), self.room_id()))

    def propose_take_back(self, checkpoint: int) -> None:
        """Propose to return to a checkpoint."""
        self.say(messages.ProposeTakeBack(self.next_serial(), self.room_id(), checkpoint))

    def propose_give_seat(self, seat: int, *, to_bot: bool) -> None:
        """
        Propose to give a seat to a bot, or to open the seat for an invitation.

        Only the host can propose this, or the steward while the host is away or a bot.
        """
        self.say(messages.ProposeGiveSeat(self.next_serial(), self.room_id(), seat, to_bot))

    def propose_correction(self, piece: str, amount: int) -> None:
        """Propose to set an amount of a piece, such as the damage of a monster."""
        self.say(messages.ProposeCorrection(self.next_serial(), self.room_id(), piece, amount))

    def consent(self, proposal_id: int, *, is_agreed: bool) -> None:
        """Agree to the proposal, or reject the proposal, which ends it."""
        self.say(messages.Consent(self.next_serial(), self.room_id(), proposal_id, is_agreed))

    def agree_for_absent(self, proposal_id: int) -> None:
        """Agree, in the name of all absent seats, to a return to a checkpoint."""
        self.say(messages.AgreeForAbsent(self.next_serial(), self.room_id(), proposal_id))

    def resume(self) -> None:
        self.say(messages.Resume(self.next_serial(), self.room_id()))

"""
What a person can do, and the message that says so: declared once for whatever carries it.

Screens, plain lines and bots speak through a `ClientPort`. `client.net.port.ServerPort` is the one
that talks to a server.
"""

from abc import ABC, abstractmethod

from client.model.found_games import ALL_GAMES, GamesWanted
from client.model.model import Stops
from protocol import messages
from protocol.common.events import MAX_CHAT
from protocol.common.padded import Padded
from protocol.common.table import Settings
from protocol.plain_text import clean


class ClientPort(ABC):
    """
    What a person can do. Every call returns at once; what comes of it shows in the model.

    Those that concern a table mean the one that is followed now.
    """

    @abstractmethod
    def say(self, message: messages.ClientMessage) -> None:
        """Send a message, or tell the person that it cannot be sent now."""

    @abstractmethod
    def next_serial(self) -> int:
        """Return a serial that was not used yet."""

    @abstractmethod
    def room_id(self) -> str:
        """Return the room of the table that is followed now; empty for none."""

    @abstractmethod
    def set_language(self, language: str) -> None:
        """Speak one of the client's languages from now on, and be spoken to in it."""

    @abstractmethod
    def try_again(self) -> None:
        """Try to reach the server at once, where it is waited to try again."""

    @abstractmethod
    def enter(self, room_id: str) -> None:
        """Follow a table where this player has a seat."""

    def list_tables(self) -> None:
        """Ask where this player has seats, and what can be played."""
        self.say(messages.ListScenarios(self.next_serial()))
        self.say(messages.ListTables(self.next_serial()))
        self.list_reviews()

    def ask_for_lost_seats(self) -> None:
        """Ask which seats the player lost while away; each is told once."""
        self.say(messages.ListLostSeats(self.next_serial()))

    def open_table(self, scenario: str, settings: Settings, password: str = "") -> None:
        """Open a table as its host, and enter it; a password only where one was asked for."""
        self.say(messages.OpenTable(self.next_serial(), settings, scenario, password))

    def join(self, code: str) -> None:
        """Redeem an invitation to a seat, and enter the table."""
        self.say(messages.JoinTable(self.next_serial(), code))

    def join_known(self, code: str) -> None:
        """Redeem an invitation to a seat of a game whose setup one knows, and enter the table."""
        self.say(messages.JoinKnownTable(self.next_serial(), code))

    def watch(self, code: str) -> None:
        """Redeem an invitation to spectate, and enter the table."""
        self.say(messages.WatchTable(self.next_serial(), code))

    def leave_table(self) -> None:
        """Follow it no more; the seat stays."""
        self.say(messages.LeaveTable(self.next_serial(), self.room_id()))

    def leave_seat(self) -> None:
        """Give up the seat, before the game."""
        self.say(messages.LeaveSeat(self.next_serial(), self.room_id()))

    def remove_table(self) -> None:
        """As the host, before the game: remove the table for all."""
        self.say(messages.RemoveTable(self.next_serial(), self.room_id()))

    def play_again(self, scenario: str = "") -> None:
        """
        Once the game is over: go to the next table of its people, or open it for them.

        Args:
            scenario: what is played there if nobody has opened it yet; empty for the same.
        """
        self.say(messages.PlayAgain(self.next_serial(), self.room_id(), scenario))

    def fetch_game(self, room_id: str) -> None:
        """Fetch a game to look back on; it comes to the model's `fetched`."""
        self.say(messages.ExportTable(self.next_serial(), room_id))

    def find_games(
        self,
        wanted: GamesWanted = ALL_GAMES,
        after: messages.FoundGame | None = None,
    ) -> None:
        """
        Ask for finished games that may be opened; they come to the model's `found_games`.

        Args:
            wanted: which of them.
            after: the last game of the page before; None for the first page.
        """
        self.say(wanted.asked(self.next_serial(), after))

    def share_game(self, room_id: str, *, is_agreed: bool) -> None:
        """Agree that everybody on this server may open a finished game, or withdraw that."""
        self.say(messages.ShareGame(self.next_serial(), room_id, is_agreed))

    def practise(self, room_id: str, event: int) -> None:
        """Open a practice game of a finished one, from the last checkpoint up to an event."""
        self.say(messages.Practise(self.next_serial(), room_id, event))

    def go_to_practice(self, room_id: str) -> None:
        """Follow a practice game; the replay that it was opened from stays below it."""
        self.enter(room_id)

    # Reviews

    def list_reviews(self) -> None:
        """Ask which reviews the player may join; they come to the model's `reviews`."""
        self.say(messages.ListReviews(self.next_serial()))

    def join_review(self, room_id: str) -> None:
        """Look back on a finished game with others; it comes to the model's `review`."""
        self.say(messages.JoinReview(self.next_serial(), room_id))

    def leave_review(self, room_id: str) -> None:
        """Be in its review no longer."""
        self.say(messages.LeaveReview(self.next_serial(), room_id))

    def lead_review(self, room_id: str, event: int, seat: int, is_all: bool) -> None:  # noqa: FBT001 (the field of the message)
        """As the leader: say at which event one is, with whose eyes."""
        self.say(messages.LeadReview(self.next_serial(), room_id, event, seat, is_all))

    def hand_review(self, room_id: str, member: int) -> None:
        """As the leader: have another member lead."""
        self.say(messages.HandReview(self.next_serial(), room_id, member))

    def point_in_review(self, room_id: str, event: int, about: tuple[str, str] = ("", "")) -> None:
        """Have all look at a piece, or at what happened with an event."""
        self.say(messages.PointInReview(self.next_serial(), room_id, event, *about))

    def talk_in_review(self, room_id: str, words: str) -> None:
        """Say something to the members; what cannot be printed is left out."""
        plain = clean(words)[:MAX_CHAT]
        if plain:
            self.say(messages.TalkInReview(self.next_serial(), room_id, plain))

    def list_game_notes(self, room_id: str) -> None:
        """Ask for the notes kept with a game; they come to the model's `game_notes`."""
        self.say(messages.ListGameNotes(self.next_serial(), room_id))

    def note_game(self, room_id: str, event: int, text: str, *, is_tag: bool = False) -> None:
        """Keep a note or a tag with a game; what cannot be printed is left out."""
        plain = clean(text).strip()[: messages.MAX_TAG if is_tag else messages.MAX_NOTE]
        if plain:
            self.say(messages.NoteGame(self.next_serial(), room_id, event, plain, is_tag))

    def unnote_game(self, room_id: str, number: int) -> None:
        """Take one's own note away from a game."""
        self.say(messages.UnnoteGame(self.next_serial(), room_id, number))

    def choose_scenario(self, scenario: str) -> None:
        """As the host: play this one."""
        self.say(messages.ChooseScenario(self.next_serial(), self.room_id(), scenario))

    def switch_products(self, off: tuple[str, ...]) -> None:
        """As the host: these products are off, all others on."""
        self.say(messages.SwitchProducts(self.next_serial(), self.room_id(), off))

    def continue_campaign(self) -> None:
        """As the host: go on where the last game of a campaign ended."""
        self.say(messages.ContinueCampaign(self.next_serial(), self.room_id()))

    def fix_setup(self, code: str) -> None:
        """As the host: play the fixed setup of this code; empty for none."""
        self.say(messages.FixSetup(self.next_serial(), self.room_id(), code))

    def accept_setup(self) -> None:
        """Say that one knows the fixed setup and wants it all the same; the table reads that."""
        self.say(messages.AcceptSetup(self.next_serial(), self.room_id()))

    def ask_for_results(self, code: str) -> None:
        """Ask how the tables came out that played a setup; that comes to the model's `results`."""
        self.say(messages.ListResults(self.next_serial(), code))

    def empty_seat(self, seat: int) -> None:
        """As the host: put out whoever withheld their share."""
        self.say(messages.EmptySeat(self.next_serial(), self.room_id(), seat))

    def claim(self, characters: tuple[str, ...]) -> None:
        """Choose whom the seat plays."""
        self.say(messages.ClaimCharacters(self.next_serial(), self.room_id(), characters))

    def claim_role(self, role: str) -> None:
        """Choose the seat's role; whom it had chosen is free again."""
        self.say(messages.ClaimRole(self.next_serial(), self.room_id(), role))

    def prepare(self, prepared: Padded) -> None:
        """Before the game: have this prepared for it, in the game's own bytes."""
        self.say(messages.Prepare(self.next_serial(), self.room_id(), prepared))

    def set_ready(self, is_ready: bool) -> None:  # noqa: FBT001 (the field of the message)
        """Say that the seat is ready to start, or no longer."""
        self.say(messages.SetReady(self.next_serial(), self.room_id(), is_ready))

    def add_bot(self) -> None:
        """As the host: seat a bot."""
        self.say(messages.AddBot(self.next_serial(), self.room_id()))

    def invite(self, *, is_to_watch: bool) -> None:
        """Ask for a fresh invitation; it comes to the model's codes."""
        self.say(messages.Invite(self.next_serial(), self.room_id(), is_to_watch))

    def renew_invitations(self) -> None:
        """As the host: make all invitations worthless; new ones come to the model's codes."""
        self.say(messages.RenewInvitations(self.next_serial(), self.room_id()))

    def start(self) -> None:
        """As the host: begin."""
        self.say(messages.StartGame(self.next_serial(), self.room_id()))

    def answer(self, ask_id: int, picks: tuple[str, ...]) -> None:
        """Answer the question that this seat is asked."""
        self.say(messages.Answer(self.next_serial(), self.room_id(), ask_id, picks))

    def set_stops(self, stops: Stops) -> None:
        """Say on which kinds of window this seat stops the game; nobody else is told."""
        kinds, is_everywhere = stops.kinds, stops.is_everywhere
        self.say(messages.SetStops(self.next_serial(), self.room_id(), kinds, is_everywhere))

    def set_standing(self, kinds: tuple[str, ...]) -> None:
        """Say on which kinds of question this seat passes from the next one on."""
        self.say(messages.SetStanding(self.next_serial(), self.room_id(), kinds))

    def vote(self, ask_id: int, picks: tuple[str, ...]) -> None:
        """Say what this seat is for."""
        self.say(messages.Vote(self.next_serial(), self.room_id(), ask_id, picks))

    def call_tiebreak(self, ask_id: int) -> None:
        """Have a draw decide between votes that differ."""
        self.say(messages.CallTiebreak(self.next_serial(), self.room_id(), ask_id))

    def chat(self, words: str) -> None:
        """Say something to the table; what cannot be printed is left out."""
        plain = clean(words)[:MAX_CHAT]
        if plain:
            self.say(messages.Chat(self.next_serial(), self.room_id(), plain))

    def propose_give_up(self) -> None:
        """Propose to end the game here, for good."""
        self.say(messages.ProposeGiveUp(self.next_serial(), self.room_id()))

    def propose_take_back(self, checkpoint: int) -> None:
        """Propose to go back to a checkpoint."""
        self.say(messages.ProposeTakeBack(self.next_serial(), self.room_id(), checkpoint))

    def propose_give_seat(self, seat: int, *, to_bot: bool) -> None:
        """As the host: propose to give a seat to a bot, or to whoever is invited."""
        self.say(messages.ProposeGiveSeat(self.next_serial(), self.room_id(), seat, to_bot))

    def propose_correction(self, piece: str, amount: int) -> None:
        """Propose that a monster has suffered so much from now on."""
        self.say(messages.ProposeCorrection(self.next_serial(), self.room_id(), piece, amount))

    def consent(self, proposal_id: int, *, is_agreed: bool) -> None:
        """Agree to the proposal, or end it."""
        self.say(messages.Consent(self.next_serial(), self.room_id(), proposal_id, is_agreed))

    def agree_for_absent(self, proposal_id: int) -> None:
        """Agree to going back for all who are away."""
        self.say(messages.AgreeForAbsent(self.next_serial(), self.room_id(), proposal_id))

    def resume(self) -> None:
        """Let a game that stands still go on."""
        self.say(messages.Resume(self.next_serial(), self.room_id()))

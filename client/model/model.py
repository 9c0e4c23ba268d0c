"""
The model: everything that a client knows.

Facts that change together form one frozen status. `client.net` replaces a status whenever the
server or the connection changes its facts. Screens, plain mode and bots read the statuses and are
called after each change. The model does not store replies to single requests: the caller gives the
port a callback. No status may contain a secret; codes and passwords have separate fields.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs

from client.locale import Locale, load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.hindsight import LookBackLater
from client.model.lobby import PLAY, FinishedGames, Launch, Lobby, Pending
from client.model.off_log import OffLog
from client.model.review import Review
from client.model.standing_answers import StandingAnswer
from client.model.status import Disconnected, Online, Status
from client.model.table_status import FollowedTable, NoTable, TableStatus
from client.model.tables import TableStep, TableView
from client.notes.note_book import Books
from protocol import messages
from protocol.common.absence import absentees
from protocol.common.hosts import acts_as_host
from protocol.common.proposals import TakeBack
from protocol.common.roster import Roster
from protocol.common.table import RoomTable, Seat, Stage
from protocol.invitation import Invitation, UnreadableInvitation, parse_address
from protocol.keys import UnreadableFingerprint, parse_fingerprint

ANY_SEAT = -1
"""The key in `codes` of the invitation to any free seat."""
WATCH = -2
"""The key in `codes` of the invitation to spectate."""


@attrs.frozen
class Bar:
    """The text of the message bar."""

    text: str
    is_wrong: bool = False
    is_of_now: bool = False
    """True if the text becomes obsolete with the next question."""
    is_progress: bool = False
    """True for a progress report, which the next report replaces."""


class TableFollower(Protocol):
    """A listener for the steps of the followed table, such as a journal."""

    def followed(self, view: TableView, steps: tuple[TableStep, ...]) -> None:
        """
        Handle new steps of the table.

        An empty tuple means that the client follows another table.
        """

    def reworded(self, view: TableView) -> None:
        """Word all events again, after a change of language."""


@attrs.define(eq=False)
class ClientModel:
    """The state of a client. Most fields are written by `client.net` alone."""

    name: str
    key: bytes
    locale: Locale = attrs.field(factory=lambda: load("en"))
    address: str = ""
    """The server as `host:port`, for invitations to a server without a public address."""
    words: WordStore = attrs.field(factory=WordStore)
    words_in: Callable[[str], WordStore] | None = None
    """Loads the words of a language; None if a server sends the words. Replays have local words."""
    launch: Launch = PLAY
    status: Status = attrs.field(factory=Disconnected)
    lobby: Lobby = attrs.field(factory=Lobby)
    table: TableStatus = attrs.field(factory=NoTable)
    off_log: OffLog = attrs.field(factory=OffLog)
    finished: FinishedGames = attrs.field(factory=FinishedGames)
    pending: Pending = attrs.field(factory=Pending, repr=False)
    codes: Mapping[str, Mapping[int, str]] = attrs.field(factory=dict, repr=False)
    """Codes of invitations by room and seat number, with ANY_SEAT or WATCH as special numbers."""
    answers: dict[str, tuple[StandingAnswer, ...]] = attrs.field(factory=dict)
    """The player's standing answers, by room."""
    bar: Bar = attrs.field(factory=lambda: Bar(""))
    sent: Mapping[int, messages.ClientMessage] = attrs.field(factory=dict, repr=False)
    """The messages without a reply so far, by serial."""
    replayed: str = ""
    """The game whose replay is shown, also away from its table; empty without a replay."""
    wants_game: bool = False
    """True if a player who leaves the tutorial wants a real game next."""
    note_books: Books | None = None
    """Opens the player's notes on a game; None if this client stores no notes."""
    look_back: LookBackLater | None = None
    """Looks back on finished games; None if this installation has no rules."""
    on_change: list[Callable[[], None]] = attrs.field(factory=list)
    followers: list[TableFollower] = attrs.field(factory=list)
    _spoken: tuple[Locale, Locale] | None = attrs.field(default=None, init=False)
    """The cached result of `spoken`, after the locale from which the result was made."""

    @property
    def spoken(self) -> Locale:
        """The client's own words, with those of the game shown; in the lobby, of all games."""
        game = self.replayed
        if not game and self.view is not None:
            game = self.view.table.room.ruleset
        made = self._spoken
        # Drawing asks for it often, and the keys of a locale take long to compare.
        if made is None or made[0] is not self.locale or made[1].game != game:
            self._spoken = made = (self.locale, self.locale.for_game(game))
        return made[1]

    @property
    def speaker(self) -> Speaker:
        return Speaker(self.spoken, self.words)

    @property
    def view(self) -> TableView | None:
        return self.table.view if isinstance(self.table, FollowedTable) else None

    @property
    def next_sequence(self) -> int:
        """The number of records that the table had on entry; 0 away from tables."""
        return self.table.next_sequence if isinstance(self.table, FollowedTable) else 0

    @property
    def is_stopped(self) -> bool:
        """Whether the server is currently unable to store anything for the followed table."""
        return isinstance(self.table, FollowedTable) and self.table.is_stopped

    @property
    def is_halted(self) -> bool:
        """Whether the rules cannot continue the game of the followed table."""
        return isinstance(self.table, FollowedTable) and self.table.is_halted

    @property
    def agrees_for(self) -> tuple[int, ...]:
        """
        The absent seats for which the viewer may agree to the open proposal, now or in time.

        Nobody agrees for others to go back in a game that can continue: the server refuses it.
        """
        view = self.view
        proposal = None if view is None else view.table.room.proposal
        if view is None or proposal is None:
            return ()
        if isinstance(proposal.aim, TakeBack) and not self.is_halted:
            return ()
        absent = absentees(view.table.room)
        return () if view.seat in absent else absent

    @property
    def fault(self) -> str:
        """The error code of the record that broke the followed table; empty if the table works."""
        return self.table.fault if isinstance(self.table, FollowedTable) else ""

    @property
    def is_solo(self) -> bool:
        """Whether the server runs on this machine for one player, so that nobody is invited."""
        return self.launch.is_solo

    @property
    def reported(self) -> int | None:
        """The last record reported to the server as read by the player.

        None if no bot waits for the player.
        """
        return self.table.reported if isinstance(self.table, FollowedTable) else None

    @property
    def read_so_far(self) -> int | None:
        """The last record that all reporting players have read; None if it is unknown."""
        return self.table.read_so_far if isinstance(self.table, FollowedTable) else None

    @property
    def review(self) -> Review | None:
        return self.finished.review

    @property
    def is_online(self) -> bool:
        return isinstance(self.status, Online)

    @property
    def is_tutorial(self) -> bool:
        """Whether the table belongs to the tutorial, which has its own server."""
        return self.launch.is_tutorial

    @property
    def is_host(self) -> bool:
        """Whether the viewer may do what is the host's: as host or, during a game, as steward."""
        return self.view is not None and acts_as_host(self.view.table.room, self.view.seat)

    @property
    def fault_in_words(self) -> str:
        """The reason why the followed table is broken, as a sentence; empty if the table works."""
        if not self.fault:
            return ""
        known = f"error.{self.fault}"
        return self.locale.say(known if self.locale.has(known) else "error.fault", self.fault)

    @property
    def is_practising(self) -> bool:
        """Whether the followed table is a practice game that was entered from a replay."""
        return self.view is not None and self.view.room_id == self.finished.practice

    @property
    def is_catching_up(self) -> bool:
        """Whether older records of the table are still missing."""
        return self.view is not None and self.view.last + 1 < self.next_sequence

    @property
    def is_entering(self) -> bool:
        """Whether the server has yet to say which records of the followed table are missing."""
        kinds = (messages.EnterTable, messages.WatchTable)
        return self.view is not None and any(isinstance(one, kinds) for one in self.sent.values())

    @property
    def is_answering(self) -> bool:
        """Whether an answer still waits for the server's reply."""
        kinds = (messages.Answer, messages.Vote, messages.CallTiebreak)
        return any(isinstance(said, kinds) for said in self.sent.values())

    @property
    def is_awaited(self) -> bool:
        """Whether the followed table awaits the viewer's answer."""
        view = self.view
        return view is not None and view.my_question() is not None and not view.may_interrupt

    @property
    def unfit_here(self) -> messages.Refusal | None:
        """The rules' valid refusal of the viewer's preparation; None if there is none."""
        view, unfit = self.view, self.off_log.unfit
        if view is None or unfit is None or view.table.room.stage is not Stage.LOBBY:
            return None
        return unfit.refused if unfit.is_at(view) else None

    @property
    def held_picks(self) -> tuple[str, ...] | None:
        """The viewer's answer to the open question that the server holds; None for none."""
        view, held = self.view, self.off_log.held
        if view is None or view.ask is None or held is None:
            return None
        is_open = (held.room_id, held.ask_id) == (view.room_id, view.ask.ask_id)
        return held.picks if is_open else None

    def scenario(self, name: str) -> messages.ScenarioLine | None:
        """Return the server's description of a scenario; None if it has not arrived yet."""
        return next((line for line in self.lobby.scenarios or () if line.scenario == name), None)

    def title(self, scenario: str) -> str:
        known = self.scenario(scenario)
        return self.speaker.text(known.title) if known else self.speaker.name("scenario", scenario)

    def game_title(self, ruleset: str) -> str:
        """Return the name of a game; a readable form of its id if the server sent no name."""
        games = (game for game in self.lobby.games if game.ruleset == ruleset)
        known = next(games, None)
        return self.speaker.text(known.title) if known else self.speaker.name("game", ruleset)

    def title_in_full(self, scenario: str) -> str:
        """Return the title of a scenario, after that of its game if the server has several."""
        known = self.scenario(scenario)
        return self.title(scenario) if known is None else self.title_in_list(known)

    def title_in_list(self, line: messages.ScenarioLine) -> str:
        """Return the title of a scenario, after that of its game if the server has several."""
        title = self.speaker.text(line.title)
        if len({one.ruleset for one in self.lobby.scenarios or ()}) < 2:
            return title
        return self.locale.say("entry.line", self.game_title(line.ruleset), title)

    def roster(self, room: RoomTable) -> Roster | None:
        """Return the roster of a table's scenario; None if the roster has not arrived."""
        line = self.scenario(room.scenario)
        return line.roster if line is not None else None

    def roles(self, room: RoomTable) -> tuple[str, ...]:
        """Return the names of the roles to choose from; none if the game has only one role."""
        roster = self.roster(room)
        return tuple(r.name for r in roster.roles) if roster and len(roster.roles) > 1 else ()

    def open_roles(self, room: RoomTable) -> tuple[str, ...]:
        """Return the names of the roles that one more seat can claim; none in a game with one."""
        roster = self.roster(room)
        claimed = Counter(seat.role for seat in room.seats.values())
        roles = roster.roles if roster is not None and self.roles(room) else ()
        return tuple(role.name for role in roles if claimed[role.name] < role.most)

    def role(self, room: RoomTable, seat: Seat) -> str:
        """Return the name of a seat's role; empty if the game has only one role."""
        roster = self.roster(room)
        role = roster.role(seat.role) if roster is not None else None
        return role.name if role is not None and self.roles(room) else ""

    def characters(self, room: RoomTable) -> tuple[str, ...]:
        """
        Return the characters that the viewer's role can claim at a table.

        Characters of disabled products are left out. Rule APP-19.
        """
        line, mine = self.scenario(room.scenario), self.view and self.view.my_seat
        role = line.roster.role(mine.role if mine else "") if line is not None else None
        if line is None or role is None:
            return ()
        off = [c for p in line.products if p.product in room.products_off for c in p.characters]
        return tuple(character for character in role.characters if character not in off)

    def counts_wanted(self, room: RoomTable, seat: Seat) -> tuple[int, int]:
        """Return the fewest and the most characters that a seat can play with so many seats.

        Until the roster arrives, both are 1.
        """
        roster = self.roster(room)
        role = roster.role(seat.role) if roster is not None else None
        if role is None:
            return 1, 1
        return role.count_for(len(room.seats)), role.most_for(len(room.seats))

    def lacks_more(self, room: RoomTable, seat: Seat) -> bool:
        """Return whether a seat has claimed some of its characters, but too few."""
        return 0 < len(seat.characters) < self.counts_wanted(room, seat)[0]

    def invitation(self, seat: int = ANY_SEAT) -> str:
        """Return the command line by which a friend can join or watch; empty if there is none."""
        code = self.codes.get(self.view.room_id, {}).get(seat) if self.view else None
        if code is None or not isinstance(self.status, Online):
            return ""
        # Both texts come from the server, and a bad one must not break the screen.
        try:
            address = parse_address(self.status.public_address or self.address)
            invitation = Invitation(address, code, parse_fingerprint(self.status.fingerprint))
        except (UnreadableInvitation, UnreadableFingerprint):
            return ""
        return invitation.line("watch" if seat == WATCH else "join")

    # What is written

    def tell(self, text: str, *, is_wrong: bool = False) -> None:
        self.bar = Bar(text, is_wrong)
        self.changed()

    def changed(self) -> None:
        for listener in tuple(self.on_change):  # a copy: a listener may unsubscribe while called
            listener()

    def follow(self, view: TableView | None) -> None:
        if view is None:
            self.table = NoTable()
            return
        self.table = FollowedTable(view)
        if view.seat is not None:
            self.update_lobby(last_room=view.room_id)
        for follower in self.followers:
            follower.followed(view, ())

    def update_table(self, **changes: Any) -> None:
        """Replace fields of the followed table's status; do nothing if no table is followed."""
        if isinstance(self.table, FollowedTable):
            self.table = attrs.evolve(self.table, **changes)

    def update_lobby(self, **changes: Any) -> None:
        self.lobby = attrs.evolve(self.lobby, **changes)

    def update_pending(self, **changes: Any) -> None:
        self.pending = attrs.evolve(self.pending, **changes)

    def set_codes(self, room_id: str, codes: Mapping[int, str]) -> None:
        self.codes = {**self.codes, room_id: codes}

    def set_review(self, review: Review | None) -> None:
        self.finished = attrs.evolve(self.finished, review=review)

    def pass_steps(self, steps: tuple[TableStep, ...]) -> None:
        if self.view is not None and steps:
            for follower in self.followers:
                follower.followed(self.view, steps)

    def speak(self, language: str) -> None:
        """Switch the client's words to a language; in a replay, switch the game's words too."""
        self.locale = self.locale.in_language(language)
        if self.words_in is not None:
            self.words = self.words_in(language)
        self.bar = Bar(self.locale.say("language.now"))
        self.reworded()

    def reworded(self) -> None:
        """Make the followers word all events again."""
        if self.view is not None:
            for follower in self.followers:
                follower.reworded(self.view)
        self.changed()

    def words_for(self, refused: messages.Refusal | messages.Notice) -> str:
        """Return a refusal in the client's own words if there are any, else in the server's.

        Without either, return a sentence that names the code.
        """
        key = f"error.{refused.code}"
        if self.locale.has(key):
            return self.locale.say(key)
        said = self.words.say(refused.text)
        # `<` begins the text of a subject whose words the server has not sent.
        return self.locale.say("error.other", refused.code) if said.startswith("<") else said

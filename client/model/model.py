"""
The model: all that a client knows.

It hears what the server says and how the connection fares; screens, plain lines and bots read it
and are told when it changed. What it is told comes through `client.net.port`.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

import attrs

from client.locale import Locale, load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.found_games import FoundGames
from client.model.review import Review
from client.model.status import Disconnected, Online, Status
from client.model.tables import TableStep, TableView
from client.notes.note_book import Books
from protocol import messages
from protocol.common.roster import Roster
from protocol.common.table import FixedSetup, RoomTable, Seat, Stage
from protocol.invitation import Invitation, UnreadableInvitation, parse_address
from protocol.keys import UnreadableFingerprint, parse_fingerprint

ANY_SEAT = -1
"""Among invitations: the one to any free seat."""
TUTORIAL = "manse tutorial"
"""The command that a person types for the tutorial."""
WATCH = -2
"""Among invitations: the one to spectate."""


@attrs.frozen
class Bar:
    """What the message bar says."""

    text: str
    is_wrong: bool = False
    is_of_now: bool = False
    """Whether it is out of date with the next question."""
    is_progress: bool = False
    """Whether it says how far something is, and the next one will come soon."""


@attrs.frozen
class HeldAnswer:
    """What was said in a timed window, until its record comes."""

    room_id: str
    ask_id: int
    choice_id: str = attrs.field(repr=False)


@attrs.frozen
class Stops:
    """On which kinds of window the viewer stops the game."""

    kinds: tuple[str, ...] = ()
    """Ascending."""
    is_everywhere: bool = False
    """Whether on all others too."""


class TableFollower(Protocol):
    """Who wants to know of a table's steps as they come, such as a journal."""

    def followed(self, view: TableView, steps: tuple[TableStep, ...]) -> None:
        """The table took these steps; none where another table begins."""

    def reworded(self, view: TableView) -> None:
        """The words of all that happened are others now."""


@attrs.frozen
class Unfit:
    """What a seat had prepared when the rules refused it; nothing for what was never sent."""

    room_id: str
    seat: Seat
    """As it was, but for what has no part in this."""
    refused: messages.Refusal

    @classmethod
    def of(cls, view: TableView, refused: messages.Refusal) -> "Unfit | None":
        """Return that the rules refused what the viewer's seat has; None for a spectator."""
        seat = view.my_seat
        return None if seat is None else cls(view.room_id, _as_judged(seat), refused)

    def is_at(self, view: TableView) -> bool:
        """Return whether this still holds: same table, role, characters and preparation."""
        seat = view.my_seat
        is_same = seat is not None and _as_judged(seat) == self.seat
        return is_same and view.room_id == self.room_id


def _as_judged(seat: Seat) -> Seat:
    """Return a seat without what may change while the rules still refuse what it prepared."""
    return attrs.evolve(seat, is_ready=False, is_present=False, withheld=0, knows_setup=False)


@attrs.frozen
class Fetched:
    """A game that was fetched to be looked back on: all that its viewer may have of it by now."""

    room_id: str
    data: bytes = attrs.field(repr=False)
    """The file, as an export is."""


@attrs.define(eq=False)
class ClientModel:
    """All that is known here. Everybody reads it; only `ServerPort` and its own methods write."""

    name: str
    """What the player is called."""
    key: bytes
    """The player's public key."""
    locale: Locale = attrs.field(factory=lambda: load("en"))
    address: str = ""
    """Where the server was reached, `host:port`, for invitations if it does not say itself."""
    words: WordStore = attrs.field(factory=WordStore)
    words_in: Callable[[str], WordStore] | None = None
    """The words in a language, where all of them are here, such as in a replay."""
    status: Status = attrs.field(factory=Disconnected)
    scenarios: tuple[messages.ScenarioLine, ...] | None = None
    """None until the server told."""
    tables: tuple[messages.TableLine, ...] | None = None
    view: TableView | None = None
    """The table that is followed."""
    continued: frozenset[str] = frozenset()
    """The finished tables for whose people another one is known to stand."""
    last_room: str = ""
    """The table where this player sat down last; empty for none that is known."""
    next_sequence: int = 0
    """Of the table followed: up to here there was something to catch up with."""
    codes: dict[str, dict[int, str]] = attrs.field(factory=dict, repr=False)
    """By room, the codes of invitations by seat, ANY_SEAT or WATCH."""
    bar: Bar = attrs.field(factory=lambda: Bar(""))
    sent: Mapping[int, messages.ClientMessage] = attrs.field(factory=dict, repr=False)
    """What was said and has no reply yet, by serial."""
    held: HeldAnswer | None = None
    """What was said in the last timed window; the server keeps it in memory alone."""
    stops: dict[str, Stops] = attrs.field(factory=dict, repr=False)
    """By room, where the viewer has stops; the server keeps them in memory alone."""
    unfit: Unfit | None = None
    """What the rules refused last of all that was prepared before a game."""
    is_solo: bool = False
    """Whether this is a server for one player on this machine, that nobody can be invited to."""
    command: str = "manse play"
    """What a person types to come back to where they are."""
    wants_game: bool = False
    """Whether a player who leaves the tutorial goes on to a real game."""
    unopened: messages.OpenTable | None = None
    """What the server asks a password for."""
    unjoined: str = attrs.field(default="", repr=False)
    """The invitation to a game whose setup the player knows, by the server; empty for none."""
    setup_known: tuple[str, FixedSetup] | None = None
    """The table, and the setup of it that the server said this player knows."""
    note_books: Books | None = None
    """Where the player's notes on each game lie; None where none are kept."""
    lost_seats: tuple[messages.LostSeat, ...] = ()
    """Seats that the player lost while away, until somebody tells of them."""
    results: messages.SetupResults | None = None
    """How the tables came out that played a setup, until somebody takes it."""
    found_games: FoundGames | None = None
    """Finished games that were asked for, until somebody takes them."""
    fetched: Fetched | None = None
    """A game to look back on that has come, until somebody takes it."""
    review: Review | None = None
    """The review that the player is in."""
    practice: str = ""
    """The practice game that was entered from a replay, which goes on below it; empty for none."""
    reviews: tuple[messages.ReviewLine, ...] = ()
    """Those that the player may join."""
    game_notes: dict[str, tuple[messages.GameNote, ...]] = attrs.field(factory=dict, repr=False)
    """By room, the notes kept with finished games, as far as they were asked for."""
    is_stopped: bool = False
    """Whether the server can store nothing for the table followed just now."""
    fault: str = ""
    """Why the table followed can be trusted no more; empty as long as all is well."""
    on_change: list[Callable[[], None]] = attrs.field(factory=list)
    followers: list[TableFollower] = attrs.field(factory=list)
    _spoken: tuple[Locale, Locale] | None = attrs.field(default=None, init=False)
    """The locale as it was given, and `spoken` as it was made of that one."""

    @property
    def spoken(self) -> Locale:
        """The client's own words, with those of the game at the table; of all games at none."""
        game = "" if self.view is None else self.view.table.room.ruleset
        made = self._spoken
        # Drawing asks for it often, and the keys of a locale take long to compare.
        if made is None or made[0] is not self.locale or made[1].game != game:
            self._spoken = made = (self.locale, self.locale.for_game(game))
        return made[1]

    @property
    def speaker(self) -> Speaker:
        """What puts things into words, in this client's language."""
        return Speaker(self.spoken, self.words)

    @property
    def is_online(self) -> bool:
        """Whether something said now reaches the server."""
        return isinstance(self.status, Online)

    @property
    def is_tutorial(self) -> bool:
        """Whether the table is that of the tutorial, on a server of its own."""
        return self.command == TUTORIAL

    @property
    def is_host(self) -> bool:
        """Whether the viewer is the host of the table that is followed."""
        return self.view is not None and self.view.seat == self.view.table.room.host

    @property
    def fault_in_words(self) -> str:
        """Why the table is not followed any further, as a sentence; empty if it is."""
        if not self.fault:
            return ""
        known = f"error.{self.fault}"
        return self.locale.say(known if self.locale.has(known) else "error.fault", self.fault)

    @property
    def is_practising(self) -> bool:
        """Whether a practice game is followed that was entered from a replay."""
        return self.view is not None and bool(self.practice) and self.view.room_id == self.practice

    @property
    def is_catching_up(self) -> bool:
        """Whether older records of the table are still on their way."""
        return self.view is not None and self.view.last + 1 < self.next_sequence

    @property
    def is_answering(self) -> bool:
        """Whether an answer is on its way."""
        kinds = (messages.Answer, messages.Vote, messages.CallTiebreak)
        return any(isinstance(said, kinds) for said in self.sent.values())

    @property
    def is_awaited(self) -> bool:
        """Whether the table that is followed waits for an answer of the viewer."""
        return self.view is not None and self.view.my_question() is not None

    @property
    def unfit_here(self) -> messages.Refusal | None:
        """Why the rules refuse what the viewer's seat has prepared; None as far as is known."""
        view, unfit = self.view, self.unfit
        if view is None or unfit is None or view.table.room.stage is not Stage.LOBBY:
            return None
        return unfit.refused if unfit.is_at(view) else None

    @property
    def held_pick(self) -> str | None:
        """The choice that the viewer has named in the window that is open, if any."""
        view, held = self.view, self.held
        if view is None or view.ask is None or held is None:
            return None
        is_open = (held.room_id, held.ask_id) == (view.room_id, view.ask.ask_id)
        return held.choice_id if is_open else None

    def scenario(self, name: str) -> messages.ScenarioLine | None:
        """Return what the server told about a scenario."""
        return next((line for line in self.scenarios or () if line.scenario == name), None)

    def title(self, scenario: str) -> str:
        """Return what a scenario is called: as the server listed it, if it did."""
        known = self.scenario(scenario)
        return self.speaker.text(known.title) if known else self.speaker.name("scenario", scenario)

    def roster(self, room: RoomTable) -> Roster | None:
        """Return who can play at a table, as its scenario's card has it; None before it came."""
        line = self.scenario(room.scenario)
        return line.roster if line is not None else None

    def roles(self, room: RoomTable) -> tuple[str, ...]:
        """Return the names of the roles that can be claimed; none where there is only one."""
        roster = self.roster(room)
        return tuple(r.name for r in roster.roles) if roster and len(roster.roles) > 1 else ()

    def role(self, room: RoomTable, seat: Seat) -> str:
        """Return the name of a seat's role; empty where the game has only one."""
        roster = self.roster(room)
        role = roster.role(seat.role) if roster is not None else None
        return role.name if role is not None and self.roles(room) else ""

    def characters(self, room: RoomTable) -> tuple[str, ...]:
        """
        Return who can be claimed at a table in the viewer's role.

        Nobody of a product that is off. Rule APP-19.
        """
        line, mine = self.scenario(room.scenario), self.view and self.view.my_seat
        role = line.roster.role(mine.role if mine else "") if line is not None else None
        if line is None or role is None:
            return ()
        off = [c for p in line.products if p.product in room.products_off for c in p.characters]
        return tuple(character for character in role.characters if character not in off)

    def count_wanted(self, room: RoomTable, seat: Seat) -> int:
        """Return how many characters a seat plays if nobody else sits down."""
        roster = self.roster(room)
        role = roster.role(seat.role) if roster is not None else None
        return role.count_for(len(room.seats)) if role is not None else 1

    def lacks_more(self, room: RoomTable, seat: Seat) -> bool:
        """Return whether a seat has claimed somebody, and not yet all whom it plays."""
        return 0 < len(seat.characters) < self.count_wanted(room, seat)

    def invitation(self, seat: int = ANY_SEAT) -> str:
        """Return the line to paste to friends; empty where there is none to give."""
        code = self.codes.get(self.view.room_id, {}).get(seat) if self.view else None
        if code is None or not isinstance(self.status, Online):
            return ""
        try:
            address = parse_address(self.status.public_address or self.address)
            invitation = Invitation(address, code, parse_fingerprint(self.status.fingerprint))
        except (UnreadableInvitation, UnreadableFingerprint):
            return ""
        return invitation.line("watch" if seat == WATCH else "join")

    # What is written

    def tell(self, text: str, *, is_wrong: bool = False) -> None:
        """Put a line on the message bar."""
        self.bar = Bar(text, is_wrong)
        self.changed()

    def changed(self) -> None:
        """Let everybody look again."""
        for look in tuple(self.on_change):  # who has seen enough may leave while told
            look()

    def follow(self, view: TableView | None) -> None:
        """Turn to a table, or to none."""
        self.view, self.fault, self.next_sequence, self.is_stopped = view, "", 0, False
        if view is not None:
            self.last_room = view.room_id if view.seat is not None else self.last_room
            for follower in self.followers:
                follower.followed(view, ())

    def took(self, steps: tuple[TableStep, ...]) -> None:
        """Pass on what the table that is followed has taken."""
        if self.view is not None and steps:
            for follower in self.followers:
                follower.followed(self.view, steps)

    def speak(self, language: str) -> None:
        """Say one's own words in a language from now on, and all others that are here in it."""
        self.locale = self.locale.in_language(language)
        if self.words_in is not None:
            self.words = self.words_in(language)
        self.bar = Bar(self.locale.say("language.now"))
        self.reworded()

    def reworded(self) -> None:
        """Let everybody put into words again what happened."""
        if self.view is not None:
            for follower in self.followers:
                follower.reworded(self.view)
        self.changed()

    def words_for(self, refused: messages.Refusal | messages.Notice) -> str:
        """Return what a code means: in the client's own words if it has some."""
        key = f"error.{refused.code}"
        if self.locale.has(key):
            return self.locale.say(key)
        said = self.words.say(refused.text)
        return self.locale.say("error.other", refused.code) if said.startswith("<") else said

"""Events about people: seats, choices before a game, chat."""

import attrs

from protocol.bounds import ROOM_ID, SEAT
from protocol.common.hosts import HOSTS_VERSION, host_after_leaving
from protocol.common.table import (
    Branch,
    Legacy,
    RoomEvent,
    RoomTable,
    Seat,
    Settings,
    Table,
    TableEvent,
)
from protocol.event import TABLE, Record, Sealed, event, secret, upcast
from protocol.upcasts import Change, Constant, Extended, Packed
from protocol.values import evolve

MAX_NAME = 40
"""Maximum number of characters in a person's name."""
MAX_CHAT = 500
"""Maximum number of characters in one line of chat."""
MAX_NUMBERS = 64
"""Maximum number of integers in the earlier form of a campaign's state."""


@event("room_opened/9", is_input=True)
class RoomOpened(RoomEvent):
    """A table was opened. Always event 0."""

    room_id: str = attrs.field(validator=ROOM_ID)
    ruleset: str
    scenario: str
    content_hash: bytes
    """Hash of the pack; the rules read exactly this version of the pack."""
    settings: Settings
    version: int = attrs.field(validator=attrs.validators.ge(1))
    """Version of the log; decides details of draws, names and signatures. 1 is release 0.1.0."""
    source: Branch | None
    """
    Log from which this log branches; its records follow this event. None if this log is no branch.
    """

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(
            table,
            room_id=self.room_id,
            ruleset=self.ruleset,
            scenario=self.scenario,
            content_hash=self.content_hash,
            settings=self.settings,
            version=self.version,
            source=self.source,
        )


# Two settings are new. Before, going back could be proposed, and nobody watched with a delay.
upcast(
    "room_opened",
    "room_opened/2",
    Change(
        ("room_id", "ruleset", "scenario", "content_hash", "settings"),
        {"settings": Extended("settings", (True, 0))},
    ),
)


upcast(
    "room_opened/2",
    "room_opened/3",
    Change(
        ("room_id", "ruleset", "scenario", "content_hash", "settings"),
        {"version": Constant(1), "source": Constant(None)},
    ),
)


# Two settings are new, for timed windows, which did not exist.
upcast(
    "room_opened/3",
    "room_opened/4",
    Change(
        ("room_id", "ruleset", "scenario", "content_hash", "settings", "version", "source"),
        {"settings": Extended("settings", (False, 10))},
    ),
)


# A setting is new: the observers.
upcast(
    "room_opened/4",
    "room_opened/5",
    Change(
        ("room_id", "ruleset", "scenario", "content_hash", "settings", "version", "source"),
        {"settings": Extended("settings", ((),))},
    ),
)


# A setting is new: before, servers decided whether limits run while nobody is present.
upcast(
    "room_opened/5",
    "room_opened/6",
    Change(
        ("room_id", "ruleset", "scenario", "content_hash", "settings", "version", "source"),
        {"settings": Extended("settings", (False,))},
    ),
)


# A setting is new: before, the seats were always asked about orders and ties.
upcast(
    "room_opened/6",
    "room_opened/7",
    Change(
        ("room_id", "ruleset", "scenario", "content_hash", "settings", "version", "source"),
        {"settings": Extended("settings", (False,))},
    ),
)


# A setting is new: before, bots waited for nobody.
upcast(
    "room_opened/7",
    "room_opened/8",
    Change(
        ("room_id", "ruleset", "scenario", "content_hash", "settings", "version", "source"),
        {"settings": Extended("settings", (False,))},
    ),
)


# Settings are new: before, nobody could interrupt a question, and no game had other windows.
upcast(
    "room_opened/8",
    "room_opened/9",
    Change(
        ("room_id", "ruleset", "scenario", "content_hash", "settings", "version", "source"),
        {"settings": Extended("settings", (4, "by_calendar", False, False))},
    ),
)


@event("seat_taken", is_input=True)
class SeatTaken(TableEvent):
    """Somebody took a seat. Secrets that an earlier owner learned stay sealed to the new owner."""

    seat: int = attrs.field(validator=SEAT)
    name: str = attrs.field(validator=attrs.validators.max_len(MAX_NAME))
    key: bytes
    is_bot: bool

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the seat. The first to take one is the host."""
        room = table.room
        # From this record on: secrets of the last owner stay sealed to the new one.
        seat = Seat(self.seat, self.name, self.key, self.is_bot, since=record.sequence)
        host = room.host if room.seats else self.seat
        return evolve(table, room=evolve(room.with_seat(seat), host=host))


@event("seat_left", is_input=True)
class SeatLeft(RoomEvent):
    """Somebody gave up their seat before the game."""

    seat: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room without the seat; if the host leaves, another seat is host."""
        seats = {seat: who for seat, who in table.seats.items() if seat != self.seat}
        votes = tuple(seat for seat in table.host_votes if seat != self.seat)
        left = evolve(table, seats=seats, host_votes=votes)
        if table.host in seats or not seats:
            return left
        # Older logs made the lowest seat host, even that of a bot; folding them must not change.
        is_old = table.version < HOSTS_VERSION
        return evolve(left, host=min(seats) if is_old else host_after_leaving(left), host_votes=())


@event("seat_emptied", is_input=True)
class SeatEmptied(RoomEvent):
    """The host emptied a seat that withheld its share in several starts."""

    seat: int

    def fold(self, table: RoomTable) -> RoomTable:
        return SeatLeft(self.seat).fold(table)


@event("scenario_chosen", is_input=True)
class ScenarioChosen(RoomEvent):
    """The host chose the scenario."""

    scenario: str
    content_hash: bytes

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the scenario; seats become unready, campaign state is removed."""
        # People agreed to start another game.
        seats = {n: evolve(s, is_ready=False, brought=None) for n, s in table.seats.items()}
        return evolve(
            table,
            scenario=self.scenario,
            content_hash=self.content_hash,
            seats=seats,
            legacy=None,
        )


@event("campaign_continued/2", is_input=True)
class CampaignContinued(RoomEvent):
    """The host continued a campaign, with its next scenario and the state of its last one."""

    scenario: str
    content_hash: bytes
    legacy: Legacy

    def fold(self, table: RoomTable) -> RoomTable:
        """
        Return the room with the scenario and the state of the campaign.

        All seats become unready, and lose what they brought for the scenario before.
        """
        chosen = ScenarioChosen(self.scenario, self.content_hash).fold(table)
        return evolve(chosen, legacy=self.legacy)


# The state of a campaign was an array of integers, since only one game had campaigns.
upcast(
    "campaign_continued",
    "campaign_continued/2",
    Change(("scenario", "content_hash", "legacy"), {"legacy": Packed("legacy", 1, MAX_NUMBERS)}),
)


@event("products_switched", is_input=True)
class ProductsSwitched(RoomEvent):
    """The host switched these products off and all others on."""

    off: tuple[str, ...]

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with these products off; all seats become unready."""
        seats = {n: evolve(s, is_ready=False) for n, s in table.seats.items()}
        return evolve(table, products_off=self.off, seats=seats)


@event("pieces_claimed", is_input=True)
class CharactersClaimed(RoomEvent):
    """A seat claimed characters, in place of those that it had claimed before."""

    seat: int
    characters: tuple[str, ...]

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the claim; the seat becomes unready."""
        seat = evolve(table.seats[self.seat], characters=self.characters, is_ready=False)
        return table.with_seat(seat)


@event("role_claimed", is_input=True)
class RoleClaimed(RoomEvent):
    """A seat claimed its role. The characters it had claimed are free again: they may not fit."""

    seat: int
    role: str

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the role; the seat becomes unready."""
        seat = evolve(table.seats[self.seat], role=self.role, characters=(), is_ready=False)
        return table.with_seat(seat)


@event("ready_set/2", is_input=True)
class ReadySet(RoomEvent):
    """A seat is ready to start, or no longer ready. The server may only make a seat unready."""

    seat: int
    is_ready: bool
    number: int = 0
    """A number that grows with each statement of the key; 0 if nothing is signed."""
    signature: bytes = b""
    """Signature by the key of the seat (`protocol.common.signed.ready_statement`); empty if not
    signed."""

    def fold(self, table: RoomTable) -> RoomTable:
        stated = table.with_stated(self.seat, self.number)
        return stated.with_seat(evolve(table.seats[self.seat], is_ready=self.is_ready))


upcast(
    "ready_set",
    "ready_set/2",
    Change(("seat", "is_ready"), {"number": Constant(0), "signature": Constant(b"")}),
)


@event("presence_changed", is_input=True)
class PresenceChanged(RoomEvent):
    """The owner of a seat became present or absent."""

    seat: int
    is_present: bool

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the presence; a host who returns ends the votes for a new host."""
        room = table.with_seat(evolve(table.seats[self.seat], is_present=self.is_present))
        is_back = self.is_present and self.seat == table.host
        return evolve(room, host_votes=()) if is_back and room.host_votes else room


@event("host_voted", is_input=True)
class HostVoted(RoomEvent):
    """A seat voted to replace the host, who is away."""

    seat: int

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, host_votes=tuple(sorted({*table.host_votes, self.seat})))


@event("host_passed", is_input=True)
class HostPassed(RoomEvent):
    """
    The longest-seated person present took over from the host, who is away.

    The input comes from the clock, or from the seat whose vote completes a majority of the people
    present.
    """

    seat: int
    """Seat of the new host."""
    was: int
    """Seat of the former host."""

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, host=self.seat, host_votes=())


@event("chatted", is_input=True, stays_shut=True)
class Chatted(RoomEvent):
    """
    Somebody sent a line of chat to the table. Exports may leave out the words.

    The seats at the time know the words; observers do not. The words are bytes (UTF-8), since the
    server sends the words of every text string on the log that is a key: a player could otherwise
    read a story by naming its keys in chat.
    """

    seat: int
    words: Sealed[bytes] = secret(to=TABLE)

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room unchanged: chat has no effect on it."""
        return table


@event("chat_set")
class ChatSet(TableEvent):
    """The rules forbade or allowed chat at the table. Going back undoes this, too."""

    is_open: bool

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        assert table.game is not None
        return evolve(table, game=evolve(table.game, is_chat_open=self.is_open))

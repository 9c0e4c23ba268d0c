"""Events of the start of a game: the ceremony that fixes all chance."""

import attrs

from protocol.bounds import BYTES_32
from protocol.common.signed import start_id
from protocol.common.table import (
    Ceremony,
    FixedSetup,
    Opened,
    RoomEvent,
    RoomTable,
    Stage,
    Table,
    TableEvent,
    empty_game,
)
from protocol.event import NOBODY, Record, Sealed, event, secret, upcast
from protocol.upcasts import Change, Constant, Inserted
from protocol.values import evolve, frozen


@event("setup_fixed", is_input=True)
class SetupFixed(RoomEvent):
    """The host chose a fixed setup, or chose none, so that the table draws its own setup."""

    setup: FixedSetup | None

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that setup; all seats become unready."""
        seats = {n: evolve(s, is_ready=False, knows_setup=False) for n, s in table.seats.items()}
        return evolve(table, fixed_setup=self.setup, seats=seats)


@event("setup_accepted", is_input=True)
class SetupAccepted(RoomEvent):
    """The owner of a seat declared to know the fixed setup, and to play nevertheless."""

    seat: int

    def fold(self, table: RoomTable) -> RoomTable:
        return table.with_seat(evolve(table.seats[self.seat], knows_setup=True))


@event("start_requested/2", is_input=True)
class StartRequested(RoomEvent):
    """The host asked to start the game; all seats are ready. The ceremony of chance begins."""

    seat: int
    number: int = 0
    """A number that grows with each statement of the key; 0 if nothing is signed."""
    signature: bytes = b""
    """Signature by the key of the seat (`protocol.common.signed.start_statement`); empty if not
    signed."""

    def fold(self, table: RoomTable) -> RoomTable:
        stated = table.with_stated(self.seat, self.number)
        return evolve(stated, stage=Stage.STARTING, ceremony=Ceremony())


# Seats did not sign before version 3 of logs.
_UNSIGNED = {"number": Constant(0), "signature": Constant(b"")}
upcast("start_requested", "start_requested/2", Change(("seat",), _UNSIGNED))


@event("seeds_committed", stays_shut=True)
class SeedsCommitted(RoomEvent):
    """The server committed to its seeds, before any seat added its share."""

    play_seed: Sealed[bytes] = secret(to=NOBODY)
    """Seed of 32 bytes. This seed and the shares of all seats give the key of chance in play."""
    house_seed: Sealed[bytes] = secret(to=NOBODY)
    """Seed of 32 bytes for setup and deal; empty for a fixed setup, which has a seed already."""

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, play_seed=self.play_seed, house_seed=self.house_seed)


@event("share_committed", is_input=True)
class ShareCommitted(RoomEvent):
    """A seat committed to its share of chance."""

    seat: int
    commitment: bytes = attrs.field(validator=BYTES_32)
    """Commitment to the share, its number and the previous start (`commitment_of_share`)."""

    def fold(self, table: RoomTable) -> RoomTable:
        assert table.ceremony is not None
        commitments = {**table.ceremony.commitments, self.seat: self.commitment}
        return evolve(table, ceremony=evolve(table.ceremony, commitments=commitments))


@event("share_opened/2", is_input=True)
class ShareOpened(RoomEvent):
    """A seat opened its share, after all seats committed."""

    seat: int
    share: bytes = attrs.field(validator=BYTES_32)
    number: int = 0
    """Number of starts of this table at which the key opened a share; 0 if nothing is signed."""
    before: bytes = b""
    """Id of the previous start at which the key opened a share; empty for none."""
    signature: bytes = b""
    """Signature by the key of the seat (`protocol.common.signed.share_statement`); empty if not
    signed."""

    def fold(self, table: RoomTable) -> RoomTable:
        assert table.ceremony is not None
        shares = {**table.ceremony.shares, self.seat: self.share}
        room = evolve(table, ceremony=evolve(table.ceremony, shares=shares))
        # Folding is total: a forged log may open shares before there are seeds.
        if not self.number or table.play_seed is None or table.house_seed is None:
            return room
        key, start = table.seats[self.seat].key, start_id(table)
        last = table.opened.get(key, Opened())
        # In a practice game one key opens the shares of all seats in one start, counted once.
        on_log = last.on_log + (last.start != start)
        now = Opened(self.number, self.before, start, on_log)
        return evolve(room, opened={**table.opened, key: now})


upcast(
    "share_opened",
    "share_opened/2",
    Change(("seat", "share"), {"before": Constant(b""), **_UNSIGNED}),
)


@event("start_failed", is_input=True)
class StartFailed(RoomEvent):
    """A seat did not commit or open in time. The start is cancelled."""

    missing: tuple[int, ...]
    """The seats that did not open their shares in time."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room in its lobby; the seats that were late become unready."""
        # Counted: the host may empty a seat that prevents several starts.
        seats = {
            n: evolve(s, is_ready=False, withheld=s.withheld + 1) if n in self.missing else s
            for n, s in table.seats.items()
        }
        return evolve(
            table, stage=Stage.LOBBY, ceremony=None, play_seed=None, house_seed=None, seats=seats
        )


@frozen
class Player:
    """One seat of the game with its role and characters."""

    seat: int
    role: str
    """Role of the seat: the claimed role, or the first role of the roster."""
    characters: tuple[str, ...]
    """Claimed characters; some roles have none."""


def players_of(room: RoomTable) -> tuple[Player, ...]:
    """Return the players of a room by seat, with the roles and characters that they claimed."""
    seats = room.seats.values()
    return tuple(Player(seat.seat, seat.role, seat.characters) for seat in seats)


@event("game_started/3")
class GameStarted(TableEvent):
    """All shares are open and all keys of chance fixed. The game begins."""

    players: tuple[Player, ...]
    is_apart: bool = False
    """True if nobody may have seats of two roles in this game, one after the other."""

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the empty game on it: the first checkpoint."""
        # The first events of the rules lay out the setup.
        table = evolve(table, game=empty_game(table.room.ruleset))
        return self.begun(table).with_checkpoint(record.sequence)

    def begun(self, table: Table) -> Table:
        """Return the table with the room playing, and each seat in its role."""
        seats = dict(table.room.seats)
        for player in self.players:
            seats[player.seat] = evolve(seats[player.seat], role=player.role)
        room = evolve(
            table.room, stage=Stage.PLAYING, ceremony=None, seats=seats, is_apart=self.is_apart
        )
        for seat in seats.values():
            room = room.with_past_role(seat.key, seat.role)
        return evolve(table, room=room)


ROLE_BEFORE_ROLES = "investigator"
"""Role of all seats before there were roles."""

upcast(
    "game_started",
    "game_started/2",
    Change(("players",), {"players": Inserted("players", 1, ROLE_BEFORE_ROLES)}),
)
# Nobody was kept from the seat of another role.
upcast(
    "game_started/2", "game_started/3", Change(("players",), {"is_apart": Constant(value=False)})
)

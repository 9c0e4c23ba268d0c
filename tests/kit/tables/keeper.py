"""
A small asymmetric game: a keeper without a character against investigators.

The keeper plots in secret. The first investigator dies, and the seat goes on as a new character,
who then hears a whisper. Every secret is that of a role or of a character.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from protocol.common.asks import Reason
from protocol.common.events import Player
from protocol.common.laws import GameLaws, register_laws
from protocol.common.roster import Role, Roster
from protocol.common.table import GameEvent, GameTable, RoomTable, Seat, register_game
from protocol.common.text import Text
from protocol.event import Sealed, event, hidden, secret
from server.kernel.asks import Option, Prompt
from server.kernel.game import Correction, Game, Procedure

RULESET = "kept"
INVESTIGATORS = ("ann", "ben", "cid", "dot")
ABOUT = Text("kept/about")
PLOTS = ("fire", "flood")


@attrs.frozen
class KeptTable(GameTable):
    """The current seat of each character, and the progress of the story."""

    played_by: Mapping[str, int] = attrs.field(factory=dict)
    """The seat of each living character."""
    chapter: int = 0
    plot: Sealed[str] | None = None

    def seats_of(self, room: RoomTable, knower: str) -> tuple[int, ...]:
        """Return the seat that plays a character now; for a role, the seats of the room."""
        if knower in INVESTIGATORS:
            return (self.played_by[knower],) if knower in self.played_by else ()
        return room.seats_of(knower)


register_game(RULESET, KeptTable)
register_laws(RULESET, GameLaws)


@event("kept/begun")
class Begun(GameEvent):
    """The game began."""

    played_by: Mapping[str, int]

    def fold(self, table: KeptTable) -> KeptTable:
        return attrs.evolve(table, played_by=dict(self.played_by), chapter=1)


@event("kept/plotted")
class Plotted(GameEvent):
    """The keeper chose a plot."""

    role: str
    plot: Sealed[str] = secret(to="role")

    def fold(self, table: KeptTable) -> KeptTable:
        return attrs.evolve(table, plot=self.plot, chapter=2)


@event("kept/replaced")
class Replaced(GameEvent):
    """A character died, and their seat plays another."""

    dead: str
    character: str
    seat: int

    def fold(self, table: KeptTable) -> KeptTable:
        """Put the new character in the place of the dead one."""
        living = {who: seat for who, seat in table.played_by.items() if who != self.dead}
        return attrs.evolve(table, played_by={**living, self.character: self.seat}, chapter=3)


@event("kept/whispered")
class Whispered(GameEvent):
    """A character heard a whisper."""

    character: str
    words: Sealed[str] = secret(to="character")

    def fold(self, table: KeptTable) -> KeptTable:
        return attrs.evolve(table, chapter=4)


Kept = Game[KeptTable, None]


class KeptRules:
    """The rules, as the kernel knows them."""

    name = RULESET

    def prepared_fault(
        self, content: Any, seat: Seat, prepared: bytes | None
    ) -> tuple[Reason, ...]:
        """Return no reason: any preparation is valid, and so is none."""
        return ()

    def roster(self, content: Any) -> Roster:
        """Return one keeper without a character, and one to three investigators."""
        return Roster(
            2,
            4,
            (
                Role("investigator", 1, 3, INVESTIGATORS, (1, 1, 1, 1)),
                Role("keeper", 1, 1, (), ()),
            ),
        )

    def informed_roles(self, content: Any) -> tuple[str, ...] | None:
        """Return None: any seat is open to somebody who knows the setup."""
        del content
        return None

    def start_fault(self, content: Any, players: tuple[Player, ...]) -> str | None:
        """Refuse Ben without Ann."""
        claimed = {one for player in players for one in player.characters}
        return "kept/ben_alone" if "ben" in claimed and "ann" not in claimed else None

    def corrections(self, table: GameTable) -> tuple[Correction, ...]:
        return ()

    def unknown_piles(self, table: GameTable) -> tuple[str, ...]:
        return ()

    def next_procedure(self, game: Game[Any, Any]) -> Procedure | None:
        """Return the procedure of the next chapter; None after the last."""
        chapters = (begin, plot, replace, whisper)
        chapter = game.table.chapter
        return chapters[chapter](game) if chapter < len(chapters) else None


async def begin(game: Kept) -> None:
    game.emit(Begun({one: p.seat for p in game.players for one in p.characters}))


async def plot(game: Kept) -> None:
    """Let the keeper choose a plot."""
    [keeper] = (player.seat for player in game.players if player.role == "keeper")
    options = [Option(word, Text(f"kept/{word}")) for word in PLOTS]
    chosen = await game.choose(keeper, options, rule="KEPT-1", about=ABOUT, prompt=ABOUT)
    game.emit(Plotted("keeper", hidden(chosen)))


async def replace(game: Kept) -> None:
    """Let the first investigator die, and their player go on as Dot."""
    dead, seat = min(game.table.played_by.items())
    game.emit(Replaced(dead, "dot", seat))


async def whisper(game: Kept) -> None:
    """Whisper to Dot, and wait until the player confirms it."""
    game.emit(Whispered("dot", hidden("beware")))
    heard = Prompt(ABOUT, (Option("heard", Text("kept/heard")),))
    await game.any_one({game.table.played_by["dot"]: heard}, rule="KEPT-2", about=ABOUT)

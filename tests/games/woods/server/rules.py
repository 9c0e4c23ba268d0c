"""
Rules of the woods.

Each round the keeper secretly lays a snare in one of three clearings, and every animal walks into
one. An animal in the snare falls, and the next unclaimed one replaces it. The animals win if one is
left after the last round, otherwise the keeper wins. Nobody wins if those that are left have too
few berries (`Content.berries`).

While the keeper has a trick left (`Content.tricks`), animals walk one after another, and the keeper
may move the snare before the next one has decided.

On a board (`Content.has_board`) animals start at the brook and walk one step a round, or stay; one
that sees another fall finds no berry in that round.
"""

from collections.abc import Iterable
from typing import Any

from protocol.boards import routes
from protocol.common.asks import Point, Reason
from protocol.common.events import Player
from protocol.common.roster import Role, Roster
from protocol.common.table import GameTable, Seat
from protocol.common.text import Text
from protocol.event import hidden
from server.kernel.asking import Interruption
from server.kernel.asks import Option, Prompt
from server.kernel.game import Correction, Game, Procedure
from server.rulekit.draws import Draws
from tests.games.woods.content.schema import Content
from tests.games.woods.protocol import events as woods
from tests.games.woods.protocol.table import (
    ANIMAL,
    ANIMALS,
    CLEARINGS,
    KEEPER,
    NOBODY,
    RULESET,
    Animal,
    WoodsTable,
)
from tests.games.woods.server import board

STEPS = 1
"""Steps that an animal may walk in a round, if there is a board."""
TASTES = tuple(f"taste/{name}" for name in ("acorns", "clover", "honey"))

SNARE = Text("woods/about_snare")
WALKS = Text("woods/about_walks")

Woods = Game[WoodsTable, Content]
DRAWS = Draws()


class WoodsRules:
    """Rules as the kernel calls them."""

    name = RULESET

    def roster(self, content: Content) -> Roster:
        """Return a roster of one keeper and up to three others."""
        del content
        animals = Role(ANIMAL, fewest=1, most=3, characters=ANIMALS, each=(0, 2, 1, 1))
        keeper = Role(KEEPER, fewest=1, most=1, characters=(), each=(0, 0, 0, 0))
        return Roster(2, 4, (animals, keeper), is_apart=True)

    def informed_roles(self, content: Content) -> tuple[str, ...] | None:
        """Return the keeper, who is told where the first snare is."""
        del content
        return (KEEPER,)

    def start_fault(self, content: Content, players: tuple[Player, ...]) -> str | None:
        """Return None: every party of the roster can start."""
        del content, players
        return None

    def prepared_fault(
        self, content: Content, seat: Seat, prepared: bytes | None
    ) -> tuple[Reason, ...]:
        """Return no reason against any preparation: nobody asks for one."""
        del content, seat, prepared
        return ()

    def corrections(self, table: GameTable) -> tuple[Correction, ...]:
        del table
        return ()

    def unknown_piles(self, table: GameTable) -> tuple[str, ...]:
        del table
        return ()

    def next_procedure(self, game: Game[Any, Any]) -> Procedure | None:
        """Return the next procedure, None when the game is over."""
        table = game.table
        if table.winner:
            return None
        return one_round(game) if table.animals else gather(game)


async def gather(game: Woods) -> None:
    """Let every claimed animal join."""
    for player in game.players:
        for animal in player.characters:
            arrive(game, animal, player.seat)


def arrive(game: Woods, animal: str, seat: int) -> None:
    """Let an animal join a seat, and tell only that seat what the animal likes best."""
    game.emit(woods.AnimalCame(animal, seat))
    taste = DRAWS.deal(game, "taste", TASTES)
    assert taste is not None
    game.emit(woods.TasteLearnt(animal, hidden(taste)))


async def one_round(game: Woods) -> None:
    """Lay the snare, walk, and resolve the snare. WOODS-3, WOODS-4 and WOODS-6."""
    await lay(game)
    await (set_off(game) if may_move(game) else walk(game))
    sealed = game.table.snare
    assert sealed is not None
    snare = sealed.value
    walked = game.table.living()
    caught = [animal.name for animal in walked if animal.clearing == snare]
    if caught:
        game.emit(woods.SnareShown(game.disclose(sealed)))
    for name in caught:
        fall(game, name)
    for animal in walked:
        if animal.name not in caught and not (caught and frightens(game, animal.name, snare)):
            game.emit(woods.BerriesChanged(animal.name, 1))
    game.emit(woods.RoundEnded())
    if not game.table.living():
        game.emit(woods.Ended(KEEPER))
    elif game.table.round_number >= game.content.rounds:
        berries = sum(animal.berries for animal in game.table.living())
        game.emit(woods.Ended(ANIMAL if berries >= game.content.berries else NOBODY))


async def lay(game: Woods) -> None:
    """
    Have the keeper choose the clearing of the snare. WOODS-1.

    In a fixed setup the first one is laid by lot, so that tables begin alike. WOODS-10.
    """
    if game.is_setup_fixed and not game.table.round_number:
        dealt = DRAWS.deal(game, "snare", CLEARINGS)
        assert dealt is not None
        game.emit(woods.SnareLaid(KEEPER, hidden(dealt)))
        return
    options = [_place("woods/lay", clearing) for clearing in CLEARINGS]
    prompt = Text("woods/where_to_lay")
    clearing = await game.choose(
        keeper_of(game), options, rule="WOODS-1", about=SNARE, prompt=prompt
    )
    game.emit(woods.SnareLaid(KEEPER, hidden(clearing)))


def keeper_of(game: Woods) -> int:
    """Return the seat of the keeper."""
    return next(player.seat for player in game.players if player.role == KEEPER)


def may_move(game: Woods) -> bool:
    """True while the keeper has a trick left, and may play it at its moment. WOODS-8, WOODS-9."""
    return not game.lays_ready and game.table.tricks < game.content.tricks


async def set_off(game: Woods) -> None:
    """Have one animal walk after another; the keeper may move the snare. WOODS-7 and WOODS-8."""
    for name in [animal.name for animal in game.table.living()]:
        clearing = ""
        while not clearing:
            animal = game.table.animals[name]
            prompt = _where_to(game, animal)
            if not may_move(game):
                clearing = await game.choose(
                    animal.seat,
                    prompt.options,
                    rule="WOODS-7",
                    about=WALKS,
                    prompt=prompt.prompt,
                )
                break
            options = tuple(_place("woods/move", one) for one in CLEARINGS)
            moves = {keeper_of(game): Prompt(Text("woods/where_to_move"), options)}
            picked = await game.beside(animal.seat, prompt, moves, rule="WOODS-8", about=WALKS)
            if isinstance(picked, Interruption):
                game.emit(woods.SnareMoved(KEEPER, hidden(picked.value)))
            else:
                clearing = picked
        game.emit(woods.Walked(((name, clearing),)))


async def walk(game: Woods) -> None:
    """Have all seats choose at once where their animals go, first and second. WOODS-2."""
    walks: list[tuple[str, str]] = []
    seats = [player.seat for player in game.players]
    for place in range(2):
        walking = {
            seat: game.table.living(seat)[place]
            for seat in seats
            if len(game.table.living(seat)) > place
        }
        if not walking:
            continue
        prompts = {seat: _where_to(game, animal) for seat, animal in walking.items()}
        picks = await game.each(prompts, rule="WOODS-2", about=WALKS)
        walks += [(animal.name, picks[seat][0]) for seat, animal in walking.items()]
    game.emit(woods.Walked(tuple(walks)))


def frightens(game: Woods, animal: str, fallen: str) -> bool:
    """True if an animal sees the clearing in which another one fell."""
    return game.content.has_board and fallen in board.sees(game.table.animals[animal].clearing)


def _where_to(game: Woods, animal: Animal) -> Prompt[str]:
    clearings: Iterable[str] = CLEARINGS
    if game.content.has_board:
        clearings = routes.reach([animal.clearing], board.onward, STEPS)
    options = tuple(_place("woods/walk", clearing) for clearing in clearings)
    return Prompt(Text("woods/where_to_walk", (animal.name,)), options)


def _place(words: str, clearing: str) -> Option[str]:
    return Option(clearing, Text(words, (clearing,)), (Point("space", clearing),))


def fall(game: Woods, name: str) -> None:
    """Eliminate an animal; the next unused one replaces it. WOODS-5."""
    seat = game.table.animals[name].seat
    game.emit(woods.Fell(name))
    spare = [animal for animal in ANIMALS if animal not in game.table.animals]
    if spare:
        arrive(game, spare[0], seat)

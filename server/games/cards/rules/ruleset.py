"""
The ruleset: the interface of the card game to the kernel.

At each checkpoint the table alone decides what happens next, so that a room can be rebuilt there.
"""

import contextlib
from typing import Any

from content.games.cards.schema import decks
from content.games.cards.schema.pack import Content
from protocol.common.asks import Reason
from protocol.common.events import Player
from protocol.common.roster import Role, Roster
from protocol.common.table import GameTable, Seat
from protocol.common.text import Text
from protocol.games.cards.table import FACE_DOWN, hand_of
from protocol.games.cards.words import INVESTIGATOR, RULESET, Phase
from server.games.cards.rules import rounds, setup
from server.games.cards.rules.play import GameOver, Play
from server.kernel.game import Correction, Game, Procedure


class Cards:
    """The rules of the card game, called by the kernel."""

    name = RULESET

    def roster(self, content: Content) -> Roster:
        """Return one to four investigators; a seat may run several. C-BZONE-1, C-DECIDE-43."""
        most = content.scenario.most
        people = tuple(content.pack.investigators)
        each = (1,) * most
        most_each = tuple(most // seats for seats in range(1, most + 1))
        role = Role(INVESTIGATOR, 1, most, people, each, most_each)
        return Roster(1, most, (role,))

    def informed_roles(self, content: Content) -> tuple[str, ...] | None:  # noqa: ARG002 (as the kernel asks)
        """Return none: a fixed setup hides something from everybody. C-SECRET-10 to 12."""
        return ()

    def start_fault(self, content: Content, players: tuple[Player, ...]) -> str | None:
        """Return why a game of these players cannot start: too many investigators, or a deck.

        Each deck must be legal, whoever plays it. C-BSETUP-16.
        """
        chosen = [who for player in players for who in player.characters]
        if len(chosen) > content.scenario.most:
            return "too_many_characters"
        pack = content.pack
        is_legal = all(
            (deck := decks.deck_of(pack, who)) is not None
            and not any(decks.faults(pack, deck, pack.investigators[who]))
            for who in chosen
        )
        return None if is_legal else "illegal_deck"

    def prepared_fault(
        self,
        content: Content,  # noqa: ARG002 (as the kernel asks)
        seat: Seat,  # noqa: ARG002 (as the kernel asks)
        prepared: bytes | None,
    ) -> tuple[Reason, ...]:
        """Refuse any preparation: everybody plays the starter deck of the investigator."""
        return () if prepared is None else (Reason(Text("refusal/nothing_to_prepare")),)

    def corrections(self, table: GameTable) -> tuple[Correction, ...]:  # noqa: ARG002 (as the kernel asks)
        """Return none: the server keeps all numbers."""
        return ()

    def unknown_piles(self, table: GameTable) -> tuple[str, ...]:
        """Return the decks: nobody knows their order. C-SECRET-3, C-SECRET-6."""
        known = (hand_of(""), setup.aside_of(""))
        return tuple(
            pile for pile in table.piles if pile != FACE_DOWN and not pile.startswith(known)
        )

    def next_procedure(self, game: Game[Any, Any]) -> Procedure | None:
        """Return the next procedure, decided by the table alone; None if the game is over."""
        if game.table.phase is Phase.OVER:
            return None
        return _until_the_end(game)


async def _until_the_end(play: Play) -> None:
    """Run the next step; once the scenario ends, the rest is skipped. C-BEND-1."""
    with contextlib.suppress(GameOver):
        if play.table.phase is Phase.SETUP:
            await setup.set_up(play)
        else:
            await rounds.step(play)

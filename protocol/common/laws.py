"""
Laws: what the mechanics of a game promise, for audits to hold a log against.

What every game shares is judged by `protocol.validity`; here stands what needs the game's own
table. Each ruleset registers its laws, as it registers its table, and adds its own to those of
piles, which hold wherever cards lie hidden.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import attrs

from protocol.common import events as on
from protocol.common.table import GameEvent, GameTable, Handle, OpenAsk, Table, fold
from protocol.event import Record, audiences_of
from protocol.plugs import has_plug, plug


class LawBroken(Exception):
    """Something that the mechanics of a game cannot do. Says what."""


def hold(holds: object, reason: str) -> None:
    """Raise LawBroken unless something holds."""
    if not holds:
        raise LawBroken(reason)


@attrs.define
class GameLaws:
    """The laws of one game, which follow it record by record."""

    last: Record | None = None
    """The record before."""
    version: int = 1
    """Of the log."""
    ask: OpenAsk | None = None
    """The question that was open before the record."""
    unmixed: set[str] = attrs.field(factory=set)
    """Piles that a card was put into since they were mixed."""

    def follow(self, table: Table, record: Record) -> Table:
        """
        Return the table after a record that keeps the laws.

        Raises:
            LawBroken: it does not.
        """
        self.version, self.ask = table.room.version, table.room.ask
        for sealed, to in audiences_of(record.event):
            if isinstance(to, str):
                hold(sealed.audience == table.seats_of(to), "others know it than should")
        if isinstance(record.event, on.GameStarted):
            self.check_start(record.event.players)
        if table.game is not None:
            self.check(table.game, record)
        after = fold(table, record)
        if table.game is not None and after.game is not None:
            self._note_piles(table.game, after.game, record)
        self.last = record
        return after

    def check_start(self, players: Sequence[on.Player]) -> None:
        """Check who plays as whom. Rulesets say what fits their roster."""

    def check(self, game: GameTable, record: Record) -> None:
        """Check a record against the table before it. Rulesets check more."""
        happened = record.event
        if isinstance(happened, GameEvent):
            for handle, card in happened.claims():
                hidden = game.hidden_cards.get(handle)
                hold(hidden is not None, "a card that is nowhere")
                is_it = (
                    hidden is None
                    or not hidden.order.is_open
                    or hidden.order.value[hidden.index] == card
                )
                hold(is_it, "a card that it names is not the one that lay there")
        elif isinstance(happened, on.Shuffled):
            self._check_shuffle(game, happened)
        elif isinstance(happened, on.Asked | on.CheckpointReached | on.RoomClosed):
            left = [pile for pile in self.unmixed if len(game.piles.get(pile, ())) > 1]
            hold(not left, "a card was put back, and its pile was not mixed")

    def _check_shuffle(self, game: GameTable, shuffled: on.Shuffled) -> None:
        if shuffled.pile not in game.piles:
            hold(self.may_lay_out(game, shuffled.pile), "a pile that comes from nowhere")
            return
        if self.is_made_anew(shuffled.pile):
            return
        lying = game.piles[shuffled.pile]
        hold(len(lying) == len(shuffled.handles), "a shuffle that adds cards, or takes some")
        orders = [game.hidden_cards[handle].order for handle in lying]
        if shuffled.order.is_open and all(order.is_open for order in orders):
            before = Counter(game.card_of(handle) for handle in lying)
            hold(before == Counter(shuffled.order.value), "a shuffle that exchanges cards")

    def may_lay_out(self, game: GameTable, pile: str) -> bool:  # noqa: ARG002 (rulesets ask both)
        """Return whether a pile may be laid out now that is not there."""
        return True

    def is_made_anew(self, pile: str) -> bool:  # noqa: ARG002 (rulesets ask it)
        """Return whether a pile is made of other cards each time that it is mixed."""
        return False

    def check_top(self, game: GameTable, pile: str, handle: Handle) -> None:
        """Need a card that is drawn to lie on top of its pile, which is mixed."""
        hold(game.piles.get(pile, ())[:1] == (handle,), "a card that did not lie on top")
        hold(pile not in self.unmixed, "a card of a pile that was not mixed")

    def _note_piles(self, before: GameTable, after: GameTable, record: Record) -> None:
        happened = record.event
        if isinstance(happened, on.Shuffled):
            self.unmixed.discard(happened.pile)
        elif isinstance(happened, on.TakenBack):
            self.unmixed.clear()
        elif before.piles is not after.piles:
            self.unmixed |= {
                pile
                for pile, handles in after.piles.items()
                if set(handles) - set(before.piles.get(pile, ()))
            }


_LAWS: dict[str, Callable[[], GameLaws]] = {}


def register_laws(ruleset: str, make: Callable[[], GameLaws]) -> None:
    """Say what follows the games of a ruleset."""
    _LAWS[ruleset] = make


def laws_of(ruleset: str) -> GameLaws | None:
    """Return fresh laws for a game of a ruleset; None where its laws are not known here."""
    if ruleset not in _LAWS and has_plug("protocol", ruleset, "laws"):
        plug("protocol", ruleset, "laws")
    make = _LAWS.get(ruleset)
    return None if make is None else make()

"""
Laws: promises of a game's mechanics, against which audits check a log.

`protocol.validity` judges the rules of all logs; laws are rules that need the table of the game.
Each ruleset registers its laws like its table, and adds them to those of piles, which hold in all
games with hidden cards.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import attrs

from protocol.common import events
from protocol.common.standing import LAPSES_VERSION, lapse_in
from protocol.common.table import GameEvent, GameTable, Handle, OpenAsk, Table, fold
from protocol.event import Record, Sealed
from protocol.event_contents import audiences_of
from protocol.plugs import PLACES, lineage, part_of


class LawBroken(Exception):
    """A record that the mechanics of the game make impossible; the message says why."""


def hold(holds: object, reason: str) -> None:
    """Raise LawBroken if `holds` is false."""
    if not holds:
        raise LawBroken(reason)


@attrs.define
class GameLaws:
    """Checks the laws of one game, record by record."""

    last: Record | None = None
    """The previous record."""
    version: int = 1
    """Version of the log."""
    ask: OpenAsk | None = None
    """The question that was open before the record; None if there was none."""
    unmixed: set[str] = attrs.field(factory=set)
    """Piles to which a card was added since their last shuffle."""

    def follow(self, table: Table, record: Record) -> Table:
        """
        Check a record and return the table after it.

        Raises:
            LawBroken: the record breaks a law.
        """
        # Before the record is folded: laws compare a record with what it was made from.
        self.version, self.ask = table.room.version, table.room.ask
        # Only the table of the game knows whose a character is now, so this is no rule of all logs.
        for sealed, to in audiences_of(record.event):
            if isinstance(to, str):
                hold(sealed.audience == table.seats_of(to), "others know it than should")
        if isinstance(record.event, events.GameStarted):
            self.check_start(record.event.players)
        if table.game is not None:
            self.check(table.game, record)
        after = fold(table, record)
        if table.game is not None and after.game is not None:
            self._note_piles(table.game, after.game, record)
        self.last = record
        return after

    def check_start(self, players: Sequence[events.Player]) -> None:
        """Check roles and characters of the players. Rulesets override it."""

    def check(self, game: GameTable, record: Record) -> None:
        """Check a record against the table before it. Rulesets extend it."""
        event = record.event
        if isinstance(event, GameEvent):
            for handle, card in event.claims():
                hold(handle in game.hidden_cards, "a card that is nowhere")
                hold(
                    game.known_card(handle) in {None, card},
                    "a card that it names is not the one that lay there",
                )
        elif isinstance(event, events.ShuffledSome | events.LookedAt | events.Arranged):
            _check_part(game, event)
        elif isinstance(event, events.Shuffled):
            self._check_shuffle(game, event)
        elif isinstance(event, events.PassesLapsed):
            hold(event.name in game.lapses, "passes lapse with what the game does not name")
        elif isinstance(event, events.StandingSet):
            lapses = game.lapses if self.version >= LAPSES_VERSION else ()
            is_known = not event.kinds.is_open or lapse_in(event.kinds.value, lapses)
            hold(is_known, "a pass until what the game does not name")
        elif isinstance(event, events.Asked | events.CheckpointReached | events.RoomClosed):
            # Handles stay with their cards. An unshuffled pile would show which card was put back.
            left = any(self._is_unmixed(game, pile) for pile in self.unmixed)
            hold(not left, "a card was put back, and its pile was not mixed")

    def _check_shuffle(self, game: GameTable, shuffled: events.Shuffled) -> None:
        if shuffled.pile not in game.piles:
            hold(self.may_lay_out(game, shuffled.pile), "a pile that comes from nowhere")
            return
        if self.is_made_anew(shuffled.pile):
            return
        lying = game.piles[shuffled.pile]
        hold(len(lying) == len(shuffled.handles), "a shuffle that adds cards, or takes some")
        _check_same_cards(game, lying, shuffled.order)

    def may_lay_out(self, game: GameTable, pile: str) -> bool:  # noqa: ARG002 (rulesets ask both)
        """Return True if a pile with a new name may be laid out now. Rulesets override it."""
        return True

    def is_made_anew(self, pile: str) -> bool:  # noqa: ARG002 (rulesets ask it)
        """Return True if a pile gets a new set of cards for each shuffle. Rulesets override it."""
        return False

    def lies_apart(self, pile: str) -> bool:  # noqa: ARG002 (rulesets ask it)
        """Return True for a pile of which nothing is drawn. Rulesets override it."""
        return False

    def check_top(self, game: GameTable, pile: str, handle: Handle) -> None:
        """Check that a drawn card was on top, and that its pile was shuffled after it last grew."""
        hold(game.piles.get(pile, ())[:1] == (handle,), "a card that did not lie on top")
        hold(not self._is_unmixed(game, pile), "a card of a pile that was not mixed")

    def _is_unmixed(self, game: GameTable, pile: str) -> bool:
        # The order of a single card cannot tell anything.
        is_mixable = len(game.piles.get(pile, ())) > 1 and not self.lies_apart(pile)
        return pile in self.unmixed and is_mixable

    def _note_piles(self, before: GameTable, after: GameTable, record: Record) -> None:
        event = record.event
        # These give cards new handles without adding any, and do not mix the whole pile.
        if isinstance(event, events.ShuffledSome | events.Arranged):
            return
        if isinstance(event, events.Shuffled):
            self.unmixed.discard(event.pile)
        elif isinstance(event, events.TakenBack):
            # All piles with unknown cards are shuffled next by the kernel.
            self.unmixed.clear()
        elif before.piles is not after.piles:
            self.unmixed |= {
                pile
                for pile, handles in after.piles.items()
                if set(handles) - set(before.piles.get(pile, ()))
            }


def _check_part(
    game: GameTable, event: events.ShuffledSome | events.LookedAt | events.Arranged
) -> None:
    """Check that places exist in a pile, and that the cards named were at these places."""
    lying, places = game.piles.get(event.pile, ()), event.places
    hold(list(places) == sorted(set(places)), "places of a pile that do not ascend")
    hold(all(0 <= place < len(lying) for place in places), "a place that the pile has not")
    handles = [lying[place] for place in places]
    if isinstance(event, events.LookedAt):
        if event.cards.is_open:
            hold(len(event.cards.value) == len(places), "other cards than it looks at")
            pairs = zip(handles, event.cards.value, strict=True)
            is_it = all(game.known_card(handle) in {None, card} for handle, card in pairs)
            hold(is_it, "a card that is seen is not the one that lay there")
        return
    hold(len(event.handles) == len(places), "not as many handles as places")
    if event.order.is_open:
        hold(len(event.order.value) == len(places), "not as many cards as places")
    _check_same_cards(game, handles, event.order)


def _check_same_cards(
    game: GameTable, handles: Sequence[Handle], order: Sealed[tuple[str, ...]]
) -> None:
    """Check that an order has exactly the cards of some handles, if all of these are open."""
    cards = [game.known_card(handle) for handle in handles]
    # If one of them is sealed here, only somebody who knows it can check.
    if order.is_open and None not in cards:
        hold(Counter(cards) == Counter(order.value), "a shuffle that exchanges cards")


_LAWS: dict[str, Callable[[], GameLaws]] = {}


def register_laws(ruleset: str, make: Callable[[], GameLaws]) -> None:
    """Register the laws of a ruleset."""
    _LAWS[ruleset] = make


def laws_of(ruleset: str) -> GameLaws | None:
    """Return fresh laws for a game of a ruleset; None if its laws are not known here."""
    if ruleset not in _LAWS:
        part_of("protocol", ruleset, "laws")
    # Tests register rulesets that have no place.
    names = lineage(ruleset) if ruleset in PLACES else (ruleset,)
    return next((_LAWS[name]() for name in names if name in _LAWS), None)

"""Planted leaks in chance, commitments and backs of Spells, and after the game."""

import hashlib
import itertools
from collections.abc import Callable

import attrs
import pytest

from protocol.common.table import Legacy
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.carried import numbers_in, packed
from protocol.games.second_edition.table import Possession, copies_deck
from server.games.second_edition.rules import (
    conditions,
    counters,
    possessions,
    trade,
)
from server.games.second_edition.rules.play import Play
from server.kernel.batch_writer import BatchWriter
from server.rulekit.offers import Offers
from tests.games.second_edition.twins.leaks import (
    CAMPAIGN,
    COMPANY,
    CONDITIONED,
    SPELLS,
    leak,
)
from tests.games.twins import planting

# In chance and commitments --------------------------------------------------------------------


@leak(COMPANY, "Follower", "LateJoiner", "Reconnecter")
def salts_follow_from_room_and_sequence(patch: pytest.MonkeyPatch) -> None:
    """Salts follow from room and sequence, so all values of a commitment can be tried."""

    def _salts(self: BatchWriter) -> Callable[[], bytes]:
        place, slots = f"{self.state.room_id}/{self.next_sequence}", itertools.count()
        return lambda: hashlib.sha256(f"{place}/{next(slots)}".encode()).digest()

    patch.setattr(BatchWriter, "_salts", _salts)


leak(COMPANY, "Follower", "LateJoiner", "Exporter")(planting.handles_are_in_the_order_of_cards)


leak(COMPANY, "Follower", "LateJoiner", "Exporter")(planting.handles_are_used_again)


# On the backs of Spells ------------------------------------------------------------------------


def _back_of(play: Play, possession: Possession) -> str:
    """Return the back of a Spell, which no rule may read."""
    return play.table.card_of(possession.handle)


@leak(SPELLS, "Follower", "LateJoiner", "Exporter")
def a_spells_back_is_named(patch: pytest.MonkeyPatch) -> None:
    """A public record names the back of a Spell that is gained."""
    honest = possessions.gain

    def gain(play: Play, investigator: str, card: str) -> str | None:
        gained = honest(play, investigator, card)
        has = None if gained is None else possessions.held(play, investigator, gained)
        if has is not None and has.handle:
            play.emit(se.Told(Text("story/leak", (_back_of(play, has),))))
        return gained

    patch.setattr(possessions, "gain", gain)


@leak(SPELLS, "Follower", "LateJoiner", "Exporter")
def a_spells_owner_is_told_its_back(patch: pytest.MonkeyPatch) -> None:
    """The owner of a Spell is told its back when it is gained, like that of an Insane card."""
    honest = possessions.gain

    def gain(play: Play, investigator: str, card: str) -> str | None:
        gained = honest(play, investigator, card)
        has = None if gained is None else possessions.held(play, investigator, gained)
        if has is not None and has.handle:
            text = Text("story/leak", (_back_of(play, has),))
            play.emit(se.ToldPrivately(investigator, hidden(text)))
        return gained

    patch.setattr(possessions, "gain", gain)


@leak(SPELLS, "Follower", "LateJoiner", "Exporter")
def the_next_copy_shapes_a_question(patch: pytest.MonkeyPatch) -> None:
    """Whether a trade is offered depends on the copy on top of a deck."""
    honest = trade.menu

    def menu(play: Play, investigator: str) -> Offers:
        top = play.table.piles[copies_deck("spell/ward")][:1]
        is_quiet = any(play.table.card_of(handle) == "back/ward-quiet" for handle in top)
        return Offers() if is_quiet else honest(play, investigator)

    patch.setattr(trade, "menu", menu)


@leak(CONDITIONED, "Follower", "LateJoiner", "Exporter")
def a_conditions_back_is_named(patch: pytest.MonkeyPatch) -> None:
    """A public record names the back of a two-sided Condition that is gained."""
    honest = conditions.become

    def become(play: Play, investigator: str, card: str) -> None:
        before = conditions.held(play, investigator, card)
        honest(play, investigator, card)
        has = conditions.held(play, investigator, card)
        if has is not None and before is None and has.handle and has.back is None:
            back = play.table.card_of(has.handle)
            play.emit(se.Told(Text("story/leak", (back,))))

    patch.setattr(conditions, "become", become)


@leak(CONDITIONED, "Follower", "LateJoiner", "Exporter")
def a_conditions_owner_is_told_its_back(patch: pytest.MonkeyPatch) -> None:
    """The owner is told the back when it is gained, like that of an Insane card. SECRET-5."""
    honest = conditions.become

    def become(play: Play, investigator: str, card: str) -> None:
        before = conditions.held(play, investigator, card)
        honest(play, investigator, card)
        has = conditions.held(play, investigator, card)
        if has is not None and before is None and has.handle and has.back is None:
            text = Text("story/leak", (play.table.card_of(has.handle),))
            play.emit(se.ToldPrivately(investigator, hidden(text)))

    patch.setattr(conditions, "become", become)


# After the game --------------------------------------------------------------------------------


@leak(CAMPAIGN, "Follower", "NextPart", steps=240)
def a_campaign_keeps_more_than_it_says(patch: pytest.MonkeyPatch) -> None:
    """The legacy of a campaign has numbers dealt to counters of the scenario alone."""
    honest = counters.left_over

    def left_over(play: Play) -> Legacy | None:
        legacy = honest(play)
        if legacy is None:
            return None
        names = play.content.scenario.counters
        total = sum(counters.value(play, name) for name in names)
        numbers = numbers_in(legacy.shared)
        return attrs.evolve(legacy, shared=packed(tuple(total for _ in numbers)))

    patch.setattr(counters, "left_over", left_over)

"""Planted leaks in messages and questions, by monkeypatching our code.

`tests.games.second_edition.twins.faults_of_chance` has those in chance and after the game.
"""

from typing import Any

import attrs
import pytest
from twisted.logger import Logger

from content.games.second_edition.schema.effects import Number
from protocol.common.text import Text
from protocol.event import Audiences, Event
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Harm, facedown_pile
from server.admin import view
from server.admin.vocabulary import TableLine
from server.games.second_edition.rules import (
    counters,
    harm_cards,
    monsters,
    mythos,
    requirements,
    trade,
    wounds,
)
from server.games.second_edition.rules.play import Play
from server.kernel.batch_writer import Batch
from server.kernel.errors import Refused
from server.kernel.room import Room
from server.kernel.steps import Steps
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.summary import Summary
from server.rulekit.offers import Offers, refusal
from tests.games.second_edition.twins.leaks import (
    ALL_MAD,
    COMPANY,
    DELAYED,
    HANDED_OVER,
    HEALTH,
    MAD,
    MAD_AND_HANDED_OVER,
    RANDOM,
    TRAITS,
    WAYS,
    WITH_BOT,
    leak,
)
from tests.games.twins import planting

# In what a viewer is sent --------------------------------------------------------------------


@leak(ALL_MAD, "Follower", "LateJoiner", "Reconnecter")
def cut_too_wide(patch: pytest.MonkeyPatch) -> None:
    """Each seat is also sent the openings of the next seat."""
    honest = Audiences.slots_for

    def slots_for(self: Audiences, seat: int | None, *, since: int) -> tuple[int, ...]:
        mine = honest(self, seat, since=since)
        if seat is None:
            return mine
        return tuple(sorted({*mine, *honest(self, seat + 1, since=since)}))

    patch.setattr(Audiences, "slots_for", slots_for)


@leak(HANDED_OVER + MAD_AND_HANDED_OVER, "Heir", steps=200)
def since_is_ignored(patch: pytest.MonkeyPatch) -> None:
    """A seat's new player is sent its earlier secrets, whatever the settings say."""
    honest = Audiences.slots_for
    patch.setattr(
        Audiences, "slots_for", lambda self, seat, *, since: honest(self, seat, since=0)
    )  # drops `since`


leak(WITH_BOT, "Bot")(planting.bots_are_sent_everything)


leak(RANDOM, "Exporter")(planting.an_export_has_anothers_openings)


leak(COMPANY, "Follower", "LateJoiner")(planting.words_come_ahead)


leak(COMPANY, "Follower", "LateJoiner")(planting.time_tells)


leak(COMPANY, "Follower", "LateJoiner", "Reconnecter")(planting.where_a_message_ends_tells)


# In what is logged ---------------------------------------------------------------------------


@leak(COMPANY, "Follower", "LateJoiner", "Exporter")
def a_facedown_card_is_named(patch: pytest.MonkeyPatch) -> None:
    """A public record names a facedown card."""
    honest = harm_cards.take_facedown

    def take_facedown(play: Play, investigator: str, harm: Harm) -> None:
        for handle in play.table.piles[f"deck/{harm.value}"][:1]:
            play.emit(se.Told(Text("story/leak", (play.table.card_of(handle),))))
        honest(play, investigator, harm)

    patch.setattr(harm_cards, "take_facedown", take_facedown)


@leak(MAD, "Follower", "LateJoiner", "Exporter")
def an_insane_back_is_told(patch: pytest.MonkeyPatch) -> None:
    """A public record names an Insane back when it is gained."""
    honest = wounds.become_insane

    def become_insane(play: Play, investigator: str) -> None:
        honest(play, investigator)
        back = play.table.investigators[investigator].conditions[-1].back
        assert back is not None
        play.emit(se.Told(Text("story/leak", (back.value,))))

    patch.setattr(wounds, "become_insane", become_insane)


@leak(COMPANY, "Follower", "LateJoiner", "Exporter")
def the_order_of_a_deck_shapes_the_log(patch: pytest.MonkeyPatch) -> None:
    """A record is added if the name of the next card ends in an odd byte."""
    honest = harm_cards.take_faceup

    def take_faceup(play: Play, investigator: str, harm: Harm) -> str | None:
        handle = honest(play, investigator, harm)
        below = play.table.piles[f"deck/{harm.value}"][:1]
        if below and play.table.card_of(below[0]).encode()[-1] % 2:
            play.emit(se.Told(Text("story/leak")))
        return handle

    patch.setattr(harm_cards, "take_faceup", take_faceup)


@leak(RANDOM, "Follower", "LateJoiner", "Exporter")
def a_dealt_number_is_told(patch: pytest.MonkeyPatch) -> None:
    """A public record says what a counter of the scenario was dealt."""
    honest = counters.deal

    def deal(play: Play, counter: str, numbers: Any, whose: Any, *, is_fresh: bool) -> None:
        honest(play, counter, numbers, whose, is_fresh=is_fresh)
        number = counters.value(play, counter, whose)
        play.emit(se.Told(Text("story/leak", (str(number),))))

    patch.setattr(counters, "deal", deal)


@leak(RANDOM, "Follower", "LateJoiner", "Exporter")
def a_list_that_secrets_filter_is_picked_from_openly(patch: pytest.MonkeyPatch) -> None:
    """A public draw is made from the possible Mythos events, which hidden counters decide."""
    honest = mythos._fitting

    def _fitting(play: Play, actor: str) -> list[int]:
        fitting = honest(play, actor)
        if fitting:
            play.pick("leak", [None] * len(fitting))
        return fitting

    patch.setattr(mythos, "_fitting", _fitting)


@leak(RANDOM, "Follower", "LateJoiner", "Exporter")
def a_counter_is_named(patch: pytest.MonkeyPatch) -> None:
    """A public record names the counter that changes, even after a secret choice."""
    honest = counters.put

    def put(play: Play, counter: str, to: int, investigator: str | None = None) -> None:
        play.emit(se.Told(Text("story/leak", (counter,))))
        honest(play, counter, to, investigator)

    patch.setattr(counters, "put", put)


@leak(RANDOM, "Follower", "LateJoiner", "Exporter")
def a_public_list_is_as_long_as_a_secret(patch: pytest.MonkeyPatch) -> None:
    """A public list grows with the counters of the scenario."""
    honest = mythos.begin

    async def begin(play: Play) -> None:
        total = sum(counters.value(play, name) for name in play.content.scenario.counters)
        play.emit(se.Told(Text("story/leak", ("x",) * max(0, min(total, 40)))))
        await honest(play)

    patch.setattr(mythos, "begin", begin)


# In what others are asked and refused ---------------------------------------------------------


@leak(WAYS, "Follower", "LateJoiner", "Reconnecter")
def a_reason_tells_anothers_back(patch: pytest.MonkeyPatch) -> None:
    """A refusal in one seat's question tells what is on the Insane back of another."""
    honest = trade.menu

    def menu(play: Play, investigator: str) -> Offers:
        backs = [
            condition.back.value
            for who in play.table.investigators.values()
            if who.seat != play.table.investigators[investigator].seat
            for condition in who.conditions
            if condition.back is not None
        ]
        if not backs:
            return honest(play, investigator)
        reason = Text("refusal/leak", (*backs,))
        return honest(play, investigator) + refusal(Text("choice/trade"), reason, "TRADE-1")

    patch.setattr(trade, "menu", menu)


@leak(TRAITS, "Follower", "LateJoiner", "Exporter")
def a_facedown_card_has_its_traits(patch: pytest.MonkeyPatch) -> None:
    """A requirement of a trait also finds it on facedown cards."""
    honest = requirements.has_trait

    def has_trait(play: Play, investigator: str, trait: str) -> bool:
        piles = [play.table.piles.get(facedown_pile(investigator, harm), ()) for harm in Harm]
        cards = [play.table.card_of(handle) for pile in piles for handle in pile]
        known = play.content.pack.harms
        return honest(play, investigator, trait) or any(trait in known[c].traits for c in cards)

    patch.setattr(requirements, "has_trait", has_trait)


@leak(COMPANY, "Asker")
def a_refusal_has_another_code(patch: pytest.MonkeyPatch) -> None:
    """A refusal has a different code if the top card of a deck is of one kind."""
    honest = Room.receiving

    def receiving(self: Room, happened: Event, *, time: int, origin: int) -> Steps[Batch]:
        try:
            return (yield from honest(self, happened, time=time, origin=origin))
        except Refused as refused:
            game = self.table.game
            tops = (
                []
                if game is None
                else [game.piles.get(f"deck/{harm.value}", ())[:1] for harm in Harm]
            )
            cards = [game.card_of(handle) for top in tops for handle in top] if game else []
            if sum(map(len, cards)) % 2:
                raise Refused("table/another") from refused
            raise

    patch.setattr(Room, "receiving", receiving)


@leak(COMPANY, "LogReader")
def a_line_of_the_log_names_a_card(patch: pytest.MonkeyPatch) -> None:
    """The server's log names the card that is taken facedown."""
    honest = harm_cards.take_facedown

    def take_facedown(play: Play, investigator: str, harm: Harm) -> None:
        for handle in play.table.piles[f"deck/{harm.value}"][:1]:
            Logger().info("{card} is taken", card=play.table.card_of(handle))
        honest(play, investigator, harm)

    patch.setattr(harm_cards, "take_facedown", take_facedown)


@leak(COMPANY, "Operator")
def an_operator_sees_a_card(patch: pytest.MonkeyPatch) -> None:
    """The operator's line of a table names the top card of a deck."""
    honest = view.table_line

    def table_line(summary: Summary, host: RoomHost | None) -> TableLine:
        game = None if host is None else host.room.table.game
        top = () if game is None else game.piles.get(f"deck/{Harm.DAMAGE.value}", ())[:1]
        cards = tuple(game.card_of(handle) for handle in top if game is not None)
        return attrs.evolve(honest(summary, host), names=cards)

    patch.setattr(view, "table_line", table_line)


leak(DELAYED, "Follower", "LateJoiner")(planting.a_delay_is_off)


leak(DELAYED, "Exporter")(planting.an_export_goes_ahead_of_the_delay)


@leak(HEALTH, "Follower", "LateJoiner", "Exporter")
def a_monsters_health_follows_what_was_dealt(patch: pytest.MonkeyPatch) -> None:
    """A monster whose health differs by game has one more if the hidden numbers add up to odd."""
    honest = getattr(monsters, "scaled")  # noqa: B009  # not exported

    def scaled(play: Play, number: Number, *rest: Any) -> int:
        total = sum(counters.value(play, name) for name in play.content.scenario.counters)
        more = 0 if isinstance(number, int) else total % 2
        return int(honest(play, number, *rest)) + more

    patch.setattr(monsters, "scaled", scaled)

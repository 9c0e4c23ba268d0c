"""
Planted leaks: each shows a secret as a mistake in our code could, by monkeypatching that code.

A leak that twins do not find is a hole in the twins. How often each is found is measured by
`tests.games.second_edition.twins.test_faults`.
"""

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

import attrs
import pytest
from twisted.logger import Logger

from protocol import messages as say
from protocol.common.events import Shuffled
from protocol.common.table import Legacy
from protocol.common.text import Text
from protocol.event import Cut, Event, Record, Stored, everything, hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.carried import numbers_in, packed
from protocol.games.second_edition.table import Harm, Possession, spell_deck
from protocol.messages import ServerMessage
from server.bot_session import BotSession
from server.games.second_edition.rules import (
    counters,
    harm_cards,
    mythos,
    possessions,
    trade,
    wounds,
)
from server.games.second_edition.rules.menu import Menu, refusal
from server.games.second_edition.rules.play import Play
from server.kernel.batch_writer import Batch, BatchWriter
from server.kernel.errors import Refused
from server.kernel.room import Room
from server.lobby import desk, export, host
from server.lobby.spectator_delay import SpectatorDelay

Plant = Callable[[pytest.MonkeyPatch], None]


@attrs.frozen
class Leak:
    """A leak that can be planted, and where it can show."""

    name: str
    plant: Plant
    games: tuple[tuple[str, str, int], ...]
    """Games in which the secret comes up: pack, scenario and seed."""
    kinds: tuple[str, ...]
    """Kinds of viewers to whom it can show; all of them if empty."""
    steps: int
    """How many answers are given in these games."""


LEAKS: dict[str, Leak] = {}
COMPANY = tuple(("house", "house/company", seed) for seed in (0, 3, 6, 9))
WITH_BOT = tuple(("house", "house/company", seed) for seed in (1, 4, 7))
DELAYED = tuple(("house", "house/company", seed) for seed in (2, 5, 8, 11, 14))
HANDED_OVER = tuple((f"random {seed}", "", seed) for seed in (27, 60, 81))
MAD_AND_HANDED_OVER = tuple(("house", "house/company", seed) for seed in (17, 35, 113))
"""Whoever takes a seat over learns of its Insane back only later."""
SPELLS = tuple(("spells", "core/sluice-house", seed) for seed in (0, 3))
RANDOM = tuple((f"random {seed}", "", seed) for seed in (0, 3, 6, 9))
CAMPAIGN = tuple((f"random {seed}", "house/embers", seed) for seed in (9, 12, 15))


def leak(
    games: tuple[tuple[str, str, int], ...], *kinds: str, steps: int = 140
) -> Callable[[Plant], Plant]:
    """Declare a leak by what plants it, and where it can show."""

    def declare(plant: Plant) -> Plant:
        LEAKS[plant.__name__] = Leak(plant.__name__, plant, games, kinds, steps)
        return plant

    return declare


# In what a viewer is sent --------------------------------------------------------------------


@leak(RANDOM, "Follower", "LateJoiner", "Reconnecter")
def cut_too_wide(patch: pytest.MonkeyPatch) -> None:
    """Each seat is sent the openings of the next seat, too."""
    honest = getattr(host, "cut")  # noqa: B009  # not exported

    def cut(stored: Stored, seat: int | None, *, since: int = 0) -> Cut:
        mine: Cut = honest(stored, seat, since=since)
        if seat is None:
            return mine
        theirs = honest(stored, seat + 1, since=since)
        return Cut(mine.public, tuple(sorted({*mine.openings, *theirs.openings}, key=_slot)))

    patch.setattr(host, "cut", cut)


def _slot(opening: tuple[int, object]) -> int:
    return opening[0]


@leak(HANDED_OVER + MAD_AND_HANDED_OVER, "Heir", steps=200)
def since_is_ignored(patch: pytest.MonkeyPatch) -> None:
    """Whoever is given a seat is sent what it was told before, whatever the settings say."""
    honest = getattr(host, "cut")  # noqa: B009  # not exported
    patch.setattr(host, "cut", lambda stored, seat, *, since=0: honest(stored, seat))  # noqa: PLW0108  # drops `since`


@leak(WITH_BOT, "Bot")
def bots_are_sent_everything(patch: pytest.MonkeyPatch) -> None:
    """A bot of the server is sent every opening."""
    shown = host.RoomHost._shown

    def _shown(self: Any, follower: Any, sequences: Iterable[int]) -> Iterator[ServerMessage]:
        for message in shown(self, follower, sequences):
            if isinstance(message, say.Records) and isinstance(follower.session, BotSession):
                yield say.Records(message.room_id, _opened(self.room, message.cuts))
            else:
                yield message

    patch.setattr(host.RoomHost, "_shown", _shown)


def _opened(room: Room, cuts: tuple[Cut, ...]) -> tuple[Cut, ...]:
    by_public = {stored.public: stored for stored in room.log}
    return tuple(everything(by_public[shown.public]) for shown in cuts)


@leak(RANDOM, "Exporter")
def an_export_has_anothers_openings(patch: pytest.MonkeyPatch) -> None:
    """A file that somebody is given while the game goes on holds what seat 0 may know."""
    honest = getattr(export, "cut")  # noqa: B009  # not exported
    patch.setattr(export, "cut", lambda stored, seat, *, since=0: honest(stored, 0))


@leak(COMPANY, "Follower", "LateJoiner")
def words_come_ahead(patch: pytest.MonkeyPatch) -> None:
    """The words of a sealed card are sent with the record in which it lies."""
    honest = host.RoomHost._shown

    def _shown(self: Any, follower: Any, sequences: Iterable[int]) -> Iterator[ServerMessage]:
        for message in honest(self, follower, sequences):
            if isinstance(message, say.Records):
                catalogs = host.catalogs_of(self.around.shelf, self.room)
                opened = _opened(self.room, message.cuts)
                yield from follower.words.for_cuts(catalogs, opened)
            yield message

    patch.setattr(host.RoomHost, "_shown", _shown)


@leak(COMPANY, "Follower", "LateJoiner")
def time_tells(patch: pytest.MonkeyPatch) -> None:
    """What is shown comes later, the longer the values are that are sealed: by a second at most."""
    honest = host.RoomHost._show_one

    def _show_one(self: Any, follower: Any) -> None:
        weight = sum(len(stored.openings) for stored in self.room.log)
        self.around.clock.callLater((weight % 4) / 4, lambda: honest(self, follower))

    patch.setattr(host.RoomHost, "_show_one", _show_one)


@leak(COMPANY, "Follower", "LateJoiner", "Reconnecter")
def where_a_message_ends_tells(patch: pytest.MonkeyPatch) -> None:
    """A message ends the earlier, the longer the values are that are sealed in it."""
    honest = host.RoomHost._shown

    def _shown(self: Any, follower: Any, sequences: Iterable[int]) -> Iterator[ServerMessage]:
        room = self.room
        for message in honest(self, follower, sequences):
            cuts = message.cuts if isinstance(message, say.Records) else ()
            sealed = {stored.public: len(stored.openings) for stored in room.log}
            end = sum(sealed[shown.public] for shown in cuts) % max(len(cuts), 1)
            if not end:
                yield message
                continue
            yield say.Records(room.room_id, cuts[:end])
            yield say.Records(room.room_id, cuts[end:])

    patch.setattr(host.RoomHost, "_shown", _shown)


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


@leak(COMPANY, "Follower", "LateJoiner", "Exporter")
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
    """No value is shown, but there is a record more if the next card is early in the alphabet."""
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
    """A public draw is made of the Mythos events that can come, which hidden counters decide."""
    honest = mythos._fitting

    def _fitting(play: Play, actor: str) -> list[int]:
        fitting = honest(play, actor)
        if fitting:
            play.pick("leak", [None] * len(fitting))
        return fitting

    patch.setattr(mythos, "_fitting", _fitting)


@leak(RANDOM, "Follower", "LateJoiner", "Exporter")
def a_counter_is_named(patch: pytest.MonkeyPatch) -> None:
    """A public record names the counter that is changed, also behind a choice made in secret."""
    honest = counters.put

    def put(play: Play, counter: str, to: int, investigator: str | None = None) -> None:
        play.emit(se.Told(Text("story/leak", (counter,))))
        honest(play, counter, to, investigator)

    patch.setattr(counters, "put", put)


@leak(RANDOM, "Follower", "LateJoiner", "Exporter")
def a_public_list_is_as_long_as_a_secret(patch: pytest.MonkeyPatch) -> None:
    """A public list grows with what the counters of the scenario stand at."""
    honest = mythos.begin

    async def begin(play: Play) -> None:
        total = sum(counters.value(play, name) for name in play.content.scenario.counters)
        play.emit(se.Told(Text("story/leak", ("x",) * max(0, min(total, 40)))))
        await honest(play)

    patch.setattr(mythos, "begin", begin)


# In what others are asked and refused ---------------------------------------------------------


@leak(COMPANY, "Follower", "LateJoiner", "Reconnecter")
def a_reason_tells_anothers_back(patch: pytest.MonkeyPatch) -> None:
    """A refusal in one seat's question tells what is on the Insane back of another."""
    honest = trade.menu

    def menu(play: Play, investigator: str) -> Menu:
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


@leak(COMPANY, "Asker")
def a_refusal_has_another_code(patch: pytest.MonkeyPatch) -> None:
    """What is refused is refused with another code if the top card of a deck is of one kind."""
    honest = Room.receive

    def receive(self: Room, happened: Event, *, time: int, origin: int) -> Batch:
        try:
            return honest(self, happened, time=time, origin=origin)
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

    patch.setattr(Room, "receive", receive)


@leak(COMPANY, "LogReader")
def a_line_of_the_log_names_a_card(patch: pytest.MonkeyPatch) -> None:
    """The server's log has a line with the card that is taken facedown."""
    honest = harm_cards.take_facedown

    def take_facedown(play: Play, investigator: str, harm: Harm) -> None:
        for handle in play.table.piles[f"deck/{harm.value}"][:1]:
            Logger().info("{card} is taken", card=play.table.card_of(handle))
        honest(play, investigator, harm)

    patch.setattr(harm_cards, "take_facedown", take_facedown)


@leak(DELAYED, "Follower", "LateJoiner")
def a_delay_is_off(patch: pytest.MonkeyPatch) -> None:
    """Those who look on later see everything at once."""
    patch.setattr(SpectatorDelay, "end", lambda _self, room, _seat: len(room.log))


@leak(DELAYED, "Exporter")
def an_export_goes_ahead_of_the_delay(patch: pytest.MonkeyPatch) -> None:
    """A file for those who look on later holds the whole log."""
    honest = getattr(desk, "export_parts")  # noqa: B009  # not exported

    def export_parts(room: Room, *rest: Any, end: int, **named: Any) -> Any:
        del end
        return honest(room, *rest, end=len(room.log), **named)

    patch.setattr(desk, "export_parts", export_parts)


# In chance and commitments --------------------------------------------------------------------


@leak(COMPANY, "Follower", "LateJoiner", "Reconnecter")
def salts_follow_from_room_and_sequence(patch: pytest.MonkeyPatch) -> None:
    """Whoever knows the room can compute each salt, and so try all values of a commitment."""

    def _salts(self: BatchWriter) -> Iterator[bytes]:
        for slot in itertools.count():
            place = f"{self.state.room_id}/{self.next_sequence}/{slot}"
            yield hashlib.sha256(place.encode()).digest()

    patch.setattr(BatchWriter, "_salts", _salts)


@leak(COMPANY, "Follower", "LateJoiner", "Exporter")
def handles_are_in_the_order_of_cards(patch: pytest.MonkeyPatch) -> None:
    """The handles of a pile are as its cards are in the alphabet."""

    def ordered(handles: tuple[str, ...], order: tuple[str, ...], _: object) -> tuple[str, ...]:
        places = sorted(range(len(order)), key=lambda place: order[place])
        by_place = dict(zip(places, sorted(handles), strict=True))
        return tuple(by_place[place] for place in range(len(order)))

    _with_handles(patch, ordered)


@leak(COMPANY, "Follower", "LateJoiner", "Exporter")
def handles_are_used_again(patch: pytest.MonkeyPatch) -> None:
    """A card that was in a pile keeps its handle when the pile is mixed."""

    def kept(
        handles: tuple[str, ...], order: tuple[str, ...], before: Mapping[str, str]
    ) -> tuple[str, ...]:
        old: dict[str, list[str]] = {}
        for handle, card in before.items():
            old.setdefault(card, []).append(handle)
        return tuple(
            old[card].pop() if old.get(card) else handle
            for handle, card in zip(handles, order, strict=True)
        )

    _with_handles(patch, kept)


def _with_handles(patch: pytest.MonkeyPatch, change: Callable[..., tuple[str, ...]]) -> None:
    """Let every pile that is mixed have other handles than it should."""
    honest = BatchWriter.write

    def write(self: BatchWriter, happened: Event, **named: Any) -> Record:
        if isinstance(happened, Shuffled) and self._recorded is None:
            game = self.game_table
            before = {h: game.card_of(h) for h in game.piles.get(happened.pile, ())}
            handles = change(happened.handles, happened.order.value, before)
            happened = attrs.evolve(cast("Any", happened), handles=handles)
        return honest(self, happened, **named)

    patch.setattr(BatchWriter, "write", write)


# On the backs of Spells ------------------------------------------------------------------------


def _back_of(play: Play, possession: Possession) -> str:
    """Look where nobody may."""
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
    """The owner of a Spell is told its back when it is gained, as that of an Insane card is."""
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
    """Nothing is named, but whether a trade is offered depends on the copy on top of a deck."""
    honest = trade.menu

    def menu(play: Play, investigator: str) -> Menu:
        top = play.table.piles[spell_deck("spell/ward")][:1]
        is_quiet = any(play.table.card_of(handle) == "back/ward-quiet" for handle in top)
        return Menu() if is_quiet else honest(play, investigator)

    patch.setattr(trade, "menu", menu)


# After the game --------------------------------------------------------------------------------


@leak(CAMPAIGN, "Follower", "NextPart", steps=240)
def a_campaign_keeps_more_than_it_says(patch: pytest.MonkeyPatch) -> None:
    """What is carried over holds what was dealt to counters of the scenario alone."""
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

"""
Planted leaks: those of the second edition's twins, in what this game has in their place.

An investigator's seat has no secrets and there is no campaign, so two have none: what a seat's new
player is sent of the time before, and what goes along to the next part. That salts are
random is tested by the twins of the second edition, whose games have other entropy.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import attrs
import pytest
from twisted.logger import Logger

from protocol import messages
from protocol.common.events import Shuffled
from protocol.common.text import Text
from protocol.event import Audiences, Cut, Event, Record, everything
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import MYTHOS_DECK, MYTHOS_HAND
from protocol.messages import ServerMessage
from server.admin import view
from server.admin.vocabulary import TableLine
from server.games.first_edition.rules import (
    decks,
    monsters,
    mythos,
    newcomers,
    rounds,
    setup,
    turn,
)
from server.games.first_edition.rules.play import Play
from server.kernel.batch_writer import Batch, BatchWriter
from server.kernel.errors import Refused
from server.kernel.room import Room
from server.kernel.steps import Steps
from server.lobby.finished import export, exporting
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.summary import Summary
from server.lobby.views.followers import Followers, catalogs_of
from server.lobby.views.spectator_delay import SpectatorDelay
from server.lobby.views.viewer import Viewer
from server.process.bot_session import BotSession
from server.rulekit.offers import Offers, refusal
from tests.games.first_edition.twins.pairs import (
    BACKS,
    BOT,
    CLUES,
    DELAYED,
    DRAWN,
    FACE_DOWN,
    HANDS,
    OBJECTIVES,
    SPELLS,
    TRAUMAS,
    Pair,
)
from tests.games.twins.leaks import Leaks
from tests.kit.words_sent import words_for

LEAKS: Leaks[Pair] = Leaks()
leak = LEAKS.leak
"""Declares a leak: the pairs in which it shows, and the viewers who notice."""
TABLE = ("ann", "ben", "wat", "zoe", "ann again")


def tell(play: Play, *words: str) -> None:
    """Tell everybody some words."""
    play.emit(fe.Told(Text("story/leak", words)))


# In what a viewer is sent --------------------------------------------------------------------


@leak((OBJECTIVES,), "ann", "ann again")
def cut_too_wide(patch: pytest.MonkeyPatch) -> None:
    """Each seat is also sent the openings of the seat before."""
    honest = Audiences.slots_for

    def slots_for(self: Audiences, seat: int | None, *, since: int) -> tuple[int, ...]:
        mine = honest(self, seat, since=since)
        return mine if not seat else tuple(sorted({*mine, *honest(self, seat - 1, since=since)}))

    patch.setattr(Audiences, "slots_for", slots_for)


@leak((BOT,), "bot")
def bots_are_sent_everything(patch: pytest.MonkeyPatch) -> None:
    """A bot of the server is sent every opening."""
    honest = Followers._shown

    def _shown(self: Any, follower: Any, sequences: range, log: Any) -> Iterator[ServerMessage]:
        for message in honest(self, follower, sequences, log):
            if isinstance(message, messages.Records) and isinstance(follower.session, BotSession):
                yield messages.Records(message.room_id, _opened(log, sequences, message.cuts))
            else:
                yield message

    patch.setattr(Followers, "_shown", _shown)


def _opened(log: Any, sequences: range, cuts: tuple[Cut, ...]) -> tuple[Cut, ...]:
    by_public = {log[at].public: log[at] for at in sequences}
    return tuple(everything(by_public[shown.public]) for shown in cuts)


@leak((CLUES,), "ben", "wat")
def an_export_has_the_keepers_openings(patch: pytest.MonkeyPatch) -> None:
    """An archive exported during the game has the openings of the keeper's seat."""
    honest = getattr(export, "cut")  # noqa: B009  # not exported
    patch.setattr(export, "cut", lambda stored, seat, *, since=0: honest(stored, 0))


@leak((HANDS,), *TABLE)
def words_come_ahead(patch: pytest.MonkeyPatch) -> None:
    """The words of a sealed card are sent along with its record."""
    honest = Followers._shown

    def _shown(self: Any, follower: Any, sequences: range, log: Any) -> Iterator[ServerMessage]:
        for message in honest(self, follower, sequences, log):
            if isinstance(message, messages.Records):
                catalogs = catalogs_of(self._services.shelf, self._room())
                yield from words_for(
                    follower.words, catalogs, _opened(log, sequences, message.cuts)
                )
            yield message

    patch.setattr(Followers, "_shown", _shown)


@leak((HANDS,), "ann", "ben", "wat")
def time_tells(patch: pytest.MonkeyPatch) -> None:
    """Showing takes longer for longer sealed values, by a second at most."""
    honest = Followers._show_one

    def _show_one(self: Any, follower: Any) -> None:
        log = self._services.store._logs[self._room().room_id]
        weight = sum(len(stored.openings) for stored in log)
        self._services.clock.callLater((weight % 4) / 4, lambda: honest(self, follower))

    patch.setattr(Followers, "_show_one", _show_one)


@leak((HANDS,), *TABLE)
def where_a_message_ends_tells(patch: pytest.MonkeyPatch) -> None:
    """A message ends earlier if its sealed values are longer."""
    honest = Followers._shown

    def _shown(self: Any, follower: Any, sequences: range, log: Any) -> Iterator[ServerMessage]:
        for message in honest(self, follower, sequences, log):
            cuts = message.cuts if isinstance(message, messages.Records) else ()
            sealed = {log[at].public: len(log[at].openings) for at in sequences}
            end = sum(sealed[shown.public] for shown in cuts) % max(len(cuts), 1)
            if not end:
                yield message
                continue
            yield messages.Records(self._room().room_id, cuts[:end])
            yield messages.Records(self._room().room_id, cuts[end:])

    patch.setattr(Followers, "_shown", _shown)


@leak((DELAYED,), "wat", "zoe")
def a_delay_is_off(patch: pytest.MonkeyPatch) -> None:
    """Delayed spectators see everything at once."""
    patch.setattr(SpectatorDelay, "end", lambda _self, room, _seat: len(room.log))


@leak((DELAYED,), "wat")
def an_export_goes_ahead_of_the_delay(patch: pytest.MonkeyPatch) -> None:
    """An archive for delayed spectators has the whole log."""
    patch.setattr(
        exporting, "end_of_export", lambda host, _viewer: host.followers.end_for(Viewer(0))
    )


# In what is logged ---------------------------------------------------------------------------


@leak((OBJECTIVES,), *TABLE)
def the_objective_is_told(patch: pytest.MonkeyPatch) -> None:
    """A public record names the objective once all answers are given."""
    honest = setup.place_hidden_cards

    def place_hidden_cards(play: Play) -> None:
        honest(play)
        assert play.table.objective is not None
        tell(play, play.table.objective.value)

    patch.setattr(setup, "place_hidden_cards", place_hidden_cards)


@leak((CLUES,), *TABLE)
def no_card_is_laid_for_nothing(patch: pytest.MonkeyPatch) -> None:
    """The last clue is laid in another room."""

    def laid(role: str, room: str, card: Any) -> fe.CardLaid:
        return fe.CardLaid(
            role, "room/front-hall" if card.value == "clue/last-words" else room, card
        )

    patch.setattr(setup, "CardLaid", laid)


@leak((FACE_DOWN,), "ben", "wat", "zoe")
def a_face_down_card_is_named(patch: pytest.MonkeyPatch) -> None:
    """A public record names the mythos card that is laid face down."""
    honest = mythos.play_card

    async def play_card(play: Play, who: str, handle: str) -> None:
        tell(play, play.table.card_of(handle))
        await honest(play, who, handle)

    patch.setattr(mythos, "play_card", play_card)


@leak((BACKS,), *TABLE)
def a_monsters_back_is_told(patch: pytest.MonkeyPatch) -> None:
    """A public record names the back of a monster that comes."""
    honest = monsters.put

    def put(play: Play, kind: str, space: str) -> None:
        honest(play, kind, space)
        tell(play, [*play.table.monsters.values()][-1].back.value.back)

    patch.setattr(monsters, "put", put)


@leak((BACKS,), *TABLE)
def a_monsters_awareness_follows_its_health(patch: pytest.MonkeyPatch) -> None:
    """A number on a monster's front is one more if the health on its back is odd."""

    def placed(*fields: Any) -> Any:
        made = fe.MonsterPlaced(*fields)
        assert made.back is not None
        return attrs.evolve(
            cast("Any", made), awareness=made.awareness + made.back.value.health % 2
        )

    patch.setattr(monsters, "MonsterPlaced", placed)


@leak((TRAUMAS,), *TABLE)
def a_drawn_card_shapes_the_log(patch: pytest.MonkeyPatch) -> None:
    """A record is added if the name of the trauma card that is drawn has an odd length."""
    honest = decks.draw_trauma

    def draw_trauma(play: Play) -> None:
        top = decks.top(play, "deck/trauma")
        if top is not None and len(play.table.card_of(top)) % 2:
            tell(play)
        honest(play)

    patch.setattr(decks, "draw_trauma", draw_trauma)


@leak((HANDS,), *TABLE)
def a_public_draw_is_among_playable_cards(patch: pytest.MonkeyPatch) -> None:
    """A public draw is made from the cards of the hand that can be played."""
    honest = turn.begin

    def begin(play: Play, who: str) -> None:
        honest(play, who)
        play.pick("leak", [None] * (1 + len(mythos.options(play, who)[0])))

    patch.setattr(turn, "begin", begin)


@leak((CLUES,), *TABLE)
def a_public_list_is_as_long_as_a_secret(patch: pytest.MonkeyPatch) -> None:
    """A public list grows with the name of the first card in each room."""
    honest = rounds.begin_keeper_turn

    async def begin_keeper_turn(play: Play) -> None:
        piles = [pile for _, pile in sorted(play.table.laid.items()) if pile]
        total = sum(at * len(pile[0].card.value) for at, pile in enumerate(piles))
        tell(play, *("x",) * (total % 40))
        await honest(play)

    patch.setattr(rounds, "begin_keeper_turn", begin_keeper_turn)


@leak((SPELLS,), *TABLE)
def a_spells_back_is_told(patch: pytest.MonkeyPatch) -> None:
    """A public record names the back of a spell that is gained."""
    honest = newcomers.gain_spell

    def gain_spell(play: Play, who: str, spell: str) -> None:
        honest(play, who, spell)
        tell(play, play.table.card_of(play.table.investigators[who].spells[-1].handle))

    patch.setattr(newcomers, "gain_spell", gain_spell)


# In what others are asked and refused ---------------------------------------------------------


@leak((HANDS,), "ann", "ben", "wat", "zoe")
def asked_only_if_possible(patch: pytest.MonkeyPatch) -> None:
    """The keeper is asked beside a step only if a card can be played."""
    honest = mythos.is_moment

    def is_moment(play: Play) -> bool:
        who = play.table.active
        return honest(play) and who is not None and bool(mythos.options(play, who)[0])

    patch.setattr(mythos, "is_moment", is_moment)


@leak((CLUES,), "ann", "ben")
def a_refusal_tells_a_hidden_card(patch: pytest.MonkeyPatch) -> None:
    """A refusal in an investigator's question tells which card lies on top in a room."""
    honest = turn.offers

    def offers(play: Play, who: str) -> Offers:
        tops = [pile[0].card.value for pile in play.table.laid.values() if pile]
        return honest(play, who) + refusal(
            Text("choice/leak"), Text("refusal/leak", (*tops,)), "K-GOAL-1"
        )

    patch.setattr(turn, "offers", offers)


@leak((OBJECTIVES,), "ann", "ben")
def a_choice_knows_the_objective(patch: pytest.MonkeyPatch) -> None:
    """What an investigator can do depends on the objective."""
    honest = turn.end_offers

    def end_offers(play: Play, who: str) -> Offers:
        goal = play.table.objective
        assert goal is not None
        offers = honest(play, who)
        if goal.value.endswith("quit"):
            return offers
        return offers + refusal(Text("choice/leak"), Text("refusal/leak"), "K-GOAL-1")

    patch.setattr(turn, "end_offers", end_offers)


@leak((HANDS,), "ben")
def a_refusal_has_another_code(patch: pytest.MonkeyPatch) -> None:
    """A refusal has a different code for another card in the keeper's hand."""
    honest = Room.receiving

    def receiving(self: Room, happened: Event, *, time: int, origin: int) -> Steps[Batch]:
        try:
            return (yield from honest(self, happened, time=time, origin=origin))
        except Refused as refused:
            game = self.table.game
            hand = () if game is None else game.piles.get(MYTHOS_HAND, ())
            if game is not None and sum(len(game.card_of(handle)) for handle in hand) % 2:
                raise Refused("table/another") from refused
            raise

    patch.setattr(Room, "receiving", receiving)


# Beside the table ----------------------------------------------------------------------------


@leak((HANDS,), "log")
def a_line_of_the_log_names_a_card(patch: pytest.MonkeyPatch) -> None:
    """The server's log names the card that the keeper draws."""
    honest = decks.draw_mythos

    def draw_mythos(play: Play) -> None:
        top = decks.top(play, MYTHOS_DECK)
        if top is not None:
            Logger().info("{card} is drawn", card=play.table.card_of(top))
        honest(play)

    patch.setattr(decks, "draw_mythos", draw_mythos)


@leak((HANDS,), "operator")
def an_operator_sees_a_card(patch: pytest.MonkeyPatch) -> None:
    """The operator's line of a table names the keeper's hand."""
    honest = view.table_line

    def table_line(summary: Summary, host: RoomHost | None) -> TableLine:
        game = None if host is None else host.room.table.game
        hand = () if game is None else game.piles.get(MYTHOS_HAND, ())
        cards = tuple(game.card_of(handle) for handle in hand if game is not None)
        return attrs.evolve(honest(summary, host), names=cards)

    patch.setattr(view, "table_line", table_line)


# In chance -----------------------------------------------------------------------------------


@leak((SPELLS,), *TABLE)
def handles_are_in_the_order_of_cards(patch: pytest.MonkeyPatch) -> None:
    """The handles of a pile are in the alphabetical order of its cards."""

    def ordered(handles: tuple[str, ...], order: tuple[str, ...], _: object) -> tuple[str, ...]:
        places = sorted(range(len(order)), key=lambda place: order[place])
        by_place = dict(zip(places, sorted(handles), strict=True))
        return tuple(by_place[place] for place in range(len(order)))

    _with_handles(patch, ordered)


@leak((DRAWN,), *TABLE)
def handles_are_used_again(patch: pytest.MonkeyPatch) -> None:
    """A card of the hand keeps the handle that it had in the deck."""

    def kept(
        handles: tuple[str, ...], order: tuple[str, ...], before: Mapping[str, str]
    ) -> tuple[str, ...]:
        old = {card: handle for handle, card in before.items()}
        return tuple(old.get(card, new) for new, card in zip(handles, order, strict=True))

    _with_handles(patch, kept)


def _with_handles(patch: pytest.MonkeyPatch, change: Callable[..., tuple[str, ...]]) -> None:
    """Replace the handles of every shuffled pile."""
    honest = BatchWriter.write

    def write(self: BatchWriter, happened: Event, **named: Any) -> Record:
        if isinstance(happened, Shuffled):
            game = self.table.game
            assert game is not None
            before = {h: game.card_of(h) for h in game.piles.get(happened.pile, ())}
            handles = change(happened.handles, happened.order.value, before)
            happened = attrs.evolve(cast("Any", happened), handles=handles)
        return honest(self, happened, **named)

    patch.setattr(BatchWriter, "write", write)
    patch.setattr(BatchWriter, "_must_be_new", lambda *_: None)

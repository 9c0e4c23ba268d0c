"""Leaks that can be planted in the house itself, whatever is played in it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import attrs
import pytest

from protocol import messages
from protocol.common.events import Shuffled
from protocol.event import Cut, Event, Record, everything
from protocol.messages import ServerMessage
from server.kernel.batch_writer import BatchWriter
from server.lobby.finished import export, exporting
from server.lobby.views.followers import Followers, catalogs_of
from server.lobby.views.spectator_delay import SpectatorDelay
from server.lobby.views.viewer import Viewer
from server.process.bot_session import BotSession
from tests.kit.words_sent import words_for


def bots_are_sent_everything(patch: pytest.MonkeyPatch) -> None:
    """A bot of the server is sent every opening."""
    shown = Followers._shown

    def _shown(self: Any, follower: Any, sequences: range, log: Any) -> Iterator[ServerMessage]:
        for message in shown(self, follower, sequences, log):
            if isinstance(message, messages.Records) and isinstance(follower.session, BotSession):
                yield messages.Records(message.room_id, _opened(log, sequences, message.cuts))
            else:
                yield message

    patch.setattr(Followers, "_shown", _shown)


def words_come_ahead(patch: pytest.MonkeyPatch) -> None:
    """The words of a sealed card are sent along with its record."""
    honest = Followers._shown

    def _shown(self: Any, follower: Any, sequences: range, log: Any) -> Iterator[ServerMessage]:
        for message in honest(self, follower, sequences, log):
            if isinstance(message, messages.Records):
                catalogs = catalogs_of(self._services.shelf, self._room())
                opened = _opened(log, sequences, message.cuts)
                yield from words_for(follower.words, catalogs, opened)
            yield message

    patch.setattr(Followers, "_shown", _shown)


def time_tells(patch: pytest.MonkeyPatch) -> None:
    """Showing takes longer for longer sealed values, by a second at most."""
    honest = Followers._show_one

    def _show_one(self: Any, follower: Any) -> None:
        log = self._services.store._logs[self._room().room_id]
        weight = sum(len(stored.openings) for stored in log)
        self._services.clock.callLater((weight % 4) / 4, lambda: honest(self, follower))

    patch.setattr(Followers, "_show_one", _show_one)


def where_a_message_ends_tells(patch: pytest.MonkeyPatch) -> None:
    """A message ends earlier if its sealed values are longer."""
    honest = Followers._shown

    def _shown(self: Any, follower: Any, sequences: range, log: Any) -> Iterator[ServerMessage]:
        room = self._room()
        for message in honest(self, follower, sequences, log):
            cuts = message.cuts if isinstance(message, messages.Records) else ()
            sealed = {log[at].public: len(log[at].openings) for at in sequences}
            end = sum(sealed[shown.public] for shown in cuts) % max(len(cuts), 1)
            if not end:
                yield message
                continue
            yield messages.Records(room.room_id, cuts[:end])
            yield messages.Records(room.room_id, cuts[end:])

    patch.setattr(Followers, "_shown", _shown)


def a_delay_is_off(patch: pytest.MonkeyPatch) -> None:
    """Delayed spectators see everything at once."""
    patch.setattr(SpectatorDelay, "end", lambda _self, room, _seat: len(room.log))


def an_export_goes_ahead_of_the_delay(patch: pytest.MonkeyPatch) -> None:
    """An archive for delayed spectators has the whole log."""
    patch.setattr(
        exporting, "end_of_export", lambda host, _viewer: host.followers.end_for(Viewer(0))
    )


def an_export_has_anothers_openings(patch: pytest.MonkeyPatch) -> None:
    """An archive exported during the game has the openings of seat 0."""
    honest = getattr(export, "cut")  # noqa: B009  # not exported
    patch.setattr(export, "cut", lambda stored, seat, *, since=0: honest(stored, 0))


def handles_are_in_the_order_of_cards(patch: pytest.MonkeyPatch) -> None:
    """The handles of a pile are in the alphabetical order of its cards."""

    def ordered(handles: tuple[str, ...], order: tuple[str, ...], _: object) -> tuple[str, ...]:
        places = sorted(range(len(order)), key=lambda place: order[place])
        by_place = dict(zip(places, sorted(handles), strict=True))
        return tuple(by_place[place] for place in range(len(order)))

    _with_handles(patch, ordered)


def handles_are_used_again(patch: pytest.MonkeyPatch) -> None:
    """A card keeps its handle when its pile is shuffled."""

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


def _opened(log: Any, sequences: range, cuts: tuple[Cut, ...]) -> tuple[Cut, ...]:
    by_public = {log[at].public: log[at] for at in sequences}
    return tuple(everything(by_public[shown.public]) for shown in cuts)


def _with_handles(patch: pytest.MonkeyPatch, change: Callable[..., tuple[str, ...]]) -> None:
    """Replace the handles of every shuffled pile."""
    honest = BatchWriter.write

    def write(self: BatchWriter, happened: Event, **named: Any) -> Record:
        if isinstance(happened, Shuffled) and self._recorded is None:
            game = self.table.game
            assert game is not None
            before = {h: game.card_of(h) for h in game.piles.get(happened.pile, ())}
            handles = change(happened.handles, happened.order.value, before)
            happened = attrs.evolve(cast("Any", happened), handles=handles)
        return honest(self, happened, **named)

    patch.setattr(BatchWriter, "write", write)
    # A twin draws the handles of its first game.
    patch.setattr(BatchWriter, "_must_be_new", lambda *_: None)

"""A whole game at random, as its seats saw it."""

import functools

from client.journal.journal import all_lines
from client.locale import load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.tables import TableView
from client.tellers.base import JournalLine
from content.plugs.packs import shared_words
from protocol.event import cut
from protocol.games.cards.words import RULESET
from server.kernel.room import Room
from tests.games.cards.simulate import core, simulate


@functools.cache
def room_of(seed: int, players: int = 2) -> Room:
    """Return the room of a game at random that is over."""
    return simulate(seed, players).play().room


def view_of(room: Room, seat: int | None, last: int | None = None) -> TableView:
    """Return the view of a seat that was sent the records up to the last one, by default all."""
    view = TableView(room.room_id, seat)
    log = [*room.log]
    view.receive([cut(stored, seat) for stored in log[:last]])
    return view


@functools.cache
def speaker_of(language: str) -> Speaker:
    """Return the words of a client, and all words of the bundled pack."""
    words = {**shared_words()[language], **core().catalogs[language]}
    return Speaker(load(language, game=RULESET), WordStore(words, language))


def lines_of(room: Room, seat: int | None, language: str = "en") -> list[JournalLine]:
    """Return the journal of a seat."""
    return list(all_lines(view_of(room, seat).records, speaker_of(language)))

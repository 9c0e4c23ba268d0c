"""
Twins of games with Spells: what the copies say on their backs changes no byte before they flip.

Held and lying copies as well as those in the decks have other backs in the twin.
"""

import functools
import itertools
from collections.abc import Iterator

import attrs
import pytest

from content.schema.cards import Side
from protocol.common.text import Text
from protocol.event import everything, hidden, read
from protocol.second_edition import events as se
from protocol.second_edition.table import Possession, SecondEditionTable, spell_deck
from server.rules.second_edition import possessions, sides, trade
from server.rules.second_edition.menu import Menu
from server.rules.second_edition.play import Play
from tests.kernel.twins import before, moments
from tests.second_edition.dealt import play_watched
from tests.second_edition.simulate import Simulation, simulate
from tests.second_edition.spellbook import spellbook
from tests.second_edition.test_twins import (
    PLAYERS,
    VIEWERS,
    batch_of,
    compare_with_twin,
    known,
    leaks,
)

GAMES = (0, 1)
SEEDS = 40
"""Among so many games two must be of use here."""


def played(seed: int) -> Simulation:
    """Play a whole game at random, with Spells."""
    return play_watched(simulate(seed, PLAYERS, pack=spellbook()))


@functools.cache
def sound(seed: int) -> Simulation:
    """Return a game without any leak, played once."""
    return played(seed)


@functools.cache
def first_game(number: int) -> Simulation:
    """Return a game in which Spells are flipped, and others are held to the end and never are."""
    games = (sound(seed) for seed in range(SEEDS))
    fitting = (game for game in games if flips(game) and any(unflipped(game.game)))
    return next(itertools.islice(fitting, number, None))


def flips(first: Simulation) -> list[int]:
    """Return where in a game the back of a Spell was turned up."""
    records = (read(first.room.room_id, everything(stored)) for stored in first.room.log)
    return [
        record.sequence
        for record in records
        if isinstance(record.event, se.PossessionFlipped)
        and record.event.handle
        and record.event.turned_to is not None
    ]


def unflipped(game: SecondEditionTable) -> Iterator[Possession]:
    """Yield the Spells that are held, their backs unseen."""
    for who in game.investigators.values():
        yield from (has for has in who.possessions if has.handle and has.turned_to is None)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("number", GAMES)
@pytest.mark.rule("SECRET-3", "SECRET-4")
def test_a_back_that_is_never_flipped_changes_no_byte(number: int, viewer: int | None) -> None:
    """To the end of a game in which somebody held a Spell that was never flipped."""
    first = first_game(number)
    log = list(first.room.log)

    pins = known(first, viewer)
    compared = compare_with_twin(first, log, viewer, pins, len(log), 200 + number)

    assert compared.found is None
    assert compared.is_whole


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.rule("SECRET-3", "SECRET-4", "EX-34")
def test_a_back_is_told_to_nobody_before_it_is_flipped(viewer: int | None) -> None:
    """Neither to its owner: up to the flip, and with another back, nothing differs."""
    first = first_game(GAMES[0])
    log = list(first.room.log)
    pins = known(first, viewer)
    assert {*flips(first)} <= {*moments(pins)}

    for moment in flips(first):
        start = batch_of(first, log, moment)
        compared = compare_with_twin(first, log, viewer, before(pins, moment), start, moment)
        assert compared.found is None, f"before event {moment}"


# Planted leaks -----------------------------------------------------------------------------


def shows_a_leak() -> bool:
    """Play games under a planted leak, and return whether their twins show it."""
    return any(any(leaks(played(seed))) for seed in range(3))


def back_of(play: Play, possession: Possession) -> str:
    """Look where nobody may."""
    return play.table.card_of(possession.handle)


def test_without_a_leak_no_back_is_shown() -> None:
    """The first game that the leaks are planted in is sound itself."""
    assert not any(leaks(sound(0)))


def test_a_back_that_is_named_when_it_is_gained_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak one: the back on a public event."""
    honest = possessions.gain

    def leak(play: Play, investigator: str, card: str) -> str | None:
        gained = honest(play, investigator, card)
        has = None if gained is None else possessions.held(play, investigator, gained)
        if has is not None and has.handle:
            play.emit(se.Told(Text("story/leak", (back_of(play, has),))))
        return gained

    monkeypatch.setattr(possessions, "gain", leak)

    assert shows_a_leak()


def test_a_back_that_its_owner_is_told_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak two: for the owner alone, as an Insane back would be."""
    honest = possessions.gain

    def leak(play: Play, investigator: str, card: str) -> str | None:
        gained = honest(play, investigator, card)
        has = None if gained is None else possessions.held(play, investigator, gained)
        if has is not None and has.handle:
            text = Text("story/leak", (back_of(play, has),))
            play.emit(se.ToldPrivately(investigator, hidden(text)))
        return gained

    monkeypatch.setattr(possessions, "gain", leak)

    assert shows_a_leak()


def test_a_back_that_names_the_card_too_early_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak three: while the front is up, its owner is offered to cast what is on the back."""
    honest = sides.side

    def leak(play: Play, possession: Possession) -> Side:
        spell = play.content.pack.spells.get(possession.card)
        if spell is None:
            return honest(play, possession)
        return attrs.evolve(spell, id=back_of(play, possession))

    monkeypatch.setattr(sides, "side", leak)

    assert shows_a_leak()


def test_a_deck_whose_next_copy_shapes_a_question_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak four: nothing is named, but whether a trade is offered depends on the deck."""
    honest = trade.menu

    def leak(play: Play, investigator: str) -> Menu:
        top = play.table.piles[spell_deck("spell/ward")][:1]
        is_quiet = any(play.table.card_of(handle) == "back/ward-quiet" for handle in top)
        return Menu() if is_quiet else honest(play, investigator)

    monkeypatch.setattr(trade, "menu", leak)

    assert shows_a_leak()

"""
Twin games of the second edition: secrets change no byte of what a viewer is sent.

Each first game is played at random. Its twin gets the same inputs in a real room of the lobby,
with real sessions, words and frames, and another deal of every card that the viewer may not know.
The oracle says what a viewer learns, written from the secrets table of the rulebook.
"""

import functools
from collections.abc import Iterator, Sequence

import attrs
import pytest
from twisted.internet.task import Clock

from protocol import messages as say
from protocol.common import events as on
from protocol.common.asks import Choice
from protocol.common.table import Handle, Table
from protocol.common.text import Text
from protocol.event import Event, Record, Stored, everything, hidden, read
from protocol.frames import encode_frame
from protocol.messages import encode_message
from protocol.second_edition import events as se
from protocol.second_edition.table import Harm, SecondEditionTable
from server.kernel.errors import Refused, RuleFailed
from server.kernel.room import Room
from server.lobby.host import RoomHost
from server.lobby.seams import Surroundings
from server.net.desk import Account
from server.rules.second_edition import counters, harm_cards, wounds
from server.rules.second_edition.play import Play
from server.shelf import PackShelf
from server.storage.memory import MemoryStore
from tests.kernel.twins import (
    Contradiction,
    Difference,
    Pin,
    TwinChance,
    before,
    blank,
    learned,
    moments,
)
from tests.lobby.house import FakeSession
from tests.second_edition.dealt import acted_on, play_watched
from tests.second_edition.simulate import CoreLibrary, Simulation, core, simulate

PLAYERS = 3
FIRST_GAMES = (0, 1, 2)
VIEWERS = (0, 2, None)


def oracle(record: Record, table: Table, seat: int | None) -> Iterator[tuple[Handle, str]]:
    """
    Say which hidden cards a viewer learns from a record, by the secrets table.

    A Damage or Horror card, when it lies faceup; an Insane back, its owner when it is gained and
    everybody at the end; the back of a Spell, everybody when it is flipped; a code, through the
    answers to guesses.
    """
    happened, game = record.event, table.game
    if not isinstance(game, SecondEditionTable):
        return
    match happened:
        case se.HarmTaken(handle=handle, card=str(card)):
            yield handle, card
        case se.HarmTurnedFaceup(handle=handle, card=card):
            yield handle, card
        case se.BecameInsane(investigator=who, handle=handle):
            if handle and game.investigators[who].seat == seat:
                yield handle, game.card_of(handle)
        case se.PossessionFlipped(handle=str(handle), turned_to=str(back)) if handle:
            yield handle, back
        case se.BackShown(investigator=who):
            yield from _backs_of(game, who)
        case se.CodeGuessed(puzzle=puzzle):
            yield from _code_of(game, puzzle)
        case _:
            pass


def _backs_of(game: SecondEditionTable, who: str) -> Iterator[tuple[Handle, str]]:
    for condition in game.investigators[who].conditions:
        if condition.handle and condition.back is not None:
            yield condition.handle, condition.back.value


def _code_of(game: SecondEditionTable, puzzle: str) -> Iterator[tuple[Handle, str]]:
    for pile, handles in game.piles.items():
        if pile.startswith(f"puzzle/{puzzle}/"):
            yield from ((handle, game.card_of(handle)) for handle in handles)


def known(first: Simulation, seat: int | None) -> list[Pin]:
    """
    Return all that a viewer learns in a game: by the rulebook, and by the story's visible course.

    What a deal decides is everybody's as soon as the scenario acts on it, and no sooner.
    """
    pins = [*learned(list(first.room.log), seat, oracle), *acted_on(first)]
    return sorted(pins, key=lambda pin: pin.sequence)


@attrs.frozen
class Sent:
    """What one viewer was sent of one game: every frame, with the virtual time."""

    frames: tuple[tuple[float, bytes], ...]
    """Blanked of commitments and salts, sizes kept."""
    raw: bytes = attrs.field(repr=False)
    """The frames as they went to the socket."""


@functools.cache
def first_game(seed: int) -> Simulation:
    """Return a whole game at random."""
    return play_watched(simulate(seed, PLAYERS))


def _blanked(message: say.ServerMessage) -> bytes:
    if not isinstance(message, say.Records):
        return encode_message(message)
    parts = [
        (blank(shown.public), tuple((slot, o.value) for slot, o in shown.openings))
        for shown in message.cuts
    ]
    return repr(parts).encode()


def sent_in(
    first: Simulation, viewer: int | None, entropy: object, make_chance: object, until: int
) -> tuple[Sent, int]:
    """
    Give a game's inputs to a room of the lobby, and return what a viewer was sent.

    Args:
        until: stop at the first input whose batch would begin at or after this sequence.

    Returns:
        What was sent, and how many records there were when the inputs made no sense any more.
    """
    clock, store, shelf = Clock(), MemoryStore(), PackShelf()
    shelf.add(first.pack)
    around = Surroundings(
        store=store,
        shelf=shelf,
        clock=clock,
        now=lambda: int(clock.seconds() * 1000),
        entropy=entropy,  # type: ignore[arg-type]  # a TwinChance draws like any entropy
    )
    room = Room(
        first.room.room_id,
        CoreLibrary(first.pack),
        entropy,  # type: ignore[arg-type]
        **({"make_chance": make_chance} if make_chance else {}),  # type: ignore[arg-type]
    )
    host = RoomHost(room, around)
    frames: list[tuple[float, bytes]] = []
    raw = bytearray()

    def hear(message: say.ServerMessage) -> None:
        frames.append((clock.seconds(), _blanked(message)))
        raw.extend(encode_frame(encode_message(message)))

    session = FakeSession(Account(b"v" * 32, "viewer", "en"), hear=hear)
    for (happened, origin), meant in zip(first.inputs, first.meant, strict=True):
        if len(room.log) >= until or not _give(host, _same(room, happened, meant), origin):
            break
        clock.advance(1)
        if isinstance(happened, on.SeatTaken) and happened.seat == PLAYERS - 1:
            host.follow(session, viewer, -1, "en")
    host.sleep()
    return Sent(tuple(frames), bytes(raw)), len(room.log)


def _same(room: Room, happened: Event, meant: tuple[Choice, ...]) -> Event | None:
    """
    Return an answer that means the same in this room, or None where it is not offered.

    An Insane back bars choices of its owner; then the others have other ids.
    """
    ask = room.table.room.ask
    if not isinstance(happened, on.Answered) or ask is None:
        return happened
    if happened.seat not in ask.questions:
        return None
    offered = {
        (choice.text, choice.points): choice.choice_id
        for choice in ask.questions[happened.seat].value.choices
    }
    picks = tuple(offered.get((choice.text, choice.points)) for choice in meant)
    known = tuple(pick for pick in picks if pick is not None)
    if known != picks:
        return None
    return on.Answered(happened.seat, happened.ask_id, hidden(known))


def _give(host: RoomHost, happened: Event | None, origin: int) -> bool:
    if happened is None:
        return False
    failures: list[object] = []
    _ = host.submit(happened, origin).addErrback(lambda f: failures.append(f.value))
    for failure in failures:
        if isinstance(failure, RuleFailed):
            assert isinstance(failure.__cause__, Contradiction), repr(failure.__cause__)
        else:
            assert isinstance(failure, Refused), repr(failure)
    return not failures


def difference(one: Sent, other: Sent) -> Difference | None:
    """Return the first frame in which two viewers were sent different things."""
    for at in range(min(len(one.frames), len(other.frames))):
        if one.frames[at] != other.frames[at]:
            return Difference(at, f"{one.frames[at][1][:300]!r} {other.frames[at][1][:300]!r}")
    return None


@attrs.frozen
class Comparison:
    """A first game against one twin."""

    found: Difference | None
    is_whole: bool
    """Whether the first game's inputs made sense in the twin to the end."""
    moved: int


def compare_with_twin(
    first: Simulation, log: list[Stored], viewer: int | None, pins: list[Pin], until: int, seed: int
) -> Comparison:
    """Play a twin, and compare what the viewer was sent."""
    mine = _sent_in_first(first, viewer)
    entropy, make_chance = _chance_of(log, pins, seed)
    theirs, length = sent_in(first, viewer, entropy, make_chance, until)
    is_whole = length >= min(until, len(log))
    return Comparison(difference(mine, theirs), is_whole, entropy.moved)


@functools.cache
def _sent_in_first(first: Simulation, viewer: int | None) -> Sent:
    log = list(first.room.log)
    sent, length = sent_in(first, viewer, *_chance_of(log, learned(log, None, _all), 1), len(log))
    assert length == len(log)
    return sent


def _chance_of(log: list[Stored], pins: list[Pin], seed: int) -> tuple[TwinChance, object]:
    chance = TwinChance(log, pins, seed)
    return chance, chance.make_chance


def _all(record: Record, table: Table, seat: int | None) -> Iterator[tuple[Handle, str]]:
    """Pin every card: the twin that is the first game again."""
    del seat, table
    if isinstance(record.event, on.Shuffled):
        yield from zip(record.event.handles, record.event.order.value, strict=True)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", FIRST_GAMES)
@pytest.mark.rule("SECRET-1", "SECRET-2", "SECRET-7", "SECRET-8", "SECRET-14")
def test_what_a_viewer_may_not_know_changes_no_byte(seed: int, viewer: int | None) -> None:
    """Pinned to the end: all that differs is what the viewer never learns."""
    first = first_game(seed)
    log = list(first.room.log)

    compared = compare_with_twin(first, log, viewer, known(first, viewer), len(log), 100 + seed)

    assert compared.found is None
    assert compared.is_whole
    assert compared.moved > 20


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.rule("SECRET-2", "SECRET-6", "SECRET-13")
def test_nothing_is_told_before_its_time(viewer: int | None) -> None:
    """Pinned to just before the viewer learns something: up to there nothing differs."""
    first = first_game(FIRST_GAMES[0])
    log = list(first.room.log)
    pins = known(first, viewer)
    chosen = moments(pins)[:: max(1, len(moments(pins)) // 3)]
    contradicted = 0

    for moment in chosen:
        # Frames hold whole batches: compare up to the batch in which it is learned.
        start = batch_of(first, log, moment)
        compared = compare_with_twin(first, log, viewer, before(pins, moment), start, moment)
        contradicted += not compared.is_whole
        assert compared.found is None, f"before event {moment}"

    assert contradicted <= len(chosen) // 2


def batch_of(first: Simulation, log: list[Stored], sequence: int) -> int:
    """Return the sequence at which the batch with this record begins."""
    starts = [r.sequence for r in _records(first, log) if r.event.is_input]
    return max(start for start in starts if start <= sequence)


def _records(first: Simulation, log: list[Stored]) -> list[Record]:
    return [read(first.room.room_id, everything(stored)) for stored in log]


# Planted leaks -----------------------------------------------------------------------------


def _games_with_madness(count: int) -> Iterator[Simulation]:
    """Yield games in which somebody goes mad well before the end."""
    found = 0
    for seed in range(60):
        played = play_watched(simulate(seed, PLAYERS))
        mad = [r for r in _records(played, list(played.room.log)) if _is_madness(r)]
        if mad and mad[0].sequence < len(played.room.log) * 9 // 10:
            found += 1
            yield played
        if found == count:
            return


def _is_madness(record: Record) -> bool:
    return isinstance(record.event, se.BecameInsane)


def _shows_a_leak() -> bool:
    """
    Play games under a planted leak, and return whether their twins show it.

    Both modes are tried: what everybody learns at the end (an Insane back) is pinned by the first,
    so that only the second sees it told too early.
    """
    return any(any(leaks(first)) for first in _games_with_madness(4))


def leaks(first: Simulation) -> Iterator[bool]:
    """Yield for each viewer and mode whether a twin shows something."""
    log = list(first.room.log)
    for viewer in VIEWERS:
        pins = known(first, viewer)
        compared = compare_with_twin(first, log, viewer, pins, len(log), 500)
        yield compared.found is not None
        last = max(moments(pins))
        start = batch_of(first, log, last)
        compared = compare_with_twin(first, log, viewer, before(pins, last), start, 600)
        yield compared.found is not None


def test_without_a_leak_nothing_is_shown() -> None:
    """A game that the leaks are planted in is sound itself."""
    assert not any(any(leaks(first)) for first in _games_with_madness(1))


def test_a_facedown_card_that_is_named_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak one: the identity of a facedown card on a public event."""
    honest = harm_cards.take_facedown

    def leak(play: Play, investigator: str, harm: Harm) -> None:
        top = play.table.piles[f"deck/{harm.value}"][:1]
        for handle in top:
            text = play.table.card_of(handle)
            play.emit(se.Told(Text("story/leak", (text,))))
        honest(play, investigator, harm)

    monkeypatch.setattr(harm_cards, "take_facedown", leak)

    assert _shows_a_leak()


def test_an_insane_back_that_others_are_told_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak two: an Insane back on a public event, where only its owner may read it."""
    honest = wounds.become_insane

    def leak(play: Play, investigator: str) -> None:
        honest(play, investigator)
        back = play.table.investigators[investigator].conditions[-1].back
        assert back is not None
        play.emit(se.Told(Text("story/leak", (back.value,))))

    monkeypatch.setattr(wounds, "become_insane", leak)

    assert _shows_a_leak()


def test_a_deck_order_that_shapes_the_log_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak three: no value is shown, but the number of events depends on the next card."""
    honest = harm_cards.take_faceup

    def leak(play: Play, investigator: str, harm: Harm) -> str | None:
        handle = honest(play, investigator, harm)
        below = play.table.piles[f"deck/{harm.value}"][:1]
        if below and play.table.card_of(below[0]) < "damage/m":
            play.emit(se.Told(Text("story/leak")))
        return handle

    monkeypatch.setattr(harm_cards, "take_faceup", leak)

    assert _shows_a_leak()


def _shows_a_deal() -> bool:
    """
    Return whether twins show what was dealt, before the story acts on it or where it never does.

    The end is not asked: there the leak and what the story shows cannot be told apart.
    """
    return any(any(_deals_told(first)) for first in _games_with_madness(2))


def _deals_told(first: Simulation) -> Iterator[bool]:
    log = list(first.room.log)
    pins = known(first, None)
    compared = compare_with_twin(first, log, None, pins, len(log), 700)
    yield compared.found is not None
    for moment in moments(acted_on(first)):
        start = batch_of(first, log, moment)
        compared = compare_with_twin(first, log, None, before(pins, moment), start, moment)
        yield compared.found is not None


def test_without_a_leak_no_deal_is_shown() -> None:
    """The games that the next leaks are planted in are sound themselves."""
    assert not _shows_a_deal()


def test_a_dealt_number_that_is_told_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak four: what a counter was dealt, on a public event, before the story acts on it."""
    honest = counters.put

    def leak(play: Play, counter: str, to: int, investigator: str | None = None) -> None:
        honest(play, counter, to, investigator)
        play.emit(se.Told(Text("story/leak", (str(to),))))

    monkeypatch.setattr(counters, "put", leak)

    assert _shows_a_deal()


def test_a_dealt_number_that_shapes_the_log_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak five: no number is told, but a record more is written where it was a low one."""
    honest = counters.deal

    def leak(
        play: Play, counter: str, numbers: Sequence[int], whose: str | None, *, is_fresh: bool
    ) -> None:
        honest(play, counter, numbers, whose, is_fresh=is_fresh)
        if counters.value(play, counter, whose) == numbers[0]:
            counters.change(play, counter, add=0, investigator=whose)

    monkeypatch.setattr(counters, "deal", leak)

    assert _shows_a_deal()


def test_a_tile_that_comes_too_early_is_seen_in_the_bytes() -> None:
    """No tile, and no word of a room, before it is placed. Rule SECRET-14."""
    first = first_game(FIRST_GAMES[0])
    log = list(first.room.log)
    tiles = {
        record.event.tile.tile: record.sequence
        for record in _records(first, log)
        if isinstance(record.event, se.TilePlaced)
    }
    scenario = next(iter(core().scenarios.values()))
    drawings = {tile.id: tile for tile in scenario.tiles}

    for tile in drawings.values():
        placed = tiles.get(tile.id, len(log))
        start = batch_of(first, log, placed) if placed < len(log) else len(log)
        sent, _ = sent_in(first, 0, *_chance_of(log, learned(log, None, _all), 1), start)
        for room in tile.rooms.values():
            elsewhere = any(
                room in other.rooms.values() and tiles.get(other.id, len(log)) < placed
                for other in drawings.values()
            )
            assert elsewhere or room.encode() not in sent.raw

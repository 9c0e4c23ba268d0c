"""The valid files that forgers change."""

import functools
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.padded import Padded
from protocol.common.table import Settings, Stage
from protocol.event import CLOCK, OPERATOR, hidden
from tests.kit.tables.playing import (
    Policy,
    Recording,
    Shelf,
    committed,
    opened,
    play,
    ready,
    seated,
    share_of,
    started,
)
from tests.kit.tables.toy_table import KINDS, RIDDLE_SECONDS, Content, a_deck
from tests.verifying.dealt import dealt_files
from tests.verifying.logs import GOLDEN, branched, file_of

HERE = Path(__file__).parents[1]
SEEDS = 39
"""Number of signed games of the toy."""


@functools.cache
def pool(name: str) -> Sequence[bytes]:
    """Return the files of a pool, the same each time."""
    return POOLS[name]()


def game(seed: int) -> Recording:
    """Return a whole signed game; most decks hold one kind of question, so that it occurs."""
    deck = a_deck(KINDS[seed % len(KINDS)]) if seed % 3 else a_deck(*KINDS)
    content = Content(deck=deck, rounds=1 + (seed % 13 == 1), has_hands=seed % 5 == 0)
    seats = 2 if seed % 4 else 3 if seed % 8 else 1
    recording = Recording(Shelf(content), seed)
    seated(opened(recording, Settings(spectators=seed % 2 == 0)), seats)
    ready(recording)
    if seed % 2:
        committed(recording, attempt=7)
        missing = tuple(recording.table.room.seats)
        if seats > 1 and seed % 3:
            recording.give(events.ShareOpened(0, share_of(0, 7)), 0)
            missing = missing[1:]
        recording.give(events.StartFailed(missing), CLOCK)
        ready(recording)
    started(recording)
    for seat in recording.table.room.seats:
        recording.give(events.PresenceChanged(seat, is_present=True), seat)
    return play(recording, Policy(seed, noise=0.25))


def _toy() -> Sequence[bytes]:
    return [file_of(game(seed).room) for seed in range(SEEDS)]


def lobby(seed: int) -> Recording:
    """Return a signed table before its start, with many choices made."""
    recording = Recording(Shelf(Content(has_wishes=True)), seed)
    seated(opened(recording), 3)
    for seat in range(3):
        recording.give(events.Prepared(seat, hidden(Padded.of(b"fog"))), seat)
    recording.give(events.ScenarioChosen("toy/plain", b"\2" * 32), 0)
    recording.give(events.ProductsSwitched(("one",)), 0)
    recording.give(events.Chatted(2, hidden(b"hello")), 2)
    ready(recording)
    recording.give(events.PresenceChanged(seed % 3, is_present=True), seed % 3)
    return recording


def _lobby() -> Sequence[bytes]:
    return [file_of(lobby(seed).room, seat=seed % 3) for seed in range(3)]


def _votes() -> Sequence[bytes]:
    """Return games of three present players, up to an undecided vote."""
    found = []
    for seed, kind in enumerate(("poll", "storm", "moot")):
        recording = at(kind, seed)
        if recording.ask.has_open_votes:
            for seat in range(3):
                choices = recording.question(seat).choices
                picks = (choices[seat % len(choices)].choice_id,)
                if recording.table.room.ask is not None:
                    recording.give(events.Voted(seat, recording.ask.ask_id, picks), seat)
            found.append(file_of(recording.room, 0))
    return found


def at(kind: str, seed: int = 0, seats: int = 3, settings: Settings | None = None) -> Recording:
    """Return a signed game in which a card of a kind has just been turned up."""
    recording = Recording(Shelf(Content(deck=a_deck(kind))), seed)
    started(ready(seated(opened(recording, settings), seats)))
    for seat in range(seats):
        recording.give(events.PresenceChanged(seat, is_present=True), seat)
    recording.answer(0, "toy/go")
    recording.answer(0, "peek")
    recording.answer(0, recording.game.hand("bear")[0])
    return recording


def _asked() -> Sequence[bytes]:
    """Return games that wait at a question of each kind, as seat 0 has them."""
    found = [file_of(at(kind).room, 0) for kind in KINDS]
    paused = at("quiet")
    paused.give(events.OperatorPaused(b"why"), OPERATOR)
    return [*found, file_of(paused.room, 0)]


def _windows() -> Sequence[bytes]:
    found = []
    for seed in range(2):
        recording = at("flash", seed)
        assert recording.ask.settle is Settle.WINDOW
        recording.close_window()
        found.append(file_of(recording.room, seed))
    return [*found, kept("windows"), kept("stops")]


def _beside() -> Sequence[bytes]:
    """Return games at a question that seat 0 decides, and after each way in which it is settled."""
    settings = Settings(time_limit_seconds=60)
    open_yet, decided, timed = (at("feud", settings=settings) for _ in range(3))
    decided.decide(0, "toy/stride", 1)
    timed.give(events.TimedOut(timed.ask.ask_id), CLOCK, time=timed.room.last_time + 60_000)
    found = [file_of(one.room, seat) for one in (open_yet, decided, timed) for seat in (0, 1)]
    return [*found, _golden("beside/toy")]


def _timers() -> Sequence[bytes]:
    """Return games at a question under a timer, after its time-out, and once it is closed."""
    open_yet, solved, timed = (at("riddle") for _ in range(3))
    solved.answer(0, "toy/pass")
    solved.answer(0, solved.game.weather)
    end = timed.room.last_time + RIDDLE_SECONDS * 1000
    timed.answer(0, "toy/pass")
    timed.give(events.TimedOut(timed.ask.ask_id), CLOCK, time=end)
    return [file_of(one.room, seat) for one in (open_yet, solved, timed) for seat in (0, 1)]


def _flurries() -> Sequence[bytes]:
    """Return games in which a window for two choices has closed, as each seat has them."""
    found = []
    for seat in range(3):
        recording = at("flurry", seat)
        picks = tuple(recording.choice(1, "toy/dazzle", n) for n in (1, 2))
        recording.room.hold(recording.ask.ask_id, 1, picks)
        recording.close_window()
        found.append(file_of(recording.room, seat))
    return [*found, _golden("windows/toy")]


def kept(name: str) -> bytes:
    """Return a kept log."""
    return lzma.decompress((HERE / "kept" / f"{name}.manse.xz").read_bytes())


def _golden(name: str) -> bytes:
    return (HERE.parent / "golden" / f"{name}.manse").read_bytes()


def _old() -> Sequence[bytes]:
    return [path.read_bytes() for path in sorted(GOLDEN.glob("*.manse"))]


def _finished_cuts() -> Sequence[bytes]:
    found = []
    for seed in (1, 4, 6):
        recording = game(seed)
        assert recording.table.room.stage is Stage.OVER
        found.append(file_of(recording.room, seat=0))
    return found


POOLS: dict[str, Callable[[], Sequence[bytes]]] = {
    "toy": _toy,
    "lobby": _lobby,
    "votes": _votes,
    "asked": _asked,
    "windows": _windows,
    "beside": _beside,
    "timers": _timers,
    "flurries": _flurries,
    "cuts": _finished_cuts,
    "dealt": lambda: dealt_files()[:2],
    "dealt cuts": lambda: dealt_files()[2:],
    "branch": lambda: [branched(0), branched(1), branched(-1)],
    "branch cuts": lambda: [branched(1, seat=0), branched(0, seat=1)],
    "old": _old,
    "absence": lambda: [kept("absence")],
    "operator": lambda: [kept("operator")],
    "questions": lambda: [kept("questions")],
    "version 2": lambda: [_golden("hands/toy"), _golden("branches/source"), kept("operator")],
    "hands": lambda: [_golden("hands/toy")],
}
"""Functions that make the files of each pool."""

"""Secret choices: a secret answer changes no byte of what others are sent.

The same game is played several times in a real room and differs only in one secret answer, whose
options have different hidden effects. Other seats and a spectator must be sent the same, without
commitments and salts, for as long as the game continues.
"""

import contextlib
import functools
from collections.abc import Iterator, Mapping, Sequence

import attrs
import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.counters import Counter
from content.games.second_edition.schema.decks import DeckCard
from content.games.second_edition.schema.effects import Effect, EffectChoice, Way, Who
from content.games.second_edition.schema.effects.course import By
from content.games.second_edition.schema.pack import Pack
from protocol.common import events
from protocol.event import cut, hidden, read
from protocol.event import everything as opened
from protocol.games.second_edition import events as se
from server.games.second_edition.rules import memory
from server.games.second_edition.rules.play import Play
from server.games.second_edition.rules.steps import choices
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.simulate import Simulation, simulate
from tests.kernel.twins import blank

SCENARIO = "house/hours"
OTHERS = (1, 2, None)
"""Viewers who did not choose: two seats, and a spectator."""
INPUTS = 10
"""Number of answers after the secret one."""

one, two, three = (steps.Count(name, add=1) for name in ("one", "two", "three"))
deal = steps.Deal("three", 1, 3, fresh=True)
WAYS: Mapping[str, Effect] = {
    "one counter": (one,),
    "another counter": (two,),
    "several counters": (one, two, three, one),
    "nothing": (),
    "a deal": (deal,),
    "a deal to each": (steps.ForEach(Who.ALL, (deal,)),),
    "one of several": (steps.OneOf((Way((one,)), Way((two,), weight=3))),),
    "a card of a deck": (steps.Draw("hushed"), steps.Call("quietly")),
    "somebody at random": (steps.ForEach(Who.RANDOM, (one,)),),
}
"""Effects of the options, by name; none does anything that a player sees."""


@functools.cache
def pack() -> Pack:
    """Return a pack whose scenario begins with a secret choice, then an open one."""
    scenario = house().scenarios[SCENARIO]
    tiles = tuple(step for step in scenario.setup if isinstance(step, steps.PlaceTile))
    options = tuple(EffectChoice("hours/one", way) for way in WAYS.values())
    choice = steps.Choose("hours/what", options, By.SECRET)
    hushed = (DeckCard("first", (one,)), DeckCard("second", (two, deal)))
    changed = attrs.evolve(
        scenario,
        counters={**scenario.counters, **dict.fromkeys(("one", "two", "three"), Counter())},
        decks={**scenario.decks, "hushed": hushed},
        effects={**scenario.effects, "quietly": (deal, one)},
        setup=(*tiles, choice, steps.Choose("hours/what", options[:2])),
    )
    return attrs.evolve(house(), scenarios={**house().scenarios, SCENARIO: changed})


def played(way: str) -> Simulation:
    """Play a game in which seat 0 chooses a way in secret, and a few answers more."""
    game = simulate(5, 3, pack=pack())
    game.scenario = SCENARIO
    game.open()
    while not _is_secret(game):
        game.step()
    ask = game.room.table.room.ask
    assert ask is not None
    (seat,) = ask.questions
    assert seat not in OTHERS
    choices_ = ask.questions[seat].value.choices
    pick = choices_[list(WAYS).index(way)].choice_id
    game.give(events.Answered(seat, ask.ask_id, hidden((pick,))), seat)
    for _ in range(INPUTS):
        game.step()
    return game


def _is_secret(game: Simulation) -> bool:
    ask = game.room.table.room.ask
    return ask is not None and ask.about.subject == "about/choose_secretly"


@functools.cache
def sent(way: str) -> tuple[object, ...]:
    """Return what the other seats and a spectator are sent if seat 0 chooses this way."""
    return tuple(seen_by(played(way), viewer) for viewer in OTHERS)


def seen_by(game: Simulation, viewer: int | None) -> tuple[object, ...]:
    """Return what a viewer is sent, without commitments and salts."""
    cuts = [cut(stored, viewer) for stored in game.room.log]
    return tuple(
        (blank(shown.public), tuple((slot, o.value) for slot, o in shown.openings))
        for shown in cuts
    )


@pytest.mark.parametrize("way", list(WAYS)[1:])
@pytest.mark.rule("SECRET-13")
def test_what_was_chosen_in_secret_changes_no_byte(way: str) -> None:
    """The number of records is the same too."""
    assert sent(way) == sent(next(iter(WAYS)))


def test_a_secret_choice_does_what_it_says() -> None:
    """Without an effect of the choice, the games above would be equal for the wrong reason."""
    remembered = {way: numbers(played(way)) for way in WAYS}

    assert len({tuple(sorted(kept.items())) for kept in remembered.values()}) == len(WAYS)


def numbers(game: Simulation) -> Mapping[str, int]:
    """Return the numbers that the scenario remembers at the end."""
    known: dict[str, int] = {}
    for stored in game.room.log:
        happened = read(game.room.room_id, opened(stored)).event
        if isinstance(happened, se.MemoryKept):
            known.update(happened.numbers.value)
    return known


# Planted leaks -----------------------------------------------------------------------------


def leaks() -> bool:
    """True if games played anew that differ in a secret choice look different to the others."""
    first, *rest = (
        tuple(seen_by(game, viewer) for viewer in OTHERS)
        for game in (played("one counter"), played("another counter"), played("a deal"))
    )
    return any(other != first for other in rest)


def test_a_record_for_each_number_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """First planted leak: each change of a number has a record of its own with a public name."""

    def leak(play: Play, name: str, to: int) -> None:
        play.noted[name] = to
        play.emit(se.CounterSet(name, hidden(to)))

    monkeypatch.setattr(memory, "remember", leak)

    assert leaks()


def test_a_memory_that_is_written_only_when_it_changes_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Second planted leak: what changed is sealed, but the record shows that something changed."""
    honest = memory.write_down

    def leak(play: Play) -> None:
        if play.noted:
            honest(play)

    monkeypatch.setattr(memory, "write_down", leak)
    some, none = played("one counter"), played("nothing")

    assert any(seen_by(some, viewer) != seen_by(none, viewer) for viewer in OTHERS)


def test_a_draw_that_only_one_way_takes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Third planted leak: a way with a deal has one more record."""

    @contextlib.contextmanager
    def leak(_play: Play, _ways: Sequence[Effect]) -> Iterator[None]:
        yield

    monkeypatch.setattr(choices, "behind_a_secret", leak)

    assert leaks()

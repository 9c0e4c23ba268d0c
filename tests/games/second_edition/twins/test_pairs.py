"""Twins of every scenario, the house and random packs: no viewer can tell them apart."""

from collections import Counter
from collections.abc import Callable

import pytest

from protocol import messages
from protocol.common import events
from protocol.event import Event, read
from protocol.games.second_edition import events as se
from protocol.messages import encode_message
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.simulate import core
from tests.games.second_edition.spellbook import spellbook
from tests.games.second_edition.twins.faults import since_is_ignored
from tests.games.second_edition.twins.games import First, Spec, play_first
from tests.games.second_edition.twins.knowledge import HEIRS_BACK, learned, told_since
from tests.games.second_edition.twins.pairs import Source, Tally, look_at, look_once, sources
from tests.games.second_edition.twins.twin import Knower, knowers, play_twin
from tests.games.second_edition.twins.viewers import OF_ALL, OF_SEAT, Bot

STEPS = 60
"""Number of answers in the games of every run, one game for each source."""
PAIRS, CHUNKS = 10_000, 40
"""Number of pairs in a long run, and number of parts into which they are divided."""

EVERY_RUN = {
    "core core/sluice-house",
    "spells core/sluice-house",
    *(f"house {scenario}" for scenario in house().scenarios),
    "random 0",
} - {"house house/company", "house house/embers"}
"""
Sources with a game in every run: the house uses each class of the schema. Those of long runs alone
have scenarios of the same steps and cards. The two that are left out have their twins in
`test_every_kind_of_viewer_is_sent_something_that_is_compared`.
"""

Recorder = Callable[[str, object], None]


@pytest.mark.parametrize(
    "source",
    [
        one if str(one) in EVERY_RUN else pytest.param(one, marks=pytest.mark.long)
        for one in sources()
    ],
    ids=str,
)
@pytest.mark.rule("SECRET-1", "SECRET-2", "SECRET-3", "SECRET-4", "SECRET-6", "SECRET-7")
@pytest.mark.rule("SECRET-8", "SECRET-13", "SECRET-14", "SECRET-16", "EX-34")
def test_what_a_viewer_may_not_know_changes_no_byte(
    source: Source, record_property: Recorder
) -> None:
    """Viewers are spectators, new players of a seat, and one seat, different in each game."""
    tally = look_once(source, STEPS)

    record_property("twin_pairs", tally.pairs)
    assert tally.leaks == []
    assert tally.moved
    assert {"Follower", "Exporter", "LogReader"} <= tally.by_kind.keys()


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_ten_thousand_pairs_differ_in_no_byte(chunk: int, record_property: Recorder) -> None:
    """The sources take turns with different games."""
    every = sources()
    source = every[chunk % len(every)]

    tally = look_at(source, 100 + chunk // len(every) * 1000, pairs=PAIRS // CHUNKS)

    record_property("twin_pairs", tally.pairs)
    assert tally.leaks == []
    assert tally.pairs >= PAIRS // CHUNKS


def test_every_kind_of_viewer_is_sent_something_that_is_compared() -> None:
    """The games are one with a bot, one with seats handed over, and one of a campaign."""
    tally, said = Tally(), Counter[str]()
    looked: tuple[tuple[Spec, Callable[[Knower], bool]], ...] = (
        (Spec("house", "house/company", 1, 3, steps=60), lambda one: one.seat == 2),
        (Spec("house", "house/company", 9, 3, steps=160), lambda one: one.is_heir),
        (Spec("house", "house/embers", 0, 2), lambda one: one.seat != 1),
    )
    for spec, looks in looked:
        first = play_first(spec, house())
        for name, viewer in first.viewers.items():
            said[name.split()[0]] += len(viewer.heard)
        for knower in filter(looks, knowers(first)):
            tally.add(first, play_twin(first, knower, 1), 1)

    kinds = {kind.__name__ for kind in (*OF_ALL, *OF_SEAT, Bot)}
    assert tally.leaks == []
    assert {kind for kind in kinds if not tally.by_kind[kind]} == set()
    assert {kind for kind in kinds if not said[kind]} == set()


@pytest.mark.rule("SECRET-14")
def test_no_tile_and_no_word_of_a_room_comes_before_it_is_placed() -> None:
    """The names are searched for in the bytes that a seat is sent."""
    scenario = core().scenarios["core/sluice-house"]
    first = play_first(Spec("core", scenario.id, 0, 2, 140, comes=lambda *_: False), core())
    placed: set[str] = set()
    rooms = {room for tile in scenario.tiles for room in tile.rooms.values()}

    sent, steps = b"", set[int]()
    for _, message in first.viewers["Follower of seat 0"].heard:
        assert not isinstance(message, str)
        sent += encode_message(message)
        if isinstance(message, messages.Records):
            # Words come just before the records that name them.
            records = [read(message.room_id, shown).event for shown in message.cuts]
            tiles = {event.tile.tile for event in records if isinstance(event, se.TilePlaced)}
            placed.update(*(tile.rooms.values() for tile in scenario.tiles if tile.id in tiles))
            assert [room for room in rooms - placed if room.encode() in sent] == []
            sent = b""
            steps.add(len(placed))
    assert len(steps) > 2


def test_a_twin_has_other_secrets_and_takes_the_same_course() -> None:
    scenario = "core/sluice-house"
    first = play_first(Spec("core", scenario, 0, 2, 120, comes=lambda *_: False), core())

    twins = [play_twin(first, Knower(None), number) for number in range(2)]

    assert all(twin.moved > 20 for twin in twins)
    assert max(twin.inputs for twin in twins) > 40
    assert [given.refusal for given in first.inputs if given.refusal] == ["StorageError"]


@pytest.mark.parametrize(
    ("seed", "lost"),
    [(12, events.ShareCommitted), (104, events.ShareOpened)],
    ids=["a commitment", "a share"],
)
def test_a_game_starts_although_the_store_loses_what_a_seat_adds_to_chance(
    seed: int, lost: type[Event]
) -> None:
    """The share is sent again, as clients do; otherwise the game would never begin."""
    spec = Spec("house house/company", "house/company", seed, 5, steps=1)

    first = play_first(spec, house())

    failed = [type(given.happened) for given in first.inputs if given.refusal == "StorageError"]
    assert failed == [lost]
    assert isinstance(first.inputs[-1].happened, events.Answered | events.Voted)


HANDED_OVER = Spec("spells core/sluice-house", "core/sluice-house", 131, 1, comes=lambda *_: False)
"""Game whose only seat is given away, with an Insane back and without the earlier secrets."""
ENDS_THERE = 2
"""Number of a twin that ends as the heir's first turn begins, with another back."""


def _first_turn(first: First) -> int:
    """Return the number of the input at which the new player can first tell the back."""
    since = told_since(first.records, 0)
    assert since
    told = [one for one in learned(first.records, 0, since) if one.about == HEIRS_BACK]
    asked = first.records[told[0].sequence].event
    assert isinstance(asked, events.Asked)
    assert asked.about.subject == "about/turn"
    return sum(given.first <= told[0].sequence for given in first.inputs) - 1


@pytest.mark.rule("SECRET-6")
def test_whoever_takes_a_seat_over_can_tell_its_insane_back_from_their_first_turn_on() -> None:
    """Nothing sent to them earlier differs in a twin with another back."""
    first = play_first(HANDED_OVER, spellbook())

    twins = [play_twin(first, Knower(0, is_heir=True), ENDS_THERE + more) for more in range(2)]

    assert twins[0].inputs == _first_turn(first) < twins[1].inputs
    assert [twin.leaks for twin in twins] == [()] * 2


@pytest.mark.rule("SECRET-6")
def test_an_insane_back_that_goes_along_with_a_seat_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Plants the leak in a game in which nothing else can reveal the back."""
    since_is_ignored(monkeypatch)
    first = play_first(HANDED_OVER, spellbook())

    assert play_twin(first, Knower(0, is_heir=True), ENDS_THERE).leaks

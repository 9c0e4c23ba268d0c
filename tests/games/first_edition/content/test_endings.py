"""Endings of the bundled stories: each fits the cause by which it is reached."""

import pytest

from protocol.common.table import GameEvent
from protocol.games.first_edition import events as fe
from server.games.first_edition.rules import monsters, objective, story, tales
from server.games.first_edition.rules.play import GameOver
from tests.games.first_edition.house import manor
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.test_stories_played import at_event

pytestmark = pytest.mark.issue(41)

ROLL_CALL = manor().scenarios["manor/roll-call"]
BOOK = {"payer": "the-doctor", "hidden-by": "the-sexton"}
LOW_WATER = {"boat": "the-inspector", "who-calls": "the-sexton"}
NINTH_STONE = {"asking": "in-the-barrow", "left-things": "as-they-were-left"}
LOT_FORTY = {"last-page": "his-hand", "packed-by": "the-foreman"}
LAST = 5
"""Number of events before the last one, in the stories of the outdoors."""
MANY = 20
"""An amount that each counter of the keeper has to come to, or more."""


def read(bench: Bench) -> str:
    """Return the subject of the ending."""
    ending = bench.game_table.ending
    assert ending is not None
    return ending.reason.subject


def told_after(bench: Bench, *happened: GameEvent) -> str:
    """Return the ending that is read after these events."""
    for one in happened:
        bench.emit(one)
    with pytest.raises(GameOver):
        objective.check(bench.game)
    return read(bench)


def told_at_the_end(bench: Bench) -> str:
    """Return the ending that is read after the last event."""
    with pytest.raises(GameOver):
        bench.run(story.resolve_event(bench.game))
    return read(bench)


@pytest.mark.rule("K-GOAL-6", "W-ALLY-16")
@pytest.mark.parametrize("goal", ["the-hearth", "the-field", "the-breath"])
@pytest.mark.parametrize("ally", [one.ally for one in ROLL_CALL.allies])
def test_the_ending_names_the_ally_who_died_unheard(goal: str, ally: str) -> None:
    bench = at_event("roll-call", 0, {"purpose": goal, **BOOK})
    tales.lay_out(bench.game)

    subject = told_after(bench, fe.AllyGone(ally, is_killed=True))

    for words in manor().catalogs.values():
        surname = words[ally]["name"].split()[-1]
        assert surname in words[subject]["text"]


@pytest.mark.parametrize(
    ("goal", "counter"),
    [
        ("to-carry-off", "mist"),
        ("to-break", "water"),
        ("to-make-whole", "thorn"),
    ],
)
def test_the_hill_that_is_not_asked_before_day_tells_of_the_day(goal: str, counter: str) -> None:
    answers = {"errand": goal, **NINTH_STONE}

    at_day = told_at_the_end(at_event("ninth-stone", LAST, answers))
    full = told_after(at_event("ninth-stone", 0, answers), fe.CounterChanged(counter, MANY))

    assert at_day == "ending/ninth-stone/day"
    assert full.endswith("/keeper")


def test_the_fare_is_lost_at_ten_marks_or_at_six() -> None:
    answers = {"purpose": "the-fare", **LOW_WATER}

    assert told_after(at_event("low-water", 0, answers), fe.CounterChanged("depth", MANY)) == (
        "ending/the-fare/ten-marks"
    )
    assert told_at_the_end(at_event("low-water", LAST, answers)) == "ending/the-fare/keeper"


def test_the_tithe_is_won_by_the_bell_or_by_killing_the_pike() -> None:
    answers = {"purpose": "the-tithe", **LOW_WATER}
    endings = []
    for is_killed in (False, True):
        bench = at_event("low-water", 0, answers)
        objective.reveal(bench.game)
        if is_killed:
            monsters.put(bench.game, "monster/grindle", "meadow/a")
            pike = bench.monster("monster/grindle").monster_id
            endings.append(told_after(bench, fe.MonsterKilled(pike)))
        else:
            endings.append(told_after(bench, fe.CounterChanged("strokes", MANY)))

    assert endings == ["ending/the-tithe/investigator", "ending/the-tithe/pike-killed"]


def test_the_overflow_is_held_until_day_or_answered_before_it() -> None:
    answers = {"purpose": "the-overflow", **LOW_WATER}
    answered = at_event("low-water", LAST - 1, answers)
    objective.reveal(answered.game)

    assert told_after(answered, fe.CounterChanged("depth", 0)) == (
        "ending/the-overflow/no-mark-left"
    )
    assert told_at_the_end(at_event("low-water", LAST, answers)) == (
        "ending/the-overflow/investigator"
    )


def test_the_set_is_sold_by_the_tenth_bid_or_at_nine() -> None:
    answers = {"lot": "the-set", **LOT_FORTY}

    assert told_after(at_event("lot-forty", 0, answers), fe.CounterChanged("bid", MANY)) == (
        "ending/made-up-set/tenth-bid"
    )
    assert told_at_the_end(at_event("lot-forty", 4, answers)) == "ending/made-up-set/keeper"

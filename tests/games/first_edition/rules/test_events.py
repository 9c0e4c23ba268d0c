"""Events of the story: time, the last event, and the variant in which it may be late."""

import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema.story import Exhaustion, OnLastEvent, StoryEvent
from protocol.common.events import Rolled
from protocol.event import EVERYBODY, hidden
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep, Phase
from protocol.games.first_edition.words import Side, Variant
from server.games.first_edition.rules import effects, setup, story
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.worlds import NEVER, objective, story_of, world

rule = pytest.mark.rule


def at_step_6(
    *events: StoryEvent,
    time: int = 0,
    last: OnLastEvent = OnLastEvent.NONE,
    exhaustion: Exhaustion = Exhaustion.CONTINUE,
    variants: tuple[Variant, ...] = (),
) -> Bench:
    """Return a game at step 6 with these events and so many time tokens."""
    bench = world(
        step=KeeperStep.EVENT,
        story={
            "events": events,
            "objectives": (objective(investigators=NEVER, keeper=NEVER, last=last),),
            "event_exhaustion": exhaustion,
        },
    )
    bench.emit(fe.VariantsAgreed(variants))
    for _ in range(time):
        bench.emit(fe.TimeAdded())
    return bench


def step_6(bench: Bench) -> None:
    """Run step 6 of one keeper's turn."""
    bench.emit(fe.KeeperStepBegan(KeeperStep.EVENT))
    go(bench)


THREE, FOUR = StoryEvent("event/three", 3), StoryEvent("event/four", 4)


@rule("K-EVENT-1", "K-EVENT-2", "K-EVENT-3", "K-EX-9")
def test_a_time_token_comes_in_each_turn_and_at_its_number_the_event() -> None:
    bench = at_step_6(THREE, FOUR, time=1)

    step_6(bench)
    first = (bench.game_table.time, bench.game_table.resolved)
    step_6(bench)

    assert first == (2, ())
    assert bench.game_table.resolved == ("event/three",)


@rule("K-EVENT-1")
def test_one_token_only_in_one_step() -> None:
    bench = at_step_6(THREE)

    go(bench)
    go(bench)

    assert bench.game_table.time == 1
    assert bench.game_table.step is KeeperStep.END


@rule("K-DECIDE-65", "K-DECIDE-68")
def test_after_an_event_all_tokens_leave_and_the_next_card_starts_at_none() -> None:
    bench = at_step_6(THREE, FOUR, time=2)

    step_6(bench)

    assert (bench.game_table.time, bench.game_table.event_time) == (0, 4)
    assert [one.card for one in bench.happened(fe.EventResolved)] == ["event/three"]


@rule("K-EVENT-2", "K-CARD-7")
def test_an_event_has_its_effect() -> None:
    bench = at_step_6(StoryEvent("event/wind", 1, (steps.Threat(3),)), FOUR)

    step_6(bench)

    assert bench.game_table.threat == 3


@rule("K-EVENT-2")
def test_an_effect_that_adds_time_resolves_the_event_it_reaches() -> None:
    bench = at_step_6(THREE, FOUR, time=1)

    bench.run(effects.resolve(bench.game, (steps.Time(3),), Source("event/x")))

    assert bench.game_table.resolved == ("event/three",)
    assert bench.game_table.time == 1


@rule("K-DECIDE-65", "K-SECRET-19")
@pytest.mark.parametrize(("is_hidden", "audience"), [(False, (0,)), (True, ())])
def test_the_texts_to_come_are_the_keepers_unless_the_story_hides_them(
    is_hidden: bool, audience: tuple[int, ...]
) -> None:
    bench = world(story={"events": (THREE,), "events_hidden_from_keeper": is_hidden}, active=None)
    bench.table = bench.with_game(type(bench.game_table)())
    answers = {"goal": "wake"}
    bench.emit(fe.AnswersGiven("keeper", hidden(answers)))

    setup.place_hidden_cards(bench.game)

    (event,) = bench.game_table.events
    assert event.audience == audience
    assert bench.game_table.event_time == 3


@rule("K-DECIDE-65")
def test_a_hidden_event_can_be_opened_all_the_same() -> None:
    bench = world(story={"events": (THREE, FOUR), "events_hidden_from_keeper": True}, active=None)

    bench.run(story.resolve_event(bench.game))

    (resolved,) = bench.happened(fe.EventResolved)
    assert resolved.card == "event/three"
    assert EVERYBODY not in bench.game_table.events[0].audience


# The last event ----------------------------------------------------------------------------------


@rule("K-EVENT-4", "K-DECIDE-66", "K-GOAL-5")
@pytest.mark.parametrize(
    ("last", "winners"),
    [
        (OnLastEvent.KEEPER, (Side.KEEPER,)),
        (OnLastEvent.INVESTIGATORS, (Side.INVESTIGATORS,)),
        (OnLastEvent.NONE, ()),
    ],
)
def test_the_last_event_ends_the_game_for_the_side_that_the_objective_names(
    last: OnLastEvent, winners: tuple[Side, ...]
) -> None:
    bench = at_step_6(THREE, time=2, last=last, exhaustion=Exhaustion.END)

    step_6(bench)

    assert bench.game_table.phase is Phase.OVER
    assert bench.game_table.ending is not None
    assert bench.game_table.ending.winners == winners


@rule("K-DECIDE-66")
def test_where_the_story_continues_nothing_more_comes_after_the_last_event() -> None:
    bench = at_step_6(THREE, time=2)
    step_6(bench)

    step_6(bench)

    assert bench.game_table.ending is None
    assert bench.game_table.time == 0
    assert bench.game_table.resolved == ("event/three",)


@rule("K-EVENT-4")
def test_the_deck_of_events_is_never_made_anew() -> None:
    bench = at_step_6(THREE, FOUR, time=2)
    step_6(bench)

    assert [one.value for one in bench.game_table.events] == ["event/four"]
    assert "event/three" not in str(bench.game_table.discards)


# Game length -------------------------------------------------------------------------------------

LENGTH = (Variant.GAME_LENGTH,)


@rule("K-VAR-8", "K-VAR-9", "K-EX-24", "K-DECIDE-67")
def test_the_last_event_is_late_on_1_and_2_and_is_rolled_for_in_each_turn() -> None:
    bench = at_step_6(FOUR, time=3, variants=LENGTH)
    late = []
    for roll in (2, 1, 3):
        bench.give_rolls(roll)
        step_6(bench)
        late.append((bench.game_table.time, bench.game_table.resolved))

    assert late == [(4, ()), (4, ()), (0, ("event/four",))]
    assert len(bench.happened(fe.TimeAdded)) == 4


@rule("K-VAR-8")
def test_events_before_the_last_one_are_not_rolled_for() -> None:
    bench = at_step_6(THREE, FOUR, time=2, variants=LENGTH)

    step_6(bench)

    assert bench.game_table.resolved == ("event/three",)
    assert bench.happened(Rolled) == []


@rule("K-VAR-10", "K-EX-24")
@pytest.mark.parametrize("last", [OnLastEvent.KEEPER, OnLastEvent.INVESTIGATORS])
def test_where_the_objective_names_a_winner_nobody_rolls(last: OnLastEvent) -> None:
    bench = at_step_6(FOUR, time=3, last=last, variants=LENGTH)

    step_6(bench)

    assert bench.happened(Rolled) == []
    assert bench.game_table.phase is Phase.OVER


@rule("K-VAR-8")
def test_without_the_variant_nobody_rolls() -> None:
    bench = at_step_6(FOUR, time=3)

    step_6(bench)

    assert bench.game_table.resolved == ("event/four",)


@rule("K-DECIDE-67")
def test_while_the_last_event_is_late_effects_add_no_time_and_no_roll() -> None:
    bench = at_step_6(FOUR, time=4, variants=LENGTH)

    bench.run(effects.resolve(bench.game, (steps.Time(2),), Source("event/x")))

    assert bench.game_table.time == 4
    assert bench.happened(Rolled) == []


@rule("K-DECIDE-67", "K-DECIDE-106")
@pytest.mark.parametrize(
    ("last", "is_offered"), [(OnLastEvent.NONE, True), (OnLastEvent.KEEPER, False)]
)
def test_the_variant_is_offered_where_an_objective_names_no_winner(
    last: OnLastEvent, is_offered: bool
) -> None:
    told = story_of(objectives=(objective("wake"), objective("flood", last=last)))

    assert (Variant.GAME_LENGTH in setup.offered_variants(told)) is is_offered

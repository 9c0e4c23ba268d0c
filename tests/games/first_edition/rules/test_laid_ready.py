"""Cards laid ready, at a table that goes by the calendar."""

from typing import Any

import pytest

from content.games.first_edition.schema.cards import CardAction
from content.games.first_edition.schema.effects import Stun, Suffer
from content.games.first_edition.schema.requirements import HasThreat
from content.games.first_edition.schema.story import KeeperStart
from protocol.common.asks import Settle
from protocol.common.table import LaidReady, Settings
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition import words
from protocol.games.first_edition.table import FirstEditionTable, KeeperStep
from protocol.games.first_edition.words import Attribute
from protocol.values import evolve
from server.games.first_edition.rules import laid_ready, setup, trauma, turn
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    RAT,
    STUDY,
    by_id,
    item_card,
    mythos_card,
    world,
)

rule = pytest.mark.rule
CHILL = mythos_card("chill", Stun())
TURN, TEST = "choice/at_turn", "choice/at_failed_test"


def by_calendar(bench: Bench) -> Bench:
    bench.table = bench.table.with_room(settings=Settings(by_calendar=True))
    return bench


def planned(*answers: str | int, people: tuple[str, ...] = (ADA,), **more: Any) -> Bench:
    """Return a game in which the keeper has just laid cards ready, and nobody has begun a turn."""
    given: dict[str, Any] = {"mythos": [CHILL], **more}
    bench = by_calendar(world(people, active=None, **given))
    bench.run(laid_ready.lay(bench.game), {KIM: answers})
    return bench


def is_struck(bench: Bench) -> bool:
    return [one.card for one in bench.happened(fe.MythosPlayed)] == ["mythos/chill"]


# Laying ready ------------------------------------------------------------------------------------


@rule("K-DECIDE-107")
@pytest.mark.parametrize("is_by_calendar", [False, True])
def test_the_keeper_is_asked_at_the_end_of_the_own_turn_by_calendar(is_by_calendar: bool) -> None:
    bench = world((ADA, BEN), mythos=[CHILL], step=KeeperStep.END)
    if is_by_calendar:
        by_calendar(bench)

    go(bench, *([{KIM: (0, 0, 0, 0)}] if is_by_calendar else []))

    assert len(bench.asked) == is_by_calendar
    assert len(bench.happened(fe.LaidReady)) == is_by_calendar


@rule("K-DECIDE-107")
def test_without_mythos_cards_nothing_is_asked() -> None:
    bench = by_calendar(world(step=KeeperStep.END))

    go(bench)

    assert bench.asked == []


@rule("K-DECIDE-107", "K-SECRET-24")
def test_the_record_is_of_one_size_for_all_others_whatever_is_laid() -> None:
    sizes, questions = set(), []
    for answers in ((0, 0), (1, 0), (1, 1), (1, 2), (0, 2)):
        bench = by_calendar(world(mythos=[CHILL], active=None))
        bench.run(laid_ready.lay(bench.game), {KIM: answers})
        sizes.add(len(bench.stored[-1].public))
        questions.append([tuple(ask.prompts) for ask in bench.asked])
        (laid,) = bench.happened(fe.LaidReady)
        assert laid.plans.audience == (KIM,)

    assert len(sizes) == 1
    assert questions == [[(KIM,)]] * 5


@rule("K-DECIDE-107")
def test_each_card_is_laid_for_one_investigator_only() -> None:
    bench = planned("mythos/chill", TURN, "mythos/chill", TURN, people=(ADA, BEN))

    plans = bench.game_table.ready
    assert plans is not None
    assert plans.value == ((ADA, "mythos/chill", "turn"), (BEN, "", "turn"))


# Playing -----------------------------------------------------------------------------------------


@rule("K-DECIDE-107")
def test_a_card_for_the_start_of_the_turn_is_played_before_the_first_step() -> None:
    bench = planned("mythos/chill", TURN)
    go(bench)

    go(bench)

    assert is_struck(bench)
    assert bench.who(ADA).stun == 1
    assert len(bench.asked) == 1


@rule("K-DECIDE-107")
def test_a_card_for_a_room_is_played_once_the_room_is_entered() -> None:
    bench = planned("mythos/chill", STUDY, at={ADA: "house/b"})
    go(bench)
    go(bench, "house/c")
    before = is_struck(bench)

    go(bench)

    assert (before, is_struck(bench)) == (False, True)


@rule("K-DECIDE-107")
@pytest.mark.parametrize(("roll", "strikes"), [(5, False), (6, True)])
def test_a_card_for_a_failed_test_is_played_after_one(roll: int, strikes: bool) -> None:
    bench = planned("mythos/chill", TEST, at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")])
    bench.give_rolls(roll)
    go(bench)
    go(bench, "house/c")

    go(bench, *([] if strikes else ["choice/end_turn"]))

    assert is_struck(bench) is strikes


@rule("K-DECIDE-107", "K-DECIDE-14")
def test_without_a_step_left_there_is_no_moment_for_the_card() -> None:
    bench = planned("mythos/chill", STUDY, at={ADA: "house/b"})
    go(bench)
    bench.emit(fe.ActionTaken(ADA, "run"))
    bench.emit(fe.StepSpent(ADA))
    go(bench, "house/c")

    go(bench)

    assert not is_struck(bench)


@rule("K-DECIDE-107", "K-DECIDE-69", "K-SECRET-24")
def test_a_card_whose_condition_does_not_hold_leaves_no_trace() -> None:
    logs = []
    greedy = mythos_card("chill", Stun(), requires=HasThreat(2))
    for answers in (("mythos/chill", TURN), (0, TURN)):
        bench = planned(*answers, mythos=[greedy])
        bench.log.clear()
        go(bench)
        go(bench, "house/b")
        bench.emit(fe.ThreatChanged(2))
        go(bench, "house/a")
        logs.append([type(one) for one in bench.log])

    assert logs[0] == logs[1]
    assert fe.MythosPlayed not in logs[0]


@rule("K-DECIDE-107", "K-MYTHOS-3")
def test_after_a_mythos_card_in_the_same_turn_nothing_happens() -> None:
    bench = planned("mythos/chill", STUDY, at={ADA: "house/b"})
    go(bench)
    bench.table = bench.with_game(evolve(bench.game_table, is_struck=True))
    go(bench, "house/c")

    go(bench, "house/b")

    assert not is_struck(bench)


@rule("K-DECIDE-107")
def test_the_card_of_one_investigator_is_not_played_on_another() -> None:
    bench = planned("mythos/chill", TURN, 0, TURN, people=(ADA, BEN))
    go(bench, {2: 0})
    go(bench, "house/b")

    assert not is_struck(bench)


@rule("K-DECIDE-107")
def test_a_moment_before_the_round_is_none_of_it() -> None:
    bench = by_calendar(world(mythos=[CHILL], step=KeeperStep.END))
    about = Text("about/card_test", (ADA, "mythos/chill"))
    bench.emit(fe.TestDeclared(ADA, Attribute.LUCK, words.TestKind.CARD, 5, about))
    bench.emit(fe.TestEnded(ADA, is_passed=False))
    go(bench, {KIM: ("mythos/chill", TEST)})
    go(bench)

    go(bench, "house/b")

    assert not is_struck(bench)


@rule("K-DECIDE-107")
def test_the_moment_of_one_investigator_is_not_that_of_another() -> None:
    """Ben fails a test in the turn of Ada, for whom that is no moment."""
    bench = planned("mythos/chill", TEST, 0, TURN, people=(ADA, BEN))
    about = Text("about/card_test", (BEN, "mythos/chill"))
    go(bench, {1: 0})
    bench.emit(fe.TestDeclared(BEN, Attribute.LUCK, words.TestKind.CARD, 5, about))
    bench.emit(fe.TestEnded(BEN, is_passed=False))

    go(bench, "house/b")

    assert not is_struck(bench)
    assert (BEN, "test") in bench.game_table.moments


@rule("K-DECIDE-107", "K-DECIDE-14")
def test_a_moment_that_comes_with_the_last_step_waits_for_a_step_to_be_left() -> None:
    whistle = item_card("whistle", actions=(CardAction("tests/text", (), free=True),))
    bench = planned("mythos/chill", STUDY, at={ADA: "house/b"}, items=by_id(whistle))
    bench.emit(fe.ItemGained(ADA, "item/whistle", (), None))
    go(bench)
    bench.emit(fe.ActionTaken(ADA, "run"))
    bench.emit(fe.StepSpent(ADA))
    go(bench, "house/c")

    go(bench, ...)

    assert not is_struck(bench)
    assert (ADA, STUDY) in bench.game_table.moments


@rule("K-DECIDE-107", "K-DECIDE-4")
def test_before_round_1_the_keeper_is_asked_too() -> None:
    bench = by_calendar(
        world(
            in_decks={"mythos": [CHILL]},
            active=None,
            story={"keeper_start": KeeperStart(mythos=1), "actions": ()},
        )
    )
    bench.table = bench.with_game(FirstEditionTable())

    bench.run(
        setup.set_up(bench.game),
        {0: 0, 1: 0},
        {0: 0, 1: (0, 0)},
        {KIM: ("mythos/chill", TURN)},
    )

    order = [type(one) for one in bench.log if isinstance(one, fe.LaidReady | fe.RoundBegan)]
    assert order == [fe.LaidReady, fe.RoundBegan]


@rule("K-DECIDE-107")
def test_what_was_laid_ready_counts_until_the_keepers_next_turn() -> None:
    bench = planned("mythos/chill", STUDY, at={ADA: "house/b"})

    bench.emit(fe.KeeperStepBegan(KeeperStep.TRADE))
    bench.emit(fe.RoundBegan(2))
    go(bench)
    go(bench, "house/c")
    go(bench, "house/b")

    assert bench.game_table.ready is None
    assert not is_struck(bench)


@rule("K-DECIDE-107", "K-DECIDE-16")
def test_by_calendar_nobody_is_asked_beside_a_step() -> None:
    bench = by_calendar(world(mythos=[mythos_card("chill", Suffer(horror=1))]))

    go(bench, "house/b")

    assert [ask.settle for ask in bench.asked] == [Settle.EACH]
    assert tuple(bench.asked[0].prompts) == (1,)


@rule("K-DECIDE-107")
def test_by_default_cards_are_laid_ready_at_a_table_by_calendar_alone() -> None:
    assert FirstEditionTable.usual_settings.laid_ready is LaidReady.BY_CALENDAR
    assert "laid_ready" in FirstEditionTable.has_settings
    assert [Settings(by_calendar=it).lays_ready for it in (False, True)] == [False, True]


@rule("K-DECIDE-107")
def test_laid_ready_always_asks_beside_the_steps_too_unless_by_calendar() -> None:
    bench = world(mythos=[mythos_card("chill", Suffer(horror=1))])
    for by, is_asked in ((False, True), (True, False)):
        settings = Settings(by_calendar=by, laid_ready=LaidReady.ALWAYS)
        bench.table = bench.table.with_room(settings=settings)
        assert laid_ready.is_on(bench.game)
        assert turn.is_beside(bench.game) == is_asked


@rule("K-DECIDE-107")
def test_laid_ready_never_asks_beside_the_steps_by_calendar_too() -> None:
    bench = world(mythos=[mythos_card("chill", Suffer(horror=1))])
    settings = Settings(by_calendar=True, laid_ready=LaidReady.NEVER)
    bench.table = bench.table.with_room(settings=settings)

    assert not laid_ready.is_on(bench.game)
    assert turn.is_beside(bench.game)
    assert not trauma.is_simply_asked(bench.game)
